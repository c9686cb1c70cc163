/**
 * What was answered how often: a small poll. Answers that search takes for the same count as one, and so does the punctuation
 * around them; each sender counts once for each of them. Commands count by their name. A button counts by its label, and by
 * the value that it copies or reports, unless that is another one's label. Other long texts aren't counted: nobody else writes
 * the same, nor is what bots answer. Lines of a short text count as if a space were between them.
 */
import { fold } from '../../markup/caseFolding.ts';
import { displayText, knownType, readableText } from '../../markup/messageContent.ts';
import type { Message, OutgoingButton } from '../../service/message.ts';
import { isByBot } from './findReplies.ts';

/** The longest text that is counted if it's no button's (UTF-16 units). */
const MAX_TEXT = 40;

/** How many different answers are counted, besides those of buttons. */
const MAX_ANSWERS = 50;

/** What changes no answer at its beginning, and at its end. */
const BEGINNING = /^[\s\p{Terminal_Punctuation}\p{Quotation_Mark}\p{Ps}\p{Pe}¡¿~〜]+/u;
const END =
  /(?<![\s\p{Terminal_Punctuation}\p{Quotation_Mark}\p{Ps}\p{Pe}~〜])[\s\p{Terminal_Punctuation}\p{Quotation_Mark}\p{Ps}\p{Pe}~〜]+$/u;

/** What an emoji draws around a digit. */
const KEYCAP = '\u20E3';

interface PollAnswer {
  /** What messages are filtered by. */
  readonly key: string;
  /** The answer as the button says it, or as it was written first. */
  readonly label: string;
  readonly count: number;
  readonly isButton: boolean;
}

export class Poll {
  /** The key of the button with this label or value. */
  readonly #buttons = new Map<string, string>();
  readonly #labels = new Map<string, string>();
  readonly #senders = new Map<string, Set<string>>();
  readonly #uncounted = { long: 0, textless: 0, repeated: 0 };
  /** The longest text that can be a button's: marks and spaces may make it longer (UTF-16 units). */
  readonly #longest: number;

  /** `rows` are the buttons of the delivered message. */
  constructor(rows: readonly (readonly OutgoingButton[])[]) {
    // What opens an address is no answer.
    const buttons = rows.flat().filter(({ actionType }) => actionType !== 1);
    for (const { text } of buttons) {
      const label = readableText(text).trim();
      const key = keyOfText(label);
      if (!key || this.#labels.has(key)) continue;
      this.#labels.set(key, label);
      this.#senders.set(key, new Set());
      this.#buttons.set(key, key);
    }
    for (const { text, value = '' } of buttons) {
      const [key, other] = [keyOfText(text), keyOfText(value)];
      if (key && other && !this.#buttons.has(other)) this.#buttons.set(other, key);
    }
    this.#longest = 4 * Math.max(MAX_TEXT, ...buttons.flatMap(({ text, value = '' }) => [text.length, value.length]));
  }

  /** The key of an answer, or why it isn't counted; neither if a bot has answered. */
  keyOf(message: Message): { readonly key?: string; readonly uncounted?: 'long' | 'textless' } {
    if (isByBot(message)) return {};
    const text = answerText(message);
    const begin = keyOfText(text.slice(0, this.#longest));
    // What nobody can see is no answer.
    if (begin === '') return { uncounted: 'textless' };
    const key = text.length > this.#longest ? undefined : (this.#buttons.get(begin) ?? begin);
    return key !== undefined && (key.length <= MAX_TEXT || this.#labels.has(key)) ? { key } : { uncounted: 'long' };
  }

  add(message: Message): void {
    const { key, uncounted } = this.keyOf(message);
    if (uncounted) this.#uncounted[uncounted]++;
    if (key === undefined) return;
    const senders = this.#senders.get(key) ?? new Set();
    const sender = `${message.senderType} ${message.senderId}`;
    if (senders.has(sender)) this.#uncounted.repeated++;
    this.#senders.set(key, senders.add(sender));
    if (!this.#labels.has(key)) this.#labels.set(key, answerText(message));
  }

  /** Those of buttons first, in their order, even if nobody chose them; then the most frequent ones. */
  answers(): PollAnswer[] {
    const isButton = new Set(this.#buttons.values());
    const all = [...this.#senders].map(([key, senders]) => ({
      key,
      label: this.#labels.get(key) ?? '',
      count: senders.size,
      isButton: isButton.has(key),
    }));
    const others = all.filter((one) => !one.isButton).toSorted((one, other) => other.count - one.count);
    return [...all.filter((one) => one.isButton), ...others.slice(0, MAX_ANSWERS)];
  }

  /** How many answers of people aren't in the counts of {@link answers}, and why. */
  uncounted(): Record<'long' | 'rare' | 'repeated' | 'textless', number> {
    const counted = [...this.#senders.values()].reduce((sum, { size }) => sum + size, 0);
    const rare = this.answers().reduce((rest, { count }) => rest - count, counted);
    return { ...this.#uncounted, rare };
  }
}

/** The text that stands for an answer: the name of its command, or what is written. Empty for what has no text. */
function answerText(message: Message): string {
  if (message.commandName) return message.commandName;
  const type = knownType(message);
  return type === 'text' || type === 'markdown' ? displayText(message.content).trim() : '';
}

function keyOfText(text: string): string {
  const folded = fold(readableText(text)).replaceAll(KEYCAP, '').trim();
  // Of punctuation alone, nothing would be left.
  return folded.replace(BEGINNING, '').replace(END, '') || folded;
}
