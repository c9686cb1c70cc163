/** Previews of drafts, at most one for each document. */
import * as v from 'valibot';
import { l10n, type TextDocument, Uri, ViewColumn, type WebviewPanel, window, workspace } from 'vscode';
import { tabOf } from '../../platform/tabs.ts';
import { singleLineName } from '../../presentation/describe.ts';
import { showWarning } from '../../presentation/dialogs.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { PreviewPageState } from '../../protocol/preview.ts';
import { fileName } from '../draftReader.ts';
import { Preview, type PreviewHost } from './preview.ts';

export class PreviewController {
  readonly #viewType: string;
  readonly #host: PreviewHost;
  readonly #open = new Map<TextDocument, Preview>();

  /** `viewType` is the panels' view type, by which VS Code restores them. */
  constructor(viewType: string, host: PreviewHost) {
    this.#viewType = viewType;
    this.#host = host;
  }

  /**
   * Opens the preview of a Markdown file beside the active editor, which keeps the focus, or reveals the one that is open.
   * @throws UserFacingError
   */
  async open(file: Uri | undefined): Promise<void> {
    if (!file) throw new UserFacingError(l10n.t('Open a Markdown file first.'));
    const document = await workspace.openTextDocument(file);
    if (document.languageId !== 'markdown') {
      throw new UserFacingError(l10n.t("{0} isn't a Markdown file.", fileName(document.uri)));
    }
    const open = this.#open.get(document);
    if (open) return open.reveal();
    const title = l10n.t('Preview {0}', singleLineName(fileName(document.uri)));
    const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    this.#add(document, window.createWebviewPanel(this.#viewType, title, column));
  }

  /** Restores a panel after VS Code has reloaded, or says that its document is gone. */
  async restore(panel: WebviewPanel, state: unknown): Promise<void> {
    const saved = v.safeParse(PreviewPageState, state);
    const uri = saved.success ? Uri.parse(saved.output.document) : undefined;
    const document = uri && (await documentAt(uri));
    if (document && !this.#open.has(document)) return this.#add(document, panel);
    panel.dispose();
    if (uri && !document) {
      void showWarning(l10n.t("“{0}” can't be opened any more, so its preview was closed.", fileName(uri)));
    }
  }

  #add(document: TextDocument, panel: WebviewPanel): void {
    this.#open.set(document, new Preview(document, panel, this.#host, () => this.#open.delete(document)));
  }
}

/** Undefined if it's gone. VS Code would make another one in place of an untitled document. */
async function documentAt(uri: Uri): Promise<TextDocument | undefined> {
  if (uri.scheme === 'untitled' && !tabOf(uri)) return undefined;
  return workspace.openTextDocument(uri).then(
    (document) => document,
    () => undefined,
  );
}
