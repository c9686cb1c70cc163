import assert from 'node:assert/strict';
import { commands, Uri } from 'vscode';
import manifest from '../../../package.json' with { type: 'json' };
import { ARGUMENTS } from '../../../src/platform/commandArguments.ts';
import { Commands } from '../../../src/platform/commands.ts';
import { errorText } from '../../../src/presentation/errorText.ts';
import { restore } from '../answers.ts';

describe('The table of commands', () => {
  it('has the commands of the manifest and no others', () => {
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

  /** The arguments that a command receives when VS Code passes these. */
  async function given(name: keyof typeof ARGUMENTS, ...args: unknown[]): Promise<unknown[]> {
    let seen: unknown[] = [];
    const disposable = registry.register(name, async (...all: unknown[]) => {
      seen = all;
    });
    await commands.executeCommand(`botChats.${name}`, ...args);
    disposable.dispose();
    return seen;
  }

  it('receives its own arguments without those that VS Code adds', async () => {
    const file = Uri.file('/a.md');
    assert.deepEqual(await given('preview', file, [file], 'more'), [file, [file]]);
    assert.deepEqual(await given('refresh', 'more'), []);
    for (const id of [{ kind: 'user', id: '7' }, { id: '7' }]) assert.deepEqual(await given('lookUp', id), [id]);
  });

  it('receives a tree item by identity', async () => {
    const row = { type: 'chat', kind: 'group', id: '1' };
    const [clicked, selected] = await given('openHistory', row, [row]);
    assert.equal(clicked, row);
    assert.equal((selected as unknown[])[0], row);
  });

  it('receives the selected rows that it can be for', async () => {
    const row = { type: 'chat', kind: 'group', id: '1' };
    const chat = { kind: 'group', id: '1' };
    assert.deepEqual(await given('addToAudience', row, [{ type: 'section', kind: 'group' }, row]), [chat, [chat]]);
    assert.deepEqual(await given('addToAudience', row), [chat, []]);
  });

  it('receives the ID of a delivery, or of its tree item', async () => {
    const id = '176000000000000-abcd1234';
    assert.deepEqual(await given('openReport', id), [id, undefined]);
    assert.deepEqual(await given('openReport', { id, type: 'delivery' }, [{ id }]), [id, [id]]);
  });

  it('receives only the clicked row, if it is for one', async () => {
    const row = { type: 'chat', kind: 'group', id: '1' };
    const delivery = { id: '176000000000000-abcd1234', type: 'delivery' };
    for (const name of ['relabel', 'exportHistory'] as const) assert.deepEqual(await given(name, row, [row]), [row]);
    for (const name of ['editDelivery', 'saveRecipients', 'copyReport', 'copyReportCsv'] as const)
      assert.deepEqual(await given(name, delivery, [delivery]), [delivery.id]);
  });

  it('receives a document or a delivery, if it is for either', async () => {
    const id = '176000000000000-abcd1234';
    const file = Uri.file('/a.md');
    for (const [argument, received] of [
      [file, file],
      [id, id],
      [{ id, type: 'delivery' }, id],
      ['../secret', undefined],
      [{ path: '/a.md' }, undefined],
    ]) {
      assert.deepEqual(await given('compareWithSent', argument, [argument]), [received]);
    }
  });

  it('is for no other row if the one that was clicked is gone, and says so', async () => {
    for (const name of ['remove', 'relabel', 'openHistory', 'deleteDelivery', 'copyReport', 'deleteArchive'] as const) {
      assert.equal((await given(name))[0], undefined, name);
      assert.deepEqual(errors, [], name);
      for (const gone of [undefined, null]) assert.deepEqual(await given(name, gone, gone), [], name);
      assert.deepEqual(errors.splice(0).map(errorText), Array(2).fill('The list is being updated. Try again.'), name);
    }
  });

  it('receives undefined for an invalid argument', async () => {
    const long = '7'.repeat(201);
    const chat = { service: 'https://a.example', kind: 'group', id: '5', botId: '3' };
    const wrongIds = [{ kind: 'user' }, { kind: 'cat', id: '7' }, { kind: 'user', id: 'a b' }];
    for (const [name, wrong, received] of [
      ['copyMessage', [null, 7, 'remark', {}, { message: 7 }, [{ message: 'remark' }]], [undefined]],
      ['openHistory', [7, 'row', true], [undefined, undefined]],
      ['openReport', ['../secret', { id: 'act-0' }, 7], [undefined, undefined]],
      ['relabel', ['row', 7], [undefined]],
      ['lookUp', [...wrongIds, { kind: 'user', id: long }], [undefined]],
      ['openMessage', ['id', 'botId', 'msgId'].map((field) => ({ ...chat, [field]: long })), [undefined]],
    ] as const)
      for (const one of wrong) assert.deepEqual(await given(name, one), received, `${name} ${JSON.stringify(one)}`);
  });

  it('is a method of something that is loaded when it runs', async () => {
    let loads = 0;
    const ran: unknown[] = [];
    class Part {
      readonly #ran = ran;
      refresh() {
        this.#ran.push('refresh');
      }
      relabel(clicked?: object) {
        this.#ran.push(clicked);
      }
    }
    const load = async () => {
      loads++;
      return new Part();
    };
    const registered = registry.registerAll(load, 'refresh', 'relabel');
    assert.equal(loads, 0);
    const row = { id: '1' };
    await registry.run('refresh');
    await commands.executeCommand('botChats.relabel', row, [row]);
    for (const one of registered) one.dispose();
    assert.deepEqual([loads, ran], [2, ['refresh', row]]);
  });

  it('runs for each ID, also after it has failed for one', async () => {
    const ids = ['176000000000000-abcd1234', '176000000000000-abcd1235'];
    const ran: string[] = [];
    const cancel = (id: string) => {
      ran.push(id);
      throw new Error(id);
    };
    const load = async () => ({ cancelDelivery: cancel });
    const [registered] = registry.registerEach(() => ids, load, 'cancelDelivery');
    await commands.executeCommand('botChats.cancelDelivery', ids[0]);
    registered?.dispose();
    assert.deepEqual(ran, ids);
    assert.deepEqual(
      errors,
      ids.map((id) => new Error(id)),
    );
  });

  it('shows its errors', async () => {
    const failure = new Error('no');
    const disposable = registry.register('refresh', async () => {
      throw failure;
    });
    await commands.executeCommand('botChats.refresh');
    disposable.dispose();
    assert.deepEqual(errors, [failure]);
  });
});
