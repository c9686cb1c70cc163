import assert from 'node:assert/strict';
import promises, { mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { claimsIn, DeletedError, DeliveryStore } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import {
  DamagedError,
  type JournalLine,
  newDeliveryId,
  serializeDelivery,
} from '../../../../src/deliveries/outbox/record.ts';
import { addChecksum } from '../../../../src/platform/checkedLines.ts';
import { diskFiles, type NodeFiles } from '../../../../src/platform/diskFiles.ts';
import { clockAt } from '../../clocks.ts';
import { AT, answered, deliveryOf, groups, idOf, planBatches, states } from './testDeliveries.ts';

const ID = idOf('one');

const DELIVERY = deliveryOf(planBatches(groups('a', 'b', 'c', 'd'), 2), { id: ID });

describe('Delivery store', () => {
  let folder: string;
  let now: number;
  let store: DeliveryStore;
  const file = () => join(folder, 'deliveries', ID, 'delivery.ndjson');
  /** The only journal, or one that a window could have. */
  const journal = async () => {
    const at = join(folder, 'deliveries', ID);
    return join(at, (await readdir(at)).find((name) => name.startsWith('journal')) ?? 'journal-00000000.ndjson');
  };
  const reopen = () =>
    new DeliveryStore(
      diskFiles(folder),
      clockAt(() => now),
    );

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bot-chats-outbox-'));
    now = AT;
    store = reopen();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('counts claims by their highest number, and no other files', () => {
    assert.equal(claimsIn([]), 0);
    assert.equal(claimsIn(['act-0', 'act-9', 'act-10', 'delivery.ndjson', 'act-11.tmp', 'xact-12', 'act-']), 11);
  });

  it('loads a delivery as it was stored', async () => {
    await store.create(DELIVERY);
    const stored = await reopen().load(ID);
    assert.deepEqual(stored?.status.delivery, DELIVERY);
    assert.equal(stored?.unreadableCount, 0);
  });

  it('keeps who was left out when it was confirmed, and why, and how many rows besides', async () => {
    const person = (at: number) =>
      ({
        kind: 'user',
        id: `p${at}`,
        name: `P ${at}`,
        by: at % 2 ? 'never' : 'except',
        note: at % 3 ? '' : '要求停发',
        ...(at % 5 === 1 && { also: [{ by: 'except', note: 'past.csv' } as const] }),
      }) as const;
    const people = Array.from({ length: 501 }, (_, at) => person(at));
    const delivery = { ...DELIVERY, leftOut: { people, rows: 99_000 } };
    await store.create(delivery);
    const { status } = (await reopen().load(ID)) ?? assert.fail();
    assert.deepEqual(status.delivery, delivery);
    assert.deepEqual([...status.listed()].slice(4), people);
    const text = await readFile(file(), 'utf8');
    await writeFile(file(), `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`);
    await assert.rejects(reopen().load(ID), DamagedError);
  });

  it('knows after a crash who wasn’t in the call that was claimed last: nobody else may have it', async () => {
    await store.create(DELIVERY);
    const leftOut = [{ id: 'a', note: 'asked' }];
    await store.claim(ID, 0, { batch: 0, attempt: 0, at: AT, leftOut });
    assert.deepEqual(states((await reopen().load(ID))?.status ?? assert.fail()), {
      ...{ a: 'leftOut', b: 'unknown', c: 'notSent', d: 'notSent' },
    });
    await store.append(ID, { ...answered(0, 'b'), leftOut } as JournalLine);
    await store.claim(ID, 1, { batch: 1, attempt: 0, at: AT, leftOut: [{ id: 'c' }, { id: 'd' }] });
    const { status } = (await reopen().load(ID)) ?? assert.fail();
    assert.deepEqual(states(status), { a: 'leftOut', b: 'reached', c: 'leftOut', d: 'leftOut' });
    assert.deepEqual([status.isComplete, status.nextAttempts(), status.unchecked], [true, [], 0]);
  });

  it('lists the newest delivery first', async () => {
    const ids = [];
    for (const at of [AT, AT + 1, AT + 20 * 365 * 86_400_000]) {
      const id = newDeliveryId(at);
      await store.create({ ...DELIVERY, id });
      ids.unshift(id);
    }
    await writeFile(join(folder, 'deliveries', '.DS_Store'), 'x');
    assert.deepEqual(await store.ids(), ids);
  });

  it('knows nothing of an attempt that began after a check', async () => {
    await store.create(deliveryOf(planBatches(groups('a'), 1), { id: ID }));
    await store.claim(ID, 0, { batch: 0, attempt: 0, at: AT });
    const checked: JournalLine = {
      what: 'read',
      at: AT + 1,
      found: [{ kind: 'group', id: 'a' }],
      unanswered: [{ batch: 0, attempt: 0 }],
    };
    await store.append(ID, checked);
    const stateOf = async () => (await reopen().load(ID))?.status.outcomeOf({ kind: 'group', id: 'a' }).state;
    assert.equal(await stateOf(), 'absent');
    await store.append(ID, { what: 'failed', batch: 0, attempt: 0, at: AT + 2, state: 'rejected' });
    await store.claim(ID, 1, { batch: 0, attempt: 1, at: AT + 3 });
    assert.equal(await stateOf(), 'unknown');
    await store.append(ID, { ...checked, at: AT + 4, unanswered: [{ batch: 0, attempt: 1 }] });
    assert.equal(await stateOf(), 'absent');
  });

  it('knows when a delivery is to be sent: the last claim of a time counts, until the first attempt', async () => {
    const claims = [{ due: AT + 2 }, { due: AT + 3 }, { batch: 0, attempt: 0 }] as const;
    await store.create({ ...DELIVERY, due: AT + 1 });
    const dues = [(await reopen().load(ID))?.due];
    for (const [number, claim] of claims.entries()) {
      await store.claim(ID, number, claim);
      dues.push((await reopen().load(ID))?.due);
    }
    assert.deepEqual(dues, [AT + 1, AT + 2, AT + 3, undefined]);
    const { status, claimCount, unreadableCount } = (await store.load(ID)) ?? assert.fail();
    assert.deepEqual([states(status).a, states(status).c, claimCount, unreadableCount], ['unknown', 'notSent', 3, 0]);
    await store.append(ID, answered(0, 'a', 'b'));
    assert.deepEqual((await reopen().load(ID))?.status.counts.unknown, 0);
  });

  it('schedules nothing any more after a canceled time, a resend, or a claim that is unreadable', async () => {
    const dueAfter = async (write: () => Promise<unknown>) => {
      await store.create({ ...DELIVERY, due: AT + 1 });
      await write();
      const { due } = (await reopen().load(ID)) ?? assert.fail();
      await store.remove(ID);
      return due;
    };
    const damage = () => writeFile(join(folder, 'deliveries', ID, 'act-0'), 'damaged');
    const dues = [
      await dueAfter(() => store.claim(ID, 0, { due: null })),
      await dueAfter(() => store.claim(ID, 0, { resentBy: idOf('two') })),
      await dueAfter(damage),
    ];
    assert.deepEqual(dues, [undefined, undefined, undefined]);
  });

  it('has a hint for a scheduled delivery before it is stored, until it is deleted', async () => {
    await store.create(DELIVERY);
    assert.deepEqual(await store.hints.ids(), []);
    const two = { ...DELIVERY, id: idOf('two'), due: AT + 1 };
    const files = diskFiles(folder);
    const written: string[] = [];
    const write: typeof files.write = async (path, text) => {
      written.push(path);
      await files.write(path, text);
    };
    await new DeliveryStore({ ...files, write }).create(two);
    assert.deepEqual(written, [`scheduled/${two.id}`, `deliveries/${two.id}/delivery.ndjson`]);
    assert.deepEqual(await store.hints.ids(), [two.id]);
    // Another window removes it first.
    const removeFolder: typeof files.removeFolder = async (...args) => !(await files.removeFolder(...args));
    await store.claim(two.id, 0, { removed: true });
    await new DeliveryStore({ ...files, removeFolder }).remove(two.id);
    assert.deepEqual(await store.hints.ids(), []);
  });

  it('lets only one window claim the next step', async () => {
    await store.create(DELIVERY);
    for (const [number, claim] of [
      { batch: 0, attempt: 0 },
      { batch: 0, attempt: 1 },
      { resentBy: idOf('two') },
    ].entries()) {
      const windows = Array.from({ length: 8 }, reopen);
      const claimed = await Promise.all(windows.map((window) => window.claim(ID, number, claim)));
      assert.equal(claimed.filter(Boolean).length, 1);
    }
    const { claimCount, resentBy } = (await reopen().load(ID)) ?? assert.fail();
    assert.deepEqual([claimCount, resentBy], [3, idOf('two')]);
    // The losing windows leave no files.
    const names = await readdir(join(folder, 'deliveries', ID));
    assert.deepEqual(names.toSorted(), ['act-0', 'act-1', 'act-2', 'delivery.ndjson']);
  });

  it('leaves nothing of a delivery that was stored, but not durably', async () => {
    const files = diskFiles(folder);
    const write: typeof files.write = async (path, text) => {
      await files.write(path, text);
      if (path.startsWith('deliveries')) throw new Error('no sync');
    };
    await assert.rejects(new DeliveryStore({ ...files, write }).create({ ...DELIVERY, due: AT }), /no sync/);
    assert.deepEqual([await store.ids(), await store.hints.ids()], [[], []]);
  });

  it('notices a claim that another window was making when it last looked', async () => {
    await store.create(DELIVERY);
    const claim = join(folder, 'deliveries', ID, 'act-0');
    await writeFile(`${claim}.temporary`, await addChecksum({ resentBy: idOf('two') }));
    assert.equal((await store.load(ID))?.claimCount, 0);
    await rename(`${claim}.temporary`, claim);
    const { claimCount, resentBy } = (await store.load(ID)) ?? assert.fail();
    assert.deepEqual([claimCount, resentBy], [1, idOf('two')]);
  });

  it('has no delivery whose deletion was claimed, and removes what is left of it', async () => {
    await store.create({ ...DELIVERY, due: AT });
    await store.load(ID);
    await reopen().claim(ID, 0, { removed: true });
    assert.deepEqual([await store.link(ID), await store.load(ID)], [undefined, undefined]);
    assert.deepEqual([await store.ids(), await store.hints.ids()], [[], []]);
    assert.equal(await store.claim(ID, 1, { due: null }), false);
    await assert.rejects(store.append(ID, answered(0, 'a')), DeletedError);
  });

  it('lets no window that read a delivery before claim a step once it is removed', async () => {
    await store.create(DELIVERY);
    const other = reopen();
    await other.load(ID);
    await store.remove(ID, true);
    assert.equal(await other.claim(ID, 0, { batch: 0, attempt: 0 }), false);
    assert.deepEqual(await readdir(join(folder, 'deliveries')), []);
  });

  it('counts a batch as unknown if an unreadable claim may be about it', async () => {
    await store.create(DELIVERY);
    await store.claim(ID, 0, { batch: 0, attempt: 0 });
    await store.append(ID, answered(0, 'a', 'b'));
    await store.claim(ID, 1, { batch: 1, attempt: 0 });
    for (const damage of ['', '{"batch":', '{"batch":-1,"attempt":0}', undefined]) {
      const file = join(folder, 'deliveries', ID, 'act-1');
      // A gap in the numbers shows that a claim is missing.
      if (damage === undefined) await rename(file, join(folder, 'deliveries', ID, 'act-2'));
      else await writeFile(file, damage);
      const { status, unreadableCount } = (await reopen().load(ID)) ?? assert.fail();
      assert.deepEqual(states(status), { a: 'reached', b: 'reached', c: 'unknown', d: 'unknown' });
      assert.deepEqual([unreadableCount > 0, status.nextAttempts()], [true, []]);
    }
    // A later check resolves it.
    await store.append(ID, {
      what: 'read',
      at: AT,
      found: [
        { kind: 'group', id: 'c', msgId: 'm' },
        { kind: 'group', id: 'd' },
      ],
    });
    const { status } = (await reopen().load(ID)) ?? assert.fail();
    assert.deepEqual(states(status), { a: 'reached', b: 'reached', c: 'reached', d: 'absent' });
  });

  it('skips a truncated journal line, wherever it ends, and keeps the lines after it', async () => {
    await store.create(DELIVERY);
    for (const batch of [0, 1]) await store.claim(ID, batch, { batch, attempt: 0 });
    await store.append(ID, answered(0, 'a', 'b'));
    const whole = (await readFile(await journal())).length;
    await store.append(ID, answered(1, 'c', 'd'));
    const all = await readFile(await journal());
    for (let length = whole; length < all.length - 1; length++) {
      await writeFile(await journal(), all);
      await truncate(await journal(), length);
      const cut = (await store.load(ID)) ?? assert.fail();
      assert.deepEqual(states(cut.status), { a: 'reached', b: 'reached', c: 'unknown', d: 'unknown' }, `${length}`);
      assert.equal(cut.unreadableCount, length > whole + 1 ? 1 : 0, `${length}`);
      await store.append(ID, { what: 'read', at: AT, found: [{ kind: 'group', id: 'c', msgId: 'm' }] });
      assert.equal((await store.load(ID))?.status.counts.reached, 3);
    }
  });

  it('takes an attempt for answered that was followed by another one, although the line of its answer is damaged', async () => {
    await store.create(DELIVERY);
    for (const attempt of [0, 1]) {
      await store.claim(ID, attempt, { batch: 0, attempt });
      await store.append(ID, {
        what: 'failed',
        batch: 0,
        attempt,
        at: AT,
        state: attempt === 0 ? 'rejected' : 'unknown',
      });
    }
    const whole = await readFile(await journal(), 'utf8');
    await writeFile(await journal(), whole.replace('"rejected"', '"rejecteb"'));
    const { status, unanswered, unreadableCount } = (await reopen().load(ID)) ?? assert.fail();
    assert.deepEqual([states(status).a, unanswered, unreadableCount], ['unknown', [], 1]);
    // Another window's check resolves it.
    await reopen().append(ID, { what: 'read', at: AT + 1, found: [{ kind: 'group', id: 'a' }] });
    assert.equal(states(((await reopen().load(ID)) ?? assert.fail()).status).a, 'absent');
  });

  it('detects damage in any byte of any file', async () => {
    await store.create(DELIVERY);
    await store.claim(ID, 0, { batch: 0, attempt: 0 });
    await store.append(ID, answered(0, 'a', 'b'));
    await store.claim(ID, 1, { batch: 1, attempt: 0 });
    const at = join(folder, 'deliveries', ID);
    for (const name of await readdir(at)) {
      const whole = await readFile(join(at, name));
      for (let index = 0; index < whole.length; index++) {
        const damaged = Buffer.from(whole);
        damaged[index] = (damaged[index] ?? 0) ^ 1;
        await writeFile(join(at, name), damaged);
        const stored = await reopen()
          .load(ID)
          .catch(() => undefined);
        const { status } = stored ?? {};
        const where = `${name} at ${index}`;
        assert.equal(status?.nextAttempts().length ?? 0, 0, where);
        if (status)
          assert.deepEqual(
            status.recipients(),
            DELIVERY.batches.flatMap((one) => one.recipients),
            where,
          );
        // Damage to a line break between two lines may go unnoticed: it holds no data.
        assert.ok(name !== 'delivery.ndjson' || !status, where);
        for (const id of ['c', 'd'])
          assert.equal(status?.outcomeOf({ kind: 'group', id }).state ?? 'unknown', 'unknown');
      }
      await writeFile(join(at, name), whole);
    }
  });

  it('rejects a delivery file that is incomplete or has extra lines', async () => {
    await store.create(DELIVERY);
    const [header = '', ...batches] = (await readFile(file(), 'utf8')).split('\n');
    const whole = [
      ['', '{', 'null', JSON.stringify(DELIVERY), await addChecksum({ id: ID })],
      [header, [header, ...batches.slice(1)].join('\n'), [header, ...batches, batches[0], ''].join('\n')],
      [[await addChecksum({ ...DELIVERY, batches: 2, id: idOf('other') }), ...batches].join('\n')],
    ].flat();
    for (const text of whole) {
      await writeFile(file(), text);
      await assert.rejects(reopen().load(ID), DamagedError, text);
    }
  });

  it('stores no token, even if the service repeats it', async () => {
    await store.create(DELIVERY);
    const token = 's3cret/"token"';
    const line = {
      ...answered(0, 'a', token),
      unreadable: [{ asked: `?token=${encodeURIComponent(token)}`, as: token, [token]: 1 }],
    } as JournalLine;
    await store.append(ID, line, token);
    const written = await readFile(await journal(), 'utf8');
    assert.ok(!written.includes('s3cret'), written);
    assert.equal((await store.load(ID))?.status.outcomeOf({ kind: 'group', id: 'a' }).state, 'reached');
  });

  it('leaves nothing that looks like a delivery if removing it is interrupted, and nothing at all a day later', async () => {
    await store.create(DELIVERY);
    await store.claim(ID, 0, { batch: 0, attempt: 0 });
    await store.claim(ID, 1, { removed: true });
    const interrupted = async (path: string) => {
      if (!path.includes('deliveries')) return;
      await rm(join(path, 'act-0'), { force: true });
      throw new Error('interrupted');
    };
    const disk = diskFiles(folder, { ...(promises as unknown as NodeFiles), rm: interrupted });
    await new DeliveryStore(
      disk,
      clockAt(() => now),
    ).remove(ID);
    assert.deepEqual([await store.ids(), await reopen().load(ID)], [[], undefined]);
    const left = async () => (await readdir(join(folder, 'deliveries'))).length;
    await reopen().remove(idOf('another'));
    assert.equal(await left(), 1);
    now += 25 * 60 * 60_000;
    await reopen().remove(idOf('another'));
    while ((await left()) > 0) await setImmediate();
  });

  it('touches nothing outside its folders, whatever the ID', async () => {
    await writeFile(join(folder, 'precious'), '');
    await store.create(DELIVERY);
    await writeFile(file(), await serializeDelivery({ ...DELIVERY, id: '..' }));
    await assert.rejects(store.load(ID), DamagedError);
    for (const id of ['..', '../../..', '.', '', 'a/../../..', 'a\\b']) {
      await assert.rejects(store.remove(id), /no delivery/, id);
      await assert.rejects(store.create({ ...DELIVERY, id }), /no delivery/, id);
    }
    assert.deepEqual((await readdir(folder)).toSorted(), ['deliveries', 'precious']);
  });

  it("rejects with the file system's error if a file can't be written", async () => {
    await writeFile(join(folder, 'deliveries'), 'in the way');
    await assert.rejects(store.create(DELIVERY), /ENOTDIR|EEXIST/);
    await assert.rejects(store.claim(ID, 0, { batch: 0, attempt: 0 }), /ENOTDIR|EEXIST/);
  });
});
