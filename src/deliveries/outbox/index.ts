/** The outbox from activation on: loads what handles deliveries only once it's needed. */
import { commands, type Disposable, EventEmitter, type TextDocument, Uri, workspace } from 'vscode';
import { lazy, methodsOf } from '../../platform/defer.ts';
import { type ActivationHost, wholeHost } from '../../platform/host.ts';
import { isBrowser } from '../../platform/node.ts';
import type { Service } from '../../platform/service.ts';
import { timers } from '../../service/clock.ts';
import type { MessageEdits } from '../contract.ts';
import { type DocumentAddress, mayBeEdited } from './editedDocuments.ts';
import type { OutboxController } from './outboxController.ts';

/** How long after VS Code's start interrupted and scheduled deliveries are looked for (milliseconds). */
const STARTUP_DELAY = 1_000;

export function registerOutbox(host: ActivationHost) {
  const changed = new EventEmitter<string>();
  const edited = new EventEmitter<void>();
  const folder = Uri.joinPath(host.storageUri, 'outbox');

  const editsChanged = (addresses: readonly string[]) => {
    edited.fire();
    // VS Code compares paths, with the separators of the system for local files. A remote file has another address in `path`.
    const paths = addresses.map((address) => Uri.parse(address)).flatMap(({ path, fsPath }) => [path, fsPath]);
    void commands.executeCommand('setContext', 'botChats.editedDocuments', [...new Set(paths)]);
  };
  const documents = lazy(async () => {
    const { EditedDocuments } = await import('./editedDocuments.ts');
    return new EditedDocuments(host.workspaceMemento);
  });
  const controller = lazy(async (): Promise<OutboxController> => {
    const { OutboxController } = await import('./outboxController.ts');
    const events = { changed: (id: string) => changed.fire(id), editsChanged };
    return new OutboxController(await wholeHost(host), folder, events, await documents());
  });

  /** Whether there may be deliveries that are being sent, are scheduled, or need somebody. Reads as little as possible. */
  const mayHave = async (what: 'running' | 'scheduled' | 'unseen') => {
    // In a browser, everything is loaded already.
    if (isBrowser()) return true;
    return workspace.fs.readDirectory(Uri.joinPath(folder, what)).then(
      // A window that was killed may have left a temporary file, whose name has a dot.
      (files) => files.some(([name]) => !name.includes('.')),
      () => false,
    );
  };
  /** Reports interrupted deliveries at the next start, and says what is edited. Makes no request. */
  const start = async () => {
    if (await mayHave('running')) await (await controller()).reportInterrupted();
    if (await mayHave('scheduled')) await (await controller()).compareEdits();
  };
  const cancelStart = timers.after(STARTUP_DELAY, () => void start());
  // The tab of a document without a file is followed from activation on: the document is forgotten when its tab is closed.
  if (mayBeEdited(host.workspaceMemento)) documents().catch((error) => host.log.error(error));

  const reader = lazy(async () => {
    const { readerOf } = await import('./deliverySummary.ts');
    return readerOf((await controller()).outbox);
  });
  /** What the outbox knows of a document. Usually nothing is scheduled or edited. */
  const plannedIn = async <E>(
    { isUntitled, uri }: Pick<TextDocument, 'isUntitled' | 'uri'>,
    find: (controller: OutboxController, document: DocumentAddress, service: Service) => Promise<E | undefined>,
  ): Promise<E | undefined> => {
    if (!(await mayHave('scheduled'))) return undefined;
    const service = await host.connection.open().catch(() => undefined);
    const document = { source: isUntitled ? undefined : uri.toString(), uri: uri.toString() };
    return service && find(await controller(), document, service);
  };
  const edits: MessageEdits = {
    in: async (document) => {
      const entry = await plannedIn(document, (outbox, ...of) => outbox.editedIn(...of));
      if (entry?.editedDue === undefined) return undefined;
      const { delivery, needless, chatCounts } = entry.status;
      return { id: delivery.id, due: entry.editedDue, botId: delivery.bot.id, needless, recipients: chatCounts };
    },
    scheduledFrom: async (document) => {
      const entry = await plannedIn(document, (outbox, ...of) => outbox.scheduledFrom(...of));
      return entry && { id: entry.status.delivery.id, due: entry.due };
    },
    onDidChange: edited.event,
  };
  const disposables: Disposable[] = [{ dispose: cancelStart }, documents, changed, edited];
  return {
    disposables,
    /** The folder in which deliveries are stored. */
    folder,
    controller,
    deliveries: methodsOf(reader, 'list', 'get'),
    edits,
    moves: async () => (await controller()).moves,
    mayHave,
    /** Fires with the ID of a delivery that has changed. */
    onDidChange: changed.event,
    /** To be awaited before the window closes: {@link OutboxController.close}. */
    close: async () => (await controller.loaded)?.close(),
  };
}

export type OutboxFeature = ReturnType<typeof registerOutbox>;
