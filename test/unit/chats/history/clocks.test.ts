import assert from 'node:assert/strict';
import type { Timeline } from '../../../../src/chats/history/timeline.ts';
import { chatOf, GAP, shown, upTo, withTime } from './chat.ts';

/** The first message of each segment. */
const segmentStarts = (timeline: Timeline) => {
  const names = shown(timeline);
  return names.filter((name, at) => name !== GAP && (at === 0 || names[at - 1] === GAP));
};

describe('One message with a wrong time', () => {
  for (const [time, sendTime] of [
    ['far in the future', 1e12],
    ['long ago', 0],
  ] as const) {
    it(`${time} doesn't move its segment, wherever it is in the segment`, async () => {
      for (const wrong of [101, 102, 126, 151, 1951, 2000]) {
        const { chat, pages, timeline } = chatOf(upTo(2000));
        withTime(chat, wrong, sendTime);
        await timeline.loadNewer();
        await timeline.goTo('126');
        assert.deepEqual(segmentStarts(timeline), [101, 1951], `${wrong}`);
        assert.equal(timeline.newest()?.msgId, '2000');
        pages.length = 0;
        await timeline.loadNewer();
        assert.deepEqual(pages, [{ anchor: '2000', after: 50 }]);
        await timeline.goTo('1001');
        assert.deepEqual(segmentStarts(timeline), [101, 976, 1951], `${wrong}`);
      }
    });
  }
});
