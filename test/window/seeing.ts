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
