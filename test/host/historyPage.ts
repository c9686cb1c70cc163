/** Opens the built pages in a plain browser, without VS Code, and records forbidden requests and events. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type PageParts, webviewHtml } from '../../src/platform/webviewHtml.ts';
import type { ShownDraft } from '../../src/protocol/preview.ts';
import type { ToStatisticsPage } from '../../src/protocol/statistics.ts';
import { type Listed, messageKey } from '../../src/service/message.ts';
import { share } from '../shared.ts';
import { launchBrowser } from './browser.ts';
import { packed } from './packed.ts';
import { root } from './places.ts';
import { type Serving, serve } from './serve.ts';
import { bodyClass, type ThemeName, themeStyles } from './themes.ts';
import { downloadTexts, pageWords, searchWords, statisticsWords } from './words.ts';

interface Answer {
  body: Buffer;
  contentType: string;
}

export interface PageOptions {
  /** Whether remote images may load. Default: false. */
  readonly pictures?: boolean;
  /** Default: English. */
  readonly language?: 'en' | 'zh-cn';
  /** Default: dark. */
  readonly theme?: ThemeName;
  /** The height of the viewport in pixels. Only messages near it are rendered. */
  readonly height?: number;
  /** The IANA time zone of the browser. Default: that of this computer. */
  readonly timeZone?: string;
  /** The webview state from before the page was hidden or reloaded. */
  readonly state?: object;
  /** The page's own files that can't be loaded. */
  readonly missing?: RegExp;
  /** Answers requests to other origins. Unanswered ones fail; none leave this machine. */
  readonly web?: (url: string) => Answer | undefined | Promise<Answer | undefined>;
}

export interface HistoryPageOptions extends PageOptions {
  /** Messages to show, oldest first. Default: none. */
  readonly entries?: readonly Listed[];
}

export interface OpenPage {
  readonly page: Page;
  /** The messages from the page to its host, oldest first. */
  posted(): Promise<{ type: string }[]>;
  /** The state that the page saved with `setState`. */
  state(): Promise<{ place?: unknown } | undefined>;
  /** Posts a protocol message to the page. Resolves when it has been handled. */
  post(message: unknown): Promise<void>;
  /** The URLs of all requests except those for the page and its own files. */
  readonly requests: string[];
  /** Forbidden events: dialogs, navigations, new windows and errors. */
  readonly incidents: string[];
  /** What the page's content security policy blocked, such as `img-src https://a.example/b.png`. */
  refused(): Promise<string[]>;
  /** Clears the recorded messages, violations, requests and incidents. */
  forget(): Promise<void>;
  /** Writes `out/screenshots/<name>.png`. */
  screenshot(name: string): Promise<void>;
  close(): Promise<void>;
}

export interface HistoryPage extends OpenPage {
  /** Replaces all entries. */
  show(entries: readonly Listed[]): Promise<void>;
}

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript',
  css: 'text/css',
  map: 'application/json',
};

/** A script that fakes the VS Code API in the page and records its calls. */
const hostOf = (state: object | undefined) => `
const kept = { posted: [], state: ${JSON.stringify(state)}, refused: [] };
window.acquireVsCodeApi = () => ({
  postMessage: (message) => void kept.posted.push(structuredClone(message)),
  setState: (state) => (kept.state = state),
  getState: () => kept.state,
});
window.__host = kept;
addEventListener('securitypolicyviolation', (event) => {
  kept.refused.push(event.effectiveDirective + ' ' + event.blockedURI);
});`;

/** The browser and server that all pages share. Each page is served under `/<number>`. */
interface Running {
  readonly browser: Browser;
  readonly serving: Serving;
  readonly pages: Map<string, string>;
}

let running: Promise<Running> | undefined;
let opened = 0;

/** Starts the shared browser and server, which serves the files of the packed extension. */
async function start(): Promise<Running> {
  share({ close: closePages });
  const pages = new Map<string, string>();
  const assets = join(packed, 'dist');
  const files = new Map<string, Buffer<ArrayBuffer>>();
  for (const entry of await readdir(assets, { withFileTypes: true })) {
    if (entry.isFile()) files.set(`/assets/${entry.name}`, await readFile(join(assets, entry.name)));
  }
  const serving = await serve((request) => {
    const { pathname } = new URL(request.url);
    const found = files.get(pathname) ?? pages.get(pathname);
    if (found === undefined) return new Response(null, { status: 404 });
    const type = TYPES[pathname.split('.')[1] ?? 'html'] ?? 'application/octet-stream';
    return new Response(found, { headers: { 'content-type': type } });
  });
  return { browser: await launchBrowser(), serving, pages };
}

/** Closes the shared browser and server. Tests do this automatically. */
export async function closePages(): Promise<void> {
  const ending = running;
  running = undefined;
  const { browser, serving } = (await ending) ?? {};
  await Promise.all([browser?.close(), serving?.close()]);
}

/** Opens a history page with these entries. */
export async function openHistoryPage(options: HistoryPageOptions = {}): Promise<HistoryPage> {
  const page = await open('history', options);
  let shown = 0;
  const show = async (entries: readonly Listed[]) => {
    await page.post({ type: 'splice', at: 0, removed: shown, items: entries.map(itemOf) });
    shown = entries.length;
  };
  await show(options.entries ?? []);
  return { ...page, show };
}

/** Opens a preview page with this draft. */
export async function openPreviewPage(draft: ShownDraft, options: PageOptions): Promise<OpenPage> {
  const opened = await open('preview', options);
  await opened.post(draft);
  return opened;
}

/** Opens a search page, which hasn't got anything from its host yet. */
export async function openSearchPage(options: PageOptions): Promise<OpenPage> {
  return open('search', options, { words: await searchWords(options.language ?? 'en') });
}

/** Opens a statistics page, and posts these messages to it. */
export async function openStatisticsPage(messages: ToStatisticsPage[], options: PageOptions): Promise<OpenPage> {
  const opened = await open('statistics', options, { words: await statisticsWords(options.language ?? 'en') });
  for (const message of messages) await opened.post(message);
  return opened;
}

/** Opens a download page, which hasn't got its file yet. */
export async function openDownloadPage(options: PageOptions): Promise<OpenPage> {
  return open('download', options, { words: await downloadTexts(options.language ?? 'en') });
}

async function open(name: PageParts['page'], options: PageOptions, more: object = {}): Promise<OpenPage> {
  const { language = 'en', theme = 'dark', pictures = false, height = 800, timeZone, state, missing, web } = options;
  running ??= start();
  const { browser, serving, pages } = await running;
  const place = { service: 'https://chat.example', type: 'group' as const, id: 'big', botId: '30481126' };
  const nonce = crypto.randomUUID();
  const asset = (file: string) => `/assets/${file}`;
  const { labels, words } = await pageWords(language);
  const ofVsCode = `<style nonce="${nonce}">@layer vscode { ${themeStyles(theme)} }</style>
    <script nonce="${nonce}">${hostOf(state && { ...state, place })}</script>`;
  const html = webviewHtml({
    language,
    nonce,
    page: name,
    labels,
    data: { place, words, ...more },
    allowsImages: pictures,
    asset,
  })
    .replace('</head>', `${ofVsCode}</head>`)
    .replace('<body>', `<body class="${bodyClass(theme)}">`);
  const path = `/${++opened}`;
  pages.set(path, html);
  const requests: string[] = [];
  const incidents: string[] = [];
  const context = await browser.newContext({
    ...{ viewport: { width: 900, height }, locale: 'en-US' },
    ...(timeZone && { timezoneId: timeZone }),
  });
  try {
    await context.route('**/*', async (route) => {
      const url = new URL(route.request().url());
      const isOwn = url.origin === serving.origin;
      if (isOwn && missing?.test(url.pathname)) return route.abort();
      if (isOwn && (url.pathname === path || url.pathname.startsWith('/assets/'))) return route.continue();
      requests.push(url.href);
      const answer = isOwn ? undefined : await web?.(url.href);
      await (answer ? route.fulfill(answer) : route.abort());
    });
    const page = await context.newPage();
    context.on('page', (other) => incidents.push(`window ${other.url()}`));
    page.on('pageerror', (error) => incidents.push(`error ${error.stack ?? error}`));
    page.on('dialog', (dialog) => {
      incidents.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(serving.origin + path);
    // The HTML sanitizer creates and removes one empty frame.
    let frames = 0;
    page.on('frameattached', () => ++frames > 1 && incidents.push('frame'));
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() || frame.url() !== 'about:blank') incidents.push(`navigation ${frame.url()}`);
    });
    const post = (message: unknown) =>
      page.evaluate(
        (message) =>
          new Promise<void>((resolve) => {
            addEventListener('message', () => resolve(), { once: true });
            window.postMessage(message, '*');
          }),
        message,
      );
    return {
      page,
      posted: () => page.evaluate(() => window.__host.posted),
      state: () => page.evaluate(() => window.__host.state),
      refused: () => page.evaluate(() => window.__host.refused),
      post,
      requests,
      incidents,
      async forget() {
        requests.length = 0;
        incidents.length = 0;
        await page.evaluate(() => {
          window.__host.posted.length = 0;
          window.__host.refused.length = 0;
        });
      },
      async screenshot(name) {
        const height = await page
          .locator('main')
          .evaluate((main) => main.scrollHeight + main.getBoundingClientRect().top);
        await page.setViewportSize({ width: 900, height: Math.ceil(height) + 10 });
        await page.screenshot({ path: join(root, 'out/screenshots', `${name}.png`) });
      },
      async close() {
        await context.close();
        pages.delete(path);
      },
    };
  } catch (error) {
    await context.close();
    throw error;
  }
}

/** Converts a message to its form in the page protocol. */
function itemOf(entry: Listed) {
  const { raw } = entry;
  const key = messageKey(entry);
  return entry.readable ? { type: 'message', key, message: entry.message, raw } : { type: 'unreadable', key, raw };
}

declare global {
  interface Window {
    __host: { posted: { type: string }[]; state: { place?: unknown } | undefined; refused: string[] };
  }
}
