// Runs the long random proofs one after the other until the time is up. Exits with 1 if anything was found.
//   --minutes N   in total; 5 by default
//   --seed S      of the random cases; random by default
//   --only NAME   run only this proof
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { pack } from '../host/packed.ts';
import { closePages } from '../host/pageBrowser.ts';
import { answers } from './answers.ts';
import { archive } from './archive.ts';
import { closedTabs } from './closedTabs.ts';
import { crowds } from './crowds.ts';
import { damage } from './damage.ts';
import { disk } from './disk.ts';
import { files } from './files.ts';
import { kills } from './kills.ts';
import { messages } from './messages.ts';
import { patterns } from './patterns.ts';
import { powerLoss } from './powerLoss.ts';
import { HARM_NAMES } from './proof.ts';
import { properties } from './properties.ts';
import { responsive } from './responsive.ts';
import { scheduledWindows } from './scheduledWindows.ts';
import { twoTabs } from './twoTabs.ts';
import { windows } from './windows.ts';
import { words } from './words.ts';

const PROOFS = [
  kills,
  closedTabs,
  windows,
  scheduledWindows,
  powerLoss,
  twoTabs,
  disk,
  damage,
  files,
  answers,
  responsive,
  patterns,
  crowds,
  words,
  messages,
  archive,
  properties,
];

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: `${randomInt(2 ** 31)}` },
    only: { type: 'string' },
  },
});
const [minutes, seed] = [values.minutes, values.seed].map(Number);
if (!minutes || !(minutes > 0)) throw new Error(`--minutes must be a number above 0, not ${values.minutes}.`);
if (seed === undefined || !Number.isInteger(seed)) throw new Error(`--seed must be an integer, not ${values.seed}.`);
const proofs = PROOFS.filter(({ name }) => values.only === undefined || name === values.only);
if (proofs.length === 0) {
  throw new Error(`Unknown proof "${values.only}". Use one of: ${PROOFS.map(({ name }) => name).join(', ')}.`);
}

console.log(`seed ${seed}`);
// The browser shows the packed pages.
if (proofs.includes(messages)) await pack();
/** Counts of what was tried, and of what must not be found. */
const table = new Map<string, number>(
  ['kills', 'interleavings', 'payloads', 'answers', ...HARM_NAMES].map((what) => [what, 0]),
);
const tally = (what: string, count: number) => void table.set(what, (table.get(what) ?? 0) + count);
for (const { run } of proofs) {
  const until = performance.now() + (minutes * 60_000) / proofs.length;
  const found = await run({ seed, until, report: (line) => console.log(line), tally });
  for (const finding of found) console.error(`\n${finding}\n`);
  if (found.length > 0) process.exitCode = 1;
}
await closePages();
console.log();
for (const [what, count] of table) {
  const isHarm = HARM_NAMES.includes(what);
  console.log(
    `${what.padEnd(18)} ${count.toLocaleString('en').padStart(9)}${isHarm ? (count === 0 ? '  ✔' : '  ✘') : ''}`,
  );
}
