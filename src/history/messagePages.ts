/** Pages of a history as answers: whether they answer what was asked, and in which order. */
import type { Page } from '../service/client.ts';
import { isFailure, isTransient } from '../service/errors.ts';
import { type Listed, oldestFirst } from '../service/message.ts';

export type Side = 'older' | 'newer';

/** How many messages one page asks for. */
export const PAGE_SIZE = 50;

/** A page oldest first, each message once. */
export interface AnchoredPage {
  readonly entries: Listed[];
  /** The place of the anchor among them. */
  readonly anchorIndex: number;
}

/** The service does not list the messages any more from which a load would go on. */
export class LostAnchorError extends Error {
  override readonly name = 'LostAnchorError';
  /** The last one that was tried; empty where there is no message that could be. */
  readonly msgId: string;

  constructor(msgId: string) {
    super(msgId ? `no message ${msgId} in the answer` : 'no message to go on from');
    this.msgId = msgId;
  }
}

/** Reads a page around an anchor, or on one side of it; undefined where the anchor is not in it: that says nothing. */
export function anchoredPage(page: readonly Listed[], anchor: string, side?: Side): AnchoredPage | undefined {
  const ordered = oldestFirst(page, side && { msgId: anchor, is: side === 'older' ? 'newest' : 'oldest' });
  const entries = withoutDuplicates(ordered);
  const anchorIndex = entries.findIndex((entry) => entry.readable && entry.message.msgId === anchor);
  return anchorIndex < 0 ? undefined : { entries, anchorIndex };
}

/**
 * Lists what is beyond one side of a segment. `anchors` are its outermost messages, with the number of entries beyond
 * each: where the service does not know one any more, the next one in serves. Rejects with what the last one failed with.
 */
export async function listBeyond(
  list: (page: Page) => Promise<Listed[]>,
  anchors: readonly { msgId: string; beyond: number }[],
  side: Side,
): Promise<AnchoredPage & { isFull: boolean }> {
  let lost: unknown = new LostAnchorError('');
  for (const { msgId, beyond } of anchors) {
    // What is loaded beyond the anchor comes again: it must not be all that comes.
    const count = PAGE_SIZE + beyond;
    try {
      const page = await list({ anchor: msgId, ...(side === 'older' ? { before: count } : { after: count }) });
      const answer = anchoredPage(page, msgId, side);
      if (answer) return { ...answer, isFull: answer.entries.length > count };
      lost = new LostAnchorError(msgId);
    } catch (error) {
      if (!mayBeAnchorError(error)) throw error;
      lost = error;
    }
  }
  throw lost;
}

/** Entries without the messages that are listed before. */
export function withoutDuplicates(entries: readonly Listed[]): Listed[] {
  const ids = new Set<string>();
  return entries.filter((entry) => {
    if (!entry.readable) return true;
    const { msgId } = entry.message;
    return !ids.has(msgId) && ids.add(msgId);
  });
}

/** True where a load may have failed because of the messages from which it would go on. */
export function isAnchorLost(error: unknown): boolean {
  return error instanceof LostAnchorError || mayBeAnchorError(error);
}

/** True where a call may have failed because of its anchor: another one may succeed. */
function mayBeAnchorError(error: unknown): boolean {
  // 1003 was seen for a refused token.
  return isFailure(error, 'rejected') && !isTransient(error) && error.failure.code !== 1003;
}
