/** The watched chats of a service and what is known of each: stored, and shared by all windows. */
import type { SentMessages } from '../../platform/chatEvents.ts';
import type { Mark } from '../../platform/store.ts';
import type { Listed } from '../../service/message.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import { ChatWatch, NONE_UNREAD, type WatchEntry } from './chatWatch.ts';
import type { UnreadCount } from './unread.ts';

export interface WatchStorage {
  /** The stored entries, which another window may have saved: the same list until one does. */
  load(): readonly WatchEntry[];
  save(entries: readonly WatchEntry[]): PromiseLike<void>;
}

/** The state of a watched chat. Nothing is unread before its first poll. */
export interface WatchState extends UnreadCount {
  /** The bot that reads the chat. */
  readonly botId: string;
  /** Why the last poll failed, or why the chat couldn't be saved. */
  readonly error?: unknown;
}

interface UnsavedChange {
  /** Watching started or stopped; the stored entry is stale. */
  readonly isStale: boolean;
}

/** Each change applies what other windows have saved first, so that it doesn't overwrite that. */
export class WatchList {
  readonly #storage: WatchStorage;
  readonly #onChange: (chat: Chat) => void;
  readonly #watches = new Map<string, ChatWatch>();
  /** The last states that `onChange` was called for. */
  readonly #reported = new Map<string, WatchState>();
  /** The last change of each chat that isn't saved yet. Until it is, it applies to this window only. */
  readonly #unsaved = new Map<string, UnsavedChange>();
  #saveError: unknown;
  /** The stored entries that were applied last. */
  #synced: readonly WatchEntry[] | undefined;
  #isDisposed = false;

  /** `onChange` is called when the state of a chat has changed. */
  constructor(storage: WatchStorage, onChange: (chat: Chat) => void) {
    this.#storage = storage;
    this.#onChange = onChange;
    for (const [key, entry] of this.#load() ?? []) {
      this.#watches.set(key, new ChatWatch(entry));
      this.#reported.set(key, { ...NONE_UNREAD, botId: entry.botId });
    }
  }

  get all(): ChatWatch[] {
    return [...this.#watches.values()];
  }

  get(chat: Chat): ChatWatch | undefined {
    return this.#watches.get(chatKey(chat));
  }

  state(chat: Chat): WatchState | undefined {
    const watch = this.get(chat);
    if (!watch) return undefined;
    const saveError = this.#unsaved.has(chatKey(chat)) ? this.#saveError : undefined;
    return { ...watch.unread, botId: watch.botId, error: watch.error ?? saveError };
  }

  /** Starts watching chats as bots read them, unless it does so already. Resolves when that is saved, or can't be. */
  async start(entries: readonly WatchEntry[]): Promise<void> {
    this.sync();
    const started = entries.filter((entry) => this.get(entry)?.botId !== entry.botId);
    await this.#change(started.map((entry) => [entry, new ChatWatch(entry)]));
  }

  /** Stops watching chats. Resolves when that is saved, or can't be. */
  async stop(chats: readonly Chat[]): Promise<void> {
    this.sync();
    await this.#change(chats.filter((chat) => this.get(chat)).map((chat) => [chat, undefined]));
  }

  /** The user has seen chats up to these messages. Ignored where a later one was seen before. */
  async markSeen(marks: readonly (readonly [Chat, Mark])[]): Promise<void> {
    this.sync();
    const changes = marks.flatMap(([chat, newest]) => {
      const watch = this.get(chat);
      return watch?.markSeen(newest) ? [[chat, watch] as const] : [];
    });
    await this.#change(changes);
  }

  /** The outbox has sent these messages. */
  async markSent(messages: SentMessages['messages']): Promise<void> {
    this.sync();
    const changes = messages.flatMap(({ kind, id, msgId }) => {
      const watch = this.get({ kind, id });
      return watch?.markSent(msgId) ? [[watch.chat, watch] as const] : [];
    });
    await this.#change(changes);
  }

  /** Applies the newest page of a chat, or why it couldn't be read, if the chat is still watched. */
  handlePoll(watch: ChatWatch, result: { readonly page: readonly Listed[] } | { readonly error: unknown }): void {
    this.sync();
    if (watch.signal.aborted) return;
    if ('error' in result) watch.error = result.error;
    else if (watch.handlePage(result.page)) void this.#change([[watch.chat, watch]]);
    this.#notifyIfChanged(watch.chat);
  }

  /** Applies what other windows have saved. */
  sync(): void {
    if (this.#isDisposed) return;
    const stored = this.#load();
    if (!stored) return;
    for (const [key, entry] of stored) {
      if (this.#isStale(key)) continue;
      const watch = this.#watches.get(key);
      if (watch?.botId === entry.botId) watch.merge(entry);
      else this.#set(entry, new ChatWatch(entry));
    }
    const removed = this.all
      .map(({ chat }) => chat)
      .filter((chat) => !stored.has(chatKey(chat)) && !this.#isStale(chatKey(chat)));
    for (const chat of removed) this.#set(chat, undefined);
    // The listeners come last, because they may call back.
    for (const chat of [...stored.values(), ...removed]) this.#notifyIfChanged(chat);
  }

  /** Saves again what couldn't be saved. */
  async retrySave(): Promise<void> {
    if (this.#saveError !== undefined && !this.#isDisposed) await this.#save();
  }

  /** Cancels all polls. Nothing is reported or saved afterwards. */
  dispose(): void {
    this.#isDisposed = true;
    for (const watch of this.all) watch.dispose();
    this.#watches.clear();
  }

  /** The stored entries, unless they were loaded before. */
  #load(): Map<string, WatchEntry> | undefined {
    const stored = this.#storage.load();
    if (stored === this.#synced) return undefined;
    this.#synced = stored;
    return new Map(stored.map((entry) => [chatKey(entry), entry]));
  }

  /** Whether watching a chat started or stopped in this window, and that isn't saved yet. */
  #isStale(key: string): boolean {
    return this.#unsaved.get(key)?.isStale ?? false;
  }

  async #change(changes: readonly (readonly [Chat, ChatWatch | undefined])[]): Promise<void> {
    if (this.#isDisposed || changes.length === 0) return;
    for (const [chat, watch] of changes) {
      const key = chatKey(chat);
      this.#unsaved.set(key, { isStale: watch !== this.get(chat) || this.#isStale(key) });
      this.#set(chat, watch);
    }
    const saved = this.#save();
    for (const [chat] of changes) this.#notifyIfChanged(chat);
    await saved;
  }

  #set(chat: Chat, watch: ChatWatch | undefined): void {
    const former = this.get(chat);
    if (former !== watch) former?.dispose();
    if (watch) this.#watches.set(chatKey(chat), watch);
    else this.#watches.delete(chatKey(chat));
  }

  /** Never rejects: changes that can't be saved stay unsaved. */
  async #save(): Promise<void> {
    const saving = new Map(this.#unsaved);
    try {
      await this.#storage.save(this.all.map(({ entry }) => entry));
      for (const [key, change] of saving) if (this.#unsaved.get(key) === change) this.#unsaved.delete(key);
      this.#saveError = undefined;
    } catch (error) {
      this.#saveError = error;
    }
    for (const { chat } of this.all) this.#notifyIfChanged(chat);
  }

  #notifyIfChanged(chat: Chat): void {
    if (this.#isDisposed) return;
    const key = chatKey(chat);
    const [before, state] = [this.#reported.get(key), this.state(chat)];
    if (state) this.#reported.set(key, state);
    else this.#reported.delete(key);
    const properties = ['unread', 'more', 'botId', 'error'] as const;
    const hasChanged = properties.some((property) => before?.[property] !== state?.[property]);
    if (hasChanged) this.#onChange({ kind: chat.kind, id: chat.id });
  }
}
