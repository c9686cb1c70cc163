/** The part of a chat that an agent reads: which page is listed, and which of its messages are shown. */
import type { Page } from '../service/client.ts';
import { type Listed, oldestFirst } from '../service/message.ts';
import { anchoredPage } from '../service/messagePages.ts';
import { ToolError } from './toolError.ts';

/** Where to read, and how many messages: the newest, or those before, after or around a message. */
interface Position {
  readonly messageId?: string | undefined;
  readonly direction?: 'older' | 'newer' | undefined;
  readonly count: number;
}

/** Messages in order of time. */
export interface Excerpt {
  readonly entries: readonly Listed[];
  /** Their indexes, the most important first. */
  readonly order: readonly number[];
}

/** What to list (contract 4.4): without a direction, the messages around one. */
export function pageOf({ messageId, direction, count }: Position): Page {
  if (messageId === undefined) return { latest: count };
  if (direction === 'older') return { anchor: messageId, before: count };
  if (direction === 'newer') return { anchor: messageId, after: count };
  return { anchor: messageId, before: Math.ceil((count - 1) / 2), after: Math.floor((count - 1) / 2) };
}

/** @throws ToolError if the message that it was to begin with isn't there */
export function excerptOf({ messageId, direction, count }: Position, page: readonly Listed[]): Excerpt {
  if (messageId === undefined) return nearest(oldestFirst(page), Infinity, count);
  const found = anchoredPage(page, messageId, direction);
  if (!found)
    throw new ToolError(`The chat has no message ${messageId} any more. Leave out messageId to read the newest.`);
  const { entries, anchorIndex } = found;
  if (direction === 'older') return nearest(entries.slice(0, anchorIndex), Infinity, count);
  if (direction === 'newer') return nearest(entries.slice(anchorIndex + 1), 0, count);
  return nearest(entries, anchorIndex, count);
}

/** Up to `count` entries, those next to an index first: the user has allowed no more, whatever the service sends. */
function nearest(entries: readonly Listed[], to: number, count: number): Excerpt {
  const at = Math.min(to, entries.length);
  const distance = (index: number) => Math.abs(index - at);
  const order = entries.map((_, index) => index).sort((one, other) => distance(one) - distance(other));
  return { entries, order: order.slice(0, count) };
}
