/** Deletes archived chats, and does what is left to do in the archive: interrupted deletions, and indexing after an update. */
import { type LogOutputChannel, l10n } from 'vscode';
import { showProgress } from '../../presentation/dialogs.ts';
import { toError } from '../../service/errors.ts';
import type { RemoteArchive } from '../archive/remote.ts';
import type { ArchiveRuns } from './archiveRuns.ts';

export class ArchiveRemovals {
  readonly #archive: RemoteArchive;
  readonly #runs: Pick<ArchiveRuns, 'forget'>;
  readonly #log: LogOutputChannel;
  /** Whether nothing is left to do, as far as this window knows, or it's being done. */
  #isFinished = false;

  constructor(archive: RemoteArchive, runs: Pick<ArchiveRuns, 'forget'>, log: LogOutputChannel) {
    this.#archive = archive;
    this.#runs = runs;
    this.#log = log;
  }

  /**
   * Deletes chats, by their numbers, and frees their space, with progress. Calls `onGone` as soon as they can't be found
   * anymore. What is left after a cancellation or an error is deleted by `finish`. Rejects as the archive does.
   */
  async remove(numbers: readonly number[], onGone: () => void): Promise<void> {
    this.#isFinished = true;
    let isDone = false;
    try {
      await showProgress(l10n.t('Deleting archived messages'), async (report, cancellation) => {
        try {
          for (const number of numbers) {
            await this.#runs.forget(number);
            await this.#archive.removeChat(number);
          }
        } finally {
          onGone();
        }
        while (!cancellation.isCancellationRequested && (await this.#archive.removeSome()));
        if (cancellation.isCancellationRequested) return;
        report({ message: l10n.t('freeing space…') });
        await this.#archive.compact();
        isDone = true;
      });
    } finally {
      this.#isFinished = isDone;
    }
  }

  /** Deletes the whole archive, whatever its file is like, and with no space left on the disk. `numbers` are known chats. */
  async erase(numbers: readonly number[]): Promise<void> {
    for (const number of numbers) await this.#runs.forget(number);
    await this.#archive.erase();
    this.#isFinished = true;
  }

  /**
   * Goes on with a deletion that was canceled, failed, or was interrupted because its window closed, and reindexes
   * messages whose words have changed with an update. Other calls can come in between.
   */
  async finish(): Promise<void> {
    if (this.#isFinished) return;
    this.#isFinished = true;
    try {
      if (await this.#archive.hasRemovals()) {
        while (await this.#archive.removeSome());
        await this.#archive.compact();
      }
      while (await this.#archive.indexStale());
    } catch (error) {
      // Another window may be deleting. The next one that is opened tries again.
      this.#log.error(toError(error));
    }
  }
}
