/** The outbox's view, the reports of deliveries, comparisons, and what can be done with a delivery. */
import { commands, type Disposable, EventEmitter, l10n, type TreeDataProvider, window, workspace } from 'vscode';
import { once, restorePanels } from '../../platform/defer.ts';
import type { ActivationHost, Load } from '../../platform/host.ts';
import { Timer } from '../../service/clock.ts';
import type { OutboxFeature } from '../outbox/index.ts';
import type { OutboxNode } from './outboxTree.ts';
import { registerSchedule } from './registerSchedule.ts';

/** The view type by which VS Code restores reports. */
const REPORT_VIEW = 'botChats.report';

/** Documents as they were sent. Never change, so nothing reports changes. */
const SENT_SCHEME = 'bot-chats-sent';

/** A delivery changes with every batch; the rows are painted at most this often (milliseconds). */
const REPAINT_INTERVAL = 250;

/** How long after VS Code's start it is looked for what needs somebody (milliseconds). */
const STARTUP_DELAY = 1_000;

/** What the outbox does with the deliveries that are clicked or selected. */
const ON_DELIVERIES = {
  cancelDelivery: 'cancel',
  checkDelivery: 'check',
  saveRecipients: 'saveRecipients',
  deleteDelivery: 'remove',
} as const;

const ON_REPORTS = { copyReport: 'markdown', copyReportCsv: 'csv' } as const;

type Lazy = Pick<typeof import('./outboxTree.ts'), 'OutboxTree'> &
  Pick<typeof import('./reportPanel.ts'), 'ReportPanels'> &
  Pick<typeof import('./report.ts'), 'copyReport'> &
  Pick<typeof import('./scheduleController.ts'), 'ScheduleController'> &
  Pick<typeof import('./chatDeliveries.ts'), 'chooseDeliveryTo'> &
  Pick<typeof import('./comparison.ts'), 'Comparison'> &
  Pick<typeof import('../outbox/runDelivery.ts'), 'resumeDelivery' | 'sendDeliveryNow'>;

export function registerView(host: ActivationHost, outbox: OutboxFeature, load: Load<Lazy>) {
  const { controller } = outbox;
  const painted = new EventEmitter<undefined>();
  const repaint = () => painted.fire(undefined);
  const repainting = new Timer(repaint);

  const tree = once(async () => new (await load()).OutboxTree((await controller()).outbox, host.connection));
  const reports = once(async () => new (await load()).ReportPanels(REPORT_VIEW, host, await controller()));
  const comparison = once(async () => new (await load()).Comparison(await controller(), SENT_SCHEME));
  /** Shows all open reports as they are now. */
  const repaintReports = () => void reports.loaded?.then((panels) => panels.update());

  const treeDataProvider: TreeDataProvider<OutboxNode> = {
    onDidChangeTreeData: painted.event,
    getTreeItem: async (node) => (await tree()).item(node),
    getChildren: async (node) => (await tree()).children(node),
    // Only deliveries are revealed, which have none.
    getParent: () => undefined,
    resolveTreeItem: async (item, node) => {
      item.tooltip = (await tree()).tooltip(node) ?? item.tooltip;
      return item;
    },
  };
  const view = window.createTreeView('botChats.outbox', { treeDataProvider, canSelectMany: true });

  /** The IDs of the deliveries that a command is for: the clicked and selected ones, or those selected in the view. */
  const chosen = (clicked?: string, selected?: readonly string[]) =>
    new Set(selected?.length ? selected : clicked ? [clicked] : view.selection.map(({ id }) => id));
  /** Counts what needs somebody. Usually nothing does. */
  const showBadge = async () => {
    const badge = (await outbox.mayHave('unseen')) ? await (await tree()).badge() : undefined;
    // Of a collapsed view, VS Code shows only the title.
    if (badge || view.badge) view.title = badge ? l10n.t('Outbox ({0})', badge.value) : l10n.t('Outbox');
    view.badge = badge;
  };
  const badging = new Timer(() => void showBadge().catch((error) => host.log.error(error)));
  badging.start(STARTUP_DELAY);
  /** Somebody has seen a delivery, or the whole outbox, since the badge was shown. */
  const markSeen = async (id?: string) => {
    if (view.badge) await (await controller()).outbox.markSeen(id).catch((error) => host.log.error(error));
  };
  /** Registers a command that does something with each of the chosen deliveries. */
  const onEach = (
    name: 'openReport' | 'resumeDelivery' | 'sendDeliveryNow' | keyof typeof ON_DELIVERIES | keyof typeof ON_REPORTS,
    run: (id: string) => Promise<void>,
  ) =>
    host.commands.registerEach(name, chosen, async (id) => {
      await markSeen(id);
      await run(id);
    });

  const schedule = registerSchedule(host, outbox, chosen, load);
  const disposables: Disposable[] = [
    ...schedule.disposables,
    view,
    painted,
    { dispose: () => repainting.stop() },
    { dispose: () => badging.stop() },
    outbox.onDidChange((id) => {
      repainting.start(REPAINT_INTERVAL);
      badging.start(REPAINT_INTERVAL);
      void reports.loaded?.then((panels) => panels.changed(id));
    }),
    // The rows of other services name theirs.
    host.connection.onDidChange(() => view.visible && repaint()),
    // Another window may have sent something meanwhile.
    view.onDidChangeVisibility(({ visible }) => {
      if (visible) repaint();
      if (visible) void markSeen();
    }),
    view.onDidChangeSelection(() => void markSeen()),
    window.onDidChangeWindowState(({ focused }) => {
      if (focused && view.visible) repaint();
      if (focused) repaintReports();
      if (focused) badging.start(REPAINT_INTERVAL);
    }),
    host.commands.register('refreshOutbox', async () => {
      repaint();
      repaintReports();
    }),
    host.commands.register('showNextScheduled', async () => {
      const next = await (await tree()).nextScheduled();
      if (next) await view.reveal(next, { select: true, focus: true });
      else await commands.executeCommand('botChats.outbox.focus');
    }),
    restorePanels(REPORT_VIEW, reports, host.commands),
    onEach('openReport', async (id) => (await reports()).show(id)),
    ...Object.entries(ON_REPORTS).map(([name, format]) =>
      onEach(name as keyof typeof ON_REPORTS, async (id) =>
        (await load()).copyReport(await (await controller()).reported(id), format),
      ),
    ),
    ...Object.entries(ON_DELIVERIES).map(([name, action]) =>
      onEach(name as keyof typeof ON_DELIVERIES, async (id) => (await controller())[action](id)),
    ),
    onEach('resumeDelivery', async (id) => {
      const { resumeDelivery, stored } = await load();
      await resumeDelivery(id, await controller(), { ...host, ...stored });
    }),
    onEach('sendDeliveryNow', async (id) => {
      const { sendDeliveryNow, stored } = await load();
      await sendDeliveryNow(id, await controller(), { ...host, ...stored });
    }),
    host.commands.register('showDeliveries', async (chat) => {
      const { chooseDeliveryTo, stored } = await load();
      const found = await chooseDeliveryTo(chat, { ...host, ...stored }, (await controller()).outbox);
      if (found) await (await reports()).show(found.id, { results: [], text: found.chatId });
    }),
    host.commands.register('compareWithSent', async (what) => {
      await (await comparison()).open(what ?? window.activeTextEditor?.document.uri);
    }),
    workspace.registerTextDocumentContentProvider(SENT_SCHEME, {
      provideTextDocumentContent: async ({ query }) => (await comparison()).text(query),
    }),
  ];
  return { disposables, chosen, close: schedule.close };
}
