/** The panel of a draft's preview. */
import { l10n, type Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { Host } from '../../../platform/host.ts';
import { type Handled, openPage, type WebviewPage } from '../../../platform/webviewPage.ts';
import { singleLineName } from '../../../presentation/describe.ts';
import { showError } from '../../../presentation/errorText.ts';
import { FromPreview, type Matches, type ShownDraft, type ToPreview } from '../../../protocol/preview.ts';
import type { Chat } from '../../../service/model.ts';
import { fileName } from '../draftReader.ts';

/** Handles what happens in the panel. */
export interface PreviewOwner {
  /** The page is empty: it is new, or was hidden. */
  ready(): void;
  hidden(): void;
  closed(): void;
  /** Lists more recipients. */
  more(): void;
  /** Shows the next recipient or the previous one, or another one. */
  step(by: 1 | -1): void;
  goTo(chat: Chat): void;
  onlyWithProblems(isOn: boolean): void;
  /** Finds recipients. `search` is its number. */
  find(search: number, text: string): unknown;
  /** Shows a range of the document; offsets in UTF-16 units. */
  place(start: number, end: number): unknown;
  /** Shows a line of the file of recipients, or of the one under `except:`, from 1. */
  row(line: number, isInExcept?: boolean): unknown;
  send(): unknown;
}

export class PreviewPanel {
  readonly #panel: WebviewPanel;
  #document: Uri;
  readonly #page: WebviewPage<ToPreview>;
  readonly #owner: PreviewOwner;

  constructor(panel: WebviewPanel, document: Uri, owner: PreviewOwner, host: Pick<Host, 'extensionUri' | 'log'>) {
    this.#panel = panel;
    this.#document = document;
    this.#owner = owner;
    this.#page = openPage(this.#panel, host, {
      page: 'preview',
      schema: FromPreview,
      contents: () => ({ data: { document: this.#document.toString() } }),
      fill: () => owner.ready(),
      handle: (message) => this.#handle(message),
      fail: showError,
      emptied: () => owner.hidden(),
      closed: () => owner.closed(),
    });
  }

  get isVisible(): boolean {
    return this.#panel.visible;
  }

  /** Loads the page again, for another document. */
  use(document: Uri): void {
    this.#document = document;
    this.#panel.title = panelTitle(document);
    this.#page.reload();
  }

  show(draft: Omit<ShownDraft, 'type'>): void {
    void this.#page.post({ type: 'draft', ...draft });
  }

  showMatches(matches: Omit<Matches, 'type'>): void {
    void this.#page.post({ type: 'matches', ...matches });
  }

  /** Never over the active editor, whose document it shows. */
  reveal(): void {
    const { viewColumn } = this.#panel;
    const isCovering = viewColumn !== undefined && viewColumn === window.activeTextEditor?.viewColumn;
    this.#panel.reveal(isCovering ? ViewColumn.Beside : undefined, true);
  }

  close(): void {
    this.#panel.dispose();
  }

  async #handle(message: Handled<FromPreview>): Promise<unknown> {
    switch (message.type) {
      case 'place':
        return this.#owner.place(message.start, message.end);
      case 'row':
        return this.#owner.row(message.line, message.isInExcept);
      case 'step':
        return this.#owner.step(message.by);
      case 'goTo':
        return this.#owner.goTo({ kind: message.kind, id: message.id });
      case 'onlyWithProblems':
        return this.#owner.onlyWithProblems(message.isOn);
      case 'find':
        return this.#owner.find(message.search, message.text);
      default:
        return this.#owner[message.type]();
    }
  }
}

/** The title of the panel that shows a document. */
export const panelTitle = (document: Uri) => l10n.t('Preview {0}', singleLineName(fileName(document)));
