/** What the page of a history shows of senders: their cards and avatars. */
import { AvatarCache } from '../../directory/avatarCache.ts';
import type { Directory } from '../../directory/directory.ts';
import type { ListSettings } from '../../platform/listSettings.ts';
import type { BotChatClient } from '../../presentation/botChatClient.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import type { Sender, SenderAvatar, ToPage } from '../../protocol/history.ts';
import { resourceKey } from '../../service/model.ts';
import { profileOf } from './participants.ts';

interface Reader {
  readonly client: BotChatClient;
  readonly botChat: BotChat;
  readonly lists: ListSettings;
}

export class PageSenders {
  readonly #reader: Reader;
  readonly #post: (message: ToPage) => void;
  readonly #avatars: SenderAvatars;
  /** Whose card was asked for last. */
  #asked: Sender | undefined;

  /** Posts to the page until the signal is aborted. */
  constructor(reader: Reader, post: (message: ToPage) => void, signal: AbortSignal) {
    this.#reader = reader;
    this.#post = post;
    this.#avatars = new SenderAvatars((avatar) => post({ type: 'avatar', ...avatar }), signal);
  }

  /** Looks up a sender, and shows their card, unless another one was asked for meanwhile: a page shows one at a time. */
  async showProfile(sender: Sender): Promise<void> {
    this.#asked = sender;
    const { client, botChat, lists } = this.#reader;
    const profile = await profileOf(() => client.service(), sender, { chat: botChat, lists });
    if (this.#asked === sender) this.#post({ type: 'profile', profile });
    await this.showAvatars([sender]);
  }

  /** Shows again what a page before this one has shown, so that its avatars aren't seen to change. */
  repeat(): void {
    this.#avatars.repeat();
  }

  /** Shows the avatars of senders who were looked up before. */
  async showAvatars(senders: readonly Sender[]): Promise<void> {
    // Without the chat's service, nothing is known about them.
    const service = await this.#reader.client.service().catch(() => undefined);
    if (service) this.#avatars.show(senders, service.directory);
  }
}

/** The avatars of senders. Only those that the directory knows: no one is looked up. */
export class SenderAvatars {
  readonly #send: (avatar: SenderAvatar) => void;
  readonly #signal: AbortSignal;
  readonly #cache: AvatarCache;
  /** The senders on the page by key. */
  readonly #shown = new Map<string, Sender>();
  /** What was sent last of each. */
  readonly #sent = new Map<string, SenderAvatar>();
  #directory: Directory | undefined;

  /** Sends avatars until the signal is aborted. */
  constructor(send: (avatar: SenderAvatar) => void, signal: AbortSignal, cache = new AvatarCache()) {
    this.#send = send;
    this.#signal = signal;
    this.#cache = cache;
  }

  /** Sends all avatars again. */
  repeat(): void {
    for (const avatar of this.#sent.values()) this.#send(avatar);
  }

  /** Sends the avatars of these senders, now and whenever the directory learns about them. */
  show(senders: readonly Sender[], directory: Directory): void {
    if (this.#signal.aborted) return;
    this.#follow(directory);
    for (const sender of senders) {
      this.#shown.set(resourceKey(sender.kind, sender.id), sender);
      void this.#load(sender, directory);
    }
  }

  #follow(directory: Directory): void {
    if (this.#directory === directory) return;
    this.#directory = directory;
    const stop = directory.onDidChange((kind, id) => {
      const sender = this.#shown.get(resourceKey(kind, id));
      if (sender) void this.#load(sender, directory);
    });
    this.#signal.addEventListener('abort', stop, { once: true });
  }

  async #load({ kind, id }: Sender, directory: Directory): Promise<void> {
    const url = directory.peek(kind, id)?.resource.avatarUrl;
    const uri = url && (await this.#cache.get(url, this.#signal));
    if (!uri || this.#signal.aborted) return;
    const avatar = { kind, id, uri };
    this.#sent.set(resourceKey(kind, id), avatar);
    this.#send(avatar);
  }
}
