/** Previews of drafts, at most one for each document. */
import { l10n, type TextDocument, type Uri, workspace } from 'vscode';
import { UserFacingError } from '../../presentation/errorText.ts';
import { fileName } from '../draftReader.ts';
import { Preview, type PreviewHost } from './preview.ts';

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
