import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import {
  archiveWithoutIndex,
  assertProblem,
  CHAT,
  changedDatabase,
  idsFound,
  idsOf,
  jsonsOf,
  MESSAGES,
  messageOf,
  openArchive,
  openDatabase,
  openLimited,
  removeAll,
  useArchiveFile,
} from './archives.ts';

const OTHER = { ...CHAT, id: '100000002' };

describe('The archive', () => {
  const file = useArchiveFile();

  it('finds the first message since a time by the order of the history, whatever single clocks say', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    const at = (sendTime: number, msgId = `t${sendTime}`) => messageOf(msgId, '', { sendTime });
    const late = at(500, 'late');
    const older = [at(20), at(30), at(80, 'other'), at(40), at(50)];
    archive.addLatest(chat, jsonsOf([late, at(60), at(70), at(80, 'b'), at(80, 'a'), at(10, 'early'), at(90)]), 1);
    const task = archive.nextTask(chat) ?? assert.fail();
    archive.extend(chat, task, jsonsOf([...older, late]), older.length);
    const since = (...times: number[]) =>
      times.map((time) => {
        const { msgId, isFirst } = archive.firstSince(chat, time) ?? {};
        return isFirst ? `${msgId}, the first` : msgId;
      });
    assert.deepEqual(since(0, 20, 25), ['t20', 't20', 't30']);
    const end = archive.nextTask(chat) ?? assert.fail();
    archive.extend(chat, end, jsonsOf(older.slice(0, 1)), 0);
    assert.deepEqual(since(0, 20, 25), ['t20, the first', 't20, the first', 't30']);
    assert.deepEqual(since(80, 85, 91), ['b', 't90', undefined]);
  });

  it('keeps messages as they came, with undocumented fields', () => {
    const archive = openArchive(file.path);
    const message = messageOf('a', 'hi', { surprise: { deep: [1, null, '\u0000'] } });
    archive.addPage(archive.addChat(CHAT), [JSON.stringify(message)]);
    archive.close();
    const reopened = openArchive(file.path);
    const number = reopened.numberOf(CHAT) ?? assert.fail();
    assert.deepEqual(JSON.parse(reopened.latest(number, 1)?.jsons[0] ?? ''), message);
  });

  it('gives chats of a new file numbers that those of an earlier one did not have', () => {
    const numbers = Array.from({ length: 3 }, () => openArchive().addChat(CHAT));
    assert.equal(new Set(numbers).size, 3);
    assert.ok(numbers.every((number) => Number.isSafeInteger(number) && number > 0));
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
    const archive = openArchive(file.path);
    const chat = archive.addChat(CHAT);
    const times = [1e300, 1.7e18, -1e300, '99999999999999999999', 9e15];
    const odd = times.map((sendTime, at) => messageOf(`odd${at}`, `odd time ${at}`, { sendTime }));
    archive.addPage(chat, jsonsOf([...odd, ...MESSAGES.slice(0, 2)]));
    // A second page reads the times of those that it overlaps.
    archive.addPage(chat, jsonsOf([...odd.slice(3), ...MESSAGES.slice(0, 3)]));
    assert.equal(archive.chats()[0]?.messages, 8);
    assert.deepEqual(idsOf(archive.latest(chat, 10)), ['m2', 'm1', 'm0', 'odd4', 'odd3', 'odd2', 'odd1', 'odd0']);
    assert.equal(idsFound(archive, '"odd time"').length, 5);
  });

  it('keeps a page of unreadable entries only beside messages that tell where it belongs', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    const add = {
      unreadable: () => archive.addLatest(chat, jsonsOf([{ broken: 1 }, { broken: 2 }]), 5),
      mixed: () => archive.addPage(chat, jsonsOf([{ broken: 1 }, MESSAGES[0], { broken: 2 }])),
    };
    for (let times = 0; times < 3; times++) assert.equal(add.unreadable(), 0);
    assert.equal(archive.chats()[0]?.checkedAt, 5);
    assert.equal(add.mixed(), 3);
    assert.equal(add.mixed(), 0);
    assert.equal(archive.chats()[0]?.messages, 3);
  });

  describe('names a sender to filter by', () => {
    type Written = readonly [name: string, sendTime: number, service?: string];
    const cases: [what: string, pages: Written[][], name: string][] = [
      [
        'as in the newest message that has a name, whatever is archived later',
        [
          [
            ['Ana K.', 2000],
            ['', 3000],
            [' \u3000', 4000],
          ],
          [['Ana', 1000]],
        ],
        'Ana K.',
      ],
      [
        'by the newest name when messages from before a change of name are archived later',
        [
          [
            ['Ana K.', 1000],
            ['Ana K.', 3000],
          ],
          [['Ana', 2000]],
        ],
        'Ana K.',
      ],
      [
        'by the newest name in any service',
        [[['Zoe', 1000, 'https://old.example']], [['Ana', 2000, 'https://new.example']], [['', 3000]]],
        'Ana',
      ],
      ['by the ID if there is no name', [[['', 1000]]], '3000001'],
    ];
    for (const [what, pages, name] of cases)
      it(what, () => {
        const archive = openArchive();
        for (const page of pages) {
          const [, , service = CHAT.service] = page[0] ?? [];
          const messages = page.map(([senderNickname, sendTime]) =>
            messageOf(`m${sendTime}`, 'hi', { senderNickname, sendTime }),
          );
          archive.addPage(archive.addChat({ ...CHAT, service }), jsonsOf(messages));
        }
        assert.deepEqual(archive.filters().senders, [{ sender: 'user 3000001', name }]);
      });
  });

  it('lists senders by their names, and content types by theirs, to filter by', () => {
    const archive = openArchive();
    const from = (senderId: string, senderNickname: string, contentType: string) =>
      messageOf(`m${senderId}`, 'hi', { senderId, senderNickname, contentType });
    archive.addPage(
      archive.addChat(CHAT),
      jsonsOf([from('1', 'Zoe', 'text'), from('2', 'Ana', 'image'), from('3', '', 'file'), { broken: 1 }]),
    );
    assert.deepEqual(archive.filters(), {
      senders: [
        { sender: 'user 3', name: '3' },
        { sender: 'user 2', name: 'Ana' },
        { sender: 'user 1', name: 'Zoe' },
      ],
      kinds: ['file', 'image', 'text'],
    });
  });

  it('reads no more beyond the limit of a chat, wherever a history goes', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT, 1_700_000_000_000 + 50_000);
    archive.addLatest(chat, jsonsOf(MESSAGES.slice(40, 100)), 5);
    archive.addPage(chat, jsonsOf(MESSAGES.slice(20, 45)));
    assert.equal(archive.latest(chat, 100)?.older, 'limit');
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
    const archive = openArchive(file.path);
    const other = openArchive(file.path);
    const chat = archive.addChat(CHAT);
    other.removeChat(chat);
    assert.equal(archive.addLatest(chat, jsonsOf(MESSAGES), 1), 0);
    assert.equal(archive.nextTask(chat), undefined);
  });

  it('indexes what a host without FTS5 has added, and forgets what it has removed', () => {
    const indexed = openArchive(file.path);
    const removed = indexed.addChat(OTHER);
    indexed.addPage(removed, jsonsOf([messageOf('gone', 'number of the removed')]));
    indexed.close();
    const plain = archiveWithoutIndex(file.path);
    plain.addPage(plain.addChat(CHAT), jsonsOf(MESSAGES));
    assert.deepEqual(idsFound(plain, '"number 1999"'), ['m1999']);
    plain.removeChat(removed);
    removeAll(plain);
    plain.compact();
    plain.close();
    const archive = openArchive(file.path);
    assert.deepEqual(idsFound(archive, '"number 1999"'), ['m1999']);
    archive.close();
    const database = openDatabase(file.path);
    assert.equal(database.prepare("SELECT 1 FROM words WHERE words MATCH 'removed'").get(), undefined);
  });

  it('finds at once what a host without FTS5 adds in another window', () => {
    const archive = openArchive(file.path);
    const plain = archiveWithoutIndex(file.path);
    plain.addPage(plain.addChat(CHAT), jsonsOf(MESSAGES));
    assert.deepEqual(idsFound(archive, '"number 1999"'), ['m1999']);
    plain.addPage(plain.addChat(OTHER), jsonsOf([messageOf('more', 'number 1999')]));
    assert.deepEqual(idsFound(archive, '"number 1999"').toSorted(), ['m1999', 'more']);
  });

  it('waits for another window that creates it at the same time', () => {
    const database = openDatabase(file.path);
    let failures = 2;
    const contended = changedDatabase(database, {
      exec(sql) {
        if (sql.includes('journal_mode') && failures-- > 0)
          throw Object.assign(new Error('database is locked'), { errcode: 5 });
        database.exec(sql);
      },
    });
    const archive = new ArchiveDatabase(contended);
    assert.equal(archive.addPage(archive.addChat(CHAT), jsonsOf(MESSAGES.slice(0, 5))), 5);
  });

  it('uses the tables that another window creates right before it', () => {
    const database = openDatabase(file.path);
    let other: ArchiveDatabase | undefined;
    const raced = changedDatabase(database, {
      exec(sql) {
        if (sql.startsWith('BEGIN')) other ??= openArchive(file.path);
        database.exec(sql);
      },
    });
    new ArchiveDatabase(raced).addChat(CHAT);
    assert.equal(other?.chats().length, 1);
  });

  it("leaves a file as it is that can't be opened, and closes it, so that it can be moved", () => {
    const newer = () => {
      const database = openDatabase(file.path);
      database.exec('PRAGMA user_version = 99');
      database.close();
    };
    const damaged = () => writeFileSync(file.path, 'This is not a database. '.repeat(1000));
    for (const [name, make] of [
      ['newer', newer],
      ['damaged', damaged],
    ] as const) {
      make();
      const before = readFileSync(file.path);
      const database = openDatabase(file.path);
      assertProblem(name, () => new ArchiveDatabase(database));
      assert.ok(!database.isOpen, name);
      assert.ok(readFileSync(file.path).equals(before), name);
    }
  });

  it('says that the disk is full, and keeps what it has', () => {
    const archive = openArchive(file.path);
    const chat = archive.addChat(CHAT);
    archive.addPage(chat, jsonsOf(MESSAGES.slice(0, 100)));
    archive.close();
    const full = openLimited(file.path);
    assertProblem('full', () => full.addPage(chat, jsonsOf(MESSAGES.slice(100))));
    assert.equal(full.chats()[0]?.messages, 100);
    assert.equal(idsFound(full, 'secretword').length, 100);
  });
});
