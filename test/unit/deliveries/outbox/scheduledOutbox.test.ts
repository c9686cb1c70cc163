import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { Sender } from '../../../../src/deliveries/outbox/deliveryRunner.ts';
import { HEARTBEAT_TIMEOUT } from '../../../../src/deliveries/outbox/heartbeats.ts';
import { sentTimeOf, stateOf } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { Listed } from '../../../../src/service/message.ts';
import { AT, atRest, BOT, dieSending, failing, idOf, senderOf } from './testDeliveries.ts';
import { DUE, ID, MINUTE, scheduledDelivery, TestComputer, type TestWindow } from './testSchedules.ts';

const never = new AbortController().signal;

describe('A scheduled delivery', () => {
  let computer: TestComputer;
  let one: TestWindow;
  let other: TestWindow;

  beforeEach(async () => {
    computer = new TestComputer();
    one = computer.openWindow();
    other = computer.openWindow();
    await one.outbox.schedule(scheduledDelivery());
  });

  const state = async () => {
    const entry = await other.outbox.get(ID);
    return entry && stateOf(entry);
  };

  it("isn't found in an equal message from before its time, which may be from elsewhere", async () => {
    computer.wall = DUE;
    await one.outbox.sendScheduled(await one.entry(), senderOf([failing({ kind: 'timedOut', after: 1 })]));
    computer.wall += MINUTE;
    const message = { senderId: BOT, contentType: 'text', content: { text: 'Hello' } };
    const check = async (...times: number[]) => {
      const list = times.map((sendTime) => v.parse(Listed, { ...message, msgId: `${sendTime}`, sendTime }));
      const { found } = (await other.outbox.check(ID, async () => list, never)) ?? assert.fail();
      return found.map(({ id, msgId }) => [id, msgId]);
    };
    assert.deepEqual(await check(AT + MINUTE), []);
    assert.deepEqual(
      await check(DUE - 2 * MINUTE, AT + MINUTE),
      ['a', 'b', 'c'].map((id) => [id, `${DUE - 2 * MINUTE}`]),
    );
  });

  it("isn't sent by a window that read it before another one moved or canceled it", async () => {
    for (const due of [DUE + 1, null]) {
      const taken = (await one.outbox.take(await one.entry())) ?? assert.fail();
      const later = (await other.outbox.take(await other.entry())) ?? assert.fail();
      assert.equal(await one.outbox.sendScheduled(taken, one.sender), undefined);
      const moving: Sender = {
        ...one.sender,
        send: async (batch, options) => {
          for (const name of await computer.files.names('running')) await computer.files.remove(`running/${name}`);
          assert.equal(await other.outbox.reschedule(later, due), true);
          return one.sender.send(batch, options);
        },
      };
      const ended = await one.outbox.sendScheduled(later, moving);
      assert.equal(ended?.stopped?.why, 'taken');
    }
    assert.deepEqual([computer.sent, await state()], [[], 'unfinished']);
  });

  it("can't be changed while it is sent, or afterwards", async () => {
    const entry = await other.entry();
    const changes: boolean[] = [];
    const sender: Sender = {
      ...one.sender,
      send: async (batch, options) => {
        changes.push(await other.outbox.reschedule(entry, null));
        assert.equal(await other.outbox.sendScheduled(entry, one.sender), undefined);
        return one.sender.send(batch, options);
      },
    };
    await one.outbox.resume(ID, sender);
    assert.deepEqual([changes, await other.outbox.reschedule(entry, null)], [[false, false], false]);
    assert.equal(await state(), 'delivered');
  });

  it('knows when it was sent, and for when it was planned last', async () => {
    assert.equal(await one.outbox.reschedule(await one.entry(), DUE + 5 * MINUTE), true);
    await computer.settle();
    await computer.pass(65 * MINUTE);
    const { status, begunDue, due } = atRest(await other.outbox.get(ID));
    assert.deepEqual([sentTimeOf(status), begunDue, due], [DUE + 5 * MINUTE, DUE + 5 * MINUTE, undefined]);
  });

  it('keeps the time that it had while it is edited, and is sent at none', async () => {
    assert.equal(await other.outbox.reschedule(await other.entry(), DUE + 1), true);
    const entry = await one.entry();
    assert.equal(await one.outbox.beginEdit(entry), true);
    assert.equal(await other.outbox.beginEdit(entry), false);
    const edited = atRest(await other.outbox.get(ID));
    assert.deepEqual([await state(), edited.due, edited.editedDue], ['edited', undefined, DUE + 1]);
    assert.equal(await one.outbox.sendScheduled(entry, one.sender), undefined);
    assert.deepEqual([await other.outbox.scheduled(), computer.sent], [[], []]);
    assert.deepEqual(
      (await other.outbox.edited()).map(({ status, editedDue }) => [status.delivery.id, editedDue]),
      [[ID, DUE + 1]],
    );
  });

  it('is still scheduled, and not reported as interrupted, if a window died before it sent anything', async () => {
    await dieSending(ID, computer.files, computer.wall);
    assert.deepEqual(await other.outbox.scheduled(), []);
    computer.jump(HEARTBEAT_TIMEOUT);
    assert.deepEqual(await other.outbox.interrupted(), []);
    assert.equal((await other.outbox.scheduled()).length, 1);
    assert.equal(await other.outbox.heartbeats.any(), false);
  });

  it("leaves no hint if it's scheduled again after another window deleted it", async () => {
    assert.ok(await one.outbox.reschedule(await one.entry(), null));
    const canceled = await one.outbox.get(ID);
    assert.ok(canceled && !canceled.isRunning);
    assert.ok(await other.outbox.remove(ID));
    assert.equal(await one.outbox.reschedule(canceled, DUE + 1), false);
    assert.deepEqual(await computer.files.names('scheduled'), []);
  });

  it('keeps the hint of a delivery that another window is storing, and removes one that is over', async () => {
    await computer.files.write(`scheduled/${idOf('new')}`, '');
    await one.outbox.resume(ID, one.sender);
    assert.deepEqual(await one.outbox.scheduled(), []);
    assert.deepEqual(await computer.files.names('scheduled'), [idOf('new')]);
  });
});
