import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { ArchiveDatabase } from '../../../../src/chats/archive/archiveDatabase.ts';
import { ArchivedPages } from '../../../../src/chats/archiving/archivedPages.ts';
import type { ArchiveQuery } from '../../../../src/chats/contract.ts';
import type { Page } from '../../../../src/service/client.ts';
import { Listed } from '../../../../src/service/message.ts';
import { CHAT, messageOf } from '../archive/archives.ts';
import { range } from '../history/chat.ts';
import { archiveInProcess } from './archiveInProcess.ts';

const OTHER = { ...CHAT, id: '100000002' };

/** The message with this number, which was sent so many seconds after the first one. */
const message = (at: number, more: object = {}) => messageOf(`m${at}`, `word ${at}`, { sendTime: at * 1000, ...more });
const jsonsOf = (...messages: unknown[]) => messages.map((one) => JSON.stringify(one));
const messages = (from: number, to: number) => range(from, to).map((at) => message(at));
const entries = (from: number, to: number) => messages(from, to).map((one) => v.parse(Listed, one));
const idsOf = (listed: readonly Listed[] | undefined) =>
  listed?.map((entry) => (entry.readable ? entry.message.msgId : 'unreadable')).join(' ');

describe('The pages of archived chats', () => {
  let database: DatabaseSync;
  let thread: ReturnType<typeof archiveInProcess>;
  let pages: ArchivedPages;
  let chat: number;

  beforeEach(async () => {
    database = new DatabaseSync(':memory:');
    thread = archiveInProcess(() => new ArchiveDatabase(database));
    pages = new ArchivedPages(thread);
    chat = await thread.archive.addChat(CHAT);
  });

  /** Archives the newest messages. */
  const add = (...newest: unknown[]) => thread.archive.addLatest(chat, jsonsOf(...newest), 5);

  /** Notes that the chat begins with its first message. */
  async function complete(first = message(1)): Promise<void> {
    const task = (await thread.archive.nextTask(chat)) ?? assert.fail();
    await thread.archive.extend(chat, task, jsonsOf(first), 0);
  }

  /** The pages of a chat whose archive has the messages 1 to 5. */
  const lists: [page: Page, open: string | undefined, complete: string | undefined][] = [
    [{ latest: 2 }, 'm5 m4', 'm5 m4'],
    [{ latest: 5 }, 'm5 m4 m3 m2 m1', 'm5 m4 m3 m2 m1'],
    [{ latest: 6 }, undefined, 'm5 m4 m3 m2 m1'],
    [{ anchor: 'm4', before: 2 }, 'm4 m3 m2', 'm4 m3 m2'],
    [{ anchor: 'm4', before: 9 }, 'm4 m3 m2 m1', 'm4 m3 m2 m1'],
    [{ anchor: 'm1', before: 2 }, undefined, 'm1'],
    [{ anchor: 'm2', after: 9 }, 'm5 m4 m3 m2', 'm5 m4 m3 m2'],
    // Only the service knows what is newer.
    [{ anchor: 'm5', after: 2 }, undefined, undefined],
    [{ anchor: 'm3', before: 1, after: 1 }, 'm4 m3 m2', 'm4 m3 m2'],
    [{ anchor: 'm1', before: 1, after: 1 }, 'm2 m1', 'm2 m1'],
    [{ anchor: 'm9', before: 1, after: 1 }, undefined, undefined],
  ];
  for (const [page, open, whole] of lists)
    it(`are listed only if all of the page is archived: ${JSON.stringify(page)}`, async () => {
      await add(...messages(1, 5));
      assert.equal(idsOf(await pages.list(CHAT, page)), open);
      await complete();
      assert.equal(idsOf(await pages.list(CHAT, page)), whole);
    });

  it("aren't listed if the message that is asked for is damaged, or only unreadable entries are beyond it", async () => {
    await add({ broken: 1 }, ...messages(1, 3));
    assert.equal(await pages.list(CHAT, { anchor: 'm1', before: 5 }), undefined);
    database.exec("UPDATE bodies SET json = '' WHERE id = (SELECT id FROM messages WHERE msgId = 'm2')");
    assert.equal(await pages.list(CHAT, { anchor: 'm2', before: 1, after: 1 }), undefined);
    assert.equal(idsOf(await pages.list(CHAT, { latest: 3 })), 'm3 unreadable m1');
  });

  it("aren't there before anything is archived, nor for other chats", async () => {
    await add(...messages(1, 3));
    const nothing = async (of: ArchivedPages, botChat: typeof CHAT) => {
      assert.equal(await of.list(botChat, { latest: 1 }), undefined);
      assert.equal(await of.firstSince(botChat, 0), undefined);
      assert.equal(await of.beforeGap(botChat, 'm1'), undefined);
      assert.equal(await of.checkedAt(botChat), undefined);
      assert.equal(await of.namesOf(botChat), undefined);
      assert.equal(await of.keep({ chat: botChat, page: { latest: 1 }, entries: entries(9, 9) }), 0);
    };
    await nothing(pages, OTHER);
    await nothing(new ArchivedPages({ ...thread, exists: async () => false }), CHAT);
    assert.equal((await thread.archive.chats())[0]?.messages, 3);
  });

  it('tell when the newest ones were read, what the chat is called, and what is before a gap', async () => {
    await thread.archive.setNames(chat, { name: 'The shop', botName: 'Order Desk' });
    await thread.archive.addPage(chat, jsonsOf(...messages(1, 3)));
    await add(...messages(7, 9));
    assert.equal(await pages.checkedAt(CHAT), 5);
    const { name, botName } = (await pages.namesOf(CHAT)) ?? assert.fail();
    assert.equal(`${name}, ${botName}`, 'The shop, Order Desk');
    assert.equal(await pages.beforeGap(CHAT, 'm8'), 'm3');
  });

  describe('tell the first message since a time', () => {
    const since = async (time: number) => (await pages.firstSince(CHAT, time))?.msgId;

    it('once nothing is missing', async () => {
      await thread.archive.addPage(chat, jsonsOf(...messages(1, 2)));
      await add(...messages(2, 5));
      assert.equal(await since(3_000), undefined);
      await complete();
      assert.equal(await since(3_000), 'm3');
      assert.deepEqual(await pages.firstSince(CHAT, 0), { msgId: 'm1', sendTime: 1_000, isFirst: true });
      // A gap that can't be closed, too.
      await add(...messages(8, 9));
      for (const _ of ['older', 'newer'])
        await thread.archive.lose(chat, (await thread.archive.nextTask(chat)) ?? assert.fail());
      assert.equal((await thread.archive.chats())[0]?.lostGaps, 1);
      assert.equal(await since(3_000), undefined);
    });

    it('as far back as the chat is archived', async () => {
      await thread.archive.addChat(CHAT, 4_000);
      await add(...messages(1, 6));
      assert.equal(await since(4_000), 'm4');
      assert.equal(await since(3_999), undefined);
    });
  });

  describe('are kept when they are read anyway', () => {
    const keep = (page: Page, listed: readonly Listed[]) => pages.keep({ chat: CHAT, page, entries: listed });

    it('as the newest ones', async () => {
      assert.equal(await keep({ latest: 3 }, [...entries(1, 3).reverse(), ...entries(1, 1)]), 3);
      assert.equal(await keep({ latest: 3 }, entries(2, 4).reverse()), 1);
      assert.equal(idsOf(await pages.list(CHAT, { latest: 4 })), 'm4 m3 m2 m1');
      assert.notEqual(await pages.checkedAt(CHAT), undefined);
    });

    // Without times, only the place of the anchor tells the order.
    const untimed = (...ids: string[]) => ids.map((msgId) => v.parse(Listed, { msgId }));
    for (const [page, listed] of [
      [{ anchor: 'c', before: 2 }, untimed('c', 'b', 'a')],
      [{ anchor: 'c', before: 2 }, untimed('a', 'b', 'c')],
      [{ anchor: 'a', after: 2 }, untimed('a', 'b', 'c')],
      [{ anchor: 'a', after: 2 }, untimed('c', 'b', 'a')],
      [{ anchor: 'b', before: 1, after: 1 }, untimed('c', 'b', 'a')],
    ] as const)
      it(`in their order: ${JSON.stringify(page)}, listed as ${idsOf(listed)}`, async () => {
        assert.equal(await keep(page, listed), 3);
        assert.equal(idsOf(await pages.list(CHAT, { latest: 3 })), 'c b a');
        assert.equal(await pages.checkedAt(CHAT), undefined);
      });

    it('unless a page has nothing, or lacks the message that it was asked for', async () => {
      assert.equal(await keep({ latest: 3 }, []), 0);
      assert.equal(await keep({ anchor: 'm9', before: 3 }, entries(1, 3)), 0);
      assert.equal(await pages.checkedAt(CHAT), undefined);
    });
  });
});

describe('Searching archived chats for other features', () => {
  const { signal } = new AbortController();
  let thread: ReturnType<typeof archiveInProcess>;
  let pages: ArchivedPages;

  beforeEach(async () => {
    thread = archiveInProcess();
    pages = new ArchivedPages(thread);
    const chat = await thread.archive.addChat(CHAT, 500);
    const bot = { senderType: 'bot', senderId: '7', senderNickname: 'Robo' };
    const content = { text: 'wordy', buttons: [{ text: 'word' }], parent: 'Ana : The word' };
    await thread.archive.addLatest(chat, jsonsOf(message(1), message(2, bot), message(3, { content }), message(4)), 5);
    const other = await thread.archive.addChat(OTHER);
    await thread.archive.addPage(other, jsonsOf(message(5, { senderId: '7' })));
  });

  const search = (query: Partial<ArchiveQuery> = {}, limit = 10, after?: number) =>
    pages.search({ text: 'word', includes: () => true, ...query }, limit, signal, after);
  const found = async (query: Partial<ArchiveQuery>) => (await search(query)).hits.map(({ msgId }) => msgId).join(' ');

  for (const [what, query, ids] of [
    ['finds whole words, the newest first', {}, 'm5 m4 m3 m2 m1'],
    ["doesn't take a word for the beginning of another one", { text: 'wor' }, ''],
    ['finds in the chats that are asked for', { includes: ({ id }) => id === CHAT.id }, 'm4 m3 m2 m1'],
    ['finds nothing in no chat', { includes: () => false, senderId: '7' }, ''],
    ['finds what someone has written, whether a bot or a person', { senderId: '7' }, 'm5 m2'],
    ['finds nothing of someone unknown', { senderId: '8' }, ''],
    ['finds from a time on, and before another', { since: 2_000, until: 4_000 }, 'm3 m2'],
    ['finds a message by its ID', { text: 'm2' }, 'm2'],
  ] satisfies [string, Partial<ArchiveQuery>, string][])
    it(what, async () => assert.equal(await found(query), ids));

  it('says who has written each message, when and what, on one line', async () => {
    const { hits } = await search({ text: 'wordy' });
    assert.deepEqual(
      hits.map(({ position: _, ...hit }) => hit),
      [
        {
          botChat: CHAT,
          msgId: 'm3',
          senderId: '3000001',
          senderName: 'Ana',
          time: 3_000,
          text: 'wordy · word · Ana · The word',
        },
      ],
    );
  });

  it('marks where a text was cut', async () => {
    const chat = await thread.archive.addChat(CHAT);
    const around = 'and more '.repeat(50);
    await thread.archive.addPage(chat, jsonsOf(message(9, { content: { text: `${around}needle ${around}` } })));
    const [hit] = (await search({ text: 'needle' })).hits;
    assert.match(hit?.text ?? '', /^…more .* needle and .*…$/);
  });

  it('says which chats were searched, how far back, until when, and whether messages are missing', async () => {
    const searched = async () => (await search({ text: 'nothing' })).chats;
    const first = { botChat: CHAT, since: 500, checkedAt: 5, isIncomplete: true };
    const other = { botChat: OTHER, since: undefined, checkedAt: undefined, isIncomplete: true };
    assert.deepEqual(await searched(), [first, other]);
    const { archive } = thread;
    for (const { number, botChat } of await archive.chats()) {
      const task = (await archive.nextTask(number)) ?? assert.fail();
      if (botChat.id === OTHER.id) await archive.extend(number, task, jsonsOf(message(5, { senderId: '7' })), 0);
      else await archive.lose(number, task);
    }
    assert.deepEqual(await searched(), [first, { ...other, isIncomplete: false }]);
  });

  it('finds every message once, page by page, and first the one whose ID is sought', async () => {
    const pageByPage = async (text: string, limit: number) => {
      const all: string[] = [];
      let after: number | undefined;
      do {
        const { hits, next } = await search({ text }, limit, after);
        assert.ok(hits.length <= limit);
        all.push(...hits.map(({ msgId }) => msgId ?? ''));
        after = next;
      } while (after !== undefined);
      return all.join(' ');
    };
    assert.equal(await pageByPage('word', 2), 'm5 m4 m3 m2 m1');
    const chat = await thread.archive.addChat(CHAT);
    await thread.archive.addPage(
      chat,
      jsonsOf(message(4), message(8, { content: { text: 'see m2' } }), message(9, { content: { text: 'see m2' } })),
    );
    for (const limit of [1, 2, 3]) assert.equal(await pageByPage('m2', limit), 'm2 m9 m8');
  });

  it('ends when it is canceled, and finds nothing before anything is archived', async () => {
    const query = { text: 'word', includes: () => true };
    await assert.rejects(pages.search(query, 10, AbortSignal.abort(new Error('canceled'))), /canceled/);
    const empty = new ArchivedPages({ ...thread, exists: async () => false });
    assert.deepEqual(await empty.search(query, 10, signal), { hits: [], next: undefined, chats: [] });
  });
});
