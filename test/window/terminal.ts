import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Profile } from '../host/profile.ts';

/** An extension that opens a terminal in which a line stands, on `Open Test Terminal`: there is no shell to start here. */
export async function addTerminal({ extensions }: Profile): Promise<void> {
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
