/** Indexes messages again, in the background, that an older version of the extension has indexed by another text. */
import type { LogOutputChannel } from 'vscode';
import type { RemoteArchive } from '../archive/remote.ts';

export class Reindexing {
  readonly #archive: Pick<RemoteArchive, 'countOutdated' | 'indexOutdated'>;
  readonly #log: Pick<LogOutputChannel, 'error'>;
  readonly #onDone: () => void;
  #isRunning = false;

  /** `onDone` is called when everything can be found again. */
  constructor(
    archive: Pick<RemoteArchive, 'countOutdated' | 'indexOutdated'>,
    log: Pick<LogOutputChannel, 'error'>,
    onDone: () => void,
  ) {
    this.#archive = archive;
    this.#log = log;
    this.#onDone = onDone;
  }

  /** How many messages may not be found yet. If there are any, they're indexed from now on. Rejects as the archive does. */
  async left(): Promise<number> {
    const count = await this.#archive.countOutdated();
    if (count > 0 && !this.#isRunning) void this.#run();
    return count;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      // Each call is short, so that searches come in between.
      while (await this.#archive.indexOutdated());
      this.#onDone();
    } catch (error) {
      // The next search tries again, and shows what is wrong with the archive.
      this.#log.error(error instanceof Error ? error : String(error));
    } finally {
      this.#isRunning = false;
    }
  }
}
