import assert from 'node:assert/strict';
import { ExportError, newProgress, savedProgress } from '../../../../src/chats/history/export/exportProgress.ts';
import { readToBeginning } from '../../../../src/chats/history/export/readHistory.ts';
import { FakeChat, upTo } from './chat.ts';
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
      let fails = true;
      chat.override = () => {
        if (chat.pages.length === failing && fails) throw new Error('no network');
        return undefined;
      };
      await assert.rejects(read(chat, store), /no network/);
      const saved = await savedProgress(store, botChat);
      assert.equal(saved?.messages ?? 0, Math.min(450, (failing - 1) * 100));
      fails = false;
      const before = chat.pages.length;
      const progress = await read(chat, store);
      assert.deepEqual(await assembled(progress, store), upTo(450));
      // Only the failed page was requested twice.
      assert.equal(chat.pages.length - before, 6 - (failing - 1), `${failing}`);
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
      chat.override = () => {
        if (chat.pages.length === 4) throw new Error('no network');
        return undefined;
      };
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
