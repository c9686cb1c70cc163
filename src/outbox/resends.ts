/** A delivery and its resends: which recipients they have reached together, and which not. */
import { TimeSlices } from '../service/timeSlices.ts';
import type { Recipient } from './batches.ts';
import type { StoredDelivery } from './deliveryStore.ts';

type Entry = Pick<StoredDelivery, 'claimCount' | 'resentBy' | 'status'>;

/** The deliveries of the outbox. */
interface Deliveries {
  all(): Promise<Entry[]>;
  /** Rejects if it can't be read. */
  get(id: string): Promise<Entry | undefined>;
}

/** Those of a delivery whom the message has not surely reached, by it or by those that went to its unreached since. */
export interface UnreachedRecipients {
  recipients: Recipient[];
  /** Those of them who may have it all the same. */
  uncertain: Recipient[];
  /** The last of these deliveries, which the next one follows, and how much was done about it. */
  lastId: string;
  claimCount: number;
}

export async function unreachedOf(id: string, outbox: Deliveries): Promise<UnreachedRecipients> {
  const family = familyOf(id, await outbox.all());
  const last = await lastOf(family, outbox);
  const ids = new Set(family.map(idOf));
  /** Of one that was forgotten, or cannot be read, nobody knows whom it has reached. */
  const isGone = (one: string | undefined) => one !== undefined && !ids.has(one);
  const isAnyGone = family.some(({ status, resentBy }) => isGone(status.delivery.resends) || isGone(resentBy));
  const [recipients, uncertain]: [Recipient[], Recipient[]] = [[], []];
  const slices = new TimeSlices();
  for (const one of family.find((member) => idOf(member) === id)?.status.recipients() ?? []) {
    if (slices.isOver) await slices.pause();
    const states = new Set(family.map(({ status }) => status.outcomeOf(one).state));
    if (states.has('reached')) continue;
    recipients.push(one);
    if (isAnyGone || states.has('unknown') || states.has('missing')) uncertain.push(one);
  }
  return { recipients, uncertain, lastId: last ? idOf(last) : id, claimCount: last?.claimCount ?? 0 };
}

/** The first delivery, then its resends, and theirs in turn. */
function familyOf(id: string, all: readonly Entry[]): Entry[] {
  const byId = new Map(all.map((one) => [idOf(one), one]));
  let first = byId.get(id);
  for (let one = first; one; one = byId.get(one.status.delivery.resends ?? '')) first = one;
  const family = first ? [first] : [];
  for (const member of family) family.push(...all.filter((one) => one.status.delivery.resends === idOf(member)));
  return family;
}

/** The last resend. One that was created meanwhile is added to the family. */
async function lastOf(family: Entry[], outbox: Pick<Deliveries, 'get'>): Promise<Entry | undefined> {
  let [last] = family;
  for (let next = last?.resentBy; next !== undefined; next = last?.resentBy) {
    const known = family.find((one) => idOf(one) === next);
    const found = known ?? (await outbox.get(next).catch(() => undefined));
    if (!found) break;
    if (!known) family.push(found);
    last = found;
  }
  return last;
}

const idOf = ({ status }: Entry) => status.delivery.id;
