import assert from 'node:assert/strict';
import { commands, Uri } from 'vscode';
import manifest from '../../../package.json' with { type: 'json' };
import { ARGUMENTS, Commands } from '../../../src/platform/commands.ts';
import { restore } from '../answers.ts';

describe('The table of commands', () => {
  it('has every command of the manifest, and no other', () => {
    const contributed = manifest.contributes.commands.map(({ command }) => command.replace('botChats.', ''));
    assert.deepEqual(Object.keys(ARGUMENTS).toSorted(), contributed.toSorted());
  });
});

describe('A command', () => {
  let errors: unknown[];
  let registry: Commands;
  beforeEach(() => {
    errors = [];
    registry = new Commands((error) => void errors.push(error));
  });
  afterEach(restore);

  /** What a command is given when VS Code calls it with these arguments. */
  async function given(name: keyof typeof ARGUMENTS, ...args: unknown[]): Promise<unknown[]> {
    let seen: unknown[] = [];
    const disposable = registry.register(name, async (...all: unknown[]) => {
      seen = all;
    });
    await commands.executeCommand(`botChats.${name}`, ...args);
    disposable.dispose();
    return seen;
  }

  it('gets the arguments that it takes, and none of those that VS Code adds', async () => {
    const file = Uri.file('/a.md');
    assert.deepEqual(await given('preview', file, [file], 'more'), [file, [file]]);
    assert.deepEqual(await given('refresh', 'more'), []);
    assert.deepEqual(await given('lookUp', { kind: 'user', id: '7' }), [{ kind: 'user', id: '7' }]);
  });

  it('gets a row as it is, for its view to compare', async () => {
    const row = { type: 'chat', kind: 'group', id: '1' };
    const [clicked, selected] = await given('openHistory', row, [row]);
    assert.equal(clicked, row);
    assert.equal((selected as unknown[])[0], row);
  });

  it('gets the ID of a delivery, by itself or of a row', async () => {
    const id = '176000000000000-abcd1234';
    assert.deepEqual(await given('openReport', id), [id, undefined]);
    assert.deepEqual(await given('openReport', { id, type: 'delivery' }, [{ id }]), [id, [id]]);
  });

  it('gets nothing in place of an argument that does not fit', async () => {
    for (const wrong of [null, 7, 'remark', {}, { message: 7 }, [{ message: 'remark' }]]) {
      assert.deepEqual(await given('copyMessage', wrong), [undefined]);
    }
    for (const wrong of ['../secret', { id: 'act-0' }, 7]) {
      assert.deepEqual(await given('openReport', wrong), [undefined, undefined]);
    }
    for (const wrong of [{ kind: 'user' }, { kind: 'cat', id: '7' }, { kind: 'user', id: 'a b' }]) {
      assert.deepEqual(await given('lookUp', wrong), [undefined]);
    }
  });

  it('has its failure shown', async () => {
    const failure = new Error('no');
    const disposable = registry.register('refresh', async () => {
      throw failure;
    });
    await commands.executeCommand('botChats.refresh');
    disposable.dispose();
    assert.deepEqual(errors, [failure]);
  });
});
