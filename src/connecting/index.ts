/** Connecting to a service, choosing a bot, and its token. */
import type { Disposable } from 'vscode';
import { lazy, methodsOf } from '../platform/defer.ts';
import type { Platform } from '../platform/host.ts';
import type { Access } from './contract.ts';

export function registerConnecting(platform: Platform): { access: Access; disposables: Disposable[] } {
  const { commands, connection } = platform;
  const connecting = lazy(async () => {
    const { createConnecting } = await import('./connect.ts');
    return createConnecting({ connection, ...(await platform.stored()) }, access.openService);
  });
  const access: Access = {
    // If a service is set, nothing more is loaded.
    openService: async () => {
      if ((await connection.state()) === 'none' && !(await (await connecting()).offerConnection())) return undefined;
      return connection.open();
    },
    ...methodsOf(async () => (await connecting()).access, 'chooseBot', 'setToken'),
  };
  const disposables = commands.registerAll(
    async () => (await connecting()).commands,
    'addBotChats',
    'connect',
    'removeToken',
    'setToken',
    'trySandbox',
  );
  return { access, disposables };
}
