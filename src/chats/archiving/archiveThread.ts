/** The archive of this computer, which runs in a thread of its own from its first use on. */
import { Uri, workspace } from 'vscode';
import { isMissingFile } from '../../platform/fileReader.ts';
import { startWorker, type WorkerThread } from '../../platform/worker.ts';
import { l10n } from '../../presentation/shown.ts';
import { systemClock } from '../../service/clock.ts';
import { ArchiveError } from '../archive/archiveError.ts';
import { ArchiveCaller, ERASED, type RemoteArchive, remoteArchive } from '../archive/remote.ts';

const FILE = 'archive.db';

interface Running {
  readonly thread: WorkerThread;
  readonly caller: ArchiveCaller;
}

export class ArchiveThread {
  readonly #folder: Uri;
  readonly #script: Uri;
  readonly #onDamaged: () => void;
  #running: Running | undefined;
  /** Why a thread ended before it had answered anything: another thread would do the same. */
  #failure: ArchiveError | undefined;
  #isKnownToBeDamaged = false;

  /** The archive. Its methods reject with an ArchiveError. */
  readonly archive: RemoteArchive = remoteArchive(async (method, args) => {
    try {
      const result = await this.#run().caller.call(method, args);
      // The answer counts for the present file: this window or another may have put another one in its place.
      if (method === 'isDamaged') this.#isKnownToBeDamaged = result === true;
      return result;
    } catch (error) {
      this.#note(error);
      throw error;
    }
  });

  /**
   * `folder` is private to the archive. `extension` is where the extension is installed. `onDamaged` is called when the
   * file is found to be damaged.
   */
  constructor(folder: Uri, extension: Uri, onDamaged: () => void) {
    this.#folder = folder;
    this.#script = Uri.joinPath(extension, 'dist', 'archiveWorker.js');
    this.#onDamaged = onDamaged;
  }

  /**
   * Whether anything is archived, or left of an interrupted erasure: another window may have begun, or erased everything.
   * Starts no thread.
   */
  async exists(): Promise<boolean> {
    const { path } = this.#file;
    return (await isThere(this.#file)) || isThere(this.#file.with({ path: path + ERASED }));
  }

  /** Lets a thread that ended at once be started again, because the user wants to try again. */
  startAnew(): void {
    this.#failure = undefined;
  }

  /** Tries again to open a file that can't be opened, because the user wants that. */
  async retry(): Promise<void> {
    this.startAnew();
    this.#isKnownToBeDamaged = false;
    await this.archive.retry();
  }

  /** Puts a damaged file aside, so that the next use begins with an empty archive. Resolves to its new place. */
  async setAside(): Promise<Uri> {
    const aside = this.#file.with({ path: `${this.#file.path}.damaged-${systemClock.wall()}` });
    await this.archive.setAside(aside.fsPath);
    this.#isKnownToBeDamaged = false;
    return aside;
  }

  async close(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.thread.stop();
  }

  get #file(): Uri {
    return Uri.joinPath(this.#folder, FILE);
  }

  #run(): Running {
    if (this.#failure) throw this.#failure;
    if (this.#running) return this.#running;
    const thread = startWorker(this.#script, { folder: this.#folder.fsPath, name: FILE });
    if (!thread) throw new ArchiveError('unsupported');
    const running = { thread, caller: new ArchiveCaller(thread) };
    let hasAnswered = false;
    thread.onMessage(() => {
      hasAnswered = true;
    });
    thread.onExit((thrown) => {
      const error = new ArchiveError('failed', thrown?.message || l10n.t('its thread has ended'));
      if (this.#running === running) {
        this.#running = undefined;
        if (!hasAnswered) this.#failure = error;
      }
      running.caller.fail(error);
    });
    this.#running = running;
    return running;
  }

  #note(error: unknown): void {
    if (this.#isKnownToBeDamaged || !(error instanceof ArchiveError && error.problem === 'damaged')) return;
    this.#isKnownToBeDamaged = true;
    this.#onDamaged();
  }
}

const isThere = (file: Uri) =>
  workspace.fs.stat(file).then(
    () => true,
    // A folder that can't be read isn't taken for an empty one: the archive itself says why.
    (error) => !isMissingFile(error),
  );
