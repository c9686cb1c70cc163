/** Durable files in the database of a real browser, for tests that run in Node. */
import { fileURLToPath } from 'node:url';
import type { CDPSession, Page } from 'playwright-core';
import type { DurableFiles } from '../../src/platform/durableFiles.ts';
import { openTab } from './plainTabs.ts';

export interface DatabaseTab {
  readonly page: Page;
  /** The files in a database; the tab opens it on first use. */
  files(database: string): DurableFiles;
  /** Deletes a database, whoever has it open. Rejects if that keeps it from being deleted. */
  delete(database: string): Promise<void>;
  /** A connection to the browser's own tools for this tab. */
  tools(): Promise<CDPSession>;
}

const METHODS = ['read', 'names', 'stat', 'write', 'create', 'append', 'remove'] as const;

/** Opens a tab whose files are those of all other tabs. */
export async function openDatabaseTab(): Promise<DatabaseTab> {
  const page = await openTab(fileURLToPath(import.meta.resolve('./databaseTabScript.ts')));
  return {
    page,
    files(database) {
      const methods = METHODS.map((method) => [
        method,
        (...args: [string, string]) => {
          const call: Parameters<typeof window.__callFiles> = [database, method, args];
          return page.evaluate((call) => window.__callFiles(...call), call);
        },
      ]);
      return Object.fromEntries(methods) as DurableFiles;
    },
    delete: (database) =>
      page.evaluate(
        (database) =>
          new Promise<void>((resolve, reject) => {
            const request = indexedDB.deleteDatabase(database);
            request.onsuccess = () => resolve();
            request.onerror = () => reject(request.error);
            request.onblocked = () => reject(new Error(`${database} is open and stays open`));
          }),
        database,
      ),
    tools: () => page.context().newCDPSession(page),
  };
}
