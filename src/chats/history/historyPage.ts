/**
 * The page of a history: posts messages to it in order, and keeps it in sync with the timeline, first the items around the
 * reading position, then the others in portions.
 */
import type { WebviewPage } from '../../platform/webviewPage.ts';
import type { PageItem, ToPage } from '../../protocol/history.ts';
import { isSentBy } from '../../service/message.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { edgeView, itemView } from './itemViews.ts';
import type { Timeline } from './timeline.ts';
import type { Splice, TimelineItem } from './timelineItems.ts';

/** How many items are posted at once. */
const PORTION = 200;

/** Maximum length of a message (UTF-16 units of JSON), unless a single item is longer. */
const MAX_LENGTH = 2 ** 18;

type SpliceMessage = Extract<ToPage, { type: 'splice' }>;

export class HistoryPage {
  readonly #timeline: Timeline;
  readonly #page: WebviewPage<ToPage>;
  readonly #botId: string;
  readonly #queue: PostQueue;
  /** What the page has; undefined until the page is ready. */
  #feed: PageFeed | undefined;
  /** The item that was last when the page was told; items after it have arrived since. */
  #newest: TimelineItem | undefined;
  /** Whether the chat is archived; undefined until that's known. */
  #isArchived: boolean | undefined;

  /** `botId` is the bot that reads the chat: its own messages aren't new. */
  constructor(timeline: Timeline, page: WebviewPage<ToPage>, botId: string) {
    this.#timeline = timeline;
    this.#botId = botId;
    this.#page = page;
    this.#queue = new PostQueue((message) => page.post(message));
  }

  post(message: ToPage): void {
    void this.#queue.post([message]);
  }

  /** Posts something that needs all items as soon as the page has them: it may be hidden, or still loading. */
  ask(message: Extract<ToPage, { type: 'show' | 'find' }>): void {
    this.#page.onceFilled(message.type, () => this.post(message));
  }

  /** Tells the page, now and whenever it's filled, whether the chat is archived. */
  setArchived(is: boolean): void {
    if (is === this.#isArchived) return;
    this.#isArchived = is;
    this.#postArchived();
  }

  #postArchived(): void {
    if (this.#isArchived !== undefined) this.post({ type: 'archived', is: this.#isArchived });
  }

  /** Posts all items to an empty page, those around the item `reading` first. Resolves when the page has them. */
  async fill(reading: string | undefined): Promise<void> {
    this.#postArchived();
    const { items } = this.#timeline;
    const feed: PageFeed = new PageFeed(items, (splice) =>
      this.#queue.post(portionsOf(splice, itemView), () => this.#feed === feed),
    );
    this.#feed = feed;
    const index = items.findIndex((item) => item.type === 'entry' && item.key === reading);
    await feed.run(index < 0 ? items.length : index);
    this.postEdges();
  }

  /** Posts a change of the timeline. */
  change(splice: Splice): void {
    this.#feed?.change(splice);
    const { items } = this.#timeline;
    const last = this.#newest ? items.lastIndexOf(this.#newest) : -1;
    // Messages after one that was gone to aren't new.
    this.#newest = this.#timeline.hasNewest ? items.at(-1) : undefined;
    if (last < 0 || last === items.length - 1 || !this.#feed) return;
    const count = items.slice(last + 1).filter((item) => this.#isNew(item)).length;
    if (count > 0) this.post({ type: 'arrived', count });
  }

  #isNew(item: TimelineItem): boolean {
    return item.type === 'entry' && !(item.entry.readable && isSentBy(item.entry.message, this.#botId));
  }

  postEdges(): void {
    const { older, newer } = this.#timeline;
    // Loaded items that the page doesn't have yet come before the edge.
    const olderView = this.#feed?.hasOldest === false ? { at: 'loading' as const } : edgeView(older);
    this.post({ type: 'edges', older: olderView, newer: edgeView(newer) });
  }

  /** The page is gone: nothing is synced until the next one is ready and filled. */
  reset(): void {
    this.#feed?.stop();
    this.#feed = undefined;
  }
}

/** Posts the items of a timeline: first those around the reading position, then the others in portions. */
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

/** Posts messages in order. Long lists are split, since VS Code serializes each message as one string. */
export class PostQueue {
  readonly #send: (message: ToPage) => PromiseLike<unknown>;
  /** Resolves when all messages so far have been sent; undefined if nothing is pending. */
  #last: Promise<unknown> | undefined;

  /** `send` resolves when the page has received a message. */
  constructor(send: (message: ToPage) => PromiseLike<unknown>) {
    this.#send = send;
  }

  /**
   * Sends messages after those posted before, each as it is created. Stops as soon as `isWanted` returns false. Resolves
   * when the page has received them.
   */
  async post(messages: Iterable<ToPage>, isWanted: () => boolean = () => true): Promise<void> {
    const send = async () => {
      const slices = new TimeSlices();
      const received: PromiseLike<unknown>[] = [];
      for (const message of messages) {
        if (!isWanted()) break;
        received.push(this.#send(message));
        // A pause comes only after a message, so that the first one is sent at once, however slow the machine is.
        if (slices.isOver) await slices.pause();
      }
      // The promise is wrapped, so that it isn't awaited here: a hidden page receives nothing.
      return { received };
    };
    const sent = this.#last ? this.#last.then(send) : send();
    this.#last = sent;
    const { received } = await sent;
    if (this.#last === sent) this.#last = undefined;
    await Promise.all(received);
  }
}

/** Splits a splice into several short ones, each created on demand. */
export function* portionsOf<T>(
  { at, removed, inserted }: { at: number; removed: number; inserted: readonly T[] },
  view: (one: T) => PageItem,
): Generator<SpliceMessage> {
  let portion: SpliceMessage = { type: 'splice', at, removed, items: [] };
  let size = 0;
  for (const one of inserted) {
    const item = view(one);
    const length = JSON.stringify(item).length;
    if (size > 0 && size + length > MAX_LENGTH) {
      yield portion;
      portion = { type: 'splice', at: portion.at + portion.items.length, removed: 0, items: [] };
      size = 0;
    }
    portion.items.push(item);
    size += length;
  }
  yield portion;
}
