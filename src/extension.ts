/** Composes the rooms. Nothing here calls the service or reads a secret: that waits until the person does something. */
import { type ExtensionContext, window } from 'vscode';
import { registerChats } from './chats/index.ts';
import { registerConnecting } from './connecting/index.ts';
import { registerHistory } from './history/index.ts';
import { registerLookup } from './lookup/index.ts';
import { registerSending } from './sending/index.ts';
import { commandRegistrar } from './workbench/commands.ts';
import { Connection } from './workbench/connection.ts';
import { Tokens } from './workbench/tokens.ts';

let connection: Connection | undefined;

export function activate({ extensionUri, globalStorageUri, secrets, subscriptions }: ExtensionContext): void {
  const log = window.createOutputChannel('Bot Chats', { log: true });
  const register = commandRegistrar(log);
  connection = new Connection({ folder: globalStorageUri, log });
  const tokens = new Tokens(secrets);

  const connecting = registerConnecting(connection, tokens, register);
  const { openService, chooseBot, setToken } = connecting;
  const history = registerHistory(
    { connection, tokens, extension: extensionUri, log, openService, chooseBot, setToken },
    register,
  );
  const sending = { tokens, openService, chooseBot, setToken, delivered: history.loadNewer, openHistory: history.open };

  subscriptions.push(
    log,
    connection,
    ...connecting.disposables,
    ...registerChats(connection, register),
    ...history.disposables,
    ...registerSending(sending, register),
    ...registerLookup(connection),
  );
}

/** Resolves when what outlives the window is written. */
export async function deactivate(): Promise<void> {
  await connection?.close();
}
