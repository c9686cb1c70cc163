/** Durable files on a disk. VS Code's file system guarantees neither durability nor exclusive creation; Node's does. */
import { piecesOf } from '../service/truncate.ts';
import type { DurableFiles } from './durableFiles.ts';
import { builtin } from './node.ts';

/** An open file of `node:fs/promises`. */
interface Handle {
  writeFile(text: string): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The part of `node:fs/promises` that is used here. */
export interface NodeFiles {
  open(path: string, flags: string): Promise<Handle>;
  readFile(path: string, encoding: 'utf8'): Promise<string>;
  readdir(path: string): Promise<string[]>;
  stat(path: string): Promise<{ size: number; mtimeMs: number }>;
  mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  rm(path: string, options: { recursive: true; force: true }): Promise<void>;
}

/** Files in a folder on this computer. */
export function diskFiles(root: string, files = builtin('node:fs/promises') as NodeFiles): DurableFiles {
  const full = (path: string) => `${root}/${path}`;
  const parentOf = (path: string) => full(path).replace(/\/[^/]*$/, '');
  const remove = (path: string) => files.rm(path, { recursive: true, force: true });

  /** Makes the names in a folder survive a loss of power: those that are new, and that others are gone. */
  const syncNames = async (folder: string) => {
    const handle = await files.open(folder, 'r').catch(ignoring(NO_FOLDER_HANDLE, undefined));
    if (!handle) return;
    try {
      await handle.sync().catch(ignoring(NO_FOLDER_SYNC, undefined));
    } finally {
      await handle.close();
    }
  };
  const put = async (path: string, flags: string, text: string) => {
    const handle = await files.open(path, flags);
    try {
      for (const piece of piecesOf(text, PIECE)) await handle.writeFile(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
  };
  /** Writes a new file beside another one, which `use` then puts into its place. */
  const withTemporary = async <T>(path: string, text: string, use: (temporary: string) => Promise<T>): Promise<T> => {
    const temporary = `${full(path)}.${crypto.randomUUID()}`;
    try {
      await put(temporary, 'wx', text);
      return await use(temporary);
    } finally {
      // One that is left over is harmless.
      await remove(temporary).catch(() => {});
    }
  };

  return {
    read: (path) => files.readFile(full(path), 'utf8').catch(ignoring(['ENOENT'], undefined)),
    names: (folder) => files.readdir(full(folder)).catch(ignoring(['ENOENT'], [])),
    async stat(path) {
      const found = await files.stat(full(path)).catch(ignoring(['ENOENT'], undefined));
      return found && { size: found.size, mtime: found.mtimeMs };
    },
    async write(path, text) {
      const replace = () => withTemporary(path, text, (temporary) => files.rename(temporary, full(path)));
      await replace().catch(async (error) => {
        ignoring(['ENOENT'], undefined)(error);
        await files.mkdir(parentOf(path), { recursive: true });
        // Each of them may be new, even those above the root, and another window may have made them just now.
        for (const folder of foldersAbove(parentOf(path))) await syncNames(folder);
        return replace();
      });
      await syncNames(parentOf(path));
    },
    create: (path, text) =>
      withTemporary(path, text, async (temporary) => {
        // Unlike a rename, this fails if the file exists.
        const isNew = await files.link(temporary, full(path)).then(() => true, ignoring(['EEXIST'], false));
        if (isNew) await syncNames(parentOf(path));
        return isNew;
      }),
    async append(path, text) {
      await put(full(path), 'a', text);
      // The file may be new.
      await syncNames(parentOf(path));
    },
    remove: (path) =>
      remove(full(path))
        .then(() => syncNames(parentOf(path)))
        // A parent isn't a folder: there is nothing to remove.
        .catch(ignoring(['ENOTDIR', 'ELOOP'], undefined)),
  };
}

/** Encoding this much takes a few milliseconds (UTF-16 units). */
const PIECE = 1_000_000;

/** Windows opens no folder, and needs no sync of names; nor can a folder be opened that may only be passed through. */
const NO_FOLDER_HANDLE = ['EISDIR', 'EPERM', 'EACCES', 'ENOENT'];
/** The file system has no sync for folders. */
const NO_FOLDER_SYNC = ['EINVAL', 'ENOTSUP', 'ENOSYS', 'EPERM', 'EBADF'];

/** The folders that contain a folder, the outermost first. */
const foldersAbove = (folder: string) =>
  folder
    .split('/')
    .slice(0, -1)
    .map((_, depth, names) => names.slice(0, depth + 1).join('/') || '/');

/** Turns an error with one of these codes into a value, and rethrows any other. */
function ignoring<T>(codes: readonly string[], value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return value;
    throw error;
  };
}
