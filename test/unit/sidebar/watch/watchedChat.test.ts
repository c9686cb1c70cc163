import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readWatched } from '../../../../src/sidebar/watch/watchedChat.ts';

const seen = { msgId: 'm1', sendTime: 1_700_000_000_000 };
const group = { type: 'group', id: '1', botId: 'b', seen, heard: { msgId: '', sendTime: 0 } };
const user = { type: 'user', id: '1', botId: 'b' };

describe('Watched chats, stored', () => {
  it('come back as they were', () => {
    assert.deepEqual(readWatched([group, user]), [group, user]);
  });

  it('are none where nothing was stored, or something else', () => {
    for (const stored of [undefined, null, '', 'x', 0, {}, { 0: group }, []]) assert.deepEqual(readWatched(stored), []);
  });

  it('come back without those that name no chat or no bot', () => {
    const bad: unknown[] = [null, 7, [], {}, { ...group, type: 'bot' }, { ...group, id: '' }, { ...group, id: 1 }];
    bad.push({ ...group, botId: undefined }, { ...group, botId: '' });
    for (const one of bad) assert.deepEqual(readWatched([one, group, one]), [group], JSON.stringify(one));
  });

  it('come back without a mark that is none', () => {
    const marks: unknown[] = [null, 'm1', {}, { msgId: 'm1' }, { msgId: 1, sendTime: 1 }];
    marks.push(
      { msgId: 'm1', sendTime: '1' },
      { msgId: 'm1', sendTime: Number.NaN },
      { msgId: 'm1', sendTime: Infinity },
    );
    for (const mark of marks) {
      const [read, ...others] = readWatched([{ ...group, seen: mark }]);
      assert.deepEqual([read?.id, read?.seen, read?.heard, others], ['1', undefined, group.heard, []]);
    }
  });

  it('come back once each', () => {
    assert.deepEqual(readWatched([group, user, { ...group, botId: 'c' }]), [group, user]);
  });

  it('are read without an error, whatever was stored', () =>
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.array(fc.anything())), (stored) => {
        for (const { id, botId } of readWatched(stored)) assert.ok(id !== '' && botId !== '');
      }),
    ));
});
