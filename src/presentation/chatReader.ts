/** Choosing a chat, and the bot that reads it. */

import * as v from 'valibot';
import { l10n } from 'vscode';
import { ResourceArgument } from '../platform/commandArguments.ts';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import type { BotChat } from '../protocol/botChat.ts';
import { attachedBot, type Chat } from '../service/model.ts';
import { displayName } from './describe.ts';

/** Instead of a bot ID: ask the user. */
export const ASK = Symbol('ask');

/** A chat as a bot reads it, with the chat's name, or its ID if that isn't known. */
export interface NamedBotChat {
  readonly botChat: BotChat;
  readonly name: string;
}

interface ReaderStore {
  readonly store: Pick<Host['store'], 'find' | 'get'>;
}

/** A chat and, if known, the bot to read it with. */
export type ChosenChat = Chat & { botId?: string | undefined };

/** The chat in a command argument; undefined for bots and detail rows. */
export function chatOf(given: object | undefined): ChosenChat | undefined {
  const { success, output } = v.safeParse(ResourceArgument, given);
  return success && output.kind !== 'bot' ? { kind: output.kind, id: output.id, botId: output.botId } : undefined;
}

/**
 * Chooses the bot that reads a chat: `reader`, or else the last one used for this chat, the one that watches it, the one
 * attached to the group, or one that the user picks. Undefined if the user cancels.
 */
export async function chooseReader(
  { access, store }: Pick<Host, 'access' | 'store'>,
  chat: Chat,
  reader: string | typeof ASK | undefined,
): Promise<NamedBotChat | undefined> {
  const service = await access.openService();
  if (!service) return undefined;
  const { kind, id } = chat;
  const title = l10n.t('Read the history of {0} as which bot?', knownName(chat, service));
  const remembered = lastReader({ store }, chat, service);
  const preferred = reader ?? (await likelyReader({ store }, chat, service));
  const botId = await access.chooseBot(service, title, preferred === ASK ? undefined : preferred, [chat]);
  if (!botId) return undefined;
  const isChosen = (!reader || reader === ASK) && botId !== remembered;
  if (isChosen) await store.remember('readers', { service: service.address, kind, id }, { botId });
  return { botChat: { service: service.address, kind, id, botId }, name: knownName(chat, service) };
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
  { kind, id }: Chat,
  { address: service }: Pick<Service, 'address'>,
): string | undefined {
  const isWatched = (one: BotChat) => one.service === service && one.kind === kind && one.id === id;
  return (store.find('readers', { service, kind, id }) ?? store.get('watched').find(isWatched))?.botId;
}

/** The name of a chat, or its ID if it wasn't looked up. */
function knownName({ kind, id }: Chat, { directory }: Service): string {
  const known = directory.peek(kind, id);
  return known ? displayName(known) : id;
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
