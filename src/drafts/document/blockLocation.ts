/** What an offset in the `chat:` block is in. Goes by lines and indentation: text being typed is rarely valid YAML. */
import { findFrontMatter } from './frontMatter.ts';
import type { TextRange } from './problem.ts';

/** A key of the block or of a button, with its siblings, or a value in the block. A completion replaces `word`. */
export type BlockLocation =
  | { in: 'key'; of: 'chat' | 'button'; word: TextRange; siblings: ReadonlySet<string> }
  | { in: 'value'; key: string; word: TextRange };

interface Line {
  indent: number;
  /** Where the text after the dashes begins. */
  column: number;
  /** Whether the line begins with a dash. */
  isItem: boolean;
  key: string | undefined;
  /** The text after the key and its colon, or after the dashes. */
  rest: string;
}

/** The key or value at an offset; undefined outside the block. */
export function blockLocationAt(text: string, offset: number): BlockLocation | undefined {
  const front = findFrontMatter(text);
  if (!front || offset < front.yaml.start || offset > front.yaml.end) return undefined;
  const before = text.slice(front.yaml.start, offset).split('\n');
  const typed = before.pop() ?? '';
  const current = readLine(typed);
  const above = before.map(readLine).reverse();
  const path = keysAbove(current, above);
  const [root, parent, ...deeper] = path;
  // Text right after a dash, without a space, isn't a list item.
  if (root !== 'chat' || deeper.length > 0 || typed.endsWith('-')) return undefined;

  const after = text.slice(offset, front.yaml.end);
  const wordEnd = offset + (/^[\w-]*/.exec(after)?.[0].length ?? 0);
  const value = (key: string): BlockLocation => {
    const { rest } = current;
    const typedValue = rest.slice(Math.max(rest.lastIndexOf('['), rest.lastIndexOf(',')) + 1).trimStart();
    return { in: 'value', key, word: { start: offset - typedValue.length, end: wordEnd } };
  };
  const isButton = parent === 'buttons';
  if (current.key !== undefined) return parent === undefined ? value(current.key) : undefined;
  if (parent !== undefined && !isButton) return value(parent);
  // Keys of the block are never list items; buttons always are.
  if (/\W/.test(current.rest) || (current.isItem && !isButton)) return undefined;
  const below = after.split('\n').slice(1).map(readLine);
  const siblings = new Set([
    ...(current.isItem ? [] : siblingKeys(current, above, true)),
    ...siblingKeys(current, below, false),
  ]);
  const word = { start: offset - current.rest.length, end: wordEnd };
  return { in: 'key', of: isButton ? 'button' : 'chat', word, siblings };
}

function readLine(line: string): Line {
  const [, blanks = '', dashes = '', content = ''] = /^([ \t]*)((?:-[ \t]+|-$)*)(.*)/.exec(line) ?? [];
  const [, key, rest = ''] = /^["']?(\w+)["']?[ \t]*:(?:[ \t]+(.*)|\r?$)/.exec(content) ?? [];
  const column = blanks.length + dashes.length;
  return { indent: blanks.length, column, isItem: dashes !== '', key, rest: key === undefined ? content : rest };
}

const isBlank = ({ key, isItem, rest }: Line) => key === undefined && !isItem && /^\s*(?:#.*)?$/.test(rest);

/** The keys that contain a line, outermost first. */
function keysAbove({ indent, isItem }: Line, above: readonly Line[]): string[] {
  const path: string[] = [];
  // A list may have the same indentation as its key.
  let limit = isItem ? indent + 1 : indent;
  for (const line of above) {
    if (limit === 0) break;
    if (isBlank(line)) continue;
    if (line.key !== undefined && line.column < limit) {
      path.unshift(line.key);
      limit = line.isItem ? line.indent + 1 : line.indent;
    } else if (line.indent < limit) limit = line.isItem ? line.indent + 1 : line.indent;
  }
  return path;
}

/** The other keys of a line's map, above or below it. */
function* siblingKeys({ column }: Line, lines: readonly Line[], isUp: boolean): Generator<string> {
  for (const line of lines) {
    if (isBlank(line)) continue;
    const startsMap = line.isItem && line.column === column;
    if (line.column < column || (startsMap && !isUp)) return;
    if (line.column === column && line.key !== undefined) yield line.key;
    if (startsMap || line.indent < column) return;
  }
}
