/** The archive on its way to another computer, and from one. */
import { systemClock } from '../../service/clock.ts';
import type { MovedPlace } from '../archive/movedChats.ts';
import type { ArchivePart, ImportedChat, MovableArchive, MovedChat } from '../contract.ts';
import { explained } from './archiveErrorText.ts';
import type { ArchiveThread } from './archiveThread.ts';
import type { MessageImport } from './messageImport.ts';

interface Threads {
  /** The archive of this window. */
  readonly own: Pick<ArchiveThread, 'archive' | 'exists'>;
  /** Opens it once more: what it reads doesn't change. */
  open(): Pick<ArchiveThread, 'archive' | 'close'>;
}

export class ArchiveMoves implements MovableArchive {
  readonly #threads: Threads;
  readonly #messages: Pick<MessageImport, 'run'>;
  readonly #showChange: () => void;

  constructor(threads: Threads, messages: Pick<MessageImport, 'run'>, showChange: () => void) {
    this.#threads = threads;
    this.#messages = messages;
    this.#showChange = showChange;
  }

  async survey(): Promise<{ chats: number; messages: number }> {
    const { own } = this.#threads;
    if (!(await own.exists())) return { chats: 0, messages: 0 };
    const chats = await explained(own.archive.chats());
    return { chats: chats.length, messages: chats.reduce((sum, { messages }) => sum + messages, 0) };
  }

  async *read(): AsyncGenerator<ArchivePart, void> {
    if (!(await this.#threads.own.exists())) return;
    const thread = this.#threads.open();
    const { archive } = thread;
    try {
      await explained(archive.freeze());
      for (const { number, botChat, since, checkedAt, name, botName } of await explained(archive.chats())) {
        const times = { ...(since !== undefined && { since }), ...(checkedAt !== undefined && { checkedAt }) };
        yield { what: 'chat', chat: { botChat, ...times, name, botName } };
        for (let place: MovedPlace | undefined; ; ) {
          const found = await explained(archive.movedPage(number, place));
          if (!found) break;
          yield { what: 'page', page: found.page };
          place = found.next;
        }
        yield { what: 'ended' };
      }
    } finally {
      await thread.close();
    }
  }

  async begin({ botChat, since, checkedAt, name, botName }: MovedChat, file: string): Promise<ImportedChat> {
    const { archive } = this.#threads.own;
    const chat = await explained(archive.beginImport(botChat, since, { name, botName }));
    let messages = 0;
    return {
      add: async (page) => {
        const added = await explained(archive.importPage(chat, page));
        messages += added ?? 0;
        return added;
      },
      end: async (isWhole) => {
        const one = { name: file, at: systemClock.wall(), messages };
        const ended = archive.endImport(chat, one, isWhole ? checkedAt : undefined);
        await explained(ended).finally(() => this.#showChange());
      },
    };
  }

  importMessages(...args: Parameters<MovableArchive['importMessages']>): Promise<void> {
    return this.#messages.run(...args);
  }
}
