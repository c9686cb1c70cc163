/**
 * Reads a chat from a delivered message on, page by page, to its end (contract 4.4). The rules are those of `chats/log`: a
 * page with nothing new is the end, a short one isn't; what can't be read leads further; an anchor that is gone is replaced
 * by the one before. That log keeps whole chats, of which only answers are kept here.
 */
import { hexDigest } from '../../platform/durableFiles.ts';
import type { Page } from '../../service/client.ts';
import { type Listed, messageKey } from '../../service/message.ts';
import { adaptivePages, LostAnchorError, listBeyond } from '../../service/messagePages.ts';
import { type Delivered, type FoundReplies, ReplyFinder } from './findReplies.ts';

/** The largest number of messages requested per page. */
const PAGE = 100;

/** How many of the last messages are remembered: some may be deleted before the next reading. */
const ANCHORS = 5;

/** Hexadecimal digits that stand for the content of an entry. */
const DIGITS = 16;

/** One of the last messages that were read, and how many entries were listed after it. */
export interface Anchor {
  readonly msgId: string;
  readonly beyond: number;
}

/** How far a chat was read. */
interface ReadingPlace {
  /** The last messages, newest first; none if nothing was read yet. */
  readonly anchors: readonly Anchor[];
  /** The IDs of the answers so far, and of what leads on to more. */
  readonly thread: Iterable<string>;
  /** The keys of the entries that can't be read. */
  readonly unreadable: Iterable<string>;
}

/** What a page has added. */
export interface ReadStep extends FoundReplies {
  readonly anchors: readonly Anchor[];
  /** The keys of new entries that can't be read: they may be answers. */
  readonly unreadable: readonly string[];
  /** Whether all was read that there is by now. */
  readonly isComplete: boolean;
  /** Whether nothing that follows can be an answer. */
  readonly isEnded: boolean;
}

export interface ReaderOptions {
  /** Lists one page of the chat, in either order. */
  list(page: Page, signal: AbortSignal): Promise<Listed[]>;
  /** The page from the archive, if it has all of it. */
  archived(page: Page): Promise<Listed[] | undefined>;
  /** Keeps what a page has added, before the next one is read. */
  keep(step: ReadStep): Promise<void>;
}

/**
 * Reads what is new after a delivered message, or after the place that an earlier reading came to. Rejects as `list` and
 * `keep` do, with the reason of the signal, or with a LostAnchorError if the delivered message isn't in the chat any more.
 */
export async function readReplies(
  delivered: Delivered,
  { anchors: last, thread, unreadable }: ReadingPlace,
  { list, archived, keep }: ReaderOptions,
  signal: AbortSignal,
): Promise<void> {
  const finder = new ReplyFinder(delivered, thread);
  const seen = new Set([delivered.msgId, ...last.map(({ msgId }) => msgId)]);
  const keys = new UnreadableKeys(unreadable);
  const load = adaptivePages(PAGE);
  // An archive that can't be read mustn't hide what the service says.
  const listPage = async (page: Page) => (await archived(page).catch(() => undefined)) ?? list(page, signal);
  let anchors = last;
  for (;;) {
    signal.throwIfAborted();
    // If all of the last ones are gone, it's read from the delivered message on once more.
    const isAnchor = anchors.some(({ msgId }) => msgId === delivered.msgId);
    const tried = isAnchor ? anchors : [...anchors, { msgId: delivered.msgId, beyond: 0 }];
    const { entries, anchorIndex } = await load((size) => listBeyond(listPage, tried, 'newer', size));
    const after = entries.slice(anchorIndex + 1);
    const fresh = after.filter((entry) => entry.readable && !seen.has(entry.message.msgId));
    const anchor = tried.find(({ msgId }) => isMessage(entries[anchorIndex], msgId));
    // What is known beyond the last message is unreadable. Beyond earlier ones, only the keys tell.
    const newUnreadable = await keys.next(unreadableIn(after), anchor === tried[0] ? anchor?.beyond : undefined);
    // What was just read is listed, but leads no further.
    if (anchor && !anchors.includes(anchor) && anchors.length > 0 && after.length > 0 && fresh.length === 0)
      throw new LostAnchorError(anchors[0]?.msgId ?? '');
    const found = finder.next(fresh);
    for (const entry of fresh) if (entry.readable) seen.add(entry.message.msgId);
    const isComplete = finder.isEnded || (fresh.length === 0 && newUnreadable.length === 0);
    anchors = anchorsOf(entries.slice(anchorIndex), anchors, after.length);
    await keep({ ...found, anchors, unreadable: newUnreadable, isComplete, isEnded: finder.isEnded });
    if (isComplete) return;
  }
}

/** The last messages of a page, oldest first, and those of before, as long as there are too few. */
function anchorsOf(entries: readonly Listed[], before: readonly Anchor[], grownBy: number): Anchor[] {
  const anchors: Anchor[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.readable) anchors.unshift({ msgId: entry.message.msgId, beyond: entries.length - 1 - index });
  }
  const known = new Set(anchors.map(({ msgId }) => msgId));
  const older = before.filter(({ msgId }) => !known.has(msgId));
  return [...anchors, ...older.map(({ msgId, beyond }) => ({ msgId, beyond: beyond + grownBy }))].slice(0, ANCHORS);
}

const unreadableIn = (entries: readonly Listed[]) => entries.filter(({ readable }) => !readable);

/**
 * Names entries that have no ID by what was received, and by how many equal ones there are: a chat may be read once more, and
 * by two windows at once.
 */
class UnreadableKeys {
  /** How many are known of each content. */
  readonly #known = new Map<string, number>();

  constructor(keys: Iterable<string>) {
    for (const key of keys) {
      const [content = ''] = key.split(' ', 1);
      this.#known.set(content, (this.#known.get(content) ?? 0) + 1);
    }
  }

  /** The keys of the new ones in a page, of which up to `known` are known: those that are equal to a known one. */
  async next(entries: readonly Listed[], known = Number.POSITIVE_INFINITY): Promise<string[]> {
    const keys: string[] = [];
    const listed = new Map<string, number>();
    for (const [index, entry] of entries.entries()) {
      const content = (await hexDigest(messageKey(entry))).slice(0, DIGITS);
      const count = this.#known.get(content) ?? 0;
      const at = (listed.get(content) ?? 0) + 1;
      listed.set(content, at);
      if (index < known && at <= count) continue;
      this.#known.set(content, count + 1);
      keys.push(`${content} ${count + 1}`);
    }
    return keys;
  }
}

const isMessage = (entry: Listed | undefined, msgId: string) => entry?.readable && entry.message.msgId === msgId;
