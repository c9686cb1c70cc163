/** Saves the directory's entries to a file, so that names are there after a restart before any request. */
import type { LogOutputChannel } from 'vscode';
import type { Directory } from '../directory/directory.ts';
import { deserializeEntries, serializeEntries } from '../directory/serialization.ts';
import type { CacheEntry } from '../directory/ttlCache.ts';
import { type Clock, systemClock, Timer } from '../service/clock.ts';
import { toError } from '../service/errors.ts';
import type { Kind } from '../service/model.ts';
import { type DurableFiles, hexDigest } from './durableFiles.ts';

/** How long to wait after the last change, and at most after the first one, before writing (milliseconds). */
const WRITE_DELAY = 500;
const MAX_WRITE_DELAY = 5_000;

export class DirectoryFile {
  readonly #path: string;
  readonly #files: DurableFiles;
  readonly #log: LogOutputChannel;

  private constructor(path: string, files: DurableFiles, log: LogOutputChannel) {
    this.#path = path;
    this.#files = files;
    this.#log = log;
  }

  /** The file for lookups at an address. */
  static async of(address: string, files: DurableFiles, log: LogOutputChannel): Promise<DirectoryFile> {
    const digest = (await hexDigest(address)).slice(0, 16);
    return new DirectoryFile(`directory-${digest}.json`, files, log);
  }

  /** The saved entries, except those that `isKnown`. Empty if there is no readable file. */
  async read(isKnown?: (kind: Kind, id: string) => boolean): Promise<CacheEntry[]> {
    try {
      const text = await this.#files.read(this.#path);
      return text === undefined ? [] : await deserializeEntries(text, isKnown);
    } catch {
      return [];
    }
  }

  /** Saves a directory's entries whenever they change. Call the result to stop; it resolves when all is written. */
  save(directory: Directory, clock: Clock = systemClock): () => Promise<void> {
    let changedAt: number | undefined;
    let written = Promise.resolve();
    const write = () => {
      changedAt = undefined;
      written = written.then(() => this.#write(directory));
    };
    const timer = new Timer(write, clock);
    const stopListening = directory.onDidChange(() => {
      const now = clock.now();
      changedAt ??= now;
      timer.restart(Math.min(WRITE_DELAY, changedAt + MAX_WRITE_DELAY - now));
    });
    return () => {
      stopListening();
      timer.stop();
      if (changedAt !== undefined) write();
      return written;
    };
  }

  async #write(directory: Directory): Promise<void> {
    try {
      // Keeps what other windows have saved.
      directory.merge(await this.read((kind, id) => directory.has(kind, id)));
      await this.#files.write(this.#path, await serializeEntries(directory.entries()));
    } catch (error) {
      this.#log.warn(`names can't be saved: ${toError(error).message}`);
    }
  }
}
