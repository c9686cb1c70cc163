// The time from clicking a chat in a real window until its newest message can be read. The control is another extension,
// from clicking its row until the single line in its panel can be read: the time VS Code takes to open any webview.
import type { Profile } from '../host/profile.ts';
import { openWindow, type Window } from '../host/window.ts';
import { findHistory, messagesOf, saveToken } from '../window/historyDriver.ts';
import { serveIntercepted } from '../window/interceptedSandbox.ts';
import { inView } from '../window/seeing.ts';
import { compared, type Round, type Row } from './bench.ts';
import { addView, VIEW } from './control.ts';

const ROUNDS = 8;
const NAME = 'Fern & Kettle: the shop team';
const GROUP = '518204736';
const BOT = '30481126';

export async function bench(): Promise<Row[]> {
  const service = await serveIntercepted();
  const lists = { 'botChats.groups': [GROUP], 'botChats.bots': [BOT], 'botChats.people': [] };
  const window = await openWindow({ settings: { ...service.settings, ...lists }, prepare: addControl });
  try {
    const show = async (view: string) => {
      const tab = window.page.locator('.activitybar').getByRole('tab', { name: view, exact: view === VIEW });
      // Clicking the active view would hide it.
      if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
    };
    await show('Bot Chats');
    await window.page.getByRole('treeitem', { name: `${NAME}, group, 342 members` }).waitFor();
    const words = { title: 'Bot Chats: Set Bot Token…', asks: `Token for bot ${BOT}`, bot: 'Order Desk' };
    await saveToken(window, { ...words, token: service.sandbox.token(BOT) ?? '' });
    const msgId = (await messagesOf(service, GROUP, BOT)).at(-1)?.msgId ?? '';

    const openOurs = async () => {
      await show('Bot Chats');
      return opened(window, NAME, async () => {
        const { article } = await findHistory(window, NAME);
        await inView(article({ msgId, parentId: '', sendTime: 0, contentType: '', content: {} }));
      });
    };
    const openControl = async () => {
      await show(VIEW);
      return opened(window, VIEW, async () => inView((await window.webview(VIEW)).locator('#line')));
    };
    // The first panel of each kind loads shared code.
    await openOurs();
    await openControl();
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = round % 2 === 0 ? await openControl() : undefined;
      const ours = await openOurs();
      rounds.push({ ours, control: before ?? (await openControl()) });
    }
    const what = 'click until the newest message can be read, compared with an empty panel';
    return compared(what, rounds, 1.3, ['newest message', 'line in an empty panel']);
  } finally {
    await window.close();
    await service.close();
  }
}

/** Clicks a row and closes the panel that opens. Returns the milliseconds until it could be read. */
async function opened(window: Window, name: string, isRead: () => Promise<void>): Promise<number> {
  const row = window.page.getByRole('treeitem', { name }).first();
  await row.waitFor();
  const start = performance.now();
  await row.click();
  await isRead();
  const time = performance.now() - start;
  await window.command('View: Close Editor');
  await window.page.locator('.tabs-container').getByRole('tab', { name }).waitFor({ state: 'hidden' });
  return time;
}

/** Installs an extension with a row that opens a panel with one line. */
function addControl(profile: Profile): Promise<string> {
  const script = `const { commands, TreeItem, ViewColumn, window } = require('vscode');
exports.activate = () => {
  const row = new TreeItem('${VIEW}');
  row.command = { command: 'control.open', title: 'Open' };
  window.registerTreeDataProvider('control.rows', { getTreeItem: (item) => item, getChildren: (item) => (item ? [] : [row]) });
  commands.registerCommand('control.open', () => {
    const panel = window.createWebviewPanel('control', '${VIEW}', ViewColumn.Active, { enableScripts: true });
    panel.webview.html = '<!DOCTYPE html><html><body><p id="line">A line</p></body></html>';
  });
};
`;
  return addView(profile, script);
}
