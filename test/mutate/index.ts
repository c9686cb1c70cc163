// Measures what the unit tests of a room are worth: changes its code in small ways, one at a time, and counts how many of
// the changes its tests notice.
//   npm run mutate -- deliveries/outbox               a sample of its changes
//   npm run mutate -- deliveries/outbox --mutants 50  fewer of them
//   npm run mutate -- deliveries/outbox --seed 2      others
//   npm run mutate -- sandbox --except 'src/sandbox/data/*' --except 'src/sandbox/scenes/*'
//                                                     none in tables of data, of which tests repeat no text
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import PQueue from 'p-queue';
import { ensurePackage } from '../host/install.ts';
import { root } from '../host/places.ts';
import { temporaryFolder } from '../host/temporary.ts';
import type { Counts, Coverage, Result, Task, Test } from './worker.ts';

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

/** A process that has loaded the tests. */
interface Worker {
  /** What the changes ran so far. */
  coverage: Coverage;
  /** The tests that the last task has begun. */
  begun: readonly Test[];
  run(task: Task): Promise<'passed' | 'failed' | 'hung'>;
  kill(): void;
}

/** When a run hangs, in milliseconds; a single test has less time (`worker.ts`). */
const limit = 240_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    except: { type: 'string', multiple: true, default: [] },
    mutants: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
  },
});
const [size, seed] = [Number(values.mutants), Number(values.seed)];
const room = positionals[0]?.replace(/^src\/|\/$/g, '') ?? '';
const sources = globSync(`src/${room}/**/*.{ts,tsx}`, { cwd: root, exclude: values.except }).sort();
const tests = globSync(`test/unit/${room}/**/*.test.ts`, { cwd: root }).sort();
if (!room || sources.length === 0 || tests.length === 0)
  throw new Error(`Name a folder of src with tests, not "${room}".`);

const copy = await copyRepository();
const mutants = await instrument();
const files = tests.map((name) => join(copy, name));
const { coverage, begun: allTests } = await tryUnchanged();
const counts = { found: 0, 'timed out': 0, survived: 0, 'not covered': 0 };
const missed: string[] = [];
/** Those that have nothing to do. */
const idle: Worker[] = [];
// More than there are cores: some only wait for a test that hangs.
const queue = new PQueue({ concurrency: 2 * availableParallelism() });
await queue.addAll(sampleOf(mutants).map((mutant) => () => tryOne(mutant)));
for (const worker of idle) worker.kill();
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

/** Finds out which changes each test runs. */
async function tryUnchanged(): Promise<Pick<Worker, 'coverage' | 'begun'>> {
  const worker = await startWorker();
  const outcome = await worker.run({});
  worker.kill();
  if (outcome !== 'passed') throw new Error(`Without any change, the tests ${outcome}.`);
  return worker;
}

function sampleOf(all: Mutant[]): Mutant[] {
  const length = Math.min(size, all.length);
  const [sample] = fc.sample(fc.shuffledSubarray(all, { minLength: length, maxLength: length }), { numRuns: 1, seed });
  return sample ?? [];
}

async function tryOne({ id, fileName, mutatorName, replacement, location: { start } }: Mutant): Promise<void> {
  const result = await resultOf(id, basename(fileName, extname(fileName)));
  counts[result]++;
  if (result !== 'survived' && result !== 'not covered') return;
  const change = `${mutatorName} ${replacement.replace(/\s+/g, ' ').slice(0, 80)}`;
  missed.push(`${fileName}:${start.line + 1}:${start.column + 1} ${result}: ${change}`);
}

/** Tries the tests that are called like the changed file first, as they are the likeliest to notice. */
async function resultOf(mutant: string, name: string, isFresh = false): Promise<keyof typeof counts> {
  const hitsIn = (part: Counts | undefined) => part?.[mutant] ?? 0;
  // What runs as a file is loaded may matter to any test, and must be changed by then.
  const isStatic = hitsIn(coverage.static) > 0;
  const isCovered = (part: string) => hitsIn(coverage.perTest[part]) > 0;
  const covering = allTests.filter(({ id, file }) => isStatic || isCovered(id) || isCovered(file));
  if (covering.length === 0) return 'not covered';
  const isNamesake = ({ file }: Test) => basename(file).startsWith(name);
  covering.sort((a, b) => Number(isNamesake(b)) - Number(isNamesake(a)));
  const used = isStatic || isFresh ? undefined : idle.pop();
  const worker = used ?? (await startWorker(isStatic ? mutant : undefined));
  const hits = [coverage.static, ...Object.values(coverage.perTest)].reduce((sum, part) => sum + hitsIn(part), 0);
  const outcome = await worker.run({ mutant, hitLimit: 100 * hits, tests: covering });
  // The test that failed must pass without the change: otherwise this one, or one that was tried here before, left
  // something behind.
  const passesAgain = async () => (await worker.run({ tests: worker.begun.slice(-1) })) === 'passed';
  const isReusable = !isStatic && (outcome === 'passed' || (outcome === 'failed' && (await passesAgain())));
  if (isReusable) idle.push(worker);
  else worker.kill();
  if (used && outcome === 'failed' && !isReusable) return resultOf(mutant, name, true);
  return ({ passed: 'survived', failed: 'found', hung: 'timed out' } as const)[outcome];
}

/** Starts a process that has loaded the tests; the change is made from the start if one is given. */
async function startWorker(mutant?: string): Promise<Worker> {
  const child = fork(join(copy, 'test/mutate/worker.ts'), files, {
    cwd: copy,
    env: { ...process.env, ...(mutant !== undefined && { __STRYKER_ACTIVE_MUTANT__: mutant }) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // A process that ends takes the change badly.
  const ended = once(child, 'exit').then(() => 'failed' as const);
  const worker: Worker = {
    coverage: { static: {}, perTest: {} },
    begun: [],
    async run(task) {
      const answered = once(child, 'message').then(([message]) => {
        const { failed, begun, coverage }: Result = message;
        worker.coverage = coverage;
        worker.begun = begun;
        return failed ? 'failed' : 'passed';
      });
      const hung = sleep(limit, 'hung' as const, { ref: false });
      if (child.connected) child.send(task);
      return Promise.race([answered, ended, hung]);
    },
    kill: () => child.kill('SIGKILL'),
  };
  return worker;
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
