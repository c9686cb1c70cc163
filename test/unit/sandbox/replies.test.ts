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
    now += 1;
    await sandbox.send(textTo(GROUP));
    now += 120_000;
    const all = await listAfter(sandbox, msgId);
    const times = all.map(({ sendTime }: { sendTime: number }) => sendTime);
    assert.deepEqual(times, [...new Set(times)].toSorted());
    assert.deepEqual(all[1], first);
  });

  it('quote up to 80 characters of a text, and the first line of Markdown and HTML without markup', async () => {
    const sandbox = calls();
    const cases: [contentType: string, text: string, quote: string][] = [
      ['text', '# <b>Sold</b>\n*out*', '# <b>Sold</b>\n*out*'],
      ['text', '好'.repeat(80), '好'.repeat(80)],
      ['text', '好'.repeat(81), `${'好'.repeat(80)}…`],
      ['text', `${'kettle '.repeat(11)} teapots`, `${'kettle '.repeat(10)}kettle…`],
      ['markdown', '---\n```text\n## **Sold** out\n```\nuntil Monday', 'Sold out'],
      ['markdown', '---', ''],
      ['html', '<p>Sold<br>out', 'Sold out'],
    ];
    for (const [contentType, text, quote] of cases) {
      const { successList } = dataOf(await sandbox.send({ contentType, content: { text } }));
      now += 120_000;
      const [, answer] = await listAfter(sandbox, successList[0].msgId);
      assert.equal(answer.content.parent, `Order Desk : ${quote}`);
    }
  });

  it('come in a chat with a person as messages of their own, from most but not from all', async () => {
    const sandbox = calls();
    const { users } = sandbox.sandbox;
    const { successList } = dataOf(await sandbox.send({ recvIds: users, recvType: 'user' }));
    now += 120_000;
    const answers = [];
    for (const { msgId, recvId } of successList) {
      const [, answer] = await listAfter(sandbox, msgId, { 'chat-type': 'user', 'chat-id': recvId });
      if (answer) answers.push([recvId, answer.senderId, answer.parentId, answer.content.parent]);
    }
    assert.ok(answers.length > successList.length / 2 && answers.length < successList.length);
    for (const [recvId, ...answer] of answers) assert.deepEqual(answer, [recvId, '', undefined]);
  });

  it('choose what the message offers', async () => {
    const sandbox = calls();
    const buttons = [[{ text: 'I will come', actionType: 3, value: 'yes' }]];
    const texts = new Set<string>();
    for (let sent = 0; sent < 10; sent++) {
      const { successList } = dataOf(await sandbox.send({ content: { text: 'Come? Or /no', buttons } }));
      now += 120_000;
      for (const { content, commandName } of await listAfter(sandbox, successList[0].msgId))
        texts.add(`${content.text} ${commandName}`);
    }
    assert.ok(texts.has('I will come ') && texts.has('/no /no'));
  });

  it('say the same to all messages that offer nothing', async () => {
    const link = { text: 'Menu', actionType: 1, url: 'https://example.com' };
    const said = [];
    for (const body of [
      { content: { text: 'Hello' } },
      { content: { text: 'See https://example.com/no', buttons: null } },
      { content: { text: 'Hello', buttons: [[link]] } },
      { contentType: 'image', content: { imageKey: 'a.png' } },
    ]) {
      const sandbox = calls();
      const { successList } = dataOf(await sandbox.send(body));
      for (let sent = 1; sent < 20; sent++) await sandbox.send(body);
      now += 120_000;
      const answers = (await listAfter(sandbox, successList[0].msgId)).slice(20);
      said.push(answers.map(({ content }: { content: { text: string } }) => content.text));
    }
    for (const texts of said) assert.deepEqual(texts, said[0]);
    assert.ok(said[0].length > 20 && !said[0].includes(''));
  });

  it('come only on demand', async () => {
    const sandbox = createCalls({ now: () => now });
    const { successList } = dataOf(await sandbox.send(textTo(GROUP)));
    now += 120_000;
    assert.equal((await listAfter(sandbox, successList[0].msgId)).length, 1);
    assert.equal(successList[0].recvId, GROUP);
  });
});
