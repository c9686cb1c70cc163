import assert from 'node:assert/strict';
import * as v from 'valibot';
import { type ChatRow, Rows } from '../../../src/chats/rows.ts';
import { type Found, Group } from '../../../src/service/model.ts';
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
  const rows: Rows = new Rows(
    {
      peek: () => remembered,
      lookUp: (kind, id, { refresh }) => {
        const pending = { what: `${refresh ? 'again ' : ''}${kind} ${id}`, ...deferred<Found>() };
        asked.push(pending);
        return pending.promise;
      },
    },
    (row) => changes.push(`${row.id} ${rows.state(row).at}`),
  );
  const answer = async (with_: Found | Error, which = asked.length - 1) => {
    if (with_ instanceof Error) asked[which]?.reject(with_);
    else asked[which]?.resolve(with_);
    await settled();
  };
  return { rows, asked, changes, answer, requests: () => asked.map(({ what }) => what) };
}

/** Rows of which one is known by a name. */
async function known(name: string) {
  const all = held();
  const row = all.rows.row('group', 'big');
  all.rows.state(row);
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

  it('are looked up when their state is asked for, and only then', async () => {
    const { rows, requests, answer, changes } = held();
    const row = rows.row('group', 'big');
    for (let times = 0; times < 3; times++) assertState(rows, row, 'loading');
    assert.deepEqual(requests(), ['group big']);
    await answer(group('Riverside'));
    assertState(rows, row, 'known', 'Riverside');
    assert.deepEqual(changes, ['big known']);
    assert.deepEqual(requests(), ['group big']);
  });

  it('show what is remembered at once, and are looked up all the same', async () => {
    const { rows, requests, answer, changes } = held(group('Riverside'));
    const row = rows.row('group', 'big');
    assertState(rows, row, 'known', 'Riverside');
    assert.deepEqual(requests(), ['group big']);
    await answer(group('Renamed'));
    assertState(rows, row, 'known', 'Renamed');
    assert.deepEqual(changes, ['big known']);
  });

  it('keep what is remembered when its lookup fails', async () => {
    const { rows, answer } = held(group('Riverside'));
    const row = rows.row('group', 'big');
    rows.state(row);
    await answer(new Error('no network'));
    assertState(rows, row, 'failed', 'Riverside');
  });

  it('say why a lookup failed, and do not try again by themselves', async () => {
    const { rows, answer, requests, changes } = held();
    const row = rows.row('group', 'big');
    const error = new Error('no network');
    rows.state(row);
    await answer(error);
    assert.partialDeepStrictEqual(rows.state(row), { at: 'failed', error });
    assert.deepEqual([requests(), changes], [['group big'], ['big failed']]);
  });

  it('keep what is known while they are refreshed, and after that failed', async () => {
    const { rows, row, answer, changes } = await known('Riverside');
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
    assert.deepEqual(changes, ['big known', 'big loading', 'big failed', 'big loading', 'big known']);
  });

  it('ask for a fresh answer when they are refreshed', async () => {
    const { rows, row, requests } = await known('Riverside');
    void rows.refresh(row);
    assert.deepEqual(requests(), ['group big', 'again group big']);
  });

  it('are refreshed together, those that were looked up before', async () => {
    const { rows, requests, answer } = await known('Riverside');
    rows.state(rows.row('user', '7058314'));
    rows.row('bot', 'never shown');
    let done = false;
    const refreshing = rows.refreshAll().then(() => {
      done = true;
    });
    assert.deepEqual(requests().slice(2), ['again group big', 'again user 7058314']);
    await answer(group('Renamed'), 2);
    assert.equal(done, false);
    await answer(new Error('no network'), 3);
    await refreshing;
    assertState(rows, rows.row('group', 'big'), 'known', 'Renamed');
  });

  it('learn what others found, unless they look it up themselves', async () => {
    const { rows, row, answer, changes } = await known('Riverside');
    rows.learn('group', 'big', group('Renamed'));
    assertState(rows, row, 'known', 'Renamed');
    const refreshing = rows.refresh(row);
    rows.learn('group', 'big', group('Too early'));
    assertState(rows, row, 'loading', 'Renamed');
    await answer(new Error('no network'));
    await refreshing;
    rows.learn('group', 'big', group('Found'));
    assertState(rows, row, 'known', 'Found');
    assert.deepEqual(changes, ['big known', 'big known', 'big loading', 'big failed', 'big known']);
  });

  it('learn nothing of IDs that are not shown', () => {
    const { rows, changes, requests } = held();
    rows.learn('group', 'big', group('Riverside'));
    rows.row('group', 'big');
    rows.learn('group', 'big', group('Riverside'));
    assert.deepEqual([changes, requests()], [[], []]);
  });

  it('forget everything when they are reset', async () => {
    const { rows, row, requests } = await known('Riverside');
    rows.reset();
    assert.notEqual(rows.row('group', 'big'), row);
    assertState(rows, rows.row('group', 'big'), 'loading');
    assert.deepEqual(requests(), ['group big', 'group big']);
  });

  it('drop answers and failures that come after a reset', async () => {
    for (const late of [group('From another service'), new Error('no network')]) {
      const { rows, answer, changes } = held();
      rows.state(rows.row('group', 'big'));
      rows.reset();
      const row = rows.row('group', 'big');
      rows.state(row);
      await answer(late, 0);
      assertState(rows, row, 'loading');
      await answer(group('Here'), 1);
      assertState(rows, row, 'known', 'Here');
      assert.deepEqual(changes, ['big known']);
    }
  });
});
