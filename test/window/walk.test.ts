import { openWindow, type Window } from '../host/window.ts';
import { hoverText, inView } from './seeing.ts';

const languages = {
  en: {
    theme: 'dark',
    group: 'Fern & Kettle: the shop team, group, 342 members',
    profile: 'Days online in a row:',
    send: 'Bot Chats: Send Active Markdown…',
    asWhich: 'Send as which bot?',
    noneChosen: 'Choose at least one recipient',
    question: 'Send “announcement.md” as Order Desk to 2 chats (groups: 1, people: 1)?',
    confirm: 'Send',
    sent: 'Sent: 2 of 2 reached.',
    openReport: 'Open Report',
    report: 'Delivery of announcement.md',
    outcome: 'reached',
  },
  'zh-cn': {
    theme: 'light',
    group: 'Fern & Kettle: the shop team, 群组, 342 名成员',
    profile: '连续在线天数:',
    send: 'Bot Chats: 发送当前 Markdown…',
    asWhich: '以哪个机器人的身份发送？',
    noneChosen: '请至少选择一个接收者',
    question: '以 Order Desk 的身份将“announcement.md”发送到 2 个聊天（群组：1，用户：1）？',
    confirm: '发送',
    sent: '已发送：2 个接收者中有 2 个已送达。',
    openReport: '打开报告',
    report: 'announcement.md 的发送报告',
    outcome: '已送达',
  },
} as const;

for (const locale of ['en', 'zh-cn'] as const) {
  const words = languages[locale];

  describe(`The main walk, in ${locale} and a ${words.theme} theme`, () => {
    let window: Window;
    const shot = (name: string) => window.screenshot(`walk-${locale}-${name}`);

    before(async () => {
      window = await openWindow({ settings: { 'botChats.service.sandbox': true }, locale, theme: words.theme });
      await window.openFile('announcement.md');
      await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
      await window.page.getByRole('treeitem', { name: words.group }).waitFor();
    });
    after(() => window?.close());

    it('shows groups, bots and people by name, with the details of a group under it', async () => {
      const { page } = window;
      for (const name of ['Riverside Town 河畔小镇', 'Release Clerk', 'Alice Fernhollow', '闻山禾']) {
        await page.getByRole('treeitem', { name }).first().waitFor();
      }
      const group = page.getByRole('treeitem', { name: words.group });
      await group.locator('.monaco-tl-twistie').click();
      await page.getByRole('treeitem', { name: 'ID: 518204736' }).waitFor();
      await shot('1-sidebar');
      await group.locator('.monaco-tl-twistie').click();
    });

    it('shows the profile of a hovered user', async () => {
      const { page } = window;
      await hoverText(page, '7058314');
      const card = page.locator('.monaco-hover:visible').filter({ hasText: words.profile });
      await card.getByText('Alice Fernhollow').waitFor();
      await shot('2-hover');
      await page.keyboard.press('Escape');
    });

    it('opens the history of a group at its newest message, rendered', async () => {
      const { page } = window;
      await page.getByRole('treeitem', { name: words.group }).click();
      const history = await window.webview('Fern & Kettle: the shop team');
      await history.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
      await history.getByRole('table').first().waitFor();
      await history.getByRole('button', { name: 'Mark as collected' }).click();
      await history.getByRole('status').filter({ hasText: 'FK-84758' }).waitFor();
      await inView(history.locator('.entry').last());
      await shot('3-history');
    });

    it('sends the open Markdown file to the chosen recipients, and to nobody before it is confirmed', async () => {
      const { page } = window;
      await window.openFile('announcement.md');
      await window.command(words.send);
      const input = page.locator('.quick-input-widget');
      await input.getByText(words.asWhich).waitFor();
      await input.getByRole('option', { name: 'Order Desk' }).click();
      await input.locator('.monaco-list-row', { hasText: '518204736' }).waitFor();
      await input.locator('input:focus').waitFor();
      await page.keyboard.press('Enter');
      await input.getByPlaceholder(words.noneChosen).waitFor();
      for (const id of ['518204736', '7058314']) await input.locator('.monaco-list-row', { hasText: id }).click();
      await shot('4-recipients');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByText(words.question).waitFor();
      await shot('5-confirm');
      // Enter takes the first answer, which leads back with everything still chosen.
      await page.keyboard.press('Enter');
      await input.getByText('2 Selected').first().waitFor();
      await input.locator('input:focus').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: words.confirm, exact: true }).click();
      await page.getByText(words.sent).first().waitFor();
      await shot('6-sent');
    });

    it('reports who got it', async () => {
      const { page } = window;
      await page.getByRole('button', { name: words.openReport }).click();
      await page.getByRole('tab', { name: words.report, selected: true }).waitFor();
      // VS Code gives the page of a custom editor no title.
      const report = await window.webview('undefined');
      await report.getByRole('cell', { name: words.outcome }).nth(1).waitFor();
      await report.getByRole('cell', { name: 'Alice Fernhollow' }).waitFor();
      await shot('7-report');
    });

    it('shows the new message in the history that was open', async () => {
      await window.page.getByRole('tab', { name: 'Fern & Kettle: the shop team' }).click();
      const history = await window.webview('Fern & Kettle: the shop team');
      await inView(history.getByRole('heading', { name: 'Maintenance on Saturday' }));
      await shot('8-arrived');
    });

    it('restores the history after a reload', async () => {
      await window.reload();
      const history = await window.webview('Fern & Kettle: the shop team');
      await history.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
    });
  });
}
