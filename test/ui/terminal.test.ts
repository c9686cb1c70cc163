import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Profile } from '../host/profile.ts';
import { openWindow, type Window } from '../host/window.ts';
import { hoverText } from './seeing.ts';

/** An extension that opens a terminal in which a line stands: there is no shell to start here. */
async function addTerminal({ extensions }: Profile): Promise<void> {
  const folder = join(extensions, 'test.terminal-0.0.1');
  const manifest = {
    name: 'terminal',
    publisher: 'test',
    version: '0.0.1',
    engines: { vscode: '^1.100.0' },
    main: './main.cjs',
    contributes: { commands: [{ command: 'test.terminal', title: 'Open Test Terminal' }] },
  };
  const main = `const { commands, EventEmitter, window } = require('vscode');
exports.activate = () => commands.registerCommand('test.terminal', () => {
  const written = new EventEmitter();
  const pty = { onDidWrite: written.event, open: () => written.fire('sent to 518204736 and 7058314 ok'), close() {} };
  window.createTerminal({ name: 'Test', pty }).show();
});`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.cjs'), main);
}

describe('A terminal', () => {
  let window: Window;

  before(async () => {
    window = await openWindow({
      settings: { 'botChats.service.sandbox': true, 'terminal.integrated.gpuAcceleration': 'off' },
      prepare: addTerminal,
    });
    await window.command('Open Test Terminal');
  });
  after(() => window?.close());

  it('has links that lead to the history of a group, and to what is known of a user', async () => {
    const { page } = window;
    const follow = async (id: string) => {
      await page.keyboard.down('Control');
      await hoverText(page, id, '.xterm-rows > div');
      await page.locator('.xterm-rows span[style*=underline]', { hasText: id }).waitFor();
      await page.mouse.down();
      await page.mouse.up();
      await page.keyboard.up('Control');
    };
    await follow('7058314');
    await page.locator('.quick-input-widget:visible').getByText('Days online in a row').waitFor();
    await window.screenshot('terminal');
    await page.keyboard.press('Escape');
    await follow('518204736');
    const history = await window.webview('Fern & Kettle: the shop team');
    await history.getByRole('heading', { name: 'Order FK-84758' }).waitFor();
  });
});
