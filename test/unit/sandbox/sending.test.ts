import assert from 'node:assert/strict';
import { assertFields, assertRefused, dataOf, type Served, served } from './served.ts';

describe('Sandbox batch send (4.5)', () => {
  const now = Date.UTC(2026, 4, 1, 12);
  const refusing = '7850437';
  let service: Served;
  // Isolates the tests from each other.
  beforeEach(async () => {
    service = await served({ messages: 10, now: () => now });
  });
  afterEach(() => service.close());

  const latest = async (chatType: string, chatId: string, token = service.token) => {
    const query = { token, 'chat-type': chatType, 'chat-id': chatId, before: '1' };
    return dataOf(await service.messages(query)).list[0];
  };

  it('returns a count and an entry for each receiver', async () => {
    const data = dataOf(await service.send({ recvIds: ['518204736', 'big'] }));
    assert.deepEqual(Object.keys(data), ['successCount', 'successList']);
    assert.equal(data.successCount, 2);
    for (const entry of data.successList) {
      assertFields(entry, { msgId: 'string', recvId: 'string', recvType: 'string' });
      assert.match(entry.msgId, /^[0-9a-f]{32}$/);
      assert.equal(entry.recvType, 'group');
    }
    assert.deepEqual(
      data.successList.map((entry: { recvId: string }) => entry.recvId),
      ['518204736', 'big'],
    );
  });

  it('adds the message from the bot to the end of the chat', async () => {
    const { successList } = dataOf(await service.send({ content: { text: '大家好' } }));
    assert.deepEqual(await latest('group', '518204736'), {
      msgId: successList[0].msgId,
      parentId: '',
      senderId: '30481126',
      senderType: 'bot',
      senderNickname: 'Order Desk',
      contentType: 'text',
      content: { text: '大家好' },
      sendTime: now,
      commandName: '',
      commandId: 0,
    });
  });

  it('counts sent messages as messages of the chat: in order, as anchors, beside older ones', async () => {
    for (const text of ['one', 'two', 'three']) await service.send({ content: { text } });
    const { list } = dataOf(await service.messages({ before: '100' }));
    assert.equal(list.length, 13);
    const texts = (messages: { content: { text: string } }[]) => messages.map(({ content }) => content.text);
    assert.deepEqual(texts(list.slice(0, 3)), ['three', 'two', 'one']);
    const around = dataOf(await service.messages({ 'message-id': list[1].msgId, before: '2', after: '1' }));
    assert.deepEqual(around.list, list.slice(0, 4));
    assert.equal(new Set(list.map(({ msgId }: { msgId: string }) => msgId)).size, 13);
  });

  it('adds a message to a user only to the chat with the sending bot', async () => {
    const other = service.sandbox.token('30527740') ?? '';
    const before = await latest('user', '7102649');
    dataOf(await service.send({ recvIds: ['7102649'], recvType: 'user', content: { text: '晚上好' } }, other));
    assert.equal((await latest('user', '7102649', other)).content.text, '晚上好');
    assert.equal((await latest('user', '7102649', other)).senderId, '30527740');
    assert.deepEqual(await latest('user', '7102649'), before);
  });

  it('accepts each content type and lists its content as sent', async () => {
    const buttons = [
      [
        { text: 'Open', actionType: 1, url: `${service.origin}/page` },
        { text: 'Copy', actionType: 2, value: 'copied' },
      ],
      [{ text: 'Report', actionType: 3, value: 'reported' }],
    ];
    const contents: [string, object][] = [
      ['text', { text: 'Plain\nand simple', buttons }],
      ['markdown', { text: '# Title\n\n| a | b |\n| - | - |', buttons }],
      ['html', { text: '<b>bold</b>' }],
      ['html', { text: '<b>bold</b>', buttons }],
      ['image', { imageKey: 'abc.png' }],
      ['image', { imageKey: 'abc.png', buttons }],
      ['file', { fileName: 'a.pdf', fileUrl: `${service.origin}/a.pdf`, buttons }],
    ];
    for (const [contentType, content] of contents) {
      assert.equal(dataOf(await service.send({ contentType, content })).successCount, 1);
      const message = await latest('group', '518204736');
      assert.deepEqual({ contentType: message.contentType, content: message.content }, { contentType, content });
    }
  });

  it('omits unknown receivers and those of the other kind', async () => {
    const groups = ['999999999', '518204736', '7058314', '30481126', '', '__proto__', 'constructor', '狐狸🦊'];
    const toGroups = dataOf(await service.send({ recvIds: groups }));
    assert.deepEqual(
      toGroups.successList.map((entry: { recvId: string }) => entry.recvId),
      ['518204736'],
    );
    assert.equal(toGroups.successCount, 1);
    const toUsers = dataOf(await service.send({ recvIds: groups, recvType: 'user' }));
    const [{ msgId, ...reached }, ...others] = toUsers.successList;
    assert.deepEqual([reached, others], [{ recvId: '7058314', recvType: 'user' }, []]);
    assert.equal((await latest('user', '7058314')).msgId, msgId);
  });

  it('omits the user who refuses bots, whose chat stays empty', async () => {
    const data = dataOf(await service.send({ recvIds: [refusing, '7058314'], recvType: 'user' }));
    assert.deepEqual(
      data.successList.map((entry: { recvId: string }) => entry.recvId),
      ['7058314'],
    );
    assert.equal(await latest('user', refusing), undefined);
  });

  it('refuses receivers that a private bot may not write to, and sends to nobody', async () => {
    const token = service.sandbox.token('30759903') ?? '';
    const [itsGroup, itsFriend] = ['559902341', '7521170'];
    const before = await latest('group', itsGroup, token);
    const toGroups = await service.send({ recvIds: [itsGroup, '518204736'] }, token);
    assertRefused(toGroups, -1, /^群\(ID:518204736\)中未添加当前机器人\(ID: 30759903\)。$/);
    assert.deepEqual(await latest('group', itsGroup, token), before);
    const toUsers = await service.send({ recvIds: [itsFriend, '7058314'], recvType: 'user' }, token);
    assertRefused(toUsers, 1003, /^recvId值错误，该用户不是机器人好友$/);
    for (const to of [{ recvIds: [itsGroup, 'nobody'] }, { recvIds: [itsFriend, 'nobody'], recvType: 'user' }]) {
      assert.equal(dataOf(await service.send(to, token)).successCount, 1);
    }
  });

  it('is a success with count 0 if no one got the message', async () => {
    for (const recvIds of [[], ['999999999']]) {
      assert.deepEqual(dataOf(await service.send({ recvIds })), { successCount: 0, successList: [] });
    }
  });

  it('sends once to a duplicate receiver, and again in another call', async () => {
    assert.equal(dataOf(await service.send({ recvIds: ['518204736', '518204736'] })).successCount, 1);
    assert.equal(dataOf(await service.messages({ before: '100' })).total, 11);
    await service.send({});
    assert.equal(dataOf(await service.messages({ before: '100' })).total, 12);
  });

  it('refuses an invalid token and sends nothing', async () => {
    assertRefused(await service.send({}, ''), 1002, /token/);
    assertRefused(await service.send({}, 'nonsense'), 1003, /^非法token$/);
    assert.equal(dataOf(await service.messages({ before: '100' })).total, 10);
  });

  it('lists any text exactly as it was sent', async () => {
    const texts = [
      ' ',
      '狐狸 🦊 👩‍👩‍👧 e\u0301',
      '{n} {a} {web}',
      '__proto__',
      '<b>&amp;</b> "\\" \u0000 \u2028',
      '\ud800',
      'x'.repeat(1_000_000),
    ];
    for (const text of texts) {
      await service.send({ content: { text } });
      assert.equal((await latest('group', '518204736')).content.text, text);
    }
  });

  it('accepts empty rows of buttons and any label, and drops unknown fields', async () => {
    const bare = { text: '', actionType: 1 };
    const sent = { text: 'x', tip: 'y', fileName: 'z', buttons: [[], [{ ...bare, color: 'red' }]] };
    dataOf(await service.send({ content: sent, sendTime: 1, senderId: '7058314', parentId: 'x' }));
    const { content, senderId, sendTime, parentId } = await latest('group', '518204736');
    assert.deepEqual(content, { text: 'x', buttons: [[], [bare]] });
    assert.deepEqual({ senderId, sendTime, parentId }, { senderId: '30481126', sendTime: now, parentId: '' });
  });

  it('reaches a thousand receivers in one call', async () => {
    const recvIds = [...Array.from({ length: 1000 }, (_, number) => `nobody-${number}`), '518204736'];
    assert.equal(dataOf(await service.send({ recvIds })).successCount, 1);
  });
});
