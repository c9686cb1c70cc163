/** The file in which what the directory found outlives a restart, so that names are there before any request. */
import { type LogOutputChannel, Uri, workspace } from 'vscode';
import type { Directory } from '../directory/directory.ts';
import { deserializeEntries, serializeEntries } from '../directory/serialization.ts';
import type { CacheEntry } from '../directory/ttlCache.ts';
import type { Kind } from '../service/model.ts';

/** Changes are written together: when there were none for so long, or the first has waited so long (milliseconds). */
const QUIET = 500;
const LONGEST = 5_000;

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

  /** What was written, but for what `isKnown` already; nothing where there is no file, or none that can be read. */
  async read(isKnown?: (kind: Kind, id: string) => boolean): Promise<CacheEntry[]> {
    try {
      const bytes = await workspace.fs.readFile(this.#uri);
      return await deserializeEntries(new TextDecoder().decode(bytes), isKnown);
    } catch {
      return [];
    }
  }

  /** Writes what a directory finds, soon after it found it. Returns what ends this: resolves when all is written. */
  keep(directory: Directory): () => Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let changedAt: number | undefined;
    let written = Promise.resolve();
    const write = () => {
      changedAt = undefined;
      written = written.then(() => this.#write(directory));
    };
    const stop = directory.onDidChange(() => {
      const now = performance.now();
      changedAt ??= now;
      clearTimeout(timer);
      timer = setTimeout(write, Math.min(QUIET, changedAt + LONGEST - now));
    });
    return () => {
      stop();
      clearTimeout(timer);
      if (changedAt !== undefined) write();
      return written;
    };
  }

  async #write(directory: Directory): Promise<void> {
    const draft = this.#uri.with({ path: `${this.#uri.path}.${crypto.randomUUID()}` });
    try {
      // What other windows found and wrote is not to be lost.
      directory.merge(await this.read((kind, id) => directory.has(kind, id)));
      const text = await serializeEntries(directory.entries());
      await workspace.fs.createDirectory(Uri.joinPath(this.#uri, '..'));
      await workspace.fs.writeFile(draft, new TextEncoder().encode(text));
      // In one step, so that nobody reads the half of it.
      await workspace.fs.rename(draft, this.#uri, { overwrite: true });
    } catch (error) {
      this.#log.warn(`names are not kept over a restart: ${error instanceof Error ? error.message : error}`);
      await workspace.fs.delete(draft).then(undefined, () => {});
    }
  }
}
