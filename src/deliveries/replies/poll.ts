/**
 * What was answered how often: a small poll. Answers with the same words count as one, whatever their case, width or
 * spaces; each sender counts once for each of them. Commands count by their name. A button counts by its label, and by the
 * value that it copies or reports. Long texts aren't counted: nobody else writes the same.
 */
import { fold } from '../../markup/caseFolding.ts';
import { displayText, knownType, readableText } from '../../markup/messageContent.ts';
import type { Message, OutgoingButton } from '../../service/message.ts';

/** The longest text that is counted (UTF-16 units). */
const MAX_TEXT = 40;

/** How many different answers are counted, besides those of buttons. */
const MAX_ANSWERS = 50;

interface PollAnswer {
  /** By which messages are filtered. */
  readonly key: string;
  /** As the button says it, or as it was written first. */
  readonly label: string;
  readonly count: number;
  readonly isButton: boolean;
}

export class Poll {
  /** The key of the button with this folded text. */
  readonly #buttons = new Map<string, string>();
  readonly #labels = new Map<string, string>();
  readonly #senders = new Map<string, Set<string>>();

  /** `rows` are the buttons of the delivered message. */
  constructor(rows: readonly (readonly OutgoingButton[])[]) {
    for (const { text, actionType, value = '' } of rows.flat()) {
      const label = readableText(text).trim();
      const key = keyOfText(label);
      // What opens an address is no answer.
      if (actionType === 1 || !key || this.#labels.has(key)) continue;
      this.#labels.set(key, label);
      this.#senders.set(key, new Set());
      for (const one of [key, keyOfText(value)]) if (one && !this.#buttons.has(one)) this.#buttons.set(one, key);
    }
  }

  /** The key of an answer; undefined if it isn't counted. */
  keyOf(message: Message): string | undefined {
    const key = keyOfText(countedText(message) ?? '');
    // What nobody can see is no answer.
    if (key === '') return undefined;
    return this.#buttons.get(key) ?? key;
  }

  add(message: Message): void {
    const key = this.keyOf(message);
    if (key === undefined) return;
    const senders = this.#senders.get(key) ?? new Set();
    this.#senders.set(key, senders.add(`${message.senderType} ${message.senderId}`));
    if (!this.#labels.has(key)) this.#labels.set(key, countedText(message) ?? '');
  }

  /** Those of buttons first, in their order, even if nobody chose them; then the most frequent ones. */
  answers(): PollAnswer[] {
    const isButton = new Set(this.#buttons.values());
    const all = [...this.#senders].map(([key, senders]) => ({
      ...{ key, label: this.#labels.get(key) ?? '', count: senders.size },
      isButton: isButton.has(key),
    }));
    const others = all.filter((one) => !one.isButton).toSorted((one, other) => other.count - one.count);
    return [...all.filter((one) => one.isButton), ...others.slice(0, MAX_ANSWERS)];
  }
}

/** The text that stands for an answer: the name of its command, or a short text. */
function countedText(message: Message): string | undefined {
  if (message.commandName) return message.commandName;
  const type = knownType(message);
  if (type !== 'text' && type !== 'markdown') return undefined;
  const text = displayText(message.content).trim();
  return text && text.length <= MAX_TEXT && !text.includes('\n') ? text : undefined;
}

const keyOfText = (text: string) => fold(readableText(text).trim());
