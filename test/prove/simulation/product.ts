/** What the simulation uses of the product, all in one place, and how a window that opens later reads the outbox. */
import { hash } from 'node:crypto';
import { DeliveryMoves } from '../../../src/deliveries/outbox/deliveryMoves.ts';
import type { OutcomeState } from '../../../src/deliveries/outbox/deliveryStatus.ts';
import { DeliveryStore } from '../../../src/deliveries/outbox/deliveryStore.ts';
import { HEARTBEAT_TIMEOUT } from '../../../src/deliveries/outbox/heartbeats.ts';
import { Outbox } from '../../../src/deliveries/outbox/outbox.ts';
import type { OutboxEntry, ScheduledEntry } from '../../../src/deliveries/outbox/outboxEntry.ts';
import { diskFiles, type NodeFiles } from '../../../src/platform/diskFiles.ts';
import { filesInUse } from '../../../src/platform/filesInUse.ts';
import { type Clock, systemClock, timers } from '../../../src/service/clock.ts';
import { chatKey } from '../../../src/service/model.ts';
import { clockAt } from '../../unit/clocks.ts';
import type { MemoryDisk } from '../memoryDisk.ts';

export type { MovedDelivery } from '../../../src/deliveries/contract.ts';
export { ChangedMessageError, DeliveryMessages } from '../../../src/deliveries/outbox/deliveryMessages.ts';
export type { DeliveryResult, Sender } from '../../../src/deliveries/outbox/deliveryRunner.ts';
export { DeliveryScheduler } from '../../../src/deliveries/outbox/deliveryScheduler.ts';
export { DeletedError } from '../../../src/deliveries/outbox/deliveryStore.ts';
export { actionsOn, type DeliveryAction } from '../../../src/deliveries/outbox/outboxEntry.ts';
export { DamagedError, type Delivery, digestOf, newDeliveryId } from '../../../src/deliveries/outbox/record.ts';
export { familiesOf, jointStatus } from '../../../src/deliveries/outbox/resends.ts';
export type { Batch } from '../../../src/deliveries/plan/deliveryPlan.ts';
export { parseTime } from '../../../src/presentation/times.ts';
export { Client } from '../../../src/service/client.ts';
export { Timer } from '../../../src/service/clock.ts';
export type { OutboxEntry, ScheduledEntry };
export { chatKey, DeliveryMoves, DeliveryStore, HEARTBEAT_TIMEOUT, Outbox };

/** The folder that VS Code has made; those below it are made by the extension. */
const HOME = '/home/user';

/** VS Code has run on this disk before. */
export const prepare = (disk: MemoryDisk) => diskFiles(HOME, disk.files).write('settings.json', '');

/** As on Windows, where files that others have open are waited for. */
export const outboxFiles = (files: NodeFiles, clock?: Clock) =>
  diskFiles(`${HOME}/storage/bot-chats/outbox`, files, filesInUse({ onWindows: true, ...(clock && { clock }) }));

/** A delivery, as it is on a disk. */
export interface DiskEntry {
  /** By the key of each recipient. */
  readonly states: ReadonlyMap<string, OutcomeState>;
  readonly messages: ReadonlyMap<string, string>;
  /** When it's to be sent. */
  readonly due: number | undefined;
  /** It was scheduled, and sending has begun. */
  readonly isBegun: boolean;
  /** It isn't a resend, or one that was claimed. */
  readonly isClaimed: boolean;
  /** A window that starts looks for it. */
  readonly isHinted: boolean;
  readonly entry: OutboxEntry;
}

/** The outbox on a disk, for a window that opens at a time (Unix ms). Rejects if a delivery can't be read. */
export function openOutbox(disk: MemoryDisk, wall: () => number): { get(id: string): Promise<DiskEntry | undefined> } {
  const store = new DeliveryStore(outboxFiles(disk.files), clockAt(wall));
  const outbox = new Outbox(store);
  return {
    async get(id) {
      const entry = await outbox.get(id);
      if (!entry) return undefined;
      const states = new Map<string, OutcomeState>();
      const messages = new Map<string, string>();
      for (const one of entry.status.recipients()) {
        const outcome = entry.status.outcomeOf(one);
        states.set(chatKey(one), outcome.state);
        if (outcome.state === 'reached') messages.set(chatKey(one), outcome.msgId);
      }
      const isHinted = (await store.hints.ids()).includes(id);
      const { due, begunDue, claimCount = 0 } = (await store.load(id)) ?? {};
      const { resends } = entry.status.delivery;
      const isClaimed = resends === undefined || claimCount > 0 || (await store.link(resends))?.resentBy === id;
      return { states, messages, due, isBegun: begunDue !== undefined, isClaimed, isHinted, entry };
    },
  };
}

/**
 * Runs with whatever else would depend on the machine: the system's clock, which all work reads for its breaks, and
 * random names. Digests are made at once, not in another thread.
 */
export async function withoutMachine<T>(clock: () => Clock, run: () => Promise<T>): Promise<T> {
  let names = 0;
  const restore = [
    replace(systemClock, {
      now: () => clock().now(),
      wall: () => clock().wall(),
      sleep: (...args) => clock().sleep(...args),
    }),
    replace(timers, { after: (...args) => clock().after(...args) }),
    replace(crypto, { randomUUID: () => `${(++names).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000` }),
    replace(crypto.subtle, { digest: async (_, data) => hash('sha256', data as Uint8Array, 'buffer').buffer }),
  ];
  try {
    return await run();
  } finally {
    for (const one of restore) one();
  }
}

/** Replaces methods of an object. Unlike a mock, it doesn't remember calls, of which there are very many. */
function replace<T extends object>(object: T, methods: Partial<T>): () => void {
  const before = Object.getOwnPropertyDescriptors(object);
  for (const [name, value] of Object.entries(methods))
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
  return () => {
    for (const name of Object.keys(methods)) {
      const own = Object.getOwnPropertyDescriptor(before, name)?.value;
      if (own) Object.defineProperty(object, name, own);
      else Reflect.deleteProperty(object, name);
    }
  };
}
