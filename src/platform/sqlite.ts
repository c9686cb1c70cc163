/** SQLite, which comes with Node. */
import { builtin } from './node.ts';

type SqlValue = string | number | null;

/** The part of `DatabaseSync` that is used. */
interface Database {
  exec(sql: string): void;
  prepare(sql: string): {
    run(...values: SqlValue[]): { changes: number | bigint };
    get(...values: SqlValue[]): unknown;
    all(...values: SqlValue[]): unknown[];
    iterate(...values: SqlValue[]): Iterable<unknown>;
  };
  close(): void;
}

interface NodeSqlite {
  DatabaseSync: new (path: string) => Database;
}

interface NodeFiles {
  mkdirSync(path: string, options: { recursive: true; mode: number }): unknown;
  chmodSync(path: string, mode: number): void;
}

/** Only the user may read the folder. */
const PRIVATE = 0o700;

/** Opens a database in a private folder, and creates both if necessary. Undefined in a host without SQLite. */
export function openSqlite(folder: string, name: string): Database | undefined {
  const sqlite = builtin('node:sqlite') as NodeSqlite | undefined;
  const files = builtin('node:fs') as NodeFiles | undefined;
  if (!sqlite || !files) return undefined;
  files.mkdirSync(folder, { recursive: true, mode: PRIVATE });
  files.chmodSync(folder, PRIVATE);
  return new sqlite.DatabaseSync(`${folder}/${name}`);
}
