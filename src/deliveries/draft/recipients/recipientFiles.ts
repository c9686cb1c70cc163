/**
 * The files that drafts name as their recipients: which ones they may name, what is in them, and when that changes. Only saved files are read: VS Code may have opened a file in another encoding.
 *
 * A document may come from a stranger, and the files that it names are read when it's merely opened. So they must be in the workspace, or in the document's own folder if it's in no workspace or the workspace isn't trusted. Links that lead out of there aren't
 * followed either: a repository brings them as easily as paths.
 */
import { type Disposable, EventEmitter, type FileStat, FileType, RelativePattern, Uri, workspace } from 'vscode';
import { decodeText } from '../../../markup/decodeText.ts';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { hexDigest } from '../../../platform/durableFiles.ts';
import { isMissingFile } from '../../../platform/fileReader.ts';
import { builtin } from '../../../platform/node.ts';
import { fileName } from '../../../presentation/fileDialogs.ts';
import { l10n, type ShownText } from '../../../presentation/shown.ts';
import { toError } from '../../../service/errors.ts';
import type { FileRole, NamedFile } from '../document/namedChats.ts';
import { parseRecipientTable, type RecipientTable } from './recipientTable.ts';

/** Why a file isn't read. */
export interface FileProblem {
  readonly text: ShownText;
  /** What may fix the problem: to name the same file beside the document, or to save the document. */
  readonly fix?: 'beside' | 'save';
}

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

/** The largest file that is read (megabytes): 100,000 rows rarely take a third of it. */
const MAX_SIZE = 32;

/** What was read of a file, and the digest of its content if it could be used. */
interface Reading {
  readonly file: RecipientFile;
  readonly digest?: string;
}

/** The files of all drafts: each is read once for all who show or send drafts. */
export class RecipientFiles {
  readonly #changed = new EventEmitter<Uri | undefined>();
  /** Fires with a watched file that may have changed; without a file when documents may name other files now. */
  readonly onDidChange = this.#changed.event;
  readonly #watchers = new Map<string, Disposable>();
  readonly #subscriptions: readonly Disposable[] = [
    workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire(undefined)),
    workspace.onDidChangeWorkspaceFolders(() => this.#changed.fire(undefined)),
    // Saving tells, too: a watcher takes a while to start, and some file systems have none.
    workspace.onDidSaveTextDocument(({ uri }) => {
      if (this.#watchers.has(uri.toString())) this.#noteChange(uri);
    }),
  ];
  /** The readings by address and kind. The stamp is empty if the file has to be read again. */
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

  /** Has a file, or all files, read again: a file may have changed without looking so, which matters when it's sent. */
  expire(uri?: Uri): void {
    for (const [key, one] of this.#readings) if (!uri || key.startsWith(`${uri} `)) one.stamp = '';
  }

  /** Notices changes of a file, until {@link dispose}. */
  watch(uri: Uri): void {
    if (this.#watchers.has(uri.toString())) return;
    // The whole folder is watched: a name is no pattern, and the system may tell another spelling of it.
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
    // The changed file may look as before: file systems round times, and some have none.
    this.expire(uri);
    this.#changed.fire(uri);
  }
}

/** A name that all its spellings share: some systems ignore case, and macOS knows `Ä` as one character and as two. */
const foldedName = (uri: Uri) => fileName(uri).normalize().toLowerCase();

/** Finds a file, and its size and time. A file from another system may have the same name in other characters. */
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

/** Reads a file. It's parsed only if it isn't what `before` found: a large one takes a while. */
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

/**
 * Names that Windows takes for devices, with any extension. They are refused everywhere, as a repository is for all
 * computers.
 */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i;

/** Whether a file or folder can have this name on every computer, and no other name means the same file. */
const isPortable = (name: string) => !/[\p{Cc}:]|[. ]$/u.test(name) && !DEVICE.test(name);

/**
 * The address of a document, or the one that it will be saved at; undefined if that isn't known. An unsaved document
 * doesn't say which computer it's on.
 */
function placeOf(document: Uri): Uri | undefined {
  if (document.scheme !== 'untitled') return document;
  if (!document.path.startsWith('/')) return undefined;
  const { scheme, authority } = workspace.workspaceFolders?.[0]?.uri ?? { scheme: 'file', authority: '' };
  if (scheme === 'file') return document.with({ scheme });
  return scheme === 'vscode-remote' ? document.with({ scheme, authority }) : undefined;
}

/** The file that a path in a document means, or why the document may not name it. Reads nothing. */
function resolvePath(document: Uri, path: string): Uri | FileProblem {
  const name = pathText(path);
  const beside = (text: ShownText): FileProblem => ({ text, fix: 'beside' });
  if (/^(?:[/\\]|[\w+.-]+:)/.test(path)) return beside(l10n.t('{0} must be a path relative to this document.', name));
  const relative = path.replaceAll('\\', '/');
  if (!relative.split('/').every((name) => name === '.' || name === '..' || isPortable(name)))
    return {
      text: l10n.t(
        "{0} can't be used on every computer. Rename the file: no colons or control characters, no dot or space at the end, and no name of a device such as CON or AUX.",
        name,
      ),
    };
  // Extensions that show versions tell them apart by the query, and answer each path with the document itself.
  if (document.query !== '')
    return { text: l10n.t("{0} isn't read for an earlier version of a document. Open the current one.", name) };
  const folder = Uri.joinPath(document, '..');
  const file = Uri.joinPath(folder, relative);
  if (isWithin(folder, file)) return file;
  if (!workspace.getWorkspaceFolder(document))
    return beside(l10n.t("{0} isn't in the folder of this document, so it isn't read. Move or copy it there.", name));
  if (!workspace.isTrusted)
    return beside(
      l10n.t("{0} isn't in the folder of this document, so it isn't read until you trust this workspace.", name),
    );
  // VS Code decides: it knows whether case matters there.
  if (workspace.getWorkspaceFolder(file)) return file;
  return beside(l10n.t("{0} is outside this workspace, so it isn't read. Move or copy it into the workspace.", name));
}

/**
 * Whether a file that a document may name is reached through a link that leads out of the folders where it may be. Where
 * links can't be resolved, as on another computer or some virtual drives, any link counts. Rejects as the file system does.
 */
async function isOutsideLink(document: Uri, file: Uri): Promise<boolean> {
  const folder = Uri.joinPath(document, '..');
  const isWhole = workspace.isTrusted && workspace.getWorkspaceFolder(document) !== undefined;
  const folders = [folder, ...(isWhole ? (workspace.workspaceFolders ?? []).map(({ uri }) => uri) : [])];
  const node = builtin('node:fs/promises') as { realpath(path: string): Promise<string> } | undefined;
  const resolve = async ({ scheme, fsPath }: Uri) =>
    node && scheme === 'file'
      ? node.realpath(fsPath).then(
          (path) => Uri.file(path),
          () => undefined,
        )
      : undefined;
  const target = await resolve(file);
  if (!target) return hasLinks(file, folders);
  const resolved = await Promise.all(folders.map(resolve));
  return !resolved.some((one) => one && isWithin(one, target));
}

/** Whether a file is a link, or a folder between it and the first of these folders is one. */
async function hasLinks(file: Uri, folders: readonly Uri[]): Promise<boolean> {
  for (
    let one = file;
    !folders.some(({ path }) => path === one.path) && one.path !== '/';
    one = Uri.joinPath(one, '..')
  )
    if (((await workspace.fs.stat(one)).type & FileType.SymbolicLink) !== 0) return true;
  return false;
}

/** Whether a normalized address is below a folder. */
const isWithin = (folder: Uri, { scheme, authority, path }: Uri) =>
  scheme === folder.scheme && authority === folder.authority && path.startsWith(`${folder.path.replace(/\/$/, '')}/`);

/** A path as a document names it, in a sentence. */
export const pathText = (path: string) => excerpt(path, 60);

/** Says that a document without a folder can't name a file. */
const notSaved = (path: string): FileProblem => ({
  text: l10n.t('Save this document first: {0} is looked for beside it.', pathText(path)),
  fix: 'save',
});

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
