/** The thread of the archive: SQLite would block the extension host. */
import * as v from 'valibot';
import { ArchiveDatabase } from '../archive/archiveDatabase.ts';
import { ArchiveError } from '../archive/archiveError.ts';
import { serveArchive } from '../archive/remote.ts';
import { workerParent } from '../platform/worker.ts';
import { openSqlite } from './openSqlite.ts';

const parent = workerParent();
const { folder, name } = v.parse(v.object({ folder: v.string(), name: v.string() }), parent.data);
serveArchive(
  parent,
  () =>
    new ArchiveDatabase(() => {
      const database = openSqlite(folder, name);
      if (!database) throw new ArchiveError('unsupported');
      return database;
    }),
);
