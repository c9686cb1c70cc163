import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyRepository } from '../host/places.ts';
import { openWindow, type Window } from '../host/window.ts';

describe('The packed extension, installed into the VS Code server', () => {
  let window: Window;

  before(async function () {
    this.timeout(180_000);
    // Only the registered script knows how the extension is packed. It builds it, which the build under test survives.
    const cwd = await copyRepository();
    await promisify(execFile)('npm', ['run', 'package'], { cwd });
    window = await openWindow({ vsix: join(cwd, 'bot-chats.vsix'), settings: { 'botChats.service.sandbox': true } });
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
