/** The panel of a draft's preview. */
import { commands, env, l10n, type Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { Host } from '../../../platform/host.ts';
import { openPage, type WebviewPage } from '../../../platform/webviewPage.ts';
import { singleLineName } from '../../../presentation/describe.ts';
import { showError } from '../../../presentation/errorText.ts';
import { pageLabels } from '../../../presentation/pageLabels.ts';
import {
  FromPreview,
  type Matches,
  type PreviewWords,
  type ShownDraft,
  type ToPreview,
} from '../../../protocol/preview.ts';
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
  onlyTroubled(isOn: boolean): void;
  /** Finds recipients. `search` is its number. */
  find(search: number, text: string): unknown;
  /** Shows a range of the document; offsets in UTF-16 units. */
  place(start: number, end: number): unknown;
  /** Shows a line of the file of recipients, from 1. */
  row(line: number): unknown;
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
      ...{ page: 'preview', labels: pageLabels(), schema: FromPreview },
      contents: () => ({ data: { document: this.#document.toString(), words: previewLabels() } }),
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

  async #handle(message: Exclude<FromPreview, { type: 'ready' }>): Promise<unknown> {
    switch (message.type) {
      case 'copy':
        return env.clipboard.writeText(message.text);
      case 'open':
        // A string, because a Uri would change the escapes.
        return commands.executeCommand('vscode.open', message.url);
      case 'place':
        return this.#owner.place(message.start, message.end);
      case 'row':
        return this.#owner.row(message.line);
      case 'step':
        return this.#owner.step(message.by);
      case 'goTo':
        return this.#owner.goTo({ kind: message.kind, id: message.id });
      case 'onlyTroubled':
        return this.#owner.onlyTroubled(message.isOn);
      case 'find':
        return this.#owner.find(message.search, message.text);
      default:
        return this.#owner[message.type]();
    }
  }
}

/** The title of the panel that shows a document. */
export const panelTitle = (document: Uri) => l10n.t('Preview {0}', singleLineName(fileName(document)));

/** The page's own labels in the display language. */
export function previewLabels(): PreviewWords {
  return {
    sendAs: l10n.t('Sent as {0}'),
    noBot: l10n.t("The document doesn't name a bot. You choose one when you send it."),
    groups: l10n.t('Groups'),
    people: l10n.t('People'),
    noRecipients: l10n.t("The document doesn't name any recipients. You choose them when you send it."),
    more: l10n.t('… and {0} more'),
    send: l10n.t('Send…'),
    problems: l10n.t('Problems'),
    error: l10n.t('Error'),
    warning: l10n.t('Warning'),
    ownMessages: l10n.t('Each recipient gets a message with their own values in place of the variables.'),
    recipient: l10n.t('Recipient'),
    recipients: l10n.t('Recipients'),
    previous: l10n.t('Previous recipient'),
    next: l10n.t('Next recipient'),
    position: l10n.t('{0} of {1}'),
    goTo: l10n.t('Go to a name or ID'),
    noMatch: l10n.t('No matching recipients'),
    onlyTroubled: l10n.t('Only those with problems'),
    onlyTroubledCount: l10n.t('Only those with problems ({0})'),
  };
}
