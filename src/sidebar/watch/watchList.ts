/** The list of watched chats, which all windows share. */
import { type Chat, chatKey } from '../../service/model.ts';
import { ChatPoller } from './chatPoller.ts';
import type { Unread } from './unread.ts';
import { type WatchMemory, WatchStore } from './watchStore.ts';

/** What there is to say of a watched chat. Before its first look, nothing in it is unread. */
export interface WatchState extends Unread {
  /** The bot that reads it. */
  readonly botId: string;
  /** Why the last look failed, or why it could not be stored what is watched and seen. */
  readonly error?: unknown;
}

export class WatchList {
  readonly #kept: WatchStore;
  readonly #changed: (chat: Chat) => void;
  readonly #lookouts = new Map<string, ChatPoller>();
  /** The states as they were last told. */
  readonly #told = new Map<string, WatchState>();
  #isClosed = false;

  /** `changed` is called when the state of a chat has become another. */
  constructor(store: WatchMemory, changed: (chat: Chat) => void) {
    this.#kept = new WatchStore(store);
    this.#changed = changed;
    for (const [key, watched] of this.#kept.read()) {
      this.#lookouts.set(key, new ChatPoller(watched));
      this.#told.set(key, { unread: 0, more: false, botId: watched.botId, error: undefined });
    }
  }

  get lookouts(): ChatPoller[] {
    return [...this.#lookouts.values()];
  }

  get(chat: Chat): ChatPoller | undefined {
    return this.#lookouts.get(chatKey(chat));
  }

  state(chat: Chat): WatchState | undefined {
    const lookout = this.get(chat);
    if (!lookout) return undefined;
    const error = lookout.error ?? this.#kept.errorOf(chatKey(chat));
    return { ...lookout.unread, botId: lookout.botId, error };
  }

  /** Follows what other windows stored. */
  sync(): void {
    if (this.#isClosed) return;
    const stored = this.#kept.read();
    for (const [key, watched] of stored) {
      if (this.#kept.isAnew(key)) continue;
      const lookout = this.#lookouts.get(key);
      if (lookout?.botId === watched.botId) lookout.adopt(watched);
      else this.#put(watched, new ChatPoller(watched));
    }
    const gone = this.lookouts.filter(({ chat }) => !stored.has(chatKey(chat)) && !this.#kept.isAnew(chatKey(chat)));
    for (const { chat } of gone) this.#put(chat, undefined);
    // Only when all is done: whoever hears of it may do something in turn.
    for (const chat of [...stored.values(), ...gone.map(({ chat }) => chat)]) this.tell(chat);
  }

  /**
   * A chat is watched in this way from now on, or not at all. Resolves when that is stored, or could not be. To be
   * called right after {@link sync}, so that nothing is lost of what other windows stored.
   */
  change(chat: Chat, lookout: ChatPoller | undefined): Promise<void> {
    this.#kept.change(chatKey(chat), { isAnew: lookout !== this.get(chat) });
    this.#put(chat, lookout);
    const saved = this.#save();
    this.tell(chat);
    return saved;
  }

  /** What could not be stored is tried again. Until that succeeds, it holds in this window. */
  async saveAgain(): Promise<void> {
    if (this.#kept.hasFailed()) await this.#save();
  }

  /** Says that the state of a chat is another, if it is. */
  tell(chat: Chat): void {
    if (this.#isClosed) return;
    const key = chatKey(chat);
    const [before, state] = [this.#told.get(key), this.state(chat)];
    if (state) this.#told.set(key, state);
    else this.#told.delete(key);
    const names = ['unread', 'more', 'botId', 'error'] as const;
    const isOther = names.some((name) => before?.[name] !== state?.[name]);
    if (isOther) this.#changed({ type: chat.type, id: chat.id });
  }

  /** Ends all watching here; nothing is told or stored after it. */
  close(): void {
    this.#isClosed = true;
    for (const lookout of this.lookouts) lookout.end();
    this.#lookouts.clear();
  }

  #put(chat: Chat, lookout: ChatPoller | undefined): void {
    const former = this.get(chat);
    if (former !== lookout) former?.end();
    if (lookout) this.#lookouts.set(chatKey(chat), lookout);
    else this.#lookouts.delete(chatKey(chat));
  }

  async #save(): Promise<void> {
    if (this.#isClosed) return;
    await this.#kept.save(this.lookouts.map(({ watched }) => watched));
    for (const { chat } of this.lookouts) this.tell(chat);
  }
}
