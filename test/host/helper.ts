import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Profile } from './profile.ts';

const COMMANDS = [
  { command: 'test.settings', title: 'Test: Apply Settings' },
  { command: 'test.terminal', title: 'Test: Open Terminal' },
  { command: 'test.tool', title: 'Test: Call Tool' },
];

const MAIN = `const { readFileSync, writeFileSync } = require('node:fs');
const { commands, EventEmitter, lm, window, workspace } = require('vscode');

const fileBeside = (name) => workspace.workspaceFolders[0].uri.fsPath + '.' + name + '.json';
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Says in the status bar that something is done. */
function showDone(name) {
  const status = window.createStatusBarItem();
  status.text = name;
  status.show();
}

/** Applies the settings file beside the workspace folder. */
async function applySettings() {
  const { name, settings } = readJson(fileBeside('settings'));
  for (const [id, value] of Object.entries(settings)) await workspace.getConfiguration().update(id, value, true);
  showDone(name);
}

/** Calls the tool in the file beside the workspace folder, as an agent would, and writes its result or error there. */
async function callTool() {
  const { name, tool, input } = readJson(fileBeside('tool'));
  const result = await lm.invokeTool(tool, { input, toolInvocationToken: undefined }).then(
    ({ content }) => content.map(({ value }) => value).join(''),
    (error) => String(error),
  );
  writeFileSync(fileBeside('tool'), JSON.stringify({ result }));
  showDone(name);
}

/** Opens a terminal with one line. No shell, because native modules may be missing. */
function openTerminal() {
  const written = new EventEmitter();
  const pty = { onDidWrite: written.event, open: () => written.fire('sent to 518204736 and 7058314 ok'), close() {} };
  window.createTerminal({ name: 'Test', pty }).show();
}

exports.activate = ({ subscriptions }) => {
  subscriptions.push(commands.registerCommand('test.settings', applySettings));
  subscriptions.push(commands.registerCommand('test.tool', callTool));
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
  readonly enabledApiProposals?: readonly string[];
  readonly contributes?: object;
}

export async function addExtension({ extensions }: Profile, about: Manifest, main: string): Promise<void> {
  const folder = join(extensions, `test.${about.name}-0.0.1`);
  const manifest = {
    ...about,
    publisher: 'test',
    version: '0.0.1',
    engines: { vscode: '^1.105.0' },
    capabilities: { untrustedWorkspaces: { supported: true } },
    main: './main.cjs',
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.cjs'), main);
}
