import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWindow, type Window } from '../host/window.ts';
import { type Gated, serveGated, success } from './gated.ts';
import { choose, copied, resting } from './handling.ts';
import { painted } from './reading.ts';
import { clickText, hoverText } from './seeing.ts';
import { addTerminal } from './terminal.ts';

/** Cards and lists are there at once, or gone. */
const calm = { 'workbench.reduceMotion': 'on' };

/** What a test sees of IDs in a window. */
function seeing(window: () => Window) {
  const page = () => window().page;
  const input = () => page().locator('.quick-input-widget');
  return {
    input,
    title: (text: string) => input().locator('.quick-input-title', { hasText: text }),
    card: (text: string) => page().locator('.monaco-hover:visible').filter({ hasText: text }),
    lines: () => page().locator('.editor-instance .view-line'),
    row: (text: string) => input().locator('.monaco-list-row', { hasText: text }).first(),
    toast: (text: string) => page().locator('.notification-toast', { hasText: text }),
    link: (id: string) => page().locator('.editor-instance .detected-link', { hasText: id }).first(),
    /** Hovers this word, with no card of another before it. */
    async hover(word: string) {
      await page().mouse.move(0, 0);
      await page().locator('.monaco-hover:visible').waitFor({ state: 'hidden' });
      await hoverText(page(), word);
    },
    async write(name: string, text: string) {
      await writeFile(join(window().folder, name), text);
      await window().openFile(name);
    },
  };
}

describe('In a window where Bot Chats was not used yet, an ID', () => {
  let window: Window;
  const { card, hover } = seeing(() => window);

  before(async () => {
    const settings = { 'botChats.service.sandbox': true, 'terminal.integrated.gpuAcceleration': 'off', ...calm };
    window = await openWindow({ settings, theme: 'hc-dark', prepare: addTerminal });
    await window.openFile('announcement.md');
  });
  after(() => window?.close());

  it('has a card in a Markdown file', async () => {
    const { page } = window;
    await page.locator('.editor-instance .view-line').getByText('7102649').waitFor();
    // Opening the file has woken the extension; until it is awake, the pointer has to come again.
    for (let attempt = 0; attempt < 10 && !(await card('闻山禾').isVisible()); attempt++) {
      await hover('7102649');
      await card('闻山禾')
        .waitFor({ timeout: 2000 })
        .catch(() => {});
    }
    await card('闻山禾').waitFor();
    await resting(window, 'ids-hc-dark');
  });

  it('has one in a light theme of high contrast', async () => {
    await window.configure({ 'workbench.colorTheme': 'Default High Contrast Light' });
    await window.page.locator('.monaco-workbench.hc-light').waitFor();
    await hover('7058314');
    await card('Alice Fernhollow').waitFor();
    await resting(window, 'ids-hc-light');
  });

  it('in a terminal is a link to the history of a group, or to what is known of a user', async () => {
    const { page } = window;
    const follow = async (id: string) => {
      await page.keyboard.down('Control');
      await hoverText(page, id, '.xterm-rows > div');
      await page.locator('.xterm-rows span[style*=underline]', { hasText: id }).waitFor();
      await page.mouse.down();
      await page.mouse.up();
      await page.keyboard.up('Control');
    };
    await window.command('Open Test Terminal');
    await follow('7058314');
    await page.locator('.quick-input-widget:visible').getByText('Days online in a row').waitFor();
    await window.screenshot('terminal');
    await page.keyboard.press('Escape');
    await follow('518204736');
    const history = await window.webview('Fern & Kettle: the shop team');
    await history.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
  });
});

describe('In the window, an ID', () => {
  let window: Window;
  const { card, hover, input, lines, link, row, title, toast, write } = seeing(() => window);
  const shot = (name: string) => resting(window, `ids-${name}`);
  const text = [
    '# On duty',
    '',
    'The group 518204736 is run by 7058314.',
    'The bot 30481126 watches the orders.',
    'Others: the group 559902341, the bot 30694418, and 7521170.',
    'Nobody has 9999999.',
  ];
  const lookUp = () => window.command('Bot Chats: Look Up ID…');

  before(async () => {
    const lists = { groups: ['518204736'], bots: ['30481126'], people: ['7058314'] };
    const listed = Object.entries(lists).map(([kind, ids]) => [`botChats.${kind}`, ids]);
    const settings = { 'botChats.service.sandbox': true, ...Object.fromEntries(listed), ...calm };
    window = await openWindow({ settings });
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await window.page.getByRole('treeitem', { name: 'Alice Fernhollow, person, 1,204 days online' }).waitFor();
    await write('duty.md', `${text.join('\n')}\n`);
    await link('7058314').waitFor();
  });
  after(() => window?.close());
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await shot('failed');
    await window.page.keyboard.press('Escape');
  });

  it('of a group has a card with what can be done', async () => {
    await hover('518204736');
    await card('Fern & Kettle: the shop team').getByText('Be kind, and no spoilers about new blends.').waitFor();
    // The last one is VS Code's, for the link that the ID is.
    assert.deepEqual(await card('Fern & Kettle').locator('a').allTextContents(), [
      ' Open History',
      ' Send…',
      ' Copy ID',
      'Open History',
    ]);
    await shot('1-group');
  });

  it('of a bot has a card, from which it is copied', async () => {
    await hover('30481126');
    await card('Order Desk').getByText('356 users').waitFor();
    await shot('2-bot');
    await card('Order Desk').getByRole('link', { name: 'Copy ID' }).click();
    await copied(window.page, '30481126');
  });

  it('of a user has a card', async () => {
    await hover('7058314');
    await card('Alice Fernhollow').getByText('1,204 days online').waitFor();
    await shot('3-user');
  });

  it('that is not in the sidebar is added to it from the card', async () => {
    await hover('559902341');
    await card('Release watch').getByText('14 members').waitFor();
    await shot('4-unknown');
    await card('Release watch').getByRole('link', { name: 'Add to Sidebar' }).click();
    await window.page.getByRole('treeitem', { name: 'Release watch, group, 14 members' }).waitFor();
    // It is known from now on.
    await link('559902341').waitFor();
  });

  it('of a group leads to its history', async () => {
    await link('518204736').click({ modifiers: ['Control'] });
    const history = await window.webview('Fern & Kettle: the shop team');
    await history.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
    await window.openFile('duty.md');
  });

  it('of a user leads to a list of what can be done and is known', async () => {
    await link('7058314').click({ modifiers: ['Control'] });
    await title('Alice Fernhollow · 1,204 days online').waitFor();
    await row('Open History').waitFor();
    await shot('5-profile');
    await row('Days online in a row').click();
    await copied(window.page, '37');
  });

  it('is a link in the lines that a long file was scrolled to', async () => {
    const long = Array.from({ length: 5_000 }, (_, at) => `${at + 1}: asked by ${at < 4_999 ? '7058314' : '30481126'}`);
    await write('long.log', long.join('\n'));
    await link('7058314').waitFor();
    await window.page.keyboard.press('Control+End');
    await link('30481126').waitFor();
    await shot('6-long');
    await link('30481126').click({ modifiers: ['Control'] });
    await title('Order Desk · 356 users').waitFor();
    await window.page.keyboard.press('Escape');
    await window.openFile('duty.md');
  });

  it('is asked for where none is selected', async () => {
    await clickText(window.page, 'duty');
    await lookUp();
    await input().getByText('The ID of a user, a bot or a group').waitFor();
    await shot('7-asked');
    await window.page.keyboard.type('30694418, 7315926');
    await window.page.keyboard.press('Enter');
    await title('2 IDs').waitFor();
    await row('Trail Weather 山路天气').waitFor();
    await row('阿橙').click();
    await title('阿橙 · 951 days online').waitFor();
    await window.page.keyboard.press('Escape');
  });

  it('that is selected is looked up from the menu of the editor, and whom it names after it', async () => {
    const { page } = window;
    await clickText(page, '30694418', { clickCount: 2 });
    await clickText(page, '30694418', { button: 'right' });
    await choose(page, 'Look Up ID…');
    await title('Trail Weather 山路天气 · 48,217 users').waitFor();
    await row('Replace with Name').waitFor();
    await shot('8-bot-profile');
    await row('Created by').click();
    await title('山里的鹿 · 540 days online').waitFor();
    await page.keyboard.press('Escape');
  });

  it('is one of several that are selected, and gives way to a name until that is undone', async () => {
    const { page } = window;
    await clickText(page, '30481126');
    await page.keyboard.press('Control+A');
    await lookUp();
    await title('7 IDs').waitFor();
    await row('No user, bot or group has the ID 9999999.').waitFor();
    await shot('9-many');
    await row('Replace with Names').click();
    await lines().filter({ hasText: 'The bot Order Desk watches the orders.' }).waitFor();
    await lines().filter({ hasText: 'The group Fern & Kettle: the shop team is run by Alice Fernhollow.' }).waitFor();
    await lines().filter({ hasText: 'Nobody has 9999999.' }).waitFor();
    await shot('10-replaced');
    await page.keyboard.press('Control+Z');
    await lines()
      .filter({ hasText: text[2] ?? '' })
      .waitFor();
    await lines()
      .filter({ hasText: text[4] ?? '' })
      .waitFor();
  });

  it('of nobody is said to be so', async () => {
    await clickText(window.page, '9999999');
    await lookUp();
    await toast('No user, bot or group has the ID 9999999.').waitFor();
    await shot('11-nobody');
    await window.command('Notifications: Clear All Notifications');
  });

  it('has its name beside it while that is wanted', async () => {
    const named = lines().filter({ hasText: /30481126.?Order.Desk/ });
    await window.configure({ 'botChats.ids.showNames': true });
    await named.waitFor();
    await shot('12-names');
    await window.configure({ 'botChats.ids.showNames': false });
    await named.waitFor({ state: 'detached' });
  });
});

describe('In a Chinese window, an ID', () => {
  const EVIL = '[click](command:workbench.action.closeWindow) ![x](https://evil.example/a.png) <img src=x> $(error)';
  const text = '机器人 30527740 由 7102649 创建，还有 7230581。\n\n没有 9999999。\n';
  let service: Gated;
  let window: Window;
  const { card, hover, link, row, title, write } = seeing(() => window);
  const shot = (name: string) => resting(window, `ids-zh-${name}`);

  before(async () => {
    service = await serveGated();
    const medals = Array.from({ length: 40 }, (_, at) => ({
      id: at + 1,
      name: `第 ${at + 1} 年`,
      desc: `坚持了 ${at + 1} 年`,
    }));
    const line = '每天提醒大家读几页书，还会在晚上八点把当天的笔记整理成一份摘要，发到群里给没空的人看。';
    const users: Record<string, object> = {
      '7102649': { nickname: '闻山禾', onLineDay: 1433, medals },
      '7230581': { nickname: EVIL, medals: [{ id: 1, name: EVIL, desc: EVIL }] },
    };
    service.answer = async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const userId = searchParams.get('userId') ?? '';
      if (pathname.endsWith('/homepage') && users[userId]) return success({ user: { userId, ...users[userId] } });
      if (!pathname.endsWith('/bot-info') || (await request.json()).botId !== '30527740') return undefined;
      const introduction = `${EVIL}\n\n${`${line}\n`.repeat(30)}`;
      return success({ bot: { botId: '30527740', nickname: '读书小助手', headcount: 1290, introduction } });
    };
    // With no delay, no card is about to come when the service has answered.
    const lists = { 'botChats.people': ['7230581'], 'editor.hover.delay': 0 };
    const settings = { ...service.settings, ...lists, ...calm };
    window = await openWindow({ settings, locale: 'zh-cn', theme: 'light' });
    await write('notes.md', text);
    await link('7230581').waitFor();
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    await shot('failed');
    await window.page.keyboard.press('Escape');
  });

  it('of a bot has a card that stays a card, whatever its introduction holds', async () => {
    await hover('30527740');
    await card('读书小助手').getByText(EVIL).waitFor();
    assert.deepEqual(await card('读书小助手').locator('a').allTextContents(), [' 复制 ID', ' 添加到侧边栏']);
    assert.equal(await card('读书小助手').locator('img').count(), 0);
    await shot('1-bot');
  });

  it('of a user has a card with all medals', async () => {
    await hover('7102649');
    await card('闻山禾').getByText('第 40 年').waitFor();
    await shot('2-user');
  });

  it('of a user has a card with the name as it is written, and is looked up by it', async () => {
    await hover('7230581');
    await card('7230581').getByText(EVIL).first().waitFor();
    // The name, and that of the medal.
    assert.equal(await card('7230581').getByText(EVIL).count(), 2);
    const links = [' 打开消息记录', ' 发送…', ' 复制 ID', '查询'];
    assert.deepEqual(await card('7230581').locator('a').allTextContents(), links);
    await shot('3-name');
    await clickText(window.page, '7230581');
    await window.command('Bot Chats: 查询 ID…');
    await title(EVIL).waitFor();
    await row('打开消息记录').waitFor();
    await shot('4-profile');
    await window.page.keyboard.press('Escape');
  });

  it('of nobody has no card', async () => {
    const asked = service.heard('/group-info');
    await hover('9999999');
    await asked;
    const lines = window.page.locator('.editor-instance .view-lines');
    await painted(lines);
    assert.deepEqual(await window.page.locator('.monaco-hover:visible').allTextContents(), []);
    await shot('5-nobody');
  });
});
