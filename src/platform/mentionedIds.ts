/** IDs that features come across, so that they are found in documents. */
import { EventEmitter } from 'vscode';
import type { Kind, Reference } from '../service/model.ts';

/** How many IDs are kept, and how long each may be. Each one slows down the search for IDs. */
const LIMIT = 5_000;
const MAX_LENGTH = 100;

type Source = () => Promise<readonly Reference[]>;

export class MentionedIds {
  readonly #changed = new EventEmitter<void>();
  readonly #sources = new Set<Source>();
  readonly #kinds = new Map<string, Kind>();

  /** Fires when {@link add} has added an ID. */
  readonly onDidChange = this.#changed.event;

  /** IDs passed to {@link add}, each with its first kind. */
  get kinds(): ReadonlyMap<string, Kind> {
    return this.#kinds;
  }

  add(references: readonly Reference[]): void {
    const before = this.#kinds.size;
    for (const { kind, id } of references) {
      if (this.#kinds.size < LIMIT && id && id.length <= MAX_LENGTH) this.#kinds.set(id, this.#kinds.get(id) ?? kind);
    }
    if (this.#kinds.size > before) this.#changed.fire();
  }

  clear(): void {
    this.#kinds.clear();
  }

  /** Registers IDs that can be read at any time, such as those in open drafts. */
  addSource(source: Source) {
    this.#sources.add(source);
    return { dispose: () => void this.#sources.delete(source) };
  }

  /** The current IDs of all sources. */
  async fromSources(): Promise<readonly Reference[]> {
    return (await Promise.all([...this.#sources].map((source) => source()))).flat();
  }

  dispose(): void {
    this.#changed.dispose();
    this.#sources.clear();
  }
}
