/**
 * What is wrong with the variables of a draft as they are written: names that nothing stands for, and places where no value can
 * be, such as the host of a link. Columns in the marks of other programs count, too: nobody means to send everyone `{name}`.
 */
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { markdownVariables } from '../../../markup/markdownVariables.ts';
import { MessageTemplate, mapTexts } from '../../../markup/messageTemplate.ts';
import { compileTemplate, isVariableName, type Slot } from '../../../markup/template.ts';
import { isForbidden } from '../../../markup/variablePlaces.ts';
import { columnKey } from '../../../presentation/recipientCsv.ts';
import { l10n } from '../../../presentation/shown.ts';
import type { Outgoing } from '../../../service/message.ts';
import { pieceWriter } from '../document/frontMatter.ts';
import { suggestionsFor } from '../document/keys.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';
import {
  type Fix,
  type Problem,
  renameFix,
  replaceFix,
  startOfLine,
  type TextRange,
  TOP,
} from '../document/problem.ts';
import { type DraftVariable, placeholdersIn, writtenVariable } from '../document/variables.ts';
import { DIRECTORY_VARIABLES } from './recipientTable.ts';
import { forbiddenPlaceText, unknownVariableText, variableName } from './variableText.ts';

/** At most so many placeholders are reported. */
const MAX_PLACEHOLDERS = 20;

/** The problems of variables. `columns` are those of the document's file: none without a file, undefined if they aren't known. */
export function variableProblems(text: string, draft: ParsedDraft, columns: readonly string[] | undefined): Problem[] {
  const misplaced = placeProblems(text, draft);
  if (!columns) return misplaced;
  return [
    ...unknownVariables(text, draft, columns),
    ...misplaced,
    ...otherPlaceholders(text, draft, columns),
    ...escapedColumns(text, draft, columns),
  ];
}

function unknownVariables(text: string, draft: ParsedDraft, columns: readonly string[]): Problem[] {
  const { message, variables, isTemplate, recipientFile } = draft;
  const known = [...new Set([...columns.filter(Boolean), ...DIRECTORY_VARIABLES])];
  const unknownText = (name: string) => unknownVariableText(name, recipientFile !== undefined);
  const naming = recipientFile ? [] : fileFixes(text, draft);
  const alike = columnsByKey(columns);
  const suggested = known.filter(isVariableName);
  const placed = new Set(variables.map(({ name }) => name));
  // YAML may have joined a name from several lines.
  const others = (message && isTemplate ? new MessageTemplate(message).variables : []).filter(
    (name) => !placed.has(name) && !known.includes(name),
  );
  const unplaced = others.map((name): Problem => ({ severity: 'error', text: unknownText(name), ...TOP }));
  // A document that names a file isn't meant to send everyone the same braces.
  const inCode = recipientFile && !isTemplate ? 'error' : 'warning';
  const written = pieceWriter(text);
  const renamed = (variable: DraftVariable, one: string): Fix[] => {
    const name = written(one, variable.start);
    return name === undefined ? [] : [renameFix(variable, one, writtenVariable(name, variable.fallback))];
  };
  const found = variables.flatMap((variable): Problem[] => {
    const { name, fallback, isCode, start, end } = variable;
    const isKnown = known.includes(name);
    const codeText = () => l10n.t('Variables in code stay as they are: {0}.', variableName(name));
    if (isCode) return isKnown ? [{ severity: inCode, text: codeText(), start, end }] : [];
    if (isKnown) {
      // A document with such a column doesn't mean the profile.
      const meant = columns.includes(name) || name === 'id' ? undefined : alike.get(columnKey(name));
      if (meant === undefined) return [];
      const fixes = renamed(variable, meant);
      return [{ severity: 'warning', text: notColumnText(name, meant), start, end, fixes }];
    }
    // A wide bar comes from an input method for Chinese.
    const [own = '', ...rest] = name.split('｜').map((part) => part.trim());
    if (rest.length > 0 && fallback === undefined && known.includes(own)) {
      const fixes = [replaceFix(variable, writtenVariable(own, rest.join('|')))];
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

/** The columns that a variable can name, by a key that names share if they look nearly the same. */
const columnsByKey = (columns: readonly string[]) =>
  new Map(columns.filter(isVariableName).map((column) => [columnKey(column), column]));

/** A fix that names a file in the block, if its keys have lines of their own. */
function fileFixes(text: string, { body }: ParsedDraft): Fix[] {
  const found = /^(chat:[ \t]*(?:#[^\r\n]*)?)\r?\n([ \t]+)(?=[^\s#])/m.exec(text.slice(0, body.start));
  if (!found) return [];
  const [, head = '', indent = ''] = found;
  const at = found.index + head.length;
  const edits = [{ start: at, end: at, text: `\n${indent}recipients: $1`, isSnippet: true as const }];
  return [{ title: l10n.t('Name a CSV file of recipients'), edits }];
}

/** A path such as `C:\\{{name}}` escapes a variable by accident. */
function escapedColumns(text: string, { body }: ParsedDraft, columns: readonly string[]): Problem[] {
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

function placeProblems(text: string, { message, isTemplate, variables, body }: ParsedDraft): Problem[] {
  if (!message || !isTemplate || new MessageTemplate(message).forbidden.length === 0) return [];
  const isBody = 'text' in message.content;
  const inBody = isBody ? variables.filter(({ start, isCode }) => start >= body.start && !isCode) : [];
  const inFront = variables.filter(({ start }) => start < body.start);
  const problems = new Map<number, Problem>();
  let isFirst = true;
  mapTexts(message, (part, format) => {
    const isInBody = isFirst && isBody;
    isFirst = false;
    const slots = compileTemplate(part, format).filter((piece) => typeof piece !== 'string');
    if (!slots.some(({ place }) => isForbidden(place))) return part;
    const places = isInBody ? bodyPlaces(slots.length, inBody) : frontPlaces(text, part, slots.length, inFront);
    slots.forEach((slot, at) => {
      if (!isForbidden(slot.place)) return;
      for (const { start, end } of places[at] ?? [TOP]) problems.set(start, placeProblem(slot, start, end));
    });
    return part;
  });
  return [...problems.values()];
}

function placeProblem({ name, place }: Slot, start: number, end: number): Problem {
  const slash = { title: l10n.t('Insert / before the variable'), edits: [{ start, end: start, text: '/' }] };
  const isFixable = place === 'afterHost' && end > TOP.end;
  const text = forbiddenPlaceText(name, place);
  return { severity: 'error', text, start, end, ...(isFixable && { fixes: [slash] }) };
}

/** The places of a text's slots, of which the first ones may be in front matter that is sent, too. */
const bodyPlaces = (count: number, inBody: readonly DraftVariable[]): readonly (readonly TextRange[])[] =>
  Array.from({ length: count }, (_, at) => [inBody[at - count + inBody.length] ?? TOP]);

/** The places of the slots of a text in the front matter: wherever it is written as it is. */
function frontPlaces(
  text: string,
  part: string,
  count: number,
  inFront: readonly DraftVariable[],
): readonly (readonly TextRange[])[] {
  const places: TextRange[][] = Array.from({ length: count }, () => []);
  for (const at of writtenAt(text, part, { start: 0, end: inFront.at(-1)?.end ?? 0 })) {
    const inside = inFront.filter(({ start, end }) => start >= at && end <= at + part.length);
    if (inside.length === count) for (const [index, one] of inside.entries()) places[index]?.push(one);
  }
  return places.map((found) => (found.length > 0 ? found : [TOP]));
}

/** Where a text of the message, which isn't empty, is written as it is in a part of the document. */
function* writtenAt(text: string, part: string, { start, end }: TextRange): Generator<number> {
  for (let at = text.indexOf(part, start); at >= 0 && at < end; at = text.indexOf(part, at + part.length)) yield at;
}

/** A column in the marks of another program, at a place in the document, or in one text of the message. */
interface Placeholder extends TextRange {
  readonly written: string;
  readonly column: string;
}

function otherPlaceholders(
  text: string,
  { shown, body, variables }: ParsedDraft,
  columns: readonly string[],
): Problem[] {
  const alike = columnsByKey(columns);
  if (!shown || alike.size === 0) return [];
  const used = new Set(variables.map(({ name }) => name));
  const find = (within: string, place: TextRange, isMarkdown: boolean): Placeholder[] =>
    placeholdersIn(within, place, isMarkdown).flatMap(({ name, mayBeStressed, start, end }) => {
      const column = alike.get(columnKey(name));
      if (column === undefined || (mayBeStressed && used.has(column))) return [];
      return [{ start, end, written: within.slice(start, end), column }];
    });
  // The problems by their places: one value of the block may be a part of another.
  const problems = new Map<number | string, Problem>();
  for (const value of blockTexts(shown)) {
    const found = find(value, { start: 0, end: value.length }, false);
    if (found.length === 0) continue;
    const places = [...writtenAt(text, value, blockIn(text, body.start))];
    for (const one of found) {
      // YAML may spell the placeholder differently, so that it isn't found in the document.
      if (places.length === 0) problems.set(one.written, placeholderProblem(one, TOP, []));
      for (const at of places) {
        const place = { start: at + one.start, end: at + one.end };
        const quotes = quotesAround(text, at, at + value.length);
        const { title, edits } = columnFix(one, place);
        const fixes = quotes ? [{ title, edits: [...edits, ...quotes] }] : [];
        if (!problems.has(place.start)) problems.set(place.start, placeholderProblem(one, place, fixes));
      }
    }
  }
  const inText = 'text' in shown.content ? find(text, body, shown.contentType === 'markdown') : [];
  for (const one of inText) problems.set(one.start, placeholderProblem(one, one, [columnFix(one, one)]));
  return [...problems.values()].slice(0, MAX_PLACEHOLDERS);
}

const placeholderProblem = ({ written, column }: Placeholder, { start, end }: TextRange, fixes: Fix[]): Problem => ({
  severity: 'warning',
  text: l10n.t(
    "{0} isn't a variable, so it's sent as it is. To insert values, write {1}.",
    excerpt(written, 60),
    variableName(column),
  ),
  start,
  end,
  fixes,
});

const columnFix = ({ column }: Placeholder, place: TextRange): Fix => replaceFix(place, writtenVariable(column));

/** The texts of a message that its block names, longer ones first. */
function blockTexts(message: Outgoing): Set<string> {
  const texts: string[] = [];
  mapTexts(message, (text) => {
    texts.push(text);
    return text;
  });
  const named = 'text' in message.content ? texts.slice(1) : texts;
  return new Set(named.toSorted((one, other) => other.length - one.length));
}

/** From where the block seems to begin to the end of the front matter. */
const blockIn = (text: string, end: number): TextRange => ({
  start: Math.max(0, text.slice(0, end).search(/^["']?chat["']?[ \t]*:/m)),
  end,
});

/** What a value of the block needs around it so that braces may be in it; undefined if that isn't clear. */
function quotesAround(text: string, start: number, end: number): Fix['edits'] | undefined {
  const before = text.slice(startOfLine(text, start), start);
  if (/["']$/.test(before)) return [];
  const [after = ''] = text.slice(end).split(/\r?\n/, 1);
  const isInBraces = /[[{]/.test(before);
  const isWhole = /[:,[{-][ \t]*$/.test(before) && (isInBraces ? /^[ \t]*[,\]}]/ : /^(?:[ \t]*$|[ \t]+#)/).test(after);
  const value = text.slice(start, end);
  const quote = value.includes('"') || value.includes('\\') ? "'" : '"';
  if (!isWhole || value.includes(quote)) return undefined;
  return [start, end].map((at) => ({ start: at, end: at, text: quote }));
}
