/** SQLite, which comes with Node, and the archive's folder. */
import type { SqliteDatabase } from '../archive/sql.ts';
import { builtin } from '../platform/node.ts';

interface NodeSqlite {
  DatabaseSync: new (path: string) => SqliteDatabase;
}

interface NodeFiles {
  mkdirSync(path: string, options: { recursive: true; mode: number }): unknown;
  chmodSync(path: string, mode: number): void;
}

/** Only the user may read the folder. */
const PRIVATE = 0o700;

/** Opens a database in a private folder, and creates both if necessary. Undefined in a host without SQLite. */
export function openSqlite(folder: string, name: string): SqliteDatabase | undefined {
  const sqlite = builtin('node:sqlite') as NodeSqlite | undefined;
  const files = builtin('node:fs') as NodeFiles | undefined;
  if (!sqlite || !files) return undefined;
  files.mkdirSync(folder, { recursive: true, mode: PRIVATE });
  files.chmodSync(folder, PRIVATE);
  return new sqlite.DatabaseSync(`${folder}/${name}`);
}
