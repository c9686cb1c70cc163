/** Says what an offset in the `chat:` block is in, by lines and indentation: text being typed is rarely valid YAML. */
import { findFrontMatter } from './frontMatter.ts';
import { isRule, MAPS, type MapName } from './keys.ts';
import type { TextRange } from './problem.ts';

/** A key of the block or of a map in it, with its siblings, or a value. A completion replaces `word`. */
export type BlockLocation =
  | {
      in: 'key';
      of: MapName;
      word: TextRange;
      siblings: ReadonlySet<string>;
      /** What must precede a new key on its line, whatever was typed: blanks and dashes. Undefined if the key is complete. */
      lead: string | undefined;
    }
  | { in: 'value'; of: MapName; key: string; word: TextRange };

interface Line {
  /** The white space before the key, as written. */
  blanks: string;
  dashes: string;
  indent: number;
  /** Where the text after the dashes begins. */
  column: number;
  /** Whether the line begins with a dash. */
  isItem: boolean;
  key: string | undefined;
  /** The text after the key and its colon, or after the dashes. */
  rest: string;
}

/** A line with a key that contains the current line, and the lines between them, upwards. */
interface Ancestor extends Line {
  key: string;
  within: readonly Line[];
}

/** The key or value at an offset; undefined outside the block. */
export function blockLocationAt(text: string, offset: number): BlockLocation | undefined {
  const front = findFrontMatter(text);
  if (!front || offset < front.yaml.start || offset > front.yaml.end) return undefined;
  if (front.isClosed && offset === front.yaml.end) return undefined;
  const before = text.slice(front.yaml.start, offset).split(/\r?\n/);
  const typed = before.pop() ?? '';
  const current = readLine(typed);
  const above = before.map(readLine).reverse();
  const after = text.slice(offset, front.yaml.end);
  const isComplete = /^[\p{L}\p{N}_-]*["']?[ \t]*:/u.test(after);
  const path = ancestorsOf(current, above, isComplete);
  let [map, ...deeper] = path;
  // Text right after a dash, without a space, isn't a list item.
  if (map?.key !== 'chat' || typed.endsWith('-')) return undefined;
  let of: MapName = 'chat';
  for (let [next] = deeper; next; [next] = deeper) {
    const name = mapIn(of, next.key);
    if (!name) break;
    [of, map, deeper] = [name, next, deeper.slice(1)];
  }
  const [parent, ...others] = deeper;
  if (others.length > 0) return undefined;

  const wordEnd = offset + (/^[\p{L}\p{N}_-]*/u.exec(after)?.[0].length ?? 0);
  const value = (key: string): BlockLocation | undefined => {
    const { rest } = current;
    const isInBrackets = /^[[{]/.test(rest) || (current.key === undefined && !current.isItem);
    const typedValue = isInBrackets ? lastItem(rest) : rest;
    if (isInBrackets && CLOSED.test(typedValue)) return undefined;
    const end = offset + restOfValue(typedValue, after, isInBrackets).length;
    return { in: 'value', of, key, word: { start: offset - typedValue.length, end } };
  };
  const isButton = of === 'chat' && parent?.key === 'buttons';
  if (current.key !== undefined) return parent === undefined ? value(current.key) : undefined;
  if (parent !== undefined && !isButton) return value(parent.key);
  // Keys of the block are never list items; buttons always are.
  if (/[^\p{L}\p{N}_]/u.test(current.rest) || (current.isItem && !isButton)) return undefined;
  const below = after.split(/\r?\n/).slice(1).map(readLine);
  const newLead = isButton ? buttonLead(current, parent, below) : ' '.repeat(keyColumn(current, map, below));
  const lead = isComplete ? undefined : newLead;
  const column = lead?.length ?? current.column;
  const next = below.find((line) => !isBlank(line));
  // The lines below would become part of the new key.
  if (!isComplete && next && next.indent + (next.isItem ? 1 : 0) > column) return undefined;
  const isItem = lead === undefined ? current.isItem : lead.includes('-');
  const siblings = new Set([...(isItem ? [] : siblingKeys(column, above, true)), ...siblingKeys(column, below, false)]);
  const word = { start: offset - current.rest.length, end: wordEnd };
  return { in: 'key', of: isButton ? 'buttons' : of, word, siblings, lead };
}

/** An item of a list or a bracket, with the comma or bracket that ends it. */
const ITEM = /^(?:"(?:[^"\\]|\\.)*"[ \t]*|'(?:[^']|'')*'[ \t]*|(?!["'])[^,[{]*)[,[{]/;

/** The last item and what closes the list. */
const CLOSED = /^(?:"(?:[^"\\]|\\.)*"[ \t]*|'(?:[^']|'')*'[ \t]*|(?!["'])[^\]}]*)[\]}]/;
/** A whole text in quotation marks. */
const QUOTED = /^[ \t]*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/;

/** The item that a list in brackets ends with, perhaps in quotation marks that aren't closed yet. */
function lastItem(list: string): string {
  let rest = list.trimStart();
  for (;;) {
    const [item] = ITEM.exec(rest) ?? [];
    if (item === undefined) return rest;
    rest = rest.slice(item.length).trimStart();
  }
}

/** What belongs to a value behind the cursor: names of files have dots, and names of audiences spaces. */
function restOfValue(before: string, after: string, isInBrackets: boolean): string {
  const [line = ''] = after.split(/\r?\n/, 1);
  const [quoted] = (before === '' && QUOTED.exec(line)) || [];
  if (quoted !== undefined) return quoted;
  const [quote] = /^["'](?!.*["']$)/.exec(before) ?? [];
  const closing = quote === undefined ? -1 : line.indexOf(quote);
  if (closing >= 0) return line.slice(0, closing + 1);
  const [rest = ''] = (isInBrackets ? /^[^,\]}]*/ : /^.*/).exec(line) ?? [];
  const comment = before === '' && rest.startsWith('#') ? 0 : rest.search(/[ \t]#/);
  return (comment < 0 ? rest : rest.slice(0, comment)).trimEnd();
}

/** The map that is the value of a key, if its keys are offered, too. */
function mapIn(of: MapName, key: string): MapName | undefined {
  if (of === 'chat' && isRule(key)) return key;
  return of === 'where' && key === 'not' ? 'not' : undefined;
}

/** The column of the keys in a map that is the value of a key, or an item of a list. */
function keyColumn({ blanks }: Line, { column, within }: Pick<Ancestor, 'column' | 'within'>, below: readonly Line[]) {
  const first = within.findLast((line) => !isBlank(line)) ?? below.find((line) => !isBlank(line));
  if (first && !first.isItem && first.indent > column) return first.indent;
  // Tabs don't indent.
  return blanks.length > column && !blanks.includes('\t') ? blanks.length : column + 2;
}

/** What precedes a key of a button: of a new button, or of the button above. */
function buttonLead(current: Line, { column, within }: Ancestor, below: readonly Line[]): string {
  const { dashes, indent, isItem } = current;
  const first = within.findLast((line) => !isBlank(line)) ?? below.find((line) => !isBlank(line));
  const rows = first?.isItem && first.indent >= column ? first.indent : undefined;
  const at = within.findIndex((line) => line.isItem);
  const last = within[at];
  const lastDash = last ? last.indent + last.dashes.lastIndexOf('-') : undefined;
  if (isItem) {
    const isRow = dashes.lastIndexOf('-') > 0 || lastDash === undefined || indent < lastDash;
    return ' '.repeat((isRow ? rows : lastDash) ?? indent) + dashes;
  }
  if (!last || lastDash === undefined) return `${' '.repeat(rows ?? keyColumn(current, { column, within }, below))}- `;
  const isBare = last.key === undefined && last.rest === '';
  return ' '.repeat(
    isBare ? keyColumn(current, { column: lastDash, within: within.slice(0, at) }, below) : last.column,
  );
}

function readLine(line: string): Line {
  const [, blanks = '', dashes = '', content = ''] = /^([ \t]*)((?:-[ \t]+|-$)*)(.*)/.exec(line) ?? [];
  const [, written, rest = ''] = KEY.exec(content) ?? [];
  const key = written === undefined ? undefined : keyIn(written);
  const column = blanks.length + dashes.length;
  const isItem = dashes !== '';
  return { blanks, dashes, indent: blanks.length, column, isItem, key, rest: key === undefined ? content : rest };
}

/** A key and its value. Below `where:`, it may be any text: the name of a column. */
const KEY =
  /^("(?:[^"\\]|\\.)*"[ \t]*|'(?:[^']|'')*'[ \t]*|(?![-?:] |[[\]{},#&*!|>'"%@`])(?:(?!\s#|:\s).)+?):(?:[ \t]+(.*)|\r?$)/u;

/** A key as YAML reads it, in the form in which names of columns are compared. */
function keyIn(written: string): string {
  const key = written.trim();
  const inner = key.slice(1, -1);
  const text = key.startsWith('"')
    ? inner.replace(/\\(["\\/])/g, '$1')
    : key.startsWith("'")
      ? inner.replaceAll("''", "'")
      : key;
  return text.trim().normalize('NFC');
}

const isBlank = ({ key, isItem, rest }: Line) => key === undefined && !isItem && /^\s*(?:#.*)?$/.test(rest);

/** The lines whose keys contain a line, outermost first. */
function ancestorsOf({ indent, isItem, key }: Line, above: readonly Line[], isComplete: boolean): Ancestor[] {
  const path: Ancestor[] = [];
  const isNew = key === undefined && !isComplete;
  // A list may have the same indentation as its key. A new key below the block belongs to it.
  let limit = isItem || (isNew && indent === 0) ? indent + 1 : indent;
  for (const [at, line] of above.entries()) {
    if (limit === 0) break;
    if (isBlank(line)) continue;
    if (line.key !== undefined && line.column < limit) {
      path.unshift({ ...line, key: line.key, within: above.slice(0, at) });
      limit = line.isItem ? line.indent + 1 : line.indent;
    } else if (line.indent < limit) limit = line.isItem ? line.indent + 1 : line.indent;
  }
  const parent = path.at(-1);
  return isNew && parent && hasEnded(parent, isItem) ? path.slice(0, -1) : path;
}

/** Whether what follows can't be in the value of a key, however it's indented: the value is on its line, or is a list. */
function hasEnded({ key, rest, within }: Ancestor, isItem: boolean): boolean {
  const last = (...brackets: string[]) => Math.max(...brackets.map((one) => rest.lastIndexOf(one)));
  if (/^[^\s#]/.test(rest)) return last('[', '{') <= last(']', '}');
  return !isItem && !Object.hasOwn(MAPS, key) && within.some((line) => line.isItem);
}

/** The other keys of the map at a column, above or below a line. */
function* siblingKeys(column: number, lines: readonly Line[], isUp: boolean): Generator<string> {
  for (const line of lines) {
    if (isBlank(line)) continue;
    const startsMap = line.isItem && line.column === column;
    if (line.column < column || (startsMap && !isUp)) return;
    if (line.column === column && line.key !== undefined) yield line.key;
    if (startsMap || line.indent < column) return;
  }
}
