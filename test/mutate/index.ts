// Measures what the unit tests of a room are worth: changes its code in small ways, one at a time, and counts how many of
// the changes its tests notice.
//   npm run mutate -- outbox               a sample of its changes
//   npm run mutate -- outbox --mutants 50  fewer of them
//   npm run mutate -- outbox --seed 2      others
import { execFile } from 'node:child_process';
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import fc from 'fast-check';
import PQueue from 'p-queue';
import { ensurePackage } from '../host/install.ts';
import { root } from '../host/places.ts';
import { temporaryFolder } from '../host/temporary.ts';
import type { Counts, Coverage } from './coverage.ts';

/** What is used of Stryker. Its own runner tries every change, which takes hours, and knows no Mocha as new as ours. */
interface Stryker {
  Instrumenter: new (
    log: object,
  ) => {
    instrument(
      files: readonly { name: string; mutate: true; content: string }[],
      options: { plugins: null; excludedMutations: []; ignorers: [] },
    ): Promise<{ files: readonly { name: string; content: string }[]; mutants: Mutant[] }>;
  };
}

/** A change of the code, which is there if an environment variable names it. */
interface Mutant {
  id: string;
  fileName: string;
  mutatorName: string;
  replacement: string;
  /** Counted from 0. */
  location: { start: { line: number; column: number } };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mutants: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } },
});
const [size, seed] = [Number(values.mutants), Number(values.seed)];
const room = positionals[0]?.replace(/^src\/|\/$/g, '') ?? '';
const sources = globSync(`src/${room}/**/*.{ts,tsx}`, { cwd: root }).sort();
const tests = globSync(`test/unit/${room}/**/*.test.ts`, { cwd: root }).sort();
if (!room || sources.length === 0 || tests.length === 0)
  throw new Error(`Name a folder of src with tests, not "${room}".`);

const copy = await copyRepository();
const mutants = await instrument();
const { coverage, timeout } = await tryUnchanged();
const counts = { found: 0, 'timed out': 0, survived: 0, 'not covered': 0 };
const missed: string[] = [];
const queue = new PQueue({ concurrency: availableParallelism() });
await queue.addAll(sampleOf(mutants).map((mutant) => () => tryOne(mutant)));
const tried = Object.values(counts).reduce((sum, count) => sum + count);
const results = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
console.log(missed.sort().join('\n'));
console.log(`\n${room}, seed ${seed}: ${tried} of ${mutants.length} changes, ${results.join(', ')}`);
console.log(`${((100 * (counts.found + counts['timed out'])) / tried).toFixed(1)} % noticed`);

/** Puts all changes into the copy. */
async function instrument(): Promise<Mutant[]> {
  const folder = await ensurePackage('@stryker-mutator/instrumenter', '10.1.1');
  const { Instrumenter }: Stryker = await import(pathToFileURL(join(folder, 'dist/src/index.js')).href);
  const log = new Proxy({}, { get: () => () => false });
  const { files, mutants } = await new Instrumenter(log).instrument(
    sources.map((name) => ({ name, mutate: true, content: readFileSync(join(root, name), 'utf8') })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  for (const { name, content } of files) writeFileSync(join(copy, name), content);
  return mutants;
}

/** Which changes each file of tests runs, and how many milliseconds the tests need at most unless they hang. */
async function tryUnchanged(): Promise<{ coverage: Coverage; timeout: number }> {
  const file = join(copy, 'coverage.json');
  const start = performance.now();
  try {
    await mocha(tests, { MUTATION_COVERAGE: file });
  } catch (error) {
    throw new Error(`The tests fail without any change:\n${(error as { stdout?: string }).stdout}`, { cause: error });
  }
  const coverage: Coverage = JSON.parse(readFileSync(file, 'utf8'));
  return { coverage, timeout: Math.ceil(2 * (performance.now() - start)) + 20_000 };
}

function sampleOf(all: Mutant[]): Mutant[] {
  const length = Math.min(size, all.length);
  const [sample] = fc.sample(fc.shuffledSubarray(all, { minLength: length, maxLength: length }), { numRuns: 1, seed });
  return sample ?? [];
}

async function tryOne({ id, fileName, mutatorName, replacement, location: { start } }: Mutant): Promise<void> {
  const result = await resultOf(id);
  counts[result]++;
  if (result !== 'survived' && result !== 'not covered') return;
  const change = `${mutatorName} ${replacement.replace(/\s+/g, ' ').slice(0, 80)}`;
  missed.push(`${fileName}:${start.line + 1}:${start.column + 1} ${result}: ${change}`);
}

async function resultOf(id: string): Promise<keyof typeof counts> {
  const runsIn = (part: Counts | undefined) => part?.[id] !== undefined;
  // What runs as a file is loaded may matter to any test.
  const covering = runsIn(coverage.static) ? tests : tests.filter((file) => runsIn(coverage.perTest[file]));
  if (covering.length === 0) return 'not covered';
  try {
    await mocha(covering, { __STRYKER_ACTIVE_MUTANT__: id }, timeout);
    return 'survived';
  } catch (error) {
    const { killed, code } = error as { killed?: boolean; code?: unknown };
    if (killed) return 'timed out';
    if (typeof code !== 'number') throw error;
    return 'found';
  }
}

function mocha(files: readonly string[], env: NodeJS.ProcessEnv, timeout?: number) {
  const script = join(root, 'node_modules/mocha/bin/mocha.js');
  const args = [script, '--no-parallel', '--bail', '--reporter=dot', '--require=./test/mutate/coverage.ts', ...files];
  return promisify(execFile)(process.execPath, args, {
    cwd: copy,
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 26,
    ...(timeout !== undefined && { timeout, killSignal: 'SIGKILL' }),
  });
}

/** A copy of the repository that can be changed. */
async function copyRepository(): Promise<string> {
  const folder = await temporaryFolder('mutants');
  const files = globSync(['*.{json,mjs,md}', '.mocharc.json'], { cwd: root });
  for (const name of ['src', 'test', 'media', 'l10n', ...files]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}
