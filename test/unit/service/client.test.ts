import assert from 'node:assert/strict';
import { Client } from '../../../src/service/client.ts';
import type { Outgoing } from '../../../src/service/message.ts';
import { serveSandbox } from '../../host/serve.ts';
import { body, counting, failureOf, operations, success } from './answering.ts';

// What the sandbox answers is the subject of test/unit/sandbox.
describe('A client of the sandbox', () => {
  const BOT = '30481126';
  const HELLO: Outgoing = { contentType: 'text', content: { text: 'Hello' } };
  let service: Awaited<ReturnType<typeof serveSandbox>>;
  let client: Client;
  let token: string;
  // Isolates the tests from each other.
  beforeEach(async () => {
    service = await serveSandbox({ messages: 30 });
    const { webUrl, openApiUrl } = service.sandbox;
    client = new Client({ webUrl, openApiUrl });
    token = service.sandbox.token(BOT) ?? '';
  });
  afterEach(() => service.close());

  it('looks up groups, bots and users with all of their fields', async () => {
    const found = [await client.group('518204736'), await client.bot(BOT), await client.user('7521170')];
    for (const { resource, raw } of found) assert.deepEqual(raw, resource);
    assert.deepEqual(
      found.map(({ resource }) => ('name' in resource ? resource.name : resource.nickname)),
      ['Fern & Kettle: the shop team', 'Order Desk', 'Owen Pikestaff'],
    );
  });

  it("reports with the service's text that nothing has an ID, except for a user, whom it answers nevertheless", async () => {
    const noGroup = { kind: 'notFound', what: 'group', id: '999', code: -1, text: '群(ID:999)不存在。' };
    assert.deepEqual(await failureOf(client.group('999')), noGroup);
    for (const id of ['7058314', 'nobody', '']) {
      const noBot = { kind: 'notFound', what: 'bot', id, code: -1, text: '机器人不存在' };
      assert.deepEqual(await failureOf(client.bot(id)), noBot);
    }
    for (const id of [BOT, 'nobody', ''])
      assert.deepEqual(await failureOf(client.user(id)), { kind: 'notFound', what: 'user', id });
  });

  it('reports why a list or a batch is refused', async () => {
    const list = client.messages(token, { kind: 'group', id: 'big' }, { anchor: 'x', after: 1 });
    const noMessage = { kind: 'rejected', code: -1, text: '消息不存在或无权限修改', status: 200 };
    assert.deepEqual(await failureOf(list), noMessage);
    const noToken = { kind: 'rejected', code: 1003, text: '非法token', status: 200 };
    assert.deepEqual(await failureOf(client.batchSend('wrong', 'group', ['big'], HELLO)), noToken);
  });

  it('sends to all but a user who refuses', async () => {
    const { reached, unreadable, successCount } = await client.batchSend(token, 'user', ['7850437', '7058314'], HELLO);
    assert.deepEqual([reached.map(({ recvId }) => recvId), unreadable, successCount], [['7058314'], [], 1]);
  });

  it('lists what it has sent, of any kind, buttons included', async () => {
    const buttons = [[{ text: 'Open', actionType: 1, url: 'https://chat.example/a', value: '' }]];
    const messages: Outgoing[] = [
      { contentType: 'text', content: { text: 'Plain', buttons } },
      { contentType: 'markdown', content: { text: '# 今天\n\n你好', buttons } },
      { contentType: 'html', content: { text: '<b>bold</b>' } },
      { contentType: 'image', content: { imageKey: 'k.png', buttons } },
      { contentType: 'file', content: { fileName: 'a.pdf', fileUrl: 'https://chat.example/a.pdf' } },
    ];
    for (const message of messages) {
      const { reached } = await client.batchSend(token, 'group', ['big'], message);
      const [newest] = await client.messages(token, { kind: 'group', id: 'big' }, { latest: 1 });
      assert.ok(newest?.readable);
      const { msgId, senderId, contentType, content } = newest.message;
      assert.deepEqual([msgId, senderId, contentType], [reached[0]?.msgId, BOT, message.contentType]);
      assert.partialDeepStrictEqual(content, message.content);
    }
  });
});

describe('A client', () => {
  const good = 'https://chat.example';
  const create = (webUrl: string, openApiUrl: string, allowPlainHttp?: boolean) =>
    new Client({ webUrl, openApiUrl, ...(allowPlainHttp !== undefined && { allowPlainHttp }) });

  it("isn't created for invalid addresses, which aren't quoted", () => {
    const bad = 'https://person:secret@chat.example';
    const isSecret = (error: unknown) => error instanceof TypeError && !/secret/.test(`${error.stack}`);
    assert.throws(() => create(bad, good), isSecret);
    assert.throws(() => create(good, bad), isSecret);
  });

  it('sends a token over plain http only if the user allows it, and looks up anyway', () => {
    const plain = 'http://chat.example';
    create(plain, good);
    create(good, plain, true);
    for (const allowed of [undefined, false]) assert.throws(() => create(good, plain, allowed), TypeError);
  });

  it('sends no token over plain http any more once the user forbids it', async () => {
    let isAllowed = true;
    const open = (openApiUrl: string) =>
      counting(() => success({ list: [] }), { openApiUrl, allowPlainHttp: () => isAllowed });
    const { client, at } = open('http://chat.example');
    assert.deepEqual(await operations.messages(client), []);
    isAllowed = false;
    assert.deepEqual(await failureOf(operations.messages(client)), { kind: 'insecure' });
    const hello: Outgoing = { contentType: 'text', content: { text: 'Hello' } };
    const before = () => assert.fail('It was to be sent.');
    const batch = client.batchSend('a-token', 'group', ['big'], hello, { before });
    assert.deepEqual(await failureOf(batch), { kind: 'insecure' });
    assert.equal(at.length, 1);
    for (const safe of [good, 'http://localhost:1']) await operations.messages(open(safe).client);
  });

  it("doesn't try again over plain http once the user forbids it", async () => {
    let isAllowed = true;
    const down = () => {
      isAllowed = false;
      return body('', 503);
    };
    const options = { openApiUrl: 'http://chat.example', allowPlainHttp: () => isAllowed };
    const { client, at } = counting(down, options);
    assert.deepEqual(await failureOf(operations.messages(client)), { kind: 'insecure' });
    assert.equal(at.length, 1);
  });
});
