/** The service, as its contract describes it, with what was observed, on a network that fails. Shares no code with the client. */
import fc from 'fast-check';
import type { Computer, Process } from './computer.ts';

/** Whether a message arrives, and what the caller learns of it. */
const ANSWERS = {
  everyone: { delivers: 'all', says: 'all' },
  half: { delivers: 'half', says: 'all' },
  unnamed: { delivers: 'all', says: 'none' },
  missing: { delivers: 'all', says: 'half' },
  duplicates: { delivers: 'all', says: 'twice' },
  nobody: { delivers: 'none', says: 'none' },
  reset: { delivers: 'all', says: 'reset' },
  resetBefore: { delivers: 'none', says: 'reset' },
  silent: { delivers: 'all', says: 'nothing' },
  silentBefore: { delivers: 'none', says: 'nothing' },
  broken: { delivers: 'all', says: 'broken' },
  page: { delivers: 'all', says: 'page' },
  gateway: { delivers: 'all', says: 'gateway' },
  gatewaySuccess: { delivers: 'none', says: 'gatewaySuccess' },
  gatewayRefusal: { delivers: 'all', says: 'gatewayRefusal' },
  unknownCode: { delivers: 'all', says: 'unknownCode' },
  wrongTypes: { delivers: 'all', says: 'wrongTypes' },
  redirect: { delivers: 'none', says: 'redirect' },
  refused: { delivers: 'none', says: 'refused' },
  badToken: { delivers: 'none', says: 'badToken' },
  tooMany: { delivers: 'none', says: 'tooMany' },
  tooManyForLong: { delivers: 'none', says: 'tooManyForLong' },
  notConnected: { delivers: 'none', says: 'notConnected' },
} as const satisfies Record<string, { delivers: 'all' | 'half' | 'none'; says: string }>;
type Says = (typeof ANSWERS)[keyof typeof ANSWERS]['says'];

/** How the service takes a call. */
export const answers = fc.record({
  how: fc.constantFrom(...(Object.keys(ANSWERS) as (keyof typeof ANSWERS)[])),
  /** How long it takes (milliseconds): less than the client waits. */
  takes: fc.constantFrom(0, 0, 0, 1_000, 9_000),
  /** How long after that the message arrives (milliseconds), and is listed. */
  arrives: fc.constantFrom(0, 0, 0, 4_000),
  listed: fc.constantFrom(0, 0, 25_000),
});
export type Answer = typeof answers extends fc.Arbitrary<infer A> ? A : never;
const USUAL: Answer = { how: 'everyone', takes: 0, arrives: 0, listed: 0 };

interface Received {
  msgId: string;
  contentType: string;
  text: string;
  sentAt: number;
  listedFrom: number;
}

/** What a call is made for. */
export interface Purpose {
  /** A call arrives, with its recipients, by key, and the text for them. */
  arrives(recipients: readonly string[], text: string): void;
  /** A recipient gets the message. */
  delivers(recipient: string, msgId: string): void;
}

const BOT = '30481126';

export class Service {
  readonly #computer: Computer;
  readonly #chats = new Map<string, Received[]>();
  #answers: Answer[] = [];
  #messages = 0;
  /** What arrives later. */
  readonly #late = new Set<() => void>();
  calls = 0;

  constructor(computer: Computer) {
    this.#computer = computer;
  }

  /** How the next calls are taken. Others are answered as usual. */
  plan(answers: readonly Answer[]): void {
    this.#answers = [...answers];
  }

  /** Lets everything arrive, and lists it: nobody could tell late from never after the clock was set. */
  catchUp(): void {
    for (const deliver of this.#late) deliver();
    for (const chat of this.#chats.values()) for (const one of chat) one.listedFrom = 0;
  }

  /** Takes a text for a recipient, by key, from another computer. Returns the ID of the message. */
  receive(key: string, text: string): string {
    const msgId = this.#newId();
    this.#list({ msgId, contentType: 'text', text }, key, 0);
    return msgId;
  }

  #list(message: Pick<Received, 'msgId' | 'contentType' | 'text'>, key: string, listed: number): void {
    const sentAt = this.#computer.passed;
    const received = { ...message, sentAt, listedFrom: sentAt + listed };
    this.#chats.set(key, [received, ...(this.#chats.get(key) ?? [])]);
  }

  /** What a process gets for a request. */
  async fetch(process: Process, purpose: Purpose | undefined, url: string, init: RequestInit): Promise<Response> {
    const { pathname, searchParams } = new URL(url);
    if (pathname === '/open-apis/v1/bot/messages') {
      await process.step('answer');
      return this.#page(searchParams);
    }
    if (pathname !== '/open-apis/v1/bot/batch_send' || !purpose) return new Response(null, { status: 404 });
    return this.#take(process, purpose, init);
  }

  async #take(process: Process, purpose: Purpose, { body, signal }: RequestInit): Promise<Response> {
    this.calls++;
    const { how, takes, arrives, listed } = this.#answers.shift() ?? USUAL;
    const { delivers, says } = ANSWERS[how];
    const { recvIds, recvType, contentType, content } = JSON.parse(String(body)) as {
      recvIds: string[];
      recvType: string;
      contentType: string;
      content: { text: string };
    };
    const count = { all: recvIds.length, half: Math.ceil(recvIds.length / 2), none: 0 }[delivers];
    const receipts = recvIds.slice(0, count).map((recvId) => ({ recvId, msgId: this.#newId() }));
    purpose.arrives(
      recvIds.map((id) => `${recvType} ${id}`),
      content.text,
    );
    const deliver = () => {
      this.#late.delete(deliver);
      for (const { recvId, msgId } of receipts) {
        const key = `${recvType} ${recvId}`;
        this.#list({ msgId, contentType, text: content.text }, key, listed);
        purpose.delivers(key, msgId);
      }
    };
    // What is confirmed has arrived.
    if (arrives > 0 && (says === 'reset' || says === 'gateway' || says === 'nothing')) {
      this.#late.add(deliver);
      this.#computer.after(arrives, () => this.#late.has(deliver) && deliver());
    } else deliver();
    await new Promise<void>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      if (says === 'nothing') return;
      if (takes > 0) this.#computer.after(takes, resolve);
      else resolve();
    });
    await process.step('answer');
    return answer(says, receipts, recvIds);
  }

  /** The newest messages of a chat, or those before another one, the newest first (contract 4.4). */
  #page(query: URLSearchParams): Response {
    const chat = this.#chats.get(`${query.get('chat-type')} ${query.get('chat-id')}`) ?? [];
    const listed = chat.filter(({ listedFrom }) => listedFrom <= this.#computer.passed);
    const anchor = query.get('message-id');
    const from = anchor === null ? 0 : listed.findIndex(({ msgId }) => msgId === anchor);
    const count = Number(query.get('before')) + (anchor === null ? 0 : 1);
    const list = from < 0 ? [] : listed.slice(from, from + count).map((one) => this.#listed(one));
    return Response.json({ code: 1, msg: 'success', data: { list, total: listed.length } });
  }

  #listed({ msgId, contentType, text, sentAt }: Received): object {
    return {
      msgId,
      parentId: '',
      senderId: BOT,
      senderType: 'bot',
      senderNickname: 'Order Desk',
      contentType,
      content: { text },
      sendTime: this.#computer.trueTime(sentAt),
      commandName: '',
      commandId: 0,
    };
  }

  #newId(): string {
    return (++this.#messages).toString(16).padStart(32, '0');
  }
}

interface Receipt {
  recvId: string;
  msgId: string;
}

/** `receivers` are those who were asked for. */
function answer(says: Says, receipts: readonly Receipt[], receivers: readonly string[]): Response {
  const successOf = (list: readonly Receipt[]) => ({
    code: 1,
    msg: 'success',
    data: { successCount: list.length, successList: list },
  });
  const success = (list: readonly Receipt[]) => Response.json(successOf(list));
  const asked = receivers.map((recvId) => ({ recvId, msgId: `of ${recvId}` }));
  const refusal = (code: number, msg: string, init?: ResponseInit) => Response.json({ code, msg }, init);
  switch (says) {
    case 'all':
      return success(receipts);
    case 'half':
      return success(receipts.slice(0, Math.ceil(receipts.length / 2)));
    case 'none':
      return success([]);
    case 'twice':
      return success([...receipts, ...receipts]);
    case 'reset':
    case 'nothing':
      throw connectionError('ECONNRESET');
    case 'notConnected':
      throw connectionError('ECONNREFUSED');
    case 'broken':
      return new Response('{"code":1,"msg":"success","data":{"successCo', { headers: JSON_TYPE });
    case 'page':
      return new Response('<h1>Sorry</h1>', { headers: { 'content-type': 'text/html' } });
    case 'gateway':
      return new Response('<h1>504</h1>', { status: 504 });
    case 'gatewaySuccess':
      return Response.json(successOf(asked), { status: 502 });
    case 'gatewayRefusal':
      return refusal(-1, 'gateway', { status: 502 });
    case 'unknownCode':
      return refusal(0, 'ok?');
    case 'wrongTypes':
      return Response.json({ code: 1, msg: 'success', data: { successCount: 'one', successList: 'all' } });
    case 'redirect':
      return new Response(null, { status: 307, headers: { location: 'https://elsewhere.test/' } });
    case 'refused':
      return refusal(-1, '群(ID:a)中未添加当前机器人(ID: b)。');
    case 'badToken':
      return refusal(1003, '非法token');
    case 'tooMany':
      return refusal(1007, '调用频率超限');
    case 'tooManyForLong':
      return refusal(1007, '调用频率超限', { status: 429, headers: { 'Retry-After': '30' } });
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };

const connectionError = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
