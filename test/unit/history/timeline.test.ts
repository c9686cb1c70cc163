import assert from 'node:assert/strict';
import { LostAnchorError, Timeline } from '../../../src/history/timeline.ts';
import { Client } from '../../../src/service/client.ts';
import { serveSandbox } from '../../host/serve.ts';
import { chatOf, entryOf, shown, upTo } from './chat.ts';

describe('A timeline', () => {
  it('is empty and sends no request until it is loaded', () => {
    const { pages, timeline } = chatOf(upTo(10));
    assert.deepEqual([shown(timeline), pages], [[], []]);
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

  it('is in order of time whatever the order of the pages', async () => {
    const { chat, timeline } = chatOf(upTo(120));
    chat.reversed = true;
    await timeline.loadNewer();
    chat.reversed = false;
    await timeline.loadOlder();
    chat.names = upTo(125);
    chat.reversed = true;
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), upTo(125).slice(20));
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

  it('requests older messages with the oldest one as the anchor', async () => {
    const { pages, timeline } = chatOf(upTo(120));
    await timeline.loadNewer();
    await timeline.loadOlder();
    assert.deepEqual(pages.at(-1), { anchor: '71', before: 50 });
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

  it('reports the end if there are no newer messages', async () => {
    const { pages, timeline } = chatOf(upTo(10));
    await timeline.loadNewer();
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), upTo(10));
    assert.equal(pages.length, 2);
  });

  it('has no duplicates if pages overlap', async () => {
    const answers = [
      [5, 4, 3],
      [4, 3, 2, 1],
      [1, 2, 3, 4, 5, 6, 7],
      [7, 6, 7],
    ].map((names) => names.map(entryOf));
    const timeline = new Timeline(
      async () => answers.shift() ?? [],
      () => {},
    );
    await timeline.loadNewer();
    await timeline.loadOlder();
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), upTo(7));
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

  it('shows an initial failure at the end that was loaded, and can retry', async () => {
    const { chat, timeline } = chatOf(upTo(5));
    chat.failure = new Error('no token');
    await timeline.loadNewer();
    assert.deepEqual([timeline.older.at, timeline.newer.at], ['open', 'failed']);
    chat.failure = undefined;
    await timeline.loadNewer();
    assert.deepEqual([timeline.older.at, timeline.newer.at], ['open', 'open']);
    assert.deepEqual(shown(timeline), upTo(5));
  });

  it('has two open ends after the initial load, whichever end failed before', async () => {
    for (const [failing, opening] of [
      ['loadNewer', 'loadOlder'],
      ['loadOlder', 'loadNewer'],
    ] as const) {
      const { chat, timeline } = chatOf(upTo(5));
      chat.failure = new Error('no token');
      await timeline[failing]();
      chat.failure = undefined;
      await timeline[opening]();
      assert.deepEqual(shown(timeline), upTo(5));
      assert.deepEqual([timeline.older.at, timeline.newer.at], ['open', 'open'], failing);
    }
  });

  it('treats a list function that throws as a failed load', async () => {
    const failure = new Error('at once');
    const timeline = new Timeline(
      () => {
        throw failure;
      },
      () => {},
    );
    await timeline.loadOlder();
    assert.deepEqual(timeline.older, { at: 'failed', error: failure });
  });

  it('is at its beginning in an empty chat, and loads the first message', async () => {
    const { chat, timeline } = chatOf([]);
    await timeline.loadNewer();
    assert.deepEqual([shown(timeline), timeline.older, timeline.newer], [[], { at: 'end' }, { at: 'open' }]);
    chat.names = [1];
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), [1]);
    assert.deepEqual(timeline.newer, { at: 'open' });
  });

  it('keeps unreadable messages in place', async () => {
    const { chat, timeline } = chatOf(['a', 1, 'b', 2, 3, 'c']);
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), ['a', 1, 'b', 2, 3, 'c']);
    chat.names = ['a', 1, 'b', 2, 3, 'c', 4, 'd', 5];
    await timeline.loadNewer();
    await timeline.loadOlder();
    assert.deepEqual(shown(timeline), ['a', 1, 'b', 2, 3, 'c', 4, 'd', 5]);
    assert.deepEqual(timeline.older, { at: 'end' });
  });

  it('leaves no gap before or after unreadable messages', async () => {
    const { chat, timeline } = chatOf([...upTo(100), 'x']);
    await timeline.loadNewer();
    assert.equal(shown(timeline)[0], 52);
    const more = upTo(200).slice(100);
    chat.names = [...upTo(50), 'w', ...upTo(100).slice(50), 'x', ...more, 'y'];
    await timeline.loadNewer();
    for (let pages = 0; pages < 2; pages++) await timeline.loadOlder();
    assert.deepEqual(shown(timeline), chat.names);
  });

  it('ends in a chat without readable messages', async () => {
    const { pages, timeline } = chatOf(['a', 'b']);
    await timeline.loadNewer();
    await timeline.loadOlder();
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), ['a', 'b']);
    assert.deepEqual(timeline.older, { at: 'end' });
    assert.equal(pages.length, 3);
  });

  it('continues beyond a page without readable messages', async () => {
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

  it("doesn't treat a full page without readable messages as the beginning", async () => {
    const { chat, timeline } = chatOf(Array.from({ length: 60 }, (_, index) => `x${index}`));
    await timeline.loadNewer();
    await timeline.loadOlder();
    assert.deepEqual(shown(timeline), chat.names.slice(10));
    assert.ok(timeline.older.at === 'failed' && timeline.older.error instanceof LostAnchorError);
  });

  it('knows its newest message and the newest time', async () => {
    const { chat, timeline } = chatOf([]);
    await timeline.loadNewer();
    assert.equal(timeline.newest(), undefined);
    chat.names = [...upTo(300), 'x'];
    await timeline.loadNewer();
    await timeline.goTo('100');
    assert.deepEqual(timeline.newest(), { msgId: '300', sendTime: 300 });
  });
});

describe('A timeline of a sandbox chat', () => {
  it('contains the whole chat, and messages sent meanwhile', async () => {
    const { sandbox, close } = await serveSandbox({ messages: 130 });
    const client = new Client({ webUrl: sandbox.webUrl, openApiUrl: sandbox.openApiUrl });
    const token = sandbox.token('30481126') ?? '';
    const chat = { type: 'group', id: '518204736' } as const;
    const timeline = new Timeline(
      (page) => client.messages(token, chat, page),
      () => {},
    );
    await timeline.loadNewer();
    while (timeline.older.at === 'open') await timeline.loadOlder();
    await client.batchSend(token, 'group', [chat.id], { contentType: 'text', content: { text: 'news' } });
    await timeline.loadNewer();
    const all = await client.messages(token, chat, { latest: 1000 });
    assert.equal(all.length, 131);
    assert.deepEqual(
      timeline.items.map((item) => item.type === 'entry' && item.entry),
      all.toReversed(),
    );
    assert.equal(timeline.older.at, 'end');
    await close();
  });
});
