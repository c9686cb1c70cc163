import type { Locator, Page } from 'playwright-core';

/** Resolves when a part of this element is where a person can see it. */
export function inView(locator: Locator): Promise<void> {
  return locator.evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        const observer = new IntersectionObserver((entries) => {
          if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(element);
      }),
  );
}

/** Rests the pointer on the first place where the text editor shows these words. */
export async function hoverText(page: Page, words: string): Promise<void> {
  const at = await page.waitForFunction((sought) => {
    for (const line of document.querySelectorAll('.editor-instance .view-line')) {
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
  }, words);
  const { x, y } = (await at.jsonValue()) ?? { x: 0, y: 0 };
  // A hover begins with a movement on the text.
  await page.mouse.move(x - 2, y);
  await page.mouse.move(x, y);
}
