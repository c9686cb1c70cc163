/** Reads the files that drafts name as their recipients, and notices their changes. */
import {
  type Disposable,
  EventEmitter,
  type FileStat,
  FileSystemError,
  FileType,
  l10n,
  RelativePattern,
  Uri,
  workspace,
} from 'vscode';
import { decodeText } from '../../../markup/decodeText.ts';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import type { NamedFile } from '../document/chatBlock.ts';
import { type FileProblem, isOutsideLink, pathText, resolvePath } from './fileBounds.ts';
import { parseRecipientTable, type RecipientTable } from './recipientTable.ts';

/** A file that was read, or why it couldn't be. */
export type RecipientFile =
  | { readonly uri: Uri; readonly table: RecipientTable; readonly isOtherEncoding: boolean }
  | { readonly uri?: Uri; readonly problem: FileProblem };

/** 100,000 rows rarely take a third of this (megabytes). */
const MAX_SIZE = 32;

export class RecipientFiles {
  readonly #changed = new EventEmitter<Uri>();
  readonly #watchers = new Map<string, { dispose(): void }>();
  readonly #subscriptions: Disposable[] = [];
  #saves: Disposable | undefined;
  /** By address and kind. */
  readonly #read = new Map<string, { stamp: string; file: Promise<RecipientFile> }>();

  /**
   * Calls back when a watched file has changed, or may have; without one when documents may name other files now. Until
   * {@link dispose}.
   */
  onDidChange(listener: (changed?: Uri) => void): void {
    this.#subscriptions.push(
      this.#changed.event(listener),
      workspace.onDidGrantWorkspaceTrust(() => listener()),
      workspace.onDidChangeWorkspaceFolders(() => listener()),
    );
  }

  /** The file that a document names. It's read again only if it has changed. Never rejects. */
  async read(document: Uri, { path, kind }: Pick<NamedFile, 'path' | 'kind'>): Promise<RecipientFile> {
    const uri = resolvePath(document, path);
    if ('text' in uri) return { problem: uri };
    let stat: FileStat;
    try {
      stat = await workspace.fs.stat(uri);
      if ((stat.type & FileType.File) === 0) return { uri, problem: missing(path) };
      if (await isOutsideLink(document, uri)) return { uri, problem: outsideLink(path) };
    } catch (error) {
      const isMissing = error instanceof FileSystemError && error.code === 'FileNotFound';
      return { uri, problem: isMissing ? missing(path) : unreadable(path, error) };
    }
    const key = `${uri} ${kind}`;
    const stamp = `${stat.mtime} ${stat.size}`;
    const known = this.#read.get(key);
    if (known?.stamp === stamp) return known.file;
    const reading = readFile(uri, path, kind, stat.size);
    this.#read.set(key, { stamp, file: reading });
    const file = await reading;
    // A file that becomes readable doesn't look changed.
    if ('problem' in file && this.#read.get(key)?.file === reading) this.#read.delete(key);
    return file;
  }

  /** Reads every file again: one may have changed without looking so, which matters when it's sent. */
  clear(): void {
    this.#read.clear();
  }

  /** Notices changes of a file, until {@link dispose}. */
  watch(uri: Uri): void {
    if (this.#watchers.has(uri.toString())) return;
    // A watcher takes a while to start, and some file systems have none.
    this.#saves ??= workspace.onDidSaveTextDocument((saved) => {
      if (this.#watchers.has(saved.uri.toString())) this.#noteChange(saved.uri);
    });
    const name = uri.path.split('/').at(-1) ?? '';
    // A name is no pattern.
    const pattern = new RelativePattern(Uri.joinPath(uri, '..'), name.replace(/[[\]{}*?]/g, '?'));
    const watcher = workspace.createFileSystemWatcher(pattern);
    const noteChange = () => this.#noteChange(uri);
    watcher.onDidChange(noteChange);
    watcher.onDidCreate(noteChange);
    watcher.onDidDelete(noteChange);
    this.#watchers.set(uri.toString(), watcher);
  }

  dispose(): void {
    this.#saves?.dispose();
    for (const one of this.#subscriptions) one.dispose();
    for (const watcher of this.#watchers.values()) watcher.dispose();
    this.#changed.dispose();
  }

  #noteChange(uri: Uri): void {
    // It may look the same as before: file systems round times, and some have none.
    for (const key of this.#read.keys()) if (key.startsWith(`${uri} `)) this.#read.delete(key);
    this.#changed.fire(uri);
  }
}

async function readFile(uri: Uri, path: string, kind: NamedFile['kind'], size: number): Promise<RecipientFile> {
  if (size > MAX_SIZE * 1_000_000) return { uri, problem: tooLarge(path) };
  try {
    const decoded = await decodeText(await workspace.fs.readFile(uri));
    if (!decoded) return { uri, problem: notText(path) };
    const table = await parseRecipientTable(decoded.pieces, kind);
    return { uri, table, isOtherEncoding: decoded.encoding === 'gb18030' };
  } catch (error) {
    return { uri, problem: unreadable(path, error) };
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
  text: l10n.t("{0} can't be read: {1}", pathText(path), excerpt(error instanceof Error ? error.message : `${error}`)),
});
