/** Says above a history that its messages come from the archive, and why. */
import { l10n } from 'vscode';
import { errorText } from '../../presentation/errorText.ts';
import { formatDateTime } from '../../presentation/formats.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import type { MessageArchive } from '../contract.ts';

export class OutageNote {
  readonly #botChat: BotChat;
  readonly #archive: MessageArchive;
  readonly #show: (text: string) => void;
  /** Why messages come from the archive; undefined if they come from the service. */
  #error: unknown;
  /** The text that is shown; empty if there is none. */
  #text = '';

  /** `show` shows the text; an empty one removes it. */
  constructor(botChat: BotChat, archive: MessageArchive, show: (text: string) => void) {
    this.#botChat = botChat;
    this.#archive = archive;
    this.#show = show;
  }

  /** Whether the last page came from the archive because the service couldn't be reached. */
  get isOutage(): boolean {
    return this.#error !== undefined;
  }

  /** A page came from the archive because of an error, or from the service if that is undefined. */
  async update(error: unknown): Promise<void> {
    const before = this.#error;
    this.#error = error;
    if (error === undefined) {
      if (before !== undefined) this.#change('');
      return;
    }
    const checkedAt = await this.#archive.checkedAt(this.#botChat).catch(() => undefined);
    if (this.#error !== error || checkedAt === undefined) return;
    this.#change(l10n.t('Archived messages until {0}. {1}', formatDateTime(checkedAt), errorText(error)));
  }

  /** Shows the text again, in a page that is new. */
  repeat(): void {
    if (this.#text) this.#show(this.#text);
  }

  #change(text: string): void {
    this.#text = text;
    this.#show(text);
  }
}
