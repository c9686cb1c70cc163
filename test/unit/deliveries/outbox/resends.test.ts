import assert from 'node:assert/strict';
import * as v from 'valibot';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import { sentTimeOf } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { type Delivery, type JournalLine, newDeliveryId } from '../../../../src/deliveries/outbox/record.ts';
import { familiesOf, jointEntry, jointStatus, unreachedOf } from '../../../../src/deliveries/outbox/resends.ts';
import type { DurableFiles } from '../../../../src/platform/durableFiles.ts';
import { Listed } from '../../../../src/service/message.ts';
import { ID, plan, useOutbox } from './outboxFolder.ts';
import {
  type Answers,
  AT,
  answered,
  atRest,
  BOT,
  deliveryOf,
  dieSending,
  everyone,
  failing,
  idOf,
  nobody,
  refused,
  runningEntry,
  states,
  storedEntry,
} from './testDeliveries.ts';

const never = new AbortController().signal;

const lost = failing({ kind: 'timedOut', after: 1 });

describe('The outbox, resending', () => {
  const box = useOutbox();
  const { open, by } = box;
  const start = (ids: string, ...answers: Answers[]) => open().start(deliveryOf(plan(ids), { id: ID }), by(...answers));
  /** A resend, by default of the first delivery. */
  const resendOf = (ids: string, word: string, changes: Partial<Delivery> = {}) =>
    deliveryOf(plan(ids), { id: idOf(word), resends: ID, ...changes });
  /** Resends a delivery, by default the first one, to those whom none has reached. */
  const resend = async (ids: string, word: string, answers: Answers, resends = ID) =>
    open().resend(resendOf(ids, word, { resends }), await open().unreached(ID), by(answers));
  const letters = (recipients: readonly { id: string }[]) => recipients.map(({ id }) => id).join('');

  it('counts no claim of a delivery that is being sent without knowing whom its call may have reached', async () => {
    const store = box.store();
    const delivery = deliveryOf(plan('ab'), { id: ID });
    await store.create(delivery);
    const running = { status: new DeliveryStatus(delivery) };
    const all = async () => {
      const read = [running];
      await store.claim(ID, 0, { batch: 0, attempt: 0, at: AT });
      return read;
    };
    const { uncertain, claimCount } = await unreachedOf(ID, { all, get: async () => running }, store);
    assert.deepEqual([letters(uncertain), claimCount], ['ab', 1]);
  });

  it('was sent when its resend was, if nothing was sent before', async () => {
    const first = new DeliveryStatus(deliveryOf(plan('a'), { id: ID, due: AT + 1_000 }));
    const resend = new DeliveryStatus(resendOf('a', 'resend'), [{ batch: 0, attempt: 0, at: AT + 9_000 }]);
    assert.equal(sentTimeOf(await jointStatus([{ status: first }, { status: resend }])), AT + 9_000);
    first.begin({ batch: 0, attempt: 0, at: AT + 1_000 });
    assert.equal(sentTimeOf(await jointStatus([{ status: first }, { status: resend }])), AT + 1_000);
  });

  it('knows the unreached recipients, and which of them may have the message anyway', async () => {
    const half: Answers = async ({ recipients: [first] }) => ({
      reached: [{ recvId: first?.id ?? '', msgId: 'm' }],
      unreadable: [],
      successCount: 1,
    });
    await start('abcdef', half, refused(-1), lost);
    const unreached = await open().unreached(ID);
    assert.deepEqual([letters(unreached.recipients), letters(unreached.uncertain)], ['bcdef', 'bef']);
    assert.deepEqual([unreached.lastId, unreached.claimCount, unreached.toCheck], [ID, 3, [ID]]);
    const none = { recipients: [], uncertain: [], nobody: [], toCheck: [], claimCount: 0 };
    assert.deepEqual(await open().unreached(idOf('gone')), { ...none, lastId: idOf('gone') });
  });

  it('leaves settled who was left out, unless an earlier call may have reached them', async () => {
    const listing = (ids: string, ...answers: Answers[]) => ({
      ...by(...answers),
      never: () => new Map([...ids].map((id) => [`group ${id}`, ''])),
    });
    await open().start(deliveryOf(plan('abcdef'), { id: ID }), listing('b', everyone, refused(-1), lost));
    const unreached = await open().unreached(ID);
    assert.equal(letters(unreached.recipients), 'cdef');
    // Of these, one is on the list when the resend is confirmed, as is somebody else, and two are when it's sent.
    const listed = { kind: 'group', id: 'c', name: 'c', by: 'never', note: 'asked' } as const;
    const leftOut = { people: [listed, { ...listed, id: 'x' }], rows: 0 };
    await open().resend({ ...resendOf('def', 'two'), leftOut }, unreached, listing('de', everyone));
    assert.deepEqual(box.sent.slice(-1), ['f']);
    const again = await open().unreached(ID);
    assert.deepEqual([letters(again.recipients), again.toCheck], ['e', [ID]]);
    const [family] = familiesOf(await open().all());
    const joint = await jointStatus(family ?? assert.fail());
    assert.deepEqual(states(joint), {
      a: 'reached',
      b: 'leftOut',
      c: 'leftOut',
      d: 'leftOut',
      e: 'unknown',
      f: 'reached',
    });
    assert.deepEqual([joint.total, joint.counts.leftOut, joint.listedCount('leftOut')], [6, 3, 4]);
  });

  const listed = (msgId: string) =>
    v.parse(Listed, { msgId, senderId: BOT, contentType: 'text', content: { text: 'Hello' }, sendTime: AT });
  /** Checks a delivery in chats that have these messages, newest first. */
  const check = (id: string, ...msgIds: string[]) => box.openLater().check(id, async () => msgIds.map(listed), never);

  it('can check a delivery and its resend after both were not confirmed, and finds the same message for both', async () => {
    await start('a', nobody);
    await resend('a', 'two', nobody);
    assert.deepEqual((await open().unreached(idOf('two'))).toCheck, [ID, idOf('two')]);
    // Either of them may be deleted.
    for (const id of [ID, idOf('two')])
      assert.deepEqual((await check(id, 'm'))?.found, [{ kind: 'group', id: 'a', msgId: 'm' }]);
    assert.deepEqual((await open().unreached(idOf('two'))).recipients, []);
  });

  it('warns no longer of a resend once all deliveries before it were checked', async () => {
    await start('a', nobody);
    await resend('a', 'two', refused(-1));
    assert.equal((await open().unreached(idOf('two'))).uncertain.length, 1);
    await check(ID);
    const { recipients, uncertain, toCheck } = await open().unreached(idOf('two'));
    assert.deepEqual([recipients.length, uncertain, toCheck], [1, [], []]);
  });

  it('counts among the unreached whom the user has added to a resend, and nobody whom a later one has reached', async () => {
    await start('a', refused(-1));
    await open().resend(resendOf('acb', 'two'), await open().unreached(ID), by(everyone, refused(-1)));
    const unreached = async () => {
      const all = [await open().unreached(ID), await open().unreached(idOf('two'))];
      return all.map(({ recipients, lastId }) => [lastId, ...recipients.map(({ id }) => id)]);
    };
    const two = [idOf('two'), 'b'];
    assert.deepEqual(await unreached(), [two, two]);
    const [family = assert.fail()] = familiesOf(await open().all());
    assert.deepEqual(states(await jointStatus(family)), { a: 'reached', c: 'reached', b: 'rejected' });
    await resend('b', 'three', everyone, idOf('two'));
    assert.deepEqual(await unreached(), [[idOf('three')], [idOf('three')]]);
  });

  it('has what was odd in any answer, and that any of them was moved', async () => {
    const statusOf = (odd: string, line: JournalLine) =>
      new DeliveryStatus(deliveryOf(plan('a')), [], [answered(0, 'a', odd), line]);
    const moved = statusOf('x', { what: 'moved', at: AT });
    const stopped = statusOf('y', { what: 'stopped', at: AT, why: 'canceled' });
    const { unrequested, movedAt } = await jointStatus([{ status: stopped }, { status: moved }]);
    assert.deepEqual([unrequested, movedAt], [['y', 'x'], AT]);
  });

  it('is being sent while any of them is, and canceled if that was, and counts what is unreadable in all', async () => {
    const status = new DeliveryStatus(deliveryOf(plan('a'), { id: ID }));
    const at = (unreadableCount: number) => storedEntry(status, { unreadableCount });
    for (const [family, isRunning, isCanceling] of [
      [[at(0), runningEntry(status)], true, false],
      [[runningEntry(status), at(0)], true, false],
      [[at(0), runningEntry(status, true), at(0)], true, true],
      [[at(1), at(2)], false, undefined],
    ] as const) {
      const joint = await jointEntry(family);
      assert.deepEqual([joint.isRunning, joint.isRunning ? joint.isCanceling : undefined], [isRunning, isCanceling]);
      if (!joint.isRunning) assert.equal(joint.unreadableCount, 3);
    }
  });

  it('shows what came of the last resend, although the clock was set back before it', async () => {
    await start('a', refused(-1));
    let resends = ID;
    for (const [word, at, answers] of [
      ['two', AT + 1_000, refused(-1)],
      ['three', AT - 3_600_000, everyone],
    ] as const) {
      box.now = at;
      const id = newDeliveryId(at);
      await open().resend(resendOf('a', '', { id, resends, at, name: word }), await open().unreached(ID), by(answers));
      resends = id;
    }
    const [family = assert.fail(), ...others] = familiesOf(await open().all());
    assert.deepEqual(family.map(({ status }) => status.delivery.name).slice(1), ['two', 'three']);
    assert.deepEqual([states(await jointStatus(family)), others], [{ a: 'reached' }, []]);
  });

  it('shows each delivery in one row, although damaged ones follow each other', () => {
    const following = (id: string, resends: string) => ({
      status: new DeliveryStatus(deliveryOf([], { id, resends })),
    });
    const damaged = [following('d', 'b'), following('c', 'a'), following('b', 'a'), following('a', 'b')];
    const ids = familiesOf(damaged).map((family) => family.map(({ status }) => status.delivery.id));
    assert.deepEqual(ids.flat().toSorted(), [...'abcd']);
  });

  it('starts only with up-to-date knowledge of who was reached', async () => {
    await start('ab', refused(-1));
    const known = await open().unreached(ID);
    await open().resume(ID, by(everyone));
    assert.equal(await open().resend(resendOf('ab', 'two'), known, by(everyone)), undefined);
    assert.deepEqual([box.sent, await box.files.names('deliveries')], [['ab', 'ab'], [ID]]);
  });

  it('sends nothing while the original is being sent', async () => {
    const starts: unknown[] = [];
    await start('ab', async (...call) => {
      starts.push(await resend('ab', 'two', everyone));
      return everyone(...call);
    });
    assert.deepEqual([starts, box.sent], [[undefined], ['ab']]);
  });

  it('deletes no delivery while its resend is being sent', async () => {
    await start('ab', refused(-1));
    const deletions: boolean[] = [];
    const deleting: Answers = async (...call) => {
      deletions.push(await open().remove(ID));
      return everyone(...call);
    };
    await resend('ab', 'two', deleting);
    assert.deepEqual([deletions, (await open().all()).length], [[false], 2]);
  });

  it('stops and never resumes a delivery that was resent', async () => {
    const elsewhere: Answers = async (...call) => {
      await box.store().claim(ID, 1, { resentBy: idOf('two') });
      return everyone(...call);
    };
    const { stopped } = await start('abcdef', elsewhere);
    assert.deepEqual([stopped?.why, box.sent], ['taken', ['ab']]);
    assert.equal(await open().resume(ID, by(everyone)), undefined);
    assert.deepEqual(box.sent, ['ab']);
  });

  it('ignores a resend that was stored but never claimed', async () => {
    await start('ab', refused(-1));
    // Its window died before the claim.
    await box.store().create(resendOf('ab', 'lost'));
    await dieSending(idOf('lost'), box.files);
    const outbox = open();
    assert.deepEqual([(await outbox.all()).length, await outbox.interrupted()], [1, []]);
    assert.deepEqual(await box.files.names('deliveries'), [ID]);
    assert.equal(await outbox.resume(idOf('lost'), by(everyone)), undefined);
    await resend('ab', 'two', everyone);
    assert.deepEqual([box.sent, await outbox.resume(idOf('lost'), by(everyone))], [['ab', 'ab'], undefined]);
  });

  it('counts no resend that was never claimed, whatever is deleted', async () => {
    await start('ab', refused(-1));
    // Its window died before the claim.
    await box.store().create(resendOf('ab', 'lost'));
    await resend('ab', 'two', everyone);
    for (const deleted of [idOf('two'), ID]) {
      assert.equal(await open().remove(deleted), true);
      assert.deepEqual(
        [await open().get(idOf('lost')), await open().resume(idOf('lost'), by(everyone))],
        [undefined, undefined],
      );
    }
    assert.deepEqual([await open().all(), box.sent], [[], ['ab', 'ab']]);
  });

  it("removes a resend that can't be claimed", async () => {
    await start('ab', refused(-1));
    const outbox = open(undefined, { create: () => Promise.reject(new Error('no space left')) });
    await assert.rejects(
      outbox.resend(resendOf('ab', 'two'), await outbox.unreached(ID), by(everyone)),
      /no space left/,
    );
    assert.deepEqual(await box.files.names('deliveries'), [ID]);
    assert.deepEqual([atRest(await open().get(ID)).isResent, box.sent], [false, ['ab']]);
  });

  it('keeps a resend that another window has sent, which took this one for dead and deleted the delivery before it', async () => {
    await start('ab', refused(-1));
    box.sent = [];
    const create: DurableFiles['create'] = async (path, ...rest) => {
      const isNew = await box.files.create(path, ...rest);
      if (path.includes(ID)) {
        box.now += 200_000;
        assert.equal(await open().remove(ID), true);
        await open().resume(idOf('two'), by(everyone));
      }
      return isNew;
    };
    const outbox = open(undefined, { create });
    const resent = await outbox.resend(resendOf('ab', 'two'), await outbox.unreached(ID), by(everyone));
    assert.deepEqual([resent, box.sent], [undefined, ['ab']]);
    assert.equal((await open().get(idOf('two')))?.status.counts.reached, 2);
  });

  it('keeps who may have the message by a deleted resend, whatever a check of the first delivery or the next resend says', async () => {
    await start('a', nobody);
    await check(ID);
    await resend('a', 'two', everyone);
    assert.equal(await open().remove(idOf('two')), true);
    await resend('a', 'three', refused(-1));
    assert.equal(letters((await open().unreached(ID)).uncertain), 'a');
  });

  it('keeps a resend that has sent nothing, and what it means, after the damaged delivery before it was deleted', async () => {
    await start('abcd', lost, refused(-1));
    // Its window dies before the first call.
    const dying = { ...by(everyone), send: () => Promise.reject(new Error('killed')) };
    await open().resend(resendOf('abcd', 'two'), await open().unreached(ID), dying);
    await box.damage(ID);
    assert.equal(await open().remove(ID), true);
    const { status } = (await open().get(idOf('two'))) ?? assert.fail();
    const notSent = status.recipients('notSent');
    assert.deepEqual([letters(notSent), letters(notSent.filter((one) => one.mayHaveIt))], ['abcd', 'ab']);
    assert.equal(letters((await open().unreached(idOf('two'))).uncertain), 'ab');
  });

  for (const isDamaged of [false, true])
    it(`hands a resend to the delivery before it if ${isDamaged ? 'a damaged' : 'the'} one between is deleted`, async () => {
      await start('ab', refused(-1));
      await resend('ab', 'two', refused(-1));
      await resend('ab', 'three', refused(-1), idOf('two'));
      if (isDamaged) await box.damage(idOf('two'));
      // Another one can't be read either.
      await box.store().create(deliveryOf(plan('ab'), { id: idOf('other') }));
      await box.files.create(`deliveries/${idOf('other')}/act-0`, '');
      const read: DurableFiles['read'] = async (path) =>
        path.includes(idOf('other')) ? Promise.reject(new Error('EIO')) : box.files.read(path);
      assert.equal(await open(undefined, { read }).remove(idOf('two')), true);
      await open().remove(idOf('other'));
      const [first, last] = [atRest(await open().get(ID)), atRest(await open().get(idOf('three')))];
      assert.deepEqual([first.resentBy, first.isResent, last.isResent], [idOf('three'), true, false]);
      assert.equal(familiesOf(await open().all()).length, 1);
      // What the deleted one has sent is unknown.
      const { lastId, uncertain } = await open().unreached(ID);
      assert.deepEqual([lastId, letters(uncertain)], [idOf('three'), 'ab']);
    });

  it('goes on after the last resend, even if that one is damaged', async () => {
    await start('ab', refused(-1));
    await resend('ab', 'two', refused(-1));
    const file = `deliveries/${idOf('two')}/delivery.ndjson`;
    const whole = await box.files.read(file);
    await box.damage(idOf('two'));
    const { lastId, uncertain } = await open().unreached(ID);
    assert.deepEqual([lastId, letters(uncertain)], [idOf('two'), 'ab']);
    await resend('ab', 'three', refused(-1), idOf('two'));
    await box.files.write(file, whole ?? '');
    assert.equal(await open().resume(idOf('two'), by(everyone)), undefined);
  });
});
