/** What the sandbox answers for each fault. */

import delay from 'delay';
import type { Receipt } from '../../src/sandbox/app.ts';
import type { Operation } from '../../src/sandbox/requests.ts';
import { mix } from '../../src/sandbox/seeded.ts';
import type { Fault } from './plan.ts';

const json = { 'Content-Type': 'application/json' };

/** The data of each operation (contract 2 and 4) for `wrong-types`. */
const wrongData: Readonly<Record<Operation, object>> = {
  'group-info': { group: { groupId: 518204736, name: ['Fern & Kettle'], headcount: {}, groupBotRel: 'none' } },
  'bot-info': { bot: { botId: 30481126, nickname: { text: 'Order Desk' }, headcount: 'many', private: null } },
  homepage: { user: { userId: 7058314, nickname: 7058314, registerTime: 'long ago', medals: 'none' } },
  messages: { list: { 0: { msgId: 1, content: 'Hello' } }, total: 'one' },
  batch_send: { successCount: 'one', successList: '518204736' },
};

/**
 * The response for a fault.
 * @param right the correct response, missing if the operation wasn't carried out
 * @throws {ConnectionReset} instead of a response
 */
export async function faultyAnswer(
  fault: Fault,
  operation: Operation,
  request: Request,
  right: Response = succeed({}),
): Promise<Response> {
  switch (fault.fault) {
    case 'reset':
      throw new ConnectionReset('fetch failed');
    case 'half-body': {
      const bytes = new Uint8Array(await right.arrayBuffer());
      return new Response(halfOf(bytes), { headers: { ...json, 'Content-Length': String(bytes.length) } });
    }
    case 'garbage':
      return new Response(
        Uint8Array.from({ length: 256 }, (_, at) => mix(at)),
        { headers: json },
      );
    case 'html':
      return page(request, fault.status);
    case 'wrong-types':
      return succeed(wrongData[operation]);
    case 'code':
      return Response.json({ code: fault.code, msg: fault.msg }, { status: fault.status });
    case 'too-many': {
      const { code, retryAfter } = fault;
      const headers = new Headers(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) });
      if (code === undefined) return page(request, 429, headers);
      return Response.json({ code, msg: '调用频率超限' }, { status: 429, headers });
    }
    case 'endless':
      return new Response(endless('{"code":1,"msg":"success","data":{', request.signal), { headers: json });
    case 'redirect':
      return redirect(request, fault.status, fault.to);
    case 'duplicates':
      return withReceipts(right, (receipt, at) => (at % 2 === 0 ? [receipt, receipt] : [receipt]));
    case 'missing':
      return withReceipts(right, (receipt, at) => (at % 2 === 0 ? [] : [receipt]));
  }
}

function succeed(data: object): Response {
  return Response.json({ code: 1, msg: 'success', data });
}

/** An error page as proxies send it. It contains the token, which clients must redact. */
function page({ url }: Request, status: number, headers = new Headers()): Response {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  const { pathname, search } = new URL(url);
  const requested = `${pathname}${search}`.replaceAll('&', '&amp;');
  return new Response(`<!DOCTYPE html>\n<title>${status}</title>\n<h1>${status}</h1>\n<p>${requested}</p>\n`, {
    status,
    headers,
  });
}

function redirect({ url }: Request, status: number, to: string): Response {
  const target = new URL(to, url);
  // As proxies do: a client that follows the redirect leaks its token.
  target.search = [target, new URL(url)]
    .map(({ search }) => search.slice(1))
    .filter(Boolean)
    .join('&');
  return new Response(null, { status, headers: { Location: target.href } });
}

/** A success of batch_send (contract 4.5) with replaced receipts and a matching count. A refusal stays as it is. */
async function withReceipts(right: Response, replace: (receipt: Receipt, at: number) => Receipt[]): Promise<Response> {
  const { data } = await right.clone().json();
  if (!data) return right;
  const successList = data.successList.flatMap(replace);
  return succeed({ successCount: successList.length, successList });
}

/** A lost connection, as `fetch` reports it. */
export class ConnectionReset extends TypeError {
  constructor(message: 'fetch failed' | 'terminated') {
    super(message, { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
  }
}

/** A stream of the first half of `bytes`, which then fails with a {@link ConnectionReset}. */
function halfOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (body) => body.enqueue(bytes.slice(0, bytes.length / 2)),
    pull: (body) => body.error(new ConnectionReset('terminated')),
  });
}

/** A stream of a text and then endless spaces. Fails with the reason of `signal`. */
function endless(text: string, signal: AbortSignal): ReadableStream<Uint8Array> {
  const spaces = new Uint8Array(16_384).fill(0x20);
  const canceled = new AbortController();
  const ended = AbortSignal.any([signal, canceled.signal]);
  return new ReadableStream({
    start: (body) => body.enqueue(new TextEncoder().encode(text)),
    async pull(body) {
      // A stream that is always ready would starve the timers of its reader.
      await delay(1, { signal: ended });
      body.enqueue(spaces);
    },
    cancel: () => canceled.abort(),
  });
}
