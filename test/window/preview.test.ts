import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { openWindow, type Window } from '../host/window.ts';

const languages = {
  en: {
    theme: 'dark',
    command: 'Bot Chats: Preview Draft',
    title: 'Preview draft.md',
    as: 'Sent as Order Desk',
    groups: 'Groups',
    reported: 'a click would report “yes-7”',
    problems: 'Problems',
    outdated: 'Not current',
    send: 'Send…',
    asks: 'Send “draft.md” as Order Desk to 3 chats (groups: 2, people: 1)?',
  },
  'zh-cn': {
    theme: 'light',
    command: 'Bot Chats: 预览草稿',
    title: '预览 draft.md',
    as: '以 Order Desk 的身份发送',
    groups: '群组',
    reported: '“yes-7”',
    problems: '问题',
    outdated: '不是最新内容',
    send: '发送…',
    asks: '以 Order Desk 的身份将“draft.md”发送到 3 个聊天（群组：2，用户：1）？',
  },
} as const;

const chat = {
  ...{ bot: '30481126', groups: ['518204736', 'big'], people: ['7058314'] },
  buttons: [[{ text: 'Docs', opens: 'https://docs.example/a' }], [{ text: 'I will come', reports: 'yes-7' }]],
};
const draft = `---\nchat: ${JSON.stringify(chat, null, 1).replaceAll('\n', '\n ')}\n---\n# Maintenance\n\nClosed on **Saturday**.\n\n- one\n- two\n`;

for (const locale of ['en', 'zh-cn'] as const) {
  const words = languages[locale];

  describe(`The preview of a draft, in ${locale} and a ${words.theme} theme`, () => {
    let window: Window;
    let preview: FrameLocator;
    const shot = (name: string) => window.screenshot(`preview-${locale}-${name}`);
    const press = async (...keys: string[]) => {
      // The first group of editors.
      await window.page.keyboard.press('Control+1');
      await window.page.locator('.monaco-editor.focused').first().waitFor();
      for (const key of keys) await window.page.keyboard.press(key);
    };

    before(async () => {
      window = await openWindow({ settings: { 'botChats.service.sandbox': true }, locale, theme: words.theme });
      await writeFile(join(window.folder, 'draft.md'), draft);
      await window.openFile('draft.md');
      await window.command(words.command);
      preview = await window.webview(words.title);
    });
    after(() => window?.close());

    it('shows the message beside the editor, and by name who sends it to whom', async () => {
      await preview.getByRole('heading', { name: 'Maintenance' }).waitFor();
      await preview.getByText(words.as).waitFor();
      await preview.getByRole('list', { name: words.groups }).getByText('Fern & Kettle: the shop team').waitFor();
      await shot('1-beside');
    });

    it('follows what is typed', async () => {
      await press('Control+End');
      await window.page.keyboard.type('## Until four');
      await preview.getByRole('heading', { name: 'Until four' }).waitFor();
    });

    it('has buttons that say what they would report, and ask before they open something', async () => {
      await preview.getByRole('button', { name: 'I will come' }).click();
      await preview.getByRole('status').filter({ hasText: words.reported }).waitFor();
      await preview.getByRole('button', { name: 'Docs' }).click();
      const dialog = window.page.getByRole('dialog').filter({ hasText: 'https://docs.example/a' });
      await dialog.waitFor();
      await window.page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    });

    it('keeps the last message while something is wrong, and leads to what that is', async () => {
      await press('Control+Home', 'ArrowDown', 'End', 'Backspace');
      const problem = preview.getByRole('list', { name: words.problems }).getByRole('button').first();
      await problem.waitFor();
      await preview.getByText(words.outdated).waitFor();
      await preview.getByRole('heading', { name: 'Until four' }).waitFor();
      await shot('2-problem');
      if (locale === 'en') {
        for (const theme of ['Default High Contrast', 'Default High Contrast Light']) {
          await window.configure({ 'workbench.colorTheme': theme });
          const kind = theme.endsWith('Light') ? '.vscode-high-contrast-light' : '.vscode-high-contrast';
          await preview.locator(`body${kind}`).waitFor();
          await shot(theme.endsWith('Light') ? '3-high-contrast-light' : '3-high-contrast');
        }
      }
      await problem.click();
      await window.page.locator('.monaco-editor.focused').first().waitFor();
      await window.page.keyboard.press('Control+Z');
      await preview.getByText(words.outdated).waitFor({ state: 'hidden' });
    });

    it('sends the draft when it is asked to', async () => {
      await preview.getByRole('button', { name: words.send }).click();
      await window.page.getByRole('dialog').getByText(words.asks).waitFor();
      await window.page.keyboard.press('Escape');
    });
  });
}
