import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  assertFields,
  assertRefused,
  type Calls,
  createCalls,
  dataOf,
  type Fields,
  GROUP,
  type Query,
} from './calls.ts';

const messageFields: Fields = {
  string: 'msgId parentId senderId senderType senderNickname contentType commandName',
  number: 'sendTime commandId',
  object: 'content',
};

interface Message {
  readonly msgId: string;
  readonly sendTime: number;
}

async function list(calls: Calls, query: Query): Promise<Message[]> {
  const data = dataOf(await calls.messages(query));
  assert.deepEqual(Object.keys(data), ['list', 'total']);
  assert.equal(data.total, data.list.length);
  return data.list;
}

describe('Sandbox pages of messages (4.4)', () => {
  /** A chat with initial and sent messages, oldest first. Read one by one, so that it depends only on rule 2. */
  const chatOf = async (length: number, sent: number) => {
    const calls = createCalls({ messages: length, now: () => 0 });
    for (let number = 0; number < sent; number++) await calls.send({ content: { text: `${number}` } });
    const chat = await list(calls, { before: '1' });
    while (chat.length > 0 && chat.length < length + sent) {
      const [, older] = await list(calls, { 'message-id': chat[0]?.msgId ?? '', before: '1' });
      chat.unshift(older ?? assert.fail('The chat is too short.'));
    }
    return { calls, chat };
  };
  const count = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 50 }), fc.constant(1_000_000));
  const chats = fc.record({ length: fc.nat({ max: 24 }), sent: fc.nat({ max: 6 }) });
  const texts = (before: number, after: number) => ({ before: String(before), after: String(after) });

  it('rules 1 and 6: without an anchor the latest `before` messages, newest first', () =>
    fc.assert(
      fc.asyncProperty(chats, fc.array(fc.tuple(count, count)), async ({ length, sent }, questions) => {
        const { calls, chat } = await chatOf(length, sent);
        assert.equal(chat.length, length + sent);
        for (const [before, after] of questions) {
          const latest = before === 0 ? [] : chat.slice(-before);
          assert.deepEqual(await list(calls, texts(before, after)), latest.toReversed());
        }
      }),
    ));

  it('rules 2 to 6: around an anchor, those before it, itself and those after it, or nothing for 0 and 0', () =>
    fc.assert(
      fc.asyncProperty(chats, fc.array(fc.tuple(fc.nat(), count, count)), async ({ length, sent }, questions) => {
        const { calls, chat } = await chatOf(length, sent);
        for (const [number, before, after] of chat.length > 0 ? questions : []) {
          const at = number % chat.length;
          const around = chat.filter((_, place) => place >= at - before && place <= at + after);
          const expected = before === 0 && after === 0 ? [] : around.toReversed();
          const query = { ...texts(before, after), 'message-id': chat[at]?.msgId ?? '' };
          assert.deepEqual(await list(calls, query), expected);
        }
      }),
    ));

  it('are found anywhere in a chat of a hundred million, which is made on demand', async () => {
    const calls = createCalls({ messages: 100_000_000 });
    const all = await list(calls, { before: '5000' });
    const query = { 'message-id': all[4000]?.msgId ?? '', before: '3', after: '2' };
    assert.deepEqual(await list(calls, query), all.slice(3998, 4004));
    assert.ok(all.every(({ sendTime }, at) => at === 0 || sendTime < (all[at - 1]?.sendTime ?? 0)));
    assert.equal(new Set(all.map(({ msgId }) => msgId)).size, 5000);
    for (const messages of [-1, 1.5, Number.NaN, 1e12])
      assert.throws(() => createCalls({ messages }), { name: 'RangeError', message: /messages/ });
  });
});

describe('Sandbox message list (4.4)', () => {
  const calls = createCalls({ messages: 40 });
  const { sandbox, token, messages, ask } = calls;
  const tokenOf = (botId: string) => sandbox.token(botId) ?? '';
  /** With this exact query. */
  const query = (text: string) => ask(`${sandbox.openApiUrl}/open-apis/v1/bot/messages?${text}`);
  const group = `chat-id=${GROUP}&chat-type=group`;

  it('has every field of the contract with its type', async () => {
    for (const message of await list(calls, { before: '40' })) assertFields(message, messageFields);
  });

  it('treats empty as missing', async () => {
    assert.equal((await list(calls, { 'message-id': '', before: '2', after: '' })).length, 2);
    assert.deepEqual(await list(calls, { 'message-id': '', before: '', after: '' }), []);
    assert.deepEqual(await list(calls, {}), []);
  });

  it('gives each bot its own chat with a user, and every public bot every group', async () => {
    const of = (botId: string, query: Query) => list(calls, { token: tokenOf(botId), before: '5', ...query });
    const user = { 'chat-id': '7058314', 'chat-type': 'user' };
    assert.notDeepEqual(await of('30481126', user), await of('30527740', user));
    assert.deepEqual(await of('30527740', {}), await of('30481126', {}));
  });

  it('lets a private bot read only its own group', async () => {
    const read = (chatId: string) => messages({ token: tokenOf('30759903'), 'chat-id': chatId, before: '1' });
    assert.equal(dataOf(await read('559902341')).total, 1);
    assertRefused(await read(GROUP), -1, `群(ID:${GROUP})中未添加当前机器人(ID: 30759903)。`);
    assertRefused(await read('999999999'), -1, '群(ID:999999999)不存在。');
  });

  it('needs a token (5), whatever else is wrong', async () => {
    for (const without of ['', `${group}&before=1`, `token=&${group}&before=1`, `Token=${token}&${group}`])
      assertRefused(await query(without), 1002, 'token不存在');
    for (const wrong of ['nonsense', '30481126', `${token} `, '__proto__'])
      assertRefused(await messages({ token: wrong, 'chat-type': 'x', before: 'x' }), 1003, '非法token');
  });

  it('names the missing or invalid parameter', async () => {
    for (const id of ['', `chat-id=&`])
      assertRefused(await query(`token=${token}&${id}chat-type=group&before=1`), 1002, 'chat-id值错误，值不能为空');
    assertRefused(await query(`token=${token}&chat-id=${GROUP}`), 1002, 'chat-type取值错误，取值仅支持group、user');
    for (const type of ['', 'bot', 'Group', 'constructor'])
      assertRefused(await messages({ 'chat-type': type }), 1002, 'chat-type取值错误，取值仅支持group、user');
    for (const name of ['before', 'after'])
      for (const value of ['-1', '1.5', 'x', ' 1', '1\n', '+1', '1e3', '0x10', '５'])
        assertRefused(await messages({ [name]: value }), 1002, `参数错误: ${name}`);
  });

  it('refuses an unknown chat, with its ID in the text', async () => {
    for (const id of ['999999999', '7058314', 'a+b c', '__proto__', '狐狸🦊', '9'.repeat(8000)])
      assertRefused(await messages({ 'chat-id': id, before: '1' }), -1, `群(ID:${id})不存在。`);
    for (const id of [GROUP, '30481126', ' 7058314', '__proto__'])
      assertRefused(await messages({ 'chat-type': 'user', 'chat-id': id, before: '1' }), -1, `会话不存在: ${id}`);
  });

  it("refuses an anchor that isn't in the chat, unless both counts are 0", async () => {
    // Its index also exists in this chat.
    const elsewhere = (await list(calls, { 'chat-id': 'big', before: '1000' })).at(-1)?.msgId ?? '';
    const here = (await list(calls, { before: '1' }))[0]?.msgId ?? '';
    for (const anchor of [elsewhere, 'x', '0'.repeat(32), here.toUpperCase(), `${here}0`]) {
      assertRefused(await messages({ 'message-id': anchor, before: '1' }), -1, '消息不存在或无权限修改');
      assert.deepEqual(await list(calls, { 'message-id': anchor, before: '0' }), []);
    }
    assertRefused(await messages({ 'chat-id': '999999999', 'message-id': 'x' }), -1, '群(ID:999999999)不存在。');
  });

  it('takes the first of repeated parameters and ignores unknown ones', async () => {
    const strange = '__proto__=1&constructor=2&toString=3&&=5&user&Before=9';
    assert.equal(dataOf(await query(`before=2&${strange}&${group}&token=${token}&token=x&before=x`)).total, 2);
    assertRefused(await query(`token=x&token=${token}&${group}&before=2`), 1003, '非法token');
    assertRefused(await query(`token=${token}&chat-id=&${group}&before=2`), 1002, 'chat-id值错误，值不能为空');
  });
});
