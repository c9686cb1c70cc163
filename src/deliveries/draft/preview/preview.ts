/** The preview of one document at a time, in a panel. It follows the document until that is closed. */
import { commands, type Disposable, Range, type TextDocument, ViewColumn, window, workspace } from 'vscode';
import { onDidChangeSettings } from '../../../platform/configuration.ts';
import type { Host } from '../../../platform/host.ts';
import { type Handlers, openPage, type ShownPanel, type WebviewPage } from '../../../platform/webviewPage.ts';
import { showError } from '../../../presentation/showError.ts';
import { tabOf } from '../../../presentation/textEditors.ts';
import { FromPreview, type ToPreview } from '../../../protocol/preview.ts';
import { Timer } from '../../../service/clock.ts';
import { resourceKey } from '../../../service/model.ts';
import type { MessageEdits } from '../../contract.ts';
import type { DraftReader } from '../draftReader.ts';
import { listed } from '../leaveOut.ts';
import { DirectoryListener } from '../unknownRecipients.ts';
import { type DraftView, knowsValues, mentionedIn, panelTitle, RecipientList, shownDraft } from './draftView.ts';
import { NameLookups } from './nameLookups.ts';
import { PersonalMessage } from './personalMessage.ts';
import { PreviewRecipients } from './previewRecipients.ts';

/** Changes are shown at most this often (milliseconds). */
const REPAINT_DELAY = 100;

/** How many recipients are listed, and looked up, at first; then how many more on each request. */
const FIRST_RECIPIENTS = 20;
const MORE_RECIPIENTS = 500;

export type PreviewHost = Pick<
  Host,
  'commands' | 'connection' | 'extensionUri' | 'log' | 'settings' | 'workspaceMemento'
> & {
  readonly edits: MessageEdits;
};

interface PreviewEvents {
  documentClosed(): void;
  /** The panel was closed. */
  closed(): void;
}

export class Preview {
  #document: TextDocument;
  readonly #host: PreviewHost;
  readonly #reader: DraftReader;
  #list: RecipientList;
  readonly panel: ShownPanel;
  readonly #page: WebviewPage<ToPreview>;
  readonly #disposables: Disposable[];
  readonly #names = new NameLookups(() => this.#paintSoon());
  #recipients = new PreviewRecipients(this.#names);
  /** IDs in the document. */
  #mentioned: ReadonlySet<string> = new Set();
  readonly #listener = new DirectoryListener((kind, id) => {
    if (this.#names.has(kind, id) || this.#mentioned.has(resourceKey(kind, id))) this.#paintSoon();
  });
  #isShown = false;
  #listed = FIRST_RECIPIENTS;
  readonly #timer = new Timer(() => void this.#paint());
  #isPainting = false;
  /** Whether something has changed since the painting began. */
  #isOutdated = false;
  /** What was read last. */
  #view: DraftView | undefined;

  constructor(document: TextDocument, panel: ShownPanel, host: PreviewHost, reader: DraftReader, on: PreviewEvents) {
    this.#document = document;
    this.#host = host;
    this.#reader = reader;
    this.#list = new RecipientList(reader);
    this.panel = panel;
    this.#page = openPage(panel, host, {
      page: 'preview',
      schema: FromPreview,
      contents: () => ({ data: { document: this.#document.uri.toString() } }),
      fill: () => {
        this.#isShown = true;
        void this.#paint();
      },
      handlers: this.#handlers,
      fail: showError,
      emptied: () => this.#empty(),
      closed: () => {
        this.#empty();
        this.#listener.dispose();
        for (const one of this.#disposables) one.dispose();
        on.closed();
      },
    });
    this.#disposables = [
      workspace.onDidChangeTextDocument((changed) => {
        if (changed.document === this.#document) this.#paintSoon();
      }),
      workspace.onDidCloseTextDocument((closed) => {
        if (closed === this.#document) on.documentClosed();
      }),
      // VS Code keeps a new document for minutes after its tab was closed, for example after it was sent and emptied.
      window.tabGroups.onDidChangeTabs(() => {
        const { isUntitled, uri } = this.#document;
        if (isUntitled && this.#document.getText() === '' && !tabOf(uri)) on.documentClosed();
      }),
      host.connection.onDidChange(() => {
        this.#names.cancel();
        this.#paintSoon();
      }),
      host.edits.onDidChange(() => this.#paintSoon()),
      reader.files.onDidChange((changed) => {
        const { files = [] } = this.#view?.draft ?? {};
        const isShown = files.some(({ file }) => file.uri?.toString() === changed?.toString());
        if (!changed || isShown) this.#paintSoon();
      }),
      onDidChangeSettings(['sending', 'audiences'], () => this.#paintSoon()),
    ];
  }

  get document(): TextDocument {
    return this.#document;
  }

  /** Whether its panel is on the screen. */
  get isVisible(): boolean {
    return this.panel.visible;
  }

  /** Shows another document from now on. */
  show(document: TextDocument): void {
    if (document === this.#document) return;
    this.#document = document;
    this.#view = undefined;
    this.#mentioned = new Set();
    this.#listed = FIRST_RECIPIENTS;
    this.#list = new RecipientList(this.#reader);
    this.#recipients = new PreviewRecipients(this.#names);
    this.panel.title = panelTitle(document);
    this.#page.reload();
  }

  /** Reveals the panel, but never over the active editor, whose document it shows. */
  reveal(): void {
    const { viewColumn } = this.panel;
    const isCovering = viewColumn !== undefined && viewColumn === window.activeTextEditor?.viewColumn;
    this.panel.reveal(isCovering ? ViewColumn.Beside : undefined, true);
  }

  close(): void {
    this.panel.dispose();
  }

  /** Forgets what the page was told: it's gone. */
  #empty(): void {
    this.#isShown = false;
    this.#names.cancel();
  }

  readonly #handlers: Handlers<FromPreview> = {
    more: () => {
      this.#listed += MORE_RECIPIENTS;
      this.#show();
    },
    step: ({ by }) => {
      this.#recipients.steps.by(by);
      this.#show();
    },
    goTo: ({ kind, id }) => {
      this.#recipients.steps.goTo({ kind, id });
      this.#show();
    },
    onlyWithProblems: ({ isOn }) => {
      this.#recipients.steps.onlyWithProblems = isOn;
      this.#show();
    },
    find: async ({ text, search }) => {
      const found = await this.#recipients.find(text, this.#view?.service);
      if (found) await this.#page.post({ type: 'matches', search, ...found });
    },
    place: ({ start, end }) => {
      const document = this.#document;
      return this.#reveal(document, new Range(document.positionAt(start), document.positionAt(end)));
    },
    row: async ({ rule = 'recipients', line }) => {
      const uri = this.#view?.draft.files.find(({ named }) => named.role === rule)?.file.uri;
      if (uri) await this.#reveal(await workspace.openTextDocument(uri), new Range(line - 1, 0, line - 1, 0));
    },
    send: () => this.#host.commands.run('sendActiveMarkdown', this.#document.uri),
  };

  /** Shows a document where it's visible, or else where the draft is. */
  async #reveal(document: TextDocument, selection: Range): Promise<void> {
    const columnOf = (shown: TextDocument) =>
      window.visibleTextEditors.find((one) => one.document === shown)?.viewColumn;
    const viewColumn = columnOf(document) ?? columnOf(this.#document) ?? ViewColumn.One;
    await window.showTextDocument(document, { viewColumn, selection });
  }

  #paintSoon(): void {
    this.#timer.start(REPAINT_DELAY);
  }

  /** Shows the document as it is now. A large file of recipients takes a while, so painting runs once at a time. */
  async #paint(): Promise<void> {
    this.#timer.stop();
    this.#isOutdated = true;
    if (this.#isPainting) return;
    this.#isPainting = true;
    try {
      while (this.#isOutdated) {
        this.#isOutdated = false;
        await this.#read();
        this.#show();
      }
    } finally {
      this.#isPainting = false;
    }
  }

  async #read(): Promise<void> {
    // Without a service, IDs are shown instead of names.
    const service = await this.#host.connection.open().catch(() => undefined);
    if (!this.#isShown) return;
    const document = this.#document;
    const read = await this.#reader.read(document);
    // An outbox that can't be read mustn't hide the message.
    const edited = await this.#host.edits.in(document).catch(() => undefined);
    const { parsed, files, table } = read;
    const rules = edited ? read.rules.with('needless', listed(edited.needless)) : read.rules;
    const draft = { ...read, rules };
    // Another document is shown meanwhile, which is read next.
    if (document !== this.#document) return;
    for (const { file } of files) if (file.uri) this.#reader.files.watch(file.uri);
    const chats = this.#list.of(parsed, table);
    const { leftOut } = await rules.divide(chats);
    const counts = await rules.count(leftOut, table?.unmatched);
    const varying = parsed.isTemplate && chats.length > 0 && knowsValues(draft) ? parsed.shown : undefined;
    await this.#recipients.use(varying && new PersonalMessage(varying, table), chats, service?.directory, rules);
    if (document !== this.#document) return;
    this.#view = { document, service, draft, chats, counts, edited };
  }

  #show(): void {
    if (!this.#isShown || !this.#view) return;
    const { service, draft } = this.#view;
    this.#mentioned = mentionedIn(draft.parsed);
    if (service) this.#listener.use(service.directory);
    const current = this.#recipients.current(service);
    // Completes a step of the walkthrough.
    if (current && draft.table) void commands.executeCommand('setContext', 'botChats.hasSeenPersonal', true);
    void this.#page.post(shownDraft(this.#view, current, this.#listed, this.#names));
  }
}
