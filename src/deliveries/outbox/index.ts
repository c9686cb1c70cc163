/** The outbox: its view, the reports of deliveries, and what can be done with a delivery without sending it again. */
import { commands, type Disposable, EventEmitter, type TextDocument, type TreeDataProvider, Uri, window } from 'vscode';
import type { ActivationHost, DeliveryReader, Load, MessageEdits } from '../../platform/host.ts';
import { once } from '../../platform/once.ts';
import type { Service } from '../../platform/service.ts';
import { systemClock } from '../../service/clock.ts';
import { type DocumentAddress, EditedDocuments } from './editedDocuments.ts';
import type { OutboxController } from './outboxController.ts';
import { hasFiles } from './outboxFolder.ts';
import type { OutboxNode } from './outboxTree.ts';
import { type LazyComparison, registerComparison } from './registerComparison.ts';
import { registerSchedule } from './registerSchedule.ts';

/** The view type by which VS Code restores reports. */
const REPORT_VIEW = 'botChats.report';

/** How long after VS Code's start interrupted and scheduled deliveries are looked for (milliseconds). */
const STARTUP_DELAY = 1_000;

/** What is done with the deliveries that are clicked or selected. */
const ON_DELIVERIES = {
  cancelDelivery: 'cancel',
  checkDelivery: 'check',
  copyReport: 'copyReport',
  copyReportCsv: 'copyReportCsv',
  saveRecipients: 'saveRecipients',
  deleteDelivery: 'remove',
} as const;

type Lazy = Pick<typeof import('./outboxController.ts'), 'OutboxController'> &
  Pick<typeof import('./reportPanel.ts'), 'ReportPanels'> &
  Pick<typeof import('./scheduleController.ts'), 'ScheduleController'> &
  Pick<typeof import('./chatDeliveries.ts'), 'chooseDeliveryTo'> &
  LazyComparison;

export function registerOutbox(host: ActivationHost, load: Load<Lazy>) {
  const changed = new EventEmitter<undefined>();
  const folder = Uri.joinPath(host.storageUri, 'outbox');

  const documents = new EditedDocuments(host.workspaceMemento);
  const edited = new EventEmitter<void>();

  const repaint = () => changed.fire(undefined);
  const editsChanged = (addresses: readonly string[]) => {
    edited.fire();
    // VS Code compares paths, with the separators of the system for local files. A remote file has another address there.
    const paths = addresses.map((address) => Uri.parse(address)).flatMap(({ path, fsPath }) => [path, fsPath]);
    void commands.executeCommand('setContext', 'botChats.editedDocuments', [...new Set(paths)]);
  };
  const controller = once(() =>
    load().then(
      ({ OutboxController }) =>
        new OutboxController(host, folder, { repaint, repaintReports, editsChanged }, documents),
    ),
  );
  const reports = once(() =>
    load().then(async ({ ReportPanels }) => new ReportPanels(REPORT_VIEW, host, await controller())),
  );
  /** Shows the open reports of these deliveries, or all of them, as they are now. */
  const repaintReports = (ids?: ReadonlySet<string>) => void reports.loaded?.then((panels) => panels.update(ids));

  const treeDataProvider: TreeDataProvider<OutboxNode> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: async (node) => (await controller()).tree.item(node),
    getChildren: async (node) => (await controller()).tree.children(node),
    // Only deliveries are revealed, which have none.
    getParent: () => undefined,
    resolveTreeItem: async (item, node) => {
      item.tooltip = (await controller()).tree.tooltip(node) ?? item.tooltip;
      return item;
    },
  };
  const view = window.createTreeView('botChats.outbox', { treeDataProvider, canSelectMany: true });

  /** The IDs of the deliveries that a command is for: the clicked and selected ones, or those selected in the view. */
  const chosen = (clicked?: string, selected?: readonly string[]) =>
    new Set(selected?.length ? selected : clicked ? [clicked] : view.selection.map(({ id }) => id));

  const schedule = registerSchedule(host, { controller, folder, onDidChange: changed.event, chosen }, load);
  /** Reports interrupted deliveries at the next start, and finds scheduled ones. Makes no request. */
  const start = async () => {
    if (await hasFiles(folder, 'running')) await (await controller()).reportInterrupted();
    if (await hasFiles(folder, 'scheduled')) await (await controller()).compareEdits();
    schedule.look();
  };
  const cancelStart = systemClock.after(STARTUP_DELAY, () => void start());

  const deliveries: DeliveryReader = {
    list: async () => (await controller()).list(),
    get: async (...args) => (await controller()).get(...args),
  };
  /** What the outbox knows of a document. Usually nothing is scheduled or edited. */
  const plannedIn = async <E>(
    { isUntitled, uri }: Pick<TextDocument, 'isUntitled' | 'uri'>,
    find: (controller: OutboxController, document: DocumentAddress, service: Service) => Promise<E | undefined>,
  ): Promise<E | undefined> => {
    if (!(await hasFiles(folder, 'scheduled'))) return undefined;
    const service = await host.connection.open().catch(() => undefined);
    const document = { source: isUntitled ? undefined : uri.toString(), uri: uri.toString() };
    return service && find(await controller(), document, service);
  };
  const edits: MessageEdits = {
    in: async (document) => {
      const entry = await plannedIn(document, (outbox, ...of) => outbox.editedIn(...of));
      if (entry?.editedDue === undefined) return undefined;
      const { delivery, chatCounts } = entry.status;
      return { id: delivery.id, due: entry.editedDue, botId: delivery.bot.id, recipients: chatCounts };
    },
    scheduledFrom: async (document) => {
      const entry = await plannedIn(document, (outbox, ...of) => outbox.scheduledFrom(...of));
      return entry && { id: entry.status.delivery.id, due: entry.due };
    },
    onDidChange: edited.event,
  };
  const disposables: Disposable[] = [
    { dispose: cancelStart },
    documents,
    documents.onDidChange(() => void controller.loaded?.then((loaded) => loaded.compareEdits())),
    ...schedule.disposables,
    view,
    changed,
    edited,
    host.commands.register('showNextScheduled', async () => {
      const next = await (await controller()).tree.nextScheduled();
      if (next) await view.reveal(next, { select: true, focus: true });
      else await commands.executeCommand('botChats.outbox.focus');
    }),
    host.commands.register('refreshOutbox', async () => {
      changed.fire(undefined);
      repaintReports();
    }),
    window.registerWebviewPanelSerializer(REPORT_VIEW, {
      deserializeWebviewPanel: async (panel, state) => (await reports()).restore(panel, state),
    }),
    host.commands.register('openReport', async (clicked, selected) => {
      for (const id of chosen(clicked, selected)) await (await reports()).show(id);
    }),
    host.commands.register('showDeliveries', async (chat) => {
      const { chooseDeliveryTo, stored } = await load();
      const chosen = await chooseDeliveryTo(chat, { ...host, ...stored }, (await controller()).outbox);
      if (chosen) await (await reports()).show(chosen.id, { results: [], text: chosen.chatId });
    }),
    ...registerComparison(host, load, controller),
    // The rows of other services name theirs.
    host.connection.onDidChange(() => view.visible && changed.fire(undefined)),
    // Another window may have sent something meanwhile.
    view.onDidChangeVisibility(({ visible }) => visible && changed.fire(undefined)),
    window.onDidChangeWindowState(({ focused }) => {
      if (focused && view.visible) changed.fire(undefined);
      if (focused) repaintReports();
    }),
    ...Object.entries(ON_DELIVERIES).map(([name, action]) =>
      host.commands.register(name as keyof typeof ON_DELIVERIES, async (clicked, selected) => {
        for (const id of chosen(clicked, selected)) await (await controller()).act(action, id);
      }),
    ),
  ];
  return {
    disposables,
    controller,
    chosen,
    deliveries,
    edits,
    sendDueBy: schedule.sendBy,
    /** To be awaited before the window closes: {@link OutboxController.close}. */
    close: async () => {
      await schedule.close();
      await (await controller.loaded)?.close();
    },
  };
}

export type OutboxFeature = ReturnType<typeof registerOutbox>;
