import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Profile } from './profile.ts';

const COMMANDS = [
  { command: 'test.settings', title: 'Test: Apply Settings' },
  { command: 'test.terminal', title: 'Test: Open Terminal' },
];

const MAIN = `const { readFileSync } = require('node:fs');
const { commands, EventEmitter, window, workspace } = require('vscode');

/** Applies the settings file beside the workspace folder, then shows its name in the status bar. */
async function applySettings() {
  const { name, settings } = JSON.parse(readFileSync(workspace.workspaceFolders[0].uri.fsPath + '.settings.json', 'utf8'));
  for (const [id, value] of Object.entries(settings)) await workspace.getConfiguration().update(id, value, true);
  const status = window.createStatusBarItem();
  status.text = name;
  status.show();
}

/** Opens a terminal with one line. No shell, because native modules may be missing. */
function openTerminal() {
  const written = new EventEmitter();
  const pty = { onDidWrite: written.event, open: () => written.fire('sent to 518204736 and 7058314 ok'), close() {} };
  window.createTerminal({ name: 'Test', pty }).show();
}

exports.activate = ({ subscriptions }) => {
  subscriptions.push(commands.registerCommand('test.settings', applySettings));
  subscriptions.push(commands.registerCommand('test.terminal', openTerminal));
};
`;

/** Installs an extension with test commands that would be slow, or need a shell, in the interface. */
export function addHelper(profile: Profile): Promise<void> {
  return addExtension(profile, { name: 'helper', contributes: { commands: COMMANDS } }, MAIN);
}

const OPENS_WALKTHROUGH = `const { commands } = require('vscode');

exports.activate = async ({ globalState }) => {
  if (globalState.get('shown')) return;
  await globalState.update('shown', true);
  await commands.executeCommand('workbench.action.openWalkthrough', 'bot-chats.bot-chats#start');
};
`;

/** Installs an extension that opens the walkthrough when VS Code starts for the first time. */
export function addWelcome(profile: Profile): Promise<void> {
  return addExtension(profile, { name: 'welcome', activationEvents: ['onStartupFinished'] }, OPENS_WALKTHROUGH);
}

/** What an extension's `package.json` says besides what is the same for all. */
interface Manifest {
  readonly name: string;
  readonly activationEvents?: readonly string[];
  readonly contributes?: object;
}

async function addExtension({ extensions }: Profile, about: Manifest, main: string): Promise<void> {
  const folder = join(extensions, `test.${about.name}-0.0.1`);
  const manifest = {
    ...about,
    publisher: 'test',
    version: '0.0.1',
    engines: { vscode: '^1.105.0' },
    main: './main.cjs',
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.cjs'), main);
}
