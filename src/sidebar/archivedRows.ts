/** Which rows of the connected service are archived: their menus offer what can be done with archived chats. */
import type { Disposable } from 'vscode';
import type { ArchivedChats } from '../chats/contract.ts';
import type { Host } from '../platform/host.ts';
import { type Clock, systemClock, Timer } from '../service/clock.ts';
import { type Chat, chatKey } from '../service/model.ts';

/** How long to wait until rows are painted, in milliseconds: the archive is loaded with much else. */
const FIRST_DELAY = 1_000;

export class ArchivedRows {
  readonly #host: Pick<Host, 'connection'> & { readonly archived: ArchivedChats };
  readonly #onChange: (chat: Chat) => void;
  readonly #listening: Disposable;
  readonly #first: Timer;
  #chats: ReadonlyMap<string, Chat> = new Map();
  #updates = 0;

  /** `onChange` is called with each chat that is archived now, or no longer. */
  constructor(
    host: Pick<Host, 'connection'> & { readonly archived: ArchivedChats },
    onChange: (chat: Chat) => void,
    clock: Pick<Clock, 'after'> = systemClock,
  ) {
    this.#host = host;
    this.#onChange = onChange;
    this.#listening = host.archived.onDidChange(() => this.update());
    this.#first = new Timer(() => void this.update(), clock);
    this.#first.start(FIRST_DELAY);
  }

  /** Whether a chat was archived at the last update. */
  has(chat: Chat): boolean {
    return this.#chats.has(chatKey(chat));
  }

  /** Call it when the service has changed. */
  async update(): Promise<void> {
    const update = ++this.#updates;
    const service = await this.#host.connection.open().catch(() => undefined);
    const all = service ? await this.#host.archived.list() : [];
    // Another service may be connected meanwhile.
    if (update !== this.#updates) return;
    const chats = all.filter((chat) => chat.service === service?.address).map(({ kind, id }): Chat => ({ kind, id }));
    const before = this.#chats;
    this.#chats = new Map(chats.map((chat) => [chatKey(chat), chat]));
    for (const [key, chat] of [...before, ...this.#chats])
      if (before.has(key) !== this.#chats.has(key)) this.#onChange(chat);
  }

  dispose(): void {
    this.#first.stop();
    this.#listening.dispose();
  }
}
