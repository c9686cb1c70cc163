/**
 * Files that another program has open: another window, a virus scanner, an indexer, a synchronized folder. Windows refuses to
 * open, rename, link or remove such a file, and to remove the folder that it's in. Mostly that takes moments. So whatever
 * touches names tries again, with growing pauses, as VS Code itself does.
 */
import { type Clock, systemClock } from '../service/clock.ts';
import { isWindows } from './node.ts';

/** How long a file is waited for (milliseconds): as long as VS Code does, or less if only something is to be shown. */
const PATIENCE = 60_000;
const READ_PATIENCE = 10_000;

/** How long a thread stands still for a file (milliseconds). Windows that don't use the archive close it sooner. */
const BLOCKING_PATIENCE = 15_000;

const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 500;

/**
 * Only Windows means that a file is in use: elsewhere, the first two codes say that permission is missing, and waiting
 * changes nothing. The last one is a folder in which a removed file is still open, or another window has just created one.
 */
const WINDOWS_CODES = ['EACCES', 'EPERM', 'EBUSY', 'ENOTEMPTY'];
const OTHER_CODES = ['EBUSY', 'ENOTEMPTY'];

type SystemError = Error & { code: string };

/** Another program has a file open, and had it for as long as this was waited for. */
export class FileInUseError extends Error {
  override readonly name = 'FileInUseError';
  readonly path: string;
  /** The code of the system's error, which is the `cause`. */
  readonly code: string;

  constructor(path: string, cause: SystemError) {
    super(`another program has ${path} open (${cause.message})`, { cause });
    this.path = path;
    this.code = cause.code;
  }
}

interface Wait {
  /** Ends the waiting; a try that has begun goes on. */
  signal?: AbortSignal | undefined;
  /** Set if the try only reads. */
  isRead?: boolean;
}

/**
 * Returns a function that does something with a file, and tries again while another program has it open. It rejects with a
 * {@link FileInUseError} in the end, or as soon as the signal aborts; with any other error at once.
 */
export function filesInUse({
  clock = systemClock,
  onWindows = isWindows(),
}: {
  clock?: Pick<Clock, 'now' | 'sleep'>;
  onWindows?: boolean;
} = {}) {
  return async <T>(path: string, act: () => Promise<T>, { signal = NEVER, isRead = false }: Wait = {}): Promise<T> => {
    const tries = new Tries(path, clock, isRead ? READ_PATIENCE : PATIENCE, onWindows);
    for (;;) {
      try {
        return await act();
      } catch (error) {
        const { pause, inUse } = tries.after(error);
        await clock.sleep(pause, signal).catch(() => Promise.reject(inUse));
      }
    }
  };
}

const NEVER = new AbortController().signal;

/** Like {@link filesInUse}, for a thread that may stand still. */
export function filesInUseSync({
  clock = blockingClock,
  onWindows = isWindows(),
}: {
  clock?: typeof blockingClock;
  onWindows?: boolean;
} = {}) {
  return <T>(path: string, act: () => T): T => {
    const tries = new Tries(path, clock, BLOCKING_PATIENCE, onWindows);
    for (;;) {
      try {
        return act();
      } catch (error) {
        clock.sleep(tries.after(error).pause);
      }
    }
  };
}

const blockingClock = {
  now: systemClock.now,
  sleep(ms: number): void {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  },
};

/** Counts the tries of one call. */
class Tries {
  readonly #path: string;
  readonly #codes: readonly string[];
  readonly #isOver: () => boolean;
  #pause = FIRST_PAUSE / 2;

  constructor(path: string, { now }: Pick<Clock, 'now'>, patience: number, onWindows: boolean) {
    this.#path = onWindows ? path.replaceAll('/', '\\') : path;
    this.#codes = onWindows ? WINDOWS_CODES : OTHER_CODES;
    const end = now() + patience;
    this.#isOver = () => now() >= end;
  }

  /** How long to wait after this error (milliseconds), and the error if that isn't possible. @throws if it's the last one */
  after(error: unknown): { pause: number; inUse: FileInUseError } {
    if (!(error instanceof Error && 'code' in error && this.#codes.includes(String(error.code)))) throw error;
    const inUse = new FileInUseError(this.#path, error as SystemError);
    if (this.#isOver()) throw inUse;
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
    return { pause: this.#pause, inUse };
  }
}
