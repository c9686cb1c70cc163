/** The outbox: current and past deliveries. Everything is stored before it is sent. */
import PQueue from 'p-queue';
import { type Clock, systemClock } from '../../service/clock.ts';
import { type CheckOptions, checkDelivery, type DeliveryCheck } from './deliveryCheck.ts';
import { type DeliveryResult, DeliveryRuns, type Sender } from './deliveryRunner.ts';
import { DeliveryStatus } from './deliveryStatus.ts';
import type { DeliveryStore, StoredDelivery } from './deliveryStore.ts';
import type { Heartbeats } from './heartbeats.ts';
import {
  type EditedEntry,
  isEdited,
  isScheduled,
  needsSomebody,
  type OutboxEntry,
  type ScheduledEntry,
  type StoredEntry,
  shownTimeOf,
  type UnreadableEntry,
} from './outboxEntry.ts';
import { type Claim, creationTimeOf, type Delivery } from './record.ts';
import { closeGap, markUncertain, type UnreachedRecipients, unreachedOf } from './resends.ts';

/** Deliveries read at the same time: the system may limit the number of open files. */
const READ_CONCURRENCY = 8;

/** How many chats of a check share a line of the journal: an import takes no line of more than 60,000 values. */
const MAX_READ = 4_000;

export class Outbox {
  /** The deliveries that this window is sending. */
  readonly runs: DeliveryRuns;
  /** The deliveries that any window is sending, as far as is known. */
  readonly heartbeats: Heartbeats;
  readonly #store: DeliveryStore;
  readonly #onChange: (id: string) => void;
  readonly #clock: Clock;
  /** The deliveries that {@link unseen} counted last: somebody can have seen only these. */
  #counted = new Set<string>();

  /** `onChange` is called with the ID of a delivery after each change. */
  constructor(store: DeliveryStore, onChange: (id: string) => void = () => {}, clock: Clock = systemClock) {
    this.#store = store;
    this.#onChange = onChange;
    this.#clock = clock;
    this.runs = new DeliveryRuns(store, onChange, clock);
    this.heartbeats = store.heartbeats;
  }

  /** All readable deliveries, in the order of {@link entries}. */
  async all(): Promise<OutboxEntry[]> {
    return (await this.entries()).filter((entry) => 'status' in entry);
  }

  /**
   * All deliveries, newest first, by the times that their rows show: one that waited comes before those that were confirmed
   * after it, but sent before. A damaged one doesn't hide the others.
   */
  async entries(): Promise<(OutboxEntry | UnreadableEntry)[]> {
    const queue = new PQueue({ concurrency: READ_CONCURRENCY });
    const reads = (await this.#store.ids()).map((id) => async () => {
      try {
        return await this.get(id);
      } catch (error) {
        return { id, error };
      }
    });
    const entries = (await queue.addAll(reads)).filter((entry) => entry !== undefined);
    const timeOf = (entry: OutboxEntry | UnreadableEntry) =>
      'status' in entry ? shownTimeOf(entry) : creationTimeOf(entry.id);
    return entries.toSorted((one, other) => timeOf(other) - timeOf(one));
  }

  /**
   * A delivery; undefined if there is none with this ID, or if it's a resend that was never claimed. Rejects if it can't be
   * read.
   */
  async get(id: string): Promise<OutboxEntry | undefined> {
    const { status, isCanceling } = this.runs.get(id);
    if (status) return { isRunning: true, status, isCanceling };
    const stored = await this.#load(id);
    if (!stored) return undefined;
    if (await this.heartbeats.isAlive(id)) return { isRunning: true, status: stored.status, isCanceling };
    const isResent = stored.resentBy !== undefined && !(await this.#store.isDeleted(stored.resentBy));
    return { ...stored, isRunning: false, isResent };
  }

  /** Stores a delivery that is sent later. */
  async schedule(delivery: Delivery & { due: number }): Promise<void> {
    await this.#store.create(delivery);
    this.#onChange(delivery.id);
  }

  /** Scheduled deliveries that nobody is sending, the next one first. */
  async scheduled(): Promise<ScheduledEntry[]> {
    return (await this.waiting()).filter(isScheduled);
  }

  /** Deliveries that were scheduled, and whose messages are being edited. */
  async edited(): Promise<EditedEntry[]> {
    return (await this.waiting()).filter(isEdited);
  }

  /** Claims to ask about a delivery that wasn't sent by its time, since it's being edited. False before, or if somebody was asked. */
  async claimQuestion({ editedDue, status }: EditedEntry): Promise<boolean> {
    const { id } = status.delivery;
    // A question that came before the clock was set back came too early.
    if (editedDue > this.#clock.wall()) {
      await this.#store.forgetQuestion(id, editedDue);
      return false;
    }
    const isFirst = await this.#store.claimQuestion(id, editedDue);
    if (isFirst) this.#onChange(id);
    return isFirst;
  }

  /** Remembers that a delivery needs somebody, until that is seen. If that fails, its row shows it nevertheless. */
  async markUnseen(id: string): Promise<void> {
    await this.#store.unseen.add(id).catch(() => {});
    this.#onChange(id);
  }

  /** Notes that somebody has seen a delivery and its resends; by default, all that were counted. */
  async markSeen(id?: string): Promise<void> {
    for (const unseen of id === undefined ? this.#counted : await this.#store.unseen.ids()) {
      let one: string | undefined = unseen;
      while (one !== undefined && id !== undefined && one !== id)
        one = (await this.get(one).catch(() => undefined))?.status.delivery.resends;
      if (one === undefined) continue;
      this.#counted.delete(unseen);
      await this.#store.unseen.remove(unseen);
      this.#onChange(unseen);
    }
  }

  /** Counts the deliveries that need somebody and weren't seen. Forgets those that need nobody, if they can be read. */
  async unseen(): Promise<number> {
    const counted = new Set<string>();
    for (const id of await this.#store.unseen.ids()) {
      const entry = await this.get(id).catch(() => 'unreadable' as const);
      if (entry === 'unreadable' || (entry && needsSomebody(entry, this.#clock.wall()))) counted.add(id);
      else await this.#store.unseen.remove(id);
    }
    this.#counted = counted;
    return counted.size;
  }

  /** Scheduled and edited deliveries that nobody is sending, the next one first. Removes the hints of any other. */
  async waiting(): Promise<StoredEntry[]> {
    const entries: StoredEntry[] = [];
    for (const id of await this.#store.hints.ids()) {
      // An unreadable one is listed as such in the outbox.
      const entry = await this.get(id).catch(() => undefined);
      // A missing delivery may be about to be stored, and a canceled one to be scheduled again.
      if (!entry || entry.isRunning || entry.canceledDue !== undefined) continue;
      if ((entry.due ?? entry.editedDue) !== undefined) entries.push(entry);
      else {
        const forget = this.#store.keepClaims(id).then(() => this.#store.hints.remove(id));
        await forget.catch(() => {});
      }
    }
    const timeOf = ({ due, editedDue = 0 }: StoredEntry) => due ?? editedDue;
    return entries.toSorted((one, other) => timeOf(one) - timeOf(other));
  }

  /**
   * Changes when a delivery is sent that is scheduled, or was (Unix ms); null if it isn't sent by itself any more, perhaps
   * because of a move. False if it has changed since it was read.
   */
  async reschedule(entry: StoredEntry, due: number | null, movedBy?: string): Promise<boolean> {
    const { id } = entry.status.delivery;
    if (!isScheduled(entry)) await this.#store.hints.add(id);
    const isNext = await this.#claimTime(entry, { due, movedBy });
    if (!isNext && (await this.#store.isDeleted(id))) await this.#store.hints.remove(id).catch(() => {});
    return isNext;
  }

  /** Sends nothing of a delivery any more, because its message is edited. False if it has changed since it was read. */
  beginEdit(entry: StoredEntry): Promise<boolean> {
    return this.#claimTime(entry, { due: null, edited: true });
  }

  async #claimTime({ status, claimCount }: StoredEntry, claim: Claim): Promise<boolean> {
    const { id } = status.delivery;
    const isNext = await this.#claimUnlessSending(id, claimCount, claim);
    if (isNext) this.#onChange(id);
    return isNext;
  }

  /** Takes a delivery that is due: of the windows that saw the same, only one can. Undefined for the others. */
  async take(entry: ScheduledEntry): Promise<ScheduledEntry | undefined> {
    // Claiming the same time once more changes nothing: if this window dies now, the delivery is still scheduled.
    const isTaken = await this.reschedule(entry, entry.due);
    return isTaken ? { ...entry, claimCount: entry.claimCount + 1 } : undefined;
  }

  /** Sends a delivery that is or was scheduled. Undefined, without sending anything, if it has changed since it was read. */
  async sendScheduled(
    { status, claimCount }: StoredEntry,
    sender: Sender,
    progress?: (status: DeliveryStatus) => void,
  ): Promise<DeliveryResult | undefined> {
    const { id } = status.delivery;
    if (await this.#isSending(id)) return undefined;
    const open = async () => {
      const stored = await this.#store.load(id);
      return stored?.claimCount === claimCount ? stored : undefined;
    };
    return this.runs.run(id, open, sender, progress);
  }

  /**
   * Stores a new delivery, instead of an `edited` one if given, and sends it. Rejects, without sending anything, if it can't
   * be stored.
   */
  start(
    delivery: Delivery,
    sender: Sender,
    progress?: (status: DeliveryStatus) => void,
    edited?: StoredEntry,
  ): Promise<DeliveryResult> {
    const open = async () => {
      await this.#store.create(delivery);
      // The edited one goes at once, so that nobody is asked about it meanwhile. If that fails, it still isn't sent by itself.
      if (edited) await this.remove(edited.status.delivery.id, edited.claimCount).catch(() => {});
      return { status: new DeliveryStatus(delivery), claimCount: 0 };
    };
    return this.runs.run(delivery.id, open, sender, progress) as Promise<DeliveryResult>;
  }

  /** Like {@link start}, for the unreached recipients of other deliveries; undefined if those have new claims since. */
  async resend(
    delivery: Delivery,
    { lastId, claimCount, uncertain }: Pick<UnreachedRecipients, 'lastId' | 'claimCount' | 'uncertain'>,
    sender: Sender,
    progress?: (status: DeliveryStatus) => void,
  ): Promise<DeliveryResult | undefined> {
    const { id } = delivery;
    const open = async () => {
      // The user has accepted this for this delivery, even if the others are deleted later.
      const marked = { ...delivery, batches: await markUncertain(delivery.batches, uncertain) };
      await this.#store.create(marked);
      const isNext = await this.#claimUnlessSending(lastId, claimCount, { resentBy: id }).catch(async (error) => {
        await this.#discard(id).catch(() => {});
        throw error;
      });
      if (!isNext) await this.#discard(id);
      return isNext ? { status: new DeliveryStatus(marked), claimCount: 0 } : undefined;
    };
    return this.runs.run(id, open, sender, progress);
  }

  /**
   * Sends the batches that no recipient can have received: never sent, or refused. Undefined if there is no such
   * delivery, if it is being sent, or if it was resent.
   */
  async resume(
    id: string,
    sender: Sender,
    progress?: (status: DeliveryStatus) => void,
  ): Promise<DeliveryResult | undefined> {
    if (await this.#isSending(id)) return undefined;
    const open = async () => {
      const stored = await this.#load(id);
      if (!stored || stored.resentBy !== undefined) return undefined;
      const { resends } = stored.status.delivery;
      if (resends !== undefined) await this.#store.keepClaims(resends);
      return stored;
    };
    return this.runs.run(id, open, sender, progress);
  }

  /** Looks for the message in the chats that may have it, and stores the result; undefined while the delivery is being sent. */
  async check(
    id: string,
    list: CheckOptions['list'],
    signal: AbortSignal,
    progress: (done: number, total: number) => void = () => {},
  ): Promise<DeliveryCheck | undefined> {
    const entry = await this.get(id);
    if (!entry || entry.isRunning) return undefined;
    const now = () => this.#clock.wall();
    const { status, begunDue = status.delivery.at } = entry;
    const since = Math.min(begunDue, status.sentAt ?? begunDue);
    const check = await checkDelivery(status, { now, since, list, all: () => this.all() }, signal, progress);
    const { found, early } = check;
    const { unanswered } = entry;
    for (let from = 0; from < Math.max(found.length, early.length); from += MAX_READ) {
      const to = from + MAX_READ;
      const more = {
        ...(early.length > from && { early: early.slice(from, to) }),
        ...(unanswered.length > 0 && { unanswered }),
      };
      await this.#store.append(id, { what: 'read', at: now(), found: found.slice(from, to), ...more });
    }
    if (found.length + early.length > 0) this.#onChange(id);
    return check;
  }

  unreached(id: string): Promise<UnreachedRecipients> {
    return unreachedOf(id, this, this.#store);
  }

  /**
   * Deletes a delivery, even one that can't be read. False if it is being sent, or its resend is, or if it has changed since
   * it was read with this many claims.
   */
  async remove(id: string, claimCount?: number): Promise<boolean> {
    if (await this.#isSending(id)) return false;
    const link = await this.#store.link(id).catch(() => 'unreadable' as const);
    // A folder that can't be read can't be claimed either.
    if (link === 'unreadable') await this.#store.remove(id, true);
    else {
      if (link?.resentBy !== undefined) {
        if (await this.#isSending(link.resentBy)) return false;
        await closeGap(id, link.resentBy, this.#store);
      }
      const isNext = link && (await this.#claimRemoval(id, claimCount ?? link.claimCount));
      if (isNext === false && !(await this.#store.isDeleted(id))) return false;
      await this.#store.remove(id, isNext === 'unclaimed');
    }
    this.#onChange(id);
    return true;
  }

  /** Deliveries interrupted by a crash. Each is returned once, to be reported. */
  async interrupted(): Promise<StoredEntry[]> {
    const interrupted: StoredEntry[] = [];
    for (const id of await this.heartbeats.silent()) {
      // An unreadable one is listed as such in the outbox.
      const entry = await this.get(id).catch(() => 'unreadable' as const);
      // Another window has gone on with the delivery meanwhile.
      if (entry && entry !== 'unreadable' && entry.isRunning) continue;
      // Another window may just be storing the delivery.
      const stored = entry ? undefined : await this.#store.load(id);
      if (stored && (await this.#isUnclaimed(stored))) await this.#discard(id);
      // Nothing of a scheduled delivery was sent: it's still scheduled.
      else if (entry && entry !== 'unreadable' && !isScheduled(entry)) interrupted.push(entry);
      // If clearing fails, the delivery is reported again.
      await this.heartbeats.clearSilent(id).catch(() => {});
    }
    // Another window may have gone on with deliveries since they were read.
    const isSending = await Promise.all(interrupted.map(({ status }) => this.#isSending(status.delivery.id)));
    return interrupted.filter((_, at) => !isSending[at]);
  }

  /** A stored delivery; undefined if there is none, or if it's a resend that was never claimed and so has sent nothing. */
  async #load(id: string): Promise<StoredDelivery | undefined> {
    const stored = await this.#store.load(id);
    return stored && (await this.#isUnclaimed(stored)) ? undefined : stored;
  }

  /** Whether a delivery is a resend that was never claimed. */
  async #isUnclaimed({ status, claimCount }: StoredDelivery): Promise<boolean> {
    const { id, resends } = status.delivery;
    return resends !== undefined && claimCount === 0 && (await this.#store.link(resends))?.resentBy !== id;
  }

  /** Removes a resend that doesn't begin, unless another window has claimed a step of it meanwhile. */
  async #discard(id: string): Promise<void> {
    const isNext = await this.#claimRemoval(id, 0);
    if (isNext || (await this.#store.isDeleted(id))) await this.#store.remove(id, isNext === 'unclaimed');
  }

  /** Claims a deletion. On a full disk, nothing can be claimed: that mustn't keep the user from freeing space. */
  #claimRemoval(id: string, number: number): Promise<boolean | 'unclaimed'> {
    return this.#store.claim(id, number, { removed: true }).catch(() => 'unclaimed' as const);
  }

  async #claimUnlessSending(id: string, number: number, claim: Claim): Promise<boolean> {
    return !(await this.#isSending(id)) && (await this.#store.claim(id, number, claim));
  }

  async #isSending(id: string): Promise<boolean> {
    return (await this.heartbeats.isAlive(id)) || this.runs.has(id);
  }
}
