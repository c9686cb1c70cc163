/**
 * Which messages of watched chats may need the user, and why. Pure.
 *
 * - Unread: the user hasn't seen it yet, in any history.
 * - Reply: it names a message that is known to be the bot's own, because a check of the chat has found that one (the last
 *   ones of each chat are remembered). What a reply quotes is only text that its sender could have written: it decides
 *   nothing, so a reply to an older message doesn't count as one.
 * - Word: what its sender says, or a button, contains one of the user's words, by the rules of search, but with the signs
 *   that it has: `C++` isn't in `C`. What it quotes and the names of senders don't count: every reply would repeat the words
 *   of what it quotes. Words are looked for once, in the whole message when it's found (`activityItem.ts`): an excerpt has
 *   lost what they must not have, or a part of a word. One that is added later applies to what is found from then on.
 */

import { fold } from '../../markup/caseFolding.ts';
import { matchesAllSigns, parseQuery, type Term } from '../../markup/searchTerms.ts';
import { splitFolded } from '../../markup/words.ts';

/** The longest word or phrase (UTF-16 units). */
export const MAX_WORD = 100;

/** How many words are looked for: each takes its time in every message. */
export const MAX_WORDS = 100;

/** Why a message may need the user more than others. */
export interface Match {
  readonly isReply: boolean;
  /** The user's words that the message contains. */
  readonly words: readonly string[];
}

/** Why a message is in the list. */
export interface Reasons extends Match {
  readonly isUnread: boolean;
}

/** Whether a message is in the list; if not, it needn't be kept. */
export const hasReason = ({ isUnread, isReply, words }: Reasons) => isUnread || isMatch({ isReply, words });

/** Whether a message may need the user more than others. */
export const isMatch = ({ isReply, words }: Match) => isReply || words.length > 0;

/** One of the user's words, or several that must all occur, or a phrase: a small search. */
interface AlertWord {
  /** The entry as the user has written it. */
  readonly text: string;
  readonly terms: readonly Term[];
}

/** The user's words, prepared once to be looked for in many messages. */
export class AlertWords {
  /** The entries of the setting that can look for nothing. */
  readonly unusable: readonly unknown[];
  /** Whether the setting has more entries than are looked for. */
  readonly isCut: boolean;
  readonly #words: readonly AlertWord[];

  /** `entries` are those of the setting. */
  constructor(entries: readonly unknown[]) {
    const words = new Map<string, AlertWord>();
    const unusable: unknown[] = [];
    let read = 0;
    for (const entry of entries) {
      if (words.size === MAX_WORDS) break;
      const word = wordOf(entry);
      if (word) words.set(word.text, word);
      else unusable.push(entry);
      read++;
    }
    this.unusable = unusable;
    this.isCut = read < entries.length;
    this.#words = [...words.values()];
  }

  /** The words that a text contains. The text is split once for all of them. */
  in(text: string): string[] {
    if (this.#words.length === 0) return [];
    const folded = fold(text);
    const runs = splitFolded(folded);
    return this.#words.filter(({ terms }) => matchesAllSigns(folded, runs, terms)).map((word) => word.text);
  }

  /** Why a message that is kept may need the user, given these words. */
  matchOf({ isReply, words }: Match): Match {
    return { isReply, words: this.#words.map(({ text }) => text).filter((text) => words.includes(text)) };
  }
}

function wordOf(entry: unknown): AlertWord | undefined {
  if (typeof entry !== 'string' || entry.length > MAX_WORD) return undefined;
  const text = entry.trim();
  // The space ends the last word, which would be the beginning of one otherwise.
  const terms = parseQuery(`${text} `);
  return terms.some(({ isExcluded }) => !isExcluded) ? { text, terms } : undefined;
}
