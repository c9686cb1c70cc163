/** What the page of a history shows of senders: their cards and avatars. */
import type { ListSettings } from '../../platform/listSettings.ts';
import type { BotChatClient } from '../../presentation/botChatClient.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import type { Sender, ToPage } from '../../protocol/history.ts';
import { profileOf } from './participants.ts';
import { SenderAvatars } from './senderAvatars.ts';

interface Reader {
  readonly client: BotChatClient;
  readonly botChat: BotChat;
  readonly lists: ListSettings;
}

export class PageSenders {
  readonly #reader: Reader;
  readonly #post: (message: ToPage) => void;
  readonly #avatars: SenderAvatars;

  /** Posts to the page until the signal is aborted. */
  constructor(reader: Reader, post: (message: ToPage) => void, signal: AbortSignal) {
    this.#reader = reader;
    this.#post = post;
    this.#avatars = new SenderAvatars((avatar) => post({ type: 'avatar', ...avatar }), signal);
  }

  /** Looks up a sender, and shows their card. */
  async showProfile(sender: Sender): Promise<void> {
    const { client, botChat, lists } = this.#reader;
    this.#post({ type: 'profile', profile: await profileOf(() => client.service(), sender, { chat: botChat, lists }) });
    await this.showAvatars([sender]);
  }

  /** Shows the avatars of senders who were looked up before. */
  async showAvatars(senders: readonly Sender[]): Promise<void> {
    // Without the chat's service, nothing is known about them.
    const service = await this.#reader.client.service().catch(() => undefined);
    if (service) this.#avatars.show(senders, service.directory);
  }
}
