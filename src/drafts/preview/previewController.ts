/** Previews of drafts: each follows its document while that is open. */
import { type Disposable, l10n, Range, type TextDocument, type Uri, ViewColumn, window, workspace } from 'vscode';
import type { Host } from '../../platform/host.ts';
import type { Service } from '../../platform/service.ts';
import { displayName } from '../../presentation/describe.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import type { Kind } from '../../service/model.ts';
import { DraftReader, fileName } from '../draftReader.ts';
import { problemText } from '../editing/problemText.ts';
import { previewMessage, type Sendable, toSendable, visibleRecipients } from './draftView.ts';
import { PreviewPanel } from './previewPanel.ts';

/** What changes is shown at most this often (milliseconds). */
const REPAINT_DELAY = 100;

type PreviewHost = Pick<Host, 'audiences' | 'commands' | 'connection' | 'extensionUri' | 'log' | 'settings'>;

export class PreviewController {
  readonly #host: PreviewHost;
  readonly #open = new Map<TextDocument, Preview>();

  constructor(host: PreviewHost) {
    this.#host = host;
  }

  /** Opens the preview of a Markdown file, or shows the one that is open. */
  async open(file: Uri | undefined): Promise<void> {
    if (!file) throw new UserFacingError(l10n.t('Open a Markdown file first.'));
    const document = await workspace.openTextDocument(file);
    if (document.languageId !== 'markdown') {
      throw new UserFacingError(l10n.t('{0} is not a Markdown file.', fileName(document.uri)));
    }
    const open = this.#open.get(document);
    if (open) return open.reveal();
    this.#open.set(document, new Preview(document, this.#host, () => this.#open.delete(document)));
  }
}

/** One preview; its panel says what happens in it. */
class Preview {
  readonly #document: TextDocument;
  readonly #host: PreviewHost;
  readonly #reader: DraftReader;
  readonly #panel: PreviewPanel;
  readonly #onClosed: () => void;
  readonly #disposables: Disposable[];
  /** Whoever was asked for since the service is the one it is. */
  readonly #requested = new Set<string>();
  /** Ends lookups that nobody waits for any more. */
  #abort = new AbortController();
  #isShown = false;
  #showsAll = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The last that could be shown. */
  #lastSendable: Sendable | undefined;

  constructor(document: TextDocument, host: PreviewHost, gone: () => void) {
    this.#document = document;
    this.#host = host;
    this.#reader = new DraftReader(host);
    this.#onClosed = gone;
    this.#panel = new PreviewPanel(l10n.t('Preview {0}', fileName(document.uri)), this, host);
    this.#disposables = [
      workspace.onDidChangeTextDocument((changed) => {
        if (changed.document === document) this.#paintSoon();
      }),
      workspace.onDidCloseTextDocument((closed) => {
        if (closed === document) this.#panel.close();
      }),
      host.connection.onDidChange(() => {
        this.#endLookups();
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
    this.#endLookups();
  }

  closed(): void {
    this.hidden();
    for (const listening of this.#disposables) listening.dispose();
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

  /** Shows the document as it is now; what comes late of the service is shown with what is written by then. */
  async #paint(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // Without one, IDs stand for names; why there is none is said where it is to do something.
    const service = await this.#host.connection.open().catch(() => undefined);
    if (!this.#isShown) return;
    const text = this.#document.getText();
    const draft = this.#reader.parse(text);
    const now = toSendable(text, draft, this.#reader.chatsOf(draft));
    const last = now ?? this.#lastSendable;
    this.#lastSendable = last;
    const name = (kind: Kind, id: string) => this.#name(service, kind, id);
    const recipients = last ? visibleRecipients(last, this.#showsAll) : [];
    this.#panel.show({
      message: last && previewMessage(last, last.botId && name('bot', last.botId)),
      recipients: recipients.map(({ type, id }) => ({ kind: type, id, name: name(type, id) })),
      total: last?.chats.length ?? 0,
      isCurrent: now !== undefined,
      canSend: draft.message !== undefined,
      problems: draft.problems.map((problem) => {
        const { severity, start, end } = problem;
        return { text: problemText(problem), severity, start, end };
      }),
    });
  }

  /** What is known of an ID, which is looked up where nothing is. */
  #name(service: Service | undefined, kind: Kind, id: string): string {
    const found = service?.directory.peek(kind, id);
    if (found) return displayName(found);
    const key = `${kind} ${id}`;
    if (service && !this.#requested.has(key)) {
      this.#requested.add(key);
      const again = () => this.#paintSoon();
      service.directory.get(kind, id, { signal: this.#abort.signal }).then(again, () => {});
    }
    return id;
  }

  #endLookups(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#requested.clear();
  }
}
