/** Connecting to a service, choosing a bot, and its token. */
import { type Disposable, l10n } from 'vscode';
import type { Access, Host } from '../platform/host.ts';
import { showInfo } from '../presentation/dialogs.ts';

type Load = () => Promise<
  Pick<typeof import('./bots.ts'), 'chooseBot' | 'removeToken' | 'setToken'> &
    Pick<typeof import('./connect.ts'), 'connect' | 'useSandbox'> &
    Pick<typeof import('./sandboxLeftovers.ts'), 'offerToRemoveLeftovers'>
>;

export function registerConnecting(platform: Omit<Host, 'access'>, load: Load) {
  const { commands, connection, lists, settings, tokens } = platform;
  const access: Access = {
    async openService() {
      if ((await connection.state()) === 'none' && !(await offerConnection())) return undefined;
      return connection.open();
    },
    chooseBot: async (service, title, preferred) =>
      (await load()).chooseBot(service, { tokens, lists }, title, preferred),
    setToken: async (service, botId) => (await load()).setToken(service, { tokens, lists }, botId),
  };

  async function offerConnection(): Promise<boolean> {
    const connect = l10n.t('Connect to Your Service…');
    const sandbox = l10n.t('Try the Sandbox');
    const chosen = await showInfo(l10n.t("You're not connected to a service yet."), connect, sandbox);
    if (chosen === sandbox) await (await load()).useSandbox(settings);
    return chosen === sandbox || (chosen === connect && (await (await load()).connect(settings)));
  }

  const disposables: Disposable[] = [
    commands.register('connect', async () => {
      const { sandbox } = (await connection.state()) === 'sandbox' ? await connection.open() : {};
      if (!(await (await load()).connect(settings))) return;
      const service = await connection.open();
      if ((await tokens.bots(service)).length === 0) await access.setToken(service);
      if (sandbox) await (await load()).offerToRemoveLeftovers(sandbox, lists);
    }),
    commands.register('trySandbox', async () => (await load()).useSandbox(settings)),
    commands.register('setToken', async (bot) => {
      const service = await access.openService();
      if (service) await access.setToken(service, bot?.id);
    }),
    commands.register('removeToken', async () => {
      const service = await access.openService();
      if (service) await (await load()).removeToken(service, { tokens, lists });
    }),
  ];
  return { access, disposables };
}
