/** Names of chats for questions and results, as far as they are known. Makes no request. */
import { env } from 'vscode';
import { serviceDigest } from '../platform/hexDigest.ts';
import { displayName } from '../presentation/describe.ts';
import { chatLink } from '../protocol/chatLink.ts';
import type { Chat, Kind } from '../service/model.ts';
import type { ReadOnlyService } from './agentHost.ts';

/** What tools call the kinds. */
export const KIND_NAMES = { group: 'group', bot: 'bot', user: 'person' } as const satisfies Record<Kind, string>;

/** The name of a group, bot or person; undefined if it isn't known. */
export function knownName({ directory }: Pick<ReadOnlyService, 'directory'>, kind: Kind, id: string) {
  const found = directory.peek(kind, id);
  return found && displayName(found);
}

/** A chat for a question: its name, if it's known, and its ID. */
export const chatTitle = (name: string | undefined, id: string) => (name && name !== id ? `${name} (${id})` : id);

/** How a model links to a chat, or to one of its messages, so that the user can check its answer. */
export async function linkAdvice(
  { address }: Pick<ReadOnlyService, 'address'>,
  { type, id, botId }: Chat & { botId?: string },
): Promise<string> {
  const link = chatLink(env.uriScheme, { digest: await serviceDigest(address), type, id, botId });
  return `Link to a message of ${KIND_NAMES[type]} ${id} in your answer: [words](${link}#ID), with its ID.`;
}
