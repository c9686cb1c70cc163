/** Calls an archive in another thread. */
import type { ArchiveDatabase } from './archiveDatabase.ts';
import { ArchiveError, type ArchiveProblem, toArchiveError } from './archiveError.ts';

/** The methods of an object that runs elsewhere. */
type Remote<T> = {
  [M in keyof T]: T[M] extends (...args: infer A) => infer R ? (...args: A) => Promise<R> : never;
};

export type RemoteArchive = Remote<ArchiveDatabase>;

/** The way to the other thread. */
interface Port {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

interface Call {
  readonly id: number;
  readonly method: keyof ArchiveDatabase;
  readonly args: readonly unknown[];
}

type Answer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly problem: ArchiveProblem; readonly detail: string };

/** Answers calls from the other thread. `open` opens the archive; if it fails, the next call tries again. */
export function serveArchive(port: Port, open: () => ArchiveDatabase): void {
  let archive: ArchiveDatabase | undefined;
  port.onMessage((message) => {
    const { id, method, args } = message as Call;
    try {
      archive ??= open();
      const run = archive[method] as (...args: readonly unknown[]) => unknown;
      port.post({ id, result: run.apply(archive, [...args]) } satisfies Answer);
    } catch (error) {
      const { problem, message: detail } = toArchiveError(error);
      port.post({ id, problem, detail } satisfies Answer);
    }
  });
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
  call(method: keyof ArchiveDatabase, args: readonly unknown[]): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#port.post({ id, method, args } satisfies Call);
    });
  }

  /** The other thread has ended: no call is answered any more. */
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
    // Not `then`: to await the archive itself isn't a call.
    get: (_, method) =>
      method === 'then' ? undefined : (...args: unknown[]) => call(method as keyof ArchiveDatabase, args),
  });
}
