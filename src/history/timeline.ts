/** The loaded part of a chat's history: pages go in, entries in the order of time come out. */
import type { Page } from '../service/client.ts';
import { keyOf, type Listed } from '../service/message.ts';

/** How many messages one page asks for. */
const PAGE = 50;

/** What lies beyond an end of the timeline. `end` means that the service has nothing more there. */
export type Edge = { at: 'open' } | { at: 'loading' } | { at: 'end' } | { at: 'failed'; error: unknown };

/** What became of a timeline: new entries at one of its ends, or just another state of its edges. */
export interface Change {
  where: 'older' | 'newer';
  added: Listed[];
}

export class Timeline {
  readonly #list: (page: Page) => Promise<Listed[]>;
  readonly #changed: (change: Change) => void;
  readonly #keys = new Set<string>();
  #entries: Listed[] = [];
  #loading: Promise<void> | undefined;
  /** One scroll asks many times before the first answer: all of them mean the same page. */
  #olderAsked: Promise<void> | undefined;
  #older: Edge = { at: 'open' };
  #newer: Edge = { at: 'open' };

  /** `list` reads one page of the chat; `changed` is called after each step of a load. */
  constructor(list: (page: Page) => Promise<Listed[]>, changed: (change: Change) => void) {
    this.#list = list;
    this.#changed = changed;
  }

  /** Oldest first. */
  get entries(): readonly Listed[] {
    return this.#entries;
  }

  get older(): Edge {
    return this.#older;
  }

  get newer(): Edge {
    return this.#newer;
  }

  /** Loads the page before the oldest entry, or the newest page where nothing is loaded yet. */
  loadOlder(): Promise<void> {
    this.#olderAsked ??= this.#alone(async () => {
      const anchor = idOf(this.#entries.find(isReadable));
      if (anchor === undefined) return this.#loadLatest('older');
      await this.#load('older', { anchor, before: PAGE });
    }).finally(() => {
      this.#olderAsked = undefined;
    });
    return this.#olderAsked;
  }

  /** Loads everything that is newer than the newest entry, or the newest page where nothing is loaded yet. */
  loadNewer(): Promise<void> {
    return this.#alone(async () => {
      let anchor = idOf(this.#entries.findLast(isReadable));
      if (anchor === undefined) return this.#loadLatest('newer');
      while (anchor !== undefined && (await this.#load('newer', { anchor, after: PAGE }))) {
        const newest = idOf(this.#entries.findLast(isReadable));
        // A page of unreadable entries gives no new anchor to go on from.
        anchor = newest === anchor ? undefined : newest;
      }
    });
  }

  /** The newest page. Its edges are both in question, so a failure shows at the one that was asked for. */
  async #loadLatest(asked: Change['where']): Promise<void> {
    const some = await this.#load(asked, { latest: PAGE });
    if (this.#edge(asked).at === 'failed') return;
    this.#older = { at: some ? 'open' : 'end' };
    this.#newer = { at: 'open' };
    this.#changed({ where: asked, added: [] });
  }

  /** Loads one page; true when it brought something new. */
  async #load(where: Change['where'], page: Page): Promise<boolean> {
    this.#setEdge(where, { at: 'loading' });
    this.#changed({ where, added: [] });
    let added: Listed[] = [];
    try {
      added = this.#add(where, await this.#list(page));
      this.#setEdge(where, added.length === 0 ? { at: 'end' } : { at: 'open' });
    } catch (error) {
      this.#setEdge(where, { at: 'failed', error });
    }
    this.#changed({ where, added });
    return added.length > 0;
  }

  #add(where: Change['where'], page: Listed[]): Listed[] {
    const added = oldestFirst(page).filter((entry) => {
      const key = keyOf(entry);
      return !this.#keys.has(key) && this.#keys.add(key);
    });
    this.#entries = where === 'older' ? [...added, ...this.#entries] : [...this.#entries, ...added];
    return added;
  }

  /** Loads run one after the other, so that no two pages start from the same anchor. */
  #alone(load: () => Promise<void>): Promise<void> {
    this.#loading = (this.#loading ?? Promise.resolve()).then(load, load);
    return this.#loading;
  }

  #edge(where: Change['where']): Edge {
    return where === 'older' ? this.#older : this.#newer;
  }

  #setEdge(where: Change['where'], edge: Edge): void {
    if (where === 'older') this.#older = edge;
    else this.#newer = edge;
  }
}

/** The contract shows the newest first, once: the times of both ends decide, and that order where they are equal. */
function oldestFirst(page: Listed[]): Listed[] {
  const first = timeOf(page.find(isReadable));
  const last = timeOf(page.findLast(isReadable));
  const alreadyOldestFirst = first !== undefined && last !== undefined && first < last;
  return alreadyOldestFirst ? page : page.toReversed();
}

const isReadable = (entry: Listed) => entry.readable;
const idOf = (entry: Listed | undefined) => (entry?.readable ? entry.message.msgId : undefined);
const timeOf = (entry: Listed | undefined) => (entry?.readable ? entry.message.sendTime : undefined);
