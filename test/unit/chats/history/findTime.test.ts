import assert from 'node:assert/strict';
import { findTime } from '../../../../src/chats/history/loads.ts';
import type { Timeline } from '../../../../src/chats/history/timeline.ts';
import { chatOf, GAP, gapsOf, range, shown, upTo, withTime } from './chat.ts';

const never = new AbortController().signal;
const find = (timeline: Timeline, time: number, signal = never) => findTime(timeline, time, () => {}, signal);
const found = (time: number, isFirst = false) => ({ key: String(time), sendTime: time, isFirst });
/** The even numbers up to a number: times that don't follow each other. */
const evenUpTo = (last: number) => upTo(last / 2).map((half) => half * 2);

describe('The search for a time in a history', () => {
  it('loads older pages until the message before it is loaded', async () => {
    const { timeline, pages } = chatOf(upTo(300));
    await timeline.loadNewer();
    assert.deepEqual(await find(timeline, 200), found(200));
    assert.deepEqual(shown(timeline), range(151, 300));
    assert.equal(pages.length, 3);
  });

  it('makes no request for a loaded time', async () => {
    const { timeline, pages } = chatOf(upTo(300));
    await timeline.loadNewer();
    pages.length = 0;
    assert.deepEqual(await find(timeline, 290), found(290));
    assert.deepEqual(pages, []);
  });

  it('finds the first message after a time without one', async () => {
    const { timeline } = chatOf(evenUpTo(600));
    await timeline.loadNewer();
    assert.deepEqual(await find(timeline, 333), found(334));
  });

  it('says that a chat begins later', async () => {
    const { timeline } = chatOf(range(101, 220));
    await timeline.loadNewer();
    assert.deepEqual(await find(timeline, 7), found(101, true));
    assert.deepEqual(shown(timeline), range(101, 220));
  });

  it('loads the part of a gap that hides the time, from the side that is nearer', async () => {
    for (const [time, first, last] of [
      [150, 75, 175],
      [850, 801, 900],
    ] as const) {
      const { timeline } = chatOf(upTo(950));
      await timeline.loadNewer();
      await timeline.goTo('100');
      assert.deepEqual(await find(timeline, time), found(time));
      const items = shown(timeline);
      const gap = items.indexOf(GAP);
      assert.deepEqual(time < 500 ? [items[0], items[gap - 1]] : [items[gap + 1], 900], [first, last]);
    }
  });

  it('looks behind a gap for the messages just before a loaded one', async () => {
    const { timeline } = chatOf(evenUpTo(1000));
    await timeline.loadNewer();
    await timeline.goTo('500');
    // 450 to 550 are loaded, and whatever comes after 550 isn't.
    assert.deepEqual(await find(timeline, 551), found(552));
    assert.equal(gapsOf(timeline).length, 1);
    assert.deepEqual(await find(timeline, 449), found(450));
  });

  it('checks for new messages if all loaded ones are older', async () => {
    const { chat, timeline } = chatOf(upTo(60));
    await timeline.loadNewer();
    assert.equal(await find(timeline, 61), 'none');
    chat.names = upTo(62);
    assert.deepEqual(await find(timeline, 61), found(61));
  });

  it('finds nothing in an empty chat', async () => {
    assert.equal(await find(chatOf([]).timeline, 1), 'none');
  });

  it('passes over unreadable messages', async () => {
    const { timeline } = chatOf([...upTo(20), 'x', 'y', ...range(30, 90)]);
    await timeline.loadNewer();
    assert.deepEqual(await find(timeline, 25), found(30));
    assert.equal(await find(timeline, 91), 'none');
  });

  for (const [time, sendTime] of [
    ['far in the future', 1e12],
    ['long ago', 0],
  ] as const) {
    it(`isn't misled by one message with a time ${time}`, async () => {
      for (const wrong of [120, 147, 152, 180]) {
        const { chat, timeline } = chatOf(upTo(200));
        withTime(chat, wrong, sendTime);
        await timeline.loadNewer();
        await timeline.loadOlder();
        assert.deepEqual(await find(timeline, 150), found(150), String(wrong));
      }
    });
  }

  it('rejects with the failure of a page', async () => {
    const { chat, timeline } = chatOf(upTo(300));
    await timeline.loadNewer();
    chat.failure = new Error('No.');
    await assert.rejects(find(timeline, 7), chat.failure);
    await assert.rejects(find(timeline, 301), chat.failure);
  });

  it('ends when its signal is aborted, without another request', async () => {
    const { timeline, pages } = chatOf(upTo(300));
    await timeline.loadNewer();
    const abort = new AbortController();
    pages.length = 0;
    const counts: number[] = [];
    const progress = (items: number) => counts.push(items) === 2 && abort.abort();
    assert.equal(await findTime(timeline, 7, progress, abort.signal), 'aborted');
    assert.deepEqual(counts, [50, 100]);
    assert.equal(pages.length, 2);
  });
});
