/** The archive: its view, the search in it, and what is done with archived chats. */
import {
  type Disposable,
  EventEmitter,
  FileSystemError,
  Uri,
  commands as vscodeCommands,
  window,
  workspace,
} from 'vscode';
import { createView, lazy, methodsOf, restorePanels } from '../../platform/defer.ts';
import { type ActivationHost, wholeHost } from '../../platform/host.ts';
import { isBrowser } from '../../platform/node.ts';
import type { ArchivedChats, MessageArchive, MessageSearch } from '../contract.ts';
import type { ArchiveController, ArchiveRow } from './archiveController.ts';
import type { SearchPanel } from './searchPanel.ts';

/** The view types by which VS Code restores panels. */
const SEARCH_VIEW = 'botChats.search';
const STATISTICS_VIEW = 'botChats.statistics';

const nothing = async () => undefined;

/** What is read before anything was archived. */
const NO_PAGES = {
  list: nothing,
  firstSince: nothing,
  beforeGap: nothing,
  checkedAt: nothing,
  namesOf: nothing,
};

export function registerArchiving(host: ActivationHost) {
  const { chatEvents, commands, connection } = host;
  const changed = new EventEmitter<undefined>();
  const archivedChanged = new EventEmitter<void>();
  const repaint = () => changed.fire(undefined);

  const folder = Uri.joinPath(host.storageUri, 'archive');
  const controller = lazy(async (): Promise<ArchiveController> => {
    const { ArchiveController } = await import('./archiveController.ts');
    return new ArchiveController(await wholeHost(host), folder, {
      repaint,
      open: () => void vscodeCommands.executeCommand('botChats.archive.focus', { preserveFocus: true }),
      setMessage: (text) => {
        if (view.message !== text) view.message = text;
      },
      setTitle: (text) => {
        view.title = text;
      },
      showScope: () => {
        archivedChanged.fire();
        search.loaded?.then((panel) => panel.showScope()).catch((error) => host.log.error(error));
      },
    });
  });
  /** The controller if anything may be archived: histories and the sidebar don't load it for an empty archive. */
  const existing = async () => {
    const isThere = () =>
      workspace.fs.stat(folder).then(
        () => true,
        // A folder that can't be read isn't taken for a missing one: the archive itself says why.
        (error) => !(error instanceof FileSystemError && error.code === 'FileNotFound'),
      );
    const exists = controller.loaded !== undefined || (await isThere());
    return exists ? controller() : undefined;
  };
  const search = lazy(async (): Promise<SearchPanel> => {
    const { SearchPanel } = await import('./searchPanel.ts');
    return new SearchPanel(SEARCH_VIEW, await wholeHost(host), await controller());
  });
  const statistics = lazy(async () => {
    const { StatisticsPanels } = await import('./statisticsPanels.ts');
    const found = await search();
    return new StatisticsPanels(STATISTICS_VIEW, host, await controller(), (query) => found.show(query));
  });
  const onArchive = lazy(async () => {
    const { archiveCommands } = await import('./archiveCommands.ts');
    return archiveCommands({ controller: await controller(), view, search, statistics });
  });

  const view = createView<ArchiveRow>('botChats.archive', {
    treeDataProvider: { onDidChangeTreeData: changed.event, ...methodsOf(controller, 'getTreeItem', 'getChildren') },
    canSelectMany: true,
  });
  const pages = async (): Promise<MessageArchive> => (await existing())?.pages ?? NO_PAGES;
  const archived: ArchivedChats = {
    list: async () => ((await (await existing())?.list()) ?? []).map(({ botChat }) => botChat),
    onDidChange: archivedChanged.event,
  };
  // Without Node there is no SQLite: the archive is hidden.
  if (isBrowser()) void vscodeCommands.executeCommand('setContext', 'botChats.inBrowser', true);
  const disposables: Disposable[] = [
    view,
    changed,
    archivedChanged,
    connection.onDidChange(() => view.visible && repaint()),
    // Another window may have archived something while the view was hidden.
    view.onDidChangeVisibility(({ visible }) => visible && repaint()),
    window.onDidChangeWindowState(({ focused }) => {
      if (focused && view.visible) repaint();
      if (focused) archivedChanged.fire();
    }),
    chatEvents.onDidReadPage(async (page) => (await existing())?.keep(page)),
    restorePanels(SEARCH_VIEW, search, commands),
    restorePanels(STATISTICS_VIEW, statistics, commands),
    ...commands.registerAll(
      onArchive,
      'archiveAnyChat',
      'archiveChat',
      'deleteArchive',
      'deleteArchives',
      'pauseArchive',
      'refreshArchive',
      'searchArchivedChat',
      'searchMessages',
      'showResults',
      'showStatistics',
      'updateAllArchives',
      'updateArchive',
    ),
  ];
  return {
    archive: methodsOf(pages, 'list', 'firstSince', 'beforeGap', 'checkedAt', 'namesOf'),
    archived,
    search: methodsOf(controller, 'search') satisfies MessageSearch,
    moves: async () => (await controller()).moves,
    disposables,
    close: async () => (await controller.loaded)?.close(),
  };
}
