/** Connecting to a service, choosing a bot, and its token. */
import type { Disposable } from 'vscode';
import { part } from '../platform/defer.ts';
import type { Platform } from '../platform/host.ts';
import type { Access } from './contract.ts';

export function registerConnecting(platform: Platform): { access: Access; disposables: Disposable[] } {
  const { commands, connection } = platform;
  const connecting = part(async () => {
    const { connectingCommands } = await import('./connect.ts');
    return connectingCommands({ connection, ...(await platform.stored()) }, access.openService);
  });
  const access: Access = {
    // Loads nothing if there is a service.
    openService: async () => {
      if ((await connection.state()) === 'none' && !(await (await connecting()).offerConnection())) return undefined;
      return connection.open();
    },
    chooseBot: async (...asked) => (await connecting()).chooseBot(...asked),
    setToken: async (...asked) => (await connecting()).saveToken(...asked),
  };
  const disposables = commands.registerAll(
    connecting,
    'addBotChats',
    'connect',
    'removeToken',
    'setToken',
    'trySandbox',
  );
  return { access, disposables };
}
