/**
 * Connecting to a service, or to the sandbox, whose chats stay in the user's lists once these were edited; and what else is asked
 * before a service can be used. Loaded on first use.
 */
import { commands as vscodeCommands } from 'vscode';
import type { Host } from '../platform/host.ts';
import { addEntries, type Lists, removeIds } from '../platform/idLists.ts';
import type { ListSettings } from '../platform/listSettings.ts';
import { isBrowser } from '../platform/node.ts';
import type { Service } from '../platform/service.ts';
import type { ServiceSettings, Settings } from '../platform/settings.ts';
import { askCheckedInput, orUseAnyway, showInfo } from '../presentation/dialogs.ts';
import { addressProblem, errorText, quote } from '../presentation/errorText.ts';
import { l10n, type ShownText, shownText } from '../presentation/shown.ts';
import { readAddress } from '../service/address.ts';
import { isFailure } from '../service/errors.ts';
import { KINDS } from '../service/model.ts';
import type { Api } from '../service/operations.ts';
import { type Finding, probe } from '../service/probe.ts';
import { truncate } from '../service/truncate.ts';
import { chooseBot, removeToken, setToken } from './bots.ts';
import { addBotChats } from './chatsOfBots.ts';
import type { Access } from './contract.ts';

/** How much of a response fits below an input, in characters. */
const EXCERPT = 80;

/** What the two addresses are called, and which calls they get. */
const ADDRESSES = {
  lookups: {
    setting: 'webUrl',
    prompt: () => l10n.t('Lookup API URL (web_url)'),
    use: () => ({ token: false }),
  },
  bots: {
    setting: 'openApiUrl',
    prompt: () => l10n.t('Bot API URL (open_api_url). Bot tokens are sent only to this address.'),
    use: ({ allowPlainHttp }: ServiceSettings) => ({ token: true, allowPlainHttp }),
  },
} as const;

const otherThan = (api: Api): Api => (api === 'lookups' ? 'bots' : 'lookups');

/** Opens the walkthrough at the step after the sandbox. */
const NEXT_STEP = [
  'workbench.action.openWalkthrough',
  { category: 'bot-chats.bot-chats#start', step: 'browse' },
] as const;

type ConnectingHost = Pick<Host, 'connection' | 'lists' | 'settings' | 'store' | 'tokens'>;
type Bot = { readonly id: string };

/** What connecting does for other features, and its commands. `openService` is that of the {@link Access}. */
export function createConnecting(host: ConnectingHost, openService: Access['openService']) {
  const { connection, lists, settings, tokens } = host;
  const access: Pick<Access, 'chooseBot' | 'setToken'> = {
    chooseBot: (service, ...asked) => chooseBot(service, host, ...asked),
    setToken: (service, botId) => setToken(service, host, botId),
  };
  const commands = {
    async connect(): Promise<void> {
      const { sandbox } = (await connection.state()) === 'sandbox' ? await connection.open() : {};
      if (!(await connect(settings))) return;
      const service = await connection.open();
      if ((await tokens.bots(service)).length === 0) await access.setToken(service);
      if (sandbox) await offerToRemoveLeftovers(sandbox, lists);
    },
    async trySandbox(clickedIn?: 'walkthrough'): Promise<void> {
      await useSandbox(host);
      await vscodeCommands.executeCommand('botChats.chats.focus');
      if (clickedIn === 'walkthrough') await vscodeCommands.executeCommand(...NEXT_STEP);
    },
    async setToken(bot?: Bot): Promise<void> {
      const service = await openService();
      if (service) await access.setToken(service, bot?.id);
    },
    async addBotChats(bot?: Bot): Promise<void> {
      const service = bot && (await openService());
      if (service) await addBotChats(service, lists, bot.id);
    },
    async removeToken(bot?: Bot): Promise<void> {
      const service = await openService();
      if (service) await removeToken(service, host, bot?.id);
    },
  };
  /** Offers to connect to a service, or to use the sandbox. Resolves to whether the user has done so. */
  async function offerConnection(): Promise<boolean> {
    const other = l10n.t('Connect to Your Service…');
    const sandbox = l10n.t('Try the Sandbox');
    const chosen = await showInfo(l10n.t("You're not connected to a service yet."), other, sandbox);
    if (chosen === sandbox) await useSandbox(host);
    return chosen === sandbox || (chosen === other && (await connect(settings)));
  }
  return { access, commands, offerConnection };
}

/** Asks for the two addresses of a service, tries each, and saves them. Resolves to false if the user cancels. */
export async function connect(settings: Settings): Promise<boolean> {
  const saved = settings.service;
  const title = l10n.t('Connect to Your Service (1 of 2)');
  const first = await askAddress({ title, api: 'lookups', value: saved.webUrl, saved, swaps: true });
  if (!first) return false;
  const api = otherThan(first.api);
  const usual = saved[ADDRESSES[api].setting];
  const second = await askAddress({
    title: l10n.t('Connect to Your Service (2 of 2)'),
    api,
    // The other address is left if the settings were the wrong way round.
    value: first.url === usual ? saved[ADDRESSES[first.api].setting] : usual,
    saved,
  });
  if (!second) return false;
  const urls = [first, second].map(({ api, url }) => [ADDRESSES[api].setting, url]);
  await settings.saveService({ ...Object.fromEntries(urls), sandbox: false });
  return true;
}

/**
 * Uses the sandbox as the service. Addresses that were set stay. Its items come back into lists that were edited while
 * another service was connected.
 */
export async function useSandbox({ connection, lists, settings }: Pick<Host, 'connection' | 'lists' | 'settings'>) {
  const isBack = (await connection.state()) === 'service';
  await settings.saveService({ sandbox: true });
  if (!isBack) return;
  const service = await connection.open();
  for (const kind of KINDS) {
    const entries = service.sandbox?.[kind].map((id) => ({ id })) ?? [];
    await lists.edit(kind, service, (before) => addEntries(before, entries));
  }
}

interface AddressQuestion {
  title: ShownText;
  /** The operations that are to answer at the address. */
  api: Api;
  value: string;
  saved: ServiceSettings;
  /** Whether the other address may be given first. */
  swaps?: boolean;
}

/** Asks for an address. Resolves to the address and what answers there; undefined if the user cancels. */
async function askAddress(question: AddressQuestion): Promise<{ api: Api; url: string } | undefined> {
  const { title, api, value, saved, swaps = false } = question;
  const { prompt, use } = ADDRESSES[api];
  /** The address that the user was offered to use as the other one. */
  let swapped: string | undefined;
  const entered = await askCheckedInput({
    title,
    prompt: prompt(),
    value,
    placeholder: shownText`https://`,
    validate: (text) => {
      const read = readAddress(text, use(saved));
      return 'problem' in read ? l10n.t("This address can't be used. {0}", addressProblem(read.problem)) : undefined;
    },
    check: async (text, signal) => {
      const read = readAddress(text, use(saved));
      if ('problem' in read) return undefined;
      const finding = await probe(api, read.url, { signal, inBrowser: isBrowser() });
      const canSwap = swaps && 'url' in readAddress(text, ADDRESSES[otherThan(api)].use(saved));
      if (finding.is !== 'other' || !canSwap) return warningAbout(finding, api);
      swapped = text;
      return l10n.t("This is the bot API's address (open_api_url). Press Enter to use it as that.");
    },
  });
  if (entered === undefined) return undefined;
  const answers = entered === swapped ? otherThan(api) : api;
  const read = readAddress(entered, ADDRESSES[answers].use(saved));
  return 'url' in read ? { api: answers, url: read.url } : undefined;
}

/** What speaks against an address for lookups, or for the operations of bots. */
function warningAbout(finding: Finding, api: Api): ShownText | undefined {
  switch (finding.is) {
    case 'expected':
      return undefined;
    case 'other':
      return orUseAnyway(
        api === 'bots'
          ? l10n.t("This is the lookup API's address (web_url), not the bot API's.")
          : l10n.t("This is the bot API's address (open_api_url), not the lookup API's."),
      );
    case 'unclear': {
      const text = errorText(finding.error);
      return orUseAnyway(
        api === 'bots'
          ? l10n.t("It isn't clear if this is the bot API. {0}", text)
          : l10n.t("It isn't clear if this is the lookup API. {0}", text),
      );
    }
    case 'missing':
      return orUseAnyway(absenceText(finding.error));
  }
}

/** What answers at an address instead of the service. */
function absenceText(error: unknown): ShownText {
  if (isFailure(error, 'rejected')) {
    const { status, code, text } = error.failure;
    return l10n.t(
      "This isn't the service: it returned HTTP status {0}, error {1} ({2}).",
      status,
      code,
      quote(truncate(text, EXCERPT)),
    );
  }
  if (isFailure(error, 'notEnvelope', 'http')) {
    const { status, excerpt } = error.failure;
    return l10n.t(
      "This isn't the service: it returned HTTP status {0} ({1}).",
      status,
      quote(truncate(excerpt, EXCERPT)),
    );
  }
  return errorText(error);
}

/** Offers to remove the sandbox's chats from the lists after connecting to another service. */
export async function offerToRemoveLeftovers(
  sandbox: NonNullable<Service['sandbox']>,
  settings: ListSettings,
): Promise<void> {
  const leftovers = KINDS.map((kind) => {
    const own = new Set(sandbox[kind]);
    const ids = settings.read(kind, {}).entries.map(({ id }) => id);
    return { kind, ids: new Set(ids.filter((id) => own.has(id))) };
  });
  const count = leftovers.reduce((sum, { ids }) => sum + ids.size, 0);
  if (count === 0) return;
  const remove = l10n.t('Remove Sandbox Items');
  const text =
    count === 1
      ? l10n.t("1 sandbox item is still in the sidebar. Your service doesn't have it.")
      : l10n.t("{0} sandbox items are still in the sidebar. Your service doesn't have them.", count);
  if ((await showInfo(text, remove)) !== remove) return;
  for (const { kind, ids } of leftovers)
    await settings.edit(kind, {}, (lists) => withoutEmpty(removeIds(lists, ids), lists));
}

/** Unsets lists that became empty: an empty list would hide the sandbox's chats when it is used again. */
function withoutEmpty(lists: Lists, before: Lists): Lists {
  const unless = (list: unknown, was: unknown) =>
    Array.isArray(list) && list.length === 0 && list !== was ? undefined : list;
  return { workspace: unless(lists.workspace, before.workspace), user: unless(lists.user, before.user) };
}
