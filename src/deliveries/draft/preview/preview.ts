/** The preview of one document at a time, which it follows until that is closed. Its panel calls its methods. */
import {
  commands,
  type Disposable,
  Range,
  type TextDocument,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { shownCount } from '../../../markup/escapeInvisible.ts';
import { unfilledMessage } from '../../../markup/markdownVariables.ts';
import type { Host } from '../../../platform/host.ts';
import type { Service } from '../../../platform/service.ts';
import { Timer } from '../../../service/clock.ts';
import { type Chat, resourceKey } from '../../../service/model.ts';
import type { EditedMessage, MessageEdits } from '../../contract.ts';
import { problemsWhileWriting } from '../document/problem.ts';
import type { DraftReader, ReadDraft } from '../draftReader.ts';
import { countByRule, leaveOut } from '../leaveOut.ts';
import { leftOutCountText, whyLeftOut } from '../leftOutText.ts';
import { DirectoryListener } from '../unknownRecipients.ts';
import {
  editedText,
  knowsValues,
  mentionedIn,
  namesIn,
  previewMessage,
  RecipientList,
  shownProblems,
} from './draftView.ts';
import { NameLookups } from './nameLookups.ts';
import { PersonalMessage } from './personalMessage.ts';
import { PreviewPanel } from './previewPanel.ts';
import { PreviewRecipients } from './previewRecipients.ts';

/** Changes are shown at most this often (milliseconds). */
const REPAINT_DELAY = 100;

/** How many recipients are listed at first, and how many more on each request. They are looked up. */
const [FIRST_RECIPIENTS, MORE_RECIPIENTS] = [20, 500];

export type PreviewHost = Pick<Host, 'commands' | 'connection' | 'extensionUri' | 'log' | 'settings'> & {
  readonly edits: MessageEdits;
};

/** What was read last. */
interface View {
  readonly service: Service | undefined;
  readonly draft: ReadDraft;
  /** All recipients. */
  readonly chats: readonly Chat[];
  /** How many get nothing, and why; empty if nobody is left out. */
  readonly leftOut: string;
  readonly edited: EditedMessage | undefined;
}

export class Preview {
  #document: TextDocument;
  readonly #host: PreviewHost;
  readonly #reader: DraftReader;
  #list: RecipientList;
  readonly #panel: PreviewPanel;
  readonly #onClosed: () => void;
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
  #view: View | undefined;

  /** Calls back when its document is closed, and when it's closed itself. */
  constructor(
    document: TextDocument,
    panel: WebviewPanel,
    host: PreviewHost,
    reader: DraftReader,
    onDocumentClosed: () => void,
    onClosed: () => void,
  ) {
    this.#document = document;
    this.#host = host;
    this.#reader = reader;
    this.#list = new RecipientList(reader);
    this.#onClosed = onClosed;
    this.#panel = new PreviewPanel(panel, document.uri, this, host);
    this.#disposables = [
      workspace.onDidChangeTextDocument((changed) => {
        if (changed.document === this.#document) this.#paintSoon();
      }),
      workspace.onDidCloseTextDocument((closed) => {
        if (closed === this.#document) onDocumentClosed();
      }),
      host.connection.onDidChange(() => {
        this.#names.cancel();
        this.#paintSoon();
      }),
      host.edits.onDidChange(() => this.#paintSoon()),
      reader.files.onDidChange((changed) => {
        const { file, exceptFile } = this.#view?.draft ?? {};
        const isShown = [file, exceptFile].some((one) => one?.uri?.toString() === changed?.toString());
        if (!changed || isShown) this.#paintSoon();
      }),
      host.settings.onDidChange(['sending.never', 'audiences'], () => this.#paintSoon()),
    ];
  }

  get document(): TextDocument {
    return this.#document;
  }

  /** Whether its panel is on the screen. */
  get isVisible(): boolean {
    return this.#panel.isVisible;
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
    this.#panel.use(document.uri);
  }

  reveal(): void {
    this.#panel.reveal();
  }

  close(): void {
    this.#panel.close();
  }

  ready(): void {
    this.#isShown = true;
    void this.#paint();
  }

  hidden(): void {
    this.#isShown = false;
    this.#names.cancel();
  }

  closed(): void {
    this.hidden();
    this.#listener.dispose();
    for (const one of this.#disposables) one.dispose();
    this.#onClosed();
  }

  more(): void {
    this.#listed += MORE_RECIPIENTS;
    this.#show();
  }

  step(by: 1 | -1): void {
    this.#recipients.steps.by(by);
    this.#show();
  }

  goTo(chat: Chat): void {
    this.#recipients.steps.goTo(chat);
    this.#show();
  }

  onlyWithProblems(isOn: boolean): void {
    this.#recipients.steps.onlyWithProblems = isOn;
    this.#show();
  }

  async find(search: number, text: string): Promise<void> {
    const found = await this.#recipients.find(text, this.#view?.service);
    if (found) this.#panel.showMatches({ search, ...found });
  }

  async place(start: number, end: number): Promise<void> {
    const document = this.#document;
    await this.#reveal(document, new Range(document.positionAt(start), document.positionAt(end)));
  }

  async row(line: number, isInExcept = false): Promise<void> {
    const { file, exceptFile } = this.#view?.draft ?? {};
    const uri = (isInExcept ? exceptFile : file)?.uri;
    if (uri) await this.#reveal(await workspace.openTextDocument(uri), new Range(line - 1, 0, line - 1, 0));
  }

  /** Shows a document where it's visible, or else where the draft is. */
  async #reveal(document: TextDocument, selection: Range): Promise<void> {
    const columnOf = (shown: TextDocument) =>
      window.visibleTextEditors.find((one) => one.document === shown)?.viewColumn;
    const viewColumn = columnOf(document) ?? columnOf(this.#document) ?? ViewColumn.One;
    await window.showTextDocument(document, { viewColumn, selection });
  }

  send(): unknown {
    return this.#host.commands.run('sendActiveMarkdown', this.#document.uri);
  }

  #paintSoon(): void {
    this.#timer.start(REPAINT_DELAY);
  }

  /** Shows the document as it is now. A large file of recipients takes a while, so it's done one at a time. */
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
    const draft = await this.#reader.read(document);
    const edited = await this.#host.edits.in(document);
    const { parsed, file, exceptFile, table, rules } = draft;
    // It's read again for the other one.
    if (document !== this.#document) return;
    for (const uri of [file?.uri, exceptFile?.uri]) if (uri) this.#reader.files.watch(uri);
    const chats = this.#list.of(parsed, table);
    const { leftOut } = await leaveOut(chats, rules);
    const counts = await countByRule(leftOut, rules);
    const varying = parsed.isTemplate && chats.length > 0 && knowsValues(draft) ? parsed.shown : undefined;
    await this.#recipients.use(varying && new PersonalMessage(varying, table), chats, service?.directory, rules);
    if (document !== this.#document) return;
    this.#view = { service, draft, chats, leftOut: leftOutCountText(counts), edited };
  }

  #show(): void {
    if (!this.#isShown || !this.#view) return;
    const { service, draft, chats, leftOut, edited } = this.#view;
    const { parsed, rules } = draft;
    const { namesBot, namesRecipients } = namesIn(parsed, chats);
    const botId = parsed.bot?.id ?? (namesBot ? '' : (edited?.botId ?? ''));
    this.#mentioned = mentionedIn(parsed);
    if (service) this.#listener.use(service.directory);
    const current = this.#recipients.current(service);
    // Completes a step of the walkthrough.
    if (current && draft.table) void commands.executeCommand('setContext', 'botChats.hasSeenPersonal', true);
    const shown =
      current?.message ?? (parsed.shown && parsed.isTemplate ? unfilledMessage(parsed.shown) : parsed.shown);
    const bot = botId && this.#names.of(service, 'bot', botId).name;
    const listed = current ? [] : chats.slice(0, shownCount(chats.length, this.#listed));
    this.#panel.show({
      message: shown && previewMessage(shown, botId, bot),
      recipients: listed.map(({ kind, id }) => ({
        ...{ kind, id, ...this.#names.of(service, kind, id) },
        leftOut: whyLeftOut({ kind, id }, rules),
      })),
      total: chats.length,
      leftOut: leftOut || undefined,
      // What a draft doesn't name stays as it was scheduled.
      namesBot: namesBot || edited !== undefined,
      namesRecipients: namesRecipients || edited !== undefined,
      edited: edited && editedText(edited, namesRecipients),
      varies: parsed.isTemplate,
      step: current?.step,
      canSend: draft.message !== undefined,
      problems: shownProblems({ ...draft, problems: problemsWhileWriting(draft.problems, this.#document) }, service),
    });
  }
}
