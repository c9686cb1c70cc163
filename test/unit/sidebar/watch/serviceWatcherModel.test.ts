import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { WatchEntry } from '../../../../src/sidebar/watch/watchStore.ts';
import { settled } from '../../deferred.ts';
import { BOT, markOf, type Name, pageOf } from './messages.ts';
import { group, MINUTE, World, windowOf } from './watchingWindow.ts';

const IDS = ['a', 'b', 'c'];

type Step =
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
type Other =
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
const withOthers = [
  ...common,
  { weight: 2, arbitrary: fc.record({ ...step('otherSees'), id, which }) },
  {
    weight: 2,
    arbitrary: fc.oneof(fc.record({ ...step('otherUnwatches'), id }), fc.record({ ...step('otherWatches'), id })),
  },
  { weight: 1, arbitrary: fc.record({ ...step('restart') }) },
] satisfies { weight: number; arbitrary: fc.Arbitrary<Step> }[];
const failing = [
  ...common,
  { weight: 3, arbitrary: fc.record({ ...step('storing'), fails: fc.boolean() }) },
] satisfies { weight: number; arbitrary: fc.Arbitrary<Step> }[];
const stepsOf = (steps: { weight: number; arbitrary: fc.Arbitrary<Step> }[]) =>
  fc.array(fc.oneof(...steps), { maxLength: 80, size: 'max' });

/** A model of a watched chat. Messages are numbers in chronological order, negative if they are the bot's own. */
class Chat {
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
    this.mark ??= Math.max(0, ...names.map(Math.abs));
    this.#count();
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

/** Runs a schedule in a window and checks it against the model. */
class Run {
  readonly world = new World();
  readonly #chats = new Map<string, Chat>();
  #window = windowOf(this.world);
  #next = 1;
  #requested = 0;
  #storingFailed = false;
  /** All messages, including deleted ones. */
  readonly #ever: Record<string, number[]> = {};
  /** Messages of others that a poll may have announced. */
  readonly #announceable: Record<string, Set<number>> = {};
  readonly #announced: Record<string, number> = {};

  constructor() {
    for (const id of IDS) {
      this.world.chats[id] = [];
      this.#ever[id] = [];
      this.#announceable[id] = new Set();
      this.#announced[id] = 0;
    }
    this.#window.state.isHeld = true;
  }

  async take(step: Step): Promise<void> {
    const { state, requests } = this.#window;
    const isAllowed = state.isActive || this.#requested > 0 || step.do === 'poll' || step.do === 'watch';
    requests.splice(0);
    await this.#take(step);
    await settled();
    if (!isAllowed && !this.#window.state.isActive) assert.deepEqual(requests, []);
    this.check();
  }

  async #take(step: Step): Promise<void> {
    const { watcher, state, pass, focus } = this.#window;
    switch (step.do) {
      case 'arrive':
        for (let count = 0; count < step.count; count++) {
          const name = this.#next++;
          this.world.chats[step.id]?.push(step.own ? -name : name);
          this.#ever[step.id]?.push(name);
        }
        return;
      case 'delete': {
        const names = this.world.chats[step.id];
        names?.splice(step.which % (names.length + 1), 1);
        return;
      }
      case 'watch': {
        if (!this.#chats.has(step.id)) this.#chats.set(step.id, new Chat());
        return this.#request(watcher.watch(group(step.id), BOT));
      }
      case 'poll':
        return this.#request(watcher.poll(group(step.id)));
      case 'unwatch':
        this.#unwatch(step.id);
        return watcher.unwatch(group(step.id));
      case 'see': {
        const name = this.#pick(step);
        if (name === undefined) return;
        this.#chats.get(step.id)?.see(name);
        return watcher.markSeen(group(step.id), markOf(name));
      }
      case 'answer':
        return this.#answer(step.which, step.how);
      case 'focus':
        return focus(step.isActive);
      case 'pass':
        return pass(step.ms);
      case 'storing':
        state.storeFailure = step.fails ? new Error('disk full') : undefined;
        this.#storingFailed ||= step.fails;
        return;
      case 'restart':
        watcher.dispose();
        for (const read of [...this.#window.reads]) read.reject(new Error('aborted'));
        await settled();
        this.#collect();
        this.#requested = 0;
        for (const [key, { mark }] of this.#chats) this.#chats.set(key, new Chat(mark));
        this.#window = windowOf(this.world);
        this.#window.state.isHeld = true;
        for (const key of IDS) this.#window.painted[key] = this.#window.watcher.state(group(key));
        return this.#window.watcher.wake();
      default:
        this.#other(step);
        watcher.wake();
    }
  }

  /** Another window writes what all windows share. */
  #other(step: Other): void {
    const stored = (this.world.stored ?? []) as WatchEntry[];
    const others = stored.filter(({ id }) => id !== step.id);
    const entry = stored.find(({ id }) => id === step.id) ?? { ...group(step.id), botId: BOT };
    if (step.do === 'otherUnwatches') {
      this.#unwatch(step.id);
      this.world.stored = others;
    } else if (step.do === 'otherWatches') {
      if (!this.#chats.has(step.id)) this.#chats.set(step.id, new Chat());
      this.world.stored = [...others, entry];
    } else {
      const name = this.#pick(step);
      if (name === undefined || !this.#chats.has(step.id)) return;
      this.#chats.get(step.id)?.see(name);
      if (name > (entry.seen?.sendTime ?? -1)) this.world.stored = [...others, { ...entry, seen: markOf(name) }];
    }
  }

  #answer(which: number, how: 'asNow' | 'asThen' | 'failure'): void {
    const { reads } = this.#window;
    const read = reads[which % reads.length];
    if (!read) return;
    const chat = read.signal.aborted ? undefined : this.#chats.get(read.id);
    if (how === 'failure') {
      const error = new Error('no network');
      if (chat) chat.error = error;
      read.reject(error);
      return;
    }
    const names = (how === 'asNow' ? this.world.names(read.id) : read.names) as readonly number[];
    if (chat && chat.mark !== undefined) for (const name of names) if (name > 0) this.#announceable[read.id]?.add(name);
    chat?.answered(names);
    read.resolve(pageOf(...(names as readonly Name[])));
  }

  #pick({ id, which }: { id: string; which: number }): number | undefined {
    const ever = this.#ever[id] ?? [];
    return ever.at(-1 - (which % Math.max(1, ever.length)));
  }

  /** Counts requested polls. They end when their reads are answered. */
  #request(polling: Promise<void>): void {
    this.#requested++;
    void polling.finally(() => {
      this.#requested--;
    });
  }

  /** A chat that is watched again starts over and may announce unseen messages again. */
  #unwatch(id: string): void {
    this.#chats.delete(id);
    this.#announced[id] = 0;
    this.#announceable[id]?.clear();
  }

  #collect(): void {
    for (const announced of this.#window.announced.splice(0)) {
      for (const [id, count] of Object.entries(announced)) {
        assert.ok(count > 0);
        this.#announced[id] = (this.#announced[id] ?? 0) + count;
      }
    }
  }

  check(): void {
    const { watcher, painted, reads, sleeping, state } = this.#window;
    for (const id of IDS) {
      const chat = this.#chats.get(id);
      const shown = watcher.state(group(id));
      const expected = chat && { unread: chat.unread, more: chat.more, botId: BOT, error: chat.error };
      // Errors of saving are tested elsewhere.
      const error = this.#storingFailed ? {} : { error: shown?.error };
      const seen = shown && { ...shown, error: chat?.error, ...error };
      assert.deepEqual(seen, expected, id);
      assert.deepEqual(painted[id], shown, `${id} was not reported`);
      const open = reads.filter((read) => read.id === id && !read.signal.aborted);
      assert.ok(open.length <= (chat ? 1 : 0), `${open.length} polls of ${id}`);
    }
    const chats = [...this.#chats.values()];
    assert.deepEqual(watcher.total(), {
      unread: chats.reduce((sum, { unread }) => sum + unread, 0),
      more: chats.some(({ more }) => more),
    });
    assert.ok(reads.length <= 2, `${reads.length} polls at a time`);
    assert.ok(sleeping() <= (state.isActive && chats.length > 0 ? 1 : 0), `${sleeping()} timers`);
    this.#collect();
    for (const id of IDS)
      assert.ok((this.#announced[id] ?? 0) <= (this.#announceable[id]?.size ?? 0), `announced too often: ${id}`);
  }

  /** Answers all reads and polls every chat: the counts then match the world. */
  async end(): Promise<void> {
    const { state, pass, focus, reads } = this.#window;
    state.storeFailure = undefined;
    await focus(true);
    for (let round = 0; round < 4; round++) {
      while (reads.length > 0) await this.take({ do: 'answer', which: 0, how: 'asNow' });
      await pass(16 * MINUTE);
    }
    while (reads.length > 0) await this.take({ do: 'answer', which: 0, how: 'asNow' });
    assert.equal(this.#requested, 0);
    for (const [id, chat] of this.#chats) {
      const expected = this.world.names(id).filter((name) => Number(name) > (chat.mark ?? 0)).length;
      assert.ok(
        chat.unread === expected || (chat.more && chat.unread > expected),
        `${id}: ${chat.unread}, not ${expected}`,
      );
      assert.equal(this.#window.watcher.state(group(id))?.error, undefined);
    }
    this.#window.watcher.dispose();
  }
}

describe('Watching chats, in any order of events', () => {
  for (const [where, steps] of [
    ['with other windows and restarts', stepsOf(withOthers)],
    ['while saving sometimes fails', stepsOf(failing)],
  ] as const) {
    it(`counts the messages after the mark, ${where}`, () =>
      fc.assert(
        fc.asyncProperty(steps, async (schedule) => {
          const run = new Run();
          for (const one of schedule) await run.take(one);
          await run.end();
        }),
      ));
  }
});
