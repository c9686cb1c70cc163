/** Windows with a scheduled delivery: its time comes, is changed and canceled, clocks jump, and windows stall and die. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DeliveryStore } from '../../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../../src/deliveries/outbox/outbox.ts';
import { clockAt } from '../../unit/clocks.ts';
import { AT, deliveryOf, groups, idOf, planBatches } from '../../unit/deliveries/outbox/testDeliveries.ts';
import { memoryFiles } from '../memoryDisk.ts';
import { count, type Effort, type Proof, search, strideOf } from '../proof.ts';
import { dueIn, ScheduledWindow, WINDOW_ACTIONS, type WindowAction, type World } from './window.ts';

const ID = idOf('later');
/** When it's due first, after it was stored (milliseconds). */
const DELAY = 60_000;

/** A window goes on for some steps, or is killed; time passes, or the clock jumps (milliseconds). */
type Event = { window: number; steps: number } | { kill: number } | { pass: number } | { jump: number };

interface Schedule {
  /** What each window does, one after the other. */
  windows: readonly (readonly WindowAction[])[];
  events: readonly Event[];
}

const window = fc.nat({ max: 2 });
const schedules: fc.Arbitrary<Schedule> = fc.record({
  windows: fc.array(
    fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant('look' as const) }, fc.constantFrom(...WINDOW_ACTIONS)), {
      minLength: 2,
      maxLength: 8,
    }),
    { minLength: 2, maxLength: 3 },
  ),
  events: fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.record({ window, steps: fc.nat({ max: 12 }) }) },
      { weight: 4, arbitrary: fc.record({ pass: fc.constantFrom(1, 20_000, 40_000) }) },
      { weight: 1, arbitrary: fc.record({ jump: fc.constantFrom(-600_000, -70_000, 20_000, 70_000, 600_000) }) },
      { weight: 1, arbitrary: fc.record({ kill: window }) },
    ),
    { minLength: 8, maxLength: 40 },
  ),
});

/** Runs a schedule. Asserts what must be true, and resolves to the number of steps of each window. */
async function runSchedule({ windows: scripts, events }: Schedule): Promise<{ world: World; steps: number[] }> {
  const world: World = {
    ...{ id: ID, files: memoryFiles(), wall: AT, steady: 0 },
    ...{ times: new Map([[-1, AT + DELAY]]), changes: [], sentAs: undefined },
    ...{ copies: new Map(), findings: [], counts: { automatic: 0, asked: 0 } },
  };
  const store = new DeliveryStore(
    world.files,
    clockAt(() => world.wall),
  );
  await new Outbox(store).schedule({ ...deliveryOf(planBatches(groups(...'abc'), 2), { id: ID }), due: AT + DELAY });
  const windows = scripts.map((actions) => new ScheduledWindow(world, actions));
  for (const event of events) {
    if ('steps' in event) await windows[event.window]?.run(event.steps);
    else if ('kill' in event) await windows[event.kill]?.kill();
    else world.wall += 'pass' in event ? event.pass : event.jump;
    if ('pass' in event) world.steady += event.pass;
  }
  for (const one of windows) await one.run();

  const shown = JSON.stringify({ scripts, events });
  assert.deepEqual(world.findings, [], shown);
  assert.deepEqual(
    [...world.copies].filter(([, copies]) => copies > 1),
    [],
    `twice: ${shown}`,
  );
  await assertNotLost(world, shown);
  return { world, steps: windows.map(({ steps }) => steps) };
}

/** A window that opens long afterwards knows of the delivery, unless it was canceled or begun. */
async function assertNotLost(world: World, shown: string): Promise<void> {
  world.wall += 3_600_000;
  const { claimCount } = (await new DeliveryStore(world.files).load(ID)) ?? assert.fail(`lost: ${shown}`);
  const last = new ScheduledWindow(world, ['look']);
  await last.run();
  const isBegun = world.copies.size > 0 || dueIn(world) === null || (await isAttempted(world, claimCount));
  // A window that died while it canceled the delivery may have done so.
  if (!world.changes.includes(null)) assert.equal(last.isAsking, !isBegun, `lost: ${shown}`);
}

async function isAttempted({ files }: World, claimCount: number): Promise<boolean> {
  const last = await files.read(`deliveries/${ID}/act-${claimCount - 1}`);
  return last?.includes('"batch"') ?? false;
}

/**
 * Two windows that saw the delivery before: one does what is due, while the other acts, each with a stall after every step,
 * or every few of them.
 */
async function runAllPairs(stride: number): Promise<number> {
  let tried = 0;
  const both = [0, 1].map((window) => ({ window, steps: 100 }));
  for (const action of WINDOW_ACTIONS) {
    const windows = [
      ['look', 'look'],
      ['look', action],
    ] as const;
    const seen = await runSchedule({ windows: [['look'], ['look']], events: both });
    const before = seen.steps.map((steps, window) => ({ window, steps }));
    const whole = await runSchedule({ windows, events: [...before, { pass: DELAY }] });
    const [first = 0, second = 0] = whole.steps.map((steps, index) => steps - (seen.steps[index] ?? 0));
    for (let one = 0; one <= first; one++) {
      for (let other = one % stride; other <= second; other += stride, tried++) {
        const stalls = [one, other].map((steps, window) => ({ window, steps }));
        await runSchedule({ windows, events: [...before, { pass: DELAY }, ...stalls] });
      }
    }
  }
  return tried;
}

async function run(effort: Effort): Promise<string[]> {
  let exhaustive = 0;
  const total = { schedules: 0, automatic: 0, asked: 0 };
  const properties = {
    'a delivery that is due is sent once, and not after it was changed, wherever each window stalls': fc.asyncProperty(
      fc.constant('once'),
      async () => {
        exhaustive ||= await runAllPairs(strideOf(effort));
      },
    ),
    'a delivery is sent at most once, never early and never after it was canceled, and is never lost': fc.asyncProperty(
      schedules,
      async (schedule) => {
        const { automatic, asked } = (await runSchedule(schedule)).world.counts;
        total.schedules++;
        total.automatic += automatic;
        total.asked += asked;
      },
    ),
  };
  const { found } = await search({ name, properties, runsPerRound: 500 }, effort);
  effort.tally('interleavings', exhaustive + total.schedules);
  const result = found.length === 0 ? '0 doubles, 0 early, 0 lost' : `${found.length} found`;
  const what = `${count(total.automatic, 'sent when due')}, ${count(total.asked, 'asked about')}`;
  effort.report(`${name}: ${count(exhaustive + total.schedules, 'interleavings')}, ${what}, ${result}`);
  return found;
}

const name = 'scheduledDelivery';
export const scheduledDelivery: Proof = { name, run };
