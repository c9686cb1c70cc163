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
  /** A browser caches nothing if its requests are intercepted, and reads and compiles each script again. */
  readonly isIntercepted: boolean;
  shown: Shown | undefined;
}

/** The panels that show nothing. */
const idle = new Set<Panel>();

/** An idle panel in this time zone, or a new one, for a page with these options. */
export async function takePanel(running: PageBrowser, timeZone: string | undefined, shown: Shown): Promise<Panel> {
  const isIntercepted = Boolean(shown.options.missing ?? shown.options.web);
  const fits = (panel: Panel) => panel.timeZone === timeZone && panel.isIntercepted === isIntercepted;
  const panel = [...idle].find(fits) ?? (await newPanel(running, timeZone, isIntercepted));
  idle.delete(panel);
  panel.shown = shown;
  return panel;
}

/** Empties a panel, which may show another page then. */
export async function giveBack(panel: Panel): Promise<void> {
  await panel.page.goto('about:blank');
  await panel.page.mouse.move(0, 0);
  idle.add(panel);
}

async function newPanel(
  { browser, origin }: PageBrowser,
  timeZone: string | undefined,
  isIntercepted: boolean,
): Promise<Panel> {
  const context = await browser.newContext({ locale: 'en-US', ...(timeZone && { timezoneId: timeZone }) });
  const page = await context.newPage();
  const panel: Panel = { page, timeZone, isIntercepted, shown: undefined };
  const report = (incident: string) => panel.shown?.isOpen && panel.shown.incidents.push(incident);
  const isOwn = ({ origin: from, pathname }: URL) =>
    from === origin && (pathname === panel.shown?.path || pathname.startsWith('/assets/'));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (!isOwn(url)) panel.shown?.requests.push(url.href);
  });
  // What the page's policy blocks was never sent.
  context.on('requestfailed', (request) => {
    const { requests = [] } = panel.shown ?? {};
    const at = requests.lastIndexOf(request.url());
    if (at >= 0 && /csp/i.test(request.failure()?.errorText ?? '')) requests.splice(at, 1);
  });
  if (isIntercepted)
    await context.route('**/*', async (route) => {
      const { missing, web } = panel.shown?.options ?? {};
      const url = new URL(route.request().url());
      if (isOwn(url)) return missing?.test(url.pathname) ? route.abort() : route.continue();
      const answer = url.origin === origin ? undefined : await web?.(url.href);
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
