import assert from 'node:assert/strict';

import type { Fact } from '../../../src/presentation/factParts.ts';
import { factsOf } from '../../../src/presentation/facts.ts';
import type { Found } from '../../../src/service/model.ts';
import { bot, group, user } from './resources.ts';

/** In local time, as facts show it. */
const NOW = new Date(2026, 4, 2, 12).getTime();
const seconds = (year: number, month: number, day: number, hours = 0, minutes = 0) =>
  new Date(year, month, day, hours, minutes).getTime() / 1000;
const MARCH = seconds(2024, 2, 12, 10, 3);
const MARCH_SHOWN = 'Mar 12, 2024, 10:03 AM (2 years ago)';

/** English uses a narrow no-break space before AM and PM. */
const spaced = (text: string) => text.replaceAll('\u202f', ' ');
const shown = (facts: readonly Fact[]) => facts.map(({ label, value }) => [label, spaced(value)]);
const all = (found: Found) => factsOf(found, NOW);
const factOf = (found: Found, label: string) => all(found).find((fact) => fact.label === label);
const factValue = (found: Found, label: string) => spaced(factOf(found, label)?.value ?? '(missing)');
const childrenOf = (found: Found, label: string) => shown(factOf(found, label)?.children ?? []);

/** An empty review record and an empty bot (contract 2.2–2.4). */
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
  it('are ordered by importance, with technical details last', () => {
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
      ['Earlier history', 'visible to new members'],
      ['Created', MARCH_SHOWN],
      ['Created by', '7058314'],
      ['Review', 'status 0'],
      ['Technical details', ''],
    ]);
    assert.deepEqual(childrenOf(found, 'Technical details'), [
      ['Internal ID', '1042'],
      ['Avatar ID', '6042'],
      ['Avatar URL', 'https://a.example/f.png'],
      ['Send URI', 'https://o.example/send?token='],
      ['Relation ID', '8042'],
    ]);
  });

  it('omit missing and empty fields, but keep a member count of 0', () => {
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

  it('link to the creator', () => {
    assert.deepEqual(factOf(group({ createBy: '7058314' }), 'Created by')?.reference, { kind: 'user', id: '7058314' });
  });

  it('show whether new members see earlier messages, and undocumented values unchanged', () => {
    assert.equal(factValue(group({ readHistory: 0 }), 'Earlier history'), 'hidden from new members');
    assert.equal(factValue(group({ readHistory: 1 }), 'Earlier history'), 'visible to new members');
    assert.equal(factValue(group({ readHistory: 2 }), 'Earlier history'), 'unknown value (2)');
    assert.equal(factValue(group({ readHistory: -1 }), 'Earlier history'), 'unknown value (-1)');
  });
});

describe('The bot of a group', () => {
  const attached = (fields: object) => group({ groupBotRel: { ...RELATION, ...fields } });

  it('is linked, with the date it was attached and its facts in the group’s lookup', () => {
    const nested = { ...RELATION.bot, headcount: 356, private: 1, createBy: '7058314', createTime: MARCH, id: 211 };
    const found = attached({ updateTsime: seconds(2026, 4, 2, 9), bot: nested });
    assert.equal(factValue(found, 'Bot'), 'Order Desk (3048)');
    assert.deepEqual(factOf(found, 'Bot')?.reference, { kind: 'bot', id: '3048' });
    assert.equal(factValue(found, 'Attached since'), MARCH_SHOWN);
    assert.deepEqual(childrenOf(found, 'Attached since'), [
      ['Relation updated', 'May 2, 2026, 9:00 AM (3 hours ago)'],
      ['Bot details from the group', 'Order Desk (3048)'],
    ]);
    assert.deepEqual(shown(factOf(found, 'Attached since')?.children?.[1]?.children ?? []), [
      ['ID', '3048'],
      ['Name', 'Order Desk'],
      ['Users', '356'],
      ['Visibility', 'private'],
      ['Created', MARCH_SHOWN],
      ['Created by', '7058314'],
      ['Technical details', ''],
    ]);
  });

  it('is shown by its ID if it has no name', () => {
    assert.equal(factValue(attached({ bot: { ...NO_BOT, botId: '3048' } }), 'Bot'), '3048');
  });

  it('is taken from the relation if the bot itself is empty, unreadable or missing', () => {
    for (const bot of [NO_BOT, { nickname: 'No ID' }, null, undefined]) {
      const found = attached({ bot });
      assert.equal(factValue(found, 'Bot'), '3048');
      assert.deepEqual(factOf(found, 'Bot')?.reference, { kind: 'bot', id: '3048' });
      assert.deepEqual(childrenOf(found, 'Attached since'), [['Relation updated', 'never']]);
    }
  });

  it('is shown together with the bot of the relation if they differ', () => {
    const found = attached({ botId: '999' });
    assert.equal(factValue(found, 'Bot'), 'Order Desk (3048)');
    const other = factOf(found, 'Attached since')?.children?.find(({ label }) => label === 'Related bot');
    assert.deepEqual(other, { label: 'Related bot', value: '999', reference: { kind: 'bot', id: '999' } });
  });

  it('has an unknown attachment date if that is 0 or missing', () => {
    assert.equal(factValue(attached({ createTime: 0 }), 'Attached since'), 'unknown');
    assert.equal(factValue(attached({ createTime: null }), 'Attached since'), 'unknown');
  });

  it('is shown as detached if the relation is deleted', () => {
    const found = attached({ delFlag: 2 });
    assert.equal(factValue(found, 'Bot'), 'none · deleted: Order Desk (3048)');
    assert.equal(factValue(found, 'Attached since'), `${MARCH_SHOWN} · deleted`);
    assert.deepEqual(childrenOf(found, 'Attached since')[1], ['State', 'deleted']);
  });

  it('is shown as none if every nested field is empty', () => {
    const nothing = { id: 0, groupId: 'big', botId: '', delFlag: 0, createTime: 0, updateTsime: 0, bot: NO_BOT };
    const found = group({ groupBotRel: nothing });
    assert.deepEqual(all(found).slice(1), [{ label: 'Bot', value: 'none' }]);
  });

  it('is shown as none if the relation names no bot, with the other fields of the relation', () => {
    const bot = { ...NO_BOT, link: 'https://w.example' };
    const found = group({ groupBotRel: { id: 8042, groupId: 'other', createTime: MARCH, bot } });
    assert.deepEqual(factOf(found, 'Bot'), { label: 'Bot', value: 'none' });
    assert.equal(factValue(found, 'Attached since'), MARCH_SHOWN);
    assert.deepEqual(childrenOf(found, 'Attached since'), [['Bot details from the group', 'unknown']]);
    assert.deepEqual(childrenOf(found, 'Technical details'), [
      ['Relation ID', '8042'],
      ['Related group', 'other'],
    ]);
  });

  it("isn't shown if the lookup has no relation", () => {
    assert.equal(factOf(group({}), 'Bot'), undefined);
  });
});

describe('The facts of a bot', () => {
  it('are ordered by importance, with technical details last', () => {
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
      ['Review', 'status 0'],
      ['Technical details', ''],
    ]);
    assert.deepEqual(childrenOf(found, 'Technical details'), [
      ['Internal ID', '211'],
      ['Nickname ID', '4211'],
      ['Avatar ID', '8211'],
      ['Avatar URL', 'data:image/png,x'],
      ['Send URI', 'https://o.example/send?token='],
      ['Token', 'set by the service (hidden)'],
    ]);
  });

  it('mark an undocumented visibility', () => {
    assert.equal(factValue(bot({ private: 1 }), 'Visibility'), 'private');
    assert.equal(factValue(bot({ private: 7 }), 'Visibility'), 'unknown value (7)');
  });
});

describe('The facts of a user', () => {
  it('are ordered by importance', () => {
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
    assert.deepEqual(childrenOf(found, 'Registered'), [['As reported by the service', '2024-03-12 18:03:00']]);
    assert.deepEqual(childrenOf(found, 'Technical details'), [['Avatar URL', 'https://a.example/a.png']]);
  });

  it('ignore the registration text that stands for no time', () => {
    const found = user({ registerTime: 0, registerTimeText: '1970-01-01 08:00:00' });
    assert.deepEqual(all(found).slice(1), [{ label: 'Registered', value: 'unknown' }]);
  });

  it('show the registration time as the service formats it if there is no other', () => {
    assert.equal(factValue(user({ registerTimeText: '2024-03-12 18:03:00' }), 'Registered'), '2024-03-12 18:03:00');
  });

  it('show whether the user is a VIP, and undocumented values unchanged', () => {
    assert.equal(factValue(user({ isVip: 1 }), 'VIP'), 'yes');
    assert.equal(factValue(user({ isVip: 3 }), 'VIP'), 'unknown value (3)');
  });

  it('list every medal with its fields, marked as observed', () => {
    const early = { id: 3, name: 'Early bird', desc: 'Up before six', imageUrl: 'https://a.example/m.png', sort: 0 };
    const found = user({ medals: [early, { name: 'Helper' }, {}] });
    assert.equal(factValue(found, 'Medals'), '3: Early bird, Helper');
    assert.deepEqual(childrenOf(found, 'Medals'), [
      ['Early bird', 'Up before six'],
      ['Helper', 'no description'],
      ['Medal', 'no description'],
    ]);
    assert.deepEqual(shown(factOf(found, 'Medals')?.children?.[0]?.children ?? []), [
      ['Medal ID', '3'],
      ['Image URL', 'https://a.example/m.png'],
      ['Sort order', '0'],
    ]);
  });
});

describe('A review record', () => {
  const reviewed = (fields: object) => group({ checkChatInfoRecord: { ...RECORD, ...fields } });

  it('is summarized, with every field nested below', () => {
    const found = reviewed({ status: 3, checkWay: 'manual', reason: 'spam', delFlag: 1, updateTime: MARCH });
    assert.equal(factValue(found, 'Review'), 'status 3 · manual · spam · deleted');
    assert.deepEqual(childrenOf(found, 'Review'), [
      ['Status', 'status 3'],
      ['Review method', 'manual'],
      ['Reason', 'spam'],
      ['Chat type', 'group chat'],
      ['Chat', 'big'],
      ['Created', MARCH_SHOWN],
      ['Updated', MARCH_SHOWN],
      ['State', 'deleted'],
      ['Record ID', '9042'],
    ]);
  });

  it("shows `never` for an update time of 0, and no state if it isn't deleted", () => {
    const labels = new Map(childrenOf(reviewed({}), 'Review').map(([label, value]) => [label, value]));
    assert.equal(labels.get('Updated'), 'never');
    assert.equal(labels.has('State'), false);
  });

  it('links to its group or bot, unless the kind is undocumented', () => {
    const chatOf = (chatType: unknown) => {
      const more = factOf(reviewed({ chatType }), 'Review')?.children ?? [];
      const kind = more.find(({ label }) => label === 'Chat type')?.value;
      const chat = more.find(({ label }) => label === 'Chat');
      return [kind, chat?.value, chat?.reference];
    };
    assert.deepEqual(chatOf(2), ['group chat', 'big', { kind: 'group', id: 'big' }]);
    assert.deepEqual(chatOf(3), ['bot', 'big', { kind: 'bot', id: 'big' }]);
    assert.deepEqual(chatOf(0), ['unknown type (0)', 'big', undefined]);
    assert.deepEqual(chatOf('user'), ['unknown type (user)', 'big', undefined]);
  });

  it('shows a text status unchanged, and a missing status as not given', () => {
    assert.equal(factValue(reviewed({ status: 'passed' }), 'Review'), 'status passed');
    assert.equal(factValue(reviewed({ status: null }), 'Review'), 'no status');
  });

  it("isn't shown if it's empty", () => {
    assert.equal(factOf(group({ checkChatInfoRecord: NO_RECORD }), 'Review'), undefined);
  });
});

describe('A time', () => {
  const created = (createTime: unknown) => factValue(group({ createTime }), 'Created');

  it('is local, with its age in the largest unit that has passed', () => {
    assert.equal(created(MARCH), MARCH_SHOWN);
    assert.equal(created(seconds(2025, 4, 2, 12)), 'May 2, 2025, 12:00 PM (1 year ago)');
    assert.equal(created(seconds(2025, 4, 20, 12)), 'May 20, 2025, 12:00 PM (11 months ago)');
    assert.equal(created(seconds(2026, 3, 4, 12)), 'Apr 4, 2026, 12:00 PM (28 days ago)');
    assert.equal(created(seconds(2026, 4, 1, 12)), 'May 1, 2026, 12:00 PM (1 day ago)');
    assert.equal(created(seconds(2026, 4, 2, 11, 1)), 'May 2, 2026, 11:01 AM (59 minutes ago)');
    assert.equal(created(NOW / 1000 - 59), 'May 2, 2026, 11:59 AM (just now)');
  });

  it('may be in the future', () => {
    assert.equal(created(seconds(2026, 4, 5, 13)), 'May 5, 2026, 1:00 PM (in 3 days)');
  });

  it('is unknown if it is 0', () => {
    assert.equal(created(0), 'unknown');
  });

  it('is read as seconds, even from text', () => {
    assert.equal(created(String(MARCH)), MARCH_SHOWN);
  });

  it("is shown as a number if it's out of range", () => {
    assert.equal(created(8_640_000_000_001), '8640000000001');
    assert.equal(created(-1e15), '-1000000000000000');
  });
});
