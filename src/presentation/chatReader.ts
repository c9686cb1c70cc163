/** Choosing a chat, by a link or a row, and the bots that read chats. */

import * as v from 'valibot';
import { Uri } from 'vscode';
import { excerpt } from '../markup/escapeInvisible.ts';
import { ResourceArgument } from '../platform/commandArguments.ts';
import { serviceDigest } from '../platform/durableFiles.ts';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import type { BotChat } from '../protocol/botChat.ts';
import { type LinkedMessage, parseChatLink } from '../protocol/chatLink.ts';
import { attachedBot, type Chat, isSame } from '../service/model.ts';
import { nameOrId } from './describe.ts';
import { UserFacingError } from './errorText.ts';
import { formatCount } from './formats.ts';
import { l10n, type ShownText } from './shown.ts';

/** A chat as a bot reads it, with the chat's name, or its ID if that isn't known. */
export interface NamedBotChat {
  readonly botChat: BotChat;
  readonly name: string;
}

type ReaderHost = Pick<Host, 'access' | 'store' | 'tokens'>;

interface ReaderStore {
  readonly store: Pick<Host['store'], 'find' | 'get'>;
}

/** A chat and, if known, the bot to read it with, and one of its messages. */
export type ChosenChat = Chat & { botId?: string | undefined; msgId?: string | undefined };

/** How much of a link that can't be opened is shown (UTF-16 units). */
const MAX_LINK = 200;

/** What a link names. @throws UserFacingError if it isn't a link of this extension */
export function readLink(address: Uri | string): LinkedMessage {
  const uri = typeof address === 'string' ? Uri.parse(address.trim()) : address;
  const link = parseChatLink(uri);
  if (link) return link;
  throw new UserFacingError(l10n.t("This link can't be opened: {0}", excerpt(uri.toString(true), MAX_LINK)));
}

/** The chat of a link, which names no service openly. @throws UserFacingError if it's of another service than this one */
export async function linkedChat(
  { digest, kind, id, botId, msgId }: LinkedMessage,
  { address }: Pick<Service, 'address'>,
): Promise<ChosenChat> {
  if (digest !== (await serviceDigest(address)))
    throw new UserFacingError(l10n.t('This link belongs to another service. Connect to that service to open it.'));
  return { kind, id, ...(botId !== undefined && { botId }), ...(msgId !== undefined && { msgId }) };
}

/** The chat in a command argument; undefined for bots and detail rows. */
export function chatOf(given: object | undefined): ChosenChat | undefined {
  const { success, output } = v.safeParse(ResourceArgument, given);
  return success && output.kind !== 'bot' ? { kind: output.kind, id: output.id, botId: output.botId } : undefined;
}

/** Chooses the bot that reads a chat, as {@link chooseReaders} does for several. Undefined if the user cancels. */
export async function chooseReader(host: ReaderHost, chat: ChosenChat): Promise<NamedBotChat | undefined> {
  return (await chooseReaders(host, [chat]))?.[0];
}

/**
 * Chooses the bots that read chats: for each the one given, or else the last one used for it, the one that watches it, or
 * the one attached to the group. For all chats where none is known, or with `ask` for all, the user picks one. Undefined if
 * the user cancels.
 */
export async function chooseReaders(
  host: ReaderHost,
  chats: readonly ChosenChat[],
  { ask = false } = {},
): Promise<NamedBotChat[] | undefined> {
  const { access, store } = host;
  const service = await access.openService();
  if (!service) return undefined;
  const wanted = await Promise.all(
    chats.map(async (chat) => ({
      ...chat,
      preferred: ask ? undefined : (chat.botId ?? (await likelyReader(host, chat, service))),
    })),
  );
  const title = ([first, ...others]: readonly Chat[]) =>
    first && others.length === 0
      ? l10n.t('Read the history of {0} as which bot?', nameOrId(service.directory, first.kind, first.id))
      : l10n.t('Read {0} chats as which bot?', formatCount(others.length + 1));
  const chosen = await chooseBots(host, service, wanted, { title, ask });
  for (const { chat, botId } of chosen ?? []) {
    const { kind, id } = chat;
    const isGiven = !ask && chat.botId;
    if (!isGiven && botId !== lastReader(host, chat, service))
      await store.remember('readers', { service: service.address, kind, id }, { botId });
  }
  return chosen?.map(({ chat, botId }) => ({
    botChat: { service: service.address, kind: chat.kind, id: chat.id, botId },
    name: nameOrId(service.directory, chat.kind, chat.id),
  }));
}

/**
 * Chooses the bots that read chats: for each its `preferred` one, if that has a token, and for all others one that is chosen as
 * `Access.chooseBot` does, asking with a `title`. Undefined if the user cancels.
 */
export async function chooseBots<C extends Chat & { readonly preferred: string | undefined }>(
  { access, tokens }: Pick<Host, 'access' | 'tokens'>,
  service: Service,
  chats: readonly C[],
  { title, ask = false }: { title: (asked: readonly C[]) => ShownText; ask?: boolean },
): Promise<{ chat: C; botId: string }[] | undefined> {
  const [only, another] = chats;
  const saved = another ? await tokens.bots(service) : [];
  const knownOf = ({ preferred }: C) => (preferred !== undefined && saved.includes(preferred) ? preferred : undefined);
  const asked = chats.filter((chat) => knownOf(chat) === undefined);
  let chosen: string | undefined;
  if (asked.length > 0) {
    chosen = await access.chooseBot(service, title(asked), another ? undefined : only?.preferred, asked, ask);
    if (chosen === undefined) return undefined;
  }
  return chats.flatMap((chat) => {
    const botId = knownOf(chat) ?? chosen;
    return botId === undefined ? [] : [{ chat, botId }];
  });
}

/** The last bot used for a chat, or the one that watches it or is attached to the group; undefined if there's none. */
export async function likelyReader(
  { store }: ReaderStore,
  chat: Chat,
  service: Pick<Service, 'address' | 'directory'>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  return lastReader({ store }, chat, service) ?? (await attachedBotId(chat, service, signal));
}

function lastReader(
  { store }: ReaderStore,
  chat: Chat,
  { address: service }: Pick<Service, 'address'>,
): string | undefined {
  const isWatched = (one: BotChat) => one.service === service && isSame(one, chat);
  return (store.find('readers', { service, kind: chat.kind, id: chat.id }) ?? store.get('watched').find(isWatched))
    ?.botId;
}

/** The bot attached to a group; undefined if there is none or the lookup fails. */
async function attachedBotId(
  { kind, id }: Chat,
  { directory }: Pick<Service, 'directory'>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (kind !== 'group') return undefined;
  try {
    const found = await directory.get('group', id, { signal });
    return found.kind === 'group' ? attachedBot(found.resource)?.botId : undefined;
  } catch {
    return undefined;
  }
}
