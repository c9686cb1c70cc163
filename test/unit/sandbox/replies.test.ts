import assert from 'node:assert/strict';
import { createCalls, dataOf, GROUP, textTo } from './calls.ts';

describe('Replies in the sandbox', () => {
  let now = 0;
  const calls = () => {
    now = Date.UTC(2026, 4, 1, 12);
    return createCalls({ now: () => now, replies: true });
  };
  type Calls = ReturnType<typeof calls>;
  type Query = Record<string, string>;
  const listAfter = async ({ messages }: Calls, msgId: string, chat: Query = {}) =>
    dataOf(await messages({ 'message-id': msgId, after: '100', ...chat })).list.toReversed();

  it('come in a group one after the other, and quote what they answer', async () => {
    const sandbox = calls();
    const { successList } = dataOf(await sandbox.send(textTo(GROUP)));
    const { msgId } = successList[0];
    assert.equal((await listAfter(sandbox, msgId)).length, 1);
    now += 1_500;
    const [, first] = await listAfter(sandbox, msgId);
    assert.equal(first.parentId, msgId);
    assert.equal(first.senderType, 'user');
    assert.equal(first.content.parent, 'Order Desk : Hello');
    now += 120_000;
    const all = await listAfter(sandbox, msgId);
    const times = all.map(({ sendTime }: { sendTime: number }) => sendTime);
    assert.deepEqual(times, times.toSorted());
    assert.deepEqual(all[1], first);
  });

  it('come in a chat with a person as messages of their own', async () => {
    const sandbox = calls();
    const { users } = sandbox.sandbox;
    const { successList } = dataOf(await sandbox.send({ recvIds: users, recvType: 'user' }));
    now += 120_000;
    const answers = [];
    for (const { msgId, recvId } of successList) {
      const [, answer] = await listAfter(sandbox, msgId, { 'chat-type': 'user', 'chat-id': recvId });
      if (answer) answers.push([recvId, answer.senderId, answer.parentId]);
    }
    assert.ok(answers.length > 0 && answers.length < successList.length);
    for (const [recvId, senderId, parentId] of answers) assert.deepEqual([senderId, parentId], [recvId, '']);
  });

  it('choose what the message offers', async () => {
    const sandbox = calls();
    const buttons = [[{ text: 'I will come', actionType: 3, value: 'yes' }]];
    const texts = new Set<string>();
    for (let sent = 0; sent < 10; sent++) {
      const { successList } = dataOf(await sandbox.send({ content: { text: 'Come? Or /no', buttons } }));
      now += 120_000;
      for (const { content, commandName } of await listAfter(sandbox, successList[0].msgId))
        texts.add(commandName || content.text);
    }
    assert.ok(texts.has('I will come') && texts.has('/no'));
  });

  it('come only on demand', async () => {
    const sandbox = createCalls({ now: () => now });
    const { successList } = dataOf(await sandbox.send(textTo(GROUP)));
    now += 120_000;
    assert.equal((await listAfter(sandbox, successList[0].msgId)).length, 1);
    assert.equal(successList[0].recvId, GROUP);
  });
});
