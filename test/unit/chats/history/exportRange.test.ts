import assert from 'node:assert/strict';
import type { ExportRange } from '../../../../src/chats/history/export/exportProgress.ts';
import { exportedCount, newProgress, savedProgress } from '../../../../src/chats/history/export/exportProgress.ts';
import { readToBeginning } from '../../../../src/chats/history/export/readHistory.ts';
import { FakeChat, range as numbers, upTo } from './chat.ts';
import { assembled, botChat, MemoryStore } from './export-chat.ts';

/** Exports the messages of a range, whose times are their numbers. */
async function exported(chat: FakeChat, range: ExportRange, store = new MemoryStore()) {
  const from = (await savedProgress(store, botChat, range)) ?? newProgress(botChat, 0, range);
  const { signal } = new AbortController();
  const progress = await readToBeginning(from, { list: chat.list, store, signal, onPage: () => {} });
  const names = await assembled(progress, store);
  assert.equal(exportedCount(progress), names.length);
  return names;
}

describe('A range of an export', () => {
  it('includes its start and excludes its end, wherever the pages begin', async () => {
    for (const [start, end] of [
      [200, 300],
      [151, 251],
      [150, 250],
      [152, 252],
      [449, 450],
      [1, 2],
      [0, 1000],
      [451, 500],
      [200, 200],
    ] as const) {
      const expected = upTo(450).filter((name) => name >= start && name < end);
      assert.deepEqual(await exported(new FakeChat(upTo(450)), { start, end }), expected, `${start} to ${end}`);
    }
    assert.deepEqual(await exported(new FakeChat([]), { start: 1, end: 2 }), []);
  });

  it('is read back to its start, and no further', async () => {
    const chat = new FakeChat(upTo(450));
    assert.deepEqual(await exported(chat, { start: 300 }), numbers(300, 450));
    assert.deepEqual(chat.pages, [{ latest: 100 }, { anchor: '351', before: 100 }]);
  });

  it("isn't cut off by a message or two with a wrong clock", async () => {
    // The second page starts with these.
    const wrong = [-3, -2];
    const chat = new FakeChat([...upTo(203), ...wrong, ...numbers(204, 401)]);
    const expected = [...numbers(150, 203), ...wrong, ...numbers(204, 401)];
    assert.deepEqual(await exported(chat, { start: 150 }), expected);
  });

  it('keeps messages without a time between its messages, and leaves out those around it', async () => {
    const names = ['a', ...upTo(140), 'b', 141, 'c', ...numbers(142, 260), 'd', 261, 'e'];
    const middle = [141, 'c', ...numbers(142, 260)];
    assert.deepEqual(await exported(new FakeChat(names), { start: 141, end: 261 }), middle);
    assert.deepEqual(await exported(new FakeChat(names), { start: 141 }), [...middle, 'd', 261, 'e']);
    assert.deepEqual(await exported(new FakeChat(['a', 'b']), { start: 1 }), []);
  });

  it('is the same after an interruption on any page', async () => {
    for (let failing = 1; failing <= 4; failing++) {
      const store = new MemoryStore();
      const chat = new FakeChat(upTo(450));
      let fails = true;
      chat.override = () => {
        if (chat.pages.length === failing && fails) throw new Error('no network');
        return undefined;
      };
      const range = { start: 120, end: 330 };
      await assert.rejects(exported(chat, range, store), /no network/);
      fails = false;
      assert.deepEqual(await exported(chat, range, store), numbers(120, 329));
      assert.equal(chat.pages.length, 5);
    }
  });

  it('of other times starts an export of its own', async () => {
    const store = new MemoryStore();
    await exported(new FakeChat(upTo(5)), { start: 2, end: 4 }, store);
    assert.equal((await savedProgress(store, botChat, { start: 2, end: 4 }))?.messages, 5);
    for (const range of [{}, { start: 2 }, { start: 2, end: 5 }, { start: 1, end: 4 }]) {
      assert.equal(await savedProgress(store, botChat, range), undefined);
    }
  });
});
