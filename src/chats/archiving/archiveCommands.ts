/** The commands of the archive. Each takes the chats that were clicked or selected. Loaded on first use. */
import type { ArchivedChatArgument, SoughtMessages } from '../../platform/commandArguments.ts';
import type { ShownView } from '../../platform/defer.ts';
import { l10n } from '../../presentation/shown.ts';
import type { ArchiveController, ArchiveRow } from './archiveController.ts';
import type { SearchPanel } from './searchPanel.ts';
import type { StatisticsPanels } from './statisticsPanels.ts';

const ALL: ReadonlySet<number> = new Set();

/** What the commands act on. The panels load when they're opened. */
interface Archiving {
  readonly controller: ArchiveController;
  readonly view: Pick<ShownView<ArchiveRow>, 'selection' | 'visible'>;
  search(): Promise<SearchPanel>;
  statistics(): Promise<StatisticsPanels>;
}

export function archiveCommands({ controller, view, search, statistics }: Archiving) {
  /** The clicked and selected chats, or the chats selected in the view. */
  function chosenFrom<T extends ArchivedChatArgument>(clicked?: T, selected?: readonly T[]): readonly (T | number)[] {
    if (selected?.length) return selected;
    if (clicked !== undefined) return [clicked];
    return view.visible ? view.selection.flatMap((node) => ('error' in node ? [] : node.archived)) : [];
  }
  const chosen = (clicked?: number, selected?: readonly number[]) => new Set(chosenFrom(clicked, selected));
  return {
    archiveChat: (clicked?: object, selected?: readonly object[]) => controller.archive(clicked, selected),
    archiveAnyChat: () => controller.archive(),
    updateArchive: (clicked?: number, selected?: readonly number[]) => controller.update(chosen(clicked, selected)),
    updateAllArchives: () => controller.update(ALL),
    pauseArchive: (clicked?: number, selected?: readonly number[]) => controller.pause(chosen(clicked, selected)),
    deleteArchive: (clicked?: number, selected?: readonly number[]) => controller.remove(chosen(clicked, selected)),
    deleteArchives: () => controller.remove(ALL),
    refreshArchive: () => controller.retry(),
    showStatistics: async (clicked?: ArchivedChatArgument, selected?: readonly ArchivedChatArgument[]) => {
      const numbers = await controller.numbersOf(chosenFrom(clicked, selected));
      if (numbers) await (await statistics()).show(numbers);
    },
    searchMessages: async () => (await search()).show(),
    showResults: async () => (await search()).showResults(),
    searchArchivedChat: async (clicked?: ArchivedChatArgument, sought?: SoughtMessages) => {
      const panel = await search();
      if (clicked === undefined) return panel.show();
      const chat = await controller.chooseOne(clicked, l10n.t('Search Messages'));
      if (chat !== undefined) await panel.showChat(chat, sought);
    },
  };
}
