/** Names and links of chats, for questions and results. */
import { env } from 'vscode';
import { excerpt, shownCount } from '../markup/escapeInvisible.ts';
import { serviceDigest } from '../platform/durableFiles.ts';
import { knownName } from '../presentation/describe.ts';
import { formatCount } from '../presentation/formats.ts';
import { lookUp } from '../presentation/lookups.ts';
import { l10n } from '../presentation/shown.ts';
import { chatLink } from '../protocol/chatLink.ts';
import type { Chat, Kind } from '../service/model.ts';
import { type AgentHost, firstOf, type ReadOnlyService } from './tool.ts';

/** What tools call the kinds. */
export const KIND_NAMES = { group: 'group', bot: 'bot', user: 'person' } as const satisfies Record<Kind, string>;

/** How many chats are named in a question, and how much of each name (UTF-16 units). */
const MAX_TITLES = 5;
const MAX_TITLE = 60;

/** How long a question waits for names (milliseconds). */
const NAME_TIMEOUT = 2_000;

/** A group, bot or person, of which the kind may not be known. */
interface Named {
  readonly kinds: readonly Kind[];
  readonly id: string;
}

/** Groups, bots or people for a question: their names, with their IDs. People don't know chats by their IDs. */
export async function lookUpTitles(host: Pick<AgentHost, 'connection'>, all: readonly Named[]): Promise<string> {
  // Without a service, IDs have no names.
  const service = await host.connection.open().catch(() => undefined);
  const shown = all.slice(0, shownCount(all.length, MAX_TITLES));
  if (service) await lookUp(shown, service, { maxWait: NAME_TIMEOUT });
  return knownTitles(host, all);
}

/** Like {@link lookUpTitles}, with the names that are known. Makes no request. */
export async function knownTitles({ connection }: Pick<AgentHost, 'connection'>, all: readonly Named[]) {
  const service = await connection.open().catch(() => undefined);
  const titles = all.slice(0, shownCount(all.length, MAX_TITLES)).map(({ kinds, id }) => {
    const names = kinds.flatMap((kind) => (service && knownName(service.directory, kind, id)) ?? []);
    return names.length > 0 ? `${names.map((name) => excerpt(name, MAX_TITLE)).join(' / ')} (${id})` : id;
  });
  const more = all.length - titles.length;
  const shown = titles.join(', ');
  return more > 0 ? l10n.t('{0} and {1} more', shown, formatCount(more)) : shown;
}

/** How many chats are named in a description of what was looked at. */
const MAX_CHATS = 10;

/** Chats in a description of what was looked at, by their IDs. */
export const listOf = (names: readonly string[]) => firstOf(names, MAX_CHATS, (name) => name).join(', ');

/** Warns that VS Code may allow a tool for longer and whatever its input, not only for the chats of a question. */
export const appliesToAllText = () => l10n.t('Allowing this for longer than once allows it for all chats.');

/** How a model links to messages of a chat, so that the user can check its answer. */
export async function messageLinkAdvice(service: Pick<ReadOnlyService, 'address'>, chat: Chat & { botId: string }) {
  return `To link to one of these messages in your answer, write [words](${await linkTo(service, chat)}#ID) with its id.`;
}

/** How a model links to messages of several chats of these types. */
export async function messageLinksAdvice(service: Pick<ReadOnlyService, 'address'>, types: ReadonlySet<Chat['kind']>) {
  const advice = [...types].map(async (kind) => {
    const link = await linkTo(service, { kind, id: 'CHATID', botId: 'BOTID' });
    return `To link to a message (${KIND_NAMES[kind]}) in your answer, write [words](${link}#ID) with its chatId, botId and id.`;
  });
  return (await Promise.all(advice)).join('\n');
}

/** How a model links to groups and to people's chats. */
export async function chatLinkAdvice(service: Pick<ReadOnlyService, 'address'>): Promise<string> {
  const [group, person] = await Promise.all([
    linkTo(service, { kind: 'group', id: 'ID' }),
    linkTo(service, { kind: 'user', id: 'ID' }),
  ]);
  return `To link to a chat in your answer, write [name](${group}) for a group, [name](${person}) for a person, with its id.`;
}

async function linkTo({ address }: Pick<ReadOnlyService, 'address'>, chat: Chat & { botId?: string }): Promise<string> {
  return chatLink(env.uriScheme, { digest: await serviceDigest(address), ...chat });
}
