import assert from 'node:assert/strict';
import { LostAnchorError } from '../../../../src/service/messagePages.ts';
import { chatOf, GAP, gapOf, range, shown, upTo } from './chat.ts';

describe('Unreadable messages in a history', () => {
  it('are kept as often as they occur, and once each if pages overlap', async () => {
    const names = [...upTo(30), 'x', 'x', 31, 'x', ...range(32, 60), 'x', 'x'];
    const { timeline } = chatOf(names);
    await timeline.loadNewer();
    await timeline.loadOlder();
    await timeline.loadOlder();
    assert.deepEqual(shown(timeline), names);
    const keys = timeline.items.map((item) => item.type === 'entry' && item.key);
    assert.equal(new Set(keys).size, names.length);
  });

  it('on both sides of a gap are merged when the gap closes', async () => {
    const { chat, timeline } = chatOf([...upTo(25), 'x', ...range(27, 70)]);
    await timeline.goTo('1');
    assert.deepEqual(shown(timeline), [...upTo(25), 'x']);
    await timeline.goTo('51');
    assert.deepEqual(shown(timeline), [...upTo(25), 'x', GAP, 'x', ...range(27, 70)]);
    await timeline.loadGap(gapOf(timeline), 'older');
    assert.deepEqual(shown(timeline), chat.names);
  });

  it('leave no gap around them', async () => {
    const { chat, timeline } = chatOf([...upTo(100), 'x']);
    await timeline.loadNewer();
    assert.equal(shown(timeline)[0], 52);
    const more = upTo(200).slice(100);
    chat.names = [...upTo(50), 'w', ...upTo(100).slice(50), 'x', ...more, 'y'];
    await timeline.loadNewer();
    for (let pages = 0; pages < 2; pages++) await timeline.loadOlder();
    assert.deepEqual(shown(timeline), chat.names);
  });

  it('may be all of a chat, which ends before them', async () => {
    const { pages, timeline } = chatOf(['a', 'b']);
    await timeline.loadNewer();
    await timeline.loadOlder();
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), ['a', 'b']);
    assert.deepEqual(timeline.older, { at: 'end' });
    assert.equal(pages.length, 3);
  });

  it('may fill a page of newer messages, which goes on after it', async () => {
    const broken = Array.from({ length: 60 }, (_, index) => `x${index}`);
    const { chat, pages, timeline } = chatOf([1]);
    await timeline.loadNewer();
    chat.names = [1, ...broken, 2];
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), chat.names);
    assert.deepEqual(pages.slice(1, 3), [
      { anchor: '1', after: 50 },
      { anchor: '1', after: 100 },
    ]);
  });

  it("aren't taken for the beginning if they fill a page", async () => {
    const { chat, timeline } = chatOf(Array.from({ length: 60 }, (_, index) => `x${index}`));
    await timeline.loadNewer();
    await timeline.loadOlder();
    assert.deepEqual(shown(timeline), chat.names.slice(10));
    assert.ok(timeline.older.at === 'failed' && timeline.older.error instanceof LostAnchorError);
  });
});
