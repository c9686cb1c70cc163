import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Entry, newestOf, Shelf } from '../../../src/service/shelf.ts';
import { MINUTE, missing, thing } from './held-directory.ts';

const entry = (id: string, at: number, name = ''): Entry => ({ id, at, found: thing.group(id, name) });
const many = (count: number, from = 0) => Array.from({ length: count }, (_, index) => entry(`${from + index}`, index));

describe('Shelf', () => {
  it('knows what it was given, fresh by its time', () => {
    const shelf = new Shelf(() => 10 * MINUTE, [entry('old', 0), entry('fresh', 1), entry('future', 10 * MINUTE + 1)]);
    const freshness = ['old', 'fresh', 'future'].map((id) => shelf.get('group', id)?.fresh);
    assert.deepEqual(freshness, [false, true, false]);
    assert.equal(shelf.get('group', 'other'), undefined);
    assert.equal(shelf.get('user', 'old'), undefined);
  });

  it('holds one answer of each kind and ID, the last', () => {
    let now = 0;
    const shelf = new Shelf(() => now, []);
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
    const shelf = new Shelf(() => 0, []);
    shelf.found('007', thing.group('7'));
    assert.deepEqual(shelf.get('group', '007')?.found, thing.group('7'));
    assert.equal(shelf.get('group', '7'), undefined);
  });

  it('keeps five thousand, the newest, whatever their order', () => {
    const shelf = new Shelf(() => 0, many(5003).toReversed());
    assert.equal(shelf.entries().length, 5000);
    assert.equal(shelf.get('group', '2'), undefined);
    assert.ok(shelf.get('group', '3'));
  });

  it('counts what is missing among the five thousand', () => {
    const shelf = new Shelf(() => 9999, many(5000));
    shelf.missing('group', 'none', missing('group', 'none'));
    assert.equal(shelf.entries().length, 4999);
    assert.equal(shelf.get('group', '0'), undefined);
    assert.ok(shelf.get('group', 'none'));
  });
});

describe('The newest of some entries', () => {
  const entries = fc.array(
    fc
      .tuple(fc.nat({ max: 5 }), fc.integer({ min: -3, max: 9 }))
      .map(([id, at]) => entry(`${id}`, at, `${id} at ${at}`)),
  );

  it('are the last of each ID, the oldest first, and the same again of those', () =>
    fc.assert(
      fc.property(entries, (given) => {
        const newest = newestOf(given);
        const times = newest.map(({ at }) => at);
        assert.deepEqual(
          times,
          times.toSorted((one, other) => one - other),
        );
        const expected = new Map<string, number>();
        for (const { id, at } of given) expected.set(id, Math.max(at, expected.get(id) ?? at));
        assert.deepEqual(new Map(newest.map(({ id, at }) => [id, at])), expected);
        for (const { id, at, found } of newest) assert.deepEqual(found, thing.group(id, `${id} at ${at}`));
        assert.deepEqual(newestOf(newest), newest);
      }),
    ));

  it('are the one that stands last, of two from one moment', () => {
    assert.deepEqual(newestOf([entry('1', 5, 'read'), entry('1', 5, 'own')]), [entry('1', 5, 'own')]);
  });

  it('are no more than five thousand', () => {
    const newest = newestOf([...many(3000), ...many(3000, 10_000)]);
    assert.equal(newest.length, 5000);
    assert.deepEqual(newest[0]?.at, 500);
  });
});
