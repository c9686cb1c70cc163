/** Two windows that act on one delivery, on files that each has opened in a tab of its own. */
import fc from 'fast-check';
import { openDatabaseTab } from '../host/tabs.ts';
import { letters } from './letters.ts';
import { count, type Effort, type Proof, search } from './proof.ts';
import { runSchedule, type Schedule, schedules } from './twoWindows.ts';

/** More steps than a window takes to its end. */
const MAX_STEPS = 25;

async function run(effort: Effort): Promise<string[]> {
  const tabs = await Promise.all([openDatabaseTab(), openDatabaseTab()]);
  let tried = 0;
  const runInTabs = async (schedule: Schedule) => {
    const database = `schedule ${++tried}`;
    await runSchedule(schedule, [tabs[0].files(database), tabs[1].files(database)]);
    await tabs[0].delete(database);
  };
  // Not every pair of stalls: each operation takes a round trip to the browser.
  const steps = fc.nat({ max: MAX_STEPS });
  const actions = schedules.map(({ actions }) => actions);
  const letter = fc.option(letters, { freq: 2 });
  const oneStall = fc.record({ actions, stalls: fc.tuple(steps, steps), letter });
  // From the same step on, so that they do the same at the same time.
  const race = fc.record({ actions, stalls: steps.map((both) => [both, both]), isRace: fc.constant(true), letter });
  const properties = {
    'no recipient gets the message twice or is lost, wherever each tab stalls once': fc.asyncProperty(
      oneStall,
      runInTabs,
    ),
    'no recipient gets the message twice or is lost, however often both tabs stall': fc.asyncProperty(
      schedules,
      runInTabs,
    ),
    'no recipient gets the message twice or is lost when both tabs go on at the same time': fc.asyncProperty(
      race,
      runInTabs,
    ),
  };
  try {
    const { found } = await search({ name, properties, runsPerRound: 50 }, effort);
    effort.tally('interleavings', tried);
    const result = found.length === 0 ? '0 doubles, 0 lost, 0 wrong texts' : `${found.length} found`;
    effort.report(`${name}: ${count(tried, 'interleavings')}, ${result}`);
    return found;
  } finally {
    await Promise.all(tabs.map((tab) => tab.page.close()));
  }
}

const name = 'twoTabs';
export const twoTabs: Proof = { name, run };
