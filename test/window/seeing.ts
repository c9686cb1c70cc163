import type { Locator, Page } from 'playwright-core';

const DEADLINE_MS = 60_000;

/** Resolves when any part of an element is in the viewport. */
export async function inView(locator: Locator): Promise<void> {
  const end = Date.now() + DEADLINE_MS;
  // Resolves the locator each time, because the element may be replaced.
  while (!(await locator.evaluate(isSeen))) if (Date.now() > end) throw new Error(`${locator} is not in view.`);
}

/** Whether any part of an element is in the viewport now. */
export async function isInView(locator: Locator): Promise<boolean> {
  return (await locator.isVisible()) && locator.evaluate(isSeen);
}

function isSeen(element: Element): Promise<boolean> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(([entry]) => {
      observer.disconnect();
      resolve(entry?.isIntersecting ?? false);
    });
    observer.observe(element);
  });
}

/** Resolves when an element has kept the focus for 20 frames. */
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
