/** The panels with the reports of deliveries: one for each delivery. */
import PQueue from 'p-queue';
import * as v from 'valibot';
import { env, l10n, ViewColumn, type WebviewPanel, window } from 'vscode';
import { DeliveryId } from '../../platform/commandArguments.ts';
import type { Host } from '../../platform/host.ts';
import { OpenPanels } from '../../platform/openPanels.ts';
import { type Handlers, openPage, type WebviewPage } from '../../platform/webviewPage.ts';
import { nameInTab, namesAt } from '../../presentation/describe.ts';
import { errorText } from '../../presentation/errorText.ts';
import { showError } from '../../presentation/showError.ts';
import { showReadOnly } from '../../presentation/textEditors.ts';
import { FromReportPage, type ReportAction, type ReportQuery, type ToReportPage } from '../../protocol/report.ts';
import { type Clock, systemClock, Timer } from '../../service/clock.ts';
import { messageIdOf, OUTCOME_STATES } from '../outbox/deliveryStatus.ts';
import { headingOf, stateText } from '../outbox/deliveryTexts.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import { mayHaveReplies } from '../outbox/outboxEntry.ts';
import { relatedTo, reportText, reportTitle, summaryOf } from './report.ts';
import { columnTitles, ReportList, wholeTextOf } from './reportList.ts';

type ReportHost = Pick<Host, 'commands' | 'connection' | 'extensionUri' | 'log' | 'workspaceMemento'>;

type Controller = Pick<OutboxController, 'entry' | 'openToEdit' | 'outbox' | 'reported'>;

/** A delivery changes with every batch; its report is filled at most this often (milliseconds). */
const UPDATE_INTERVAL = 1_000;

/** How often a delivery is read that another window may be sending (milliseconds). This window tells of its own. */
const POLL = 2_000;

const COMMANDS = {
  check: 'checkDelivery',
  resume: 'resumeDelivery',
  resend: 'resendDelivery',
  lookUp: 'lookUpMissing',
  cancel: 'cancelDelivery',
  sendNow: 'sendDeliveryNow',
  reschedule: 'rescheduleDelivery',
  unschedule: 'unscheduleDelivery',
  sendEdited: 'sendEditedDelivery',
  edit: 'editDelivery',
  findReplies: 'findReplies',
} as const satisfies Partial<Record<ReportAction, string>>;

export class ReportPanels {
  readonly #viewType: string;
  readonly #host: ReportHost;
  readonly #controller: Controller;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #panels: OpenPanels<ReportPanel>;
  /** The deliveries that have changed since the last update. */
  #changed = new Set<string>();
  readonly #updating: Timer;

  /** `viewType` is the panels' view type, by which VS Code restores them. */
  constructor(viewType: string, host: ReportHost, controller: Controller, clock: Pick<Clock, 'after'> = systemClock) {
    this.#viewType = viewType;
    this.#host = host;
    this.#controller = controller;
    this.#clock = clock;
    this.#panels = new OpenPanels(viewType, host.workspaceMemento);
    this.#updating = new Timer(() => {
      const changed = this.#changed;
      this.#changed = new Set();
      for (const panel of this.#panels.all) if (panel.isAbout(changed)) void panel.update();
    }, clock);
  }

  /** Shows the report of a delivery as it is now. A new panel begins with this query. */
  async show(id: string, query?: ReportQuery): Promise<void> {
    const shown = await this.#panels.find(id);
    if (!shown) {
      const panel = window.createWebviewPanel(this.#viewType, l10n.t('Delivery Report'), ViewColumn.Active);
      return this.#add(panel, id, query);
    }
    shown.reveal();
    await shown.update();
  }

  /** Restores a panel after VS Code has reloaded. */
  restore(panel: WebviewPanel, state: unknown): void {
    const saved = v.safeParse(v.object({ delivery: DeliveryId }), state);
    if (saved.success && !this.#panels.get(saved.output.delivery)) this.#add(panel, saved.output.delivery);
    else panel.dispose();
  }

  /** A delivery has changed: shows it soon. */
  changed(id: string): void {
    this.#changed.add(id);
    this.#updating.start(UPDATE_INTERVAL);
  }

  /** Shows all deliveries as they are now. */
  update(): void {
    for (const panel of this.#panels.all) void panel.update();
  }

  #add(panel: WebviewPanel, id: string, query?: ReportQuery): void {
    this.#panels.add(id, panel, new ReportPanel(panel, { id, query }, this.#host, this.#controller, this.#clock));
  }
}

class ReportPanel {
  readonly #panel: WebviewPanel;
  readonly #id: string;
  readonly #host: ReportHost;
  readonly #controller: Controller;
  readonly #page: WebviewPage<ToReportPage>;
  readonly #poll: Timer;
  /** What the page gets is made in the order in which it asked, so that rows follow their list. */
  readonly #work = new PQueue({ concurrency: 1 });
  #isUpdateQueued = false;
  #entry: Awaited<ReturnType<Controller['reported']>> | undefined;
  /** The deliveries that it didn't show when it was read. A new one may be a resend or a reminder. */
  #others: ReadonlySet<string> = new Set();
  #list: ReportList | undefined;
  /** The number of the list that the page asked for last. */
  #asked = 0;
  #isClosed = false;

  /** `query` is that of a page which nobody has changed. */
  constructor(
    panel: WebviewPanel,
    { id, query }: { id: string; query: ReportQuery | undefined },
    host: ReportHost,
    controller: Controller,
    clock: Pick<Clock, 'after'>,
  ) {
    this.#panel = panel;
    this.#id = id;
    this.#host = host;
    this.#controller = controller;
    this.#poll = new Timer(() => void this.update(), clock);
    this.#page = openPage(panel, host, {
      page: 'report',
      schema: FromReportPage,
      contents: () => ({ data: { delivery: id, query: query ?? null } }),
      fill: () => this.update(),
      handlers: this.#handlers,
      fail: showError,
      emptied: () => this.#empty(),
      closed: () => {
        this.#isClosed = true;
        this.#empty();
      },
    });
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Whether it may show one of these deliveries. */
  isAbout(ids: ReadonlySet<string>): boolean {
    return [...ids].some((id) => !this.#others.has(id));
  }

  /** Reads the delivery again, and shows what has changed. */
  async update(): Promise<void> {
    // A hidden one has no page. It's filled when it's shown.
    if (!this.#panel.visible || this.#isUpdateQueued) return;
    this.#isUpdateQueued = true;
    await this.#work.add(() => {
      this.#isUpdateQueued = false;
      return this.#show();
    });
  }

  async #show(): Promise<void> {
    try {
      const all = await this.#controller.outbox.all();
      const entry = await this.#controller.reported(this.#id);
      if (this.#isClosed) return;
      this.#entry = entry;
      const related = relatedTo(entry, all);
      const own = new Set([this.#id, ...entry.resends, ...related.map((one) => one.delivery)]);
      this.#others = new Set(all.map((one) => one.status.delivery.id).filter((id) => !own.has(id)));
      const { status, isRunning } = entry;
      const summary = summaryOf(entry);
      this.#panel.title = reportTitle(nameInTab(headingOf(status.delivery)));
      this.#post({
        type: 'summary',
        ...summary,
        isPersonal: status.delivery.variables !== undefined,
        titles: columnTitles(),
        counts: OUTCOME_STATES.map((result) => ({
          result,
          label: stateText(result),
          count: status.listedCount(result),
        })),
        actions: [
          ...entry.actions.filter((action) => action !== 'remove'),
          ...(mayHaveReplies(entry) ? (['findReplies'] as const) : []),
          // Editing opens it, too.
          ...(entry.actions.includes('edit') ? [] : (['openMessage'] as const)),
          'copyCsv',
          'copyMarkdown',
        ],
        related,
      });
      const list = this.#list;
      const rows = (await list?.changed(status)) ?? [];
      if (list && rows.length > 0) this.#post({ type: 'changed', list: list.number, rows });
      if (isRunning && !this.#isClosed) this.#poll.start(POLL);
    } catch (error) {
      this.#post({ type: 'failed', text: errorText(error) });
    }
  }

  readonly #handlers: Handlers<FromReportPage> = {
    retry: () => this.update(),
    list: (wanted) => {
      this.#asked = wanted.list;
      return this.#work.add(() => this.#showList(wanted));
    },
    more: ({ list }) => this.#work.add(() => this.#showMore(list)),
    act: ({ action }) => this.#act(action),
    openDelivery: ({ delivery }) => this.#host.commands.run('openReport', delivery),
    openChat: async ({ chat }) => {
      const { status } = await this.#controller.reported(this.#id);
      const { service, bot } = status.delivery;
      return this.#host.commands.run('openMessage', {
        ...chat,
        service,
        botId: bot.id,
        msgId: messageIdOf(status.outcomeOf(chat)),
      });
    },
    showWhole: async ({ chat }) => {
      const { status } = await this.#controller.reported(this.#id);
      return showReadOnly(l10n.t('Error'), wholeTextOf(status.outcomeOf(chat)) ?? '');
    },
  };

  async #showList({ list, query }: { list: number; query: ReportQuery }): Promise<void> {
    if (!this.#entry || list !== this.#asked) return;
    const { status } = this.#entry;
    const known = await namesAt(this.#host.connection, status.delivery.service);
    const found = await ReportList.find(list, status, query, known, () => list === this.#asked);
    if (!found) return;
    this.#list = found;
    this.#post({ type: 'list', list, total: found.total, rows: await found.more(status) });
  }

  async #showMore(list: number): Promise<void> {
    if (!this.#entry || this.#list?.number !== list) return;
    this.#post({ type: 'more', list, rows: await this.#list.more(this.#entry.status) });
  }

  async #act(action: ReportAction): Promise<void> {
    if (action === 'openMessage')
      return void (await this.#controller.openToEdit(await this.#controller.entry(this.#id)));
    if (action === 'copyCsv' || action === 'copyMarkdown') {
      const format = action === 'copyCsv' ? 'csv' : 'markdown';
      await env.clipboard.writeText(await reportText(await this.#controller.reported(this.#id), format));
      return this.#post({ type: 'copied' });
    }
    return this.#host.commands.run(COMMANDS[action], this.#id);
  }

  /** The page is gone. The next one asks for its own list. */
  #empty(): void {
    this.#poll.stop();
    this.#list = undefined;
  }

  #post(message: ToReportPage): void {
    void this.#page.post(message);
  }
}
