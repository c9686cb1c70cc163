/** The sidebar, wired to VS Code. */
import {
  type Disposable,
  EventEmitter,
  type Memento,
  type TreeDataProvider,
  type TreeView,
  type Uri,
  window,
} from 'vscode';
import type { Register } from '../platform/commands.ts';
import type { Connection } from '../platform/connection.ts';
import type { Service } from '../platform/service.ts';
import { onDidChangeSettings } from '../platform/settings.ts';
import type { Tokens } from '../platform/tokens.ts';
import type { Chat, Kind } from '../service/model.ts';
import type { ChatNode } from './nodes.ts';
import type { Sidebar } from './sidebar.ts';
import type { Mark } from './watch/watchedChat.ts';
import type { WatchedPlace } from './watch/watcher.ts';

export interface ChatsNeeds {
  connection: Connection;
  tokens: Tokens;
  /** Kept over restarts: how rows are sorted, and which chats are watched. */
  memory: Memento;
  openService(): Promise<Service | undefined>;
  /** The bot to act as; undefined when the person stepped back. */
  chooseBot(service: Service, title: string, preferred?: string): Promise<string | undefined>;
  /** Sends a document to chats, after the person has confirmed it; without one, the document that is open. */
  send(chats: readonly Chat[], document?: Uri): Promise<void>;
  /** Shows new messages in the open histories of these chats. */
  loadNewer(service: Service, chats: readonly Chat[]): Promise<void>;
  openHistory(chat: Chat, botId: string): Promise<unknown>;
}

/** Under these keys the watched chats are remembered, one for each service. */
const WATCHED = 'watched ';

/** Commands for the rows that they are called on. */
const ON_ROWS = [
  ...(['addToSidebar', 'copyId', 'copyJson', 'copyValue', 'moveDown', 'moveUp', 'relabel', 'remove', 'retry'] as const),
  ...(['send', 'unwatch', 'watch'] as const),
];
const ADD = { addGroup: 'group', addBot: 'bot', addPerson: 'user' } as const satisfies Record<string, Kind>;

type Later = () => Promise<Pick<typeof import('./sidebar.ts'), 'Sidebar'>>;

export function registerChats(needs: ChatsNeeds, register: Register, later: Later) {
  const { connection, memory } = needs;
  const changed = new EventEmitter<ChatNode[] | undefined>();
  let loaded: Promise<Sidebar> | undefined;
  // Its code is read when VS Code first asks for something, so that activation stays cheap.
  const sidebar = (): Promise<Sidebar> => {
    const watchedKey = (address: string) => WATCHED + address;
    loaded ??= later().then(({ Sidebar }) => new Sidebar({ ...needs, view, changed, watchedKey }));
    return loaded;
  };
  const treeDataProvider: TreeDataProvider<ChatNode> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: async (node) => (await sidebar()).tree.getTreeItem(node),
    getChildren: async (node) => (await sidebar()).tree.getChildren(node),
    getParent: async (node) => (await sidebar()).tree.getParent(node),
    resolveTreeItem: async (item, node) => (await sidebar()).tree.resolveTreeItem(item, node),
  };

  const view: TreeView<ChatNode> = window.createTreeView('botChats.chats', {
    treeDataProvider,
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController: {
      dragMimeTypes: ['text/plain'],
      dropMimeTypes: ['application/vnd.code.tree.botchats.chats', 'text/uri-list'],
      handleDrag: async (...drag) => (await sidebar()).dragging.handleDrag(...drag),
      handleDrop: async (...drop) => (await sidebar()).dragging.handleDrop(...drop),
    },
  });
  // Another window may have begun to watch the first chat.
  const isWatching = () => memory.keys().some((key) => key.startsWith(WATCHED));
  const lookForNews = async () => {
    if (isWatching()) await (await sidebar()).watcher.start();
    else (await loaded)?.watcher.wake();
  };
  void lookForNews();

  const disposables: Disposable[] = [
    view,
    changed,
    { dispose: () => loaded?.then((made) => made.dispose()) },
    connection.onDidChange(async () => (await loaded)?.restart()),
    onDidChangeSettings(['groups', 'bots', 'people'], async () => (await loaded)?.listsChanged()),
    needs.tokens.onDidChange(async () => (await loaded)?.watcher.wake({ retry: true })),
    window.onDidChangeWindowState(lookForNews),
    ...ON_ROWS.map((name) =>
      register(name, async (clicked?: ChatNode, selected?: readonly ChatNode[]) => {
        const { actions } = await sidebar();
        await actions[name](await actions.nodes(clicked, selected));
      }),
    ),
    ...Object.entries(ADD).map(([name, kind]) => register(name, async () => (await sidebar()).actions.add(kind))),
    register('refresh', async () => (await sidebar()).tree.refresh()),
    register('sortBy', async () => (await sidebar()).actions.sortBy()),
    register('filter', async () => (await sidebar()).actions.filter()),
    register('clearFilter', async () => (await sidebar()).actions.clearFilter()),
  ];
  return {
    disposables,
    /** The person has seen a chat, as a bot reads it, up to this message. */
    seen: async (place: WatchedPlace, mark: Mark) => (await loaded)?.watcher.seen(place, mark),
  };
}
