// Required by Mocha: notes which changes of the code each file of tests runs, in the file MUTATION_COVERAGE.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** How often each change was run, by its ID. */
export type Counts = Record<string, number>;

export interface Coverage {
  /** While no test ran. */
  static: Counts;
  /** By the file of tests. */
  perTest: Record<string, Counts>;
}

/** What the changed code reads and writes. */
interface Namespace {
  currentTestId?: string | undefined;
  mutantCoverage?: Coverage;
}
const global = globalThis as { __stryker__?: Namespace };
global.__stryker__ ??= {};
const namespace = global.__stryker__;

function note(test: { file?: string | undefined } | undefined): void {
  namespace.currentTestId = test?.file && relative(process.cwd(), test.file);
}

export const mochaHooks = {
  beforeAll(this: Mocha.Context) {
    note(this.test);
  },
  beforeEach(this: Mocha.Context) {
    note(this.currentTest);
  },
  afterAll() {
    const { MUTATION_COVERAGE: file } = process.env;
    if (file) writeFileSync(file, JSON.stringify(namespace.mutantCoverage ?? { static: {}, perTest: {} }));
  },
};
