/** The open panels with statistics: one for each archived chat. */
import * as v from 'valibot';
import { env } from 'vscode';
import { BYTE_ORDER_MARK, csvLine, joinCsv } from '../../markup/csv.ts';
import { DAY, dayFromNumber } from '../../markup/days.ts';
import type { CsvText } from '../../markup/safeText.ts';
import type { Host } from '../../platform/host.ts';
import { OpenPanels } from '../../platform/openPanels.ts';
import { createPanel, openPage, type ShownPanel, type WebviewPage } from '../../platform/webviewPage.ts';
import { nameInTab } from '../../presentation/describe.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { askSaveTarget, exportFileName, saveText } from '../../presentation/fileDialogs.ts';
import { showError } from '../../presentation/showError.ts';
import { l10n } from '../../presentation/shown.ts';
import { type BotChat, botChatKey } from '../../protocol/botChat.ts';
import type { SearchQuery } from '../../protocol/search.ts';
import {
  FromStatisticsPage,
  type Ranking,
  type Statistics,
  StatisticsPageState,
  type ToStatisticsPage,
} from '../../protocol/statistics.ts';
import { systemClock } from '../../service/clock.ts';
import type { ArchiveController } from './archiveController.ts';
import { archiveErrorText, toUserFacing } from './archiveErrorText.ts';
import { chatCoverageText } from './coverage.ts';

export class StatisticsPanels {
  readonly #viewType: string;
  readonly #host: Pick<Host, 'extensionUri' | 'log'>;
  readonly #controller: ArchiveController;
  readonly #search: (query: SearchQuery) => Promise<void>;
  readonly #panels: OpenPanels<ShownPanel>;

  /** `viewType` is the panels' view type, by which VS Code restores them. `search` searches the archive. */
  constructor(
    viewType: string,
    host: Pick<Host, 'extensionUri' | 'log' | 'workspaceMemento'>,
    controller: ArchiveController,
    search: (query: SearchQuery) => Promise<void>,
  ) {
    this.#viewType = viewType;
    this.#panels = new OpenPanels(viewType, host.workspaceMemento);
    this.#host = host;
    this.#controller = controller;
    this.#search = search;
  }

  /** Shows the statistics of these chats, by their numbers in the archive, or of one that the user picks. */
  async show(numbers: ReadonlySet<number>): Promise<void> {
    for (const { botChat } of await this.#controller.choose(numbers, l10n.t('Statistics'))) {
      const shown = await this.#panels.find(botChatKey(botChat));
      if (shown) shown.reveal();
      else this.#add(createPanel(this.#viewType, l10n.t('Statistics')), botChat);
    }
  }

  /** Restores a panel after VS Code has reloaded. */
  restore(panel: ShownPanel, state: unknown): void {
    const saved = v.safeParse(StatisticsPageState, state);
    if (saved.success && !this.#panels.get(botChatKey(saved.output.place))) this.#add(panel, saved.output.place);
    else panel.dispose();
  }

  #add(panel: ShownPanel, botChat: BotChat): void {
    showStatistics(panel, botChat, { host: this.#host, controller: this.#controller, search: this.#search });
    this.#panels.add(botChatKey(botChat), panel, panel);
  }
}

interface Archived {
  readonly host: Pick<Host, 'extensionUri' | 'log'>;
  readonly controller: ArchiveController;
  /** Searches the archive. */
  search(query: SearchQuery): Promise<void>;
}

/** Shows the statistics of an archived chat in a panel. */
function showStatistics(panel: ShownPanel, botChat: BotChat, { host, controller, search }: Archived): void {
  const { archive } = controller.thread;
  let isClosed = false;
  /** The name of the file has the service's own name of the chat, because others may read it. */
  let ownName = botChat.id;
  let timeZone = 'UTC';
  let statistics: Statistics | undefined;
  const notArchived = () => new UserFacingError(l10n.t("This chat isn't archived anymore."));
  const csv = () => (statistics ? statisticsCsv(statistics, env.language) : '');
  const page: WebviewPage<ToStatisticsPage> = openPage(panel, host, {
    page: 'statistics',
    schema: FromStatisticsPage,
    contents: () => ({ data: { place: botChat } }),
    fill: (ready) => {
      timeZone = ready.timeZone ?? timeZone;
      return count();
    },
    handlers: {
      update: count,
      copyCsv: () => env.clipboard.writeText(csv()),
      saveCsv: async () => {
        const name = exportFileName(ownName, botChat.id, new Date(systemClock.wall()));
        const question = { title: l10n.t('Save as CSV'), name, type: 'CSV', extension: 'csv' };
        const target = await askSaveTarget(question, host);
        if (target) await saveText(target, joinCsv([BYTE_ORDER_MARK, csv()]));
      },
      search: async ({ query }) => {
        const chat = await archive.numberOf(botChat);
        if (chat === undefined) throw notArchived();
        await search({ ...query, chat, order: 'newest' });
      },
    },
    fail: (error) => showError(toUserFacing(error)),
    closed: () => {
      isClosed = true;
    },
  });

  async function count(): Promise<void> {
    void page.post({ type: 'loading' });
    try {
      const chat = await controller.pages.chat(botChat);
      if (!chat) throw notArchived();
      const { name, otherName = name } = await controller.namesOf(chat);
      ownName = otherName;
      if (isClosed) return;
      panel.title = l10n.t('Statistics of {0}', nameInTab(name));
      void page.post({ type: 'heading', name, summary: chatCoverageText(chat) });
      statistics = await archive.statistics(chat.number, timeZone);
      void page.post({ type: 'statistics', statistics });
    } catch (error) {
      void page.post({ type: 'failed', text: archiveErrorText(error) });
    }
  }
}

/** A line for each value: its section, its label, its count. `language` is a BCP 47 tag. */
export function statisticsCsv(statistics: Statistics, language: string): CsvText {
  const weekdays = new Intl.DateTimeFormat(language, {
    weekday: language.startsWith('zh') ? 'short' : 'long',
    timeZone: 'UTC',
  });
  const { total, unreadable, withoutTime, withButtons, days, hours, senders, kinds, commands, buttons } = statistics;
  const lines: [string, string, number][] = [
    [l10n.t('Messages'), '', total],
    [l10n.t('Unreadable'), '', unreadable],
    [l10n.t('Without a time'), '', withoutTime],
    [l10n.t('With buttons'), '', withButtons],
    ...days.map(({ day, count }) => line(l10n.t('Messages by Day'), dayFromNumber(day), count)),
    ...hours.flatMap((counts, weekday) => {
      // 1970-01-05 was a Monday.
      const name = weekdays.format((weekday + 4) * DAY);
      return counts.map((count, hour) =>
        line(l10n.t('Messages by Weekday and Hour'), `${name} ${String(hour).padStart(2, '0')}:00`, count),
      );
    }),
    ...ranked(l10n.t('Messages by Sender'), senders, ({ type, id, name }) =>
      l10n.t('{0} ({1})', name, `${type} ${id}`),
    ),
    ...ranked(l10n.t('Messages by Type'), kinds, ({ kind }) => kind),
    ...ranked(l10n.t('Commands by Name'), commands, ({ name }) => name),
    ...ranked(l10n.t('Buttons by Text'), buttons, ({ text }) => text),
  ];
  const header = csvLine([l10n.t('Section'), l10n.t('Label'), l10n.t('Count')]);
  return joinCsv([header, ...lines.map(([section, label, count]) => csvLine([section, label, String(count)]))]);
}

const line = (section: string, label: string, count: number): [string, string, number] => [section, label, count];

function ranked<T>(section: string, { top, others }: Ranking<T>, labelOf: (entry: T) => string) {
  const lines = top.map((entry) => line(section, labelOf(entry), entry.count));
  const name = others.names === 1 ? l10n.t('1 other') : l10n.t('{0} others', others.names);
  if (others.names > 0) lines.push(line(section, name, others.count));
  return lines;
}
