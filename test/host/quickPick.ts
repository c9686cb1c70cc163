/** Drives VS Code's quick picks: the palette, files, and input boxes. */
import { basename } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { DROPPED_MS, inTime } from './repeating.ts';

/** A row that isn't listed for this long needs typing again. */
const LISTED_MS = 1_000;

/** More attempts than any command needs to become available. */
const ATTEMPTS = 200;

/** Runs a command from the palette. */
export async function command(page: Page, title: string): Promise<void> {
  await pick(page, { key: 'F1', text: `>${title}`, label: title });
}

/** Opens a file by its full path, because search doesn't find new files yet. */
export async function openPath(page: Page, path: string): Promise<void> {
  await pick(page, { key: 'Control+P', text: path, label: basename(path) });
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

/** Opens a quick pick with a shortcut, types into it, and accepts the row with this label. */
async function pick(page: Page, { key, text, label }: { key: string; text: string; label: string }): Promise<void> {
  const input = quickInput(page);
  const row = page.locator('.quick-input-list').getByRole('option').getByText(label, { exact: true }).first();
  await press(page, key);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    while (!(await inTime(input.waitFor({ timeout: DROPPED_MS })))) await press(page, key);
    // The list is built while typing, so what has only just become available needs typing again.
    await input.fill(text.slice(0, 1));
    await input.fill(text);
    if (await isFocused(page, label)) await page.keyboard.press('Enter');
    else if (!(await inTime(clickAndLeave(row)))) continue;
    if (await inTime(accepted(page, text))) return;
  }
  throw new Error(`There is no row "${label}".`);
}

function quickInput(page: Page): Locator {
  return page.locator('.quick-input-widget input[type="text"]');
}

/** A row alone may also disappear because its list refreshes. */
async function accepted(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (text) => {
      const input = document.querySelector<HTMLInputElement>('.quick-input-widget input[type="text"]');
      return !input?.checkVisibility() || input.value !== text;
    },
    text,
    { timeout: DROPPED_MS },
  );
}

async function clickAndLeave(row: Locator): Promise<void> {
  await row.click({ timeout: LISTED_MS });
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
