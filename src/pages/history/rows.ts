/** Filters the rows of the history, and groups them by day and sender. */
import { quotationOf } from '../../markup/quotation.ts';
import type { PageItem, Seen } from '../../protocol/history.ts';
import { isSentBy, type Message } from '../../service/message.ts';
import { firstSince } from '../../service/messagePages.ts';
import { formatDay } from '../common/formats.ts';

/** Consecutive messages of a sender within this time (milliseconds) are grouped. */
const GROUPING_TIME = 5 * 60_000;

/** Shows only messages of a sender, by {@link choiceOf}, and of a content type. An empty string matches all. */
export interface Filter {
  readonly sender: string;
  readonly kind: string;
}

/** A row and the separators above it. */
export interface Row {
  readonly item: PageItem;
  /** The day that starts with this row; empty if none does. */
  readonly day: string;
  /** Whether the row is the first new message. */
  readonly isFirstNew: boolean;
  /** Whether the row is grouped under the sender of the previous message. */
  readonly continues: boolean;
}

/** The row at an index; undefined if there is none. `firstNew` is the {@link firstNewIndex}. */
export function rowOf(items: readonly PageItem[], index: number, firstNew: number): Row | undefined {
  const item = items[index];
  if (!item) return undefined;
  const message = messageOf(item);
  const previous = messageOf(items[index - 1]);
  const day = message ? formatDay(message.sendTime) : '';
  const isNewDay = message !== undefined && (!previous || formatDay(previous.sendTime) !== day);
  const isFirstNew = index === firstNew;
  const continues =
    !isNewDay && !isFirstNew && message !== undefined && previous !== undefined && follows(message, previous);
  return { item, day: isNewDay ? day : '', isFirstNew, continues };
}

/** The items that match a filter. Unreadable items never match; gaps always stay, since they may hide matches. */
export function filterItems(items: readonly PageItem[], { sender, kind }: Filter): readonly PageItem[] {
  if (!sender && !kind) return items;
  return items.filter((item) => {
    const message = messageOf(item);
    if (!message) return item.type === 'gap';
    return (!sender || choiceOf(message) === sender) && (!kind || message.contentType === kind);
  });
}

/** The index of an item among the shown ones, or of the next shown one, or of the last; -1 if it isn't loaded. */
export function visibleIndexOf(key: string, items: readonly PageItem[], shown: readonly PageItem[]): number {
  const at = items.findIndex((item) => item.key === key);
  if (at < 0 || shown === items) return at;
  const rest = new Set(items.slice(at));
  const index = shown.findIndex((item) => rest.has(item));
  return index < 0 ? shown.length - 1 : index;
}

/**
 * The index of the item that is nearest to one that is gone, on this side of it if any is left there.
 * -1 if none is left.
 */
export function indexOfNearest(
  before: readonly PageItem[],
  at: number,
  items: readonly PageItem[],
  side: 'older' | 'newer',
): number {
  if (at < 0) return -1;
  const indexes = new Map(items.map(({ key }, index) => [key, index]));
  const older = before.slice(0, at).reverse();
  const newer = before.slice(at);
  const ordered = side === 'older' ? [...older, ...newer] : [...newer, ...older];
  for (const { key } of ordered) {
    const index = indexes.get(key);
    if (index !== undefined) return index;
  }
  return -1;
}

/**
 * The senders of the loaded messages by {@link choiceOf}, most active first, and their content types. The chosen ones are
 * among them even if no loaded message has them.
 */
export function filterChoices(items: readonly PageItem[], { sender, kind }: Filter) {
  const senders = new Map<string, { name: string; count: number }>();
  const kinds = new Set<string>();
  if (sender) senders.set(sender, { name: sender.replace(/^(bot|name) /, ''), count: 0 });
  if (kind) kinds.add(kind);
  for (const item of items) {
    const message = messageOf(item);
    if (!message) continue;
    if (message.contentType) kinds.add(message.contentType);
    const choice = choiceOf(message);
    if (choice === '') continue;
    const { count = 0 } = senders.get(choice) ?? {};
    senders.set(choice, { name: message.senderNickname || message.senderId, count: count + 1 });
  }
  return { senders: [...senders].sort(([, a], [, b]) => b.count - a.count), kinds: [...kinds].sort() };
}

/**
 * The key by which a filter knows a sender: a bot and a user may have the same ID, and a sender without an ID may have a
 * name.
 */
function choiceOf({ senderType, senderId, senderNickname }: Message): string {
  if (senderId) return senderType === 'bot' ? `bot ${senderId}` : senderId;
  return senderNickname && `name ${senderNickname}`;
}

/** The message of an item; undefined for gaps and unreadable items. */
export const messageOf = (item: PageItem | undefined) => (item?.type === 'message' ? item.message : undefined);

function follows(message: Message, previous: Message): boolean {
  const elapsed = Math.abs((message.sendTime ?? 0) - (previous.sendTime ?? 0));
  // A bot and a user may have the same ID. Without IDs, only names tell senders apart.
  const isSameSender = (['senderType', 'senderId', 'senderNickname'] as const).every(
    (field) => message[field] === previous[field],
  );
  // System messages have no sender.
  const isSystem = message.contentType === 'tip' || previous.contentType === 'tip';
  const isReply = message.parentId !== '' || quotationOf(message.content) !== undefined;
  return isSameSender && elapsed < GROUPING_TIME && !isReply && !isSystem;
}

/**
 * The index of the first message after the last one seen; -1 if none is loaded, or what precedes it isn't. The bot's own
 * messages aren't new to it, and unreadable ones to nobody.
 */
export function firstNewIndex(items: readonly PageItem[], seen: Seen | undefined, botId: string): number {
  if (!seen) return -1;
  const last = items.findLastIndex((item) => messageOf(item)?.msgId === seen.msgId);
  const byTime = () => firstSince(items, seen.sendTime + 1, (item) => messageOf(item)?.sendTime)?.index ?? 0;
  const from = last >= 0 ? last + 1 : byTime();
  const before = items.slice(0, from).findLast(({ type }) => type !== 'unreadable');
  const found = items.findIndex((item, at) => at >= from && !isPassedOver(item, botId));
  return messageOf(before) && messageOf(items[found]) ? found : -1;
}

function isPassedOver(item: PageItem, botId: string): boolean {
  return item.type === 'unreadable' || (item.type === 'message' && isSentBy(item.message, botId));
}
