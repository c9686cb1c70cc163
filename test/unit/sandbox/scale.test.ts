import assert from 'node:assert/strict';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { messageId } from '../../../src/sandbox/messageId.ts';
import { type Answer, assertRefused, dataOf, type Served, served } from './served.ts';

describe('Sandbox with a chat of a million messages', () => {
  let service: Served;
  // Recreated for each test, because one sends to it.
  beforeEach(async () => {
    service = await served({ messages: 1_000_000 });
  });
  afterEach(() => service.close());

  it('is generated on demand, even with a hundred million', async () => {
    const sandbox = createSandbox({ messages: 100_000_000 });
    const query = { token: sandbox.token('30481126') ?? '', 'chat-id': '518204736', 'chat-type': 'group' };
    const anchor = { 'message-id': messageId({ chat: 0, index: 50_000_000, run: 0 }), before: '2', after: '2' };
    const url = `${sandbox.openApiUrl}/open-apis/v1/bot/messages?${new URLSearchParams({ ...query, ...anchor })}`;
    const { data } = await (await sandbox.fetch(new Request(url))).json();
    assert.equal(data.list.length, 5);
  });

  it('has exactly a million: nothing before the oldest, nothing after the newest', async () => {
    const [oldest, newest, none] = [0, 999_999, 1_000_000].map((index) => messageId({ chat: 0, index, run: 0 }));
    const around = (anchor = '') => service.messages({ 'message-id': anchor, before: '1', after: '1' });
    const ids = (answer: Answer) => dataOf(answer).list.map(({ msgId }: { msgId: string }) => msgId);
    const fromOldest = ids(await around(oldest));
    assert.deepEqual([fromOldest.length, fromOldest[1]], [2, oldest]);
    const fromNewest = ids(await around(newest));
    assert.deepEqual([fromNewest.length, fromNewest[0]], [2, newest]);
    assert.deepEqual(ids(await service.messages({ before: '1' })), [newest]);
    assertRefused(await around(none), -1, /消息不存在/);
  });

  it('finds an anchor anywhere and returns the messages around it', async () => {
    const { list } = dataOf(await service.messages({ before: '5000' }));
    const anchor = list[4000].msgId;
    const around = dataOf(await service.messages({ 'message-id': anchor, before: '3', after: '2' }));
    assert.deepEqual(around.list, list.slice(3998, 4004));
  });

  it('adds sent messages at its end', async () => {
    const { successList } = dataOf(await service.send({}));
    const { list } = dataOf(await service.messages({ before: '2' }));
    assert.equal(list[0].msgId, successList[0].msgId);
    const around = dataOf(await service.messages({ 'message-id': successList[0].msgId, before: '1' }));
    assert.deepEqual(around.list, list);
  });

  it('rejects an invalid length', () => {
    for (const messages of [-1, 1.5, Number.NaN, 1e12]) {
      assert.throws(() => createSandbox({ messages }), { name: 'RangeError', message: /messages/ });
    }
  });

  it('can be empty', async () => {
    const empty = await served({ messages: 0 });
    try {
      assert.deepEqual(dataOf(await empty.messages({ before: '10' })), { list: [], total: 0 });
      await empty.send({});
      assert.equal(dataOf(await empty.messages({ before: '10' })).total, 1);
    } finally {
      await empty.close();
    }
  });
});
