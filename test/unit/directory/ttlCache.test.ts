import assert from 'node:assert/strict';
import { type CacheEntry, TtlCache } from '../../../src/directory/ttlCache.ts';
import { MINUTE, missing, thing } from './held-directory.ts';

const entry = (id: string, at: number, name = ''): CacheEntry => ({ id, at, found: thing.group(id, name) });
const many = (count: number, from = 0) => Array.from({ length: count }, (_, index) => entry(`${from + index}`, index));

describe('Shelf', () => {
  it('knows what it was given, fresh by its time', () => {
    const shelf = new TtlCache(
      () => 10 * MINUTE,
      [entry('old', 0), entry('fresh', 1), entry('future', 10 * MINUTE + 1)],
    );
    const freshness = ['old', 'fresh', 'future'].map((id) => shelf.get('group', id)?.fresh);
    assert.deepEqual(freshness, [false, true, false]);
    assert.equal(shelf.get('group', 'other'), undefined);
    assert.equal(shelf.get('user', 'old'), undefined);
  });

  it('holds one answer of each kind and ID, the last', () => {
    let now = 0;
    const shelf = new TtlCache(() => now, []);
    const gone = missing('group', '1');
    shelf.found('1', thing.group('1', 'One'));
    shelf.found('1', thing.user('1', 'Anna'));
    now = 5;
    shelf.missing('group', '1', gone);
    assert.deepEqual(shelf.get('group', '1'), { missing: gone, fresh: true });
    assert.deepEqual(shelf.entries(), [{ id: '1', at: 0, found: thing.user('1', 'Anna') }]);
    shelf.found('1', thing.group('1', 'Again'));
    assert.deepEqual(
      shelf.entries().map(({ found }) => found.kind),
      ['user', 'group'],
    );
  });

  it('files what was found under the ID that it was asked for', () => {
    const shelf = new TtlCache(() => 0, []);
    shelf.found('007', thing.group('7'));
    assert.deepEqual(shelf.get('group', '007')?.found, thing.group('7'));
    assert.equal(shelf.get('group', '7'), undefined);
  });

  it('keeps five thousand, the newest, whatever their order', () => {
    const shelf = new TtlCache(() => 0, many(5003).toReversed());
    assert.equal(shelf.entries().length, 5000);
    assert.equal(shelf.get('group', '2'), undefined);
    assert.ok(shelf.get('group', '3'));
  });

  it('keeps a thousand of those that are missing, which push out nothing that was found', () => {
    const shelf = new TtlCache(() => 9999, many(5000));
    for (let id = 0; id <= 1000; id++) shelf.missing('user', `${id}`, missing('user', `${id}`));
    assert.equal(shelf.entries().length, 5000);
    assert.equal(shelf.get('user', '0'), undefined);
    assert.ok(shelf.get('user', '1'));
    assert.ok(shelf.get('user', '1000'));
  });
});

describe('Shelf that learns what was found elsewhere', () => {
  it('takes over what it knows nothing of, at its own time', () => {
    const shelf = new TtlCache(() => 10 * MINUTE, [entry('2', 20, 'own')]);
    shelf.learn([entry('3', 30), entry('1', 10), entry('2', 40, 'theirs')]);
    assert.deepEqual(shelf.entries(), [entry('1', 10), entry('2', 20, 'own'), entry('3', 30)]);
    assert.equal(shelf.get('group', '1')?.fresh, true);
  });

  it('does not take back what is known to be gone', () => {
    const shelf = new TtlCache(() => 5, []);
    shelf.missing('group', '1', missing('group', '1'));
    shelf.learn([entry('1', 0)]);
    assert.equal(shelf.get('group', '1')?.found, undefined);
    assert.deepEqual(shelf.entries(), []);
  });

  it('takes nothing over from the future, where a clock was wrong', () => {
    const shelf = new TtlCache(() => 5, []);
    shelf.learn([entry('1', 6), entry('2', 5)]);
    assert.deepEqual(shelf.entries(), [entry('2', 5)]);
  });

  it('keeps five thousand, the newest of both', () => {
    const shelf = new TtlCache(() => 9999, many(3000));
    shelf.learn(many(3000, 10_000));
    assert.equal(shelf.entries().length, 5000);
    assert.equal(shelf.entries()[0]?.at, 500);
  });
});
