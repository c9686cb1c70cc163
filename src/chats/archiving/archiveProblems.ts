/** Shows why the archive can't be used, and offers a way on. */
import { type LogOutputChannel, l10n, type Uri } from 'vscode';
import { showFailure, showInfo } from '../../presentation/dialogs.ts';
import { askAboutError } from '../../presentation/showError.ts';
import { ArchiveError } from '../archive/archiveError.ts';
import { archiveErrorText } from './archiveErrorText.ts';
import type { ArchiveThread } from './archiveThread.ts';

export class ArchiveProblems {
  readonly #thread: ArchiveThread;
  readonly #log: LogOutputChannel;
  readonly #onSetAside: () => void;
  /** Those that were shown: pages are kept all the time. */
  readonly #reported = new Set<string>();

  /** `onSetAside` is called when the archive may be another one. */
  constructor(thread: ArchiveThread, log: LogOutputChannel, onSetAside: () => void) {
    this.#thread = thread;
    this.#log = log;
    this.#onSetAside = onSetAside;
  }

  /**
   * Does what the user has asked for, and shows errors of the archive. `once` is for what nobody has asked for: it shows
   * each kind of error only once.
   */
  async reporting(run: () => Promise<void>, { once = false } = {}): Promise<void> {
    if (!once) this.#thread.startAnew();
    try {
      await run();
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      if (once && this.#reported.has(error.problem)) return;
      this.#reported.add(error.problem);
      await this.#show(error);
    }
  }

  async #show(error: ArchiveError): Promise<void> {
    this.#log.error(error);
    if (error.problem !== 'damaged') {
      await askAboutError(error, archiveErrorText(error));
      return;
    }
    const start = l10n.t('Start a New Archive');
    if ((await showFailure(archiveErrorText(error), start)) !== start) return;
    const aside = await this.#setAside().catch(async (failure) => {
      this.#log.error(failure);
      await showFailure(l10n.t("The damaged archive can't be moved. Close all other windows and try again."));
    });
    this.#reported.delete('damaged');
    this.#onSetAside();
    if (aside) await showInfo(l10n.t('The damaged archive is kept as {0}.', aside.fsPath));
  }

  /** Puts a damaged archive aside, unless another window has done so: the file is another one then. */
  async #setAside(): Promise<Uri | undefined> {
    // A thread that has started since then doesn't know yet.
    await this.#thread.archive.chats().catch(() => undefined);
    return (await this.#thread.archive.isDamaged()) ? this.#thread.setAside() : undefined;
  }
}
