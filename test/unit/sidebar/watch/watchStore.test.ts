import assert from 'node:assert/strict';
import type { Watched } from '../../../../src/sidebar/watch/watchStore.ts';
import { WatchStore } from '../../../../src/sidebar/watch/watchStore.ts';
import { type Deferred, deferred, settled } from '../../deferred.ts';

const marks = { isAnew: false };

/** Changes of chats and a store whose answers a test gives. */
function held() {
  const writes: Deferred<void>[] = [];
  const store = (_watched: readonly Watched[]) => {
    const write = deferred<void>();
    writes.push(write);
    return write.promise;
  };
  return { kept: new WatchStore({ stored: () => [], store }), writes };
}

describe('A change that is to be stored', () => {
  const failure = new Error('disk full');

  it('is in trouble when storing fails, and no other is', async () => {
    const { kept, writes } = held();
    kept.change('a', marks);
    const saved = kept.save([]);
    assert.equal(kept.errorOf('a'), undefined);
    writes[0]?.reject(failure);
    await saved;
    assert.deepEqual([kept.errorOf('a'), kept.errorOf('b'), kept.hasFailed()], [failure, undefined, true]);
  });

  it('is in trouble no more when storing succeeds', async () => {
    const { kept, writes } = held();
    kept.change('a', marks);
    for (const end of ['reject', 'resolve'] as const) {
      const saved = kept.save([]);
      if (end === 'reject') writes[0]?.reject(failure);
      else writes[1]?.resolve();
      await saved;
    }
    assert.deepEqual([kept.errorOf('a'), kept.hasFailed()], [undefined, false]);
    kept.change('a', marks);
    assert.equal(kept.errorOf('a'), undefined);
  });

  it('is not taken for stored by a write that began before it', async () => {
    const { kept, writes } = held();
    kept.change('a', { isAnew: true });
    const first = kept.save([]);
    kept.change('a', marks);
    const second = kept.save([]);
    writes[0]?.resolve();
    await first;
    assert.equal(kept.isAnew('a'), true);
    writes[1]?.reject(failure);
    await second;
    assert.equal(kept.errorOf('a'), failure);
  });

  it('is in trouble where the store throws at once', async () => {
    const broken = () => {
      throw failure;
    };
    const kept = new WatchStore({ stored: () => [], store: broken });
    kept.change('a', marks);
    await kept.save([]);
    await settled();
    assert.equal(kept.errorOf('a'), failure);
  });

  it('holds against what is stored, of a chat that was put on the list or taken off it', () => {
    const { kept } = held();
    kept.change('a', marks);
    assert.equal(kept.isAnew('a'), false);
    kept.change('a', { isAnew: true });
    kept.change('a', marks);
    assert.deepEqual([kept.isAnew('a'), kept.isAnew('b')], [true, false]);
  });
});
