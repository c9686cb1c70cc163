import assert from 'node:assert/strict';
import {
  addMembers,
  removeAudience,
  removeMembers,
  renameAudience,
  restoreAudience,
  setMembers,
} from '../../../src/platform/audienceEdits.ts';
import type { Chat } from '../../../src/service/model.ts';

const group = (id: string): Chat => ({ kind: 'group', id });
const user = (id: string): Chat => ({ kind: 'user', id });

describe('Editing audiences', () => {
  it('adds members that an audience does not have, after the others', () => {
    const values = { a: { groups: [518204736, ' big '], people: ['7'], note: 1 }, b: 7 };
    assert.deepEqual(addMembers({ user: values }, 'a', [user('8'), group('518204736'), group('big'), user('8')]), {
      user: { a: { groups: [518204736, ' big '], people: ['7', '8'], note: 1 }, b: 7 },
    });
  });

  it('creates an audience in the user settings', () => {
    const created = { groups: ['1'], people: ['2'] };
    for (const values of [undefined, null, [], 'audiences'])
      assert.deepEqual(addMembers({ user: values }, 'new', [user('2'), group('1')]), { user: { new: created } });
    assert.deepEqual(addMembers({ workspace: { a: {} }, user: { b: 7 } }, 'new', [user('2'), group('1')]), {
      workspace: { a: {} },
      user: { b: 7, new: created },
    });
  });

  it('edits an audience where it is defined', () => {
    const settings = { workspace: { a: { groups: ['1'] } }, user: { b: { groups: ['2'] } } };
    assert.deepEqual(addMembers(settings, 'a', [group('3')]).workspace, { a: { groups: ['1', '3'] } });
    assert.equal(addMembers(settings, 'a', [group('3')]).user, settings.user);
    assert.deepEqual(removeMembers(settings, 'b', [group('2')]).user, { b: { groups: [] } });
    assert.deepEqual(setMembers(settings, 'a', [user('4')]).workspace, { a: { groups: [], people: ['4'] } });
    assert.deepEqual(addMembers({ user: { a: { groups: 'x' } } }, 'a', [group('3')]).user, { a: { groups: ['3'] } });
  });

  it('edits the list that counts if two scopes define the same audience', () => {
    const settings = { workspace: { a: { people: ['1'] } }, user: { a: { groups: ['2'], people: ['3'] } } };
    assert.deepEqual(addMembers(settings, 'a', [group('4'), user('5')]), {
      workspace: { a: { people: ['1', '5'] } },
      user: { a: { groups: ['2', '4'], people: ['3'] } },
    });
  });

  it('removes members however they are written, and nothing else', () => {
    const settings = { user: { a: { groups: [1, ' 1 ', '１', null, '2'], people: ['1'] } } };
    assert.equal(addMembers(settings, 'a', [group('1')]), settings);
    assert.deepEqual(removeMembers(settings, 'a', [group('1')]).user, { a: { groups: [null, '2'], people: ['1'] } });
  });

  it('keeps settings that nothing changes in', () => {
    const settings = { workspace: { a: { groups: ['1'] } }, user: { a: { people: 'x' } } };
    assert.equal(addMembers(settings, 'a', [group('1')]), settings);
    assert.equal(removeMembers(settings, 'a', [group('2'), user('1')]), settings);
    assert.equal(removeMembers(settings, 'nosuch', [group('1')]), settings);
    assert.equal(removeAudience(settings, 'nosuch'), settings);
  });

  it('renames an audience in its place, in every scope', () => {
    const renamed = renameAudience({ workspace: { a: 1, b: 2 }, user: { b: 3, c: 4 } }, 'b', 'B');
    assert.equal(JSON.stringify(renamed), '{"workspace":{"a":1,"B":2},"user":{"B":3,"c":4}}');
  });

  it('removes an audience from every scope, and restores it in its place among later ones', () => {
    const before = { workspace: { b: 2 }, user: { a: 1, b: { groups: ['x'] }, c: 3 } };
    const after = removeAudience(before, 'b');
    assert.deepEqual(after, { workspace: {}, user: { a: 1, c: 3 } });
    const restored = restoreAudience(addMembers(after, 'd', []), before, 'b');
    assert.deepEqual(restored.workspace, { b: 2 });
    assert.deepEqual(Object.keys(restored.user ?? {}), ['a', 'b', 'c', 'd']);
  });

  it('restores nothing over an audience that got the same name', () => {
    const before = { user: { a: { groups: ['1'] } } };
    const now = { user: { a: { people: ['2'] } } };
    assert.equal(restoreAudience(now, before, 'a'), now);
  });

  it('takes any name, and pollutes no prototype', () => {
    for (const name of ['__proto__', 'constructor', 'toString', '[x](command:y)', 'n'.repeat(10_000)]) {
      const added = addMembers({}, name, [group('1')]);
      assert.deepEqual(Object.entries(added.user ?? {}), [[name, { groups: ['1'], people: [] }]]);
      assert.deepEqual(Object.entries(removeAudience(added, name).user ?? {}), []);
    }
    assert.equal(Object.hasOwn(Object.prototype, 'groups'), false);
  });
});
