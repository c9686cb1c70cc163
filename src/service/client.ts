/** The client of the service: a method for each of its operations (contract section 4). */
import * as v from 'valibot';
import { readAddress } from './address.ts';
import { decode } from './envelope.ts';
import { isFailure, isRefusal, mayNeedToken, ServiceError } from './errors.ts';
import { identifierOrNumber, number } from './fields.ts';
import { Listed, messageKey, type Outgoing } from './message.ts';
import { Bot, type Chat, type Found, Group, type Kind, User } from './model.ts';
import { type BotOperation, type Lookup, OPERATIONS, type Operation } from './operations.ts';
import { redactTokenFields } from './redaction.ts';
import { TimeSlices } from './timeSlices.ts';
import { type Call, createTransport, type Transport, type TransportOptions } from './transport.ts';

export interface ClientOptions extends TransportOptions {
  /** Base address of the lookup API: `{web_url}` in the contract. */
  webUrl: string;
  /** Base address of the bot API, `{open_api_url}` in the contract: https, or http to loopback. */
  openApiUrl: string;
  /** Whether the user allows tokens to be sent over plain http. A function is asked before each request. */
  allowPlainHttp?: boolean | (() => boolean);
}

/** The part of a chat to list (contract 4.4). Counts are numbers of messages and exclude the anchor. */
export type Page = { latest: number } | { anchor: string; before?: number; after?: number };

/** The result of a `batch_send` (contract 4.5). A receiver that isn't in `reached` wasn't confirmed. */
export interface BatchResult {
  /** As received: it may contain duplicates, and receivers that weren't requested. */
  reached: { recvId: string; msgId: string }[];
  /** Entries that name no receiver, as received. */
  unreadable: unknown[];
  /** The service's own count, if any. */
  successCount: number | undefined;
}

/** What a call has besides what {@link OPERATIONS} says of all calls like it. */
type Asked = Pick<Call, 'query' | 'body' | 'signal' | 'before'>;

const OfGroup = v.object({ group: Group });
const OfBot = v.object({ bot: Bot });
const OfUser = v.object({ user: User });
const LookupData = v.record(v.string(), v.unknown());
// Some services send null for an empty list.
const MessageList = v.object({ list: v.nullable(v.array(v.unknown()), []) });
/** Numbers are accepted: a receiver whose confirmation is lost would get the message again. */
const Receipt = v.object({
  msgId: v.fallback(v.union([v.string(), identifierOrNumber]), ''),
  recvId: identifierOrNumber,
});
const BatchResult = v.object({ successCount: number, successList: v.nullable(v.array(v.unknown()), []) });

/** Every method rejects only with a ServiceError, or with what `before` rejects with, and stops when its signal aborts. */
export class Client implements Record<Operation, (...args: never[]) => Promise<unknown>> {
  readonly #webUrl: string;
  readonly #openApiUrl: string;
  /** Throws if the token mayn't be sent to the bot API any more. */
  readonly #check: () => void;
  readonly #call: Transport;

  /** @throws TypeError if an address can't be used safely: see {@link readAddress} */
  constructor({ webUrl, openApiUrl, allowPlainHttp = false, ...options }: ClientOptions) {
    this.#webUrl = validAddress(webUrl, { token: false });
    const allows = typeof allowPlainHttp === 'function' ? allowPlainHttp : () => allowPlainHttp;
    const use = () => ({ token: true, allowPlainHttp: allows() });
    this.#openApiUrl = validAddress(openApiUrl, use());
    this.#check = () => {
      if ('problem' in readAddress(openApiUrl, use())) throw new ServiceError({ kind: 'insecure' });
    };
    this.#call = createTransport(options);
  }

  /** Contract 4.1. A missing group isn't documented: both code -1 (observed) and an empty group mean "not found". */
  async group(groupId: string, signal?: AbortSignal): Promise<Found<'group'>> {
    const response = this.#lookUp('group', { body: { groupId }, signal });
    const data = await response.catch(toNotFound('group', groupId));
    if (isEmpty(data.group)) throw notFound('group', groupId);
    const { group } = decode(OfGroup, data);
    if (!group.groupId) throw notFound('group', groupId);
    return { kind: 'group', resource: group, raw: data.group };
  }

  /** Contract 4.2. Code -1 means "not found". */
  async bot(botId: string, signal?: AbortSignal): Promise<Found<'bot'>> {
    const response = this.#lookUp('bot', { body: { botId }, signal });
    const data = await response.catch(toNotFound('bot', botId));
    const { bot } = decode(OfBot, data);
    if (!bot.botId) throw notFound('bot', botId);
    return { kind: 'bot', resource: bot, raw: data.bot };
  }

  /** Contract 4.3. The default user, whose fields are all empty, means "not found". */
  async user(userId: string, signal?: AbortSignal): Promise<Found<'user'>> {
    const data = await this.#lookUp('user', { query: { userId }, signal });
    const { user } = decode(OfUser, data);
    if (!user.userId) throw notFound('user', userId);
    return { kind: 'user', resource: user, raw: data.user };
  }

  /** Contract 4.4. Messages in the service's order: newest first, as far as the contract shows. */
  async messages(token: string, chat: Chat, page: Page, signal?: AbortSignal): Promise<Listed[]> {
    const { range, count, only } = toQuery(page);
    const query = { 'chat-id': chat.id, 'chat-type': chat.kind, ...range };
    const data = await this.#askAsBot('messages', token, count, { query, signal });
    const list: Listed[] = [];
    const { list: entries } = decode(MessageList, data);
    await new TimeSlices(signal).each(entries, (entry) => {
      const listed = v.parse(Listed, entry);
      list.push(listed);
      // Computes long keys here, in time slices.
      messageKey(listed);
    });
    return only === undefined ? list : list.filter((one) => one.readable && one.message.msgId === only);
  }

  /**
   * Contract 4.5. Never retried: without an idempotency key, a second call sends a second message. `before` runs right
   * before the request. If it rejects, nothing is sent and this rejects with the same error.
   */
  async batchSend(
    token: string,
    recvType: Chat['kind'],
    recvIds: readonly string[],
    message: Outgoing,
    { signal, before }: Pick<Call, 'signal' | 'before'> = {},
  ): Promise<BatchResult> {
    const body = { recvIds, recvType, ...message };
    const data = await this.#askAsBot('batchSend', token, recvIds.length, { body, signal, before });
    const { successCount, successList } = decode(BatchResult, data);
    // One invalid entry must not invalidate the other confirmations.
    const result: BatchResult = { reached: [], unreadable: [], successCount };
    await new TimeSlices(signal).each(successList, (entry) => {
      const receipt = v.safeParse(Receipt, entry);
      if (receipt.success) result.reached.push(receipt.output);
      else result.unreadable.push(entry);
    });
    return result;
  }

  async #lookUp(operation: Lookup, asked: Asked): Promise<Record<string, unknown>> {
    const row = OPERATIONS.lookups[operation];
    const call = { ...row, ...asked, url: this.#webUrl + row.path, limits: row.limits() };
    const data = await this.#call(call).catch((error: unknown) => {
      throw mayNeedToken(error) ? new ServiceError({ ...error.failure, withoutToken: true }) : error;
    });
    redactTokenFields(data);
    return decode(LookupData, data);
  }

  /** @param elements how many the answer may list: see {@link OPERATIONS} */
  #askAsBot(operation: BotOperation, token: string, elements: number, asked: Asked): Promise<unknown> {
    const row = OPERATIONS.bots[operation];
    const url = this.#openApiUrl + row.path;
    return this.#call({ ...row, ...asked, url, limits: row.limits(elements), token, check: this.#check });
  }
}

const notFound = (what: Kind, id: string, said?: { code: number; text: string }) =>
  new ServiceError({ kind: 'notFound', what, id, ...said });

const isEmpty = (value: unknown) => value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Rethrows a rejection with code -1 as "not found", with the service's message, and any other error as it is. A gateway's
 * HTTP status of 500 or above says nothing of the ID.
 */
function toNotFound(what: Kind, id: string): (error: unknown) => never {
  return (error) => {
    if (!isFailure(error, 'rejected') || error.failure.code !== -1 || !isRefusal(error)) throw error;
    const { code, text } = error.failure;
    throw notFound(what, id, { code, text });
  };
}

/**
 * The query for a page, and the number of messages it requests. An anchor with both counts 0 lists nothing (rule 5), so
 * one more message is requested, and `only` is the ID of the one to keep.
 */
function toQuery(page: Page): { range: Record<string, string>; count: number; only?: string } {
  if ('latest' in page) return { range: { before: `${page.latest}` }, count: page.latest };
  const { anchor, before = 0, after = 0 } = page;
  const isAlone = before === 0 && after === 0;
  const older = isAlone ? 1 : before;
  const range = { 'message-id': anchor, before: `${older}`, after: `${after}` };
  return { range, count: older + after + 1, ...(isAlone && { only: anchor }) };
}

function validAddress(address: string, use: Parameters<typeof readAddress>[1]): string {
  const result = readAddress(address, use);
  if ('problem' in result) throw new TypeError(`Invalid service address: ${result.problem}`);
  return result.url;
}
