/** Problems with the variables of a draft, and with the file of its recipients. */
import { markdownVariables } from '../../../markup/markdownVariables.ts';
import { MessageTemplate } from '../../../markup/messageTemplate.ts';
import type { RowProblem } from '../../../markup/recipientCsv.ts';
import { marksAround } from '../../../markup/template.ts';
import type { NamedFile } from '../document/chatBlock.ts';
import { suggestionsFor } from '../document/keys.ts';
import type { ParsedDraft, Problem } from '../document/parseDraft.ts';
import type { Fix } from '../document/problem.ts';
import type { DraftVariable } from '../document/variables.ts';
import { toYaml } from '../document/yamlFields.ts';
import { type Missing, missingValues } from './missingValues.ts';
import { placeProblems, TOP } from './placeProblems.ts';
import type { RecipientFile } from './recipientFiles.ts';
import type { RecipientTable } from './recipientTable.ts';
import { DIRECTORY_VARIABLES } from './recipientValues.ts';

/** In document order. `text` is that of the document, and `file` the one that it names, if it does. */
export async function recipientProblems(
  text: string,
  draft: ParsedDraft,
  file: RecipientFile | undefined,
): Promise<Problem[]> {
  const table = file && 'table' in file ? file.table : undefined;
  const problems = file ? fileProblems(text, draft, file) : [];
  const areColumnsKnown = file ? table !== undefined && hasIds(table) : !draft.unread.has('recipients');
  if (areColumnsKnown) problems.push(...variableProblems(text, draft, table?.columns ?? []));
  problems.push(...placeProblems(text, draft));
  if (table) problems.push(...escapedColumns(text, draft, table), ...(await valueProblems(text, draft, table)));
  return problems.toSorted((one, other) => one.start - other.start || one.end - other.end);
}

/** A path such as `C:\\{{name}}` escapes a variable by accident. */
function escapedColumns(text: string, { body }: ParsedDraft, { columns }: RecipientTable): Problem[] {
  if (!text.includes('\\{{', body.start)) return [];
  return markdownVariables(text.slice(body.start))
    .filter(({ name, isEscaped, isCode }) => isEscaped && !isCode && columns.includes(name))
    .map(({ name, start, end }) => ({
      code: 'escapedVariable',
      severity: 'warning',
      start: body.start + start,
      end: body.start + end,
      args: [name],
    }));
}

function fileProblems(text: string, draft: ParsedDraft, file: RecipientFile): Problem[] {
  const named = draft.recipientFile;
  if (!named) return [];
  const { path, start, end } = named;
  const problem = (
    code: Problem['code'],
    severity: Problem['severity'],
    args: readonly string[] = [],
    more: Pick<Problem, 'fixes' | 'line'> = {},
  ): Problem => ({ code, severity, start, end, args: [path, ...args], ...more });
  if ('problem' in file) {
    const { code } = file.problem;
    const save: Fix[] = code === 'unsavedDocument' ? [{ code: 'save', args: [], edits: [] }] : [];
    const fixes = MISPLACED.has(code) ? besideFixes(named) : save;
    return [{ ...file.problem, severity: 'error', start, end, ...(fixes.length > 0 && { fixes }) }];
  }
  const { table, isOtherEncoding } = file;
  const problems: Problem[] = [];
  const errors = table.problems.filter(({ severity }) => severity === 'error');
  const isInHead = ({ code }: RowProblem) => HEAD_PROBLEMS.has(code);
  const inHead = errors.filter(isInHead);
  for (const { code, args, line } of inHead) {
    // What the recipients are is said in the document.
    const more = code === 'noKind' ? { fixes: kindFixes(text, start, end) } : { line };
    problems.push(problem(code as Problem['code'], 'error', args, more));
  }
  const inRows = errors.filter((one) => !isInHead(one));
  const [bad] = inRows;
  if (bad?.code === 'tooManyRows') problems.push(problem('tooManyRows', 'error', bad.args, { line: bad.line }));
  else if (bad) {
    const { line, code, args } = bad;
    problems.push(problem('badRows', 'error', [String(inRows.length), String(line), code, ...args], { line }));
  }
  if (!bad && table.rows.size === 0 && inHead.length === 0) problems.push(problem('noRows', 'error'));
  const repeated = table.problems.filter(({ code }) => code === 'repeatedRow');
  if (repeated[0]) {
    const { line } = repeated[0];
    problems.push(problem('repeatedRows', 'warning', [String(repeated.length), String(line)], { line }));
  }
  if (isOtherEncoding) problems.push(problem('otherEncoding', 'warning'));
  const used = new Set(draft.variables.map(({ name }) => name));
  const unused = !hasIds(table)
    ? []
    : table.columns.filter((name) => name && !/^(?:id|kind)$/i.test(name) && !used.has(name));
  if (unused.length > 0) problems.push(problem('unusedColumns', 'hint', [unused.join(', ')]));
  return problems;
}

/** Whether the first row names columns, as far as that's known. */
const hasIds = ({ problems }: RecipientTable) => problems.every(({ code }) => code !== 'noIdColumn');

/** What keeps a whole file from being read. */
const HEAD_PROBLEMS: ReadonlySet<RowProblem['code']> = new Set(['noIdColumn', 'noKind', 'duplicateColumn']);

const MISPLACED: ReadonlySet<Problem['code']> = new Set([
  'notRelative',
  'outsideWorkspace',
  'outsideFolder',
  'untrustedFolder',
]);

/** Names the same file beside the document, where it's read once it's there. */
function besideFixes({ path, start, end }: NamedFile): Fix[] {
  const name = path.split(/[/\\:]/).at(-1) ?? '';
  if (/^\.*$/.test(name)) return [];
  return [{ code: 'beside', args: [name], edits: [{ start, end, text: toYaml(name) }] }];
}

/** Says in the block what the recipients are. */
function kindFixes(text: string, start: number, end: number): Fix[] {
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const indent = /^[ \t]*(?=["']?recipients)/.exec(line)?.[0];
  return ['person', 'group'].map((kind) => {
    const inserted = indent === undefined ? `, kind: ${kind}` : `\n${indent}kind: ${kind}`;
    return { code: 'kind', args: [`kind: ${kind}`], edits: [{ start: end, end, text: inserted }] };
  });
}

/** Names a file in the block, where its keys have lines of their own. */
function fileFixes(text: string, { body }: ParsedDraft): Fix[] {
  const found = /^(chat:[ \t]*(?:#[^\r\n]*)?)\r?\n([ \t]+)(?=[^\s#])/m.exec(text.slice(0, body.start));
  if (!found) return [];
  const [, head = '', indent = ''] = found;
  const at = found.index + head.length;
  const edits = [{ start: at, end: at, text: `\n${indent}recipients: $1`, isSnippet: true as const }];
  return [{ code: 'nameFile', args: [], edits }];
}

function variableProblems(text: string, draft: ParsedDraft, columns: readonly string[]): Problem[] {
  const { message, variables, isTemplate, recipientFile } = draft;
  const known = [...new Set([...columns.filter(Boolean), ...DIRECTORY_VARIABLES])];
  const source = recipientFile ? [] : ['noFile'];
  const naming = recipientFile ? [] : fileFixes(text, draft);
  const placed = new Set(variables.map(({ name }) => name));
  // YAML may have put a name together from several lines.
  const others = (message && isTemplate ? new MessageTemplate(message).variables : []).filter(
    (name) => !placed.has(name) && !known.includes(name),
  );
  const unplaced = others.map(
    (name): Problem => ({ code: 'unknownVariable', severity: 'error', ...TOP, args: [name, ...source] }),
  );
  // Nobody names a file to send everyone the same braces.
  const inCode = recipientFile && !isTemplate ? 'error' : 'warning';
  const found = variables.flatMap((variable): Problem[] => {
    const { name, isCode, start, end } = variable;
    const isKnown = known.includes(name);
    if (isCode) return isKnown ? [{ code: 'variableInCode', severity: inCode, start, end, args: [name] }] : [];
    if (isKnown) return [];
    const renamed = suggestionsFor(name, known).map(
      (one): Fix => ({
        code: 'rename',
        args: [one],
        edits: [{ start, end, text: withName(variable, one) }],
      }),
    );
    const keep: Fix = { code: 'keep', args: [], edits: [{ start, end: start, text: '\\' }] };
    const fixes = [...renamed, ...naming, keep];
    return [{ code: 'unknownVariable', severity: 'error', start, end, args: [name, ...source], fixes }];
  });
  return [...unplaced, ...found];
}

const withName = ({ fallback }: DraftVariable, name: string) =>
  `{{${name}${fallback === undefined ? '' : `|${fallback}`}}}`;

/** Columns that are empty, have line breaks, or should hold addresses and don't. Values of the directory aren't known before sending. */
async function valueProblems(
  text: string,
  { message, variables, recipientFile }: ParsedDraft,
  table: RecipientTable,
): Promise<Problem[]> {
  if (!message || variables.length === 0) return [];
  const { empty, notAddress, severalLines, hosts } = await missingValues(new MessageTemplate(message), table);
  const found: Problem[] = [];
  for (const { name, fallback, isCode, start, end } of variables) {
    if (isCode) continue;
    const argsOf = ({ count, line }: Missing) => [name, String(count), String(line), recipientFile?.path ?? ''];
    const [noValue, noAddress, broken] = [empty.get(name), notAddress.get(name), severalLines.get(name)];
    // The default may be needed elsewhere, where there is none.
    if (noValue && fallback === undefined) {
      const edits = [{ start: end - 2, end: end - 2, text: '|$1', isSnippet: true as const }];
      const fixes: Fix[] = [{ code: 'default', args: [], edits }];
      const marks = message.contentType === 'markdown' ? marksAround(text.slice(0, start), text.slice(end)) : '';
      const { line } = noValue;
      found.push({
        code: 'emptyValues',
        severity: 'warning',
        start,
        end,
        line,
        args: [...argsOf(noValue), marks],
        fixes,
      });
    }
    const other = noAddress ?? broken;
    if (other) {
      const level = noAddress
        ? ({ code: 'noAddresses', severity: 'error' } as const)
        : ({ code: 'lineBreaks', severity: 'warning' } as const);
      found.push({ ...level, start, end, line: other.line, args: argsOf(other) });
    }
  }
  for (const [name, { size }] of hosts) {
    const variable = variables.find((one) => one.name === name && !one.isCode);
    const { start, end } = variable ?? TOP;
    if (size > 1)
      found.push({ code: 'severalHosts', severity: 'warning', start, end, args: [name, ...(hosts.get(name) ?? [])] });
  }
  return found;
}
