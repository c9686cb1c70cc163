/** What the outbox knows of a delivery. */
import type { DeliveryStatus } from './deliveryStatus.ts';
import type { StoredDelivery } from './deliveryStore.ts';

/** A delivery that is being sent, by this window or another. Until that ends, only its outcomes count. */
export interface RunningEntry {
  readonly isRunning: true;
  readonly status: DeliveryStatus;
  /** Canceled in this window: it ends with the answer of the call under way. */
  readonly isCanceling: boolean;
}

/** A delivery that nobody is sending. */
export interface StoredEntry extends StoredDelivery {
  readonly isRunning: false;
  /** Its resend is in the outbox. */
  readonly isResent: boolean;
}

/** A delivery in the outbox. */
export type OutboxEntry = RunningEntry | StoredEntry;

/** A delivery that is sent later. */
export type ScheduledEntry = StoredEntry & { due: number };

export const isScheduled = (entry: OutboxEntry | undefined): entry is ScheduledEntry =>
  entry !== undefined && !entry.isRunning && entry.due !== undefined;

/** A delivery that can't be read, and why. */
export interface UnreadableEntry {
  id: string;
  error: unknown;
}
