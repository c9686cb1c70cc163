import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Delivered } from '../../../../src/deliveries/replies/findReplies.ts';
import { type ReaderOptions, type ReadStep, readReplies } from '../../../../src/deliveries/replies/replyReader.ts';
import { type Failure, isFailure, ServiceError } from '../../../../src/service/errors.ts';
import type { Listed } from '../../../../src/service/message.ts';
import { LostAnchorError } from '../../../../src/service/messagePages.ts';
import { answersIn, BOT, idOf, ListedChat, listed, randomChat, unreadable } from './randomChat.ts';

const { signal } = new AbortController();

/** When the message was sent (Unix ms). */
const SENT = 1_000;

const group: Delivered = { chat: { kind: 'group', id: 'G' }, botId: BOT, msgId: 'sent', others: new Set() };
const sent = listed({ msgId: 'sent', senderId: BOT, senderType: 'bot' });
const reply = (msgId: string) => listed({ msgId, parentId: 'sent' });
const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, index) => reply(`m${from + index}`));

/** Reads a chat several times, and keeps what was found. */
class Reader {
  readonly found: string[] = [];
  readonly steps: ReadStep[] = [];
  readonly #of: Delivered;

  constructor(of: Delivered) {
    this.#of = of;
  }

  get unreadable(): string[] {
    return this.steps.flatMap(({ unreadable }) => unreadable);
  }

  async read(list: ReaderOptions['list'], archived: ReaderOptions['archived'] = async () => undefined) {
    const thread = this.steps.flatMap(({ answers, links }) => [...answers.map(idOf), ...links]);
    const place = { anchors: this.steps.at(-1)?.anchors ?? [], thread, unreadable: this.unreadable };
    const keep = async (step: ReadStep) => {
      this.steps.push(step);
      this.found.push(...step.answers.map(idOf).filter((id) => !this.found.includes(id)));
    };
    await readReplies(this.#of, place, { sentAt: SENT, list, archived, keep }, signal);
  }
}

describe('Reading replies', () => {
  it('reads on until a page has nothing new, however small the pages of the service are', async () => {
    const reader = new Reader(group);
    const chat = new ListedChat([sent, ...numbered(25)], 10);
    await reader.read(chat.list);
    assert.equal(reader.found.length, 25);
    assert.equal(chat.calls, 4);
    assert.deepEqual(
      reader.steps.map(({ isComplete }) => isComplete),
      [false, false, false, true],
    );
  });

  it('reads only what is new the next time', async () => {
    const reader = new Reader(group);
    const chat = new ListedChat([sent, ...numbered(250)]);
    await reader.read(chat.list);
    chat.calls = 0;
    chat.entries.push(reply('m251'));
    await reader.read(chat.list);
    assert.equal(reader.found.length, 251);
    assert.equal(chat.calls, 2);
  });

  it('goes on from an earlier message if the last ones were deleted meanwhile', async () => {
    const reader = new Reader(group);
    const chat = new ListedChat([sent, ...numbered(30)]);
    await reader.read(chat.list);
    chat.entries.splice(-3, 3, reply('new'));
    await reader.read(chat.list);
    assert.equal(reader.found.at(-1), 'new');
  });

  it('reads once more from the delivered message on if all of the last ones were deleted', async () => {
    const reader = new Reader(group);
    const chat = new ListedChat([sent, ...numbered(30)]);
    await reader.read(chat.list);
    chat.entries.splice(-10, 10, reply('new'));
    await reader.read(chat.list);
    assert.equal(reader.found.at(-1), 'new');
    // Nothing is left after it.
    chat.entries.splice(1);
    await reader.read(chat.list);
    assert.ok(reader.steps.at(-1)?.isComplete);
  });

  describe('if the delivered message was deleted, reads back to the time when it was sent,', () => {
    const at = (sendTime: number, said: Partial<Parameters<typeof listed>[0]> = {}) =>
      listed({ msgId: `at-${sendTime}`, sendTime, ...said });
    const before = Array.from({ length: 30 }, (_, index) => at(SENT - 30 + index));
    const after = [
      at(SENT + 1, { parentId: 'sent' }),
      at(3, { parentId: 'sent', msgId: 'wrong-clock' }),
      unreadable(1),
      at(SENT + 2),
      at(SENT + 3, { senderId: BOT, senderType: 'bot' }),
      ...numbered(20).map((_, index) => at(SENT + 4 + index, { parentId: index < 2 ? 'wrong-clock' : 'other' })),
    ];
    const missing: Failure = { kind: 'rejected', status: 200, code: -1, text: '消息不存在' };
    const rows: [string, Delivered, answers: string[]][] = [
      ['in a group', group, ['at-1001', 'wrong-clock', 'at-1004', 'at-1005']],
      [
        'with a person',
        { ...group, chat: { kind: 'user', id: 'U1' }, others: new Set(['at-1006']) },
        ['at-1001', 'wrong-clock', 'at-1002', 'at-1004', 'at-1005'],
      ],
    ];
    for (const [where, of, answers] of rows)
      it(where, async () => {
        const reader = new Reader(of);
        const chat = new ListedChat([...before, ...after], 7);
        await reader.read(chat.list);
        assert.deepEqual(reader.found, answers);
        assert.deepEqual(reader.unreadable.length, 1);
        assert.deepEqual(
          reader.steps.map(({ isComplete, lost }) => [isComplete, lost]),
          [[true, { failure: missing }]],
        );
        // Of what is before that time, no more is read than one page.
        assert.equal(chat.calls, 5);
        chat.calls = 0;
        chat.entries.push(at(SENT + 99, { parentId: 'sent' }));
        await reader.read(chat.list);
        assert.deepEqual([reader.found.slice(answers.length), chat.calls], of === group ? [['at-1099'], 2] : [[], 1]);
      });

    it('and counts once what can’t be read, whether it was read before or a page begins with it', async () => {
      const answers = numbered(20).map((_, index) => at(SENT + index, { parentId: 'sent' }));
      answers.splice(10, 0, unreadable(2));
      answers.splice(1, 0, unreadable(1));
      for (let limit = 2; limit < 12; limit++) {
        const reader = new Reader(group);
        await reader.read(new ListedChat([sent, ...numbered(5, 100), unreadable(1)]).list);
        await reader.read(new ListedChat([...before, ...answers], limit).list);
        assert.deepEqual([reader.found.length, reader.unreadable.length], [25, 2], `pages of ${limit}`);
      }
    });

    it('to the beginning of a chat that has no times, and without a word of the service', async () => {
      const reader = new Reader(group);
      await reader.read(async () => numbered(3).toReversed());
      assert.deepEqual([reader.found, reader.steps[0]?.lost], [['m1', 'm2', 'm3'], {}]);
    });

    it('unless it is still listed there: then the service has failed for another reason', async () => {
      const chat = new ListedChat([sent, ...numbered(3)]);
      const list: ReaderOptions['list'] = async (page) =>
        'latest' in page ? chat.list(page) : Promise.reject(new ServiceError(missing));
      await assert.rejects(new Reader(group).read(list), (error) => isFailure(error, 'rejected'));
    });

    it('unless the service doesn’t list the chat', async () => {
      const list = () => Promise.reject(new ServiceError(missing));
      await assert.rejects(new Reader(group).read(list), (error) => isFailure(error, 'rejected'));
    });
  });

  it('says that it fails if what was just read leads no further', async () => {
    const chat = new ListedChat([sent, ...numbered(30)]);
    const list: ReaderOptions['list'] = (page) =>
      chat.list('anchor' in page && page.anchor !== 'sent' ? { ...page, anchor: 'lost' } : page);
    await assert.rejects(new Reader(group).read(list), LostAnchorError);
  });

  it('passes a page of which nothing can be read, and counts it', async () => {
    const reader = new Reader(group);
    const broken = Array.from({ length: 250 }, (_, number) => unreadable(number));
    const chat = new ListedChat([sent, ...broken, reply('answer')]);
    await reader.read(chat.list);
    assert.deepEqual(reader.found, ['answer']);
    assert.equal(new Set(reader.unreadable).size, 250);
  });

  it('counts once what cannot be read, whichever messages were deleted meanwhile', async () => {
    for (const deleted of [0, 1, 3, 10]) {
      const reader = new Reader(group);
      const chat = new ListedChat([sent, ...numbered(20), unreadable(1), ...numbered(10, 21), unreadable(2)]);
      await reader.read(chat.list);
      assert.equal(new Set(reader.unreadable).size, 2);
      chat.entries.splice(-1 - deleted, deleted);
      chat.entries.push(unreadable(3), unreadable(4));
      await reader.read(chat.list);
      assert.equal(new Set(reader.unreadable).size, 4, `${deleted} deleted`);
      assert.equal(reader.unreadable.length, 4);
    }
  });

  it('counts once what cannot be read and looks different each time', async () => {
    for (const deleted of [0, 1, 3]) {
      const reader = new Reader(group);
      const chat = new ListedChat([sent, unreadable(1), ...numbered(20), unreadable(2), unreadable(3)], 10);
      chat.isChanging = true;
      await reader.read(chat.list);
      await reader.read(chat.list);
      assert.equal(new Set(reader.unreadable).size, 3);
      chat.entries.splice(-2 - deleted, deleted);
      chat.entries.push(unreadable(4));
      await reader.read(chat.list);
      assert.equal(new Set(reader.unreadable).size, 4, `${deleted} deleted`);
    }
  });

  it('counts each of several equal ones, on whichever page', async () => {
    const reader = new Reader(group);
    const chat = new ListedChat([sent, unreadable(1), reply('m1'), unreadable(1), unreadable(1), reply('m2')], 3);
    await reader.read(chat.list);
    chat.entries.push(unreadable(1));
    await reader.read(chat.list);
    assert.equal(new Set(reader.unreadable).size, 4);
  });

  it('reads from the archive what it has, and the rest from the service', async () => {
    const reader = new Reader(group);
    const chat = new ListedChat([sent, ...numbered(350)]);
    const archive = new ListedChat([sent, ...numbered(300)]);
    await reader.read(chat.list, async (page) => {
      const found = await archive.list(page).catch(() => []);
      return found.length > 1 ? found : undefined;
    });
    assert.equal(reader.found.length, 350);
    assert.equal(chat.calls, 2);
  });

  it('asks the service if the archive fails', async () => {
    const reader = new Reader(group);
    await reader.read(new ListedChat([sent, reply('answer')]).list, async () => assert.fail('damaged'));
    assert.deepEqual(reader.found, ['answer']);
  });

  it('stops when it is paused, and keeps what it has found', async () => {
    const pause = new AbortController();
    const chat = new ListedChat([sent, ...numbered(250)]);
    const kept: ReadStep[] = [];
    const keep = async (step: ReadStep) => {
      kept.push(step);
      pause.abort('paused');
    };
    const options = { sentAt: SENT, list: chat.list, archived: async () => undefined, keep };
    await assert.rejects(
      readReplies(group, { anchors: [], thread: [], unreadable: [] }, options, pause.signal),
      (reason) => reason === 'paused',
    );
    assert.equal(kept[0]?.answers.length, 100);
  });

  it('finds in several readings what is in the whole chat, while messages come and are deleted', () =>
    fc.assert(
      fc.asyncProperty(
        randomChat,
        fc.integer({ min: 2, max: 20 }),
        fc.array(fc.nat(), { maxLength: 3 }),
        fc.array(fc.nat(), { maxLength: 4 }),
        async ({ of, entries }, limit, cuts, deleted) => {
          const start = entries.findIndex((entry) => idOf(entry) === of.msgId) + 1;
          const reader = new Reader(of);
          const places = cuts.map((cut) => start + (cut % (entries.length - start + 1))).toSorted((a, b) => a - b);
          let known: Listed[] = [];
          for (const end of [...places, entries.length]) {
            const chat = new ListedChat(entries.slice(0, end), limit);
            await reader.read(chat.list);
            if (reader.steps.at(-1)?.isEnded) break;
            known = chat.entries;
          }
          assert.deepEqual(new Set(reader.found), new Set(answersIn(entries, of)));
          if (reader.steps.at(-1)?.isEnded) return;
          // What is gone was found before; what comes is found all the same.
          const rest = known.filter((_, at) => at < start || !deleted.includes(at));
          const late = listed({ msgId: 'late', parentId: of.msgId });
          await reader.read(new ListedChat([...rest, late], Math.max(limit, 10)).list);
          assert.equal(reader.found.at(-1), 'late');
        },
      ),
    ));
});
