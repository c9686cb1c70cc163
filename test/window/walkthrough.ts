/** The steps of the walkthrough, taken with the keyboard alone. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Window } from '../host/window.ts';

/** More key presses than it takes to reach anything. */
const MAX_KEYS = 80;

/** Opens the walkthrough, or shows it again. VS Code notices what completes its steps from the first time on. */
export async function showWalkthrough({ page, command, input }: Window): Promise<void> {
  await command('Welcome: Open Walkthrough...');
  await input.getByRole('option', { name: 'Get Started with Bot Chats' }).click();
  await page.locator('.getting-started-step').first().waitFor();
}

/** Expands a step by its title, and runs the command that its button offers. */
export async function runStep({ page }: Window, title: string, button: string): Promise<void> {
  const heading = page.locator('.getting-started-step', { hasText: title }).first();
  await heading.waitFor();
  if (!(await heading.evaluate(({ classList }) => classList.contains('expanded')))) await enterOn(page, heading);
  await enterOn(page, page.locator('.getting-started-step.expanded').getByRole('button', { name: button }));
}

/** The step with this ID, once it is completed. */
export function completedStep({ page }: Window, id: string): Locator {
  return page.locator(`.getting-started-step [data-done-step-id$="#start#${id}"].complete`);
}

/** Moves the focus to an element with Tab, and presses Enter. */
async function enterOn(page: Window['page'], locator: Locator): Promise<void> {
  const target = locator.first();
  await target.waitFor();
  const hasFocus = () =>
    target.evaluate((element) => element === document.activeElement || element.contains(document.activeElement));
  for (let keys = 0; !(await hasFocus()); keys++) {
    assert.ok(keys < MAX_KEYS, `${locator} can't be reached with Tab.`);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
}
