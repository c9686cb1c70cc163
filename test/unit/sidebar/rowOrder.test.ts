import assert from 'node:assert/strict';
import { mock } from 'node:test';
import fc from 'fast-check';
import { escapeInvisible } from '../../../src/markup/escapeInvisible.ts';
import {
  askFilter,
  askOrder,
  dropTarget,
  type FilterableRow,
  filterRows,
  sortRows,
} from '../../../src/sidebar/rowOrder.ts';
import { onInputBox, pick, restore } from '../answers.ts';

const row = (id: string, title?: string, name?: string): FilterableRow => ({
  id,
  title: title && escapeInvisible(title),
  name,
});
const ids = (rows: readonly FilterableRow[]) => rows.map(({ id }) => id);

describe('The filter of the sidebar', () => {
  const rows = [
    row('518204736', 'Fern & Kettle', 'Fern & Kettle'),
    row('7102649', '闻山禾', '闻山禾'),
    row('big', 'Our town', 'Riverside Town 河畔小镇'),
    row('524317890'),
  ];
  const found = (filter: string) => ids(filterRows(rows, filter));

  it('shows all rows if it is empty', () => {
    assert.deepEqual(found(''), ids(rows));
    assert.deepEqual(found('  '), ids(rows));
  });

  it('finds rows by part of their name, in any case', () => assert.deepEqual(found('KETT'), ['518204736']));
  it('finds rows by part of their ID, known or not', () => assert.deepEqual(found('5243'), ['524317890']));
  it('finds rows by Chinese names', () => assert.deepEqual(found('山禾'), ['7102649']));
  it('finds a labeled row by its label', () => assert.deepEqual(found('our'), ['big']));
  it('finds a labeled row by its name, too', () => assert.deepEqual(found('riverside'), ['big']));
  it('requires every word, in any order', () => {
    assert.deepEqual(found('town river'), ['big']);
    assert.deepEqual(found('town kettle'), []);
  });
  it('doesn’t take a missing name for a word', () => assert.deepEqual(found('undefined'), []));
  it('treats full-width characters like half-width ones', () => assert.deepEqual(found('ＢＩＧ'), ['big']));
  it('finds letters with accents, and in other forms, by those that people type', () => {
    const guests = [row('1', 'José'), row('2', 'Straße'), row('3', 'I\u0307stanbul\u200B Ekibi')];
    assert.deepEqual(
      ['jose', 'JOSÉ', 'strasse', 'istanbul ekibi'].map((filter) => ids(filterRows(guests, filter))),
      [['1'], ['1'], ['2'], ['3']],
    );
  });
  it('treats special characters literally', () => assert.deepEqual([found('.*'), found('&')], [[], ['518204736']]));
  it('may find nothing', () => assert.deepEqual(found('nobody'), []));
});

describe('The order of the sidebar', () => {
  const rows = [row('30', 'beta'), row('4'), row('200', 'Alpha'), row('1', 'item 10'), row('2', 'item 9')];

  it('is that of the lists by default', () => assert.deepEqual(ids(sortRows(rows, 'listed', 'en')), ids(rows)));

  it('by name sorts rows without a name last and numbers by value', () => {
    assert.deepEqual(ids(sortRows(rows, 'name', 'en')), ['200', '30', '2', '1', '4']);
  });

  it('by name sorts rows without one by their IDs, after all others', () => {
    const some = [row('30'), row('7', 'zebra'), row('4'), row('5')];
    assert.deepEqual(ids(sortRows(some, 'name', 'en')), ['7', '4', '5', '30']);
  });

  it('by ID sorts numbers by value', () => {
    assert.deepEqual(ids(sortRows(rows, 'id', 'en')), ['1', '2', '4', '30', '200']);
  });

  it('by recent activity sorts the newest first, and rows without any last, as listed', () => {
    const times: Record<string, number> = { 4: 20, 1: 30, 2: 20 };
    const timed = rows.map((one) => ({ ...one, lastTime: times[one.id] }));
    assert.deepEqual(ids(sortRows(timed, 'recent', 'en')), ['1', '4', '2', '30', '200']);
  });

  it("doesn't change the given rows", () => {
    sortRows(rows, 'id', 'en');
    assert.equal(rows[0]?.id, '30');
  });
});

describe('The question for a filter', () => {
  let used: string[];
  let asked: Promise<void>;
  let input: ReturnType<typeof onInputBox>;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    used = [];
    input = onInputBox();
    asked = askFilter('tea', (filter) => used.push(filter));
  });
  afterEach(() => {
    mock.timers.reset();
    restore();
  });

  it('begins with the present filter, and stays while the user clicks a row', async () => {
    assert.equal(input.box.title, 'Filter by Name or ID');
    assert.equal(input.box.value, 'tea');
    assert.equal(input.box.ignoreFocusOut, true);
    input.escape();
    await asked;
  });

  it('filters as soon as typing pauses, and by what is there when Enter is pressed', async () => {
    input.type(' sho');
    mock.timers.tick(149);
    input.type(' shop ');
    mock.timers.tick(149);
    assert.deepEqual(used, []);
    mock.timers.tick(1);
    assert.deepEqual(used, ['shop']);
    input.type('shop 2 ');
    await input.enter();
    await asked;
    mock.timers.tick(1_000);
    assert.deepEqual(used, ['shop', 'shop 2']);
  });

  it('brings back the filter before on Escape', async () => {
    input.type('shop');
    input.escape();
    await asked;
    mock.timers.tick(1_000);
    assert.deepEqual(used, ['tea']);
  });
});

describe('The question for an order', () => {
  afterEach(restore);

  it('offers all orders, and ticks the present one', async () => {
    const shown = pick('By ID');
    assert.equal(await askOrder('name'), 'id');
    assert.deepEqual(shown, [
      'As listed | the order in Settings, which you change by dragging',
      '$(check) By name',
      'By ID',
      'By recent activity | the last message known from watching or from its history',
    ]);
    pick(undefined);
    assert.equal(await askOrder('name'), undefined);
  });
});

describe('The position of dropped rows', () => {
  const listed = ['a', 'b', 'c', 'd', 'e'];
  const position = (dropped: string[], target: string) => dropTarget(listed, new Set(dropped), target);

  it('is before the target when they come from below', () => assert.equal(position(['d'], 'b'), 'b'));
  it('is after the target when they come from above', () => assert.equal(position(['a'], 'c'), 'd'));
  it('is the end when they are dropped on the last row from above', () =>
    assert.equal(position(['b'], 'e'), undefined));
  it('depends on the first of several', () => assert.equal(position(['a', 'd'], 'c'), 'e'));
  it('skips the dropped rows', () => assert.equal(position(['c', 'd'], 'c'), 'e'));

  it('is never before a dropped row', () => {
    fc.assert(
      fc.property(fc.subarray(listed, { minLength: 1 }), fc.constantFrom(...listed), (dropped, target) => {
        const at = position(dropped, target);
        return at === undefined || !dropped.includes(at);
      }),
    );
  });
});
