/** The browser and the server that all pages and tabs of a process share. */
import type { Browser } from 'playwright-core';
import { share } from '../shared.ts';
import { launchBrowser } from './browser.ts';
import { type Serving, serve } from './serve.ts';

interface Served {
  readonly body: string | Buffer<ArrayBuffer>;
  /** The MIME type. */
  readonly type: string;
}

export interface PageBrowser {
  readonly browser: Browser;
  /** The address of the server. Pages without one have no databases. */
  readonly origin: string;
  /** What the server answers, by path. */
  readonly served: Map<string, Served | Promise<Served>>;
}

interface Running extends PageBrowser {
  readonly serving: Serving;
}

/** Nothing leaves this machine. */
const OFFLINE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

let running: Promise<Running> | undefined;

/** A worker of Mocha runs several files one after the other. They share a browser, which ends with the worker. */
const afterFile = { close: () => (process.env.MOCHA_WORKER_ID === undefined ? closePages() : closeContexts()) };

/** The running browser and server. Starts them on first use. */
export function pageBrowser(): Promise<PageBrowser> {
  share(afterFile);
  running ??= start().catch((error) => {
    // What failed once fails one test, not all that come after it.
    running = undefined;
    throw error;
  });
  return running;
}

/** Closes all pages and tabs, and their browser and server. Tests do this automatically. */
export async function closePages(): Promise<void> {
  const ending = running;
  running = undefined;
  const { browser, serving } = (await ending) ?? {};
  await Promise.all([browser?.close(), serving?.close()]);
}

async function closeContexts(): Promise<void> {
  const { browser } = (await running) ?? {};
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}

async function start(): Promise<Running> {
  const served: Running['served'] = new Map();
  const answer = async ({ url }: Request) => {
    const { pathname } = new URL(url);
    const { body, type } = (await served.get(pathname)) ?? {};
    if (body === undefined || type === undefined) return new Response(null, { status: 404 });
    const caching = pathname.startsWith('/assets/') ? 'max-age=86400, immutable' : 'no-store';
    return new Response(body, { headers: { 'content-type': type, 'cache-control': caching } });
  };
  const [browser, serving] = await Promise.all([launchBrowser([OFFLINE]), serve(answer)]);
  return { browser, serving, origin: serving.origin, served };
}
