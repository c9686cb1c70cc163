/** Saves the directory's entries to a file, so that names are there after a restart before any request. */
import { type LogOutputChannel, Uri, workspace } from 'vscode';
import type { Directory } from '../directory/directory.ts';
import { deserializeEntries, serializeEntries } from '../directory/serialization.ts';
import type { CacheEntry } from '../directory/ttlCache.ts';
import type { Kind } from '../service/model.ts';
import { hexDigest } from './hexDigest.ts';

/** How long to wait after the last change, and at most after the first one, before writing (milliseconds). */
const WRITE_DELAY = 500;
const MAX_WRITE_DELAY = 5_000;

export class DirectoryFile {
  readonly #uri: Uri;
  readonly #log: LogOutputChannel;

  private constructor(uri: Uri, log: LogOutputChannel) {
    this.#uri = uri;
    this.#log = log;
  }

  /** The file for lookups at an address, in a folder of the extension. */
  static async of(address: string, folder: Uri, log: LogOutputChannel): Promise<DirectoryFile> {
    const digest = (await hexDigest(address)).slice(0, 16);
    return new DirectoryFile(Uri.joinPath(folder, `directory-${digest}.json`), log);
  }

  /** The saved entries, except those that `isKnown`. Empty if there is no readable file. */
  async read(isKnown?: (kind: Kind, id: string) => boolean): Promise<CacheEntry[]> {
    try {
      const bytes = await workspace.fs.readFile(this.#uri);
      return await deserializeEntries(new TextDecoder().decode(bytes), isKnown);
    } catch {
      return [];
    }
  }

  /** Saves a directory's entries whenever they change. Call the result to stop; it resolves when all is written. */
  save(directory: Directory): () => Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let changedAt: number | undefined;
    let written = Promise.resolve();
    const write = () => {
      changedAt = undefined;
      written = written.then(() => this.#write(directory));
    };
    const stopListening = directory.onDidChange(() => {
      const now = performance.now();
      changedAt ??= now;
      clearTimeout(timer);
      timer = setTimeout(write, Math.min(WRITE_DELAY, changedAt + MAX_WRITE_DELAY - now));
    });
    return () => {
      stopListening();
      clearTimeout(timer);
      if (changedAt !== undefined) write();
      return written;
    };
  }

  async #write(directory: Directory): Promise<void> {
    const temporary = this.#uri.with({ path: `${this.#uri.path}.${crypto.randomUUID()}` });
    try {
      // Keeps what other windows have saved.
      directory.merge(await this.read((kind, id) => directory.has(kind, id)));
      const text = await serializeEntries(directory.entries());
      await workspace.fs.createDirectory(Uri.joinPath(this.#uri, '..'));
      await workspace.fs.writeFile(temporary, new TextEncoder().encode(text));
      // A rename is atomic: no window reads a partial file.
      await workspace.fs.rename(temporary, this.#uri, { overwrite: true });
    } catch (error) {
      this.#log.warn(`names can't be saved: ${error instanceof Error ? error.message : error}`);
      await workspace.fs.delete(temporary).then(undefined, () => {});
    }
  }
}
