import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Window } from '../host/window.ts';

/** On timeout, the actual state is compared with the expected one. */
const DEADLINE_MS = 60_000;

/** Waits until the rendered sidebar rows have these accessible names, from top to bottom. */
export async function expectRows(page: Page, expected: readonly string[]): Promise<void> {
  const labels = () =>
    [...document.querySelectorAll('.customview-tree [role="treeitem"]')]
      .sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y)
      .map((row) => row.getAttribute('aria-label') ?? '');
  const source = `JSON.stringify((${labels})()) === ${JSON.stringify(JSON.stringify(expected))}`;
  // A diff of the rows says more than a timeout.
  await page
    .waitForFunction(source, undefined, { timeout: DEADLINE_MS })
    .catch(async () => assert.deepEqual(await page.evaluate(labels), expected));
}

/** Waits until the clipboard holds this text. */
export async function expectClipboard(page: Page, expected: string): Promise<void> {
  const end = Date.now() + DEADLINE_MS;
  // Polls from here because `waitForFunction` takes a pending promise for true.
  const read = () => page.evaluate(() => navigator.clipboard.readText());
  let text = await read();
  while (text !== expected && Date.now() < end) text = await read();
  assert.equal(text, expected);
}

/**
 * Waits until VS Code has stored a text, for example in the state of a page. In a browser it stores its state every five
 * seconds, and a reload may abort what it is writing.
 */
export async function expectStored(page: Page, text: string): Promise<void> {
  const end = Date.now() + DEADLINE_MS;
  while (!(await page.evaluate(isStored, text))) assert.ok(Date.now() < end, `VS Code stores "${text}"`);
}

async function isStored(text: string): Promise<boolean> {
  // VS Code stores its state when the window is idle.
  await new Promise((resolve) => requestIdleCallback(resolve));
  const resultOf = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name } of await indexedDB.databases()) {
    if (!name?.startsWith('vscode-web-state-db-')) continue;
    const database = await resultOf(indexedDB.open(name));
    const stored = await resultOf<string[]>(database.transaction('ItemTable').objectStore('ItemTable').getAll());
    database.close();
    if (stored.some((value) => value.includes(text))) return true;
  }
  return false;
}

/** Drags one element over another without dropping it. */
export async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  assert.ok(start && end, 'Both ends of the drag are on the screen');
  // A card that is still open could cover the target.
  await page.mouse.move(0, 0);
  await page.locator('.monaco-hover:visible').waitFor({ state: 'hidden' });
  await page.mouse.move(start.x + 60, start.y + start.height / 2);
  await page.mouse.down();
  // The first moves start the drag; the drop target only sees later ones.
  await page.mouse.move(end.x + 60, end.y + end.height / 2, { steps: 6 });
  await page.mouse.move(end.x + 62, end.y + end.height / 2 + 1, { steps: 2 });
}

/**
 * Waits until the message that names the filter is gone. VS Code removes it 200 ms after it has shown all rows, which
 * move up, and a click that they move away from has no effect.
 */
export async function filterNoteRemoved(page: Page): Promise<void> {
  await page
    .locator('.sidebar')
    .getByText(/^Filter: “/)
    .waitFor({ state: 'hidden' });
}

/**
 * Clicks a button of a row, which is visible only on hover. Rows may still move, as names arrive or VS Code scrolls to the
 * one in focus: a click at a point would then hit another row.
 */
export async function clickRowButton(row: Locator, name: string): Promise<void> {
  await row.hover();
  const button = row.getByRole('button', { name });
  await button.waitFor();
  await button.dispatchEvent('click');
}

/** Selects an item from an element's context menu, perhaps in a menu of that. */
export async function selectFromContextMenu(page: Page, on: Locator, item: string, within?: string): Promise<void> {
  await on.click({ button: 'right' });
  if (within) await openSubmenu(page, within);
  await selectMenuItem(page, item);
}

/** Opens a menu in the menu that is open or opening. */
async function openSubmenu(page: Page, name: string): Promise<void> {
  await page.getByRole('menuitem', { name }).first().hover();
  await page.keyboard.press('ArrowRight');
}

/** Selects an item from the menu that is open or opening. */
export async function selectMenuItem(page: Page, item: string): Promise<void> {
  const chosen = page.getByRole('menuitem', { name: item }).first();
  await chosen.hover();
  // A menu ignores clicks right after it opens, but not keys.
  await page.keyboard.press('Enter');
  await chosen.waitFor({ state: 'hidden' });
}

/** Takes a screenshot once animations have ended. */
export async function restingScreenshot({ page, screenshot }: Window, name: string): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity),
  );
  await screenshot(name);
}
