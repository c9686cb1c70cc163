/** The watched chats in the store that all windows share, and the changes that aren't saved yet. */
import type { WatchedChat } from '../../platform/store.ts';
import { chatKey } from '../../service/model.ts';

/** A watched chat of one service, as it's stored. */
export type WatchEntry = Readonly<Omit<WatchedChat, 'service'>>;

export interface WatchStorage {
  /** The stored entries. Another window may have saved them. */
  load(): readonly WatchEntry[];
  save(entries: readonly WatchEntry[]): PromiseLike<void>;
}

interface UnsavedChange {
  /** Watching started or stopped; the stored entry is stale. */
  readonly isStale: boolean;
}

export class WatchStore {
  readonly #storage: WatchStorage;
  /** The last change of each chat, by its key. */
  readonly #unsaved = new Map<string, UnsavedChange>();
  #error: unknown;

  constructor(storage: WatchStorage) {
    this.#storage = storage;
  }

  /** The stored entries by the keys of their chats. */
  load(): Map<string, WatchEntry> {
    return new Map(this.#storage.load().map((entry) => [chatKey(entry), entry]));
  }

  /** Whether watching a chat started or stopped in this window, and that isn't saved yet. */
  isStale(key: string): boolean {
    return this.#unsaved.get(key)?.isStale ?? false;
  }

  /** Why a change of a chat couldn't be saved; undefined if it was saved or is being saved for the first time. */
  errorOf(key: string): unknown {
    return this.#unsaved.has(key) ? this.#error : undefined;
  }

  /** Whether the last attempt to save failed. */
  hasFailed(): boolean {
    return this.#error !== undefined;
  }

  /** Records that the entry of a chat has changed and is to be saved. */
  markChanged(key: string, { isStale }: UnsavedChange): void {
    this.#unsaved.set(key, { isStale: isStale || this.isStale(key) });
  }

  /** Saves all entries. Never rejects: changes that can't be saved stay unsaved. */
  async save(entries: readonly WatchEntry[]): Promise<void> {
    const saving = new Map(this.#unsaved);
    try {
      await this.#storage.save(entries);
      for (const [key, change] of saving) if (this.#unsaved.get(key) === change) this.#unsaved.delete(key);
      this.#error = undefined;
    } catch (error) {
      this.#error = error;
    }
  }
}
