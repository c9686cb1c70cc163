/** What a timeline consists of, and how it changes. */
import type { Listed } from '../service/message.ts';

/** What lies beyond an end of what is loaded. `end` means that the service has nothing more there. */
export type Edge = { at: 'open' } | { at: 'loading' } | { at: 'end' } | { at: 'failed'; error: unknown };

/** `key` tells an entry from all others of its timeline, and stays. */
export type EntryItem = { readonly type: 'entry'; readonly key: string; readonly entry: Listed };

/** Messages between two loaded parts that are not loaded. `id` stays, `edge` changes by way of a new item. */
export type Gap = { readonly type: 'gap'; readonly id: number; readonly edge: Edge };

export type TimelineItem = EntryItem | Gap;

/** `removed` items at index `at` give way to `inserted`. */
export interface Splice {
  readonly at: number;
  readonly removed: number;
  readonly inserted: readonly TimelineItem[];
}

/** How many items go through one call of `Array.splice`: arguments are put on the stack. */
const MAX_ARGUMENTS = 1000;

/** Does to items what a splice says. */
export function applySplice(items: TimelineItem[], { at, removed, inserted }: Splice): void {
  items.splice(at, removed, ...inserted.slice(0, MAX_ARGUMENTS));
  for (let done = MAX_ARGUMENTS; done < inserted.length; done += MAX_ARGUMENTS) {
    items.splice(at + done, 0, ...inserted.slice(done, done + MAX_ARGUMENTS));
  }
}

/** One splice that does what several do, which stand in the order of their places; those are places of `items`. */
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
