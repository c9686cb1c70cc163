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

/** Rows whose lookups the test settles. `remembered` is cached for every ID. */
function heldRows(remembered?: Found) {
  const cached = new Map<string, Found>();
  const lookUps: (Deferred<void> & { key: string; request: string })[] = [];
  const changes: string[] = [];
  const busy: boolean[] = [];
  const rows: Rows = new Rows(
    {
      peek: (kind, id) => cached.get(`${kind} ${id}`) ?? remembered,
      lookUp: (kind, id, { refresh, signal }) => {
        const key = `${kind} ${id}`;
        const lookUp = { key, request: `${refresh ? 'again ' : ''}${key}`, ...deferred<void>() };
        signal.addEventListener('abort', () => lookUp.reject(signal.reason));
        lookUps.push(lookUp);
        return lookUp.promise;
      },
    },
    {
      rowChanged: (row) => changes.push(`${row.id} ${rows.state(row).status}`),
      busyChanged: (isBusy) => busy.push(isBusy),
    },
  );
  const answer = async (result: Found | Error, which = lookUps.length - 1) => {
    const lookUp = lookUps[which] ?? assert.fail(`no lookup ${which}`);
    if (result instanceof Error) lookUp.reject(result);
    else {
      cached.set(lookUp.key, result);
      lookUp.resolve();
    }
    await settled();
  };
  /** Another feature has looked up the group "big". */
  const update = (found: Found) => {
    cached.set('group big', found);
    rows.update('group', 'big');
  };
  return { rows, cached, changes, busy, answer, update, requests: () => lookUps.map(({ request }) => request) };
}

/** Rows, one of them with this name. */
async function known(name: string) {
  const all = heldRows();
  const row = all.rows.row('group', 'big');
  all.rows.lookUpVisible(row);
  await all.answer(group(name));
  return { ...all, row };
}

/** Asserts the status of a row and its name. */
function assertState(rows: Rows, row: ChatRow, status: string, name?: string): void {
  const state = rows.state(row);
  const shown = state.found?.kind === 'group' ? state.found.resource.name : undefined;
  assert.deepEqual([state.status, shown], [status, name]);
}

describe('The rows of the sidebar', () => {
  it('are a single object per kind and ID', () => {
    const { rows, requests } = heldRows();
    assert.equal(rows.row('group', '1'), rows.row('group', '1'));
    assert.notEqual(rows.row('group', '1'), rows.row('user', '1'));
    assert.notEqual(rows.row('group', '1'), rows.row('group', '2'));
    assert.deepEqual(rows.row('user', '7058314'), { type: 'chat', kind: 'user', id: '7058314' });
    assert.deepEqual(requests(), []);
  });

  it('are looked up once, when they become visible', async () => {
    const { rows, requests, answer, changes } = heldRows();
    const row = rows.row('group', 'big');
    for (let times = 0; times < 3; times++) assertState(rows, row, 'waiting');
    assert.deepEqual(requests(), []);
    for (let times = 0; times < 3; times++) rows.lookUpVisible(row);
    assertState(rows, row, 'loading');
    assert.deepEqual(requests(), ['group big']);
    await answer(group('Riverside'));
    assertState(rows, row, 'known', 'Riverside');
    rows.lookUpVisible(row);
    await rows.lookUp(row);
    assert.deepEqual([changes, requests()], [['big loading', 'big known'], ['group big']]);
  });

  it('show what is cached at once, and are still looked up when they become visible', async () => {
    const { rows, requests, answer } = heldRows(group('Riverside'));
    const row = rows.row('group', 'big');
    assertState(rows, row, 'waiting', 'Riverside');
    rows.lookUpVisible(row);
    assertState(rows, row, 'loading', 'Riverside');
    assert.deepEqual(requests(), ['group big']);
    await answer(group('Renamed'));
    assertState(rows, row, 'known', 'Renamed');
  });

  it("don't change while a row with a name is looked up", async () => {
    const { rows, changes, answer } = heldRows(group('Riverside'));
    const row = rows.row('group', 'big');
    rows.lookUpVisible(row);
    assert.deepEqual(changes, []);
    await answer(new Error('no network'));
    void rows.refresh(row);
    // The error is no longer shown.
    assert.deepEqual(changes, ['big failed', 'big loading']);
  });

  it("aren't looked up after they were scrolled past until they are visible again", async () => {
    const { rows, requests, answer, changes } = heldRows();
    const passed = Array.from({ length: 105 }, (_, index) => rows.row('group', `${index}`));
    for (const row of passed) rows.lookUpVisible(row);
    await settled();
    changes.length = 0;
    for (const [index, row] of passed.entries()) assertState(rows, row, index < 5 ? 'waiting' : 'loading');
    const { generation } = rows;
    await answer(group('Riverside'), 5);
    assertState(rows, rows.row('group', '5'), 'known', 'Riverside');
    rows.lookUpVisible(rows.row('group', '0'));
    assert.deepEqual([requests().at(-1), changes], ['group 0', ['5 known', '0 loading']]);
    // It's one of the last 100 now.
    assertState(rows, rows.row('group', '6'), 'loading');
    assert.ok(generation > 0);
  });

  it('change to a new generation when they were scrolled past', async () => {
    const { rows, changes } = heldRows();
    for (let index = 0; index < 101; index++) rows.lookUpVisible(rows.row('group', `${index}`));
    const { generation } = rows;
    await settled();
    assert.deepEqual([changes.slice(101), generation, rows.generation], [['0 waiting'], 0, 1]);
  });

  it('are looked up even if they were scrolled past when they were opened or refreshed', async () => {
    const { rows, answer } = heldRows();
    const [opened, refreshed] = [rows.row('group', 'opened'), rows.row('group', 'refreshed')];
    rows.lookUpVisible(opened);
    let isThere = false;
    const needed = rows.lookUp(opened).then(() => {
      isThere = true;
    });
    void rows.refresh(refreshed);
    for (let index = 0; index < 105; index++) rows.lookUpVisible(rows.row('group', `${index}`));
    await settled();
    assertState(rows, refreshed, 'loading');
    assert.equal(isThere, false);
    await answer(group('Riverside'), 0);
    await needed;
    assertState(rows, opened, 'known', 'Riverside');
  });

  it("keep the error of a failed lookup, and aren't looked up again when they are visible", async () => {
    const { rows, answer, requests, changes } = heldRows();
    const row = rows.row('group', 'big');
    const error = new Error('no network');
    rows.lookUpVisible(row);
    await answer(error);
    rows.lookUpVisible(row);
    await rows.lookUp(row);
    assert.partialDeepStrictEqual(rows.state(row), { status: 'failed', error });
    assert.deepEqual([requests(), changes], [['group big'], ['big loading', 'big failed']]);
  });

  it('keep what is known during a refresh and after it failed', async () => {
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

  it('are all refreshed when they become visible, and keep what is known until then', async () => {
    const { rows, row, requests, answer } = await known('Riverside');
    const other = rows.row('user', '7058314');
    assert.equal(rows.generation, 0);
    rows.refreshAll();
    assert.equal(rows.generation, 1);
    assertState(rows, row, 'waiting', 'Riverside');
    assert.deepEqual(requests(), ['group big']);
    rows.lookUpVisible(row);
    rows.lookUpVisible(other);
    assert.deepEqual(requests().slice(1), ['again group big', 'again user 7058314']);
    await answer(group('Renamed'), 1);
    assertState(rows, row, 'known', 'Renamed');
  });

  it('wait to become visible again if a refresh follows the start of their lookup', async () => {
    for (const late of [group('Old'), new Error('no network')]) {
      const { rows, row, requests, answer } = await known('Riverside');
      rows.refreshAll();
      rows.lookUpVisible(row);
      rows.refreshAll();
      await answer(late, 1);
      assertState(rows, row, 'waiting', late instanceof Error ? 'Riverside' : 'Old');
      assert.equal(rows.generation, 3);
      rows.lookUpVisible(row);
      await answer(group('New'), 2);
      assertState(rows, row, 'known', 'New');
      assert.deepEqual(requests(), ['group big', 'again group big', 'again group big']);
    }
  });

  it('ignore a result after a newer lookup has started or ended', async () => {
    const { rows, answer, changes } = heldRows();
    const row = rows.row('group', 'big');
    rows.lookUpVisible(row);
    void rows.refresh(row);
    await answer(group('Old'), 0);
    assertState(rows, row, 'loading');
    await answer(group('New'), 1);
    assertState(rows, row, 'known', 'New');
    const refreshing = [rows.refresh(row), rows.refresh(row)];
    await answer(group('Newest'), 3);
    await answer(group('Older'), 2);
    await Promise.all(refreshing);
    assertState(rows, row, 'known', 'Newest');
    assert.deepEqual(changes, ['big loading', 'big loading', 'big known', 'big known']);
  });

  it('are busy from the first lookup until the last one has ended', async () => {
    const { rows, answer, busy } = heldRows();
    rows.lookUpVisible(rows.row('group', 'big'));
    rows.lookUpVisible(rows.row('group', 'small'));
    assert.deepEqual(busy, [true]);
    await answer(group('Riverside'), 0);
    assert.deepEqual(busy, [true]);
    await answer(new Error('no network'), 1);
    assert.deepEqual(busy, [true, false]);
  });

  it('share an error until one of them is known', async () => {
    const { rows, answer } = heldRows();
    const [big, small] = [rows.row('group', 'big'), rows.row('group', 'small')];
    assert.equal(rows.sharedError(), undefined);
    const error = new Error('no network');
    rows.lookUpVisible(big);
    rows.lookUpVisible(small);
    await answer(error, 0);
    assert.equal(rows.sharedError(), error);
    await answer(group('Riverside'), 1);
    assert.equal(rows.sharedError(), undefined);
  });

  it('show what other features have found unless they are loading', async () => {
    const { rows, row, answer, update, changes } = await known('Riverside');
    update(group('Renamed'));
    assertState(rows, row, 'known', 'Renamed');
    const refreshing = rows.refresh(row);
    update(group('Too early'));
    assertState(rows, row, 'loading', 'Renamed');
    await answer(new Error('no network'));
    await refreshing;
    const found = group('Found');
    update(found);
    assertState(rows, row, 'known', 'Found');
    const before = changes.length;
    update(found);
    assert.equal(changes.length, before);
  });

  it("ignore what is found for IDs that aren't shown", () => {
    const { rows, changes, requests, update } = heldRows();
    update(group('Riverside'));
    rows.row('group', 'big');
    update(group('Riverside'));
    assert.deepEqual([changes, requests()], [[], []]);
  });

  it('are removed by a reset, and wait to become visible in a new generation', async () => {
    const { rows, row, cached, requests } = await known('Riverside');
    rows.refreshAll();
    // The directory of another service.
    cached.clear();
    rows.reset();
    assert.equal(rows.generation, 2);
    assert.notEqual(rows.row('group', 'big'), row);
    assertState(rows, rows.row('group', 'big'), 'waiting');
    rows.lookUpVisible(rows.row('group', 'big'));
    assert.deepEqual(requests(), ['group big', 'group big']);
  });

  it('ignore results and errors that arrive after a reset', async () => {
    for (const late of [group('From another service'), new Error('no network')]) {
      const { rows, answer, changes, busy } = heldRows();
      rows.lookUpVisible(rows.row('group', 'big'));
      rows.reset();
      const row = rows.row('group', 'big');
      rows.lookUpVisible(row);
      await answer(late, 0);
      assertState(rows, row, 'loading');
      await answer(group('Here'), 1);
      assertState(rows, row, 'known', 'Here');
      assert.deepEqual(changes, ['big loading', 'big loading', 'big known']);
      assert.deepEqual(busy, [true, false]);
    }
  });
});
