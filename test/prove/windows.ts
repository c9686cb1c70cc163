/** Two windows that act on one delivery, on files in memory. */
import fc from 'fast-check';
import { type Letter, letters } from './letters.ts';
import { memoryFiles } from './memoryFiles.ts';
import { count, type Effort, type Proof, search } from './proof.ts';
import { ACTION_NAMES, runSchedule, type Schedule, schedules } from './schedules.ts';

const runInMemory = (schedule: Schedule) => {
  const files = memoryFiles();
  return runSchedule(schedule, [files, files]);
};

/** Every pair of actions, with a stall after every step of the first and of the second one. */
async function runAllPairs(letter: Letter): Promise<number> {
  let tried = 0;
  for (const actions of ACTION_NAMES.flatMap((one) => ACTION_NAMES.map((other) => [one, other] as const))) {
    const [first = 0, second = 0] = (await runInMemory({ actions, stalls: [], letter })).steps;
    for (let one = 0; one <= first; one++) {
      for (let other = 0; other <= second; other++, tried++) {
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
        exhaustive ||= await runAllPairs(letter);
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

const name = 'windows';
export const windows: Proof = { name, run };
