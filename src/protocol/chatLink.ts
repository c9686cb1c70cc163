/** Links to chats and messages, which VS Code opens: to share, and in answers of agents. Pure. */
import * as v from 'valibot';
import { givenIdentifier } from '../service/fields.ts';

const Digest = v.pipe(v.string(), v.maxLength(64));

/** The digest of the service, so that no link names its address; type and ID of the chat, and the bot that reads it. */
const Query = v.union([
  v.strictTuple([Digest, v.picklist(['group', 'user']), givenIdentifier]),
  v.strictTuple([Digest, v.picklist(['group', 'user']), givenIdentifier, givenIdentifier]),
]);

export interface LinkedChat {
  /** See {@link Query}. */
  readonly digest: string;
  readonly kind: 'group' | 'user';
  readonly id: string;
  /** Undefined if any bot may read it. */
  readonly botId?: string | undefined;
}

/** The extension that opens links. */
const AUTHORITY = 'bot-chats.bot-chats';
const PATH = '/open';

/** The address of a chat. {@link atMessage} or `#` and the ID of a message may follow. `scheme` is that of VS Code. */
export function chatLink(scheme: string, { digest, kind, id, botId }: LinkedChat): string {
  const query = JSON.stringify([digest, kind, id, ...(botId === undefined ? [] : [botId])]);
  return `${scheme}://${AUTHORITY}${PATH}?${encode(query)}`;
}

/** Ends the address of a chat with a message. */
export const atMessage = (msgId: string) => `#${encode(msgId)}`;

/** Parentheses would end a link in Markdown. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[()']/g, (character) => `%${character.charCodeAt(0).toString(16)}`);

/** What a link is to, from the decoded parts of its address; undefined if it isn't one of ours. */
export function parseChatLink({
  path,
  query,
  fragment,
}: {
  path: string;
  query: string;
  fragment: string;
}): (LinkedChat & { msgId?: string }) | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Query), query);
  const isToMessage = v.is(givenIdentifier, fragment);
  if (path !== PATH || !parsed.success || (fragment !== '' && !isToMessage)) return undefined;
  const [digest, kind, id, botId] = parsed.output;
  return { digest, kind, id, botId, ...(isToMessage && { msgId: fragment }) };
}
