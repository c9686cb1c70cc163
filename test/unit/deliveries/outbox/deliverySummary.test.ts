import assert from 'node:assert/strict';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import { readerOf } from '../../../../src/deliveries/outbox/deliverySummary.ts';
import type { OutboxEntry, UnreadableEntry } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import { AT, answered, BOT, deliveryOf, failed, groups, idOf, planBatches, storedEntry } from './testDeliveries.ts';

const DAMAGED = idOf('damaged');

/** What other features read of an outbox with these deliveries, the newest first, and one that can't be read. */
const reading = (...all: OutboxEntry[]) =>
  readerOf({
    all: async () => all,
    entries: async (): Promise<(OutboxEntry | UnreadableEntry)[]> => [...all, { id: DAMAGED, error: new Error('EIO') }],
    get: async (id) => {
      if (id === DAMAGED) throw new Error('EIO');
      return all.find(({ status }) => status.delivery.id === id);
    },
  });

describe('What other features are told of a delivery', () => {
  const batches = planBatches(groups('a', 'b', 'c'), 1);
  const first = storedEntry(new DeliveryStatus(deliveryOf(batches), [], [answered(0), failed(1), answered(2, 'c')]));

  it('is how many got it, and who did not and why, those first who need the most attention', async () => {
    const counts = { reached: 1, unconfirmed: 1, absent: 0, rejected: 1, unknown: 0, notSent: 0, leftOut: 0 };
    const delivery = {
      id: idOf('a'),
      name: 'announcement.md',
      time: AT,
      botId: BOT,
      state: 'unreached',
      due: undefined,
      total: 3,
      counts,
    };
    const reader = reading(first);
    assert.deepEqual(await reader.list(), { deliveries: [delivery], unreadable: 1 });
    const told = async (limit: number, of = 'ab') => {
      const read = await reader.get(idOf('a'), ({ id }) => of.includes(id), limit);
      assert.deepEqual(read?.delivery, delivery);
      return read.unreached.map(({ chat, name, result, details }) => [chat, name, result, details]);
    };
    const [a, b] = groups('a', 'b').map(({ kind, id }) => ({ kind, id }));
    const unconfirmed = "The service didn't confirm delivery to this recipient, who may have the message.";
    const all = [
      [b, 'group b', 'rejected', ''],
      [a, 'group a', 'unconfirmed', unconfirmed],
    ];
    assert.deepEqual([await told(5), await told(1), await told(5, 'a')], [all, all.slice(0, 1), all.slice(1)]);
  });

  it('is none, or why it can’t be read', async () => {
    const reader = reading(first);
    assert.equal(await reader.get(idOf('gone'), () => true, 5), undefined);
    await assert.rejects(
      reader.get(DAMAGED, () => true, 5),
      { name: 'UserFacingError', message: /^This delivery can't be read \(/ },
    );
  });

  it('is when it is to be sent, and then when that was', async () => {
    const delivery = deliveryOf(batches, { due: AT + 1_000 });
    const told = async (entry: OutboxEntry) => {
      const [{ time, due } = assert.fail()] = (await reading(entry).list()).deliveries;
      return [time, due];
    };
    assert.deepEqual(await told(storedEntry(new DeliveryStatus(delivery), { due: AT + 1_000 })), [AT, AT + 1_000]);
    const begun = new DeliveryStatus(delivery, [{ batch: 0, attempt: 0, at: AT + 2_000 }]);
    assert.deepEqual(await told(storedEntry(begun)), [AT + 2_000, undefined]);
  });

  it('is what came of it and its resends together, and of a resend what came of that', async () => {
    const resend = deliveryOf(planBatches(groups('a', 'b'), 1), { id: idOf('two'), resends: idOf('a') });
    const second = storedEntry(new DeliveryStatus(resend, [], [answered(0, 'a'), failed(1)]));
    const reader = reading(second, { ...first, isResent: true, resentBy: resend.id });
    const told = async (id: string) => {
      const { delivery, unreached } = (await reader.get(id, () => true, 5)) ?? assert.fail();
      return [delivery.state, delivery.counts.reached, delivery.total, unreached.map(({ chat }) => chat.id)];
    };
    assert.deepEqual(await told(idOf('a')), ['unreached', 2, 3, ['b']]);
    assert.deepEqual(await told(resend.id), ['unreached', 1, 2, ['b']]);
    assert.deepEqual((await reader.list()).deliveries, [(await reader.get(idOf('a'), () => true, 5))?.delivery]);
  });
});
