import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { Window } from '../host/window.ts';
import { repeatUntil } from './editorMouse.ts';
import { keepsFocus } from './seeing.ts';
import { LONG_TIMEOUT_MS, openWindow } from './shared.ts';
import {
  clickTitleButton,
  drag,
  expectClipboard,
  expectRows,
  filterNoteRemoved,
  readClipboard,
  selectFromContextMenu,
  sidebarScreenshot,
} from './workbenchActions.ts';

const shop = 'Fern & Kettle: the shop team, group, 342 members';
const games = 'Board games after work, group, 11 members';
const reading = '周末读书会, group, 96 members';
const release = 'Release watch, group, 14 members';
const bots = [
  'Bots, 4',
  'Order Desk, bot, 356 users',
  '读书小助手, bot, 1,290 users',
  'Trail Weather 山路天气, bot, 48,217 users',
  'Release Clerk, bot, 14 users · private',
];
const alice = 'Alice Fernhollow, person, 1,204 days online';
const others = ['Bots, 1', 'Order Desk, bot, 356 users', 'People, 1', alice];
const labelled = 'Tuesdays, group, Board games after work · 11 members';
const people = ['People, 2', alice, '闻山禾, person, 1,433 days online'];

describe('The sidebar', function () {
  this.timeout(LONG_TIMEOUT_MS);
  let window: Window;
  const row = (name: string | RegExp) => window.page.getByRole('treeitem', { name });
  const group = (name: string) => row(`${name}, group`);
  const input = () => window.page.locator('.quick-input-widget');
  /** Expands or collapses a row. Moves the pointer away first, because another row's tooltip could cover it. */
  const toggle = async (of: Locator) => {
    await window.page.mouse.move(800, 600);
    await of.locator('.monaco-tl-twistie').click();
  };
  const lines = () => window.page.locator('.editor-instance .view-line');
  /** Drops rows on the line with this text until an ID appears, because VS Code loses drops while it is busy. */
  const dropIntoEditor = async (words: string, rows: Locator, name: string, id: string) => {
    await repeatUntil(lines().filter({ hasText: id }).first(), async () => {
      await drag(window.page, rows, lines().filter({ hasText: words }));
      await window.page.locator('.monaco-editor .dnd-target').waitFor();
      await sidebarScreenshot(window, name);
      await window.page.mouse.up();
    });
  };

  const expectGroups = (...groups: string[]) =>
    expectRows(window.page, [`Groups, ${groups.length}`, ...groups, ...others]);
  /** Presses a key and waits until the row with this name has the focus. */
  const pressUntilFocused = async (key: string, name: string) => {
    await window.page.locator('.customview-tree .monaco-list:focus').waitFor();
    await window.page.keyboard.press(key);
    await window.page.locator(`.customview-tree .focused[aria-label^="${name}"]`).waitFor();
  };
  const focusView = async () => {
    await input().waitFor({ state: 'hidden' });
    await window.command('Bot Chats: Focus on Chats View');
    // Closing it restores the focus.
    await input().waitFor({ state: 'hidden' });
    await keepsFocus(window.page, '.customview-tree .monaco-list');
  };
  const undo = async () => {
    await window.command('Notifications: Focus Notification Toast');
    await window.page.locator('.notifications-list-container:focus-within').waitFor();
    await window.page.keyboard.press('Tab');
    await window.page.locator('.notification-toast .monaco-button:focus', { hasText: 'Undo' }).waitFor();
    await window.page.keyboard.press('Enter');
  };

  before(async () => {
    const lists = { 'botChats.groups': ['518204736', '531048827'], 'botChats.people': ['7058314', '7102649'] };
    window = await openWindow({ settings: { 'botChats.service.sandbox': true, ...lists } });
    await window.openFile('announcement.md');
    await window.page.getByRole('tab', { name: 'Bot Chats' }).click();
    await group('Fern & Kettle: the shop team').waitFor();
  });
  after(() => window?.close());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('sidebar-failed');
  });

  it('adds the IDs of a pasted list that exist, and says which do not', async () => {
    const { page } = window;
    await row('Groups, 2').hover();
    await row('Groups, 2').getByRole('button', { name: 'Add Group…' }).click();
    await input().getByText('Add Groups').waitFor();
    await page.evaluate(() => navigator.clipboard.writeText('524317890\nnosuch, 518204736\r\n\n559902341'));
    await page.keyboard.press('Control+V');
    await sidebarScreenshot(window, '1-paste');
    await page.keyboard.press('Enter');
    await input().getByPlaceholder('One of them is already in the sidebar.').waitFor();
    const found = (name: RegExp, checked: boolean) =>
      input().locator('.monaco-list').getByRole('checkbox', { name, checked }).first();
    await found(/周末读书会, 524317890 · 96 members, Found$/, true).waitFor();
    await found(/Release watch, 559902341 · 14 members$/, true).waitFor();
    await found(/nosuch, Group nosuch doesn't exist\./, false).waitFor();
    await input().getByText("Doesn't exist", { exact: true }).waitFor();
    await sidebarScreenshot(window, '2-found');
    await page.keyboard.press('Enter');
    await page.locator('.monaco-list-row.focused', { hasText: 'Release watch' }).waitFor();
    await expectRows(page, ['Groups, 4', shop, games, reading, release, ...bots, ...people]);
  });

  it('shows details of a row and of the chats in them, and copies a value or the whole response', async () => {
    const { page } = window;
    await toggle(group('Release watch'));
    await row('Bot: Release Clerk (30759903)').waitFor();
    await toggle(row('Created by: 7521170'));
    await row('Created by: Owen Pikestaff (7521170)').waitFor();
    await row('Days online in a row: 365').waitFor();
    await toggle(row('Bot: Release Clerk (30759903)'));
    await row('Users: 14').waitFor();
    await sidebarScreenshot(window, '3-details');
    await page.getByRole('button', { name: 'Collapse All' }).click();
    await row('Created by').waitFor({ state: 'hidden' });
    for (const section of ['Groups', 'Bots', 'People']) await toggle(row(section));
    await toggle(group('Fern & Kettle: the shop team'));
    const introduction = row(/^Introduction: Everything about/);
    await introduction.hover();
    await introduction.getByRole('button', { name: 'Copy Value' }).click();
    const text = [
      'Everything about running the Fern & Kettle tea and plant shop.',
      '',
      'Orders and stock: ask the bot.',
      'Anything urgent: write to the person on duty.',
      'Be kind, and no spoilers about new blends.',
    ];
    await expectClipboard(page, text.join('\n'));
    await toggle(group('Fern & Kettle: the shop team'));
    await selectFromContextMenu(page, group('Board games after work'), 'Copy as JSON');
    const { groupId, groupBotRel } = JSON.parse(await readClipboard(page, (text) => text.startsWith('{')));
    assert.deepEqual([groupId, groupBotRel.updateTsime], ['531048827', 0]);
  });

  it('moves a dropped row, and inserts the IDs of rows dropped into a document', async () => {
    const { page } = window;
    await dropIntoEditor('status page', group('周末读书会'), '4-into-editor', '524317890');
    // Expanded first, because VS Code expands a row on which a drag rests.
    await toggle(group('Fern & Kettle: the shop team'));
    await row('Technical details').waitFor();
    await drag(page, group('Release watch'), group('Fern & Kettle: the shop team'));
    await sidebarScreenshot(window, '5-move');
    await page.mouse.up();
    await page.locator('.customview-tree [aria-label^="Release watch"][aria-posinset="1"]').waitFor();
    await toggle(group('Fern & Kettle: the shop team'));
    await expectRows(page, ['Groups, 4', release, shop, games, reading, ...bots, ...people]);
    // This collapses the section and selects it; Escape clears the selection.
    await row('Bots').click();
    await page.keyboard.press('Escape');
    await group('Release watch').click({ modifiers: ['Control'] });
    await group('周末读书会').click({ modifiers: ['Control'] });
    await row('闻山禾, person').click({ modifiers: ['Control'] });
    await dropIntoEditor('Questions', row('闻山禾, person'), '6-drag-many', '559902341');
    await lines().filter({ hasText: '7102649' }).first().waitFor();
  });

  it('copies and removes all selected rows, and restores them', async () => {
    const { page } = window;
    await selectFromContextMenu(page, group('周末读书会'), 'Copy ID');
    await expectClipboard(page, '559902341\n524317890\n7102649');
    await selectFromContextMenu(page, group('周末读书会'), 'Remove from Sidebar');
    await page.getByText('Removed 3 items from the sidebar.').first().waitFor();
    await expectRows(page, ['Groups, 2', shop, games, 'Bots, 4', 'People, 1', alice]);
    await sidebarScreenshot(window, '7-removed');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectRows(page, ['Groups, 4', release, shop, games, reading, 'Bots, 4', ...people]);
    await toggle(row('Bots'));
  });

  it('filters rows, and shows all again', async () => {
    const { page } = window;
    await clickTitleButton(page, 'Filter by Name or ID…');
    await input().getByText('Filter by Name or ID').waitFor();
    await page.keyboard.type('re');
    await row('Groups, 1 of 4').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Filter: “re”').waitFor();
    await sidebarScreenshot(window, '8-filtered');
    await clickTitleButton(page, 'Clear Filter');
    await filterNoteRemoved(page);
    await row('Groups, 4').waitFor();
  });

  it('adds selected rows to an audience, and shows who is in it', async () => {
    const { page } = window;
    // This collapses the section and selects it; Escape clears the selection.
    await row('Bots').click();
    await page.keyboard.press('Escape');
    await group('周末读书会').click({ modifiers: ['Control'] });
    await row('闻山禾, person').click({ modifiers: ['Control'] });
    await selectFromContextMenu(page, group('周末读书会'), 'Add to Audience…');
    await input().getByText('New Audience').waitFor();
    await page.keyboard.type('Readers');
    await page.keyboard.press('Enter');
    await page.getByText('Added 2 recipients to “Readers”.').first().waitFor();
    await window.command('Notifications: Clear All Notifications');
    await window.command('Bot Chats: Manage Audiences…');
    await input().getByText('2 chats (groups: 1, people: 1)').waitFor();
    await sidebarScreenshot(window, '9-audiences');
    await page.keyboard.press('Enter');
    await input().getByPlaceholder('Select recipients to remove, then press Enter').waitFor();
    for (const name of ['周末读书会', '闻山禾']) await input().getByRole('checkbox', { name }).first().waitFor();
    await sidebarScreenshot(window, '10-members');
    await page.keyboard.press('Escape');
    await input().getByText('2 chats (groups: 1, people: 1)').waitFor();
    await page.keyboard.press('Escape');
    await input().waitFor({ state: 'hidden' });
    // This expands it again, and clears the selection.
    await row('Bots').click();
    await page.keyboard.press('Escape');
    await page.locator('.customview-tree .selected').first().waitFor({ state: 'detached' });
  });

  it('works with the keyboard: opens a row, and copies its ID and the value of a detail', async () => {
    const { page } = window;
    await window.configure({
      'botChats.groups': ['518204736', '531048827', '524317890'],
      'botChats.bots': ['30481126'],
      'botChats.people': ['7058314'],
    });
    await expectGroups(shop, games, reading);
    await focusView();
    await pressUntilFocused('Home', 'Groups, 3');
    await pressUntilFocused('ArrowDown', shop);
    await page.keyboard.press('Control+C');
    await expectClipboard(page, '518204736');
    await page.keyboard.press('ArrowRight');
    await row('ID: 518204736').waitFor();
    for (const detail of ['ID', 'Name', 'Introduction', 'Members', 'Category', 'Bot: Order Desk'])
      await pressUntilFocused('ArrowDown', detail);
    await page.keyboard.press('Control+C');
    await expectClipboard(page, 'Order Desk (30481126)');
    await sidebarScreenshot(window, 'keys-1-details');
    await pressUntilFocused('ArrowLeft', shop);
    await page.keyboard.press('ArrowLeft');
    await expectGroups(shop, games, reading);
  });

  it('moves a row down and up, and renames one', async () => {
    const { page } = window;
    await page.keyboard.press('Alt+ArrowDown');
    await expectGroups(games, shop, reading);
    await page.locator(`.focused[aria-label="${shop}"]`).waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await expectGroups(shop, games, reading);
    await pressUntilFocused('ArrowDown', games);
    await page.keyboard.press('F2');
    await input().getByText('Enter your own name for Board games after work').waitFor();
    await page.keyboard.type('Tuesdays');
    await page.keyboard.press('Enter');
    await expectGroups(shop, labelled, reading);
    await sidebarScreenshot(window, 'keys-2-labelled');
  });

  it('removes the focused row, not one that is selected elsewhere, and restores it', async () => {
    const { page } = window;
    // Selects the focused row, then moves the focus.
    await page.keyboard.press('Control+Shift+Enter');
    await page.locator('.selected[aria-label^="Tuesdays"]').waitFor();
    await pressUntilFocused('ArrowDown', reading);
    await page.locator('.selected[aria-label^="Tuesdays"]').waitFor();
    await page.keyboard.press('Delete');
    await page.getByText('Removed 周末读书会 from the sidebar.').first().waitFor();
    await expectGroups(shop, labelled);
    await page.locator('.customview-tree .focused[aria-label^="Tuesdays"]').waitFor();
    await sidebarScreenshot(window, 'keys-3-removed');
    await undo();
    await expectGroups(shop, labelled, reading);
  });

  it('removes all selected rows when the focus is among them', async () => {
    const { page } = window;
    await focusView();
    // An open notification takes the first Escape.
    while ((await page.locator('.customview-tree .selected').count()) > 0) await page.keyboard.press('Escape');
    await pressUntilFocused('Home', 'Groups, 3');
    await pressUntilFocused('ArrowDown', shop);
    await page.keyboard.press('Control+Shift+Enter');
    await pressUntilFocused('Shift+ArrowDown', 'Tuesdays');
    await page.locator('.selected[aria-label^="Tuesdays"]').waitFor();
    await page.locator('.customview-tree .selected[aria-label^="Fern"]').waitFor();
    await page.keyboard.press('Delete');
    await page.getByText('Removed 2 items from the sidebar.').first().waitFor();
    await expectGroups(reading);
    await undo();
    await expectGroups(shop, labelled, reading);
  });

  it('filters as you type, clears on Escape, shows a context menu, and opens a history', async () => {
    const { page } = window;
    await focusView();
    await page.keyboard.press('Control+F');
    await input().getByText('Filter by Name or ID').first().waitFor();
    await page.keyboard.type('读书');
    await row('Groups, 1 of 3').waitFor();
    await row(reading).waitFor();
    await page.keyboard.press('Escape');
    await filterNoteRemoved(page);
    await expectGroups(shop, labelled, reading);
    await focusView();
    await pressUntilFocused('Home', 'Groups, 3');
    await pressUntilFocused('ArrowDown', shop);
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Watch for New Messages' }).waitFor();
    await sidebarScreenshot(window, 'keys-4-menu');
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem', { name: 'Watch for New Messages' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    const history = await window.webview('Fern & Kettle: the shop team');
    await history.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
  });

  it('offers to send an Explorer file to the rows it is dropped on, and never sends on Enter', async () => {
    const { page } = window;
    // Moving one view to the other side shows both at once.
    await window.command('View: Move View');
    await input().getByRole('option', { name: 'Bot Chats' }).click();
    await input().getByRole('option', { name: 'New Secondary Side Bar Entry' }).click();
    await window.command('Explorer: Focus on Folders View');
    const file = page.locator('.sidebar').getByRole('treeitem', { name: 'announcement.md' });
    await file.waitFor();
    // The group whose history was opened is still selected.
    await page.locator('.customview-tree .selected[aria-label^="Fern"]').waitFor();
    await row(alice).click({ modifiers: ['Control'] });
    await drag(page, file, row(alice));
    await sidebarScreenshot(window, '11-file');
    await page.mouse.up();
    await input().getByRole('option', { name: 'Order Desk' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Send “announcement.md” as Order Desk to 2 chats (groups: 1, people: 1)?').waitFor();
    await dialog.getByText('• Fern & Kettle: the shop team (518204736)').waitFor();
    await dialog.getByText('• Alice Fernhollow (7058314)').waitFor();
    await sidebarScreenshot(window, '12-question');
    await page.keyboard.press('Enter');
    await input().getByText('2 Selected', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await input().waitFor({ state: 'hidden' });
  });
});
