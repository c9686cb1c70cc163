/** The outbox's view, the reports of deliveries, comparisons, and what can be done with a delivery. */
import { type Disposable, EventEmitter, commands as vscodeCommands, window, workspace } from 'vscode';
import { createView, lazy, methodsOf, restorePanels } from '../../platform/defer.ts';
import { type ActivationHost, wholeHost } from '../../platform/host.ts';
import { Timer } from '../../service/clock.ts';
import type { OutboxFeature } from '../outbox/index.ts';
import type { Comparison } from './comparison.ts';
import type { OutboxNode, OutboxTree } from './outboxTree.ts';
import type { ReportPanels } from './reportPanel.ts';

/** The view type by which VS Code restores reports. */
const REPORT_VIEW = 'botChats.report';

/** The scheme of documents as they were sent. They never change, so that nothing reports changes. */
const SENT_SCHEME = 'bot-chats-sent';

/** How often the rows are painted at most (milliseconds): a delivery changes with every batch. */
const REPAINT_INTERVAL = 250;

/** How long after VS Code's start deliveries are counted that need somebody (milliseconds). */
const STARTUP_DELAY = 1_000;

export function registerView(host: ActivationHost, outbox: OutboxFeature) {
  const { commands, connection, log } = host;
  const { controller } = outbox;
  const painted = new EventEmitter<undefined>();
  const repaint = () => painted.fire(undefined);
  const repainting = new Timer(repaint);

  const tree = lazy(async (): Promise<OutboxTree> => {
    const { OutboxTree } = await import('./outboxTree.ts');
    return new OutboxTree((await controller()).outbox, connection);
  });
  const reports = lazy(async (): Promise<ReportPanels> => {
    const { ReportPanels } = await import('./reportPanel.ts');
    return new ReportPanels(REPORT_VIEW, host, await controller());
  });
  const comparison = lazy(async (): Promise<Comparison> => {
    const { Comparison } = await import('./comparison.ts');
    return new Comparison(await controller(), SENT_SCHEME);
  });
  const actions = lazy(async () => {
    const { deliveryCommands } = await import('./deliveryCommands.ts');
    return deliveryCommands({
      host: await wholeHost(host),
      controller: await controller(),
      seen,
      reports,
      comparison,
    });
  });
  /** Shows all open reports as they are now. */
  const repaintReports = () => void reports.loaded?.then((panels) => panels.update());

  const view = createView<OutboxNode>('botChats.outbox', {
    treeDataProvider: {
      onDidChangeTreeData: painted.event,
      ...methodsOf(tree, 'getTreeItem', 'getChildren', 'getParent', 'resolveTreeItem'),
    },
    canSelectMany: true,
  });

  /** The IDs of the deliveries that a command is for: the clicked and selected ones, or those selected in the view. */
  const chosen = (clicked?: string, selected?: readonly string[]) =>
    new Set(selected?.length ? selected : clicked ? [clicked] : view.selection.map(({ id }) => id));
  /** Shows how many deliveries need somebody. Usually none does. */
  const showBadge = async () => {
    if (!view.badge && !(await outbox.mayHave('unseen'))) return;
    const { title, badge } = await (await tree()).heading();
    view.title = title;
    view.badge = badge;
  };
  const badging = new Timer(() => void showBadge().catch((error) => log.error(error)));
  badging.start(STARTUP_DELAY);
  /** Somebody has seen a delivery, or the whole outbox, since the badge was shown. */
  const markSeen = async (id?: string) => {
    if (view.badge) await (await controller()).outbox.markSeen(id).catch((error) => log.error(error));
  };
  /** Does something with a delivery, and marks it as seen. */
  const seen = (act: (id: string) => unknown) => async (id: string) => {
    await markSeen(id);
    await act(id);
  };

  const disposables: Disposable[] = [
    view,
    painted,
    { dispose: () => repainting.stop() },
    { dispose: () => badging.stop() },
    outbox.onDidChange((id) => {
      repainting.start(REPAINT_INTERVAL);
      badging.start(REPAINT_INTERVAL);
      void reports.loaded?.then((panels) => panels.changed(id));
    }),
    // Rows of deliveries through other services name those.
    connection.onDidChange(() => view.visible && repaint()),
    // Another window may have sent something while the view was hidden.
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
    ...commands.registerEach(
      chosen,
      actions,
      'cancelDelivery',
      'checkDelivery',
      'copyReport',
      'copyReportCsv',
      'deleteDelivery',
      'openReport',
      'saveRecipients',
    ),
    ...commands.registerAll(actions, 'compareWithSent', 'showDeliveries'),
    commands.register('refreshOutbox', async () => {
      repaint();
      repaintReports();
    }),
    commands.register('showNextScheduled', async () => {
      const next = await (await tree()).nextScheduled();
      if (next) await view.reveal(next, { select: true, focus: true });
      else await vscodeCommands.executeCommand('botChats.outbox.focus');
    }),
    restorePanels(REPORT_VIEW, reports, commands),
    workspace.registerTextDocumentContentProvider(SENT_SCHEME, {
      provideTextDocumentContent: async ({ query }) => (await comparison()).text(query),
    }),
  ];
  return { disposables, chosen, seen };
}
