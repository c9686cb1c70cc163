/** Tabs of one browser, which share its databases as windows of VS Code do. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { DurableFiles } from '../../src/platform/durableFiles.ts';
import { pageBrowser } from './pageBrowser.ts';

declare global {
  interface Window {
    /** Closes this tab, as its user could. */
    __closeTab(): Promise<void>;
  }
}

/** What all tabs share, until it's closed. */
let sharing: Promise<BrowserContext> | undefined;

/** Opens an empty tab that has run this module. All tabs have one origin. */
export async function openTab(module = import.meta.resolve('./tabScript.ts')): Promise<Page> {
  const { origin, served } = await pageBrowser();
  const path = `/tabs${new URL(module).pathname}`;
  if (!served.has(path)) served.set(path, bundle(module));
  sharing ??= share();
  const page = await (await sharing).newPage();
  await page.goto(origin + path);
  return page;
}

async function share(): Promise<BrowserContext> {
  const { browser } = await pageBrowser();
  const context = await browser.newContext();
  context.once('close', () => {
    sharing = undefined;
  });
  await context.exposeBinding('__closeTab', ({ page }) => page.close());
  return context;
}

/** A page with a module, bundled as the extension is bundled for browsers. */
async function bundle(module: string): Promise<{ body: string; type: string }> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(module)],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    charset: 'utf8',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['worker'],
    target: 'es2023',
  });
  const script = outputFiles[0]?.text.replaceAll('</', '<\\/');
  return { body: `<!doctype html><title>Tab</title><script>${script}</script>`, type: 'text/html; charset=utf-8' };
}

/** A tab with durable files in the database of a real browser, for tests that run in Node. */
export interface DatabaseTab {
  readonly page: Page;
  /** The files in a database; the tab opens it on first use. */
  files(database: string): DurableFiles;
  /** Deletes a database. Rejects if it can't be deleted because a tab has it open. */
  delete(database: string): Promise<void>;
  /** A connection to the browser's own tools for this tab. */
  tools(): Promise<CDPSession>;
}

const METHODS = {
  read: 1,
  names: 1,
  stat: 1,
  write: 1,
  create: 1,
  append: 1,
  sync: 1,
  remove: 1,
  move: 1,
  removeFolder: 1,
};
METHODS satisfies Record<keyof DurableFiles, number>;

/** Opens a tab whose files are those of all other tabs. */
export async function openDatabaseTab(): Promise<DatabaseTab> {
  const page = await openTab();
  return {
    page,
    files(database) {
      const methods = (Object.keys(METHODS) as (keyof DurableFiles)[]).map((method) => [
        method,
        (path: string, text?: string, third?: unknown) => {
          // Nothing waits there for a signal.
          const args = [path, text ?? '', ...(third instanceof AbortSignal ? [] : [third])];
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
