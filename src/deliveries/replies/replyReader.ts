/**
 * Reads a chat from a delivered message on, page by page, to its end (contract 4.4). The rules are those of `chats/log`,
 * whose `mergePage` tells what is new in a page: one with nothing new is the end, a short one isn't; what can't be read
 * leads further; an anchor that is gone is replaced by the one before. That log keeps whole chats, of which only answers and
 * the last few messages are kept here. If the delivered message is gone itself, what follows it is found by times.
 */
import { type Entry, mergePage } from '../../chats/log/mergePage.ts';
import { hexDigest } from '../../platform/durableFiles.ts';
import type { Page } from '../../service/client.ts';
import { type Failure, ServiceError } from '../../service/errors.ts';
import { type Listed, messageKey, sendTimeOf } from '../../service/message.ts';
import {
  adaptivePages,
  firstSince,
  isAnchorLost,
  LostAnchorError,
  listBeyond,
  listNewest,
  reachesBefore,
} from '../../service/messagePages.ts';
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
  /** The IDs of the answers so far, and of messages that lead on to more. */
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
  /** Set if the chat doesn't have the delivered message any more, with what the service said about that, if anything. */
  readonly lost?: { readonly failure?: Failure };
}

export interface ReaderOptions {
  /** When the message was sent, or earlier (Unix ms). */
  readonly sentAt: number;
  /** Lists one page of the chat, in either order. */
  list(page: Page, signal: AbortSignal): Promise<Listed[]>;
  /** The page from the archive, if it has all of it. */
  archived(page: Page): Promise<Listed[] | undefined>;
  /** Keeps what a page has added, before the next one is read. */
  keep(step: ReadStep): Promise<void>;
}

/**
 * Reads what is new after a delivered message, or after the place that an earlier reading came to. Rejects as `list` and
 * `keep` do, with the reason of the signal, or with a LostAnchorError if what was just read leads no further.
 */
export async function readReplies(
  delivered: Delivered,
  { anchors: last, thread, unreadable }: ReadingPlace,
  { sentAt, list, archived, keep }: ReaderOptions,
  signal: AbortSignal,
): Promise<void> {
  const finder = new ReplyFinder(delivered, thread);
  const seen = new Set([delivered.msgId, ...last.map(({ msgId }) => msgId)]);
  const keys = new UnreadableKeys(unreadable);
  const load = adaptivePages(PAGE);
  // An archive that can't be read mustn't keep the service from answering.
  const listPage = async (page: Page) => (await archived(page).catch(() => undefined)) ?? list(page, signal);
  let anchors = last;
  for (;;) {
    signal.throwIfAborted();
    // If all of the last messages are gone, the chat is read from the delivered message on once more.
    const isAnchor = anchors.some(({ msgId }) => msgId === delivered.msgId);
    const tried = isAnchor ? anchors : [...anchors, { msgId: delivered.msgId, beyond: 0 }];
    const page = await load((size) => listBeyond(listPage, tried, 'newer', size)).catch(async (error) => {
      const all = isAnchorLost(error) && (await listSince(sentAt, (one) => list(one, signal)).catch(() => undefined));
      signal.throwIfAborted();
      // If the message is still listed, the call has failed for another reason.
      if (!all || all.some((entry) => isMessage(entry, delivered.msgId))) throw error;
      return { all, lost: error instanceof ServiceError ? { failure: error.failure } : {} };
    });
    if ('lost' in page) {
      const { all, lost } = page;
      const start = firstSince(all, sentAt, sendTimeOf)?.index ?? all.length;
      keys.startAgain();
      // In a group, an answer names its message, so that its time doesn't matter: a clock may be wrong.
      const { answers, links } = finder.next(delivered.chat.kind === 'group' ? all : all.slice(start));
      const newUnreadable = await keys.next(all.slice(start).filter(({ readable }) => !readable));
      const isEnded = finder.isEnded;
      return keep({
        answers,
        links,
        anchors: anchorsOf(all, []),
        unreadable: newUnreadable,
        isComplete: true,
        isEnded,
        lost,
      });
    }
    const { entries, anchorIndex } = page;
    const { found } = mergePage(entriesOf(anchors), entries);
    const fresh = entries.filter((entry, at) => {
      if (at <= anchorIndex) return false;
      return entry.readable ? !seen.has(entry.message.msgId) : found[at] === undefined;
    });
    const messages = fresh.filter(({ readable }) => readable);
    const place = anchors.findIndex(({ msgId }) => isMessage(entries[anchorIndex], msgId));
    if (place < 0 && anchors.length > 0) {
      // The messages that were just read are listed, but lead no further.
      if (messages.length === 0 && anchorIndex < entries.length - 1) throw new LostAnchorError(anchors[0]?.msgId ?? '');
      keys.startAgain();
    }
    const newUnreadable = await keys.next(fresh.filter(({ readable }) => !readable));
    const { answers, links } = finder.next(messages);
    for (const entry of messages) if (entry.readable) seen.add(entry.message.msgId);
    const isComplete = finder.isEnded || fresh.length === 0;
    anchors = anchorsOf(entries.slice(anchorIndex), place < 0 ? [] : anchors.slice(place));
    await keep({ answers, links, anchors, unreadable: newUnreadable, isComplete, isEnded: finder.isEnded });
    if (isComplete) return;
  }
}

/** The messages since a time (Unix ms), oldest first, and some before it. */
async function listSince(time: number, list: (page: Page) => Promise<Listed[]>): Promise<Listed[]> {
  const load = adaptivePages(PAGE);
  let entries = await load((size) => listNewest(list, size));
  while (entries.some(({ readable }) => readable) && !reachesBefore(entries.map(sendTimeOf), time)) {
    const oldest = anchorsOf(entries.toReversed(), []);
    const { entries: page, anchorIndex } = await load((size) => listBeyond(list, oldest, 'older', size));
    const anchor = entries.findIndex((entry) => isMessage(entry, idOf(page[anchorIndex])));
    const known = new Set(entries.map(idOf));
    const older = page
      .slice(0, Math.max(0, anchorIndex - anchor))
      .filter((entry) => !entry.readable || !known.has(idOf(entry)));
    if (older.length === 0) break;
    entries = [...older, ...entries];
  }
  return entries;
}

/** The last messages and the entries between and after them, as a log knows them. */
function entriesOf(anchors: readonly Anchor[]): Entry[] {
  const entries: Entry[] = [];
  for (const [index, { msgId, beyond }] of anchors.entries()) {
    const newer = anchors[index - 1];
    const between = newer ? beyond - newer.beyond - 1 : beyond;
    for (let count = 0; count < between; count++) entries.push({ isReadable: false, key: '', time: undefined });
    entries.push({ isReadable: true, key: msgId, time: undefined });
  }
  return entries.reverse();
}

/** The last messages of a page, oldest first, and those before the anchor that it begins with. */
function anchorsOf(entries: readonly Listed[], [anchor, ...older]: readonly Anchor[]): Anchor[] {
  const anchors: Anchor[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.readable) anchors.unshift({ msgId: entry.message.msgId, beyond: entries.length - 1 - index });
  }
  const grownBy = entries.length - 1 - (anchor?.beyond ?? 0);
  return [...anchors, ...older.map(({ msgId, beyond }) => ({ msgId, beyond: beyond + grownBy }))].slice(0, ANCHORS);
}

/**
 * Names entries that have no ID by what was received, and by how many equal ones there are: two windows may read the chat at
 * once.
 */
class UnreadableKeys {
  /** How many entries of each content are known. */
  readonly #known = new Map<string, number>();
  /**
   * How many entries of each content were listed since the chat began to be read once more, where only the content tells known
   * entries.
   */
  #listed: Map<string, number> | undefined;

  constructor(keys: Iterable<string>) {
    for (const key of keys) {
      const [content = ''] = key.split(' ', 1);
      this.#known.set(content, (this.#known.get(content) ?? 0) + 1);
    }
  }

  /** The chat is read once more from the delivered message on. */
  startAgain(): void {
    this.#listed = new Map();
  }

  /** The keys of entries that are new where they are. */
  async next(entries: readonly Listed[]): Promise<string[]> {
    const keys: string[] = [];
    for (const entry of entries) {
      const content = (await hexDigest(messageKey(entry))).slice(0, DIGITS);
      const count = this.#known.get(content) ?? 0;
      const at = (this.#listed ? (this.#listed.get(content) ?? 0) : count) + 1;
      this.#listed?.set(content, at);
      if (at <= count) continue;
      this.#known.set(content, at);
      keys.push(`${content} ${at}`);
    }
    return keys;
  }
}

const idOf = (entry: Listed | undefined) => (entry?.readable ? entry.message.msgId : undefined);

const isMessage = (entry: Listed | undefined, msgId: string | undefined) => idOf(entry) === msgId;
