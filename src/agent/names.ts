/** Names and links of chats, for questions and results. */
import { env, l10n } from 'vscode';
import { serviceDigest } from '../platform/hexDigest.ts';
import { displayName } from '../presentation/describe.ts';
import { formatCount } from '../presentation/formats.ts';
import { chatLink } from '../protocol/chatLink.ts';
import type { Chat, Kind } from '../service/model.ts';
import type { AgentHost, ReadOnlyService } from './agentHost.ts';

/** What tools call the kinds. */
export const KIND_NAMES = { group: 'group', bot: 'bot', user: 'person' } as const satisfies Record<Kind, string>;

/** In the order in which they are listed. */
export const KINDS = ['group', 'bot', 'user'] as const;

/** How many chats are named in a question, and how long it waits for their names (milliseconds). */
const MAX_TITLES = 5;
const NAME_TIMEOUT = 2_000;

/** The name of a group, bot or person; undefined if it isn't known. */
export function knownName({ directory }: Pick<ReadOnlyService, 'directory'>, kind: Kind, id: string) {
  const found = directory.peek(kind, id);
  return found && displayName(found);
}

/**
 * Groups, bots or people for a question: their names, with their IDs. An ID may be one of several kinds. Looks up names
 * that aren't known: nobody knows chats by their IDs.
 */
export async function titlesOf(
  { connection }: Pick<AgentHost, 'connection'>,
  references: readonly { readonly kinds: readonly Kind[]; readonly id: string }[],
): Promise<string> {
  // Without a service, IDs have no names.
  const service = await connection.open().catch(() => undefined);
  const named = references.slice(0, MAX_TITLES);
  const signal = AbortSignal.timeout(NAME_TIMEOUT);
  await Promise.allSettled(
    named.flatMap(({ kinds, id }) => kinds.map((kind) => service?.directory.get(kind, id, { signal }))),
  );
  const titles = named.map(({ kinds, id }) => {
    const names = kinds.flatMap((kind) => (service && knownName(service, kind, id)) ?? []);
    return names.length > 0 ? `${names.join(' / ')} (${id})` : id;
  });
  const more = references.length - titles.length;
  const shown = titles.join(', ');
  return more > 0 ? l10n.t('{0} and {1} more', shown, formatCount(more)) : shown;
}

/** How a model links to messages of a chat, so that the user can check its answer. */
export async function messageLinkAdvice(service: Pick<ReadOnlyService, 'address'>, chat: Chat & { botId: string }) {
  return `To link to one of these messages in your answer, write [words](${await linkTo(service, chat)}#ID) with its id.`;
}

/** How a model links to messages of several chats of these types. */
export async function messageLinksAdvice(service: Pick<ReadOnlyService, 'address'>, types: ReadonlySet<Chat['type']>) {
  const advice = [...types].map(async (type) => {
    const link = await linkTo(service, { type, id: 'CHATID', botId: 'BOTID' });
    return `To link to a message (${KIND_NAMES[type]}) in your answer, write [words](${link}#ID) with its chatId, botId and id.`;
  });
  return (await Promise.all(advice)).join('\n');
}

/** How a model links to groups and to people's chats. */
export async function chatLinkAdvice(service: Pick<ReadOnlyService, 'address'>): Promise<string> {
  const [group, person] = await Promise.all([
    linkTo(service, { type: 'group', id: 'ID' }),
    linkTo(service, { type: 'user', id: 'ID' }),
  ]);
  return `To link to a chat in your answer, write [name](${group}) for a group, [name](${person}) for a person, with its id.`;
}

async function linkTo({ address }: Pick<ReadOnlyService, 'address'>, chat: Chat & { botId?: string }): Promise<string> {
  return chatLink(env.uriScheme, { digest: await serviceDigest(address), ...chat });
}
