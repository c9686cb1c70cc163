/** Columns in the marks of other programs: nobody means to send everyone `{name}`. */
import { l10n } from 'vscode';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { mapTexts } from '../../../markup/messageTemplate.ts';
import { isVariableName } from '../../../markup/template.ts';
import { columnKey } from '../../../presentation/recipientCsv.ts';
import type { Outgoing } from '../../../service/message.ts';
import type { ParsedDraft } from '../document/parseDraft.ts';
import { type Fix, type Problem, replaceFix, startOfLine, type TextRange, TOP } from '../document/problem.ts';
import { placeholdersIn } from '../document/variables.ts';
import { writtenAt } from './placeProblems.ts';
import { variableName } from './variableText.ts';

/** At most this many are reported. */
const MAX_PLACEHOLDERS = 20;

/** A column in such marks, at a place in the document, or in one text of the message. */
interface Placeholder extends TextRange {
  readonly written: string;
  readonly column: string;
}

/** The columns that a variable can name, by what is the same for names that look nearly the same. */
export const columnsByKey = (columns: readonly string[]) =>
  new Map(columns.filter(isVariableName).map((column) => [columnKey(column), column]));

/** `text` is that of the document. */
export function otherPlaceholders(
  text: string,
  { shown, body, variables }: ParsedDraft,
  columns: readonly string[],
): Problem[] {
  if (!shown) return [];
  const alike = columnsByKey(columns);
  const used = new Set(variables.map(({ name }) => name));
  const find = (within: string, place: TextRange, isMarkdown: boolean): Placeholder[] =>
    placeholdersIn(within, place, isMarkdown).flatMap(({ name, mayBeStressed, start, end }) => {
      const column = alike.get(columnKey(name));
      if (column === undefined || (mayBeStressed && used.has(column))) return [];
      return [{ start, end, written: within.slice(start, end), column }];
    });
  // By their places: one value of the block may be a part of another.
  const problems = new Map<number | string, Problem>();
  for (const value of blockTexts(shown)) {
    const found = find(value, { start: 0, end: value.length }, false);
    if (found.length === 0) continue;
    const places = [...writtenAt(text, value, blockIn(text, body.start))];
    for (const one of found) {
      // YAML may write it otherwise.
      if (places.length === 0) problems.set(one.written, problemAt(one, TOP, []));
      for (const at of places) {
        const place = { start: at + one.start, end: at + one.end };
        const quotes = quotesAround(text, at, at + value.length);
        const { title, edits } = fixOf(one, place);
        const fixes = quotes ? [{ title, edits: [...edits, ...quotes] }] : [];
        if (!problems.has(place.start)) problems.set(place.start, problemAt(one, place, fixes));
      }
    }
  }
  const inText = 'text' in shown.content ? find(text, body, shown.contentType === 'markdown') : [];
  for (const one of inText) problems.set(one.start, problemAt(one, one, [fixOf(one, one)]));
  return [...problems.values()].slice(0, MAX_PLACEHOLDERS);
}

const problemAt = ({ written, column }: Placeholder, { start, end }: TextRange, fixes: Fix[]): Problem => ({
  severity: 'warning',
  text: l10n.t(
    "{0} isn't a variable, so it's sent as it is. To insert values, write {1}.",
    excerpt(written, 60),
    variableName(column),
  ),
  ...{ start, end, fixes },
});

const fixOf = ({ column }: Placeholder, place: TextRange): Fix => replaceFix(place, `{{${column}}}`);

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
