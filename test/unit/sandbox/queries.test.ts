import assert from 'node:assert/strict';
import { assertRefused, dataOf, type Served, served } from './served.ts';

describe('Sandbox queries', () => {
  let service: Served;
  before(async () => {
    service = await served({ messages: 5 });
  });
  after(() => service.close());

  const nickname = async (query: string) => dataOf(await service.user(query)).user.nickname;
  /** Requests messages with a literal query. */
  const messages = (query: string) => service.ask(`${service.sandbox.openApiUrl}/open-apis/v1/bot/messages?${query}`);
  const chat = 'chat-id=518204736&chat-type=group';

  it('may repeat a parameter: the first counts', async () => {
    assert.equal(await nickname('?userId=7058314&userId=7102649'), 'Alice Fernhollow');
    const { token } = service;
    assert.equal(dataOf(await messages(`token=${token}&token=x&${chat}&before=2&before=x`)).total, 2);
    assertRefused(await messages(`token=x&token=${token}&${chat}&before=2`), 1003, /^非法token$/);
    assertRefused(await messages(`token=${token}&${chat}&before=x&before=2`), 1002, /before$/);
    assertRefused(await messages(`token=${token}&chat-id=&${chat}&before=2`), 1002, /^chat-id值错误/);
    assertRefused(await messages(`token=${token}&chat-type=x&${chat}&before=2`), 1002, /^chat-type取值错误/);
    const anchors = `message-id=unknown&message-id=&after=1&after=0`;
    assertRefused(await messages(`token=${token}&${chat}&${anchors}`), -1, /^消息不存在/);
  });

  it('may have unknown parameters, in any order', async () => {
    const strange = '__proto__=1&constructor=2&toString=3&hasOwnProperty=4&&=5&user';
    assert.equal(await nickname(`?${strange}&userId=7058314`), 'Alice Fernhollow');
    assert.equal(dataOf(await messages(`before=2&${strange}&${chat}&token=${service.token}`)).total, 2);
  });

  it('must name a parameter exactly', async () => {
    for (const query of [
      '?userid=7058314',
      '?UserId=7058314',
      '?userId[]=7058314',
      '?xuserId=7058314',
      '?toString=1',
      '?',
    ]) {
      assertRefused(await service.user(query), 1002, /userId$/);
    }
    assertRefused(await messages(`Token=${service.token}&${chat}&before=1`), 1002, /^token不存在$/);
    assert.equal(dataOf(await messages(`token=${service.token}&${chat}&Before=2`)).total, 0);
  });

  it('are decoded, once', async () => {
    assert.equal(await nickname('?userId=%37%30%35%38%33%31%34'), 'Alice Fernhollow');
    assert.equal(await nickname('?%75serId=7058314'), 'Alice Fernhollow');
    assert.equal(await nickname('?userId=%2537058314'), '');
    assertRefused(
      await messages(`token=${service.token}&chat-id=a%2Bb+c&chat-type=group`),
      -1,
      /^群\(ID:a\+b c\)不存在。$/,
    );
  });

  it("may contain anything as an ID: it's an unknown one", async () => {
    const ids = [
      '%F0%9F%A6%8A',
      '%E7%8B%90',
      '%00',
      '%zz',
      '%E0%A4%A',
      '%',
      '__proto__',
      'constructor',
      '9'.repeat(8000),
    ];
    for (const id of ids) {
      assert.equal(await nickname(`?userId=${id}`), '');
      assertRefused(await messages(`token=${id}&${chat}&before=1`), 1003, /^非法token$/);
      for (const type of ['group', 'user']) {
        const query = `token=${service.token}&chat-id=${id}&chat-type=${type}&before=1`;
        assertRefused(await messages(query), -1, /^(会话不存在: |群\(ID:)/);
      }
      assertRefused(await messages(`token=${service.token}&${chat}&message-id=${id}&before=1`), -1, /^消息不存在/);
    }
  });

  it('are checked in order: token, parameters, chat, anchor', async () => {
    const all = { token: 'x', 'chat-type': 'x', 'chat-id': 'x', 'message-id': 'x', before: '1' };
    assertRefused(await service.messages(all), 1003, /token/);
    assertRefused(await service.messages({ ...all, token: service.token }), 1002, /^chat-type取值错误/);
    assertRefused(
      await service.messages({ ...all, token: service.token, 'chat-type': 'group' }),
      -1,
      /^群\(ID:x\)不存在。$/,
    );
    assertRefused(await service.messages({ 'message-id': 'x', before: '1' }), -1, /^消息不存在/);
  });

  it('of batch_send contain the token, which is checked before the body', async () => {
    const url = `${service.sandbox.openApiUrl}/open-apis/v1/bot/batch_send`;
    const body = { recvIds: ['518204736'], recvType: 'group', contentType: 'text', content: { text: 'Hello' } };
    assertRefused(await service.post(url, { ...body, token: service.token }), 1002, /^token不存在$/);
    assertRefused(await service.post(`${url}?token=`, '{'), 1002, /^token不存在$/);
    assertRefused(await service.post(`${url}?token=__proto__`, '{'), 1003, /token/);
    assertRefused(await service.post(`${url}?token=x&token=${service.token}`, body), 1003, /token/);
    assert.equal(dataOf(await service.messages({ before: '9' })).total, 5);
  });
});
