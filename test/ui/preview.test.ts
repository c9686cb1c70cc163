import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { openWindow, type Window } from '../host/window.ts';

const chat = {
  ...{ bot: '30481126', groups: ['518204736', 'big'], people: ['7058314'] },
  buttons: [[{ text: 'Docs', opens: 'https://docs.example/a' }], [{ text: 'I will come', reports: 'yes-7' }]],
};
const draft = `---\nchat: ${JSON.stringify(chat, null, 1).replaceAll('\n', '\n ')}\n---\n# Maintenance\n\nClosed on **Saturday**.\n\n- one\n- two\n`;

describe('The preview of a draft', () => {
  let window: Window;
  let preview: FrameLocator;
  const shot = (name: string) => window.screenshot(`preview-${name}`);
  const press = async (...keys: string[]) => {
    // The first group of editors.
    await window.page.keyboard.press('Control+1');
    await window.page.locator('.monaco-editor.focused').first().waitFor();
    for (const key of keys) await window.page.keyboard.press(key);
  };

  before(async () => {
    window = await openWindow({ settings: { 'botChats.service.sandbox': true } });
    await writeFile(join(window.folder, 'draft.md'), draft);
    await window.openFile('draft.md');
    await window.command('Bot Chats: Preview Draft');
    preview = await window.webview('Preview draft.md');
  });
  after(() => window?.close());

  it('shows the message beside the editor, and by name who sends it to whom', async () => {
    await preview.getByRole('heading', { name: 'Maintenance' }).waitFor();
    await preview.getByText('Sent as Order Desk').waitFor();
    await preview.getByRole('list', { name: 'Groups' }).getByText('Fern & Kettle: the shop team').waitFor();
    await shot('1-beside');
  });

  it('follows what is typed', async () => {
    await press('Control+End');
    await window.page.keyboard.type('## Until four');
    await preview.getByRole('heading', { name: 'Until four' }).waitFor();
  });

  it('has buttons that say what they would report, and ask before they open something', async () => {
    await preview.getByRole('button', { name: 'I will come' }).click();
    await preview.getByRole('status').filter({ hasText: 'a click would report “yes-7”' }).waitFor();
    await preview.getByRole('button', { name: 'Docs' }).click();
    const dialog = window.page.getByRole('dialog').filter({ hasText: 'https://docs.example/a' });
    await dialog.waitFor();
    await window.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('keeps the last message while something is wrong, and leads to what that is', async () => {
    await press('Control+Home', 'ArrowDown', 'End', 'Backspace');
    const problem = preview.getByRole('list', { name: 'Problems' }).getByRole('button').first();
    await problem.waitFor();
    await preview.getByText('Not current').waitFor();
    await preview.getByRole('heading', { name: 'Until four' }).waitFor();
    await shot('2-problem');
    for (const theme of ['Default High Contrast', 'Default High Contrast Light']) {
      await window.configure({ 'workbench.colorTheme': theme });
      const kind = theme.endsWith('Light') ? '.vscode-high-contrast-light' : '.vscode-high-contrast';
      await preview.locator(`body${kind}`).waitFor();
      await shot(theme.endsWith('Light') ? '3-high-contrast-light' : '3-high-contrast');
    }
    await problem.click();
    await window.page.locator('.monaco-editor.focused').first().waitFor();
    await window.page.keyboard.press('Control+Z');
    await preview.getByText('Not current').waitFor({ state: 'hidden' });
  });

  it('sends the draft when it is asked to', async () => {
    await preview.getByRole('button', { name: 'Send…' }).click();
    await window.page
      .getByRole('dialog')
      .getByText('Send “draft.md” as Order Desk to 3 chats (groups: 2, people: 1)?')
      .waitFor();
    await window.page.keyboard.press('Escape');
  });
});
