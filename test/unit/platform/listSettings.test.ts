import assert from 'node:assert/strict';
import { workspace } from 'vscode';
import { addEntries, nudgeIds, removeIds, restoreIds, setLabel } from '../../../src/platform/idLists.ts';
import { ListSettings } from '../../../src/platform/listSettings.ts';
import { configure, configureWorkspace, written } from '../test-service.ts';

const NAMES = ['groups', 'bots', 'people'];
const service = {};
const sandbox = { sandbox: { group: ['1', '2', '3'], bot: ['9'], user: [], token: () => undefined } };
const set = (...ids: string[]) => new Set(ids);

/** Counts the changes of settings while `work` runs. */
async function changesDuring(work: () => Promise<unknown>): Promise<string[]> {
  const changes: string[] = [];
  const listening = workspace.onDidChangeConfiguration((event) => {
    changes.push(...NAMES.filter((name) => event.affectsConfiguration(`botChats.${name}`)));
  });
  await work();
  listening.dispose();
  return changes;
}

const settings = new ListSettings();

describe('The lists in settings', () => {
  afterEach(async () => {
    await configure(Object.fromEntries(NAMES.map((name) => [name, undefined])));
    for (const name of NAMES) await configureWorkspace(name, undefined);
  });

  it('are read from workspace and user settings, for each kind', async () => {
    await configure({ groups: ['u', { id: 'w', label: 'User’s' }, 5], people: [{ id: 'p', label: 'Paul' }] });
    await configureWorkspace('groups', [{ id: 'w', label: 'Workspace’s' }]);
    assert.deepEqual(settings.read('group', service), {
      entries: [
        { id: 'w', label: 'Workspace’s', scope: 'workspace' },
        { id: 'u', scope: 'user' },
      ],
      unusable: [5],
    });
    assert.deepEqual(settings.read('user', service).entries, [{ id: 'p', label: 'Paul', scope: 'user' }]);
    assert.deepEqual(settings.read('bot', service), { entries: [], unusable: [] });
    assert.deepEqual(settings.chats(service), [
      { kind: 'group', id: 'w' },
      { kind: 'group', id: 'u' },
      { kind: 'user', id: 'p' },
    ]);
  });

  it('have the names that the user gave, which the lists of the sandbox have not', async () => {
    await configure({ groups: ['u', { id: 'w', label: 'Web' }], bots: [{ id: '9', label: 'Desk' }] });
    assert.deepEqual(settings.labels(), [
      { kind: 'group', id: 'w', label: 'Web' },
      { kind: 'bot', id: '9', label: 'Desk' },
    ]);
  });

  it('are written in both scopes by a removal, and by undoing it', async () => {
    await configure({ bots: ['a', 'b', 3] });
    await configureWorkspace('bots', ['c', { id: 'a', label: 'A' }]);
    const { before, after } = await settings.edit('bot', service, (lists) => removeIds(lists, set('a', 'b')));
    assert.deepEqual(written('bots'), { workspace: ['c'], user: [3] });
    assert.deepEqual(after, written('bots'));
    await settings.edit('bot', service, (lists) => restoreIds(lists, before));
    assert.deepEqual(written('bots'), { workspace: ['c', { id: 'a', label: 'A' }], user: ['a', 'b', 3] });
  });

  it('are written only if an edit changes them', async () => {
    await configure({ groups: ['a'] });
    const changes = await changesDuring(async () => {
      await settings.edit('group', service, (lists) => removeIds(lists, set('x')));
      await settings.edit('group', sandbox, (lists) => nudgeIds(lists, set('a'), -1));
      await settings.edit('bot', sandbox, (lists) => addEntries(lists, [{ id: '9' }]));
      await settings.edit('user', service, (lists) => addEntries(lists, [{ id: 'b' }]));
    });
    assert.deepEqual(changes, ['people']);
    assert.deepEqual(written('bots'), { workspace: undefined, user: undefined });
  });

  it('keep all of several concurrent edits', async () => {
    await configure({ groups: ['a', 'b', 'c', 'd', 'e'] });
    const ids = Array.from({ length: 4 }, (_, index) => `new${index}`);
    await Promise.all([
      ...[1, 2, 3].map(() => settings.edit('group', service, (lists) => nudgeIds(lists, set('a'), 1))),
      ...ids.map((id) => settings.edit('group', service, (lists) => addEntries(lists, [{ id }]))),
      ...ids.map((id) => settings.edit('user', service, (lists) => addEntries(lists, [{ id }]))),
      settings.edit('group', service, (lists) => removeIds(lists, set('b', 'new3'))),
    ]);
    const others = ids.filter((id) => id !== 'new3');
    assert.deepEqual(written('groups').user, ['c', 'd', 'a', 'e', ...others]);
    assert.deepEqual(written('people').user, ids);
  });

  it('accept edits after a failed one', async () => {
    const failure = new Error('no');
    const failing = settings.edit('group', service, () => {
      throw failure;
    });
    const next = settings.edit('group', service, (lists) => addEntries(lists, [{ id: 'a' }]));
    await assert.rejects(failing, failure);
    await next;
    assert.deepEqual(written('groups').user, ['a']);
  });

  it('default to the sandbox lists, which the first edit writes in full', async () => {
    assert.deepEqual(
      settings.read('group', sandbox).entries.map(({ id }) => id),
      ['1', '2', '3'],
    );
    await settings.edit('group', sandbox, (lists) => setLabel(lists, '2', 'Two'));
    assert.deepEqual(written('groups'), { workspace: undefined, user: ['1', { id: '2', label: 'Two' }, '3'] });
  });

  it('stay empty after all sandbox entries are removed', async () => {
    await settings.edit('bot', sandbox, (lists) => removeIds(lists, set('9')));
    assert.deepEqual(written('bots'), { workspace: undefined, user: [] });
    assert.deepEqual(settings.read('bot', sandbox).entries, []);
  });

  it('replace the sandbox list if any scope has one', async () => {
    await configureWorkspace('groups', []);
    assert.deepEqual(settings.inScopes('group', sandbox), { workspace: [], user: undefined });
  });
});
