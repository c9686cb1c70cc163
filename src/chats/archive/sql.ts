/** A SQLite database, as the archive uses it. */
import * as v from 'valibot';
import { ArchiveError } from './archiveError.ts';

export type SqlValue = string | number | null;

/** The part of `DatabaseSync` in `node:sqlite` that is used here. */
export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): {
    run(...values: SqlValue[]): { changes: number | bigint };
    get(...values: SqlValue[]): unknown;
    all(...values: SqlValue[]): unknown[];
    iterate(...values: SqlValue[]): Iterable<unknown>;
  };
  close(): void;
}

/** A schema of a row. */
type RowSchema<Row> = v.GenericSchema<unknown, Row>;

/** A number as SQLite keeps it in a column of whole numbers. */
export const integer = v.pipe(v.number(), v.safeInteger());

/**
 * Statements by their text. Each is compiled once, so texts must not contain values. What is read is compared with a
 * schema: `STRICT` tables keep the types of what is written, not of what a disk has damaged. Every method throws SQLite's
 * own error, or an ArchiveError for a damaged row.
 */
export class Sql {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, ReturnType<SqliteDatabase['prepare']>>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Runs statements without values or rows. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Runs a statement. Returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Whether a query has a row. */
  has(sql: string, ...values: SqlValue[]): boolean {
    return this.#prepare(sql).get(...values) !== undefined;
  }

  get<Row>(schema: RowSchema<Row>, sql: string, ...values: SqlValue[]): Row | undefined {
    const row = this.#prepare(sql).get(...values);
    return row === undefined ? undefined : readRow(schema, row);
  }

  /** The row of a query that always has one. */
  one<Row>(schema: RowSchema<Row>, sql: string, ...values: SqlValue[]): Row {
    return readRow(schema, this.#prepare(sql).get(...values));
  }

  all<Row>(schema: RowSchema<Row>, sql: string, ...values: SqlValue[]): Row[] {
    return this.#prepare(sql)
      .all(...values)
      .map((row) => readRow(schema, row));
  }

  *iterate<Row>(schema: RowSchema<Row>, sql: string, ...values: SqlValue[]): Generator<Row> {
    for (const row of this.#prepare(sql).iterate(...values)) yield readRow(schema, row);
  }

  /** Runs changes that are made together or not at all. */
  transaction<T>(change: () => T): T {
    // The lock is taken at once: a transaction that has read can't wait for another window's.
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = change();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** Runs queries that all see the same state, whatever other windows change meanwhile. */
  snapshot<T>(read: () => T): T {
    this.exec('BEGIN');
    try {
      return read();
    } finally {
      this.#rollBack();
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #rollBack(): void {
    try {
      this.exec('ROLLBACK');
    } catch {
      // SQLite has rolled back by itself, as it does when the disk is full.
    }
  }

  #prepare(sql: string) {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function readRow<Row>(schema: RowSchema<Row>, row: unknown): Row {
  const result = v.safeParse(schema, row);
  if (!result.success) throw new ArchiveError('damaged', v.summarize(result.issues));
  return result.output;
}
