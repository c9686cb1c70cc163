import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { isRefusal, ServiceError } from '../../src/service/errors.ts';
import { serve, withCors } from '../host/serve.ts';
import type { ClientCall } from '../host/tabScript.ts';
import { openTab } from '../host/tabs.ts';

const BLOCKED = { kind: 'unreachable', reason: 'Failed to fetch', inBrowser: true };
const USER: ClientCall = ['user', '7058314'];
const GROUP: ClientCall = ['group', '518204736'];
const MESSAGES: ClientCall = ['messages', 'a-token', { kind: 'group', id: 'big' }, { latest: 1 }];
const SEND: ClientCall = [
  'batchSend',
  'a-token',
  'group',
  ['big'],
  { contentType: 'text', content: { text: 'Hello' } },
  {},
];

const success = () =>
  Response.json({ code: 1, data: { group: { groupId: 'g' }, user: { userId: 'u' }, list: [], successList: [] } });

describe('The client in a browser', () => {
  let page: Page;
  before(async () => {
    page = await openTab();
  });
  after(() => page?.close());

  /** Calls a service that answers like this. Resolves to the failure, if any, and the methods of all requests. */
  async function call(handler: (request: Request) => Response | Promise<Response>, call: ClientCall) {
    const methods: string[] = [];
    const { origin, close } = await serve((request) => {
      methods.push(request.method);
      return handler(request);
    });
    try {
      const addresses = { webUrl: `${origin}/web`, openApiUrl: `${origin}/open` };
      const failure = await page.evaluate(([addresses, call]) => window.__callService(addresses, call), [
        addresses,
        call,
      ] as const);
      return { failure, methods };
    } finally {
      await close();
    }
  }

  it('reads by GET without asking for permission first', async () => {
    for (const one of [USER, MESSAGES]) {
      assert.deepEqual(await call(withCors(success), one), { failure: undefined, methods: ['GET'] });
    }
  });

  it('asks for permission before a POST, whose body is JSON', async () => {
    for (const one of [GROUP, SEND]) {
      assert.deepEqual(await call(withCors(success), one), { failure: undefined, methods: ['OPTIONS', 'POST'] });
    }
  });

  it('can’t tell a service that doesn’t answer browsers from none, and doesn’t take that for a refusal', async () => {
    const { failure, methods } = await call(success, SEND);
    assert.deepEqual([failure, methods], [BLOCKED, ['OPTIONS']]);
    assert.equal(isRefusal(new ServiceError(failure ?? assert.fail())), false);
    // Repeated like every read that fails.
    assert.deepEqual(await call(success, USER), { failure: BLOCKED, methods: ['GET', 'GET', 'GET'] });
  });

  it('follows no redirect, whose target the browser keeps back', async () => {
    const redirect = () => new Response(null, { status: 302, headers: { location: 'https://other.example/' } });
    assert.deepEqual(await call(withCors(redirect), USER), { failure: { kind: 'redirected' }, methods: ['GET'] });
    const sent = await call(withCors(redirect), SEND);
    assert.deepEqual(sent, { failure: { kind: 'redirected' }, methods: ['OPTIONS', 'POST'] });
    assert.equal(isRefusal(new ServiceError(sent.failure ?? assert.fail())), false);
  });

  it('waits as long as the service asks for, if it may know', async () => {
    const tooMany = () => Response.json({ code: 1007, msg: 'slow' }, { status: 429, headers: { 'retry-after': '9' } });
    const rejected = { kind: 'rejected', code: 1007, text: 'slow', status: 429 };
    assert.deepEqual((await call(withCors(tooMany), SEND)).failure, { ...rejected, retryAfter: 9000 });
    const hidden = async (request: Request) => {
      const response = await withCors(tooMany)(request);
      response.headers.delete('access-control-expose-headers');
      return response;
    };
    assert.deepEqual((await call(hidden, SEND)).failure, rejected);
  });
});
