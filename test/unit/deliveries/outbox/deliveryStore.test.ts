import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { claimsIn, DeletedError } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import {
  DamagedError,
  type JournalLine,
  newDeliveryId,
  serializeDelivery,
} from '../../../../src/deliveries/outbox/record.ts';
import { addChecksum } from '../../../../src/platform/checkedLines.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import type { DurableFiles } from '../../../../src/platform/durableFiles.ts';
import { MemoryDisk } from '../../../prove/memoryDisk.ts';
import { ID, plan, useOutbox } from './outboxFolder.ts';
import { AT, answered, deliveryOf, groups, idOf, planBatches, states } from './testDeliveries.ts';

const DELIVERY = deliveryOf(plan('abcd'), { id: ID });

const FOLDER = `deliveries/${ID}`;

const FILE = `${FOLDER}/delivery.ndjson`;

describe('Delivery store', () => {
  const box = useOutbox();
  let store: ReturnType<typeof box.store>;
  /** As a window that is opened now reads the first delivery. */
  const load = async () => (await box.store().load(ID)) ?? assert.fail();
  const read = async (path: string) => (await box.files.read(path)) ?? assert.fail();
  /** The path of the only journal. */
  const journal = async () =>
    `${FOLDER}/${(await box.files.names(FOLDER)).find((name) => name.startsWith('journal')) ?? assert.fail()}`;

  beforeEach(() => {
    store = box.store();
  });

  it('counts claims by their highest number, and no other files', () => {
    assert.equal(claimsIn([]), 0);
    assert.equal(claimsIn(['act-0', 'act-9', 'act-10', 'delivery.ndjson', 'act-11.tmp', 'xact-12', 'act-']), 11);
  });

  it('knows after a crash who wasn’t in the call that was claimed last: nobody else may have it', async () => {
    await store.create(DELIVERY);
    const leftOut = [{ id: 'a', note: 'asked' }];
    await store.claim(ID, 0, { batch: 0, attempt: 0, at: AT, leftOut });
    const begun = states((await load()).status);
    assert.deepEqual(begun, { a: 'leftOut', b: 'unknown', c: 'notSent', d: 'notSent' });
    await store.append(ID, { ...answered(0, 'b'), leftOut });
    await store.claim(ID, 1, { batch: 1, attempt: 0, at: AT, leftOut: [{ id: 'c' }, { id: 'd' }] });
    const { status } = await load();
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
    await box.files.write('deliveries/.DS_Store', 'x');
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
    const stateOf = async () => (await load()).status.outcomeOf({ kind: 'group', id: 'a' }).state;
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
    const dues = [(await load()).due];
    for (const [number, claim] of claims.entries()) {
      await store.claim(ID, number, claim);
      dues.push((await load()).due);
    }
    assert.deepEqual(dues, [AT + 1, AT + 2, AT + 3, undefined]);
    const { status, claimCount, unreadableCount } = (await store.load(ID)) ?? assert.fail();
    assert.deepEqual([states(status).a, states(status).c, claimCount, unreadableCount], ['unknown', 'notSent', 3, 0]);
    await store.append(ID, answered(0, 'a', 'b'));
    assert.deepEqual((await load()).status.counts.unknown, 0);
  });

  it('schedules nothing any more after a canceled time, a resend, or a claim that is unreadable', async () => {
    for (const [claim, canceledDue] of [
      [await addChecksum({ due: null }), AT + 1],
      [await addChecksum({ resentBy: idOf('two') }), undefined],
      ['damaged', undefined],
    ] as const) {
      await store.create({ ...DELIVERY, due: AT + 1 });
      await box.files.write(`${FOLDER}/act-0`, claim);
      const stored = await load();
      assert.deepEqual([stored.due, stored.canceledDue], [undefined, canceledDue], claim);
      await store.remove(ID, true);
    }
  });

  it('has a hint for a scheduled delivery before it is stored, until it is deleted', async () => {
    await store.create(DELIVERY);
    assert.deepEqual(await store.hints.ids(), []);
    const two = { ...DELIVERY, id: idOf('two'), due: AT + 1 };
    const written: string[] = [];
    const write: DurableFiles['write'] = async (path, text) => {
      written.push(path);
      await box.files.write(path, text);
    };
    await box.store({ write }).create(two);
    assert.deepEqual(written, [`scheduled/${two.id}`, `deliveries/${two.id}/delivery.ndjson`]);
    assert.deepEqual(await store.hints.ids(), [two.id]);
    // Another window removes it first.
    const removeFolder: DurableFiles['removeFolder'] = async (...args) => !(await box.files.removeFolder(...args));
    await store.claim(two.id, 0, { removed: true });
    await box.store({ removeFolder }).remove(two.id);
    assert.deepEqual(await store.hints.ids(), []);
  });

  it('lets only one window claim the next step', async () => {
    await store.create(DELIVERY);
    for (const [number, claim] of [
      { batch: 0, attempt: 0 },
      { batch: 0, attempt: 1 },
      { resentBy: idOf('two') },
    ].entries()) {
      const windows = Array.from({ length: 8 }, () => box.store());
      const claimed = await Promise.all(windows.map((window) => window.claim(ID, number, claim)));
      assert.equal(claimed.filter(Boolean).length, 1);
    }
    const { claimCount, resentBy } = await load();
    assert.deepEqual([claimCount, resentBy], [3, idOf('two')]);
    // The losing windows leave no files.
    const names = await box.files.names(FOLDER);
    assert.deepEqual(names.toSorted(), ['act-0', 'act-1', 'act-2', 'delivery.ndjson']);
  });

  it('leaves nothing of a delivery that was stored, but not durably', async () => {
    const write: DurableFiles['write'] = async (path, text) => {
      await box.files.write(path, text);
      if (path.startsWith('deliveries')) throw new Error('no sync');
    };
    await assert.rejects(box.store({ write }).create({ ...DELIVERY, due: AT }), /no sync/);
    assert.deepEqual([await store.ids(), await store.hints.ids()], [[], []]);
  });

  it('notices a claim that another window was making when it last looked', async () => {
    await store.create(DELIVERY);
    const claim = await addChecksum({ resentBy: idOf('two') });
    await box.files.write(`${FOLDER}/act-0.temporary`, claim);
    assert.equal((await store.load(ID))?.claimCount, 0);
    await box.files.write(`${FOLDER}/act-0`, claim);
    const { claimCount, resentBy } = (await store.load(ID)) ?? assert.fail();
    assert.deepEqual([claimCount, resentBy], [1, idOf('two')]);
  });

  it('has no delivery whose deletion was claimed, and removes what is left of it', async () => {
    await store.create({ ...DELIVERY, due: AT });
    await store.load(ID);
    await box.store().claim(ID, 0, { removed: true });
    assert.deepEqual([await store.link(ID), await store.load(ID)], [undefined, undefined]);
    assert.deepEqual([await store.ids(), await store.hints.ids()], [[], []]);
    assert.equal(await store.claim(ID, 1, { due: null }), false);
    await assert.rejects(store.append(ID, answered(0, 'a')), DeletedError);
  });

  it('lets no window that read a delivery before claim a step once it is removed', async () => {
    await store.create(DELIVERY);
    const other = box.store();
    await other.load(ID);
    // It stays as long as nobody has claimed that, nor may do without.
    await store.remove(ID);
    assert.deepEqual(await store.ids(), [ID]);
    await store.remove(ID, true);
    assert.equal(await other.claim(ID, 0, { batch: 0, attempt: 0 }), false);
    assert.deepEqual(await box.files.names('deliveries'), []);
  });

  it('counts a batch as unknown if an unreadable claim may be about it', async () => {
    await store.create(DELIVERY);
    await store.claim(ID, 0, { batch: 0, attempt: 0 });
    await store.append(ID, answered(0, 'a', 'b'));
    await store.claim(ID, 1, { batch: 1, attempt: 0 });
    for (const damage of ['', '{"batch":', '{"batch":-1,"attempt":0}', undefined]) {
      // A gap in the numbers shows that a claim is missing.
      if (damage === undefined) await box.files.write(`${FOLDER}/act-2`, '');
      if (damage === undefined) await box.files.remove(`${FOLDER}/act-1`);
      else await box.files.write(`${FOLDER}/act-1`, damage);
      const { status, unreadableCount } = await load();
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
    const { status } = await load();
    assert.deepEqual(states(status), { a: 'reached', b: 'reached', c: 'reached', d: 'absent' });
  });

  it('skips a truncated journal line, wherever it ends, and keeps the lines after it', async () => {
    await store.create(DELIVERY);
    for (const batch of [0, 1]) await store.claim(ID, batch, { batch, attempt: 0 });
    await store.append(ID, answered(0, 'a', 'b'));
    const whole = (await read(await journal())).length;
    await store.append(ID, answered(1, 'c', 'd'));
    const all = await read(await journal());
    for (let length = whole; length < all.length - 1; length++) {
      await box.files.write(await journal(), all.slice(0, length));
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
    await box.files.write(await journal(), (await read(await journal())).replace('"rejected"', '"rejecteb"'));
    const { status, unanswered, unreadableCount } = await load();
    assert.deepEqual([states(status).a, unanswered, unreadableCount], ['unknown', [], 1]);
    // Another window's check resolves it.
    await box.store().append(ID, { what: 'read', at: AT + 1, found: [{ kind: 'group', id: 'a' }] });
    assert.equal(states((await load()).status).a, 'absent');
  });

  it('detects damage in any byte of any file', async () => {
    await store.create(DELIVERY);
    await store.claim(ID, 0, { batch: 0, attempt: 0 });
    await store.append(ID, answered(0, 'a', 'b'));
    await store.claim(ID, 1, { batch: 1, attempt: 0 });
    for (const name of await box.files.names(FOLDER)) {
      const whole = await read(`${FOLDER}/${name}`);
      for (let index = 0; index < whole.length; index++) {
        const odd = String.fromCharCode(whole.charCodeAt(index) ^ 1);
        await box.files.write(`${FOLDER}/${name}`, whole.slice(0, index) + odd + whole.slice(index + 1));
        const stored = await box
          .store()
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
      await box.files.write(`${FOLDER}/${name}`, whole);
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
    const written = await read(await journal());
    assert.ok(!written.includes('s3cret'), written);
    assert.equal((await store.load(ID))?.status.outcomeOf({ kind: 'group', id: 'a' }).state, 'reached');
  });

  it('leaves nothing that looks like a delivery if removing it is interrupted, and nothing at all a day later', async () => {
    const disk = new MemoryDisk().files;
    box.files = diskFiles('/files', disk);
    store = box.store();
    await store.create(DELIVERY);
    await store.claim(ID, 0, { batch: 0, attempt: 0 });
    await store.claim(ID, 1, { removed: true });
    const { rm } = disk;
    disk.rm = async (path) => {
      if (!path.includes('deliveries')) return;
      await rm(`${path}/act-0`, { recursive: true, force: true });
      throw new Error('interrupted');
    };
    await box.store().remove(ID);
    disk.rm = rm;
    assert.deepEqual([await store.ids(), await box.store().load(ID)], [[], undefined]);
    const left = async () => (await box.files.names('deliveries')).length;
    await box.store().remove(idOf('another'));
    assert.equal(await left(), 1);
    box.now += 25 * 60 * 60_000;
    await box.store().remove(idOf('another'));
    while ((await left()) > 0) await setImmediate();
  });

  it('touches nothing outside its folders, whatever the ID', async () => {
    await box.files.write('precious', '');
    await store.create(DELIVERY);
    await box.files.write(FILE, await serializeDelivery({ ...DELIVERY, id: '..' }));
    await assert.rejects(store.load(ID), DamagedError);
    for (const id of ['..', '../../..', '.', '', 'a/../../..', 'a\\b']) {
      await assert.rejects(store.remove(id), /no delivery/, id);
      await assert.rejects(store.create({ ...DELIVERY, id }), /no delivery/, id);
    }
    assert.deepEqual((await box.files.names('')).toSorted(), ['deliveries', 'precious']);
  });

  it("rejects with the file system's error if a file can't be written", async () => {
    await box.files.write('deliveries', 'in the way');
    await assert.rejects(store.create(DELIVERY), /ENOTDIR/);
    await assert.rejects(store.claim(ID, 0, { batch: 0, attempt: 0 }), /ENOTDIR/);
  });
});
