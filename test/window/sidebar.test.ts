import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { openWindow, type Window } from '../host/window.ts';
import { type Gated, serveGated } from './gated.ts';
import { chooseFromMenu, copied, copiedText, drag, pressTitle, rowsAre, still } from './handling.ts';
import { keepsFocus } from './seeing.ts';

const calm = { 'workbench.reduceMotion': 'on' };

describe('The sidebar under the mouse', () => {
  let window: Window;
  const row = (name: string | RegExp) => window.page.getByRole('treeitem', { name });
  const group = (name: string) => row(`${name}, group`);
  const input = () => window.page.locator('.quick-input-widget');
  const twistie = (of: Locator) => of.locator('.monaco-tl-twistie');
  const lines = () => window.page.locator('.editor-instance .view-line');

  before(async () => {
    const lists = { 'botChats.groups': ['518204736', '531048827'], 'botChats.people': ['7058314', '7102649'] };
    window = await openWindow({ settings: { 'botChats.service.sandbox': true, ...lists, ...calm } });
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.openFile('announcement.md');
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await group('Fern & Kettle: the shop team').waitFor();
  });
  after(() => window?.close());

  it('adds those of a pasted list that exist, and says which do not', async () => {
    const { page } = window;
    await row('Groups, 2').hover();
    await row('Groups, 2').getByRole('button', { name: 'Add Group…' }).click();
    await input().getByText('Add Groups').waitFor();
    await page.evaluate(() => navigator.clipboard.writeText('524317890\nnosuch, 518204736\r\n\n559902341'));
    await page.keyboard.press('Control+V');
    await still(window, 'mouse-1-paste');
    await page.keyboard.press('Enter');
    await input().getByPlaceholder('One of them is in the sidebar already.').waitFor();
    const found = (name: string | RegExp, checked: boolean) =>
      input().locator('.monaco-list').getByRole('checkbox', { name, checked }).first();
    await found(/周末读书会, 524317890 · 96 members, Found$/, true).waitFor();
    await found(/Release watch, 559902341 · 14 members$/, true).waitFor();
    await found(/nosuch, There is no group with the ID nosuch\./, false).waitFor();
    await input().getByText('Does not exist').waitFor();
    await still(window, 'mouse-2-found');
    await page.keyboard.press('Enter');
    await page.locator('.monaco-list-row.focused', { hasText: 'Release watch' }).waitFor();
    await rowsAre(page, [
      'Groups, 4',
      'Fern & Kettle: the shop team, group, 342 members',
      'Board games after work, group, 11 members',
      '周末读书会, group, 96 members',
      'Release watch, group, 14 members',
      'Bots, 4',
      'Order Desk, bot, 356 users',
      '读书小助手, bot, 1,290 users',
      'Trail Weather 山路天气, bot, 48,217 users',
      'Release Clerk, bot, 14 users · private',
      'People, 2',
      'Alice Fernhollow, person, 1,204 days online',
      '闻山禾, person, 1,433 days online',
    ]);
    await still(window, 'mouse-3-added');
  });

  it('opens the details of a row and of those whom they name, who have names then', async () => {
    const { page } = window;
    await twistie(group('Release watch')).click();
    await row('Bot: Release Clerk (30759903)').waitFor();
    await twistie(row('Created by: 7521170')).click();
    await row('Created by: Owen Pikestaff (7521170)').waitFor();
    await row('Days online in a row: 365').waitFor();
    await twistie(row('Bot: Release Clerk (30759903)')).click();
    await row('Users: 14').waitFor();
    await still(window, 'mouse-4-details');
    await page.getByRole('button', { name: 'Collapse All' }).click();
    await row('Created by').waitFor({ state: 'hidden' });
    for (const section of ['Groups', 'Bots', 'People']) await twistie(row(section)).click();
  });

  it('copies a detail as it is, line breaks and all, and the answer of the lookup as JSON', async () => {
    const { page } = window;
    await twistie(group('Fern & Kettle: the shop team')).click();
    const introduction = row(/^Introduction: Everything about/);
    await introduction.hover();
    await introduction.getByRole('button', { name: 'Copy Value' }).click();
    const text = [
      'Everything about running the Fern & Kettle tea and plant shop.',
      '',
      'Orders and stock: ask the bot.',
      'Anything urgent: write to whoever is on duty.',
      'Be kind, and no spoilers about new blends.',
    ];
    await copied(page, text.join('\n'));
    await twistie(group('Fern & Kettle: the shop team')).click();
    await group('Board games after work').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Copy as JSON' }).waitFor();
    await still(window, 'mouse-5-menu');
    await page.getByRole('menuitem', { name: 'Copy as JSON' }).click();
    const { groupId, groupBotRel } = JSON.parse(await copiedText(page, (text) => text.startsWith('{')));
    assert.deepEqual([groupId, groupBotRel.updateTsime], ['531048827', 0]);
  });

  it('gives a document the ID of a row that is dragged into it', async () => {
    const { page } = window;
    await drag(page, group('周末读书会'), lines().filter({ hasText: 'status page' }));
    await page.locator('.monaco-editor .dnd-target').waitFor();
    await still(window, 'mouse-6-into-editor');
    await page.mouse.up();
    await lines().filter({ hasText: '524317890' }).waitFor();
  });

  it('moves a row to where it is dropped', async () => {
    const { page } = window;
    await drag(page, group('Release watch'), group('Fern & Kettle: the shop team'));
    await still(window, 'mouse-7-move');
    await page.mouse.up();
    const bots = ['Order Desk, bot, 356 users', '读书小助手, bot, 1,290 users'];
    await rowsAre(page, [
      'Groups, 4',
      'Release watch, group, 14 members',
      'Fern & Kettle: the shop team, group, 342 members',
      'Board games after work, group, 11 members',
      '周末读书会, group, 96 members',
      'Bots, 4',
      ...bots,
      'Trail Weather 山路天气, bot, 48,217 users',
      'Release Clerk, bot, 14 users · private',
      'People, 2',
      'Alice Fernhollow, person, 1,204 days online',
      '闻山禾, person, 1,433 days online',
    ]);
  });

  it('copies, drags and removes all that are selected, and puts them back', async () => {
    const { page } = window;
    await row('Bots').click();
    await page.keyboard.press('Escape');
    await group('Release watch').click({ modifiers: ['Control'] });
    await group('周末读书会').click({ modifiers: ['Control'] });
    await row('闻山禾, person').click({ modifiers: ['Control'] });
    await drag(page, row('闻山禾, person'), lines().filter({ hasText: 'Questions' }));
    await page.locator('.monaco-editor .dnd-target').waitFor();
    await still(window, 'mouse-8-drag-many');
    await page.mouse.up();
    for (const id of ['559902341', '7102649']) await lines().filter({ hasText: id }).first().waitFor();
    await chooseFromMenu(page, group('周末读书会'), 'Copy ID');
    await copied(page, '559902341\n524317890\n7102649');
    await chooseFromMenu(page, group('周末读书会'), 'Remove from Sidebar');
    await page.getByText('3 rows are no longer in the sidebar.').first().waitFor();
    await row('Groups, 2').waitFor();
    await row('People, 1').waitFor();
    await still(window, 'mouse-9-removed');
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Groups, 4').waitFor();
    await row('People, 2').waitFor();
  });

  it('shows those that a filter is for, and all of them again', async () => {
    const { page } = window;
    await pressTitle(page, 'Filter by Name or ID…');
    await input().getByText('Filter by Name or ID').waitFor();
    await page.keyboard.type('re');
    await row('Groups, 1 of 4').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Filter: “re”').waitFor();
    await still(window, 'mouse-10-filtered');
    await pressTitle(page, 'Clear Filter');
    await row('Groups, 4').waitFor();
  });

  it('offers to send a file of the Explorer to the rows that it is dropped on, and sends nothing by Enter', async () => {
    const { page } = window;
    // Both views can be seen at once when one of them is on the other side.
    await window.command('View: Move View');
    await input().getByRole('option', { name: 'Bot Chats' }).click();
    await input().getByRole('option', { name: 'New Secondary Side Bar Entry' }).click();
    await window.command('Explorer: Focus on Folders View');
    const file = page.locator('.sidebar').getByRole('treeitem', { name: 'announcement.md' });
    await file.waitFor();
    await group('Board games after work').click({ modifiers: ['Control'] });
    await row('Alice Fernhollow, person').click({ modifiers: ['Control'] });
    await drag(page, file, row('Alice Fernhollow, person'));
    await still(window, 'mouse-11-file');
    await page.mouse.up();
    await input().getByRole('option', { name: 'Order Desk' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Send “announcement.md” as Order Desk to 2 chats (groups: 1, people: 1)?').waitFor();
    await dialog.getByText('• Board games after work (531048827)').waitFor();
    await dialog.getByText('• Alice Fernhollow (7058314)').waitFor();
    await still(window, 'mouse-12-confirm');
    await page.keyboard.press('Enter');
    await input().getByText('2 Selected').waitFor();
    await page.keyboard.press('Escape');
    await input().waitFor({ state: 'hidden' });
  });
});

describe('The sidebar under the keyboard, in zh-cn and a light theme', () => {
  let window: Window;
  const shop = 'Fern & Kettle: the shop team, 群组, 342 名成员';
  const games = 'Board games after work, 群组, 11 名成员';
  const reading = '周末读书会, 群组, 96 名成员';
  const others = ['机器人, 1', 'Order Desk, 机器人, 356 位用户', '用户, 1', 'Alice Fernhollow, 用户, 在线 1,204 天'];
  const row = (name: string | RegExp) => window.page.getByRole('treeitem', { name });
  const input = () => window.page.locator('.quick-input-widget');
  const rows = (...groups: string[]) => rowsAre(window.page, [`群组, ${groups.length}`, ...groups, ...others]);
  /** Presses a key and waits until the focus is on the row of this name. */
  const press = async (key: string, name: string) => {
    await window.page.locator('.customview-tree .monaco-list:focus').waitFor();
    await window.page.keyboard.press(key);
    await window.page.locator(`.customview-tree .focused[aria-label^="${name}"]`).waitFor();
  };
  const focusView = async () => {
    await input().waitFor({ state: 'hidden' });
    await window.command('Bot Chats: Focus on 聊天 View');
    // It gives the focus back to where that was before.
    await input().waitFor({ state: 'hidden' });
    await keepsFocus(window.page, '.customview-tree .monaco-list');
  };

  const undo = async () => {
    await window.command('Notifications: Focus Notification Toast');
    await window.page.locator('.notifications-list-container:focus-within').waitFor();
    await window.page.keyboard.press('Tab');
    await window.page.locator('.notification-toast .monaco-button:focus', { hasText: '撤销' }).waitFor();
    await window.page.keyboard.press('Enter');
  };

  before(async () => {
    const settings = {
      'botChats.service.sandbox': true,
      'botChats.groups': ['518204736', '531048827', '524317890'],
      'botChats.bots': ['30481126'],
      'botChats.people': ['7058314'],
      ...calm,
    };
    window = await openWindow({ settings, locale: 'zh-cn', theme: 'light' });
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.command('Bot Chats: Focus on 聊天 View');
    await rows(shop, games, reading);
    // A view takes the focus once it has rows.
    await focusView();
  });
  after(() => window?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window?.screenshot('sidebar-keys-failed');
  });

  it('opens a row, and copies the ID of one and the value of a detail', async () => {
    const { page } = window;
    await press('Home', '群组, 3');
    await press('ArrowDown', shop);
    await page.keyboard.press('Control+C');
    await copied(page, '518204736');
    await page.keyboard.press('ArrowRight');
    await row('ID: 518204736').waitFor();
    for (const detail of ['ID', '名称', '简介', '成员数', '分类', '机器人: Order Desk'])
      await press('ArrowDown', detail);
    await page.keyboard.press('Control+C');
    await copied(page, 'Order Desk (30481126)');
    await still(window, 'keys-1-details');
    await press('ArrowLeft', shop);
    await page.keyboard.press('ArrowLeft');
    await rows(shop, games, reading);
  });

  it('moves a row down and up', async () => {
    const { page } = window;
    await page.keyboard.press('Alt+ArrowDown');
    await rows(games, shop, reading);
    await page.locator(`.focused[aria-label="${shop}"]`).waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await rows(shop, games, reading);
  });

  it('labels a row', async () => {
    const { page } = window;
    await press('ArrowDown', games);
    await page.keyboard.press('F2');
    await input().getByText('设置标签').first().waitFor();
    await input().getByText('你给 Board games after work 起的名称').waitFor();
    await still(window, 'keys-2-label');
    await page.keyboard.type('桌游');
    await page.keyboard.press('Enter');
    await rows(shop, '桌游, 群组, Board games after work · 11 名成员', reading);
    await still(window, 'keys-3-labelled');
  });

  it('removes the row that has the focus, not one that is selected elsewhere, and puts it back', async () => {
    const { page } = window;
    const labelled = '桌游, 群组, Board games after work · 11 名成员';
    // The place of the focus is selected, and the focus moved on.
    await page.keyboard.press('Control+Shift+Enter');
    await page.locator('.selected[aria-label^="桌游"]').waitFor();
    await press('ArrowDown', reading);
    await page.locator('.selected[aria-label^="桌游"]').waitFor();
    await page.keyboard.press('Delete');
    await page.getByText('“周末读书会”已从侧边栏移除。').first().waitFor();
    await rows(shop, labelled);
    await page.locator('.customview-tree .focused[aria-label^="桌游"]').waitFor();
    await still(window, 'keys-4-removed');
    await undo();
    await rows(shop, labelled, reading);
  });

  it('removes all that are selected when the focus is among them', async () => {
    const { page } = window;
    await focusView();
    // A notification that still shows takes the first one.
    while ((await page.locator('.customview-tree .selected').count()) > 0) await page.keyboard.press('Escape');
    await press('Home', '群组, 3');
    await press('ArrowDown', shop);
    await page.keyboard.press('Control+Shift+Enter');
    await press('Shift+ArrowDown', '桌游');
    await page.locator('.selected[aria-label^="桌游"]').waitFor();
    await page.locator('.selected[aria-label^="Fern"]').waitFor();
    await page.keyboard.press('Delete');
    await page.getByText('2 项已从侧边栏移除。').first().waitFor();
    await rows(reading);
    await undo();
    await rows(shop, '桌游, 群组, Board games after work · 11 名成员', reading);
  });

  it('filters while one types, and goes back by Escape', async () => {
    const { page } = window;
    await focusView();
    await page.keyboard.press('Control+F');
    await input().getByText('按名称或 ID 筛选').first().waitFor();
    await page.keyboard.type('读书');
    await row('群组, 1 / 3').waitFor();
    await row(reading).waitFor();
    await still(window, 'keys-5-filter');
    await page.keyboard.press('Escape');
    await rows(shop, '桌游, 群组, Board games after work · 11 名成员', reading);
  });

  it('shows all that can be done with a row, and opens its history', async () => {
    const { page } = window;
    await focusView();
    await press('Home', '群组, 3');
    await press('ArrowDown', shop);
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: '关注新消息' }).waitFor();
    await still(window, 'keys-6-menu');
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem', { name: '关注新消息' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    const history = await window.webview('Fern & Kettle: the shop team');
    await history.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
  });
});

describe('A watched chat in the sidebar, in high contrast', () => {
  let window: Window;
  let service: Gated;
  const row = (name: string | RegExp) => window.page.getByRole('treeitem', { name });
  const input = () => window.page.locator('.quick-input-widget');
  const shop = 'Fern & Kettle: the shop team, group';

  /** Another bot sends to the shop's group. */
  const send = async (text: string) => {
    const { openApiUrl, token } = service.sandbox;
    const response = await fetch(`${openApiUrl}/open-apis/v1/bot/batch_send?token=${token('30527740')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ recvIds: ['518204736'], recvType: 'group', contentType: 'text', content: { text } }),
    });
    const { code } = (await response.json()) as { code: number };
    assert.equal(code, 1);
  };

  before(async () => {
    service = await serveGated();
    const lists = { 'botChats.groups': ['518204736', '531048827'], 'botChats.bots': ['30481126'] };
    window = await openWindow({ settings: { ...service.settings, ...lists, ...calm }, theme: 'hc-dark' });
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await row(`${shop}, 342 members`).waitFor();
    await window.command('Bot Chats: Set Bot Token…');
    await input().getByRole('option', { name: 'Order Desk' }).click();
    await input().getByText('Token of the bot 30481126').waitFor();
    await window.page.keyboard.type(service.sandbox.token('30481126') ?? '');
    await window.page.keyboard.press('Enter');
    await row('Set a bot token').waitFor({ state: 'hidden' });
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });

  it('counts what is new on its row and on the icon', async () => {
    const { page } = window;
    const looked = service.heard('/bot/messages');
    await chooseFromMenu(page, row(shop), 'Watch for New Messages');
    await looked;
    await send('The kettle is on.');
    await send('And the ferns are watered.');
    await chooseFromMenu(page, row(shop), 'Look Up Again');
    await row(`${shop}, 2 new · 342 members`).waitFor();
    await page.getByRole('tab', { name: 'Bot Chats - 2 new messages' }).waitFor();
    await page.mouse.move(700, 400);
    await still(window, 'watch-1-new');
    await row(shop).hover();
    await page.locator('.monaco-hover:visible').getByText('Watched as Order Desk · 2 new').waitFor();
    await still(window, 'watch-2-hover');
  });

  it('counts no more once its history was opened', async () => {
    const { page } = window;
    await page.keyboard.press('Escape');
    await row(shop).click();
    const history = await window.webview('Fern & Kettle: the shop team');
    await history.getByText('And the ferns are watered.').waitFor();
    await row(`${shop}, watched · 342 members`).waitFor();
    await page.getByRole('tab', { name: 'Bot Chats', exact: true }).waitFor();
    await still(window, 'watch-3-read');
  });

  it('is watched no more when the person says so', async () => {
    const { page } = window;
    await chooseFromMenu(page, row(shop), 'Stop Watching');
    await send('Nobody looks.');
    await chooseFromMenu(page, row(shop), 'Look Up Again');
    await row(shop).click({ button: 'right' });
    const offer = page.getByRole('menuitem', { name: 'Watch for New Messages' });
    await offer.waitFor();
    await page.keyboard.press('Escape');
    await offer.waitFor({ state: 'hidden' });
    await row(`${shop}, 342 members`).waitFor();
  });
});
