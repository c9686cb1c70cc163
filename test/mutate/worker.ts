// Started by `index.ts`, in the changed copy of the repository: loads the files of tests that its arguments name, then
// runs some of them for each message.
import Mocha from 'mocha';
import config from '../../.mocharc.json' with { type: 'json' };

/** How often each change was run, by its ID. */
export type Counts = Record<string, number>;

export interface Coverage {
  /** While files were loaded. */
  static: Counts;
  /** By the file of tests. */
  perTest: Record<string, Counts>;
}

/** Which change to make, and the files of tests to run, in this order. */
export interface Task {
  mutant?: string;
  /** How often the change may run before it counts as an endless loop. */
  hitLimit?: number;
  files: readonly string[];
}

export interface Result {
  failed: boolean;
  /** The files of tests that have begun: all, or those up to the one that failed. */
  begun: readonly string[];
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
  timeout: config.timeout,
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
const [suites, tests] = [mocha.suite.suites, mocha.suite.tests];

process.on('message', ({ mutant, hitLimit, files }: Task) => {
  mocha.suite.suites = files.flatMap((file) => suites.filter((suite) => suite.file === file));
  mocha.suite.tests = files.flatMap((file) => tests.filter((test) => test.file === file));
  namespace.activeMutant = mutant;
  namespace.hitCount = 0;
  namespace.hitLimit = hitLimit;
  const begun = new Set<string>();
  const note = ({ file }: { file?: string | undefined }) => {
    if (!file) return;
    namespace.currentTestId = file;
    begun.add(file);
  };
  mocha
    .run((failures) => {
      const result: Result = {
        failed: failures > 0,
        begun: [...begun],
        coverage: namespace.mutantCoverage ?? { static: {}, perTest: {} },
      };
      process.send?.(result);
    })
    .on('suite', note)
    .on('test', note);
});
