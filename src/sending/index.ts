/** Sending, wired to VS Code. */
import { commands, type Disposable, EventEmitter, type TreeDataProvider, Uri, window, workspace } from 'vscode';
import type { Draft } from '../drafts/draft.ts';
import { registerEditing } from '../drafts/editing/index.ts';
import type { PreviewController, PreviewNeeds } from '../drafts/preview/previews.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import type { OutboxNode } from '../outbox/outboxTree.ts';
import type { Register } from '../platform/commands.ts';
import { defer } from '../platform/defer.ts';
import type { Chat } from '../service/model.ts';
import type { SendingNeeds } from './needs.ts';

const REPORT = 'bot-chats-report';

/** What nobody waits for waits until VS Code has started (milliseconds). */
const AFTER_START = 1_000;

/** What is done with the deliveries that are clicked or selected in the outbox. */
const ON_DELIVERIES = {
  resumeDelivery: 'resume',
  cancelDelivery: 'cancel',
  resendDelivery: 'resend',
  checkDelivery: 'check',
  openReport: 'openReport',
  copyReport: 'copyReport',
  copyReportCsv: 'copyReportCsv',
  deleteDelivery: 'remove',
} as const;

type Later = () => Promise<
  Pick<typeof import('../drafts/editing/createEditing.ts'), 'createEditing'> &
    Pick<typeof import('../drafts/preview/previews.ts'), 'PreviewController'> &
    Pick<typeof import('../outbox/outboxController.ts'), 'OutboxController'> &
    Pick<typeof import('./send.ts'), 'sendDraft'> &
    Pick<typeof import('../drafts/askDraft.ts'), 'askDraft'> &
    Pick<typeof import('../drafts/draftSource.ts'), 'chosenDraft' | 'clickedFile' | 'selectionDraft'>
>;

export function registerSending(
  needs: Omit<SendingNeeds, 'showReport' | 'outbox'> & PreviewNeeds & { readonly storage: Uri },
  register: Register,
  later: Later,
) {
  const changed = new EventEmitter<undefined>();
  const reportChanged = new EventEmitter<Uri>();
  const folder = Uri.joinPath(needs.storage, 'outbox');
  let loaded: Promise<OutboxController> | undefined;

  const showReport = async (name: string, id: string) => {
    const uri = Uri.from({ scheme: REPORT, path: `/${name.replaceAll('/', '-')}`, query: id });
    // An editor of its own: the ordinary preview would turn to the next Markdown file that is shown.
    await commands.executeCommand('vscode.openWith', uri, 'vscode.markdown.preview.editor');
  };
  /** The outbox is painted again, and so are the reports of these deliveries that are open. */
  const repaint = (ids: ReadonlySet<string>) => {
    changed.fire(undefined);
    for (const { uri } of workspace.textDocuments) {
      if (uri.scheme === REPORT && ids.has(uri.query)) reportChanged.fire(uri);
    }
  };
  const room = () => {
    loaded ??= later().then(({ OutboxController }) => new OutboxController({ ...needs, showReport }, folder, repaint));
    return loaded;
  };

  const sendOut = async (draft: Draft | undefined, chats?: readonly Chat[]) => {
    if (!draft) return;
    const { sendDraft } = await later();
    await sendDraft(draft, (await room()).needs, chats);
  };
  /** Sends a document to these chats, after the person has confirmed it; without one, the document that is open. */
  const send = async (chats: readonly Chat[], file?: Uri) => {
    const { chosenDraft } = await later();
    await sendOut(await chosenDraft(file), chats);
  };

  let previews: Promise<PreviewController> | undefined;
  const preview = async (file?: Uri) => {
    previews ??= later().then(({ PreviewController }) => new PreviewController(needs));
    await (await previews).open(file ?? window.activeTextEditor?.document.uri);
  };

  const treeDataProvider: TreeDataProvider<OutboxNode> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: async (node) => (await room()).tree.item(node),
    getChildren: async (node) => (await room()).tree.children(node),
    resolveTreeItem: async (item, node) => {
      item.tooltip = (await room()).tree.tooltip(node) ?? item.tooltip;
      return item;
    },
  };
  const view = window.createTreeView('botChats.outbox', { treeDataProvider, canSelectMany: true });

  /** A delivery that was cut off is told of at the next start, without anything being asked of the service. */
  const lookForInterrupted = async () => {
    const running = await workspace.fs.readDirectory(Uri.joinPath(folder, 'running')).then(
      (names) => names.length > 0,
      () => false,
    );
    if (running) await (await room()).lookForInterrupted();
  };
  const looking = setTimeout(() => void lookForInterrupted(), AFTER_START);

  let editing: ReturnType<typeof registerEditing> | undefined;
  const disposables: Disposable[] = [
    { dispose: () => clearTimeout(looking) },
    defer(() => {
      editing = registerEditing(needs, later);
      return editing.disposables;
    }),
    view,
    changed,
    reportChanged,
    register('refreshOutbox', async () => changed.fire(undefined)),
    workspace.registerTextDocumentContentProvider(REPORT, {
      onDidChange: reportChanged.event,
      provideTextDocumentContent: async ({ query }) => (await room()).report(query),
    }),
    // Another window may have sent something meanwhile.
    view.onDidChangeVisibility(({ visible }) => visible && changed.fire(undefined)),
    window.onDidChangeWindowState(({ focused }) => focused && view.visible && changed.fire(undefined)),
    // The button in an editor's title names its document, which a preview shows without a text editor.
    register('sendActiveMarkdown', async (clicked?: unknown, selected?: unknown) => {
      const { clickedFile } = await later();
      await send([], clickedFile(clicked, selected));
    }),
    register('sendSelection', async () => {
      const { selectionDraft } = await later();
      await sendOut(selectionDraft());
    }),
    register('sendAs', async (clicked?: unknown, selected?: unknown) => {
      const { askDraft, clickedFile } = await later();
      await sendOut(await askDraft(clickedFile(clicked, selected)));
    }),
    register('preview', async (clicked?: unknown) => preview(clicked instanceof Uri ? clicked : undefined)),
    ...Object.entries(ON_DELIVERIES).map(([command, action]) =>
      register(command, async (clicked?: string | OutboxNode, selected?: readonly OutboxNode[]) => {
        const rows = selected && selected.length > 0 ? selected : clicked ? [clicked] : view.selection;
        const ids = new Set(rows.map((row) => (typeof row === 'string' ? row : row.id)));
        for (const id of ids) await (await room()).act(action, id);
      }),
    ),
  ];
  /** To be waited for before the window closes: {@link OutboxController.close}. */
  const close = async () => (await loaded)?.close();
  const named = async () => (await editing?.named()) ?? [];
  return { disposables, send, named, close };
}
