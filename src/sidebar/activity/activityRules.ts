/**
 * Which messages of watched chats may need the user, and why. Pure.
 *
 * - Unread: the user hasn't seen it yet, in any history.
 * - Reply: it names a message that is known to be the bot's own, because a check of the chat has found that one (the last
 *   ones of each chat are remembered). What a reply quotes is only text that its sender could have written: it decides
 *   nothing, so a reply to an older message is none here.
 * - Word: what its sender says, or a button, contains one of the user's words, by the rules of search. What it quotes and
 *   the names of senders don't count: every reply would repeat the words of what it quotes. Words are looked for when the
 *   message is found, in its first 20,000 characters (`activityItem.ts`). One that is added later is looked for in the
 *   excerpts that are kept.
 */
import { fold } from '../../markup/caseFolding.ts';
import { matchesAll, parseQuery, type Term } from '../../markup/searchTerms.ts';
import type { ActivityItem } from '../../platform/store.ts';

/** The longest word or phrase (UTF-16 units). */
export const MAX_WORD = 100;

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

/** The words that a text contains. */
export function wordsIn(text: string, words: readonly AlertWord[]): string[] {
  if (words.length === 0) return [];
  const folded = fold(text);
  return words.filter(({ terms }) => matchesAll(folded, terms)).map(({ text }) => text);
}
