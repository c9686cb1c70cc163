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

/** How a model links to a chat as a bot reads it, or to its messages, so that the user can check its answer. */
export async function messageLinkAdvice(
  { address }: Pick<ReadOnlyService, 'address'>,
  { type, id, botId }: Chat & { botId: string },
): Promise<string> {
  const link = chatLink(env.uriScheme, { digest: await serviceDigest(address), type, id, botId });
  return `To link to a message of ${KIND_NAMES[type]} ${id} in your answer, write [words](${link}#ID) with its id.`;
}

/** How a model links to groups and to people's chats. */
export async function chatLinkAdvice({ address }: Pick<ReadOnlyService, 'address'>): Promise<string> {
  const digest = await serviceDigest(address);
  const [group, person] = (['group', 'user'] as const).map((type) =>
    chatLink(env.uriScheme, { digest, type, id: 'ID' }),
  );
  return `To link to a chat in your answer, write [name](${group}) for a group, [name](${person}) for a person, with its id.`;
}
