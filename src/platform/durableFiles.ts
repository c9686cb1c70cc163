/**
 * Files that survive a crash or a loss of power: data is on the disk when a promise resolves. VS Code's file system
 * guarantees neither that nor exclusive creation; Node's does.
 */
import { builtin } from './node.ts';

/** Paths are relative to a root folder, with `/` between names. Methods reject with the file system's error. */
export interface DurableFiles {
  /** Undefined if the file doesn't exist. */
  read(path: string): Promise<string | undefined>;
  /** The names in a folder; none if it doesn't exist. */
  names(folder: string): Promise<string[]>;
  /** The size of a file in bytes; 0 if it doesn't exist. */
  size(path: string): Promise<number>;
  /** Creates or replaces a file, atomically. Only this method creates missing folders. */
  write(path: string, text: string): Promise<void>;
  /** Creates a file in an existing folder, atomically. Resolves to false if the file exists. */
  create(path: string, text: string): Promise<boolean>;
  append(path: string, text: string): Promise<void>;
  /** Removes a file or a folder with its contents. */
  remove(path: string): Promise<void>;
}

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
  stat(path: string): Promise<{ size: number }>;
  mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  rename(from: string, to: string): Promise<void>;
  link(from: string, to: string): Promise<void>;
  rm(path: string, options: { recursive: true; force: true }): Promise<void>;
}

/** Files in a folder on this computer. @throws Error in a host without Node */
export function durableFiles(root: string, files = builtin('node:fs/promises') as NodeFiles | undefined): DurableFiles {
  if (!files) throw new Error("local files can't be written without Node");
  const full = (path: string) => `${root}/${path}`;
  const foldersAbove = (path: string) =>
    path.split('/').map((_, depth, names) => [root, ...names.slice(0, depth)].join('/'));
  const parentOf = (path: string) => full(path).replace(/\/[^/]*$/, '');

  /** Makes new names in a folder survive a loss of power. Not supported on Windows, and not needed there. */
  const syncNames = async (folder: string) => {
    const handle = await files.open(folder, 'r').catch(() => undefined);
    await handle?.sync().catch(() => {});
    await handle?.close();
  };
  const put = async (path: string, flags: string, text: string) => {
    const handle = await files.open(full(path), flags);
    try {
      if (text) await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  };

  return {
    read: (path) => files.readFile(full(path), 'utf8').catch(ignoring('ENOENT', undefined)),
    names: (folder) => files.readdir(full(folder)).catch(ignoring('ENOENT', [])),
    size: async (path) => (await files.stat(full(path)).catch(ignoring('ENOENT', { size: 0 }))).size,
    async write(path, text) {
      const temporary = `${path}.${crypto.randomUUID()}`;
      const writeTemporary = () => put(temporary, 'wx', text);
      await writeTemporary().catch(async (error) => {
        ignoring('ENOENT', undefined)(error);
        await files.mkdir(parentOf(path), { recursive: true });
        // The names of the new folders must survive, too.
        for (const folder of foldersAbove(path)) await syncNames(folder);
        return writeTemporary();
      });
      await files.rename(full(temporary), full(path));
      await syncNames(parentOf(path));
    },
    async create(path, text) {
      const temporary = `${path}.${crypto.randomUUID()}`;
      await put(temporary, 'wx', text);
      try {
        // Unlike a rename, this fails if the file exists.
        const isNew = await files.link(full(temporary), full(path)).then(() => true, ignoring('EEXIST', false));
        if (isNew) await syncNames(parentOf(path));
        return isNew;
      } finally {
        // A leftover temporary file is harmless.
        await files.rm(full(temporary), { recursive: true, force: true }).catch(() => {});
      }
    },
    append: (path, text) => put(path, 'a', text),
    remove: (path) =>
      files
        .rm(full(path), { recursive: true, force: true })
        // A parent isn't a folder: there is nothing to remove.
        .catch(ignoring('ENOTDIR', undefined))
        .catch(ignoring('ELOOP', undefined)),
  };
}

/** Turns an error with this code into a value, and rethrows any other. */
function ignoring<T>(code: string, value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return value;
    throw error;
  };
}
