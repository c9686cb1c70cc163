import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, FrameLocator } from 'playwright-core';
import { DeliveryStore } from '../../src/outbox/deliveryStore.ts';
import { Outbox } from '../../src/outbox/outbox.ts';
import { diskFiles } from '../../src/platform/diskFiles.ts';
import type { Window } from '../host/window.ts';
import { saveToken } from './historyDriver.ts';
import { type InterceptedSandbox, serveIntercepted } from './interceptedSandbox.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';
import { restingScreenshot } from './workbenchActions.ts';

const BOT = '30481126';

/** What a walk sees, in the language of its window. */
interface Language {
  locale?: 'zh-cn';
  theme?: 'light';
  commands: { setToken: string; preview: string };
  asksForToken: string;
  previewTitle: string;
  lens: string;
  next: string;
  onlyTroubled: string;
  isEmpty: string;
  badRow: string;
  question: string;
  plan: string;
  gets: string;
  send: string;
  later: string;
  inOneHour: RegExp;
  scheduled: RegExp;
  notSent: RegExp;
  outbox: string;
  cancelSending: string;
  reached: string;
  missed: string;
  changed: string;
  compare: string;
}

const ENGLISH: Language = {
  commands: {
    setToken: 'Bot Chats: Set Bot Token…',
    preview: 'Bot Chats: Preview Draft',
  },
  asksForToken: 'Token for bot',
  previewTitle: 'Preview order-update.md',
  lens: 'Send to 5 people',
  next: 'Next recipient',
  onlyTroubled: 'Only those with problems (1)',
  isEmpty: '{{order}} is empty.',
  badRow:
    "This ID isn't valid. IDs can't be longer than 200 characters, or contain spaces, line breaks, or invisible characters.",
  question: 'Send “order-update.md” as Order Desk to 5 people?',
  plan: '5 different messages, in 5 calls',
  gets: 'Alice (7058314) gets:',
  send: 'Send',
  later: 'Send Later…',
  inOneHour: /^In one hour/,
  scheduled: /^order-update\.md, scheduled for /,
  notSent: /^order-update\.md, 0 of 5 reached/,
  outbox: 'Outbox Section',
  cancelSending: 'Cancel Sending',
  missed: "“missed.md” wasn't sent.",
  reached: 'Sent: 5 of 5 recipients reached.',
  changed: 'The text has changed since this document was last sent',
  compare: 'Cancel and Compare with What Was Sent',
};

const CHINESE: Language = {
  locale: 'zh-cn',
  theme: 'light',
  commands: { setToken: 'Bot Chats: 设置机器人令牌…', preview: 'Bot Chats: 预览草稿' },
  asksForToken: '的令牌。它保存在',
  previewTitle: '预览 order-update.md',
  lens: '发送给 5 位用户',
  next: '下一个接收者',
  onlyTroubled: '仅有问题的接收者（1）',
  isEmpty: '{{order}} 为空。',
  badRow: '此 ID 无效。ID 不能超过 200 个字符，也不能包含空格、换行符或不可见字符。',
  question: '以 Order Desk 的身份将“order-update.md”发送给 5 位用户？',
  plan: '5 条不同的消息，共 5 次调用',
  gets: 'Alice（7058314） 将收到：',
  send: '发送',
  later: '稍后发送…',
  inOneHour: /^一小时后/,
  scheduled: /^order-update\.md, 计划于 /,
  notSent: /^order-update\.md, 0\/5 已送达/,
  outbox: '发件箱 Section',
  cancelSending: '取消发送',
  missed: '“missed.md”未发送。',
  reached: '已发送：5 个接收者中已送达 5 个。',
  changed: '自上次发送此文档以来，文本已更改。',
  compare: '取消并与已发送的内容比较',
};

for (const language of [ENGLISH, CHINESE]) {
  describe(`Messages with the values of their recipients${language.locale ? ' in Chinese' : ''}`, function () {
    this.timeout(LONG_TIMEOUT_MS);
    let window: Window;
    let service: InterceptedSandbox;
    let preview: Frame | FrameLocator;
    /** The recipients and the text of each `batch_send`. */
    const sent: [recipients: string, text: string, url: string][] = [];

    const shot = (name: string) => restingScreenshot(window, `personal${language.locale ? '-zh' : ''}-${name}`);
    const dialog = () => window.page.getByRole('dialog');
    const press = (button: string) => dialog().getByRole('button', { name: button, exact: true }).click();
    const codeLens = (name: string) => window.page.locator('.codelens-decoration').getByRole('button', { name });
    const row = (text: string | RegExp) => window.page.getByRole('treeitem', { name: text }).first();
    const toast = (text: string) => window.page.locator('.notification-toast').filter({ hasText: text });

    before(async () => {
      service = await serveIntercepted();
      service.intercept = async (request) => {
        if (request.url.includes('/batch_send')) {
          const { recvIds, content } = await request.json();
          sent.push([recvIds.join(), content.text, content.buttons[0][0].url]);
        }
        return undefined;
      };
      const { locale, theme } = language;
      window = await openWindow({
        ...(locale && { locale }),
        ...(theme && { theme }),
        settings: { ...service.settings, 'botChats.people': ['7058314'], 'botChats.bots': [BOT] },
      });
      await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
      await row('Alice Fernhollow').waitFor();
      const token = service.sandbox.token(BOT) ?? '';
      const { setToken: title } = language.commands;
      await saveToken(window, { title, asks: language.asksForToken, bot: 'Order Desk', token });
    });
    after(async () => {
      await window?.close();
      await service?.close();
    });
    afterEach(async function () {
      if (this.currentTest?.state === 'failed') await shot('failed');
    });

    it('are previewed one by one, with their problems', async () => {
      await window.openFile('order-update.md');
      await codeLens(language.lens).waitFor();
      await window.page.locator('.squiggly-warning').waitFor();
      await window.command(language.commands.preview);
      preview = await window.webview(language.previewTitle);
      await window.command('Notifications: Clear All Notifications');
      // Away from the tab, whose hover would hide the preview.
      await window.page.mouse.move(800, 600);
      await preview.getByRole('heading', { name: 'Hello Alice' }).waitFor();
      await preview.getByRole('button', { name: language.next }).click();
      await preview.getByRole('heading', { name: 'Hello 闻山禾' }).waitFor();
      await preview.getByText('FK-2042').first().waitFor();
      await shot('1-preview');
      await preview.getByRole('checkbox', { name: language.onlyTroubled }).check();
      await preview.getByRole('heading', { name: 'Hello 阿橙' }).waitFor();
      await preview.getByText(language.isEmpty).waitFor();
      for (const [theme, kind] of [
        ['Default Light Modern', '.vscode-light'],
        ['Default High Contrast', '.vscode-high-contrast'],
        ['Dark 2026', '.vscode-dark'],
      ]) {
        await window.configure({ 'workbench.colorTheme': theme });
        await preview.locator(`body${kind}`).waitFor();
        await shot(`2-problem${kind}`);
      }
      assert.deepEqual(sent, []);
    });

    it('notice a bad row of the file, in the file and in the draft', async () => {
      const path = join(window.folder, 'customers.csv');
      const before = await readFile(path, 'utf8');
      await window.openFile('customers.csv');
      // VS Code starts to watch the file when it has read it.
      await writeFile(path, `${before}70 00,Sam,FK-2046,https://track.example/FK-2046\n`);
      await window.page.locator('.squiggly-error').first().waitFor();
      await window.page.keyboard.press('F8');
      await window.page.locator('.marker-widget').getByText(language.badRow).waitFor();
      await shot('3-row');
      await window.page.keyboard.press('Escape');
      await writeFile(path, before);
      await window.page.locator('.squiggly-error').first().waitFor({ state: 'hidden' });
      await window.command('View: Close Editor');
    });

    it('can be sent later, and canceled', async () => {
      const { page } = window;
      await codeLens(language.lens).click();
      await dialog().getByText(language.question).waitFor();
      for (const text of [language.plan, language.gets]) await dialog().getByText(text).waitFor();
      await shot('4-question');
      await press(language.later);
      await page.locator('.quick-input-widget').getByRole('option', { name: language.inOneHour }).waitFor();
      await shot('5-when');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: language.outbox }).click();
      await row(language.scheduled).waitFor();
      await page.locator('.statusbar-item', { hasText: 'order-update.md' }).waitFor();
      await shot('6-scheduled');
      await row(language.scheduled).hover();
      await row(language.scheduled).getByRole('button', { name: language.cancelSending }).click();
      await page.locator('.statusbar-item', { hasText: 'order-update.md' }).waitFor({ state: 'hidden' });
      await row(language.notSent).waitFor();
      assert.deepEqual(sent, []);
    });

    it('go out as they were confirmed', async () => {
      await codeLens(language.lens).click();
      await dialog().getByText(language.question).waitFor();
      await press(language.send);
      await toast(language.reached).waitFor();
      const text = (name: string, order: string) =>
        `# Hello ${name}\n\nYour order **${order}** is on its way and arrives on Thursday.\n`;
      const url = (order: string) => `https://track.example/${order}`;
      assert.deepEqual(sent, [
        ['7058314', text('Alice', 'FK-2041'), url('FK-2041')],
        ['7102649', text('闻山禾', 'FK-2042'), url('FK-2042')],
        ['7230581', text('Tom', 'FK-2043'), url('FK-2043')],
        ['7315926', text('阿橙', ''), url('FK-2044')],
        ['7408837', text('Priya', 'FK-2045'), url('FK-2045')],
      ]);
      await window.command('Notifications: Clear All Notifications');
    });

    it('aren’t sent if no window was open at their time, but asked about', async () => {
      const folder = join(window.profile.userData, 'User/globalStorage/bot-chats.bot-chats/outbox');
      const outbox = new Outbox(new DeliveryStore(diskFiles(folder)));
      const [latest] = await outbox.all();
      const { delivery } = latest?.status ?? assert.fail('the outbox is empty');
      // As a window stored it that was closed before the time.
      await outbox.schedule({ ...delivery, id: outbox.newId(), name: 'missed.md', due: Date.now() - 60_000 });
      await window.reload();
      await toast(language.missed).waitFor();
      await shot('7-missed');
      await toast(language.missed).getByRole('button', { name: language.cancelSending }).click();
      await row(/^missed\.md, 0/).waitFor();
      assert.equal(sent.length, 5);
    });

    it('are compared with what was sent, once the document has changed', async () => {
      const { page } = window;
      await window.openFile('order-update.md');
      await page.keyboard.press('Control+End');
      await page.keyboard.type('See you soon!');
      await codeLens(language.lens).click();
      await dialog().getByText(language.changed).waitFor();
      await shot('7-changed');
      await press(language.compare);
      await page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
      await page.locator('.monaco-diff-editor').getByText('See you soon!').first().waitFor();
      await shot('8-compared');
      assert.equal(sent.length, 5);
    });
  });
}
