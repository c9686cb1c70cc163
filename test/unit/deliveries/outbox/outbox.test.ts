import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { DeliveryStore } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../../../src/deliveries/outbox/outbox.ts';
import type { Claim } from '../../../../src/deliveries/outbox/record.ts';
import { addChecksum } from '../../../../src/platform/checkedLines.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import type { DurableFiles } from '../../../../src/platform/durableFiles.ts';
import { FileInUseError, filesInUse } from '../../../../src/platform/filesInUse.ts';
import { Listed } from '../../../../src/service/message.ts';
import { heldFiles } from '../../../prove/heldFiles.ts';
import { MemoryDisk } from '../../../prove/memoryDisk.ts';
import { heldClock } from '../../clocks.ts';
import { deferred } from '../../deferred.ts';
import { ID, plan, useOutbox } from './outboxFolder.ts';
import {
  type Answers,
  AT,
  atRest,
  BOT,
  deliveryOf,
  dieSending,
  everyone,
  failing,
  groups,
  idOf,
  planBatches,
  refused,
  senderOf,
  unreachable,
} from './testDeliveries.ts';

const never = new AbortController().signal;

const lost = failing({ kind: 'timedOut', after: 1 });

const full = () => Promise.reject(new Error('no space left'));

describe('Outbox', () => {
  const box = useOutbox();
  const { open, openLater, by, counts } = box;
  /** Sends the first delivery to the groups with these one-letter IDs. */
  const start = (ids: string, ...answers: Answers[]) => open().start(deliveryOf(plan(ids), { id: ID }), by(...answers));
  const idsOf = async () => (await open().all()).map(({ status }) => status.delivery.id);

  it("sends nothing if the delivery can't be stored", async () => {
    const outbox = open(undefined, { write: full });
    await assert.rejects(outbox.start(deliveryOf(plan('ab')), by(everyone)), /no space left/);
    assert.deepEqual(box.sent, []);
  });

  it('shows the progress of a delivery and reports every change', async () => {
    const changes: string[] = [];
    const outbox = open((id) => changes.push(id));
    const seen: Promise<unknown>[] = [];
    await outbox.start(deliveryOf(plan('abc'), { id: ID }), by(everyone), ({ counts }) => {
      const { reached } = counts;
      seen.push(outbox.get(ID).then((entry) => [reached, entry?.isRunning]));
    });
    assert.deepEqual(await Promise.all(seen), [
      [2, true],
      [3, true],
    ]);
    assert.deepEqual(changes.splice(0), [ID, ID, ID, ID]);
    const later = idOf('later');
    await outbox.schedule({ ...deliveryOf(plan('a'), { id: later }), due: AT });
    const entry = atRest(await outbox.get(later));
    assert.deepEqual([await outbox.reschedule(entry, null), await outbox.reschedule(entry, AT)], [true, false]);
    assert.deepEqual(changes.splice(0), [later, later]);
    await outbox.remove(later);
    assert.deepEqual(changes, [later]);
  });

  it('lists the newest first, by the times that rows show, a damaged one by when it was created', async () => {
    const outbox = open();
    const created = (ms: number, word: string) => `${String(ms).padStart(15, '0')}-${word.padEnd(8, '0')}`;
    const [early, damaged, late] = [created(1, 'early'), created(AT + 2, 'damaged'), created(3, 'late')];
    await outbox.start(deliveryOf(plan('a'), { id: early, at: AT + 1 }), by(everyone));
    await outbox.start(deliveryOf(plan('a'), { id: damaged }), by(everyone));
    await box.damage(damaged);
    await outbox.schedule({ ...deliveryOf(plan('a'), { id: ID }), due: AT + 3 });
    await outbox.start(deliveryOf(plan('a'), { id: late }), by(everyone));
    const entries = await open().entries();
    assert.deepEqual(
      entries.map((one) => ('status' in one ? one.status.delivery.id : one.id)),
      [ID, damaged, early, late],
    );
    assert.deepEqual(await idsOf(), [ID, early, late]);
  });

  it('resumes a delivery once if asked twice at the same time', async () => {
    await start('ab', refused(-1));
    const outbox = open();
    const resumed = await Promise.all([outbox.resume(ID, by(everyone)), outbox.resume(ID, by(everyone))]);
    assert.deepEqual(
      resumed.map((result) => result?.status.counts.reached),
      [2, undefined],
    );
  });

  it('sends nothing if the disk hangs while a step is stored: other windows may have checked meanwhile', async () => {
    const startHanging = (id: string, ms: number) => {
      const create: DurableFiles['create'] = async (...file) => {
        const isNew = await box.files.create(...file);
        box.now += ms;
        return isNew;
      };
      return open(undefined, { create }).start(deliveryOf(plan('abcd'), { id }), by(everyone));
    };
    for (const [word, ms] of [
      ['late', 12_000],
      ['setback', -12_000],
    ] as const) {
      const { status, stopped } = await startHanging(idOf(word), ms);
      assert.deepEqual([box.sent, stopped?.why, status.counts.notSent], [[], 'disk', 4]);
    }
    await open().resume(idOf('late'), by(everyone));
    assert.deepEqual(box.sent, ['ab', 'cd']);
    assert.equal((await startHanging(ID, 11_999)).status.counts.reached, 4);
  });

  it("takes no message for a delivery's own that another one sends during a check", async () => {
    await start('a', lost);
    const message = { senderId: BOT, contentType: 'text', content: { text: 'Hello' }, sendTime: AT };
    const list = async () => {
      await open().start(deliveryOf(plan('a'), { id: idOf('other') }), by(everyone));
      return [v.parse(Listed, { ...message, msgId: 'to a' })];
    };
    const { found, unclear } = (await open().check(ID, list, never)) ?? assert.fail();
    assert.deepEqual([found, unclear], [[], [{ recipient: { kind: 'group', id: 'a' } }]]);
  });

  it('keeps what a check of many chats has found, or may find later, some thousands a line', async () => {
    const ids = Array.from({ length: 4_001 }, (_, at) => `${at}`);
    await open().start(deliveryOf(planBatches(groups(...ids), 5_000), { id: ID }), by(lost));
    const changes: string[] = [];
    const check = () => open((id) => changes.push(id)).check(ID, async () => [], never);
    const outcomeOf = async (id: string) => (await open().get(ID))?.status.outcomeOf({ kind: 'group', id });
    assert.equal((await check())?.early.length, 4_001);
    const outcome = await outcomeOf('4000');
    assert.ok(outcome?.state === 'unknown' && outcome.wasEarly);
    openLater();
    assert.equal((await check())?.found.length, 4_001);
    assert.equal((await counts())?.absent, 4_001);
    assert.equal((await check())?.found.length, 0);
    assert.deepEqual(changes, [ID, ID]);
    const names = (await box.files.names(`deliveries/${ID}`)).filter((name) => name.startsWith('journal'));
    const texts = await Promise.all(names.map((name) => box.files.read(`deliveries/${ID}/${name}`)));
    assert.equal(texts.join('').match(/"what":"read"/g)?.length, 4);
  });

  it('sends nothing if canceled while the delivery is being stored', async () => {
    const outbox: Outbox = open(undefined, {
      async write(path, text) {
        assert.equal(outbox.runs.cancel(ID), true);
        await box.files.write(path, text);
      },
    });
    const { stopped } = await outbox.start(deliveryOf(plan('ab'), { id: ID }), by(everyone));
    assert.deepEqual([stopped?.why, box.sent, outbox.runs.cancel(ID)], ['canceled', [], false]);
    assert.deepEqual(outbox.runs.get(ID), { status: undefined, isCanceling: false });
  });

  it('waits for the call under way when the window closes, and reports the interruption at the next start', async () => {
    const outbox = open();
    let closed: Promise<void> | undefined;
    const closing: Answers = (...call) => {
      closed = outbox.runs.close();
      return everyone(...call);
    };
    void outbox.start(deliveryOf(plan('abcd'), { id: ID }), by(closing));
    while (!closed) await setImmediate();
    await closed;
    const stored = await counts();
    assert.deepEqual([stored?.reached, stored?.notSent], [2, 2]);
    box.now += 60_000;
    assert.equal((await open().interrupted()).length, 1);
    assert.deepEqual(await open().interrupted(), []);
  });

  it('reports no interruption of a delivery that ended as the window closed', async () => {
    const outbox = open();
    const closing: Answers = (...call) => {
      void outbox.runs.close();
      return everyone(...call);
    };
    await outbox.start(deliveryOf(plan('ab'), { id: ID }), by(closing));
    assert.equal(await open().heartbeats.any(), false);
  });

  it("returns the result even if the heartbeat can't be removed", async () => {
    const outbox = open(undefined, { remove: () => Promise.reject(new Error('busy')) });
    const { status } = await outbox.start(deliveryOf(plan('ab'), { id: ID }), by(everyone));
    assert.equal(status.counts.reached, 2);
  });

  it('stops sending if another window deletes the delivery', async () => {
    const deleting: Answers = async (...call) => {
      await box.files.remove(`deliveries/${ID}`);
      return everyone(...call);
    };
    const { stopped } = await start('abcd', deleting);
    assert.deepEqual([stopped?.why, box.sent, await idsOf()], ['deleted', ['ab'], []]);
  });

  it('reads the files of a delivery again only if they have changed', async () => {
    let reads = 0;
    const outbox = open(undefined, {
      read: (path) => {
        if (path.startsWith('deliveries')) reads++;
        return box.files.read(path);
      },
    });
    await start('abcd', refused(-1));
    for (let time = 0; time < 3; time++) await outbox.all();
    assert.equal(reads, 2);
    await open().resume(ID, by(everyone));
    assert.equal((await outbox.get(ID))?.status.counts.reached, 4);
  });

  it('neither resumes, checks nor deletes a delivery that is being sent', async () => {
    const outbox = open();
    const meanwhile: unknown[] = [];
    const acting: Answers = async (...call) => {
      for (const one of [outbox, open()]) {
        meanwhile.push(await one.resume(ID, by(everyone)));
        meanwhile.push(await one.check(ID, () => assert.fail('listed'), never));
        meanwhile.push(await one.remove(ID));
      }
      return everyone(...call);
    };
    await outbox.start(deliveryOf(plan('ab'), { id: ID }), by(acting));
    assert.deepEqual(meanwhile, [undefined, undefined, false, undefined, undefined, false]);
    assert.deepEqual(box.sent, ['ab']);
    assert.equal(await outbox.remove(ID), true);
    assert.deepEqual(await idsOf(), []);
  });

  it('deletes no delivery that another window has begun to send since it was read', async () => {
    await start('abcd', unreachable('ENOTFOUND'));
    const { claimCount } = atRest(await open().get(ID));
    box.sent = [];
    // It has looked for windows that send before the other one has begun.
    const deleting = open(undefined, {
      read: async (path) => (path.startsWith('running') ? undefined : box.files.read(path)),
    });
    const deletions: boolean[] = [];
    const sending: Answers = async (...call) => {
      deletions.push(await deleting.remove(ID, claimCount));
      return everyone(...call);
    };
    await open().resume(ID, by(sending));
    assert.deepEqual([deletions, box.sent, (await counts())?.reached], [[false, false], ['ab', 'cd'], 4]);
  });

  it('sends nothing of a delivery that another window has begun to delete', async () => {
    await start('ab', unreachable('ENOTFOUND'));
    box.sent = [];
    const sender = by(everyone);
    const ended = await open().resume(ID, {
      ...sender,
      async send(...call) {
        await box.store().claim(ID, 1, { removed: true });
        return sender.send(...call);
      },
    });
    assert.deepEqual([ended?.stopped?.why, box.sent, await idsOf()], ['deleted', [], []]);
    // What was left of it is gone, too.
    assert.deepEqual(await box.files.names('deliveries'), []);
  });

  it('deletes a delivery on a full disk', async () => {
    await start('ab', everyone);
    const outbox = open(undefined, { create: full, write: full, append: full });
    assert.deepEqual([await outbox.remove(ID), await idsOf()], [true, []]);
  });

  it('removes the files of a delivery even if the disk fails just after it stored the deletion', async () => {
    await start('ab', everyone);
    const create: DurableFiles['create'] = async (...args) => {
      await box.files.create(...args);
      return full();
    };
    assert.equal(await open(undefined, { create }).remove(ID), true);
    assert.deepEqual(await box.files.names('deliveries'), []);
  });

  it("doesn't take one for interrupted that goes on while others are read", async () => {
    for (const id of [ID, idOf('other')]) {
      await box.store().create(deliveryOf(plan('ab'), { id }));
      await dieSending(id, box.files);
    }
    const { heartbeats } = box.store();
    const [first = '', second = ''] = await heartbeats.silent();
    let end: (() => Promise<void>) | undefined;
    const read: DurableFiles['read'] = async (path) => {
      if (path === `deliveries/${second}/delivery.ndjson`) end ??= await heartbeats.start(first);
      return box.files.read(path);
    };
    const interrupted = await open(undefined, { read }).interrupted();
    assert.deepEqual(
      interrupted.map(({ status }) => status.delivery.id),
      [second],
    );
    await end?.();
  });

  it('keeps a delivery that a window stores which was taken for dead', async () => {
    await dieSending(ID, box.files);
    const read: DurableFiles['read'] = async (path) => {
      const text = await box.files.read(path);
      if (path.endsWith('delivery.ndjson') && text === undefined)
        await box.store().create(deliveryOf(plan('ab'), { id: ID }));
      return text;
    };
    assert.deepEqual(await open(undefined, { read }).interrupted(), []);
    assert.equal((await counts())?.notSent, 2);
  });

  it('counts what needs somebody, also if it can’t be read, until that is seen or settled', async () => {
    const changes: string[] = [];
    const outbox = open((id) => changes.push(id));
    const [damaged, gone, late, again] = ['damaged', 'gone', 'late', 'again'].map(idOf) as [
      string,
      string,
      string,
      string,
    ];
    for (const id of [ID, damaged, gone, late]) await outbox.start(deliveryOf(plan('ab'), { id }), by(refused(-1)));
    changes.length = 0;
    for (const id of [ID, damaged, gone]) await outbox.markUnseen(id);
    assert.deepEqual(changes, [ID, damaged, gone]);
    await box.damage(damaged);
    assert.equal(await outbox.unseen(), 3);
    await outbox.resume(gone, by(everyone));
    // Another window counts the same.
    assert.deepEqual([await open().unseen(), await outbox.unseen()], [2, 2]);
    const unreached = await outbox.unreached(ID);
    await outbox.resend(deliveryOf(plan('ab'), { id: again, resends: ID }), unreached, by(refused(-1)));
    await outbox.markUnseen(again);
    await outbox.markSeen(late);
    assert.equal(await outbox.unseen(), 2);
    await outbox.markUnseen(late);
    changes.length = 0;
    // With its resend.
    await outbox.markSeen(ID);
    assert.deepEqual([changes, await open().unseen()], [[again], 2]);
    // What wasn't counted yet can't have been seen.
    await outbox.markSeen();
    assert.deepEqual([changes, await outbox.unseen()], [[again, damaged], 1]);
  });

  describe('while another program has the file of a claim open', () => {
    /** An outbox in virtual time, on Windows. */
    const held = async (due?: number) => {
      const { clock, pass } = heldClock();
      let isHeld = true;
      const refused = deferred<void>();
      const disk = heldFiles(new MemoryDisk().files, (operation, path) => {
        if (!isHeld || operation !== 'link' || !path.endsWith('act-0')) return undefined;
        refused.resolve();
        return { code: 'EBUSY', isDone: false };
      });
      const files = diskFiles('C:\\outbox', disk, filesInUse({ clock, onWindows: true }));
      const outbox = new Outbox(new DeliveryStore(files, clock), undefined, clock);
      const delivery = deliveryOf(plan('ab'), { id: ID });
      const send = async () => {
        if (due === undefined) return outbox.start(delivery, by(everyone));
        await outbox.schedule({ ...delivery, due });
        return outbox.sendScheduled(atRest(await outbox.get(ID)), by(everyone));
      };
      const ended = send().then((result) => result ?? assert.fail());
      const release = () => {
        isHeld = false;
      };
      await refused.promise;
      return { outbox, pass, release, ended };
    };

    it('waits to send, and sends once', async () => {
      const { pass, release, ended } = await held();
      await pass(5_000);
      assert.deepEqual(box.sent, []);
      release();
      await pass(1_000);
      const { status } = await ended;
      assert.deepEqual([box.sent, status.counts.reached], [['ab'], 2]);
    });

    it('sends nothing, says which file it is before it would be too late, and can be resumed', async () => {
      const { outbox, pass, release, ended } = await held();
      await pass(12_000);
      const { status, stopped } = await ended;
      assert.ok(stopped?.error instanceof FileInUseError, `${stopped?.error}`);
      assert.match(stopped.error.path, /act-0$/);
      assert.deepEqual([box.sent, stopped.why, status.counts.notSent], [[], 'disk', 2]);
      assert.equal((await outbox.get(ID))?.status.counts.notSent, 2);
      release();
      await outbox.resume(ID, by(everyone));
      assert.deepEqual(box.sent, ['ab']);
    });

    it('sends nothing once that is canceled', async () => {
      const { outbox, pass, ended } = await held();
      await pass(1_000);
      outbox.runs.cancel(ID);
      await pass(0);
      const { status, stopped } = await ended;
      assert.deepEqual([box.sent, stopped?.why, status.counts.notSent], [[], 'canceled', 2]);
    });

    it('sends nothing of a scheduled one by itself any more once that is canceled', async () => {
      const { outbox, pass, release, ended } = await held(AT);
      outbox.runs.cancel(ID);
      await pass(1_000);
      release();
      await pass(1_000);
      assert.equal((await ended).stopped?.why, 'canceled');
      assert.deepEqual(await outbox.scheduled(), []);
      assert.equal(atRest(await outbox.get(ID)).canceledDue, AT);
    });
  });

  it('lists unreadable deliveries as such, and the others as usual, and deletes them, too', async () => {
    const broken = { file: 'delivery.ndjson', journal: 'journal-00000000.ndjson', act: 'act-1' };
    await start('ab', everyone);
    for (const [word, name] of Object.entries(broken)) {
      await open().start(deliveryOf(plan('ab'), { id: idOf(word) }), by(everyone));
      await box.files.write(`deliveries/${idOf(word)}/${name}`, '');
    }
    const isBroken = (path: string) =>
      Object.entries(broken).some(([word, name]) => path === `deliveries/${idOf(word)}/${name}`);
    const read: DurableFiles['read'] = async (path) =>
      isBroken(path) ? Promise.reject(new Error('EIO')) : box.files.read(path);
    const names: DurableFiles['names'] = async (folder) =>
      folder === `deliveries/${idOf('folder')}` ? Promise.reject(new Error('ENOTDIR')) : box.files.names(folder);
    await box.files.write(`deliveries/${idOf('folder')}/delivery.ndjson`, '');
    const outbox = open(undefined, { read, names });
    const entries = await outbox.entries();
    const unreadable = entries.flatMap((one) => ('error' in one ? [[one.id, `${one.error}`]] : []));
    assert.deepEqual(unreadable.toSorted(), [
      [idOf('act'), 'Error: EIO'],
      [idOf('file'), 'Error: EIO'],
      [idOf('folder'), 'Error: ENOTDIR'],
      [idOf('journal'), 'Error: EIO'],
    ]);
    assert.equal(entries.length, 5);
    for (const [id = ''] of unreadable) assert.equal(await outbox.remove(id), true);
    assert.deepEqual(await idsOf(), [ID]);
  });

  it('limits how many deliveries are read at the same time', async () => {
    for (let index = 0; index < 40; index++)
      await box.store().create(deliveryOf(plan('ab'), { id: idOf(`${100 + index}`) }));
    let [now, most] = [0, 0];
    const read: DurableFiles['read'] = async (path) => {
      most = Math.max(most, ++now);
      return box.files.read(path).finally(() => now--);
    };
    assert.equal((await open(undefined, { read }).all()).length, 40);
    assert.ok(most > 1 && most <= 8, `${most}`);
  });
});

describe('A claim whose window died before it was sure to last', () => {
  let disk: MemoryDisk;
  let store: DeliveryStore;
  let outbox: Outbox;
  const open = () => {
    store = new DeliveryStore(diskFiles('/files', disk.files));
    outbox = new Outbox(store);
  };
  beforeEach(() => {
    disk = new MemoryDisk();
    open();
  });

  const dieClaiming = async (number: number, claim: Claim) => {
    const handle = await disk.files.open(`/files/deliveries/${ID}/act-${number}`, 'w');
    await handle.writeFile(await addChecksum(claim));
    await handle.sync();
  };
  const losePower = () => {
    disk.recover('posix', () => 0);
    open();
  };
  const two = deliveryOf(plan('ab'), { id: idOf('two'), resends: ID });
  const three = deliveryOf(plan('ab'), { id: idOf('three'), resends: idOf('two') });

  for (const [what, send] of Object.entries({
    resumes: () => outbox.resume(two.id, senderOf([everyone])),
    resends: async () => outbox.resend(three, await outbox.unreached(ID), senderOf([everyone])),
  }))
    it(`lasts once another window ${what} the resend that it names`, async () => {
      await outbox.start(deliveryOf(plan('ab'), { id: ID }), senderOf([refused(-1)]));
      await store.create(two);
      await dieClaiming(1, { resentBy: two.id });
      assert.ok(await send());
      losePower();
      assert.equal(await outbox.resume(ID, senderOf([everyone])), undefined);
    });

  it('lasts once another window takes the delivery for one that is no longer scheduled', async () => {
    await outbox.schedule({ ...deliveryOf(plan('ab'), { id: ID }), due: AT });
    await dieClaiming(0, { batch: 0, attempt: 0 });
    assert.deepEqual(await outbox.scheduled(), []);
    losePower();
    assert.equal((await outbox.get(ID))?.status.counts.unknown, 2);
  });

  it('lasts, or the delivery is still scheduled, wherever power is lost while another window deletes it', async () => {
    for (let steps = 0, isLost = true; isLost; steps++) {
      disk = new MemoryDisk();
      open();
      await outbox.schedule({ ...deliveryOf(plan('ab'), { id: ID }), due: AT });
      await dieClaiming(0, { removed: true });
      disk.loseAfter(steps);
      await outbox.get(ID).catch(() => {});
      ({ isLost } = disk);
      losePower();
      const isThere = (await outbox.get(ID)) !== undefined;
      assert.equal((await outbox.scheduled()).length, Number(isThere), `after ${steps} steps`);
    }
  });
});
