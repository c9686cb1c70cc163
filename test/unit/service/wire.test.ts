import assert from 'node:assert/strict';
import type { Client, Page } from '../../../src/service/client.ts';
import { answering, callsWithoutToken, everything, examples, operations } from './answering.ts';

describe('Client on the wire', () => {
  /** The request of one call, with its JSON body parsed. */
  async function sent(call: (client: Client) => Promise<unknown>) {
    await using service = await answering(() => new Response(everything));
    await call(service.client);
    assert.equal(service.got.length, 1);
    const [{ search: _, body = '', ...rest } = assert.fail()] = service.got;
    return { ...rest, body: body === '' ? undefined : JSON.parse(body) };
  }

  for (const [name, { call, request }] of Object.entries(examples)) {
    it(`has the method, address and fields of the contract: ${name}`, async () => {
      assert.deepEqual(await sent(call), { contentType: 'application/json', body: undefined, ...request });
    });
  }

  it('requests each kind of page by the rules of 4.4', async () => {
    const pages: { page: Page; rules: Record<string, string> }[] = [
      { page: { latest: 1 }, rules: { before: '1', after: '0' } },
      { page: { anchor: 'm', before: 5 }, rules: { 'message-id': 'm', before: '5', after: '0' } },
      { page: { anchor: 'm', after: 5 }, rules: { 'message-id': 'm', before: '0', after: '5' } },
      { page: { anchor: 'm', before: 5, after: 6 }, rules: { 'message-id': 'm', before: '5', after: '6' } },
    ];
    for (const { page, rules } of pages) {
      const { query } = await sent((client) => client.messages('t', { kind: 'user', id: '7' }, page));
      const others = { token: 't', 'chat-id': '7', 'chat-type': 'user' };
      // A missing count is 0.
      assert.deepEqual({ before: '0', after: '0', ...query }, { ...others, ...rules }, JSON.stringify(page));
    }
  });

  it('sends no token with a lookup', async () => {
    await using service = await answering(() => new Response(everything));
    await operations.messages(service.client);
    for (const lookUp of callsWithoutToken) await lookUp(service.client);
    for (const { search, body } of service.got.slice(1)) assert.doesNotMatch(search + body, /token/i);
  });

  it('encodes tokens and IDs with any characters', async () => {
    for (const odd of ['a b', 'a+b', 'a&b=c', '100%', '%2F', 'a/b?c#d', '群 ä', '\'"<>|^`', 'a;b:c@d,e']) {
      const chat = { kind: 'group', id: odd } as const;
      const { query } = await sent((client) => client.messages(odd, chat, { anchor: odd, before: 1 }));
      assert.deepEqual([query.token, query['chat-id'], query['message-id']], [odd, odd, odd]);
      assert.equal((await sent((client) => client.user(odd))).query.userId, odd);
    }
  });
});
