import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { commands, EventEmitter, type TreeViewSelectionChangeEvent, type ViewBadge } from 'vscode';
import { escapeInvisible } from '../../../src/markup/escapeInvisible.ts';
import type { ShownView } from '../../../src/platform/defer.ts';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import type { ChatRow } from '../../../src/sidebar/rows.ts';
import { focusedNodes, RepaintQueue, SidebarView } from '../../../src/sidebar/sidebarView.ts';
import { heldClock } from '../clocks.ts';
import { settled } from '../deferred.ts';
import { TestTree } from '../treeRows.ts';

describe('The view of the sidebar', () => {
  const newView = () => {
    const view: { message?: string; badge?: ViewBadge } = {};
    return { view, sidebar: new SidebarView(view as ShownView<ChatNode>, {} as EventEmitter<ChatNode[] | undefined>) };
  };

  it('has a message that can be broken within long words, which a narrow sidebar would cut off', () => {
    const shown = (message: string) => {
      const { view, sidebar } = newView();
      sidebar.setMessage(escapeInvisible(message));
      return view.message;
    };
    assert.equal(shown('Filter: “fern” · no matches'), 'Filter: “fern” · no matches');
    assert.equal(
      shown('Filter: “anextremelylongwordofawholesidebar” · no matches'),
      'Filter: “anextremelylongword\u200bofawholesidebar” · no matches',
    );
    assert.equal(shown('🌿'.repeat(21)), `${'🌿'.repeat(20)}\u200b🌿`);
    assert.equal(shown('12345678901234567890 1'), '12345678901234567890 1');
  });

  it('has a badge with the number of new messages', () => {
    const { view, sidebar } = newView();
    const badge = (unread: number, more: boolean) => {
      sidebar.setUnread({ unread, more });
      return view.badge;
    };
    assert.deepEqual(badge(1, false), { value: 1, tooltip: '1 new message' });
    assert.deepEqual(badge(1_234, true), { value: 1_234, tooltip: '1,234+ new messages' });
    assert.equal(badge(0, false), undefined);
  });

  it('is waited for until it is visible', async () => {
    const tree = new TestTree<ChatNode>(() => assert.fail());
    const sidebar = new SidebarView(tree.view, tree.changed);
    await sidebar.whenVisible();
    tree.setVisible(false);
    let isVisible = false;
    const waiting = sidebar.whenVisible().then(() => {
      isVisible = true;
    });
    tree.setVisible(false);
    await settled();
    assert.equal(isVisible, false);
    tree.setVisible(true);
    await waiting;
  });
});

const row = (id: string): ChatRow => ({ type: 'chat', kind: 'group', id });

/** A queue with a delay of 50 ms, and what was repainted when. */
function heldQueue() {
  const { clock, pass } = heldClock();
  const repainted: string[] = [];
  const queue = new RepaintQueue(
    (nodes) =>
      repainted.push(`${clock.now()}: ${nodes.map((node) => (node.type === 'chat' ? node.id : '')).join(' ')}`),
    () => 50,
    clock,
  );
  return { queue, pass, repainted };
}

describe('The repaint queue', () => {
  it('repaints rows together that change within a short time, each once', async () => {
    const { queue, pass, repainted } = heldQueue();
    const one = row('1');
    for (const changed of [one, row('2'), one]) queue.add(changed);
    await pass(49);
    queue.add(row('3'));
    assert.deepEqual(repainted, []);
    await pass(1000);
    assert.deepEqual(repainted, ['50: 1 2 3']);
  });

  it('repaints at intervals that are long enough for VS Code', async () => {
    const { queue, pass, repainted } = heldQueue();
    for (let index = 0; index < 6; index++) {
      queue.add(row(`${index}`));
      await pass(100);
    }
    await pass(1000);
    queue.add(row('late'));
    await pass(1000);
    assert.deepEqual(repainted, ['50: 0', '300: 1 2', '550: 3 4 5', '1650: late']);
  });

  it('drops waiting rows when it is cleared, and repaints later ones', async () => {
    const { queue, pass, repainted } = heldQueue();
    queue.add(row('1'));
    queue.clear();
    await pass(1000);
    assert.deepEqual(repainted, []);
    queue.add(row('2'));
    await pass(1000);
    assert.deepEqual(repainted, ['1050: 2']);
  });
});

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
      [
        ['a', 'b'],
        ['a', 'c'],
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
