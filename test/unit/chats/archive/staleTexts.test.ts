import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { heldClock } from '../../clocks.ts';
import { archiveInProcess } from '../archiving/archiveInProcess.ts';
import { CHAT, jsonsOf, messageOf } from './archives.ts';

/** What archives say of their texts: a number for all content types, and one for each. */
const KNOWN: Record<string, number> = Object.fromEntries(
  ['', 'text', 'tip', 'markdown', 'html', 'image', 'file', 'video', 'audio', 'expression', 'post', 'form', 'a2ui'].map(
    (kind) => [kind, 1],
  ),
);
const { post: _, ...WITHOUT_POSTS } = KNOWN;

/** More than are indexed at once. */
const POSTS = Array.from({ length: 450 }, (_, at) =>
  messageOf(`p${at}`, '', { contentType: 'post', content: { postTitle: 'after' }, sendTime: at + 1 }),
);

describe('The index of an archive', () => {
  let database: DatabaseSync;
  let closed: number;

  /** A window with the same archive, perhaps on a host without FTS5. */
  const open = (hasIndex = true) =>
    new ArchiveDatabase({
      exec: (sql) => database.exec(sql),
      prepare: (sql) => database.prepare(hasIndex || !sql.includes('pragma_module_list') ? sql : 'SELECT 1 WHERE 0'),
      close: () => closed++,
    });

  /** An archive whose index has the word "before" instead of those that messages have now. */
  function indexedBefore(versions?: Record<string, number>): void {
    database = new DatabaseSync(':memory:');
    closed = 0;
    const archive = open();
    archive.addPage(archive.addChat(CHAT), jsonsOf([...POSTS, messageOf('t', 'after', { sendTime: 1_000 })]));
    database.exec(
      "DELETE FROM words WHERE rowid > 0; INSERT INTO words (rowid, tokens) SELECT id, 'before' FROM messages",
    );
    if (!versions) return;
    database.exec(`CREATE TABLE textVersions (kind TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE staleTexts (id INTEGER PRIMARY KEY) STRICT`);
    setVersions(versions);
  }

  function setVersions(versions: Record<string, number>): void {
    database.exec('DELETE FROM textVersions');
    const insert = database.prepare('INSERT INTO textVersions (kind, version) VALUES (?, ?)');
    for (const [kind, version] of Object.entries(versions)) insert.run(kind, version);
  }

  const count = (text: string) => open().search({ text, order: 'newest' }, 1_000).found.length;
  const noted = () => database.prepare('SELECT id FROM staleTexts').all().length;

  it('gets the words that messages of a type have since it is known, even if that is interrupted', () => {
    indexedBefore(WITHOUT_POSTS);
    assert.equal(open(false).indexStale(), false);
    assert.equal(open().indexStale(), true);
    assert.deepEqual([count('after'), count('before')], [200, 251]);
    const archive = open();
    while (archive.indexStale());
    assert.deepEqual([count('after'), count('before')], [450, 1]);
    assert.equal(open().indexStale(), false);
  });

  it('is made anew as a whole if all messages have other words', () => {
    indexedBefore({ ...KNOWN, '': 0 });
    const archive = open();
    while (archive.indexStale());
    assert.deepEqual([count('after'), count('before')], [451, 0]);
  });

  it('stays as it is if the archive does not say what its words are, as those of the first versions', () => {
    indexedBefore();
    assert.equal(open().indexStale(), false);
    assert.deepEqual([count('after'), count('before')], [0, 451]);
  });

  for (const [what, newer] of [
    ['shows something else of all messages', { ...KNOWN, '': 2 }],
    ['knows another type', { ...WITHOUT_POSTS, unheard: 1 }],
  ] as const)
    it(`is left alone by windows that are older than one which ${what}, and what they add is indexed again`, () => {
      indexedBefore(newer);
      const archive = open();
      assert.equal(archive.indexStale(), false);
      archive.addPage(archive.addChat(CHAT), jsonsOf([messageOf('new', 'after', { sendTime: 2_000 })]));
      assert.deepEqual([count('before'), noted()], [451, 1]);
      setVersions(KNOWN);
      assert.equal(open().indexStale(), false);
      assert.deepEqual([count('before'), noted()], [451, 0]);
    });

  it('is made anew between the calls to its thread, unless another window is about to move its file', async () => {
    indexedBefore(WITHOUT_POSTS);
    const { clock, pass } = heldClock();
    let isReserved = false;
    const { archive } = archiveInProcess(open, { isReserved: () => isReserved }, clock);
    await archive.chats();
    assert.equal(count('after'), 0);
    await pass(30);
    assert.equal(count('after'), 200);
    isReserved = true;
    await pass(30);
    assert.deepEqual([count('after'), closed], [200, 1]);
    isReserved = false;
    await archive.chats();
    await pass(100);
    assert.deepEqual([count('after'), closed], [450, 1]);
  });
});
