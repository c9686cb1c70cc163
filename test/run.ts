// Packs the extension once, then runs the suites on the package. A failing suite doesn't stop the others. What failed is
// listed again at the end; the last line counts all tests.
//   node test/run.ts                        all suites
//   node test/run.ts page --grep "a table"  one suite, with arguments for its runner
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ensureServer, OLDEST } from './host/install.ts';
import { pack } from './host/packed.ts';
import { root } from './host/places.ts';

const SUITES = {
  unit: ['mocha', 'test/unit/**/*.test.ts'],
  page: ['mocha', 'test/page/**/*.test.ts'],
  vscode: ['node', 'test/host/run.ts'],
  window: ['mocha', 'test/window/**/*.test.ts'],
} as const satisfies Record<string, readonly string[]>;

type Suite = keyof typeof SUITES;

const isWindows = process.platform === 'win32';
const [only, ...args] = process.argv.slice(2);
if (only !== undefined && !(only in SUITES))
  throw new Error(`Unknown suite "${only}". Choose from: ${Object.keys(SUITES).join(', ')}.`);
const suites = only === undefined ? (Object.keys(SUITES) as Suite[]) : [only as Suite];

// Installed while the first suites run. If that fails, the suites that need it try again and say why.
const installed = Promise.allSettled(suites.includes('window') ? [ensureServer(), ensureServer(OLDEST)] : []);
// Unit tests only need the sources.
if (suites.some((suite) => suite !== 'unit')) await pack();
if (suites.includes('vscode')) execFileSync('node', ['esbuild.mjs', '--tests'], { cwd: root, stdio: 'inherit' });

let passed = 0;
let failed = 0;
const failures: string[] = [];
const summaries: string[] = [];
for (const suite of suites) {
  if (suite === 'vscode' || suite === 'window') await installed;
  const result = await run(suite);
  passed += result.passed;
  failed += result.failed;
  if (result.failed > 0) failures.push(`${suite}\n\n${result.failures}`);
  summaries.push(`${suite}: ${result.passed} passed, ${result.failed} failed in ${result.seconds} s`);
}
if (failures.length > 0) console.log(`\nFailed\n\n${failures.join('\n')}`);
console.log(`${summaries.join('\n')}\n\n${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;

/** Runs one suite. A crash without a failed test, or a run without tests, counts as one failure. */
async function run(suite: Suite): Promise<{ passed: number; failed: number; failures: string; seconds: number }> {
  console.log(`\n${suite}\n`);
  const start = performance.now();
  const [command, ...patterns] = SUITES[suite];
  const child = spawn(command, [...patterns, ...args], {
    cwd: root,
    stdio: ['inherit', 'pipe', 'inherit'],
    shell: isWindows,
  });
  let output = '';
  child.stdout.on('data', (bytes: Buffer) => {
    process.stdout.write(bytes);
    output += bytes;
  });
  const [code] = await once(child, 'close');
  // Matches Mocha's summary, such as "  12 passing (3s)" and "  1 failing".
  const count = (word: string) => Number(new RegExp(`^\\s*(\\d+) ${word}\\b`, 'm').exec(output)?.[1] ?? 0);
  const counted = { passed: count('passing'), failed: count('failing') };
  if ((code !== 0 || counted.passed === 0) && counted.failed === 0) counted.failed = 1;
  // Everything below Mocha's summary.
  const failures = /^\s*\d+ failing\b(.*)/ms.exec(output)?.[1]?.trimEnd() ?? '  The runner failed: see above.';
  return { ...counted, failures, seconds: Math.round((performance.now() - start) / 1000) };
}
