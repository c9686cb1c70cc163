/** Compares documents with what was sent of them, in VS Code's diff editor. Loaded on first use. */
import { commands, Uri, window, workspace } from 'vscode';
import { showWarning } from '../../presentation/dialogs.ts';
import { errorText, UserFacingError } from '../../presentation/errorText.ts';
import { fileName } from '../../presentation/fileDialogs.ts';
import { formatDateTime } from '../../presentation/formats.ts';
import { l10n } from '../../presentation/shown.ts';
import type { DeliveryStatus } from '../outbox/deliveryStatus.ts';
import { hasDocument } from '../outbox/editedDocuments.ts';
import type { OutboxController } from '../outbox/outboxController.ts';
import { sentTimeOf } from '../outbox/outboxEntry.ts';
import { sentDocument } from '../outbox/sentDocument.ts';

export class Comparison {
  readonly #controller: Pick<OutboxController, 'entry' | 'outbox'>;
  readonly #scheme: string;

  /** Documents of this URI scheme have a delivery's ID as their query, and {@link text} as their text. */
  constructor(controller: Pick<OutboxController, 'entry' | 'outbox'>, scheme: string) {
    this.#controller = controller;
    this.#scheme = scheme;
  }

  /**
   * Compares a document with its last delivery, or the delivery with this ID with its document. Shows only what was
   * sent if the document can't be opened. @throws UserFacingError
   */
  async open(what: Uri | string | undefined): Promise<void> {
    if (what === undefined) throw new UserFacingError(l10n.t('Open a Markdown file first.'));
    const status = await this.#statusOf(what);
    const { delivery } = status;
    const { id, name } = delivery;
    if (!hasDocument(delivery)) {
      throw new UserFacingError(l10n.t("“{0}” wasn't sent as the text of a saved document.", name));
    }
    // The name at the end of the path tells VS Code the language.
    const sent = Uri.from({ scheme: this.#scheme, path: `/${name.replaceAll('/', '-')}`, query: id });
    const file = Uri.parse(delivery.source);
    if (await canOpen(file)) {
      const title = l10n.t('{0} (sent {1}) ↔ {0}', name, formatDateTime(sentTimeOf(status)));
      await commands.executeCommand('vscode.diff', sent, file, title);
    } else {
      await window.showTextDocument(sent);
      void showWarning(l10n.t("“{0}” can't be opened, so only what was sent is shown.", name));
    }
  }

  /** The document of a delivery as it was sent, or why it can't be shown. */
  async text(id: string): Promise<string> {
    return this.#controller.entry(id).then(({ status }) => sentDocument(status.delivery), errorText);
  }

  async #statusOf(what: Uri | string): Promise<DeliveryStatus> {
    if (typeof what === 'string' || what.scheme === this.#scheme) {
      const id = typeof what === 'string' ? what : what.query;
      return (await this.#controller.entry(id)).status;
    }
    const source = what.toString();
    const statuses = (await this.#controller.outbox.all()).map(({ status }) => status);
    const sent = statuses.filter(
      ({ delivery, isUnsent }) => !isUnsent && delivery.source === source && hasDocument(delivery),
    );
    // A test is only compared if nothing else was sent: recipients don't have it.
    const last = sent.find(({ delivery }) => !delivery.isTest) ?? sent[0];
    if (last) return last;
    throw new UserFacingError(l10n.t('The outbox has no delivery of “{0}”.', fileName(what)));
  }
}

/** Whether a document exists and is text. The document may also be open without being stored any more. */
const canOpen = (file: Uri) =>
  workspace.openTextDocument(file).then(
    () => true,
    () => false,
  );
