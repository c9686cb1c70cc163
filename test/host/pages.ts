/** Opens the packed pages in a plain browser, without VS Code, and records forbidden requests and events. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type PageParts, webviewHtml } from '../../src/platform/webviewHtml.ts';
import type { ShownDraft } from '../../src/protocol/preview.ts';
import type { ToRepliesPage } from '../../src/protocol/replies.ts';
import type { ReportQuery, ToReportPage } from '../../src/protocol/report.ts';
import type { ToStatisticsPage } from '../../src/protocol/statistics.ts';
import { type Listed, messageKey } from '../../src/service/message.ts';
import { photographFailure, useInPictures } from '../pictures.ts';
import { packed } from './packed.ts';
import { type PageBrowser, pageBrowser } from './pageBrowser.ts';
import { giveBack, type PanelOptions, type Shown, takePanel } from './panels.ts';
import { root } from './places.ts';
import { bodyClass, type ThemeName, themeStyles } from './themes.ts';

export interface PageOptions extends PanelOptions {
  /** Whether remote images may load. Default: false. */
  readonly pictures?: boolean;
  /** Default: English. */
  readonly language?: 'en' | 'zh-cn';
  /** The height of the viewport in pixels. Only messages near it are rendered. */
  readonly height?: number;
  /** The IANA time zone of the browser. Default: that of this computer. */
  readonly timeZone?: string;
  /** The webview state from before the page was hidden or reloaded. */
  readonly state?: object;
}

export interface HistoryPageOptions extends PageOptions {
  /** Messages to show, oldest first. Default: none. */
  readonly entries?: readonly Listed[];
}

export interface OpenPage {
  readonly page: Page;
  /** The messages from the page to its host, oldest first. */
  posted(): Promise<{ type: string }[]>;
  /** Waits until the page has posted this many messages of a type, by default one. */
  untilPosted(type: string, count?: number): Promise<unknown>;
  /** Waits until the page has painted this many frames. */
  frames(count: number): Promise<void>;
  /** Whether something in the page is wider than the window. */
  isTooWide(): Promise<boolean>;
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
  /** Changes the colors, as VS Code does when its theme changes. They are dark at first. */
  setTheme(theme: ThemeName): Promise<void>;
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

/** The number of pages opened so far, of which each has its path. */
let opened = 0;

/** Serves the files of the packed extension. */
async function serveAssets({ served }: PageBrowser): Promise<void> {
  const assets = join(packed, 'dist');
  for (const entry of await readdir(assets, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const type = TYPES[entry.name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    served.set(
      `/assets/${entry.name}`,
      readFile(join(assets, entry.name)).then((body) => ({ body, type })),
    );
  }
}

/** The modules that a packed extension names in its pages. */
export async function namedModules(file: string): Promise<string[]> {
  const script = await readFile(join(packed, 'dist', file), 'utf8');
  return /(?<=["'`])chunk-\w+\.js(?: chunk-\w+\.js)+(?=["'`])/.exec(script)?.[0].split(' ') ?? [];
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
export async function openPreviewPage(draft: ShownDraft, options: PageOptions = {}): Promise<OpenPage> {
  const opened = await open('preview', options, { document: 'file:///drafts/draft.md' });
  await opened.post(draft);
  return opened;
}

/** Opens a search page, which hasn't got anything from its host yet. */
export async function openSearchPage(options: PageOptions = {}): Promise<OpenPage> {
  return open('search', options);
}

/** Opens a statistics page, and posts these messages to it. */
export async function openStatisticsPage(messages: ToStatisticsPage[], options: PageOptions = {}): Promise<OpenPage> {
  const opened = await open('statistics', options);
  for (const message of messages) await opened.post(message);
  return opened;
}

/** The delivery whose report {@link openReportPage} opens. */
export const REPORTED = '001700000000000-deliver0';

/** Opens the page of a report, and posts these messages to it. */
export async function openReportPage(
  messages: ToReportPage[],
  options: PageOptions = {},
  query?: ReportQuery,
): Promise<OpenPage> {
  const opened = await open('report', options, { delivery: REPORTED, query: query ?? null });
  for (const message of messages) await opened.post(message);
  return opened;
}

/** Opens the page with the replies to a delivery, and posts these messages to it. */
export async function openRepliesPage(messages: ToRepliesPage[] = [], options: PageOptions = {}): Promise<OpenPage> {
  const opened = await open('replies', options, { delivery: REPORTED });
  for (const message of messages) await opened.post(message);
  return opened;
}

/** Opens a download page, which hasn't got its file yet. */
export async function openDownloadPage(options: PageOptions = {}): Promise<OpenPage> {
  return open('download', options);
}

async function open(name: PageParts['page'], options: PageOptions, more: object = {}): Promise<OpenPage> {
  const { height = 800, timeZone } = options;
  const running = await pageBrowser();
  const { origin, served } = running;
  if (!served.has('/assets/page.js')) await serveAssets(running);
  const path = `/${++opened}`;
  served.set(path, { body: await htmlOf(name, options, more), type: TYPES.html ?? '' });
  const shown: Shown = { path, options, requests: [], incidents: [], isOpen: false, frames: 0 };
  const panel = await takePanel(running, timeZone, shown);
  const { page } = panel;
  useInPictures(page);
  await page.setViewportSize({ width: 900, height });
  await page.goto(origin + path);
  shown.isOpen = true;
  return {
    page,
    posted: () => page.evaluate(() => window.__host.posted),
    untilPosted: (type, count = 1) =>
      page.waitForFunction(
        (sought) => window.__host.posted.filter(({ type }) => type === sought.type).length >= sought.count,
        { type, count },
      ),
    frames: (count) =>
      page.evaluate(async (left) => {
        for (let frame = 0; frame < left; frame++) await new Promise(requestAnimationFrame);
      }, count),
    isTooWide: () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
    state: () => page.evaluate(() => window.__host.state),
    refused: () => page.evaluate(() => window.__host.refused),
    post(message) {
      useInPictures(page);
      return page.evaluate(
        (message) =>
          new Promise<void>((resolve) => {
            addEventListener('message', () => resolve(), { once: true });
            window.postMessage(message, '*');
          }),
        message,
      );
    },
    requests: shown.requests,
    incidents: shown.incidents,
    async forget() {
      shown.requests.length = 0;
      shown.incidents.length = 0;
      await page.evaluate(() => {
        window.__host.posted.length = 0;
        window.__host.refused.length = 0;
      });
    },
    async setTheme(theme) {
      await page.evaluate(
        ([styles, classes]) => {
          const ofVsCode = document.getElementById('vscode-styles');
          if (ofVsCode) ofVsCode.textContent = styles;
          document.body.className = classes;
        },
        [layered(theme), bodyClass(theme)] as const,
      );
    },
    async close() {
      await photographFailure();
      shown.isOpen = false;
      served.delete(path);
      await giveBack(panel);
    },
  };
}

/** Closes the page after each test of a suite, which must not have done anything that it may not do. */
export function closeEach(opened: () => OpenPage | undefined): void {
  afterEach(async () => {
    const page = opened();
    if (!page) return;
    const refused = await page.refused();
    await page.close();
    assert.deepEqual([page.incidents, page.requests, refused], [[], [], []]);
  });
}

/** The page as VS Code would make it, with styles and an API like those of VS Code. */
async function htmlOf(name: PageParts['page'], options: PageOptions, more: object): Promise<string> {
  const { language = 'en', pictures = false, state } = options;
  const place = { service: 'https://chat.example', kind: 'group' as const, id: 'big', botId: '30481126' };
  const nonce = crypto.randomUUID();
  const bundle =
    language === 'en' ? undefined : await readFile(join(root, `l10n/bundle.l10n.${language}.json`), 'utf8');
  const translations = bundle && JSON.parse(bundle);
  const ofVsCode = `<style nonce="${nonce}" id="vscode-styles">${layered('dark')}</style>
    <script nonce="${nonce}">${hostOf(state && { ...state, place })}</script>`;
  const html = webviewHtml({
    language,
    nonce,
    page: name,
    translations,
    data: { place, ...more },
    allowsImages: pictures,
    modules: await namedModules('web/extension.cjs'),
    asset: (file) => `/assets/${file}`,
  });
  return html.replace('</head>', `${ofVsCode}</head>`).replace('<body>', `<body class="${bodyClass('dark')}">`);
}

const layered = (theme: ThemeName) => `@layer vscode { ${themeStyles(theme)} }`;

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
