import assert from 'node:assert/strict';
import type { Client, Page } from '../../../src/service/client.ts';
import type { Outgoing } from '../../../src/service/message.ts';
import { answering, operations, success } from './answering.ts';

describe('Client on the wire', () => {
  const everything = () =>
    success({
      group: { groupId: 'g' },
      bot: { botId: 'b' },
      user: { userId: 'u' },
      list: [],
      successCount: 0,
      successList: [],
    });
  const json = 'application/json';

  /** The request of one call, with its JSON body parsed. */
  async function sent(call: (client: Client) => Promise<unknown>) {
    await using service = await answering(everything);
    await call(service.client);
    assert.equal(service.got.length, 1);
    const [{ search: _, body = '', ...rest } = assert.fail()] = service.got;
    return { ...rest, body: body === '' ? undefined : JSON.parse(body) };
  }

  it('looks up a group (4.1)', async () => {
    const path = '/web/v1/group/group-info';
    const request = { method: 'POST', path, query: {}, contentType: json, body: { groupId: '518204736' } };
    assert.deepEqual(await sent(operations.group), request);
  });

  it('looks up a bot (4.2)', async () => {
    const path = '/web/v1/bot/bot-info';
    const request = { method: 'POST', path, query: {}, contentType: json, body: { botId: '30481126' } };
    assert.deepEqual(await sent(operations.bot), request);
  });

  it('looks up a user (4.3)', async () => {
    const { contentType: _, ...request } = await sent(operations.user);
    const query = { userId: '7058314' };
    assert.deepEqual(request, { method: 'GET', path: '/web/v1/user/homepage', query, body: undefined });
  });

  it('lists messages (4.4)', async () => {
    const query = { token: 'a-token', 'chat-id': 'big', 'chat-type': 'group', before: '20' };
    const request = {
      method: 'GET',
      path: '/open/open-apis/v1/bot/messages',
      query,
      contentType: json,
      body: undefined,
    };
    assert.deepEqual(await sent(operations.messages), request);
  });

  it('requests each kind of page by the rules of 4.4', async () => {
    const pages: [Page, Record<string, string>][] = [
      [{ latest: 1 }, { before: '1', after: '0' }],
      [
        { anchor: 'm', before: 5 },
        { 'message-id': 'm', before: '5', after: '0' },
      ],
      [
        { anchor: 'm', after: 5 },
        { 'message-id': 'm', before: '0', after: '5' },
      ],
      [
        { anchor: 'm', before: 5, after: 6 },
        { 'message-id': 'm', before: '5', after: '6' },
      ],
    ];
    for (const [page, rules] of pages) {
      const { query } = await sent((client) => client.messages('t', { kind: 'user', id: '7' }, page));
      const others = { token: 't', 'chat-id': '7', 'chat-type': 'user' };
      // A missing count is 0.
      assert.deepEqual({ before: '0', after: '0', ...query }, { ...others, ...rules });
    }
  });

  it('sends a message (4.5)', async () => {
    const message: Outgoing = { contentType: 'file', content: { fileName: '图.pdf', fileUrl: 'https://f.example/1' } };
    const request = await sent((client) => client.batchSend('a-token', 'user', ['7058314', '7102649'], message));
    assert.deepEqual(request, {
      method: 'POST',
      path: '/open/open-apis/v1/bot/batch_send',
      query: { token: 'a-token' },
      contentType: json,
      body: { recvIds: ['7058314', '7102649'], recvType: 'user', ...message },
    });
  });

  it('sends no token with a lookup', async () => {
    await using service = await answering(everything);
    await operations.messages(service.client);
    for (const name of ['group', 'bot', 'user'] as const) await operations[name](service.client);
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
