/**
 * The messages of watched chats that may need the user: unread ones, replies to the bot, and those with the user's words.
 *
 * They are kept in the store, so every window lists the same, whichever has found them. A window merges what it has found
 * into what is stored at that moment. If two windows save at once, one may lose what the other has found; each check adds
 * what is unread and missing. Whether a message is read is never stored with it: the marks of watched chats decide that.
 *
 * Messages that a window hasn't polled are unknown: those that were deleted in between, those older than the newest page,
 * those that can't be read, and those that were on the screen in a history before they were found.
 */
import type { ActivityItem, Mark, Store } from '../../platform/store.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import { type Clock, systemClock } from '../../service/clock.ts';
import { messageKey } from '../../service/message.ts';
import { type Chat, chatKey, isSame } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { ChatWatch } from '../watch/chatWatch.ts';
import type { NewMessages } from '../watch/watchContext.ts';
import type { Watcher } from '../watch/watcher.ts';
import { AlertWords, hasReason, isMatch, type Match, type Reasons } from './activityRules.ts';

/** How many messages are kept, over all services. With their excerpts, they are rewritten whenever the store is. */
const MAX_ITEMS = 300;

/** A message in the list. */
export interface ShownItem extends Omit<ActivityItem, keyof Reasons>, Reasons {}

interface Context {
  readonly store: Pick<Store, 'get' | 'rememberAll' | 'set'>;
  readonly watcher: Pick<Watcher, 'get' | 'markSeen' | 'service' | 'watches'>;
  /** The entries of the setting with the user's words. */
  words(): readonly unknown[];
  /** The list may have changed, and the reasons why these chats need the user have. */
  changed(chats: readonly Chat[]): void;
  readonly clock?: Clock;
}

export class Activity {
  readonly #context: Context;
  #shown: readonly ShownItem[] | undefined;
  #matches: ReadonlyMap<string, ChatMatch> | undefined;
  /** The setting as it was read last, and its words. */
  #words: { readonly json: string; readonly words: AlertWords } | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** The messages of watched chats in the sidebar, newest first. Makes no request. */
  get items(): readonly ShownItem[] {
    this.#shown ??= this.#list();
    return this.#shown;
  }

  /** The user's words. */
  get words(): AlertWords {
    const entries = this.#context.words();
    const json = JSON.stringify(entries);
    if (this.#words?.json !== json) this.#words = { json, words: new AlertWords(entries) };
    return this.#words.words;
  }

  /** Why the unread messages of a chat need the user; undefined if none does. */
  matchOf(chat: Chat): Match | undefined {
    this.#matches ??= matchesIn(this.items);
    return this.#matches.get(chatKey(chat));
  }

  /** Reads again what is stored, watched and set: another window may have changed it. */
  refresh(): void {
    const before = this.#matches;
    this.#shown = undefined;
    this.#matches = matchesIn(this.items);
    this.#context.changed(changedChats(before ?? new Map(), this.#matches));
  }

  /** The states of chats have changed. Forgets messages of those that aren't watched any more. @throws VS Code's own error */
  async chatsChanged(chats: readonly Chat[]): Promise<void> {
    if (chats.every((chat) => this.#context.watcher.get(chat))) this.refresh();
    else await this.add([]);
  }

  /** What is kept of a chat, to be {@link add}ed again if its removal is undone. */
  keptOf(chat: Chat): ActivityItem[] {
    const service = this.#context.watcher.service?.address;
    return this.#context.store.get('activity').filter((item) => item.service === service && isSame(item, chat));
  }

  /**
   * Keeps the unread messages of chats that were polled, and those of `kept` whose chats are watched. Forgets messages that
   * the polled chats have no longer. Resolves when that is saved. @throws VS Code's own error
   */
  async add(watches: readonly ChatWatch[], kept: readonly ActivityItem[] = []): Promise<void> {
    const { store, watcher } = this.#context;
    const service = watcher.service?.address;
    if (service === undefined) return;
    const { words } = this;
    const found = [...kept, ...(await this.#find(watches, service, words))];
    if (watcher.service?.address !== service) return;
    // The store is read again, because this window or another one may have saved meanwhile.
    const stored = store.get('activity');
    const known = new Set(stored.map(keyOf));
    const added = found.filter((item) => !known.has(keyOf(item)));
    const left = [...added, ...stored].flatMap((item): KeptItem[] => {
      if (item.service !== service) return [{ item, isNeeded: false }];
      const watch = watcher.get(item);
      if (watch && watches.includes(watch) && watch.isDeleted(item)) return [];
      const reasons = this.#reasons(item, watch, words);
      return reasons && hasReason(reasons) ? [{ item, isNeeded: reasons.isUnread && isMatch(reasons) }] : [];
    });
    const isSame = left.length === stored.length && left.every(({ item }, at) => item === stored[at]);
    const saved = isSame ? undefined : store.set('activity', latest(left));
    this.refresh();
    await saved;
  }

  /** Which of these messages need the user and are still unread. */
  unseenMatches(arrived: readonly NewMessages[]): ShownItem[] {
    const keys = new Set(
      arrived.flatMap(({ chat, messages }) => messages.map((entry) => `${chatKey(chat)} ${messageKey(entry)}`)),
    );
    return this.items.filter((item) => item.isUnread && isMatch(item) && keys.has(`${chatKey(item)} ${item.msgId}`));
  }

  /**
   * Marks all known messages of the watched chats in the sidebar as read, for their histories, too. Resolves to whether any
   * wasn't.
   */
  async markAllRead(): Promise<boolean> {
    const { watcher } = this.#context;
    const service = watcher.service?.address;
    if (service === undefined) return false;
    const marks = watcher.watches.flatMap((watch) => {
      const { chat, botId, newest } = watch;
      return newest && !watch.hasSeen(newest) ? [[{ service, ...chat, botId }, newest] as const] : [];
    });
    await this.#markRead(marks);
    return marks.length > 0;
  }

  /** Marks an unread message, and those before it in its chat, as read. */
  async markRead({ service, kind, id, botId, msgId, sendTime }: ShownItem): Promise<void> {
    await this.#markRead([
      [
        { service, kind, id, botId },
        { msgId, sendTime },
      ],
    ]);
  }

  async #markRead(marks: readonly (readonly [BotChat, Mark])[]): Promise<void> {
    const { store, watcher } = this.#context;
    // The marks are stored together: storing each of very many chats would take seconds.
    await store.rememberAll(
      'readMarks',
      marks.filter(([, { msgId }]) => msgId !== ''),
    );
    await watcher.markSeen(marks);
    this.refresh();
  }

  /** The unread messages of these chats that aren't kept yet, newest first. */
  async #find(watches: readonly ChatWatch[], service: string, words: AlertWords): Promise<ActivityItem[]> {
    const { store, clock = systemClock } = this.#context;
    const unread = watches.flatMap((watch) => watch.unreadMessages.map((entry) => ({ watch, entry })));
    if (unread.length === 0) return [];
    const { activityItem } = await import('./activityItem.ts');
    const known = new Set(store.get('activity').map(keyOf));
    const found: ActivityItem[] = [];
    await new TimeSlices(undefined, clock).each(unread, ({ watch, entry }) => {
      const botChat = { service, ...watch.chat, botId: watch.botId };
      if (!entry.readable || known.has(keyOf({ ...botChat, ...entry.message }))) return;
      const isReply = watch.isReplyToBot(entry.message);
      found.unshift(activityItem(botChat, entry.message, { isReply, words, now: clock.wall() }));
    });
    return found;
  }

  #list(): ShownItem[] {
    const { store, watcher } = this.#context;
    const address = watcher.service?.address;
    const watched = new Map(watcher.watches.map((watch) => [chatKey(watch.chat), watch]));
    const { words } = this;
    return store.get('activity').flatMap((item): ShownItem[] => {
      const reasons = item.service === address ? this.#reasons(item, watched.get(chatKey(item)), words) : undefined;
      return reasons && hasReason(reasons) ? [{ ...item, ...reasons }] : [];
    });
  }

  /** Why a message is listed; undefined if its chat isn't watched, is watched by another bot, or if this outbox has sent it. */
  #reasons(item: ActivityItem, watch: ChatWatch | undefined, words: AlertWords): Reasons | undefined {
    if (watch?.botId !== item.botId || watch.hasSent(item)) return undefined;
    return { ...words.matchOf(item), isUnread: !watch.hasSeen(item) };
  }
}

interface KeptItem {
  readonly item: ActivityItem;
  /** Whether the message is unread and needs the user more than others. */
  readonly isNeeded: boolean;
}

/** The messages to keep, newest first: of very many, those that need the user more than others. */
function latest(kept: readonly KeptItem[]): ActivityItem[] {
  const byTime = (one: KeptItem, other: KeptItem) => other.item.sendTime - one.item.sendTime;
  const byNeed = (one: KeptItem, other: KeptItem) => Number(other.isNeeded) - Number(one.isNeeded);
  const newestFirst = kept.toSorted(byTime);
  const first = kept.length <= MAX_ITEMS ? newestFirst : newestFirst.sort(byNeed).slice(0, MAX_ITEMS).sort(byTime);
  return first.map(({ item }) => item);
}

interface ChatMatch extends Match {
  readonly chat: Chat;
}

/** Why the unread messages of each chat need the user, by {@link chatKey}. */
export function matchesIn(items: readonly ShownItem[]): Map<string, ChatMatch> {
  const matches = new Map<string, ChatMatch>();
  for (const item of items) {
    if (!item.isUnread || !isMatch(item)) continue;
    const before = matches.get(chatKey(item));
    matches.set(chatKey(item), {
      chat: { kind: item.kind, id: item.id },
      isReply: item.isReply || (before?.isReply ?? false),
      words: [...new Set([...(before?.words ?? []), ...item.words])],
    });
  }
  return matches;
}

/** The chats whose matches differ. */
function changedChats(before: ReadonlyMap<string, ChatMatch>, after: ReadonlyMap<string, ChatMatch>): Chat[] {
  const both = new Map([...before, ...after]);
  return Array.from(both).flatMap(([key, { chat }]) =>
    JSON.stringify(before.get(key)) === JSON.stringify(after.get(key)) ? [] : chat,
  );
}

export const keyOf = ({
  service,
  kind,
  id,
  botId,
  msgId,
}: Pick<ActivityItem, 'service' | 'kind' | 'id' | 'botId' | 'msgId'>) =>
  JSON.stringify([service, kind, id, botId, msgId]);
