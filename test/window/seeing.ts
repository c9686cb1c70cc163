import type { Locator, Page } from 'playwright-core';

/** Only what never comes takes so long. */
const DEADLINE_MS = 60_000;

/** Resolves when a part of this element is where a person can see it. */
export async function inView(locator: Locator): Promise<void> {
  const end = Date.now() + DEADLINE_MS;
  // Looked for anew each time: what takes its place in the page is another element.
  while (!(await locator.evaluate(isSeen))) if (Date.now() > end) throw new Error(`${locator} is not in view.`);
}

/** Whether a part of this element is where a person can see it now. */
export async function isInView(locator: Locator): Promise<boolean> {
  return (await locator.isVisible()) && locator.evaluate(isSeen);
}

/** What an observer says at first of an element. */
function isSeen(element: Element): Promise<boolean> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(([entry]) => {
      observer.disconnect();
      resolve(entry?.isIntersecting ?? false);
    });
    observer.observe(element);
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
  // A hover begins with a movement on the text.
  await page.mouse.move(x - 2, y);
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

/** Resolves when an element has had the focus for so many frames that nothing is about to take it away. */
export async function keepsFocus(page: Page, selector: string): Promise<void> {
  const FRAMES = 20;
  await page.evaluate(
    ({ selector, frames }) =>
      new Promise<void>((resolve) => {
        let left = frames;
        const look = () => {
          left = document.activeElement?.matches(selector) ? left - 1 : frames;
          if (left > 0) requestAnimationFrame(look);
          else resolve();
        };
        look();
      }),
    { selector, frames: FRAMES },
  );
}
