/** Hostile messages in the built history page, in a browser. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { pageBrowser } from '../../host/pageBrowser.ts';
import { type HistoryPage, openHistoryPage } from '../../host/pages.ts';
import { listed } from '../../page/messages.ts';
import { deferred } from '../../unit/deferred.ts';
import { count, type Effort, type Proof, search } from '../proof.ts';
import { hostileFields } from './hostile.ts';
import { actsInHtml, actsInMarkdown, htmlDocument } from './written.ts';

/** High enough to render all messages of a case (pixels). */
const HEIGHT = 12_000;

interface Shown extends HistoryPage {
  /** Requests for anything but images and the page's own files. */
  readonly foreignRequests: string[];
}

async function run(effort: Effort): Promise<string[]> {
  /** One page without images and one with them; replaced after a finding. */
  const pages = new Map<boolean, Shown>();
  const open = async (pictures: boolean): Promise<Shown> => {
    const opened = await openHistoryPage({ pictures, height: HEIGHT });
    const foreignRequests: string[] = [];
    opened.page.on('request', (request) => {
      const isOwn = new URL(request.url()).origin === new URL(opened.page.url()).origin;
      if (!isOwn && request.resourceType() !== 'image') foreignRequests.push(request.url());
    });
    return { ...opened, foreignRequests };
  };
  let messages = 0;
  const { browser } = await pageBrowser();
  /** Has no policy, and reads exported HTML. */
  const blank = await browser.newPage();

  const cases = fc.array(hostileFields, { minLength: 1, maxLength: 10 });
  const nothingHappens = fc.asyncProperty(cases, fc.boolean(), async (fields, pictures) => {
    messages += fields.length;
    const shown = pages.get(pictures) ?? (await open(pictures));
    pages.set(pictures, shown);
    try {
      await assertHarmless(shown, blank, fields);
      if (!pictures) assert.deepEqual(shown.requests, []);
    } catch (error) {
      pages.delete(pictures);
      await shown.close();
      throw error;
    }
  });

  try {
    const title = 'whatever a message contains, nothing runs, is requested, navigates or could act';
    const { found } = await search({ name, properties: { [title]: nothingHappens }, runsPerRound: 50 }, effort);
    effort.tally('payloads', messages);
    const result =
      found.length === 0 ? '0 scripts, 0 requests, 0 navigations, 0 links that act' : `${found.length} found`;
    effort.report(`${name}: ${count(messages, 'hostile messages')}, ${result}`);
    return found;
  } finally {
    await Promise.all([blank, ...pages.values()].map((page) => page.close()));
  }
}

/** Shows these messages, clicks all their buttons, and asserts that nothing happened. */
async function assertHarmless(shown: Shown, blank: Page, fields: Record<string, unknown>[]): Promise<void> {
  const { page, incidents, foreignRequests } = shown;
  const last = `after ${crypto.randomUUID()}`;
  const entries = [...fields, { contentType: 'text', content: { text: last } }].map(listed);
  await shown.show(entries);
  const broken = deferred<never>();
  page.once('pageerror', broken.reject);
  // After an error, the message never appears.
  await Promise.race([broken.promise, page.getByText(last, { exact: true }).waitFor()]);
  page.off('pageerror', broken.reject);
  await page.waitForFunction(() => document.querySelector('main [aria-busy=true]') === null);
  assert.equal(await page.locator('article').count(), entries.length, 'messages in the page');
  const actsNow = () =>
    // Scripts that run at once have run by then.
    page.evaluate(() => new Promise((resolve) => setTimeout(resolve))).then(() => page.evaluate(actors));
  assert.deepEqual(await actsNow(), []);
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>('article button')) button.click();
  });
  assert.deepEqual(await actsNow(), [], 'after all buttons were clicked');
  assert.equal(await page.evaluate(() => '__ran' in window), false, 'a script ran');
  assert.deepEqual([...incidents, ...foreignRequests], []);
  // The policy may refuse content while it is parsed for sanitizing, before it is shown.
  const refused = (await shown.refused()).filter(
    (one) => !/^(?:(?:style|script)-src-attr|style-src-elem|base-uri) /.test(one),
  );
  assert.deepEqual(refused, [], 'refused by the policy of the page');
  const opened = (await shown.posted()).filter(({ type }) => type === 'open') as { type: string; url?: string }[];
  for (const { url } of opened) assert.match(url ?? '', /^https?:\/\//i);
  assert.deepEqual(actsInMarkdown(entries), [], 'as Markdown');
  assert.deepEqual(await blank.evaluate(actsInHtml, htmlDocument(entries)), [], 'as HTML');
}

/** Elements and attributes from messages that could do something. Runs in the page. */
function actors(): string[] {
  const acting =
    'script, style, link, meta, base, iframe, frame, frameset, object, embed, applet, portal, form, math, template, slot, video, audio, source, track, dialog, marquee, canvas, map, area';
  const found: string[] = [];
  for (const element of document.querySelectorAll('main *')) {
    const content = element.closest('.html-page, .markdown');
    const isPart = content !== null && content !== element;
    const isWithinHtml = isPart && content.matches('.html-page');
    const { localName } = element;
    if (element.matches(acting)) found.push(localName);
    if (isPart && !(element instanceof HTMLElement)) found.push(localName);
    if (isPart && element.matches('button, textarea, select, input:not([type=checkbox][disabled])'))
      found.push(localName);
    if (isWithinHtml && (element instanceof HTMLUnknownElement || localName.includes('-'))) found.push(localName);
    if (element.shadowRoot) found.push(`${localName} with a shadow`);
    for (const { name, value } of element.attributes) {
      const isBad =
        /^on|^(srcset|srcdoc|action|formaction|ping|target|xlink:href|background|poster|is|nonce|popover\w*)$/.test(
          name,
        ) ||
        (name === 'href' && !/^(https?|mailto):/i.test(value)) ||
        (name === 'src' && !/^https?:/i.test(value)) ||
        (isPart && /^(style|id|name|form|autofocus|contenteditable)$/.test(name)) ||
        (isWithinHtml && /^(aria|data)-|^(role|slot|part|tabindex|accesskey|download|for|type|hidden)$/.test(name)) ||
        (isWithinHtml && name === 'class' && value !== 'real-place');
      if (isBad) found.push(`${localName}[${name}=${JSON.stringify(value)}]`);
    }
  }
  return found;
}

const name = 'hostileMessages';
export const hostileMessages: Proof = { name, run };
