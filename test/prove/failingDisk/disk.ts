/** The real file system, with some operations failing. */
import fs from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { NodeFiles } from '../../../src/platform/diskFiles.ts';
import { FileInUseError } from '../../../src/platform/filesInUse.ts';
import { heldFiles, type Refusal } from '../heldFiles.ts';

const CODES = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EDQUOT', 'EMFILE', 'EPERM', 'EBUSY'];
type Operation =
  | 'open'
  | 'writeFile'
  | 'sync'
  | 'close'
  | 'mkdir'
  | 'rename'
  | 'link'
  | 'rm'
  | 'readFile'
  | 'readdir'
  | 'stat';

export const troubles = fc.array(
  fc.record({
    /** Index of the first operation that fails, and how many fail. */
    from: fc.nat({ max: 150 }),
    times: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 30 }), fc.constant(10_000)),
    /** The operations affected; others succeed. */
    on: fc.constantFrom<Operation[][]>(
      ['open', 'writeFile', 'sync', 'close', 'mkdir', 'rename', 'link', 'rm', 'readFile', 'readdir', 'stat'],
      ['open', 'writeFile', 'mkdir', 'rename'],
      ['sync', 'close'],
      ['rm'],
      ['readFile', 'readdir', 'stat'],
    ),
    code: fc.constantFrom(...CODES),
    /** How much of the operation is done before it fails; for a read, `half` means a short read without an error. */
    done: fc.constantFrom('nothing', 'half', 'all'),
  }),
  { minLength: 1, maxLength: 3 },
);
type Trouble = typeof troubles extends fc.Arbitrary<(infer T)[]> ? T : never;

export class FailingDisk {
  /** Number of failed operations, and of files that were read in part. */
  failures = 0;
  shortReads = 0;
  readonly #troubles: readonly Trouble[];
  #operations = 0;
  #isRecovered = false;

  constructor(troubles: readonly Trouble[]) {
    this.#troubles = troubles;
  }

  /** No more failures from now on. */
  recover(): void {
    this.#isRecovered = true;
  }

  /** Whether this disk has thrown an error. */
  isOwn(error: unknown): boolean {
    return error instanceof DiskError || (error instanceof FileInUseError && error.cause instanceof DiskError);
  }

  readonly files: NodeFiles = {
    open: async (path, flags) => {
      const close = async () => (await fs.open(path, flags)).close();
      const handle = await this.#attempt('open', () => fs.open(path, flags), { all: close });
      return {
        writeFile: (text) =>
          this.#attempt('writeFile', () => handle.writeFile(text), {
            half: () => handle.writeFile(text.slice(0, text.length / 2)),
          }),
        sync: () => this.#attempt('sync', () => handle.sync()),
        // Never leaves a handle open, however it fails.
        close: () => this.#attempt('close', () => handle.close(), { nothing: () => handle.close() }),
      };
    },
    readFile: async (path, encoding) => {
      const read = () => fs.readFile(path, encoding);
      const trouble = this.#next('readFile');
      if (trouble?.done !== 'half') return trouble ? this.#fail('readFile', trouble) : read();
      this.shortReads++;
      const text = await read();
      return text.slice(0, text.length / 2);
    },
    readdir: (path) => this.#attempt('readdir', () => fs.readdir(path)),
    stat: (path) => this.#attempt('stat', () => fs.stat(path)),
    mkdir: (path, options) => this.#attempt('mkdir', () => fs.mkdir(path, options)),
    rename: (from, to) => this.#attempt('rename', () => fs.rename(from, to)),
    link: (from, to) => this.#attempt('link', () => fs.link(from, to)),
    rm: (path, options) => this.#attempt('rm', () => fs.rm(path, options), { half: () => removeHalf(path) }),
  };

  async #attempt<T>(
    name: Operation,
    operation: () => Promise<T>,
    partly: Partial<Record<Trouble['done'], () => Promise<unknown>>> = {},
  ): Promise<T> {
    const trouble = this.#next(name);
    if (!trouble) return operation();
    const { nothing, half = nothing, all = operation } = partly;
    await { nothing, half, all }[trouble.done]?.();
    return this.#fail(name, trouble);
  }

  #next(name: Operation): Trouble | undefined {
    if (this.#isRecovered) return undefined;
    const number = this.#operations++;
    return this.#troubles.find(({ from, times, on }) => on.includes(name) && number >= from && number < from + times);
  }

  #fail(name: Operation, { code }: Trouble): never {
    this.failures++;
    throw new DiskError(name, code);
  }
}

export const refusals = fc.array(
  fc.record({
    /** Index of the first operation that is refused, and how many are: all of them together fewer than it's tried. */
    from: fc.nat({ max: 150 }),
    times: fc.integer({ min: 1, max: 4 }),
    code: fc.constantFrom<Refusal['code'][]>('EACCES', 'EBUSY', 'EPERM'),
    isDone: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);

/** The real file system, whose files other programs have open for moments. No error of it is expected. */
export class HeldDisk {
  failures = 0;
  readonly shortReads = 0;
  readonly files: NodeFiles;
  #operations = 0;

  constructor(refusals: readonly (Refusal & { from: number; times: number })[]) {
    this.files = heldFiles(fs, () => {
      const number = this.#operations++;
      const refusal = refusals.find(({ from, times }) => number >= from && number < from + times);
      if (refusal) this.failures++;
      return refusal;
    });
  }

  recover(): void {}

  isOwn(): boolean {
    return false;
  }
}

class DiskError extends Error {
  readonly code: string;

  constructor(name: Operation, code: string) {
    super(`${code}: ${name}`);
    this.code = code;
  }
}

/** Removes every other file of a folder, starting with the second one. */
async function removeHalf(path: string): Promise<void> {
  const names = await fs.readdir(path).catch(() => []);
  for (const [at, name] of names.toSorted().entries())
    if (at % 2 === 1) await fs.rm(join(path, name), { recursive: true });
}
