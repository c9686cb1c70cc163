/** Durable files on a disk. VS Code's file system guarantees neither durability nor exclusive creation; Node's does. */
import { NamedQueue } from '../service/taskQueue.ts';
import { piecesOf } from '../service/truncate.ts';
import type { DurableFiles } from './durableFiles.ts';
import { filesInUse } from './filesInUse.ts';
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
  stat(path: string): Promise<{ size: number; mtimeMs: number; nlink: number; isDirectory(): boolean }>;
  mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  rm(path: string, options: { recursive: true; force: true }): Promise<void>;
}

/** Files in a folder on this computer. `whenFree` waits for a file that another program has open. */
export function diskFiles(
  root: string,
  files = builtin('node:fs/promises') as NodeFiles,
  whenFree = filesInUse(),
): DurableFiles {
  const full = (path: string) => `${root}/${path}`;
  const parentOf = (path: string) => folderOf(full(path));
  const remove = (path: string) => files.rm(path, { recursive: true, force: true });
  /** Appends to one file take turns: a long text is written in pieces, and some disks lose one of two at the same time. */
  const appends = new NamedQueue();

  /** Makes the names in a folder survive a loss of power: those that are new, and that others are gone. */
  const syncFolder = async (folder: string) => {
    const open = () => files.open(folder, 'r').catch(ignoring(NO_FOLDER_HANDLE, undefined));
    const handle = await whenFree(folder, open);
    if (!handle) return;
    try {
      await handle.sync().catch(ignoring(NO_FOLDER_SYNC, undefined));
    } finally {
      await handle.close();
    }
  };
  /** The same for all folders that a path leads through: another window may have made or renamed them just now. */
  const syncNames = async (path: string) => {
    await Promise.all([root, ...foldersAbove(path).map(full)].map(syncFolder));
  };
  const put = async (path: string, flags: string, text: string, signal?: AbortSignal) => {
    const handle = await whenFree(path, () => files.open(path, flags), { signal }).catch(async (error) => {
      ignoring(['ENOENT'], undefined)(error);
      await assertFolder(folderOf(path));
      throw error;
    });
    try {
      for (const piece of piecesOf(text, PIECE)) await handle.writeFile(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
  };
  /** Writes a new file beside another one, which `use` then puts into its place. */
  const withTemporary = async <T>(
    path: string,
    text: string,
    use: (temporary: string) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    const temporary = `${full(path)}.${crypto.randomUUID()}`;
    try {
      // An attempt that was refused may have left a file of this name, which nobody else uses.
      await put(temporary, 'w', text, signal);
      return await use(temporary);
    } finally {
      // A temporary file that is left over is harmless: nobody has to wait until it's gone.
      await remove(temporary).catch(() => void whenFree(temporary, () => remove(temporary)).catch(() => {}));
    }
  };
  /** Gives a file its name. A rename that was refused may have been done nevertheless. False if the name is taken. */
  const putInPlace = (
    path: string,
    put: () => Promise<boolean>,
    isDone: () => Promise<boolean>,
    signal: AbortSignal | undefined,
  ) => {
    let wasRefused = false;
    const putOnce = async () => {
      if (wasRefused && (await isDone())) return true;
      wasRefused = true;
      return put();
    };
    return whenFree(full(path), putOnce, { signal });
  };
  /** Reads what is at a path; `missing` if there's nothing, which is sure if its folder, or the next one above, is one. */
  const reading = <T, M>(path: string, read: () => Promise<T>, missing: M, folder = parentOf(path)): Promise<T | M> =>
    whenFree(full(path), read, { isRead: true }).catch(async (error) => {
      ignoring(['ENOENT'], undefined)(error);
      await assertFolder(folder);
      return missing;
    });
  /** A damaged path isn't taken for a missing one: Windows says the same of a file in the place of a folder. */
  const assertFolder = async (folder: string) => {
    for (const place of [folder, ...foldersAbove(folder).toReversed()]) {
      const stat = () => files.stat(place);
      const found = await whenFree(place, stat, { isRead: true }).catch(ignoring(['ENOENT'], undefined));
      if (found?.isDirectory()) return;
      if (found) throw Object.assign(new Error(`ENOTDIR: not a directory, ${place}`), { code: 'ENOTDIR' });
    }
  };

  const read = (path: string) => reading(path, () => files.readFile(full(path), 'utf8'), undefined);
  const move = async (folder: string, to: string) => {
    const isThere = (path: string) => files.stat(full(path)).then(() => true, ignoring(['ENOENT', 'ENOTDIR'], false));
    let wasRefused = false;
    const rename = async () => {
      // Windows answers alike whether the name is taken or the folder in use.
      if (await isThere(to)) return wasRefused && !(await isThere(folder));
      wasRefused = true;
      const isTaken = ignoring(['EEXIST', 'ENOTEMPTY', 'ENOENT'], false);
      return files.rename(full(folder), full(to)).then(() => true, isTaken);
    };
    const isMoved = await whenFree(full(folder), rename);
    await syncNames(to);
    return isMoved;
  };
  const removeAll = (path: string) =>
    whenFree(full(path), () => remove(full(path)))
      .then(() => syncNames(path))
      // If a parent isn't a folder, there is nothing to remove.
      .catch(ignoring(['ENOTDIR', 'ELOOP'], undefined));

  return {
    read,
    names: (folder) => reading(folder, () => files.readdir(full(folder)), [], full(folder)),
    async stat(path) {
      const found = await reading(path, () => files.stat(full(path)), undefined);
      return found && { size: found.size, mtime: found.mtimeMs };
    },
    async write(path, text, signal) {
      const rename = (temporary: string) => {
        const put = () => files.rename(temporary, full(path)).then(() => true);
        const isDone = async () => {
          const isGone = await files.stat(temporary).then(() => false, ignoring(['ENOENT'], true));
          // Another window may have removed the file with its folder.
          if (isGone) await files.stat(full(path));
          return isGone;
        };
        return putInPlace(path, put, isDone, signal);
      };
      const replace = () => withTemporary(path, text, rename, signal);
      await replace().catch(async (error) => {
        ignoring(['ENOENT'], undefined)(error);
        await whenFree(parentOf(path), () => files.mkdir(parentOf(path), { recursive: true }), { signal });
        // Each folder of the path may be new, even above the root, and another window may have made it just now.
        for (const folder of foldersAbove(parentOf(path))) await syncFolder(folder);
        return replace();
      });
      await syncNames(path);
    },
    create(path, text, signal) {
      const link = async (temporary: string) => {
        // Unlike a rename, this fails if the file exists.
        const put = () => files.link(temporary, full(path)).then(() => true, ignoring(['EEXIST'], false));
        const isDone = async () => (await files.stat(temporary)).nlink > 1;
        const isNew = await putInPlace(path, put, isDone, signal);
        await syncNames(path);
        return isNew;
      };
      return withTemporary(path, text, link, signal);
    },
    append: (path, text) =>
      appends.run(path, async () => {
        await put(full(path), 'a', text);
        // If the file is new, its name must be stored, too.
        await syncNames(path);
      }),
    sync: (folder) => syncNames(`${folder}/`),
    remove: removeAll,
    move,
    async removeFolder(folder, aside, only) {
      if (!(await move(folder, aside))) return false;
      if (only && (await read(`${aside}/${only.name}`)) !== only.text) {
        await move(aside, folder);
        return false;
      }
      await removeAll(aside).catch(() => {});
      return true;
    },
  };
}

/** How much of a text is encoded at once (UTF-16 units): that takes a few milliseconds. */
const PIECE = 1_000_000;

/** Windows opens no folder, and needs no sync of names; nor can a folder be opened that may only be passed through. */
const NO_FOLDER_HANDLE = ['EISDIR', 'EPERM', 'EACCES', 'ENOENT'];
/** How a file system answers that has no sync for folders. */
const NO_FOLDER_SYNC = ['EINVAL', 'ENOTSUP', 'ENOSYS', 'EPERM', 'EBADF'];

const folderOf = (path: string) => path.replace(/\/[^/]*$/, '');

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
