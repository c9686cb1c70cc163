/** Creates what features share from activation on. */
import { type ExtensionContext, window } from 'vscode';
import { toError } from '../service/errors.ts';
import { ChatEvents } from './chatEvents.ts';
import type { parseArguments } from './commandArguments.ts';
import { Commands } from './commands.ts';
import type { Platform, Stored } from './host.ts';
import { MentionedIds } from './mentionedIds.ts';
import { Connection } from './service.ts';
import { Settings } from './settings.ts';
import { Tokens } from './tokens.ts';

interface Deferred {
  parseArguments: typeof parseArguments;
  openService: typeof import('./openService.ts').openService;
  showError(error: unknown): Promise<void>;
  stored: Pick<Stored, 'files' | 'lists'>;
}

/** `load` loads what activation doesn't need. Makes no request and reads no secret. */
export function createPlatform(context: ExtensionContext, load: () => Promise<Deferred>): Platform {
  const { extensionUri, globalState: memento, globalStorageUri: storageUri, secrets, subscriptions } = context;
  const { workspaceState: workspaceMemento } = context;
  const log = window.createOutputChannel('Bot Chats', { log: true });
  const settings = new Settings();
  const connection = new Connection(settings, async () => {
    const { openService, stored } = await load();
    return openService(settings, { files: stored.files, lists: stored.lists, log });
  });
  const commands = new Commands(load, async (error) => {
    log.error(toError(error));
    const { showError } = await load();
    await showError(error);
  });
  const chatEvents = new ChatEvents();
  const mentionedIds = new MentionedIds();
  const tokens = new Tokens(secrets, memento);
  subscriptions.push(log, connection, chatEvents, mentionedIds, tokens);
  return {
    chatEvents,
    commands,
    connection,
    extensionUri,
    log,
    memento,
    mentionedIds,
    settings,
    storageUri,
    tokens,
    workspaceMemento,
  };
}
