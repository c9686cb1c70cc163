/** The sidebar, wired to VS Code. */
import { type Disposable, EventEmitter, env, type TreeDataProvider, window } from 'vscode';
import type { Register } from '../workbench/commands.ts';
import type { Connection } from '../workbench/connection.ts';
import { onDidChangeSettings } from '../workbench/watch.ts';
import type { ChatNode, FactNode } from './items.ts';
import type { ChatRow } from './rows.ts';
import type { ChatsTree, TreeShown } from './tree.ts';

export function registerChats(connection: Connection, register: Register): Disposable[] {
  const changed = new EventEmitter<ChatNode[] | undefined>();
  let loaded: Promise<ChatsTree> | undefined;
  // Its code is read when VS Code first asks for something, so that activation stays cheap.
  const tree = () => {
    loaded ??= import('./tree.ts').then(({ ChatsTree }) => new ChatsTree(connection, shown));
    return loaded;
  };
  const shown: TreeShown = {
    paint: (nodes) => changed.fire(nodes),
    name: (what) => {
      view.title = what ?? 'Bot Chats';
    },
    say: (text) => {
      view.message = text ?? '';
    },
  };
  const treeDataProvider: TreeDataProvider<ChatNode> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: async (node) => (await tree()).getTreeItem(node),
    getChildren: async (node) => (await tree()).getChildren(node),
  };

  const view = window.createTreeView('botChats.chats', { treeDataProvider, showCollapseAll: true });
  return [
    view,
    changed,
    connection.onDidChange(async () => (await loaded)?.reload({ forget: true })),
    onDidChangeSettings(['groups', 'bots', 'people'], async () => (await loaded)?.reload()),
    register('refresh', async () =>
      window.withProgress({ location: { viewId: 'botChats.chats' } }, async () => (await tree()).refresh()),
    ),
    register('retry', async (row: ChatRow) => (await tree()).refresh(row)),
    register('copyId', async ({ id }: ChatRow) => env.clipboard.writeText(id)),
    register('copyValue', async ({ fact }: FactNode) => env.clipboard.writeText(fact.value)),
    { dispose: () => loaded?.then((made) => made.dispose()) },
  ];
}
