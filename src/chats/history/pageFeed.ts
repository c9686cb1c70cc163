/** Posts the items of a timeline to a page: first those around the reading position, then the others in portions. */
import type { Splice, TimelineItem } from './timelineItems.ts';

/** How many items are posted at once. */
const PORTION = 200;

export class PageFeed {
  readonly #items: readonly TimelineItem[];
  readonly #post: (splice: Splice) => PromiseLike<unknown>;
  /** The range of items that the page has. */
  #start = 0;
  #end = 0;
  #isStopped = false;

  /** `items` is the timeline's live array; `post` resolves when the page has received the splice. */
  constructor(items: readonly TimelineItem[], post: (splice: Splice) => PromiseLike<unknown>) {
    this.#items = items;
    this.#post = post;
  }

  /** Whether the page has the oldest loaded item. */
  get hasOldest(): boolean {
    return this.#start === 0;
  }

  /** Posts all items, those around index `reading` first. Resolves when the page has them, or `stop` is called. */
  async run(reading: number): Promise<void> {
    this.#start = Math.max(0, Math.min(reading - PORTION / 2, this.#items.length - PORTION));
    this.#end = Math.min(this.#items.length, this.#start + PORTION);
    await this.#post({ at: 0, removed: 0, inserted: this.#items.slice(this.#start, this.#end) });
    while (!this.#isStopped && (this.#end < this.#items.length || this.#start > 0)) {
      // Newer items first: there are usually fewer of them.
      await (this.#end < this.#items.length ? this.#postNewer() : this.#postOlder());
    }
  }

  /** Posts a change of the timeline as far as it concerns the items that the page has. */
  change({ at, removed, inserted }: Splice): void {
    const end = at + removed;
    if (end < this.#start || (end === this.#start && this.#start > 0)) {
      this.#start += inserted.length - removed;
      this.#end += inserted.length - removed;
    } else if (at < this.#end || (at === this.#end && this.#end === this.#items.length - inserted.length + removed)) {
      const first = Math.max(at, this.#start);
      const gone = Math.min(end, this.#end) - first;
      // If a change extends beyond the range of the page, post all of it.
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
