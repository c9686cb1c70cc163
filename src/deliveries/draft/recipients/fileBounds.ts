/**
 * Which files a document may name. A document may come from a stranger, and what it names is read when it's merely
 * opened. So that must be in the workspace, or in the document's own folder if it's in no workspace or the workspace isn't
 * trusted. Links that lead out of there aren't followed either: a repository brings them as easily as paths.
 */
import { FileType, Uri, workspace } from 'vscode';
import { builtin } from '../../../platform/node.ts';
import type { RecipientProblemCode } from '../document/problem.ts';

/** Windows takes these for devices, with any extension. A repository is for all computers, so it's the same on all. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i;

/** Whether a file or folder can have this name on every computer, and no other name means the same one. */
const isPortable = (name: string) => !/[\p{Cc}:]|[. ]$/u.test(name) && !DEVICE.test(name);

/** The file that a path in a document means, or why it may not name that. Reads nothing. */
export function resolvePath(document: Uri, path: string): Uri | RecipientProblemCode {
  if (document.scheme === 'untitled') return 'unsavedDocument';
  if (/^(?:[/\\]|[\w+.-]+:)/.test(path)) return 'notRelative';
  const relative = path.replaceAll('\\', '/');
  if (!relative.split('/').every((name) => name === '.' || name === '..' || isPortable(name))) return 'badFileName';
  const folder = Uri.joinPath(document, '..');
  const file = Uri.joinPath(folder, relative);
  if (isWithin(folder, file)) return file;
  if (!workspace.getWorkspaceFolder(document)) return 'outsideFolder';
  if (!workspace.isTrusted) return 'untrustedFolder';
  // VS Code knows whether case matters there.
  return workspace.getWorkspaceFolder(file) ? file : 'outsideWorkspace';
}

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
