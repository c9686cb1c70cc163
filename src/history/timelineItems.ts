/** The items of a timeline, and the splices that change them. */
import { type Listed, sendTimeOf } from '../service/message.ts';

/** The state of an end of the loaded messages. `end`: the service has nothing beyond it. */
export type Edge = { at: 'open' } | { at: 'loading' } | { at: 'end' } | { at: 'failed'; error: unknown };

/** `key` is unique in the timeline and never changes. */
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

/** Applies a splice to an array of items. */
export function applySplice(items: TimelineItem[], { at, removed, inserted }: Splice): void {
  items.splice(at, removed, ...inserted.slice(0, MAX_ARGUMENTS));
  for (let done = MAX_ARGUMENTS; done < inserted.length; done += MAX_ARGUMENTS) {
    items.splice(at + done, 0, ...inserted.slice(done, done + MAX_ARGUMENTS));
  }
}

/** Combines splices, sorted by index, into one. All indexes are those of the original `items`. */
export function combineSplices(items: readonly TimelineItem[], splices: readonly Splice[]): Splice | undefined {
  const [first, last] = [splices[0], splices.at(-1)];
  if (!first || !last) return undefined;
  let done = first.at;
  const inserted = splices.flatMap((splice) => {
    const unchanged = items.slice(done, splice.at);
    done = splice.at + splice.removed;
    return [...unchanged, ...splice.inserted];
  });
  return { at: first.at, removed: done - first.at, inserted };
}
