import assert from 'node:assert/strict';
import { ListSession, type ListView } from '../../../src/pages/common/listSession.ts';
import type { FromRepliesPage, RepliesQuery, RepliesRow, RepliesSummary } from '../../../src/protocol/replies.ts';
import { chatRow, repliesOf } from '../../page/replySamples.ts';

describe('What a page knows of a delivery', () => {
  let session: ListSession<RepliesQuery, RepliesSummary, RepliesRow>;
  let view: ListView<RepliesQuery, RepliesSummary, RepliesRow>;
  let posted: FromRepliesPage[];
  let saved: object[];
  let isAtTop: boolean;

  const start = (state: object = {}) => {
    posted = [];
    saved = [];
    isAtTop = true;
    session = new ListSession<RepliesQuery, RepliesSummary, RepliesRow>(
      { query: { states: [], text: '' }, position: undefined, ...state },
      10,
      {
        post: (message) => posted.push(message),
        save: (one) => saved.push(one),
        paint: (next) => {
          view = next;
        },
        isAtTop: () => isAtTop,
        keyOf: ({ key }) => key,
        contentsOf: ({ counts, total }) => [counts, total],
      },
    );
    session.start();
    session.receive(repliesOf());
  };
  const lists = () => posted.flatMap((one) => (one.type === 'list' ? [one.list] : []));
  const list = (list: number, total: number, ...ids: string[]) =>
    session.receive({ type: 'list', list, total, rows: ids.map((id) => chatRow(id)) });

  it('asks for a list once it has counts, and again when they change', () => {
    start();
    session.receive(repliesOf());
    session.receive(repliesOf({ total: 13 }));
    assert.deepEqual(lists(), [11, 12]);
  });

  it('ignores the rows of a list that it does not want any more', () => {
    start();
    session.filter({ text: 'x' });
    list(11, 1, 'a');
    assert.deepEqual(view.rows, []);
    assert.equal(view.total, undefined);
    list(12, 1, 'b');
    assert.equal(view.rows.length, 1);
  });

  it('leaves the list alone while somebody is in the middle of it', () => {
    start();
    isAtTop = false;
    session.receive(repliesOf({ total: 13 }));
    assert.deepEqual(lists(), [11]);
    assert.equal(view.isOutdated, true);
    session.refresh(true);
    assert.deepEqual(lists(), [11, 12]);
    assert.equal(view.isOutdated, false);
  });

  it('changes rows where they are, unless they are of a list that it does not want any more', () => {
    start();
    list(11, 3, 'a', 'b', 'c');
    const rows = [{ at: 1, row: chatRow('b', { count: 5 }) }];
    session.receive({ type: 'changed', list: 10, rows });
    assert.deepEqual(
      view.rows,
      ['a', 'b', 'c'].map((id) => chatRow(id)),
    );
    session.receive({ type: 'changed', list: 11, rows });
    assert.deepEqual(view.rows, [chatRow('a'), chatRow('b', { count: 5 }), chatRow('c')]);
  });

  it('asks for more rows one portion at a time, until all are there', () => {
    start();
    list(11, 3, 'a', 'b');
    session.more();
    session.more();
    assert.equal(posted.filter(({ type }) => type === 'more').length, 1);
    session.receive({ type: 'more', list: 11, rows: [chatRow('c')] });
    session.more();
    assert.equal(view.rows.length, 3);
    assert.equal(posted.filter(({ type }) => type === 'more').length, 1);
  });

  it('asks again for a list that couldn’t be made once the delivery can be read', () => {
    start();
    session.receive({ type: 'failed', text: 'Gone', list: 10 });
    assert.equal(view.failure, '');
    session.receive({ type: 'failed', text: 'Gone', list: 11 });
    assert.equal(view.failure, 'Gone');
    assert.equal(view.isWaiting, false);
    session.receive(repliesOf());
    assert.deepEqual(lists(), [11, 12]);
    assert.equal(view.failure, '');
    list(12, 1, 'a');
    session.receive({ type: 'failed', text: 'Gone' });
    session.receive(repliesOf());
    assert.deepEqual(lists(), [11, 12]);
  });

  it('loads as many rows as it needs to return to where it was, unless another query is chosen', () => {
    const position = { top: 'group c', offset: 0, count: 3 };
    start({ position });
    list(11, 3, 'a', 'b');
    assert.equal(view.returnsTo, undefined);
    session.keep({ ...position, top: 'group a' });
    session.receive({ type: 'more', list: 11, rows: [chatRow('c')] });
    assert.deepEqual(view.returnsTo, position);
    assert.deepEqual(saved.at(-1), { query: { states: [], text: '' }, position });
    session.filter({ text: 'x' });
    assert.deepEqual(saved.at(-1), { query: { states: [], text: 'x' } });
  });
});
