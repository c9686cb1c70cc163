/** Resolves outcomes that are unknown or not confirmed by looking for the message in the chats (contract 4.4). */
import type { Service } from '../../platform/service.ts';
import type { Page } from '../../service/client.ts';
import { isFailure, isMissingGroup, isTransient, mayNeedToken, ServiceError } from '../../service/errors.ts';
import { type Listed, type Message, type Outgoing, oldestFirst } from '../../service/message.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import { DeliveryMessages, normalText } from './deliveryMessages.ts';
import { type DeliveryStatus, isUnchecked, messageIdOf, type Outcome, UNCHECKED_STATES } from './deliveryStatus.ts';
import type { OutboxEntry } from './outboxEntry.ts';
import type { Delivery, JournalLine } from './record.ts';
import { familyOf, type UnreachedRecipients } from './resends.ts';

export interface CheckOptions {
  /** The present time (Unix ms). */
  now(): number;
  /** When the message went out at the earliest (Unix ms), as far as is known; by default, when it was confirmed. */
  since?: number;
  /** Rejects with "not found" if there is no such group or person. */
  list(chat: Chat, page: Page, signal: AbortSignal): Promise<Listed[]>;
  /** All deliveries of the outbox, with their outcomes by now. */
  all(): Promise<readonly OutboxEntry[]>;
}

/** What is known of other deliveries by the same bot at the same service. */
interface Others {
  /** Whether a delivery of which this one is a resend, or a resend of it, is known to have sent this message. */
  isFromResend(msgId: string): boolean;
  /** Whether another delivery is known to have sent this message. */
  isFromOther(msgId: string): boolean;
  /** Whether another delivery may have sent a message to this chat that is listed alike, so that a match may belong to it. */
  isAmbiguous(chat: Chat): boolean;
}

type ReadOptions = Pick<CheckOptions, 'now' | 'since' | 'list'> & Others;

/**
 * Lists chats through a service. Of a person, no documented refusal says that there is none, but a lookup does (contract
 * 4.3): one whose chat is refused is looked up.
 */
export const listThrough =
  ({ client, directory }: Pick<Service, 'client' | 'directory'>, token: string): CheckOptions['list'] =>
  async (chat, page, signal) => {
    try {
      return await client.messages(token, chat, page, signal);
    } catch (error) {
      const mayBeMissing = isFailure(error, 'rejected') && !isTransient(error) && !mayNeedToken(error);
      if (chat.kind === 'user' && mayBeMissing)
        await directory.get('user', chat.id, { signal, accept: 'fresh' }).catch((lookupError) => {
          if (isFailure(lookupError, 'notFound', 'cancelled')) throw lookupError;
        });
      throw error;
    }
  };

/** The result of a check: `found` without a `msgId` means that the message is not in the chat, or why there is no such group or person. */
export interface DeliveryCheck {
  found: Extract<JournalLine, { what: 'read' }>['found'];
  /** Recipients that stay as they are, because the message may be listed later. */
  early: Chat[];
  /** Recipients that stay as they are, with the error if the chat couldn't be read. */
  unclear: { recipient: Chat; error?: unknown }[];
}

const PAGE_SIZE = 50;

/** How many messages of a chat are read at most. */
const MAX_MESSAGES = 500;

/** Ordinary difference between the clocks of the service and this computer (milliseconds)… */
const CLOCK_SKEW = 10 * 60_000;

/** …and the difference if one of them is set wrong. */
const MAX_CLOCK_SKEW = 24 * 60 * 60_000;

/**
 * How long a message may be missing from its chat (milliseconds). The contract says nothing of it: a minute is long for a
 * service that lists late, and short for someone who checks again.
 */
export const LISTING_DELAY = 60_000;

/** Reads the chats of all recipients that may have the message, one after the other, until aborted. */
export async function checkDelivery(
  status: DeliveryStatus,
  options: CheckOptions,
  signal: AbortSignal,
  progress: (done: number, total: number) => void,
): Promise<DeliveryCheck> {
  const others = async () => othersOf(status.delivery, await options.all());
  const check = await readChats(status, { ...options, ...(await others()) }, signal, progress);
  // A message that was found may be from another delivery of the same message.
  if (check.found.some(({ msgId }) => msgId !== undefined)) withoutOthers(check, await others());
  return check;
}

/** What the checks of a delivery and its resends have found. */
export interface CheckResult {
  readonly messages: (Chat & { msgId: string })[];
  /** How many recipients: those whose chats were read, those who turned out to have the message or not, and those who still may. */
  readonly counts: Readonly<Record<'checked' | 'reached' | 'absent' | 'unknown' | 'early', number>>;
  /** Why a chat couldn't be read, or else why somebody can't have the message. */
  readonly error: unknown;
}

/** Counts what checks have found. These weren't known to be reached `before` and `after` them. */
export function sumUpChecks(
  checks: readonly DeliveryCheck[],
  before: Pick<UnreachedRecipients, 'recipients' | 'uncertain'>,
  after: Pick<UnreachedRecipients, 'uncertain'>,
): CheckResult {
  const found = checks.flatMap((check) => check.found);
  const early = checks.flatMap((check) => check.early);
  const unclear = checks.flatMap((check) => check.unclear);
  const messages = found.flatMap(({ kind, id, msgId }) => (msgId === undefined ? [] : [{ kind, id, msgId }]));
  // A recipient who isn't unreached any more may also be left out by a resend, once it's known that they don't have the message.
  const having = new Set(messages.map(chatKey));
  const reached = before.recipients.filter((one) => having.has(chatKey(one))).length;
  const checked = new Set([...found, ...early, ...unclear.map(({ recipient }) => recipient)].map(chatKey)).size;
  const unknown = after.uncertain.length;
  const noChat = found.find(({ failure }) => failure)?.failure;
  return {
    messages,
    counts: { checked, reached, absent: before.uncertain.length - unknown - reached, unknown, early: early.length },
    error: unclear.find(({ error }) => error !== undefined)?.error ?? (noChat && new ServiceError(noChat)),
  };
}

async function readChats(
  status: DeliveryStatus,
  options: ReadOptions,
  signal: AbortSignal,
  progress: (done: number, total: number) => void,
): Promise<DeliveryCheck> {
  const unchecked = status.recipients(...UNCHECKED_STATES);
  const check: DeliveryCheck = { found: [], early: [], unclear: [] };
  for (const [index, { kind, id }] of unchecked.entries()) {
    if (signal.aborted) break;
    const recipient = { kind, id };
    try {
      const isEarly = mayBeListedLater(status.outcomeOf(recipient), options.now());
      const result = await findMessage(recipient, status, options, signal);
      if (result === 'unclear') check.unclear.push({ recipient });
      else if (isEarly && (result === 'absent' || options.isFromResend(result))) check.early.push(recipient);
      else check.found.push({ ...recipient, ...(result !== 'absent' && { msgId: result }) });
    } catch (error) {
      if (isFailure(error, 'cancelled')) break;
      if (isMissingGroup(error) || isFailure(error, 'notFound'))
        check.found.push({ ...recipient, failure: error.failure });
      else check.unclear.push({ recipient, error });
    }
    progress(index + 1, unchecked.length);
  }
  return check;
}

/**
 * Of a delivery and its resends, it doesn't matter which one a message is from. But if several of their messages arrived, each
 * of them gets one, also if it's listed late: one that is left over could be taken for a later delivery's.
 */
async function othersOf(delivery: Delivery, all: readonly OutboxEntry[]): Promise<Others> {
  const family = familyOf(delivery.id, all);
  const others = all.filter((entry) => {
    const { bot, service } = entry.status.delivery;
    return !family.includes(entry) && bot.id === delivery.bot.id && service === delivery.service;
  });
  const sent = await messagesOf(others);
  const resent = await messagesOf(family.filter(({ status }) => status.delivery.id !== delivery.id));
  // Another window may have taken over what this window is sending, if it took this one for dead. What it has sent isn't
  // known here before the call under way ends.
  const unsent = new Map<OutboxEntry, ReadonlySet<string>>();
  for (const other of others)
    if (other.isRunning) unsent.set(other, new Set(other.status.recipients('notSent').map(chatKey)));
  const messages = new DeliveryMessages(delivery);
  const isListedAlike = ({ status }: { status: DeliveryStatus }, chat: Chat) => {
    const [own, other] = [messages.ofChat(chat), new DeliveryMessages(status.delivery).ofChat(chat)];
    return own !== undefined && other !== undefined && isSame(other, own) === 'yes';
  };
  return {
    isFromResend: (msgId) => resent.has(msgId),
    isFromOther: (msgId) => sent.has(msgId),
    isAmbiguous: (chat) =>
      others.some(
        (other) =>
          (isUnchecked(other.status.outcomeOf(chat)) || unsent.get(other)?.has(chatKey(chat))) &&
          isListedAlike(other, chat),
      ),
  };
}

/** The IDs of messages that deliveries are known to have sent. */
async function messagesOf(entries: readonly OutboxEntry[]): Promise<Set<string>> {
  const ids = new Set<string>();
  const slices = new TimeSlices();
  for (const { status } of entries) {
    await slices.each(status.recipients('reached'), (recipient) => {
      const msgId = messageIdOf(status.outcomeOf(recipient));
      if (msgId !== undefined) ids.add(msgId);
    });
  }
  return ids;
}

/** Takes back messages that were found, but may be from another delivery. */
function withoutOthers(check: DeliveryCheck, { isFromOther, isAmbiguous }: Others): void {
  const isOwn = ({ msgId, ...chat }: DeliveryCheck['found'][number]) =>
    msgId === undefined || !(isFromOther(msgId) || isAmbiguous(chat));
  for (const { kind, id } of check.found.filter((one) => !isOwn(one))) check.unclear.push({ recipient: { kind, id } });
  check.found = check.found.filter(isOwn);
}

/** If the clock was set back, a call seems to lie in the future. */
const mayBeListedLater = (outcome: Outcome, now: number) =>
  isUnchecked(outcome) && outcome.at !== undefined && Math.abs(now - outcome.at) < LISTING_DELAY;

/** The ID of the delivered message in a chat, or whether it is certainly absent. */
async function findMessage(
  chat: Chat,
  { delivery }: DeliveryStatus,
  { since = delivery.at, list, isFromOther, isFromResend, isAmbiguous }: ReadOptions,
  signal: AbortSignal,
): Promise<string | 'absent' | 'unclear'> {
  const sent = new DeliveryMessages(delivery).ofChat(chat) ?? delivery.message;
  const compare = (message: Message) => (message.senderId === delivery.bot.id ? isSame(message, sent) : 'no');
  /** Whether a message can be as new as the delivery, given this clock difference. */
  const isRecent = (skew: number) => (message: Message) =>
    !isFromOther(message.msgId) && (message.sendTime ?? delivery.at) >= delivery.at - skew;
  /**
   * A delivery that waited can't have sent a message before its time. As that time may be wrong, an earlier message is
   * unclear.
   */
  const isInTime = ({ sendTime = since }: Message) => sendTime >= since - CLOCK_SKEW;
  let anchor: string | undefined;
  let oldestTime = delivery.at;
  for (let count = 0; count < MAX_MESSAGES; count += PAGE_SIZE) {
    const page = anchor === undefined ? { latest: PAGE_SIZE } : { anchor, before: PAGE_SIZE };
    const entries = oldestFirst(
      await list(chat, page, signal),
      anchor === undefined ? undefined : { msgId: anchor, is: 'newest' },
    );
    const messages = entries.flatMap((entry) => (entry.readable ? [entry.message] : []));
    const recent = messages.filter(isRecent(CLOCK_SKEW));
    const matches = recent.filter((message) => isInTime(message) && compare(message) === 'yes');
    const match = matches.find(({ msgId }) => !isFromResend(msgId)) ?? matches[0];
    if (match) return isAmbiguous(chat) ? 'unclear' : match.msgId;
    // A possible match: an unreadable message, one that can't be compared, or one that fits a wrong clock.
    const mayMatch =
      recent.some((message) => compare(message) === 'perhaps') ||
      messages.filter(isRecent(MAX_CLOCK_SKEW)).some((message) => compare(message) === 'yes');
    if (mayMatch || messages.length < entries.length) return 'unclear';
    const [oldest] = messages;
    // A short page isn't the end of the chat: the service may limit its page size.
    oldestTime = oldest?.sendTime ?? oldestTime;
    if (!oldest || oldest.msgId === anchor || oldestTime < delivery.at - MAX_CLOCK_SKEW) return 'absent';
    anchor = oldest.msgId;
  }
  // In a chat this busy, only the ordinary clock difference is considered.
  return oldestTime < delivery.at - CLOCK_SKEW ? 'absent' : 'unclear';
}

/** What identifies a message in a list. Received content has other fields than sent content (observed). */
interface ListedMessage {
  contentType: string;
  content: { text?: string | undefined; imageKey?: string | undefined; fileName?: string | undefined };
}

/** Whether a message of the bot is the delivered one. */
function isSame({ contentType, content }: ListedMessage, sent: Outgoing): 'yes' | 'no' | 'perhaps' {
  if (contentType !== sent.contentType) return 'no';
  // How an image's key is listed, if at all, is not documented.
  if ('imageKey' in sent.content && content.imageKey === undefined) return 'perhaps';
  if ('text' in sent.content) return normalText(content.text ?? '') === normalText(sent.content.text) ? 'yes' : 'no';
  if ('fileName' in sent.content) return content.fileName === sent.content.fileName ? 'yes' : 'no';
  return content.imageKey === sent.content.imageKey ? 'yes' : 'no';
}
