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

    it('return a group and its bot', async () => {
      const { webUrl, openApiUrl } = service.sandbox;
      const reviewed = { checkWay: '', reason: '', status: 0, updateTime: 0, delFlag: 0 };
      const uri = `${openApiUrl}/open-apis/v1/bot/batch_send?token=`;
      const { group } = dataOf(await service.group({ groupId: '546790213' }));
      assert.deepEqual(group, {
        id: 1398,
        groupId: '546790213',
        name: '后山徒步队',
        introduction: '周日清晨出发,风雨看天气机器人。',
        createBy: '7469203',
        createTime: 0,
        avatarId: 6398,
        avatarUrl: '',
        headcount: 58,
        readHistory: 1,
        category: '',
        uri,
        groupBotRel: {
          id: 8398,
          groupId: '546790213',
          botId: '30694418',
          delFlag: 0,
          // An hour after the bot was created, and a day later, in Unix seconds.
          createTime: Date.UTC(2024, 8, 14, 11, 30) / 1000,
          updateTsime: Date.UTC(2024, 8, 15, 11, 30) / 1000,
          bot: {
            id: 305,
            botId: '30694418',
            nickname: 'Trail Weather 山路天气',
            nicknameId: 4305,
            avatarId: 8305,
            avatarUrl: '',
            token: '',
            link: `${webUrl}/pages/trail-weather`,
            introduction: 'Weather for walkers, in English and Chinese. Send /weather and a place.',
            createBy: '7469203',
            createTime: Date.UTC(2024, 8, 14, 10, 30) / 1000,
            headcount: 48_217,
            private: 0,
            uri,
            checkChatInfoRecord: {
              ...reviewed,
              id: 905,
              chatId: '30694418',
              chatType: 3,
              createTime: Date.UTC(2024, 8, 14, 10, 30) / 1000,
            },
          },
        },
        checkChatInfoRecord: { ...reviewed, id: 10_398, chatId: '546790213', chatType: 2, createTime: 0 },
      });
    });

    it('return the times of a group and its review in Unix seconds', async () => {
      const { group } = dataOf(await service.group({ groupId: '518204736' }));
      const made = Date.UTC(2024, 0, 8, 1, 30) / 1000;
      assert.deepEqual([group.createTime, group.checkChatInfoRecord.createTime], [made, made]);
    });

    it('nest the bot as the bot lookup returns it', async () => {
      const { group } = dataOf(await service.group({ groupId: '518204736' }));
      const { bot } = dataOf(await service.bot({ botId: '30481126' }));
      assert.equal(group.groupBotRel.botId, '30481126');
      assert.equal(group.groupBotRel.groupId, '518204736');
      assert.deepEqual(group.groupBotRel.bot, bot);
    });

    it('fill the bot of a group without one with empty values', async () => {
      const { group } = dataOf(await service.group({ groupId: '531048827' }));
      const { bot: empty, ...relation } = group.groupBotRel;
      const none = { id: 0, groupId: '', botId: '', delFlag: 0, createTime: 0, updateTsime: 0 };
      assert.deepEqual(relation, none);
      assert.equal(group.uri, `${service.sandbox.openApiUrl}/open-apis/v1/bot/batch_send?token=`);
      const { checkChatInfoRecord, ...bot } = empty;
      for (const value of [...Object.values(bot), ...Object.values(checkChatInfoRecord)]) {
        assert.ok(value === '' || value === 0, `${value} is empty`);
      }
    });

    it('refuse an unknown group, with its ID in the text', async () => {
      for (const groupId of [
        '999999999',
        '',
        '30481126',
        '7058314',
        'toString',
        '__proto__',
        'Big',
        'big ',
        '狐狸🦊',
        'x'.repeat(100_000),
      ]) {
        const { status, body } = await service.group({ groupId });
        assert.deepEqual({ status, body }, { status: 200, body: { code: -1, msg: `群(ID:${groupId})不存在。` } });
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

    it('never return a token, in a field or in the send URL', async () => {
      for (const botId of service.sandbox.bots) {
        const { bot } = dataOf(await service.bot({ botId }));
        assert.equal(bot.token, '');
        assert.match(bot.uri, /\?token=$/);
        assert.ok(bot.uri.startsWith(`${service.sandbox.openApiUrl}/`));
      }
    });

    it('answer -1 and 机器人不存在 without data for a user, a group or an unknown ID', async () => {
      for (const botId of [
        '7058314',
        '518204736',
        '99999999',
        '',
        'constructor',
        '__proto__',
        ' 30481126',
        '狐狸🦊',
        'x'.repeat(100_000),
      ]) {
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

    it('return a user', async () => {
      assert.deepEqual(dataOf(await service.user('?userId=7230581')).user, {
        userId: '7230581',
        nickname: 'Tom Brackwater',
        avatarUrl: '',
        registerTime: Date.UTC(2021, 8, 30, 5, 47, 5) / 1000,
        registerTimeText: '2021-09-30 13:47:05',
        onLineDay: 688,
        continuousOnLineDay: 4,
        medals: [],
        isVip: 0,
      });
    });

    it('answer success with the default user for a bot, a group or an unknown ID', async () => {
      for (const userId of ['30481126', '518204736', '0', '', '%20', '%207058314', 'valueOf']) {
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
});
