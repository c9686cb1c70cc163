/** Durable files in memory. */
import type { DurableFiles } from '../../src/platform/durableFiles.ts';

/** The semantics of {@link DurableFiles}, without a disk. */
export function memoryFiles(): DurableFiles {
  const files = new Map<string, { text: string; mtime: number }>();
  const put = (path: string, text: string) => void files.set(path, { text, mtime: Date.now() });
  const below = (folder: string) => [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
  const assertFolder = (path: string) => {
    if (below(path.replace(/\/[^/]*$/, '')).length === 0) throw Object.assign(new Error(path), { code: 'ENOENT' });
  };
  return {
    read: async (path) => files.get(path)?.text,
    names: async (folder) => [
      ...new Set(below(folder).map((path) => path.slice(folder.length + 1).split('/')[0] ?? '')),
    ],
    async stat(path) {
      const { text, mtime = 0 } = files.get(path) ?? {};
      return text === undefined ? undefined : { size: Buffer.byteLength(text), mtime };
    },
    write: async (path, text) => put(path, text),
    async create(path, text) {
      assertFolder(path);
      if (files.has(path)) return false;
      put(path, text);
      return true;
    },
    async append(path, text) {
      assertFolder(path);
      put(path, (files.get(path)?.text ?? '') + text);
    },
    async remove(path) {
      files.delete(path);
      for (const name of below(path)) files.delete(name);
    },
  };
}
