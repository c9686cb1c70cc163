import assert from 'node:assert/strict';
import {
  addEntries,
  type Lists,
  moveIds,
  nudgeIds,
  readLists,
  removeIds,
  restoreIds,
  setLabel,
} from '../../../src/platform/idLists.ts';

const set = (...ids: string[]) => new Set(ids);

const abc = { user: ['a', 'b', 'c'] };
const abcd = { user: ['a', 'b', 'c', 'd'] };
const both = { workspace: ['a', 'b'], user: ['c', 'd'] };

/** Elements that aren't entries. */
const junk = [3, null, true, '', '  ', [], ['a'], {}, { id: '' }, { id: 7 }, { label: 'Anna' }];

describe('Lists', () => {
  it('contain IDs and labeled IDs, trimmed', () => {
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

  it('start with the workspace’s entries and list each ID once, with its first label', () => {
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

  it('report elements that aren’t entries', () => {
    const long = 'a'.repeat(201);
    assert.deepEqual(readLists({ user: [long] }), { entries: [], unusable: [long] });
    assert.deepEqual(readLists({ user: [...junk, 'a'], workspace: [0] }), {
      entries: [{ id: 'a', scope: 'user' }],
      unusable: [0, ...junk],
    });
  });

  it('treat a setting that isn’t a list as one entry', () => {
    assert.deepEqual(readLists({ user: 'a', workspace: { id: 'b', label: 'Bea' } }).entries, [
      { id: 'b', label: 'Bea', scope: 'workspace' },
      { id: 'a', scope: 'user' },
    ]);
    assert.deepEqual(readLists({ user: 5 }), { entries: [], unusable: [5] });
    assert.deepEqual(readLists({}), { entries: [], unusable: [] });
  });
});

/** A title, an edit, and the lists before and after it. What edits have in common is in `idLists-properties.test.ts`. */
type Case = [what: string, edit: (lists: Lists) => Lists, before: Lists, after: Lists];

function table(cases: Case[]): void {
  for (const [what, edit, before, after] of cases) {
    it(what, () => assert.deepEqual(edit(before), after));
  }
}

describe('Adding entries', () => {
  const add =
    (...entries: { id: string; label?: string }[]) =>
    (lists: Lists) =>
      addEntries(lists, entries);
  table([
    ['creates the user’s list', add({ id: 'a' }), {}, { user: ['a'] }],
    ['appends', add({ id: 'c' }, { id: 'b' }), { user: ['a', 3] }, { user: ['a', 3, 'c', 'b'] }],
    [
      'saves labels except empty ones',
      add({ id: ' a ', label: ' Anna ' }, { id: 'b', label: ' ' }),
      {},
      { user: [{ id: 'a', label: 'Anna' }, 'b'] },
    ],
    [
      'changes the user’s list if both are set',
      add({ id: 'a' }),
      { user: [], workspace: ['w'] },
      { user: ['a'], workspace: ['w'] },
    ],
    ['changes the workspace’s list if only that one is set', add({ id: 'a' }), { workspace: [] }, { workspace: ['a'] }],
    ['skips empty IDs', add({ id: '' }, { id: ' ' }), {}, {}],
    [
      'knows an ID that is written in another way, as in a file',
      add({ id: '7102649' }, { id: '7' }),
      { user: ['７１０２６４９', 'Ann (7)'] },
      { user: ['７１０２６４９', 'Ann (7)', '7'] },
    ],
    ['turns a single value into a list', add({ id: 'b' }), { user: 'a' }, { user: ['a', 'b'] }],
  ]);
});

describe('Removing IDs', () => {
  const remove =
    (...ids: string[]) =>
    (lists: Lists) =>
      removeIds(lists, set(...ids));
  table([['leaves an empty list', remove('a'), { user: 'a' }, { user: [] }]]);
});

describe('Setting a label', () => {
  const label = (id: string, text?: string) => (lists: Lists) => setLabel(lists, id, text);
  const labeled = { user: [{ id: 'a', label: ' A' }] };
  table([
    ['adds a label', label('a', ' Anna '), { user: ['b', ' a '] }, { user: ['b', { id: 'a', label: 'Anna' }] }],
    [
      'changes a label and keeps other properties',
      label('a', 'New'),
      { user: [{ label: 'Old', id: 'a', team: [1] }] },
      { user: [{ label: 'New', id: 'a', team: [1] }] },
    ],
    ['removes a label', label('a'), { user: [{ id: 'a', label: 'A' }] }, { user: ['a'] }],
    ['treats an empty label as none', label('a', ' '), { user: [{ id: 'a', label: 'A' }] }, { user: ['a'] }],
    [
      'removes a label and keeps other properties',
      label('a'),
      { user: [{ id: 'a', label: 'A', team: 1 }] },
      { user: [{ id: 'a', team: 1 }] },
    ],
    [
      'changes the first entry of the ID',
      label('a', 'A'),
      { user: ['a'], workspace: ['b', 'a', 'a'] },
      { user: ['a'], workspace: ['b', { id: 'a', label: 'A' }, 'a'] },
    ],
    ['keeps an equal label', label('a', 'A'), labeled, labeled],
    ['keeps an entry without a label', label('a'), { user: [{ id: 'a' }] }, { user: [{ id: 'a' }] }],
  ]);
});

describe('Moving IDs', () => {
  const toEnd = (lists: Lists) => moveIds(lists, set('a', 'b'), undefined);
  table([['moves entries to the end', toEnd, abc, { user: ['c', 'a', 'b'] }]]);
});

describe('Nudging IDs', () => {
  const up =
    (...ids: string[]) =>
    (lists: Lists) =>
      nudgeIds(lists, set(...ids), -1);
  const down =
    (...ids: string[]) =>
    (lists: Lists) =>
      nudgeIds(lists, set(...ids), 1);
  table([
    ['moves one step up', up('c'), abc, { user: ['a', 'c', 'b'] }],
    ['moves one step down', down('a'), abc, { user: ['b', 'a', 'c'] }],
    ['moves a block up', up('b', 'c'), abcd, { user: ['b', 'c', 'a', 'd'] }],
    ['moves a block down', down('b', 'c'), abcd, { user: ['a', 'd', 'b', 'c'] }],
    ['moves each of several', up('b', 'd'), abcd, { user: ['b', 'a', 'd', 'c'] }],
    ['keeps a block at the beginning', up('a', 'b'), abc, abc],
    ['keeps a block at the end', down('b', 'c'), abc, abc],
    ['keeps an entry at the end and moves the others', down('a', 'd'), abcd, { user: ['b', 'a', 'c', 'd'] }],
    ['stays within a scope', up('b', 'c'), both, { ...both, workspace: ['b', 'a'] }],
    ['skips elements that aren’t shown', up('b'), { user: ['a', 1, 'a', 'b'] }, { user: ['b', 1, 'a', 'a'] }],
    [
      'keeps an entry before its copies',
      down('a'),
      { workspace: ['x', 'w', 'x'], user: ['w', { id: 'a', label: 'A' }, 'a', 1, 'b', 'c'] },
      { workspace: ['x', 'w', 'x'], user: ['w', 'b', { id: 'a', label: 'A' }, 1, 'c', 'a'] },
    ],
    [
      'keeps copies in a scope without moves',
      up('d'),
      { workspace: ['a', 'a', 'b'], user: ['c', 'd'] },
      { workspace: ['a', 'a', 'b'], user: ['d', 'c'] },
    ],
  ]);
});

describe('Restoring IDs', () => {
  const to = (before: Lists, ids?: string[]) => (lists: Lists) => restoreIds(lists, before, ids && set(...ids));
  const again = { workspace: [], user: ['b', 'a'] };
  table([
    ['restores a setting that was removed', to({ user: ['a'], workspace: 'b' }), {}, { user: ['a'], workspace: ['b'] }],
    [
      'keeps entries added, moved and labeled since',
      to({ user: ['a', 'b', 'c', 'd'] }),
      { user: ['d', { id: 'b', label: 'B' }, 'a', 'e'] },
      { user: ['d', { id: 'b', label: 'B' }, 'c', 'a', 'e'] },
    ],
    ['restores the first entry before those added since', to({ user: ['a'] }), { user: ['x'] }, { user: ['a', 'x'] }],
    ['keeps entries added again since', to({ workspace: ['a'], user: ['b'] }), again, again],
    ['doesn’t restore elements that aren’t entries', to({ user: [3, 'a'] }), { user: [] }, { user: ['a'] }],
    ['restores only the given IDs', to(abc, ['b']), { user: ['c'] }, { user: ['b', 'c'] }],
  ]);
});
