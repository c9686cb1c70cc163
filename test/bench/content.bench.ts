// Very long messages of each type: how long the page takes to show the start, and the whole text on request, compared
// with a plain paragraph of the same text in the same page. Reports the slowest text of each type.
import type { Page } from 'playwright-core';
import { closePages } from '../host/pageBrowser.ts';
import { openHistoryPage } from '../host/pages.ts';
import { LONG_TEXTS, listed } from '../page/messages.ts';
import type { Row } from './bench.ts';

const KINDS = ['text', 'markdown', 'html', 'strange'];

/** A page that freezes takes hundreds of times as long. */
const BAR = 50;

/** Longer texts are collapsed at first (UTF-16 code units), as in `pages/common/text.tsx`. */
const START = 20_000;

export async function bench(): Promise<Row[]> {
  try {
    const rows: Row[] = [];
    for (const kind of KINDS) {
      const measured = [];
      for (const [name, words] of Object.entries(LONG_TEXTS)) measured.push({ name, ...(await measure(kind, words)) });
      for (const part of ['start', 'whole'] as const) {
        const slowest = measured.toSorted((a, b) => b[part] - a[part])[0];
        if (slowest)
          rows.push({ what: `${kind}, ${part} of ${slowest.name}`, measured: slowest[part], unit: '×', bar: BAR });
      }
    }
    return rows;
  } finally {
    await closePages();
  }
}

/** Shows a text as a message of this type. Returns the times as multiples of the plain text's. */
async function measure(kind: string, words: string): Promise<{ start: number; whole: number }> {
  const { page, show, close } = await openHistoryPage();
  try {
    // The first message of a type loads its code, which doesn't count.
    await show([listed({ contentType: kind, content: { text: '```js\na\n```', fileName: 'a' } })]);
    await page.locator('.text, .markdown .code-kwd, .markdown, .html-page[aria-busy=false], pre').first().waitFor();
    const bare = { start: await bareText(page, words.slice(0, START)), whole: await bareText(page, words) };
    const entry = listed({ contentType: kind, content: { text: words, fileName: words } });
    const start = await timed(page, () => show([entry]));
    const more = page.getByRole('button', { name: /^Show All [\d,]+ Characters$/ });
    const whole = (await more.count()) > 0 ? await timed(page, () => more.click()) : 0;
    return { start: start / bare.start, whole: whole / bare.whole };
  } finally {
    await close();
  }
}

/** Returns the milliseconds from an action until its effect is painted. */
async function timed(page: Page, act: () => Promise<void>): Promise<number> {
  const begun = await page.evaluate(() => performance.now());
  await act();
  return page.evaluate(painted, begun);
}

/** Returns the milliseconds until a paragraph with this text is painted. */
async function bareText(page: Page, words: string): Promise<number> {
  const begun = await page.evaluate((text) => {
    const now = performance.now();
    const paragraph = Object.assign(document.createElement('p'), { id: 'bare', className: 'text', textContent: text });
    document.body.append(paragraph);
    return now;
  }, words);
  const time = await page.evaluate(painted, begun);
  await page.evaluate(() => document.getElementById('bare')?.remove());
  return time;
}

/** Returns the milliseconds since a start time, once the next frame is painted. */
function painted(since: number): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - since)));
  });
}
