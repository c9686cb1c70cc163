/** The panels with the reports of deliveries: one for each delivery. */
import type { Host } from '../../platform/host.ts';
import { OpenPanels } from '../../platform/openPanels.ts';
import type { ShownPanel } from '../../platform/webviewPage.ts';
import { nameInTab, namesAt } from '../../presentation/describe.ts';
import { l10n } from '../../presentation/shown.ts';
import { showReadOnly } from '../../presentation/textEditors.ts';
import { FromReportPage, type ReportAction, type ReportQuery, type ReportSummary } from '../../protocol/report.ts';
import { type Clock, systemClock, Timer } from '../../service/clock.ts';
import { deliveryIn, openListedPage } from '../listedPage.ts';
import { messageIdOf, OUTCOME_STATES } from '../outbox/deliveryStatus.ts';
import { headingOf, stateText } from '../outbox/deliveryTexts.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import { mayHaveReplies } from '../outbox/outboxEntry.ts';
import { relatedTo, reportText, reportTitle, summaryOf } from './report.ts';
import { columnTitles, findRecipients, PORTION, rowNow, rowsOf, wholeTextOf } from './reportList.ts';

type ReportHost = Pick<Host, 'commands' | 'connection' | 'extensionUri' | 'log' | 'workspaceMemento'>;

type Controller = Pick<OutboxController, 'entry' | 'openToEdit' | 'outbox' | 'reported'>;

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
  readonly #panels: OpenPanels<ReportPanel>;
  readonly #create: (panel: ShownPanel, id: string, query?: ReportQuery) => ReportPanel;

  /** `viewType` is the panels' view type, by which VS Code restores them. */
  constructor(viewType: string, host: ReportHost, controller: Controller, clock: Pick<Clock, 'after'> = systemClock) {
    this.#panels = new OpenPanels(viewType, host.workspaceMemento);
    this.#create = (panel, id, query) => openReport(panel, { id, query }, { host, controller, clock });
  }

  /** Shows the report of a delivery as it is now. A new panel begins with this query. */
  async show(id: string, query?: ReportQuery): Promise<void> {
    const shown = await this.#panels.find(id);
    shown?.reveal();
    if (shown) await shown.update();
    else this.#panels.open(id, l10n.t('Delivery Report'), (panel) => this.#create(panel, id, query));
  }

  /** Restores a panel after VS Code has reloaded. */
  restore(panel: ShownPanel, state: unknown): void {
    this.#panels.restore(panel, deliveryIn(state), this.#create);
  }

  /** A delivery has changed: shows it soon. */
  changed(id: string): void {
    for (const panel of this.#panels.all) panel.changed(id);
  }

  /** Shows all deliveries as they are now. */
  update(): void {
    for (const panel of this.#panels.all) void panel.update();
  }
}

type ReportPanel = ReturnType<typeof openReport>;

/** `query` is that of a page which nobody has changed. */
function openReport(
  panel: ShownPanel,
  { id, query }: { id: string; query: ReportQuery | undefined },
  { host, controller, clock }: { host: ReportHost; controller: Controller; clock: Pick<Clock, 'after'> },
) {
  /** The deliveries that it didn't show when it was read. A new one may be a resend or a reminder. */
  let others: ReadonlySet<string> = new Set();
  const polling = new Timer(() => void page.update(), clock);

  async function act(action: ReportAction): Promise<void> {
    if (action === 'openMessage') return void (await controller.openToEdit(await controller.entry(id)));
    if (action === 'copyCsv' || action === 'copyMarkdown') {
      const format = action === 'copyCsv' ? 'csv' : 'markdown';
      return page.copy(await reportText(await controller.reported(id), format));
    }
    return host.commands.run(COMMANDS[action], id);
  }

  const page = openListedPage(panel, host, clock, {
    page: 'report',
    schema: FromReportPage,
    data: { delivery: id, query: query ?? null },
    portion: PORTION,
    async read() {
      const all = await controller.outbox.all();
      const entry = await controller.reported(id);
      const related = relatedTo(entry, all);
      const own = new Set([id, ...entry.resends, ...related.map((one) => one.delivery)]);
      others = new Set(all.map((one) => one.status.delivery.id).filter((one) => !own.has(one)));
      if (entry.isRunning && !page.isClosed) polling.start(POLL);
      return { entry, status: entry.status, related };
    },
    title: ({ status }) => reportTitle(nameInTab(headingOf(status.delivery))),
    summary: ({ entry, status, related }): ReportSummary => ({
      type: 'summary',
      ...summaryOf(entry),
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
        // Editing opens the message, too.
        ...(entry.actions.includes('edit') ? [] : (['openMessage'] as const)),
        'copyCsv',
        'copyMarkdown',
      ],
      related,
    }),
    async find({ status }, wanted: ReportQuery, isWanted) {
      const known = await namesAt(host.connection, status.delivery.service);
      return findRecipients(status, wanted, known, isWanted);
    },
    rowsOf: (recipients, { status }) => rowsOf(recipients, status),
    rowNow: (row, { status }) => rowNow(row, status),
    handlers: (ofList) => ({
      ...ofList,
      act: ({ action }) => act(action),
      openDelivery: ({ delivery }) => host.commands.run('openReport', delivery),
      async openChat({ chat }) {
        const { status } = await controller.reported(id);
        const { service, bot } = status.delivery;
        const msgId = messageIdOf(status.outcomeOf(chat));
        return host.commands.run('openMessage', { ...chat, service, botId: bot.id, msgId });
      },
      async showWhole({ chat }) {
        const { status } = await controller.reported(id);
        return showReadOnly(l10n.t('Error'), wholeTextOf(status.outcomeOf(chat)) ?? '');
      },
    }),
    emptied: () => polling.stop(),
    closed: () => polling.stop(),
  });

  return {
    reveal: page.reveal,
    update: page.update,
    /** A delivery has changed, which this may show. */
    changed(one: string): void {
      if (!others.has(one)) page.updateSoon();
    },
  };
}
