/** Searches the loaded messages, and highlights the matches in the page. */
import { fold, originalRanges, type Ranges, rangesOf } from '../../markup/caseFolding.ts';
import { showEmojiCodes } from '../../markup/emojiCodes.ts';
import { searchableText } from '../../markup/rendered/shownText.ts';
import { findTerms, parseQuery } from '../../markup/searchTerms.ts';
import { INLINE_ELEMENTS } from '../../markup/textWriter.ts';
import { splitText } from '../../markup/words.ts';
import type { PageItem } from '../../protocol/history.ts';
import type { Listed } from '../../service/message.ts';
import { TimeSlices } from '../../service/timeSlices.ts';

/** The folded text of each item that was searched. */
const texts = new WeakMap<PageItem, string>();

/** The keys of the items that contain a text, newest first; undefined if aborted. */
export async function findMatches(
  items: readonly PageItem[],
  text: string,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const query = foldedQuery(text);
  const matches: string[] = [];
  const slices = new TimeSlices();
  for (const item of items.toReversed()) {
    if (textOf(item).includes(query)) matches.push(item.key);
    if (slices.isOver) await slices.pause();
    if (signal.aborted) return undefined;
  }
  return matches;
}

/** Emoji are found by their codes, too. */
const foldedQuery = (text: string) => fold(showEmojiCodes(text));

/** The folded text that an item is found by. */
function textOf(item: PageItem): string {
  if (item.type === 'gap') return '';
  let text = texts.get(item);
  if (text === undefined) {
    const { raw } = item;
    const [entry, id]: [Listed, string] =
      item.type === 'message'
        ? [{ readable: true, message: item.message, raw }, item.message.msgId]
        : [{ readable: false, raw }, ''];
    text = fold(`${searchableText(entry)}\n${id}`);
    texts.set(item, text);
  }
  return text;
}

/** The index of the first match at or below an item, or else of the nearest one above; `matches` are newest first. */
export function nearestMatch(items: readonly PageItem[], matches: readonly string[], from: string | undefined): number {
  const start = items.findLastIndex(({ key }) => key === from);
  if (start < 0) return 0;
  const below = new Set(items.slice(start).map(({ key }) => key));
  return Math.max(
    0,
    matches.findLastIndex((key) => below.has(key)),
  );
}

/** The index of the current match in new results; if it's gone, the match that took its index. */
export function currentMatch(matches: readonly string[], previous: readonly string[], index: number): number {
  const now = matches.indexOf(previous[index] ?? '');
  return now >= 0 ? now : Math.max(0, Math.min(index, matches.length - 1));
}

/** Finds the places in a text that are sought. */
export type FindRanges = (text: string) => Ranges;

/** Finds a text as it is. */
export function findingText(query: string): FindRanges {
  const folded = foldedQuery(query);
  return (text) => rangesOf(text, folded);
}

/** Finds the words of a query as the search of the archive does. */
export function findingWords(query: string): FindRanges {
  const terms = parseQuery(query);
  return (text) => originalRanges(text, findTerms(splitText(text), terms));
}

/** Highlights matches in messages, and those in the current one differently. */
export function highlightMatches(
  messages: Iterable<Element>,
  find: FindRanges,
  current: Element | null | undefined,
): void {
  const others: Range[] = [];
  const inCurrent: Range[] = [];
  for (const message of messages) {
    const shown = new ShownText(message);
    const list = message === current ? inCurrent : others;
    for (const [start, end] of find(shown.text)) list.push(shown.range(start, end));
  }
  CSS.highlights.set('found', new Highlight(...others));
  CSS.highlights.set('found-here', new Highlight(...inCurrent));
}

/** The first match in a row, which is shown even if it's in the rest of a long text or hidden in a box that scrolls. */
export function revealMatch(row: Element, find: FindRanges): Range | undefined {
  const shown = new ShownText(row);
  const [match] = find(shown.text);
  if (!match) {
    row.querySelector<HTMLElement>('.show-all')?.click();
    return undefined;
  }
  const range = shown.range(...match);
  for (let box = blockOf(range.startContainer); box instanceof Element && box !== row; box = box.parentElement) {
    const { top, bottom, left, right } = range.getBoundingClientRect();
    const edges = box.getBoundingClientRect();
    if (top < edges.top || bottom > edges.bottom) box.scrollTop += top - (edges.top + edges.bottom) / 2;
    if (left < edges.left || right > edges.right) box.scrollLeft += left - (edges.left + edges.right) / 2;
  }
  return range;
}

/** The text of an element as it reads: elements that aren't inline, and line breaks, separate it. */
class ShownText {
  readonly #nodes: { readonly node: Text; readonly start: number }[] = [];
  text = '';

  constructor(root: Element) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    let block = blockOf(root);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const ownBlock = blockOf(node);
      if (ownBlock !== block) this.text += '\n';
      block = ownBlock;
      if (!(node instanceof Text)) continue;
      this.#nodes.push({ node, start: this.text.length });
      this.text += node.data;
    }
  }

  /** Ranges must be asked for in order. */
  range(start: number, end: number): Range {
    const range = new Range();
    const [first, last] = [this.#nodeAt(start), this.#nodeAt(end - 1)];
    if (first) range.setStart(first.node, start - first.start);
    if (last) range.setEnd(last.node, end - last.start);
    return range;
  }

  #nodeAt(position: number) {
    return this.#nodes.findLast(({ start }) => start <= position);
  }
}

/** The innermost element around a node, or itself, that isn't inline. */
function blockOf(node: Node): Node | null {
  let block: Node | null = node;
  while (block && (block instanceof Text || INLINE_ELEMENTS.includes(block.nodeName.toLowerCase())))
    block = block.parentNode;
  return block;
}

export function clearHighlights(): void {
  CSS.highlights.clear();
}
