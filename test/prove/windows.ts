/** Two windows that act on one delivery at the same time. Each may stall at any step. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { DeliveryStore } from '../../src/outbox/deliveryStore.ts';
import { Outbox, type Sender } from '../../src/outbox/outbox.ts';
import {
  type Answers,
  deliveryOf,
  everyone,
  failing,
  groups,
  planBatches,
  refused,
} from '../unit/outbox/testDeliveries.ts';
import { delayedFiles, memoryFiles } from './memoryFiles.ts';
import { count, type Effort, type Proof, search } from './proof.ts';

const ID = '000000000000001-delivery';
/** Longer than the heartbeat timeout (milliseconds). */
const STALL = 60_000;

/** What the user can do in a window. */
const ACTIONS = {
  resume: (outbox, sender) => outbox.resume(ID, sender),
  async resend(outbox, sender, risk) {
    const unreached = await outbox.unreached(ID);
    if (unreached.recipients.length === 0) return;
    // The confirmation warns about them: the user accepts that they may get the message twice.
    for (const { id } of unreached.uncertain) risk(id);
    const delivery = deliveryOf(planBatches(unreached.recipients, 1), {
      id: outbox.newId(),
      resends: unreached.lastId,
    });
    await outbox.resend(delivery, unreached, sender);
  },
  async remove(outbox) {
    await outbox.remove(ID);
  },
} satisfies Record<string, (outbox: Outbox, sender: Sender, risk: (id: string) => void) => Promise<unknown>>;
type Action = keyof typeof ACTIONS;

/** An action that runs step by step, under the control of the test. */
class Window {
  steps = 0;
  isDone = false;
  /** Resolvers of the next steps; there can be several at once. */
  readonly #pending: (() => void)[] = [];

  /** Every file operation and every call is a step. */
  constructor(act: (turn: () => Promise<void>) => Promise<unknown>) {
    const turn = () =>
      new Promise<void>((resolve) => {
        this.#pending.push(resolve);
      });
    void act(turn)
      // Errors are expected; only what was sent counts.
      .catch(() => {})
      .finally(() => {
        this.isDone = true;
      });
  }

  /** Runs this many steps, or until the action is done. */
  async run(steps = Number.POSITIVE_INFINITY): Promise<void> {
    await this.#settle();
    for (let left = steps; left > 0 && !this.isDone; left--) {
      this.steps++;
      this.#pending.shift()?.();
      await this.#settle();
    }
  }

  /** Waits until the next step is pending, or the action is done. */
  async #settle(): Promise<void> {
    do await setImmediate();
    while (this.#pending.length === 0 && !this.isDone);
  }
}

/** The actions of two windows, and the number of steps after which they take turns in stalling. */
interface Schedule {
  actions: readonly [Action, Action];
  stalls: readonly number[];
}

/** Runs a schedule and asserts that no recipient gets the message twice and that all have it in the end. */
async function runSchedule({ actions, stalls }: Schedule): Promise<{ steps: number[] }> {
  let now = STALL;
  const files = memoryFiles();
  const copies = new Map<string, number>();
  /** Recipients that were resent to although they may already have the message. */
  const risked = new Set<string>();
  const risk = (id: string) => void risked.add(id);
  const countCopies: Answers = (batch, abort) => {
    for (const { id } of batch.recipients) copies.set(id, (copies.get(id) ?? 0) + 1);
    return everyone(batch, abort);
  };
  const openIn = (turn: () => Promise<void>) => new Outbox(new DeliveryStore(delayedFiles(files, turn), () => now));
  const senderIn = (turn: () => Promise<void>, answers: Answers = countCopies): Sender => ({
    token: 't',
    async send(batch, { before }) {
      await before();
      await turn();
      return answers(batch, () => {}).finally(turn);
    },
  });
  const immediately = async () => {};

  // One recipient is unknown, one was refused, and one was not sent to.
  const first = openIn(immediately);
  const answers = [
    failing({ kind: 'timedOut', after: 1 }),
    refused(-1),
    failing({ kind: 'unreachable', reason: 'ENOTFOUND' }),
  ];
  const script: Answers = (...call) => (answers.shift() ?? assert.fail())(...call);
  await first.start(deliveryOf(planBatches(groups(...'abc'), 1), { id: ID }), senderIn(immediately, script));

  const windows = actions.map((action) => new Window((turn) => ACTIONS[action](openIn(turn), senderIn(turn), risk)));
  for (const [index, steps] of stalls.entries()) {
    await windows[index % 2]?.run(steps);
    now += STALL;
  }
  for (const window of windows) {
    await window.run();
    now += STALL;
  }
  const twice = [...copies].filter(([id, count]) => count > 1 && !risked.has(id));
  assert.deepEqual(twice, [], `twice by ${actions} with stalls after ${stalls}`);

  if (!actions.includes('remove')) {
    // A third window finishes what the two have left.
    const last = openIn(immediately);
    for (let round = 0; round < 3; round++) await ACTIONS.resend(last, senderIn(immediately), risk);
    assert.deepEqual([...copies.keys()].toSorted(), ['a', 'b', 'c'], `lost by ${actions} with stalls after ${stalls}`);
  }
  return { steps: windows.map(({ steps }) => steps) };
}

/** Every pair of actions, with a stall after every step of the first and of the second one. */
async function runAllPairs(): Promise<number> {
  let schedules = 0;
  const names = Object.keys(ACTIONS) as Action[];
  for (const actions of names.flatMap((one) => names.map((other) => [one, other] as const))) {
    const [first = 0, second = 0] = (await runSchedule({ actions, stalls: [] })).steps;
    for (let one = 0; one <= first; one++) {
      for (let other = 0; other <= second; other++, schedules++) await runSchedule({ actions, stalls: [one, other] });
    }
  }
  return schedules;
}

const action = fc.constantFrom(...(Object.keys(ACTIONS) as Action[]));
const schedules = fc.record({
  actions: fc.tuple(action, action),
  stalls: fc.array(fc.nat({ max: 12 }), { minLength: 3, maxLength: 8 }),
});

async function run(effort: Effort): Promise<string[]> {
  let exhaustive = 0;
  const properties = {
    'no recipient gets the message twice or is lost, wherever each window stalls once': fc.asyncProperty(
      fc.constant('once'),
      async () => {
        exhaustive ||= await runAllPairs();
      },
    ),
    'no recipient gets the message twice or is lost, however often both windows stall': fc.asyncProperty(
      schedules,
      async (schedule) => {
        await runSchedule(schedule);
      },
    ),
  };
  const { found, cases } = await search({ name, properties, runsPerRound: 500 }, effort);
  effort.tally('interleavings', exhaustive + cases);
  const result = found.length === 0 ? '0 doubles, 0 lost' : `${found.length} found`;
  effort.report(`${name}: ${count(exhaustive + cases, 'interleavings')}, ${result}`);
  return found;
}

const name = 'windows';
export const windows: Proof = { name, run };
