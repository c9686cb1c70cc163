/** What the page of a history shows of senders: their cards and avatars. */
import { AvatarCache } from '../../directory/avatarCache.ts';
import type { Directory } from '../../directory/directory.ts';
import type { ListSettings } from '../../platform/listSettings.ts';
import { actionsFor } from '../../presentation/card.ts';
import { nameOrId } from '../../presentation/describe.ts';
import { errorText } from '../../presentation/errorText.ts';
import { cardFactsOf, withNames } from '../../presentation/facts.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import type { Profile, Sender, SenderAvatar, ToPage } from '../../protocol/history.ts';
import { isSame, resourceKey } from '../../service/model.ts';
import type { OpenService } from './participants.ts';

interface Reader {
  readonly open: OpenService;
  readonly botChat: BotChat;
  readonly lists: ListSettings;
}

export class PageSenders {
  readonly #reader: Reader;
  readonly #post: (message: ToPage) => void;
  readonly #signal: AbortSignal;
  readonly #cache: AvatarCache;
  /** The sender whose card was asked for last. */
  #asked: Sender | undefined;
  /** The senders whose avatars the page shows, by key. */
  readonly #shown = new Map<string, Sender>();
  /** The avatar of each sender that was posted last. */
  readonly #posted = new Map<string, SenderAvatar>();
  /** The directory whose changes are followed. */
  #directory: Directory | undefined;

  /** Posts to the page until the signal is aborted. */
  constructor(reader: Reader, post: (message: ToPage) => void, signal: AbortSignal, cache = new AvatarCache()) {
    this.#reader = reader;
    this.#post = post;
    this.#signal = signal;
    this.#cache = cache;
  }

  /** Looks up a sender, and shows their card, unless another one was asked for meanwhile: a page shows one at a time. */
  async showProfile(sender: Sender): Promise<void> {
    this.#asked = sender;
    const profile = await profileOf(sender, this.#reader);
    if (this.#asked === sender) this.#post({ type: 'profile', profile });
    await this.showAvatars([sender]);
  }

  /** Posts the avatars that the page before this one has shown, so that nobody sees them change. */
  repeat(): void {
    for (const avatar of this.#posted.values()) this.#post({ type: 'avatar', ...avatar });
  }

  /** Shows the avatars of these senders, now and whenever the directory learns about them. No one is looked up. */
  async showAvatars(senders: readonly Sender[]): Promise<void> {
    // Without the chat's service, nothing is known about them.
    const service = await this.#reader.open().catch(() => undefined);
    if (!service || this.#signal.aborted) return;
    const { directory } = service;
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
    this.#posted.set(resourceKey(kind, id), avatar);
    this.#post({ type: 'avatar', ...avatar });
  }
}

/** The profile of a sender in a chat, or why it is not known. */
export async function profileOf({ kind, id }: Sender, { open, botChat, lists }: Reader): Promise<Profile> {
  const profile = { kind, id, name: id, failure: '', facts: [] };
  const actionNames = (isListed: boolean) => actionsFor({ kind }, isListed).map(({ name, label }) => ({ name, label }));
  try {
    const service = await open();
    const found = await service.directory.get(kind, id);
    const facts = withNames(cardFactsOf(found), service.directory).map(({ label, value }) => ({ label, value }));
    const isListed = lists.read(kind, service).entries.some((entry) => entry.id === id);
    const isThisChat = isSame({ kind, id }, botChat);
    const actions = actionNames(isListed).filter(({ name }) => !(isThisChat && name === 'openHistory'));
    return { ...profile, name: nameOrId(service.directory, kind, id), facts, actions };
  } catch (error) {
    const actions = actionNames(true).filter(({ name }) => name === 'copyId');
    return { ...profile, failure: errorText(error), actions };
  }
}
