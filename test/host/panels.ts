/** The pages of the browser in which pages of the extension are shown, one after the other. */
import type { Page } from 'playwright-core';
import type { PageBrowser } from './pageBrowser.ts';

interface Answer {
  body: Buffer;
  contentType: string;
}

export interface PanelOptions {
  /** The page's own files that can't be loaded. */
  readonly missing?: RegExp;
  /** Answers requests to other origins. Unanswered ones fail; none leave this machine. */
  readonly web?: (url: string) => Answer | undefined | Promise<Answer | undefined>;
}

/** What a panel shows, and what it did that it may not do. */
export interface Shown {
  readonly path: string;
  readonly options: PanelOptions;
  readonly requests: string[];
  readonly incidents: string[];
  isOpen: boolean;
  /** Frames that were ever in the page. */
  frames: number;
}

/** A page of the browser, which shows one page of the extension after the other. A new one takes longer than most tests. */
interface Panel {
  readonly page: Page;
  readonly timeZone: string | undefined;
  shown: Shown | undefined;
}

/** The panels that show nothing. */
const idle = new Set<Panel>();

/** An idle panel in this time zone, or a new one. */
export async function takePanel(browser: PageBrowser, timeZone: string | undefined): Promise<Panel> {
  const panel = [...idle].find((one) => one.timeZone === timeZone) ?? (await newPanel(browser, timeZone));
  idle.delete(panel);
  return panel;
}

/** Empties a panel, which may show another page then. */
export async function giveBack(panel: Panel): Promise<void> {
  await panel.page.goto('about:blank');
  await panel.page.mouse.move(0, 0);
  idle.add(panel);
}

async function newPanel({ browser, origin }: PageBrowser, timeZone: string | undefined): Promise<Panel> {
  const context = await browser.newContext({ locale: 'en-US', ...(timeZone && { timezoneId: timeZone }) });
  const page = await context.newPage();
  const panel: Panel = { page, timeZone, shown: undefined };
  const report = (incident: string) => panel.shown?.isOpen && panel.shown.incidents.push(incident);
  await context.route('**/*', async (route) => {
    if (!panel.shown) return route.abort();
    const { path, requests, options } = panel.shown;
    const url = new URL(route.request().url());
    const isOwn = url.origin === origin;
    if (isOwn && options.missing?.test(url.pathname)) return route.abort();
    if (isOwn && (url.pathname === path || url.pathname.startsWith('/assets/'))) return route.continue();
    requests.push(url.href);
    const answer = isOwn ? undefined : await options.web?.(url.href);
    await (answer ? route.fulfill(answer) : route.abort());
  });
  context.on('page', (other) => report(`window ${other.url()}`));
  context.on('close', () => idle.delete(panel));
  page.on('pageerror', (error) => panel.shown?.incidents.push(`error ${error.stack ?? error}`));
  page.on('dialog', (dialog) => {
    report(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('frameattached', () => {
    // The HTML sanitizer creates and removes one empty frame.
    if (panel.shown && ++panel.shown.frames > 1) report('frame');
  });
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame() || frame.url() !== 'about:blank') report(`navigation ${frame.url()}`);
  });
  return panel;
}
