import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Window } from '../host/window.ts';

/** After this time, what is there is compared with what was waited for. */
const DEADLINE_MS = 60_000;

/** Waits until these are the rows of the sidebar that are painted, as a screen reader calls them, from above. */
export async function rowsAre(page: Page, expected: readonly string[]): Promise<void> {
  const named = () =>
    [...document.querySelectorAll('.customview-tree [role="treeitem"]')]
      .sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y)
      .map((row) => row.getAttribute('aria-label') ?? '');
  const source = `JSON.stringify((${named})()) === ${JSON.stringify(JSON.stringify(expected))}`;
  // What is there in place of them says more than that the time is up.
  await page
    .waitForFunction(source, undefined, { timeout: DEADLINE_MS })
    .catch(async () => assert.deepEqual(await page.evaluate(named), expected));
}

/** Waits until this is the text in the clipboard. */
export async function copied(page: Page, expected: string): Promise<void> {
  assert.equal(await copiedText(page, (text) => text === expected), expected);
}

/** The text in the clipboard, as soon as it is such a one, or when the time is up. */
export async function copiedText(page: Page, isSuch: (text: string) => boolean): Promise<string> {
  const end = Date.now() + DEADLINE_MS;
  for (;;) {
    // Asked for again and again from here: a page that waits takes a promise for a yes.
    const text = await page.evaluate(() => navigator.clipboard.readText());
    if (isSuch(text) || Date.now() > end) return text;
  }
}

/** Takes hold of one element and brings it over another, without letting go. */
export async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  assert.ok(start && end, 'Both ends of the drag are on the screen');
  await page.mouse.move(start.x + 60, start.y + start.height / 2);
  await page.mouse.down();
  // The first movements begin the drag; what lies below is told of it with those that follow.
  await page.mouse.move(end.x + 60, end.y + end.height / 2, { steps: 6 });
  await page.mouse.move(end.x + 62, end.y + end.height / 2 + 1, { steps: 2 });
}

/** Presses a button of the sidebar's title, which is there while the pointer is in the sidebar. */
export async function pressTitle(page: Page, button: string): Promise<void> {
  await page.locator('.pane-header').first().hover();
  await page.getByRole('button', { name: button }).click();
}

/** Chooses from the context menu of an element. */
export async function chooseFromMenu(page: Page, on: Locator, item: string): Promise<void> {
  await on.click({ button: 'right' });
  await choose(page, item);
}

/** Chooses from the menu that is open or about to be. */
export async function choose(page: Page, item: string): Promise<void> {
  const chosen = page.getByRole('menuitem', { name: item }).first();
  await chosen.hover();
  // A menu that has only just opened takes no click, so that the one that opened it chooses nothing; it takes keys.
  await page.keyboard.press('Enter');
  await chosen.waitFor({ state: 'hidden' });
}

/** A screenshot of the sidebar at rest. */
export async function still(window: Window, name: string): Promise<void> {
  await resting(window, `sidebar-${name}`);
}

/** A screenshot of the window at rest: what fades in or out has done so. */
export async function resting({ page, screenshot }: Window, name: string): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity),
  );
  await screenshot(name);
}
