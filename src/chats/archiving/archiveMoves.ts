/** The archive on its way to another computer, and from one. */
import { systemClock } from '../../service/clock.ts';
import type { MovedPlace } from '../archive/movedChats.ts';
import type { MovableArchive } from '../contract.ts';
import { explained } from './archiveErrorText.ts';
import type { ArchiveThread } from './archiveThread.ts';
import type { MessageImport } from './messageImport.ts';

interface Threads {
  /** The archive of this window. */
  readonly own: Pick<ArchiveThread, 'archive' | 'exists'>;
  /** Opens the archive once more, to read it as it is at one moment. */
  open(): Pick<ArchiveThread, 'archive' | 'close'>;
}

export function archiveMoves(
  { own, open }: Threads,
  messageImport: Pick<MessageImport, 'run'>,
  showChange: () => void,
): MovableArchive {
  return {
    async survey() {
      if (!(await own.exists())) return { chats: 0, messages: 0 };
      const chats = await explained(own.archive.chats());
      return { chats: chats.length, messages: chats.reduce((sum, { messages }) => sum + messages, 0) };
    },

    async *read() {
      if (!(await own.exists())) return;
      const thread = open();
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
    },

    async begin({ botChat, since, checkedAt, name, botName }, file) {
      const { archive } = own;
      const chat = await explained(archive.beginImport(botChat, since, { name, botName }));
      let added = 0;
      return {
        add: async (page) => {
          const more = await explained(archive.importPage(chat, page));
          added += more ?? 0;
          return more;
        },
        end: async (isWhole) => {
          const one = { name: file, at: systemClock.wall(), messages: added };
          const ended = archive.endImport(chat, one, isWhole ? checkedAt : undefined);
          await explained(ended).finally(showChange);
        },
      };
    },

    importMessages: (...args) => messageImport.run(...args),
  };
}
