// Mocha's reporter of all suites: a line for each file of tests, and each failure as soon as it is known. What `run.ts`
// adds up goes to the file BOT_CHATS_RESULTS. The option `sources` is the folder that bundled tests come from.
import { writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import Mocha from 'mocha';

interface Failure {
  /** With the titles of the groups it is in, from the outermost. */
  titlePath: string[];
  file: string;
  message: string;
}

export interface Results {
  passed: number;
  failures: Failure[];
}

/** A test or a hook. */
type Runnable = Mocha.Test | Mocha.Hook;

export default class Reporter extends Mocha.reporters.Base {
  readonly #results: Results = { passed: 0, failures: [] };
  readonly #files: number;
  readonly #sources: string | undefined;
  readonly #done = new Set<string>();
  #file = '';
  #passed = 0;
  #milliseconds = 0;

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions & { files?: readonly string[] }) {
    super(runner, options);
    this.#files = options.files?.length ?? 0;
    this.#sources = options.reporterOptions?.sources;
    runner.on('hook', (hook) => this.#enter(hook));
    runner.on('hook end', (hook) => this.#add(hook));
    runner.on('test', (test) => this.#enter(test));
    runner.on('test end', (test) => this.#add(test));
    runner.on('pass', () => {
      this.#passed++;
      this.#results.passed++;
    });
    runner.on('fail', (test, error) => this.#fail(test, error));
    runner.once('end', () => this.#end());
  }

  /** Even in parallel, the tests of a file are reported together. */
  #enter({ file }: Runnable): void {
    if (!file || file === this.#file) return;
    this.#leave();
    this.#file = file;
  }

  #add({ duration = 0 }: Runnable): void {
    this.#milliseconds += duration;
  }

  #leave(): void {
    if (!this.#file) return;
    const count = `${this.#done.add(this.#file).size} of ${this.#files}`.padStart(10);
    console.log(
      `${count}  ${this.#source(this.#file)}  ${this.#passed} passed, ${(this.#milliseconds / 1000).toFixed(1)} s`,
    );
    this.#passed = 0;
    this.#milliseconds = 0;
  }

  #fail(test: Runnable, error: Error): void {
    // Mocha's list shows what was expected, too.
    Mocha.reporters.Base.list([Object.assign(test, { err: error }) as Mocha.Test]);
    this.#results.failures.push({
      titlePath: test.titlePath(),
      file: this.#source(test.file ?? this.#file),
      message: String(error.message ?? error).split('\n')[0] ?? '',
    });
  }

  #end(): void {
    this.#leave();
    const { BOT_CHATS_RESULTS: file } = process.env;
    if (file) writeFileSync(file, JSON.stringify(this.#results));
  }

  /** The path of a file of tests in the repository. */
  #source(file: string): string {
    const path = this.#sources
      ? join(this.#sources, basename(file, '.js')).concat('.ts')
      : relative(process.cwd(), file);
    return path.replaceAll('\\', '/');
  }
}
