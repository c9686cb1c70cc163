/** A delivery and its resends: the recipients that none of them has reached. */
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

/** The recipients of a delivery that neither it nor a resend is known to have reached. */
export interface UnreachedRecipients {
  recipients: Recipient[];
  /** Those of them who may have the message anyway. */
  uncertain: Recipient[];
  /** The last of these deliveries, which the next resend follows. */
  lastId: string;
  /** How many claims the last one had when it was read. */
  claimCount: number;
}

export async function unreachedOf(id: string, outbox: Deliveries): Promise<UnreachedRecipients> {
  const chain = resendsOf(id, await outbox.all());
  const last = await lastOf(chain, outbox);
  const ids = new Set(chain.map(idOf));
  // A deleted or unreadable delivery may have reached anyone.
  const isMissing = (id: string | undefined) => id !== undefined && !ids.has(id);
  const isAnyMissing = chain.some(({ status, resentBy }) => isMissing(status.delivery.resends) || isMissing(resentBy));
  const [recipients, uncertain]: [Recipient[], Recipient[]] = [[], []];
  const slices = new TimeSlices();
  for (const recipient of chain.find((entry) => idOf(entry) === id)?.status.recipients() ?? []) {
    if (slices.isOver) await slices.pause();
    const states = new Set(chain.map(({ status }) => status.outcomeOf(recipient).state));
    if (states.has('reached')) continue;
    recipients.push(recipient);
    if (isAnyMissing || states.has('unknown') || states.has('missing')) uncertain.push(recipient);
  }
  return { recipients, uncertain, lastId: last ? idOf(last) : id, claimCount: last?.claimCount ?? 0 };
}

/** The original delivery of this one, then its resends and theirs in turn. */
function resendsOf(id: string, all: readonly Entry[]): Entry[] {
  const byId = new Map(all.map((entry) => [idOf(entry), entry]));
  let original = byId.get(id);
  for (let entry = original; entry; entry = byId.get(entry.status.delivery.resends ?? '')) original = entry;
  const chain = original ? [original] : [];
  for (const entry of chain) chain.push(...all.filter(({ status }) => status.delivery.resends === idOf(entry)));
  return chain;
}

/** The last resend. One created since the outbox was listed is added to the chain. */
async function lastOf(chain: Entry[], outbox: Pick<Deliveries, 'get'>): Promise<Entry | undefined> {
  let [last] = chain;
  for (let next = last?.resentBy; next !== undefined; next = last?.resentBy) {
    const known = chain.find((entry) => idOf(entry) === next);
    const found = known ?? (await outbox.get(next).catch(() => undefined));
    if (!found) break;
    if (!known) chain.push(found);
    last = found;
  }
  return last;
}

const idOf = ({ status }: Entry) => status.delivery.id;
