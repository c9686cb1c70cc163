/** Finding words in what is loaded. */
import type { Item } from '../protocol.ts';

/** How many messages are looked through before the page may do something else. */
const PORTION = 2000;

const fold = (text: string) => text.normalize('NFKC').toLowerCase();

/** The keys of the items in which a text is found, the newest first. Undefined when it was aborted meanwhile. */
export async function search(items: readonly Item[], text: string, signal: AbortSignal): Promise<string[] | undefined> {
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
function textOf(item: Item): string {
  if (item.type === 'gap') return '';
  if (item.type === 'unreadable') return JSON.stringify(item.raw);
  const { content, commandName, senderNickname, senderId, msgId } = item.message;
  const buttons = content.buttons?.flat().map(({ text }) => text) ?? [];
  const files = [content.fileName, content.fileUrl, content.imageName, content.imageKey, content.imageUrl];
  return [content.text, content.tip, ...files, ...buttons, commandName, senderNickname, senderId, msgId].join('\n');
}

/** Marks a text wherever it is painted below an element, that in the element of `current` more. */
export function mark(below: Element, text: string, current: Element | null | undefined): void {
  const all: Range[] = [];
  const here: Range[] = [];
  const wanted = text.toLowerCase();
  const walker = document.createTreeWalker(below, NodeFilter.SHOW_TEXT);
  for (let node = wanted && walker.nextNode(); node; node = walker.nextNode()) {
    const content = node.textContent?.toLowerCase() ?? '';
    for (let at = content.indexOf(wanted); at >= 0; at = content.indexOf(wanted, at + wanted.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      (current?.contains(node) ? here : all).push(range);
    }
  }
  CSS.highlights.set('found', new Highlight(...all));
  CSS.highlights.set('found-here', new Highlight(...here));
}
