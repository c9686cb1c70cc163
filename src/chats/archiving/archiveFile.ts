/** The archive's file, and SQLite, which comes with Node. */

import { builtin } from '../../platform/node.ts';
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
  statSync(path: string, options: { throwIfNoEntry: false }): Stats | undefined;
  writeSync(file: number, bytes: Uint8Array): number;
}

interface Stats {
  readonly dev: number;
  readonly ino: number;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** Only the user may read the folder. */
const PRIVATE = 0o700;

/** The database, the write-ahead log and the memory that windows share. */
const PARTS = ['', '-wal', '-shm'];

/** How much is overwritten at once (bytes). */
const CHUNK = 1 << 20;

/** The file of an archive in a private folder; both are created if necessary. */
export function archiveFile(folder: string, name: string): ArchiveFile {
  const path = `${folder}/${name}`;
  const files = () => (builtin('node:fs') as NodeFiles | undefined) ?? unsupported();
  const stat = () => files().statSync(path, { throwIfNoEntry: false });
  const move = (to: string) => {
    for (const part of PARTS) {
      if (files().statSync(path + part, { throwIfNoEntry: false })) files().renameSync(path + part, to + part);
    }
  };
  /** Erases what was moved. */
  const erase = () => {
    for (const part of PARTS) eraseFile(files(), path + ERASED + part);
  };
  return {
    path,
    open: () => {
      const sqlite = (builtin('node:sqlite') as NodeSqlite | undefined) ?? unsupported();
      files().mkdirSync(folder, { recursive: true, mode: PRIVATE });
      files().chmodSync(folder, PRIVATE);
      erase();
      return new ArchiveDatabase(new sqlite.DatabaseSync(path));
    },
    identity: () => {
      const { dev, ino } = stat() ?? {};
      return ino === undefined ? undefined : `${dev} ${ino}`;
    },
    version: () => {
      const { dev, ino, size, mtimeMs } = stat() ?? {};
      return ino === undefined ? undefined : `${dev} ${ino} ${size} ${mtimeMs}`;
    },
    setAside: move,
    erase: () => {
      // Where no file can be moved that another window keeps open, this fails before anything is lost.
      move(path + ERASED);
      erase();
    },
  };
}

/** Overwrites and removes a file, if there's one. Another window that has it open keeps none of its space. */
function eraseFile(files: NodeFiles, path: string): void {
  const { size } = files.statSync(path, { throwIfNoEntry: false }) ?? {};
  if (size === undefined) return;
  // Windows map the memory that they share: it has no texts, and must not shrink.
  if (!path.endsWith('-shm')) {
    try {
      overwrite(files, path, size);
    } catch {
      // Not every file system can write in place on a full disk. The file is removed anyway.
    }
  }
  files.rmSync(path, { force: true });
}

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

function unsupported(): never {
  throw new ArchiveError('unsupported');
}
