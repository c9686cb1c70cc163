import assert from 'node:assert/strict';
import type { EventEmitter, TreeView, ViewBadge } from 'vscode';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import { SidebarView } from '../../../src/sidebar/sidebarView.ts';
import { sectionItem, unreadText } from '../../../src/sidebar/treeItems.ts';

describe('A large number in the sidebar is shown as in the language of VS Code', () => {
  it('beside a section', () => {
    const described = (shown: number, listed: number) =>
      sectionItem({ type: 'section', kind: 'user' }, { shown, listed }).description;
    assert.equal(described(12_345, 12_345), '12,345');
    assert.equal(described(1_000, 12_345), '1,000 of 12,345');
    assert.equal(described(0, 0), undefined);
  });

  it('for new messages, on the row and on the icon', () => {
    assert.equal(unreadText({ botId: '1', unread: 1_234, more: false }), '1,234 new');
    assert.equal(unreadText({ botId: '1', unread: 1_234, more: true }), '1,234+ new');
    const view: { badge?: ViewBadge } = {};
    const sidebar = new SidebarView(view as TreeView<ChatNode>, {} as EventEmitter<ChatNode[] | undefined>);
    sidebar.setUnread({ unread: 1_234, more: true });
    assert.deepEqual(view.badge, { value: 1_234, tooltip: '1,234+ new messages' });
  });
});
