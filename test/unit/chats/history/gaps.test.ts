import assert from 'node:assert/strict';
import * as v from 'valibot';
import { Timeline } from '../../../../src/chats/history/timeline.ts';
import { ServiceError } from '../../../../src/service/errors.ts';
import { Listed } from '../../../../src/service/message.ts';
import { LostAnchorError } from '../../../../src/service/messagePages.ts';
import { chatOf, GAP, gapOf, gapsOf, range, shown, upTo } from './chat.ts';

const offline = () => new ServiceError({ kind: 'unreachable', reason: 'ECONNRESET' });

/** A timeline of 400 messages that has loaded the newest 50 and those around 150. */
async function jumped() {
  const made = chatOf(upTo(400));
  await made.timeline.loadNewer();
  assert.equal(await made.timeline.goTo('150'), true);
  made.pages.length = 0;
  return made;
}

describe('A jump', () => {
  it('loads the messages around the target, with a gap to the loaded ones', async () => {
    const { timeline, pages, chat } = await jumped();
    assert.deepEqual(shown(timeline), [...range(125, 175), GAP, ...range(351, 400)]);
    assert.deepEqual(gapsOf(timeline)[0]?.edge, { at: 'open' });
    chat.reversed = true;
    await timeline.goTo('250');
    assert.deepEqual(shown(timeline), [...range(125, 175), GAP, ...range(225, 275), GAP, ...range(351, 400)]);
    assert.deepEqual(pages, [{ anchor: '250', before: 25, after: 25 }]);
  });

  it('to a loaded message sends no request', async () => {
    const { timeline, pages } = await jumped();
    assert.deepEqual([await timeline.goTo('125'), await timeline.goTo('400')], [true, true]);
    assert.deepEqual(pages, []);
    assert.deepEqual([timeline.has('125'), timeline.has('124')], [true, false]);
  });

  it('joins the segments it overlaps, and keeps the other gaps', async () => {
    const { timeline } = await jumped();
    await timeline.goTo('190');
    assert.deepEqual(shown(timeline), [...range(125, 215), GAP, ...range(351, 400)]);
    await timeline.goTo('110');
    assert.deepEqual(shown(timeline), [...range(85, 215), GAP, ...range(351, 400)]);
  });

  it('reopens an end if it loads messages beyond it', async () => {
    const { chat, timeline } = chatOf(upTo(60));
    await timeline.loadNewer();
    for (let loads = 0; loads < 2; loads++) await timeline.loadOlder();
    await timeline.loadNewer();
    assert.deepEqual([timeline.older.at, timeline.newer.at], ['end', 'end']);
    chat.names = upTo(200);
    await timeline.goTo('150');
    assert.deepEqual([timeline.older.at, timeline.newer.at], ['end', 'open']);
    assert.deepEqual(shown(timeline), [...upTo(60), GAP, ...range(125, 175)]);
  });

  it("to a message that the service doesn't list changes nothing", async () => {
    for (const lost of ['empty', 'without'] as const) {
      const { chat, timeline, changes } = await jumped();
      const before = [...timeline.items];
      changes.length = 0;
      chat.lost = lost;
      assert.equal(await timeline.goTo('999'), false);
      assert.deepEqual(timeline.items, before);
      assert.deepEqual(changes, []);
    }
  });

  it('rejects if it fails, and changes nothing', async () => {
    const { chat, timeline, changes } = await jumped();
    const before = [...timeline.items];
    changes.length = 0;
    await assert.rejects(timeline.goTo('999'), {
      failure: { kind: 'rejected', code: -1, text: '消息不存在', status: 200 },
    });
    chat.failure = offline();
    await assert.rejects(timeline.goTo('50'), chat.failure);
    assert.deepEqual(timeline.items, before);
    assert.deepEqual(changes, []);
    assert.equal(timeline.older.at, 'open');
    chat.failure = undefined;
    assert.equal(await timeline.goTo('50'), true);
  });
});

describe('A gap', () => {
  it('is loaded from either side, one page at a time, until both sides meet', async () => {
    const { timeline, pages } = await jumped();
    const id = gapOf(timeline);
    await timeline.loadGap(id, 'older');
    assert.deepEqual(shown(timeline), [...range(125, 225), GAP, ...range(351, 400)]);
    await timeline.loadGap(id, 'newer');
    assert.deepEqual(shown(timeline), [...range(125, 225), GAP, ...range(301, 400)]);
    await timeline.loadGap(id, 'newer');
    assert.deepEqual(gapsOf(timeline), [{ type: 'gap', id, edge: { at: 'open' } }]);
    await timeline.loadGap(id, 'newer');
    assert.deepEqual(shown(timeline), range(125, 400));
    assert.deepEqual(pages, [
      { anchor: '175', after: 50 },
      { anchor: '351', before: 50 },
      { anchor: '301', before: 50 },
      { anchor: '251', before: 50 },
    ]);
  });

  it('reports that it is loading, and then the result', async () => {
    const { timeline, changes } = await jumped();
    changes.length = 0;
    await timeline.loadGap(gapOf(timeline), 'older');
    const edges = changes.map((splice) =>
      splice?.inserted.map((item) => (item.type === 'gap' ? item.edge.at : item.key)),
    );
    assert.deepEqual(edges, [['loading'], range(176, 225).map(String), ['open']]);
  });

  it('keeps all messages if it fails to load, reports why, and can be retried', async () => {
    const { chat, timeline } = await jumped();
    chat.failure = offline();
    await timeline.loadGap(gapOf(timeline), 'older');
    assert.deepEqual(gapsOf(timeline)[0]?.edge, { at: 'failed', error: chat.failure });
    assert.deepEqual(shown(timeline), [...range(125, 175), GAP, ...range(351, 400)]);
    assert.deepEqual([timeline.older.at, timeline.newer.at], ['open', 'open']);
    chat.failure = undefined;
    await timeline.loadGap(gapOf(timeline), 'older');
    assert.deepEqual(gapsOf(timeline)[0]?.edge, { at: 'open' });
  });

  it('closes if all of its messages are deleted', async () => {
    for (const from of ['older', 'newer'] as const) {
      const { chat, timeline } = await jumped();
      chat.names = [...upTo(175), ...range(351, 400)];
      await timeline.loadGap(gapOf(timeline), from);
      assert.deepEqual(shown(timeline), [...range(125, 175), ...range(351, 400)]);
    }
  });

  it('closes after a short page even if the messages on the other side are deleted', async () => {
    const { chat, timeline } = await jumped();
    chat.names = upTo(180);
    await timeline.loadGap(gapOf(timeline), 'older');
    assert.deepEqual(shown(timeline), [...range(125, 180), ...range(351, 400)]);
  });

  it("doesn't close if the service lists fewer messages than requested", async () => {
    const { chat, timeline } = await jumped();
    chat.limit = 20;
    await timeline.loadGap(gapOf(timeline), 'older');
    assert.deepEqual(shown(timeline), [...range(125, 215), GAP, ...range(351, 400)]);
  });

  it("isn't loaded once it has closed", async () => {
    const { timeline, pages } = await jumped();
    await timeline.loadGap(12_345, 'older');
    assert.equal(pages.length, 0);
  });

  it('is split by a jump into it', async () => {
    const { timeline } = await jumped();
    await timeline.goTo('250');
    await timeline.loadGap(gapOf(timeline, 1), 'older');
    assert.deepEqual(shown(timeline), [...range(125, 175), GAP, ...range(225, 325), GAP, ...range(351, 400)]);
    await timeline.loadGap(gapOf(timeline, 0), 'newer');
    assert.deepEqual(shown(timeline), [...range(125, 325), GAP, ...range(351, 400)]);
  });
});

describe('A load whose anchor is deleted', () => {
  it('continues from the next message', async () => {
    const { chat, timeline, pages } = chatOf(upTo(100));
    await timeline.loadNewer();
    pages.length = 0;
    chat.names = [...upTo(50), ...range(53, 100)];
    await timeline.loadOlder();
    assert.deepEqual(shown(timeline), upTo(100));
    assert.deepEqual(
      pages.map((page) => 'anchor' in page && page.anchor),
      ['51', '52', '53'],
    );
    assert.deepEqual(timeline.older, { at: 'open' });
  });

  it('fails after five anchors when it loads older messages, and never reports the beginning', async () => {
    for (const lost of ['rejects', 'empty', 'without'] as const) {
      const { chat, timeline, pages } = chatOf(upTo(100));
      await timeline.loadNewer();
      pages.length = 0;
      chat.lost = lost;
      chat.names = upTo(50);
      await timeline.loadOlder();
      assert.equal(pages.length, 5);
      assert.ok(timeline.older.at === 'failed');
      if (lost === 'rejects') assert.ok(timeline.older.error instanceof ServiceError);
      else assert.ok(timeline.older.error instanceof LostAnchorError && timeline.older.error.msgId === '55');
      assert.deepEqual(shown(timeline), range(51, 100));
    }
  });

  it('loads the newest page when it loads newer messages, and keeps the loaded ones', async () => {
    const { chat, timeline, pages } = chatOf(upTo(100));
    await timeline.loadNewer();
    pages.length = 0;
    chat.names = [...upTo(95), 101, 102];
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), range(48, 102));
    assert.deepEqual(
      pages.map((page) => ('anchor' in page ? page.anchor : 'latest')),
      ['100', '99', '98', '97', '96', 'latest'],
    );
    chat.names = [...upTo(95), 101, 102, 103];
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), range(48, 103));
    assert.deepEqual(timeline.newer, { at: 'end' });
  });

  it("leaves a gap if the newest page doesn't reach the loaded messages", async () => {
    const { chat, timeline } = chatOf(upTo(100));
    await timeline.loadNewer();
    chat.lost = 'rejects';
    chat.names = [...upTo(95), ...range(101, 180)];
    await timeline.loadNewer();
    assert.deepEqual(shown(timeline), [...range(51, 100), GAP, ...range(131, 180)]);
    await timeline.loadGap(gapOf(timeline), 'newer');
    assert.deepEqual(shown(timeline), range(51, 180));
  });
});

describe('Segments whose times are missing', () => {
  it('are put in order if one of them is at the beginning', async () => {
    const [a, b] = ['a', 'b'].map((msgId) => v.parse(Listed, { msgId }));
    const answers = [[a], [b], [a]];
    const timeline = new Timeline(
      async () => answers.shift() as Listed[],
      () => {},
    );
    await timeline.loadNewer();
    await timeline.goTo('b');
    await timeline.loadGap(gapOf(timeline), 'newer');
    const ids = timeline.items.map((item) => (item.type === 'gap' ? GAP : item.key));
    assert.deepEqual(ids, ['a', GAP, 'b']);
    assert.deepEqual(timeline.older, { at: 'end' });
    assert.deepEqual(gapsOf(timeline)[0]?.edge, { at: 'open' });
  });
});
