import assert from 'node:assert/strict';
import { type CacheEntry, TtlCache } from '../../../src/directory/ttlCache.ts';
import { MINUTE, missing, thing } from './held-directory.ts';

const entry = (id: string, at: number, name = ''): CacheEntry => ({ id, at, found: thing.group(id, name) });
const many = (count: number, from = 0) => Array.from({ length: count }, (_, index) => entry(`${from + index}`, index));

describe('TtlCache', () => {
  it('returns its initial entries, fresh depending on their time', () => {
    const cache = new TtlCache(
      () => 10 * MINUTE,
      [entry('old', 0), entry('fresh', 1), entry('future', 10 * MINUTE + 1)],
    );
    const freshness = ['old', 'fresh', 'future'].map((id) => cache.get('group', id)?.fresh);
    assert.deepEqual(freshness, [false, true, false]);
    assert.equal(cache.get('group', 'other'), undefined);
    assert.equal(cache.get('user', 'old'), undefined);
  });

  it('keeps the last result for each kind and ID', () => {
    let now = 0;
    const cache = new TtlCache(() => now, []);
    const gone = missing('group', '1');
    cache.setFound('1', thing.group('1', 'One'));
    cache.setFound('1', thing.user('1', 'Anna'));
    now = 5;
    cache.setMissing('group', '1', gone);
    assert.deepEqual(cache.get('group', '1'), { missing: gone, fresh: true });
    assert.deepEqual(cache.entries(), [{ id: '1', at: 0, found: thing.user('1', 'Anna') }]);
    cache.setFound('1', thing.group('1', 'Again'));
    assert.deepEqual(
      cache.entries().map(({ found }) => found.kind),
      ['user', 'group'],
    );
  });

  it('stores a resource under the requested ID', () => {
    const cache = new TtlCache(() => 0, []);
    cache.setFound('007', thing.group('7'));
    assert.deepEqual(cache.get('group', '007')?.found, thing.group('7'));
    assert.equal(cache.get('group', '7'), undefined);
  });

  it('keeps the newest five thousand entries in any order', () => {
    const cache = new TtlCache(() => 0, many(5003).toReversed());
    assert.equal(cache.entries().length, 5000);
    assert.equal(cache.get('group', '2'), undefined);
    assert.ok(cache.get('group', '3'));
  });

  it('evicts those first that were found longest ago', () => {
    const cache = new TtlCache(() => 9999, many(5000));
    cache.setFound('0', thing.group('0'));
    cache.setFound('new', thing.group('new'));
    const kept = ['0', '1', '2', 'new'].filter((id) => cache.get('group', id));
    assert.deepEqual(kept, ['0', '2', 'new']);
  });

  it('keeps a thousand "not found" results, which evict no resources', () => {
    const cache = new TtlCache(() => 9999, many(5000));
    for (let id = 0; id <= 1000; id++) cache.setMissing('user', `${id}`, missing('user', `${id}`));
    assert.equal(cache.entries().length, 5000);
    assert.equal(cache.get('user', '0'), undefined);
    assert.ok(cache.get('user', '1'));
    assert.ok(cache.get('user', '1000'));
  });
});

describe('TtlCache merging entries', () => {
  it('adds unknown entries with their own time', () => {
    const cache = new TtlCache(() => 10 * MINUTE, [entry('2', 20, 'own')]);
    cache.merge([entry('3', 30), entry('1', 10), entry('2', 40, 'theirs')]);
    assert.deepEqual(cache.entries(), [entry('1', 10), entry('2', 20, 'own'), entry('3', 30)]);
    assert.equal(cache.get('group', '1')?.fresh, true);
  });

  it("doesn't restore resources that are gone", () => {
    const cache = new TtlCache(() => 5, []);
    cache.setMissing('group', '1', missing('group', '1'));
    cache.merge([entry('1', 0)]);
    assert.equal(cache.get('group', '1')?.found, undefined);
    assert.deepEqual(cache.entries(), []);
  });

  it('ignores entries from the future', () => {
    const cache = new TtlCache(() => 5, []);
    cache.merge([entry('1', 6), entry('2', 5)]);
    assert.deepEqual(cache.entries(), [entry('2', 5)]);
  });

  it('keeps the newest five thousand of both', () => {
    const cache = new TtlCache(() => 9999, many(3000));
    cache.merge(many(3000, 10_000));
    assert.equal(cache.entries().length, 5000);
    assert.equal(cache.entries()[0]?.at, 500);
  });
});
