/** What is asked before a service can be used, and what the commands of connecting do. Loaded on first use. */
import { l10n, commands as vscodeCommands } from 'vscode';
import type { Host } from '../platform/host.ts';
import { showInfo } from '../presentation/dialogs.ts';
import { chooseBot, removeToken, setToken } from './bots.ts';
import { addBotChats } from './chatsOfBots.ts';
import { connect, offerToRemoveLeftovers, useSandbox } from './connect.ts';
import type { Access } from './contract.ts';

/** Opens the walkthrough at the step after the sandbox. */
const NEXT_STEP = [
  'workbench.action.openWalkthrough',
  { category: 'bot-chats.bot-chats#start', step: 'browse' },
] as const;

type ConnectingHost = Pick<Host, 'connection' | 'lists' | 'settings' | 'store' | 'tokens'>;
type Bot = { readonly id: string };

/** `openService` is that of the {@link Access}. */
export function connectingCommands(host: ConnectingHost, openService: Access['openService']) {
  const { connection, lists, settings, tokens } = host;
  return {
    chooseBot: (service, ...asked) => chooseBot(service, host, ...asked),
    saveToken: (service, botId) => setToken(service, host, botId),
    /** Offers to connect to a service, or to use the sandbox. Resolves to whether the user has done so. */
    async offerConnection(): Promise<boolean> {
      const other = l10n.t('Connect to Your Service…');
      const sandbox = l10n.t('Try the Sandbox');
      const chosen = await showInfo(l10n.t("You're not connected to a service yet."), other, sandbox);
      if (chosen === sandbox) await useSandbox(host);
      return chosen === sandbox || (chosen === other && (await connect(settings)));
    },

    async connect(): Promise<void> {
      const { sandbox } = (await connection.state()) === 'sandbox' ? await connection.open() : {};
      if (!(await connect(settings))) return;
      const service = await connection.open();
      if ((await tokens.bots(service)).length === 0) await setToken(service, host);
      if (sandbox) await offerToRemoveLeftovers(sandbox, lists);
    },
    async trySandbox(clickedIn?: 'walkthrough'): Promise<void> {
      await useSandbox(host);
      await vscodeCommands.executeCommand('botChats.chats.focus');
      if (clickedIn === 'walkthrough') await vscodeCommands.executeCommand(...NEXT_STEP);
    },
    async setToken(bot?: Bot): Promise<void> {
      const service = await openService();
      if (service) await setToken(service, host, bot?.id);
    },
    async addBotChats(bot?: Bot): Promise<void> {
      const service = bot && (await openService());
      if (service) await addBotChats(service, lists, bot.id);
    },
    async removeToken(bot?: Bot): Promise<void> {
      const service = await openService();
      if (service) await removeToken(service, host, bot?.id);
    },
  } satisfies { chooseBot: Access['chooseBot']; saveToken: Access['setToken'] } & Record<string, unknown>;
}
