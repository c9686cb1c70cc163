import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '../../../host/temporary.ts';
import { archiveWithoutIndex, CHAT, jsonsOf, messageOf, openArchive } from './archives.ts';

/** More than are indexed again at once. */
const MESSAGES = Array.from({ length: 450 }, (_, at) =>
  messageOf(`m${at}`, `<p class="note"><b>im</b>portant ${at}</p>`, {
    contentType: 'html',
    sendTime: 1_700_000_000_000 + at * 1000,
  }),
);

/** What leads back to the first version. */
const OLDER = `ALTER TABLE chats DROP COLUMN name; ALTER TABLE chats DROP COLUMN botName;`;

describe('An archive that an older version has indexed', () => {
  let path: string;

  /** The source of each message is in its index. */
  beforeEach(async () => {
    path = join(await temporaryFolder('outdated'), 'archive.db');
    const archive = openArchive(path);
    archive.addPage(archive.addChat(CHAT), jsonsOf(MESSAGES));
    archive.close();
    const database = new DatabaseSync(path);
    const ids = database.prepare('SELECT rowid AS id FROM words').all() as { id: number }[];
    const words = database.prepare('INSERT INTO words (rowid, tokens) VALUES (?, ?)');
    // One transaction: each waits for the disk.
    database.exec('BEGIN; DELETE FROM words');
    for (const { id } of ids) words.run(id, 'p class note b im b portant p');
    database.exec(`COMMIT; ${OLDER} DROP TABLE outdated; PRAGMA user_version = 1`);
    database.close();
  });

  const found = (archive: ReturnType<typeof openArchive>, text: string) =>
    archive.search({ text, order: 'newest' }, 1000).found.length;

  it('is searched while it is indexed again, newest messages first', () => {
    const archive = openArchive(path);
    const counts = [];
    do counts.push([archive.countOutdated(), found(archive, 'important'), found(archive, 'class')]);
    while (archive.indexOutdated());
    assert.deepEqual(counts, [
      [450, 0, 450],
      [250, 200, 250],
      [50, 400, 50],
    ]);
    assert.deepEqual([archive.countOutdated(), found(archive, 'important'), found(archive, 'class')], [0, 450, 0]);
    assert.equal(archive.indexOutdated(), false);
    archive.close();
  });

  it('is indexed again when the next version expects another text, whether or not that was done', () => {
    for (const steps of [0, 1, 3]) {
      const archive = openArchive(path);
      for (let step = 0; step < steps; step++) archive.indexOutdated();
      archive.close();
      const database = new DatabaseSync(path);
      database.exec(`${OLDER} PRAGMA user_version = 2`);
      database.close();
      const later = openArchive(path);
      assert.equal(later.countOutdated(), 450);
      later.close();
    }
  });

  it('goes on where an earlier window, or another one, has stopped', () => {
    const [first, second] = [openArchive(path), openArchive(path)];
    first.indexOutdated();
    assert.equal(second.countOutdated(), 250);
    second.indexOutdated();
    first.close();
    second.close();
    const third = openArchive(path);
    assert.deepEqual([third.countOutdated(), third.indexOutdated(), found(third, 'important')], [50, false, 450]);
    third.close();
  });

  it('is left to another host by one without an index', () => {
    const without = archiveWithoutIndex(path);
    assert.deepEqual([without.countOutdated(), without.indexOutdated()], [0, false]);
    without.close();
    const archive = openArchive(path);
    assert.equal(archive.countOutdated(), 450);
    archive.close();
  });

  it('needs nothing of the kind if it is new, or empty', () => {
    const archive = openArchive();
    archive.addPage(archive.addChat(CHAT), jsonsOf(MESSAGES.slice(0, 3)));
    assert.deepEqual([archive.countOutdated(), found(archive, 'important')], [0, 3]);
  });
});
