import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Outbox, type Sender } from '../../../../src/sending/outbox/outbox.ts';
import { Store } from '../../../../src/sending/outbox/store.ts';
import { planBatches } from '../../../../src/sending/plan.ts';
import { durableFiles } from '../../../../src/workbench/durable.ts';
import { type Answers, deliveryOf, everyone, failing, groups, refused, states } from '../delivering.ts';

const ID = 'one';
const plan = (ids: string) => planBatches(groups(...ids), 2);

describe('The outbox', () => {
  let folder: string;
  let sent: string[];

  const open = (changed?: (id: string) => void) => new Outbox(new Store(durableFiles(folder)), changed);
  /** Sends by these answers, the last of which answers all that follow. */
  const by = (...answers: Answers[]): Sender => ({
    token: 'a-token',
    async send(batch, { before }) {
      await before();
      sent.push(batch.recipients.map(({ id }) => id).join(''));
      return ((answers.length > 1 ? answers.shift() : answers[0]) ?? assert.fail())(batch, () => {});
    },
  });
  const counts = async (id = ID) => (await open().get(id))?.account.counts;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bot-chats-outbox-'));
    sent = [];
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('sends nothing that cannot be written down first', async () => {
    const store = new Store({ ...durableFiles(folder), write: () => Promise.reject(new Error('no space left')) });
    await assert.rejects(new Outbox(store).start(deliveryOf(plan('ab')), by(everyone)), /no space left/);
    assert.deepEqual(sent, []);
  });

  it('remembers a delivery with all that came back', async () => {
    await open().start(deliveryOf(plan('abc'), { id: ID }), by(everyone));
    assert.deepEqual(await counts(), { reached: 3, missing: 0, rejected: 0, unknown: 0, notSent: 0 });
    const [kept] = await open().all();
    assert.deepEqual([kept?.isRunning, kept?.account.delivery.id], [false, ID]);
  });

  it('shows a delivery as it goes on, and tells of every change', async () => {
    const told: string[] = [];
    const outbox = open((id) => told.push(id));
    const seen: Promise<unknown>[] = [];
    await outbox.start(deliveryOf(plan('abc'), { id: ID }), by(everyone), ({ counts }) => {
      const { reached } = counts;
      seen.push(outbox.get(ID).then((kept) => [reached, kept?.isRunning]));
    });
    assert.deepEqual(await Promise.all(seen), [
      [2, true],
      [3, true],
    ]);
    assert.deepEqual(told, [ID, ID, ID, ID]);
  });

  it('stops after the call that is under way, and resumes with the rest', async () => {
    const outbox = open();
    const stopping: Answers = (...call) => {
      outbox.stop(ID);
      return everyone(...call);
    };
    const { stopped } = await outbox.start(deliveryOf(plan('abcdef'), { id: ID }), by(stopping));
    assert.equal(stopped?.why, 'person');
    assert.deepEqual(await counts(), { reached: 2, missing: 0, rejected: 0, unknown: 0, notSent: 4 });
    await open().resume(ID, by(everyone));
    assert.deepEqual(sent, ['ab', 'cd', 'ef']);
    assert.equal((await counts())?.reached, 6);
  });

  it('resumes with what was refused, and never with what is unknown or not confirmed', async () => {
    const nobody: Answers = async () => ({ reached: [], unreadable: [], successCount: 0 });
    const answers = [refused(-1), failing({ kind: 'timedOut', after: 1 }), nobody, everyone];
    await open().start(deliveryOf(plan('abcdefgh'), { id: ID }), by(...answers));
    const ended = await open().resume(ID, by(everyone));
    assert.deepEqual(sent, ['ab', 'cd', 'ef', 'gh', 'ab']);
    assert.deepEqual(ended && states(ended.account), {
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

  it('never sends a batch twice, however many windows resume a delivery at once', async () => {
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

  it('neither resumes nor forgets what is being sent', async () => {
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

  it('knows whom a delivery has not reached, and who of them may have the message all the same', async () => {
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
    assert.equal(unreached.resends, 0);
  });

  it('counts those as reached whom a delivery to the unreached has reached since, and theirs in turn', async () => {
    const only =
      (id: string): Answers =>
      async () => ({
        reached: [{ recvId: id, msgId: 'm' }],
        unreadable: [],
        successCount: 1,
      });
    await open().start(deliveryOf(planBatches(groups(...'abcd'), 9), { id: ID }), by(only('a')));
    await open().start(deliveryOf(planBatches(groups(...'bcd'), 9), { id: 'two', resends: ID }), by(only('b')));
    await open().start(deliveryOf(planBatches(groups(...'cd'), 9), { id: 'three', resends: 'two' }), by(only('c')));
    assert.deepEqual(
      (await open().unreached(ID)).recipients.map(({ id }) => id),
      ['d'],
    );
  });
});
