/** The items of a timeline, and the splices that change them. */
import { type Listed, sendTimeOf } from '../../service/message.ts';

/** The state of an end of the loaded messages. `end`: the service has nothing beyond it. */
export type Edge = { at: 'open' } | { at: 'loading' } | { at: 'end' } | { at: 'failed'; error: unknown };

/** A message. `key` is unique in the timeline and never changes. */
export type EntryItem = { readonly type: 'entry'; readonly key: string; readonly entry: Listed };

/** Missing messages between two loaded segments. `id` never changes; a new `edge` comes with a new item. */
export type Gap = { readonly type: 'gap'; readonly id: number; readonly edge: Edge };

export type TimelineItem = EntryItem | Gap;

/** When the message of an item was sent (Unix ms), if known. */
export const timeOf = (item: TimelineItem | undefined) => (item?.type === 'entry' ? sendTimeOf(item.entry) : undefined);

/** Replaces `removed` items at index `at` with `inserted`. */
export interface Splice {
  readonly at: number;
  readonly removed: number;
  readonly inserted: readonly TimelineItem[];
}

/** Maximum number of items per `Array.splice` call: arguments are passed on the stack. */
const MAX_ARGUMENTS = 1000;

/** Changes an array of items, and knows the one splice that all changes come to. */
export class SpliceRecorder {
  readonly #items: TimelineItem[];
  /** The change since the last {@link take}: `inserted` items are at `at` in place of `removed` others. */
  #changed: { at: number; removed: number; inserted: number } | undefined;

  constructor(items: TimelineItem[]) {
    this.#items = items;
  }

  apply({ at, removed, inserted }: Splice): void {
    if (removed + inserted.length === 0) return;
    this.#items.splice(at, removed, ...inserted.slice(0, MAX_ARGUMENTS));
    for (let done = MAX_ARGUMENTS; done < inserted.length; done += MAX_ARGUMENTS) {
      this.#items.splice(at + done, 0, ...inserted.slice(done, done + MAX_ARGUMENTS));
    }
    const earlier = this.#changed ?? { at, removed: 0, inserted: 0 };
    const start = Math.min(earlier.at, at);
    const end = Math.max(earlier.at + earlier.inserted, at + removed);
    this.#changed = {
      at: start,
      removed: end - start - earlier.inserted + earlier.removed,
      inserted: end - start - removed + inserted.length,
    };
  }

  /** The changes since the last call; undefined if there were none. */
  take(): Splice | undefined {
    if (!this.#changed) return undefined;
    const { at, removed, inserted } = this.#changed;
    this.#changed = undefined;
    return { at, removed, inserted: this.#items.slice(at, at + inserted) };
  }
}
