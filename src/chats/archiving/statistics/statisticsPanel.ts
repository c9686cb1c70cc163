/** The panel with the statistics of an archived chat. */
import { env, l10n, type WebviewPanel } from 'vscode';
import { BYTE_ORDER_MARK } from '../../../markup/csv.ts';
import type { Host } from '../../../platform/host.ts';
import { type Handlers, openPage, type WebviewPage } from '../../../platform/webviewPage.ts';
import { nameInTab } from '../../../presentation/describe.ts';
import { UserFacingError } from '../../../presentation/errorText.ts';
import { askSaveTarget, exportFileName, saveText } from '../../../presentation/fileDialogs.ts';
import { showError } from '../../../presentation/showError.ts';
import type { BotChat } from '../../../protocol/botChat.ts';
import type { SearchQuery } from '../../../protocol/search.ts';
import { FromStatisticsPage, type Statistics, type ToStatisticsPage } from '../../../protocol/statistics.ts';
import { systemClock } from '../../../service/clock.ts';
import type { ArchiveController } from '../archiveController.ts';
import { archiveErrorText, toUserFacing } from '../archiveErrorText.ts';
import { chatCoverageText } from '../coverage.ts';
import { statisticsCsv } from './statisticsCsv.ts';

export class StatisticsPanel {
  readonly #panel: WebviewPanel;
  readonly #page: WebviewPage<ToStatisticsPage>;
  readonly #botChat: BotChat;
  readonly #host: Pick<Host, 'extensionUri' | 'log'>;
  readonly #controller: ArchiveController;
  readonly #search: (query: SearchQuery) => Promise<void>;
  #isClosed = false;
  /** What others may read, in the name of a file. */
  #ownName: string;
  #timeZone = 'UTC';
  #statistics: Statistics | undefined;

  /** `search` searches the archive. */
  constructor(
    panel: WebviewPanel,
    botChat: BotChat,
    host: Pick<Host, 'extensionUri' | 'log'>,
    controller: ArchiveController,
    search: (query: SearchQuery) => Promise<void>,
  ) {
    this.#panel = panel;
    this.#botChat = botChat;
    this.#host = host;
    this.#controller = controller;
    this.#search = search;
    this.#ownName = botChat.id;
    this.#page = openPage(panel, host, {
      page: 'statistics',
      schema: FromStatisticsPage,
      contents: () => ({ data: { place: botChat } }),
      fill: ({ timeZone }) => {
        this.#timeZone = timeZone ?? this.#timeZone;
        return this.#count();
      },
      handlers: this.#handlers,
      fail: (error) => showError(toUserFacing(error)),
      closed: () => {
        this.#isClosed = true;
      },
    });
  }

  reveal(): void {
    this.#panel.reveal();
  }

  readonly #handlers: Handlers<FromStatisticsPage> = {
    update: () => this.#count(),
    copyCsv: () => env.clipboard.writeText(this.#csv()),
    saveCsv: () => this.#save(),
    search: async ({ query }) => {
      const chat = await this.#controller.thread.archive.numberOf(this.#botChat);
      if (chat === undefined) throw new UserFacingError(l10n.t("This chat isn't archived anymore."));
      await this.#search({ ...query, chat, order: 'newest' });
    },
  };

  async #count(): Promise<void> {
    void this.#page.post({ type: 'loading' });
    try {
      const { archive } = this.#controller.thread;
      const chat = await this.#controller.pages.chat(this.#botChat);
      if (!chat) throw new UserFacingError(l10n.t("This chat isn't archived anymore."));
      const { name, otherName = name } = await this.#controller.namesOf(chat);
      this.#ownName = otherName;
      if (this.#isClosed) return;
      this.#panel.title = l10n.t('Statistics of {0}', nameInTab(name));
      void this.#page.post({ type: 'heading', name, summary: chatCoverageText(chat) });
      this.#statistics = await archive.statistics(chat.number, this.#timeZone);
      void this.#page.post({ type: 'statistics', statistics: this.#statistics });
    } catch (error) {
      void this.#page.post({ type: 'failed', text: archiveErrorText(error) });
    }
  }

  async #save(): Promise<void> {
    const name = exportFileName(this.#ownName, this.#botChat.id, new Date(systemClock.wall()));
    const question = { title: l10n.t('Save as CSV'), name, type: 'CSV', extension: 'csv' };
    const target = await askSaveTarget(question, this.#host);
    if (target) await saveText(target, BYTE_ORDER_MARK + this.#csv());
  }

  #csv(): string {
    return this.#statistics ? statisticsCsv(this.#statistics, env.language) : '';
  }
}
