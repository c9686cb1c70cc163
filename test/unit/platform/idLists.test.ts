import assert from 'node:assert/strict';
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

/** What no entry can be read from. */
const junk = [3, null, true, '', '  ', [], ['a'], {}, { id: '' }, { id: 7 }, { label: 'Anna' }];

describe('Lists', () => {
  it('are read as IDs and IDs with labels, trimmed', () => {
    const user = [
      ' a ',
      { id: ' b', label: ' Anna ' },
      { id: 'c', label: '' },
      { id: 'd', label: 5 },
      { id: 'e', x: 1 },
    ];
    assert.deepEqual(readLists({ user }), {
      entries: [
        { id: 'a', scope: 'user' },
        { id: 'b', label: 'Anna', scope: 'user' },
        { id: 'c', scope: 'user' },
        { id: 'd', scope: 'user' },
        { id: 'e', scope: 'user' },
      ],
      unusable: [],
    });
  });

  it('have the workspace’s entries first, then the user’s others, an ID once with the label of its first place', () => {
    const lists = {
      user: ['u', { id: 'w', label: 'User’s' }, 'u'],
      workspace: ['v', { id: 'w', label: 'Workspace’s' }],
    };
    assert.deepEqual(readLists(lists).entries, [
      { id: 'v', scope: 'workspace' },
      { id: 'w', label: 'Workspace’s', scope: 'workspace' },
      { id: 'u', scope: 'user' },
    ]);
    const bare = { user: [{ id: 'a', label: 'Anna' }], workspace: ['a'] };
    assert.deepEqual(readLists(bare).entries, [{ id: 'a', scope: 'workspace' }]);
  });

  it('name what is no entry as it stands', () => {
    assert.deepEqual(readLists({ user: [...junk, 'a'], workspace: [0] }), {
      entries: [{ id: 'a', scope: 'user' }],
      unusable: [0, ...junk],
    });
  });

  it('take a setting that is no list for its only entry', () => {
    assert.deepEqual(readLists({ user: 'a', workspace: { id: 'b', label: 'Bea' } }).entries, [
      { id: 'b', label: 'Bea', scope: 'workspace' },
      { id: 'a', scope: 'user' },
    ]);
    assert.deepEqual(readLists({ user: 5 }), { entries: [], unusable: [5] });
    assert.deepEqual(readLists({}), { entries: [], unusable: [] });
  });
});

/** An edit, the lists before it and those after it. */
type Case = [what: string, edit: (lists: Lists) => Lists, before: Lists, after: Lists];

function table(cases: Case[]): void {
  for (const [what, edit, before, after] of cases) {
    it(what, () => {
      const original = structuredClone(before);
      const edited = edit(before);
      assert.deepEqual(edited, after);
      assert.deepEqual(before, original);
      // Whoever writes the scopes that have become others must not write the rest.
      for (const scope of SCOPES) {
        const isChanged = JSON.stringify(after[scope]) !== JSON.stringify(original[scope]);
        assert.equal(edited[scope] !== before[scope], isChanged, scope);
      }
      assert.equal(edited === before, JSON.stringify(after) === JSON.stringify(original));
    });
  }
}

describe('Adding to lists', () => {
  const add =
    (...entries: { id: string; label?: string }[]) =>
    (lists: Lists) =>
      addEntries(lists, entries);
  table([
    ['begins the user’s list', add({ id: 'a' }), {}, { user: ['a'] }],
    ['appends', add({ id: 'c' }, { id: 'b' }), { user: ['a', 3] }, { user: ['a', 3, 'c', 'b'] }],
    [
      'writes down labels, but no empty ones',
      add({ id: ' a ', label: ' Anna ' }, { id: 'b', label: ' ' }),
      {},
      { user: [{ id: 'a', label: 'Anna' }, 'b'] },
    ],
    [
      'goes to the user’s list where both are set',
      add({ id: 'a' }),
      { user: [], workspace: ['w'] },
      { user: ['a'], workspace: ['w'] },
    ],
    ['goes to the workspace’s list where only that is set', add({ id: 'a' }), { workspace: [] }, { workspace: ['a'] }],
    [
      'leaves what is listed in any scope',
      add({ id: 'w', label: 'W' }, { id: 'u' }),
      { user: [{ id: 'u', label: 'U' }], workspace: ['w'] },
      { user: [{ id: 'u', label: 'U' }], workspace: ['w'] },
    ],
    [
      'takes what is given twice once',
      add({ id: 'a', label: 'A' }, { id: ' a' }),
      {},
      { user: [{ id: 'a', label: 'A' }] },
    ],
    ['takes no empty ID', add({ id: '' }, { id: ' ' }), {}, {}],
    ['makes a list of what is none', add({ id: 'b' }), { user: 'a' }, { user: ['a', 'b'] }],
  ]);
});

describe('Removing from lists', () => {
  const remove =
    (...ids: string[]) =>
    (lists: Lists) =>
      removeIds(lists, set(...ids));
  table([
    [
      'takes an ID from every scope, in every form',
      remove('a'),
      { user: ['b', ' a', { id: 'a', label: 'A' }], workspace: ['a'] },
      { user: ['b'], workspace: [] },
    ],
    ['keeps what is no entry', remove('a', '3', ''), { user: [...junk, 'a'] }, { user: junk }],
    ['does nothing with an ID that is not listed', remove('x'), { user: 'a' }, { user: 'a' }],
    ['leaves an empty list', remove('a'), { user: 'a' }, { user: [] }],
  ]);
});

describe('Labelling in lists', () => {
  const label = (id: string, text?: string) => (lists: Lists) => setLabel(lists, id, text);
  table([
    ['gives a label', label('a', ' Anna '), { user: ['b', ' a '] }, { user: ['b', { id: 'a', label: 'Anna' }] }],
    [
      'changes a label and keeps what the entry holds besides',
      label('a', 'New'),
      { user: [{ label: 'Old', id: 'a', team: [1] }] },
      { user: [{ label: 'New', id: 'a', team: [1] }] },
    ],
    ['takes a label away', label('a'), { user: [{ id: 'a', label: 'A' }] }, { user: ['a'] }],
    ['takes an empty label for none', label('a', ' '), { user: [{ id: 'a', label: 'A' }] }, { user: ['a'] }],
    [
      'takes a label away and keeps what the entry holds besides',
      label('a'),
      { user: [{ id: 'a', label: 'A', team: 1 }] },
      { user: [{ id: 'a', team: 1 }] },
    ],
    [
      'labels the ID where it is listed first',
      label('a', 'A'),
      { user: ['a'], workspace: ['b', 'a', 'a'] },
      { user: ['a'], workspace: ['b', { id: 'a', label: 'A' }, 'a'] },
    ],
    [
      'leaves a label that is the same',
      label('a', 'A'),
      { user: [{ id: 'a', label: ' A' }] },
      { user: [{ id: 'a', label: ' A' }] },
    ],
    ['leaves an entry without a label without one', label('a'), { user: [{ id: 'a' }] }, { user: [{ id: 'a' }] }],
    ['does nothing with an ID that is not listed', label('x', 'X'), { user: ['a'] }, { user: ['a'] }],
  ]);
});

describe('Moving in lists', () => {
  const move = (ids: string[], before?: string) => (lists: Lists) => moveIds(lists, set(...ids), before);
  const both = { workspace: ['a', 'b'], user: ['c', 'd'] };
  table([
    [
      'brings entries before another, in their order',
      move(['d', 'b'], 'a'),
      { user: ['a', 'b', 'c', 'd'] },
      { user: ['b', 'd', 'a', 'c'] },
    ],
    ['brings entries to the end', move(['a', 'b']), { user: ['a', 'b', 'c'] }, { user: ['c', 'a', 'b'] }],
    [
      'gathers entries before the next that stays',
      move(['a', 'c'], 'c'),
      { user: ['a', 'b', 'c', 'd'] },
      { user: ['b', 'a', 'c', 'd'] },
    ],
    ['leaves what is there already', move(['a'], 'b'), both, both],
    ['leaves an entry before itself', move(['b'], 'b'), { user: ['a', 'b', 'c'] }, { user: ['a', 'b', 'c'] }],
    ['keeps the workspace’s entries in it, at its end', move(['a'], 'd'), both, { ...both, workspace: ['b', 'a'] }],
    [
      'keeps the user’s entries after the workspace’s, at the beginning',
      move(['d'], 'a'),
      both,
      { ...both, user: ['d', 'c'] },
    ],
    ['moves each in its scope', move(['a', 'c']), both, { workspace: ['b', 'a'], user: ['d', 'c'] }],
    [
      'moves entries as they stand, and nothing else',
      move(['c'], 'a'),
      { user: [1, 'a', null, 'b', ' a', { id: 'c', label: 'C', x: 1 }, {}] },
      { user: [1, { id: 'c', label: 'C', x: 1 }, null, 'a', 'b', ' a', {}] },
    ],
    [
      'moves an ID where it is listed first',
      move(['a']),
      { workspace: ['a', 'b'], user: ['a', 'c'] },
      { workspace: ['b', 'a'], user: ['a', 'c'] },
    ],
    ['moves nothing before what is not listed', move(['a'], 'x'), both, both],
    ['moves nothing that is not listed', move(['x'], 'a'), both, both],
  ]);
});

describe('Nudging in lists', () => {
  const up =
    (...ids: string[]) =>
    (lists: Lists) =>
      nudgeIds(lists, set(...ids), -1);
  const down =
    (...ids: string[]) =>
    (lists: Lists) =>
      nudgeIds(lists, set(...ids), 1);
  table([
    ['goes one step up', up('c'), { user: ['a', 'b', 'c'] }, { user: ['a', 'c', 'b'] }],
    ['goes one step down', down('a'), { user: ['a', 'b', 'c'] }, { user: ['b', 'a', 'c'] }],
    ['carries a block up', up('b', 'c'), { user: ['a', 'b', 'c', 'd'] }, { user: ['b', 'c', 'a', 'd'] }],
    ['carries a block down', down('b', 'c'), { user: ['a', 'b', 'c', 'd'] }, { user: ['a', 'd', 'b', 'c'] }],
    ['carries each of several', up('b', 'd'), { user: ['a', 'b', 'c', 'd'] }, { user: ['b', 'a', 'd', 'c'] }],
    ['leaves a block at the beginning', up('a', 'b'), { user: ['a', 'b', 'c'] }, { user: ['a', 'b', 'c'] }],
    ['leaves a block at the end', down('b', 'c'), { user: ['a', 'b', 'c'] }, { user: ['a', 'b', 'c'] }],
    [
      'leaves those at the end and carries the others',
      down('a', 'd'),
      { user: ['a', 'b', 'c', 'd'] },
      { user: ['b', 'a', 'c', 'd'] },
    ],
    [
      'stays within a scope',
      up('b', 'c'),
      { workspace: ['a', 'b'], user: ['c', 'd'] },
      { workspace: ['b', 'a'], user: ['c', 'd'] },
    ],
    ['passes over what is not shown', up('b'), { user: ['a', 1, 'a', 'b'] }, { user: ['b', 1, 'a', 'a'] }],
    [
      'keeps an entry before its copies',
      down('a'),
      { workspace: ['x', 'w', 'x'], user: ['w', { id: 'a', label: 'A' }, 'a', 1, 'b', 'c'] },
      { workspace: ['x', 'w', 'x'], user: ['w', 'b', { id: 'a', label: 'A' }, 1, 'c', 'a'] },
    ],
    [
      'leaves copies in a scope where nothing moves',
      up('d'),
      { workspace: ['a', 'a', 'b'], user: ['c', 'd'] },
      { workspace: ['a', 'a', 'b'], user: ['d', 'c'] },
    ],
    ['does nothing with an ID that is not listed', up('x'), { user: ['a', 'b'] }, { user: ['a', 'b'] }],
  ]);
});

describe('Restoring lists', () => {
  const to = (before: Lists, ids?: string[]) => (lists: Lists) => restoreIds(lists, before, ids && set(...ids));
  table([
    [
      'brings back what was removed to its place',
      to({ user: ['a', 'b', 'c'] }),
      { user: ['a', 'c'] },
      { user: ['a', 'b', 'c'] },
    ],
    [
      'brings back several, in their order',
      to({ user: ['a', 'b', 'c', 'd'] }),
      { user: ['c'] },
      { user: ['a', 'b', 'c', 'd'] },
    ],
    ['brings back the last', to({ user: ['a'] }), { user: [] }, { user: ['a'] }],
    [
      'brings back to a setting that was taken away',
      to({ user: ['a'], workspace: 'b' }),
      {},
      { user: ['a'], workspace: ['b'] },
    ],
    [
      'brings back every form in every scope as it stood',
      to({ workspace: [1, { id: 'a', label: 'A', x: 1 }], user: ['b', ' a'] }),
      { workspace: [1], user: ['b'] },
      { workspace: [1, { id: 'a', label: 'A', x: 1 }], user: ['b', ' a'] },
    ],
    [
      'finds the place among what is no entry',
      to({ user: [3, 'a', 3, 'b', 3, 'c'] }),
      { user: [3, 3, 3] },
      { user: [3, 'a', 3, 'b', 3, 'c'] },
    ],
    [
      'keeps what was added, moved and labelled since',
      to({ user: ['a', 'b', 'c', 'd'] }),
      { user: ['d', { id: 'b', label: 'B' }, 'a', 'e'] },
      { user: ['d', { id: 'b', label: 'B' }, 'c', 'a', 'e'] },
    ],
    ['puts what comes first before what was added since', to({ user: ['a'] }), { user: ['x'] }, { user: ['a', 'x'] }],
    [
      'leaves what was added again since',
      to({ workspace: ['a'], user: ['b'] }),
      { workspace: [], user: ['b', 'a'] },
      { workspace: [], user: ['b', 'a'] },
    ],
    ['does not bring back what is no entry', to({ user: [3, 'a'] }), { user: [] }, { user: ['a'] }],
    ['brings back only those asked for', to({ user: ['a', 'b', 'c'] }, ['b']), { user: ['c'] }, { user: ['b', 'c'] }],
    ['does nothing where nothing is missing', to({ user: 'a' }), { user: ['b', 'a'] }, { user: ['b', 'a'] }],
  ]);
});
