/** The folder of an export in progress: a file for each part, and one for the progress. */
import { type DurableFiles, hexDigest } from '../../../platform/durableFiles.ts';
import type { BotChat } from '../../../protocol/botChat.ts';
import { systemClock } from '../../../service/clock.ts';
import type { ExportProgress, ExportRange, ExportStore } from './exportProgress.ts';

/** How long an interrupted export is kept, in milliseconds. It contains private messages. */
const MAX_AGE = 30 * 24 * 3_600_000;

const EXPORTS = 'exports';
const PROGRESS = 'progress.json';

export class ExportFolder implements ExportStore {
  /** Unique for each folder. */
  readonly key: string;
  readonly #files: DurableFiles;

  private constructor(name: string, files: DurableFiles) {
    this.key = `${EXPORTS}/${name}`;
    this.#files = files;
  }

  /** The folder of a range of a chat as one bot reads it, among the extension's files. */
  static async of(botChat: BotChat, { start, end }: ExportRange, files: DurableFiles): Promise<ExportFolder> {
    const { service, kind, id, botId } = botChat;
    const digest = await hexDigest(JSON.stringify([service, kind, id, botId, start, end]));
    return new ExportFolder(digest.slice(0, 16), files);
  }

  /** Deletes exports that were not continued for 30 days. */
  static async deleteExpired(files: DurableFiles): Promise<void> {
    for (const name of await files.names(EXPORTS)) {
      const folder = new ExportFolder(name, files);
      // The progress is written first, and with each part.
      const { mtime = 0 } = (await files.stat(`${folder.key}/${PROGRESS}`)) ?? {};
      if (systemClock.wall() - mtime > MAX_AGE) await folder.clear();
    }
  }

  async readProgress(): Promise<unknown> {
    const text = (await this.#read(PROGRESS)) ?? '';
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  writeProgress(progress: ExportProgress): Promise<void> {
    return this.#files.write(`${this.key}/${PROGRESS}`, JSON.stringify(progress));
  }

  readPart(part: number): Promise<string | undefined> {
    return this.#read(partFile(part));
  }

  writePart(part: number, text: string): Promise<void> {
    return this.#files.write(`${this.key}/${partFile(part)}`, text);
  }

  clear(): Promise<void> {
    return this.#files.remove(this.key);
  }

  #read(name: string): Promise<string | undefined> {
    return this.#files.read(`${this.key}/${name}`);
  }
}

const partFile = (part: number) => `${String(part).padStart(6, '0')}.ndjson`;
