/** The disk of this computer, some of whose operations fail. */
import fs from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { NodeFiles } from '../../src/platform/durableFiles.ts';

const CODES = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EDQUOT', 'EMFILE'];
type Name =
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
    /** The number of the first operation that fails, and how many do. */
    from: fc.nat({ max: 150 }),
    times: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 30 }), fc.constant(10_000)),
    /** The others succeed meanwhile. */
    on: fc.constantFrom<Name[][]>(
      ['open', 'writeFile', 'sync', 'close', 'mkdir', 'rename', 'link', 'rm', 'readFile', 'readdir', 'stat'],
      ['open', 'writeFile', 'mkdir', 'rename'],
      ['sync', 'close'],
      ['rm'],
      ['readFile', 'readdir', 'stat'],
    ),
    code: fc.constantFrom(...CODES),
    /** How much is done all the same; of a file, `half` is read without an error. */
    done: fc.constantFrom('nothing', 'half', 'all'),
  }),
  { minLength: 1, maxLength: 3 },
);
type Trouble = typeof troubles extends fc.Arbitrary<(infer T)[]> ? T : never;

export class FailingDisk {
  /** How many operations failed, and how many files were read in part. */
  failures = 0;
  shortReads = 0;
  readonly #troubles: readonly Trouble[];
  #operations = 0;
  #isWell = false;

  constructor(troubles: readonly Trouble[]) {
    this.#troubles = troubles;
  }

  /** From now on all goes well. */
  recover(): void {
    this.#isWell = true;
  }

  /** Whether an error is one of this disk. */
  isOwn(error: unknown): boolean {
    return error instanceof DiskError;
  }

  readonly files: NodeFiles = {
    open: async (path, flags) => {
      const close = async () => (await fs.open(path, flags)).close();
      const handle = await this.#act('open', () => fs.open(path, flags), { all: close });
      return {
        writeFile: (text) =>
          this.#act('writeFile', () => handle.writeFile(text), {
            half: () => handle.writeFile(text.slice(0, text.length / 2)),
          }),
        sync: () => this.#act('sync', () => handle.sync()),
        // However it fails, nothing of this process is left open.
        close: () => this.#act('close', () => handle.close(), { nothing: () => handle.close() }),
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
    readdir: (path) => this.#act('readdir', () => fs.readdir(path)),
    stat: (path) => this.#act('stat', () => fs.stat(path)),
    mkdir: (path, options) => this.#act('mkdir', () => fs.mkdir(path, options)),
    rename: (from, to) => this.#act('rename', () => fs.rename(from, to)),
    link: (from, to) => this.#act('link', () => fs.link(from, to)),
    rm: (path, options) => this.#act('rm', () => fs.rm(path, options), { half: () => removeHalf(path) }),
  };

  async #act<T>(
    name: Name,
    act: () => Promise<T>,
    partly: Partial<Record<Trouble['done'], () => Promise<unknown>>> = {},
  ): Promise<T> {
    const trouble = this.#next(name);
    if (!trouble) return act();
    const { nothing, half = nothing, all = act } = partly;
    await { nothing, half, all }[trouble.done]?.();
    return this.#fail(name, trouble);
  }

  #next(name: Name): Trouble | undefined {
    if (this.#isWell) return undefined;
    const number = this.#operations++;
    return this.#troubles.find(({ from, times, on }) => on.includes(name) && number >= from && number < from + times);
  }

  #fail(name: Name, { code }: Trouble): never {
    this.failures++;
    throw new DiskError(name, code);
  }
}

class DiskError extends Error {
  readonly code: string;

  constructor(name: Name, code: string) {
    super(`${code}: ${name}`);
    this.code = code;
  }
}

/** Removes every other file of a folder, the first of which stays. */
async function removeHalf(path: string): Promise<void> {
  const names = await fs.readdir(path).catch(() => []);
  for (const [at, name] of names.toSorted().entries())
    if (at % 2 === 1) await fs.rm(join(path, name), { recursive: true });
}
