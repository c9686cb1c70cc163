import assert from 'node:assert/strict';
import { archiveCommands } from '../../../../src/chats/archiving/archiveCommands.ts';
import type { ArchiveController, ArchiveRow } from '../../../../src/chats/archiving/archiveController.ts';
import type { SearchPanel } from '../../../../src/chats/archiving/searchPanel.ts';
import type { StatisticsPanels } from '../../../../src/chats/archiving/statisticsPanels.ts';
import { CHAT } from '../archive/archives.ts';

describe('The commands of the archive', () => {
  /** What was done, with its arguments. */
  let done: string[];
  let view: { selection: readonly ArchiveRow[]; visible: boolean };
  /** What the archive says of the chats that it's asked for. */
  let numbers: Set<number> | undefined;
  let chosen: number | undefined;
  let commands: ReturnType<typeof archiveCommands>;

  beforeEach(() => {
    done = [];
    numbers = new Set([7]);
    chosen = 7;
    view = { selection: [row(3), { error: new Error('damaged') }, row(4)], visible: true };
    const textOf = (value: unknown) => (value instanceof Set ? `${[...value]}` : (JSON.stringify(value) ?? '-'));
    const noting =
      <T>(name: string, answer: () => T) =>
      (...args: unknown[]) => {
        done.push([name, ...args.map(textOf)].join(' '));
        return answer();
      };
    const nothing = () => {};
    const controller = {
      archive: noting('archive', nothing),
      update: noting('update', nothing),
      pause: noting('pause', nothing),
      remove: noting('remove', nothing),
      retry: noting('retry', nothing),
      numbersOf: noting('numbersOf', () => numbers),
      chooseOne: noting('chooseOne', () => chosen),
    };
    const panel = {
      show: noting('show search', nothing),
      showResults: noting('show results', nothing),
      showChat: noting('search chat', nothing),
    };
    commands = archiveCommands({
      controller: controller as unknown as ArchiveController,
      view,
      search: async () => panel as unknown as SearchPanel,
      statistics: async () => ({ show: noting('show statistics', nothing) }) as unknown as StatisticsPanels,
    });
  });

  const row = (archived: number) => ({ archived }) as ArchiveRow;
  const clicked = { kind: 'group', id: '5' } as const;

  const runs: [what: string, run: () => unknown, ...done: string[]][] = [
    ['updates the clicked chat', () => commands.updateArchive(1), 'update 1'],
    ['updates the selected chats', () => commands.updateArchive(1, [1, 2]), 'update 1,2'],
    ['updates the clicked chat if none is selected', () => commands.updateArchive(1, []), 'update 1'],
    ['updates the chats that are selected in the view', () => commands.updateArchive(), 'update 3,4'],
    ['updates all chats', () => commands.updateAllArchives(), 'update '],
    ['pauses the clicked chat', () => commands.pauseArchive(1), 'pause 1'],
    ['pauses the selected chats', () => commands.pauseArchive(1, [1, 2]), 'pause 1,2'],
    ['deletes the clicked chat', () => commands.deleteArchive(1), 'remove 1'],
    ['deletes the selected chats', () => commands.deleteArchive(1, [1, 2]), 'remove 1,2'],
    ['asks which chats to delete', () => commands.deleteArchives(), 'remove '],
    ['tries a broken archive again', () => commands.refreshArchive(), 'retry'],
    ['archives the clicked chat', () => commands.archiveChat(clicked), 'archive {"kind":"group","id":"5"} -'],
    [
      'archives the selected chats',
      () => commands.archiveChat(clicked, [clicked]),
      'archive {"kind":"group","id":"5"} [{"kind":"group","id":"5"}]',
    ],
    ['asks which chats to archive', () => commands.archiveAnyChat(), 'archive'],
    [
      'shows the statistics of the clicked chat',
      () => commands.showStatistics(clicked),
      'numbersOf [{"kind":"group","id":"5"}]',
      'show statistics 7',
    ],
    [
      'shows the statistics of the selected chats',
      () => commands.showStatistics(1, [1, 2]),
      'numbersOf [1,2]',
      'show statistics 7',
    ],
    ['searches all chats', () => commands.searchMessages(), 'show search'],
    ['shows the last search', () => commands.showResults(), 'show results'],
    ['searches all chats if none was clicked', () => commands.searchArchivedChat(), 'show search'],
    [
      'searches the clicked chat',
      () => commands.searchArchivedChat(CHAT, { text: 'kettle' }),
      `chooseOne ${JSON.stringify(CHAT)} "Search Messages"`,
      'search chat 7 {"text":"kettle"}',
    ],
  ];
  for (const [what, run, ...expected] of runs)
    it(what, async () => {
      await run();
      assert.deepEqual(done, expected);
    });

  it('takes no chats from a view that is hidden', () => {
    view.visible = false;
    commands.updateArchive();
    assert.deepEqual(done, ['update ']);
  });

  it('shows nothing if the archive cannot be read, or no chat is chosen', async () => {
    numbers = undefined;
    chosen = undefined;
    await commands.showStatistics(1);
    await commands.searchArchivedChat(CHAT);
    assert.deepEqual(
      done.filter((one) => /^s/.test(one)),
      [],
    );
  });
});
