import { OLDEST } from '../host/install.ts';
import { type Editor, startEditor, type Window } from '../host/window.ts';
import { hoverUntil } from './editorMouse.ts';
import { inView } from './seeing.ts';
import { testSettings } from './shared.ts';
import { selectFromContextMenu } from './workbenchActions.ts';

const SHOP = 'Fern & Kettle: the shop team';

/** The first run installs it from npm. */
const INSTALLING = 600_000;

describe('The oldest supported VS Code', () => {
  let editor: Editor;
  let window: Window;

  before(async function () {
    this.timeout(INSTALLING);
    editor = await startEditor({ version: OLDEST });
    window = await editor.open({ settings: { ...testSettings, 'botChats.service.sandbox': true } });
  });
  after(() => editor?.close());

  it('lists chats by name, shows a hover card for an ID, and opens a history', async () => {
    const { page } = window;
    await page.getByRole('tab', { name: 'Bot Chats' }).click();
    await window.row(`${SHOP}, group, 342 members`).waitFor();
    await window.openFile('announcement.md');
    await page.locator('.detected-link', { hasText: '7058314' }).waitFor();
    await hoverUntil(page, '7058314', page.locator('.monaco-hover:visible').getByText('Alice Fernhollow').first());
    await page.keyboard.press('Escape');
    await window.row(SHOP).click();
    const history = await window.webview(SHOP);
    await inView(history.getByRole('heading', { name: 'Order FK-84758' }));
    await history.getByRole('table').first().waitFor();
    await window.screenshot('oldest-2-history');
  });

  it('sends a Markdown file, reports who received it, and shows the message in the history', async () => {
    const { page } = window;
    await window.openFile('announcement.md');
    await window.command('Bot Chats: Send Draft…');
    await window.input.getByRole('option', { name: 'Order Desk' }).click();
    for (const id of ['518204736', '7058314'])
      await window.input.locator('.monaco-list-row', { hasText: id }).first().click();
    await window.input.locator('input:focus').waitFor();
    await page.keyboard.press('Enter');
    await window.dialog.getByText('as Order Desk to 2 chats (groups: 1, people: 1)?').waitFor();
    await window.dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Sent: 2 of 2 reached.').first().waitFor();
    await page.getByRole('button', { name: 'Open Report' }).click();
    const report = await window.webview('Delivery Report', 'Delivery of “Maintenance on Saturday”');
    await report.getByRole('cell', { name: 'reached' }).nth(1).waitFor();
    await window.screenshot('oldest-3-report');
    await page.getByRole('tab', { name: SHOP }).click();
    const history = await window.webview(SHOP);
    await inView(history.getByRole('heading', { name: 'Maintenance on Saturday' }));
  });

  it('archives a chat with the SQLite of its extension host, and finds a word in it', async () => {
    const { page } = window;
    await selectFromContextMenu(page, window.row(SHOP), 'Archive Messages…', 'History and Archive');
    await window.input.getByRole('option', { name: 'Entire History' }).waitFor();
    await page.keyboard.press('Enter');
    await window.row(`${SHOP}, until`).waitFor();
    await window.command('Bot Chats: Search Messages…');
    const search = await window.webview('Search Messages');
    await search.getByRole('searchbox').pressSequentially('mainten');
    await search.locator('mark', { hasText: 'Maintenance' }).first().waitFor();
    await window.screenshot('oldest-4-found');
  });
});
