import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { CHAT, idsFound, jsonsOf, messageOf } from './archives.ts';

/** What archives say their texts know: the content types, and changes of all messages. */
const KNOWN = '#1 text tip markdown html image file video audio expression post form a2ui'.split(' ');
const WITHOUT_POSTS = KNOWN.filter((name) => name !== 'post');

/** More than are indexed at once. */
const POSTS = Array.from({ length: 450 }, (_, at) =>
  messageOf(`p${at}`, '', { contentType: 'post', content: { postTitle: 'after' }, sendTime: at + 1 }),
);

describe('The index of an archive', () => {
  let database: DatabaseSync;

  /** A window with the same archive, perhaps on a host without FTS5. */
  const open = (hasIndex = true) =>
    new ArchiveDatabase({
      exec: (sql) => database.exec(sql),
      prepare: (sql) => database.prepare(hasIndex || !sql.includes('pragma_module_list') ? sql : 'SELECT 1 WHERE 0'),
      close() {},
    });

  /** An archive whose index has the word "before" instead of those that messages have now. */
  function indexedBefore(known?: readonly string[]): void {
    database = new DatabaseSync(':memory:');
    const archive = open();
    archive.addPage(archive.addChat(CHAT), jsonsOf([...POSTS, messageOf('t', 'after', { sendTime: 1_000 })]));
    database.exec(
      "DELETE FROM words WHERE rowid > 0; INSERT INTO words (rowid, tokens) SELECT id, 'before' FROM messages",
    );
    if (!known) return;
    database.exec('CREATE TABLE staleTexts (id INTEGER PRIMARY KEY); CREATE TABLE knownTexts (name TEXT PRIMARY KEY)');
    setKnown(known);
  }

  function setKnown(known: readonly string[]): void {
    database.exec('DELETE FROM knownTexts');
    for (const name of known) database.prepare('INSERT INTO knownTexts VALUES (?)').run(name);
  }

  const count = (text: string) => idsFound(open(), text).length;
  /** How many messages are found by the words that they have now, and by those that they had. */
  const assertCounts = (expected: { after: number; before: number }) =>
    assert.deepEqual({ after: count('after'), before: count('before') }, expected);
  const noted = () => database.prepare('SELECT id FROM staleTexts').all().length;

  it('gets the words that messages of a type have since it is known, even if that is interrupted', () => {
    indexedBefore(WITHOUT_POSTS);
    assert.equal(open(false).indexStale(), false);
    assert.equal(open().indexStale(), true);
    assertCounts({ after: 200, before: 251 });
    const archive = open();
    while (archive.indexStale());
    assertCounts({ after: 450, before: 1 });
    assert.equal(open().indexStale(), false);
  });

  it('is rebuilt if the words of all messages have changed', () => {
    indexedBefore(KNOWN.slice(1));
    const archive = open();
    while (archive.indexStale());
    assertCounts({ after: 451, before: 0 });
  });

  it('stays as it is if the archive does not say what its words are, as those of the first versions', () => {
    indexedBefore();
    assert.equal(open().indexStale(), false);
    assertCounts({ after: 0, before: 451 });
  });

  for (const [what, newer] of [
    ['shows something else of all messages', [...KNOWN, '#99']],
    ['knows another type', [...WITHOUT_POSTS, 'unheard']],
  ] as const)
    it(`is left alone by windows that are older than one which ${what}, and what they add is indexed again`, () => {
      indexedBefore(newer);
      const archive = open();
      assert.equal(archive.indexStale(), false);
      archive.addPage(archive.addChat(CHAT), jsonsOf([messageOf('new', 'after', { sendTime: 2_000 })]));
      assert.equal(noted(), 1);
      setKnown(KNOWN);
      assert.equal(open().indexStale(), false);
      assertCounts({ after: 1, before: 451 });
      assert.equal(noted(), 0);
    });
});
