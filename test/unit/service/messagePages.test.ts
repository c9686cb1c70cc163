import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { Page } from '../../../src/service/client.ts';
import { type Failure, ServiceError } from '../../../src/service/errors.ts';
import { Listed, newestMessage, oldestFirst } from '../../../src/service/message.ts';
import {
  adaptivePages,
  anchoredPage,
  isAnchorLost,
  LostAnchorError,
  listBeyond,
  listNewest,
  reachesBefore,
} from '../../../src/service/messagePages.ts';

const at = (msgId: string, sendTime?: number) => v.parse(Listed, { msgId, sendTime });
const unreadable = v.parse(Listed, 'no message');
const pageOf = (...ids: string[]) => ids.map((id) => at(id));
const idsOf = (page: readonly Listed[]) => page.map((entry) => (entry.readable ? entry.message.msgId : '?')).join('');
const rejection = (code: number, status = 200) => new ServiceError({ kind: 'rejected', code, text: '', status });

describe('A page of messages', () => {
  it('is put in order by its times, most of which are right, or newest first', () => {
    assert.equal(idsOf(oldestFirst([at('c', 3), at('b', 2), at('a', 1)])), 'abc');
    assert.equal(idsOf(oldestFirst([at('a', 1), at('b', 2), at('c', 3)])), 'abc');
    assert.equal(idsOf(oldestFirst([at('a', 9), unreadable, at('b', 2), at('c'), at('d', 3), at('e', 4)])), 'a?bcde');
    assert.equal(idsOf(oldestFirst(pageOf('c', 'b', 'a'))), 'abc');
    assert.equal(idsOf(oldestFirst([at('b', 1), at('a', 1)])), 'ab');
  });

  it('is put in order by the message at its end, whatever the times say', () => {
    const rising = [at('x', 1), at('y', 2)];
    assert.equal(idsOf(oldestFirst(rising, { msgId: 'x', is: 'newest' })), 'yx');
    assert.equal(idsOf(oldestFirst(rising, { msgId: 'y', is: 'oldest' })), 'yx');
    assert.equal(idsOf(oldestFirst(rising.toReversed(), { msgId: 'x', is: 'oldest' })), 'xy');
    assert.equal(idsOf(oldestFirst(rising.toReversed(), { msgId: 'y', is: 'newest' })), 'xy');
    assert.equal(idsOf(oldestFirst(rising, { msgId: 'z', is: 'newest' })), 'xy');
  });

  it('has each message once, and its anchor, or is none', () => {
    const page = [at('c'), at('b'), unreadable, at('b'), unreadable, at('a')];
    assert.equal(idsOf(anchoredPage(page, 'b')?.entries ?? []), 'a?b?c');
    assert.equal(anchoredPage(page, 'b')?.anchorIndex, 2);
    assert.equal(anchoredPage(page, 'a')?.anchorIndex, 0);
    assert.equal(anchoredPage(page, 'd'), undefined);
    const rising = [at('a', 1), at('b', 2)];
    assert.equal(idsOf(anchoredPage(rising, 'a', 'older')?.entries ?? []), 'ba');
    assert.equal(idsOf(anchoredPage(rising, 'a', 'newer')?.entries ?? []), 'ab');
  });

  it('knows its newest message and time', () => {
    assert.deepEqual(newestMessage([at('c'), unreadable, at('b', 2), at('a', 1)]), { msgId: 'c', sendTime: 2 });
    assert.deepEqual(newestMessage([at('c', 3), at('b', 4)]), { msgId: 'c', sendTime: 3 });
    assert.deepEqual(newestMessage([at('c')]), { msgId: 'c', sendTime: 0 });
    assert.equal(newestMessage([]), undefined);
  });

  it('counts the unreadable ones after it', () => {
    assert.deepEqual(newestMessage([unreadable, unreadable, at('c', 3)]), { msgId: 'c', sendTime: 3, unreadable: 2 });
    assert.deepEqual(newestMessage([unreadable]), { msgId: '', sendTime: 0, unreadable: 1 });
  });

  it('reaches back before a time if the three oldest messages with a time do, as one clock may be wrong', () => {
    const times = [undefined, 1, undefined, 2, 3, 9];
    assert.equal(reachesBefore(times, 4), true);
    assert.equal(reachesBefore(times, 3), false);
    assert.equal(reachesBefore([1, 2], 4), false);
    assert.equal(reachesBefore([undefined], 2), false);
  });
});

describe('The page beyond a segment', () => {
  /** A service that answers or fails for each anchor, and what it was asked. */
  function serving(answers: Record<string, Listed[] | Error>) {
    const asked: Page[] = [];
    const list = async (page: Page) => {
      asked.push(page);
      const answer = 'anchor' in page ? answers[page.anchor] : undefined;
      if (!answer || answer instanceof Error) throw answer;
      return answer;
    };
    return { list, asked };
  }
  const anchors = [
    { msgId: 'm', beyond: 0 },
    { msgId: 'n', beyond: 2 },
  ];

  it('is full if it has all that was requested besides the anchor', async () => {
    for (const [ids, isFull] of [
      [['m', 'l', 'k', 'j'], true],
      [['m', 'l', 'k'], false],
    ] as const) {
      const { list, asked } = serving({ m: pageOf(...ids) });
      const page = await listBeyond(list, anchors, 'older', 3);
      assert.deepEqual([idsOf(page.entries), page.isFull], [[...ids].reverse().join(''), isFull]);
      assert.deepEqual(asked, [{ anchor: 'm', before: 3 }]);
    }
    const { list, asked } = serving({ m: pageOf('m') });
    assert.equal((await listBeyond(list, anchors, 'newer')).anchorIndex, 0);
    assert.deepEqual(asked, [{ anchor: 'm', after: 50 }]);
  });

  it('continues from the next anchor if the first is gone, and asks for what lies between in addition', async () => {
    for (const gone of [rejection(-1), rejection(1002), pageOf('x')]) {
      const { list, asked } = serving({ m: gone, n: pageOf('m', 'n') });
      assert.equal(idsOf((await listBeyond(list, anchors, 'newer', 3)).entries), 'nm');
      assert.deepEqual(asked, [
        { anchor: 'm', after: 3 },
        { anchor: 'n', after: 5 },
      ]);
    }
  });

  it('fails with what was wrong with the last anchor', async () => {
    const none = serving({ m: rejection(-1), n: pageOf('x') });
    await assert.rejects(listBeyond(none.list, anchors, 'older'), { message: 'no message n in the answer' });
    const refused = serving({ m: pageOf('x'), n: rejection(-1) });
    await assert.rejects(listBeyond(refused.list, anchors, 'older'), rejection(-1));
    await assert.rejects(listBeyond(none.list, [], 'older'), { msgId: '', message: 'no message to go on from' });
  });

  it("fails at once if another anchor can't help", async () => {
    const errors = [rejection(1003), rejection(1007), rejection(-1, 503), new Error('no')];
    for (const error of errors) {
      const { list, asked } = serving({ m: error, n: pageOf('n') });
      await assert.rejects(listBeyond(list, anchors, 'older'), error);
      assert.equal(asked.length, 1);
      assert.equal(isAnchorLost(error), false);
    }
    const timedOut: Failure = { kind: 'timedOut', after: 5 };
    assert.equal(isAnchorLost(new ServiceError(timedOut)), false);
    for (const error of [rejection(-1), new LostAnchorError('m')]) assert.equal(isAnchorLost(error), true);
  });
});

describe('The newest messages', () => {
  it('are requested four times as many at a time until one is readable, or there are no more', async () => {
    const askedOf = async (chat: Listed[]) => {
      const asked: Page[] = [];
      const page = await listNewest(async (page) => {
        asked.push(page);
        return 'latest' in page ? chat.slice(0, page.latest) : [];
      }, 2);
      return [idsOf(page), ...asked.map((page) => 'latest' in page && page.latest)];
    };
    assert.deepEqual(await askedOf(pageOf('c', 'b', 'a')), ['bc', 2]);
    assert.deepEqual(await askedOf([...Array(8).fill(unreadable), at('a')]), ['a????????', 2, 8, 32]);
    assert.deepEqual(await askedOf([unreadable, unreadable, unreadable]), ['???', 2, 8]);
    assert.deepEqual(await askedOf([unreadable]), ['?', 2]);
  });
});

describe('Pages that may be too large', () => {
  const tooLarge = new ServiceError({ kind: 'tooLarge', bound: 5 });

  /** The sizes that are asked for until one page of a chat that allows so many messages was read, and the outcome. */
  const readOnce = async (pages: ReturnType<typeof adaptivePages>, allowed: number, error: unknown = tooLarge) => {
    const asked: number[] = [];
    const outcome = await pages(async (size) => {
      asked.push(size);
      if (size > allowed) throw error;
      return 'read';
    }).catch((thrown) => thrown);
    return [outcome, ...asked];
  };

  it('are halved until they are small enough, and grow again up to the largest', async () => {
    const pages = adaptivePages(20);
    assert.deepEqual(await readOnce(pages, 4), ['read', 20, 10, 5, 3]);
    assert.deepEqual(await readOnce(pages, 20), ['read', 6]);
    assert.deepEqual(await readOnce(pages, 20), ['read', 12]);
    assert.deepEqual(await readOnce(pages, 20), ['read', 20]);
    assert.deepEqual(await readOnce(pages, 20), ['read', 20]);
  });

  it('fail where one message is too large, and at once for any other reason', async () => {
    assert.deepEqual(await readOnce(adaptivePages(3), 0), [tooLarge, 3, 2, 1]);
    const timedOut = new ServiceError({ kind: 'timedOut', after: 5 });
    assert.deepEqual(await readOnce(adaptivePages(3), 0, timedOut), [timedOut, 3]);
  });
});
