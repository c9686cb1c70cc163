/** Durable files on a disk. VS Code's file system guarantees neither durability nor exclusive creation; Node's does. */
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
      for (const piece of piecesOf(text)) await handle.writeFile(piece);
      await handle.sync();
    } finally {
      await handle.close();
    }
  };

  return {
    read: (path) => files.readFile(full(path), 'utf8').catch(ignoring('ENOENT', undefined)),
    names: (folder) => files.readdir(full(folder)).catch(ignoring('ENOENT', [])),
    async stat(path) {
      const found = await files.stat(full(path)).catch(ignoring('ENOENT', undefined));
      return found && { size: found.size, mtime: found.mtimeMs };
    },
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

/** Encoding this much takes a few milliseconds (UTF-16 units). */
const PIECE = 1_000_000;

/** A long text in pieces, without cutting a character. */
function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = from + PIECE;
    const piece = text.slice(from, /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end + 1 : end);
    yield piece;
    from += piece.length;
  }
}

/** Turns an error with this code into a value, and rethrows any other. */
function ignoring<T>(code: string, value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return value;
    throw error;
  };
}
