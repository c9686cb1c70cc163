/** Connecting to a service, choosing a bot, and its token. */
import { type Disposable, l10n, commands as vscodeCommands } from 'vscode';
import type { Load, Platform } from '../platform/host.ts';
import { showInfo } from '../presentation/dialogs.ts';
import type { Access } from './contract.ts';

type Lazy = Pick<typeof import('./bots.ts'), 'chooseBot' | 'removeToken' | 'setToken'> &
  Pick<typeof import('./chatsOfBots.ts'), 'addBotChats'> &
  Pick<typeof import('./connect.ts'), 'connect' | 'offerToRemoveLeftovers' | 'useSandbox'>;

/** Opens the walkthrough at the step after the sandbox. */
const NEXT_STEP = [
  'workbench.action.openWalkthrough',
  { category: 'bot-chats.bot-chats#start', step: 'browse' },
] as const;

export function registerConnecting(platform: Platform, load: Load<Lazy>) {
  const { commands, connection, settings, tokens } = platform;
  const access: Access = {
    async openService() {
      if ((await connection.state()) === 'none' && !(await offerConnection())) return undefined;
      return connection.open();
    },
    chooseBot: async (service, ...asked) => {
      const { chooseBot, stored } = await load();
      return chooseBot(service, { tokens, ...stored }, ...asked);
    },
    setToken: async (service, botId) => {
      const { setToken, stored } = await load();
      return setToken(service, { tokens, ...stored }, botId);
    },
  };

  async function trySandbox(): Promise<void> {
    const { useSandbox, stored } = await load();
    await useSandbox({ connection, settings, ...stored });
  }

  async function offerConnection(): Promise<boolean> {
    const connect = l10n.t('Connect to Your Service…');
    const sandbox = l10n.t('Try the Sandbox');
    const chosen = await showInfo(l10n.t("You're not connected to a service yet."), connect, sandbox);
    if (chosen === sandbox) await trySandbox();
    return chosen === sandbox || (chosen === connect && (await (await load()).connect(settings)));
  }

  const disposables: Disposable[] = [
    commands.register('connect', async () => {
      const { sandbox } = (await connection.state()) === 'sandbox' ? await connection.open() : {};
      const { connect, offerToRemoveLeftovers, stored } = await load();
      if (!(await connect(settings))) return;
      const service = await connection.open();
      if ((await tokens.bots(service)).length === 0) await access.setToken(service);
      if (sandbox) await offerToRemoveLeftovers(sandbox, stored.lists);
    }),
    commands.register('trySandbox', async (clickedIn) => {
      await trySandbox();
      await vscodeCommands.executeCommand('botChats.chats.focus');
      if (clickedIn === 'walkthrough') await vscodeCommands.executeCommand(...NEXT_STEP);
    }),
    commands.register('setToken', async (bot) => {
      const service = await access.openService();
      if (service) await access.setToken(service, bot?.id);
    }),
    commands.register('addBotChats', async (bot) => {
      const service = bot && (await access.openService());
      const { addBotChats, stored } = await load();
      if (service) await addBotChats(service, stored.lists, bot.id);
    }),
    commands.register('removeToken', async (bot) => {
      const service = await access.openService();
      const { removeToken, stored } = await load();
      if (service) await removeToken(service, { tokens, ...stored }, bot?.id);
    }),
  ];
  return { access, disposables };
}
