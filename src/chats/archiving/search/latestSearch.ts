/** Runs one search at a time, and of those that wait only the latest: each key starts another one. */
import type { FoundPage } from '../../archive/archiveDatabase.ts';
import type { RemoteArchive } from '../../archive/remote.ts';
import type { Cursor, SearchRequest } from '../../archive/search.ts';

/** How many results are shown at once. */
const PAGE = 50;

interface Search {
  readonly number: number;
  readonly request: SearchRequest;
  next: Cursor | undefined;
}

export interface SearchListener {
  /** Some results of a search, after those before. */
  found(number: number, found: FoundPage['found'], isLast: boolean): void;
  failed(number: number, error: unknown): void;
}

export class LatestSearch {
  readonly #archive: Pick<RemoteArchive, 'search'>;
  readonly #listener: SearchListener;
  /** The search that is shown. */
  #current: Search | undefined;
  #isRunning = false;
  /** Whether more of the current search is wanted. */
  #isWanted = false;

  constructor(archive: Pick<RemoteArchive, 'search'>, listener: SearchListener) {
    this.#archive = archive;
    this.#listener = listener;
  }

  /** Starts a search instead of the current one. */
  start(number: number, request: SearchRequest): void {
    this.#current = { number, request, next: undefined };
    this.#isWanted = true;
    void this.#run();
  }

  /** Continues a search, unless another one was started. */
  more(number: number): void {
    if (this.#current?.number !== number || !this.#current.next) return;
    this.#isWanted = true;
    void this.#run();
  }

  stop(): void {
    this.#current = undefined;
    this.#isWanted = false;
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#isWanted && this.#current) {
      this.#isWanted = false;
      await this.#find(this.#current);
    }
    this.#isRunning = false;
  }

  /** Finds the next results of a search: without an index, it takes several steps. */
  async #find(search: Search): Promise<void> {
    try {
      let left = PAGE;
      do {
        const { found, next } = await this.#archive.search(search.request, left, search.next);
        if (this.#current !== search) return;
        search.next = next;
        // Without a place to go on from, the search would begin again.
        if (!next) this.#isWanted = false;
        left -= found.length;
        if (found.length > 0 || !next) this.#listener.found(search.number, found, !next);
      } while (left > 0 && search.next);
    } catch (error) {
      if (this.#current === search) this.#listener.failed(search.number, error);
    }
  }
}
