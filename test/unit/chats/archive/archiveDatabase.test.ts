import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { toArchiveError } from '../../../../src/chats/archive/archiveError.ts';
import type { SqliteDatabase } from '../../../../src/chats/archive/sql.ts';
import {
  archiveWithoutIndex,
  CHAT,
  closeDatabases,
  idsOf,
  jsonsOf,
  MESSAGES,
  messageOf,
  openArchive,
  openDatabase,
  openImpatient,
  openLimited,
} from './archives.ts';

describe('The archive', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bot-chats-archive-'));
    path = join(folder, 'archive.db');
  });
  afterEach(async () => {
    closeDatabases();
    await rm(folder, { recursive: true, force: true });
  });

  it('finds the first message since a time by the order of the history, whatever single clocks say', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    const at = (sendTime: number, msgId = `t${sendTime}`) => messageOf(msgId, '', { sendTime });
    const [newer, older] = [
      [at(500, 'late'), at(60), at(70), at(80, 'b'), at(80, 'a'), at(10, 'early'), at(90)],
      [at(20), at(30), at(80, 'other'), at(40), at(50)],
    ];
    archive.addLatest(chat, jsonsOf(newer), 1);
    const task = archive.nextTask(chat) ?? assert.fail();
    archive.extend(chat, task, jsonsOf([...older, at(500, 'late')]), older.length);
    const since = (time: number) => {
      const { msgId, isFirst } = archive.firstSince(chat, time) ?? {};
      return isFirst ? `${msgId}, the first` : msgId;
    };
    assert.deepEqual([since(0), since(20), since(25)], ['t20', 't20', 't30']);
    const end = archive.nextTask(chat) ?? assert.fail();
    archive.extend(chat, end, jsonsOf(older.slice(0, 1)), 0);
    assert.deepEqual([since(0), since(20), since(25)], ['t20, the first', 't20, the first', 't30']);
    assert.deepEqual([since(80), since(85), since(91)], ['b', 't90', undefined]);
  });

  it('keeps messages as they came, with undocumented fields', () => {
    const archive = openArchive(path);
    const message = messageOf('a', 'hi', { surprise: { deep: [1, null, '\u0000'] } });
    archive.addPage(archive.addChat(CHAT), [JSON.stringify(message)]);
    archive.close();
    const reopened = openArchive(path);
    const number = reopened.numberOf(CHAT) ?? assert.fail();
    assert.deepEqual(JSON.parse(reopened.latest(number, 1)?.jsons[0] ?? ''), message);
  });

  it('tells chats apart: a group for all its bots, a conversation for each', () => {
    const archive = openArchive();
    const group = archive.addChat(CHAT);
    assert.equal(archive.addChat({ ...CHAT, botId: '20000002' }), group);
    const user = archive.addChat({ ...CHAT, kind: 'user' });
    assert.notEqual(archive.addChat({ ...CHAT, kind: 'user', botId: '20000002' }), user);
    assert.equal(archive.chats().length, 3);
  });

  it('keeps messages with impossible times, and finds them without one', () => {
    const archive = openArchive(path);
    const chat = archive.addChat(CHAT);
    const times = [1e300, 1.7e18, -1e300, '99999999999999999999', 9e15];
    const odd = times.map((sendTime, at) => messageOf(`odd${at}`, `odd time ${at}`, { sendTime }));
    archive.addPage(chat, jsonsOf([...odd, ...MESSAGES.slice(0, 2)]));
    // A second page reads the times of those that it overlaps.
    archive.addPage(chat, jsonsOf([...odd.slice(3), ...MESSAGES.slice(0, 3)]));
    assert.equal(archive.chats()[0]?.messages, 8);
    assert.deepEqual(idsOf(archive.latest(chat, 10)), ['m2', 'm1', 'm0', 'odd4', 'odd3', 'odd2', 'odd1', 'odd0']);
    assert.equal(archive.search({ text: '"odd time"', order: 'newest' }, 10).found.length, 5);
  });

  it('keeps a page of unreadable entries only beside messages that tell where it belongs', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    for (let times = 0; times < 3; times++) archive.addLatest(chat, jsonsOf([{ broken: 1 }, { broken: 2 }]), 5);
    assert.deepEqual([archive.chats()[0]?.messages, archive.chats()[0]?.checkedAt], [0, 5]);
    for (let times = 0; times < 3; times++) archive.addPage(chat, jsonsOf([{ broken: 1 }, MESSAGES[0], { broken: 2 }]));
    assert.equal(archive.chats()[0]?.messages, 3);
  });

  const ana = (msgId: string, senderNickname: string, sendTime: number) =>
    messageOf(msgId, 'hi', { senderNickname, sendTime });

  it('takes the name of a sender from the newest message, and the ID of one without a name', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    archive.addPage(
      chat,
      jsonsOf([ana('new', 'Ana K.', 2000), ana('unnamed', '', 3000), ana('blank', ' \u3000', 4000)]),
    );
    archive.addPage(
      chat,
      jsonsOf([ana('old', 'Ana', 1000), messageOf('b', 'hi', { senderId: '7', senderNickname: '' })]),
    );
    assert.deepEqual(archive.filters().senders, [
      { sender: 'user 7', name: '7' },
      { sender: 'user 3000001', name: 'Ana K.' },
    ]);
  });

  it('keeps the newest name of a sender when messages from before a change of name are archived later', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    archive.addPage(chat, jsonsOf([ana('changed', 'Ana K.', 1000), ana('newest', 'Ana K.', 3000)]));
    archive.addPage(chat, jsonsOf([ana('before', 'Ana', 2000)]));
    assert.deepEqual(archive.filters().senders, [{ sender: 'user 3000001', name: 'Ana K.' }]);
  });

  it('offers a sender in several services by the newest name', () => {
    const archive = openArchive();
    const add = (service: string, ...message: Parameters<typeof ana>) =>
      archive.addPage(archive.addChat({ ...CHAT, service }), jsonsOf([ana(...message)]));
    add('https://old.example', 'old', 'Zoe', 1000);
    add('https://new.example', 'new', 'Ana', 2000);
    add('https://newest.example', 'unnamed', '', 3000);
    assert.deepEqual(archive.filters().senders, [{ sender: 'user 3000001', name: 'Ana' }]);
  });

  it('reads no more beyond the limit of a chat, wherever a history goes', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT, 1_700_000_000_000 + 50_000);
    archive.addLatest(chat, jsonsOf(MESSAGES.slice(40, 100)), 5);
    archive.addPage(chat, jsonsOf(MESSAGES.slice(20, 45)));
    assert.equal(archive.latest(chat, 100)?.older, 'limit');
  });

  it('lists pages as the service would: N+1 with an anchor, newest first', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    archive.addPage(chat, jsonsOf(MESSAGES.slice(0, 10)));
    assert.deepEqual(idsOf(archive.latest(chat, 3)), ['m9', 'm8', 'm7']);
    assert.deepEqual(idsOf(archive.around(chat, 'm5', 2, 0)), ['m5', 'm4', 'm3']);
    assert.deepEqual(idsOf(archive.around(chat, 'm5', 0, 2)), ['m7', 'm6', 'm5']);
    assert.deepEqual(idsOf(archive.around(chat, 'm5', 1, 1)), ['m6', 'm5', 'm4']);
    assert.equal(archive.around(chat, 'm99', 1, 1), undefined);
  });

  it('is complete at last, even if a page in the wrong order is archived, with unreadable entries between', () => {
    const sent = [MESSAGES[0], { broken: 1 }, MESSAGES[1], { broken: 2 }, MESSAGES[2], { broken: 3 }, MESSAGES[3]];
    const ids = sent.map((one) => (one && 'msgId' in one ? one.msgId : undefined));
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    archive.addLatest(chat, jsonsOf(MESSAGES.slice(0, 4).toReversed()), 5);
    for (let pages = 0; ; pages++) {
      assert.ok(pages < 20, 'it never ends');
      const task = archive.nextTask(chat);
      if (!task) break;
      const at = ids.indexOf(task.anchors[0]?.msgId);
      const page = task.side === 'older' ? sent.slice(0, at + 1) : sent.slice(at);
      archive.extend(chat, task, jsonsOf(page), task.side === 'older' ? at : 0);
    }
    assert.equal(archive.chats()[0]?.openGaps, 0);
    for (const msgId of ['m0', 'm1', 'm2', 'm3']) assert.ok(archive.around(chat, msgId, 0, 0));
  });

  it('knows the message before a gap', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    archive.addPage(chat, jsonsOf(MESSAGES.slice(0, 10)));
    archive.addPage(chat, jsonsOf(MESSAGES.slice(20, 30)));
    assert.equal(archive.beforeGap(chat, 'm25'), 'm9');
    assert.equal(archive.beforeGap(chat, 'm5'), undefined);
    assert.equal(archive.beforeGap(chat, 'm15'), undefined);
  });

  it('adds nothing to a chat that another window has deleted', () => {
    const [archive, other] = [openArchive(path), openArchive(path)];
    const chat = archive.addChat(CHAT);
    other.removeChat(chat);
    assert.equal(archive.addLatest(chat, jsonsOf(MESSAGES), 1), 0);
    assert.equal(archive.nextTask(chat), undefined);
  });

  it('indexes what a host without FTS5 has added, and forgets what it has removed', () => {
    const indexed = openArchive(path);
    const removed = indexed.addChat({ ...CHAT, id: '100000002' });
    indexed.addPage(removed, jsonsOf([messageOf('gone', 'number of the removed')]));
    indexed.close();
    const plain = archiveWithoutIndex(path);
    plain.addPage(plain.addChat(CHAT), jsonsOf(MESSAGES));
    assert.equal(plain.search({ text: '"number 1999"', order: 'newest' }, 10).found.length, 1);
    plain.removeChat(removed);
    while (plain.removeSome());
    plain.close();
    const archive = openArchive(path);
    assert.equal(archive.search({ text: '"number 1999"', order: 'newest' }, 10).found.length, 1);
    archive.close();
    const database = openDatabase(path);
    assert.equal(database.prepare("SELECT 1 FROM words WHERE words MATCH 'removed'").get(), undefined);
    database.close();
  });

  it('finds at once what a host without FTS5 adds in another window', () => {
    const [archive, plain] = [openArchive(path), archiveWithoutIndex(path)];
    plain.addPage(plain.addChat(CHAT), jsonsOf(MESSAGES));
    const find = () => archive.search({ text: '"number 1999"', order: 'newest' }, 10).found.map(({ msgId }) => msgId);
    assert.deepEqual(find(), ['m1999']);
    plain.addPage(plain.addChat({ ...CHAT, id: '100000002' }), jsonsOf([messageOf('more', 'number 1999')]));
    assert.deepEqual(find().toSorted(), ['m1999', 'more']);
    plain.close();
    archive.close();
  });

  it('waits for another window that creates it at the same time', () => {
    const database = openDatabase(path);
    let failures = 2;
    const contended: SqliteDatabase = {
      exec(sql) {
        if (sql.includes('journal_mode') && failures-- > 0) {
          throw Object.assign(new Error('database is locked'), { errcode: 5 });
        }
        database.exec(sql);
      },
      prepare: (sql) => database.prepare(sql),
      close: () => database.close(),
    };
    const archive = new ArchiveDatabase(contended);
    assert.equal(archive.addPage(archive.addChat(CHAT), jsonsOf(MESSAGES.slice(0, 5))), 5);
  });

  it('uses the tables that another window creates right before it', () => {
    const database = openDatabase(path);
    let other: ArchiveDatabase | undefined;
    const archive = new ArchiveDatabase({
      exec(sql) {
        if (sql.startsWith('BEGIN')) other ??= openArchive(path);
        database.exec(sql);
      },
      prepare: (sql) => database.prepare(sql),
      close: () => database.close(),
    });
    archive.addChat(CHAT);
    assert.equal(other?.chats().length, 1);
  });

  it("leaves a file as it is that can't be opened, and closes it, so that it can be moved", () => {
    const files = {
      newer() {
        const database = openDatabase(path);
        database.exec('PRAGMA user_version = 99');
        database.close();
      },
      damaged: () => writeFileSync(path, 'This is not a database. '.repeat(1000)),
    };
    for (const [name, make] of Object.entries(files)) {
      make();
      const before = readFileSync(path);
      const database = openDatabase(path);
      assert.throws(
        () => new ArchiveDatabase(database),
        (error) => toArchiveError(error).problem === name,
      );
      assert.ok(!database.isOpen, name);
      assert.ok(readFileSync(path).equals(before), name);
    }
  });

  it('says that the disk is full, and keeps what it has', () => {
    const database = openDatabase(path);
    const archive = openArchive(path);
    const chat = archive.addChat(CHAT);
    archive.addPage(chat, jsonsOf(MESSAGES.slice(0, 100)));
    archive.close();
    const full = openLimited(path);
    assert.throws(
      () => full.addPage(chat, jsonsOf(MESSAGES.slice(100))),
      (error) => toArchiveError(error).problem === 'full',
    );
    assert.equal(full.chats()[0]?.messages, 100);
    assert.equal(full.search({ text: 'secretword', order: 'newest' }, 1000).found.length, 100);
    database.close();
  });

  it('says that another window is busy', () => {
    const archive = openArchive(path);
    const other = openDatabase(path);
    other.exec('BEGIN IMMEDIATE');
    const impatient = openImpatient(path);
    assert.throws(
      () => impatient.addChat(CHAT),
      (error) => toArchiveError(error).problem === 'busy',
    );
    other.exec('ROLLBACK');
    other.close();
    impatient.addChat(CHAT);
    assert.equal(archive.chats().length, 1);
  });
});
