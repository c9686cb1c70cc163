import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Memento } from 'vscode';
import { Store } from '../../../src/platform/store.ts';
import { memento } from '../memory.ts';

const service = 'https://a.example';
const seen = { msgId: 'm1', sendTime: 1_700_000_000_000 };
const group = { service, kind: 'group' as const, id: '1', botId: 'b', seen, heard: { msgId: '', sendTime: 0 } };
const user = { service, kind: 'user' as const, id: '1', botId: 'b' };

describe('The store', () => {
  let memory: Memento;
  let store: Store;
  beforeEach(() => {
    memory = memento();
    store = new Store(memory);
  });

  /** The watched chats that are read from a stored value. */
  const watched = async (stored: unknown) => {
    await memory.update('watched', stored);
    return store.get('watched');
  };

  it('is empty at first', () => {
    assert.deepEqual([store.get('order'), store.get('watched'), memory.keys()], ['listed', [], []]);
    assert.equal(store.find('readers', { service }), undefined);
  });

  it('returns what was stored', async () => {
    await store.set('order', 'name');
    await store.set('watched', [group, user]);
    const other = new Store(memory);
    assert.deepEqual([other.get('order'), other.get('watched')], ['name', [group, user]]);
  });

  it('reads a value once, until this window or another one stores another', async () => {
    await store.set('watched', [group]);
    const before = store.get('watched');
    assert.equal(store.get('watched'), before);
    await new Store(memory).set('watched', [group, user]);
    assert.deepEqual(store.get('watched'), [group, user]);
    await store.set('watched', []);
    assert.deepEqual([store.get('watched'), before], [[], [group]]);
  });

  it('replaces the entry of a chat and keeps the others', async () => {
    const chat = { service, kind: 'group' as const, id: '1' };
    await store.remember('readers', chat, { botId: 'b' });
    await store.remember('readers', { ...chat, id: '2' }, { botId: 'c' });
    await store.remember('readers', chat, { botId: 'd' });
    const readers = store.get('readers').map(({ id, botId }) => `${id} by ${botId}`);
    assert.deepEqual(readers, ['1 by d', '2 by c']);
    assert.equal(store.find('readers', { ...chat, service: 'https://b.example' }), undefined);
  });

  it('keeps the 1,000 latest read marks', async () => {
    const marks = Array.from({ length: 1_000 }, (_, at) => ({ ...user, id: `${at}`, ...seen }));
    await store.set('readMarks', marks);
    await store.remember('readMarks', { ...user, id: 'new' }, seen);
    const ids = store.get('readMarks').map(({ id }) => id);
    assert.deepEqual([ids.length, ids[0], ids.at(-1)], [1_000, 'new', '998']);
  });

  it('drops invalid entries and keeps the rest', async () => {
    for (const stored of [undefined, null, '', 'x', 0, {}, { 0: group }, []]) {
      assert.deepEqual(await watched(stored), []);
    }
    const bad: unknown[] = [null, 7, [], {}, { ...group, kind: 'bot' }, { ...group, id: '' }, { ...group, id: 1 }];
    bad.push({ ...group, botId: undefined }, { ...group, botId: '' });
    for (const one of bad) assert.deepEqual(await watched([one, group, one]), [group], JSON.stringify(one));
    await memory.update('order', 'upside down');
    assert.equal(store.get('order'), 'listed');
  });

  it('drops an invalid mark and keeps the chat', async () => {
    const marks: unknown[] = [null, 'm1', {}, { msgId: 'm1' }, { msgId: 1, sendTime: 1 }];
    marks.push({ msgId: 'm1', sendTime: '1' });
    for (const mark of marks) {
      const [read, ...others] = await watched([{ ...group, seen: mark }]);
      assert.deepEqual([read?.id, read?.seen, read?.heard, others], ['1', undefined, group.heard, []]);
    }
  });

  it('never throws, whatever is stored', () =>
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.array(fc.anything())), (stored) => {
        const any = { keys: () => [], get: () => stored } as unknown as Memento;
        for (const { id, botId } of new Store(any).get('watched')) assert.ok(id !== '' && botId !== '');
      }),
    ));
});
