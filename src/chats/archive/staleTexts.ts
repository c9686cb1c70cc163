/**
 * Messages that are to be indexed anew, since the extension now shows something else of them. They are, a few at a time,
 * once a window with the newer version opens the archive. A window that still has the older version leaves them alone, and
 * notes which ones it adds meanwhile. Only an update that needs this creates the tables.
 */
import * as v from 'valibot';
import { LISTED_TYPES } from '../../markup/messageContent.ts';
import type { Sql } from './sql.ts';

/**
 * What the texts of messages know: content types, and changes that all messages have. `#2` is to be added when the same
 * messages get other texts (`searchableText`) or facets. A new content type needs nothing.
 */
const OWN = ['#1', ...LISTED_TYPES];

/** What they know in an archive that doesn't say so. */
const FIRST = '#1 text tip markdown html image file video audio expression post form a2ui'.split(' ');

export class StaleTexts {
  readonly #sql: Sql;
  /** Whether a newer version of the extension has the archive, as far as this window knows. */
  #isOutdated = false;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#changes();
  }

  /** This window has indexed a message: a newer one has to do it again. */
  note(id: number): void {
    if (this.#isOutdated) this.#sql.run('INSERT OR IGNORE INTO staleTexts VALUES (?)', id);
  }

  /** Whether this window has any to index. */
  hasAny(): boolean {
    if (this.#changes().length > 0) return true;
    return !this.#isOutdated && this.#hasTables() && this.#sql.has('SELECT 1 FROM staleTexts LIMIT 1');
  }

  /** Adds what has changed to `staleTexts`, unless another window has done it. */
  markChanged(): void {
    const changes = this.#changes();
    if (changes.length > 0 && !this.#hasTables()) {
      this.#sql.exec(
        'CREATE TABLE staleTexts (id INTEGER PRIMARY KEY); CREATE TABLE knownTexts (name TEXT PRIMARY KEY)',
      );
      this.#know(FIRST);
    }
    for (const change of changes)
      this.#sql.run("INSERT OR IGNORE INTO staleTexts SELECT id FROM messages WHERE kind = ?1 OR ?1 LIKE '#%'", change);
    this.#know(changes);
  }

  #know(names: readonly string[]): void {
    for (const name of names) this.#sql.run('INSERT INTO knownTexts VALUES (?)', name);
  }

  /** What this version knows, and those that have indexed the archive don't. Nothing if it's the other way round. */
  #changes(): string[] {
    const known = this.#hasTables()
      ? this.#sql.all(v.object({ name: v.string() }), 'SELECT name FROM knownTexts').map(({ name }) => name)
      : FIRST;
    this.#isOutdated = known.some((name) => !OWN.includes(name));
    return this.#isOutdated ? [] : OWN.filter((name) => !known.includes(name));
  }

  #hasTables(): boolean {
    return this.#sql.has("SELECT 1 FROM sqlite_master WHERE name = 'staleTexts'");
  }
}
