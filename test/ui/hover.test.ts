import { openWindow, type Window } from '../host/window.ts';
import { hoverText } from './seeing.ts';

describe('A window where Bot Chats was not used yet', () => {
  let window: Window;

  before(async () => {
    window = await openWindow({ settings: { 'botChats.service.sandbox': true }, theme: 'hc-dark' });
    await window.openFile('announcement.md');
  });
  after(() => window?.close());

  it('shows whose ID is hovered in a Markdown file', async () => {
    const card = window.page.locator('.monaco-hover:visible').getByText('闻山禾');
    await window.page.locator('.editor-instance .view-line').getByText('7102649').waitFor();
    // Opening the file has woken the extension; until it is awake, the pointer has to come again.
    for (let attempt = 0; attempt < 10 && !(await card.isVisible()); attempt++) {
      await window.page.mouse.move(0, 0);
      await hoverText(window.page, '7102649');
      await card.waitFor({ timeout: 2000 }).catch(() => {});
    }
    await card.waitFor();
    await window.screenshot('hover-hc-dark');
  });
});
