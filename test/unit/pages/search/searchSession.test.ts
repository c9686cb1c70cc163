import assert from 'node:assert/strict';
import { EMPTY } from '../../../../src/pages/search/query.ts';
import { SearchSession, type SearchView } from '../../../../src/pages/search/searchSession.ts';
import type { FromSearchPage, SearchPageState } from '../../../../src/protocol/search.ts';
import { foundViews, scope } from '../../../page/searchResults.ts';

describe('A search session', () => {
  let session: SearchSession;
  let view: SearchView;
  let posted: FromSearchPage[];
  let saved: SearchPageState[];

  const start = (query = EMPTY, more: Partial<SearchPageState> = {}, number = 10) => {
    posted = [];
    saved = [];
    session = new SearchSession({ query, ...more }, number, {
      post: (message) => posted.push(message),
      save: (state) => saved.push(state),
      paint: (next) => {
        view = next;
      },
    });
    session.start();
  };
  const find = (text: string) => session.change({ ...EMPTY, text });
  const answer = (search: number, from: number, count: number, isLast = false) =>
    session.receive({ type: 'found', search, found: foundViews(from, count), isLast });
  const keys = () => view.found.map(({ key }) => key).join(' ');

  it('starts with the saved query, and gives each search a higher number', () => {
    start({ ...EMPTY, text: 'soup' });
    find('bread');
    assert.deepEqual(posted, [
      { type: 'search', search: 11, query: { text: 'soup', order: 'newest' } },
      { type: 'search', search: 12, query: { text: 'bread', order: 'newest' } },
    ]);
    assert.equal(saved.at(-1)?.query.text, 'bread');
  });

  it('keeps the results of the query before until the first of the next come', () => {
    start();
    answer(11, 1, 2);
    find('soup');
    assert.equal(keys(), '1 2');
    assert.equal(view.waitsFor, 'first');
    answer(11, 3, 1);
    assert.equal(keys(), '1 2');
    assert.equal(view.waitsFor, 'first');
    answer(12, 7, 1);
    answer(12, 8, 1, true);
    assert.equal(keys(), '7 8');
    assert.equal(view.waitsFor, undefined);
    assert.equal(view.isLast, true);
  });

  it('searches again when a chat is deleted whose messages are shown', () => {
    start();
    session.receive(scope);
    answer(11, 1, 2);
    session.receive({ ...scope, summary: '2 chats' });
    assert.equal(posted.length, 1);
    session.receive({ ...scope, chats: scope.chats.filter(({ number }) => number !== 1) });
    assert.deepEqual(posted.at(-1), { type: 'search', search: 12, query: EMPTY });
  });

  it('asks for more once, until there are no more', () => {
    start();
    session.more();
    answer(11, 1, 1);
    session.more();
    session.more();
    answer(11, 2, 1, true);
    session.more();
    assert.deepEqual(posted.slice(1), [{ type: 'more', search: 11 }]);
  });

  it('asks for more again after that has failed, and only when told to', () => {
    start();
    answer(11, 1, 1);
    session.more();
    session.receive({ type: 'failed', search: 11, text: 'No.' });
    session.more();
    assert.equal(keys(), '1');
    assert.equal(view.failure, 'No.');
    assert.equal(posted.length, 2);
    session.retry();
    assert.deepEqual(posted.at(-1), { type: 'more', search: 11 });
    assert.equal(view.failure, undefined);
  });

  it('removes the results of the query before when a search fails, and repeats it when told to', () => {
    start();
    answer(11, 1, 1, true);
    find('soup');
    session.receive({ type: 'failed', search: 11, text: 'Too late.' });
    assert.equal(view.failure, undefined);
    session.receive({ type: 'failed', search: 12, text: 'No.' });
    assert.equal(keys(), '');
    assert.equal(view.failure, 'No.');
    assert.equal(view.isLast, false);
    session.retry();
    assert.deepEqual(posted.at(-1), { type: 'search', search: 13, query: { text: 'soup', order: 'newest' } });
  });

  describe('that was somewhere in the results before its page was loaded again', () => {
    const position = { top: '60', offset: -7, focused: '62', count: 70 };

    it('returns there once these results are loaded', () => {
      start(EMPTY, { position });
      answer(11, 1, 50);
      assert.deepEqual(posted.at(-1), { type: 'more', search: 11 });
      assert.equal(view.returnsTo, undefined);
      answer(11, 51, 50);
      assert.deepEqual(view.returnsTo, position);
      assert.equal(posted.length, 2);
    });

    it('stops loading if they are gone', () => {
      for (const [count, isLast] of [
        [120, false],
        [20, true],
      ] as const) {
        start(EMPTY, { position: { ...position, top: 'gone' } });
        answer(11, 1, count, isLast);
        assert.equal(view.returnsTo?.top, 'gone');
        assert.equal(posted.length, 1);
      }
    });

    it('stays where the user has gone meanwhile', () => {
      const leave: (() => void)[] = [
        () => find('soup'),
        () => session.compose('so'),
        () => session.receive({ type: 'focus' }),
      ];
      for (const doing of leave) {
        start(EMPTY, { position });
        doing();
        for (const search of [11, 12]) answer(search, 1, 100, true);
        assert.equal(view.returnsTo, undefined);
      }
    });

    it('saves a position only in the results of its query', () => {
      start();
      session.keep(position);
      assert.deepEqual(saved, [{ query: EMPTY }]);
      answer(11, 1, 50);
      session.keep(position);
      assert.deepEqual(saved.at(-1), { query: EMPTY, position });
      find('soup');
      session.keep(position);
      assert.deepEqual(saved.at(-1), { query: { ...EMPTY, text: 'soup' } });
    });
  });

  it('keeps whether the filters are unfolded, whatever is searched for', () => {
    start();
    session.showFilters(true);
    assert.equal(view.hasFilters, true);
    assert.deepEqual(saved.at(-1), { query: EMPTY, hasFilters: true });
    find('soup');
    const query = { ...EMPTY, text: 'soup' };
    assert.deepEqual(saved.at(-1), { query, hasFilters: true });
    start(query, { hasFilters: true }, 20);
    assert.equal(view.hasFilters, true);
    session.showFilters(false);
    assert.equal(saved.at(-1)?.hasFilters, false);
  });

  it('drops filters that are no longer available', () => {
    start({ ...EMPTY, text: 'soup', chat: 4, sender: 'user 7', kind: 'video' });
    session.receive(scope);
    assert.deepEqual(view.query, { text: 'soup', order: 'newest', sender: 'user 7' });
    assert.equal(posted.at(-1)?.type, 'search');
    assert.deepEqual(saved.at(-1), { query: view.query });
  });

  it('searches again when the archive changes only if nothing was found', () => {
    start();
    session.receive(scope);
    answer(11, 1, 0, true);
    assert.equal(posted.length, 1);
    session.receive(scope);
    assert.equal(posted.length, 2);
    answer(12, 1, 1, true);
    session.receive(scope);
    assert.equal(posted.length, 2);
  });
});
