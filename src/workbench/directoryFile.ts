/** The file in which what the directory found outlives a restart, so that names are there before any request. */
import { type Disposable, type LogOutputChannel, Uri, workspace } from 'vscode';
import type { Directory } from '../service/directory.ts';
import { type Entry, newestOf } from '../service/shelf.ts';
import { fromStored, toStored } from '../service/stored.ts';

/** Changes are written together, at most this often (milliseconds). */
const WRITE = 2_000;

export class DirectoryFile {
  readonly #uri: Uri;
  readonly #log: LogOutputChannel;

  private constructor(uri: Uri, log: LogOutputChannel) {
    this.#uri = uri;
    this.#log = log;
  }

  /** The file for the lookups at an address, in a folder that is this extension's own. */
  static async of(address: string, folder: Uri, log: LogOutputChannel): Promise<DirectoryFile> {
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(address));
    const name = Array.from(new Uint8Array(hash, 0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
    return new DirectoryFile(Uri.joinPath(folder, `directory-${name}.json`), log);
  }

  /** What was written; nothing where there is no file, or none that can be read. */
  async read(): Promise<Entry[]> {
    try {
      return fromStored(JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(this.#uri))));
    } catch {
      return [];
    }
  }

  /** Writes what a directory finds, soon after it found it and at the latest when this is disposed of. */
  keep(directory: Directory): Disposable {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      timer = undefined;
      return this.#write(directory.entries());
    };
    const stop = directory.onDidChange(() => {
      timer ??= setTimeout(write, WRITE);
    });
    return {
      dispose: () => {
        stop();
        if (timer === undefined) return;
        clearTimeout(timer);
        void write();
      },
    };
  }

  async #write(entries: Entry[]): Promise<void> {
    const folder = Uri.joinPath(this.#uri, '..');
    const draft = this.#uri.with({ path: `${this.#uri.path}.${crypto.randomUUID()}` });
    try {
      // Another window may have written what it found.
      const stored = toStored(newestOf([...(await this.read()), ...entries]));
      await workspace.fs.createDirectory(folder);
      await workspace.fs.writeFile(draft, new TextEncoder().encode(JSON.stringify(stored)));
      await workspace.fs.rename(draft, this.#uri, { overwrite: true });
    } catch (error) {
      this.#log.warn(`names are not kept over a restart: ${error instanceof Error ? error.message : error}`);
    }
  }
}
