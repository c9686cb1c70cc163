/**
 * The thread of the archive. SQLite's calls are synchronous, and one that compacts the file or waits for another window's
 * transaction takes seconds. Calls are messages, answered in order.
 */
import * as v from 'valibot';
import { workerParent } from '../../platform/worker.ts';
import { serveArchive } from '../archive/remote.ts';
import { archiveFile } from './archiveFile.ts';

const parent = workerParent();
const { folder, name } = v.parse(v.object({ folder: v.string(), name: v.string() }), parent.data);
serveArchive(parent, archiveFile(folder, name));
