import assert from 'node:assert/strict';
import type { EventEmitter, TreeView, ViewBadge } from 'vscode';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import { SidebarView } from '../../../src/sidebar/sidebarView.ts';

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
