/** What stands at a place of the `chat:` block, told by lines and indentation: what is being typed is seldom YAML yet. */
import { findFrontMatter } from './frontMatter.ts';
import type { TextRange } from './problem.ts';

/** A key of the block or of a button, with those beside it; or a value of a key of the block. `word` is to be replaced. */
export type BlockLocation =
  | { at: 'key'; of: 'chat' | 'button'; word: TextRange; others: ReadonlySet<string> }
  | { at: 'value'; key: string; word: TextRange };

interface Line {
  indent: number;
  /** Where what follows the dashes begins. */
  column: number;
  /** Of a list. */
  isItem: boolean;
  key: string | undefined;
  /** What stands behind the key and its colon, or behind the dashes. */
  rest: string;
}

/** What an offset is in; undefined outside of the block. */
export function blockLocationAt(text: string, offset: number): BlockLocation | undefined {
  const front = findFrontMatter(text);
  if (!front || offset < front.yaml.start || offset > front.yaml.end) return undefined;
  const before = text.slice(front.yaml.start, offset).split('\n');
  const typed = before.pop() ?? '';
  const current = readLine(typed);
  const above = before.map(readLine).reverse();
  const path = keysAbove(current, above);
  const [root, parent, ...deeper] = path;
  // What is typed right behind a dash would become one word with it.
  if (root !== 'chat' || deeper.length > 0 || typed.endsWith('-')) return undefined;

  const after = text.slice(offset, front.yaml.end);
  const wordEnd = offset + (/^[\w-]*/.exec(after)?.[0].length ?? 0);
  const value = (key: string): BlockLocation => {
    const begun = /[^[,]*$/.exec(current.rest)?.[0].trimStart() ?? '';
    return { at: 'value', key, word: { start: offset - begun.length, end: wordEnd } };
  };
  const isButton = parent === 'buttons';
  if (current.key !== undefined) return parent === undefined ? value(current.key) : undefined;
  if (parent !== undefined && !isButton) return value(parent);
  // A key of the block is in no list, and a button always in one.
  if (/\W/.test(current.rest) || (current.isItem && !isButton)) return undefined;
  const below = after.split('\n').slice(1).map(readLine);
  const others = new Set([
    ...(current.isItem ? [] : siblingKeys(current, above, true)),
    ...siblingKeys(current, below, false),
  ]);
  const word = { start: offset - current.rest.length, end: wordEnd };
  return { at: 'key', of: isButton ? 'button' : 'chat', word, others };
}

function readLine(line: string): Line {
  const [, blanks = '', dashes = '', content = ''] = /^([ \t]*)((?:-[ \t]+|-$)*)(.*)/.exec(line) ?? [];
  const [, key, rest = ''] = /^["']?(\w+)["']?[ \t]*:(?:[ \t]+(.*)|\r?$)/.exec(content) ?? [];
  const column = blanks.length + dashes.length;
  return { indent: blanks.length, column, isItem: dashes !== '', key, rest: key === undefined ? content : rest };
}

const isBlank = ({ key, isItem, rest }: Line) => key === undefined && !isItem && /^\s*(?:#.*)?$/.test(rest);

/** The keys that a line is under, the outermost first. */
function keysAbove({ indent, isItem }: Line, above: readonly Line[]): string[] {
  const path: string[] = [];
  // A list may stand right under its key, without any indentation.
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

/** The keys in the same map as a line, going up or down from it. */
function* siblingKeys({ column }: Line, lines: readonly Line[], isUp: boolean): Generator<string> {
  for (const line of lines) {
    if (isBlank(line)) continue;
    const begins = line.isItem && line.column === column;
    if (line.column < column || (begins && !isUp)) return;
    if (line.column === column && line.key !== undefined) yield line.key;
    if (begins || line.indent < column) return;
  }
}
