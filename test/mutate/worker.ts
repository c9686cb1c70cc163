// Started by `index.ts`, in the changed copy of the repository: loads the files of tests that its arguments name, then
// runs some of their tests for each message.
import Mocha from 'mocha';
import config from '../../.mocharc.json' with { type: 'json' };

/** How often each change was run, by its ID. */
export type Counts = Record<string, number>;

export interface Coverage {
  /** While files were loaded. */
  static: Counts;
  /** By the ID of a test, or by the file of tests if it was run by a hook around a suite. */
  perTest: Record<string, Counts>;
}

export interface Test {
  /** The file and the full title. */
  id: string;
  file: string;
}

/** Which change to make, and which tests to run. */
export interface Task {
  mutant?: string;
  /** How often the change may run before it counts as an endless loop. */
  hitLimit?: number;
  /** Their files run in the order in which they are first named. All if undefined. */
  tests?: readonly Test[];
}

export interface Result {
  failed: boolean;
  /** The tests that have begun: all, or those up to the one that failed. */
  begun: readonly Test[];
  /** Since the worker started. */
  coverage: Coverage;
}

/** What the changed code reads and writes. */
interface Namespace {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number | undefined;
  mutantCoverage?: Coverage;
}
const global = globalThis as { __stryker__?: Namespace };
global.__stryker__ ??= {};
const namespace = global.__stryker__;

const mocha = new Mocha({
  bail: true,
  reporter: class extends Mocha.reporters.Base {},
  timeout: 60_000,
  ui: 'bdd',
});
mocha.cleanReferencesAfterRun(false);
const hooks: Record<string, Mocha.Func[]> = {};
for (const file of config.require) {
  const { mochaHooks = {} } = await import(new URL(`../../${file}`, import.meta.url).href);
  for (const [name, hook] of Object.entries<Mocha.Func>(mochaHooks)) hooks[name] = [...(hooks[name] ?? []), hook];
}
mocha.rootHooks(hooks);
for (const file of process.argv.slice(2)) mocha.addFile(file);
await mocha.loadFilesAsync();
const suites = mocha.suite.suites;
const allTests = new Map<Mocha.Suite, readonly Mocha.Test[]>();
const addTests = (suite: Mocha.Suite) => {
  allTests.set(suite, suite.tests);
  suite.suites.forEach(addTests);
};
addTests(mocha.suite);

const named = (test: Mocha.Test): Test => ({ id: `${test.file}: ${test.fullTitle()}`, file: test.file ?? '' });

process.on('message', ({ mutant, hitLimit, tests }: Task) => {
  const ids = new Set(tests?.map(({ id }) => id));
  for (const [suite, all] of allTests) suite.tests = all.filter((test) => !tests || ids.has(named(test).id));
  const order = [...new Set(tests?.map(({ file }) => file))];
  const positionOf = ({ file = '' }: Mocha.Suite) => order.indexOf(file);
  mocha.suite.suites = suites.toSorted((a, b) => positionOf(a) - positionOf(b));
  namespace.activeMutant = mutant;
  namespace.hitCount = 0;
  namespace.hitLimit = hitLimit;
  const begun: Test[] = [];
  mocha
    .run((failures) => {
      const result: Result = {
        failed: failures > 0,
        begun,
        coverage: namespace.mutantCoverage ?? { static: {}, perTest: {} },
      };
      process.send?.(result);
    })
    .on('suite', ({ file }) => {
      namespace.currentTestId = file;
    })
    .on('test', (test) => {
      const { id, file } = named(test);
      namespace.currentTestId = id;
      begun.push({ id, file });
    });
});
