/**
 * Messages that must be reindexed because the extension now shows them differently. A window with the newer version does
 * that a few at a time. A window that still has the older version leaves them alone, and notes the messages that it adds in
 * the meantime. The tables are created only by an update that needs them.
 */
import * as v from 'valibot';
import { LISTED_TYPES } from '../../markup/messageContent.ts';
import type { Sql } from './sql.ts';

/**
 * What this version's index is made of: the content types, and a number for changes that affect all messages. Add `#2` when
 * `searchableText` or the facets change for existing types. A new content type is noticed without that.
 */
const OWN = ['#1', ...LISTED_TYPES];

/** What the index of an archive that doesn't say so is made of. */
const FIRST = '#1 text tip markdown html image file video audio expression post form a2ui'.split(' ');

export class StaleTexts {
  readonly #sql: Sql;
  /** Whether a newer version of the extension has the archive, as far as this window knows. */
  #isOutdated = false;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#changes();
  }

  /** Notes that this window has indexed a message, which a newer window must then reindex. */
  note(id: number): void {
    if (this.#isOutdated) this.#sql.run('INSERT OR IGNORE INTO staleTexts VALUES (?)', id);
  }

  /** Whether there are any that this window should reindex. */
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

  /** What is new in this version since the archive was indexed; nothing if the archive was indexed by a newer one. */
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
