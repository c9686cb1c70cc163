/** A history page that tests of messages share, and the messages that they show. */
import assert from 'node:assert/strict';
import type { Listed } from '../../src/service/message.ts';
import { type HistoryPage, type HistoryPageOptions, openHistoryPage } from '../host/pages.ts';
import { listed, PICTURE } from './messages.ts';

type Content = Record<string, unknown>;

export const text = (words: string) => listed({ contentType: 'text', content: { text: words } });
export const markdown = (words: string) => listed({ contentType: 'markdown', content: { text: words } });
export const html = (page: string) => listed({ contentType: 'html', content: { text: page } });
export const file = (content: Content) => listed({ contentType: 'file', content });
export const image = (content: Content) => listed({ contentType: 'image', content });
export const withButtons = (...rows: Content[][]) =>
  listed({ contentType: 'text', content: { text: 'Hi', buttons: rows } });

/** The page opened last. */
export let historyPage: HistoryPage;

/** The open pages by their options. Opening one takes longer than most tests. */
const openPages = new Map<string, HistoryPage>();

/** Shows entries in a page with these options, reusing an open page if it's still in its initial state. */
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
  openPages.set(key, historyPage);
  historyPage.page.once('close', () => openPages.delete(key));
}

/** Shows entries in a new page. */
export async function openFresh(entries: readonly Listed[], options: Parameters<typeof open>[1] = {}): Promise<void> {
  historyPage = await openHistoryPage({ entries, ...options });
}

/** All elements in messages that match a selector. */
export const all = (selector: string) => historyPage.page.locator(`.entry ${selector}`);
/** The first of them. */
export const one = (selector: string) => all(selector).first();
export const textIn = (selector: string) => one(selector).innerText();
/** The text and address of each link in messages. */
export const links = () =>
  all('a').evaluateAll((anchors) => anchors.map((anchor) => [anchor.textContent, anchor.getAttribute('href')]));
/** The messages of a type that the page posted to its host. */
export const posted = async (type: string) => (await historyPage.posted()).filter((message) => message.type === type);
export const serveImages = (url: string) =>
  url.endsWith('.png') ? { body: PICTURE, contentType: 'image/png' } : undefined;

/** Asserts that no script ran, nothing else was requested, and the page didn't navigate. */
export async function assertHarmless(requests: string[] = []): Promise<void> {
  assert.equal(await historyPage.page.evaluate(() => '__ran' in window), false, 'a script ran');
  assert.deepEqual(historyPage.incidents, []);
  assert.deepEqual(historyPage.requests, requests);
  assert.deepEqual(await historyPage.refused(), []);
  assert.equal(historyPage.page.frames().length, 1, 'a frame is in the page');
  assert.deepEqual((await posted('open')).concat(await posted('copy')), []);
}

/** Asserts that there are no active elements or attributes except those the page creates. */
export async function assertBare(within: string): Promise<void> {
  const found = await all(within).evaluateAll((roots) => {
    const bad =
      'script, style, link, meta, base, iframe, frame, object, embed, form, svg, math, video, audio, template';
    return roots.flatMap((root) =>
      [...root.querySelectorAll('*')].flatMap((element) => [
        ...(element.matches(`${bad}, button, textarea, select, input:not([disabled])`) ? [element.localName] : []),
        ...[...element.attributes]
          .filter(
            ({ name }) =>
              /^on|^(id|name|style|srcset|srcdoc|action|formaction|ping|target|form)$|^(aria|data)-/.test(name) ||
              (name === 'href' && !element.matches('a')) ||
              (name === 'src' && !element.matches('img')),
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
