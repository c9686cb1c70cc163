import assert from 'node:assert/strict';
import { Range, Uri, WorkspaceEdit, workspace } from 'vscode';
import { Audiences } from '../../src/platform/audiences.ts';
import {
  addEntries,
  type Lists,
  moveIds,
  nudgeIds,
  removeIds,
  restoreIds,
  setLabel,
} from '../../src/platform/idLists.ts';
import { ListSettings } from '../../src/platform/listSettings.ts';
import { configure, configureWorkspace, written } from '../unit/test-service.ts';

const NAMES = ['groups', 'bots', 'people'];
const service = {};
const sandbox = { sandbox: { group: ['1', '2', '3'], bot: ['9'], user: [], token: () => undefined } };
const set = (...ids: string[]) => new Set(ids);

/** Counts what is written to the settings while `work` is going on. */
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

describe('The lists in the settings', () => {
  afterEach(async () => {
    await configure(Object.fromEntries(NAMES.map((name) => [name, undefined])));
    for (const name of NAMES) await configureWorkspace(name, undefined);
  });

  it('are read from the workspace and the user, one for each kind', async () => {
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
  });

  it('are written in the scope that holds an entry, and in no other', async () => {
    await configure({ groups: ['u1', 3, 'u2'] });
    await configureWorkspace('groups', ['w1', null, { id: 'w2', team: 7 }]);
    await settings.edit('group', service, (lists) => setLabel(lists, 'w2', 'Two'));
    assert.deepEqual(written('groups'), {
      workspace: ['w1', null, { id: 'w2', team: 7, label: 'Two' }],
      user: ['u1', 3, 'u2'],
    });
    await settings.edit('group', service, (lists) => nudgeIds(lists, set('u2'), -1));
    await settings.edit('group', service, (lists) => moveIds(lists, set('w1'), undefined));
    assert.deepEqual(written('groups'), {
      workspace: [{ id: 'w2', team: 7, label: 'Two' }, null, 'w1'],
      user: ['u2', 3, 'u1'],
    });
    await settings.edit('group', service, (lists) => addEntries(lists, [{ id: 'w1' }, { id: 'u3', label: 'Three' }]));
    await settings.edit('group', service, (lists) => setLabel(lists, 'w2', ''));
    assert.deepEqual(written('groups'), {
      workspace: [{ id: 'w2', team: 7 }, null, 'w1'],
      user: ['u2', 3, 'u1', { id: 'u3', label: 'Three' }],
    });
  });

  it('are both written by a removal, and by taking it back', async () => {
    await configure({ bots: ['a', 'b', 3] });
    await configureWorkspace('bots', ['c', { id: 'a', label: 'A' }]);
    const { before, after } = await settings.edit('bot', service, (lists) => removeIds(lists, set('a', 'b')));
    assert.deepEqual(written('bots'), { workspace: ['c'], user: [3] });
    assert.deepEqual(after, written('bots'));
    await settings.edit('bot', service, (lists) => restoreIds(lists, before));
    assert.deepEqual(written('bots'), { workspace: ['c', { id: 'a', label: 'A' }], user: ['a', 'b', 3] });
  });

  it('begin in the user’s settings, or go on in the workspace’s where only those have one', async () => {
    await configureWorkspace('bots', ['w']);
    for (const kind of ['group', 'bot'] as const)
      await settings.edit(kind, service, (lists) => addEntries(lists, [{ id: 'a' }]));
    assert.deepEqual(written('groups'), { workspace: undefined, user: ['a'] });
    assert.deepEqual(written('bots'), { workspace: ['w', 'a'], user: undefined });
  });

  it('are written only by an edit that changes them', async () => {
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

  it('lose none of several edits at once', async () => {
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

  it('are edited as they stand when the turn of an edit has come', async () => {
    const seen: Lists[] = [];
    const look = (lists: Lists) => {
      seen.push(lists);
      return lists;
    };
    await Promise.all([
      settings.edit('group', service, (lists) => addEntries(lists, [{ id: 'a' }])),
      settings.edit('group', service, look),
    ]);
    assert.deepEqual(seen, [{ workspace: undefined, user: ['a'] }]);
  });

  it('are still edited after an edit that failed', async () => {
    const failure = new Error('no');
    const failing = settings.edit('group', service, () => {
      throw failure;
    });
    const next = settings.edit('group', service, (lists) => addEntries(lists, [{ id: 'a' }]));
    await assert.rejects(failing, failure);
    await next;
    assert.deepEqual(written('groups').user, ['a']);
  });

  it('say why they cannot be written, and can be once that is mended', async () => {
    await configureWorkspace('groups', ['w']);
    const [folder] = workspace.workspaceFolders ?? [];
    assert(folder);
    const file = await workspace.openTextDocument(Uri.joinPath(folder.uri, '.vscode/settings.json'));
    const sound = file.getText();
    await rewrite(file.uri, `${sound} }`);
    const add = () => settings.edit('group', service, (lists) => addEntries(lists, [{ id: 'a' }]));
    try {
      await assert.rejects(add, /settings/i);
      assert.deepEqual(written('groups'), { workspace: ['w'], user: undefined });
    } finally {
      await rewrite(file.uri, sound);
    }
    await add();
    assert.deepEqual(written('groups'), { workspace: ['w', 'a'], user: undefined });
  });

  it('are those of the sandbox where nothing is set, and are written down whole by the first edit', async () => {
    assert.deepEqual(
      settings.read('group', sandbox).entries.map(({ id }) => id),
      ['1', '2', '3'],
    );
    await settings.edit('group', sandbox, (lists) => setLabel(lists, '2', 'Two'));
    assert.deepEqual(written('groups'), { workspace: undefined, user: ['1', { id: '2', label: 'Two' }, '3'] });
  });

  it('stay empty when the sandbox’s own are all removed', async () => {
    await settings.edit('bot', sandbox, (lists) => removeIds(lists, set('9')));
    assert.deepEqual(written('bots'), { workspace: undefined, user: [] });
    assert.deepEqual(settings.read('bot', sandbox).entries, []);
  });

  it('are not the sandbox’s where any scope has one', async () => {
    await configureWorkspace('groups', []);
    assert.deepEqual(settings.inScopes('group', sandbox), { workspace: [], user: undefined });
  });
});

describe('The audiences in the settings', () => {
  it('are those of the user and those of the workspace', async () => {
    await configure({ audiences: { customers: { groups: ['1'] } } });
    await configureWorkspace('audiences', { team: { people: ['2'] } });
    try {
      assert.deepEqual(Object.fromEntries(new Audiences().read().audiences), {
        customers: [{ type: 'group', id: '1' }],
        team: [{ type: 'user', id: '2' }],
      });
    } finally {
      await configure({ audiences: undefined });
      await configureWorkspace('audiences', undefined);
    }
  });
});

/** Replaces a file's text and saves it as a person does, so that VS Code reads it again. */
async function rewrite(uri: Uri, text: string): Promise<void> {
  const document = await workspace.openTextDocument(uri);
  const edit = new WorkspaceEdit();
  edit.replace(uri, new Range(0, 0, document.lineCount, 0), text);
  await workspace.applyEdit(edit);
  await document.save();
}
