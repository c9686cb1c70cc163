/** Composes the features. Nothing here calls the service or reads a secret: that waits until the user does something. */
import { commands, type ExtensionContext } from 'vscode';
import { registerAgent } from './agent/index.ts';
import { registerAudiences } from './audiences/index.ts';
import { registerArchiving } from './chats/archiving/index.ts';
import { registerHistory } from './chats/history/index.ts';
import { registerConnecting } from './connecting/index.ts';
import { registerDeliveries } from './deliveries/index.ts';
import { registerIds } from './ids/index.ts';
import { registerMoving } from './moving/index.ts';
import { createPlatform } from './platform/createPlatform.ts';
import { once } from './platform/defer.ts';
import { registerSidebar } from './sidebar/index.ts';

let close = async () => {};

export function activate(context: ExtensionContext): void {
  const loadFirst = once(() => loadFirstView(context));
  const load = once(async () => ({ ...(await loadFirst()), ...(await import('./lazy.js')) }));
  const platform = createPlatform(context, loadFirst);
  const connecting = registerConnecting(platform, load);
  const host = { ...platform, access: connecting.access };
  const archiving = registerArchiving(host, load);
  const history = registerHistory(host, archiving, load);
  const deliveries = registerDeliveries(host, archiving.archive, load);
  const sidebar = registerSidebar(host, deliveries, archiving.archived, loadFirst);
  const ports = {
    activity: sidebar.activity,
    deliveries: deliveries.deliveries,
    drafts: deliveries.drafts,
    messages: history.messages,
    search: archiving.search,
  };
  // Completes a step of the walkthrough. Tools run no commands themselves.
  const workedWithAgent = () => void commands.executeCommand('setContext', 'botChats.hasWorkedWithAgent', true);
  context.subscriptions.push(
    ...connecting.disposables,
    ...archiving.disposables,
    ...history.disposables,
    ...deliveries.disposables,
    ...sidebar.disposables,
    ...registerAudiences(host, deliveries, load),
    ...registerMoving(host, { outbox: deliveries.moves, archive: archiving.moves }, load),
    ...registerIds(host, load),
    ...registerAgent(host, ports, workedWithAgent, load),
  );
  close = async () => {
    await Promise.all([archiving.close(), deliveries.close(), platform.connection.close()]);
  };
}

/** The build keeps `firstView.ts` and `lazy.ts` out of the file that VS Code activates. */
async function loadFirstView({ globalState, globalStorageUri }: ExtensionContext) {
  const { createStored, ...first } = await import('./firstView.js');
  return { ...first, stored: createStored(globalState, globalStorageUri) };
}

/** Resolves when what outlives the window is written. */
export const deactivate = () => close();
