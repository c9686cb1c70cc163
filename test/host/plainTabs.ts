/** Tabs of one plain browser, which share its databases as windows of VS Code do. */
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { share } from '../shared.ts';
import { launchBrowser } from './browser.ts';
import { type Serving, serve } from './serve.ts';

interface Running {
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly serving: Serving;
}

let running: Promise<Running> | undefined;

/** The scripts of tabs by the paths of their modules. Each is bundled once. */
const scripts = new Map<string, Promise<string>>();

declare global {
  interface Window {
    /** Closes this tab, as its user could. */
    __closeTab(): Promise<void>;
  }
}

/** Opens an empty tab that has run this module, named by its path. All tabs have one origin. */
export async function openTab(module: string): Promise<Page> {
  running ??= start();
  const { context, serving } = await running;
  if (!scripts.has(module)) scripts.set(module, bundle(module));
  const page = await context.newPage();
  await page.goto(`${serving.origin}/?${new URLSearchParams({ module })}`);
  return page;
}

/** Closes all tabs and their browser. Tests do this automatically. */
export async function closeTabs(): Promise<void> {
  const ending = running;
  running = undefined;
  const { browser, serving } = (await ending) ?? {};
  await Promise.all([browser?.close(), serving?.close()]);
}

async function start(): Promise<Running> {
  share({ close: closeTabs });
  // Pages without an origin have no databases.
  const serving = await serve(async ({ url }) => {
    const script = await scripts.get(new URL(url).searchParams.get('module') ?? '');
    if (script === undefined) return new Response(null, { status: 404 });
    const html = `<!doctype html><title>Tab</title><script>${script.replaceAll('</', '<\\/')}</script>`;
    return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  });
  const browser = await launchBrowser();
  const context = await browser.newContext();
  await context.exposeBinding('__closeTab', ({ page }) => page.close());
  return { browser, context, serving };
}

/** Bundles a module as the extension is bundled for browsers. */
async function bundle(module: string): Promise<string> {
  const { outputFiles } = await build({
    ...{ entryPoints: [module], bundle: true, write: false, minify: true, format: 'iife', charset: 'utf8' },
    ...{ platform: 'neutral', mainFields: ['module', 'main'], conditions: ['worker'], target: 'es2023' },
  });
  return outputFiles[0]?.text ?? '';
}
