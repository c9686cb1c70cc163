import assert from 'node:assert/strict';
import { commands, extensions, type TreeView } from 'vscode';
import { registerArchiving } from '../../src/chats/archiving/index.ts';
import { registerHistory } from '../../src/chats/history/index.ts';
import { registerDeliveries } from '../../src/deliveries/index.ts';
import { lazy } from '../../src/platform/defer.ts';
import { answer, restore } from '../unit/answers.ts';
import { newHost } from '../unit/test-host.ts';
import { startService, type TestService } from '../unit/test-service.ts';

// Starts while the test files load, before any other test can activate the extension.
const activated = activateAgainstService();
// Shared by the whole run, because all tests use the same settings.
before(() => activated);

async function activateAgainstService(): Promise<{ active: boolean; requests: number }> {
  const service: TestService = await startService({ groups: ['518204736'], bots: ['30481126'], people: ['7058314'] });
  try {
    const extension = extensions.getExtension('bot-chats.bot-chats');
    await extension?.activate();
    // A round trip through the window lets everything that activation started run.
    await commands.getCommands();
    return { active: extension?.isActive === true, requests: service.requests.length };
  } finally {
    await service.close();
  }
}

/** The types of the restored webview panels. */
function restoredViewTypes(): string[] {
  const restored: string[] = [];
  const disposable = { dispose() {} };
  answer('registerWebviewPanelSerializer', (viewType) => {
    restored.push(viewType);
    return disposable;
  });
  answer('registerUriHandler', () => disposable);
  const nothing = async () => assert.fail('Nothing should load during registration.');
  const host = { ...newHost(), stored: lazy(nothing) };
  host.commands.register = () => disposable;
  // The extension has views of these names.
  const view = { ...disposable, onDidChangeSelection: () => disposable, onDidChangeVisibility: () => disposable };
  answer('createTreeView', () => view as unknown as TreeView<never>);
  const archiving = registerArchiving(host);
  const deliveries = registerDeliveries(host, archiving.archive);
  for (const registered of [archiving, deliveries].flatMap(({ disposables }) => disposables)) registered.dispose();
  registerHistory(host, archiving);
  host.connection.dispose();
  restore();
  return restored;
}

describe('Activation', () => {
  it('succeeds without sending requests', async () => {
    assert.deepEqual(await activated, { active: true, requests: 0 });
  });

  it('happens after startup, for hovers and watched chats, and before a history is restored or a link is opened', async () => {
    const events: string[] = extensions.getExtension('bot-chats.bot-chats')?.packageJSON.activationEvents;
    // VS Code adds the events of commands and views itself.
    const own = events.filter((event) => !/^on(Command|View):/.test(event));
    const panels = restoredViewTypes().map((type) => `onWebviewPanel:${type}`);
    assert.deepEqual(own.sort(), ['onStartupFinished', 'onUri', ...panels].sort());
  });

  it('registers every command in the manifest', async () => {
    await activated;
    const manifest = extensions.getExtension('bot-chats.bot-chats')?.packageJSON;
    const contributed: string[] = manifest.contributes.commands.map(({ command }: { command: string }) => command);
    const registered = await commands.getCommands(true);
    assert.ok(contributed.length >= 10);
    assert.deepEqual(
      contributed.filter((command) => !registered.includes(command)),
      [],
    );
  });
});
