/**
 * Links to chats and messages, which VS Code opens: to share, and in answers of agents, from which VS Code's chat removes
 * links to commands. Pure.
 */
import * as v from 'valibot';
import { givenIdentifier } from '../service/fields.ts';

const Digest = v.pipe(v.string(), v.maxLength(64));

/** The digest of the service, so that no link names its address; type and ID of the chat, and the bot that reads it. */
const Query = v.union([
  v.strictTuple([Digest, v.picklist(['group', 'user']), givenIdentifier]),
  v.strictTuple([Digest, v.picklist(['group', 'user']), givenIdentifier, givenIdentifier]),
]);

export interface LinkedChat {
  /** The digest of the service: see {@link Query}. */
  readonly digest: string;
  readonly kind: 'group' | 'user';
  readonly id: string;
  /** The bot that reads the chat; undefined if any may. */
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

/** A chat that a link names, or one of its messages. */
export type LinkedMessage = LinkedChat & { readonly msgId?: string | undefined };

/** Links in a text. Text that follows a link in a sentence or in Markdown isn't part of it. */
const LINKS =
  /[a-z][a-z0-9+.-]{0,30}:\/\/bot-chats\.bot-chats\/open\?([\w.!~*%-]{1,2000})(?:#([\w.!~*%-]{0,1000}[\w%-]))?/gi;

/** The longest link (UTF-16 units). */
export const MAX_LINK = 4_000;

/** A link and its place in a text: offsets in UTF-16 units; `end` is exclusive. */
export interface LinkInText {
  readonly start: number;
  readonly end: number;
  readonly address: string;
  /** Whether the link is to a message, not to a chat. */
  readonly isToMessage: boolean;
}

/** The links in a text that can be opened. */
export function findChatLinks(text: string): LinkInText[] {
  if (!text.includes(AUTHORITY)) return [];
  return [...text.matchAll(LINKS)].flatMap(({ 0: whole, 1: written = '', 2: fragment, index: start }) => {
    // The query ends with a bracket, but the text may go on.
    const query = fragment === undefined ? written.replace(/[.!~*_-]{1,20}$/, '') : written;
    const link = parseChatLink({ path: PATH, query: decode(query), fragment: decode(fragment ?? '') });
    const address = whole.slice(0, whole.length - (written.length - query.length));
    const isToMessage = link?.msgId !== undefined;
    return link ? [{ start, end: start + address.length, address, isToMessage }] : [];
  });
}

/** Whether a text is an address that this extension opens, even a broken one: then it isn't an ID. */
export const isOurAddress = (text: string) => /^\s*[a-z][a-z0-9+.-]*:\/\/bot-chats\.bot-chats\//i.test(text);

/** Decodes a part of a link; a text that can't be decoded becomes one with a space, which no link has. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return ' ';
  }
}

/** The target of a link, from the decoded parts of its address; undefined if it isn't a link of this extension. */
export function parseChatLink({
  path,
  query,
  fragment,
}: {
  path: string;
  query: string;
  fragment: string;
}): LinkedMessage | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Query), query);
  const isToMessage = v.is(givenIdentifier, fragment);
  if (path !== PATH || !parsed.success || (fragment !== '' && !isToMessage)) return undefined;
  const [digest, kind, id, botId] = parsed.output;
  return { digest, kind, id, botId, ...(isToMessage && { msgId: fragment }) };
}
