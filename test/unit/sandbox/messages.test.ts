import assert from 'node:assert/strict';
import { assertFields, assertRefused, dataOf, type Query, type Served, served } from './served.ts';

const messageFields = {
  msgId: 'string',
  parentId: 'string',
  senderId: 'string',
  senderType: 'string',
  senderNickname: 'string',
  contentType: 'string',
  content: 'object',
  sendTime: 'number',
  commandName: 'string',
  commandId: 'number',
};

describe('Sandbox message list (4.4)', () => {
  const length = 40;
  let service: Served;
  /** All IDs of the first group's chat, oldest first. */
  let ids: string[];

  const list = async (query: Query) => {
    const data = dataOf(await service.messages(query));
    assert.deepEqual(Object.keys(data), ['list', 'total']);
    assert.equal(data.total, data.list.length);
    return data.list as { msgId: string; sendTime: number }[];
  };
  /** The indexes of the listed messages, 0 being the oldest. */
  const places = async (query: Query) => (await list(query)).map(({ msgId }) => ids.indexOf(msgId));
  const at = (place: number) => ids[place] ?? '';

  before(async () => {
    service = await served({ messages: length });
    ids = (await list({ before: '1000' })).map(({ msgId }) => msgId).reverse();
  });
  after(() => service.close());

  it('answers every field of the contract with its type', async () => {
    for (const message of await list({ before: String(length) })) assertFields(message, messageFields);
  });

  it('rule 1: gives the latest N without message-id', async () => {
    assert.equal(ids.length, length);
    assert.deepEqual(await places({ before: '3' }), [39, 38, 37]);
    assert.deepEqual(await places({ before: '1' }), [39]);
  });

  it('rule 2: gives N before the anchor and the anchor', async () => {
    assert.deepEqual(await places({ 'message-id': at(20), before: '3' }), [20, 19, 18, 17]);
  });

  it('rule 3: gives the anchor and N after it', async () => {
    assert.deepEqual(await places({ 'message-id': at(20), after: '3' }), [23, 22, 21, 20]);
  });

  it('rule 4: gives N before, the anchor and M after', async () => {
    assert.deepEqual(await places({ 'message-id': at(20), before: '2', after: '1' }), [21, 20, 19, 18]);
  });

  it('rule 5: gives nothing for an anchor with before and after 0', async () => {
    for (const query of [{}, { before: '0' }, { after: '0' }, { before: '0', after: '0' }]) {
      const { body } = await service.messages({ 'message-id': at(20), ...query });
      assert.deepEqual(body, { code: 1, msg: 'success', data: { list: [], total: 0 } });
    }
  });

  it('applies rule 5 to an unknown anchor, but not to an unknown chat', async () => {
    assert.deepEqual(await list({ 'message-id': 'x', before: '0' }), []);
    const answer = await service.messages({ 'chat-id': '999999999', 'message-id': 'x' });
    assertRefused(answer, -1, /^群\(ID:999999999\)不存在。$/);
  });

  it('rule 6: puts the newest first', async () => {
    const times = (await list({ before: String(length) })).map(({ sendTime }) => sendTime);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
    assert.equal(new Set(times).size, length);
  });

  it('returns what exists at the start and end of a chat', async () => {
    assert.deepEqual(await places({ 'message-id': at(1), before: '5' }), [1, 0]);
    assert.deepEqual(await places({ 'message-id': at(0), before: '5' }), [0]);
    assert.deepEqual(await places({ 'message-id': at(38), after: '5' }), [39, 38]);
    assert.deepEqual(await places({ 'message-id': at(39), after: '5' }), [39]);
    assert.equal((await list({ before: '9'.repeat(400) })).length, length);
  });

  it('returns an empty list without message-id and before', async () => {
    assert.deepEqual(await list({}), []);
    assert.deepEqual(await list({ after: '5' }), []);
  });

  it('treats empty as missing', async () => {
    assert.deepEqual(await places({ 'message-id': '', before: '2', after: '' }), [39, 38]);
    assert.deepEqual(await places({ 'message-id': at(20), before: '', after: '1' }), [21, 20]);
    assert.deepEqual(await list({ 'message-id': '', before: '', after: '' }), []);
  });

  it('walks a whole chat page by page without a gap or a repetition', async () => {
    const seen = await places({ before: '7' });
    while (seen.at(-1) !== 0)
      seen.push(...(await places({ 'message-id': at(seen.at(-1) ?? 0), before: '7' })).slice(1));
    assert.deepEqual(seen, ids.map((_, place) => place).reverse());
  });

  it('gives each bot its own chat with a user, and every public bot every group', async () => {
    const of = (botId: string, query: Query) => list({ token: service.sandbox.token(botId) ?? '', ...query });
    const user = { 'chat-id': '7058314', 'chat-type': 'user', before: '5' };
    assert.notDeepEqual(await of('30481126', user), await of('30527740', user));
    assert.deepEqual(await of('30527740', { before: '5' }), await of('30481126', { before: '5' }));
  });

  it('lets a private bot read only its own group', async () => {
    const token = service.sandbox.token('30759903') ?? '';
    const read = (chatId: string) => service.messages({ token, 'chat-id': chatId, before: '1' });
    assert.equal(dataOf(await read('559902341')).total, 1);
    assertRefused(await read('518204736'), -1, /^群\(ID:518204736\)中未添加当前机器人\(ID: 30759903\)。$/);
    assertRefused(await read('999999999'), -1, /^群\(ID:999999999\)不存在。$/);
  });

  it('refuses a token that is missing, empty or wrong, whatever else is wrong', async () => {
    const url = `${service.sandbox.openApiUrl}/open-apis/v1/bot/messages`;
    assertRefused(await service.ask(`${url}?chat-id=518204736&chat-type=group`), 1002, /^token不存在$/);
    assertRefused(await service.ask(url), 1002, /^token不存在$/);
    assertRefused(await service.messages({ token: '', before: '1' }), 1002, /^token不存在$/);
    for (const token of ['nonsense', '30481126', `${service.token} `]) {
      assertRefused(await service.messages({ token, before: '1' }), 1003, /^非法token$/);
    }
  });

  it('names the invalid parameter', async () => {
    const bad: [Query, RegExp][] = [
      [{ 'chat-id': '' }, /^chat-id值错误，值不能为空$/],
      ...['', 'bot', 'Group', 'constructor'].map((type): [Query, RegExp] => [
        { 'chat-type': type },
        /^chat-type取值错误，取值仅支持group、user$/,
      ]),
    ];
    for (const name of ['before', 'after']) {
      for (const value of ['-1', '1.5', 'x', ' ', ' 1', '1\n', '+1', '1e3', '0x10', 'NaN', 'null', '５'])
        bad.push([{ [name]: value }, new RegExp(name)]);
    }
    for (const [query, text] of bad) assertRefused(await service.messages(query), 1002, text);
  });

  it('names the missing parameter', async () => {
    const url = `${service.sandbox.openApiUrl}/open-apis/v1/bot/messages?token=${service.token}`;
    assertRefused(await service.ask(`${url}&chat-type=group`), 1002, /chat-id/);
    assertRefused(await service.ask(`${url}&chat-id=518204736`), 1002, /chat-type/);
  });

  it('refuses an unknown chat, with its ID in the text', async () => {
    const unknown: [string, string][] = [
      ['group', '999999999'],
      ['group', '7058314'],
      ['user', '518204736'],
      ['user', '30481126'],
      ['user', ' 7058314'],
      ['user', '__proto__'],
    ];
    for (const [type, id] of unknown) {
      const answer = await service.messages({ 'chat-type': type, 'chat-id': id, before: '1' });
      const text = type === 'group' ? `^群\\(ID:${id}\\)不存在。$` : `^会话不存在: ${id}$`;
      assertRefused(answer, -1, new RegExp(text));
    }
  });

  it("refuses an anchor that isn't in the chat", async () => {
    // Its index also exists in this chat.
    const elsewhere = (await list({ 'chat-id': 'big', before: '1000' })).at(-1)?.msgId ?? '';
    for (const anchor of [elsewhere, 'x', '0'.repeat(32), at(3).toUpperCase(), `${at(3)}0`]) {
      const answer = await service.messages({ 'message-id': anchor, before: '1' });
      assertRefused(answer, -1, /^消息不存在或无权限修改$/);
    }
  });

  it('needs no header on a GET and accepts one', async () => {
    const url = `${service.sandbox.openApiUrl}/open-apis/v1/bot/messages?token=${service.token}&chat-id=big&chat-type=group`;
    dataOf(await service.ask(url, { headers: { 'Content-Type': 'application/json' } }));
    dataOf(await service.ask(url));
  });
});
