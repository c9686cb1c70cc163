import assert from 'node:assert/strict';
import type { WatchEntry } from '../../../../src/sidebar/watch/watchStore.ts';
import { WatchStore } from '../../../../src/sidebar/watch/watchStore.ts';
import { type Deferred, deferred, settled } from '../../deferred.ts';

const marksChanged = { isStale: false };

/** A store whose writes the test settles. */
function heldStore() {
  const writes: Deferred<void>[] = [];
  const save = (_entries: readonly WatchEntry[]) => {
    const write = deferred<void>();
    writes.push(write);
    return write.promise;
  };
  return { store: new WatchStore({ load: () => [], save }), writes };
}

describe('An unsaved change', () => {
  const failure = new Error('disk full');

  it('has an error when saving fails, and no other change has', async () => {
    const { store, writes } = heldStore();
    store.markChanged('a', marksChanged);
    const saved = store.save([]);
    assert.equal(store.errorOf('a'), undefined);
    writes[0]?.reject(failure);
    await saved;
    assert.deepEqual([store.errorOf('a'), store.errorOf('b'), store.hasFailed()], [failure, undefined, true]);
  });

  it('has no error after saving succeeds', async () => {
    const { store, writes } = heldStore();
    store.markChanged('a', marksChanged);
    for (const end of ['reject', 'resolve'] as const) {
      const saved = store.save([]);
      if (end === 'reject') writes[0]?.reject(failure);
      else writes[1]?.resolve();
      await saved;
    }
    assert.deepEqual([store.errorOf('a'), store.hasFailed()], [undefined, false]);
    store.markChanged('a', marksChanged);
    assert.equal(store.errorOf('a'), undefined);
  });

  it('stays unsaved if saving started before it', async () => {
    const { store, writes } = heldStore();
    store.markChanged('a', { isStale: true });
    const first = store.save([]);
    store.markChanged('a', marksChanged);
    const second = store.save([]);
    writes[0]?.resolve();
    await first;
    assert.equal(store.isStale('a'), true);
    writes[1]?.reject(failure);
    await second;
    assert.equal(store.errorOf('a'), failure);
  });

  it('has an error when saving throws', async () => {
    const broken = () => {
      throw failure;
    };
    const store = new WatchStore({ load: () => [], save: broken });
    store.markChanged('a', marksChanged);
    await store.save([]);
    await settled();
    assert.equal(store.errorOf('a'), failure);
  });

  it('makes the stored entry stale if watching started or stopped', () => {
    const { store } = heldStore();
    store.markChanged('a', marksChanged);
    assert.equal(store.isStale('a'), false);
    store.markChanged('a', { isStale: true });
    store.markChanged('a', marksChanged);
    assert.deepEqual([store.isStale('a'), store.isStale('b')], [true, false]);
  });
});
