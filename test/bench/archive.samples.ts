// Messages in Chinese and English, generated from a seed, and searches for them.
import { randomOf } from '../random.ts';
import { messageOf } from '../unit/chats/archive/archives.ts';

const HAN = 3_500;
const WORDS = 20_000;
const PEOPLE = 500;
/** In every quotation, and nowhere else. */
export const ONLY_QUOTED = 'quotedonly';
/** Unix ms. */
const BEGIN = 1_600_000_000_000;
/** The average time between two messages (milliseconds). */
const INTERVAL = 30_000;

/** When about a message with this number was sent (Unix ms). */
export const timeAbout = (number: number) => BEGIN + number * INTERVAL;

/** Generates texts and messages. Few characters and words are common, as in any language. */
export class Samples {
  readonly #random: () => number;
  readonly #words: readonly string[];
  #time = BEGIN;

  constructor(seed: number) {
    this.#random = randomOf(seed);
    const letters = randomOf(1);
    this.#words = Array.from({ length: WORDS }, (_, at) =>
      Array.from({ length: 2 + (at % 8) }, () => String.fromCharCode(97 + Math.floor(letters() * 26))).join(''),
    );
  }

  /** A Chinese character by its rank, 0 being the most common. */
  han(rank: number): string {
    return String.fromCodePoint(0x4e00 + ((rank * 7) % 20_000));
  }

  word(rank: number): string {
    return this.#words[rank] ?? '';
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** A message, later than the one before. */
  message(number: number) {
    this.#time += Math.floor(this.#random() * 2 * INTERVAL);
    const person = this.#rank(PEOPLE);
    const buttons =
      this.#random() < 0.05 ? { buttons: [[{ text: 'Open', actionType: 1, url: 'https://a.example' }]] } : {};
    const quotation = this.#random() < 0.02 ? { parent: `${this.word(person)} : ${ONLY_QUOTED} ${this.#text()}` } : {};
    return messageOf(number.toString(16).padStart(8, '0').repeat(4), '', {
      content: { text: this.#text(), ...buttons, ...quotation },
      senderId: `${3_000_000 + person}`,
      senderNickname: `${this.word(person)} ${this.han(person)}${this.han(person + 1)}`,
      sendTime: this.#time,
      ...(this.#random() < 0.03 && { commandName: 'help', commandId: 1 }),
    });
  }

  #text(): string {
    const isChinese = this.#random() < 0.6;
    const han = isChinese ? Array.from({ length: 4 + this.below(30) }, () => this.han(this.#rank(HAN))).join('') : '';
    const hasWords = !isChinese || this.#random() < 0.3;
    const words = hasWords
      ? Array.from({ length: 2 + this.below(12) }, () => this.word(this.#rank(WORDS))).join(' ')
      : '';
    return [han, words].filter(Boolean).join(' ');
  }

  /** Ranks by Zipf's law. */
  #rank(count: number): number {
    return Math.min(count - 1, Math.floor(count ** this.#random()) - 1);
  }
}
