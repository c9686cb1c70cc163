/** What connecting does for other features. */

import type { ShownText } from '../markup/safeText.ts';
import type { Service } from '../platform/service.ts';
import type { Chat } from '../service/model.ts';

/** Asks the user for what is missing before a service can be used. */
export interface Access {
  /** The service to use. Offers to connect if there is none; undefined if the user cancels. */
  openService(): Promise<Service | undefined>;
  /**
   * The bot to act as: `preferred` if it has a token. Of several, the only one that is known to be in `chats`, unless it
   * `asks` in any case; otherwise asks, beginning with those that are known to be in them. Undefined if the user cancels.
   */
  chooseBot(
    service: Service,
    title: ShownText,
    preferred?: string,
    chats?: readonly Chat[],
    asks?: boolean,
  ): Promise<string | undefined>;
  /** Asks for a bot's token and saves it. Resolves to the bot's ID; undefined if the user cancels. */
  setToken(service: Service, botId?: string): Promise<string | undefined>;
}
