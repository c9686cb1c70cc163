/** Searches the loaded messages, and highlights the matches in the page. */
import { fold, rangesOf } from '../../markup/caseFolding.ts';
import { searchableText } from '../../markup/searchableText.ts';
import type { PageItem } from '../../protocol/history.ts';
import { systemClock } from '../../service/clock.ts';

/** How many messages are searched before yielding to the page. */
const CHUNK = 2000;

/** The keys of the items that contain a text, newest first; undefined if aborted. */
export async function findMatches(
  items: readonly PageItem[],
  text: string,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const query = fold(text);
  const matches: string[] = [];
  for (let end = items.length; end > 0; end -= CHUNK) {
    for (const item of items.slice(Math.max(0, end - CHUNK), end).reverse()) {
      if (fold(textOf(item)).includes(query)) matches.push(item.key);
    }
    await new Promise<void>((resolve) => systemClock.after(0, resolve));
    if (signal.aborted) return undefined;
  }
  return matches;
}

/** The searchable text of an item. */
function textOf(item: PageItem): string {
  if (item.type === 'gap') return '';
  if (item.type === 'unreadable') return JSON.stringify(item.raw) ?? '';
  return `${searchableText(item.message)}\n${item.message.msgId}`;
}

/** The index of the current match in new results; if it's gone, the match that took its index. */
export function currentMatch(matches: readonly string[], previous: readonly string[], index: number): number {
  const now = matches.indexOf(previous[index] ?? '');
  return now >= 0 ? now : Math.max(0, Math.min(index, matches.length - 1));
}

/** Highlights a text in the rendered rows, and differently in the current one. */
export function highlightMatches(rows: Element, text: string, current: Element | null | undefined): void {
  const others: Range[] = [];
  const inCurrent: Range[] = [];
  const query = fold(text);
  const walker = document.createTreeWalker(rows, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const [start, end] of rangesOf(node.textContent ?? '', query)) {
      const range = new Range();
      range.setStart(node, start);
      range.setEnd(node, end);
      (current?.contains(node) ? inCurrent : others).push(range);
    }
  }
  CSS.highlights.set('found', new Highlight(...others));
  CSS.highlights.set('found-here', new Highlight(...inCurrent));
}

export function clearHighlights(): void {
  CSS.highlights.clear();
}
