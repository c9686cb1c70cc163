/**
 * Previews of drafts, at most one for each document. A preview stays with its document while that is visible. After that,
 * it shows the draft that becomes active, as VS Code's own Markdown preview does, so that previews don't pile up, two drafts
 * side by side keep theirs, and nothing has to be locked.
 */
import * as v from 'valibot';
import { type Disposable, type TextDocument, Uri, ViewColumn, window, workspace } from 'vscode';
import { OpenPanels } from '../../../platform/openPanels.ts';
import { createPanel, type ShownPanel } from '../../../platform/webviewPage.ts';
import { showWarning } from '../../../presentation/dialogs.ts';
import { UserFacingError } from '../../../presentation/errorText.ts';
import { fileName } from '../../../presentation/fileDialogs.ts';
import { showError } from '../../../presentation/showError.ts';
import { l10n } from '../../../presentation/shown.ts';
import { tabOf, textTabs } from '../../../presentation/textEditors.ts';
import { PreviewPageState } from '../../../protocol/preview.ts';
import type { DraftReader } from '../draftReader.ts';
import { panelTitle } from './draftView.ts';
import { Preview, type PreviewHost } from './preview.ts';

export class PreviewController {
  readonly #viewType: string;
  readonly #host: PreviewHost;
  readonly #reader: DraftReader;
  /** The previews by the addresses of their documents. */
  readonly #panels: OpenPanels<Preview>;
  /** Follows the active editor while a preview is open. */
  #following: Disposable | undefined;

  /** `viewType` is the panels' view type, by which VS Code restores them. */
  constructor(viewType: string, host: PreviewHost, reader: DraftReader) {
    this.#viewType = viewType;
    this.#panels = new OpenPanels(viewType, host.workspaceMemento);
    this.#host = host;
    this.#reader = reader;
  }

  /**
   * Opens the preview of a Markdown file, the active one by default, beside the active editor, which keeps the focus. Reveals the open preview of the file, or one whose own document isn't visible any more.
   * @throws UserFacingError
   */
  async preview(clicked?: Uri): Promise<void> {
    const file = clicked ?? window.activeTextEditor?.document.uri;
    if (!file) throw new UserFacingError(l10n.t('Open a Markdown file first.'));
    const document = await workspace.openTextDocument(file);
    if (document.languageId !== 'markdown') {
      throw new UserFacingError(l10n.t("{0} isn't a Markdown file.", fileName(document.uri)));
    }
    const open = this.#of(document) ?? this.#left().at(-1);
    if (open) {
      this.#show(open, document);
      return open.reveal();
    }
    // VS Code restores a preview from before a reload only when its tab is shown, and that would take the focus.
    await this.#panels.closeUnrestored(document.uri.toString());
    const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    this.#add(document, createPanel(this.#viewType, panelTitle(document), column));
  }

  /** Restores a panel after VS Code has reloaded, or says that its document is gone. */
  async restore(panel: ShownPanel, state: unknown): Promise<void> {
    const saved = v.safeParse(PreviewPageState, state);
    const uri = saved.success ? Uri.parse(saved.output.document) : undefined;
    const document = uri && (await documentAt(uri));
    if (document && !this.#of(document)) return this.#add(document, panel);
    panel.dispose();
    if (uri && !document) {
      void showWarning(l10n.t("“{0}” can't be opened anymore, so its preview was closed.", fileName(uri)));
    }
  }

  #add(document: TextDocument, panel: ShownPanel): void {
    this.#following ??= window.onDidChangeActiveTextEditor((editor) => editor && this.#follow(editor.document));
    const preview: Preview = new Preview(document, panel, this.#host, this.#reader, {
      documentClosed: () => void this.#replace(preview).catch(showError),
      closed: () => this.#remove(preview),
    });
    this.#panels.add(document.uri.toString(), panel, preview);
  }

  /** Shows another document in a preview from now on. */
  #show(preview: Preview, document: TextDocument): void {
    preview.show(document);
    this.#panels.add(document.uri.toString(), preview.panel, preview);
  }

  /** The document of a preview was closed. Shows the draft that has taken its place, or closes the preview. */
  async #replace(preview: Preview): Promise<void> {
    const { document } = preview;
    // VS Code closes a document before its tab, even if the document is only saved under a name, or was out of view for long.
    while (document.isClosed && tabOf(document.uri)) await tabsChanged();
    const active = textTabs().filter(({ tab }) => tab.isActive);
    const shown = await Promise.all(active.map(({ uri }) => documentAt(uri)));
    if (preview.document !== document || !this.#panels.all.includes(preview)) return;
    const free = shown.filter((one) => one !== undefined).filter((one) => this.#isFree(one));
    // A draft with the same text may be the same document under another name.
    const text = document.getText();
    const next = free.find((one) => one.getText() === text) ?? free.find((one) => this.#isDraft(one));
    if (next) this.#show(preview, next);
    else preview.close();
  }

  #remove(preview: Preview): void {
    if (this.#panels.all.some((one) => one !== preview)) return;
    this.#following?.dispose();
    this.#following = undefined;
  }

  #of(document: TextDocument): Preview | undefined {
    return this.#panels.all.find((one) => one.document === document);
  }

  /** The previews whose documents aren't visible any more. */
  #left(): Preview[] {
    const visible = new Set(window.visibleTextEditors.map(({ document }) => document));
    return this.#panels.all.filter(({ document }) => !visible.has(document));
  }

  /** Shows the draft that has become active. */
  #follow(document: TextDocument): void {
    const left = this.#left().findLast(({ isVisible }) => isVisible);
    if (left && this.#isFree(document) && this.#isDraft(document)) this.#show(left, document);
  }

  /** Whether a document can have a preview, and has none. */
  #isFree(document: TextDocument): boolean {
    return document.languageId === 'markdown' && !this.#of(document);
  }

  #isDraft(document: TextDocument): boolean {
    return this.#reader.parse(document.getText()).hasBlock;
  }
}

const tabsChanged = () =>
  new Promise<void>((resolve) => {
    const listening = window.tabGroups.onDidChangeTabs(() => {
      listening.dispose();
      resolve();
    });
  });

/** The open document at an address; undefined if it's gone. VS Code would make a new one in place of an untitled document. */
async function documentAt(uri: Uri): Promise<TextDocument | undefined> {
  if (uri.scheme === 'untitled' && !tabOf(uri)) return undefined;
  return workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );
}
