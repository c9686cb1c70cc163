/** The index of words and facets of messages: a table of SQLite's full-text search (FTS5). */
import * as v from 'valibot';
import { LISTED_TYPES } from '../../markup/messageContent.ts';
import type { Term } from '../../markup/searchTerms.ts';
import { tokensOf } from '../../markup/words.ts';
import { ArchiveError } from './archiveError.ts';
import { integer, type Sql } from './sql.ts';

/**
 * The index has no texts: those are with the messages. Tokens are made here, so that its tokenizer only splits them. The
 * lists of first characters find single Chinese characters as fast as pairs.
 */
const CREATE = `CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
  tokens, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1'
)`;

/**
 * What this version's index is made of: the content types, and a number for changes that affect all messages. Add `#2` when
 * `searchableText` or the facets change for existing types. A new content type is noticed without that.
 */
const OWN = ['#1', ...LISTED_TYPES];

/** What the index is made of in an archive that doesn't say. */
const FIRST = '#1 text tip markdown html image file video audio expression post form a2ui'.split(' ');

/** How many messages are indexed in one transaction, which takes some hundredths of a second. */
const AT_ONCE = 200;

/** How many pages of the index are merged at once while there's little space. */
const MERGED_AT_ONCE = 16;

/** The first character of tokens that aren't words. It's a private one, with which no token of a text begins. */
const MARK = '\uE000';

export class MessageIndex {
  readonly #sql: Sql;
  /** Whether this host's SQLite has FTS5. */
  readonly isAvailable: boolean;
  readonly #stale: StaleTexts;

  /** Creates the index if necessary. */
  constructor(sql: Sql) {
    this.#sql = sql;
    this.isAvailable = hasIndex(sql);
    this.#stale = new StaleTexts(sql);
  }

  add(id: number, text: string, facets: readonly string[]): void {
    if (!this.isAvailable) {
      this.#sql.run('INSERT OR REPLACE INTO unindexed (id) VALUES (?)', id);
      return;
    }
    const tokens = [...facets, ...tokensOf(text)].join(' ');
    this.#sql.run('INSERT INTO words (rowid, tokens) VALUES (?, ?)', id, tokens);
    this.#stale.note(id);
  }

  remove(id: number): void {
    if (this.isAvailable) this.#sql.run('DELETE FROM words WHERE rowid = ?', id);
    else this.#sql.run('INSERT OR REPLACE INTO unindexed (id) VALUES (?)', id);
  }

  /** Whether a host without FTS5 has added or removed messages. */
  get isIncomplete(): boolean {
    return this.isAvailable && this.#sql.has('SELECT 1 FROM unindexed LIMIT 1');
  }

  /** Adds or removes some of these messages, through `index`. */
  addMissing(index: (id: number) => void): void {
    this.#addFrom('unindexed', index);
  }

  /** Reindexes some messages whose text has changed, the newest first, through `index`. Returns whether there may be more. */
  addStale(index: (id: number) => void): boolean {
    if (!this.isAvailable || !this.#stale.hasAny()) return false;
    return this.#sql.transaction(() => {
      this.#stale.markChanged();
      // A newer version may have opened the archive in the meantime.
      return this.#stale.hasAny() && this.#addFrom('staleTexts', index);
    });
  }

  #addFrom(table: 'unindexed' | 'staleTexts', index: (id: number) => void): boolean {
    const rows = this.#sql.all(v.object({ id: integer }), `SELECT id FROM ${table} ORDER BY id DESC LIMIT ${AT_ONCE}`);
    for (const { id } of rows) {
      index(id);
      // An entry that can't be deleted means damage: going on would never end.
      if (this.#sql.run(`DELETE FROM ${table} WHERE id = ?`, id) === 0) throw new ArchiveError('damaged');
    }
    return rows.length === AT_ONCE;
  }

  /** Removes some remains of removed messages from the index, with little space. Returns whether there may be more. */
  optimizeSome(isFirst: boolean): boolean {
    if (!this.isAvailable) return false;
    const changes = () => this.#sql.one(v.object({ changes: integer }), 'SELECT total_changes() AS changes').changes;
    const before = changes();
    // A negative number begins to merge everything, a positive one goes on with it. Nothing is left to merge if hardly
    // anything has changed (https://sqlite.org/fts5.html#the_merge_command).
    this.#sql.run("INSERT INTO words (words, rank) VALUES ('merge', ?)", isFirst ? -MERGED_AT_ONCE : MERGED_AT_ONCE);
    return changes() - before >= 2;
  }

  /** Removes all remains of removed messages from the index. Takes seconds. */
  optimize(): void {
    if (this.isAvailable) this.#sql.run("INSERT INTO words (words) VALUES ('optimize')");
  }
}

/**
 * Messages that must be reindexed because the extension now shows them differently. A window with the newer version does
 * that a few at a time. A window that still has the older version leaves them alone, and notes the messages that it adds in
 * the meantime. The tables are created only by an update that needs them.
 */
class StaleTexts {
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

  /** Whether there are messages that this window should reindex. */
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

  /** The changes of this version since the archive was indexed; none if a newer version has indexed it. */
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

/** Whether the index exists, after it was created if necessary. */
function hasIndex(sql: Sql): boolean {
  // `CREATE` itself succeeds without FTS5 if the index exists.
  if (!sql.has("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")) return false;
  sql.exec(CREATE);
  return true;
}

// The tokens of facets: each facet is a token, so that filters are as fast as words.

export const chatFacet = (chat: number) => `${MARK}c${chat}`;
export const senderFacet = (sender: string) => `${MARK}s${hex(sender)}`;
export const kindFacet = (kind: string) => `${MARK}k${hex(kind)}`;
export const BUTTONS_FACET = `${MARK}b`;
export const COMMAND_FACET = `${MARK}m`;

/**
 * An expression of FTS5 for messages with all terms that aren't excluded, none that is, and one facet of each list. There
 * must be such a term or a list.
 */
export function toExpression(terms: readonly Term[], facets: readonly (readonly string[])[]): string {
  const quoted = ({ phrase }: Term) => `"${phrase.tokens.join(' ')}"${phrase.isPrefix ? ' *' : ''}`;
  const required = [
    ...terms.filter(({ isExcluded }) => !isExcluded).map(quoted),
    ...facets.map((list) => `(${list.map((facet) => `"${facet}"`).join(' OR ')})`),
  ];
  const excluded = terms.filter(({ isExcluded }) => isExcluded).map(quoted);
  // A single NOT excludes all: a chain of them would be as deep as it's long, and FTS5 limits the depth.
  return `(${required.join(' AND ')})${excluded.length > 0 ? ` NOT (${excluded.join(' OR ')})` : ''}`;
}

/** Any text as letters and digits, of which a token consists. */
const hex = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('');
