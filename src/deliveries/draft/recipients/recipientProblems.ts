/** Problems with the variables of a draft, and with the files that it names. */
import { l10n } from 'vscode';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { markdownVariables } from '../../../markup/markdownVariables.ts';
import { MessageTemplate } from '../../../markup/messageTemplate.ts';
import { isVariableName, marksAround } from '../../../markup/template.ts';
import { formatCount } from '../../../presentation/formats.ts';
import { columnKey } from '../../../presentation/recipientCsv.ts';
import { suggestionsFor } from '../document/keys.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';
import { type Fix, inDocumentOrder, type Problem, renameFix, replaceFix, TOP } from '../document/problem.ts';
import type { DraftVariable } from '../document/variables.ts';
import { pieceWriter } from '../document/writtenPieces.ts';
import { NO_RULES, type Rules } from '../leaveOut.ts';
import { fileProblems, hasIds } from './fileProblems.ts';
import { type Missing, missingValues } from './missingValues.ts';
import { columnsByKey, otherPlaceholders } from './otherPlaceholders.ts';
import { type PickedTable, whereProblems } from './pickedRows.ts';
import { placeProblems } from './placeProblems.ts';
import { type DraftFile, fileOf, pathText } from './recipientFiles.ts';
import { DIRECTORY_VARIABLES, type RecipientTable } from './recipientTable.ts';
import { severalHostsText, unknownVariableText, variableName, withMarks } from './variableText.ts';

/**
 * In document order. `text` is that of the document, and `picked` what `where:` picks of the file of recipients.
 * The values of those whom `rules` leave out don't matter.
 */
export async function recipientProblems(
  text: string,
  draft: ParsedDraft,
  files: readonly DraftFile[],
  picked?: PickedTable,
  rules = NO_RULES,
): Promise<Problem[]> {
  const file = fileOf(files, 'recipients');
  const table = picked ?? (file && 'table' in file ? file.table : undefined);
  const problems = files.flatMap((one) => fileProblems(text, draft, one));
  const areColumnsKnown = file ? table !== undefined && hasIds(table) : !draft.unread.has('recipients');
  if (areColumnsKnown) problems.push(...variableProblems(text, draft, table?.columns ?? []));
  problems.push(...placeProblems(text, draft));
  const { where, recipientFile, recipients, audiences } = draft;
  if (where && picked && hasIds(picked)) {
    const isAnyoneElse = recipients.length + audiences.length > 0;
    problems.push(...whereProblems(text, where, picked, pathText(recipientFile?.path ?? ''), isAnyoneElse));
  }
  if (table) problems.push(...otherPlaceholders(text, draft, table.columns));
  if (table) problems.push(...escapedColumns(text, draft, table), ...(await valueProblems(text, draft, table, rules)));
  return inDocumentOrder(problems);
}

/** A path such as `C:\\{{name}}` escapes a variable by accident. */
function escapedColumns(text: string, { body }: ParsedDraft, { columns }: RecipientTable): Problem[] {
  if (!text.includes('\\{{', body.start)) return [];
  return markdownVariables(text.slice(body.start))
    .filter(({ name, isEscaped, isCode }) => isEscaped && !isCode && columns.includes(name))
    .map(({ name, start, end }) => ({
      severity: 'warning',
      text: l10n.t('Because of the backslash, {0} stays as it is.', variableName(name)),
      start: body.start + start,
      end: body.start + end,
    }));
}

/** Names a file in the block, where its keys have lines of their own. */
function fileFixes(text: string, { body }: ParsedDraft): Fix[] {
  const found = /^(chat:[ \t]*(?:#[^\r\n]*)?)\r?\n([ \t]+)(?=[^\s#])/m.exec(text.slice(0, body.start));
  if (!found) return [];
  const [, head = '', indent = ''] = found;
  const at = found.index + head.length;
  const edits = [{ start: at, end: at, text: `\n${indent}recipients: $1`, isSnippet: true as const }];
  return [{ title: l10n.t('Name a CSV file of recipients'), edits }];
}

function variableProblems(text: string, draft: ParsedDraft, columns: readonly string[]): Problem[] {
  const { message, variables, isTemplate, recipientFile } = draft;
  const known = [...new Set([...columns.filter(Boolean), ...DIRECTORY_VARIABLES])];
  const unknownText = (name: string) => unknownVariableText(name, recipientFile !== undefined);
  const naming = recipientFile ? [] : fileFixes(text, draft);
  const alike = columnsByKey(columns);
  const suggested = known.filter(isVariableName);
  const placed = new Set(variables.map(({ name }) => name));
  // YAML may have put a name together from several lines.
  const others = (message && isTemplate ? new MessageTemplate(message).variables : []).filter(
    (name) => !placed.has(name) && !known.includes(name),
  );
  const unplaced = others.map((name): Problem => ({ severity: 'error', text: unknownText(name), ...TOP }));
  // Nobody names a file to send everyone the same braces.
  const inCode = recipientFile && !isTemplate ? 'error' : 'warning';
  const written = pieceWriter(text);
  const renamed = (variable: DraftVariable, one: string): Fix[] => {
    const name = written(one, variable.start);
    return name === undefined ? [] : [renameFix(variable, one, withName(variable, name))];
  };
  const found = variables.flatMap((variable): Problem[] => {
    const { name, fallback, isCode, start, end } = variable;
    const isKnown = known.includes(name);
    const codeText = () => l10n.t('Variables in code stay as they are: {0}.', variableName(name));
    if (isCode) return isKnown ? [{ severity: inCode, text: codeText(), start, end }] : [];
    if (isKnown) {
      // Nobody who has such a column means the profile.
      const meant = columns.includes(name) || name === 'id' ? undefined : alike.get(columnKey(name));
      if (meant === undefined) return [];
      const fixes = renamed(variable, meant);
      return [{ severity: 'warning', text: notColumnText(name, meant), start, end, fixes }];
    }
    // The bar of a Chinese input method.
    const [own = '', ...rest] = name.split('｜').map((part) => part.trim());
    if (rest.length > 0 && fallback === undefined && known.includes(own)) {
      const fixes = [replaceFix(variable, `{{${own}|${rest.join('|')}}}`)];
      return [{ severity: 'error', text: unknownText(name), start, end, fixes }];
    }
    const same = alike.get(columnKey(name));
    const others = (same === undefined ? suggestionsFor(name, suggested) : [same]).flatMap((one) =>
      renamed(variable, one),
    );
    const backslash = { start, end: start, text: written('\\', start) ?? '\\' };
    const keep = { title: l10n.t('Send the braces as they are'), edits: [backslash] };
    return [{ severity: 'error', text: unknownText(name), start, end, fixes: [...others, ...naming, keep] }];
  });
  return [...unplaced, ...found];
}

const notColumnText = (name: string, column: string) =>
  l10n.t("{0} is from each recipient's profile, not from the column {1}.", variableName(name), excerpt(column, 60));

const withName = ({ fallback }: DraftVariable, name: string) =>
  `{{${name}${fallback === undefined ? '' : `|${fallback}`}}}`;

/** Columns that are empty, have line breaks, or should hold addresses and don't. Values of the directory aren't known before sending. */
async function valueProblems(
  text: string,
  { message, variables, recipientFile }: ParsedDraft,
  table: RecipientTable,
  rules: Rules,
): Promise<Problem[]> {
  if (!message || variables.length === 0) return [];
  const template = new MessageTemplate(message);
  const { empty, notAddress, severalLines, sheetErrors, hosts } = await missingValues(template, table, rules);
  const file = pathText(recipientFile?.path ?? '');
  const found: Problem[] = [];
  for (const { name, fallback, isCode, start, end } of variables) {
    if (isCode) continue;
    const [noValue, noAddress, broken] = [empty.get(name), notAddress.get(name), severalLines.get(name)];
    // The default may be needed elsewhere, where there is none.
    if (noValue && fallback === undefined) {
      const edits = [{ start: end - 2, end: end - 2, text: '|$1', isSnippet: true as const }];
      const fixes: Fix[] = [{ title: l10n.t('Add a default text'), edits }];
      const marks = message.contentType === 'markdown' ? marksAround(text.slice(0, start), text.slice(end)) : '';
      const { line } = noValue;
      const said = withMarks(emptyText(name, noValue, file), marks);
      found.push({ severity: 'warning', text: said, start, end, line, fixes, notIn: 'plan' });
    }
    const failed = sheetErrors.get(name);
    if (failed && !noAddress) {
      const { line } = failed;
      found.push({ severity: 'warning', text: sheetErrorsText(name, failed, file), start, end, line });
    }
    if (noAddress) {
      const { line } = noAddress;
      found.push({ severity: 'error', text: noAddressText(name, noAddress, file), start, end, line });
    } else if (broken) {
      const { line } = broken;
      found.push({ severity: 'warning', text: lineBreaksText(name, broken, file), start, end, line });
    }
  }
  for (const [name, linked] of hosts) {
    const variable = variables.find((one) => one.name === name && !one.isCode);
    const { start, end } = variable ?? TOP;
    if (linked.size > 1) {
      const said = severalHostsText(name, [...linked]);
      found.push({ severity: 'warning', text: said, start, end, notIn: 'plan' });
    }
  }
  return found;
}

const emptyText = (name: string, { count, line }: Missing, file: string) =>
  count === 1
    ? l10n.t('{0} is empty for 1 recipient, on line {1} of {2}.', variableName(name), formatCount(line), file)
    : l10n.t(
        '{0} is empty for {1} recipients, first on line {2} of {3}.',
        variableName(name),
        formatCount(count),
        formatCount(line),
        file,
      );

const noAddressText = (name: string, { count, line }: Missing, file: string) =>
  count === 1
    ? l10n.t(
        "{0} isn't a web address for 1 recipient, on line {1} of {2}.",
        variableName(name),
        formatCount(line),
        file,
      )
    : l10n.t(
        "{0} isn't a web address for {1} recipients, first on line {2} of {3}.",
        variableName(name),
        formatCount(count),
        formatCount(line),
        file,
      );

const lineBreaksText = (name: string, { count, line }: Missing, file: string) =>
  count === 1
    ? l10n.t(
        '{0} has line breaks for 1 recipient, on line {1} of {2}. Spaces are sent instead.',
        variableName(name),
        formatCount(line),
        file,
      )
    : l10n.t(
        '{0} has line breaks for {1} recipients, first on line {2} of {3}. Spaces are sent instead.',
        variableName(name),
        formatCount(count),
        formatCount(line),
        file,
      );

const sheetErrorsText = (name: string, { count, line }: Missing, file: string) =>
  count === 1
    ? l10n.t(
        '{0} is a spreadsheet error, such as #N/A, for 1 recipient, on line {1} of {2}.',
        variableName(name),
        formatCount(line),
        file,
      )
    : l10n.t(
        '{0} is a spreadsheet error, such as #N/A, for {1} recipients, first on line {2} of {3}.',
        variableName(name),
        formatCount(count),
        formatCount(line),
        file,
      );
