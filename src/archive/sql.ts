/** A SQLite database, as this room uses it. */

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

/**
 * Statements by their text. Each is compiled once, so texts must not contain values. The types of rows are those of the
 * `STRICT` tables in `schema.ts`. Every method throws SQLite's own error.
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

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  iterate<Row>(sql: string, ...values: SqlValue[]): Iterable<Row> {
    return this.#prepare(sql).iterate(...values) as Iterable<Row>;
  }

  /** Runs changes that are made together or not at all. */
  transaction<T>(change: () => T): T {
    // Locks at once: a transaction that has read can't wait for another window's.
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
