import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { commands, EventEmitter, type TreeViewSelectionChangeEvent } from 'vscode';
import { focusedNodes } from '../../../src/sidebar/sidebarView.ts';
import { settled } from '../deferred.ts';

/** The selections of a view: before toggling, then after each change. */
type Selections = readonly (readonly string[])[];

describe('The nodes that a keyboard shortcut applies to', () => {
  const original = commands.executeCommand;
  let asked: unknown[];

  /** The focused nodes of a view with these selections in each attempt; the last ones repeat. */
  const focused = (...attempts: readonly Selections[]) => {
    const changed = new EventEmitter<TreeViewSelectionChangeEvent<string>>();
    let attempt = 0;
    const selections = () => attempts[Math.min(attempt, attempts.length - 1)] ?? [];
    const view = {
      get selection() {
        return selections()[0] ?? [];
      },
      onDidChangeSelection: changed.event,
    };
    const executeCommand = async (...command: unknown[]) => {
      asked.push(command);
      for (const selection of selections().slice(1)) changed.fire({ selection });
      attempt++;
    };
    Object.defineProperty(commands, 'executeCommand', { value: executeCommand, configurable: true, writable: true });
    return passing(focusedNodes(view));
  };

  /** Advances the timers until a promise settles. */
  const passing = async <T>(found: Promise<T>): Promise<T> => {
    let isFound = false;
    const end = () => {
      isFound = true;
    };
    found.then(end, end);
    while (!isFound) {
      await settled();
      mock.timers.tick(50);
    }
    return found;
  };

  beforeEach(() => {
    asked = [];
    mock.timers.enable({ apis: ['setTimeout'] });
  });
  afterEach(() => {
    mock.timers.reset();
    Object.defineProperty(commands, 'executeCommand', { value: original, configurable: true, writable: true });
  });

  it('are the focused node if others or none are selected', async () => {
    assert.deepEqual(await focused([['a'], ['a', 'b'], ['a']]), ['b']);
    assert.deepEqual(await focused([[], ['b'], []]), ['b']);
    const toggles = { commands: ['list.toggleSelection', 'list.toggleSelection'] };
    assert.deepEqual(asked, Array(2).fill(['runCommands', toggles]));
  });

  it('are the selection if the focus is in it, in any order', async () => {
    assert.deepEqual(
      await focused([
        ['a', 'b', 'c'],
        ['a', 'c'],
        ['a', 'c', 'b'],
      ]),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(await focused([['a'], [], ['a']]), ['a']);
  });

  it('are the selection if no node has the focus', async () => {
    assert.deepEqual(await focused([['a', 'b']]), ['a', 'b']);
  });

  it('are determined again if nodes were missing meanwhile', async () => {
    const answer: Selections = [['a', 'b'], ['a'], ['a', 'b']];
    const disturbed: Selections[] = [
      // Missing before the toggling.
      [[], ['a'], ['a', 'b']],
      // Missing throughout.
      [[], [], []],
      // Missing from the middle on.
      [['a', 'b'], [], []],
      [['a', 'b'], ['a'], []],
      // Missing until the end.
      [[], [], ['a', 'b']],
      // Two changes instead of one.
      [
        ['a', 'b'],
        ['c', 'd'],
        ['a', 'b'],
      ],
      [['a', 'b'], [], ['a', 'b']],
      // One toggle wasn't reported.
      [['a', 'b'], ['a']],
      // Another change came between.
      [['a', 'b'], ['a'], ['a', 'b'], ['a']],
    ];
    for (const selections of disturbed) assert.deepEqual(await focused(selections, answer), ['a', 'b']);
    assert.equal(asked.length, disturbed.length * 2);
  });

  it("aren't guessed", async () => {
    await assert.rejects(focused([[], ['a'], ['a', 'b']]), { message: 'The list is being updated. Try again.' });
  });
});
