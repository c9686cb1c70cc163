import { LISTING_DELAY } from '../../../../src/deliveries/outbox/deliveryCheck.ts';
import { DeliveryStore } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../../../src/deliveries/outbox/outbox.ts';
import type { DurableFiles } from '../../../../src/platform/durableFiles.ts';
import { memoryFiles } from '../../../prove/memoryDisk.ts';
import { clockAt } from '../../clocks.ts';
import { type Answers, AT, groups, idOf, planBatches, senderOf } from './testDeliveries.ts';

/** The ID of the first delivery. */
export const ID = idOf('one');

/** To the groups with these one-letter IDs, two in a batch. */
export const plan = (ids: string) => planBatches(groups(...ids), 2);

/** The outbox of a computer, in memory, empty before each test of a suite. */
class OutboxFolder {
  files: DurableFiles = memoryFiles();
  /** The time on the clocks of all windows (Unix ms). */
  now = AT;
  readonly clock = clockAt(() => this.now);
  /** The IDs in each batch that was sent. */
  sent: string[] = [];

  /** The outbox as a window reads it that is opened now, perhaps on a disk with some faults. */
  open = (changed?: (id: string) => void, faults: Partial<DurableFiles> = {}) =>
    new Outbox(this.store(faults), changed, this.clock);

  store = (faults: Partial<DurableFiles> = {}) => new DeliveryStore({ ...this.files, ...faults }, this.clock);

  /** Like {@link open}, once what was sent is listed for sure. */
  openLater = () => {
    this.now += LISTING_DELAY;
    return this.open();
  };

  /** A sender that gets these answers in turn. The last one answers all remaining calls. */
  by = (...answers: Answers[]) => senderOf(answers, (ids) => this.sent.push(ids));

  counts = async (id = ID) => (await this.open().get(id))?.status.counts;

  /** Damages the own file of a delivery. */
  damage = (id: string) => this.files.write(`deliveries/${id}/delivery.ndjson`, 'damaged');
}

export function useOutbox(): OutboxFolder {
  const outbox = new OutboxFolder();
  beforeEach(() => {
    outbox.files = memoryFiles();
    outbox.now = AT;
    outbox.sent = [];
  });
  return outbox;
}
