/** A page with messages, for tests of what it makes of them. */
import assert from 'node:assert/strict';
import type { Listed } from '../../src/service/message.ts';
import { type HistoryPage, type HistoryPageOptions, openHistoryPage } from '../host/historyPage.ts';
import { share } from '../shared.ts';
import { listed, PICTURE } from './messages.ts';

type Content = Record<string, unknown>;

export const text = (words: string) => listed({ contentType: 'text', content: { text: words } });
export const markdown = (words: string) => listed({ contentType: 'markdown', content: { text: words } });
export const html = (page: string) => listed({ contentType: 'html', content: { text: page } });
export const file = (content: Content) => listed({ contentType: 'file', content });
export const image = (content: Content) => listed({ contentType: 'image', content });
export const withButtons = (...rows: Content[][]) =>
  listed({ contentType: 'text', content: { text: 'Hi', buttons: rows } });

/** The page that was opened last. */
export let historyPage: HistoryPage;

/** The pages that are open, by their options: to open one takes longer than most tests. */
const openPages = new Map<string, HistoryPage>();

/** Shows these entries in a page with these options: one that is as it was opened, or a new one. */
export async function open(
  entries: readonly Listed[],
  options: Omit<HistoryPageOptions, 'entries'> = {},
): Promise<void> {
  if (options.web || options.state) return openFresh(entries, options);
  const key = JSON.stringify(options);
  const known = openPages.get(key);
  if (known && (await known.page.locator('.bar, .jump, .profile').count()) === 0) {
    historyPage = known;
    await historyPage.forget();
    await historyPage.show(entries);
    return;
  }
  await known?.close();
  await openFresh(entries, options);
  // They go with their browser.
  if (openPages.size === 0) share({ close: async () => openPages.clear() });
  openPages.set(key, historyPage);
}

/** Shows these entries in a page that was never used. */
export async function openFresh(entries: readonly Listed[], options: Parameters<typeof open>[1] = {}): Promise<void> {
  historyPage = await openHistoryPage({ entries, ...options });
}

export const all = (selector: string) => historyPage.page.locator(`.entry ${selector}`);
export const one = (selector: string) => all(selector).first();
export const textIn = (selector: string) => one(selector).innerText();
/** The links of all messages: what each shows and where it leads. */
export const links = () =>
  all('a').evaluateAll((anchors) => anchors.map((anchor) => [anchor.textContent, anchor.getAttribute('href')]));
export const posted = async (type: string) => (await historyPage.posted()).filter((message) => message.type === type);
export const serveImages = (url: string) =>
  url.endsWith('.png') ? { body: PICTURE, contentType: 'image/png' } : undefined;

/** Whatever was shown: nothing ran, nothing was asked for, and the page is still there. */
export async function assertHarmless(requests: string[] = []): Promise<void> {
  assert.equal(await historyPage.page.evaluate(() => '__ran' in window), false, 'a script ran');
  assert.deepEqual(historyPage.incidents, []);
  assert.deepEqual(historyPage.requests, requests);
  assert.deepEqual(await historyPage.refused(), []);
  assert.equal(historyPage.page.frames().length, 1, 'a frame is in the page');
  assert.deepEqual((await posted('open')).concat(await posted('copy')), []);
}

/** No element or attribute that could do something, but for what the page itself makes. */
export async function assertBare(within: string): Promise<void> {
  const found = await all(within).evaluateAll((roots) => {
    const bad =
      'script, style, link, meta, base, iframe, frame, object, embed, form, svg, math, video, audio, template';
    return roots.flatMap((root) =>
      [...root.querySelectorAll('*')].flatMap((element) => [
        ...(element.matches(`${bad}, button, textarea, select, input:not([disabled])`) ? [element.localName] : []),
        ...[...element.attributes]
          .filter(({ name }) =>
            /^on|^(id|name|style|srcset|srcdoc|action|formaction|ping|target|form)$|^(aria|data)-/.test(name),
          )
          .map(({ name, value }) => `${element.localName}[${name}=${value}]`),
        ...(element.classList.length > 0 && !element.matches('.real-place, .table, .task, [class^=code-]')
          ? [`${element.localName}.${element.className}`]
          : []),
      ]),
    );
  });
  assert.deepEqual(found, []);
}
