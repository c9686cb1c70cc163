import { EventEmitter } from 'node:events';
import type { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { type ArchiveFile, serveArchive } from '../../../../src/chats/archive/remote.ts';
import { archiveFile } from '../../../../src/chats/archiving/archiveFile.ts';
import type { builtin } from '../../../../src/platform/node.ts';

const { getBuiltinModule } = process;

/** Replaces parts of Node's modules, as the extension gets them, until `restoreBuiltins`. */
export function replaceBuiltins(replaced: Record<string, object>): void {
  const replacing: typeof builtin = (name) => {
    const original = getBuiltinModule(name);
    return replaced[name] ? { ...original, ...replaced[name] } : original;
  };
  process.getBuiltinModule = replacing as typeof getBuiltinModule;
}

export function restoreBuiltins(): void {
  process.getBuiltinModule = getBuiltinModule;
}

/** Stands for a thread of the archive. Its messages come later, as from a real one. */
export class TestThread extends EventEmitter {
  readonly #port = new EventEmitter();
  #isRunning = true;
  #database: ArchiveDatabase | undefined;

  /** Serves the archive in a file. */
  serve(file: ArchiveFile): void {
    const post = (message: unknown) => this.#later(() => this.emit('message', structuredClone(message)));
    const open = () => {
      this.#database = file.open();
      return this.#database;
    };
    serveArchive({ post, onMessage: (listener) => this.#port.on('message', listener) }, { ...file, open });
  }

  postMessage(message: unknown): void {
    this.#later(() => this.#port.emit('message', structuredClone(message)));
  }

  /** The thread ends by itself, with what it has thrown. */
  end(error?: Error): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    try {
      this.#database?.close();
    } catch {
      // It was closed before.
    }
    if (error) this.emit('error', error);
    this.emit('exit');
  }

  async terminate(): Promise<void> {
    this.end();
  }

  unref(): void {}

  #later(run: () => void): void {
    queueMicrotask(() => this.#isRunning && run());
  }
}

/**
 * The threads that are started from now on, until `restoreBuiltins`. They serve the real file, changed by `change`, once
 * `start` is called with each: at once by default.
 */
export function testThreads({
  change = (file: ArchiveFile): ArchiveFile => file,
  start = (serve: () => void): void => serve(),
} = {}): TestThread[] {
  const started: TestThread[] = [];
  class Worker extends TestThread {
    constructor(_: string, { workerData }: { workerData: { folder: string; name: string } }) {
      super();
      started.push(this);
      start(() => this.serve(change(archiveFile(workerData.folder, workerData.name))));
    }
  }
  replaceBuiltins({ 'node:worker_threads': { Worker } });
  return started;
}
