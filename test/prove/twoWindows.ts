/** Two windows that act on one delivery at the same time. Each may stall at any step. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DeliveryMessages } from '../../src/deliveries/outbox/deliveryMessages.ts';
import type { Sender } from '../../src/deliveries/outbox/deliveryRunner.ts';
import { DeliveryStore } from '../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../src/deliveries/outbox/outbox.ts';
import type { Delivery } from '../../src/deliveries/outbox/record.ts';
import type { DurableFiles } from '../../src/platform/durableFiles.ts';
import { clockAt } from '../unit/clocks.ts';
import {
  type Answers,
  deliveryOf,
  everyone,
  failing,
  groups,
  planBatches,
  refused,
} from '../unit/deliveries/outbox/testDeliveries.ts';
import { type Letter, letterDelivery, letterFor, letters, resend } from './letters.ts';
import { memoryFiles } from './memoryDisk.ts';
import { count, type Effort, type Proof, search, strideOf } from './proof.ts';
import { aroundFiles, SteppedWindow, type Turn } from './steps.ts';

const ID = '000000000000001-delivery';
/** Longer than the heartbeat timeout (milliseconds). */
const STALL = 60_000;

interface User {
  /** The delivery, as it was stored. */
  stored: Delivery;
  senderOf(delivery: Delivery): Sender;
  /** Called with those who may get the message twice. */
  risk(id: string): void;
}

/** What the user can do in a window. */
const ACTIONS = {
  resume: (outbox, { stored, senderOf }) => outbox.resume(ID, senderOf(stored)),
  resend: (outbox, { stored, senderOf, risk }) =>
    resend(outbox, stored, 1, senderOf, ({ uncertain }) => {
      // The confirmation warns about them: the user accepts that they may get the message twice.
      for (const { id } of uncertain) risk(id);
    }),
  remove: (outbox) => outbox.remove(ID),
} satisfies Record<string, (outbox: Outbox, user: User) => Promise<unknown>>;
type Action = keyof typeof ACTIONS;
const ACTION_NAMES = Object.keys(ACTIONS) as Action[];

/** The actions of two windows, and the number of steps after which they take turns in stalling. */
export interface Schedule {
  actions: readonly [Action, Action];
  stalls: readonly number[];
  /** Whether both go on at the same time after that. Default: the first one goes on to its end before the other one. */
  isRace?: boolean;
  /** What is sent. Default: the same to all. */
  letter?: Letter | null;
}

/** Random schedules in which both windows stall several times. */
const action = fc.constantFrom(...ACTION_NAMES);
export const schedules = fc.record({
  actions: fc.tuple(action, action),
  stalls: fc.array(fc.nat({ max: 12 }), { minLength: 3, maxLength: 8 }),
  letter: fc.option(letters, { freq: 2 }),
});

/**
 * Runs a schedule and asserts that no recipient gets the message twice or with the text of another, and that all have it
 * in the end. `files` are the same empty ones, as each of the windows has opened them. Resolves to the number of steps of
 * each window.
 */
export async function runSchedule(
  { actions, stalls, isRace = false, letter = null }: Schedule,
  files: readonly [DurableFiles, DurableFiles],
): Promise<{ steps: number[] }> {
  let now = STALL;
  const copies = new Map<string, number>();
  /** Recipients that were resent to although they may already have the message. */
  const risked = new Set<string>();
  const wrong: string[] = [];
  const recipients = groups(...'abc');
  const textOf = (id: string) => (letter ? letterFor(letter, 'abc'.indexOf(id)) : 'Hello');
  const countCopies: Answers = (batch, abort) => {
    for (const { id } of batch.recipients) copies.set(id, (copies.get(id) ?? 0) + 1);
    return everyone(batch, abort);
  };
  const openIn = (files: DurableFiles, turn: Turn) =>
    new Outbox(
      new DeliveryStore(
        aroundFiles(files, turn),
        clockAt(() => now),
      ),
    );
  const senderIn = (turn: Turn, delivery: Delivery, answers: Answers = countCopies): Sender => {
    const messages = new DeliveryMessages(delivery);
    return {
      token: 't',
      never: () => new Map(),
      async send(batch, { before }) {
        const { content } = await messages.verified(batch);
        await before();
        for (const { id } of batch.recipients)
          if (!('text' in content) || content.text !== textOf(id)) wrong.push(`${id} got another's text`);
        const answer = await turn(() => Promise.allSettled([answers(batch, () => {})]));
        // It may also stall before it learns of the answer.
        await turn(async () => {});
        if (answer[0].status === 'rejected') throw answer[0].reason;
        return answer[0].value;
      },
    };
  };
  const immediately: Turn = (operation) => operation();

  // One recipient is unknown, one was refused, and one was not sent to.
  const first = openIn(files[0], immediately);
  const answers = [
    failing({ kind: 'timedOut', after: 1 }),
    refused(-1),
    failing({ kind: 'unreachable', reason: 'ENOTFOUND' }),
  ];
  const script: Answers = (...call) => (answers.shift() ?? assert.fail())(...call);
  const batches = planBatches(recipients, 1);
  const delivery = deliveryOf(batches, { id: ID, ...(letter && (await letterDelivery(letter, recipients, 1))) });
  await first.start(delivery, senderIn(immediately, delivery, script));
  const { status } = (await openIn(files[1], immediately).get(ID)) ?? assert.fail('not stored');
  const userOf = (turn: Turn): User => ({
    stored: status.delivery,
    senderOf: (delivery) => senderIn(turn, delivery),
    risk: (id) => void risked.add(id),
  });

  const windowOf = (action: Action, files: DurableFiles) =>
    new SteppedWindow((turn) => ACTIONS[action](openIn(files, turn), userOf(turn)));
  const windows = [windowOf(actions[0], files[0]), windowOf(actions[1], files[1])];
  for (const [index, steps] of stalls.entries()) {
    await windows[index % 2]?.run(steps);
    now += STALL;
  }
  if (isRace) await Promise.all(windows.map((window) => window.run()));
  for (const window of windows) {
    await window.run();
    now += STALL;
  }
  assert.deepEqual(wrong, [], `a wrong text by ${actions} with stalls after ${stalls}`);
  const twice = [...copies].filter(([id, count]) => count > 1 && !risked.has(id));
  assert.deepEqual(twice, [], `twice by ${actions} with stalls after ${stalls}`);

  if (!actions.includes('remove')) {
    // A third window finishes what the two have left.
    const last = openIn(files[1], immediately);
    for (let round = 0; round < 3; round++) await ACTIONS.resend(last, userOf(immediately));
    assert.deepEqual(wrong, [], 'a wrong text in the end');
    assert.deepEqual([...copies.keys()].toSorted(), ['a', 'b', 'c'], `lost by ${actions} with stalls after ${stalls}`);
  }
  return { steps: windows.map(({ steps }) => steps) };
}

const runInMemory = (schedule: Schedule) => {
  const files = memoryFiles();
  return runSchedule(schedule, [files, files]);
};

/** Every pair of actions, with a stall after every step of the first and of the second one, or every few of them. */
async function runAllPairs(letter: Letter, stride: number): Promise<number> {
  let tried = 0;
  for (const actions of ACTION_NAMES.flatMap((one) => ACTION_NAMES.map((other) => [one, other] as const))) {
    const [first = 0, second = 0] = (await runInMemory({ actions, stalls: [], letter })).steps;
    for (let one = 0; one <= first; one++) {
      for (let other = one % stride; other <= second; other += stride, tried++) {
        await runInMemory({ actions, stalls: [one, other], letter });
      }
    }
  }
  return tried;
}

async function run(effort: Effort): Promise<string[]> {
  let exhaustive = 0;
  const properties = {
    'no recipient gets the message twice or is lost, wherever each window stalls once': fc.asyncProperty(
      letters,
      async (letter) => {
        exhaustive ||= await runAllPairs(letter, strideOf(effort));
      },
    ),
    'no recipient gets the message twice or is lost, however often both windows stall': fc.asyncProperty(
      schedules,
      async (schedule) => {
        await runInMemory(schedule);
      },
    ),
  };
  const { found, cases } = await search({ name, properties, runsPerRound: 500 }, effort);
  effort.tally('interleavings', exhaustive + cases);
  const result = found.length === 0 ? '0 doubles, 0 lost, 0 wrong texts' : `${found.length} found`;
  effort.report(`${name}: ${count(exhaustive + cases, 'interleavings')}, ${result}`);
  return found;
}

const name = 'twoWindows';
export const twoWindows: Proof = { name, run };
