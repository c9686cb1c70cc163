import assert from 'node:assert/strict';
import { chatOf, range, shown, upTo } from './chat.ts';

describe('A timeline', () => {
  it('is empty and sends no request until it is loaded', () => {
    const { pages, timeline } = chatOf(upTo(10));
    assert.deepEqual(shown(timeline), []);
    assert.deepEqual(pages, []);
    assert.deepEqual([timeline.older, timeline.newer], [{ at: 'open' }, { at: 'open' }]);
  });

  it('starts with the newest messages in order of time, whichever end is loaded first', async () => {
    for (const load of ['loadNewer', 'loadOlder'] as const) {
      const { pages, timeline } = chatOf(upTo(200));
      await timeline[load]();
      assert.deepEqual(pages, [{ latest: 50 }]);
      assert.deepEqual(shown(timeline), upTo(200).slice(150));
      assert.deepEqual([timeline.older, timeline.newer], [{ at: 'open' }, { at: 'open' }]);
    }
  });

  it('loads older messages up to the beginning, without duplicates', async () => {
    const { timeline } = chatOf(upTo(120));
    for (const count of [50, 100, 120]) {
      await timeline.loadOlder();
      assert.deepEqual(shown(timeline), upTo(120).slice(-count));
      assert.deepEqual(timeline.older, { at: 'open' });
    }
    await timeline.loadOlder();
    assert.deepEqual(shown(timeline), upTo(120));
    assert.deepEqual(timeline.older, { at: 'end' });
  });

  it("doesn't take a short page for the whole chat after the newest messages were deleted", async () => {
    const { chat, timeline } = chatOf(upTo(100));
    chat.limit = 20;
    chat.override = (page) => ('latest' in page ? chat.answer({ latest: 20 }) : undefined);
    await timeline.loadNewer();
    await timeline.loadOlder();
    chat.names = upTo(95);
    await timeline.loadNewer();
    assert.equal(timeline.older.at, 'open');
    await timeline.loadOlder();
    assert.deepEqual(shown(timeline), range(41, 100));
  });

  it('loads newer messages page by page until there are no more', async () => {
    const { chat, pages, timeline } = chatOf(upTo(10));
    await timeline.loadNewer();
    chat.names = upTo(130);
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), upTo(130));
    assert.deepEqual(
      pages.map((page) => ('anchor' in page ? page.anchor : 'latest')),
      ['latest', '10', '60', '110', '130'],
    );
    assert.deepEqual(timeline.newer, { at: 'end' });
  });

  it('keeps the loaded messages if a load fails, reports why, and can retry', async () => {
    const failure = new Error('no network');
    for (const [load, edge] of [
      ['loadOlder', 'older'],
      ['loadNewer', 'newer'],
    ] as const) {
      const { chat, timeline } = chatOf(upTo(60));
      await timeline.loadNewer();
      chat.failure = failure;
      await timeline[load]();
      assert.deepEqual(timeline[edge], { at: 'failed', error: failure });
      assert.deepEqual(shown(timeline), upTo(60).slice(10));
      chat.failure = undefined;
      chat.names = upTo(61);
      await timeline[load]();
      assert.deepEqual(timeline[edge], { at: load === 'loadOlder' ? 'open' : 'end' });
      assert.equal(shown(timeline).length, load === 'loadOlder' ? 60 : 51);
    }
  });

  it('keeps the newer pages loaded before a failed one', async () => {
    const { chat, pages, timeline } = chatOf([1]);
    await timeline.loadNewer();
    Object.defineProperty(chat, 'failure', { get: () => (pages.length > 2 ? new Error('gone') : undefined) });
    chat.names = upTo(100);
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), upTo(51));
    assert.equal(timeline.newer.at, 'failed');
  });

  it('has two open ends after the initial load, whichever end failed before', async () => {
    for (const [failing, opening] of [
      ['loadNewer', 'loadOlder'],
      ['loadOlder', 'loadNewer'],
    ] as const) {
      const { chat, timeline } = chatOf(upTo(5));
      chat.failure = new Error('no token');
      await timeline[failing]();
      assert.equal((failing === 'loadOlder' ? timeline.older : timeline.newer).at, 'failed');
      chat.failure = undefined;
      await timeline[opening]();
      assert.deepEqual(shown(timeline), upTo(5));
      assert.deepEqual([timeline.older.at, timeline.newer.at], ['open', 'open'], failing);
    }
  });

  it('is at its beginning in an empty chat, and loads the first message', async () => {
    const { chat, timeline } = chatOf([]);
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), []);
    assert.deepEqual([timeline.older, timeline.newer], [{ at: 'end' }, { at: 'open' }]);
    chat.names = [1];
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), [1]);
    assert.deepEqual(timeline.newer, { at: 'open' });
  });

  it('knows its newest message and the newest time', async () => {
    const { chat, timeline } = chatOf([]);
    await timeline.loadNewer();
    assert.equal(timeline.newest(), undefined);
    chat.names = ['x'];
    await timeline.loadNewer();
    assert.deepEqual(timeline.newest(), { msgId: '', sendTime: 0, unreadable: 1 });
    chat.names = [...upTo(300), 'x'];
    await timeline.loadNewer();
    await timeline.goTo('100');
    assert.deepEqual(timeline.newest(), { msgId: '300', sendTime: 300, unreadable: 1 });
  });
});
