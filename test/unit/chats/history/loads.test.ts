import assert from 'node:assert/strict';
import { Timeline } from '../../../../src/chats/history/timeline.ts';
import type { Edge } from '../../../../src/chats/history/timelineItems.ts';
import type { Listed } from '../../../../src/service/message.ts';
import { deferred, settled } from '../../deferred.ts';
import { chatOf, entryOf, gapOf, namesOf, shown, upTo } from './chat.ts';

describe('Timeline loads', () => {
  it('run one at a time, each from where the previous one ended', async () => {
    const { pages, timeline } = chatOf(upTo(200));
    await Promise.all([timeline.loadNewer(), timeline.loadOlder()]);
    await timeline.loadOlder();
    assert.deepEqual(pages, [{ latest: 50 }, { anchor: '151', before: 50 }, { anchor: '101', before: 50 }]);
    assert.deepEqual(shown(timeline), upTo(200).slice(50));
  });

  it('request an older page once if a scroll asks for it repeatedly', async () => {
    const { pages, timeline } = chatOf(upTo(200));
    await timeline.loadNewer();
    await Promise.all([timeline.loadOlder(), timeline.loadOlder(), timeline.loadOlder()]);
    assert.deepEqual(pages, [{ latest: 50 }, { anchor: '151', before: 50 }]);
  });

  it("don't begin while another one is pending", async () => {
    const pending = [deferred<Listed[]>(), deferred<Listed[]>()];
    let begun = 0;
    const timeline = new Timeline(
      () => pending[begun++]?.promise ?? assert.fail('too many'),
      () => {},
    );
    const loads = [timeline.loadNewer(), timeline.loadOlder()];
    await settled();
    assert.equal(begun, 1);
    pending[0]?.resolve([entryOf(2)]);
    await loads[0];
    await settled();
    assert.equal(begun, 2);
    pending[1]?.resolve([entryOf(2), entryOf(1)]);
    await Promise.all(loads);
    assert.deepEqual(shown(timeline), [1, 2]);
  });

  it('share a load of newer messages until it has begun, then start another', async () => {
    const { pages, timeline } = chatOf(upTo(10));
    await timeline.loadNewer();
    await Promise.all([timeline.loadNewer(), timeline.loadNewer(), timeline.loadNewer()]);
    assert.equal(pages.length, 2);
    const first = timeline.loadNewer();
    await Promise.resolve();
    await Promise.all([first, timeline.loadNewer(), timeline.loadNewer()]);
    assert.equal(pages.length, 4);
  });

  it('request a page of a gap once, and nothing if the gap has closed meanwhile', async () => {
    const { pages, timeline } = chatOf(upTo(200));
    await timeline.loadNewer();
    await timeline.goTo('100');
    const gap = gapOf(timeline);
    pages.length = 0;
    await Promise.all([timeline.loadGap(gap, 'older'), timeline.loadGap(gap, 'older'), timeline.loadGap(gap, 'newer')]);
    assert.deepEqual(pages, [{ anchor: '125', after: 50 }]);
    assert.deepEqual(shown(timeline), upTo(200).slice(74));
  });

  it('request a message once if it is jumped to twice', async () => {
    const { pages, timeline } = chatOf(upTo(200));
    assert.deepEqual(await Promise.all([timeline.goTo('100'), timeline.goTo('100')]), [true, true]);
    assert.equal(pages.length, 1);
  });

  it('continue after a failed one', async () => {
    const answers = [Promise.reject(new Error('once')), Promise.resolve([entryOf(1)])];
    const timeline = new Timeline(
      () => answers.shift() ?? assert.fail('too many'),
      () => {},
    );
    await Promise.all([timeline.loadOlder(), timeline.loadNewer()]);
    assert.deepEqual(shown(timeline), [1]);
    assert.deepEqual(timeline.newer, { at: 'open' });
  });

  it('continue after one whose change handler threw', async () => {
    let broken = true;
    const timeline = new Timeline(
      async () => [entryOf(1)],
      () => {
        if (broken) throw new Error('the panel is gone');
      },
    );
    await timeline.loadNewer().catch(() => {});
    broken = false;
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), [1]);
  });

  it('report each new entry once, with its index', async () => {
    const { chat, changes, timeline } = chatOf(upTo(70));
    await timeline.loadNewer();
    await timeline.loadOlder();
    chat.names = upTo(75);
    await timeline.loadNewer();
    const told = changes.flatMap((splice) => (splice ? [{ ...splice, inserted: namesOf(splice.inserted) }] : []));
    assert.deepEqual(told, [
      { at: 0, removed: 0, inserted: upTo(70).slice(20) },
      { at: 0, removed: 0, inserted: upTo(20) },
      { at: 70, removed: 0, inserted: [71, 72, 73, 74, 75] },
    ]);
  });

  it('report when they start and end', async () => {
    const edges: Edge['at'][] = [];
    const timeline: Timeline = new Timeline(
      async () => [entryOf(1)],
      () => edges.push(timeline.older.at),
    );
    await timeline.loadOlder();
    await timeline.loadOlder();
    assert.deepEqual(
      edges.filter((at, index) => at !== edges[index - 1]),
      ['loading', 'open', 'loading', 'end'],
    );
  });

  it('that are silent report only their result, once', async () => {
    const { chat, timeline, edges } = chatOf(upTo(100));
    await timeline.loadNewer();
    edges.length = 0;
    await timeline.loadNewer({ silent: true });
    assert.deepEqual(edges, ['end']);
    chat.failure = new Error('down');
    await timeline.loadNewer({ silent: true });
    await timeline.loadNewer({ silent: true });
    assert.deepEqual(edges, ['end', 'failed']);
    chat.failure = new Error('down for another reason');
    await timeline.loadNewer({ silent: true });
    assert.deepEqual(edges, ['end', 'failed', 'failed']);
    await timeline.loadNewer();
    assert.deepEqual(edges, ['end', 'failed', 'failed', 'loading', 'failed']);
  });
});
