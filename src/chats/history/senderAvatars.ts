/** The avatars of the senders that a history page shows. Only those that the directory knows: no one is looked up. */
import { AvatarCache } from '../../directory/avatarCache.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Sender, SenderAvatar } from '../../protocol/history.ts';
import { resourceKey } from '../../service/model.ts';

export class SenderAvatars {
  readonly #send: (avatar: SenderAvatar) => void;
  readonly #signal: AbortSignal;
  readonly #cache: AvatarCache;
  /** The senders on the page by key. */
  readonly #shown = new Map<string, Sender>();
  #directory: Directory | undefined;

  /** Sends avatars until the signal is aborted. */
  constructor(send: (avatar: SenderAvatar) => void, signal: AbortSignal, cache = new AvatarCache()) {
    this.#send = send;
    this.#signal = signal;
    this.#cache = cache;
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
    if (uri && !this.#signal.aborted) this.#send({ kind, id, uri });
  }
}
