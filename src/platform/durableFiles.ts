/**
 * Files that hold what must not be lost: what was written is on the disk when a promise resolves, whatever dies then.
 * The editor's own file system promises neither that nor a file that only one of two can make; Node does.
 */
import { builtin } from './node.ts';

/** Paths are those of `root`, with `/` between names. Every method rejects with the error of the file system. */
export interface DurableFiles {
  /** Undefined where there is no such file. */
  read(path: string): Promise<string | undefined>;
  /** The names in a folder; none where there is no such folder. */
  names(folder: string): Promise<string[]>;
  /** How many bytes a file has; none where there is no such file. */
  size(path: string): Promise<number>;
  /** Makes a file, or replaces it: whole or not at all. Makes the folders above it, too, and is alone in that. */
  write(path: string, text: string): Promise<void>;
  /** Makes a file in a folder that is there: whole or not at all; false where the file is, too, whoever made it. */
  create(path: string, text: string): Promise<boolean>;
  append(path: string, text: string): Promise<void>;
  /** Removes a file, or a folder with all that is in it. */
  remove(path: string): Promise<void>;
}

/** An open file, as `node:fs/promises` has it. */
interface Handle {
  writeFile(text: string): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** What is used of `node:fs/promises`. */
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

/** Files below a folder of this computer. @throws Error in a host without Node */
export function durableFiles(root: string, files = builtin('node:fs/promises') as NodeFiles | undefined): DurableFiles {
  if (!files) throw new Error('files of this computer cannot be written here');
  const full = (path: string) => `${root}/${path}`;
  const foldersAbove = (path: string) =>
    path.split('/').map((_, depth, names) => [root, ...names.slice(0, depth)].join('/'));
  const parentOf = (path: string) => full(path).replace(/\/[^/]*$/, '');

  /** So that a new name survives a loss of power, too. Windows has no such thing, and needs none. */
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
      const draft = `${path}.${crypto.randomUUID()}`;
      const make = () => put(draft, 'wx', text);
      await make().catch(async (error) => {
        ignoring('ENOENT', undefined)(error);
        await files.mkdir(parentOf(path), { recursive: true });
        // The new folders' names, too.
        for (const folder of foldersAbove(path)) await syncNames(folder);
        return make();
      });
      await files.rename(full(draft), full(path));
      await syncNames(parentOf(path));
    },
    async create(path, text) {
      const draft = `${path}.${crypto.randomUUID()}`;
      await put(draft, 'wx', text);
      try {
        // Unlike a renaming, it fails where there is such a file.
        const made = await files.link(full(draft), full(path)).then(() => true, ignoring('EEXIST', false));
        if (made) await syncNames(parentOf(path));
        return made;
      } finally {
        // What it leaves behind is no file that anybody looks for.
        await files.rm(full(draft), { recursive: true, force: true }).catch(() => {});
      }
    },
    append: (path, text) => put(path, 'a', text),
    remove: (path) =>
      files
        .rm(full(path), { recursive: true, force: true })
        // Below what is no folder, nothing is there to be removed.
        .catch(ignoring('ENOTDIR', undefined))
        .catch(ignoring('ELOOP', undefined)),
  };
}

/** What stands for a failure of this code; any other is passed on. */
function ignoring<T>(code: string, value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return value;
    throw error;
  };
}
