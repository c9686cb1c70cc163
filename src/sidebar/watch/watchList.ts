/** The list of watched chats, which all windows share. */
import { type Chat, chatKey } from '../../service/model.ts';
import { ChatPoller } from './chatPoller.ts';
import type { UnreadCount } from './unread.ts';
import { type WatchStorage, WatchStore } from './watchStore.ts';

/** The state of a watched chat. Nothing is unread before its first poll. */
export interface WatchState extends UnreadCount {
  /** The bot that reads it. */
  readonly botId: string;
  /** Why the last poll failed, or why the chat couldn't be saved. */
  readonly error?: unknown;
}

export class WatchList {
  readonly #store: WatchStore;
  readonly #onChange: (chat: Chat) => void;
  readonly #pollers = new Map<string, ChatPoller>();
  /** The last states that `onChange` was called for. */
  readonly #reported = new Map<string, WatchState>();
  #isDisposed = false;

  /** `onChange` is called when the state of a chat has changed. */
  constructor(storage: WatchStorage, onChange: (chat: Chat) => void) {
    this.#store = new WatchStore(storage);
    this.#onChange = onChange;
    for (const [key, entry] of this.#store.load()) {
      this.#pollers.set(key, new ChatPoller(entry));
      this.#reported.set(key, { unread: 0, more: false, botId: entry.botId, error: undefined });
    }
  }

  get pollers(): ChatPoller[] {
    return [...this.#pollers.values()];
  }

  get(chat: Chat): ChatPoller | undefined {
    return this.#pollers.get(chatKey(chat));
  }

  state(chat: Chat): WatchState | undefined {
    const poller = this.get(chat);
    if (!poller) return undefined;
    const error = poller.error ?? this.#store.errorOf(chatKey(chat));
    return { ...poller.unread, botId: poller.botId, error };
  }

  /** Applies what other windows have saved. */
  sync(): void {
    if (this.#isDisposed) return;
    const stored = this.#store.load();
    for (const [key, entry] of stored) {
      if (this.#store.isStale(key)) continue;
      const poller = this.#pollers.get(key);
      if (poller?.botId === entry.botId) poller.merge(entry);
      else this.#set(entry, new ChatPoller(entry));
    }
    const removed = this.pollers
      .map(({ chat }) => chat)
      .filter((chat) => !stored.has(chatKey(chat)) && !this.#store.isStale(chatKey(chat)));
    for (const chat of removed) this.#set(chat, undefined);
    // Last, because a listener may call back.
    for (const chat of [...stored.values(), ...removed]) this.notifyIfChanged(chat);
  }

  /**
   * Sets the poller of a chat, or removes it. Resolves when that is saved or has failed to save. Call {@link sync} right
   * before it, so that changes of other windows aren't overwritten.
   */
  change(chat: Chat, poller: ChatPoller | undefined): Promise<void> {
    this.#store.markChanged(chatKey(chat), { isStale: poller !== this.get(chat) });
    this.#set(chat, poller);
    const saved = this.#save();
    this.notifyIfChanged(chat);
    return saved;
  }

  /** Saves again what couldn't be saved. Until that succeeds, it applies to this window only. */
  async retrySave(): Promise<void> {
    if (this.#store.hasFailed()) await this.#save();
  }

  /** Calls `onChange` if the state of a chat differs from the last one. */
  notifyIfChanged(chat: Chat): void {
    if (this.#isDisposed) return;
    const key = chatKey(chat);
    const [before, state] = [this.#reported.get(key), this.state(chat)];
    if (state) this.#reported.set(key, state);
    else this.#reported.delete(key);
    const properties = ['unread', 'more', 'botId', 'error'] as const;
    const hasChanged = properties.some((property) => before?.[property] !== state?.[property]);
    if (hasChanged) this.#onChange({ kind: chat.kind, id: chat.id });
  }

  /** Stops all polling in this window. Nothing is reported or saved afterwards. */
  dispose(): void {
    this.#isDisposed = true;
    for (const poller of this.pollers) poller.dispose();
    this.#pollers.clear();
  }

  #set(chat: Chat, poller: ChatPoller | undefined): void {
    const former = this.get(chat);
    if (former !== poller) former?.dispose();
    if (poller) this.#pollers.set(chatKey(chat), poller);
    else this.#pollers.delete(chatKey(chat));
  }

  async #save(): Promise<void> {
    if (this.#isDisposed) return;
    await this.#store.save(this.pollers.map(({ entry }) => entry));
    for (const { chat } of this.pollers) this.notifyIfChanged(chat);
  }
}
