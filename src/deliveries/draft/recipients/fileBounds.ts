/**
 * Which files a document may name. A document may come from a stranger, and what it names is read when it's merely
 * opened. So that must be in the workspace, or in the document's own folder if it's in no workspace or the workspace isn't
 * trusted. Links that lead out of there aren't followed either: a repository brings them as easily as paths.
 */
import { FileType, l10n, Uri, workspace } from 'vscode';
import { excerpt } from '../../../markup/escapeInvisible.ts';
import { builtin } from '../../../platform/node.ts';

/** Why a file isn't read. */
export interface FileProblem {
  readonly text: string;
  /** What may fix it: to name the same file beside the document, or to save the document. */
  readonly fix?: 'beside' | 'save';
}

/** Windows takes these for devices, with any extension. A repository is for all computers, so it's the same on all. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i;

/** Whether a file or folder can have this name on every computer, and no other name means the same one. */
const isPortable = (name: string) => !/[\p{Cc}:]|[. ]$/u.test(name) && !DEVICE.test(name);

/**
 * The address of a document, or the one that it will be saved at; undefined if that isn't known. An unsaved one doesn't say
 * which computer it's on.
 */
export function placeOf(document: Uri): Uri | undefined {
  if (document.scheme !== 'untitled') return document;
  if (!document.path.startsWith('/')) return undefined;
  const { scheme, authority } = workspace.workspaceFolders?.[0]?.uri ?? { scheme: 'file', authority: '' };
  if (scheme === 'file') return document.with({ scheme });
  return scheme === 'vscode-remote' ? document.with({ scheme, authority }) : undefined;
}

/** The file that a path in a document means, or why it may not name that. Reads nothing. */
export function resolvePath(document: Uri, path: string): Uri | FileProblem {
  const name = pathText(path);
  const beside = (text: string): FileProblem => ({ text, fix: 'beside' });
  if (/^(?:[/\\]|[\w+.-]+:)/.test(path)) return beside(l10n.t('{0} must be a path relative to this document.', name));
  const relative = path.replaceAll('\\', '/');
  if (!relative.split('/').every((name) => name === '.' || name === '..' || isPortable(name)))
    return {
      text: l10n.t(
        "{0} can't be used on every computer. Rename the file: no colons or control characters, no dot or space at the end, and no name of a device such as CON or AUX.",
        name,
      ),
    };
  // What shows versions tells them apart by the query, and answers each path of one with the document itself.
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
  // VS Code knows whether case matters there.
  if (workspace.getWorkspaceFolder(file)) return file;
  return beside(l10n.t("{0} is outside this workspace, so it isn't read. Move or copy it into the workspace.", name));
}

/** What says that a document without a folder can't name a file. */
export const notSaved = (path: string): FileProblem => ({
  text: l10n.t('Save this document first: {0} is looked for beside it.', pathText(path)),
  fix: 'save',
});

/** A path as a document names it, in a sentence. */
export const pathText = (path: string) => excerpt(path, 60);

/**
 * Whether a file that a document may name is reached through a link that leads out of the folders where it may be. Where
 * links can't be resolved, as on another computer or some virtual drives, any link counts. Rejects as the file system does.
 */
export async function isOutsideLink(document: Uri, file: Uri): Promise<boolean> {
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
