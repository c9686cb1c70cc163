/** Deliveries, their resends and deletions on a disk that loses power, in windows that stall and die. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DeliveryStore } from '../../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../../src/deliveries/outbox/outbox.ts';
import { diskFiles } from '../../../src/platform/diskFiles.ts';
import { clockAt } from '../../unit/clocks.ts';
import { LOSSES, MemoryDisk } from '../memoryDisk.ts';
import { count, type Effort, type Proof, search } from '../proof.ts';
import { aroundFiles, SteppedWindow, type Turn } from '../steps.ts';
import { ANSWER_NAMES, OutboxWorld, WORLD_ACTIONS, type WorldAction } from './world.ts';

/** The folder that VS Code has made; those below it are made by the extension. */
const HOME = '/home/user';
const ROOT = `${HOME}/storage/bot-chats/outbox`;
/** Longer than the heartbeat timeout (milliseconds). */
const RESTART_DELAY = 60_000;

const action = fc.record({
  what: fc.constantFrom(...WORLD_ACTIONS),
  /** Which delivery, of those that are there. */
  which: fc.nat({ max: 3 }),
  /** How the service answers each call in turn; the last one answers all others. */
  answers: fc.array(fc.constantFrom(...ANSWER_NAMES), { minLength: 1, maxLength: 3 }),
});
/** Rarer than nothing. */
const seldom = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** What two windows do at the same time, the second one perhaps nothing. */
const rounds = fc.record({
  actions: fc.tuple(action, seldom(action)),
  /** After how many steps they take turns. */
  stalls: fc.array(fc.nat({ max: 14 }), { maxLength: 4 }),
  /** After how many steps of the disk the power is lost, and what is left then. */
  loss: seldom(
    fc.record({ after: fc.nat({ max: 90 }), kind: fc.constantFrom(...LOSSES), seed: fc.integer({ min: 1 }) }),
  ),
});
type Round = typeof rounds extends fc.Arbitrary<infer R> ? R : never;

const BEGIN = { what: 'start', which: 0 } as const;
const histories = fc
  .tuple(action, fc.array(rounds, { minLength: 1, maxLength: 12, size: 'max' }))
  .map(([{ answers }, rest]): Round[] => [
    { actions: [{ ...BEGIN, answers }, undefined], stalls: [], loss: undefined },
    ...rest,
  ]);
async function runHistory(history: readonly Round[]): Promise<{ losses: number; deletions: number }> {
  const disk = new MemoryDisk();
  await diskFiles(HOME, disk.files).write('settings.json', '');
  const world = new OutboxWorld();
  let losses = 0;
  let now = RESTART_DELAY;
  const openWindow = () => {
    let turn: Turn = (operation) => operation();
    const files = aroundFiles(diskFiles(ROOT, disk.files), (operation) => turn(operation));
    const outbox = new Outbox(
      new DeliveryStore(
        files,
        clockAt(() => now++),
      ),
    );
    const act = (action: WorldAction) =>
      new SteppedWindow(async (stepped) => {
        turn = stepped;
        try {
          await world.act(action, outbox, turn, () => disk.isLost);
        } finally {
          turn = (operation) => operation();
        }
      });
    return { outbox, act };
  };
  let windows = [openWindow(), openWindow()] as const;

  for (const { actions, stalls, loss } of history) {
    if (loss) disk.loseAfter(loss.after);
    const acting = actions.flatMap((action, index) => (action ? [windows[index]?.act(action)] : []));
    for (const [index, steps] of stalls.entries()) {
      await acting[index % acting.length]?.run(steps);
      // The other window takes it for dead.
      now += RESTART_DELAY;
    }
    for (const one of acting) await one?.run();
    if (loss) {
      if (disk.isLost) losses++;
      disk.recover(loss.kind, randomOf(loss.seed));
      windows = [openWindow(), openWindow()];
    }
    now += RESTART_DELAY;
    await world.check(openWindow().outbox);
    assert.deepEqual(world.findings, []);
  }
  await world.finish(openWindow().outbox, () => (now += RESTART_DELAY));
  assert.deepEqual(world.findings, []);
  return { losses, deletions: world.deleted.size };
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function run(effort: Effort): Promise<string[]> {
  const total = { losses: 0, deletions: 0 };
  const properties = {
    'nobody gets a message twice unless the user accepts it, nothing sent is forgotten, and nothing deleted comes back':
      fc.asyncProperty(histories, async (history) => {
        const { losses, deletions } = await runHistory(history);
        total.losses += losses;
        total.deletions += deletions;
      }),
  };
  const { found, cases } = await search({ name, properties, runsPerRound: 500 }, effort);
  effort.tally('interleavings', cases);
  const result = found.length === 0 ? '0 doubles, 0 lost, 0 forgotten, 0 back' : `${found.length} found`;
  const what = `${count(total.losses, 'losses of power')}, ${count(total.deletions, 'deletions')}`;
  effort.report(`${name}: ${what} in ${count(cases, 'histories')}, ${result}`);
  return found;
}

const name = 'powerLoss';
export const powerLoss: Proof = { name, run };
