/** Runs in a tab, where it opens durable files: see `databaseTab.ts`. */
import { databaseFiles } from '../../src/platform/databaseFiles.ts';
import type { DurableFiles } from '../../src/platform/durableFiles.ts';

declare global {
  interface Window {
    /** Calls a method of the files in a database. */
    __callFiles(database: string, method: keyof DurableFiles, args: [string, string]): Promise<unknown>;
  }
}

const opened = new Map<string, DurableFiles>();

window.__callFiles = (database, method, args) => {
  const files = opened.get(database) ?? databaseFiles(database);
  opened.set(database, files);
  return files[method](...args);
};
