import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import type { MovedPage, MovedPlace } from '../../../../src/chats/archive/movedChats.ts';
import {
  assertProblem,
  CHAT,
  idsFound,
  idsOf,
  jsonsOf,
  messageOf,
  openArchive,
  removeAll,
  useArchiveFile,
} from './archives.ts';

const START = 1_700_000_000_000;
const messages = Array.from({ length: 1_300 }, (_, at) =>
  messageOf(`m${at}`, `number ${at}`, { sendTime: START + at * 1000 }),
);
const jsonOf = (from: number, to: number) => jsonsOf(messages.slice(from, to));
const NAMES = { name: 'The shop', botName: 'Order Desk' };

/** All pages of the only chat of an archive. */
function pagesOf(archive: ArchiveDatabase): MovedPage[] {
  const pages: MovedPage[] = [];
  const chat = archive.chats()[0]?.number ?? assert.fail();
  for (let place: MovedPlace | undefined; ; ) {
    const found = archive.movedPage(chat, place);
    if (!found) return pages;
    pages.push(found.page);
    place = found.next;
  }
}

function importInto(archive: ArchiveDatabase, pages: readonly MovedPage[], since?: number, checkedAt?: number): number {
  const chat = archive.beginImport(CHAT, since, NAMES);
  const added = pages.reduce((sum, page) => sum + (archive.importPage(chat, page) ?? 0), 0);
  archive.endImport(chat, { name: 'chat.ndjson', at: START, messages: added }, checkedAt);
  return added;
}

const only = (archive: ArchiveDatabase) => archive.chats()[0] ?? assert.fail();

describe("Another computer's archive", () => {
  const file = useArchiveFile();

  it('is taken over page by page, with its gaps, its beginning and its names', () => {
    const other = openArchive();
    const chat = other.addChat(CHAT);
    other.addPage(chat, jsonOf(0, 1100));
    other.addLatest(chat, jsonOf(1200, 1300), START);
    // The service has nothing before the first message.
    for (let task = other.nextTask(chat); task; task = other.nextTask(chat)) {
      const first = task.anchors[0]?.msgId === 'm0';
      if (first) other.extend(chat, task, jsonOf(0, 1), 0);
      else other.lose(chat, task);
    }
    const archive = openArchive();
    const pages = pagesOf(other);
    assert.ok(pages.length > 2);
    assert.equal(importInto(archive, pages, undefined, START), 1200);
    const taken = only(archive);
    assert.equal(taken.messages, 1200);
    assert.equal(taken.openGaps, 1);
    assert.equal(taken.lostGaps, 0);
    assert.equal(taken.checkedAt, START);
    assert.equal(taken.name, 'The shop');
    assert.equal(taken.botName, 'Order Desk');
    assert.equal(archive.around(taken.number, 'm0', 3, 0)?.older, 'end');
    assert.equal(importInto(archive, pages, undefined, START), 0);
  });

  it('is as large as its messages are few: a page holds a million characters at most, or two messages', () => {
    const other = openArchive();
    const large = Array.from({ length: 6 }, (_, at) =>
      messageOf(`m${at}`, 'x'.repeat(600_000), { sendTime: START + at }),
    );
    other.addPage(other.addChat(CHAT), jsonsOf(large));
    const pages = pagesOf(other);
    assert.ok(pages.every(({ jsons }) => jsons.length <= 2));
    const archive = openArchive();
    assert.equal(importInto(archive, pages), 6);
    assert.equal(only(archive).openGaps, 1);
  });

  it('keeps unreadable entries in their places', () => {
    const other = openArchive();
    const entries = [...jsonOf(0, 499), ...Array.from({ length: 30 }, (_, at) => `{"odd":${at}}`), ...jsonOf(499, 900)];
    other.addPage(other.addChat(CHAT), entries);
    const archive = openArchive();
    importInto(archive, pagesOf(other));
    importInto(archive, pagesOf(other));
    const page = archive.latest(only(archive).number, 2000);
    assert.deepEqual(page?.jsons.toReversed(), entries);
  });

  it('joins what is here, and lets the farther limit and the later check count', () => {
    const archive = openArchive();
    const chat = archive.addChat({ ...CHAT, botId: '20000002' }, START + 600_000);
    archive.addLatest(chat, jsonOf(590, 700), START + 1);
    const other = openArchive();
    other.addPage(other.addChat(CHAT), jsonOf(300, 650));
    assert.equal(importInto(archive, pagesOf(other), START, START), 290);
    const joined = only(archive);
    assert.equal(joined.since, START);
    assert.equal(joined.checkedAt, START + 1);
    assert.equal(joined.botChat.botId, '20000002');
    assert.equal(joined.openGaps, 1);
    assert.equal(archive.latest(chat, 1000)?.jsons.length, 400);
  });

  it('is taken over with the messages that are apart, in their order', () => {
    const other = openArchive();
    importInto(other, [
      { jsons: jsonOf(900, 1300), isApart: true },
      { jsons: jsonOf(0, 700), isApart: true },
    ]);
    const pages = pagesOf(other);
    assert.deepEqual(
      pages.map(({ jsons, isApart, isFirst }) => [jsons.length, isApart, isFirst]),
      [
        [500, true, undefined],
        [500, true, undefined],
        [100, true, undefined],
      ],
    );
    assert.deepEqual(
      pages.flatMap(({ jsons }) => jsons),
      [...jsonOf(900, 1300), ...jsonOf(0, 700)],
    );
    const archive = openArchive();
    assert.equal(importInto(archive, pages), 1100);
    assert.equal(only(archive).apart, 1100);
  });

  it('is not taken over where no archive has such a page, or its chat was deleted', () => {
    const archive = openArchive();
    const chat = archive.beginImport(CHAT, undefined, NAMES);
    const [first = ''] = jsonOf(0, 1);
    const deep = first.replace('{', `{"odd":${'['.repeat(1_000)}${']'.repeat(1_000)},`);
    assert.equal(archive.importPage(chat, { jsons: [first, first] }), undefined);
    assert.equal(archive.importPage(chat, { jsons: [deep] }), undefined);
    assert.equal(archive.importPage(chat, { jsons: [deep], isApart: true }), undefined);
    assert.equal(archive.importPage(chat, { jsons: [first, first], isApart: true }), 1);
    archive.removeChat(chat);
    for (const isApart of [false, true])
      assertProblem('removed', () => archive.importPage(chat, { jsons: [first], isApart }));
  });

  it('reads what was there when the export began', () => {
    const frozen = openArchive(file.path);
    const busy = openArchive(file.path);
    const chat = busy.addChat(CHAT);
    busy.addPage(chat, jsonOf(0, 5));
    busy.addPage(chat, jsonOf(8, 10));
    frozen.freeze();
    assert.equal(frozen.chats().length, 1);
    busy.addPage(chat, jsonOf(4, 9));
    assert.deepEqual(
      pagesOf(frozen).map(({ jsons }) => jsons.length),
      [5, 2],
    );
  });
});

describe('Messages of a file that proves nothing about what is beside them', () => {
  const apart = (from: number, to: number): MovedPage => ({ jsons: jsonOf(from, to), isApart: true });

  it('are found and counted, but no history claims them to be next to each other', () => {
    const archive = openArchive();
    assert.equal(importInto(archive, [apart(0, 3), apart(2, 5)]), 5);
    const { number, messages: count, apart: alone } = only(archive);
    assert.equal(count, 5);
    assert.equal(alone, 5);
    assert.deepEqual(idsFound(archive, 'number'), ['m4', 'm3', 'm2', 'm1', 'm0']);
    assert.equal(archive.statistics(number, 'UTC').total, 5);
    assert.equal(archive.around(number, 'm1', 1, 1), undefined);
    assert.equal(archive.latest(number, 5), undefined);
    assert.equal(archive.firstSince(number, 0), undefined);
  });

  it('are told apart from the others even if the import was interrupted', () => {
    const archive = openArchive();
    archive.importPage(archive.beginImport(CHAT, undefined, NAMES), apart(0, 3));
    assert.equal(only(archive).apart, 3);
  });

  it('get their places as soon as the service lists them', () => {
    const archive = openArchive();
    importInto(archive, [apart(0, 5)]);
    const { number } = only(archive);
    assert.equal(archive.addPage(number, jsonOf(2, 8)), 6);
    assert.equal(only(archive).messages, 8);
    assert.deepEqual(idsOf(archive.latest(number, 9)), ['m7', 'm6', 'm5', 'm4', 'm3', 'm2']);
    assert.equal(idsFound(archive, 'number').length, 8);
    assert.equal(importInto(archive, [apart(0, 8)]), 0);
  });

  it('say from which file they came, and are gone with their chat', () => {
    const archive = openArchive();
    importInto(archive, [apart(0, 5)]);
    const { number } = only(archive);
    assert.deepEqual(only(archive).imports, [{ name: 'chat.ndjson', at: START, messages: 5 }]);
    assert.deepEqual(archive.chatsWith(['m1', 'm2', 'other']), [{ chat: number, count: 2 }]);
    archive.removeChat(number);
    removeAll(archive);
    assert.deepEqual(archive.chats(), []);
    assert.deepEqual(idsFound(archive, ''), []);
  });
});

describe('An archive from several files', () => {
  const range = fc
    .tuple(fc.nat(60), fc.integer({ min: 1, max: 20 }))
    .map(([from, length]) => [from, from + length] as const);
  const file = fc.record({ ranges: fc.array(range, { minLength: 1, maxLength: 4 }), isApart: fc.boolean() });

  it('is the same in whatever order they are imported, and however often', () => {
    const check = (files: { ranges: (readonly [number, number])[]; isApart: boolean }[], order: readonly number[]) => {
      const parts = files.map(({ ranges, isApart }) => {
        if (isApart) return ranges.map(([from, to]): MovedPage => ({ jsons: jsonOf(from, to), isApart }));
        const other = openArchive();
        const chat = other.addChat(CHAT);
        for (const [from, to] of ranges) other.addPage(chat, jsonOf(from, to));
        return pagesOf(other);
      });
      const stateOf = (sequence: readonly number[]) => {
        const archive = openArchive();
        for (const at of sequence) importInto(archive, parts[at % parts.length] ?? []);
        const pages = pagesOf(archive).map(({ jsons, isApart }) => (isApart ? jsons.toSorted() : jsons).join());
        const { messages: count, openGaps } = only(archive);
        return { count, openGaps, pages: pages.toSorted() };
      };
      const all = files.map((_, at) => at);
      assert.deepEqual(stateOf([...order, ...all.toReversed()]), stateOf(all));
    };
    fc.assert(
      fc.property(fc.array(file, { minLength: 2, maxLength: 3 }), fc.array(fc.nat(2), { maxLength: 3 }), check),
    );
  });
});
