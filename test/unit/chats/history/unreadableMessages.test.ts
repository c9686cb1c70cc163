import assert from 'node:assert/strict';
import { LostAnchorError } from '../../../../src/service/messagePages.ts';
import { chatOf, shown } from './chat.ts';

describe('Unreadable messages in a history', () => {
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
