/** The five operations of the service (contract section 4). */
import * as v from 'valibot';
import { readAddress } from './address.ts';
import { decode } from './envelope.ts';
import { isFailure, ServiceError } from './errors.ts';
import { identifier, number, text } from './fields.ts';
import { batchLimits, LOOKUP_LIMITS, pageLimits } from './limits.ts';
import { Listed, messageKey, type Outgoing } from './message.ts';
import { Bot, type Chat, type Found, Group, type Kind, User } from './model.ts';
import { redactTokens } from './redaction.ts';
import { TimeSlices } from './timeSlices.ts';
import { type Call, createTransport, type Transport, type TransportOptions } from './transport.ts';

export interface ClientOptions extends TransportOptions {
  /** Base address of the lookups, `{web_url}` of the contract. */
  webUrl: string;
  /** Base address of the bot operations, `{open_api_url}`: https, or http to loopback. */
  openApiUrl: string;
  /** The person accepts that their tokens go over plain http. */
  allowPlainHttp?: boolean;
}

/** Which part of a chat to list (contract 4.4). Counts are numbers of messages, the anchor not among them. */
export type Page = { latest: number } | { anchor: string; before?: number; after?: number };

/** What one `batch_send` answered (contract 4.5). A receiver that `reached` does not name was not confirmed. */
export interface BatchResult {
  /** The entries as they came: a receiver may be named twice, or be none that was asked for. */
  reached: { recvId: string; msgId: string }[];
  /** Entries that name no receiver, as they came. */
  unreadable: unknown[];
  /** The service's own count, where it gave one. */
  successCount: number | undefined;
}

type LookUp = Omit<Call, 'operation' | 'repeatable' | 'bounds' | 'url' | 'token' | 'before'> & { path: string };

const OfGroup = v.object({ group: Group });
const OfBot = v.object({ bot: Bot });
const OfUser = v.object({ user: User });
const Answer = v.record(v.string(), v.unknown());
// Some services write an empty list as null.
const MessageList = v.object({ list: v.nullable(v.array(v.unknown()), []) });
/** A number for an identifier is no less a confirmation: whoever is not taken for reached is sent the message again. */
const Receiver = v.union([identifier, v.pipe(v.number(), v.safeInteger(), v.transform(String))]);
const Receipt = v.object({ msgId: text, recvId: Receiver });
const BatchResult = v.object({ successCount: number, successList: v.nullable(v.array(v.unknown()), []) });

/** Every method rejects with a ServiceError and nothing else, but for `before`, and stops when its signal is aborted. */
export class Client {
  readonly #webUrl: string;
  readonly #openApiUrl: string;
  readonly #call: Transport;

  /** Throws a TypeError when an address could not be used safely: see {@link readAddress}. */
  constructor({ webUrl, openApiUrl, allowPlainHttp = false, ...options }: ClientOptions) {
    this.#webUrl = usable(webUrl, { token: false });
    this.#openApiUrl = usable(openApiUrl, { token: true, allowPlainHttp });
    this.#call = createTransport(options);
  }

  /** Contract 4.1. What a missing group looks like is not shown: code -1 (observed) and an empty group both mean it. */
  async group(groupId: string, signal?: AbortSignal): Promise<Found<'group'>> {
    const path = '/v1/group/group-info';
    const lookUp = this.#lookUp({ method: 'POST', path, body: { groupId }, signal });
    const data = await lookUp.catch(minusOneMeansNo('group', groupId));
    if (isNothing(data.group)) throw new ServiceError({ kind: 'notFound', what: 'group', id: groupId });
    const { group } = decode(OfGroup, data);
    if (!group.groupId) throw new ServiceError({ kind: 'notFound', what: 'group', id: groupId });
    return { kind: 'group', resource: group, raw: data.group };
  }

  /** Contract 4.2. Code -1 means that no bot has this ID. */
  async bot(botId: string, signal?: AbortSignal): Promise<Found<'bot'>> {
    const lookUp = this.#lookUp({ method: 'POST', path: '/v1/bot/bot-info', body: { botId }, signal });
    const data = await lookUp.catch(minusOneMeansNo('bot', botId));
    const { bot } = decode(OfBot, data);
    if (!bot.botId) throw new ServiceError({ kind: 'notFound', what: 'bot', id: botId });
    return { kind: 'bot', resource: bot, raw: data.bot };
  }

  /** Contract 4.3. The default user, all empty, means that no user has this ID. */
  async user(userId: string, signal?: AbortSignal): Promise<Found<'user'>> {
    const data = await this.#lookUp({ method: 'GET', path: '/v1/user/homepage', query: { userId }, signal });
    const { user } = decode(OfUser, data);
    if (!user.userId) throw new ServiceError({ kind: 'notFound', what: 'user', id: userId });
    return { kind: 'user', resource: user, raw: data.user };
  }

  /** Contract 4.4. Messages in the order of the service: newest first as far as the contract shows. */
  async messages(token: string, chat: Chat, page: Page, signal?: AbortSignal): Promise<Listed[]> {
    const { range, count, trim } = rangeOf(page);
    const data = await this.#call({
      operation: 'messages',
      repeatable: true,
      bounds: pageLimits(count),
      method: 'GET',
      url: `${this.#openApiUrl}/open-apis/v1/bot/messages`,
      query: { 'chat-id': chat.id, 'chat-type': chat.type, ...range },
      token,
      signal,
    });
    const list: Listed[] = [];
    const { list: entries } = decode(MessageList, data);
    await new TimeSlices(signal).each(entries, (entry) => {
      const listed = v.parse(Listed, entry);
      list.push(listed);
      // It is long where the entry is: all at once, later on, they would take too long.
      messageKey(listed);
    });
    return trim(list);
  }

  /**
   * Contract 4.5. Never repeated by itself: without an idempotency key a second call is a second message. `before` is
   * run right before the message goes out: where it rejects, nothing is sent, and this rejects with the same.
   */
  async batchSend(
    token: string,
    recvType: Chat['type'],
    recvIds: readonly string[],
    message: Outgoing,
    { signal, before }: Pick<Call, 'signal' | 'before'> = {},
  ): Promise<BatchResult> {
    const data = await this.#call({
      operation: 'batch_send',
      repeatable: false,
      bounds: batchLimits(recvIds.length),
      method: 'POST',
      url: `${this.#openApiUrl}/open-apis/v1/bot/batch_send`,
      body: { recvIds, recvType, ...message },
      token,
      signal,
      before,
    });
    const { successCount, successList } = decode(BatchResult, data);
    // One odd entry must not cost the others their confirmation.
    const answer: BatchResult = { reached: [], unreadable: [], successCount };
    await new TimeSlices(signal).each(successList, (entry) => {
      const receipt = v.safeParse(Receipt, entry);
      if (receipt.success) answer.reached.push(receipt.output);
      else answer.unreadable.push(entry);
    });
    return answer;
  }

  async #lookUp({ path, ...request }: LookUp): Promise<Record<string, unknown>> {
    const url = this.#webUrl + path;
    const data = await this.#call({ operation: path, repeatable: true, bounds: LOOKUP_LIMITS, url, ...request });
    redactTokens(data);
    return decode(Answer, data);
  }
}

const isNothing = (value: unknown) => value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Turns a rejection with code -1 into "not found", the service's words kept; passes anything else on. */
function minusOneMeansNo(what: Kind, id: string): (error: unknown) => never {
  return (error) => {
    if (!isFailure(error, 'rejected') || error.failure.code !== -1) throw error;
    const { code, text } = error.failure;
    throw new ServiceError({ kind: 'notFound', what, id, code, text });
  };
}

/**
 * The query of a page, and how many messages it asks for. An anchor with both counts 0 lists nothing (rule 5): one more is
 * asked for, and left out.
 */
function rangeOf(page: Page): { range: Record<string, string>; count: number; trim: (list: Listed[]) => Listed[] } {
  const whole = (list: Listed[]) => list;
  if ('latest' in page) return { range: { before: `${page.latest}` }, count: page.latest, trim: whole };
  const { anchor, before = 0, after = 0 } = page;
  if (before > 0 || after > 0) {
    const range = { 'message-id': anchor, before: `${before}`, after: `${after}` };
    return { range, count: before + after + 1, trim: whole };
  }
  return {
    range: { 'message-id': anchor, before: '1', after: '0' },
    count: 2,
    trim: (list) => list.filter((entry) => entry.readable && entry.message.msgId === anchor),
  };
}

function usable(address: string, use: Parameters<typeof readAddress>[1]): string {
  const read = readAddress(address, use);
  if ('problem' in read) throw new TypeError(`address of the service: ${read.problem}`);
  return read.url;
}
