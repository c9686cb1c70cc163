/** Settling what is unknown: whether a message has arrived is read from the chats themselves (contract 4.4). */
import type { Page } from '../service/client.ts';
import { isFailure } from '../service/errors.ts';
import { type Listed, type Message, oldestFirst } from '../service/message.ts';
import type { Chat } from '../service/model.ts';
import { TimeSlices } from '../service/timeSlices.ts';
import type { DeliveryStatus } from './deliveryStatus.ts';
import type { JournalLine } from './record.ts';

/** What is known beside the chats. */
export interface CheckOptions {
  list(chat: Chat, page: Page, signal: AbortSignal): Promise<Listed[]>;
  /** Messages that other deliveries are known to have brought. */
  isOthers(msgId: string): boolean;
  /** Whether another delivery may have brought the same message to this chat, so that nobody could tell whose it is. */
  isContested(chat: Chat): boolean;
}

/** What other deliveries of the same bot at the same service tell of the messages in its chats. */
export async function othersBeside(
  { delivery }: DeliveryStatus,
  all: readonly { status: DeliveryStatus }[],
): Promise<Pick<CheckOptions, 'isOthers' | 'isContested'>> {
  const same = all.filter(
    ({ status: { delivery: other } }) =>
      other.id !== delivery.id && other.bot.id === delivery.bot.id && other.service === delivery.service,
  );
  const brought = new Set<string>();
  const slices = new TimeSlices();
  for (const { status } of same) {
    await slices.each(status.recipients('reached'), (one) => {
      const outcome = status.outcomeOf(one);
      if (outcome.state === 'reached') brought.add(outcome.msgId);
    });
  }
  const alike = same.filter(({ status }) => status.delivery.digest === delivery.digest);
  return {
    isOthers: (msgId) => brought.has(msgId),
    isContested: (chat) => alike.some(({ status }) => status.outcomeOf(chat).state === 'unknown'),
  };
}

type Found = Extract<JournalLine, { what: 'read' }>['found'];

/** What reading has settled, and whose chats did not tell; with the error where reading one failed. */
export interface DeliveryCheck {
  found: Found;
  unclear: { recipient: Chat; error?: unknown }[];
}

const PAGE = 50;
/** No chat is read further back than so many messages. */
const FARTHEST = 500;
/** The clocks of the service and of this computer may differ by so much (milliseconds)… */
const SKEW = 10 * 60_000;
/** …and where one of them is set wrong, by so much. */
const WRONG = 24 * 60 * 60_000;

/** Reads the chats of all whose outcome is unknown, one after the other; what is left when it is aborted stays so. */
export async function checkDelivery(
  status: DeliveryStatus,
  reading: CheckOptions,
  signal: AbortSignal,
  progress: (done: number, of: number) => void,
): Promise<DeliveryCheck> {
  const unknown = status.recipients('unknown');
  const settled: DeliveryCheck = { found: [], unclear: [] };
  for (const [index, { type, id }] of unknown.entries()) {
    if (signal.aborted) break;
    const recipient = { type, id };
    try {
      const answer = await look(recipient, status, reading, signal);
      if (answer === 'unclear') settled.unclear.push({ recipient });
      else settled.found.push({ ...recipient, ...(answer !== 'absent' && { msgId: answer }) });
    } catch (error) {
      if (isFailure(error, 'cancelled')) break;
      settled.unclear.push({ recipient, error });
    }
    progress(index + 1, unknown.length);
  }
  return settled;
}

/** The ID of the message where it is in the chat, or whether it surely is not. */
async function look(
  chat: Chat,
  { delivery }: DeliveryStatus,
  { list, isOthers, isContested }: CheckOptions,
  signal: AbortSignal,
): Promise<string | 'absent' | 'unclear'> {
  if (isContested(chat)) return 'unclear';
  /** Whether a message may be of the time of the delivery, by clocks that differ by no more than that. */
  const isWithin = (skew: number) => (message: Message) =>
    !isOthers(message.msgId) && (message.sendTime ?? delivery.at) >= delivery.at - skew;
  let anchor: string | undefined;
  let reached = delivery.at;
  for (let read = 0; read < FARTHEST; read += PAGE) {
    const page = anchor === undefined ? { latest: PAGE } : { anchor, before: PAGE };
    const entries = oldestFirst(
      await list(chat, page, signal),
      anchor === undefined ? undefined : { msgId: anchor, is: 'newest' },
    );
    const messages = entries.flatMap((entry) => (entry.readable ? [entry.message] : []));
    const recent = messages.filter(isWithin(SKEW));
    const own = recent.find((message) => isSame(message, delivery) === 'yes');
    if (own) return own.msgId;
    // One that cannot be read, does not tell, or would be it by another clock, may be it.
    const mayBe =
      recent.some((message) => isSame(message, delivery) === 'perhaps') ||
      messages.filter(isWithin(WRONG)).some((message) => isSame(message, delivery) === 'yes');
    if (mayBe || messages.length < entries.length) return 'unclear';
    const [oldest] = messages;
    // A short page may be all that the service gives at once: a chat is read to its end where nothing older comes.
    reached = oldest?.sendTime ?? reached;
    if (!oldest || oldest.msgId === anchor || reached < delivery.at - WRONG) return 'absent';
    anchor = oldest.msgId;
  }
  // Where so much is said, no clock is taken to be as wrong as that.
  return reached < delivery.at - SKEW ? 'absent' : 'unclear';
}

/** Whether a listed message is what a delivery sent. Received content has other fields than sent content (observed). */
function isSame(message: Message, { bot, message: sent }: DeliveryStatus['delivery']): 'yes' | 'no' | 'perhaps' {
  if (message.senderId !== bot.id || message.contentType !== sent.contentType) return 'no';
  const { content } = message;
  // As what a picture's key is listed, if at all, is not documented.
  if ('imageKey' in sent.content && content.imageKey === undefined) return 'perhaps';
  if ('text' in sent.content) return tidy(content.text) === tidy(sent.content.text) ? 'yes' : 'no';
  if ('fileName' in sent.content) return content.fileName === sent.content.fileName ? 'yes' : 'no';
  return content.imageKey === sent.content.imageKey ? 'yes' : 'no';
}

const tidy = (text: string | undefined) => text?.replace(/\r\n?/g, '\n').trim();
