/** The panel with the statistics of an archived chat. */
import * as v from 'valibot';
import { env, l10n, type WebviewPanel } from 'vscode';
import { statisticsCsv } from '../../archive/statisticsCsv.ts';
import type { Host } from '../../platform/host.ts';
import { loadPage, preparePanel } from '../../platform/webviewPage.ts';
import { showError, UserFacingError } from '../../presentation/errorText.ts';
import { askSaveTarget, exportFileName, saveText } from '../../presentation/fileDialogs.ts';
import { pageLabels } from '../../presentation/pageLabels.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import type { SearchQuery } from '../../protocol/search.ts';
import { FromStatisticsPage, type Statistics, type ToStatisticsPage } from '../../protocol/statistics.ts';
import { systemClock } from '../../service/clock.ts';
import type { ArchiveController } from '../archiveController.ts';
import { archiveErrorText } from '../archiveErrorText.ts';
import { chatCoverageText } from '../coverage.ts';
import { statisticsLabels } from './statisticsLabels.ts';

export class StatisticsPanel {
  readonly #panel: WebviewPanel;
  readonly #botChat: BotChat;
  readonly #host: Pick<Host, 'extensionUri' | 'log'>;
  readonly #controller: ArchiveController;
  readonly #search: (query: SearchQuery) => Promise<void>;
  #isClosed = false;
  #name: string;
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
    this.#name = botChat.id;
    preparePanel(panel, host.extensionUri);
    panel.onDidDispose(() => {
      this.#isClosed = true;
    });
    panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message));
    const data = { place: botChat, words: statisticsLabels() };
    loadPage(panel, host.extensionUri, { page: 'statistics', data, labels: pageLabels(), allowsImages: false });
  }

  reveal(): void {
    this.#panel.reveal();
  }

  async #receive(message: unknown): Promise<void> {
    const parsed = v.safeParse(FromStatisticsPage, message);
    if (!parsed.success) {
      this.#host.log.warn(`statistics page: ${v.summarize(parsed.issues)}`);
      return;
    }
    try {
      await this.#handle(parsed.output);
    } catch (error) {
      this.#host.log.error(error instanceof Error ? error : String(error));
      await showError(error instanceof UserFacingError ? error : new UserFacingError(archiveErrorText(error)));
    }
  }

  async #handle(message: FromStatisticsPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#timeZone = message.timeZone ?? this.#timeZone;
        return this.#count();
      case 'update':
        return this.#count();
      case 'copyCsv':
        return env.clipboard.writeText(this.#csv());
      case 'saveCsv':
        return this.#save();
      case 'search': {
        const chat = await this.#controller.thread.archive.numberOf(this.#botChat);
        if (chat === undefined) throw new UserFacingError(l10n.t("This chat isn't archived any more."));
        await this.#search({ ...message.query, chat, order: 'newest' });
      }
    }
  }

  async #count(): Promise<void> {
    this.#post({ type: 'loading' });
    try {
      const { archive } = this.#controller.thread;
      const number = await archive.numberOf(this.#botChat);
      const chat = (await archive.chats()).find((one) => one.number === number);
      if (!chat) throw new UserFacingError(l10n.t("This chat isn't archived any more."));
      this.#name = (await this.#controller.namesOf(chat)).name;
      if (this.#isClosed) return;
      this.#panel.title = l10n.t('Statistics of {0}', this.#name);
      this.#post({ type: 'heading', name: this.#name, summary: chatCoverageText(chat) });
      this.#statistics = await archive.statistics(chat.number, this.#timeZone);
      this.#post({ type: 'statistics', statistics: this.#statistics });
    } catch (error) {
      this.#post({ type: 'failed', text: archiveErrorText(error) });
    }
  }

  async #save(): Promise<void> {
    const name = exportFileName(this.#name, this.#botChat.id, new Date(systemClock.wall()));
    const question = { title: l10n.t('Save as CSV'), name, type: 'CSV', extension: 'csv' };
    const target = await askSaveTarget(question, this.#host.extensionUri);
    if (target) await saveText(target, this.#csv());
  }

  #csv(): string {
    return this.#statistics ? statisticsCsv(this.#statistics, statisticsLabels(), env.language) : '';
  }

  #post(message: ToStatisticsPage): void {
    if (!this.#isClosed) void this.#panel.webview.postMessage(message);
  }
}
