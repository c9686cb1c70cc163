/** The problems of a draft with the files that it names, and with what it takes from them. */
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { formatCount, joinSentences } from '../../../presentation/formats.ts';
import { columnKey, type RowProblem, sameNames } from '../../../presentation/recipientCsv.ts';
import { l10n, type ShownText } from '../../../presentation/shown.ts';
import { KINDS } from '../document/keys.ts';
import type { NamedFile } from '../document/namedChats.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';
import { type Fix, inDocumentOrder, type Problem, startOfLine } from '../document/problem.ts';
import { toYaml } from '../document/yamlFields.ts';
import { NO_RULES } from '../leaveOut.ts';
import { missingValueProblems } from './missingValues.ts';
import { type PickedTable, whereProblems } from './pickedRows.ts';
import { type DraftFile, type FileProblem, fileOf, pathText } from './recipientFiles.ts';
import { limitText, type RecipientTable } from './recipientTable.ts';
import { variableProblems } from './variableProblems.ts';

/**
 * The problems in document order. `text` is that of the document, and `picked` what `where:` picks of the file of
 * recipients. The values of recipients whom `rules` leave out don't matter.
 */
export async function recipientProblems(
  text: string,
  draft: ParsedDraft,
  files: readonly DraftFile[],
  picked?: PickedTable,
  rules = NO_RULES,
): Promise<Problem[]> {
  const file = fileOf(files, 'recipients');
  const read = picked ?? (file && 'table' in file ? file.table : undefined);
  // A file in which no id column is found has no columns.
  const table = read && read.columns.length > 0 ? read : undefined;
  const isUnknown = file !== undefined || draft.unread.has('recipients');
  const problems = files.flatMap((one) => fileProblems(text, draft, one));
  problems.push(...variableProblems(text, draft, table?.columns ?? (isUnknown ? undefined : [])));
  if (picked && table) problems.push(...whereProblems(text, draft, picked));
  if (table) problems.push(...(await missingValueProblems(text, draft, table, rules)));
  return inDocumentOrder(problems);
}

/** The problems of a file, at the place where the draft names it. The chats of a rule have no messages, and thus no values. */
function fileProblems(
  text: string,
  { variables, where }: Pick<ParsedDraft, 'variables' | 'where'>,
  { named, file }: DraftFile,
): Problem[] {
  const { role, path, start, end } = named;
  const rule = role === 'recipients' ? undefined : role;
  const name = pathText(path);
  const problems: Problem[] = [];
  const add = (severity: Problem['severity'], text: ShownText, more: Pick<Problem, 'fixes' | 'line'> = {}) =>
    problems.push({ severity, text, start, end, ...more, ...(rule && more.line && { rule }) });
  if ('problem' in file) {
    const fixes = fixesOf(file.problem, named);
    add('error', file.problem.text, fixes.length > 0 ? { fixes } : {});
    return problems;
  }
  const { table, isOtherEncoding } = file;
  const errors = table.problems.filter((one) => one.severity === 'error' && !(rule && isOnlyOfValues(one)));
  const inRows: RowProblem[] = [];
  for (const one of errors) {
    const said = headText(one, name, table);
    if (said === undefined) inRows.push(one);
    else if (one.kind !== 'noKind') add('error', said, { line: one.line });
    // The document can say what the recipients are. If what it says is wrong, that is reported elsewhere.
    else if (!named.saysKind) add('error', said, { fixes: kindFixes(text, named) });
  }
  const [bad] = inRows;
  if (bad) {
    const isTooLong = bad.kind === 'tooMany';
    add('error', isTooLong ? tooManyText(name) : badRowsText(name, inRows.length, bad), { line: bad.line });
  } else if (table.rows.size === 0 && errors.length === 0 && !rule) {
    add('error', l10n.t('There are no recipients in {0}.', name));
  }
  const repeated = table.problems.filter(({ kind }) => kind === 'repeated');
  if (repeated[0] && !rule)
    add('warning', repeatedText(name, repeated.length, repeated[0]), { line: repeated[0].line });
  if (isOtherEncoding) {
    add('warning', l10n.t("{0} isn't UTF-8 and was read as GB18030. Check the names in the preview.", name));
  }
  const used = new Set([
    ...variables.map(({ name }) => name),
    ...(where?.conditions ?? []).map(({ column }) => column.name),
  ]);
  const isUnused = (column: string) => column && !/^(?:id|kind)$/.test(columnKey(column)) && !used.has(column);
  const unused = rule ? [] : table.columns.filter(isUnused);
  if (unused.length > 0) add('hint', l10n.t('Never used in this document: {0}.', excerpt(unused.join(', '), 200)));
  return problems;
}

/** Problems that matter only where columns are values. */
const ONLY_VALUES: ReadonlySet<RowProblem['kind']> = new Set(['differs', 'repeated', 'sameName'] as const);

export const isOnlyOfValues = ({ kind }: RowProblem) => kind !== undefined && ONLY_VALUES.has(kind);

/** What keeps a whole file from being read; undefined for a problem of its rows. */
function headText({ kind }: RowProblem, file: string, table: RecipientTable): ShownText | undefined {
  switch (kind) {
    case 'noIds':
      return l10n.t(
        '{0} has no id column. One of its first lines must name the columns, separated by commas, semicolons, or tabs.',
        file,
      );
    case 'noKind':
      return l10n.t("{0} doesn't say whether its IDs are those of people or of groups. Add kind.", file);
    case 'sameName': {
      const names = (sameNames(table) ?? []).map((name) => excerpt(name, 60));
      return l10n.t("{0} has the columns {1} and {2}, which can't be told apart. Rename one of them.", file, ...names);
    }
    default:
      return undefined;
  }
}

const tooManyText = (file: string) =>
  l10n.t('{0} has more than {1} recipients. Divide it into several files.', file, limitText());

/** How many rows can't be used, and why the first one can't. */
const badRowsText = (file: string, count: number, { line, text }: RowProblem) =>
  joinSentences(
    count === 1
      ? l10n.t("{0} has a row that can't be used, on line {1}.", file, formatCount(line))
      : l10n.t("{0} has {1} rows that can't be used, first on line {2}.", file, formatCount(count), formatCount(line)),
    text,
  );

const repeatedText = (file: string, count: number, { line }: RowProblem) =>
  count === 1
    ? l10n.t('{0} lists a recipient twice, on line {1}. Only one message is sent.', file, formatCount(line))
    : l10n.t(
        '{0} lists {1} recipients twice, first on line {2}. Each gets only one message.',
        file,
        formatCount(count),
        formatCount(line),
      );

function fixesOf({ fix }: FileProblem, named: NamedFile): Fix[] {
  if (fix === 'save') return [{ title: l10n.t('Save this document…'), edits: [], saves: true }];
  // The fix names the file beside the document: it's read once it's there.
  const name = named.path.split(/[/\\:]/).at(-1) ?? '';
  if (fix !== 'beside' || /^\.*$/.test(name)) return [];
  const title = l10n.t('Look for {0} beside this document', excerpt(name, 60));
  return [{ title, edits: [{ start: named.start, end: named.end, text: toYaml(name) }] }];
}

/** Fixes that say in the block what the recipients are: in a line of its own, unless the block is in braces. */
function kindFixes(text: string, { key, end }: NamedFile): Fix[] {
  const indent = text.slice(startOfLine(text, key.at), key.at);
  // A comment stays beside the name of the file.
  const last = text.slice(0, end).trimEnd().length;
  const endOfLine = last + (/^[^\r\n]*/.exec(text.slice(last))?.[0].length ?? 0);
  const at = key.isInBraces ? end : endOfLine;
  return KINDS.map((one) => {
    const kind = `kind: ${one}`;
    const inserted = key.isInBraces ? `, ${kind}` : `\n${indent}${kind}`;
    return { title: l10n.t('Add {0}', kind), edits: [{ start: at, end: at, text: inserted }] };
  });
}
