/** Choosing a bot, and saving or removing its token, which VS Code may not keep for long. */
import { commands, env, Uri } from 'vscode';
import { idInCell } from '../markup/listedId.ts';
import { isToken, pastedToken } from '../markup/pastedToken.ts';
import type { Host } from '../platform/host.ts';
import { addEntries } from '../platform/idLists.ts';
import type { Service } from '../platform/service.ts';
import type { Refusal, Tokens } from '../platform/tokens.ts';
import { KIND_ICONS, nameOrId, otherName, serviceName, singleLineName, summaryOf } from '../presentation/describe.ts';
import {
  askCheckedInput,
  askModal,
  type ListItem,
  listItem,
  orUseAnyway,
  pickOne,
  showInfo,
  showWarning,
} from '../presentation/dialogs.ts';
import { errorText } from '../presentation/errorText.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import { joinSentences } from '../presentation/formats.ts';
import { lookUp } from '../presentation/lookups.ts';
import { showError } from '../presentation/showError.ts';
import { l10n, type ShownText } from '../presentation/shown.ts';
import { ABOUT_KEYRINGS, isInBrowser, lossText, refusalOf, refusalText } from '../presentation/tokenState.ts';
import { type Clock, systemClock } from '../service/clock.ts';
import { isFailure, isRateLimited, isRefusal, mayNeedAddress, mayNeedToken } from '../service/errors.ts';
import type { Chat } from '../service/model.ts';
import { countChats, inChatsText, offerChats, whichBotText } from './chatsOfBots.ts';

type Ports = Pick<Host, 'lists' | 'store' | 'tokens'> & { readonly clock?: Clock };

/** For how long the names of bots are looked up before they can be chosen (milliseconds). */
const MAX_WAIT = 2_000;

/** The windows in which the user was told how long tokens are kept. */
const told = new WeakSet<Tokens>();

interface BotItem extends ListItem {
  botId: string;
}

/**
 * The bot to act as: `preferred` if it has a token, the only bot with a token, or, unless it `asks`, the only one that is
 * known to be in some of the chats, if it is in all; otherwise the user's choice, beginning with those that are known to be
 * in the chats. Asks for a token if no bot has one. Undefined if the user cancels.
 */
export async function chooseBot(
  service: Service,
  ports: Ports,
  title: ShownText,
  preferred?: string,
  chats: readonly Chat[] = [],
  asks = false,
): Promise<string | undefined> {
  const bots = await ports.tokens.bots(service);
  if (preferred && bots.includes(preferred)) return preferred;
  if (bots.length > 1) {
    const counts = await countChats(chats, service, ports.store);
    const countOf = (botId: string) => counts.get(botId) ?? 0;
    const sorted = bots.toSorted((one, other) => countOf(other) - countOf(one));
    const [first = '', second = ''] = sorted;
    if (!asks && chats.length > 0 && countOf(first) === chats.length && countOf(second) === 0) return first;
    const choices = items(service, sorted, ports, (botId) => inChatsText(countOf(botId), chats));
    return pick(service, choices, title, whichBotText(chats.length, countOf(first) > 0));
  }
  return bots[0] ?? askForFirstToken(service, ports);
}

/**
 * Asks for a bot and its token, tries the token, saves it and adds the bot to the sidebar. Resolves to the bot's ID;
 * undefined if the user cancels.
 */
export async function setToken(service: Service, ports: Ports, bot?: string): Promise<string | undefined> {
  const title = l10n.t('Set Bot Token');
  const botId = bot ?? (await askBot(service, ports, title));
  if (!botId) return undefined;
  const tokenProblem = (token: string) => {
    if (!token) return l10n.t("A token can't be empty.");
    return token === botId ? l10n.t("This is the bot's ID. Paste its token.") : undefined;
  };
  /** The token that the service has refused last. */
  let refused: { token: string; by: Refusal } | undefined;
  const pasted = await askCheckedInput({
    title,
    prompt: l10n.t(
      "Token for bot {0}. It's kept in VS Code's secret storage and sent only to {1}.",
      botId,
      serviceName(service.address),
    ),
    password: true,
    validate: (text) => tokenProblem(pastedToken(text)),
    check: async (text, signal) => {
      const token = pastedToken(text);
      const { warning, refusal } = await tryToken(service, botId, token, signal);
      refused = refusal && { token, by: refusal };
      return warning;
    },
  });
  if (pasted === undefined) return undefined;
  const note = await lifetimeNote(service, ports.tokens);
  await ports.tokens.set(
    service,
    botId,
    pastedToken(pasted),
    refused?.token === pastedToken(pasted) ? refused.by : undefined,
  );
  if (note) void showLifetime(note).catch(showError);
  // Completes a step of the walkthrough.
  await commands.executeCommand('setContext', 'botChats.hasSavedToken', true);
  // The token is saved, and can be used, even if the settings can't be written.
  await ports.lists
    .edit('bot', service, (lists) => addEntries(lists, [{ id: botId }]))
    .catch((error) => {
      void showError(error);
    });
  void offerChats(service, ports.lists, botId).catch(showError);
  return botId;
}

/** Removes the token of a bot once that is confirmed: of the given bot, or of one chosen among saved and lost tokens. */
export async function removeToken(service: Service, ports: Ports, bot?: string): Promise<void> {
  const nameOf = (botId: string) => singleLineName(nameOrId(service.directory, 'bot', botId));
  let botId = bot;
  if (bot === undefined) botId = await pickToRemove(service, ports);
  else {
    const remove = l10n.t('Remove Token');
    const detail = l10n.t("VS Code's secret storage forgets it. To set it again, you need the token.");
    if ((await askModal(l10n.t('Remove the token for bot {0}?', nameOf(bot)), detail, remove)) !== remove) return;
  }
  if (!botId) return;
  await ports.tokens.remove(service, botId);
  void showInfo(l10n.t('Removed the token for bot {0}.', nameOf(botId)));
}

async function pickToRemove(service: Service, ports: Ports): Promise<string | undefined> {
  const { tokens } = ports;
  const bots = [...(await tokens.saved(service)), ...(await tokens.lost(service))];
  if (bots.length > 0) return pick(service, items(service, bots, ports), l10n.t('Remove Bot Token'));
  void showInfo(l10n.t('No bot token is saved for {0}.', serviceName(service.address)));
  return undefined;
}

/** What speaks against using a token: the service's refusal, or why the service couldn't be asked. */
interface Trial {
  warning?: ShownText;
  refusal?: Refusal | undefined;
}

/** Lists a chat with a token (contract 4.4), which changes nothing. */
async function tryToken({ client }: Service, botId: string, token: string, signal: AbortSignal): Promise<Trial> {
  try {
    // Any chat will do: the service checks the token first.
    await client.messages(token, { kind: 'user', id: botId }, { latest: 1 }, signal);
    return {};
  } catch (error) {
    if (mayNeedToken(error)) return { warning: orUseAnyway(errorText(error)), refusal: refusalOf(error) };
    // The refusal is about something else, such as an unknown chat. At an unknown path, no token is checked.
    if (isRefusal(error) && !isRateLimited(error) && !mayNeedAddress(error)) return {};
    return { warning: orUseAnyway(l10n.t("The token couldn't be checked. {0}", errorText(error))) };
  }
}

async function askForFirstToken(service: Service, ports: Ports): Promise<string | undefined> {
  return (await askToSet(service, ports.tokens)) ? setToken(service, ports) : undefined;
}

/** Asks for a bot: one of the settings, or any other whose ID is typed. */
async function askBot(service: Service, ports: Ports, title: ShownText): Promise<string | undefined> {
  const { lists, tokens } = ports;
  const listed = lists.read('bot', service).entries.map(({ id }) => id);
  const configured = [...listed, ...(await tokens.bots(service))];
  if (configured.length > 0) {
    const other: BotItem = listItem({ icon: 'edit', label: l10n.t('Another bot…'), botId: '' });
    const known = items(service, [...new Set(configured)], ports);
    const botId = await pick(
      service,
      known.then((bots) => [...bots, other]),
      title,
    );
    if (botId !== '') return botId;
  }
  return askBotId(title, service, await knownTokens(service, tokens));
}

/** The tokens that are saved, and the sandbox's. */
async function knownTokens(service: Service, tokens: Ports['tokens']): Promise<ReadonlySet<string | undefined>> {
  const bots = await tokens.bots(service);
  return new Set(await Promise.all(bots.map((botId) => tokens.get(service, botId))));
}

/** An ID of more characters may be a token. IDs are opaque (contract 2.3), but all that were seen are much shorter. */
const MAX_USUAL_ID = 20;

/** Asks for a bot's ID. What may be a token is hidden, and never repeated. */
async function askBotId(
  title: ShownText,
  service: Service,
  tokens: ReadonlySet<string | undefined>,
): Promise<string | undefined> {
  const isLong = (id: string) => id.length > MAX_USUAL_ID;
  const mayBeToken = (id: string) => tokens.has(pastedToken(id)) || isToken(id);
  const typed = await askCheckedInput({
    title,
    prompt: l10n.t('Bot ID, such as 30481126. You enter its token next.'),
    hides: (text) => isLong(text.trim()) || mayBeToken(text),
    validate: (text) => {
      if (mayBeToken(text)) return l10n.t("This is a token. Enter the bot's ID here, and its token next.");
      return typedId(text) !== undefined ? undefined : l10n.t("Enter only the bot's ID: no spaces, address, or token.");
    },
    check: async (text, signal) => {
      const id = typedId(text) ?? '';
      if (isLong(id))
        return orUseAnyway(
          l10n.t("This is long for an ID. If it's a token, enter the bot's ID here, and the token next."),
        );
      // All IDs of bots that were seen are numbers. Anything else may be a token, which no lookup gets.
      return /^\d+$/.test(id) ? missingBot(service, id, signal) : undefined;
    },
  });
  return typed === undefined ? undefined : typedId(typed);
}

/** A warning if no bot has this ID. Trying the token wouldn't tell: it names no bot. */
async function missingBot(service: Service, id: string, signal: AbortSignal): Promise<ShownText | undefined> {
  const wanted = [{ id, kinds: ['bot'] as const }];
  const [[outcome] = []] = await lookUp(wanted, service, { accept: 'fresh', maxWait: MAX_WAIT, signal });
  return isFailure(outcome?.error, 'notFound') ? orUseAnyway(errorText(outcome.error)) : undefined;
}

/** The one ID in what was typed or pasted, without what may stand around it; undefined for an address or several words. */
function typedId(text: string): string | undefined {
  const found = idInCell(text);
  return 'id' in found && !/[:/]/.test(found.id) ? found.id : undefined;
}

/** Bots as items, each with its name, or its ID if the lookup takes long, and whether its token is refused. */
async function items(
  service: Service,
  botIds: readonly string[],
  { tokens, clock = systemClock }: Pick<Ports, 'clock' | 'tokens'>,
  noteOn: (botId: string) => ShownText = () => '',
): Promise<BotItem[]> {
  const wanted = botIds.map((id) => ({ id, kinds: ['bot'] as const }));
  await lookUp(wanted, service, { maxWait: MAX_WAIT, clock });
  return botIds.map((botId) => {
    const found = service.directory.peek('bot', botId);
    const refusal = tokens.refusal(service, botId);
    return listItem({
      icon: refusal ? 'warning' : KIND_ICONS.bot,
      label: nameOrId(service.directory, 'bot', botId),
      description: joinPhrases(
        otherName(service.directory, 'bot', botId),
        found && botId,
        noteOn(botId),
        found && summaryOf(found),
      ),
      detail: refusal && l10n.t('The token was refused. {0}', refusalText(refusal)),
      botId,
    });
  });
}

/** The list shows at once, busy while the names are looked up. */
async function pick(
  { address }: Service,
  choices: Promise<BotItem[]>,
  title: ShownText,
  hint?: ShownText,
): Promise<string | undefined> {
  const placeHolder = joinSentences(hint, l10n.t('Service: {0}', serviceName(address)));
  return (await pickOne(choices, { title, placeHolder, matchOnDescription: true }))?.botId;
}

/**
 * What to say, when a token is saved, about how long VS Code keeps it. Call it before saving: that VS Code forgets tokens
 * shows only in a later window, by a token that is gone. Undefined if there's nothing to say, or it was said in this
 * window.
 */
async function lifetimeNote(service: Service, tokens: Tokens): Promise<ShownText | undefined> {
  const isLost = (await tokens.lost(service)).length > 0;
  // A desktop without a keyring says so itself when it's given the first secret.
  const mayBeLost = isInBrowser() && !tokens.wasSaved();
  if (told.has(tokens) || !(isLost || mayBeLost)) return undefined;
  told.add(tokens);
  if (isLost) return lossText();
  return l10n.t(
    "In a browser, VS Code may keep the token only until this window is closed or reloaded. If so, you'll be asked for it again.",
  );
}

/** Shows how long VS Code keeps tokens and, where that's possible, how to have it keep them longer. */
async function showLifetime(note: ShownText): Promise<void> {
  const learn = l10n.t('Learn More');
  if ((await showInfo(note, ...learnActions(learn))) === learn) await learnMore();
}

/** Says that a token is needed, and why a saved one is gone. Resolves to true if the user wants to set a token. */
export async function askToSet(service: Service, tokens: Tokens): Promise<boolean> {
  const set = l10n.t('Set Bot Token…');
  const learn = l10n.t('Learn More');
  const name = serviceName(service.address);
  const isLost = (await tokens.lost(service)).length > 0;
  const chosen = isLost
    ? await showWarning(
        l10n.t('VS Code no longer has the bot token that you saved for {0}. {1}', name, lossText()),
        set,
        ...learnActions(learn),
      )
    : await showWarning(l10n.t('No bot token is saved for {0}. You need one to read and send messages.', name), set);
  if (chosen === learn) await learnMore();
  return chosen === set;
}

/** Only a desktop can be given a keyring. */
const learnActions = (learn: ShownText) => (isInBrowser() ? [] : [learn]);
const learnMore = () => env.openExternal(Uri.parse(ABOUT_KEYRINGS));
