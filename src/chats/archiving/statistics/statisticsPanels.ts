/** The open panels with statistics: one for each chat. */
import * as v from 'valibot';
import { l10n, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { Host } from '../../../platform/host.ts';
import { OpenPanels } from '../../../platform/openPanels.ts';
import { type BotChat, botChatKey } from '../../../protocol/botChat.ts';
import type { SearchQuery } from '../../../protocol/search.ts';
import { StatisticsPageState } from '../../../protocol/statistics.ts';
import type { ArchiveController } from '../archiveController.ts';
import { StatisticsPanel } from './statisticsPanel.ts';

export class StatisticsPanels {
  readonly #viewType: string;
  readonly #host: Pick<Host, 'extensionUri' | 'log'>;
  readonly #controller: ArchiveController;
  readonly #search: (query: SearchQuery) => Promise<void>;
  readonly #panels: OpenPanels<StatisticsPanel>;

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
      else this.#add(window.createWebviewPanel(this.#viewType, l10n.t('Statistics'), ViewColumn.Active), botChat);
    }
  }

  /** Restores a panel after VS Code has reloaded. */
  restore(panel: WebviewPanel, state: unknown): void {
    const saved = v.safeParse(StatisticsPageState, state);
    if (saved.success && !this.#panels.get(botChatKey(saved.output.place))) this.#add(panel, saved.output.place);
    else panel.dispose();
  }

  #add(panel: WebviewPanel, botChat: BotChat): void {
    const statistics = new StatisticsPanel(panel, botChat, this.#host, this.#controller, this.#search);
    this.#panels.add(botChatKey(botChat), panel, statistics);
  }
}
