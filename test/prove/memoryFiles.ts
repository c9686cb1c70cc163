/** Durable files in memory. */
import type { DurableFiles } from '../../src/platform/durableFiles.ts';

export function memoryFiles(): DurableFiles {
  const files = new Map<string, string>();
  const below = (folder: string) => [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
  const make = (path: string, text: string) => void files.set(path, text);
  return {
    read: async (path) => files.get(path),
    names: async (folder) => [
      ...new Set(below(folder).map((path) => path.slice(folder.length + 1).split('/')[0] ?? '')),
    ],
    size: async (path) => files.get(path)?.length ?? 0,
    write: async (path, text) => make(path, text),
    async create(path, text) {
      if (below(path.replace(/\/[^/]*$/, '')).length === 0) throw Object.assign(new Error(path), { code: 'ENOENT' });
      if (files.has(path)) return false;
      make(path, text);
      return true;
    },
    async append(path, text) {
      if (below(path.replace(/\/[^/]*$/, '')).length === 0) throw Object.assign(new Error(path), { code: 'ENOENT' });
      make(path, (files.get(path) ?? '') + text);
    },
    async remove(path) {
      files.delete(path);
      for (const one of below(path)) files.delete(one);
    },
  };
}
