/** Composes the rooms. Nothing here calls the service or reads a secret: that waits until the person does something. */
import { type ExtensionContext, window } from 'vscode';
import { registerConnecting } from './connecting/index.ts';
import { registerHistory } from './history/index.ts';
import { registerLookup } from './ids/index.ts';
import { commandRegistrar } from './platform/commands.ts';
import { Connection } from './platform/connection.ts';
import { Tokens } from './platform/tokens.ts';
import { registerSending } from './sending/index.ts';
import { registerChats } from './sidebar/index.ts';

/** A file of its own, which the build leaves out of the one that VS Code activates. */
const later = () => import('./lazy.js');

let connection: Connection | undefined;
let sending: ReturnType<typeof registerSending> | undefined;

export function activate(context: ExtensionContext): void {
  const { extensionUri, globalState: memory, globalStorageUri, secrets, subscriptions } = context;
  const log = window.createOutputChannel('Bot Chats', { log: true });
  const register = commandRegistrar(log, later);
  connection = new Connection(async () => (await later()).openService({ folder: globalStorageUri, log }));
  const tokens = new Tokens(secrets);

  const connecting = registerConnecting(connection, tokens, register, later);
  const { openService, chooseBot, setToken } = connecting;
  const acting = { connection, tokens, memory, openService, chooseBot, setToken };
  const history = registerHistory(
    {
      ...acting,
      extension: extensionUri,
      storage: globalStorageUri,
      log,
      seen: (place, mark) => chats.seen(place, mark),
      met: (references) => lookup.met(references),
    },
    register,
    later,
  );
  const { open: openHistory, openPreview, loadNewer } = history;
  sending = registerSending(
    { ...acting, storage: globalStorageUri, delivered: loadNewer, openHistory, openPreview },
    register,
    later,
  );
  const chats = registerChats({ ...acting, send: sending.send, loadNewer, openHistory }, register, later);
  const lookup = registerLookup({ ...acting, named: sending.named }, register, later);

  subscriptions.push(
    log,
    connection,
    ...connecting.disposables,
    ...chats.disposables,
    ...history.disposables,
    ...sending.disposables,
    ...lookup.disposables,
  );
}

/** Resolves when what outlives the window is written. */
export async function deactivate(): Promise<void> {
  await Promise.all([sending?.close(), connection?.close()]);
}
