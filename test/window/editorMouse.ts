/** Mouse actions on editor text, repeated until they work, because VS Code drops events while it repaints a line. */
import type { Page } from 'playwright-core';
import { type Effect, repeatUntil } from '../host/repeating.ts';

/** Hovers over text in the editor, with no other hover showing, until the effect appears. */
export function hoverUntil(page: Page, words: string, effect: Effect): Promise<void> {
  return repeatUntil(effect, async () => {
    await page.mouse.move(0, 0);
    await page.locator('.monaco-hover:visible').waitFor({ state: 'hidden' });
    await hoverText(page, words);
  });
}

/** Ctrl+clicks a link in the editor until the effect appears. */
export async function followLink(page: Page, words: string, effect: Effect): Promise<void> {
  await page.locator('.editor-instance .detected-link', { hasText: words }).first().waitFor();
  await repeatUntil(effect, async () => {
    await page.keyboard.down('Control');
    await clickText(page, words);
    await page.keyboard.up('Control');
  });
}

/** Moves the pointer to the first occurrence of text in the editor, or in other elements with lines. */
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
  // Jumps in from elsewhere, because VS Code rebuilds a hover that is still open when the next one starts.
  await page.mouse.move(0, 0);
  await page.mouse.move(x, y);
}

/** Clicks the first occurrence of text in the editor. */
export async function clickText(page: Page, words: string, clickCount = 1): Promise<void> {
  await hoverText(page, words);
  for (let click = 1; click <= clickCount; click++) {
    await page.mouse.down({ clickCount: click });
    await page.mouse.up({ clickCount: click });
  }
}
