// Runs the long random proofs one after the other until the time is up. Exits with 1 if anything was found.
//   NAME…         run only these proofs
//   --minutes N   in total; 5 by default
//   --seed S      of the random cases; random by default
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { pack } from '../host/packed.ts';
import { closePages } from '../host/pageBrowser.ts';
import { archive } from './archive.ts';
import { closedTab } from './closedTab.ts';
import { damagedFiles } from './damagedFiles.ts';
import { failingDisk } from './failingDisk.ts';
import { hostileFiles } from './hostileFiles.ts';
import { hostileImports } from './hostileImports.ts';
import { hostileMessages } from './hostileMessages/index.ts';
import { hostileNames } from './hostileNames.ts';
import { killedProcess } from './killedProcess.ts';
import { largeAnswers } from './largeAnswers/index.ts';
import { largeOutbox } from './largeOutbox.ts';
import { leavingOut } from './leavingOut/index.ts';
import { oddAnswers } from './oddAnswers/index.ts';
import { HARM_NAMES } from './proof.ts';
import { properties } from './properties.ts';
import { simulation } from './simulation/index.ts';
import { slowTexts } from './slowTexts.ts';
import { twoTabs } from './twoTabs.ts';
import { twoWindows } from './twoWindows.ts';

const PROOFS = [
  killedProcess,
  closedTab,
  twoWindows,
  simulation,
  leavingOut,
  twoTabs,
  failingDisk,
  damagedFiles,
  hostileFiles,
  hostileImports,
  oddAnswers,
  largeAnswers,
  slowTexts,
  largeOutbox,
  hostileNames,
  hostileMessages,
  archive,
  properties,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: `${randomInt(2 ** 31)}` },
  },
});
const [minutes, seed] = [values.minutes, values.seed].map(Number);
if (!minutes || !(minutes > 0)) throw new Error(`--minutes must be a number above 0, not ${values.minutes}.`);
if (seed === undefined || !Number.isInteger(seed)) throw new Error(`--seed must be an integer, not ${values.seed}.`);
const proofs = positionals.length === 0 ? PROOFS : PROOFS.filter(({ name }) => positionals.includes(name));
const unknown = positionals.find((one) => PROOFS.every(({ name }) => name !== one));
if (unknown !== undefined)
  throw new Error(`Unknown proof "${unknown}". Use some of: ${PROOFS.map(({ name }) => name).join(', ')}.`);

console.log(`seed ${seed}`);
// The browser shows the packed pages.
if (proofs.includes(hostileMessages)) await pack();
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
