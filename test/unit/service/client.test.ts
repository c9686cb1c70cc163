import assert from 'node:assert/strict';
import { Client, type Page } from '../../../src/service/client.ts';
import type { Listed, Message, Outgoing } from '../../../src/service/message.ts';
import { attachedBot } from '../../../src/service/model.ts';
import { serveSandbox } from '../../host/serve.ts';
import { body, counting, failureOf, operations, success } from './answering.ts';

const messageOf = (entry: Listed | undefined): Message => {
  assert.ok(entry?.readable);
  return entry.message;
};

describe('A client of the sandbox', () => {
  const noon = Date.UTC(2026, 4, 1, 12);
  let service: Awaited<ReturnType<typeof serveSandbox>>;
  let client: Client;
  let token: string;
  // Isolates the tests from each other.
  beforeEach(async () => {
    service = await serveSandbox({ messages: 30, now: () => noon });
    const { webUrl, openApiUrl } = service.sandbox;
    client = new Client({ webUrl, openApiUrl });
    token = service.sandbox.token('30481126') ?? '';
  });
  afterEach(() => service.close());

  it("looks up a group, including the service's misspelled field", async () => {
    const { kind, resource: found, raw } = await client.group('518204736');
    assert.equal(kind, 'group');
    assert.deepEqual(raw, found);
    assert.equal(found.name, 'Fern & Kettle: the shop team');
    assert.equal(found.createTime, Date.UTC(2024, 0, 8, 1, 30) / 1000);
    assert.match(found.introduction, /shop\.\n\nOrders/);
    assert.equal(found.groupBotRel?.updateTsime, Date.UTC(2024, 0, 10, 3) / 1000);
    assert.equal(attachedBot(found)?.nickname, 'Order Desk');
    assert.equal(found.checkChatInfoRecord?.chatType, 2);
  });

  it('looks up a bot', async () => {
    const { kind, resource: found, raw } = await client.bot('30759903');
    assert.equal(kind, 'bot');
    assert.deepEqual(raw, found);
    assert.deepEqual(
      [found.botId, found.nickname, found.private, found.token, found.checkChatInfoRecord?.chatType],
      ['30759903', 'Release Clerk', 1, '', 3],
    );
    assert.ok(found.uri.endsWith('?token='));
  });

  it('looks up a user', async () => {
    const { kind, resource: found, raw } = await client.user('7521170');
    assert.equal(kind, 'user');
    assert.deepEqual(raw, found);
    assert.equal(found.registerTimeText, '2022-11-11 00:00:01');
    assert.equal(found.registerTime, Date.UTC(2022, 10, 10, 16, 0, 1) / 1000);
    assert.deepEqual([found.nickname, found.isVip, found.onLineDay], ['Owen Pikestaff', 1, 1101]);
    assert.deepEqual(found.medals, []);
  });

  it("reports an unknown bot with the service's text", async () => {
    for (const id of ['7058314', 'nobody', '']) {
      const failure = { kind: 'notFound', what: 'bot', id, code: -1, text: '机器人不存在' };
      assert.deepEqual(await failureOf(client.bot(id)), failure);
    }
  });

  it('reads the default user as no user', async () => {
    for (const id of ['30481126', 'nobody', '']) {
      assert.deepEqual(await failureOf(client.user(id)), { kind: 'notFound', what: 'user', id });
    }
  });

  it('reports an unknown group', async () => {
    const failure = { kind: 'notFound', what: 'group', id: '999999999', code: -1, text: '群(ID:999999999)不存在。' };
    assert.deepEqual(await failureOf(client.group('999999999')), failure);
  });

  it('reports why a list or a batch is refused', async () => {
    const list = (as: string, id: string, page: Page) => client.messages(as, { kind: 'group', id }, page);
    const send = (as: string) =>
      client.batchSend(as, 'group', ['big'], { contentType: 'text', content: { text: 'Hi' } });
    for (const [failure, code, text] of [
      [failureOf(list('wrong', 'big', { latest: 1 })), 1003, '非法token'],
      [failureOf(list(token, '999', { latest: 1 })), -1, '群(ID:999)不存在。'],
      [failureOf(list(token, 'big', { anchor: 'x', after: 1 })), -1, '消息不存在或无权限修改'],
      [failureOf(send('wrong')), 1003, '非法token'],
    ] as const) {
      assert.deepEqual(await failure, { kind: 'rejected', code, text, status: 200 });
    }
  });

  it('sends to groups and lists the sent message', async () => {
    const message: Outgoing = { contentType: 'markdown', content: { text: '# 今天\n\n你好' } };
    const { reached, successCount } = await client.batchSend(token, 'group', ['518204736', 'big'], message);
    assert.equal(successCount, 2);
    for (const { recvId, msgId } of reached) {
      const [newest] = await client.messages(token, { kind: 'group', id: recvId }, { latest: 1 });
      const { contentType, content, ...rest } = messageOf(newest);
      assert.deepEqual([rest.msgId, rest.senderId, rest.sendTime], [msgId, '30481126', noon]);
      assert.deepEqual([contentType, content.text], ['markdown', '# 今天\n\n你好']);
    }
    assert.deepEqual(reached.map(({ recvId }) => recvId).toSorted(), ['518204736', 'big']);
  });

  it('sends to users and omits one who refuses', async () => {
    const message: Outgoing = { contentType: 'text', content: { text: 'Hello' } };
    const { reached, unreadable, successCount } = await client.batchSend(
      token,
      'user',
      ['7850437', '7058314'],
      message,
    );
    const [newest] = await client.messages(token, { kind: 'user', id: '7058314' }, { latest: 1 });
    assert.equal(successCount, 1);
    assert.deepEqual(reached, [{ recvId: '7058314', msgId: messageOf(newest).msgId }]);
    assert.deepEqual(unreadable, []);
  });

  it('sends each kind of content, buttons included', async () => {
    const buttons = [[{ text: 'Open', actionType: 1, url: 'https://chat.example/a', value: '' }]];
    const messages: Outgoing[] = [
      { contentType: 'text', content: { text: 'Plain', buttons } },
      { contentType: 'markdown', content: { text: '*Marked*', buttons } },
      { contentType: 'html', content: { text: '<b>bold</b>' } },
      { contentType: 'image', content: { imageKey: 'k.png', buttons } },
      { contentType: 'file', content: { fileName: 'a.pdf', fileUrl: 'https://chat.example/a.pdf' } },
    ];
    for (const message of messages) {
      await client.batchSend(token, 'group', ['big'], message);
      const [newest] = await client.messages(token, { kind: 'group', id: 'big' }, { latest: 1 });
      const { contentType, content } = messageOf(newest);
      assert.equal(contentType, message.contentType);
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
