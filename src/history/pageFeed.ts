/** Gives a page the items of a timeline: those around what is read first, the others after them in small portions. */
import type { Splice, TimelineItem } from './timeline.ts';

/** How many items go to the page at once. */
const PORTION = 200;

export class PageFeed {
  readonly #items: readonly TimelineItem[];
  readonly #post: (splice: Splice) => PromiseLike<unknown>;
  /** What the page has of the items. */
  #from = 0;
  #to = 0;
  #isStopped = false;

  /** `items` is the timeline's own list, which changes; `post` resolves when the page has got it. */
  constructor(items: readonly TimelineItem[], post: (splice: Splice) => PromiseLike<unknown>) {
    this.#items = items;
    this.#post = post;
  }

  /** The page has all that is loaded before what it shows. */
  get hasOldest(): boolean {
    return this.#from === 0;
  }

  /** Resolves when the page has all items; those around the one at `reading` are there first. */
  async run(reading: number): Promise<void> {
    this.#from = Math.max(0, Math.min(reading - PORTION / 2, this.#items.length - PORTION));
    this.#to = Math.min(this.#items.length, this.#from + PORTION);
    await this.#post({ at: 0, removed: 0, inserted: this.#items.slice(this.#from, this.#to) });
    while (!this.#isStopped && (this.#to < this.#items.length || this.#from > 0)) {
      // The newer ones first: they are fewer, mostly.
      await (this.#to < this.#items.length ? this.#postNewer() : this.#postOlder());
    }
  }

  /** The timeline has changed like this: the page is told what concerns what it has. */
  change({ at, removed, inserted }: Splice): void {
    const end = at + removed;
    if (end < this.#from || (end === this.#from && this.#from > 0)) {
      this.#from += inserted.length - removed;
      this.#to += inserted.length - removed;
    } else if (at < this.#to || (at === this.#to && this.#to === this.#items.length - inserted.length + removed)) {
      const first = Math.max(at, this.#from);
      const gone = Math.min(end, this.#to) - first;
      // Of a change that reaches over what the page has, all goes there.
      void this.#post({ at: first - this.#from, removed: gone, inserted });
      this.#from = Math.min(at, this.#from);
      this.#to = Math.max(this.#to, end) + inserted.length - removed;
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  #postNewer(): PromiseLike<unknown> {
    const at = this.#to - this.#from;
    const inserted = this.#items.slice(this.#to, this.#to + PORTION);
    this.#to += inserted.length;
    return this.#post({ at, removed: 0, inserted });
  }

  #postOlder(): PromiseLike<unknown> {
    const from = Math.max(0, this.#from - PORTION);
    const inserted = this.#items.slice(from, this.#from);
    this.#from = from;
    return this.#post({ at: 0, removed: 0, inserted });
  }
}
