import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import type { MergeResult, MovedDelivery } from '../../../../src/deliveries/contract.ts';
import { DeliveryMoves } from '../../../../src/deliveries/outbox/deliveryMoves.ts';
import { DeliveryStore } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../../../src/deliveries/outbox/outbox.ts';
import {
  isScheduled,
  type ScheduledEntry,
  type StoredEntry,
  stateOf,
} from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { ReplyStore } from '../../../../src/deliveries/replies/replyStore.ts';
import { addChecksum } from '../../../../src/platform/checkedLines.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import type { DurableFiles } from '../../../../src/platform/durableFiles.ts';
import { formatDateTime } from '../../../../src/presentation/formats.ts';
import { MemoryDisk, memoryFiles } from '../../../prove/memoryDisk.ts';
import { aroundFiles, SteppedWindow } from '../../../prove/steps.ts';
import { onModals, restore } from '../../answers.ts';
import { clockAt, useWallClock } from '../../clocks.ts';
import { deferred } from '../../deferred.ts';
import {
  type Answers,
  AT,
  atRest,
  deliveryOf,
  dieSending,
  everyone,
  groups,
  idOf,
  planBatches,
  reaching,
  senderOf,
} from './testDeliveries.ts';

const ID = idOf('moved');
const DUE = AT + 3_600_000;
const never = new AbortController().signal;
const batches = () => planBatches(groups('a', 'b', 'c', 'd'), 1);

/** No two computers do something at the same time. */
let now = AT;

/** A computer with its outbox, and the groups that were sent to from there. */
function computer(files: DurableFiles = memoryFiles()) {
  // No timer runs, so that a window that dies says nothing more.
  const clock = { ...clockAt(() => now++), after: () => () => {} };
  const store = new DeliveryStore(files, clock);
  const outbox = new Outbox(store, () => {}, clock);
  /** The deliveries that moves have changed. */
  const changed = new Set<string>();
  const moves = new DeliveryMoves(files, store, outbox, (id) => changed.add(id));
  const sent: string[] = [];
  return { files, outbox, moves, changed, sent, reaching: (count: number) => reaching(count, (id) => sent.push(id)) };
}
type Computer = ReturnType<typeof computer>;

const schedule = ({ outbox }: Computer, id = ID, due = DUE) =>
  outbox.schedule({ ...deliveryOf(batches(), { id }), due });
const take = async ({ moves }: Computer) => (await moves.take(ID, AT, true)) ?? assert.fail();
const merge = ({ moves }: Computer, moved: MovedDelivery) => moves.merge(moved, AT, never);
const scheduleAgain = async ({ outbox }: Computer) => {
  const entry = await outbox.get(ID);
  return entry?.isRunning === false && entry.canceledDue !== undefined && outbox.reschedule(entry, DUE);
};
const entryOf = async ({ outbox }: Computer) => atRest(await outbox.get(ID));
const stateIn = async (one: Computer) => stateOf(await entryOf(one));

describe('A delivery that is moved to another computer', () => {
  useWallClock(AT);
  let here: Computer;
  let there: Computer;
  beforeEach(() => {
    here = computer();
    there = computer();
  });
  afterEach(restore);

  const begin = (count: number) => here.outbox.start(deliveryOf(batches(), { id: ID }), here.reaching(count));

  it('is counted by what can be done with it', async () => {
    const begun = idOf('begun');
    const damaged = idOf('damaged');
    await schedule(here);
    for (const id of [begun, damaged]) await here.outbox.start(deliveryOf(batches(), { id }), here.reaching(1));
    const survey = { ids: [begun, damaged, ID], scheduled: [ID], sending: 0, unreadable: 0 };
    assert.deepEqual(await here.moves.survey(), survey);
    await here.files.write(`deliveries/${damaged}/delivery.ndjson`, 'damaged');
    await dieSending(begun, here.files, now);
    here = computer(here.files);
    assert.deepEqual(await here.moves.survey(), { ...survey, ids: [ID], sending: 1, unreadable: 1 });
    for (const id of [begun, damaged, idOf('gone')]) assert.equal(await here.moves.take(id, AT, true), undefined);
    assert.equal(await here.moves.take(ID, AT, false), undefined);
    assert.equal((await entryOf(here)).due, DUE);
  });

  it("is scheduled nowhere until that's confirmed", async () => {
    await schedule(here);
    const moved = await take(here);
    assert.equal(moved.due, DUE);
    assert.deepEqual(await here.outbox.scheduled(), []);
    assert.equal(await merge(there, moved), 'added');
    assert.deepEqual(await there.outbox.scheduled(), []);
    assert.equal((await entryOf(there)).canceledDue, DUE);
    assert.equal(await scheduleAgain(there), true);
    assert.deepEqual(await here.outbox.scheduled(), []);
    assert.equal((await there.outbox.scheduled()).length, 1);
  });

  it('is asked about once it was imported, unless it goes on there', async () => {
    const ids = [ID, idOf('begun'), idOf('still'), idOf('gone')];
    for (const id of ids.slice(0, 3)) {
      await schedule(there, id);
      if (id !== idOf('still')) await there.outbox.reschedule(atRest(await there.outbox.get(id)), null);
    }
    await there.outbox.resume(idOf('begun'), there.reaching(1));
    const asked = onModals(() => 'Schedule');
    await there.moves.askToSchedule(ids.map((id) => ({ id, due: DUE })));
    assert.equal(asked[0]?.message, 'Send 1 message from this computer that was scheduled on the other one?');
    assert.equal(asked[0]?.detail.split('\n\n')[0], `• Hello: ${formatDateTime(DUE)}`);
    const scheduled = (await there.outbox.scheduled()).map(({ status }) => status.delivery.id);
    assert.deepEqual(scheduled.toSorted(), [ID, idOf('still')]);
  });

  it('is scheduled again where it was if the export fails, or it changed meanwhile', async () => {
    await schedule(here);
    for (const end of [() => here.moves.keep(), () => here.moves.leave([], AT)]) {
      await take(here);
      await end();
      assert.equal((await entryOf(here)).due, DUE);
    }
  });

  it("isn't scheduled again by a later export that fails, if this one may have a file", async () => {
    await schedule(here);
    await take(here);
    await here.moves.leave([ID], AT);
    await here.moves.keep();
    assert.deepEqual(await here.outbox.scheduled(), []);
  });

  it("is scheduled again although another one can't be read, and not once more later", async () => {
    const other = idOf('another');
    const files = memoryFiles();
    here = computer(files);
    await schedule(here, other);
    await schedule(here);
    await here.moves.take(other, AT, true);
    await take(here);
    const { read } = files;
    files.read = async (path) => {
      if (path.includes(other)) throw new Error('EIO');
      return read.call(files, path);
    };
    await assert.rejects(here.moves.keep(), /EIO/);
    assert.equal((await entryOf(here)).due, DUE);
    files.read = read;
    await here.moves.keep();
    assert.equal(atRest(await here.outbox.get(other)).due, undefined);
  });

  it("isn't scheduled by a file that says it is", async () => {
    await schedule(here);
    const { claims, ...moved } = await take(here);
    for (const forged of [
      [],
      [await addChecksum({ due: DUE + 1 })],
      [claims[0] ?? '', await addChecksum({ due: DUE })],
    ]) {
      const one = computer();
      await merge(one, { ...moved, claims: forged });
      assert.deepEqual(await one.outbox.scheduled(), []);
    }
  });

  it('is canceled there if its message is being edited here, where that goes on', async () => {
    await schedule(here);
    await merge(there, await take(here));
    assert.equal(await scheduleAgain(here), true);
    await here.outbox.beginEdit(await entryOf(here));
    const moved = await take(here);
    for (const [one, result] of [
      [there, 'extended'],
      [computer(), 'added'],
    ] as const) {
      assert.equal(await merge(one, moved), result);
      assert.equal(await merge(one, moved), 'kept');
      assert.equal((await entryOf(one)).canceledDue, DUE);
    }
    assert.equal(await merge(here, moved), 'kept');
    assert.equal((await entryOf(here)).editedDue, DUE);
  });

  it('is unfinished there, says since when it is in two places, and goes on where it stopped', async () => {
    await begin(2);
    const moved = await take(here);
    await here.moves.leave([ID], AT);
    assert.equal(await merge(there, moved), 'added');
    for (const one of [here, there]) {
      assert.equal((await entryOf(one)).status.movedAt, AT);
      assert.deepEqual([...one.changed], [ID]);
    }
    await there.outbox.resume(ID, there.reaching(9));
    assert.deepEqual(here.sent, ['a', 'b']);
    assert.deepEqual(there.sent, ['c', 'd']);
    assert.equal(await stateIn(there), 'delivered');
  });

  it('is in two places only as long as it is unfinished', async () => {
    const many = planBatches(groups(...Array.from({ length: 33 }, (_, at) => `${at}`)), 1);
    await here.outbox.start(deliveryOf(many, { id: ID }), here.reaching(33));
    const moved = await take(here);
    assert.equal(moved.claims.length, 33);
    await here.moves.leave([ID, idOf('gone')], AT);
    assert.equal(await merge(there, moved), 'added');
    assert.equal((await entryOf(here)).status.movedAt, undefined);
  });

  it('takes over what happened on the other computer, but only once', async () => {
    await begin(1);
    await merge(there, await take(here));
    await there.outbox.resume(ID, there.reaching(2));
    const back = await take(there);
    assert.equal(await here.moves.merge(back, AT + 1, never), 'extended');
    assert.equal(await here.moves.merge(back, AT + 2, never), 'kept');
    assert.equal((await entryOf(here)).status.movedAt, AT + 1);
    await here.outbox.resume(ID, here.reaching(9));
    assert.deepEqual(here.sent, ['a', 'd']);
    assert.deepEqual(there.sent, ['b', 'c']);
  });

  it('stays as it is where it has gone further, or differently', async () => {
    await begin(1);
    const early = await take(here);
    await merge(there, early);
    await here.outbox.resume(ID, here.reaching(1));
    assert.equal(await merge(here, early), 'kept');
    await there.outbox.resume(ID, there.reaching(1));
    assert.equal(await merge(here, await take(there)), 'diverged');
    assert.equal((await entryOf(here)).status.counts.reached, 2);
  });

  it('learns from a check on the other computer', async () => {
    await begin(9);
    const moved = await take(here);
    const found = { what: 'read', at: AT, found: [{ kind: 'group', id: 'a' }] };
    const line = await addChecksum(found);
    assert.equal(await merge(here, { ...moved, journal: [...moved.journal, line, 'damaged'] }), 'kept');
    assert.ok((await take(here)).journal.includes(line));
  });

  it('takes along what was answered, and learns what was found there since', async () => {
    await begin(9);
    const find = ({ files }: typeof here, line: string) =>
      files.write(`deliveries/${ID}/replies-00000${line}.ndjson`, `\n${line}\n`);
    const repliesOf = async (computer: typeof here) => (await take(computer)).replies.toSorted();
    await find(here, 'one');
    for (const other of ['x-replies-00000two', 'replies-two', 'replies-00000two.ndjson'])
      await here.files.write(`deliveries/${ID}/${other}.ndjson`, 'two\n');
    await merge(there, await take(here));
    assert.deepEqual(await repliesOf(there), ['one']);
    await find(there, 'two');
    const back = await take(there);
    for (let times = 0; times < 2; times++) await merge(here, back);
    assert.deepEqual(await repliesOf(here), ['one', 'two']);
    await find(here, 'new');
    await merge(here, { ...back, replies: [...back.replies, 'six'] });
    assert.deepEqual(await repliesOf(here), ['new', 'one', 'two']);
  });

  it("isn't exported or changed while it's being sent", async () => {
    const results: unknown[] = [];
    await begin(1);
    await merge(there, await take(here));
    await there.outbox.resume(ID, there.reaching(1));
    const back = await take(there);
    const acting: Answers = async (...call) => {
      results.push(await here.moves.take(ID, AT, true), await merge(here, back));
      return everyone(...call);
    };
    await here.outbox.resume(ID, senderOf([acting]));
    assert.deepEqual(results.slice(0, 2), [undefined, 'sending']);
  });

  it('counts as sent to everyone while its import is cut short', async () => {
    await begin(1);
    const first = await take(here);
    await merge(there, first);
    await here.outbox.resume(ID, here.reaching(9));
    const moved = await take(here);
    const create = there.files.create.bind(there.files);
    there.files.create = async (path, text) => {
      if (path.endsWith(`act-${first.claims.length}`)) throw new Error('power cut');
      return create(path, text);
    };
    await assert.rejects(merge(there, moved));
    await there.outbox.resume(ID, there.reaching(9));
    assert.deepEqual(there.sent, []);
    there.files.create = create;
    assert.equal(await merge(there, moved), 'extended');
    assert.equal(await stateIn(there), 'delivered');
  });

  it('lasts once a window says that it is there, which another one has just imported', async () => {
    await begin(1);
    const moved = await take(here);
    const disk = new MemoryDisk();
    const isVisible = deferred<void>();
    const stalling = diskFiles('/files', {
      ...disk.files,
      async rename(from, to) {
        await disk.files.rename(from, to);
        if (!to.endsWith(ID)) return;
        isVisible.resolve();
        await new Promise(() => {});
      },
    });
    void merge(computer(stalling), moved);
    await isVisible.promise;
    there = computer(diskFiles('/files', disk.files));
    assert.equal(await merge(there, moved), 'kept');
    disk.recover('posix', () => 0);
    assert.equal(await stateIn(there), 'unfinished');
  });

  it("isn't there at all if its import is canceled", async () => {
    await begin(2);
    const canceled = new AbortController();
    canceled.abort();
    await assert.rejects(there.moves.merge(await take(here), AT, canceled.signal));
    assert.deepEqual(await there.outbox.entries(), []);
    assert.deepEqual(await there.files.names('deliveries'), []);
  });

  it("isn't said to be there if its folder can't be read", async () => {
    await schedule(here);
    const moved = await take(here);
    const files = memoryFiles();
    const failure = new Error('EIO: i/o error, scandir');
    const unreadable = computer({ ...files, names: () => Promise.reject(failure) });
    await assert.rejects(() => merge(unreadable, moved), failure);
    assert.equal(await merge(computer(files), moved), 'added');
  });

  it("isn't taken from a file that was changed", async () => {
    await begin(2);
    const moved = await take(here);
    const removed = await addChecksum({ removed: true });
    const changed: MovedDelivery[] = [
      { ...moved, lines: moved.lines.map((line) => line.replace('announcement', 'other')) },
      { ...moved, lines: moved.lines.slice(0, -1) },
      { ...moved, id: '../../escape' },
      { ...moved, id: idOf('other') },
      { ...moved, claims: [...moved.claims, removed] },
    ];
    for (const one of changed) assert.equal(await merge(there, one), 'damaged');
    assert.deepEqual(await there.outbox.entries(), []);
  });

  it('is the same in the end, in whatever order its files are imported, and however often', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(2), { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat()),
        async (steps, order) => {
          // It goes from one computer to the next, each of which sends some more.
          let files: MovedDelivery[] = [];
          let from = computer();
          await from.outbox.start(deliveryOf(batches(), { id: ID }), from.reaching(1));
          for (const step of steps) {
            files.push(await take(from));
            const next = computer();
            await merge(next, files.at(-1) ?? assert.fail());
            await next.outbox.resume(ID, next.reaching(step));
            from = next;
          }
          files.push(await take(from));
          files = [...files, ...files].sort(() => ((order.next().value ?? 0) % 2) - 0.5);
          const last = computer();
          const results: MergeResult[] = [];
          for (const file of files) results.push(await merge(last, file));
          assert.ok(results.every((result) => ['added', 'extended', 'kept'].includes(result)));
          const one = await entryOf(last);
          const other = await entryOf(from);
          assert.equal(one.claimCount, other.claimCount);
          assert.deepEqual(one.status.counts, other.status.counts);
          assert.deepEqual(one.status.nextAttempts(), other.status.nextAttempts());
        },
      ),
    );
  });

  it('is never scheduled by an import, nor left scheduled by an export, whatever people do on either computer', async () => {
    const steps = ['move', 'import', 'confirm', 'reschedule', 'cancel', 'edit', 'resume'] as const;
    const step = fc.record({ at: fc.nat(1), does: fc.constantFrom(...steps), file: fc.nat(9) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (life) => {
        const both = [computer(), computer()] as const;
        const files: MovedDelivery[] = [];
        await schedule(both[0]);
        const isScheduledIn = async ({ outbox }: Computer) => (await outbox.scheduled()).length > 0;
        for (const { at, does, file } of life) {
          const one = both[at] ?? assert.fail();
          const before = await isScheduledIn(one);
          const sent = one.sent.length;
          const entry = await one.outbox.get(ID);
          const moved = files[file % Math.max(1, files.length)];
          if (does === 'import' && moved) {
            await merge(one, moved);
            assert.ok(before || !(await isScheduledIn(one)));
            assert.equal(one.sent.length, sent);
          }
          if (!entry) continue;
          const stored = atRest(entry);
          if (does === 'move') {
            files.push(await take(one));
            assert.equal(await isScheduledIn(one), false);
          } else if (does === 'confirm') await scheduleAgain(one);
          else if (does === 'reschedule' && before) await one.outbox.reschedule(stored, DUE + 1);
          else if (does === 'cancel' && before) await one.outbox.reschedule(stored, null);
          else if (does === 'edit' && before) await one.outbox.beginEdit(stored as ScheduledEntry);
          else if (does === 'resume') await one.outbox.resume(ID, one.reaching(file % 3));
        }
        // Within one computer, nobody gets it twice.
        for (const { sent } of both) assert.equal(new Set(sent).size, sent.length);
      }),
    );
  });
});

describe('A delivery whose file two windows import', () => {
  /** Two of four groups were reached where it's from. */
  const moved = async () => {
    const from = computer();
    await from.outbox.start(deliveryOf(batches(), { id: ID }), from.reaching(2));
    return take(from);
  };
  /**
   * One window stops after each of its steps, while another one imports the file and sends what is left. `begin` is what the
   * one does, and `end` comes to it then.
   */
  async function assertOnce(
    file: MovedDelivery,
    begin: (one: Computer, signal: AbortSignal) => Promise<unknown>,
    end: 'goes on' | 'is canceled' | 'dies',
    files = memoryFiles,
  ): Promise<void> {
    for (let steps = 0, isOver = false; !isOver; steps++) {
      const disk = files();
      const abort = new AbortController();
      const one = new SteppedWindow((turn) => begin(computer(aroundFiles(disk, turn)), abort.signal));
      await one.run(steps);
      isOver = one.isDone;
      const other = computer(disk);
      const result = await merge(other, file);
      if (result !== 'sending') await other.outbox.resume(ID, other.reaching(9));
      if (end === 'is canceled') abort.abort();
      if (end !== 'dies') await one.run();
      const last = computer(disk);
      await merge(last, file);
      await last.outbox.resume(ID, last.reaching(9));
      const when = `${steps} steps, ${result}`;
      assert.deepEqual([...other.sent, ...last.sent], ['c', 'd'], when);
      assert.equal((await entryOf(last)).status.counts.reached, 4, when);
    }
  }

  for (const end of ['goes on', 'is canceled', 'dies'] as const)
    it(`reaches everyone once if the other one ${end}, wherever that is`, async () => {
      const file = await moved();
      await assertOnce(file, ({ moves }, signal) => moves.merge(file, AT, signal), end);
    });

  const claimsOf = (file: MovedDelivery) => file.claims.length;
  /** As a window does that dies then. */
  const claimRemoval = async ({ files }: Computer, file: MovedDelivery) =>
    files.create(`deliveries/${ID}/act-${claimsOf(file)}`, await addChecksum({ removed: true }));

  for (const isClaimed of [false, true])
    it(`reaches everyone once if the other one is deleting it${isClaimed ? ', as a third one has begun to' : ''}`, async () => {
      const file = await moved();
      const remove = async (one: Computer) => {
        await merge(one, file);
        if (isClaimed) await claimRemoval(one, file);
        await one.outbox.remove(ID, claimsOf(file));
      };
      for (const end of ['goes on', 'dies'] as const) await assertOnce(file, remove, end);
    });

  /** One window stops after each of its steps, while another one does something; then it goes on. */
  async function atEachStep(
    begin: (one: Computer) => Promise<unknown>,
    act: (other: Computer, disk: DurableFiles) => Promise<void>,
    check: (last: Computer, other: Computer, steps: number) => Promise<void>,
    prepare: (one: Computer) => Promise<unknown> = async () => {},
  ): Promise<void> {
    for (let steps = 0, isOver = false; !isOver; steps++) {
      const disk = memoryFiles();
      await prepare(computer(disk));
      const one = new SteppedWindow((turn) => begin(computer(aroundFiles(disk, turn))));
      await one.run(steps);
      isOver = one.isDone;
      const other = computer(disk);
      await act(other, disk);
      await one.run();
      await check(computer(disk), other, steps);
    }
  }

  it('reaches everyone once if it was deleted while replies were stored', async () => {
    const file = await moved();
    await atEachStep(
      ({ files }) => new ReplyStore(files).append(ID, { what: 'done', at: AT }),
      async (other) => {
        await other.outbox.remove(ID, claimsOf(file));
        await merge(other, file);
        await other.outbox.resume(ID, other.reaching(9));
      },
      async (last, other, steps) => {
        await merge(last, file);
        await last.outbox.resume(ID, last.reaching(9));
        assert.deepEqual(other.sent, ['c', 'd'], `${steps} steps`);
        assert.deepEqual(last.sent, [], `${steps} steps`);
      },
      (one) => merge(one, file),
    );
  });

  it('is sent at its time if it was scheduled again while a window was deleting it', async () => {
    const from = computer();
    await schedule(from);
    const file = await take(from);
    await atEachStep(
      ({ outbox }) => outbox.remove(ID, claimsOf(file)),
      async (other) => {
        await merge(other, file);
        await scheduleAgain(other);
      },
      async ({ outbox }, _, steps) => {
        const entry = await outbox.get(ID);
        assert.equal((await outbox.scheduled()).length, entry ? 1 : 0, `${steps} steps`);
      },
      (one) => merge(one, file),
    );
  });

  it('is added as a whole or not at all if the computer sleeps for days meanwhile', async () => {
    const file = await moved();
    await atEachStep(
      (one) => merge(one, file),
      async (_, disk) => {
        now += 48 * 60 * 60_000;
        await new DeliveryStore(
          disk,
          clockAt(() => now),
        ).remove(idOf('another'));
        // What it does then, it doesn't wait for.
        while ((await disk.names('deliveries')).some((name) => name.startsWith('own'))) await setImmediate();
      },
      async (last, _, steps) => {
        await merge(last, file);
        assert.equal((await entryOf(last)).status.counts.reached, 2, `${steps} steps`);
      },
    );
  });
});

describe('A move that its window does not end', () => {
  const first = idOf('first');
  const second = idOf('second');
  /** When the window is long dead. */
  const LATER = 60 * 60_000;
  const idsOf = (entries: readonly StoredEntry[]) => entries.map(({ status }) => status.delivery.id).toSorted();

  it('is reported once with all that it has canceled and not marked as moved, wherever that was', async () => {
    for (let steps = 0, isOver = false; !isOver; steps++) {
      const files = memoryFiles();
      for (const id of [first, second]) await schedule(computer(files), id, DUE + LATER);
      const exported = now;
      const dying = new SteppedWindow(async (turn) => {
        const { moves } = computer(aroundFiles(files, turn));
        for (const id of [first, second]) await moves.take(id, exported, true);
        await moves.leave([first, second], exported);
      });
      await dying.run(steps);
      isOver = dying.isDone;
      now += LATER;
      const { moves, outbox: next } = computer(files);
      const known = [...(await moves.unfinished()), ...(await next.scheduled())];
      const moved = (await next.all()).flatMap((one) =>
        one.status.movedAt !== undefined && !isScheduled(one) ? [atRest(one)] : [],
      );
      assert.deepEqual(idsOf([...known, ...moved]), [first, second], `${steps} steps`);
      await next.interrupted();
      assert.deepEqual(await moves.unfinished(), []);
      if (isOver) assert.deepEqual(idsOf(moved), [first, second]);
    }
  });

  it("isn't reported while it goes on, nor after it was given up", async () => {
    const one = computer();
    const { files } = one;
    await schedule(one);
    await take(one);
    assert.deepEqual(await computer(files).moves.unfinished(), []);
    now += LATER;
    assert.deepEqual(await one.moves.unfinished(), []);
    assert.equal((await computer(files).moves.unfinished()).length, 1);
    await one.moves.keep();
    assert.deepEqual(await computer(files).moves.unfinished(), []);
  });

  it('is reported at the next start if it ended, but could not say so', async () => {
    const one = computer();
    const { files } = one;
    await schedule(one);
    await take(one);
    const { append } = files;
    files.append = () => Promise.reject(new Error('no space left'));
    await assert.rejects(one.moves.leave([ID], AT), /no space left/);
    files.append = append;
    // Another window is about to store one.
    await files.write(`scheduled/${first}`, '');
    now += LATER;
    assert.deepEqual(idsOf(await computer(files).moves.unfinished()), [ID]);
  });

  it('schedules again what it has canceled without knowing', async () => {
    const one = computer();
    const { files } = one;
    await schedule(one);
    const { create } = files;
    files.create = async (...args) => {
      await create.apply(files, args);
      throw new Error('no sync');
    };
    await assert.rejects(take(one), /no sync/);
    files.create = create;
    await one.moves.keep();
    assert.equal((await entryOf(one)).due, DUE);
  });
});
