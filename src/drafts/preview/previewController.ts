/** Previews of drafts. Each follows its document until it is closed. */
import { type Disposable, l10n, Range, type TextDocument, type Uri, ViewColumn, window, workspace } from 'vscode';
import type { Host } from '../../platform/host.ts';
import type { Service } from '../../platform/service.ts';
import { displayName } from '../../presentation/describe.ts';
import { errorText, UserFacingError } from '../../presentation/errorText.ts';
import { type Kind, resourceKey } from '../../service/model.ts';
import { DirectoryListener } from '../directoryListener.ts';
import type { ParsedDraft, Problem } from '../document/parseDraft.ts';
import { DraftReader, fileName } from '../draftReader.ts';
import { problemText } from '../editing/problemText.ts';
import { unknownRecipients } from '../editing/unknownRecipients.ts';
import { previewMessage, type Sendable, toSendable, visibleRecipients } from './draftView.ts';
import { PreviewPanel } from './previewPanel.ts';

/** Changes are shown at most this often (milliseconds). */
const REPAINT_DELAY = 100;

type PreviewHost = Pick<Host, 'audiences' | 'commands' | 'connection' | 'extensionUri' | 'log' | 'settings'>;

export class PreviewController {
  readonly #host: PreviewHost;
  readonly #open = new Map<TextDocument, Preview>();

  constructor(host: PreviewHost) {
    this.#host = host;
  }

  /** Opens the preview of a Markdown file, or reveals the one that is open. @throws UserFacingError */
  async open(file: Uri | undefined): Promise<void> {
    if (!file) throw new UserFacingError(l10n.t('Open a Markdown file first.'));
    const document = await workspace.openTextDocument(file);
    if (document.languageId !== 'markdown') {
      throw new UserFacingError(l10n.t("{0} isn't a Markdown file.", fileName(document.uri)));
    }
    const open = this.#open.get(document);
    if (open) return open.reveal();
    this.#open.set(document, new Preview(document, this.#host, () => this.#open.delete(document)));
  }
}

/** One preview. Its panel calls its methods. */
class Preview {
  readonly #document: TextDocument;
  readonly #host: PreviewHost;
  readonly #reader: DraftReader;
  readonly #panel: PreviewPanel;
  readonly #onClosed: () => void;
  readonly #disposables: Disposable[];
  /** IDs that were looked up since the service last changed, with the error of a failed lookup. */
  readonly #requested = new Map<string, unknown>();
  /** IDs in the document. */
  #mentioned: ReadonlySet<string> = new Set();
  readonly #listener = new DirectoryListener((kind, id) => {
    const key = resourceKey(kind, id);
    if (this.#requested.has(key) || this.#mentioned.has(key)) this.#paintSoon();
  });
  /** Cancels lookups that are no longer needed. */
  #abort = new AbortController();
  #isShown = false;
  #showsAll = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The last valid draft. */
  #lastSendable: Sendable | undefined;

  constructor(document: TextDocument, host: PreviewHost, onClosed: () => void) {
    this.#document = document;
    this.#host = host;
    this.#reader = new DraftReader(host);
    this.#onClosed = onClosed;
    this.#panel = new PreviewPanel(l10n.t('Preview {0}', fileName(document.uri)), this, host);
    this.#disposables = [
      workspace.onDidChangeTextDocument((changed) => {
        if (changed.document === document) this.#paintSoon();
      }),
      workspace.onDidCloseTextDocument((closed) => {
        if (closed === document) this.#panel.close();
      }),
      host.connection.onDidChange(() => {
        this.#cancelLookups();
        this.#paintSoon();
      }),
    ];
  }

  reveal(): void {
    this.#panel.reveal();
  }

  ready(): void {
    this.#isShown = true;
    void this.#paint();
  }

  hidden(): void {
    this.#isShown = false;
    this.#cancelLookups();
  }

  closed(): void {
    this.hidden();
    this.#listener.dispose();
    for (const one of this.#disposables) one.dispose();
    this.#onClosed();
  }

  all(): void {
    this.#showsAll = true;
    void this.#paint();
  }

  async place(start: number, end: number): Promise<void> {
    const document = this.#document;
    const editor = window.visibleTextEditors.find((one) => one.document === document);
    const selection = new Range(document.positionAt(start), document.positionAt(end));
    await window.showTextDocument(document, { viewColumn: editor?.viewColumn ?? ViewColumn.One, selection });
  }

  send(): unknown {
    return this.#host.commands.run('sendActiveMarkdown', this.#document.uri);
  }

  #paintSoon(): void {
    this.#timer ??= setTimeout(() => void this.#paint(), REPAINT_DELAY);
  }

  /** Shows the document as it is now. */
  async #paint(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Without a service, IDs are shown instead of names.
    const service = await this.#host.connection.open().catch(() => undefined);
    if (!this.#isShown) return;
    const text = this.#document.getText();
    const draft = this.#reader.parse(text);
    const current = toSendable(text, draft, this.#reader.chatsOf(draft));
    const last = current ?? this.#lastSendable;
    this.#lastSendable = last;
    const look = (kind: Kind, id: string) => this.#look(service, kind, id);
    const recipients = last ? visibleRecipients(last, this.#showsAll) : [];
    this.#panel.show({
      message: last && previewMessage(last, last.botId && look('bot', last.botId).name),
      recipients: recipients.map(({ type, id }) => ({ kind: type, id, ...look(type, id) })),
      total: last?.chats.length ?? 0,
      isCurrent: current !== undefined,
      canSend: draft.message !== undefined,
      problems: this.#problems(draft, service).flatMap((problem) => {
        const { severity, start, end } = problem;
        return severity === 'hint' ? [] : [{ text: problemText(problem), severity, start, end }];
      }),
    });
  }

  /** The problems that the editor shows, errors first. */
  #problems(draft: ParsedDraft, service: Service | undefined): Problem[] {
    const { bot, recipients, problems } = draft;
    this.#mentioned = new Set([
      ...(bot ? [resourceKey('bot', bot.id)] : []),
      ...recipients.map(({ type, id }) => resourceKey(type, id)),
    ]);
    if (service) this.#listener.use(service.directory);
    const isWarning = ({ severity }: Problem) => Number(severity === 'warning');
    return [...problems, ...(service ? unknownRecipients(draft, service.directory) : [])].toSorted(
      (one, other) => isWarning(one) - isWarning(other) || one.start - other.start,
    );
  }

  /** The name of an ID, or the ID and why the name is unknown. Starts a lookup if there was none. */
  #look(service: Service | undefined, kind: Kind, id: string): { name: string; problem?: string } {
    const found = service?.directory.peek(kind, id);
    if (!service || found) return { name: found ? displayName(found) : id };
    const key = resourceKey(kind, id);
    if (!this.#requested.has(key)) this.#lookUp(service, kind, id);
    if (service.directory.has(kind, id)) {
      return { name: id, problem: problemText({ code: 'unknownRecipient', args: [kind, id] }) };
    }
    const error = this.#requested.get(key);
    return { name: id, ...(error !== undefined && { problem: l10n.t('Not looked up. {0}', errorText(error)) }) };
  }

  #lookUp({ directory }: Service, kind: Kind, id: string): void {
    const key = resourceKey(kind, id);
    const { signal } = this.#abort;
    this.#requested.set(key, undefined);
    // The listener shows what it finds.
    directory.get(kind, id, { signal }).catch((error: unknown) => {
      if (signal.aborted) return;
      this.#requested.set(key, error);
      this.#paintSoon();
    });
  }

  #cancelLookups(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#requested.clear();
  }
}
