/** Another computer, whose deliveries come in files that people import here, in any window. Nothing goes on there. */
import fc from 'fast-check';
import { unreachable } from '../../unit/deliveries/outbox/testDeliveries.ts';
import { memoryFiles } from '../memoryDisk.ts';
import { type Delivery, DeliveryMoves, DeliveryStore, type MovedDelivery, Outbox } from './product.ts';
import type { World } from './window.ts';

/** How its calls end, one after the other: the message arrives or doesn't, and an answer comes or doesn't. */
export const ends = fc.array(fc.constantFrom('answered', 'answered', 'lost', 'neverArrived'), { maxLength: 4 });
type End = (typeof ends extends fc.Arbitrary<infer E> ? E : never)[number];

/** Sends the first batches of a delivery there, which end like these, and makes a file of it. */
export async function sendElsewhere(
  delivery: Delivery,
  text: string,
  ends: readonly End[],
  { computer, service, oracle }: World,
): Promise<MovedDelivery | undefined> {
  const files = memoryFiles();
  const store = new DeliveryStore(files, computer.clock);
  const outbox = new Outbox(store, () => {}, computer.clock);
  const left = [...ends];
  await outbox.start(delivery, {
    token: '',
    never: () => new Map(),
    send: async (batch, { before }) => {
      const end = left.shift();
      if (end === undefined) return unreachable('ENOTFOUND')(batch, () => {});
      await before();
      const ids = end === 'neverArrived' ? [] : batch.recipients.map(({ id }) => id);
      const reached = ids.map((recvId) => {
        const key = `${batch.recvType} ${recvId}`;
        const msgId = service.receive(key, text);
        oracle.comesFromElsewhere(delivery.id, key, msgId, end === 'answered');
        return { recvId, msgId };
      });
      if (end !== 'answered') return unreachable('ECONNRESET')(batch, () => {});
      return { reached, unreadable: [], successCount: reached.length };
    },
  });
  return new DeliveryMoves(files, store, outbox, () => {}).take(delivery.id, computer.wall, false);
}
