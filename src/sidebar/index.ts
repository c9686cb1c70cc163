/** The sidebar: its tree, watched chats, and commands on rows. */
import {
  type Disposable,
  EventEmitter,
  type TreeDataProvider,
  type TreeView,
  commands as vscodeCommands,
  window,
} from 'vscode';
import type { ArchivedChats } from '../chats/contract.ts';
import type { MessageSender } from '../deliveries/contract.ts';
import { once } from '../platform/defer.ts';
import type { ActivationHost, Load } from '../platform/host.ts';
import type { Kind } from '../service/model.ts';
import type { ShownItem } from './activity/activity.ts';
import type { ActivityReader } from './contract.ts';
import type { ChatNode } from './nodes.ts';
import type { Sidebar } from './sidebar.ts';

/** The commands on rows. */
const ROW_COMMANDS = [
  ...(['addToSidebar', 'copyId', 'copyJson', 'copyValue', 'moveDown', 'moveUp', 'remove', 'retry'] as const),
  ...(['send', 'unwatch', 'watch', 'neverSend', 'allowSending'] as const),
];
const ADD_COMMANDS = { addGroup: 'group', addBot: 'bot', addPerson: 'user' } as const satisfies Record<string, Kind>;

type Lazy = Pick<typeof import('./sidebar.ts'), 'Sidebar'>;

export function registerSidebar(
  host: ActivationHost,
  sender: MessageSender,
  archived: ArchivedChats,
  load: Load<Lazy>,
): { activity: ActivityReader; disposables: Disposable[] } {
  const { chatEvents, commands, connection, memento, settings, tokens } = host;
  const changed = new EventEmitter<ChatNode[] | undefined>();
  const activityChanged = new EventEmitter<undefined>();
  // Loaded when VS Code first requests something, so that activation stays cheap.
  const sidebar = once(() =>
    load().then(({ Sidebar, stored }): Sidebar => {
      const activity = { view: activityView, changed: activityChanged };
      return new Sidebar({ ...host, ...stored, archived }, sender, view, changed, activity);
    }),
  );
  const treeDataProvider: TreeDataProvider<ChatNode> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: async (node) => (await sidebar()).tree.getTreeItem(node),
    getChildren: async (node) => (await sidebar()).tree.getChildren(node),
    getParent: async (node) => (await sidebar()).tree.getParent(node),
    resolveTreeItem: async (item, node) => {
      lookedAround(node);
      return (await sidebar()).tree.resolveTreeItem(item, node);
    },
  };
  /** Completes a step of the walkthrough: details were expanded, or a card was shown. */
  const lookedAround = ({ type }: ChatNode) => {
    if (type !== 'section') void vscodeCommands.executeCommand('setContext', 'botChats.hasLookedAround', true);
  };

  const view: TreeView<ChatNode> = window.createTreeView('botChats.chats', {
    treeDataProvider,
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController: {
      dragMimeTypes: ['text/plain'],
      dropMimeTypes: ['application/vnd.code.tree.botchats.chats', 'text/uri-list'],
      handleDrag: async (...drag) => (await sidebar()).dragAndDrop.handleDrag(...drag),
      handleDrop: async (...drop) => (await sidebar()).dragAndDrop.handleDrop(...drop),
    },
  });
  const activityProvider: TreeDataProvider<ShownItem> = {
    onDidChangeTreeData: activityChanged.event,
    getTreeItem: async (item) => (await sidebar()).activityView.getTreeItem(item),
    getChildren: async (item) => (item ? [] : (await sidebar()).activityView.getChildren()),
    getParent: () => undefined,
  };
  const activityView = window.createTreeView('botChats.activity', { treeDataProvider: activityProvider });
  /** The store validates what is kept, once it is loaded. */
  const mayWatch = () => {
    const kept = memento.get<unknown>('watched');
    return Array.isArray(kept) && kept.length > 0;
  };
  // Another window may have started to watch the first chat.
  const startWatching = async () => {
    if (mayWatch()) await (await sidebar()).watcher.start();
    else (await sidebar.loaded)?.watcher.wake();
    // Another window may have found or read messages.
    (await sidebar.loaded)?.activity.refresh();
  };
  void startWatching();

  const disposables = [
    view,
    activityView,
    activityView.onDidChangeSelection(async ({ selection: [item] }) =>
      (await sidebar.loaded)?.activityView.select(item),
    ),
    activityView.onDidChangeVisibility(async ({ visible }) => {
      if (visible) (await sidebar.loaded)?.activity.refresh();
    }),
    activityChanged,
    view.onDidExpandElement(({ element }) => lookedAround(element)),
    changed,
    { dispose: () => sidebar.loaded?.then((instance) => instance.dispose()) },
    connection.onDidChange(async () => (await sidebar.loaded)?.restart()),
    settings.onDidChange(['groups', 'bots', 'people'], async () => (await sidebar.loaded)?.listsChanged()),
    settings.onDidChange(['sending.never'], async () => (await sidebar.loaded)?.neverChanged()),
    settings.onDidChange(['watching.words'], async () => (await sidebar.loaded)?.activity.refresh()),
    tokens.onDidChange(async () => (await sidebar.loaded)?.watcher.wake({ retry: true })),
    window.onDidChangeWindowState(startWatching),
    chatEvents.onDidRead(async ({ chat, newest }) => (await sidebar.loaded)?.markSeen(chat, newest)),
    chatEvents.onDidSend(async (sent) => (await sidebar.loaded)?.watcher.markSent(sent)),
    ...ROW_COMMANDS.map((name) =>
      commands.register(name, async (clicked, selected) => {
        const { rowCommands } = await sidebar();
        await rowCommands[name](await rowCommands.nodes(clicked, selected));
      }),
    ),
    commands.register('relabel', async (clicked) => {
      const { rowCommands } = await sidebar();
      await rowCommands.relabel(await rowCommands.nodes(clicked));
    }),
    ...Object.entries(ADD_COMMANDS).map(([name, kind]) =>
      commands.register(name as keyof typeof ADD_COMMANDS, async () => (await sidebar()).rowCommands.add(kind)),
    ),
    commands.register('openNextUnread', async () => (await sidebar()).watchedChats.openNext()),
    commands.register('showWatched', async () => (await sidebar()).watchedChats.show()),
    commands.register('nextActivity', async () => (await sidebar()).activityView.step(1)),
    commands.register('previousActivity', async () => (await sidebar()).activityView.step(-1)),
    commands.register('filterActivity', async () => (await sidebar()).activityView.chooseFilter()),
    commands.register('markRead', async (item) => item && (await sidebar()).activityView.markRead(item)),
    commands.register('markActivityRead', async () => (await sidebar()).markAllRead()),
    commands.register('refresh', async () => (await sidebar()).tree.refresh()),
    commands.register('sortBy', async () => (await sidebar()).rowCommands.sortBy()),
    commands.register('filter', async () => (await sidebar()).rowCommands.filter()),
    commands.register('clearFilter', async () => (await sidebar()).rowCommands.clearFilter()),
  ];
  return { activity: { list: async () => (await sidebar()).listActivity() }, disposables };
}
