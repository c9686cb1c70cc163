import assert from 'node:assert/strict';
import type { FoundPage } from '../../../../src/chats/archive/archiveDatabase.ts';
import type { SearchRequest } from '../../../../src/chats/archive/search.ts';
import { LatestSearch } from '../../../../src/chats/archiving/search/latestSearch.ts';
import { settled } from '../../deferred.ts';

/** A page of this many results. */
const pageOf = (count: number, below?: number): FoundPage => ({
  found: Array.from({ length: count }, () => ({})) as unknown as FoundPage['found'],
  next: below === undefined ? undefined : { below },
});

describe('The latest search', () => {
  /** The texts that were searched for, with how to answer each. */
  let asked: { text: string; below: number | undefined; answer(page: FoundPage): void; fail(error: Error): void }[];
  let shown: string[];
  let search: LatestSearch;
  const request = (text: string): SearchRequest => ({ text, order: 'newest' });
  const answer = async (page: FoundPage) => {
    asked.at(-1)?.answer(page);
    await settled();
  };

  beforeEach(() => {
    [asked, shown] = [[], []];
    const archive = {
      search: ({ text }: SearchRequest, _limit: number, cursor?: { below: number }) =>
        new Promise<FoundPage>((resolve, reject) => {
          asked.push({ text, below: cursor?.below, answer: resolve, fail: reject });
        }),
    };
    search = new LatestSearch(archive, {
      found: (number, found, isLast) => shown.push(`${number}: ${found.length}${isLast ? ' last' : ''}`),
      failed: (number, error) => shown.push(`${number}: ${error}`),
    });
  });

  it('skips the searches that were replaced while another one ran', async () => {
    for (const [at, text] of ['k', 'ke', 'ket'].entries()) search.start(at, request(text));
    await answer(pageOf(50, 7));
    await answer(pageOf(3));
    assert.deepEqual(
      asked.map(({ text }) => text),
      ['k', 'ket'],
    );
    assert.deepEqual(shown, ['2: 3 last']);
  });

  it('continues where it was, if more is wanted and there is more', async () => {
    search.start(1, request('a'));
    await answer(pageOf(50, 7));
    search.more(1);
    await answer(pageOf(2));
    search.more(1);
    search.more(0);
    assert.deepEqual(
      asked.map(({ below }) => below),
      [undefined, 7],
    );
    assert.deepEqual(shown, ['1: 50', '1: 2 last']);
  });

  it('goes on until a page is full: without an index, each step finds only some', async () => {
    search.start(1, request('a'));
    await answer(pageOf(0, 90));
    await answer(pageOf(20, 80));
    await answer(pageOf(30, 70));
    assert.equal(asked.length, 3);
    assert.deepEqual(shown, ['1: 20', '1: 30']);
  });

  it('ends where there is no more, although more was wanted before that was known', async () => {
    search.start(1, request('a'));
    await answer(pageOf(20, 80));
    search.more(1);
    await answer(pageOf(3));
    assert.equal(asked.length, 2);
    assert.deepEqual(shown, ['1: 20', '1: 3 last']);
  });

  it('says that it failed, and can be tried again', async () => {
    search.start(1, request('a'));
    asked.at(-1)?.fail(new Error('broken'));
    await settled();
    search.start(2, request('a'));
    await answer(pageOf(0));
    assert.deepEqual(shown, ['1: Error: broken', '2: 0 last']);
  });
});
