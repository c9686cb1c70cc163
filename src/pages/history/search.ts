/** Finding words in what is loaded, and marking them in the page. */

import { excerpt } from '../../markup/escapeInvisible.ts';
import { displayText } from '../../markup/messageContent.ts';
import { MAX_QUOTATION, quotationOf } from '../../markup/quotation.ts';
import type { PageItem } from '../../protocol/history.ts';
import { fold, rangesOf } from './caseFolding.ts';

/** How many messages are looked through before the page may do something else. */
const PORTION = 2000;

/** The keys of the items in which a text is found, the newest first. Undefined when it was aborted meanwhile. */
export async function findMatches(
  items: readonly PageItem[],
  text: string,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const wanted = fold(text);
  const found: string[] = [];
  for (let end = items.length; end > 0; end -= PORTION) {
    for (const item of items.slice(Math.max(0, end - PORTION), end).reverse()) {
      if (fold(textOf(item)).includes(wanted)) found.push(item.key);
    }
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return undefined;
  }
  return found;
}

/** All that a message says, as a person would look for it. */
function textOf(item: PageItem): string {
  if (item.type === 'gap') return '';
  if (item.type === 'unreadable') return JSON.stringify(item.raw) ?? '';
  const { content, commandName, senderNickname, senderId, msgId } = item.message;
  const { name, text, media = [] } = quotationOf(content) ?? {};
  const quoted = [name, text && excerpt(text, MAX_QUOTATION), ...media.map((one) => one.name)];
  const buttons = content.buttons?.flat().map((button) => button.text) ?? [];
  const files = [content.fileName, content.fileUrl, content.imageName, content.imageKey, content.imageUrl];
  const others = [content.videoUrl, content.audioUrl, content.postTitle, content.postContent];
  const fields = content.formJson?.flatMap(({ label, value }) => [label, value]) ?? [];
  const said = [displayText(content), content.tip, ...files, ...others, ...fields, ...buttons, commandName];
  return [...quoted, ...said, senderNickname, senderId, msgId].join('\n');
}

/** Where the match at a place is now that others were found; where it is gone, the one that has its place. */
export function currentMatch(found: readonly string[], before: readonly string[], place: number): number {
  const now = found.indexOf(before[place] ?? '');
  return now >= 0 ? now : Math.max(0, Math.min(place, found.length - 1));
}

/** Marks a text wherever it is painted below an element, that in the element of `current` more. */
export function highlightMatches(below: Element, text: string, current: Element | null | undefined): void {
  const all: Range[] = [];
  const here: Range[] = [];
  const wanted = fold(text);
  const walker = document.createTreeWalker(below, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const [start, end] of rangesOf(node.textContent ?? '', wanted)) {
      const range = new Range();
      range.setStart(node, start);
      range.setEnd(node, end);
      (current?.contains(node) ? here : all).push(range);
    }
  }
  CSS.highlights.set('found', new Highlight(...all));
  CSS.highlights.set('found-here', new Highlight(...here));
}

/** Takes all marks away. */
export function clearHighlights(): void {
  CSS.highlights.clear();
}
