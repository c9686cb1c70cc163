import assert from 'node:assert/strict';
import { repeatUntil } from '../host/repeating.ts';
import { serveSandbox } from '../host/serve.ts';
import type { Window } from '../host/window.ts';
import { answerPrompt, enter, listAsReply, send } from './historyDriver.ts';
import { type InterceptedSandbox, serveIntercepted } from './interceptedSandbox.ts';
import { keepsFocus } from './seeing.ts';
import { openWindow } from './shared.ts';
import { completedStep, runStep, showWalkthrough } from './walkthrough.ts';
import {
  clickRowButton,
  drag,
  expectClipboard,
  expectRows,
  filterNoteRemoved,
  restingScreenshot,
  selectFromContextMenu,
} from './workbenchActions.ts';

const noToken = 'Set a bot token to read and send messages…';
const shop = 'Fern & Kettle: the shop team, group, 342 members';
const games = 'Board games after work, group, 11 members';
const reading = '周末读书会, group, 96 members';
const release = 'Release watch, group, 14 members';
const desk = 'Order Desk, bot, token saved · 356 users';
const alice = 'Alice Fernhollow, person, 1,204 days online';
const tuesdays = 'Tuesdays, group, Board games after work · 11 members';

/** No card opens before then (milliseconds). */
const NEVER = 3_600_000;

/** All rows with these groups, once the bot has a token. */
const rowsWith = (...groups: string[]) => [`Groups, ${groups.length}`, ...groups, 'Bots, 1', desk, 'People, 1', alice];

/** All rows before it has one. */
const withoutToken = rowsWith(shop, games).with(4, 'Order Desk, bot, 356 users');

describe('Browsing', () => {
  let window: Window;
  let service: InterceptedSandbox;

  const group = (name: string) => window.row(`${name}, group`);
  const lines = () => window.page.locator('.editor-instance .view-line');
  const shot = (name: string) => restingScreenshot(window, `browsing-${name}`);
  /** Presses a key and waits until the row with this name has the focus. */
  const pressUntilFocused = async (key: string, name: string) => {
    await window.page.locator('.customview-tree .monaco-list:focus').waitFor();
    await window.page.keyboard.press(key);
    await window.page.locator(`.customview-tree .focused[aria-label^="${name}"]`).waitFor();
  };
  const focusView = async () => {
    await window.input.waitFor({ state: 'hidden' });
    await window.command('Bot Chats: Focus on Chats View');
    // Closing it restores the focus.
    await window.input.waitFor({ state: 'hidden' });
    await keepsFocus(window.page, '.customview-tree .monaco-list');
  };

  before(async () => {
    service = await serveIntercepted();
    const lists = {
      'botChats.groups': ['518204736', '531048827'],
      'botChats.bots': ['30481126'],
      'botChats.people': ['7058314'],
      'botChats.watching.words': ['kettle', '水壶'],
    };
    window = await openWindow({ settings: lists });
  });
  after(async () => {
    await window?.close();
    await service?.close();
  });

  it('starts in the walkthrough, which leads into the sandbox with the keyboard alone', async () => {
    await showWalkthrough(window);
    await shot('1-walkthrough');
    await runStep(window, 'Try the Sandbox', 'Try the Sandbox');
    await completedStep(window, 'sandbox').waitFor();
    await expectRows(window.page, withoutToken);
    await window.page.locator('.getting-started-step.expanded', { hasText: 'Look Around' }).waitFor();
    await shot('1-look-around');
    await runStep(window, 'Look Around', 'Open Bot Chats');
    // That the sidebar is shown isn't enough.
    assert.equal(await completedStep(window, 'browse').count(), 0);
    await window.command('Bot Chats: Open Message History');
    await window.input.getByRole('option', { name: 'Fern & Kettle' }).click();
    await (await window.webview('Fern & Kettle: the shop team')).locator('article').first().waitFor();
    await window.command('View: Close Editor');
  });

  it('connects to a service, says at once if nothing answers there or a token is wrong', async () => {
    const { page } = window;
    const stopped = await serveSandbox();
    await stopped.close();
    await window.command('Bot Chats: Connect to Your Service…');
    await enter(window, 'Lookup API URL (web_url)', stopped.sandbox.webUrl);
    await window.input.getByText("Can't connect to the service (ECONNREFUSED).").waitFor();
    await shot('2-nothing-answers');
    await enter(window, 'Press Enter to use it anyway.', service.sandbox.webUrl);
    await enter(window, 'Bot API URL (open_api_url)', service.sandbox.openApiUrl);
    await window.input.getByText('Set Bot Token').waitFor();
    await page.keyboard.press('Escape');
    await expectRows(page, [noToken, ...withoutToken]);
    await window.row(noToken).click();
    await window.input.getByRole('option', { name: 'Order Desk' }).click();
    await enter(window, 'Token for bot 30481126', 'a-wrong-token');
    await window.input.getByText('The token is wrong. Press Enter to use it anyway.').waitFor();
    await answerPrompt(window, 'The token is wrong.', service.sandbox.token('30481126') ?? '');
    await expectRows(page, rowsWith(shop, games));
    await window.toast('Saved the token').waitFor();
    await window.clearNotifications();
  });

  it('adds the IDs of a pasted list that exist, and says which do not', async () => {
    const { page } = window;
    await clickRowButton(window.row('Groups, 2'), 'Add Group…');
    await window.input.getByText('Add Groups').waitFor();
    await page.evaluate(() => navigator.clipboard.writeText('524317890\nnosuch, 518204736\r\n\n559902341'));
    // The row that was clicked may take the focus from the box.
    const box = window.input.locator('input:visible').first();
    await box.press('Control+V');
    await box.press('Enter');
    const found = window.input.getByPlaceholder('One of them is already in the sidebar.');
    await found.waitFor();
    const item = (name: RegExp, checked: boolean) =>
      window.input.locator('.monaco-list').getByRole('checkbox', { name, checked }).first();
    await item(/周末读书会, 524317890 · 96 members, Found$/, true).waitFor();
    await item(/nosuch, Group nosuch doesn't exist\./, false).waitFor();
    await shot('5-found');
    // The list may still be redrawn with what was found, and the sidebar may take the focus from its box.
    await repeatUntil(window.input.waitFor({ state: 'hidden' }), () => found.press('Enter'));
    await page.locator('.monaco-list-row.focused', { hasText: 'Release watch' }).waitFor();
    await expectRows(page, rowsWith(shop, games, reading, release));
  });

  it('inserts the ID of a row dropped into a document, and moves one dropped on another', async () => {
    const { page } = window;
    await window.openFile('announcement.md');
    // A card that opens during a drag may stay open, and cover what the pointer is to reach.
    await window.configure({ 'workbench.hover.delay': NEVER });
    // VS Code loses drops while it is busy.
    await repeatUntil(lines().filter({ hasText: '524317890' }).first(), async () => {
      await drag(page, group('周末读书会'), lines().filter({ hasText: 'status page' }));
      await page.locator('.monaco-editor .dnd-target').waitFor();
      await shot('7-drag');
      await page.mouse.up();
    });
    await drag(page, group('Release watch'), group('Fern & Kettle: the shop team'));
    await page.mouse.up();
    await expectRows(page, rowsWith(release, shop, games, reading));
    await window.configure({ 'workbench.hover.delay': 500 });
  });

  it('works with the keyboard: copies, moves, renames, removes and filters rows, and opens a history', async () => {
    const { page } = window;
    await window.configure({ 'botChats.groups': ['518204736', '531048827', '524317890'] });
    await expectRows(page, rowsWith(shop, games, reading));
    await focusView();
    await pressUntilFocused('Home', 'Groups, 3');
    await pressUntilFocused('ArrowDown', shop);
    await page.keyboard.press('ArrowRight');
    await window.row('ID: 518204736').waitFor();
    for (const detail of ['ID', 'Name']) await pressUntilFocused('ArrowDown', detail);
    await page.keyboard.press('Control+C');
    await expectClipboard(page, 'Fern & Kettle: the shop team');
    await pressUntilFocused('ArrowLeft', shop);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Alt+ArrowDown');
    await expectRows(page, rowsWith(games, shop, reading));
    await pressUntilFocused('ArrowUp', games);
    await page.keyboard.press('F2');
    await answerPrompt(window, 'Enter your own name for Board games after work', 'Tuesdays');
    await expectRows(page, rowsWith(tuesdays, shop, reading));
    // Selects the focused row, then moves the focus: only that row is removed.
    await page.keyboard.press('Control+Shift+Enter');
    await page.locator('.selected[aria-label^="Tuesdays"]').waitFor();
    await pressUntilFocused('ArrowDown', shop);
    await page.keyboard.press('Delete');
    await expectRows(page, rowsWith(tuesdays, reading));
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectRows(page, rowsWith(tuesdays, shop, reading));
    await focusView();
    await page.keyboard.press('Control+F');
    await window.input.getByText('Filter by Name or ID').first().waitFor();
    await page.keyboard.type('读书');
    await window.row('Groups, 1 of 3').waitFor();
    await page.keyboard.press('Escape');
    await filterNoteRemoved(page);
    await focusView();
    await pressUntilFocused('Home', 'Groups, 3');
    for (const name of ['Tuesdays', shop]) await pressUntilFocused('ArrowDown', name);
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Watch for New Messages' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem', { name: 'Watch for New Messages' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    const history = await window.webview('Fern & Kettle: the shop team');
    await history.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
    await window.command('View: Close Editor');
  });

  it('counts new messages of a watched chat on its row and the icon, until it is read', async () => {
    const { page } = window;
    const name = 'Fern & Kettle: the shop team, group';
    const checked = service.answered('/bot/messages');
    await clickRowButton(window.row(name), 'Watch for New Messages');
    // The pointer still rests on the row.
    await window.row(name).getByRole('button', { name: 'Stop Watching' }).waitFor();
    await checked;
    await send(service, '518204736', '30527740', 'And the ferns are watered.');
    await selectFromContextMenu(page, window.row(name), 'Refresh');
    await window.row(`${name}, 1 new · 342 members`).waitFor();
    await page.getByRole('tab', { name: 'Bot Chats - 1 new message' }).waitFor();
    // VS Code hides the hover of a row that is painted again, and shows none while the pointer rests.
    await repeatUntil(page.locator('.monaco-hover:visible').getByText('Watching as Order Desk · 1 new'), async () => {
      await window.row(alice).hover();
      await window.row(name).hover();
    });
    await shot('8-watched');
    await page.keyboard.press('Escape');
    await window.openFile('announcement.md');
    await page.keyboard.press('Control+F8');
    const history = await window.webview('Fern & Kettle: the shop team');
    await history.locator('.day.new + .entry', { hasText: 'And the ferns are watered.' }).waitFor();
    await window.row(`${name}, watching · 342 members`).waitFor();
    await page.getByRole('tab', { name: 'Bot Chats', exact: true }).waitFor();
  });

  it('lists what needs the user in watched chats, and goes through it with the keyboard', async () => {
    const { page } = window;
    const name = 'Fern & Kettle: the shop team';
    // In an open history, they would be read at once.
    await window.command('View: Close Editor');
    const question = await send(service, '518204736', '30481126', 'Who is in tomorrow?');
    const reply = await send(service, '518204736', '30527740', 'I am, from nine on.');
    await send(service, '518204736', '30527740', '水壶 is broken: the new Kettle comes on Monday.');
    listAsReply(service, reply, question);
    await selectFromContextMenu(page, window.row(`${name}, group`), 'Refresh');
    await window.row(`${name}, group, 2 new · reply to the bot, “kettle”, “水壶” · 342 members`).waitFor();
    await window.toast(`New for you in ${name} (reply to the bot, “kettle”, “水壶”)`).waitFor();
    await window.clearNotifications();
    await page.getByRole('button', { name: 'Activity (2) Section' }).click();
    await window.row(`${name}, unread · “kettle”, “水壶”, `).waitFor();
    await window.row(`${name}, unread · reply to the bot, `).waitFor();
    await shot('9-activity');
    await window.command('Bot Chats: Focus on Activity View');
    await window.input.waitFor({ state: 'hidden' });
    await keepsFocus(page, '.pane:has([aria-label="Activity (2) Section"]) .monaco-list');
    await page.keyboard.press('F8');
    const history = await window.webview(name);
    await history.locator('.entry', { hasText: 'the new Kettle comes on Monday' }).waitFor();
    // Reading the newest message there has marked all as read.
    await window.row(`${name}, “kettle”, “水壶”, `).waitFor();
    await window.row(`${name}, reply to the bot, `).waitFor();
    await window.row(`${name}, group, watching · 342 members`).waitFor();
    await page.keyboard.press('F8');
    await history.locator(':focus', { hasText: 'I am, from nine on.' }).waitFor();
    service.intercept = () => undefined;
    await page.getByRole('button', { name: 'Activity (2) Section' }).click();
    await window.row(`${name}, reply to the bot, `).waitFor({ state: 'hidden' });
    await window.command('View: Close Editor');
  });

  it('sends an Explorer file to the row it is dropped on, but never on Enter alone', async () => {
    const { page } = window;
    // Moving one view to the other side shows both at once.
    await window.command('View: Move View');
    await window.input.getByRole('option', { name: 'Bot Chats' }).click();
    await window.input.getByRole('option', { name: 'New Secondary Side Bar Entry' }).click();
    await window.command('Explorer: Focus on Folders View');
    const file = page.locator('.sidebar').getByRole('treeitem', { name: 'announcement.md' });
    await drag(page, file, window.row(alice));
    await page.mouse.up();
    await window.dialog.getByText('Send “announcement.md” as Order Desk to 1 person?').waitFor();
    await window.dialog.getByText('• Alice Fernhollow (7058314)').waitFor();
    await shot('9-dropped-file');
    await page.keyboard.press('Enter');
    await window.input.getByText('1 Selected', { exact: true }).waitFor();
    await window.input.locator('input:focus').waitFor();
    await page.keyboard.press('Enter');
    await window.dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Sent: 1 of 1 reached.').first().waitFor();
  });

  it('has completed the steps of the walkthrough that were taken', async () => {
    await showWalkthrough(window);
    for (const name of ['sandbox', 'browse', 'connect', 'token', 'read', 'send'])
      await completedStep(window, name).waitFor();
    await shot('10-completed');
  });
});
