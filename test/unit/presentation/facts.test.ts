import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { Fact } from '../../../src/presentation/factParts.ts';
import { factsOf } from '../../../src/presentation/facts.ts';
import { Bot, type Found, Group, User } from '../../../src/service/model.ts';

const group = (fields: object): Found => ({
  kind: 'group',
  resource: v.parse(Group, { groupId: 'big', ...fields }),
  raw: {},
});
const bot = (fields: object): Found => ({ kind: 'bot', resource: v.parse(Bot, { botId: '3048', ...fields }), raw: {} });
const user = (fields: object): Found => ({
  kind: 'user',
  resource: v.parse(User, { userId: '7', ...fields }),
  raw: {},
});

/** Local times, as the facts show them: 2 May 2026, 12:00, and another as Unix seconds. */
const NOW = new Date(2026, 4, 2, 12).getTime();
const seconds = (year: number, month: number, day: number, hours = 0, minutes = 0) =>
  new Date(year, month, day, hours, minutes).getTime() / 1000;
const MARCH = seconds(2024, 2, 12, 10, 3);
const MARCH_SHOWN = 'Mar 12, 2024, 10:03 AM (2 years ago)';

/** English writes a space of its own before AM and PM. */
const spaced = (text: string) => text.replaceAll('\u202f', ' ');
const shown = (facts: readonly Fact[]) => facts.map(({ label, value }) => [label, spaced(value)]);
const all = (found: Found) => factsOf(found, NOW);
const factOf = (found: Found, label: string) => all(found).find((fact) => fact.label === label);
const said = (found: Found, label: string) => spaced(factOf(found, label)?.value ?? '(not said)');
const moreOf = (found: Found, label: string) => shown(factOf(found, label)?.children ?? []);

/** A review record of nothing, and a bot of nothing (contract 2.2–2.4). */
const NO_RECORD = {
  id: 0,
  chatId: '',
  chatType: 0,
  checkWay: '',
  reason: '',
  status: 0,
  createTime: 0,
  updateTime: 0,
  delFlag: 0,
};
const NO_BOT = {
  id: 0,
  botId: '',
  nickname: '',
  nicknameId: 0,
  avatarId: 0,
  avatarUrl: '',
  token: '',
  link: '',
  introduction: '',
  createBy: '',
  createTime: 0,
  headcount: 0,
  private: 0,
  uri: '',
  checkChatInfoRecord: NO_RECORD,
};
const RECORD = { ...NO_RECORD, id: 9042, chatId: 'big', chatType: 2, createTime: MARCH };
const RELATION = {
  id: 8042,
  groupId: 'big',
  botId: '3048',
  delFlag: 0,
  createTime: MARCH,
  updateTsime: 0,
  bot: { ...NO_BOT, botId: '3048', nickname: 'Order Desk' },
};

describe('The facts of a group', () => {
  it('are told most telling first, and technical ones last', () => {
    const found = group({
      id: 1042,
      name: 'Fern & Kettle',
      introduction: 'Tea\n\nand plants\n',
      createBy: '7058314',
      createTime: MARCH,
      avatarId: 6042,
      avatarUrl: 'https://a.example/f.png',
      headcount: 182_340,
      readHistory: 1,
      category: 'work',
      uri: 'https://o.example/send?token=',
      groupBotRel: RELATION,
      checkChatInfoRecord: RECORD,
    });
    assert.deepEqual(shown(all(found)), [
      ['ID', 'big'],
      ['Name', 'Fern & Kettle'],
      ['Introduction', 'Tea\n\nand plants'],
      ['Members', '182,340'],
      ['Category', 'work'],
      ['Bot', 'Order Desk (3048)'],
      ['Attached since', MARCH_SHOWN],
      ['Earlier history', 'open to new members'],
      ['Created', MARCH_SHOWN],
      ['Created by', '7058314'],
      ['Review', 'status 0 (meaning not documented)'],
      ['Technical details', ''],
    ]);
    assert.deepEqual(moreOf(found, 'Technical details'), [
      ['Internal number', '1042'],
      ['Avatar identifier', '6042'],
      ['Avatar address', 'https://a.example/f.png'],
      ['Send address', 'https://o.example/send?token='],
      ['Relation identifier', '8042'],
    ]);
  });

  it('leave out what was not given or is empty, but for a number of members that is 0', () => {
    assert.deepEqual(shown(all(group({}))), [['ID', 'big']]);
    const empty = group({
      name: ' ',
      introduction: '\n',
      category: '',
      createBy: '',
      id: 0,
      avatarId: 0,
      headcount: 0,
    });
    assert.deepEqual(shown(all(empty)), [
      ['ID', 'big'],
      ['Members', '0'],
    ]);
  });

  it('lead to the creator', () => {
    assert.deepEqual(factOf(group({ createBy: '7058314' }), 'Created by')?.reference, { kind: 'user', id: '7058314' });
  });

  it('say whether newcomers read what was before, and give a value that is not documented as it is', () => {
    assert.equal(said(group({ readHistory: 0 }), 'Earlier history'), 'closed to new members');
    assert.equal(said(group({ readHistory: 1 }), 'Earlier history'), 'open to new members');
    assert.equal(said(group({ readHistory: 2 }), 'Earlier history'), 'value 2 (meaning not documented)');
    assert.equal(said(group({ readHistory: -1 }), 'Earlier history'), 'value -1 (meaning not documented)');
  });
});

describe('The bot of a group', () => {
  const attached = (fields: object) => group({ groupBotRel: { ...RELATION, ...fields } });

  it('is named, leads to the bot, and tells since when and what the group’s lookup says of it', () => {
    const nested = { ...RELATION.bot, headcount: 356, private: 1, createBy: '7058314', createTime: MARCH, id: 211 };
    const found = attached({ updateTsime: seconds(2026, 4, 2, 9), bot: nested });
    assert.equal(said(found, 'Bot'), 'Order Desk (3048)');
    assert.deepEqual(factOf(found, 'Bot')?.reference, { kind: 'bot', id: '3048' });
    assert.equal(said(found, 'Attached since'), MARCH_SHOWN);
    assert.deepEqual(moreOf(found, 'Attached since'), [
      ['Relation updated', 'May 2, 2026, 9:00 AM (3 hours ago)'],
      ['Bot as the group lists it', 'Order Desk (3048)'],
    ]);
    assert.deepEqual(shown(factOf(found, 'Attached since')?.children?.[1]?.children ?? []), [
      ['ID', '3048'],
      ['Name', 'Order Desk'],
      ['Users', '356'],
      ['Visibility', 'private (observed, not documented)'],
      ['Created', MARCH_SHOWN],
      ['Created by', '7058314'],
      ['Technical details', ''],
    ]);
  });

  it('is its ID where it has no name', () => {
    assert.equal(said(attached({ bot: { ...NO_BOT, botId: '3048' } }), 'Bot'), '3048');
  });

  it('is known by the relation where the bot itself is empty, unreadable or not there', () => {
    for (const bot of [NO_BOT, { nickname: 'No ID' }, null, undefined]) {
      const found = attached({ bot });
      assert.equal(said(found, 'Bot'), '3048');
      assert.deepEqual(factOf(found, 'Bot')?.reference, { kind: 'bot', id: '3048' });
      assert.deepEqual(moreOf(found, 'Attached since'), [['Relation updated', 'never']]);
    }
  });

  it('is its own where the relation names another, which is told as well', () => {
    const found = attached({ botId: '999' });
    assert.equal(said(found, 'Bot'), 'Order Desk (3048)');
    const other = factOf(found, 'Attached since')?.children?.find(({ label }) => label === 'Bot of the relation');
    assert.deepEqual(other, { label: 'Bot of the relation', value: '999', reference: { kind: 'bot', id: '999' } });
  });

  it('is attached since a time that is unknown where it is 0 or not given', () => {
    assert.equal(said(attached({ createTime: 0 }), 'Attached since'), 'unknown');
    assert.equal(said(attached({ createTime: null }), 'Attached since'), 'unknown');
  });

  it('is not attached any more where the relation is deleted', () => {
    const found = attached({ delFlag: 2 });
    assert.equal(said(found, 'Bot'), 'none attached · deleted: Order Desk (3048)');
    assert.equal(said(found, 'Attached since'), `${MARCH_SHOWN} · deleted`);
    assert.deepEqual(moreOf(found, 'Attached since')[1], ['State', 'deleted']);
  });

  it('is none where everything that is nested is empty, and nothing more is said of it', () => {
    const nothing = { id: 0, groupId: 'big', botId: '', delFlag: 0, createTime: 0, updateTsime: 0, bot: NO_BOT };
    const found = group({ groupBotRel: nothing });
    assert.deepEqual(all(found).slice(1), [{ label: 'Bot', value: 'none attached' }]);
  });

  it('is none where a relation names no bot, and what it says is kept', () => {
    const bot = { ...NO_BOT, link: 'https://w.example' };
    const found = group({ groupBotRel: { id: 8042, groupId: 'other', createTime: MARCH, bot } });
    assert.deepEqual(factOf(found, 'Bot'), { label: 'Bot', value: 'none attached' });
    assert.equal(said(found, 'Attached since'), MARCH_SHOWN);
    assert.deepEqual(moreOf(found, 'Attached since'), [['Bot as the group lists it', 'unknown']]);
    assert.deepEqual(moreOf(found, 'Technical details'), [
      ['Relation identifier', '8042'],
      ['Group of the relation', 'other'],
    ]);
  });

  it('is not spoken of where the lookup does not', () => {
    assert.equal(factOf(group({}), 'Bot'), undefined);
  });
});

describe('The facts of a bot', () => {
  it('are told most telling first, and technical ones last', () => {
    const found = bot({
      id: 211,
      nickname: 'Order Desk',
      nicknameId: 4211,
      avatarId: 8211,
      avatarUrl: 'data:image/png,x',
      token: '***',
      link: 'https://w.example/order',
      introduction: 'Ask it.',
      createBy: '7058314',
      createTime: MARCH,
      headcount: 1,
      private: 0,
      uri: 'https://o.example/send?token=',
      checkChatInfoRecord: { ...RECORD, chatType: 3, chatId: '3048' },
    });
    assert.deepEqual(shown(all(found)), [
      ['ID', '3048'],
      ['Name', 'Order Desk'],
      ['Introduction', 'Ask it.'],
      ['Users', '1'],
      ['Visibility', 'public'],
      ['Link', 'https://w.example/order'],
      ['Created', MARCH_SHOWN],
      ['Created by', '7058314'],
      ['Review', 'status 0 (meaning not documented)'],
      ['Technical details', ''],
    ]);
    assert.deepEqual(moreOf(found, 'Technical details'), [
      ['Internal number', '211'],
      ['Nickname identifier', '4211'],
      ['Avatar identifier', '8211'],
      ['Avatar address', 'data:image/png,x'],
      ['Send address', 'https://o.example/send?token='],
      ['Token field', 'filled in by the service, not shown'],
    ]);
  });

  it('mark a visibility that is not documented', () => {
    assert.equal(said(bot({ private: 1 }), 'Visibility'), 'private (observed, not documented)');
    assert.equal(said(bot({ private: 7 }), 'Visibility'), 'value 7 (meaning not documented)');
  });
});

describe('The facts of a user', () => {
  it('are told most telling first', () => {
    const found = user({
      nickname: 'Alice',
      avatarUrl: 'https://a.example/a.png',
      registerTime: MARCH,
      registerTimeText: '2024-03-12 18:03:00',
      onLineDay: 1204,
      continuousOnLineDay: 0,
      medals: [],
      isVip: 0,
    });
    assert.deepEqual(shown(all(found)), [
      ['ID', '7'],
      ['Name', 'Alice'],
      ['Registered', MARCH_SHOWN],
      ['Days online', '1,204'],
      ['Days online in a row', '0'],
      ['VIP', 'no'],
      ['Technical details', ''],
    ]);
    assert.deepEqual(moreOf(found, 'Registered'), [['As the service writes it', '2024-03-12 18:03:00']]);
    assert.deepEqual(moreOf(found, 'Technical details'), [['Avatar address', 'https://a.example/a.png']]);
  });

  it('do not take the text of no registration time for one', () => {
    const found = user({ registerTime: 0, registerTimeText: '1970-01-01 08:00:00' });
    assert.deepEqual(all(found).slice(1), [{ label: 'Registered', value: 'unknown' }]);
  });

  it('have the registration time in the service’s words where there are no others', () => {
    assert.equal(said(user({ registerTimeText: '2024-03-12 18:03:00' }), 'Registered'), '2024-03-12 18:03:00');
  });

  it('say whether the user is a VIP, and give a value that is not documented as it is', () => {
    assert.equal(said(user({ isVip: 1 }), 'VIP'), 'yes');
    assert.equal(said(user({ isVip: 3 }), 'VIP'), 'value 3 (meaning not documented)');
  });

  it('name every medal, marked as observed, with all that is known of each', () => {
    const early = { id: 3, name: 'Early bird', desc: 'Up before six', imageUrl: 'https://a.example/m.png', sort: 0 };
    const found = user({ medals: [early, { name: 'Helper' }, {}] });
    assert.equal(said(found, 'Medals'), '3: Early bird, Helper (observed, not documented)');
    assert.deepEqual(moreOf(found, 'Medals'), [
      ['Early bird', 'Up before six'],
      ['Helper', 'no description'],
      ['Medal', 'no description'],
    ]);
    assert.deepEqual(shown(factOf(found, 'Medals')?.children?.[0]?.children ?? []), [
      ['Medal identifier', '3'],
      ['Image address', 'https://a.example/m.png'],
      ['Sort number', '0'],
    ]);
  });
});

describe('A review record', () => {
  const reviewed = (fields: object) => group({ checkChatInfoRecord: { ...RECORD, ...fields } });

  it('is told in a few words, with every field under it', () => {
    const found = reviewed({ status: 3, checkWay: 'manual', reason: 'spam', delFlag: 1, updateTime: MARCH });
    assert.equal(said(found, 'Review'), 'status 3 (meaning not documented) · manual · spam · deleted');
    assert.deepEqual(moreOf(found, 'Review'), [
      ['Status', 'status 3 (meaning not documented)'],
      ['Review method', 'manual'],
      ['Reason', 'spam'],
      ['Kind of chat', 'group chat'],
      ['Chat', 'big'],
      ['Created', MARCH_SHOWN],
      ['Updated', MARCH_SHOWN],
      ['State', 'deleted'],
      ['Record identifier', '9042'],
    ]);
  });

  it('was never updated where that time is 0, and not deleted where the flag is', () => {
    const labels = new Map(moreOf(reviewed({}), 'Review').map(([label, value]) => [label, value]));
    assert.equal(labels.get('Updated'), 'never');
    assert.equal(labels.has('State'), false);
  });

  it('leads to the group or bot it belongs to, and nowhere where its kind is not documented', () => {
    const chatOf = (chatType: unknown) => {
      const more = factOf(reviewed({ chatType }), 'Review')?.children ?? [];
      const kind = more.find(({ label }) => label === 'Kind of chat')?.value;
      const chat = more.find(({ label }) => label === 'Chat');
      return [kind, chat?.value, chat?.reference];
    };
    assert.deepEqual(chatOf(2), ['group chat', 'big', { kind: 'group', id: 'big' }]);
    assert.deepEqual(chatOf(3), ['bot', 'big', { kind: 'bot', id: 'big' }]);
    assert.deepEqual(chatOf(0), ['type 0 (meaning not documented)', 'big', undefined]);
    assert.deepEqual(chatOf('user'), ['type user (meaning not documented)', 'big', undefined]);
  });

  it('has a status in text as it came, and says where it has none', () => {
    assert.equal(said(reviewed({ status: 'passed' }), 'Review'), 'status passed (meaning not documented)');
    assert.equal(said(reviewed({ status: null }), 'Review'), 'status not given');
  });

  it('says nothing where all of it is empty', () => {
    assert.equal(factOf(group({ checkChatInfoRecord: NO_RECORD }), 'Review'), undefined);
  });
});

describe('A time', () => {
  const created = (createTime: unknown) => said(group({ createTime }), 'Created');

  it('is local, and says how long ago it was in the largest unit that has passed', () => {
    assert.equal(created(MARCH), MARCH_SHOWN);
    assert.equal(created(seconds(2025, 4, 2, 12)), 'May 2, 2025, 12:00 PM (1 year ago)');
    assert.equal(created(seconds(2025, 4, 20, 12)), 'May 20, 2025, 12:00 PM (11 months ago)');
    assert.equal(created(seconds(2026, 3, 4, 12)), 'Apr 4, 2026, 12:00 PM (28 days ago)');
    assert.equal(created(seconds(2026, 4, 1, 12)), 'May 1, 2026, 12:00 PM (1 day ago)');
    assert.equal(created(seconds(2026, 4, 2, 11, 1)), 'May 2, 2026, 11:01 AM (59 minutes ago)');
    assert.equal(created(NOW / 1000 - 59), 'May 2, 2026, 11:59 AM (just now)');
  });

  it('may lie ahead', () => {
    assert.equal(created(seconds(2026, 4, 5, 13)), 'May 5, 2026, 1:00 PM (in 3 days)');
  });

  it('is unknown where it is 0', () => {
    assert.equal(created(0), 'unknown');
  });

  it('is read as seconds, be they text', () => {
    assert.equal(created(String(MARCH)), MARCH_SHOWN);
  });

  it('is its number where no calendar holds it', () => {
    assert.equal(created(8_640_000_000_001), '8640000000001');
    assert.equal(created(-1e15), '-1000000000000000');
  });
});

describe('Every field that says something', () => {
  /** All that is shown, at any depth. */
  const everything = (facts: readonly Fact[]): string[] =>
    facts.flatMap(({ label, value, children = [] }) => [label, value, ...everything(children)]);

  /** A value for each field, each its own. */
  const named = (prefix: string, fields: readonly string[], numbers: readonly string[], from: number) => ({
    ...Object.fromEntries(fields.map((field) => [field, `${prefix}-${field}`])),
    ...Object.fromEntries(numbers.map((field, index) => [field, from + index])),
  });

  const record = (prefix: string, from: number) => ({
    ...named(prefix, ['chatId', 'checkWay', 'reason'], ['id', 'chatType', 'status'], from),
    createTime: 1e13 + from,
    updateTime: 2e13 + from,
  });
  const fullBot = (prefix: string, from: number) => ({
    ...named(
      prefix,
      ['botId', 'nickname', 'avatarUrl', 'link', 'introduction', 'createBy', 'uri'],
      ['id', 'nicknameId', 'avatarId', 'headcount', 'private'],
      from,
    ),
    createTime: 1e13 + from,
    checkChatInfoRecord: record(`${prefix}-record`, from + 10),
  });
  const relation = {
    ...named('relation', ['groupId', 'botId'], ['id'], 701),
    createTime: 3e13,
    updateTsime: 4e13,
    bot: fullBot('nested', 101),
  };
  const fullGroup = {
    ...named(
      'group',
      ['groupId', 'name', 'introduction', 'createBy', 'avatarUrl', 'category', 'uri'],
      ['id', 'avatarId', 'headcount', 'readHistory'],
      201,
    ),
    createTime: 5e13,
    groupBotRel: relation,
    checkChatInfoRecord: record('record', 211),
  };
  const fullUser = {
    ...named(
      'user',
      ['userId', 'nickname', 'avatarUrl', 'registerTimeText'],
      ['onLineDay', 'continuousOnLineDay', 'isVip'],
      301,
    ),
    registerTime: 6e13,
    medals: [named('medal', ['name', 'desc', 'imageUrl'], ['id', 'sort'], 401)],
  };
  const leaves = (value: unknown): string[] =>
    typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [String(value)];

  for (const [name, found, fields] of [
    ['group', group(fullGroup), fullGroup],
    ['bot', bot(fullBot('bot', 101)), fullBot('bot', 101)],
    ['user', user(fullUser), fullUser],
  ] as const) {
    it(`of a ${name} is shown, nested ones as well`, () => {
      const told = everything(all(found)).join('\n');
      assert.deepEqual(
        leaves(fields).filter((leaf) => !new RegExp(`(?<![\\w-])${leaf}(?![\\w-])`).test(told)),
        [],
      );
    });

    it(`of a ${name} either leads on or consists of more`, () => {
      const flat = (facts: readonly Fact[]): Fact[] => facts.flatMap((fact) => [fact, ...flat(fact.children ?? [])]);
      assert.deepEqual(
        flat(all(found)).filter(({ reference, children }) => reference && children),
        [],
      );
    });
  }
});
