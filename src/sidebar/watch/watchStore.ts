/** What is watched and seen, in the store that all windows share. */
import type { WatchedChat } from '../../platform/store.ts';
import { chatKey } from '../../service/model.ts';

/** A watched chat of one service. */
export type Watched = Readonly<Omit<WatchedChat, 'service'>>;

export interface WatchMemory {
  /** What is stored now: another window may have written it. */
  stored(): readonly Watched[];
  store(watched: readonly Watched[]): PromiseLike<void>;
}

interface Change {
  /** The chat is watched anew, or no more: what is stored of it holds no longer. */
  readonly isAnew: boolean;
}

/** Knows what was changed here and is not stored yet. */
export class WatchStore {
  readonly #store: WatchMemory;
  /** Each chat with its own last change. */
  readonly #unsaved = new Map<string, Change>();
  #error: unknown;

  constructor(store: WatchMemory) {
    this.#store = store;
  }

  /** What is stored now, by the keys of the chats. */
  read(): Map<string, Watched> {
    return new Map(this.#store.stored().map((watched) => [chatKey(watched), watched]));
  }

  /** Whether a chat was put on the list here, or taken off it, and that is not stored yet. */
  isAnew(key: string): boolean {
    return this.#unsaved.get(key)?.isAnew ?? false;
  }

  /** Why what was changed of a chat could not be stored; undefined where it was, or is about to be. */
  errorOf(key: string): unknown {
    return this.#unsaved.has(key) ? this.#error : undefined;
  }

  /** Whether the last attempt to store failed. */
  hasFailed(): boolean {
    return this.#error !== undefined;
  }

  /** What is watched or seen of a chat has changed here, and is to be stored. */
  change(key: string, { isAnew }: Change): void {
    this.#unsaved.set(key, { isAnew: isAnew || this.isAnew(key) });
  }

  /** Stores all that is watched. Does not reject: a change that cannot be stored stays one. */
  async save(all: readonly Watched[]): Promise<void> {
    const saving = new Map(this.#unsaved);
    try {
      await this.#store.store(all);
      for (const [key, change] of saving) if (this.#unsaved.get(key) === change) this.#unsaved.delete(key);
      this.#error = undefined;
    } catch (error) {
      this.#error = error;
    }
  }
}
