import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { WebviewPanel, WebviewPanelSerializer } from 'vscode';
import { Commands } from '../../../src/platform/commands.ts';
import { defer, lazy, methodsOf, restorePanels } from '../../../src/platform/defer.ts';
import { answer, restore } from '../answers.ts';

describe('What is loaded on first use', () => {
  it('is created on first use, and shared', async () => {
    let created = 0;
    const get = lazy(async () => ++created);
    assert.equal(get.loaded, undefined);
    assert.deepEqual(await Promise.all([get(), get()]), [1, 1]);
    assert.equal(await get.loaded, 1);
    assert.equal(await get(), 1);
  });

  it('is created again after a failure, which each caller of the first one gets', async () => {
    let created = 0;
    const get = lazy(async () => {
      if (++created === 1) throw new Error('not now');
      return created;
    });
    const first = [get(), get()];
    for (const one of first) await assert.rejects(one, /not now/);
    assert.equal(get.loaded, undefined);
    assert.equal(await get(), 2);
  });

  it('is disposed of if it was created, and can be', async () => {
    const disposed: string[] = [];
    const dispose = () => void disposed.push('used');
    const [used, unused, plain] = [
      lazy(async () => ({ dispose })),
      lazy(async () => ({ dispose })),
      lazy(async () => 1),
    ];
    await Promise.all([used(), plain()]);
    for (const one of [used, unused, plain]) one.dispose();
    await used();
    assert.deepEqual(disposed, ['used']);
  });

  it('has methods that can be called before it is loaded', async () => {
    let created = 0;
    class Counter {
      readonly #step = ++created;
      add(one: number, other: number) {
        return this.#step + one + other;
      }
      fail() {
        throw new Error('no');
      }
    }
    const counter = lazy(async () => new Counter());
    const { add, fail } = methodsOf(counter, 'add', 'fail');
    assert.equal(created, 0);
    assert.deepEqual(await Promise.all([add(2, 3), add(4, 5)]), [6, 10]);
    await assert.rejects(fail(), /no/);
  });

  afterEach(() => mock.timers.reset());

  it('is created in a later turn, unless it is disposed of before, and disposed of with the rest', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const steps: string[] = [];
    const create = (name: string) => () => {
      steps.push(`create ${name}`);
      return [{ dispose: () => steps.push(`dispose ${name}`) }];
    };
    const [late, never] = [defer(create('late')), defer(create('never'))];
    never.dispose();
    assert.deepEqual(steps, []);
    mock.timers.tick(0);
    late.dispose();
    assert.deepEqual(steps, ['create late', 'dispose late']);
  });
});

describe('A panel after a reload', () => {
  afterEach(restore);

  it('is restored with its state, or closed if it cannot be', async () => {
    let serializer: WebviewPanelSerializer | undefined;
    answer('registerWebviewPanelSerializer', ((type: string, given: WebviewPanelSerializer) => {
      assert.equal(type, 'botChats.history');
      serializer = given;
    }) as never);
    const restored: unknown[] = [];
    const errors: unknown[] = [];
    const commands = new Commands((error) => void errors.push(error));
    const panels = async () => ({
      restore: (panel: unknown, state: unknown) => {
        if (state === undefined) throw new Error('no state');
        restored.push([panel, state]);
      },
    });
    restorePanels('botChats.history', panels, commands);
    let closed = 0;
    const panel = { dispose: () => closed++ } as unknown as WebviewPanel;
    await serializer?.deserializeWebviewPanel(panel, 'state');
    assert.deepEqual([restored, closed], [[[panel, 'state']], 0]);
    await serializer?.deserializeWebviewPanel(panel, undefined);
    assert.deepEqual([restored.length, closed, errors], [1, 1, [new Error('no state')]]);
  });
});
