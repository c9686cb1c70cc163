import assert from 'node:assert/strict';
import { assertFields, assertRefused, BOT, type Calls, createCalls, dataOf, GROUP, textTo } from './calls.ts';

const NOW = Date.UTC(2026, 4, 1, 12);

let calls: Calls;
/** Gives each test of a suite a sandbox of its own. */
const useCalls = () =>
  beforeEach(() => {
    calls = createCalls({ messages: 10, now: () => NOW });
  });

const latest = async (chatType: string, chatId: string, token = calls.token) =>
  dataOf(await calls.messages({ token, 'chat-type': chatType, 'chat-id': chatId, before: '1' })).list[0];
const total = async () => dataOf(await calls.messages({ before: '1000' })).total;
const reachedBy = async (body: object, token?: string) => {
  const { successCount, successList } = dataOf(await calls.send(body, token));
  assert.equal(successCount, successList.length);
  return successList.map(({ recvId }: { recvId: string }) => recvId);
};

describe('Sandbox batch send (4.5)', () => {
  useCalls();
  it('returns a count and an entry for each receiver', async () => {
    const data = dataOf(await calls.send(textTo(GROUP, 'big')));
    assert.deepEqual(Object.keys(data), ['successCount', 'successList']);
    assert.equal(data.successCount, 2);
    for (const entry of data.successList) {
      assertFields(entry, { string: 'msgId recvId recvType' });
      assert.equal(entry.recvType, 'group');
    }
    assert.deepEqual(await reachedBy(textTo(GROUP, 'big')), [GROUP, 'big']);
  });

  it('adds the message from the bot to the end of the chat', async () => {
    const { successList } = dataOf(await calls.send({ content: { text: '大家好' } }));
    assert.deepEqual(await latest('group', GROUP), {
      msgId: successList[0].msgId,
      parentId: '',
      senderId: BOT,
      senderType: 'bot',
      senderNickname: 'Order Desk',
      contentType: 'text',
      content: { text: '大家好' },
      sendTime: NOW,
      commandName: '',
      commandId: 0,
    });
  });

  it('adds a message to a user only to the chat with the sending bot', async () => {
    const other = calls.sandbox.token('30527740') ?? '';
    const before = await latest('user', '7102649');
    dataOf(await calls.send({ recvIds: ['7102649'], recvType: 'user', content: { text: '晚上好' } }, other));
    const { senderId, content } = await latest('user', '7102649', other);
    assert.deepEqual([senderId, content], ['30527740', { text: '晚上好' }]);
    assert.deepEqual(await latest('user', '7102649'), before);
  });

  it('adds nothing to the chats of other sandboxes, which refuse the ID of the message', async () => {
    const other = createCalls({ messages: 10 });
    const { successList } = dataOf(await calls.send({}));
    await other.send({ content: { text: 'Another' } });
    assert.equal(await total(), 11);
    const { list } = dataOf(await other.messages({ before: '1000' }));
    assert.deepEqual([list.length, list[0].content.text], [11, 'Another']);
    const anchor = { 'message-id': successList[0].msgId, before: '1' };
    assert.equal(dataOf(await calls.messages(anchor)).total, 2);
    assertRefused(await other.messages(anchor), -1, '消息不存在或无权限修改');
  });

  it('omits unknown receivers, those of the other kind, and a user who refuses bots', async () => {
    const recvIds = ['999999999', GROUP, '7058314', BOT, '', '__proto__', 'constructor', '狐狸🦊', '7850437'];
    assert.deepEqual(await reachedBy({ recvIds }), [GROUP]);
    assert.deepEqual(await reachedBy({ recvIds, recvType: 'user' }), ['7058314']);
    assert.equal(await latest('user', '7850437'), undefined);
    for (const none of [[], ['999999999']]) assert.deepEqual(await reachedBy({ recvIds: none }), []);
  });

  it('sends once to a duplicate receiver, and again in another call', async () => {
    assert.deepEqual(await reachedBy(textTo(GROUP, GROUP)), [GROUP]);
    assert.equal(await total(), 11);
    await calls.send({});
    assert.equal(await total(), 12);
  });

  it('reaches a thousand receivers in one call', async () => {
    const nobody = Array.from({ length: 1000 }, (_, number) => `nobody-${number}`);
    assert.deepEqual(await reachedBy(textTo(...nobody, GROUP)), [GROUP]);
  });

  it('refuses receivers that a private bot may not write to, and sends to nobody', async () => {
    const token = calls.sandbox.token('30759903') ?? '';
    const [itsGroup, itsFriend] = ['559902341', '7521170'];
    const before = await latest('group', itsGroup, token);
    const notThere = `群(ID:${GROUP})中未添加当前机器人(ID: 30759903)。`;
    assertRefused(await calls.send(textTo(itsGroup, GROUP), token), -1, notThere);
    assert.deepEqual(await latest('group', itsGroup, token), before);
    const toUsers = (...recvIds: string[]) => ({ recvIds, recvType: 'user' });
    const noFriend = 'recvId值错误，该用户不是机器人好友';
    assertRefused(await calls.send(toUsers(itsFriend, '7058314'), token), 1003, noFriend);
    assert.deepEqual(await reachedBy(textTo(itsGroup, 'nobody'), token), [itsGroup]);
    assert.deepEqual(await reachedBy(toUsers(itsFriend, 'nobody'), token), [itsFriend]);
  });

  it('needs the token of a bot in its address (5), whatever is in the body', async () => {
    assertRefused(await calls.post(calls.sendUrl(''), '{'), 1002, 'token不存在');
    assertRefused(await calls.send({ token: calls.token }, ''), 1002, 'token不存在');
    for (const wrong of ['nonsense', '__proto__'])
      assertRefused(await calls.post(calls.sendUrl(wrong), '{'), 1003, '非法token');
    assert.equal(await total(), 10);
  });
});

const buttons = [[{ text: 'Open', actionType: 1, url: 'https://example.com', value: 'v' }]];
/** What each type of content consists of (2.7). */
const CONTENTS: Record<string, Record<string, unknown>> = {
  text: { text: 'Plain\nand simple' },
  markdown: { text: '# Hello' },
  html: { text: '<b>Hello</b>' },
  image: { imageKey: 'a.png' },
  file: { fileName: 'a.pdf', fileUrl: 'https://example.com/a.pdf' },
};

describe('Sandbox content to send (2.7, 2.8)', () => {
  useCalls();
  for (const [contentType, content] of Object.entries(CONTENTS)) {
    it(`of type ${contentType} is listed as it was sent, with and without buttons`, async () => {
      for (const sent of [content, { ...content, buttons }]) {
        assert.deepEqual(await reachedBy({ contentType, content: sent }), [GROUP]);
        const { contentType: type, content: listed } = await latest('group', GROUP);
        assert.deepEqual([type, listed], [contentType, sent]);
      }
    });

    it(`of type ${contentType} needs each of its fields, not empty`, async () => {
      for (const field of Object.keys(content))
        for (const value of [undefined, '', null, 0, {}, ['x']]) {
          const bad = { ...content, [field]: value };
          assertRefused(await calls.send({ contentType, content: bad }), 1002, '消息内容不能为空');
        }
      const other = contentType === 'image' ? CONTENTS.file : CONTENTS.image;
      assertRefused(await calls.send({ contentType, content: other }), 1002, '消息内容不能为空');
      assert.equal(await total(), 10);
    });
  }

  it('may be any text', async () => {
    const texts = [
      ' ',
      '狐狸 🦊 👩‍👩‍👧 e\u0301',
      '{n} {web}',
      '__proto__',
      '<b>&amp;</b> "\\" \u0000 \u2028',
      '\ud800',
    ];
    for (const text of [...texts, 'x'.repeat(1_000_000)]) {
      await calls.send({ content: { text } });
      assert.equal((await latest('group', GROUP)).content.text, text);
    }
  });

  it('may have null or a flat list for buttons, which are listed like that', async () => {
    for (const listed of [null, buttons.flat(), []]) {
      const sent = { text: 'x', buttons: listed };
      dataOf(await calls.send({ content: sent }));
      assert.deepEqual((await latest('group', GROUP)).content, sent);
    }
  });

  it('may have null for what a button has not', async () => {
    const sent = { text: 'x', buttons: [{ text: 'Copy', actionType: 2, url: null, value: 'y' }] };
    dataOf(await calls.send({ content: sent }));
    assert.deepEqual((await latest('group', GROUP)).content, sent);
    dataOf(
      await calls.send({ content: { text: 'x', buttons: [[{ text: 'a', actionType: 3, url: null, value: null }]] } }),
    );
  });

  it('may have empty rows of buttons, and unknown fields, which are dropped', async () => {
    const bare = { text: '', actionType: 1 };
    const sent = { text: 'x', tip: 'y', buttons: [[], [{ ...bare, color: 'red' }]] };
    dataOf(await calls.send({ content: sent, sendTime: 1, senderId: '7058314' }));
    const { content, senderId, sendTime } = await latest('group', GROUP);
    assert.deepEqual(
      { content, senderId, sendTime },
      {
        content: { text: 'x', buttons: [[], [bare]] },
        senderId: BOT,
        sendTime: NOW,
      },
    );
  });
});

describe('Sandbox bodies (4.1, 4.2, 4.5)', () => {
  useCalls();
  const bodies = () =>
    [
      [`${calls.sandbox.webUrl}/v1/group/group-info`, { groupId: GROUP }],
      [`${calls.sandbox.webUrl}/v1/bot/bot-info`, { botId: BOT }],
      [calls.sendUrl(), textTo(GROUP)],
    ] as const;

  it('must be JSON objects', async () => {
    for (const [url] of bodies())
      for (const bad of ['', '{', 'null', '[]', '"big"', '1', "{'a':1}", '{}{}', '['.repeat(100_000)])
        assertRefused(await calls.post(url, bad), 1002, '请求参数应为json格式');
  });

  const FORM = 'application/x-www-form-urlencoded';
  /** Posts a text as it is. Without a type, the request has no header for it. */
  const sentAs = (url: string, type: string | undefined, body: string) =>
    calls.ask(url, {
      method: 'POST',
      ...(type !== undefined && { headers: { 'Content-Type': type } }),
      body: new TextEncoder().encode(body),
    });

  it('may be sent as application/json', async () => {
    for (const [url, body] of bodies())
      for (const type of ['application/json', 'Application/JSON; charset=utf-8'])
        dataOf(await sentAs(url, type, JSON.stringify(body)));
  });

  it('of batch_send may be sent as nothing else', async () => {
    for (const type of [undefined, '', 'text/plain', 'application/jsonx', FORM, 'multipart/form-data; boundary=x'])
      assertRefused(await sentAs(calls.sendUrl(), type, JSON.stringify(textTo(GROUP))), 1002, '请求参数应为json格式');
    assert.equal(await total(), 10);
  });

  it('of a lookup may be a form, or JSON without a content type or with another', async () => {
    const [[groupUrl], [botUrl]] = bodies();
    for (const [url, field, id, unknown] of [
      [groupUrl, 'groupId', GROUP, '群(ID:a b)不存在。'],
      [botUrl, 'botId', BOT, '机器人不存在'],
    ] as const) {
      const json = JSON.stringify({ [field]: id });
      const lookedUp = [
        await sentAs(url, 'application/json', json),
        await sentAs(url, undefined, json),
        await sentAs(url, 'text/plain;charset=UTF-8', json),
        await sentAs(url, FORM, json),
        await sentAs(url, FORM, `${field}=${id}`),
        await sentAs(url, `${FORM}; charset=utf-8`, `other=1&${field}=${id}&${field}=2`),
      ].map(dataOf);
      const form = new FormData();
      form.set(field, id);
      lookedUp.push(dataOf(await calls.ask(url, { method: 'POST', body: form })));
      for (const data of lookedUp) assert.deepEqual(data, lookedUp[0]);
      assertRefused(await sentAs(url, FORM, `${field}=a+b`), -1, unknown);
      for (const none of ['', 'x', 'a=1']) assertRefused(await sentAs(url, FORM, none), 1002, `参数错误: ${field}`);
      for (const type of [undefined, 'text/plain', 'application/jsonx', 'multipart/form-data; boundary=x'])
        assertRefused(await sentAs(url, type, `${field}=${id}`), 1002, '请求参数应为json格式');
      assertRefused(await sentAs(url, 'application/jsonx', json), 1002, '请求参数应为json格式');
    }
  });

  it('of batch_send are refused for each missing or invalid field, and nothing is sent', async () => {
    const noText = [undefined, null, 0, true, {}, ['x']];
    const noList = [null, 'x', 0, true, {}];
    const noObject = [null, 'x', 0, true];
    const [[button]] = buttons as [[object]];
    const withButton = (change: object) => ({ content: { text: 'x', buttons: [[{ ...button, ...change }]] } });
    const cases: [field: string, bodies: object[]][] = [
      ['recvIds', [undefined, ...noList].map((recvIds) => ({ recvIds }))],
      ['recvIds.1', noText.map((id) => ({ recvIds: [GROUP, id ?? null] }))],
      ['content.buttons', noList.slice(1).map((buttons) => ({ content: { text: 'x', buttons } }))],
      ['content.buttons.0', noObject.map((one) => ({ content: { text: 'x', buttons: [one] } }))],
      ['content.buttons.0.text', [{}, { text: 1 }].map((one) => ({ content: { text: 'x', buttons: [one] } }))],
      ['content.buttons.1', [null, button].map((row) => ({ content: { text: 'x', buttons: [[button], row] } }))],
      ['content.buttons.1.text', [{ content: { text: 'x', buttons: [button, [button]] } }]],
      ['content.buttons.0.0', noObject.map((one) => ({ content: { text: 'x', buttons: [[one]] } }))],
      ['content.buttons.0.0.text', noText.map((text) => withButton({ text }))],
      ['content.buttons.0.0.actionType', [...noText, '1', 4, -1, 1.5].map((actionType) => withButton({ actionType }))],
      ['content.buttons.0.0.url', noText.slice(2).map((url) => withButton({ url }))],
      ['content.buttons.0.0.value', noText.slice(2).map((value) => withButton({ value }))],
    ];
    for (const [field, bad] of cases)
      for (const body of bad) assertRefused(await calls.send(body), 1002, `参数错误: ${field}`);
    for (const recvType of [...noText, '', 'bot', 'Group', 'group '])
      assertRefused(await calls.send({ recvType }), 1002, 'recvType取值错误，取值仅支持group、user');
    for (const contentType of [...noText, '', 'video', 'Text', '__proto__', 'constructor'])
      assertRefused(await calls.send({ contentType }), 1002, 'contentType取值错误，请翻看文档');
    for (const content of [undefined, ...noObject, []])
      assertRefused(await calls.send({ content }), 1002, '消息内容不能为空');
    assert.equal(await total(), 10);
  });
});
