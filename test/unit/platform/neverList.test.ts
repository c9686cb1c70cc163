import assert from 'node:assert/strict';
import { addNever, NeverList, parseNever, removeNever } from '../../../src/platform/neverList.ts';
import type { Chat } from '../../../src/service/model.ts';
import { configure, written } from '../test-service.ts';

const group = (id: string): Chat => ({ kind: 'group', id });
const user = (id: string): Chat => ({ kind: 'user', id });
const read = (setting: unknown) => {
  const { notes, unusable } = parseNever(setting);
  return { notes: Object.fromEntries(notes), unusable };
};

describe('The Do Not Send list in a setting', () => {
  it('has groups and people, each with a note if there is one', () => {
    const people = ['7', { id: ' 8 ', note: ' asked to stop ' }, { id: 9 }, 10];
    assert.deepEqual(read({ groups: ['7'], people }), {
      notes: { 'group 7': '', 'user 7': '', 'user 8': 'asked to stop', 'user 9': '', 'user 10': '' },
      unusable: [],
    });
    for (const empty of [undefined, {}, { groups: [] }]) assert.deepEqual(read(empty), { notes: {}, unusable: [] });
  });

  it('has an ID however it’s written, as in a file', () => {
    for (const id of ['７１０２６４９', '#7102649', 'Ann (7102649)'])
      for (const entry of [id, { id, note: '' }])
        assert.deepEqual(read({ people: [entry] }), { notes: { 'user 7102649': '' }, unusable: [] }, id);
    for (const id of ['Ann', '07102649', 'oc_5f.a'])
      assert.deepEqual(read({ people: [id] }).notes, { [`user ${id}`]: '' });
  });

  it('has no ID that isn’t clearly one', () => {
    for (const entry of [
      '7102649,7058315',
      '7102649.0',
      '710\u200B2649',
      '7102649 Ann',
      'https://a.example/7102649',
      '',
    ])
      assert.deepEqual(read({ people: [entry] }), { notes: {}, unusable: [entry] }, entry);
  });

  it('keeps the note of who is listed twice', () => {
    const people = ['7', { id: '7', note: 'first' }, { id: '7', note: 'second' }];
    assert.deepEqual(read({ people }).notes, { 'user 7': 'first' });
  });

  it('is never shorter for what can’t be read: all of that is told', () => {
    const setting = { groups: 'big', people: ['7', 'a b', { id: '8', why: '' }, null, 2 ** 53], persons: ['9'] };
    assert.deepEqual(read(setting), {
      notes: { 'user 7': '' },
      unusable: ['persons', { groups: 'big' }, 'a b', { id: '8', why: '' }, null, 2 ** 53],
    });
    for (const other of [null, ['7'], 'user 7', 7]) assert.deepEqual(read(other).unusable, [other]);
    assert.deepEqual(read({ people: null }).unusable, [{ people: null }]);
  });

  it('is edited without losing anything else in it', () => {
    const setting = { groups: ['1', { bad: true }], people: [{ id: '7', note: 'old' }], other: 1 };
    const added = addNever(setting, [user('7'), user('8'), group('1')], ' why ');
    assert.deepEqual(added, {
      groups: [{ id: '1', note: 'why' }, { bad: true }],
      people: [
        { id: '7', note: 'why' },
        { id: '8', note: 'why' },
      ],
      other: 1,
    });
    assert.deepEqual(removeNever(added, [user('7'), group('1')]), {
      groups: [{ bad: true }],
      people: [{ id: '8', note: 'why' }],
      other: 1,
    });
    assert.deepEqual(addNever(undefined, [user('7')], ''), { people: ['7'] });
    assert.deepEqual(removeNever({ people: ['7', { id: 7, note: 'twice' }, '７'] }, [user('7')]), { people: [] });
    assert.deepEqual(addNever({ people: ['７', 'a b'], groups: null }, [user('7')], ''), {
      people: ['7', 'a b'],
      groups: null,
    });
    assert.equal(addNever('everybody', [user('7')], ''), 'everybody');
  });
});

describe('The Do Not Send list', () => {
  afterEach(() => configure({ 'sending.never': undefined }));

  it('is added to and shortened in the user settings', async () => {
    const list = new NeverList();
    await list.add([user('7')], 'asked to stop');
    await list.add([group('1')]);
    assert.deepEqual(written('sending.never').user, { people: [{ id: '7', note: 'asked to stop' }], groups: ['1'] });
    assert.deepEqual(
      [...list.read().notes],
      [
        ['group 1', ''],
        ['user 7', 'asked to stop'],
      ],
    );
    await list.remove([user('7')]);
    assert.deepEqual([...list.read().notes.keys()], ['group 1']);
    assert.equal(written('sending.never').workspace, undefined);
  });

  it('is read at each use, and parsed only if it has changed', async () => {
    const list = new NeverList();
    await configure({ 'sending.never': { people: ['7', { id: '8', note: 'old' }] } });
    const first = list.read();
    assert.equal(list.read(), first);
    await configure({ 'sending.never': { people: ['7', { id: '8', note: 'new' }] } });
    assert.deepEqual([...list.read().notes.values()], ['', 'new']);
    await configure({ 'sending.never': undefined });
    assert.deepEqual(list.read(), { chats: [], notes: new Map(), unusable: [] });
  });

  it('isn’t overwritten if it holds something else', async () => {
    for (const value of ['7', { people: '7' }, { people: null }]) {
      await configure({ 'sending.never': value });
      assert.equal(new NeverList().isEditable, false);
    }
    await configure({ 'sending.never': { people: ['a b'] } });
    assert.equal(new NeverList().isEditable, true);
    await configure({ 'sending.never': undefined });
    assert.equal(new NeverList().isEditable, true);
  });
});
