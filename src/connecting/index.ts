/** Connecting to a service and keeping its bot tokens, wired to VS Code. */
import { type Disposable, l10n, window } from 'vscode';
import type { Register } from '../workbench/commands.ts';
import type { Connection } from '../workbench/connection.ts';
import type { Service } from '../workbench/service.ts';
import type { Tokens } from '../workbench/tokens.ts';

export function registerConnecting(connection: Connection, tokens: Tokens, register: Register) {
  const connecting = () => import('./connect.ts');
  const bots = () => import('./bots.ts');

  /** The service to use now. Where none is named yet it is asked for; undefined when the person stepped back. */
  const openService = async (): Promise<Service | undefined> => {
    if ((await connection.state()) === 'none' && !(await offerConnection())) return undefined;
    return connection.open();
  };
  const chooseBot = async (service: Service, title: string, preferred?: string) =>
    (await bots()).chooseBot(service, tokens, title, preferred);
  const setToken = async (service: Service, botId?: string) => (await bots()).setToken(service, tokens, botId);

  async function offerConnection(): Promise<boolean> {
    const connect = l10n.t('Connect to Your Service…');
    const sandbox = l10n.t('Try the Sandbox');
    const chosen = await window.showInformationMessage(l10n.t('No service is connected yet.'), connect, sandbox);
    if (chosen === sandbox) await (await connecting()).useSandbox();
    return chosen === sandbox || (chosen === connect && (await (await connecting()).connect()));
  }

  const disposables: Disposable[] = [
    register('connect', async () => {
      const { sandbox } = (await connection.state()) === 'sandbox' ? await connection.open() : {};
      if (!(await (await connecting()).connect())) return;
      const service = await connection.open();
      if ((await tokens.bots(service)).length === 0) await setToken(service);
      if (sandbox) await (await import('./leftovers.ts')).offerToRemoveLeftovers(sandbox);
    }),
    register('trySandbox', async () => (await connecting()).useSandbox()),
    // A bot's row in the sidebar names the bot.
    register('setToken', async (row?: { id?: unknown }) => {
      const service = await openService();
      if (service) await setToken(service, typeof row?.id === 'string' ? row.id : undefined);
    }),
    register('removeToken', async () => {
      const service = await openService();
      if (service) await (await bots()).removeToken(service, tokens);
    }),
  ];
  return { disposables, openService, chooseBot, setToken };
}
