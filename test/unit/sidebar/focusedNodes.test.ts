import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { commands, EventEmitter, type TreeViewSelectionChangeEvent } from 'vscode';
import { focusedNodes } from '../../../src/sidebar/focusedNodes.ts';
import { settled } from '../deferred.ts';

/** What a view says of its selection: before the toggling, and then each time that it changes. */
type Looks = readonly (readonly string[])[];

describe('What a key is pressed on', () => {
  const original = commands.executeCommand;
  let asked: unknown[];

  /** A view that answers one try after the other, the last time for good; resolves to what it is found to be. */
  const focused = (...tries: readonly Looks[]) => {
    const changed = new EventEmitter<TreeViewSelectionChangeEvent<string>>();
    let tried = 0;
    const looks = () => tries[Math.min(tried, tries.length - 1)] ?? [];
    const view = {
      get selection() {
        return looks()[0] ?? [];
      },
      onDidChangeSelection: changed.event,
    };
    const executeCommand = async (...command: unknown[]) => {
      asked.push(command);
      for (const selection of looks().slice(1)) changed.fire({ selection });
      tried++;
    };
    Object.defineProperty(commands, 'executeCommand', { value: executeCommand, configurable: true, writable: true });
    return passing(focusedNodes(view));
  };

  /** Lets the time pass that is waited for. */
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

  it('is the node that has the focus where others are selected, or none', async () => {
    assert.deepEqual(await focused([['a'], ['a', 'b'], ['a']]), ['b']);
    assert.deepEqual(await focused([[], ['b'], []]), ['b']);
    const toggles = { commands: ['list.toggleSelection', 'list.toggleSelection'] };
    assert.deepEqual(asked, Array(2).fill(['runCommands', toggles]));
  });

  it('is all that is selected where the focus is among it, in whatever order it comes back', async () => {
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

  it('is what is selected where nothing has the focus', async () => {
    assert.deepEqual(await focused([['a', 'b']]), ['a', 'b']);
  });

  it('is looked at again where the nodes were gone or came back meanwhile', async () => {
    const answer: Looks = [['a', 'b'], ['a'], ['a', 'b']];
    const disturbed: Looks[] = [
      // Gone before it began.
      [[], ['a'], ['a', 'b']],
      // Gone all the while.
      [[], [], []],
      // Gone from the middle on.
      [['a', 'b'], [], []],
      [['a', 'b'], ['a'], []],
      // There at the end only.
      [[], [], ['a', 'b']],
      // Two changes in place of one.
      [
        ['a', 'b'],
        ['c', 'd'],
        ['a', 'b'],
      ],
      [['a', 'b'], [], ['a', 'b']],
      // One toggle was not told of.
      [['a', 'b'], ['a']],
      // Somebody else changed it, too.
      [['a', 'b'], ['a'], ['a', 'b'], ['a']],
    ];
    for (const looks of disturbed) assert.deepEqual(await focused(looks, answer), ['a', 'b']);
    assert.equal(asked.length, disturbed.length * 2);
  });

  it('is not guessed', async () => {
    await assert.rejects(focused([[], ['a'], ['a', 'b']]), { message: 'The list is just changing. Try again.' });
  });
});
