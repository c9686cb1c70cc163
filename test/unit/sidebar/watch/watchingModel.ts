import fc from 'fast-check';
import { MINUTE } from './watchingWindow.ts';

export const IDS = ['a', 'b', 'c'];

/** What happens in a window that watches chats, and around it. */
export type Step =
  | { do: 'watch'; id: string }
  | { do: 'poll'; id: string }
  | { do: 'unwatch'; id: string }
  | { do: 'arrive'; id: string; count: number; own: boolean }
  | { do: 'delete'; id: string; which: number }
  | { do: 'see'; id: string; which: number }
  | { do: 'answer'; which: number; how: 'asNow' | 'asThen' | 'failure' }
  | { do: 'focus'; isActive: boolean }
  | { do: 'pass'; ms: number }
  | { do: 'storing'; fails: boolean }
  | { do: 'restart' }
  | Other;
/** What another window does. */
export type Other =
  | { do: 'otherSees'; id: string; which: number }
  | { do: 'otherUnwatches'; id: string }
  | { do: 'otherWatches'; id: string };

const id = fc.constantFrom(...IDS);
const which = fc.nat();
const step = <const T extends string>(name: T) => ({ do: fc.constant(name) });
const common = [
  { weight: 6, arbitrary: fc.oneof(fc.record({ ...step('watch'), id }), fc.record({ ...step('poll'), id })) },
  { weight: 1, arbitrary: fc.record({ ...step('unwatch'), id }) },
  {
    weight: 8,
    arbitrary: fc.record({ ...step('arrive'), id, count: fc.constantFrom(1, 1, 2, 3, 49, 60), own: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ ...step('delete'), id, which }) },
  { weight: 4, arbitrary: fc.record({ ...step('see'), id, which }) },
  {
    weight: 12,
    arbitrary: fc.record({
      ...step('answer'),
      which,
      how: fc.constantFrom('asNow' as const, 'asNow', 'asThen', 'asThen', 'failure'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ ...step('focus'), isActive: fc.boolean() }) },
  {
    weight: 6,
    arbitrary: fc.record({ ...step('pass'), ms: fc.constantFrom(1, MINUTE - 1, MINUTE, 4 * MINUTE, 16 * MINUTE) }),
  },
] satisfies { weight: number; arbitrary: fc.Arbitrary<Step> }[];
export const withOthers = [
  ...common,
  { weight: 2, arbitrary: fc.record({ ...step('otherSees'), id, which }) },
  {
    weight: 2,
    arbitrary: fc.oneof(fc.record({ ...step('otherUnwatches'), id }), fc.record({ ...step('otherWatches'), id })),
  },
  { weight: 1, arbitrary: fc.record({ ...step('restart') }) },
] satisfies { weight: number; arbitrary: fc.Arbitrary<Step> }[];
export const failing = [
  ...common,
  { weight: 3, arbitrary: fc.record({ ...step('storing'), fails: fc.boolean() }) },
] satisfies { weight: number; arbitrary: fc.Arbitrary<Step> }[];
export const stepsOf = (steps: { weight: number; arbitrary: fc.Arbitrary<Step> }[]) =>
  fc.array(fc.oneof(...steps), { maxLength: 80, size: 'max' });

/** A model of a watched chat. Messages are numbers in chronological order, negative if they are the bot's own. */
export class Chat {
  /** Undefined before the first poll, 0 for an empty chat. */
  mark: number | undefined;
  page: readonly number[] = [];
  error: unknown;
  /** The largest count since the mark was set. */
  #known = 0;

  constructor(mark?: number) {
    this.mark = mark;
  }

  see(name: number): void {
    if (this.mark !== undefined && name <= this.mark) return;
    this.mark = name;
    this.#known = 0;
    this.#count();
  }

  answered(names: readonly number[]): void {
    this.page = names;
    this.error = undefined;
    const newest = Math.max(0, ...names.map(Math.abs));
    this.mark ??= newest;
    this.#count();
    // Those of the bot needn't be seen.
    if (this.#known === 0 && !this.more) this.see(newest);
  }

  get more(): boolean {
    const { page, mark } = this;
    if (mark === 0) return page.length === 50;
    return mark !== undefined && page.length > 0 && page.every((name) => Math.abs(name) > mark);
  }

  get unread(): number {
    return this.#known;
  }

  #count(): void {
    const { page, mark } = this;
    const count = mark === undefined ? 0 : page.filter((name) => name > mark).length;
    this.#known = this.more ? Math.max(this.#known, count) : count;
  }
}
