/** A delivery and its resends: the recipients that none of them has reached. */
import { chatKey } from '../../service/model.ts';
import { TimeSlices } from '../../service/timeSlices.ts';
import type { Batch, Recipient } from '../plan/deliveryPlan.ts';
import { DeliveryStatus, isNobody, isUnchecked } from './deliveryStatus.ts';
import type { DeliveryLink, DeliveryStore, StoredDelivery } from './deliveryStore.ts';
import type { OutboxEntry } from './outboxEntry.ts';
import type { LeftOutRecipient } from './record.ts';

/** A delivery. Of one that is being sent, only the outcomes are known. */
type Entry = { readonly status: DeliveryStatus } & Partial<DeliveryLink & Pick<StoredDelivery, 'earlierResends'>>;

/** The deliveries of the outbox. */
interface Deliveries {
  all(): Promise<Entry[]>;
  /** A delivery by its ID. Rejects if it can't be read. */
  get(id: string): Promise<Entry | undefined>;
}

/** The recipients of a delivery, and those added to its resends, that none of them is known to have reached. */
export interface UnreachedRecipients {
  recipients: Recipient[];
  /** The recipients who may have the message anyway. */
  uncertain: Recipient[];
  /** The recipients who didn't exist when that was last checked. */
  nobody: Recipient[];
  /** The IDs of the deliveries to check: that may tell who has the message. */
  toCheck: string[];
  /** The last of these deliveries, which the next resend follows. */
  lastId: string;
  /** How many claims the last one had when it was read. */
  claimCount: number;
}

export async function unreachedOf(
  id: string,
  outbox: Deliveries,
  store: Pick<DeliveryStore, 'keepClaims' | 'link' | 'load'>,
): Promise<UnreachedRecipients> {
  const family = [...familyOf(id, await outbox.all())];
  const last = await lastOf(family, outbox, store);
  const ids = new Set(family.map(idOf));
  // A deleted or unreadable resend may have reached anyone.
  const isAnyMissing = family.some(({ resentBy, earlierResends = [] }) =>
    [resentBy, ...earlierResends].some((one) => one !== undefined && !ids.has(one)),
  );
  const [recipients, uncertain, nobody]: [Recipient[], Recipient[], Recipient[]] = [[], [], []];
  const toCheck = new Set<string>();
  const slices = new TimeSlices();
  // Recipients who may have the message from a delivery that was deleted before the first one here. Later ones have states.
  const marked = new Set<string>();
  await slices.each(family[0]?.status.recipients() ?? [], (one) => one.mayHaveIt && marked.add(chatKey(one)));
  for (const recipient of await recipientsOf(id, family)) {
    if (slices.isOver) await slices.pause();
    const outcomes = family.map(({ status }) => status.outcomeOf(recipient));
    if (outcomes.some(({ state }) => state === 'reached')) continue;
    const unchecked = family.filter(({ status }) => isUnchecked(status.outcomeOf(recipient)));
    const last = outcomes.findLast(({ state }) => state !== 'notSent');
    // A recipient who was left out is settled, unless an earlier call may have reached them.
    if (last?.state === 'leftOut' && unchecked.length === 0) continue;
    recipients.push(recipient);
    if (isNobody(last)) nobody.push(recipient);
    for (const entry of unchecked) toCheck.add(idOf(entry));
    if (isAnyMissing || marked.has(chatKey(recipient)) || unchecked.length > 0) uncertain.push(recipient);
  }
  const { id: lastId = id, claimCount = 0 } = last ?? {};
  return { recipients, uncertain, nobody, toCheck: [...toCheck], lastId, claimCount };
}

/** The recipients of a delivery; if it begins a row, those of its resends, too, as the user may have added some. */
async function recipientsOf(id: string, family: readonly Entry[]): Promise<Iterable<Recipient>> {
  const at = family.findIndex((entry) => idOf(entry) === id);
  const recipients = new Map<string, Recipient>();
  const slices = new TimeSlices();
  for (const { status } of at === 0 ? family : family.slice(at, at + 1)) {
    await slices.each(status.recipients(), (one) => {
      const key = chatKey(one);
      if (!recipients.has(key)) recipients.set(key, one);
    });
  }
  return recipients.values();
}

/** A delivery and its resends, each after the delivery that it resends: one row of the outbox. */
export type DeliveryFamily<T extends Entry> = readonly [T, ...T[]];

/** Puts each resend into the family of the delivery that it follows, also if the one between was deleted. Newest first. */
export function familiesOf<T extends Entry>(newestFirst: readonly T[]): DeliveryFamily<T>[] {
  const byId = new Map(newestFirst.map((entry) => [idOf(entry), entry]));
  const byResend = new Map(newestFirst.map((entry) => [entry.resentBy, entry]));
  const resends = new Map<T, T[]>();
  const firsts: T[] = [];
  for (const entry of newestFirst) {
    const before = byId.get(entry.status.delivery.resends ?? '') ?? byResend.get(idOf(entry));
    if (before) resends.set(before, [entry, ...(resends.get(before) ?? [])]);
    else firsts.push(entry);
  }
  const placed = new Set<T>();
  // Damaged deliveries that follow each other in a circle have no first one.
  return [...firsts, ...newestFirst].flatMap((first): DeliveryFamily<T>[] => {
    if (placed.has(first)) return [];
    const family: [T, ...T[]] = [first];
    for (const entry of family) {
      placed.add(entry);
      family.push(...(resends.get(entry) ?? []).filter((one) => !placed.has(one)));
    }
    return [family];
  });
}

/** The family that a delivery begins; undefined if it resends another one, or if there is no such delivery. */
export const familyFrom = <T extends Entry>(id: string, newestFirst: readonly T[]): DeliveryFamily<T> | undefined =>
  familiesOf(newestFirst).find(([first]) => idOf(first) === id);

/** The family that a delivery is in; empty if there is no such delivery. */
export const familyOf = <T extends Entry>(id: string, newestFirst: readonly T[]): readonly T[] =>
  familiesOf(newestFirst).find((family) => family.some((one) => idOf(one) === id)) ?? [];

/** The outcomes of a delivery and its resends together: what is known of each recipient by all of them. */
export async function jointStatus([first, ...resends]: DeliveryFamily<Entry>): Promise<DeliveryStatus> {
  if (resends.length === 0) return first.status;
  const slices = new TimeSlices();
  const { delivery } = first.status;
  const known = new Set<string>();
  await slices.each(first.status.recipients(), (one) => known.add(chatKey(one)));
  const batches = [...delivery.batches];
  // The user may have added recipients.
  for (const { status } of resends) {
    await slices.each(status.delivery.batches, (batch) => {
      const recipients = batch.recipients.filter((one) => !known.has(chatKey(one)));
      if (recipients.length > 0) batches.push({ ...batch, recipients });
      for (const one of recipients) known.add(chatKey(one));
    });
  }
  // People who were left out of one of the deliveries, and are recipients of none.
  const people = new Map<string, LeftOutRecipient>();
  for (const { status } of [first, ...resends])
    await slices.each(status.delivery.leftOut?.people ?? [], (one) => {
      if (!known.has(chatKey(one))) people.set(chatKey(one), one);
    });
  const rows = delivery.leftOut?.rows ?? 0;
  const leftOut = people.size + rows > 0 ? { people: [...people.values()], rows } : undefined;
  const joint = new DeliveryStatus({ ...delivery, batches, leftOut });
  // The first call may have been that of a resend: some messages can't be made again.
  joint.sentAt = [first, ...resends].find(({ status }) => status.sentAt !== undefined)?.status.sentAt;
  for (const { status } of [first, ...resends]) {
    await slices.each(status.listed(), (one) => {
      if (known.has(chatKey(one))) joint.learn(one, status.outcomeOf(one));
    });
    joint.stopped = status.stopped;
    joint.addNotes(status);
  }
  return joint;
}

/** The batches of a resend, in which those who may have the message are marked. */
export async function markUncertain(batches: readonly Batch[], uncertain: readonly Recipient[]): Promise<Batch[]> {
  const keys = new Set<string>();
  const slices = new TimeSlices();
  await slices.each(uncertain, (one) => keys.add(chatKey(one)));
  const marked: Batch[] = [];
  await slices.each(batches, (batch) => {
    const mark = ({ mayHaveIt: _, ...one }: Recipient): Recipient =>
      keys.has(chatKey(one)) ? { ...one, mayHaveIt: true } : one;
    marked.push({ ...batch, recipients: batch.recipients.map(mark) });
  });
  return marked;
}

/**
 * Tells the deliveries before and after one of each other, before that one is deleted alone: a resend from its own row, or one
 * whose damaged file doesn't say what it resends.
 */
export async function closeGap(id: string, resentBy: string, store: DeliveryStore): Promise<void> {
  const resend = await store.link(resentBy);
  if (!resend) return;
  // From now on, it counts without the claim that is deleted.
  if (resend.claimCount === 0) await store.claim(resentBy, 0, { resends: id });
  for (const before of await store.ids()) {
    const link = await store.link(before).catch(() => undefined);
    if (link?.resentBy === id) await store.claim(before, link.claimCount, { resentBy });
  }
}

/** The last resend, even if it can't be read. A resend created since the outbox was listed is added to the family. */
async function lastOf(
  family: Entry[],
  outbox: Pick<Deliveries, 'get'>,
  store: Pick<DeliveryStore, 'keepClaims' | 'link' | 'load'>,
): Promise<{ id: string; claimCount: number } | undefined> {
  let last: { id: string; claimCount: number } | undefined;
  const passed = new Set<string>();
  for (let id = family[0] && idOf(family[0]); id !== undefined && !passed.has(id); ) {
    passed.add(id);
    const at = family.findIndex((one) => idOf(one) === id);
    let entry = family[at] ?? (await outbox.get(id).catch(() => undefined));
    // A delivery that is being sent may have claims that its outcomes don't show yet.
    if (entry && entry.claimCount === undefined) entry = (await store.load(id).catch(() => undefined)) ?? entry;
    if (entry) family[at < 0 ? family.length : at] = entry;
    const link: Partial<DeliveryLink> | undefined = entry?.claimCount === undefined ? await store.link(id) : entry;
    if (link?.claimCount === undefined) break;
    last = { id, claimCount: link.claimCount };
    if (link.resentBy !== undefined) await store.keepClaims(id);
    id = link.resentBy;
  }
  return last;
}

const idOf = ({ status }: Entry) => status.delivery.id;

/** The joint entry of a delivery and its resends, which their row and report show. */
export async function jointEntry(family: DeliveryFamily<OutboxEntry>): Promise<OutboxEntry> {
  const [first, ...resends] = family;
  if (resends.length === 0) return first;
  const status = await jointStatus(family);
  const isCanceling = family.some((one) => one.isRunning && one.isCanceling);
  if (first.isRunning || resends.some(({ isRunning }) => isRunning)) return { isRunning: true, status, isCanceling };
  const unreadableCount = family.reduce((sum, one) => sum + (one.isRunning ? 0 : one.unreadableCount), 0);
  return { ...first, status, unreadableCount };
}
