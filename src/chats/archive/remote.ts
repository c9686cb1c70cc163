/** Calls an archive in another thread. */
import { type Clock, systemClock, Timer } from '../../service/clock.ts';
import type { ArchiveDatabase } from './archiveDatabase.ts';
import { ArchiveError, type ArchiveProblem, toArchiveError } from './archiveError.ts';

/** The methods of an object that runs elsewhere. */
type Remote<T> = {
  [M in keyof T]: T[M] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never;
};

/** What can be done with the file itself, which needn't be readable for it. */
interface FileMethods {
  /** Tries again to open a file that couldn't be opened. */
  retry(): void;
  /** Whether damage was found in this file. */
  isDamaged(): boolean;
  /** Gives the file another path, so that the next call begins with an empty archive. */
  setAside(path: string): void;
  /** Overwrites the file and removes it. Needs no space on the disk. */
  erase(): void;
}

type Served = ArchiveDatabase & FileMethods;
export type RemoteArchive = Remote<Served>;

/** The file of an archive. Every method but `open` throws an error of the file system. */
export interface ArchiveFile {
  /** The path of the file, for errors. */
  readonly path: string;
  open(): ArchiveDatabase;
  /** A text that changes if another file takes the place of this one; undefined if there's no file. */
  identity(): string | undefined;
  /** A text that changes with the identity, and as soon as the file is written. */
  version(): string | undefined;
  /** Whether another window is about to put the file aside or to erase it: nobody may have it open then. */
  isReserved(): boolean;
  /** Puts the file aside. @throws ArchiveError if another program doesn't close it */
  setAside(path: string): void;
  erase(): void;
}

/** The end of the name of a file that is about to be erased. Such a file is left if erasing was interrupted. */
export const ERASED = '.erased';

/** The way to the other thread. */
interface Port {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

interface Call {
  readonly id: number;
  readonly method: keyof Served;
  readonly args: readonly unknown[];
}

type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly problem: ArchiveProblem; readonly detail: string };

/** Answers calls from the other thread. */
export function serveArchive(port: Port, file: ArchiveFile, clock: Pick<Clock, 'after'> = systemClock): void {
  const opened = new OpenedArchive(file, clock);
  port.onMessage((message) => {
    const { id, method, args } = message as Call;
    try {
      port.post({ id, result: opened.call(method, args) } satisfies Answer);
    } catch (error) {
      const { problem, message: detail } = toArchiveError(error);
      port.post({ id, problem, detail: problem === 'denied' ? `${detail}: ${file.path}` : detail } satisfies Answer);
    }
  });
}

/** How long an archive stays open after a call (milliseconds): while it's open, nobody can move or remove its file. */
const IDLE = 5_000;

/**
 * The archive of a file, opened for a call, and again if another file takes its place: another window may have put it aside
 * or erased it.
 */
class OpenedArchive implements FileMethods {
  readonly #file: ArchiveFile;
  readonly #idle: Timer;
  #archive: { readonly database: ArchiveDatabase; readonly identity: string | undefined } | undefined;
  /** A version of the file that can't be opened, and why: the next call wouldn't change that. */
  #failure: { readonly error: ArchiveError; readonly version: string | undefined } | undefined;
  /** The identity of the file in which damage was found. */
  #damaged: string | undefined;
  /** The identity of the file that was closed because nobody used it. */
  #unused: string | undefined;
  /** Set once everything is read as of one moment: opened again, the archive would be another one. */
  #isFrozen = false;

  constructor(file: ArchiveFile, clock: Pick<Clock, 'after'>) {
    this.#file = file;
    this.#idle = new Timer(() => {
      this.#unused = this.#archive?.identity;
      this.#close();
    }, clock);
  }

  call(method: keyof Served, args: readonly unknown[]): unknown {
    switch (method) {
      case 'retry':
      case 'isDamaged':
      case 'erase':
        return this[method]();
      case 'setAside':
        return this.setAside(String(args[0]));
    }
    try {
      const database = this.#open();
      const run = database[method] as (...args: readonly unknown[]) => unknown;
      const result = run.apply(database, [...args]);
      this.#isFrozen ||= method === 'freeze';
      return result;
    } catch (error) {
      if (toArchiveError(error).problem === 'damaged') this.#damaged = this.#file.identity();
      throw error;
    } finally {
      if (this.#isFrozen) this.#idle.stop();
      else if (this.#archive) this.#idle.restart(IDLE);
    }
  }

  retry(): void {
    this.#failure = undefined;
  }

  isDamaged(): boolean {
    return this.#damaged !== undefined && this.#damaged === this.#file.identity();
  }

  setAside(path: string): void {
    this.#forget();
    this.#file.setAside(path);
  }

  erase(): void {
    this.#forget();
    this.#file.erase();
  }

  /** Closes the archive, because another file is about to take the place of this one. */
  #forget(): void {
    this.#close();
    this.#failure = undefined;
    this.#damaged = undefined;
  }

  #open(): ArchiveDatabase {
    const identity = this.#file.identity();
    if (this.#archive && (this.#archive.identity !== identity || this.#file.isReserved())) this.#close();
    if (this.#archive) return this.#archive.database;
    if (this.#isFrozen || this.#file.isReserved()) throw new ArchiveError('busy');
    const version = this.#file.version();
    if (this.#failure && this.#failure.version === version) throw this.#failure.error;
    this.#failure = undefined;
    try {
      const database = this.#file.open();
      this.#archive = { database, identity: this.#file.identity() };
      // A damaged file that couldn't be opened wasn't kept open, so that the next one may have its identity.
      if (this.#unused === undefined || this.#unused !== identity) this.#damaged = undefined;
      return database;
    } catch (thrown) {
      const error = toArchiveError(thrown);
      // The version before the attempt counts: the attempt itself, or another window, may have changed the file.
      if (error.problem === 'newer' || error.problem === 'damaged') this.#failure = { error, version };
      throw error;
    }
  }

  #close(): void {
    const { database } = this.#archive ?? {};
    this.#archive = undefined;
    this.#idle.stop();
    try {
      database?.close();
    } catch {
      // Closing may fail to write, but to a file that is gone.
    }
  }
}

/** The archive in the other thread. Its methods reject with an {@link ArchiveError}. */
export class ArchiveCaller {
  readonly #port: Port;
  readonly #pending = new Map<number, { resolve(result: unknown): void; reject(error: unknown): void }>();
  #lastId = 0;

  constructor(port: Port) {
    this.#port = port;
    port.onMessage((message) => this.#receive(message as Answer));
  }

  /** Calls a method of the archive. */
  call(method: keyof Served, args: readonly unknown[]): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#port.post({ id, method, args } satisfies Call);
    });
  }

  /** Rejects all calls: the other thread has ended, so that none is answered any more. */
  fail(error: ArchiveError): void {
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }

  #receive(answer: Answer): void {
    const pending = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if ('problem' in answer) pending?.reject(new ArchiveError(answer.problem, answer.detail));
    else pending?.resolve(answer.result);
  }
}

/** An archive whose methods are calls. */
export function remoteArchive(call: ArchiveCaller['call']): RemoteArchive {
  return new Proxy({} as RemoteArchive, {
    // `then` isn't a method of the archive, so that awaiting the archive isn't a call.
    get: (_, method) => (method === 'then' ? undefined : (...args: unknown[]) => call(method as keyof Served, args)),
  });
}
