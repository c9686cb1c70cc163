import assert from 'node:assert/strict';
import { attachedBot, includesChat, isChat } from '../../../src/service/model.ts';
import { failureOf, nulls, succeeding } from './answering.ts';

const REVIEW = {
  id: 9001,
  chatId: '518204736',
  chatType: 2,
  checkWay: '',
  reason: '',
  status: 0,
  createTime: 1704677400,
  updateTime: 0,
  delFlag: 0,
};
const BOT = {
  id: 211,
  botId: '30481126',
  nickname: 'Order Desk',
  nicknameId: 4211,
  avatarId: 8211,
  avatarUrl: 'https://pictures.example/o.png',
  token: '',
  link: '',
  introduction: 'First line\nSecond line',
  createBy: '7058314',
  createTime: 1704765600,
  headcount: 356,
  private: 0,
  uri: 'https://chat.example/open-apis/v1/bot/batch_send?token=',
  checkChatInfoRecord: { ...REVIEW, chatId: '30481126', chatType: 3 },
};
const RELATION = {
  id: 8042,
  groupId: '518204736',
  botId: '30481126',
  delFlag: 0,
  createTime: 1704769200,
  updateTsime: 1704855600,
  bot: BOT,
};
const GROUP = {
  id: 1042,
  groupId: '518204736',
  name: '店铺 & friends',
  introduction: '一\n二',
  createBy: '7058314',
  createTime: 0,
  avatarId: 6042,
  avatarUrl: '',
  headcount: 342,
  readHistory: 1,
  category: '',
  uri: BOT.uri,
  groupBotRel: RELATION,
  checkChatInfoRecord: REVIEW,
};
const USER = {
  userId: '7058314',
  nickname: 'Alice',
  avatarUrl: 'https://pictures.example/a.png',
  registerTime: 1615166092,
  registerTimeText: '2021-03-08 09:14:52',
  onLineDay: 1204,
  continuousOnLineDay: 37,
  medals: [],
  isVip: 0,
};

/** Parses the data of a lookup as the client does. */
const findGroup = (group: unknown) => succeeding({ group }).group('518204736');
const findBot = (bot: unknown) => succeeding({ bot }).bot('30481126');
const findUser = (user: unknown) => succeeding({ user }).user('7058314');
const readGroup = async (group: unknown) => (await findGroup(group)).resource;
const readBot = async (bot: unknown) => (await findBot(bot)).resource;
const readUser = async (user: unknown) => (await findUser(user)).resource;

describe('Looked-up resources', () => {
  it('keep every field of contract 2.1 to 2.5 and have a kind', async () => {
    assert.deepEqual(await findGroup(GROUP), { kind: 'group', resource: GROUP, raw: GROUP });
    assert.deepEqual(await findBot(BOT), { kind: 'bot', resource: BOT, raw: BOT });
    assert.deepEqual(await findUser(USER), { kind: 'user', resource: USER, raw: USER });
  });

  it('keep unknown fields in the raw JSON, at every depth', async () => {
    const more = { color: 'red', nested: { a: [1, { b: null }] } };
    const bot = { ...BOT, ...more, checkChatInfoRecord: { ...REVIEW, ...more } };
    const group = { ...GROUP, ...more, groupBotRel: { ...RELATION, ...more, bot } };
    const { resource, raw } = await findGroup(group);
    assert.deepEqual(raw, group);
    assert.deepEqual(resource, {
      ...GROUP,
      groupBotRel: { ...RELATION, bot: { ...BOT, checkChatInfoRecord: REVIEW } },
    });
    assert.deepEqual((await findBot(bot)).raw, bot);
    const user = { ...USER, ...more };
    assert.deepEqual(await findUser(user), { kind: 'user', resource: USER, raw: user });
  });

  it('keep invalid fields in the raw JSON', async () => {
    const user = { ...USER, nickname: { first: 'Alice' }, isVip: [1], medals: ['plain', null] };
    const resource = { ...USER, nickname: '', isVip: undefined, medals: [] };
    assert.deepEqual(await findUser(user), { kind: 'user', resource, raw: user });
    const checkChatInfoRecord = { ...REVIEW, status: 'pending', chatType: null };
    const bot = { ...BOT, checkChatInfoRecord };
    const read = { ...BOT, checkChatInfoRecord: { ...checkChatInfoRecord, chatType: undefined } };
    assert.deepEqual(await findBot(bot), { kind: 'bot', resource: read, raw: bot });
  });

  for (const [how, came] of Object.entries({ missing: {}, null: nulls({ ...GROUP, ...BOT, ...USER }) })) {
    it(`need only an identifier: a ${how} text is empty, a ${how} number unknown`, async () => {
      const group = await readGroup({ ...came, groupId: 'big' });
      assert.deepEqual([group.groupId, group.name, group.introduction, group.uri], ['big', '', '', '']);
      assert.deepEqual([group.headcount, group.createTime, group.readHistory], [undefined, undefined, undefined]);
      assert.deepEqual([group.groupBotRel, group.checkChatInfoRecord], [undefined, undefined]);
      const bot = await readBot({ ...came, botId: '30481126' });
      assert.deepEqual([bot.nickname, bot.token, bot.uri], ['', '', '']);
      assert.deepEqual([bot.headcount, bot.private, bot.checkChatInfoRecord], [undefined, undefined, undefined]);
      const user = await readUser({ ...came, userId: '7058314' });
      assert.deepEqual([user.nickname, user.isVip, user.onLineDay, user.medals], ['', undefined, undefined, []]);
    });
  }

  it('have the valid medals with the observed fields', async () => {
    const medal = { id: 1, name: '元老', desc: '', imageUrl: 'https://pictures.example/m.png', sort: 2 };
    const medals = [{ ...medal, rare: true }, 'plain', null, 7, [], { id: '3', name: 12, sort: 'first' }];
    const bare = { id: 3, name: '12', desc: '', imageUrl: '', sort: undefined };
    const { resource, raw } = await findUser({ ...USER, medals });
    assert.deepEqual(resource.medals, [medal, bare]);
    assert.deepEqual(raw, { ...USER, medals });
  });

  it('ignore an invalid relation or review', async () => {
    const group = await readGroup({ ...GROUP, groupBotRel: 'none', checkChatInfoRecord: 0 });
    assert.deepEqual([group.groupBotRel, group.checkChatInfoRecord], [undefined, undefined]);
    assert.equal(group.name, GROUP.name);
    const { groupBotRel } = await readGroup({ ...GROUP, groupBotRel: { ...RELATION, bot: null } });
    assert.deepEqual([groupBotRel?.botId, groupBotRel?.bot], ['30481126', undefined]);
  });

  it('have a bot if the nested bot has an identifier', async () => {
    const withBot = async (bot: unknown) =>
      attachedBot(await readGroup({ ...GROUP, groupBotRel: { ...RELATION, bot } }));
    assert.deepEqual(await withBot(BOT), BOT);
    assert.equal(await withBot({ ...BOT, botId: '' }), undefined);
    assert.equal(await withBot(null), undefined);
    const deleted = { ...GROUP, groupBotRel: { ...RELATION, bot: BOT, delFlag: 1 } };
    assert.equal(attachedBot(await readGroup(deleted)), undefined);
    assert.equal(attachedBot(await readGroup({ groupId: 'big' })), undefined);
  });

  it('are not found if their identifier is empty', async () => {
    const group = { kind: 'notFound', what: 'group', id: '518204736' };
    assert.deepEqual(await failureOf(readGroup({ ...GROUP, groupId: '' })), group);
    for (const nothing of [null, {}]) assert.deepEqual(await failureOf(readGroup(nothing)), group);
    const bot = { kind: 'notFound', what: 'bot', id: '30481126' };
    assert.deepEqual(await failureOf(readBot({ ...BOT, botId: '' })), bot);
    const user = { ...USER, userId: '', nickname: '', registerTime: 0, registerTimeText: '1970-01-01 08:00:00' };
    assert.deepEqual(await failureOf(readUser(user)), { kind: 'notFound', what: 'user', id: '7058314' });
  });
});

describe('A chat', () => {
  it('is a group or a person, but no bot', () => {
    const kinds = (['group', 'user', 'bot'] as const).filter((kind) => isChat({ kind, id: '1' }));
    assert.deepEqual(kinds, ['group', 'user']);
  });

  it('is another one than that of another kind with the same ID', () => {
    const chats = [{ kind: 'group', id: '1' } as const, { kind: 'user', id: '2' } as const];
    assert.equal(includesChat(chats, { kind: 'group', id: '1' }), true);
    assert.equal(includesChat(chats, { kind: 'user', id: '1' }), false);
    assert.equal(includesChat(chats, { kind: 'group', id: '3' }), false);
  });
});
