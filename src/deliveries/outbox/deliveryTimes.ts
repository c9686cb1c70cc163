/** When a delivery is to be sent, or was to be, by the claims of its times. */
import type { DeliveryStatus } from './deliveryStatus.ts';
import type { Claim, Delivery } from './record.ts';

/** At most one of the times is known. All are in Unix milliseconds. */
export interface DeliveryTimes {
  /** When it's to be sent; undefined if it isn't scheduled, or was begun. */
  due: number | undefined;
  /** When it was to be sent before its message was edited; undefined if it isn't being edited. */
  editedDue?: number | undefined;
  /** When it was to be sent before that was canceled; undefined if it's scheduled again, or was begun. */
  canceledDue?: number | undefined;
  /** The move that canceled it. */
  movedBy?: string | undefined;
  /** When it was to be sent, once it was begun. */
  begunDue?: number | undefined;
}

export type TimeClaim = Extract<Claim, { due: unknown }>;

/** `claims` are those of times that came before any other. */
export function timesOf({ due }: Pick<Delivery, 'due'>, claims: readonly TimeClaim[], isBegun: boolean): DeliveryTimes {
  const times = [due, ...claims.map((claim) => claim.due)];
  const planned = times.findLast((time) => time !== null);
  if (planned === undefined) return { due: undefined };
  if (isBegun) return { due: undefined, begunDue: planned };
  const last = claims.at(-1);
  if (last?.due !== null) return { due: planned };
  if (last.edited) return { due: undefined, editedDue: planned };
  return { due: undefined, canceledDue: planned, movedBy: last.movedBy };
}

/** When a delivery was sent, or else confirmed (Unix ms). One that waits for its time is sent later than it's confirmed. */
export const sentTimeOf = ({ delivery, sentAt }: Pick<DeliveryStatus, 'delivery' | 'sentAt'>): number =>
  delivery.due === undefined ? delivery.at : (sentAt ?? delivery.at);
