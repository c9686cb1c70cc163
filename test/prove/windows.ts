/** Two windows that act on one delivery at once, each of which may stall at any of its steps. */
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { planBatches } from '../../src/outbox/batches.ts';
import { DeliveryStore } from '../../src/outbox/deliveryStore.ts';
import { Outbox, type Sender } from '../../src/outbox/outbox.ts';
import type { DurableFiles } from '../../src/platform/durableFiles.ts';
import { type Answers, deliveryOf, everyone, failing, groups, refused } from '../unit/outbox/testDeliveries.ts';
import { memoryFiles } from './memoryFiles.ts';
import { count, type Effort, type Proof, search } from './proof.ts';

const ID = '000000000000001-delivery';
/** Longer than any window may be silent without being taken for dead (milliseconds). */
const STALL = 60_000;

/** What a person does in a window. */
const ACTIONS = {
  resume: (outbox, sender) => outbox.resume(ID, sender),
  async resend(outbox, sender, risk) {
    const unreached = await outbox.unreached(ID);
    if (unreached.recipients.length === 0) return;
    // The question names them: whoever sends to them nevertheless may send to them twice.
    for (const { id } of unreached.uncertain) risk(id);
    const delivery = deliveryOf(planBatches(unreached.recipients, 1), {
      id: outbox.newId(),
      resends: unreached.lastId,
    });
    await outbox.resend(delivery, unreached, sender);
  },
  async forget(outbox) {
    await outbox.remove(ID);
  },
} satisfies Record<string, (outbox: Outbox, sender: Sender, risk: (id: string) => void) => Promise<unknown>>;
type Action = keyof typeof ACTIONS;

/** One thing that goes on, step by step, each when it is let. */
class Window {
  steps = 0;
  isOver = false;
  /** What it is about to do, several things at once. */
  readonly #waiting: (() => void)[] = [];

  /** Every file that is touched and every call is a step of its own. */
  constructor(act: (turn: () => Promise<void>) => Promise<unknown>) {
    const turn = () =>
      new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    void act(turn)
      // What a window may be told is part of its work; what it sends is what counts.
      .catch(() => {})
      .finally(() => {
        this.isOver = true;
      });
  }

  /** Lets it take so many steps, or fewer where it is over before. */
  async run(steps = Number.POSITIVE_INFINITY): Promise<void> {
    await this.#rest();
    for (let left = steps; left > 0 && !this.isOver; left--) {
      this.steps++;
      this.#waiting.shift()?.();
      await this.#rest();
    }
  }

  /** Lets it work until it is about to touch something. */
  async #rest(): Promise<void> {
    do await setImmediate();
    while (this.#waiting.length === 0 && !this.isOver);
  }
}

/** What two windows do, and where they stall: the first after so many steps, then the other, then the first again. */
interface Course {
  actions: readonly [Action, Action];
  stalls: readonly number[];
}

/** Plays it, and asserts that nobody gets the message twice, and that everybody has it in the end. */
async function play({ actions, stalls }: Course): Promise<{ steps: number[] }> {
  let now = STALL;
  const shared = memoryFiles();
  const copies = new Map<string, number>();
  /** Who may have got it when a person sent to them again, knowing that. */
  const risked = new Set<string>();
  const risk = (id: string) => void risked.add(id);
  const reach: Answers = (batch, abort) => {
    for (const { id } of batch.recipients) copies.set(id, (copies.get(id) ?? 0) + 1);
    return everyone(batch, abort);
  };
  const openIn = (turn: () => Promise<void>) => {
    const stepwise = Object.fromEntries(
      Object.entries(shared).map(([name, method]) => [
        name,
        async (...given: [string, string]) => {
          await turn();
          return method(...given);
        },
      ]),
    ) as unknown as DurableFiles;
    return new Outbox(new DeliveryStore(stepwise, () => now));
  };
  const senderIn = (turn: () => Promise<void>, answers: Answers = reach): Sender => ({
    token: 't',
    async send(batch, { before }) {
      await before();
      await turn();
      return answers(batch, () => {}).finally(turn);
    },
  });
  const atOnce = async () => {};

  // Of one it is unknown who got it, one was refused, and one was not sent to.
  const first = openIn(atOnce);
  const answers = [
    failing({ kind: 'timedOut', after: 1 }),
    refused(-1),
    failing({ kind: 'unreachable', reason: 'ENOTFOUND' }),
  ];
  const script: Answers = (...call) => (answers.shift() ?? assert.fail())(...call);
  await first.start(deliveryOf(planBatches(groups(...'abc'), 1), { id: ID }), senderIn(atOnce, script));

  const windows = actions.map((action) => new Window((turn) => ACTIONS[action](openIn(turn), senderIn(turn), risk)));
  for (const [at, steps] of stalls.entries()) {
    await windows[at % 2]?.run(steps);
    now += STALL;
  }
  for (const window of windows) {
    await window.run();
    now += STALL;
  }
  const twice = [...copies].filter(([id, count]) => count > 1 && !risked.has(id));
  assert.deepEqual(twice, [], `twice by ${actions} with stalls after ${stalls}`);

  if (!actions.includes('forget')) {
    // What was not settled between the two is settled by one.
    const last = openIn(atOnce);
    for (let again = 0; again < 3; again++) await ACTIONS.resend(last, senderIn(atOnce), risk);
    assert.deepEqual([...copies.keys()].toSorted(), ['a', 'b', 'c'], `lost by ${actions} with stalls after ${stalls}`);
  }
  return { steps: windows.map(({ steps }) => steps) };
}

/** Every pair of actions; the first stalls after each of its steps, then the other after each of its own. */
async function playAll(): Promise<number> {
  let courses = 0;
  const names = Object.keys(ACTIONS) as Action[];
  for (const actions of names.flatMap((one) => names.map((other) => [one, other] as const))) {
    const [first = 0, second = 0] = (await play({ actions, stalls: [] })).steps;
    for (let one = 0; one <= first; one++) {
      for (let other = 0; other <= second; other++, courses++) await play({ actions, stalls: [one, other] });
    }
  }
  return courses;
}

const action = fc.constantFrom(...(Object.keys(ACTIONS) as Action[]));
const courses = fc.record({
  actions: fc.tuple(action, action),
  stalls: fc.array(fc.nat({ max: 12 }), { minLength: 3, maxLength: 8 }),
});

async function run(effort: Effort): Promise<string[]> {
  let exhaustive = 0;
  const properties = {
    'nobody gets it twice, and nobody is lost, whoever stalls once': fc.asyncProperty(fc.constant('once'), async () => {
      exhaustive ||= await playAll();
    }),
    'nobody gets it twice, and nobody is lost, however often both stall': fc.asyncProperty(courses, async (course) => {
      await play(course);
    }),
  };
  const { found, cases } = await search({ name, properties, runsPerRound: 500 }, effort);
  effort.tally('interleavings', exhaustive + cases);
  const result = found.length === 0 ? '0 doubled, 0 lost' : `${found.length} found`;
  effort.report(`${name}: ${count(exhaustive + cases, 'interleavings')}, ${result}`);
  return found;
}

const name = 'windows';
export const windows: Proof = { name, run };
