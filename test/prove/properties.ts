import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/places.ts';
import { temporaryPath } from '../host/temporary.ts';
import type { Results } from '../reporter.ts';
import { count, OTHERS, type Proof } from './proof.ts';

/** Inputs that each property is tried on, with one seed. */
const INPUTS = 500;

/** What unit tests try on a few inputs holds for many others. */
export const properties: Proof = {
  name: 'properties',
  async run(effort) {
    const isTimeLeft = () => 'until' in effort && performance.now() < effort.until;
    const found: string[] = [];
    let seed = effort.seed;
    do {
      for (const { titlePath, file, message } of await failuresOf(seed)) {
        const repeat = `PROPERTY_SEED=${seed} PROPERTY_RUNS=${INPUTS} npx mocha --timeout=0 ${file}`;
        found.push(`properties: ${titlePath.join(' › ')}\n${message}\nRepeat it with: ${repeat}`);
        effort.tally(OTHERS, 1);
      }
      seed++;
    } while (found.length === 0 && isTimeLeft());
    effort.report(`properties: ${count((seed - effort.seed) * INPUTS, 'inputs each')}, ${found.length} findings`);
    return found;
  },
};

/** Runs the files of unit tests with properties. */
async function failuresOf(seed: number): Promise<Results['failures']> {
  const files = globSync('test/unit/**/*.test.ts', { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes("from 'fast-check'"),
  );
  const results = temporaryPath('properties');
  const mocha = [join(root, 'node_modules/mocha/bin/mocha.js'), '--reporter=./test/reporter.ts', '--timeout=0'];
  const child = spawn(process.execPath, [...mocha, ...files], {
    cwd: root,
    // Only findings are said.
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      BOT_CHATS_RESULTS: results,
      PROPERTY_SEED: String(seed),
      PROPERTY_RUNS: String(INPUTS),
    },
  });
  const [code] = await once(child, 'close');
  const { passed, failures }: Results = JSON.parse(readFileSync(results, 'utf8'));
  if (failures.length === 0 && (code !== 0 || passed === 0))
    throw new Error('The unit tests with properties don’t run.');
  return failures;
}
