/**
 * Which messages of watched chats may need the user, and why. Pure.
 *
 * - Unread: the user hasn't seen it yet, in any history.
 * - Reply: it names a message that is known to be the bot's own, because a check of the chat has found that one (the last
 *   ones of each chat are remembered). What a reply quotes is only text that its sender could have written: it decides
 *   nothing, so a reply to an older message is none here.
 * - Word: what its sender says, or a button, contains one of the user's words, by the rules of search. What it quotes and
 *   the names of senders don't count: every reply would repeat the words of what it quotes. Words are looked for when the
 *   message is found, in its first 20,000 characters. One that is added later is looked for in the excerpts that are kept.
 */
import { fold } from '../../markup/caseFolding.ts';
import { knownType } from '../../markup/messageContent.ts';
import { matchesAll, parseQuery, type Term } from '../../markup/searchTerms.ts';
import { onOneLine, shownParts } from '../../markup/shownText.ts';
import type { ActivityItem } from '../../platform/store.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import type { Message } from '../../service/message.ts';
import { shorten, truncate } from '../../service/truncate.ts';

/** The longest word or phrase, and how much is kept of a message and of a name (UTF-16 units). */
export const MAX_WORD = 100;
const MAX_EXCERPT = 200;
/** How much of a text is read (UTF-16 units): nothing may block the extension host. */
const MAX_READ = 20_000;
const MAX_NAME = 100;

/** One of the user's words, or several that must all occur, or a phrase: a small search. */
export interface AlertWord {
  /** As the user has written it. */
  readonly text: string;
  readonly terms: readonly Term[];
}

/** Why a message is in the list. */
export interface Reasons {
  readonly isUnread: boolean;
  readonly isReply: boolean;
  /** The user's words that it contains. */
  readonly words: readonly string[];
}

/** What the entries of a setting look for, and those that can look for nothing. */
export function readWords(entries: readonly unknown[]): { words: AlertWord[]; unusable: unknown[] } {
  const read = entries.map((entry) => ({ entry, word: wordOf(entry) }));
  const words = read.flatMap(({ word }) => word ?? []);
  return {
    words: [...new Map(words.map((word) => [word.text, word])).values()],
    unusable: read.flatMap(({ entry, word }) => (word ? [] : [entry])),
  };
}

function wordOf(entry: unknown): AlertWord | undefined {
  if (typeof entry !== 'string' || entry.length > MAX_WORD) return undefined;
  const text = entry.trim();
  // The space ends the last word, which would be the beginning of one otherwise.
  const terms = parseQuery(`${text} `);
  return terms.some(({ isExcluded }) => !isExcluded) ? { text, terms } : undefined;
}

/** A message as it's kept. `now` (Unix ms) is when it was found, for one without a time. */
export function activityItem(
  { service, kind, id, botId }: BotChat,
  message: Message,
  { isReply, words, now }: { isReply: boolean; words: readonly AlertWord[]; now: number },
): ActivityItem {
  const { said, buttons } = saidIn(message);
  return {
    ...{ service, kind, id, botId },
    msgId: message.msgId,
    sendTime: message.sendTime ?? now,
    sender: shorten(message.senderNickname, MAX_NAME),
    senderId: message.senderId,
    text: shorten(onOneLine(said || buttons.join('\n')), MAX_EXCERPT),
    isReply,
    words: wordsIn([said, ...buttons].join('\n'), words),
  };
}

/** What its sender says, as apps show it. A message of an unknown type is only named. */
function saidIn(message: Message): Pick<ReturnType<typeof shownParts>, 'said' | 'buttons'> {
  const { text = '', postContent = '', ...others } = message.content;
  const content = { ...others, text: truncate(text, MAX_READ), postContent: truncate(postContent, MAX_READ) };
  const { said, buttons } = shownParts({ readable: true, message: { ...message, content }, raw: { content } });
  return { said: knownType(message) ? said : message.contentType, buttons };
}

/** Why a message that is kept is in the list, given the words of now. */
export function reasonsOf(item: ActivityItem, isUnread: boolean, words: readonly AlertWord[]): Reasons {
  const found = words.filter(({ text }) => item.words.includes(text)).map(({ text }) => text);
  const others = words.filter(({ text }) => !item.words.includes(text));
  return { isUnread, isReply: item.isReply, words: [...found, ...wordsIn(item.text, others)] };
}

/** Whether a message is in the list: others needn't be kept. */
export const hasReason = ({ isUnread, isReply, words }: Reasons) => isUnread || isMatch({ isReply, words });

/** Whether a message may need the user more than others. */
export const isMatch = ({ isReply, words }: Pick<Reasons, 'isReply' | 'words'>) => isReply || words.length > 0;

function wordsIn(text: string, words: readonly AlertWord[]): string[] {
  if (words.length === 0) return [];
  const folded = fold(text);
  return words.filter(({ terms }) => matchesAll(folded, terms)).map(({ text }) => text);
}
