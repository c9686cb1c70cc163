import type { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { ArchiveCaller, type ArchiveFile, remoteArchive, serveArchive } from '../../../../src/chats/archive/remote.ts';
import { heldClock } from '../../clocks.ts';
import { openArchive } from '../archive/archives.ts';

const STEADY: Omit<ArchiveFile, 'open'> = {
  path: 'archive.db',
  identity: () => 'one',
  version: () => 'one',
  isReserved: () => false,
  setAside() {},
  erase() {},
};

/** An archive behind the messages of its thread, but in this one. */
export function archiveInProcess(
  open: () => ArchiveDatabase = openArchive,
  file: Partial<ArchiveFile> = {},
  clock = heldClock().clock,
) {
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
    { ...STEADY, ...file, open },
    clock,
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
