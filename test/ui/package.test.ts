import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root, temporaryFolder } from '../host/places.ts';
import { openWindow, type Window } from '../host/window.ts';

describe('The packed extension, installed into the VS Code server', () => {
  let window: Window;

  before(async function () {
    this.timeout(180_000);
    const vsix = join(await temporaryFolder('vsix'), 'bot-chats.vsix');
    // Only the registered script knows how the extension is packed; the build it makes is not the one under test.
    await promisify(execFile)('npm', ['run', 'package', '--', '--out', vsix], { cwd: root });
    window = await openWindow({ vsix, settings: { 'botChats.service.sandbox': true } });
  });
  after(() => window?.close());

  it('names chats in the sidebar and renders a history', async () => {
    const { page } = window;
    await page.getByRole('tab', { name: 'Bot Chats' }).click();
    await page.getByRole('treeitem', { name: 'Fern & Kettle: the shop team, group, 342 members' }).click();
    const history = await window.webview('Fern & Kettle: the shop team');
    await history.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
    await history.getByRole('button', { name: 'Copy the number' }).last().waitFor();
  });
});
