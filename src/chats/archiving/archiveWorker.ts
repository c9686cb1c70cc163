/** The thread of the archive: SQLite would block the extension host. */
import * as v from 'valibot';
import { workerParent } from '../../platform/worker.ts';
import { serveArchive } from '../archive/remote.ts';
import { archiveFile } from './archiveFile.ts';

const parent = workerParent();
const { folder, name } = v.parse(v.object({ folder: v.string(), name: v.string() }), parent.data);
serveArchive(parent, archiveFile(folder, name));
