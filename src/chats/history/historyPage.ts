/** The page of a history panel: posts messages to it, and keeps it in sync with the timeline. */
import type { WebviewPage } from '../../platform/webviewPage.ts';
import type { ToPage } from '../../protocol/history.ts';
import { isSentBy } from '../../service/message.ts';
import { edgeView, itemView } from './itemViews.ts';
import { PageFeed } from './pageFeed.ts';
import { PostQueue, portionsOf } from './postQueue.ts';
import type { Timeline } from './timeline.ts';
import type { Splice, TimelineItem } from './timelineItems.ts';

export class HistoryPage {
  readonly #timeline: Timeline;
  readonly #page: WebviewPage<ToPage>;
  readonly #botId: string;
  readonly #queue: PostQueue;
  /** Undefined until the page is ready. */
  #feed: PageFeed | undefined;
  /** The last item of the timeline; those after it have arrived since. */
  #newest: TimelineItem | undefined;
  /** Undefined until it's known. */
  #isArchived: boolean | undefined;

  /** `botId` is the bot that reads the chat: what it sent itself isn't new. */
  constructor(timeline: Timeline, page: WebviewPage<ToPage>, botId: string) {
    this.#timeline = timeline;
    this.#botId = botId;
    this.#page = page;
    this.#queue = new PostQueue((message) => page.post(message));
  }

  post(message: ToPage): void {
    void this.#queue.post([message]);
  }

  /** Posts what needs all items, as soon as a page has them: it may be hidden, or still be loading. */
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
    // What follows a message that was gone to isn't new.
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
