/** Creates what features share, once at activation. */
import { type ExtensionContext, window } from 'vscode';
import { Audiences } from './audiences.ts';
import { ChatEvents } from './chatEvents.ts';
import { Commands } from './commands.ts';
import { Connection } from './connection.ts';
import type { Host } from './host.ts';
import { ListSettings } from './listSettings.ts';
import { MentionedIds } from './mentionedIds.ts';
import { Settings } from './settings.ts';
import { Store } from './store.ts';
import { Tokens } from './tokens.ts';

interface Deferred {
  openService: typeof import('./openService.ts').openService;
  showError(error: unknown): Promise<void>;
}

/** `load` loads what activation doesn't need. Makes no request and reads no secret. */
export function createPlatform(context: ExtensionContext, load: () => Promise<Deferred>): Omit<Host, 'access'> {
  const { extensionUri, globalState, globalStorageUri: storageUri, secrets, subscriptions } = context;
  const log = window.createOutputChannel('Bot Chats', { log: true });
  const settings = new Settings();
  const connection = new Connection(settings, async () => {
    const { openService } = await load();
    return openService(settings.service, { folder: storageUri, log });
  });
  const commands = new Commands(async (error) => {
    log.error(error instanceof Error ? error : String(error));
    const { showError } = await load();
    await showError(error);
  });
  const chatEvents = new ChatEvents();
  const mentionedIds = new MentionedIds();
  subscriptions.push(log, connection, chatEvents, mentionedIds);
  return {
    audiences: new Audiences(),
    chatEvents,
    commands,
    connection,
    extensionUri,
    lists: new ListSettings(),
    log,
    mentionedIds,
    settings,
    storageUri,
    store: new Store(globalState),
    tokens: new Tokens(secrets),
  };
}
