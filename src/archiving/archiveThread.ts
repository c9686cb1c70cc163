/** The archive of this computer, which runs in a thread of its own from its first use on. */
import { Uri, workspace } from 'vscode';
import { ArchiveError } from '../archive/archiveError.ts';
import { ArchiveCaller, type RemoteArchive, remoteArchive } from '../archive/remote.ts';
import { startWorker, type WorkerThread } from '../platform/worker.ts';

const FILE = 'archive.db';

interface Running {
  readonly thread: WorkerThread;
  readonly caller: ArchiveCaller;
}

export class ArchiveThread {
  readonly #folder: Uri;
  readonly #script: Uri;
  #running: Running | undefined;
  #isKnownToExist = false;

  /** Its methods reject with an ArchiveError. */
  readonly archive: RemoteArchive = remoteArchive(async (method, args) => this.#run().caller.call(method, args));

  /** `folder` is private to the archive. `extension` is where the extension is installed. */
  constructor(folder: Uri, extension: Uri) {
    this.#folder = folder;
    this.#script = Uri.joinPath(extension, 'dist', 'archiveWorker.js');
  }

  /** Whether anything was ever archived. Starts nothing. */
  async exists(): Promise<boolean> {
    this.#isKnownToExist ||= await workspace.fs.stat(this.#file).then(
      () => true,
      () => false,
    );
    return this.#isKnownToExist;
  }

  /** Puts a damaged file aside, so that the next use begins with an empty archive. Resolves to its new place. */
  async setAside(): Promise<Uri> {
    await this.close();
    const aside = this.#file.with({ path: `${this.#file.path}.damaged-${Date.now()}` });
    await workspace.fs.rename(this.#file, aside);
    // They belong to the damaged file.
    for (const suffix of ['-wal', '-shm']) {
      const file = this.#file.with({ path: this.#file.path + suffix });
      const target = aside.with({ path: aside.path + suffix });
      await workspace.fs.rename(file, target).then(undefined, () => {});
    }
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
    if (this.#running) return this.#running;
    const thread = startWorker(this.#script, { folder: this.#folder.fsPath, name: FILE });
    if (!thread) throw new ArchiveError('unsupported');
    const running = { thread, caller: new ArchiveCaller(thread) };
    thread.onExit((error) => {
      running.caller.fail(new ArchiveError('failed', error?.message));
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
