/** A file system, some of whose operations fail, before, in the middle of or after what they do. */
import fc from 'fast-check';
import type { NodeFiles } from '../../src/platform/diskFiles.ts';
import { FileInUseError } from '../../src/platform/filesInUse.ts';

export type Operation = keyof NodeFiles | 'writeFile' | 'sync' | 'close';

/** Some operations that fail, the first one after at most so many others. */
export const troublesAfter = (max: number) =>
  fc.record({
    /** How many operations until the first one that fails, and how many fail. */
    after: fc.nat({ max }),
    times: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 30 }), fc.constant(10_000)),
    /** The operations affected; others succeed. */
    on: fc.constantFrom<Operation[][]>(
      ['open', 'writeFile', 'sync', 'close', 'mkdir', 'rename', 'link', 'rm', 'readFile', 'readdir', 'stat'],
      ['open', 'writeFile', 'mkdir', 'rename'],
      ['sync', 'close'],
      ['rm'],
      ['open', 'rename', 'link', 'rm'],
      ['readFile', 'readdir', 'stat'],
    ),
    code: fc.constantFrom('ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EDQUOT', 'EMFILE', 'EPERM', 'EBUSY'),
    /** How much of the operation is done before it fails; for a read, `half` means a short read without an error. */
    done: fc.constantFrom('nothing', 'half', 'all'),
  });
type Trouble = ReturnType<typeof troublesAfter> extends fc.Arbitrary<infer T> ? T : never;

class DiskError extends Error {
  readonly code: string;

  constructor(name: Operation, code: string) {
    super(`${code}: ${name}`);
    this.code = code;
  }
}

export class FailingFiles {
  failures = 0;
  shortReads = 0;
  #operations = 0;
  /** The operations that fail now, each from one number on. */
  #troubles: (Trouble & { from: number })[] = [];

  /** These operations fail from now on, and no others. */
  fail(troubles: readonly Trouble[]): void {
    this.#troubles = troubles.map((one) => ({ ...one, from: this.#operations + one.after }));
  }

  /** Whether an error is that of a failing disk. */
  isOwn(error: unknown): boolean {
    return error instanceof DiskError || (error instanceof FileInUseError && error.cause instanceof DiskError);
  }

  /**
   * These files, each of whose operations waits for its turn. A process that dies while it writes has written half, and a
   * folder is removed in several steps. `openingCode` is that of whatever can't be opened to be read: by default any.
   */
  over(
    files: NodeFiles,
    turn: (name: Operation, dying?: () => void) => Promise<void> = async () => {},
    openingCode?: string,
  ): NodeFiles {
    const attempt = async <T>(
      name: Operation,
      operation: () => Promise<T>,
      partly: Partial<Record<Trouble['done'], () => Promise<unknown>>> = {},
      { code, dying }: { code?: string | undefined; dying?: () => unknown } = {},
    ): Promise<T> => {
      await turn(name, () => void dying?.());
      const trouble = this.#next(name);
      if (!trouble) return operation();
      const { nothing, half = nothing, all = operation } = partly;
      await { nothing, half, all }[trouble.done]?.();
      throw this.#error(name, code ?? trouble.code);
    };
    const removeNames = async (path: string, isNext: (at: number) => boolean) => {
      const names = await files.readdir(path).catch(() => []);
      for (const [at, name] of names.toSorted().entries()) {
        if (!isNext(at)) continue;
        await turn('rm');
        await files.rm(`${path}/${name}`, ALL);
      }
    };
    return {
      open: async (path, flags) => {
        const handle = await attempt(
          'open',
          () => files.open(path, flags),
          { all: async () => (await files.open(path, flags)).close() },
          { code: flags === 'r' ? openingCode : undefined },
        );
        return {
          writeFile: (text) => {
            const half = () => handle.writeFile(text.slice(0, text.length / 2));
            return attempt('writeFile', () => handle.writeFile(text), { half }, { dying: half });
          },
          sync: () => attempt('sync', () => handle.sync()),
          // Never leaves a handle open, however it fails.
          close: () => attempt('close', () => handle.close(), { nothing: () => handle.close() }),
        };
      },
      readFile: async (path, encoding) => {
        await turn('readFile');
        const trouble = this.#next('readFile');
        if (trouble && trouble.done !== 'half') throw this.#error('readFile', trouble.code);
        const text = await files.readFile(path, encoding);
        if (!trouble) return text;
        this.shortReads++;
        return text.slice(0, text.length / 2);
      },
      readdir: (path) => attempt('readdir', () => files.readdir(path)),
      stat: (path) => attempt('stat', () => files.stat(path)),
      mkdir: (path, options) => attempt('mkdir', () => files.mkdir(path, options)),
      rename: (from, to) => attempt('rename', () => files.rename(from, to)),
      link: (from, to) => attempt('link', () => files.link(from, to)),
      rm: (path, options) =>
        attempt(
          'rm',
          async () => {
            await removeNames(path, () => true);
            await files.rm(path, options);
          },
          // Every other name, starting with the second one.
          { half: () => removeNames(path, (at) => at % 2 === 1) },
        ),
    };
  }

  #next(name: Operation): Trouble | undefined {
    const number = this.#operations++;
    return this.#troubles.find(({ from, times, on }) => on.includes(name) && number >= from && number < from + times);
  }

  #error(name: Operation, code: string): DiskError {
    this.failures++;
    return new DiskError(name, code);
  }
}

const ALL = { recursive: true, force: true } as const;
