/**
 * Messages that are to be indexed anew, since the extension now shows something else of them. They are, a few at a time,
 * once a window with the newer version opens the archive. A window that still has the older version leaves them alone, and
 * notes which ones it adds meanwhile. Only an update that needs this creates the tables.
 */
import * as v from 'valibot';
import { LISTED_TYPES } from '../../markup/messageContent.ts';
import { ArchiveError } from './archiveError.ts';
import { integer, type Sql } from './sql.ts';

/**
 * To be raised when the same message gets another text (`searchableText`) or other facets. All messages are then indexed
 * anew. A new content type needs nothing: messages of that type are.
 */
const VERSION = 1;

/** Stands for messages of all content types. */
const ALL = '';

const OWN = new Map<string, number>([[ALL, VERSION], ...LISTED_TYPES.map((type) => [type, 1] as const)]);

/** What the texts of an archive know that doesn't say so: the types that were listed when archives began to. */
const FIRST = 'text tip markdown html image file video audio expression post form a2ui'.split(' ');

const CREATE = `
  CREATE TABLE IF NOT EXISTS textVersions (kind TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS staleTexts (id INTEGER PRIMARY KEY) STRICT;
`;

/** How many messages are indexed in one transaction, which takes some hundredths of a second. */
const AT_ONCE = 200;

export class StaleTexts {
  readonly #sql: Sql;
  /** Whether a newer version of the extension has the archive, as far as this window knows. */
  #isOutdated = false;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#changed();
  }

  /** This window has indexed a message: a newer one has to do it again. */
  note(id: number): void {
    if (this.#isOutdated) this.#sql.run('INSERT OR IGNORE INTO staleTexts (id) VALUES (?)', id);
  }

  /** Indexes some messages anew, the newest first, through `index`. Returns whether there may be more. */
  indexSome(index: (id: number) => void): boolean {
    const mayHaveAny = this.#changed().length > 0 || (this.#hasTables() && this.#some(1).length > 0);
    if (this.#isOutdated || !mayHaveAny) return false;
    return this.#sql.transaction(() => {
      // Another window may have done it meanwhile.
      this.#mark(this.#changed());
      const rows = this.#isOutdated ? [] : this.#some(AT_ONCE);
      for (const { id } of rows) {
        index(id);
        // Otherwise this would never end.
        if (this.#sql.run('DELETE FROM staleTexts WHERE id = ?', id) === 0) throw new ArchiveError('damaged');
      }
      return rows.length === AT_ONCE;
    });
  }

  /** The content types of which this version shows something else than the one that indexed them. */
  #changed(): string[] {
    const rows = this.#hasTables()
      ? this.#sql.all(v.object({ kind: v.string(), version: integer }), 'SELECT kind, version FROM textVersions')
      : [ALL, ...FIRST].map((kind) => ({ kind, version: 1 }));
    this.#isOutdated = rows.some(({ kind, version }) => version > (OWN.get(kind) ?? 0));
    if (this.#isOutdated) return [];
    const stored = new Map(rows.map(({ kind, version }) => [kind, version]));
    return [...OWN].flatMap(([kind, version]) => (version > (stored.get(kind) ?? 0) ? kind : []));
  }

  #mark(changed: readonly string[]): void {
    if (changed.length === 0) return;
    this.#sql.exec(CREATE);
    for (const kind of changed)
      this.#sql.run(
        'INSERT OR IGNORE INTO staleTexts (id) SELECT id FROM messages WHERE ?1 = ?2 OR kind = ?1',
        ...[kind, ALL],
      );
    for (const [kind, version] of OWN)
      this.#sql.run('INSERT OR REPLACE INTO textVersions (kind, version) VALUES (?, ?)', kind, version);
  }

  #some(count: number): { id: number }[] {
    return this.#sql.all(v.object({ id: integer }), 'SELECT id FROM staleTexts ORDER BY id DESC LIMIT ?', count);
  }

  #hasTables(): boolean {
    return this.#sql.has("SELECT 1 FROM sqlite_master WHERE name = 'staleTexts'");
  }
}
