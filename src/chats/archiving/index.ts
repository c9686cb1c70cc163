/** The archive: its view, the search in it, and what is done with archived chats. */
import {
  type Disposable,
  EventEmitter,
  l10n,
  type TreeDataProvider,
  type TreeView,
  commands as vscodeCommands,
  window,
} from 'vscode';
import type { ArchivedChatArgument } from '../../platform/commandArguments.ts';
import { once, restorePanels } from '../../platform/defer.ts';
import type { ActivationHost, Load } from '../../platform/host.ts';
import { isBrowser } from '../../platform/node.ts';
import type { ArchivedChats, MessageArchive, MessageSearch } from '../contract.ts';
import type { ArchiveController, ArchiveProblemNode } from './archiveController.ts';
import type { ArchiveNode } from './archiveItems.ts';

/** The view types by which VS Code restores panels. */
const SEARCH_VIEW = 'botChats.search';
const STATISTICS_VIEW = 'botChats.statistics';

const ALL: ReadonlySet<number> = new Set();

type Node = ArchiveNode | ArchiveProblemNode;
type Lazy = Pick<typeof import('./archiveController.ts'), 'ArchiveController'> &
  Pick<typeof import('./archiveItems.ts'), 'problemItem'> &
  Pick<typeof import('./search/searchPanel.ts'), 'SearchPanel'> &
  Pick<typeof import('./statistics/statisticsPanels.ts'), 'StatisticsPanels'>;

export function registerArchiving(host: ActivationHost, load: Load<Lazy>) {
  const { chatEvents, commands, connection } = host;
  const changed = new EventEmitter<undefined>();
  const archivedChanged = new EventEmitter<void>();
  const repaint = () => changed.fire(undefined);
  const controller = once(() =>
    load().then(({ ArchiveController, stored }): ArchiveController => {
      return new ArchiveController(
        { ...host, ...stored },
        {
          repaint,
          open: () => void vscodeCommands.executeCommand('botChats.archive.focus', { preserveFocus: true }),
          setMessage: (text) => setMessage(text),
          setTitle: (text) => {
            view.title = text;
          },
          showScope: () => {
            archivedChanged.fire();
            search.loaded?.then((panel) => panel.showScope()).catch((error) => host.log.error(error));
          },
        },
      );
    }),
  );
  const search = once(() =>
    load().then(
      async ({ SearchPanel, stored }) => new SearchPanel(SEARCH_VIEW, { ...host, ...stored }, await controller()),
    ),
  );
  const statistics = once(() =>
    load().then(async ({ StatisticsPanels }) => {
      const found = await search();
      return new StatisticsPanels(STATISTICS_VIEW, host, await controller(), (query) => found.show(query));
    }),
  );
  const treeDataProvider: TreeDataProvider<Node> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: async (node) =>
      'error' in node ? (await load()).problemItem(node.error) : (await controller()).item(node),
    getChildren: async (node) => (node ? [] : (await controller()).rows()),
  };
  const view: TreeView<Node> = window.createTreeView('botChats.archive', { treeDataProvider, canSelectMany: true });
  const setMessage = (text: string | undefined) => {
    if (view.message !== text) view.message = text as string;
  };

  /** The chats that a command is for: the clicked and selected ones, or those selected in the view. */
  const chosenFrom = <T extends ArchivedChatArgument>(
    clicked?: T,
    selected?: readonly T[],
  ): readonly (T | number)[] => {
    const inView = view.selection.flatMap((node) => ('error' in node ? [] : node.archived));
    return selected?.length ? selected : clicked !== undefined ? [clicked] : view.visible ? inView : [];
  };
  const chosen = (clicked?: number, selected?: readonly number[]) => new Set(chosenFrom(clicked, selected));

  const archive: MessageArchive = {
    list: async (...args) => (await controller()).pages.list(...args),
    firstSince: async (...args) => (await controller()).pages.firstSince(...args),
    beforeGap: async (...args) => (await controller()).pages.beforeGap(...args),
    checkedAt: async (...args) => (await controller()).pages.checkedAt(...args),
    namesOf: async (...args) => (await controller()).pages.namesOf(...args),
  };
  const archived: ArchivedChats = {
    list: async () => (await (await controller()).list()).map(({ botChat }) => botChat),
    onDidChange: archivedChanged.event,
  };
  // Without Node there is no SQLite: the archive is hidden.
  if (isBrowser()) void vscodeCommands.executeCommand('setContext', 'botChats.inBrowser', true);
  const disposables: Disposable[] = [
    view,
    changed,
    archivedChanged,
    connection.onDidChange(() => view.visible && repaint()),
    // Another window may have archived something meanwhile.
    view.onDidChangeVisibility(({ visible }) => visible && repaint()),
    window.onDidChangeWindowState(({ focused }) => {
      if (focused && view.visible) repaint();
      if (focused) archivedChanged.fire();
    }),
    chatEvents.onDidReadPage(async (page) => (await controller()).keep(page)),
    commands.register('archiveChat', async (clicked, selected) => (await controller()).archive(clicked, selected)),
    commands.register('archiveAnyChat', async () => (await controller()).archive()),
    commands.register('updateAllArchives', async () => (await controller()).update(ALL)),
    commands.register('updateArchive', async (clicked, selected) =>
      (await controller()).update(chosen(clicked, selected)),
    ),
    commands.register('pauseArchive', async (clicked, selected) =>
      (await controller()).pause(chosen(clicked, selected)),
    ),
    commands.register('deleteArchive', async (clicked, selected) =>
      (await controller()).remove(chosen(clicked, selected)),
    ),
    commands.register('deleteArchives', async () => (await controller()).remove(ALL)),
    commands.register('refreshArchive', async () => (await controller()).retry()),
    restorePanels(SEARCH_VIEW, search, commands),
    restorePanels(STATISTICS_VIEW, statistics, commands),
    commands.register('showStatistics', async (clicked, selected) => {
      const numbers = await (await controller()).numbersOf(chosenFrom(clicked, selected));
      if (numbers) await (await statistics()).show(numbers);
    }),
    commands.register('searchMessages', async () => (await search()).show()),
    commands.register('showResults', async () => (await search()).showResults()),
    commands.register('searchArchivedChat', async (clicked, sought) => {
      const panel = await search();
      if (clicked === undefined) return panel.show();
      const chat = await (await controller()).chooseOne(clicked, l10n.t('Search Messages'));
      if (chat !== undefined) await panel.showChat(chat, sought);
    }),
  ];
  const messageSearch: MessageSearch = { search: async (...args) => (await controller()).search(...args) };
  return {
    archive,
    archived,
    search: messageSearch,
    moves: async () => (await controller()).moves,
    disposables,
    close: async () => (await controller.loaded)?.close(),
  };
}
