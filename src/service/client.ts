/** The five operations of the service (contract section 4). */
import * as v from 'valibot';
import { readAddress } from './address.ts';
import { isFailure, ServiceError } from './errors.ts';
import { identifier, number, text } from './fields.ts';
import { Listed, type Outgoing } from './message.ts';
import { Bot, type Chat, Group, type Kind, User } from './model.ts';
import { type Call, createTransport, type Transport } from './transport.ts';

export interface ClientOptions {
  /** Base address of the lookups, `{web_url}` of the contract. */
  webUrl: string;
  /** Base address of the bot operations, `{open_api_url}`: https, or http to loopback. */
  openApiUrl: string;
  fetch?: typeof globalThis.fetch;
  /** How long a call may take in all, in milliseconds. */
  timeout?: number;
}

/** Which part of a chat to list (contract 4.4). Counts are numbers of messages, the anchor not among them. */
export type Page = { latest: number } | { anchor: string; before?: number; after?: number };

/** What one `batch_send` answered (contract 4.5). Receivers that are not in `reached` were not confirmed. */
export interface BatchAnswer {
  reached: { recvId: string; msgId: string }[];
  /** The service's own count, where it gave one. */
  successCount: number | undefined;
}

type LookUp = Omit<Call, 'url' | 'token'> & { path: string };

const OfGroup = v.object({ group: Group });
const OfBot = v.object({ bot: Bot });
const OfUser = v.object({ user: User });
const MessageList = v.object({ list: v.array(Listed) });
const Receipt = v.looseObject({ msgId: text, recvId: identifier });
const BatchResult = v.object({
  successCount: number,
  // One odd entry must not cost the others their confirmation: they would be sent the message again.
  successList: v.pipe(
    v.nullable(v.array(v.unknown()), []),
    v.transform((list) => list.filter((one) => v.is(Receipt, one)).map((one) => v.parse(Receipt, one))),
  ),
});

/** Every method rejects with a ServiceError and nothing else, and stops when its signal is aborted. */
export class Client {
  readonly #webUrl: string;
  readonly #openApiUrl: string;
  readonly #call: Transport;

  /** Throws a TypeError when an address could not be used safely: see {@link readAddress}. */
  constructor({ webUrl, openApiUrl, fetch = globalThis.fetch, timeout = 20_000 }: ClientOptions) {
    this.#webUrl = usable(webUrl, false);
    this.#openApiUrl = usable(openApiUrl, true);
    this.#call = createTransport(fetch, timeout);
  }

  /** Contract 4.1. What a missing group looks like is not shown: code -1 (observed) and an empty group both mean it. */
  async group(groupId: string, signal?: AbortSignal): Promise<Group> {
    const call = { method: 'POST', path: '/v1/group/group-info', body: { groupId }, signal } as const;
    const { group } = await this.#lookUp(call, OfGroup).catch(minusOneMeansNo('group', groupId));
    if (!group.groupId) throw new ServiceError({ kind: 'notFound', what: 'group', id: groupId });
    return group;
  }

  /** Contract 4.2. Code -1 means that no bot has this ID. */
  async bot(botId: string, signal?: AbortSignal): Promise<Bot> {
    const call = { method: 'POST', path: '/v1/bot/bot-info', body: { botId }, signal } as const;
    const { bot } = await this.#lookUp(call, OfBot).catch(minusOneMeansNo('bot', botId));
    if (!bot.botId) throw new ServiceError({ kind: 'notFound', what: 'bot', id: botId });
    return bot;
  }

  /** Contract 4.3. The default user, all empty, means that no user has this ID. */
  async user(userId: string, signal?: AbortSignal): Promise<User> {
    const call = { method: 'GET', path: '/v1/user/homepage', query: { userId }, signal } as const;
    const { user } = await this.#lookUp(call, OfUser);
    if (!user.userId) throw new ServiceError({ kind: 'notFound', what: 'user', id: userId });
    return user;
  }

  /** Contract 4.4. Messages in the order of the service: newest first as far as the contract shows. */
  async messages(token: string, chat: Chat, page: Page, signal?: AbortSignal): Promise<Listed[]> {
    const { range, trim } = rangeOf(page);
    const url = `${this.#openApiUrl}/open-apis/v1/bot/messages`;
    const query = { 'chat-id': chat.id, 'chat-type': chat.type, ...range };
    const { list } = await this.#call({ method: 'GET', url, query, token, signal }, MessageList);
    return trim(list);
  }

  /** Contract 4.5. Never repeated by itself: without an idempotency key a second call is a second message. */
  async batchSend(
    token: string,
    recvType: Chat['type'],
    recvIds: readonly string[],
    message: Outgoing,
    signal?: AbortSignal,
  ): Promise<BatchAnswer> {
    const url = `${this.#openApiUrl}/open-apis/v1/bot/batch_send`;
    const body = { recvIds, recvType, ...message };
    const { successCount, successList } = await this.#call({ method: 'POST', url, body, token, signal }, BatchResult);
    return { reached: successList.map(({ recvId, msgId }) => ({ recvId, msgId })), successCount };
  }

  #lookUp<const S extends v.GenericSchema>({ path, ...call }: LookUp, schema: S): Promise<v.InferOutput<S>> {
    return this.#call({ url: this.#webUrl + path, ...call }, schema);
  }
}

/** Turns a rejection with code -1 into "not found", the service's words kept; passes anything else on. */
function minusOneMeansNo(what: Kind, id: string): (error: unknown) => never {
  return (error) => {
    if (!isFailure(error, 'rejected') || error.failure.code !== -1) throw error;
    const { code, text } = error.failure;
    throw new ServiceError({ kind: 'notFound', what, id, code, text });
  };
}

/** The query of a page. An anchor with both counts 0 lists nothing (rule 5): one more is asked for, and left out. */
function rangeOf(page: Page): { range: Record<string, string | number>; trim: (list: Listed[]) => Listed[] } {
  const whole = (list: Listed[]) => list;
  if ('latest' in page) return { range: { before: page.latest }, trim: whole };
  const { anchor, before = 0, after = 0 } = page;
  if (before > 0 || after > 0) return { range: { 'message-id': anchor, before, after }, trim: whole };
  return {
    range: { 'message-id': anchor, before: 1, after: 0 },
    trim: (list) => list.filter((entry) => entry.readable && entry.message.msgId === anchor),
  };
}

function usable(address: string, token: boolean): string {
  const read = readAddress(address, { token });
  if ('problem' in read) throw new TypeError(`address of the service: ${read.problem}`);
  return read.url;
}
