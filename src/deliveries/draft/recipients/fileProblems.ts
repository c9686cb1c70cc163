/** Problems with the files that a draft names. */
import { l10n } from 'vscode';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { formatCount, joinSentences } from '../../../presentation/formats.ts';
import { columnKey, type RowProblem, sameNames } from '../../../presentation/recipientCsv.ts';
import { KINDS } from '../document/keys.ts';
import type { NamedFile } from '../document/namedChats.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';
import { type Fix, type Problem, startOfLine } from '../document/problem.ts';
import { toYaml } from '../document/yamlFields.ts';
import type { DraftFile } from './recipientFiles.ts';
import { type FileProblem, pathText } from './recipientFiles.ts';
import { limitText, type RecipientTable } from './recipientTable.ts';

/** All are where the draft names the file. The chats of a rule have no messages, and thus no values. `text` is that of the document. */
export function fileProblems(
  text: string,
  { variables, where }: Pick<ParsedDraft, 'variables' | 'where'>,
  { named, file }: DraftFile,
): Problem[] {
  const { role, path, start, end } = named;
  const rule = role === 'recipients' ? undefined : role;
  const name = pathText(path);
  const problems: Problem[] = [];
  const add = (severity: Problem['severity'], text: string, more: Pick<Problem, 'fixes' | 'line'> = {}) =>
    problems.push({ severity, text, start, end, ...more, ...(rule && more.line && { rule }) });
  if ('problem' in file) {
    const fixes = fixesOf(file.problem, named);
    add('error', file.problem.text, fixes.length > 0 ? { fixes } : {});
    return problems;
  }
  const { table, isOtherEncoding } = file;
  const errors = table.problems.filter((one) => one.severity === 'error' && !(rule && isOnlyOfValues(one)));
  const inHead = errors.flatMap((one) => headProblem(one, name, table) ?? []);
  // What the recipients are is said in the document.
  for (const { text: found, line, kind } of inHead) {
    // What it says is reported instead.
    if (kind === 'noKind' && named.saysKind) continue;
    add('error', found, line === undefined ? { fixes: kindFixes(text, named) } : { line });
  }
  const inRows = errors.filter((one) => !headProblem(one, name, table));
  const [bad] = inRows;
  if (bad) {
    const isTooLong = bad.kind === 'tooMany';
    add('error', isTooLong ? tooManyText(name) : badRowsText(name, inRows.length, bad), { line: bad.line });
  } else if (table.rows.size === 0 && inHead.length === 0 && !rule) {
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
  const unused =
    !hasIds(table) || rule
      ? []
      : table.columns.filter((column) => column && !/^(?:id|kind)$/.test(columnKey(column)) && !used.has(column));
  if (unused.length > 0) add('hint', l10n.t('Never used in this document: {0}.', excerpt(unused.join(', '), 200)));
  return problems;
}

/** Problems that matter only where columns are values. */
const ONLY_VALUES: ReadonlySet<RowProblem['kind']> = new Set(['differs', 'repeated', 'sameName'] as const);

export const isOnlyOfValues = ({ kind }: RowProblem) => kind !== undefined && ONLY_VALUES.has(kind);

/** Whether the first row names columns, as far as that's known. */
export const hasIds = ({ problems }: RecipientTable) => problems.every(({ kind }) => kind !== 'noIds');

/** What keeps a whole file from being read; without a line if the document can say it. */
function headProblem(
  { kind, line }: RowProblem,
  file: string,
  table: RecipientTable,
): { text: string; line?: number; kind?: RowProblem['kind'] } | undefined {
  switch (kind) {
    case 'noIds':
      return {
        text: l10n.t(
          '{0} has no id column. One of its first lines must name the columns, separated by commas, semicolons, or tabs.',
          file,
        ),
        line,
      };
    case 'noKind':
      return {
        text: l10n.t("{0} doesn't say whether its IDs are those of people or of groups. Add kind.", file),
        kind,
      };
    case 'sameName': {
      const names = (sameNames(table) ?? []).map((name) => excerpt(name, 60));
      return {
        text: l10n.t("{0} has the columns {1} and {2}, which can't be told apart. Rename one of them.", file, ...names),
        line,
      };
    }
    default:
      return undefined;
  }
}

const tooManyText = (file: string) =>
  l10n.t('{0} has more than {1} recipients. Divide it into several files.', file, limitText());

/** How many rows can't be used, and why not the first. */
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
  // The same file beside the document is read once it's there.
  const name = named.path.split(/[/\\:]/).at(-1) ?? '';
  if (fix !== 'beside' || /^\.*$/.test(name)) return [];
  const title = l10n.t('Look for {0} beside this document', excerpt(name, 60));
  return [{ title, edits: [{ start: named.start, end: named.end, text: toYaml(name) }] }];
}

/** Says in the block what the recipients are: in a line of its own, unless it's in braces. */
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
