import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import type { DeliveryResult, Sender } from '../../../../src/deliveries/outbox/deliveryRunner.ts';
import { DeliveryStore } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../../../src/deliveries/outbox/outbox.ts';
import type { Claim } from '../../../../src/deliveries/outbox/record.ts';
import { addChecksum } from '../../../../src/platform/checkedLines.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import { FileInUseError, filesInUse } from '../../../../src/platform/filesInUse.ts';
import { Listed } from '../../../../src/service/message.ts';
import { isWine } from '../../../host/places.ts';
import { heldFiles } from '../../../prove/heldFiles.ts';
import { MemoryDisk, memoryFiles } from '../../../prove/memoryDisk.ts';
import { clockAt, heldClock } from '../../clocks.ts';
import { deferred } from '../../deferred.ts';
import { ID, plan, useOutboxFolder } from './outboxFolder.ts';
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
} from './testDeliveries.ts';

/** As it's listed, but for its ID. */
const MESSAGE = {
  ...{ parentId: '', senderId: BOT, senderType: 'bot', senderNickname: 'Order Desk' },
  ...{ contentType: 'text', content: { text: 'Hello' }, sendTime: AT, commandName: '', commandId: 0 },
};

describe('Outbox', () => {
  const box = useOutboxFolder();
  const { open, openLater, by, counts } = box;

  it("sends nothing if the delivery can't be stored", async () => {
    const store = new DeliveryStore({
      ...diskFiles(box.path),
      write: () => Promise.reject(new Error('no space left')),
    });
    await assert.rejects(new Outbox(store).start(deliveryOf(plan('ab')), by(everyone)), /no space left/);
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
    assert.deepEqual(changes, [later, later]);
  });

  it('resumes a delivery once if asked twice at the same time', async () => {
    const outbox = new Outbox(new DeliveryStore(memoryFiles()));
    await outbox.start(deliveryOf(plan('ab'), { id: ID }), by(refused(-1)));
    const resumed = await Promise.all([outbox.resume(ID, by(everyone)), outbox.resume(ID, by(everyone))]);
    assert.deepEqual(
      resumed.map((result) => result?.status.counts.reached),
      [2, undefined],
    );
  });

  it('sends nothing if the disk hangs while a step is stored: other windows may have checked meanwhile', async () => {
    const memory = memoryFiles();
    let now = AT;
    const hanging = new DeliveryStore({
      ...memory,
      async create(...file) {
        const isNew = await memory.create(...file);
        now += 60_000;
        return isNew;
      },
    });
    const clock = clockAt(() => now);
    const { status, stopped } = await new Outbox(hanging, undefined, clock).start(
      deliveryOf(plan('abcd'), { id: ID }),
      by(everyone),
    );
    assert.deepEqual([box.sent, stopped?.why, status.counts.notSent], [[], 'disk', 4]);
    await new Outbox(new DeliveryStore(memory), undefined, clock).resume(ID, by(everyone));
    assert.deepEqual(box.sent, ['ab', 'cd']);
  });

  it("takes no message for a delivery's own that another one sends during a check", async () => {
    const outbox = open();
    await outbox.start(deliveryOf(plan('a'), { id: ID }), by(failing({ kind: 'timedOut', after: 1 })));
    const sent = { reached: [{ recvId: 'a', msgId: 'm' }], unreadable: [], successCount: 1 };
    const list = async () => {
      await open().start(
        deliveryOf(plan('a'), { id: idOf('other') }),
        by(async () => sent),
      );
      return [v.parse(Listed, { ...MESSAGE, msgId: 'm' })];
    };
    const { found, unclear } = (await outbox.check(ID, list, new AbortController().signal)) ?? assert.fail();
    assert.deepEqual([found, unclear], [[], [{ recipient: { kind: 'group', id: 'a' } }]]);
  });

  it('keeps what a check of many chats has found, some thousands a line', async () => {
    const outbox = open();
    const ids = Array.from({ length: 4_001 }, (_, at) => `${at}`);
    await outbox.start(
      deliveryOf(planBatches(groups(...ids), 5_000), { id: ID }),
      by(failing({ kind: 'timedOut', after: 1 })),
    );
    const { found } = (await openLater().check(ID, async () => [], new AbortController().signal)) ?? assert.fail();
    assert.equal(found.length, 4_001);
    assert.equal((await open().get(ID))?.status.counts.absent, 4_001);
    const folder = join(box.path, 'deliveries', ID);
    const journals = (await readdir(folder)).filter((name) => name.startsWith('journal'));
    const texts = await Promise.all(journals.map((name) => readFile(join(folder, name), 'utf8')));
    assert.equal(texts.join('').match(/"what":"read"/g)?.length, 2);
  });

  it('sends nothing if canceled while the delivery is being stored', async () => {
    const files = diskFiles(box.path);
    const outbox: Outbox = new Outbox(
      new DeliveryStore({
        ...files,
        async write(path, text) {
          assert.equal(outbox.runs.cancel(ID), true);
          await files.write(path, text);
        },
      }),
    );
    const { stopped } = await outbox.start(deliveryOf(plan('ab'), { id: ID }), by(everyone));
    assert.deepEqual([stopped?.why, box.sent, outbox.runs.cancel(ID)], ['canceled', [], false]);
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
    const later = new Outbox(
      new DeliveryStore(
        diskFiles(box.path),
        clockAt(() => Date.now() + 60_000),
      ),
    );
    assert.deepEqual((await later.interrupted()).length, 1);
  });

  it("returns the result even if the heartbeat can't be removed", async () => {
    const store = new DeliveryStore({ ...diskFiles(box.path), remove: () => Promise.reject(new Error('busy')) });
    const { status } = await new Outbox(store).start(deliveryOf(plan('ab'), { id: ID }), by(everyone));
    assert.equal(status.counts.reached, 2);
  });

  it('stops sending if another window deletes the delivery', async () => {
    const deleting: Answers = async (...call) => {
      await rm(join(box.path, 'deliveries', ID), { recursive: true });
      return everyone(...call);
    };
    const { stopped } = await open().start(deliveryOf(plan('abcd'), { id: ID }), by(deleting));
    assert.deepEqual([stopped?.why, box.sent, await open().all()], ['deleted', ['ab'], []]);
  });

  it('reads the files of a delivery again only if they have changed', async () => {
    const files = diskFiles(box.path);
    let reads = 0;
    const read: typeof files.read = (path) => {
      if (path.startsWith('deliveries')) reads++;
      return files.read(path);
    };
    const outbox = new Outbox(new DeliveryStore({ ...files, read }));
    await open().start(deliveryOf(plan('abcd'), { id: ID }), by(refused(-1)));
    for (let time = 0; time < 3; time++) await outbox.all();
    assert.equal(reads, 2);
    await open().resume(ID, by(everyone));
    assert.equal((await outbox.get(ID))?.status.counts.reached, 4);
  });

  it('neither resumes nor deletes a delivery that is being sent', async () => {
    const outbox = open();
    const meanwhile: unknown[] = [];
    await outbox.start(
      deliveryOf(plan('ab'), { id: ID }),
      by(async (...call) => {
        for (const one of [outbox, open()]) meanwhile.push(await one.resume(ID, by(everyone)), await one.remove(ID));
        return everyone(...call);
      }),
    );
    assert.deepEqual(meanwhile, [undefined, false, undefined, false]);
    assert.deepEqual(box.sent, ['ab']);
    assert.equal(await outbox.remove(ID), true);
    assert.deepEqual(await outbox.all(), []);
  });

  it('deletes no delivery that another window has begun to send since it was read', async () => {
    await open().start(deliveryOf(plan('abcd'), { id: ID }), by(failing({ kind: 'unreachable', reason: 'ENOTFOUND' })));
    const { claimCount } = atRest(await open().get(ID));
    box.sent = [];
    // It has looked for windows that send before the other one has begun.
    const files = diskFiles(box.path);
    const deleting = new Outbox(
      new DeliveryStore({
        ...files,
        read: async (path) => (path.startsWith('running') ? undefined : files.read(path)),
      }),
    );
    const deletions: boolean[] = [];
    await open().resume(
      ID,
      by(async (...call) => {
        deletions.push(await deleting.remove(ID, claimCount));
        return everyone(...call);
      }),
    );
    assert.deepEqual([deletions, box.sent, (await counts())?.reached], [[false, false], ['ab', 'cd'], 4]);
  });

  it('sends nothing of a delivery that another window has begun to delete', async () => {
    const unreachable = failing({ kind: 'unreachable', reason: 'ENOTFOUND' });
    await open().start(deliveryOf(plan('ab'), { id: ID }), by(unreachable));
    box.sent = [];
    const sender: Sender = {
      token: 't',
      never: () => new Map(),
      async send(...call) {
        await new DeliveryStore(diskFiles(box.path)).claim(ID, 1, { removed: true });
        return by(everyone).send(...call);
      },
    };
    const ended = await open().resume(ID, sender);
    assert.deepEqual([ended?.stopped?.why, box.sent, await open().all()], ['deleted', [], []]);
    // What was left of it is gone, too.
    assert.deepEqual(await readdir(join(box.path, 'deliveries')), []);
  });

  it('deletes a delivery on a full disk', async () => {
    await open().start(deliveryOf(plan('ab'), { id: ID }), by(everyone));
    const full = () => Promise.reject(new Error('no space left'));
    const outbox = new Outbox(new DeliveryStore({ ...diskFiles(box.path), create: full, write: full, append: full }));
    assert.deepEqual([await outbox.remove(ID), await open().all()], [true, []]);
  });

  it("doesn't take one for interrupted that goes on while others are read", async () => {
    const files = diskFiles(box.path);
    const other = idOf('other');
    for (const id of [ID, other]) {
      await new DeliveryStore(files).create(deliveryOf(plan('ab'), { id }));
      await dieSending(id, files);
    }
    const { heartbeats } = new DeliveryStore(files);
    const [first = '', second = ''] = await heartbeats.silent();
    let end: (() => Promise<void>) | undefined;
    const read: typeof files.read = async (path) => {
      if (path === `deliveries/${second}/delivery.ndjson`) end ??= await heartbeats.start(first);
      return files.read(path);
    };
    const interrupted = await new Outbox(new DeliveryStore({ ...files, read })).interrupted();
    assert.deepEqual(
      interrupted.map(({ status }) => status.delivery.id),
      [second],
    );
    await end?.();
  });

  it('keeps a delivery that a window stores which was taken for dead', async () => {
    const files = diskFiles(box.path);
    await dieSending(ID, files);
    const store = new DeliveryStore({
      ...files,
      async read(path) {
        const text = await files.read(path);
        if (path.endsWith('delivery.ndjson') && text === undefined)
          await new DeliveryStore(files).create(deliveryOf(plan('ab'), { id: ID }));
        return text;
      },
    });
    assert.deepEqual(await new Outbox(store).interrupted(), []);
    assert.equal((await counts())?.notSent, 2);
  });

  it('counts what needs somebody, also if it can’t be read, until that is seen or settled', async () => {
    const outbox = open();
    for (const word of ['one', 'damaged', 'gone', 'late']) {
      await outbox.start(deliveryOf(plan('ab'), { id: idOf(word) }), by(refused(-1)));
      if (word !== 'late') await outbox.markUnseen(idOf(word));
    }
    await writeFile(join(box.path, 'deliveries', idOf('damaged'), 'delivery.ndjson'), 'damaged');
    assert.equal(await outbox.unseen(), 3);
    await outbox.resume(idOf('gone'), by(everyone));
    // Another window counts the same.
    assert.deepEqual([await open().unseen(), await outbox.unseen()], [2, 2]);
    const again = deliveryOf(plan('ab'), { id: idOf('again'), resends: ID });
    await outbox.resend(again, await outbox.unreached(ID), by(refused(-1)));
    await outbox.markUnseen(again.id);
    await outbox.markSeen(idOf('late'));
    assert.equal(await outbox.unseen(), 2);
    await outbox.markUnseen(idOf('late'));
    // With its resend.
    await outbox.markSeen(ID);
    assert.equal(await open().unseen(), 2);
    // What wasn't counted yet can't have been seen.
    await outbox.markSeen();
    assert.equal(await outbox.unseen(), 1);
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
      const run: { result?: DeliveryResult } = {};
      const delivery = deliveryOf(plan('ab'), { id: ID });
      const start = async () => {
        if (due === undefined) return outbox.start(delivery, by(everyone));
        await outbox.schedule({ ...delivery, due });
        return outbox.sendScheduled(atRest(await outbox.get(ID)), by(everyone));
      };
      const ended = start().then((result) => {
        if (result) run.result = result;
      });
      const release = () => {
        isHeld = false;
      };
      await refused.promise;
      return { outbox, pass, release, run, ended };
    };

    it('waits to send, and sends once', async () => {
      const { pass, release, run, ended } = await held();
      await pass(5_000);
      assert.deepEqual([box.sent, run.result], [[], undefined]);
      release();
      await pass(1_000);
      await ended;
      assert.deepEqual([box.sent, run.result?.status.counts.reached], [['ab'], 2]);
    });

    it('sends nothing, says which file it is before it would be too late, and can be resumed', async () => {
      const { outbox, pass, release, run, ended } = await held();
      await pass(12_000);
      await ended;
      const { error } = run.result?.stopped ?? {};
      assert.ok(error instanceof FileInUseError, `${error}`);
      assert.match(error.path, /act-0$/);
      assert.deepEqual([box.sent, run.result?.stopped?.why, run.result?.status.counts.notSent], [[], 'disk', 2]);
      assert.deepEqual((await outbox.get(ID))?.status.counts.notSent, 2);
      release();
      await outbox.resume(ID, by(everyone));
      assert.deepEqual(box.sent, ['ab']);
    });

    it('sends nothing once that is canceled', async () => {
      const { outbox, pass, run, ended } = await held();
      await pass(1_000);
      outbox.runs.cancel(ID);
      await pass(0);
      await ended;
      assert.deepEqual([box.sent, run.result?.stopped?.why, run.result?.status.counts.notSent], [[], 'canceled', 2]);
    });

    it('sends nothing of a scheduled one by itself any more once that is canceled', async () => {
      const { outbox, pass, release, run, ended } = await held(AT);
      outbox.runs.cancel(ID);
      await pass(1_000);
      release();
      await pass(1_000);
      await ended;
      assert.equal(run.result?.stopped?.why, 'canceled');
      assert.deepEqual(await outbox.scheduled(), []);
      assert.equal(atRest(await outbox.get(ID)).canceledDue, AT);
    });
  });

  it('lists unreadable deliveries as such, and the others as usual', async () => {
    await open().start(deliveryOf(plan('ab'), { id: ID }), by(everyone));
    const at = (word: string, ...names: string[]) => join(box.path, 'deliveries', idOf(word), ...names);
    await writeFile(at('file'), 'x');
    // Wine takes it for missing.
    if (!isWine) await symlink(at('loop'), at('loop'));
    await mkdir(at('folder', 'delivery.ndjson'), { recursive: true });
    for (const word of ['journal', 'act']) await open().start(deliveryOf(plan('ab'), { id: idOf(word) }), by(everyone));
    await mkdir(at('journal', 'journal-00000000.ndjson'));
    await mkdir(at('act', 'act-1'));
    const entries = await open().entries();
    const unreadable = entries.flatMap((one) => ('error' in one ? [[one.id, String(one.error).slice(0, 14)]] : []));
    assert.deepEqual(unreadable.toSorted(), [
      [idOf('act'), 'Error: EISDIR:'],
      [idOf('file'), 'Error: ENOTDIR'],
      [idOf('folder'), 'Error: EISDIR:'],
      [idOf('journal'), 'Error: EISDIR:'],
      ...(isWine ? [] : [[idOf('loop'), 'Error: ELOOP: ']]),
    ]);
    assert.deepEqual(
      (await open().all()).map(({ status }) => status.delivery.id),
      [ID],
    );
    await open().start(deliveryOf(plan('cd'), { id: idOf('new') }), by(everyone));
    for (const [id = ''] of unreadable) assert.equal(await open().remove(id), true);
    assert.equal((await open().entries()).length, 2);
  });

  it('limits how many deliveries are read at the same time', async () => {
    const files = diskFiles(box.path);
    for (let index = 0; index < 40; index++) {
      await new DeliveryStore(files).create(deliveryOf(plan('ab'), { id: idOf(`${100 + index}`) }));
    }
    let [now, most] = [0, 0];
    const read: typeof files.read = async (path) => {
      most = Math.max(most, ++now);
      return files.read(path).finally(() => now--);
    };
    assert.equal((await new Outbox(new DeliveryStore({ ...files, read })).all()).length, 40);
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

  const sender = (answers: Answers): Sender => ({
    token: 't',
    never: () => new Map(),
    send: async (batch, { before }) => {
      await before();
      return answers(batch, () => {});
    },
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
    resumes: () => outbox.resume(two.id, sender(everyone)),
    resends: async () => outbox.resend(three, await outbox.unreached(ID), sender(everyone)),
  }))
    it(`lasts once another window ${what} the resend that it names`, async () => {
      await outbox.start(deliveryOf(plan('ab'), { id: ID }), sender(refused(-1)));
      await store.create(two);
      await dieClaiming(1, { resentBy: two.id });
      assert.ok(await send());
      losePower();
      assert.equal(await outbox.resume(ID, sender(everyone)), undefined);
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
