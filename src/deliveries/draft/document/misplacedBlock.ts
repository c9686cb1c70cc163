/** Finds a `chat:` block that isn't in the front matter, so that it would be sent as text. */
import { isMap } from 'yaml';
import { paragraphsIn } from '../../../markup/markdownCode.ts';
import { l10n, type ShownText } from '../../../presentation/shown.ts';
import type { FrontMatter } from './frontMatter.ts';
import { BLOCK_KEYS, isBlockKey, suggestionsFor } from './keys.ts';
import { parseYaml } from './parseYaml.ts';
import type { Fix, TextRange } from './problem.ts';
import { isIn } from './variables.ts';
import { keysOf } from './yamlFields.ts';

/** The key of a block in YAML or JSON, or its table in TOML, and what follows. With more spaces before it, it's code. */
const CHAT = /^([ \uFEFF\u200B]{0,3})(?:(?:\{\s*)?(chats?|"chats?"|'chats?')\s*[:：=](.*)|\[chat\]\s*)$/is;
/** The key of the block in another case, or in the plural. */
const OTHER_KEY = /^chats?(?=\s*:)/im;
/** What follows the key if its values are in the lines below: a comment, an anchor, a tag, or a brace. */
const NO_VALUE = /^\s*(?:[&!#{].*)?$/s;
const KEY = /(?:^|[{,])\s*["']?(\w+)["']?\s*[:：=]/g;
/** A line that may be within any map: a blank one, a comment, or the end of braces. */
const NEUTRAL = /^\s*(?:[#}\]].*)?$/s;
/** A line that is meant to begin or end front matter, also in TOML, with too many dashes or autocorrected ones. */
const MARKER = /^\s*(?:-{2,}|-*[–—－][-–—－]*|\+{3,}|\.{3})[\s\u200B]*$/;
/** An opening marker that names the language. */
const NAMED = /^\s*---[ \t]*\w+\s*$/;
const YAML = /^(?:\s|#|- |["']?\w[^:]*:\s|$)/;

export interface MisplacedBlock {
  /** The first line of the block. */
  place: TextRange;
  /** The lines that should be front matter, with the lines that are meant to mark its beginning and end. */
  lines: TextRange;
  /** What should be between the markers; empty if that isn't clear. */
  yaml: string;
}

/** The first block from an offset on, outside code. Takes linear time. */
export function findMisplacedBlock(text: string, from: number): MisplacedBlock | undefined {
  if (!/chat/i.test(text.slice(from))) return undefined;
  const lines = text.slice(from).split('\n');
  let offset = from;
  const starts = lines.map((line) => {
    const start = offset;
    offset += line.length + 1;
    return start;
  });
  const found = [...lines.keys()].filter((at) => isBlock(lines, at));
  // Most texts have no such key, and finding code takes time.
  const isInProse = isIn(found.length > 0 ? [...paragraphsIn(text, from)] : []);
  const at = found.find((line) => isInProse(starts[line] ?? 0));
  if (at === undefined) return undefined;

  const { first, last, yaml } = around(lines, at);
  const start = starts[at] ?? 0;
  const content = (lines[at] ?? '').trimEnd();
  return {
    place: { start: start + content.search(/["'\w[]/), end: start + content.length },
    lines: { start: starts[first] ?? 0, end: starts[last] ?? text.length },
    yaml,
  };
}

const isSimilar = (key: string) => isBlockKey(key) || suggestionsFor(key, BLOCK_KEYS).length > 0;
const hasKey = (line: string, isWanted: (key: string) => boolean) =>
  Array.from(line.matchAll(KEY)).some(([, key = '']) => isWanted(key));

/** Whether a block with a key that we know begins in a line. */
function isBlock(lines: readonly string[], at: number): boolean {
  const [chat, indent = '', key = 'chat', value = ''] = CHAT.exec(lines[at] ?? '') ?? [];
  if (chat === undefined) return false;
  // In another form, the key may be a word of a text.
  const isOwnKey = /^["']?chat["']?$/.test(key);
  if (/^\s*\{/.test(value) && hasKey(value, isSimilar)) return true;
  if (!NO_VALUE.test(value)) return false;
  let isFirst = true;
  for (let below = at + 1; below < lines.length; below++) {
    const line = lines[below] ?? '';
    if (NEUTRAL.test(line)) continue;
    if (CHAT.test(line)) return false;
    const isDeeper = line.search(/\S/) > indent.length;
    // The first key may be misspelled, or without its indentation, which pasting may lose.
    const mayBeKey = isDeeper || (isFirst && isOwnKey);
    if (mayBeKey && hasKey(line, isDeeper && isFirst && isOwnKey ? isSimilar : isBlockKey)) return true;
    if (!isDeeper) return false;
    isFirst = false;
  }
  return false;
}

/** The lines of a block, from `first` to before `last`, with the rest of the front matter that it seems to be in. */
function around(lines: readonly string[], at: number): { first: number; last: number; yaml: string } {
  const isMarker = (line: number) => MARKER.test(lines[line] ?? '');
  const isInside = (line: number) =>
    line >= 0 && line < lines.length && !isMarker(line) && YAML.test(`${lines[line]}\n`);
  let first = at;
  while (isInside(first - 1)) first--;
  const isOpened = isMarker(first - 1) || NAMED.test(lines[first - 1] ?? '');
  if (!isOpened) first = at;
  let own = at + 1;
  while (isInside(own) && (/^\s/.test(lines[own] ?? '') || NEUTRAL.test(lines[own] ?? ''))) own++;
  let last = own;
  while (isOpened && isInside(last)) last++;
  const isClosed = isMarker(last);
  if (!isClosed) last = own;
  const indent = /^[ \uFEFF\u200B]*/.exec(lines[at] ?? '')?.[0] ?? '';
  const yaml = lines.slice(first, last).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  const end = isClosed ? last + 1 : last;
  const isBlank = end < lines.length - 1 && lines[end]?.trim() === '';
  return {
    first: isOpened ? first - 1 : first,
    last: isClosed && isBlank ? end + 1 : end,
    // An indented block without a marker is a part of something else.
    yaml: isOpened || indent === '' ? yaml.join('\n').replaceAll('\uFEFF', '').replace(OTHER_KEY, 'chat').trim() : '',
  };
}

/**
 * Moves a block to the first line, or into front matter that has none, or gives it the lines that make it front matter;
 * undefined if more would have to change.
 */
export function moveFix(
  text: string,
  { lines, yaml }: MisplacedBlock,
  front: FrontMatter | undefined,
): Fix | undefined {
  const parsed = parseYaml(yaml, 0);
  if (!('root' in parsed && isMap(parsed.root)) || parsed.root.flow) return undefined;
  const keys = keysOf(parsed.root);
  // The front matter could have other keys already.
  if (!keys.includes('chat') || (front && keys.length > 1)) return undefined;
  const fix = (title: ShownText, ...edits: Fix['edits']): Fix => ({ title, edits });
  const remove = { ...lines, text: '' };
  if (front) {
    const at = front.yaml.end;
    // Nothing can be added below braces, or below lines that are all indented.
    const merged = parseYaml(`${text.slice(front.yaml.start, at)}${yaml}\n`, 0);
    if ('error' in merged) return undefined;
    return fix(l10n.t('Move into the front matter'), { start: at, end: at, text: `${yaml}\n` }, remove);
  }
  const moved = `---\n${yaml}\n---\n\n`;
  // Blank lines above would be left in the message.
  if (text.slice(0, lines.start).trim() === '')
    return fix(l10n.t('Turn into front matter'), { start: 0, end: lines.end, text: moved });
  const top = text.startsWith('\uFEFF') ? 1 : 0;
  return fix(l10n.t('Move to the first line'), { start: top, end: top, text: moved }, remove);
}
