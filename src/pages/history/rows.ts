/** How rows of the history stand beside each other, and which of them are shown. */

import { quotationOf } from '../../markup/quotation.ts';
import type { PageItem, Seen } from '../../protocol/history.ts';
import type { Message } from '../../service/message.ts';
import { formatDay } from '../shared/formats.ts';

/** Messages of one sender that follow each other within this time (milliseconds) stand under one name. */
const GROUPED_WITHIN = 5 * 60_000;

/** Which messages are shown: those of a sender, of a kind; all where these are empty. */
export interface Filter {
  readonly sender: string;
  readonly kind: string;
}

/** A row, and what is said above it. */
export interface Row {
  readonly item: PageItem;
  /** The day that begins here. */
  readonly day: string;
  /** What the person had not seen begins here. */
  readonly isFirstNew: boolean;
  /** It stands under the name of the one before. */
  readonly continues: boolean;
}

export function rowOf(items: readonly PageItem[], index: number, seen: Seen | undefined): Row | undefined {
  const item = items[index];
  if (!item) return undefined;
  const message = messageOf(item);
  const previous = messageOf(items[index - 1]);
  const day = message ? formatDay(message.sendTime) : '';
  const isNewDay = message !== undefined && (!previous || formatDay(previous.sendTime) !== day);
  const isFirstNew =
    seen !== undefined &&
    message !== undefined &&
    previous !== undefined &&
    isSeen(previous, seen) &&
    !isSeen(message, seen);
  const continues =
    !isNewDay && !isFirstNew && message !== undefined && previous !== undefined && follows(message, previous);
  return { item, day: isNewDay ? day : '', isFirstNew, continues };
}

/** What a filter leaves. What cannot be read has no sender and no kind; a gap may hold messages of any: it stays. */
export function filterItems(items: readonly PageItem[], { sender, kind }: Filter): readonly PageItem[] {
  if (!sender && !kind) return items;
  return items.filter((item) => {
    const message = messageOf(item);
    if (!message) return item.type === 'gap';
    return (!sender || message.senderId === sender) && (!kind || message.contentType === kind);
  });
}

/** Where an item is among those that are shown, or the next one that is, or the last; -1 where it is not loaded. */
export function visibleIndexOf(key: string, items: readonly PageItem[], shown: readonly PageItem[]): number {
  const at = items.findIndex((item) => item.key === key);
  if (at < 0 || shown === items) return at;
  const rest = new Set(items.slice(at));
  const place = shown.findIndex((item) => rest.has(item));
  return place < 0 ? shown.length - 1 : place;
}

/** Whoever wrote what is loaded, by ID, those who wrote most first; and the kinds of it. */
export function filterChoices(items: readonly PageItem[]) {
  const senders = new Map<string, { name: string; count: number }>();
  const kinds = new Set<string>();
  for (const item of items) {
    const message = messageOf(item);
    if (!message) continue;
    const { count = 0 } = senders.get(message.senderId) ?? {};
    senders.set(message.senderId, { name: message.senderNickname || message.senderId, count: count + 1 });
    kinds.add(message.contentType);
  }
  return { senders: [...senders].sort(([, a], [, b]) => b.count - a.count), kinds: [...kinds].sort() };
}

export const messageOf = (item: PageItem | undefined) => (item?.type === 'message' ? item.message : undefined);

function follows(message: Message, previous: Message): boolean {
  const apart = (message.sendTime ?? 0) - (previous.sendTime ?? 0);
  // What the system says stands under no name.
  const isSystem = message.contentType === 'tip' || previous.contentType === 'tip';
  const isReply = message.parentId !== '' || quotationOf(message.content) !== undefined;
  return message.senderId === previous.senderId && apart < GROUPED_WITHIN && !isReply && !isSystem;
}

/** Those of the time of the last one seen, too, unless that is known by its ID to come before. */
const isSeen = ({ msgId, sendTime }: Message, seen: Seen) =>
  msgId === seen.msgId || (sendTime !== undefined && sendTime <= seen.sendTime);
