/** Connecting to a service and keeping its bot tokens, wired to VS Code. */
import { type Disposable, l10n } from 'vscode';
import type { Register } from '../platform/commands.ts';
import type { Connection } from '../platform/connection.ts';
import type { Service } from '../platform/service.ts';
import type { Tokens } from '../platform/tokens.ts';
import { showInfo } from '../presentation/dialogs.ts';

type Later = () => Promise<
  Pick<typeof import('./bots.ts'), 'chooseBot' | 'removeToken' | 'setToken'> &
    Pick<typeof import('./connect.ts'), 'connect' | 'useSandbox'> &
    Pick<typeof import('./leftovers.ts'), 'offerToRemoveLeftovers'>
>;

export function registerConnecting(connection: Connection, tokens: Tokens, register: Register, later: Later) {
  /** The service to use now. Where none is named yet it is asked for; undefined when the person stepped back. */
  const openService = async (): Promise<Service | undefined> => {
    if ((await connection.state()) === 'none' && !(await offerConnection())) return undefined;
    return connection.open();
  };
  const chooseBot = async (service: Service, title: string, preferred?: string) =>
    (await later()).chooseBot(service, tokens, title, preferred);
  const setToken = async (service: Service, botId?: string) => (await later()).setToken(service, tokens, botId);

  async function offerConnection(): Promise<boolean> {
    const connect = l10n.t('Connect to Your Service…');
    const sandbox = l10n.t('Try the Sandbox');
    const chosen = await showInfo(l10n.t('No service is connected yet.'), connect, sandbox);
    if (chosen === sandbox) await (await later()).useSandbox();
    return chosen === sandbox || (chosen === connect && (await (await later()).connect()));
  }

  const disposables: Disposable[] = [
    register('connect', async () => {
      const { sandbox } = (await connection.state()) === 'sandbox' ? await connection.open() : {};
      if (!(await (await later()).connect())) return;
      const service = await connection.open();
      if ((await tokens.bots(service)).length === 0) await setToken(service);
      if (sandbox) await (await later()).offerToRemoveLeftovers(sandbox);
    }),
    register('trySandbox', async () => (await later()).useSandbox()),
    // A bot's row in the sidebar names the bot.
    register('setToken', async (row?: { id?: unknown }) => {
      const service = await openService();
      if (service) await setToken(service, typeof row?.id === 'string' ? row.id : undefined);
    }),
    register('removeToken', async () => {
      const service = await openService();
      if (service) await (await later()).removeToken(service, tokens);
    }),
  ];
  return { disposables, openService, chooseBot, setToken };
}
