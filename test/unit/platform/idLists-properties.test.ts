import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  addEntries,
  type Lists,
  moveIds,
  nudgeIds,
  readLists,
  removeIds,
  restoreIds,
  SCOPES,
  setLabel,
} from '../../../src/platform/idLists.ts';

const set = (...ids: string[]) => new Set(ids);
const shown = (lists: Lists) => readLists(lists).entries.map(({ id }) => id);
const junk = [3, null, true, '', '  ', [], ['a'], {}, { id: '' }, { id: 7 }, { label: 'Anna' }];

describe('Lists of any values', () => {
  const id: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const label = fc.constantFrom('', ' ', 'Anna', ' Ben ');
  const element = fc.oneof<fc.MaybeWeightedArbitrary<unknown>[]>(
    { weight: 6, arbitrary: id },
    id.map((text) => ` ${text}\t`),
    fc.record({ id, label, team: fc.nat(3) }, { requiredKeys: ['id'], noNullPrototype: true }),
    fc.constantFrom(...junk),
  );
  const setting = fc.oneof<fc.MaybeWeightedArbitrary<unknown>[]>(
    { weight: 8, arbitrary: fc.array(element, { maxLength: 10 }) },
    element,
    fc.constant(undefined),
  );
  const lists: fc.Arbitrary<Lists> = fc.record({ workspace: setting, user: setting }, { noNullPrototype: true });
  const ids = fc.uniqueArray(id).map((list) => new Set(list));
  const entry = fc.record({ id: fc.oneof(id, fc.constantFrom(' a', '', 'x')), label }, { requiredKeys: ['id'] });
  const by = fc.constantFrom<(-1 | 1)[]>(-1, 1);

  /** An edit, and the IDs that it may change. */
  const edit: fc.Arbitrary<{ touches: ReadonlySet<string>; run: (lists: Lists) => Lists }> = fc.oneof(
    fc.array(entry).map((list) => ({ touches: set(), run: (from: Lists) => addEntries(from, list) })),
    ids.map((touches) => ({ touches, run: (from: Lists) => removeIds(from, touches) })),
    fc.tuple(id, fc.option(label, { nil: undefined })).map(([one, text]) => ({
      touches: set(one),
      run: (from: Lists) => setLabel(from, one, text),
    })),
    fc.tuple(ids, fc.option(id, { nil: undefined })).map(([some, before]) => ({
      touches: set(),
      run: (from: Lists) => moveIds(from, some, before),
    })),
    fc.tuple(ids, by).map(([some, step]) => ({ touches: set(), run: (from: Lists) => nudgeIds(from, some, step) })),
    fc.tuple(lists, fc.option(ids, { nil: undefined })).map(([before, some]) => ({
      touches: set(),
      run: (from: Lists) => restoreIds(from, before, some),
    })),
  );

  const elements = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
  const idOf = (value: unknown) => readLists({ user: [value] }).entries[0]?.id;
  const isUnusable = (value: unknown) => idOf(value) === undefined;
  const sorted = (values: unknown[]) => values.map((value) => JSON.stringify(value)).toSorted();

  it('keep other entries, and the order of elements that aren’t entries', () =>
    fc.assert(
      fc.property(lists, edit, (before, { touches, run }) => {
        const after = run(before);
        for (const scope of SCOPES) {
          const [had, has] = [elements(before[scope]), elements(after[scope])];
          assert.deepEqual(has.filter(isUnusable), had.filter(isUnusable));
          const left = sorted(has);
          const others = had.filter((value) => !touches.has(idOf(value) ?? ''));
          for (const text of sorted(others)) {
            assert.ok(left.includes(text), text);
            left.splice(left.indexOf(text), 1);
          }
        }
      }),
    ));

  it('keep their identity if nothing changes, and are never mutated', () =>
    fc.assert(
      fc.property(lists, edit, (before, { run }) => {
        const original = structuredClone(before);
        const after = run(before);
        assert.deepEqual(before, original);
        for (const scope of SCOPES) {
          const isAlike = JSON.stringify(elements(after[scope])) === JSON.stringify(elements(before[scope]));
          assert.equal(after[scope] === before[scope], isAlike);
        }
      }),
    ));

  it('get no duplicates by adding', () =>
    fc.assert(
      fc.property(lists, fc.array(entry), (before, entries) => {
        const count = (value: Lists, one: string) =>
          SCOPES.flatMap((scope) => elements(value[scope])).filter((raw) => idOf(raw) === one).length;
        const after = addEntries(before, entries);
        for (const one of entries.map((given) => given.id.trim()).filter(Boolean)) {
          assert.equal(count(after, one), Math.max(1, count(before, one)));
        }
        assert.deepEqual(
          shown(after).filter((one) => shown(before).includes(one)),
          shown(before),
        );
      }),
    ));

  it('don’t contain removed IDs', () =>
    fc.assert(
      fc.property(lists, ids, (before, some) => {
        const left = shown(before).filter((one) => !some.has(one));
        assert.deepEqual(shown(removeIds(before, some)), left);
      }),
    ));

  it('are restored when a removal is undone', () =>
    fc.assert(
      fc.property(lists, ids, (before, some) => {
        const back = restoreIds(removeIds(before, some), before);
        for (const scope of SCOPES) assert.deepEqual(elements(back[scope]), elements(before[scope]));
        assert.deepEqual(readLists(back), readLists(before));
      }),
    ));

  it('keep later edits when a removal is undone', () =>
    fc.assert(
      fc.property(lists, ids, fc.array(entry), ids, by, (before, some, entries, stepping, step) => {
        const since = nudgeIds(addEntries(removeIds(before, some), entries), stepping, step);
        const back = restoreIds(since, before, some);
        const kept = new Set(shown(since));
        assert.deepEqual(new Set(shown(back)), new Set([...kept, ...shown(before)]));
        const order = SCOPES.flatMap((scope) => readLists(back).entries.filter((one) => one.scope === scope));
        assert.deepEqual(
          order.filter((one) => kept.has(one.id)),
          readLists(since).entries,
        );
      }),
    ));

  it('keep the entries of each scope when moving, and put the moved ones together', () =>
    fc.assert(
      fc.property(lists, ids, fc.option(id, { nil: undefined }), by, (before, some, target, step) => {
        for (const after of [moveIds(before, some, target), nudgeIds(before, some, step)]) {
          for (const scope of SCOPES) assert.deepEqual(sorted(elements(after[scope])), sorted(elements(before[scope])));
        }
        const [had, has] = [readLists(before).entries, readLists(moveIds(before, some, target)).entries];
        if (target !== undefined && !shown(before).includes(target)) return assert.deepEqual(has, had);
        const at = target === undefined ? had.length : had.findIndex((one) => one.id === target);
        for (const scope of SCOPES) {
          const inScope = (list: typeof had) => list.filter((one) => one.scope === scope);
          const wanted = [
            ...inScope(had.slice(0, at)).filter((one) => !some.has(one.id)),
            ...inScope(had).filter((one) => some.has(one.id)),
            ...inScope(had.slice(at)).filter((one) => !some.has(one.id)),
          ];
          assert.deepEqual(inScope(has), wanted);
        }
      }),
    ));

  it('are restored when an unobstructed nudge is reversed', () =>
    fc.assert(
      fc.property(lists, ids, by, (before, some, step) => {
        const { entries } = readLists(before);
        const isStopped = SCOPES.some((scope) => {
          const inScope = entries.filter((one) => one.scope === scope);
          return some.has(inScope.at(step < 0 ? 0 : -1)?.id ?? '');
        });
        fc.pre(!isStopped);
        const back = nudgeIds(nudgeIds(before, some, step), some, step < 0 ? 1 : -1);
        assert.deepEqual(readLists(back), readLists(before));
      }),
    ));
});
