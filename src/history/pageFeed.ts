/** Gives a page the items of a timeline: those around what is read first, the others after them in small portions. */
import type { Splice, TimelineItem } from './timeline.ts';

/** How many items go to the page at once. */
const PORTION = 200;

export class PageFeed {
  readonly #items: readonly TimelineItem[];
  readonly #post: (splice: Splice) => PromiseLike<unknown>;
  /** What the page has of the items. */
  #start = 0;
  #end = 0;
  #isStopped = false;

  /** `items` is the timeline's own list, which changes; `post` resolves when the page has got it. */
  constructor(items: readonly TimelineItem[], post: (splice: Splice) => PromiseLike<unknown>) {
    this.#items = items;
    this.#post = post;
  }

  /** The page has all that is loaded before what it shows. */
  get hasOldest(): boolean {
    return this.#start === 0;
  }

  /** Resolves when the page has all items; those around the one at `reading` are there first. */
  async run(reading: number): Promise<void> {
    this.#start = Math.max(0, Math.min(reading - PORTION / 2, this.#items.length - PORTION));
    this.#end = Math.min(this.#items.length, this.#start + PORTION);
    await this.#post({ at: 0, removed: 0, inserted: this.#items.slice(this.#start, this.#end) });
    while (!this.#isStopped && (this.#end < this.#items.length || this.#start > 0)) {
      // The newer ones first: they are fewer, mostly.
      await (this.#end < this.#items.length ? this.#postNewer() : this.#postOlder());
    }
  }

  /** The timeline has changed like this: the page is told what concerns what it has. */
  change({ at, removed, inserted }: Splice): void {
    const end = at + removed;
    if (end < this.#start || (end === this.#start && this.#start > 0)) {
      this.#start += inserted.length - removed;
      this.#end += inserted.length - removed;
    } else if (at < this.#end || (at === this.#end && this.#end === this.#items.length - inserted.length + removed)) {
      const first = Math.max(at, this.#start);
      const gone = Math.min(end, this.#end) - first;
      // Of a change that reaches over what the page has, all goes there.
      void this.#post({ at: first - this.#start, removed: gone, inserted });
      this.#start = Math.min(at, this.#start);
      this.#end = Math.max(this.#end, end) + inserted.length - removed;
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  #postNewer(): PromiseLike<unknown> {
    const at = this.#end - this.#start;
    const inserted = this.#items.slice(this.#end, this.#end + PORTION);
    this.#end += inserted.length;
    return this.#post({ at, removed: 0, inserted });
  }

  #postOlder(): PromiseLike<unknown> {
    const from = Math.max(0, this.#start - PORTION);
    const inserted = this.#items.slice(from, this.#start);
    this.#start = from;
    return this.#post({ at: 0, removed: 0, inserted });
  }
}
