import assert from 'node:assert/strict';
import { assertFields, assertRefused, dataOf, type Served, served } from './served.ts';

const reviewFields = {
  id: 'number',
  chatId: 'string',
  chatType: 'number',
  checkWay: 'string',
  reason: 'string',
  status: 'number',
  createTime: 'number',
  updateTime: 'number',
  delFlag: 'number',
};
const botFields = {
  id: 'number',
  botId: 'string',
  nickname: 'string',
  nicknameId: 'number',
  avatarId: 'number',
  avatarUrl: 'string',
  token: 'string',
  link: 'string',
  introduction: 'string',
  createBy: 'string',
  createTime: 'number',
  headcount: 'number',
  private: 'number',
  uri: 'string',
  checkChatInfoRecord: 'object',
};
const relationFields = {
  id: 'number',
  groupId: 'string',
  botId: 'string',
  delFlag: 'number',
  createTime: 'number',
  updateTsime: 'number',
  bot: 'object',
};
const groupFields = {
  id: 'number',
  groupId: 'string',
  name: 'string',
  introduction: 'string',
  createBy: 'string',
  createTime: 'number',
  avatarId: 'number',
  avatarUrl: 'string',
  headcount: 'number',
  readHistory: 'number',
  category: 'string',
  uri: 'string',
  groupBotRel: 'object',
  checkChatInfoRecord: 'object',
};
const userFields = {
  userId: 'string',
  nickname: 'string',
  avatarUrl: 'string',
  registerTime: 'number',
  registerTimeText: 'string',
  onLineDay: 'number',
  continuousOnLineDay: 'number',
  medals: 'array',
  isVip: 'number',
};

describe('Sandbox lookups', () => {
  let service: Served;
  before(async () => {
    service = await served();
  });
  after(() => service.close());

  describe('of a group (4.1)', () => {
    it('answer every field of the contract with its type, for every group', async () => {
      for (const groupId of service.sandbox.groups) {
        const data = dataOf(await service.group({ groupId }));
        assert.deepEqual(Object.keys(data), ['group']);
        assert.equal(data.group.groupId, groupId);
        assertFields(data.group, groupFields);
        assertFields(data.group.groupBotRel, relationFields);
        assertFields(data.group.groupBotRel.bot, botFields);
        assertFields(data.group.groupBotRel.bot.checkChatInfoRecord, reviewFields);
        assertFields(data.group.checkChatInfoRecord, reviewFields);
      }
    });

    it('tell of a review record that belongs to the group', async () => {
      const { group } = dataOf(await service.group({ groupId: '518204736' }));
      const { chatId, chatType, status, delFlag, updateTime } = group.checkChatInfoRecord;
      assert.deepEqual(
        { chatId, chatType, status, delFlag, updateTime },
        { chatId: '518204736', chatType: 2, status: 0, delFlag: 0, updateTime: 0 },
      );
    });

    it('nest the bot as the bot lookup shows it', async () => {
      const { group } = dataOf(await service.group({ groupId: '518204736' }));
      const { bot } = dataOf(await service.bot({ botId: '30481126' }));
      assert.equal(group.groupBotRel.botId, '30481126');
      assert.equal(group.groupBotRel.groupId, '518204736');
      assert.deepEqual(group.groupBotRel.bot, bot);
    });

    it('fill the bot of a group without one with empty values', async () => {
      const { group } = dataOf(await service.group({ groupId: '531048827' }));
      const { checkChatInfoRecord, ...bot } = group.groupBotRel.bot;
      for (const value of [...Object.values(bot), ...Object.values(checkChatInfoRecord)]) {
        assert.ok(value === '' || value === 0, `${value} is empty`);
      }
    });

    it('refuse a group that does not exist, with its ID in the text', async () => {
      for (const groupId of ['999999999', '', '30481126', '7058314', 'toString', 'Big']) {
        assertRefused(await service.group({ groupId }), -1, new RegExp(`群组不存在: ${groupId}$`));
      }
    });
  });

  describe('of a bot (4.2)', () => {
    it('answer every field of the contract with its type, for every bot', async () => {
      for (const botId of service.sandbox.bots) {
        const data = dataOf(await service.bot({ botId }));
        assert.deepEqual(Object.keys(data), ['bot']);
        assert.equal(data.bot.botId, botId);
        assertFields(data.bot, botFields);
        assertFields(data.bot.checkChatInfoRecord, reviewFields);
        assert.equal(data.bot.checkChatInfoRecord.chatType, 3);
        assert.equal(data.bot.checkChatInfoRecord.chatId, botId);
      }
    });

    it('never show a token, neither as a field nor in the send address', async () => {
      for (const botId of service.sandbox.bots) {
        const { bot } = dataOf(await service.bot({ botId }));
        assert.equal(bot.token, '');
        assert.match(bot.uri, /\?token=$/);
        assert.ok(bot.uri.startsWith(`${service.sandbox.openApiUrl}/`));
      }
    });

    it('answer -1 and 机器人不存在 without data for a user, a group or an unknown ID', async () => {
      for (const botId of ['7058314', '518204736', '99999999', '', 'constructor']) {
        const { status, body } = await service.bot({ botId });
        assert.equal(status, 200);
        assert.deepEqual(body, { code: -1, msg: '机器人不存在' });
      }
    });
  });

  describe('of a user (4.3)', () => {
    it('answer every field of the contract with its type, for every user', async () => {
      for (const userId of service.sandbox.users) {
        const data = dataOf(await service.user(`?userId=${userId}`));
        assert.deepEqual(Object.keys(data), ['user']);
        assert.equal(data.user.userId, userId);
        assertFields(data.user, userFields);
        assert.deepEqual(data.user.medals, []);
      }
    });

    it('answer success with the default user for a bot, a group or an unknown ID', async () => {
      for (const userId of ['30481126', '518204736', '0', '', '%20', 'valueOf']) {
        assert.deepEqual(dataOf(await service.user(`?userId=${userId}`)), {
          user: {
            userId: '',
            nickname: '',
            avatarUrl: '',
            registerTime: 0,
            registerTimeText: '1970-01-01 08:00:00',
            onLineDay: 0,
            continuousOnLineDay: 0,
            medals: [],
            isVip: 0,
          },
        });
      }
    });

    it('refuse a request without userId', async () => {
      assertRefused(await service.user(''), 1002, /userId/);
      assertRefused(await service.user('?userid=7058314'), 1002, /userId/);
    });
  });

  describe('with a bad body', () => {
    it('name the field that is missing or no string', async () => {
      for (const bad of [{}, { groupId: 518204736 }, { groupId: null }, { groupId: ['518204736'] }]) {
        assertRefused(await service.group(bad), 1002, /groupId/);
      }
      assertRefused(await service.bot({ groupId: '518204736' }), 1002, /botId/);
    });

    it('refuse what is no JSON object', async () => {
      for (const bad of ['', '{', 'null', '[]', '"518204736"', '1']) {
        assertRefused(await service.group(bad), 1002, /JSON/);
        assertRefused(await service.bot(bad), 1002, /JSON/);
      }
    });

    it('refuse JSON that is not sent as application/json', async () => {
      const url = `${service.sandbox.webUrl}/v1/bot/bot-info`;
      const init = { method: 'POST', body: JSON.stringify({ botId: '30481126' }) };
      assertRefused(await service.ask(url, init), 1002, /Content-Type/);
      const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' };
      dataOf(await service.ask(url, { ...init, headers }));
    });
  });

  it('need no credential and ignore one', async () => {
    dataOf(await service.user('?userId=7058314&token=nonsense'));
  });

  it('answer 404 with an envelope to any address or method that the contract does not know', async () => {
    const { webUrl, openApiUrl } = service.sandbox;
    const strange: [string, string][] = [
      ['GET', `${service.origin}/`],
      ['GET', `${webUrl}/v1/group/group-info`],
      ['POST', `${webUrl}/v1/user/homepage?userId=7058314`],
      ['GET', `${webUrl}/open-apis/v1/bot/messages?token=${service.token}`],
      ['POST', `${openApiUrl}/v1/bot/bot-info`],
      ['GET', `${openApiUrl}/open-apis/v1/bot/batch_send?token=${service.token}`],
      ['POST', `${webUrl}/v2/bot/bot-info`],
    ];
    for (const [method, url] of strange) {
      const { status, body } = await service.ask(url, { method });
      assert.equal(status, 404, url);
      assert.deepEqual(body, { code: -1, msg: '接口不存在' });
    }
  });
});
