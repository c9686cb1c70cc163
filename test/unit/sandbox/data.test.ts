import assert from 'node:assert/strict';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { dataOf, type Served, served } from './served.ts';

interface Group {
  readonly groupId: string;
  readonly introduction: string;
  readonly createBy: string;
  readonly createTime: number;
  readonly avatarUrl: string;
  readonly headcount: number;
  readonly readHistory: number;
  readonly category: string;
  readonly groupBotRel: { readonly botId: string };
}
interface Bot {
  readonly createBy: string;
  readonly private: number;
}
interface User {
  readonly registerTime: number;
  readonly registerTimeText: string;
  readonly onLineDay: number;
  readonly continuousOnLineDay: number;
  readonly isVip: number;
}

describe('Sandbox data', () => {
  let service: Served;
  let groups: Group[];
  let bots: Bot[];
  let users: User[];

  before(async () => {
    service = await served();
    const { sandbox } = service;
    const all = <T>(ids: readonly string[], of: (id: string) => Promise<T>) => Promise.all(ids.map(of));
    groups = await all(sandbox.groups, async (groupId) => dataOf(await service.group({ groupId })).group);
    bots = await all(sandbox.bots, async (botId) => dataOf(await service.bot({ botId })).bot);
    users = await all(sandbox.users, async (userId) => dataOf(await service.user(`?userId=${userId}`)).user);
  });
  after(() => service.close());

  it('lists its IDs: nine digits or "big" for groups, eight for bots, seven for users', () => {
    const { sandbox } = service;
    assert.equal(sandbox.groups[0], '518204736');
    assert.equal(sandbox.bots[0], '30481126');
    assert.deepEqual(sandbox.users.slice(0, 2), ['7058314', '7102649']);
    assert.deepEqual([sandbox.groups.length, sandbox.bots.length, sandbox.users.length], [7, 4, 12]);
    for (const id of sandbox.groups) assert.match(id, /^(\d{9}|big)$/);
    for (const id of sandbox.bots) assert.match(id, /^\d{8}$/);
    for (const id of sandbox.users) assert.match(id, /^\d{7}$/);
    const ids = [...sandbox.groups, ...sandbox.bots, ...sandbox.users];
    assert.equal(new Set(ids).size, ids.length);
  });

  it('has a distinct token for each bot only', () => {
    const { sandbox } = service;
    const tokens = sandbox.bots.map((botId) => sandbox.token(botId));
    assert.equal(new Set(tokens).size, 4);
    for (const token of tokens) assert.ok(token);
    for (const id of ['', '7058314', '518204736', '__proto__']) assert.equal(sandbox.token(id), undefined);
  });

  it('has two different base URLs at the given origin', () => {
    const { webUrl, openApiUrl } = createSandbox();
    assert.deepEqual([webUrl, openApiUrl], ['http://sandbox.localhost/web', 'http://sandbox.localhost/open']);
    const other = createSandbox({ origin: 'http://127.0.0.1:8787' });
    assert.deepEqual([other.webUrl, other.openApiUrl], ['http://127.0.0.1:8787/web', 'http://127.0.0.1:8787/open']);
  });

  it('has groups of every kind that a client must show', () => {
    const some = (is: (group: Group) => boolean) => assert.ok(groups.some(is), String(is));
    some(({ groupId, headcount }) => groupId === 'big' && headcount === 182_340);
    some(({ groupBotRel }) => groupBotRel.botId === '');
    some(({ introduction }) => /\p{Script=Han}.*\n.*\p{Script=Han}/u.test(introduction));
    some(({ introduction }) => introduction === '');
    some(({ createTime }) => createTime === 0);
    some(({ category }) => category !== '');
    some(({ category }) => category === '');
    some(({ readHistory }) => readHistory === 0);
    some(({ readHistory }) => readHistory === 1);
    some(({ avatarUrl }) => avatarUrl === '');
    some(({ avatarUrl }) => avatarUrl.startsWith('data:image/svg+xml,'));
  });

  it('starts with an English group with a bot and a multiline introduction', () => {
    const [first] = groups;
    assert.match(first?.introduction ?? '', /\n/);
    assert.equal(first?.groupBotRel.botId, '30481126');
    assert.ok(first && first.headcount >= 200 && first.headcount < 1000);
  });

  it('has one private bot, one VIP and various day counts', () => {
    assert.equal(bots.filter((bot) => bot.private === 1).length, 1);
    assert.equal(users.filter((user) => user.isVip === 1).length, 1);
    assert.equal(new Set(users.map((user) => user.onLineDay)).size, users.length);
    for (const user of users) assert.ok(user.continuousOnLineDay <= user.onLineDay);
  });

  it('has registration times in UTC+8, like the default user', () => {
    const [alice] = users;
    assert.equal(alice?.registerTimeText, '2021-03-08 09:14:52');
    assert.equal(alice?.registerTime, Date.UTC(2021, 2, 8, 1, 14, 52) / 1000);
    for (const user of users) {
      assert.match(user.registerTimeText, /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
      assert.equal(Date.parse(`${user.registerTimeText}+08:00`) / 1000, user.registerTime);
    }
  });

  it('has existing creators', () => {
    for (const { createBy } of [...groups, ...bots]) assert.ok(service.sandbox.users.includes(createBy));
  });

  it('refers to no other host', async () => {
    const everything = decodeURIComponent(JSON.stringify([groups, bots, users]));
    const page = await service.messages({ before: '1000' });
    const addresses = (everything + JSON.stringify(page.body)).match(/https?:\/\/[^/"\\)]+/g) ?? [];
    assert.ok(addresses.length > 0);
    // Nothing is fetched from the SVG namespace.
    const svg = 'http://www.w3.org';
    assert.deepEqual(new Set(addresses.filter((address) => address !== svg)), new Set([service.origin]));
  });
});
