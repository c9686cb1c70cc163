import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import type { Sender } from '../../../src/outbox/deliveryRuns.ts';
import { DeliveryStore } from '../../../src/outbox/deliveryStore.ts';
import { Outbox } from '../../../src/outbox/outbox.ts';
import { diskFiles } from '../../../src/platform/diskFiles.ts';
import { Listed } from '../../../src/service/message.ts';
import { clockAt } from '../clocks.ts';
import {
  type Answers,
  BOT,
  deliveryOf,
  everyone,
  failing,
  groups,
  idOf,
  planBatches,
  refused,
  states,
} from './testDeliveries.ts';

const ID = idOf('one');
const plan = (ids: string) => planBatches(groups(...ids), 2);

describe('Outbox', () => {
  let folder: string;
  let sent: string[];

  const open = (changed?: (id: string) => void) => new Outbox(new DeliveryStore(diskFiles(folder)), changed);
  /** A sender that gets these answers in turn. The last one answers all remaining calls. */
  const by = (...answers: Answers[]): Sender => ({
    token: 'a-token',
    async send(batch, { before }) {
      await before();
      sent.push(batch.recipients.map(({ id }) => id).join(''));
      return ((answers.length > 1 ? answers.shift() : answers[0]) ?? assert.fail())(batch, () => {});
    },
  });
  /** A resend of the first delivery. */
  const resendOf = (ids: string, word: string) => deliveryOf(plan(ids), { id: idOf(word), resends: ID });
  const counts = async (id = ID) => (await open().get(id))?.status.counts;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bot-chats-outbox-'));
    sent = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("sends nothing if the delivery can't be stored", async () => {
    const store = new DeliveryStore({
      ...diskFiles(folder),
      write: () => Promise.reject(new Error('no space left')),
    });
    await assert.rejects(new Outbox(store).start(deliveryOf(plan('ab')), by(everyone)), /no space left/);
    assert.deepEqual(sent, []);
  });

  it('stores a delivery with its outcomes', async () => {
    await open().start(deliveryOf(plan('abc'), { id: ID }), by(everyone));
    assert.deepEqual(await counts(), { reached: 3, missing: 0, rejected: 0, unknown: 0, notSent: 0 });
    const [entry] = await open().all();
    assert.deepEqual([entry?.isRunning, entry?.status.delivery.id], [false, ID]);
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
    assert.deepEqual(changes, [ID, ID, ID, ID]);
  });

  it('stops after the call under way, and resumes with the rest', async () => {
    const outbox = open();
    const canceling: Answers = (...call) => {
      outbox.cancel(ID);
      return everyone(...call);
    };
    const { stopped } = await outbox.start(deliveryOf(plan('abcdef'), { id: ID }), by(canceling));
    assert.equal(stopped?.why, 'person');
    assert.deepEqual(await counts(), { reached: 2, missing: 0, rejected: 0, unknown: 0, notSent: 4 });
    await open().resume(ID, by(everyone));
    assert.deepEqual(sent, ['ab', 'cd', 'ef']);
    assert.equal((await counts())?.reached, 6);
  });

  it('resumes refused batches, but never unknown or unconfirmed ones', async () => {
    const nobody: Answers = async () => ({ reached: [], unreadable: [], successCount: 0 });
    const answers = [refused(-1), failing({ kind: 'timedOut', after: 1 }), nobody, everyone];
    await open().start(deliveryOf(plan('abcdefgh'), { id: ID }), by(...answers));
    const ended = await open().resume(ID, by(everyone));
    assert.deepEqual(sent, ['ab', 'cd', 'ef', 'gh', 'ab']);
    assert.deepEqual(ended && states(ended.status), {
      a: 'reached',
      b: 'reached',
      c: 'unknown',
      d: 'unknown',
      e: 'missing',
      f: 'missing',
      g: 'reached',
      h: 'reached',
    });
  });

  it('never sends a batch twice if several windows resume a delivery at once', async () => {
    await open().start(
      deliveryOf(plan('abcdefghij'), { id: ID }),
      by(failing({ kind: 'unreachable', reason: 'ENOTFOUND' })),
    );
    sent = [];
    await Promise.all([open(), open(), open(), open()].map((outbox) => outbox.resume(ID, by(everyone))));
    await open().resume(ID, by(everyone));
    assert.deepEqual(sent.toSorted(), ['ab', 'cd', 'ef', 'gh', 'ij']);
    assert.equal((await counts())?.reached, 10);
  });

  it('sends nothing if canceled while the delivery is being stored', async () => {
    const files = diskFiles(folder);
    const outbox: Outbox = new Outbox(
      new DeliveryStore({
        ...files,
        async write(path, text) {
          assert.equal(outbox.cancel(ID), true);
          await files.write(path, text);
        },
      }),
    );
    const { stopped } = await outbox.start(deliveryOf(plan('ab'), { id: ID }), by(everyone));
    assert.deepEqual([stopped?.why, sent, outbox.cancel(ID)], ['person', [], false]);
  });

  it('waits for the call under way when the window closes, and reports the interruption at the next start', async () => {
    const outbox = open();
    let closed: Promise<void> | undefined;
    const closing: Answers = (...call) => {
      closed = outbox.close();
      return everyone(...call);
    };
    void outbox.start(deliveryOf(plan('abcd'), { id: ID }), by(closing));
    while (!closed) await setImmediate();
    await closed;
    assert.deepEqual(await counts(), { reached: 2, missing: 0, rejected: 0, unknown: 0, notSent: 2 });
    const later = new Outbox(
      new DeliveryStore(
        diskFiles(folder),
        clockAt(() => Date.now() + 60_000),
      ),
    );
    assert.deepEqual((await later.interrupted()).length, 1);
  });

  it("returns the result even if the heartbeat can't be removed", async () => {
    const store = new DeliveryStore({ ...diskFiles(folder), remove: () => Promise.reject(new Error('busy')) });
    const { status } = await new Outbox(store).start(deliveryOf(plan('ab'), { id: ID }), by(everyone));
    assert.equal(status.counts.reached, 2);
  });

  it("keeps an outcome that can't be stored, and stores it with the next one", async () => {
    const files = diskFiles(folder);
    let isFull = true;
    const append: typeof files.append = (...line) =>
      isFull ? Promise.reject(new Error('no space left')) : files.append(...line);
    const outbox = new Outbox(new DeliveryStore({ ...files, append }));
    const { stopped } = await outbox.start(deliveryOf(plan('abcd'), { id: ID }), by(everyone));
    assert.equal(stopped?.why, 'disk');
    assert.equal((await outbox.get(ID))?.status.counts.reached, 2);
    isFull = false;
    await outbox.resume(ID, by(everyone));
    assert.deepEqual(sent, ['ab', 'cd']);
    assert.equal((await counts())?.reached, 4);
  });

  it('stops sending if another window deletes the delivery', async () => {
    const deleting: Answers = async (...call) => {
      await rm(join(folder, 'deliveries', ID), { recursive: true });
      return everyone(...call);
    };
    const { stopped } = await open().start(deliveryOf(plan('abcd'), { id: ID }), by(deleting));
    assert.deepEqual([stopped?.why, sent, await open().all()], ['deleted', ['ab'], []]);
  });

  it('reads the files of a delivery again only if they have changed', async () => {
    const files = diskFiles(folder);
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
    assert.deepEqual(sent, ['ab']);
    assert.equal(await outbox.remove(ID), true);
    assert.deepEqual(await outbox.all(), []);
  });

  it('knows the unreached recipients, and which of them may have the message anyway', async () => {
    const half: Answers = async ({ recipients: [first] }) => ({
      reached: [{ recvId: first?.id ?? '', msgId: 'm' }],
      unreadable: [],
      successCount: 1,
    });
    await open().start(
      deliveryOf(plan('abcdef'), { id: ID }),
      by(half, refused(-1), failing({ kind: 'timedOut', after: 1 })),
    );
    const unreached = await open().unreached(ID);
    assert.deepEqual(unreached.recipients.map(({ id }) => id).join(''), 'bcdef');
    assert.deepEqual(unreached.uncertain.map(({ id }) => id).join(''), 'bef');
    assert.deepEqual([unreached.lastId, unreached.claimCount], [ID, 3]);
  });

  it('counts recipients as reached that a later resend has reached', async () => {
    const only =
      (id: string): Answers =>
      async () => ({
        reached: [{ recvId: id, msgId: 'm' }],
        unreadable: [],
        successCount: 1,
      });
    await open().start(deliveryOf(planBatches(groups(...'abcd'), 9), { id: ID }), by(only('a')));
    const resend = async (ids: string, word: string, resends: string) => {
      const delivery = deliveryOf(planBatches(groups(...ids), 9), { id: idOf(word), resends });
      await open().resend(delivery, await open().unreached(resends), by(only(ids.charAt(0))));
    };
    await resend('bcd', 'two', ID);
    await resend('cd', 'three', idOf('two'));
    assert.deepEqual(
      (await open().unreached(ID)).recipients.map(({ id }) => id),
      ['d'],
    );
    // The same holds for the unreached recipients of a resend.
    const unreached = await open().unreached(idOf('two'));
    assert.deepEqual([unreached.recipients.map(({ id }) => id), unreached.lastId], [['d'], idOf('three')]);
  });

  it('resends only with up-to-date knowledge of who was reached', async () => {
    await open().start(deliveryOf(plan('ab'), { id: ID }), by(refused(-1)));
    const known = await open().unreached(ID);
    await open().resume(ID, by(everyone));
    assert.equal(await open().resend(resendOf('ab', 'two'), known, by(everyone)), undefined);
    assert.deepEqual([sent, (await open().all()).length], [['ab', 'ab'], 1]);
  });

  it('resends nothing while the original is being sent', async () => {
    const starts: unknown[] = [];
    await open().start(
      deliveryOf(plan('ab'), { id: ID }),
      by(async (...call) => {
        const known = await open().unreached(ID);
        starts.push(await open().resend(resendOf('ab', 'two'), known, by(everyone)));
        return everyone(...call);
      }),
    );
    assert.deepEqual([starts, sent], [[undefined], ['ab']]);
  });

  it('stops and never resumes a delivery that was resent', async () => {
    const elsewhere: Answers = async (...call) => {
      await new DeliveryStore(diskFiles(folder)).claim(ID, 1, { resentBy: idOf('two') });
      return everyone(...call);
    };
    const { stopped } = await open().start(deliveryOf(plan('abcdef'), { id: ID }), by(elsewhere));
    assert.deepEqual([stopped?.why, sent], ['taken', ['ab']]);
    assert.equal(await open().resume(ID, by(everyone)), undefined);
    assert.deepEqual(sent, ['ab']);
  });

  it('ignores a resend that was stored but never claimed', async () => {
    await open().start(deliveryOf(plan('ab'), { id: ID }), by(refused(-1)));
    const store = new DeliveryStore(
      diskFiles(folder),
      clockAt(() => Date.now() + 60_000),
    );
    // Its window died before the claim.
    await store.create(resendOf('ab', 'lost'));
    await (await store.startHeartbeat(idOf('lost')))(true);
    const outbox = new Outbox(
      new DeliveryStore(
        diskFiles(folder),
        clockAt(() => Date.now() + 200_000),
      ),
    );
    assert.deepEqual([(await outbox.all()).length, await outbox.interrupted()], [1, []]);
    assert.deepEqual(await readdir(join(folder, 'deliveries')), [ID]);
    assert.equal(await outbox.resume(idOf('lost'), by(everyone)), undefined);
    await outbox.resend(resendOf('ab', 'two'), await outbox.unreached(ID), by(everyone));
    assert.deepEqual([sent, await outbox.resume(idOf('lost'), by(everyone))], [['ab', 'ab'], undefined]);
  });

  it('counts no resend that was never claimed, whatever is deleted', async () => {
    await open().start(deliveryOf(plan('ab'), { id: ID }), by(refused(-1)));
    // Its window died before the claim.
    await new DeliveryStore(diskFiles(folder)).create(resendOf('ab', 'lost'));
    await open().resend(resendOf('ab', 'two'), await open().unreached(ID), by(everyone));
    for (const deleted of [ID, idOf('two')]) {
      assert.equal(await open().remove(deleted), true);
      assert.deepEqual(
        [await open().get(idOf('lost')), await open().resume(idOf('lost'), by(everyone))],
        [undefined, undefined],
      );
    }
    assert.deepEqual([await open().all(), sent], [[], ['ab', 'ab']]);
  });

  it("removes a resend that can't be claimed", async () => {
    await open().start(deliveryOf(plan('ab'), { id: ID }), by(refused(-1)));
    const full = { ...diskFiles(folder), create: () => Promise.reject(new Error('no space left')) };
    const outbox = new Outbox(new DeliveryStore(full));
    await assert.rejects(
      outbox.resend(resendOf('ab', 'two'), await outbox.unreached(ID), by(everyone)),
      /no space left/,
    );
    assert.deepEqual(await readdir(join(folder, 'deliveries')), [ID]);
    assert.deepEqual([(await open().get(ID))?.isResent, sent], [false, ['ab']]);
  });

  it('keeps a resend, and what it means, after the delivery before it was deleted', async () => {
    const files = diskFiles(folder);
    await open().start(deliveryOf(plan('abcd'), { id: ID }), by(failing({ kind: 'timedOut', after: 1 }), refused(-1)));
    // Its window dies before the first call.
    const dying = { token: 't', send: () => Promise.reject(new Error('killed')) };
    await open().resend(resendOf('abcd', 'two'), await open().unreached(ID), dying);
    assert.equal(await open().remove(ID), true);
    const { status } = (await open().get(idOf('two'))) ?? assert.fail();
    assert.deepEqual(
      status.recipients('notSent').map(({ id, mayHaveIt = false }) => [id, mayHaveIt]),
      [
        ['a', true],
        ['b', true],
        ['c', false],
        ['d', false],
      ],
    );
    const { uncertain } = await open().unreached(idOf('two'));
    assert.deepEqual(
      uncertain.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.ok((await files.names(`deliveries/${idOf('two')}`)).includes('act-0'));
  });

  it('hands a resend to the delivery before it if the one between is deleted', async () => {
    await open().start(deliveryOf(plan('ab'), { id: ID }), by(refused(-1)));
    await open().resend(resendOf('ab', 'two'), await open().unreached(ID), by(refused(-1)));
    const third = deliveryOf(plan('ab'), { id: idOf('three'), resends: idOf('two') });
    await open().resend(third, await open().unreached(ID), by(refused(-1)));
    assert.equal(await open().remove(idOf('two')), true);
    const [first, last] = [await open().get(ID), await open().get(idOf('three'))];
    assert.deepEqual([first?.resentBy, first?.isResent, last?.isResent], [idOf('three'), true, false]);
    // What the deleted one has sent is unknown.
    const { lastId, uncertain } = await open().unreached(ID);
    assert.deepEqual([lastId, uncertain.map(({ id }) => id)], [idOf('three'), ['a', 'b']]);
  });

  it('resends after the last resend, even if that one is damaged', async () => {
    await open().start(deliveryOf(plan('ab'), { id: ID }), by(refused(-1)));
    await open().resend(resendOf('ab', 'two'), await open().unreached(ID), by(refused(-1)));
    const file = join(folder, 'deliveries', idOf('two'), 'delivery.ndjson');
    const whole = await readFile(file);
    await writeFile(file, 'damaged');
    const unreached = await open().unreached(ID);
    assert.deepEqual([unreached.lastId, unreached.uncertain.length], [idOf('two'), 2]);
    await open().resend(
      deliveryOf(plan('ab'), { id: idOf('three'), resends: idOf('two') }),
      unreached,
      by(refused(-1)),
    );
    await writeFile(file, whole);
    assert.equal(await open().resume(idOf('two'), by(everyone)), undefined);
  });

  it('deletes no delivery that another window has begun to send since it was read', async () => {
    await open().start(deliveryOf(plan('abcd'), { id: ID }), by(failing({ kind: 'unreachable', reason: 'ENOTFOUND' })));
    const { claimCount } = (await open().get(ID)) ?? assert.fail();
    sent = [];
    // It has looked for windows that send before the other one has begun.
    const files = diskFiles(folder);
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
    assert.deepEqual([deletions, sent, (await counts())?.reached], [[false, false], ['ab', 'cd'], 4]);
  });

  it('sends nothing of a delivery that another window has begun to delete', async () => {
    const unreachable = failing({ kind: 'unreachable', reason: 'ENOTFOUND' });
    await open().start(deliveryOf(plan('ab'), { id: ID }), by(unreachable));
    sent = [];
    const sender: Sender = {
      token: 't',
      async send(...call) {
        await new DeliveryStore(diskFiles(folder)).claim(ID, 1, { removed: true });
        return by(everyone).send(...call);
      },
    };
    const ended = await open().resume(ID, sender);
    assert.deepEqual([ended?.stopped?.why, sent, await open().all()], ['deleted', [], []]);
    // What was left of it is gone, too.
    assert.deepEqual(await readdir(join(folder, 'deliveries')), []);
  });

  it('deletes a delivery on a full disk', async () => {
    await open().start(deliveryOf(plan('ab'), { id: ID }), by(everyone));
    const full = () => Promise.reject(new Error('no space left'));
    const outbox = new Outbox(new DeliveryStore({ ...diskFiles(folder), create: full, write: full, append: full }));
    assert.deepEqual([await outbox.remove(ID), await open().all()], [true, []]);
  });

  it('can resend again, but not resume, after the resend was deleted', async () => {
    await open().start(deliveryOf(plan('ab'), { id: ID }), by(refused(-1)));
    await open().resend(resendOf('ab', 'two'), await open().unreached(ID), by(refused(-1)));
    await open().remove(idOf('two'));
    assert.equal(await open().resume(ID, by(everyone)), undefined);
    await open().resend(resendOf('ab', 'three'), await open().unreached(ID), by(everyone));
    assert.deepEqual([sent, (await open().unreached(ID)).recipients], [['ab', 'ab', 'ab'], []]);
  });

  it('checks against deliveries of the same service only, because IDs are not unique across services', async () => {
    const lost = failing({ kind: 'timedOut', after: 1 });
    const list = [{ recvId: 'a', msgId: 'm' }];
    const reached: Answers = async () => ({ reached: list, unreadable: [], successCount: 1 });
    await open().start(deliveryOf(plan('a'), { id: idOf('else'), service: 'https://other.test' }), by(reached));
    await open().start(deliveryOf(plan('a'), { id: idOf('unseen'), service: 'https://other.test' }), by(lost));
    const at = Date.now();
    await open().start(deliveryOf(plan('a'), { id: ID, at }), by(lost));
    const raw = { msgId: 'm', senderId: BOT, contentType: 'text', content: { text: 'Hello' }, sendTime: at };
    const check = await open().check(ID, async () => [v.parse(Listed, raw)], new AbortController().signal);
    assert.deepEqual([check?.unclear, check?.found], [[], [{ type: 'group', id: 'a', msgId: 'm' }]]);
  });

  it('ignores unrelated files in its folders', async () => {
    await open().start(deliveryOf(plan('ab'), { id: ID }), by(everyone));
    for (const name of ['deliveries', 'running']) {
      for (const stray of ['.DS_Store', 'Thumbs.db']) await writeFile(join(folder, name, stray), 'x');
      await mkdir(join(folder, name, 'New Folder'));
    }
    assert.equal((await open().entries()).length, 1);
    assert.deepEqual([await open().interrupted(), await open().isAnyRunning()], [[], false]);
  });

  it('lists unreadable deliveries as such, and the others as usual', async () => {
    await open().start(deliveryOf(plan('ab'), { id: ID }), by(everyone));
    const at = (word: string, ...names: string[]) => join(folder, 'deliveries', idOf(word), ...names);
    await writeFile(at('file'), 'x');
    await symlink(at('loop'), at('loop'));
    await mkdir(at('folder', 'delivery.ndjson'), { recursive: true });
    for (const word of ['journal', 'act']) await open().start(deliveryOf(plan('ab'), { id: idOf(word) }), by(everyone));
    await rm(at('journal', 'journal.ndjson'));
    await mkdir(at('journal', 'journal.ndjson'));
    await mkdir(at('act', 'act-1'));
    const entries = await open().entries();
    const unreadable = entries.flatMap((one) => ('error' in one ? [[one.id, String(one.error).slice(0, 14)]] : []));
    assert.deepEqual(unreadable.toSorted(), [
      [idOf('act'), 'Error: EISDIR:'],
      [idOf('file'), 'Error: ENOTDIR'],
      [idOf('folder'), 'Error: EISDIR:'],
      [idOf('journal'), 'Error: EISDIR:'],
      [idOf('loop'), 'Error: ELOOP: '],
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
    const files = diskFiles(folder);
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
