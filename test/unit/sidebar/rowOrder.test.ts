import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dropTarget, type FilterableRow, filterRows, sortRows } from '../../../src/sidebar/rowOrder.ts';

const row = (id: string, title?: string, name?: string): FilterableRow => ({ id, title, name });
const ids = (rows: readonly FilterableRow[]) => rows.map(({ id }) => id);

describe('The filter of the sidebar', () => {
  const rows = [
    row('518204736', 'Fern & Kettle', 'Fern & Kettle'),
    row('7102649', '闻山禾', '闻山禾'),
    row('big', 'Our town', 'Riverside Town 河畔小镇'),
    row('524317890'),
  ];
  const found = (filter: string) => ids(filterRows(rows, filter));

  it('shows all rows while it is empty', () => {
    assert.deepEqual(found(''), ids(rows));
    assert.deepEqual(found('  '), ids(rows));
  });

  it('finds rows by a part of their name, whatever its case', () => assert.deepEqual(found('KETT'), ['518204736']));
  it('finds rows by a part of their ID, known or not', () => assert.deepEqual(found('5243'), ['524317890']));
  it('finds rows by Chinese names', () => assert.deepEqual(found('山禾'), ['7102649']));
  it('finds a labelled row by its label', () => assert.deepEqual(found('our'), ['big']));
  it('finds a labelled row by its own name as well', () => assert.deepEqual(found('riverside'), ['big']));
  it('wants every word, in any order', () => assert.deepEqual(found('town river'), ['big']));
  it('takes full-width letters and digits for the usual ones', () => assert.deepEqual(found('ＢＩＧ'), ['big']));
  it('takes signs as they are', () => assert.deepEqual([found('.*'), found('&')], [[], ['518204736']]));
  it('may find nothing', () => assert.deepEqual(found('nobody'), []));
});

describe('The order of the sidebar', () => {
  const rows = [row('30', 'beta'), row('4'), row('200', 'Alpha'), row('1', 'item 10'), row('2', 'item 9')];

  it('is that of the lists unless told', () => assert.deepEqual(ids(sortRows(rows, 'listed', 'en')), ids(rows)));

  it('by name puts those without a name last, and numbers by their size', () => {
    assert.deepEqual(ids(sortRows(rows, 'name', 'en')), ['200', '30', '2', '1', '4']);
  });

  it('by ID takes numbers by their size', () => {
    assert.deepEqual(ids(sortRows(rows, 'id', 'en')), ['1', '2', '4', '30', '200']);
  });

  it('leaves the rows that it was given as they are', () => {
    sortRows(rows, 'id', 'en');
    assert.equal(rows[0]?.id, '30');
  });
});

describe('The place of dropped rows', () => {
  const listed = ['a', 'b', 'c', 'd', 'e'];
  const place = (dropped: string[], target: string) => dropTarget(listed, new Set(dropped), target);

  it('is before the target when they come from below', () => assert.equal(place(['d'], 'b'), 'b'));
  it('is behind the target when they come from above', () => assert.equal(place(['a'], 'c'), 'd'));
  it('is the end behind the last', () => assert.equal(place(['b'], 'e'), undefined));
  it('is counted from the first of several', () => assert.equal(place(['a', 'd'], 'c'), 'e'));
  it('skips rows that are dropped themselves', () => assert.equal(place(['c', 'd'], 'c'), 'e'));

  it('is never before one of those that are dropped', () => {
    fc.assert(
      fc.property(fc.subarray(listed, { minLength: 1 }), fc.constantFrom(...listed), (dropped, target) => {
        const at = place(dropped, target);
        return at === undefined || !dropped.includes(at);
      }),
    );
  });
});
