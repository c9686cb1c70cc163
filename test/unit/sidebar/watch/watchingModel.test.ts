import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { WatchEntry } from '../../../../src/sidebar/watch/chatWatch.ts';
import { settled } from '../../deferred.ts';
import { BOT, markOf, type Name, pageOf } from './messages.ts';
import { Chat, failing, IDS, type Other, type Step, stepsOf, withOthers } from './watchingModel.ts';
import { group, MINUTE, World, windowOf } from './watchingWindow.ts';

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
      if (chat && !read.isFurther) chat.error = error;
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
