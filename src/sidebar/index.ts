/** The sidebar: its tree, the activity of watched chats, and the commands on both. */
import { type Disposable, EventEmitter, commands as vscodeCommands, window } from 'vscode';
import type { ArchivedChats } from '../chats/contract.ts';
import type { MessageSender } from '../deliveries/contract.ts';
import { createView, lazy, methodsOf } from '../platform/defer.ts';
import { type ActivationHost, wholeHost } from '../platform/host.ts';
import type { Row } from '../presentation/shown.ts';
import type { ShownItem } from './activity/activity.ts';
import type { ActivityReader } from './contract.ts';
import type { ChatNode } from './nodes.ts';
import type { Sidebar } from './sidebar.ts';

/** The commands on rows. */
const ROW_COMMANDS = [
  'addToSidebar',
  'allowSending',
  'copyId',
  'copyJson',
  'copyValue',
  'moveDown',
  'moveUp',
  'neverSend',
  'relabel',
  'remove',
  'retry',
  'send',
  'unwatch',
  'watch',
] as const;

export function registerSidebar(
  host: ActivationHost,
  sender: MessageSender,
  archived: ArchivedChats,
): { activity: ActivityReader; disposables: Disposable[] } {
  const { chatEvents, commands, memento } = host;
  const changed = new EventEmitter<ChatNode[] | undefined>();
  const activityChanged = new EventEmitter<undefined>();
  // Loaded when VS Code first requests something, so that activation stays cheap.
  const sidebar = lazy(async (): Promise<Sidebar> => {
    const [{ Sidebar }, whole] = await Promise.all([import('./sidebar.ts'), wholeHost(host)]);
    const activity = { view: activityView, changed: activityChanged };
    return new Sidebar({ ...whole, archived }, sender, view, changed, activity);
  });
  const tree = async () => (await sidebar()).tree;
  const rows = async () => (await sidebar()).rowCommands;
  const activity = async () => (await sidebar()).activityView;

  /** Completes a step of the walkthrough: details were expanded, or a card was shown. */
  const lookedAround = ({ type }: ChatNode) => {
    if (type !== 'section') void vscodeCommands.executeCommand('setContext', 'botChats.hasLookedAround', true);
  };

  const view = createView<ChatNode>('botChats.chats', {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      ...methodsOf(tree, 'getTreeItem', 'getChildren', 'getParent'),
      resolveTreeItem: async (item: Row, node) => {
        lookedAround(node);
        return (await tree()).resolveTreeItem(item, node);
      },
    },
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController: {
      dragMimeTypes: ['text/plain'],
      dropMimeTypes: ['application/vnd.code.tree.botchats.chats', 'text/uri-list'],
      ...methodsOf(async () => (await sidebar()).dragAndDrop, 'handleDrag', 'handleDrop'),
    },
  });
  const activityView = createView<ShownItem>('botChats.activity', {
    treeDataProvider: {
      onDidChangeTreeData: activityChanged.event,
      ...methodsOf(activity, 'getTreeItem', 'getChildren', 'getParent'),
    },
  });
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
    view.onDidExpandElement(({ element }) => lookedAround(element)),
    changed,
    activityChanged,
    sidebar,
    window.onDidChangeWindowState(startWatching),
    chatEvents.onDidRead(async ({ chat, newest }) => (await sidebar.loaded)?.markSeen(chat, newest)),
    chatEvents.onDidSend(async (sent) => (await sidebar.loaded)?.watcher.markSent(sent)),
    ...ROW_COMMANDS.map((name) =>
      commands.register(name, async (clicked, selected?: readonly object[]) => {
        const rowCommands = await rows();
        await rowCommands[name](await rowCommands.nodes(clicked, selected));
      }),
    ),
    ...commands.registerAll(rows, 'addGroup', 'addBot', 'addPerson', 'sortBy', 'filter', 'clearFilter'),
    ...commands.registerAll(tree, 'refresh'),
    ...commands.registerAll(async () => (await sidebar()).watchedChats, 'openNextUnread', 'showWatched'),
    ...commands.registerAll(activity, 'nextActivity', 'previousActivity', 'filterActivity', 'markRead'),
    ...commands.registerAll(sidebar, 'markActivityRead'),
  ];
  return { activity: { list: methodsOf(sidebar, 'listActivity').listActivity }, disposables };
}
