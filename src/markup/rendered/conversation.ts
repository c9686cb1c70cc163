/** What an exported chat shows around each message so that it reads like a conversation. Pure. */
import type { Listed, Message } from '../../service/message.ts';
import { isTime } from '../days.ts';
import { escapeInvisible, excerpt } from '../escapeInvisible.ts';
import { type ExportLabels, kindName } from '../exportParts.ts';
import { MAX_QUOTATION, quotationOf, quotedText } from '../quotation.ts';
import { firstLineOf } from './shownText.ts';

/** How many messages back a reply finds its parent: this bounds the memory of an export. */
const MAX_PARENTS = 10_000;

/** How much of a name or an ID is shown (UTF-16 units). */
const MAX_NAME = 200;

/** The name, and the kind and ID, of a sender. */
interface Sender {
  readonly name: string;
  readonly details: string;
}

/** The message that a reply answers. */
export interface Answered {
  /** The name of its sender; may be empty. */
  readonly name: string;
  readonly text: string;
  /** The ID of the parent, if it's in the export. */
  readonly msgId: string | undefined;
}

/** The separators and the heading of a message. */
export interface Setting {
  /** The time zone of the times from here on; empty if it doesn't change. */
  readonly zone: string;
  /** The day that starts here; empty if none does. */
  readonly day: string;
  /** The time of day. */
  readonly time: string;
  /** The sender; undefined if the message follows another one of its sender, or has no sender. */
  readonly sender: Sender | undefined;
  /** The quotation; undefined if the message isn't a reply. */
  readonly answered: Answered | undefined;
}

/** Follows the messages of a chat, oldest first. */
export class Conversation {
  readonly #labels: ExportLabels;
  readonly #times: LocalTimes;
  #offset = '';
  #day = '';
  /** Identifies the sender that the next message may follow. */
  #speaker: string | undefined;
  readonly #parents = new Map<string, { name: string; text: string }>();

  /** Without a `timeZone`, times are in that of the computer. */
  constructor(labels: ExportLabels, timeZone?: string) {
    this.#labels = labels;
    this.#times = new LocalTimes(labels.language, timeZone);
  }

  /** The setting of the next entry. */
  next(entry: Listed): Setting {
    if (!entry.readable) {
      this.#speaker = undefined;
      return { zone: '', day: '', time: '', sender: undefined, answered: undefined };
    }
    const { message } = entry;
    const answered = this.#answeredBy(message);
    const when = this.#when(message.sendTime);
    if (when.day) this.#speaker = undefined;
    const sender = senderOf(message, this.#labels);
    const speaker = message.contentType === 'tip' ? undefined : JSON.stringify(sender);
    const follows = speaker === this.#speaker;
    this.#speaker = speaker;
    this.#remember(message, sender.name);
    return { ...when, sender: follows || speaker === undefined ? undefined : sender, answered };
  }

  #when(sendTime: number | undefined): Pick<Setting, 'zone' | 'day' | 'time'> {
    if (!isTime(sendTime)) return { zone: '', day: '', time: this.#labels.unknownTime };
    const { zone: name } = this.#times;
    const [offset, day] = [this.#times.offset(sendTime), this.#times.day(sendTime)];
    const zone = this.#offset ? this.#labels.timesFromHere(offset) : this.#labels.timesIn(offset, name);
    const changes = { zone: offset === this.#offset ? '' : zone, day: day === this.#day ? '' : day };
    [this.#offset, this.#day] = [offset, day];
    return { ...changes, time: this.#times.time(sendTime) };
  }

  /** The quotation that came with a reply, or else the start of its parent. */
  #answeredBy({ parentId, content }: Message): Answered | undefined {
    const quotation = quotationOf(content);
    if (!parentId && !quotation) return undefined;
    const parent = this.#parents.get(parentId);
    const text = quotedText(quotation, this.#labels.kinds, () => parent?.text) ?? this.#labels.replyToEarlier;
    const name = excerpt(quotation?.name ?? '', MAX_NAME) || (parent?.name ?? '');
    return { name, text, msgId: parent && parentId };
  }

  #remember(message: Message, name: string): void {
    const line = firstLineOf(message, kindName(message.contentType, this.#labels));
    // The text is copied, because a slice would keep the whole message in memory.
    const [ownName, text] = [name, excerpt(line, MAX_QUOTATION, escapeInvisible)].map((one) => [...one].join(''));
    this.#parents.set(message.msgId, { name: ownName ?? '', text: text ?? '' });
    const [oldest] = this.#parents.keys();
    if (this.#parents.size > MAX_PARENTS && oldest !== undefined) this.#parents.delete(oldest);
  }
}

function senderOf({ senderId, senderType, senderNickname }: Message, labels: ExportLabels): Sender {
  const kind = senderType === 'bot' ? labels.bot : senderType === 'user' ? '' : excerpt(senderType, MAX_NAME);
  const id = excerpt(senderId, MAX_NAME);
  const name = excerpt(senderNickname, MAX_NAME) || id || '?';
  return { name, details: [kind, id].filter(Boolean).join(' ') };
}

/** Formats times in one language and time zone. Formatters are expensive, so each is created once. */
class LocalTimes {
  /** The IANA name of the time zone, such as `Asia/Shanghai`. */
  readonly zone: string;
  readonly #days: Intl.DateTimeFormat;
  readonly #times: Intl.DateTimeFormat;
  readonly #offsets: Intl.DateTimeFormat;

  constructor(language: string, timeZone: string | undefined) {
    this.#days = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone });
    this.#times = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone });
    this.#offsets = new Intl.DateTimeFormat('en', { timeZoneName: 'longOffset', timeZone });
    this.zone = this.#days.resolvedOptions().timeZone;
  }

  /** The date of a time (Unix ms), equal for two times exactly if they're on the same day. */
  day(time: number): string {
    return this.#days.format(time);
  }

  /** The time of day of a time (Unix ms), to the minute. */
  time(time: number): string {
    return this.#times.format(time);
  }

  /** The offset at a time (Unix ms), such as `UTC+08:00`, or `UTC`. */
  offset(time: number): string {
    const parts = this.#offsets.formatToParts(time);
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return offset.replace('GMT', 'UTC').replace('+00:00', '');
  }
}
