/** Reads one chat with the token of its bot. */
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import type { BotChat } from '../protocol/botChat.ts';
import type { Page } from '../service/client.ts';
import type { Listed } from '../service/message.ts';
import { serviceName } from './describe.ts';
import { UserFacingError } from './errorText.ts';
import { l10n } from './shown.ts';
import { lossText, readWithToken } from './tokenState.ts';

/** No token is saved for the bot that reads a chat. */
export class NoTokenError extends UserFacingError {}

/** A chat belongs to another service than the connected one. */
export class OtherServiceError extends UserFacingError {}

export class BotChatClient {
  readonly #botChat: BotChat;
  readonly #host: Pick<Host, 'chatEvents' | 'connection' | 'tokens'>;

  constructor(botChat: BotChat, host: Pick<Host, 'chatEvents' | 'connection' | 'tokens'>) {
    this.#botChat = botChat;
    this.#host = host;
  }

  /** The service of this chat. @throws OtherServiceError if another service is connected */
  async service(): Promise<Service> {
    const service = await this.#host.connection.open();
    if (service.address === this.#botChat.service) return service;
    throw new OtherServiceError(
      l10n.t('This history belongs to {0}. Connect to that service to continue.', serviceName(this.#botChat.service)),
    );
  }

  /** Lists one page of the chat, and tells the archive. @throws NoTokenError if no token is saved for the bot */
  async list(page: Page, signal: AbortSignal): Promise<Listed[]> {
    const entries = await this.listOnly(page, signal);
    this.#host.chatEvents.pageRead({ chat: this.#botChat, page, entries });
    return entries;
  }

  /** Lists one page of the chat (contract 4.4). @throws NoTokenError if no token is saved for the bot */
  async listOnly(page: Page, signal: AbortSignal): Promise<Listed[]> {
    const service = await this.service();
    const { tokens } = this.#host;
    const { botId } = this.#botChat;
    const token = await tokens.get(service, botId);
    if (!token) {
      throw new NoTokenError(
        (await tokens.lost(service)).includes(botId)
          ? l10n.t('VS Code no longer has the token that you saved for bot {0}. {1}', botId, lossText())
          : l10n.t('No token is saved for bot {0}.', botId),
      );
    }
    return readWithToken(tokens, service, { botId, token }, () =>
      service.client.messages(token, this.#botChat, page, signal),
    );
  }
}
