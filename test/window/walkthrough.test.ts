import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Window } from '../host/window.ts';
import { findHistory } from './historyDriver.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';
import { restingScreenshot } from './workbenchActions.ts';

const SHOP = 'Fern & Kettle: the shop team';

/** More key presses than it takes to reach anything. */
const MAX_KEYS = 80;

describe('The walkthrough', function () {
  this.timeout(LONG_TIMEOUT_MS);
  let window: Window;

  const input = () => window.page.locator('.quick-input-widget');
  const row = (name: string | RegExp) => window.page.getByRole('treeitem', { name }).first();
  const dialog = () => window.page.getByRole('dialog');
  const shot = (name: string) => restingScreenshot(window, `walkthrough-${name}`);
  const completed = (step: string) =>
    window.page.locator(`.getting-started-step [data-done-step-id$="#start#${step}"].complete`);
  const hasFocus = (locator: Locator) =>
    locator
      .first()
      .evaluate((element) => element === document.activeElement || element.contains(document.activeElement));
  /** Moves the focus to an element and presses Enter. */
  const enterOn = async (locator: Locator) => {
    await locator.first().waitFor();
    for (let keys = 0; !(await hasFocus(locator)); keys++) {
      assert.ok(keys < MAX_KEYS, `${locator} can't be reached with Tab.`);
      await window.page.keyboard.press('Tab');
    }
    await window.page.keyboard.press('Enter');
  };
  /** Moves the focus of the open list to a row. */
  const choose = async (text: string) => {
    await input().locator('.monaco-list-row', { hasText: text }).first().waitFor();
    const focused = input().locator('.monaco-list-row.focused', { hasText: text });
    for (let keys = 0; !(await focused.isVisible()); keys++) {
      assert.ok(keys < MAX_KEYS, `${text} can't be reached with the arrow keys.`);
      await window.page.keyboard.press('ArrowDown');
    }
  };
  /** Expands a step, and runs the command that it offers. */
  const runStep = async (step: string, button: string) => {
    const title = window.page.locator('.getting-started-step', { hasText: step }).first();
    await title.waitFor();
    if (!(await title.evaluate(({ classList }) => classList.contains('expanded')))) await enterOn(title);
    await enterOn(window.page.locator('.getting-started-step.expanded').getByRole('button', { name: button }));
  };
  /** Shows the walkthrough again. */
  const show = async () => {
    await window.command('Welcome: Open Walkthrough...');
    await choose('Get Started with Bot Chats');
    await window.page.keyboard.press('Enter');
  };

  before(async () => {
    window = await openWindow();
  });
  after(() => window?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await shot('failed');
  });

  it('leads from an empty window to the history of a chat in the sandbox, with the keyboard alone', async () => {
    await show();
    await window.page.getByRole('heading', { name: 'Get Started with Bot Chats', level: 2 }).waitFor();
    await shot('1-sandbox');
    await runStep('Try the Sandbox', 'Try the Sandbox');
    await completed('sandbox').waitFor();
    await runStep('Look Around', 'Open Bot Chats');
    await row(`${SHOP}, group, 342 members`).waitFor();
    await completed('browse').waitFor();
    await shot('2-sidebar');
    await show();
    await runStep('Read a Message History', 'Open Message History');
    await choose(SHOP);
    await window.page.keyboard.press('Enter');
    const history = await findHistory(window, SHOP);
    await history.page.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
    await show();
    await completed('read').waitFor();
    await shot('3-read');
  });

  it('leads on to a delivered message', async () => {
    const { page } = window;
    await runStep('Write a Message', 'New Message…');
    await page.getByRole('tab', { name: /^Untitled-1/, selected: true }).waitFor();
    await page.locator('.editor-instance .monaco-editor.focused').waitFor();
    await page.keyboard.type('Hello from the *walkthrough*');
    await window.command('Bot Chats: Send Active Markdown…');
    await choose('Order Desk');
    await page.keyboard.press('Enter');
    await choose('7058314');
    await page.keyboard.press('Space');
    await input().getByText('1 Selected', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await dialog().getByText('Hello from the').waitFor();
    await shot('4-question');
    await enterOn(dialog().getByRole('button', { name: 'Send', exact: true }));
    await page.getByText('Sent: 1 of 1 recipients reached.').first().waitFor();
    await show();
    for (const step of ['draft', 'send']) await completed(step).waitFor();
    await shot('5-done');
  });
});
