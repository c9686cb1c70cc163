/**
 * What the outbox knows of a delivery. These are the states that it has, and the actions that each one offers; *Delete* is offered
 * in every state except *sending*.
 *
 *                → sending      Send
 *                → scheduled    Later
 *     scheduled  → scheduled    Change Time
 *     scheduled  → sending      its time, or Send Now
 *     scheduled  → unfinished   Cancel Sending
 *     scheduled  → edited       Edit Message
 *     edited     →              the edited message is sent or scheduled
 *     edited     → scheduled    Change Time, as it was
 *     edited     → sending      Send Now, as it was
 *     edited     → unfinished   Cancel Sending
 *     sending    → unfinished   Cancel, an error or a crash
 *     sending    → unreached    all batches sent
 *     sending    → delivered    everyone was reached, or left out
 *     unfinished → sending      Resume, or Send Now
 *     unfinished → scheduled    Schedule, after Cancel Sending
 *     unreached  → resent       Resend to Missing Only, or Check Again Who Exists
 *     unreached  → delivered    Check Delivery
 *     resent     → unreached    the later delivery is deleted
 *     resent     → delivered    Check Delivery
 */
import type { DeliveryStatus } from './deliveryStatus.ts';
import type { StoredDelivery } from './deliveryStore.ts';

/** A delivery that is being sent, by this window or another. Until that ends, only its outcomes count. */
export interface RunningEntry {
  readonly isRunning: true;
  readonly status: DeliveryStatus;
  /** Whether it was canceled in this window: it ends with the answer of the call under way. */
  readonly isCanceling: boolean;
}

/** A delivery that nobody is sending. */
export interface StoredEntry extends StoredDelivery {
  readonly isRunning: false;
  /** Whether its resend is in the outbox. */
  readonly isResent: boolean;
}

/** A delivery in the outbox. */
export type OutboxEntry = RunningEntry | StoredEntry;

/** A delivery that is sent later. */
export type ScheduledEntry = StoredEntry & { due: number };

export const isScheduled = (entry: OutboxEntry | undefined): entry is ScheduledEntry =>
  entry !== undefined && !entry.isRunning && entry.due !== undefined;

/** A delivery that was scheduled, and whose message is being edited. */
export type EditedEntry = StoredEntry & { editedDue: number };

export const isEdited = (entry: StoredEntry): entry is EditedEntry => entry.editedDue !== undefined;

/** A delivery that can't be read, and why. */
export interface UnreadableEntry {
  id: string;
  error: unknown;
}

/**
 * When a delivery was sent, or else confirmed (Unix ms). A delivery that waits for its time is sent later than it's
 * confirmed.
 */
export const sentTimeOf = ({ delivery, sentAt }: Pick<DeliveryStatus, 'delivery' | 'sentAt'>): number =>
  delivery.due === undefined ? delivery.at : (sentAt ?? delivery.at);

/** The time that a row shows (Unix ms): when the delivery is to be sent, was to be before it was edited, or was sent. */
export const shownTimeOf = (entry: OutboxEntry): number =>
  (entry.isRunning ? undefined : (entry.due ?? entry.editedDue)) ?? sentTimeOf(entry.status);

export type DeliveryState =
  /** The delivery is being sent, by this window or another. */
  | 'sending'
  /** The delivery is sent later. */
  | 'scheduled'
  /** The delivery was scheduled, and is replaced once its message is edited. Nothing of it is sent any more. */
  | 'edited'
  /** Sending ended early: some recipients were not sent to. */
  | 'unfinished'
  /** Every recipient was sent to, or can't be any more, but not all were reached. */
  | 'unreached'
  /** A later delivery goes to the recipients that were not reached. */
  | 'resent'
  /** Every recipient was reached, or left out. */
  | 'delivered';

/** Actions that change a delivery. */
export type DeliveryAction =
  | 'cancel'
  | 'sendNow'
  | 'reschedule'
  | 'unschedule'
  | 'sendEdited'
  | 'edit'
  | 'resume'
  | 'check'
  | 'resend'
  /** Offered instead of a resend, which would reach nobody: none of those who are left exists, unless a lookup finds them. */
  | 'lookUp'
  | 'remove';

export function stateOf(entry: OutboxEntry): DeliveryState {
  if (entry.isRunning) return 'sending';
  const { counts, isComplete } = entry.status;
  if (isComplete) return 'delivered';
  if (entry.isResent) return 'resent';
  if (entry.due !== undefined) return 'scheduled';
  if (entry.editedDue !== undefined) return 'edited';
  // A resent delivery can't be resumed, even after the resend was deleted.
  return counts.notSent > 0 && entry.resentBy === undefined && canSend(entry) ? 'unfinished' : 'unreached';
}

/** Whether the rest of a delivery can be sent: this version can't make some messages that another version stored. */
const canSend = ({ status }: OutboxEntry) => status.stopped !== 'changed';

/** Whether somebody has to look at a delivery at a time (Unix ms): it's late, or didn't reach everyone, and nobody chose that. */
export function needsSomebody(entry: OutboxEntry, now: number): boolean {
  if (entry.isRunning) return false;
  const { due = entry.editedDue, canceledDue, isResent } = entry;
  if (due !== undefined) return due <= now;
  const { isComplete, stopped, unchecked } = entry.status;
  if (isComplete || isResent) return false;
  return stopped === undefined ? canceledDue === undefined : stopped !== 'canceled' || unchecked > 0;
}

/** Whether somebody may have answered a delivery. A test asks nobody. */
export const mayHaveReplies = ({ isRunning, status }: Pick<OutboxEntry, 'isRunning' | 'status'>) =>
  !isRunning && status.counts.reached > 0 && !status.delivery.isTest;

/** The actions that a delivery offers now, the most helpful first. */
export function actionsOn(entry: OutboxEntry): DeliveryAction[] {
  if (entry.isRunning) return entry.isCanceling ? [] : ['cancel'];
  const state = stateOf(entry);
  if (state === 'edited' || state === 'scheduled')
    return [
      ...(state === 'edited' ? (['sendEdited'] as const) : []),
      ...(canSend(entry) ? (['sendNow', 'reschedule'] as const) : []),
      ...(['unschedule', 'edit', 'remove'] as const),
    ];
  return [
    // Check before resending: some recipients may already have the message.
    ...(entry.status.unchecked > 0 ? (['check'] as const) : []),
    // A delivery that was canceled before its time has sent nothing, so that there's nothing to resume.
    ...(entry.canceledDue !== undefined && canSend(entry) ? (['sendNow', 'reschedule'] as const) : []),
    ...(state === 'unfinished' && entry.canceledDue === undefined ? (['resume'] as const) : []),
    ...(state === 'unreached' ? [resendOf(entry.status)] : []),
    'remove',
  ];
}

/** The action that may reach those who are left. */
const resendOf = ({ isOnlyNobodyLeft }: Pick<DeliveryStatus, 'isOnlyNobodyLeft'>): 'lookUp' | 'resend' =>
  isOnlyNobodyLeft ? 'lookUp' : 'resend';

/** A delivery and its resends. */
type Family = readonly [OutboxEntry, ...OutboxEntry[]];

/** The state of a delivery and its resends, given their joint outcome: what is left to do for those whom none has reached. */
export function stateOfFamily([, ...resends]: Family, joint: OutboxEntry): DeliveryState {
  const last = resends.at(-1);
  if (!last || joint.isRunning || joint.status.isComplete) return stateOf(joint);
  return stateOf(last) === 'unfinished' ? 'unfinished' : 'unreached';
}

/** The actions on the row of a delivery and its resends, given their joint outcome. */
export function actionsOnFamily(
  [first, ...resends]: Family,
  joint: Pick<DeliveryStatus, 'isComplete' | 'isOnlyNobodyLeft' | 'unchecked'>,
): DeliveryAction[] {
  const last = resends.at(-1);
  if (!last) return actionsOn(first);
  const entries = [...resends.toReversed(), first];
  const running = entries.filter(({ isRunning }) => isRunning);
  if (running.length === 0 && joint.isComplete) return ['remove'];
  const actions = (running.length > 0 ? running : entries).flatMap(actionsOn);
  // The last one may have left out some of those that weren't reached.
  const canResend = running.length === 0 && stateOf(last) !== 'unfinished';
  const checks = actions.filter((action) => action === 'check');
  const resend = resendOf(joint);
  const all = new Set([...checks, ...(canResend ? [resend] : []), ...actions]);
  all.delete(resend === 'resend' ? 'lookUp' : 'resend');
  // Those whom one of them may have reached may have the message by another.
  if (joint.unchecked === 0) all.delete('check');
  return [...all];
}
