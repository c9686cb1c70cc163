/** Creates what features share from activation on. */
import { type ExtensionContext, window } from 'vscode';
import { toError } from '../service/errors.ts';
import { ChatEvents } from './chatEvents.ts';
import { Commands } from './commands.ts';
import { part } from './defer.ts';
import type { Platform } from './host.ts';
import { MentionedIds } from './mentionedIds.ts';
import { Connection } from './service.ts';

/** `showError` shows an error of a command. Makes no request and reads no secret. */
export function createPlatform(context: ExtensionContext, showError: (error: unknown) => Promise<void>): Platform {
  const { extensionUri, globalState: memento, globalStorageUri: storageUri, secrets, subscriptions } = context;
  const { workspaceState: workspaceMemento } = context;
  const log = window.createOutputChannel('Bot Chats', { log: true });
  const stored = part(async () => {
    const { createStored } = await import('./createStored.ts');
    return createStored(memento, storageUri, secrets);
  });
  const connection = new Connection(
    async () => (await stored()).settings,
    async () => {
      const { openService } = await import('./openService.ts');
      const { settings, files, lists } = await stored();
      return openService(settings, { files, lists, log });
    },
  );
  const commands = new Commands(async (error) => {
    log.error(toError(error));
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
