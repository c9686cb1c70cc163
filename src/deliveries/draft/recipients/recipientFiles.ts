/**
 * Reads the files that drafts name as their recipients, and notices their changes. Only saved files: VS Code may have opened
 * one in another encoding.
 */
import { type Disposable, EventEmitter, type FileStat, FileType, l10n, RelativePattern, Uri, workspace } from 'vscode';
import { decodeText } from '../../../markup/decodeText.ts';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { hexDigest } from '../../../platform/durableFiles.ts';
import { isMissingFile } from '../../../platform/fileReader.ts';
import { fileName } from '../../../presentation/fileDialogs.ts';
import { toError } from '../../../service/errors.ts';
import type { FileRole, NamedFile } from '../document/namedChats.ts';
import { type FileProblem, isOutsideLink, notSaved, pathText, placeOf, resolvePath } from './fileBounds.ts';
import { parseRecipientTable, type RecipientTable } from './recipientTable.ts';

/** A file that was read, or why it couldn't be. */
export type RecipientFile =
  | { readonly uri: Uri; readonly table: RecipientTable; readonly isOtherEncoding: boolean }
  | { readonly uri?: Uri; readonly problem: FileProblem };

/** A file that a draft names, and what was read of it. */
export interface DraftFile {
  readonly named: NamedFile;
  readonly file: RecipientFile;
}

export const fileOf = (files: readonly DraftFile[], role: FileRole) =>
  files.find(({ named }) => named.role === role)?.file;

/** 100,000 rows rarely take a third of this (megabytes). */
const MAX_SIZE = 32;

/** What was read of a file, and the digest of its content if it could be used. */
interface Reading {
  readonly file: RecipientFile;
  readonly digest?: string;
}

/** The files of all drafts: each is read once for all who show or send one. */
export class RecipientFiles {
  readonly #changed = new EventEmitter<Uri | undefined>();
  /** Fires when a watched file has changed, or may have; without one when documents may name other files now. */
  readonly onDidChange = this.#changed.event;
  readonly #watchers = new Map<string, Disposable>();
  readonly #subscriptions: readonly Disposable[] = [
    workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire(undefined)),
    workspace.onDidChangeWorkspaceFolders(() => this.#changed.fire(undefined)),
    // A watcher takes a while to start, and some file systems have none.
    workspace.onDidSaveTextDocument(({ uri }) => {
      if (this.#watchers.has(uri.toString())) this.#noteChange(uri);
    }),
  ];
  /** By address and kind. The stamp is empty if the file has to be read again. */
  readonly #readings = new Map<string, { stamp: string; readonly reading: Promise<Reading> }>();

  /** The file that a document names. It's read again only if it has changed. Never rejects. */
  async read(from: Uri, { path, kind }: Pick<NamedFile, 'path' | 'kind'>): Promise<RecipientFile> {
    const document = placeOf(from);
    if (!document) return { problem: notSaved(path) };
    const resolved = resolvePath(document, path);
    if ('text' in resolved) return { problem: resolved };
    let uri = resolved;
    let stat: FileStat;
    try {
      [uri, stat] = await find(resolved);
      if ((stat.type & FileType.File) === 0) return { uri, problem: missing(path) };
      if (await isOutsideLink(document, uri)) return { uri, problem: outsideLink(path) };
    } catch (error) {
      return { uri, problem: isMissingFile(error) ? missing(path) : unreadable(path, error) };
    }
    const key = `${uri} ${kind}`;
    const stamp = `${stat.mtime} ${stat.size}`;
    const known = this.#readings.get(key);
    if (known?.stamp === stamp) return (await known.reading).file;
    const reading = readFile(uri, { path, kind }, stat.size, known?.reading);
    this.#readings.set(key, { stamp, reading });
    const { file } = await reading;
    // A file that becomes readable doesn't look changed.
    if ('problem' in file && this.#readings.get(key)?.reading === reading) this.#readings.delete(key);
    return file;
  }

  /** Reads a file again, or all of them: one may have changed without looking so, which matters when it's sent. */
  expire(uri?: Uri): void {
    for (const [key, one] of this.#readings) if (!uri || key.startsWith(`${uri} `)) one.stamp = '';
  }

  /** Notices changes of a file, until {@link dispose}. */
  watch(uri: Uri): void {
    if (this.#watchers.has(uri.toString())) return;
    // A name is no pattern, nor is it always the one that the system tells.
    const watcher = workspace.createFileSystemWatcher(new RelativePattern(Uri.joinPath(uri, '..'), '*'));
    const noteChange = (changed: Uri) => {
      if (foldedName(changed) === foldedName(uri)) this.#noteChange(uri);
    };
    watcher.onDidChange(noteChange);
    watcher.onDidCreate(noteChange);
    watcher.onDidDelete(noteChange);
    this.#watchers.set(uri.toString(), watcher);
  }

  dispose(): void {
    for (const one of [...this.#subscriptions, ...this.#watchers.values()]) one.dispose();
    this.#changed.dispose();
  }

  #noteChange(uri: Uri): void {
    // It may look the same as before: file systems round times, and some have none.
    this.expire(uri);
    this.#changed.fire(uri);
  }
}

/** The same for all ways to write a name: some systems ignore case, and macOS knows `Ä` as one character and as two. */
const foldedName = (uri: Uri) => fileName(uri).normalize().toLowerCase();

/** A file and what is known of it. One from another system may have the same name in other characters. */
async function find(uri: Uri): Promise<[Uri, FileStat]> {
  try {
    return [uri, await workspace.fs.stat(uri)];
  } catch (error) {
    const name = fileName(uri);
    if (!isMissingFile(error) || /^[\0-~]*$/.test(name)) throw error;
    const folder = Uri.joinPath(uri, '..');
    const entries = await workspace.fs.readDirectory(folder).then(undefined, () => []);
    const [same] = entries.find(([other]) => other.normalize() === name.normalize()) ?? [];
    if (same === undefined) throw error;
    const other = Uri.joinPath(folder, same);
    return [other, await workspace.fs.stat(other)];
  }
}

/** What is in a file. It isn't parsed again if that is what `before` found: a large one takes a while. */
async function readFile(
  uri: Uri,
  { path, kind }: Pick<NamedFile, 'path' | 'kind'>,
  size: number,
  before: Promise<Reading> | undefined,
): Promise<Reading> {
  if (size > MAX_SIZE * 1_000_000) return { file: { uri, problem: tooLarge(path) } };
  try {
    const bytes = await workspace.fs.readFile(uri);
    const digest = await hexDigest(bytes);
    const last = await before;
    if (last?.digest === digest) return last;
    const decoded = await decodeText(bytes);
    if (!decoded) return { file: { uri, problem: notText(path) } };
    const table = await parseRecipientTable(decoded.pieces, kind);
    return { file: { uri, table, isOtherEncoding: decoded.encoding === 'gb18030' }, digest };
  } catch (error) {
    return { file: { uri, problem: unreadable(path, error) } };
  }
}

const missing = (path: string): FileProblem => ({
  text: l10n.t("There's no file {0} beside this document.", pathText(path)),
});

const outsideLink = (path: string): FileProblem => ({
  text: l10n.t("{0} is a link to somewhere else, so it isn't read. Put the file itself in its place.", pathText(path)),
});

const tooLarge = (path: string): FileProblem => ({
  text: l10n.t('{0} is too large. The limit is {1} MB.', pathText(path), String(MAX_SIZE)),
});

const notText = (path: string): FileProblem => ({
  text: l10n.t("{0} isn't text in UTF-8 or GB18030. Save it as CSV (UTF-8).", pathText(path)),
});

const unreadable = (path: string, error: unknown): FileProblem => ({
  text: l10n.t("{0} can't be read: {1}", pathText(path), excerpt(toError(error).message)),
});
