/** Drives VS Code's quick picks: the palette, files, and input boxes. */
import { basename } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** A key or click without effect for this long was dropped. */
const DROPPED_MS = 5_000;

/** More attempts than any command needs to become available. */
const ATTEMPTS = 200;

/** Runs a command from the palette. */
export async function command(page: Page, title: string): Promise<void> {
  const { input, row } = await openQuickPick(page, 'F1', title);
  await input.fill(`>${title}`);
  // The list is built while typing, so a command that has just become available needs retyping.
  for (let attempt = 0; !(await isFocused(page, title)) && !(await row.isVisible()); attempt++) {
    if (attempt === ATTEMPTS) throw new Error(`There is no command "${title}".`);
    await input.fill('>');
    await input.fill(`>${title}`);
  }
  await accept(page, title, row);
}

/** Opens a file by its full path, because search doesn't find new files yet. */
export async function openPath(page: Page, path: string): Promise<void> {
  const { input, row } = await openQuickPick(page, 'Control+P', basename(path));
  await input.fill(path);
  await accept(page, basename(path), row);
}

/** Answers an input box with this prompt. */
export async function answer(page: Page, prompt: string, text: string): Promise<void> {
  const widget = page.locator('.quick-input-widget');
  await widget.getByText(prompt).waitFor();
  const input = quickInput(page);
  await input.fill(text);
  await input.press('Enter');
  await widget.getByText(prompt).waitFor({ state: 'hidden' });
}

/** Presses a workbench shortcut. Blurs webviews first, because one that is loading swallows keys. */
export async function press(page: Page, key: string): Promise<void> {
  await page.evaluate(() => document.activeElement instanceof HTMLIFrameElement && document.activeElement.blur());
  await page.keyboard.press(key);
}

/** Opens a quick pick with a shortcut. Returns its input and the row with this label. */
async function openQuickPick(page: Page, key: string, label: string): Promise<{ input: Locator; row: Locator }> {
  await press(page, key);
  const input = quickInput(page);
  await input.waitFor();
  return {
    input,
    row: page.locator('.quick-input-list').getByRole('option').getByText(label, { exact: true }).first(),
  };
}

function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget input[type="text"]');
}

/** Accepts a quick pick row until it disappears, because a list drops keys and clicks while it refreshes. */
async function accept(page: Page, label: string, row: Locator): Promise<void> {
  const isGone = () =>
    row.waitFor({ state: 'hidden', timeout: DROPPED_MS }).then(
      () => true,
      () => false,
    );
  do await ((await isFocused(page, label)) ? page.keyboard.press('Enter') : clickAndLeave(row));
  while (!(await isGone()));
}

async function clickAndLeave(row: Locator): Promise<void> {
  await row.click();
  // Otherwise a card of what is below could open under the pointer, and cover something else.
  await row.page().mouse.move(0, 0);
}

/** Waits a few frames until Enter accepts the row with this label. That is faster than a click. */
function isFocused(page: Page, label: string): Promise<boolean> {
  return page.evaluate(async (label) => {
    const FRAMES = 6;
    for (let frames = 0; frames < FRAMES; frames++) {
      const row = document.querySelector('.quick-input-list .monaco-list-row.focused .label-name');
      if (row?.textContent === label && document.activeElement?.closest('.quick-input-widget')) return true;
      await new Promise(requestAnimationFrame);
    }
    return false;
  }, label);
}
