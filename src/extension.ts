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
import { registerSidebar } from './sidebar/index.ts';

let close = async () => {};

export function activate(context: ExtensionContext): void {
  const platform = createPlatform(context, async (error) => {
    const { showError } = await import('./presentation/showError.ts');
    await showError(error);
  });
  const connecting = registerConnecting(platform);
  const host = { ...platform, access: connecting.access };
  const archiving = registerArchiving(host);
  const history = registerHistory(host, archiving);
  const deliveries = registerDeliveries(host, archiving.archive);
  const sidebar = registerSidebar(host, deliveries, archiving.archived);
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
    ...registerAudiences(host, deliveries),
    ...registerMoving(host, { outbox: deliveries.moves, archive: archiving.moves }),
    ...registerIds(host),
    ...registerAgent(host, ports, workedWithAgent),
  );
  close = async () => {
    await Promise.all([archiving.close(), deliveries.close(), platform.connection.close()]);
  };
}

/** Resolves when what outlives the window is written. */
export const deactivate = () => close();
