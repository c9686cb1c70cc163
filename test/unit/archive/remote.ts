import type { ArchiveDatabase } from '../../../src/archive/archiveDatabase.ts';
import type { ArchiverOptions } from '../../../src/archive/archiver.ts';

/** The methods of an archive, which answer later. */
export function remote(archive: ArchiveDatabase): ArchiverOptions['archive'] {
  return {
    addLatest: async (...args) => archive.addLatest(...args),
    extend: async (...args) => archive.extend(...args),
    lose: async (...args) => archive.lose(...args),
    nextTask: async (...args) => archive.nextTask(...args),
    reopen: async (...args) => archive.reopen(...args),
  };
}
