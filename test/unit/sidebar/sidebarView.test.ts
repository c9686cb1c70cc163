import assert from 'node:assert/strict';
import type { EventEmitter, TreeView, ViewBadge } from 'vscode';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import type { ChatRow } from '../../../src/sidebar/rows.ts';
import { RepaintQueue, SidebarView } from '../../../src/sidebar/sidebarView.ts';
import { heldClock } from '../clocks.ts';

describe('The view of the sidebar', () => {
  const newView = () => {
    const view: { message?: string; badge?: ViewBadge } = {};
    return { view, sidebar: new SidebarView(view as TreeView<ChatNode>, {} as EventEmitter<ChatNode[] | undefined>) };
  };

  it('has a message that can be broken within long words, which a narrow sidebar would cut off', () => {
    const shown = (message: string) => {
      const { view, sidebar } = newView();
      sidebar.setMessage(message);
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
