/** The pointer on text. VS Code loses a movement or a click while it paints a line anew: what has to lead somewhere is repeated. */
import delay from 'delay';
import { errors, type Locator, type Page } from 'playwright-core';

/** After this time, a movement or a click is taken for lost (milliseconds). */
const LOST_MS = 5_000;

/** What something leads to: what is seen then, or what happens. */
type Sign = Locator | Promise<unknown>;

/** Does something until it leads to this; ends with the time of the test. */
export async function until(sign: Sign, act: () => Promise<void>): Promise<void> {
  do await act();
  while (!(await isThere(sign)));
}

async function isThere(sign: Sign): Promise<boolean> {
  if (sign instanceof Promise) return Promise.race([sign.then(() => true), delay(LOST_MS, { value: false })]);
  try {
    await sign.waitFor({ timeout: LOST_MS });
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}

/** Rests the pointer on words in the text editor, with no card of others before, until that leads to this. */
export function hoverUntil(page: Page, words: string, sign: Sign): Promise<void> {
  return until(sign, async () => {
    await page.mouse.move(0, 0);
    await page.locator('.monaco-hover:visible').waitFor({ state: 'hidden' });
    await hoverText(page, words);
  });
}

/** Follows the link that words are in the text editor until that leads to this. */
export async function followLink(page: Page, words: string, sign: Sign): Promise<void> {
  await page.locator('.editor-instance .detected-link', { hasText: words }).first().waitFor();
  await until(sign, async () => {
    await page.keyboard.down('Control');
    await clickText(page, words);
    await page.keyboard.up('Control');
  });
}

/** Rests the pointer on the first place where the text editor, or what has other lines, shows these words. */
export async function hoverText(page: Page, words: string, lines = '.editor-instance .view-line'): Promise<void> {
  const at = await page.waitForFunction(
    ([sought, lines]) => {
      for (const line of document.querySelectorAll(lines)) {
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const start = node.textContent?.indexOf(sought) ?? -1;
          if (start < 0) continue;
          const range = document.createRange();
          range.setStart(node, start);
          range.setEnd(node, start + sought.length);
          const { x, y, width, height } = range.getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        }
      }
      return undefined;
    },
    [words, lines] as const,
  );
  const { x, y } = (await at.jsonValue()) ?? { x: 0, y: 0 };
  // From elsewhere, and in one movement: VS Code makes a card anew that is there when the next one comes.
  await page.mouse.move(0, 0);
  await page.mouse.move(x, y);
}

/** Clicks on the first place where the text editor shows these words. */
export async function clickText(
  page: Page,
  words: string,
  { clickCount = 1, ...options }: Parameters<Page['mouse']['down']>[0] = {},
): Promise<void> {
  await hoverText(page, words);
  for (let click = 1; click <= clickCount; click++) {
    await page.mouse.down({ ...options, clickCount: click });
    await page.mouse.up({ ...options, clickCount: click });
  }
}
