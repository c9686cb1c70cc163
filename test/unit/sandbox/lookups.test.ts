import assert from 'node:assert/strict';
import type { Operation } from '../../../src/sandbox/requests.ts';
import { assertFields, assertRefused, BOT, createCalls, dataOf, type Fields, GROUP, posting } from './calls.ts';

const reviewFields: Fields = {
  string: 'chatId checkWay reason',
  number: 'id chatType status createTime updateTime delFlag',
};
const botFields: Fields = {
  string: 'botId nickname avatarUrl token link introduction createBy uri',
  number: 'id nicknameId avatarId createTime headcount private',
  object: 'checkChatInfoRecord',
};
const relationFields: Fields = {
  string: 'groupId botId',
  number: 'id delFlag createTime updateTsime',
  object: 'bot',
};
const groupFields: Fields = {
  string: 'groupId name introduction createBy avatarUrl category uri',
  number: 'id createTime avatarId headcount readHistory',
  object: 'groupBotRel checkChatInfoRecord',
};
const userFields: Fields = {
  string: 'userId nickname avatarUrl registerTimeText',
  number: 'registerTime onLineDay continuousOnLineDay isVip',
  array: 'medals',
};

/** IDs that are none, some of which a careless look-up would find. */
const UNKNOWN = ['99999999', '', 'constructor', '__proto__', ` ${BOT}`, '狐狸🦊', 'x'.repeat(100_000)];

const { sandbox, ask, group, bot, user, post, token } = createCalls();
const { webUrl, openApiUrl } = sandbox;

describe('Sandbox addresses (4, 9)', () => {
  const operations: Readonly<Record<Operation, readonly [method: string, url: string]>> = {
    'group-info': ['POST', `${webUrl}/v1/group/group-info`],
    'bot-info': ['POST', `${webUrl}/v1/bot/bot-info`],
    homepage: ['GET', `${webUrl}/v1/user/homepage`],
    messages: ['GET', `${openApiUrl}/open-apis/v1/bot/messages`],
    batch_send: ['POST', `${openApiUrl}/open-apis/v1/bot/batch_send`],
  };

  for (const [method, url] of Object.values(operations)) {
    it(`${new URL(url).pathname} is called by ${method}, and at no other address`, async () => {
      const called = (as: string, at: string) => ask(`${at}?token=${token}`, { method: as });
      const unknown = { status: 404, body: { code: -1, msg: '接口不存在' } };
      assert.equal((await called(method, url)).status, 200);
      for (const other of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
        if (other !== method) assert.deepEqual(await called(other, url), unknown, other);
      const elsewhere = url.includes('/web/') ? url.replace('/web/', '/open/') : url.replace('/open/', '/web/');
      for (const other of [elsewhere, `${url}/`, url.replace('/v1', '/v2'), url.replace('/v1', ''), `${url}/x`])
        assert.deepEqual(await called(method, other), unknown, other);
    });
  }

  it('need no credentials for a lookup and ignore them', async () => {
    const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer nonsense' };
    const asked = `?userId=7058314&token=nonsense`;
    dataOf(await ask(`${webUrl}/v1/group/group-info${asked}`, { ...posting({ groupId: GROUP }), headers }));
    dataOf(await ask(`${webUrl}/v1/bot/bot-info${asked}`, { ...posting({ botId: BOT }), headers }));
    dataOf(await ask(`${webUrl}/v1/user/homepage${asked}`, { headers }));
  });
});

describe('Sandbox lookup of a group (4.1)', () => {
  it('has every field of the contract with its type, for every group', async () => {
    for (const groupId of sandbox.groups) {
      const data = dataOf(await group({ groupId }));
      assert.deepEqual(Object.keys(data), ['group']);
      assert.equal(data.group.groupId, groupId);
      assertFields(data.group, groupFields);
      assertFields(data.group.groupBotRel, relationFields);
      assertFields(data.group.groupBotRel.bot, botFields);
      assertFields(data.group.groupBotRel.bot.checkChatInfoRecord, reviewFields);
      assertFields(data.group.checkChatInfoRecord, reviewFields);
      const { chatId, chatType } = data.group.checkChatInfoRecord;
      assert.deepEqual({ chatId, chatType }, { chatId: groupId, chatType: 2 });
    }
  });

  it('has its bot as the lookup of the bot does', async () => {
    const { groupBotRel } = dataOf(await group({ groupId: GROUP })).group;
    assert.deepEqual([groupBotRel.groupId, groupBotRel.botId], [GROUP, BOT]);
    assert.deepEqual(groupBotRel.bot, dataOf(await bot({ botId: BOT })).bot);
  });

  it('has times in Unix seconds', async () => {
    const { createTime, checkChatInfoRecord, groupBotRel } = dataOf(await group({ groupId: GROUP })).group;
    const made = Date.UTC(2024, 0, 8, 1, 30) / 1000;
    assert.deepEqual([createTime, checkChatInfoRecord.createTime], [made, made]);
    assert.ok(groupBotRel.updateTsime > groupBotRel.createTime && groupBotRel.createTime > groupBotRel.bot.createTime);
  });

  it('has a bot of empty values if the group has none', async () => {
    const { uri, groupBotRel } = dataOf(await group({ groupId: '531048827' })).group;
    const { bot: none, ...relation } = groupBotRel;
    const { checkChatInfoRecord, ...fields } = none;
    for (const value of [relation, fields, checkChatInfoRecord].flatMap((one) => Object.values(one)))
      assert.ok(value === '' || value === 0, `${value} is empty`);
    assert.equal(uri, `${openApiUrl}/open-apis/v1/bot/batch_send?token=`);
  });

  it('refuses an unknown one, with its ID in the text', async () => {
    for (const groupId of [...UNKNOWN, BOT, '7058314', 'Big'])
      assertRefused(await group({ groupId }), -1, `群(ID:${groupId})不存在。`);
  });
});

describe('Sandbox lookup of a bot (4.2)', () => {
  it('has every field of the contract with its type, for every bot, and never a token', async () => {
    for (const botId of sandbox.bots) {
      const data = dataOf(await bot({ botId }));
      assert.deepEqual(Object.keys(data), ['bot']);
      assertFields(data.bot, botFields);
      assertFields(data.bot.checkChatInfoRecord, reviewFields);
      const { chatId, chatType } = data.bot.checkChatInfoRecord;
      assert.deepEqual([data.bot.botId, chatId, chatType], [botId, botId, 3]);
      assert.deepEqual([data.bot.token, data.bot.uri], ['', `${openApiUrl}/open-apis/v1/bot/batch_send?token=`]);
    }
  });

  it('answers -1 and 机器人不存在 without data for a user, a group or an unknown ID', async () => {
    for (const botId of [...UNKNOWN, '7058314', GROUP]) assertRefused(await bot({ botId }), -1, '机器人不存在');
  });
});

describe('Sandbox lookup of a user (4.3)', () => {
  it('has every field of the contract with its type, for every user', async () => {
    for (const userId of sandbox.users) {
      const data = dataOf(await user(`?userId=${userId}`));
      assert.deepEqual(Object.keys(data), ['user']);
      assert.equal(data.user.userId, userId);
      assertFields(data.user, userFields);
    }
  });

  it('tells the time of registration in Unix seconds and as text in UTC+8, like that of the default user', async () => {
    const { registerTime, registerTimeText } = dataOf(await user('?userId=7230581')).user;
    assert.deepEqual([registerTime, registerTimeText], [Date.UTC(2021, 8, 30, 5, 47, 5) / 1000, '2021-09-30 13:47:05']);
  });

  it('is a success with the default user for a bot, a group or an unknown ID', async () => {
    for (const userId of [...UNKNOWN.map(encodeURIComponent), BOT, GROUP, '%', '%00']) {
      assert.deepEqual(dataOf(await user(`?userId=${userId}`)).user, {
        userId: '',
        nickname: '',
        avatarUrl: '',
        registerTime: 0,
        registerTimeText: '1970-01-01 08:00:00',
        onLineDay: 0,
        continuousOnLineDay: 0,
        medals: [],
        isVip: 0,
      });
    }
  });
});

describe('Sandbox lookups without an ID', () => {
  it('are refused, whatever else is there', async () => {
    for (const query of ['', '?', '?userid=7058314', '?xuserId=7058314'])
      assertRefused(await user(query), 1002, '参数错误: userId');
    for (const value of [undefined, null, 0, true, {}, ['x']]) {
      assertRefused(await group({ groupId: value, groupid: GROUP }), 1002, '参数错误: groupId');
      assertRefused(await bot({ botId: value, id: BOT }), 1002, '参数错误: botId');
    }
    const inherited = `{"__proto__":{"groupId":"${GROUP}"}}`;
    assertRefused(await post(`${webUrl}/v1/group/group-info?groupId=${GROUP}`, inherited), 1002, '参数错误: groupId');
  });
});
