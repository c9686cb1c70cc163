import assert from 'node:assert/strict';
import * as v from 'valibot';
import { type Found, Group } from '../../../src/service/model.ts';
import { type ChatRow, Rows } from '../../../src/sidebar/rows.ts';
import { type Deferred, deferred, settled } from '../deferred.ts';

const group = (name: string): Found => ({
  kind: 'group',
  resource: v.parse(Group, { groupId: 'big', name }),
  raw: {},
});

/** Rows whose lookups the test answers. */
function held(remembered?: Found) {
  const asked: (Deferred<Found> & { what: string })[] = [];
  const changes: string[] = [];
  const busy: boolean[] = [];
  const rows: Rows = new Rows(
    {
      peek: () => remembered,
      lookUp: (kind, id, { refresh, signal }) => {
        const pending = { what: `${refresh ? 'again ' : ''}${kind} ${id}`, ...deferred<Found>() };
        signal.addEventListener('abort', () => pending.reject(signal.reason));
        asked.push(pending);
        return pending.promise;
      },
    },
    {
      changed: (row) => changes.push(`${row.id} ${rows.state(row).at}`),
      busy: (isBusy) => busy.push(isBusy),
    },
  );
  const answer = async (with_: Found | Error, which = asked.length - 1) => {
    if (with_ instanceof Error) asked[which]?.reject(with_);
    else asked[which]?.resolve(with_);
    await settled();
  };
  return { rows, asked, changes, busy, answer, requests: () => asked.map(({ what }) => what) };
}

/** Rows of which one is known by a name. */
async function known(name: string) {
  const all = held();
  const row = all.rows.row('group', 'big');
  all.rows.seen(row);
  await all.answer(group(name));
  return { ...all, row };
}

/** Asserts a state and the name that is known in it. */
function assertState(rows: Rows, row: ChatRow, at: string, name?: string): void {
  const state = rows.state(row);
  const shown = state.found?.kind === 'group' ? state.found.resource.name : undefined;
  assert.deepEqual([state.at, shown], [at, name]);
}

describe('Rows of the sidebar', () => {
  it('are one object for each kind and ID', () => {
    const { rows, requests } = held();
    assert.equal(rows.row('group', '1'), rows.row('group', '1'));
    assert.notEqual(rows.row('group', '1'), rows.row('user', '1'));
    assert.notEqual(rows.row('group', '1'), rows.row('group', '2'));
    assert.deepEqual(rows.row('user', '7058314'), { type: 'chat', kind: 'user', id: '7058314' });
    assert.deepEqual(requests(), []);
  });

  it('are found by kind and ID where they are, and not made by that', () => {
    const { rows } = held();
    assert.equal(rows.find('group', '1'), undefined);
    const row = rows.row('group', '1');
    assert.deepEqual([rows.find('group', '1'), rows.find('user', '1')], [row, undefined]);
  });

  it('ask for nothing before they are seen, and then once', async () => {
    const { rows, requests, answer, changes } = held();
    const row = rows.row('group', 'big');
    for (let times = 0; times < 3; times++) assertState(rows, row, 'waiting');
    assert.deepEqual(requests(), []);
    for (let times = 0; times < 3; times++) rows.seen(row);
    assertState(rows, row, 'loading');
    assert.deepEqual(requests(), ['group big']);
    await answer(group('Riverside'));
    assertState(rows, row, 'known', 'Riverside');
    rows.seen(row);
    await rows.need(row);
    assert.deepEqual([changes, requests()], [['big loading', 'big known'], ['group big']]);
  });

  it('show what is remembered at once, and are looked up all the same when they are seen', async () => {
    const { rows, requests, answer } = held(group('Riverside'));
    const row = rows.row('group', 'big');
    assertState(rows, row, 'waiting', 'Riverside');
    rows.seen(row);
    assertState(rows, row, 'loading', 'Riverside');
    assert.deepEqual(requests(), ['group big']);
    await answer(group('Renamed'));
    assertState(rows, row, 'known', 'Renamed');
  });

  it('tell of no change while one that has a name is looked up', async () => {
    const { rows, changes, answer } = held(group('Riverside'));
    const row = rows.row('group', 'big');
    rows.seen(row);
    assert.deepEqual(changes, []);
    await answer(new Error('no network'));
    void rows.refresh(row);
    // What went wrong is no longer shown.
    assert.deepEqual(changes, ['big failed', 'big loading']);
  });

  it('are not looked up after they were scrolled past, but when they are seen again', async () => {
    const { rows, requests, answer, changes } = held();
    const passed = Array.from({ length: 105 }, (_, index) => rows.row('group', `${index}`));
    for (const row of passed) rows.seen(row);
    await settled();
    changes.length = 0;
    for (const [index, row] of passed.entries()) assertState(rows, row, index < 5 ? 'waiting' : 'loading');
    const { round } = rows;
    await answer(group('Riverside'), 5);
    assertState(rows, rows.row('group', '5'), 'known', 'Riverside');
    rows.seen(rows.row('group', '0'));
    assert.deepEqual([requests().at(-1), changes], ['group 0', ['5 known', '0 loading']]);
    // There is room for it now.
    assertState(rows, rows.row('group', '6'), 'loading');
    assert.ok(round > 0);
  });

  it('tell those that were scrolled past as changed, in another round', async () => {
    const { rows, changes } = held();
    for (let index = 0; index < 101; index++) rows.seen(rows.row('group', `${index}`));
    const { round } = rows;
    await settled();
    assert.deepEqual([changes.slice(101), round, rows.round], [['0 waiting'], 0, 1]);
  });

  it('are looked up to the end where the person wants to know, be they scrolled past', async () => {
    const { rows, answer } = held();
    const [opened, refreshed] = [rows.row('group', 'opened'), rows.row('group', 'refreshed')];
    rows.seen(opened);
    let isThere = false;
    const needed = rows.need(opened).then(() => {
      isThere = true;
    });
    void rows.refresh(refreshed);
    for (let index = 0; index < 105; index++) rows.seen(rows.row('group', `${index}`));
    await settled();
    assertState(rows, refreshed, 'loading');
    assert.equal(isThere, false);
    await answer(group('Riverside'), 0);
    await needed;
    assertState(rows, opened, 'known', 'Riverside');
  });

  it('keep what is remembered when its lookup fails', async () => {
    const { rows, answer } = held(group('Riverside'));
    const row = rows.row('group', 'big');
    rows.seen(row);
    await answer(new Error('no network'));
    assertState(rows, row, 'failed', 'Riverside');
  });

  it('say why a lookup failed, and do not try again by being seen', async () => {
    const { rows, answer, requests, changes } = held();
    const row = rows.row('group', 'big');
    const error = new Error('no network');
    rows.seen(row);
    await answer(error);
    rows.seen(row);
    await rows.need(row);
    assert.partialDeepStrictEqual(rows.state(row), { at: 'failed', error });
    assert.deepEqual([requests(), changes], [['group big'], ['big loading', 'big failed']]);
  });

  it('keep what is known while they are refreshed, and after that failed', async () => {
    const { rows, row, answer } = await known('Riverside');
    const refreshing = rows.refresh(row);
    assertState(rows, row, 'loading', 'Riverside');
    await answer(new Error('no network'));
    await refreshing;
    assertState(rows, row, 'failed', 'Riverside');
    const again = rows.refresh(row);
    assertState(rows, row, 'loading', 'Riverside');
    await answer(group('Renamed'));
    await again;
    assertState(rows, row, 'known', 'Renamed');
  });

  it('ask for a new answer when they are refreshed', async () => {
    const { rows, row, requests } = await known('Riverside');
    void rows.refresh(row);
    assert.deepEqual(requests(), ['group big', 'again group big']);
  });

  it('are all refreshed as they are seen, and keep what is known until then', async () => {
    const { rows, row, requests, answer } = await known('Riverside');
    const other = rows.row('user', '7058314');
    assert.equal(rows.round, 0);
    rows.refreshAll();
    assert.equal(rows.round, 1);
    assertState(rows, row, 'waiting', 'Riverside');
    assert.deepEqual(requests(), ['group big']);
    rows.seen(row);
    rows.seen(other);
    assert.deepEqual(requests().slice(1), ['again group big', 'again user 7058314']);
    await answer(group('Renamed'), 1);
    assertState(rows, row, 'known', 'Renamed');
  });

  it('take no answer for one to a refresh that came after the question, and wait to be seen again', async () => {
    for (const late of [group('Old'), new Error('no network')]) {
      const { rows, row, requests, answer } = await known('Riverside');
      rows.refreshAll();
      rows.seen(row);
      rows.refreshAll();
      await answer(late, 1);
      assertState(rows, row, 'waiting', late instanceof Error ? 'Riverside' : 'Old');
      assert.equal(rows.round, 3);
      rows.seen(row);
      await answer(group('New'), 2);
      assertState(rows, row, 'known', 'New');
      assert.deepEqual(requests(), ['group big', 'again group big', 'again group big']);
    }
  });

  it('take no answer once they were asked for again', async () => {
    const { rows, answer, changes } = held();
    const row = rows.row('group', 'big');
    rows.seen(row);
    void rows.refresh(row);
    await answer(group('Old'), 0);
    assertState(rows, row, 'loading');
    await answer(group('New'), 1);
    assertState(rows, row, 'known', 'New');
    assert.deepEqual(changes, ['big loading', 'big loading', 'big known']);
  });

  it('tell when lookups are under way, and when the last of them has ended', async () => {
    const { rows, answer, busy } = held();
    rows.seen(rows.row('group', 'big'));
    rows.seen(rows.row('group', 'small'));
    assert.deepEqual(busy, [true]);
    await answer(group('Riverside'), 0);
    assert.deepEqual(busy, [true]);
    await answer(new Error('no network'), 1);
    assert.deepEqual(busy, [true, false]);
  });

  it('know of trouble that all of them share, and of its end', async () => {
    const { rows, answer } = held();
    const [big, small] = [rows.row('group', 'big'), rows.row('group', 'small')];
    assert.equal(rows.trouble(), undefined);
    const error = new Error('no network');
    rows.seen(big);
    rows.seen(small);
    await answer(error, 0);
    assert.equal(rows.trouble(), error);
    await answer(group('Riverside'), 1);
    assert.equal(rows.trouble(), undefined);
  });

  it('learn what others found, unless they look it up themselves', async () => {
    const { rows, row, answer } = await known('Riverside');
    rows.learn('group', 'big', group('Renamed'));
    assertState(rows, row, 'known', 'Renamed');
    const refreshing = rows.refresh(row);
    rows.learn('group', 'big', group('Too early'));
    assertState(rows, row, 'loading', 'Renamed');
    await answer(new Error('no network'));
    await refreshing;
    rows.learn('group', 'big', group('Found'));
    assertState(rows, row, 'known', 'Found');
  });

  it('learn nothing of IDs that are not shown', () => {
    const { rows, changes, requests } = held();
    rows.learn('group', 'big', group('Riverside'));
    rows.row('group', 'big');
    rows.learn('group', 'big', group('Riverside'));
    assert.deepEqual([changes, requests()], [[], []]);
  });

  it('forget everything when they are reset, and wait to be seen in another round', async () => {
    const { rows, row, requests } = await known('Riverside');
    rows.refreshAll();
    rows.reset();
    assert.equal(rows.round, 2);
    assert.notEqual(rows.row('group', 'big'), row);
    assertState(rows, rows.row('group', 'big'), 'waiting');
    rows.seen(rows.row('group', 'big'));
    assert.deepEqual(requests(), ['group big', 'group big']);
  });

  it('drop answers and failures that come after a reset', async () => {
    for (const late of [group('From another service'), new Error('no network')]) {
      const { rows, answer, changes, busy } = held();
      rows.seen(rows.row('group', 'big'));
      rows.reset();
      const row = rows.row('group', 'big');
      rows.seen(row);
      await answer(late, 0);
      assertState(rows, row, 'loading');
      await answer(group('Here'), 1);
      assertState(rows, row, 'known', 'Here');
      assert.deepEqual(changes, ['big loading', 'big loading', 'big known']);
      assert.deepEqual(busy, [true, false]);
    }
  });
});
