import assert from 'node:assert/strict';
import {
  all,
  bot,
  childrenOf,
  factOf,
  factValue,
  group,
  MARCH,
  MARCH_SHOWN,
  RECORD,
  RELATION,
  shown,
  user,
} from './resources.ts';

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
      ['Review', ''],
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

  it('read times as seconds, even from text', () => {
    assert.equal(factValue(group({ createTime: String(MARCH) }), 'Created'), MARCH_SHOWN);
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
      ['Review', ''],
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
