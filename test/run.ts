// Packs the extension once, while the unit tests run, and runs the other suites on the package. A failing suite doesn't
// stop the others. What failed is listed again at the end; the last line counts all tests.
//   node test/run.ts                        all suites but `stalls`
//   node test/run.ts page --grep "a table"  one suite, with arguments for its runner
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureServer, OLDEST } from './host/install.ts';
import { pack } from './host/packed.ts';
import { root } from './host/places.ts';
import { temporaryFolder } from './host/temporary.ts';
import { pictureOf } from './pictures.ts';
import type { Results } from './reporter.ts';

const mocha = [join(root, 'node_modules/mocha/bin/mocha.js'), '--reporter=./test/reporter.ts'];
// The longest files first, so that neither of Mocha's two workers begins one while the other has nothing left to do.
const unit = ['test/unit/prove.test.ts', 'test/unit/!(prove).test.ts', 'test/unit/*/**/*.test.ts'];
const SUITES = {
  unit: [...mocha, ...unit],
  /** The unit tests again, on a machine that stalls. They mostly wait, so that more run at a time. */
  stalls: [...mocha, '--jobs=4', '--require=./test/stalls.ts', ...unit],
  page: [
    ...mocha,
    'test/page/findBar.test.ts',
    'test/page/accessibility.test.ts',
    'test/page/historyScrolling.test.ts',
    'test/page/!(findBar|accessibility|historyScrolling).test.ts',
  ],
  vscode: ['test/host/run.ts'],
  window: [
    ...mocha,
    'test/window/sending.test.ts',
    'test/window/browsing.test.ts',
    'test/window/reading.test.ts',
    'test/window/browser.test.ts',
    'test/window/ids.test.ts',
    'test/window/oldest.test.ts',
    'test/window/serverless.test.ts',
    'test/window/!(sending|browsing|reading|browser|ids|oldest|serverless).test.ts',
  ],
} as const satisfies Record<string, readonly string[]>;

type Suite = keyof typeof SUITES;

const [only, ...args] = process.argv.slice(2);
if (only !== undefined && !(only in SUITES))
  throw new Error(`Unknown suite "${only}". Choose from: ${Object.keys(SUITES).join(', ')}.`);
const suites: readonly Suite[] = only === undefined ? ['unit', 'page', 'vscode', 'window'] : [only as Suite];

// Installed while the first suites run. If that fails, the suites that need it try again and say why.
const installed = Promise.allSettled(suites.includes('window') ? [ensureServer(), ensureServer(OLDEST)] : []);
// Unit tests only need the sources: they run meanwhile.
const packing = suites.some((suite) => suite !== 'unit' && suite !== 'stalls') ? pack() : undefined;
packing?.catch(() => {});

rmSync(join(root, 'out/screenshots/failed'), { recursive: true, force: true });
const results = await temporaryFolder('results');
const failures: string[] = [];
const summaries: string[] = [];
let passed = 0;
for (const suite of suites) {
  if (suite !== 'unit') await packing;
  if (suite === 'vscode' || suite === 'window') await installed;
  const start = performance.now();
  const result = await run(suite);
  const seconds = Math.round((performance.now() - start) / 1000);
  passed += result.passed;
  failures.push(
    ...result.failures.map(({ titlePath, file, message }) => {
      const picture = relative(root, pictureOf(titlePath));
      const lines = [titlePath.join(' › '), file, existsSync(join(root, picture)) ? picture : '', message];
      return lines.filter(Boolean).join('\n   ');
    }),
  );
  summaries.push(`${suite}: ${result.passed} passed, ${result.failures.length} failed in ${seconds} s`);
  console.log(`\n${summaries.at(-1)}`);
}
if (failures.length > 0) console.log(`\nFailed:\n\n${failures.join('\n\n')}`);
if (suites.length > 1) console.log(`\n${summaries.join('\n')}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
if (failures.length > 0) process.exitCode = 1;

/** Runs one suite. A crash without a failed test, or a run without tests, counts as a failure. */
async function run(suite: Suite): Promise<Results> {
  const seed = process.env.STALL_SEED ?? String(randomInt(1_000_000));
  console.log(suite === 'stalls' ? `\nstalls, STALL_SEED=${seed}\n` : `\n${suite}\n`);
  const file = join(results, `${suite}.json`);
  const child = spawn(process.execPath, [...SUITES[suite], ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, BOT_CHATS_RESULTS: file, STALL_SEED: seed },
  });
  const [code] = await once(child, 'close');
  const { passed, failures }: Results = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { passed: 0, failures: [] };
  if (failures.length === 0 && (code !== 0 || passed === 0))
    failures.push({ titlePath: [suite], file: '', message: 'The runner failed, or ran no test: see above.' });
  return { passed, failures };
}
