import assert from 'node:assert/strict';
import * as v from 'valibot';
import { Timeline } from '../../../src/history/timeline.ts';
import type { Page } from '../../../src/service/client.ts';
import { Listed } from '../../../src/service/message.ts';

/** A timeline of a chat of 2,000 messages m0, m1 …, one of which (`wrong`) has the time `sendTime`. */
function chatOf(wrong: string, sendTime: number) {
  const ids = Array.from({ length: 2000 }, (_, index) => `m${index}`);
  const chat = ids.map((msgId, index) => v.parse(Listed, { msgId, sendTime: msgId === wrong ? sendTime : index + 1 }));
  const pages: Page[] = [];
  const timeline = new Timeline(
    async (page) => {
      pages.push(page);
      if ('latest' in page) return chat.slice(-page.latest).reverse();
      const at = ids.indexOf(page.anchor);
      return chat.slice(Math.max(0, at - (page.before ?? 0)), at + 1 + (page.after ?? 0)).reverse();
    },
    () => {},
  );
  return { pages, timeline };
}

/** The first message of each segment. */
const segmentStarts = ({ items }: Timeline) =>
  items.flatMap((item, at) => {
    const before = items[at - 1];
    return item.type === 'entry' && before?.type !== 'entry' ? item.key : [];
  });

describe('One message with a wrong time', () => {
  for (const [time, sendTime] of [
    ['far in the future', 1e12],
    ['long ago', 0],
  ] as const) {
    it(`${time} doesn't move its segment, wherever it is in the segment`, async () => {
      for (const wrong of ['m100', 'm101', 'm125', 'm150', 'm1950', 'm1999']) {
        const { pages, timeline } = chatOf(wrong, sendTime);
        await timeline.loadNewer();
        await timeline.goTo('m125');
        assert.deepEqual(segmentStarts(timeline), ['m100', 'm1950'], wrong);
        assert.equal(timeline.newest()?.msgId, 'm1999');
        pages.length = 0;
        await timeline.loadNewer();
        assert.deepEqual(pages, [{ anchor: 'm1999', after: 50 }]);
        await timeline.goTo('m1000');
        assert.deepEqual(segmentStarts(timeline), ['m100', 'm975', 'm1950'], wrong);
      }
    });
  }
});
