/**
 * Durable files in the browser's IndexedDB: VS Code's own files there can be neither created exclusively nor appended to.
 * Transactions that write take turns, in all windows, so each method is atomic; `strict` means that the browser has flushed
 * them to the disk. An append adds a part, so that a long journal isn't written again and again.
 */
import { type DBSchema, type IDBPDatabase, type IDBPObjectStore, openDB } from 'idb';
import { systemClock } from '../service/clock.ts';
import type { DurableFiles } from './durableFiles.ts';

/** The path of a file, and the number of a part of it: one for what was written or created, and one for each append. */
type Key = [path: string, part: number];

interface Schema extends DBSchema {
  parts: {
    key: Key;
    /** `end` is the size of the file up to the end of this part, in bytes, and `at` when it was written (Unix ms). */
    value: { text: string; end: number; at: number };
  };
}

type Mode = 'readonly' | 'readwrite';
type Parts<M extends Mode> = IDBPObjectStore<Schema, ['parts'], 'parts', M>;

/** The files in a database of this name. */
export function databaseFiles(name: string): DurableFiles {
  let opened: Promise<IDBPDatabase<Schema>> | undefined;
  const open = () => {
    const forget = () => {
      opened = undefined;
    };
    opened = openDB<Schema>(name, 1, {
      upgrade: (database) => void database.createObjectStore('parts'),
      // The database must close when the user deletes the browser's data, or a newer version of the extension upgrades it.
      blocking: (_current, _blocked, event) => {
        (event.target as IDBDatabase).close();
        forget();
      },
      terminated: forget,
    });
    opened.catch(forget);
    return opened;
  };
  const run = async <M extends Mode, T>(mode: M, act: (parts: Parts<M>) => Promise<T>): Promise<T> => {
    const database = await (opened ?? open());
    const { store, done } = database.transaction('parts', mode, { durability: 'strict' });
    const [result] = await Promise.all([act(store), done]);
    return result;
  };

  return {
    read: (path) =>
      run('readonly', async (parts) => {
        const found = await parts.getAll(partsOf(path));
        return found.length > 0 ? found.map(({ text }) => text).join('') : undefined;
      }),
    names: (folder) =>
      run('readonly', async (parts) => {
        const names = new Set<string>();
        const start = folder.length + 1;
        let cursor = await parts.openKeyCursor(below(folder));
        while (cursor) {
          const [path] = cursor.key;
          const [entry = '', inside] = path.slice(start).split('/', 2);
          names.add(entry);
          // Skips the rest of the file, or of the folder.
          cursor = await cursor.continue(inside === undefined ? afterPartsOf(path) : afterFolder(`${folder}/${entry}`));
        }
        return [...names];
      }),
    stat: (path) =>
      run('readonly', async (parts) => {
        const last = await parts.openCursor(partsOf(path), 'prev');
        return last ? { size: last.value.end, mtime: last.value.at } : undefined;
      }),
    write: (path, text) =>
      run('readwrite', async (parts) => {
        await parts.delete(partsOf(path));
        await parts.add(newPart(text), [path, 0]);
      }),
    create: (path, text) =>
      run('readwrite', async (parts) => {
        await assertFolder(parts, path);
        if (await parts.getKey(partsOf(path))) return false;
        await parts.add(newPart(text), [path, 0]);
        return true;
      }),
    append: (path, text) =>
      run('readwrite', async (parts) => {
        await assertFolder(parts, path);
        const last = await parts.openCursor(partsOf(path), 'prev');
        await parts.add(newPart(text, last?.value.end), [path, last ? last.key[1] + 1 : 0]);
      }),
    // A file that other windows can read is stored already.
    sync: async () => {},
    remove: (path) =>
      run('readwrite', async (parts) => {
        await Promise.all([parts.delete(partsOf(path)), parts.delete(below(path))]);
      }),
    move: (folder, to) =>
      run('readwrite', async (parts) => {
        const [keys, values] = await Promise.all([parts.getAllKeys(below(folder)), parts.getAll(below(folder))]);
        if (keys.length === 0 || (await parts.getKey(below(to)))) return false;
        const renamed = keys.map(([path, part], at) => {
          const value = values[at];
          return value && parts.add(value, [to + path.slice(folder.length), part]);
        });
        await Promise.all([...renamed, parts.delete(below(folder))]);
        return true;
      }),
    removeFolder: (folder, _aside, only) =>
      run('readwrite', async (parts) => {
        const found = only && (await parts.getAll(partsOf(`${folder}/${only.name}`)));
        const isMeant = found ? found[0]?.text === only.text : (await parts.getKey(below(folder))) !== undefined;
        if (isMeant) await parts.delete(below(folder));
        return isMeant;
      }),
  };
}

/** The parts of a file. In a key, an array comes after every number. */
const partsOf = (path: string) => IDBKeyRange.bound([path], afterPartsOf(path));
/** The files in a folder, at any depth. `0` is the character after `/`. */
const below = (folder: string) => IDBKeyRange.bound([`${folder}/`], afterFolder(folder), false, true);

// An array after the path isn't of the type of a key: it only separates keys.
const afterPartsOf = (path: string) => [path, []] as unknown as Key;
const afterFolder = (folder: string) => [`${folder}0`] as unknown as Key;

const newPart = (text: string, start = 0) => ({
  text,
  end: start + new TextEncoder().encode(text).length,
  at: systemClock.wall(),
});

/** Only `write` creates folders: a file mustn't appear in one that another window has removed. */
async function assertFolder(parts: Parts<'readwrite'>, path: string): Promise<void> {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  if (folder && !(await parts.getKey(below(folder)))) throw new Error(`there is no folder ${folder}`);
}
