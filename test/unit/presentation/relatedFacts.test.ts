import assert from 'node:assert/strict';
import {
  all,
  childrenOf,
  factOf,
  factValue,
  group,
  MARCH,
  MARCH_SHOWN,
  NO_BOT,
  NO_RECORD,
  RECORD,
  RELATION,
  seconds,
  shown,
} from './resources.ts';

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
      assert.equal(factValue(found, 'Bot'), '3048', JSON.stringify(bot));
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

describe('A review record', () => {
  const reviewed = (fields: object) => group({ checkChatInfoRecord: { ...RECORD, ...fields } });

  it('is summarized, with every field nested below', () => {
    const found = reviewed({ status: 3, checkWay: 'manual', reason: 'spam', delFlag: 1, updateTime: MARCH });
    assert.equal(factValue(found, 'Review'), 'manual · spam · deleted');
    assert.deepEqual(childrenOf(found, 'Review'), [
      ['Status', "3 (the service doesn't say what it means)"],
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

  it('shows words unchanged, and a number, which means nothing to anybody, only among the details', () => {
    assert.equal(factValue(reviewed({ status: 'passed' }), 'Review'), 'passed');
    assert.equal(factValue(reviewed({ status: 0 }), 'Review'), '');
    assert.deepEqual(childrenOf(reviewed({ status: null }), 'Review')[0], ['Status', 'none']);
  });

  it("isn't shown if it's empty", () => {
    assert.equal(factOf(group({ checkChatInfoRecord: NO_RECORD }), 'Review'), undefined);
  });
});
