/** Composes the features, and what they share. Nothing here calls the service or reads a secret: that waits until the user does something. */
import { commands, type ExtensionContext, window } from 'vscode';
import { registerAgent } from './agent/index.ts';
import { registerAudiences } from './audiences/index.ts';
import { registerArchiving } from './chats/archiving/index.ts';
import { registerHistory } from './chats/history/index.ts';
import { registerConnecting } from './connecting/index.ts';
import { registerDeliveries } from './deliveries/index.ts';
import { registerIds } from './ids/index.ts';
import { registerMoving } from './moving/index.ts';
import { ChatEvents } from './platform/chatEvents.ts';
import { Commands } from './platform/commands.ts';
import { lazy } from './platform/defer.ts';
import type { Platform } from './platform/host.ts';
import { MentionedIds } from './platform/mentionedIds.ts';
import { Connection } from './platform/service.ts';
import { toError } from './service/errors.ts';
import { registerSidebar } from './sidebar/index.ts';

let close = async () => {};

export function activate(context: ExtensionContext): void {
  const platform = createPlatform(context);
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

/** Creates what features share from activation on. */
function createPlatform(context: ExtensionContext): Platform {
  const { extensionUri, globalState: memento, globalStorageUri: storageUri, secrets, subscriptions } = context;
  const { workspaceState: workspaceMemento } = context;
  const log = window.createOutputChannel('Bot Chats', { log: true });
  const stored = lazy(async () => {
    const { createStored } = await import('./platform/createStored.ts');
    return createStored(memento, storageUri, secrets);
  });
  const connection = new Connection(
    async () => (await stored()).settings,
    async () => {
      const { openService } = await import('./platform/openService.ts');
      const { settings, files, lists } = await stored();
      return openService(settings, { files, lists, log });
    },
  );
  const commands = new Commands(async (error) => {
    log.error(toError(error));
    const { showError } = await import('./presentation/showError.ts');
    await showError(error);
  });
  const chatEvents = new ChatEvents();
  const mentionedIds = new MentionedIds();
  subscriptions.push(log, connection, chatEvents, mentionedIds, {
    dispose: () => stored.loaded?.then(({ tokens }) => tokens.dispose()),
  });
  return {
    chatEvents,
    commands,
    connection,
    extensionUri,
    log,
    memento,
    mentionedIds,
    storageUri,
    stored,
    workspaceMemento,
  };
}

/** Resolves when what outlives the window is written. */
export const deactivate = () => close();
