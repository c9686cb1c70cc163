import assert from 'node:assert/strict';
import type { EventEmitter, TreeView } from 'vscode';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import { SidebarView } from '../../../src/sidebar/sidebarView.ts';

describe('A message above the rows', () => {
  const shown = (message: string) => {
    const view: { message?: string } = {};
    new SidebarView(view as TreeView<ChatNode>, {} as EventEmitter<ChatNode[] | undefined>).setMessage(message);
    return view.message;
  };

  it('can be broken within long words, which a narrow sidebar would cut off', () => {
    assert.equal(shown('Filter: “fern” · no matches'), 'Filter: “fern” · no matches');
    assert.equal(
      shown('Filter: “anextremelylongwordofawholesidebar” · no matches'),
      'Filter: “anextremelylongword\u200bofawholesidebar” · no matches',
    );
    assert.equal(shown('🌿'.repeat(21)), `${'🌿'.repeat(20)}\u200b🌿`);
    assert.equal(shown('12345678901234567890 1'), '12345678901234567890 1');
  });
});
