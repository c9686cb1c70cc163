import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Profile } from './profile.ts';

/** What the helper's commands ask for. */
export const ASKS = 'The argument in JSON';

const COMMANDS = [
  { command: 'test.settings', title: 'Test: Apply Settings' },
  { command: 'test.open', title: 'Test: Open File' },
  { command: 'test.terminal', title: 'Test: Open Terminal' },
  { command: 'test.tool', title: 'Test: Call Tool' },
];

const MAIN = `const { commands, EventEmitter, lm, Uri, window, workspace } = require('vscode');

/** Asks the driver for the argument. A browser's extension host has no files for it. */
const ask = async () => JSON.parse(await window.showInputBox({ prompt: '${ASKS}', ignoreFocusOut: true }));

/** Says in the status bar that something is done. */
function showDone(name, result) {
  const status = window.createStatusBarItem();
  status.text = name;
  if (result !== undefined) status.accessibilityInformation = { label: result };
  status.show();
}

async function applySettings() {
  const { name, settings } = await ask();
  for (const [id, value] of Object.entries(settings)) await workspace.getConfiguration().update(id, value, true);
  showDone(name);
}

/** Calls a tool as an agent would. Its result, or its error, is what a screen reader reads in the status bar. */
async function callTool() {
  const { name, tool, input } = await ask();
  const result = await lm.invokeTool(tool, { input, toolInvocationToken: undefined }).then(
    ({ content }) => content.map(({ value }) => value).join(''),
    (error) => String(error),
  );
  showDone(name, result);
}

async function openFile() {
  await window.showTextDocument(Uri.parse(await ask()), { preview: false });
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
  subscriptions.push(commands.registerCommand('test.open', openFile));
  subscriptions.push(commands.registerCommand('test.terminal', openTerminal));
};
`;

/** Installs an extension with test commands that would be slow, or need a shell, in the interface. */
export function addHelper(profile: Profile): Promise<string> {
  return addExtension(profile, { name: 'helper', contributes: { commands: COMMANDS } }, MAIN, ['main', 'browser']);
}

const OPENS_WALKTHROUGH = `const { commands } = require('vscode');

exports.activate = async ({ globalState }) => {
  if (globalState.get('shown')) return;
  await globalState.update('shown', true);
  await commands.executeCommand('workbench.action.openWalkthrough', 'bot-chats.bot-chats#start');
};
`;

/** Installs an extension that opens the walkthrough when VS Code starts for the first time. */
export function addWelcome(profile: Profile): Promise<string> {
  return addExtension(profile, { name: 'welcome', activationEvents: ['onStartupFinished'] }, OPENS_WALKTHROUGH);
}

/** What an extension's `package.json` says besides what is the same for all. */
interface Manifest {
  readonly name: string;
  readonly activationEvents?: readonly string[];
  readonly enabledApiProposals?: readonly string[];
  readonly contributes?: object;
}

/**
 * Installs an extension with one script, or replaces it. Resolves to its folder.
 * @param entries the extension hosts that can run it: Node's (`main`), the browser's (`browser`)
 */
export async function addExtension(
  { extensions }: Pick<Profile, 'extensions'>,
  about: Manifest,
  script: string,
  entries: readonly ('main' | 'browser')[] = ['main'],
): Promise<string> {
  const folder = join(extensions, `test.${about.name}-0.0.1`);
  const manifest = {
    ...about,
    publisher: 'test',
    version: '0.0.1',
    engines: { vscode: '^1.105.0' },
    capabilities: { untrustedWorkspaces: { supported: true } },
    ...Object.fromEntries(entries.map((entry) => [entry, './main.cjs'])),
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.cjs'), script);
  return folder;
}
