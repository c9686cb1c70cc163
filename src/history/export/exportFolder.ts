/** The folder of an export in progress: a file for each part, and one for the progress. */
import { FileType, Uri, workspace } from 'vscode';
import { hexDigest } from '../../platform/hexDigest.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import type { ExportProgress, ExportStore } from './exportProgress.ts';
import type { ExportRange } from './exportRange.ts';

/** How long an interrupted export is kept, in milliseconds. It contains private messages. */
const MAX_AGE = 30 * 24 * 3_600_000;

export class ExportFolder implements ExportStore {
  readonly #folder: Uri;

  private constructor(folder: Uri) {
    this.#folder = folder;
  }

  /** The folder of a range of a chat as one bot reads it, in the extension's storage folder. */
  static async of(botChat: BotChat, { start, end }: ExportRange, storage: Uri): Promise<ExportFolder> {
    const { service, type, id, botId } = botChat;
    const name = (await hexDigest(JSON.stringify([service, type, id, botId, start, end]))).slice(0, 16);
    return new ExportFolder(Uri.joinPath(exportsFolder(storage), name));
  }

  /** Deletes exports that were not continued for 30 days. `now` is Unix ms. */
  static async deleteExpired(storage: Uri, now = Date.now()): Promise<void> {
    const folders = await workspace.fs.readDirectory(exportsFolder(storage)).then(undefined, () => []);
    for (const [name] of folders) {
      const folder = new ExportFolder(Uri.joinPath(exportsFolder(storage), name));
      const { mtime } = await workspace.fs.stat(folder.#folder);
      if (now - mtime > MAX_AGE) await folder.clear();
    }
  }

  /** Unique for each folder. */
  get key(): string {
    return this.#folder.toString();
  }

  async readProgress(): Promise<unknown> {
    try {
      return JSON.parse(await this.#read('progress.json'));
    } catch {
      return undefined;
    }
  }

  writeProgress(progress: ExportProgress): Promise<void> {
    return this.#write('progress.json', JSON.stringify(progress));
  }

  readPart(part: number): Promise<string> {
    return this.#read(partFile(part));
  }

  writePart(part: number, text: string): Promise<void> {
    return this.#write(partFile(part), text);
  }

  async clear(): Promise<void> {
    const { type } = await workspace.fs.stat(this.#folder).then(undefined, () => ({ type: FileType.Unknown }));
    if (type === FileType.Directory) await workspace.fs.delete(this.#folder, { recursive: true });
  }

  async #read(name: string): Promise<string> {
    return new TextDecoder().decode(await workspace.fs.readFile(Uri.joinPath(this.#folder, name)));
  }

  async #write(name: string, text: string): Promise<void> {
    const temporary = Uri.joinPath(this.#folder, `${name}.${crypto.randomUUID()}`);
    try {
      await workspace.fs.createDirectory(this.#folder);
      await workspace.fs.writeFile(temporary, new TextEncoder().encode(text));
      // Atomic, so that a reader never sees half of the file.
      await workspace.fs.rename(temporary, Uri.joinPath(this.#folder, name), { overwrite: true });
    } catch (error) {
      await workspace.fs.delete(temporary).then(undefined, () => {});
      throw error;
    }
  }
}

const exportsFolder = (storage: Uri) => Uri.joinPath(storage, 'exports');
const partFile = (part: number) => `${String(part).padStart(6, '0')}.ndjson`;
