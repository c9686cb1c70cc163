/** Gets the pages of a history from the service, or from the archive while the service can't be reached, which a note says. */
import type { Host } from '../../platform/host.ts';
import { SetupError } from '../../platform/openService.ts';
import { BotChatClient, OtherServiceError } from '../../presentation/botChatClient.ts';
import { errorText } from '../../presentation/errorText.ts';
import { formatDateTime } from '../../presentation/formats.ts';
import { l10n } from '../../presentation/shown.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import type { Page } from '../../service/client.ts';
import { isOutage } from '../../service/errors.ts';
import type { Listed } from '../../service/message.ts';
import type { MessageArchive, MessageReader } from '../contract.ts';

export class HistorySource {
  readonly #botChat: BotChat;
  readonly #client: Pick<BotChatClient, 'list'>;
  readonly #archive: MessageArchive;
  readonly #onOutage: (error: unknown) => void;
  /** How many loads prefer the archive. */
  #preferring = 0;

  /** `onOutage` is called with why a page came from the archive only, and with undefined when the service answers. */
  constructor(
    botChat: BotChat,
    client: Pick<BotChatClient, 'list'>,
    archive: MessageArchive,
    onOutage: (error: unknown) => void,
  ) {
    this.#botChat = botChat;
    this.#client = client;
    this.#archive = archive;
    this.#onOutage = onOutage;
  }

  /** Lists one page of the chat (contract 4.4). Rejects as the client does, unless the archive has the page. */
  async list(page: Page, signal: AbortSignal): Promise<Listed[]> {
    // Only the service knows what is new.
    const mayPrefer = this.#preferring > 0 && !('latest' in page);
    const kept = mayPrefer ? await this.#fromArchive(page) : undefined;
    if (kept) return kept;
    try {
      const entries = await this.#client.list(page, signal);
      this.#onOutage(undefined);
      return entries;
    } catch (error) {
      if (signal.aborted || !isOffline(error)) throw error;
      const archived = await this.#fromArchive(page);
      if (!archived) throw error;
      this.#onOutage(error);
      return archived;
    }
  }

  /** Takes pages from the archive if it has them, until `load` has ended. */
  async preferArchive<T>(load: () => Promise<T>): Promise<T> {
    this.#preferring++;
    try {
      return await load();
    } finally {
      this.#preferring--;
    }
  }

  /** A damaged archive mustn't hide what the service says; it shows its own errors elsewhere. */
  #fromArchive(page: Page): Promise<Listed[] | undefined> {
    return this.#archive.list(this.#botChat, page).catch(() => undefined);
  }
}

/** Whether the chat's service can't be reached, or isn't connected. */
export const isOffline = (error: unknown) =>
  isOutage(error) || error instanceof OtherServiceError || error instanceof SetupError;

/** Says above a history that its messages come from the archive, and why. */
export class OutageNote {
  readonly #botChat: BotChat;
  readonly #archive: MessageArchive;
  readonly #show: (text: string) => void;
  /** Why messages come from the archive; undefined if they come from the service. */
  #error: unknown;
  /** The text of the note; empty if none is shown. */
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

type ReaderHost = Pick<Host, 'chatEvents' | 'connection' | 'tokens'> & { readonly archive: MessageArchive };

/** Reads single pages for another feature, as a history would. */
export const messageReader = (host: ReaderHost): MessageReader => ({
  read: async (chat, page, signal) => {
    let outage: unknown;
    const source = new HistorySource(chat, new BotChatClient(chat, host), host.archive, (error) => {
      outage = error;
    });
    const entries = await source.list(page, signal);
    return { entries, ...(outage !== undefined && { outage }) };
  },
});
