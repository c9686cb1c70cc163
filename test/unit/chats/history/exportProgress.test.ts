import assert from 'node:assert/strict';
import {
  ExportError,
  type ExportRange,
  exportedCount,
  newProgress,
  savedProgress,
} from '../../../../src/chats/history/commands/exportProgress.ts';
import { readToBeginning } from '../../../../src/chats/history/commands/readHistory.ts';
import { FakeChat, range as numbers, upTo } from './chat.ts';
import { assembled, botChat, document, MemoryStore, read } from './export-chat.ts';

describe('An interrupted export', () => {
  let store: MemoryStore;

  beforeEach(() => {
    store = new MemoryStore();
  });

  it('continues after a failure on any page', async () => {
    for (let failing = 1; failing <= 6; failing++) {
      store = new MemoryStore();
      const chat = new FakeChat(upTo(450));
      chat.failsAt = failing;
      await assert.rejects(read(chat, store), /no network/);
      const saved = await savedProgress(store, botChat);
      assert.equal(saved?.messages ?? 0, Math.min(450, (failing - 1) * 100));
      assert.deepEqual(await assembled(await read(chat, store), store), upTo(450));
      // Only the failed page was requested twice.
      assert.equal(chat.pages.length, 7, `${failing}`);
    }
  });

  it('continues after any failed write', async () => {
    const names = upTo(350).map((name) => (name % 7 === 0 ? 'odd' : name));
    let total = 0;
    store.failing = () => void total++;
    await read(new FakeChat(names), store);
    assert.ok(total > 8);
    for (let failing = 1; failing <= total; failing++) {
      store = new MemoryStore();
      let writes = 0;
      store.failing = () => {
        if (++writes === failing) throw new Error('disk full');
      };
      const chat = new FakeChat(names);
      await assert.rejects(read(chat, store), /disk full/);
      assert.deepEqual(await assembled(await read(chat, store), store), names, `${failing}`);
    }
  });

  it('stops if another export of the same chat takes over, which is complete', async () => {
    const first = new FakeChat(upTo(450));
    const second = new FakeChat(upTo(450));
    let other: Promise<unknown> = Promise.resolve();
    first.override = () => {
      if (first.pages.length === 3) other = read(second, store);
      return undefined;
    };
    const list = async (page: Parameters<typeof first.list>[0]) => {
      const answer = await first.list(page);
      await other;
      return answer;
    };
    const { signal } = new AbortController();
    const reading = readToBeginning(newProgress(botChat), { list, store, signal, onPage: () => {} });
    await assert.rejects(reading, new ExportError('takenOver'));
    const progress = await savedProgress(store, botChat);
    assert.ok(progress?.complete);
    assert.deepEqual(await assembled(progress, store), upTo(450));
  });

  it('continues only for the same chat and bot', async () => {
    await read(new FakeChat(upTo(5)), store);
    assert.equal((await savedProgress(store, botChat))?.messages, 5);
    for (const other of [
      { botId: '1' },
      { id: '1' },
      { kind: 'user' as const },
      { service: 'https://other.example' },
    ]) {
      assert.equal(await savedProgress(store, { ...botChat, ...other }), undefined);
    }
  });

  it("doesn't continue from invalid or empty progress", async () => {
    for (const saved of ['null', '{}', '[]', '{"version":3}', JSON.stringify(newProgress(botChat))]) {
      store.progress = saved;
      assert.equal(await savedProgress(store, botChat), undefined, saved);
    }
  });

  it("doesn't continue from damaged parts", async () => {
    const damages: ((store: MemoryStore) => void)[] = [
      ({ parts }) => parts.delete(3),
      ({ parts }) => parts.set(3, 'not JSON\n'),
      ({ parts }) => parts.set(3, (parts.get(3) ?? '').slice(0, -10)),
      ({ parts }) => parts.set(3, (parts.get(3) ?? '').split('\n').slice(1).join('\n')),
    ];
    for (const damage of damages) {
      store = new MemoryStore();
      const chat = new FakeChat(upTo(450));
      chat.failsAt = 4;
      await assert.rejects(read(chat, store), /no network/);
      damage(store);
      await assert.rejects(read(chat, store), new ExportError('damaged'));
      assert.equal(chat.pages.length, 4);
    }
  });

  it('is not assembled if a part is missing or truncated', async () => {
    const progress = await read(new FakeChat(upTo(250)), store);
    const part = store.parts.get(2) ?? '';
    store.parts.set(2, part.slice(0, part.length / 2).replace(/\n[^\n]*$/, '\n'));
    await assert.rejects(document(progress, store), new ExportError('damaged'));
    store.parts.delete(2);
    await assert.rejects(document(progress, store), new ExportError('damaged'));
  });
});

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

  it("doesn't begin earlier or end later because of a message with a wrong clock", async () => {
    const range = { start: 160, end: 200 };
    for (const [at, wrong] of [
      [430, -5],
      [340, 170.5],
      [205, -5],
      [130, 170.5],
      [140, 1000],
    ] as const) {
      const chat = new FakeChat([...upTo(at), wrong, ...numbers(at + 1, 450)]);
      assert.deepEqual(await exported(chat, range), numbers(160, 199), `${wrong} after ${at}`);
    }
    const inside = [...numbers(160, 180), -5, ...numbers(181, 190), 1000, ...numbers(191, 199)];
    const chat = new FakeChat([...upTo(159), ...inside, ...numbers(200, 450)]);
    assert.deepEqual(await exported(chat, range), inside);
  });

  it("isn't cut off if a page adds only a message or two, whose clocks are wrong", async () => {
    for (const limit of [1, 2]) {
      const chat = new FakeChat([...upTo(10), -3, -2, ...numbers(11, 110)]);
      chat.limit = limit;
      assert.deepEqual(await exported(chat, { start: 5 }), [...numbers(5, 10), -3, -2, ...numbers(11, 110)]);
    }
    const chat = new FakeChat([...upTo(10), -2]);
    chat.override = (page) => ('latest' in page ? chat.answer({ latest: 1 }) : undefined);
    assert.deepEqual(await exported(chat, { start: 5 }), [...numbers(5, 10), -2]);
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
      chat.failsAt = failing;
      const range = { start: 120, end: 330 };
      await assert.rejects(exported(chat, range, store), /no network/);
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
