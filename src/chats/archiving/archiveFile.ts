/**
 * The archive's file, and SQLite, which comes with Node. Windows moves no file that any window has open. So a window that
 * must move the file reserves it first: other windows close it at their next call, or soon without one.
 */
import { FileInUseError, filesInUseSync } from '../../platform/filesInUse.ts';
import { builtin, isWindows } from '../../platform/node.ts';
import { systemClock } from '../../service/clock.ts';
import { ArchiveDatabase } from '../archive/archiveDatabase.ts';
import { ArchiveError } from '../archive/archiveError.ts';
import { type ArchiveFile, ERASED } from '../archive/remote.ts';
import type { SqliteDatabase } from '../archive/sql.ts';

interface NodeSqlite {
  DatabaseSync: new (path: string) => SqliteDatabase;
}

/** The parts of `node:fs` that are used here. */
interface NodeFiles {
  chmodSync(path: string, mode: number): void;
  closeSync(file: number): void;
  fsyncSync(file: number): void;
  ftruncateSync(file: number): void;
  mkdirSync(path: string, options: { recursive: true; mode: number }): unknown;
  openSync(path: string, flags: 'r+'): number;
  renameSync(from: string, to: string): void;
  rmSync(path: string, options: { force: true }): void;
  statSync(path: string, options: { throwIfNoEntry: false; bigint: true }): Stats | undefined;
  writeFileSync(path: string, text: string): void;
  writeSync(file: number, bytes: Uint8Array): number;
}

/** Windows has longer numbers of files than a `number` holds. */
interface Stats {
  readonly dev: bigint;
  readonly ino: bigint;
  /** The size of the file in bytes. */
  readonly size: bigint;
  readonly mtimeMs: bigint;
}

/** Only the user may read the folder. */
const PRIVATE = 0o700;

/** The database, the write-ahead log and the memory that windows share. */
const PARTS = ['', '-wal', '-shm'];

/** How much is overwritten at once (bytes). */
const CHUNK = 1 << 20;

/** The end of the name of a file that reserves another, and how long it counts (milliseconds): its window may have died. */
const RESERVED = '.reserved';
const MAX_RESERVED = 30_000;

/** The file of an archive in a private folder; both are created if necessary. `whenFree` waits for other programs. */
export function archiveFile(folder: string, name: string, whenFree = filesInUseSync()): ArchiveFile {
  const path = `${folder}/${name}`;
  const files = () => (builtin('node:fs') as NodeFiles | undefined) ?? unsupported();
  const statOf = (path: string) => files().statSync(path, { throwIfNoEntry: false, bigint: true });
  /** Moves the file aside. @throws ArchiveError if another program doesn't close it */
  const free = (path: string, act: () => void) => {
    try {
      whenFree(path, act);
    } catch (error) {
      throw error instanceof FileInUseError ? new ArchiveError('busy', error.message) : error;
    }
  };
  const release = () => files().rmSync(path + RESERVED, { force: true });
  const move = (to: string) => {
    if (!PARTS.some((part) => statOf(path + part))) return;
    ignoreErrors(() => files().writeFileSync(path + RESERVED, ''));
    try {
      for (const part of PARTS)
        free(path + part, () => {
          // The last window that closes the database removes the other parts.
          if (statOf(path + part)) files().renameSync(path + part, to + part);
        });
    } finally {
      ignoreErrors(release);
    }
  };
  /** Erases the moved file. */
  const erase = () => {
    for (const part of PARTS) {
      const size = statOf(path + ERASED + part)?.size;
      if (size === undefined) continue;
      const erased = path + ERASED + part;
      // The memory that windows share is mapped: it has no texts, and must not shrink. Not every file system can overwrite
      // on a full disk.
      if (part !== '-shm') ignoreErrors(() => free(erased, () => overwrite(files(), erased, Number(size))));
      free(erased, () => files().rmSync(erased, { force: true }));
    }
  };
  return {
    path,
    open: () => {
      const sqlite = (builtin('node:sqlite') as NodeSqlite | undefined) ?? unsupported();
      files().mkdirSync(folder, { recursive: true, mode: PRIVATE });
      files().chmodSync(folder, PRIVATE);
      erase();
      ignoreErrors(release);
      return new ArchiveDatabase(new sqlite.DatabaseSync(databasePath(path)));
    },
    identity: () => {
      const { dev, ino } = statOf(path) ?? {};
      return ino === undefined ? undefined : `${dev} ${ino}`;
    },
    version: () => {
      const { dev, ino, size, mtimeMs } = statOf(path) ?? {};
      return ino === undefined ? undefined : `${dev} ${ino} ${size} ${mtimeMs}`;
    },
    isReserved: () => {
      const { mtimeMs } = statOf(path + RESERVED) ?? {};
      return mtimeMs !== undefined && Math.abs(systemClock.wall() - Number(mtimeMs)) < MAX_RESERVED;
    },
    setAside: move,
    erase: () => {
      // On systems where an open file can't be moved, this fails before anything is lost.
      move(path + ERASED);
      erase();
    },
  };
}

function ignoreErrors(act: () => void): void {
  try {
    act();
  } catch {
    // Nothing depends on whether this succeeds.
  }
}

/** Overwrites a file and empties it, so that another window that has it open keeps none of its space. */
function overwrite(files: NodeFiles, path: string, size: number): void {
  files.chmodSync(path, 0o600);
  const file = files.openSync(path, 'r+');
  try {
    const zeros = new Uint8Array(CHUNK);
    for (let left = size; left > 0; ) left -= files.writeSync(file, zeros.subarray(0, Math.min(CHUNK, left)));
    files.fsyncSync(file);
    files.ftruncateSync(file);
  } finally {
    files.closeSync(file);
  }
}

/** Windows accepts longer paths only with a prefix, which Node adds for files, but not for databases. */
const MAX_PATH = 240;

const databasePath = (path: string) =>
  isWindows() && path.length > MAX_PATH
    ? (builtin('node:path') as { toNamespacedPath(path: string): string }).toNamespacedPath(path)
    : path;

function unsupported(): never {
  throw new ArchiveError('unsupported');
}
