import type { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { ArchiveCaller, type ArchiveFile, remoteArchive, serveArchive } from '../../../../src/chats/archive/remote.ts';
import { openArchive } from '../archive/archives.ts';

/** An archive behind the messages of its thread, but in this one. */
export function archiveInProcess(open: () => ArchiveDatabase = openArchive, file: Partial<ArchiveFile> = {}) {
  const listeners: { host?: (message: unknown) => void; thread?: (message: unknown) => void } = {};
  const later = (side: 'host' | 'thread') => (message: unknown) =>
    queueMicrotask(() => listeners[side]?.(structuredClone(message)));
  serveArchive(
    {
      post: later('host'),
      onMessage: (listener) => {
        listeners.thread = listener;
      },
    },
    { path: 'archive.db', identity: () => 'one', version: () => 'one', setAside() {}, erase() {}, ...file, open },
  );
  const caller = new ArchiveCaller({
    post: later('thread'),
    onMessage: (listener) => {
      listeners.host = listener;
    },
  });
  const archive = remoteArchive((method, args) => caller.call(method, args));
  return { archive, exists: async () => true, caller };
}
