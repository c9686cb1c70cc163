/** The outbox: current and past deliveries. Everything is stored before it is sent. */
import PQueue from 'p-queue';
import type { Clock } from '../service/clock.ts';
import { type CheckOptions, checkDelivery, compareWithOthers, type DeliveryCheck } from './deliveryCheck.ts';
import { type BatchSender, type DeliveryJournal, DeliveryRunner, type EarlyStop } from './deliveryRunner.ts';
import { DeliveryStatus } from './deliveryStatus.ts';
import type { DeliveryStore, StoredDelivery } from './deliveryStore.ts';
import type { Delivery } from './record.ts';
import { type UnreachedRecipients, unreachedOf } from './resends.ts';

export interface Sender extends BatchSender {
  /** Only used to redact it: it is never stored. */
  readonly token: string;
}

/** A delivery in the outbox. */
export interface OutboxEntry extends StoredDelivery {
  /** Its resend is in the outbox. */
  isResent: boolean;
  /** Canceled in this window: it ends with the answer of the call under way. */
  isCanceling: boolean;
}

/** A delivery that is sent later. */
export type ScheduledEntry = OutboxEntry & { due: number };

/** Whether a delivery is sent later. */
export const isScheduled = (entry: OutboxEntry | undefined): entry is ScheduledEntry => entry?.due !== undefined;

/** A delivery about to be sent. */
type OpenedDelivery = Pick<StoredDelivery, 'status' | 'claimCount'> & Partial<Pick<StoredDelivery, 'due'>>;

/** A delivery that can't be read, and why. */
export interface UnreadableEntry {
  id: string;
  error: unknown;
}

/** Deliveries read at the same time: the system may limit the number of open files. */
const READ_CONCURRENCY = 8;

interface Running {
  /** Undefined until the delivery is stored or read. */
  status?: DeliveryStatus | undefined;
  readonly abort: AbortController;
  ended?: Promise<unknown>;
}

export class Outbox {
  readonly #store: DeliveryStore;
  readonly #onChange: (id: string) => void;
  readonly #clock: Clock | undefined;
  /** Deliveries that this window is sending, or about to send. */
  readonly #running = new Map<string, Running>();
  #isClosing = false;

  /** `onChange` is called with the ID of a delivery after each change. */
  constructor(store: DeliveryStore, onChange: (id: string) => void = () => {}, clock?: Clock) {
    this.#store = store;
    this.#onChange = onChange;
    this.#clock = clock;
  }

  newId(): string {
    return this.#store.newId();
  }

  /** All readable deliveries, newest first. */
  async all(): Promise<OutboxEntry[]> {
    return (await this.entries()).filter((entry) => 'status' in entry);
  }

  /** All deliveries, newest first. A damaged one doesn't hide the others. */
  async entries(): Promise<(OutboxEntry | UnreadableEntry)[]> {
    const queue = new PQueue({ concurrency: READ_CONCURRENCY });
    const reads = (await this.#store.ids()).map((id) => async () => {
      try {
        const entry = await this.get(id);
        return entry && (await this.#isClaimed(entry)) ? entry : undefined;
      } catch (error) {
        return { id, error };
      }
    });
    return (await queue.addAll(reads)).filter((entry) => entry !== undefined);
  }

  /** Undefined if there is no such delivery. Rejects if it can't be read. */
  async get(id: string): Promise<OutboxEntry | undefined> {
    const { status, abort } = this.#running.get(id) ?? {};
    const isCanceling = abort?.signal.aborted ?? false;
    if (status) {
      return {
        status,
        isRunning: true,
        isCanceling,
        unreadableCount: 0,
        claimCount: 0,
        resentBy: undefined,
        isResent: false,
        due: undefined,
      };
    }
    const stored = await this.#store.load(id);
    const isResent = stored?.resentBy !== undefined && (await this.#exists(stored.resentBy));
    return stored && { ...stored, isCanceling, isResent };
  }

  /** Stores a delivery that is sent later: it has a time. */
  async schedule(delivery: Delivery & { due: number }): Promise<void> {
    await this.#store.create(delivery);
    this.#onChange(delivery.id);
  }

  /** Scheduled deliveries that nobody is sending, the next one first. */
  async scheduled(): Promise<ScheduledEntry[]> {
    const scheduled: ScheduledEntry[] = [];
    for (const id of await this.#store.hinted()) {
      // An unreadable one is listed as such in the outbox.
      const entry = await this.get(id).catch(() => undefined);
      if (isScheduled(entry)) scheduled.push(entry);
      // One that is missing may be about to be stored.
      else if (entry && !entry.isRunning) await this.#store.clearHint(id).catch(() => {});
    }
    return scheduled.filter(({ isRunning }) => !isRunning).toSorted((one, other) => one.due - other.due);
  }

  /**
   * Changes when a delivery is sent (Unix ms); null if it isn't sent by itself any more. False if it has changed since it
   * was read.
   */
  async reschedule({ status, claimCount }: ScheduledEntry, due: number | null): Promise<boolean> {
    const { id } = status.delivery;
    const isNext = !(await this.#isSending(id)) && (await this.#store.claim(id, claimCount, { due }));
    if (isNext) this.#onChange(id);
    return isNext;
  }

  /** Takes a delivery that is due: of the windows that saw the same, only one can. Undefined for the others. */
  async take(entry: ScheduledEntry): Promise<ScheduledEntry | undefined> {
    // The same time once more changes nothing: if this window dies now, the delivery is still scheduled.
    const isTaken = await this.reschedule(entry, entry.due);
    return isTaken ? { ...entry, claimCount: entry.claimCount + 1 } : undefined;
  }

  /** Sends a scheduled delivery. Undefined, without sending anything, if it has changed since it was read or taken. */
  async sendScheduled(
    { status, claimCount }: ScheduledEntry,
    sender: Sender,
    progress?: (status: DeliveryStatus) => void,
  ): Promise<DeliveryResult | undefined> {
    const { id } = status.delivery;
    if (await this.#isSending(id)) return undefined;
    const open = async () => {
      const stored = await this.#store.load(id);
      return stored?.claimCount === claimCount ? stored : undefined;
    };
    return this.#run(id, open, sender, progress);
  }

  /** Stores a new delivery and sends it. Rejects, without sending anything, if it can't be stored. */
  start(delivery: Delivery, sender: Sender, progress?: (status: DeliveryStatus) => void): Promise<DeliveryResult> {
    const open = async () => {
      await this.#store.create(delivery);
      return { status: new DeliveryStatus(delivery), claimCount: 0 };
    };
    return this.#run(delivery.id, open, sender, progress) as Promise<DeliveryResult>;
  }

  /** Like {@link start}, for the unreached recipients of other deliveries; undefined if those have new claims since. */
  async resend(
    delivery: Delivery,
    { lastId, claimCount }: Pick<UnreachedRecipients, 'lastId' | 'claimCount'>,
    sender: Sender,
    progress?: (status: DeliveryStatus) => void,
  ): Promise<DeliveryResult | undefined> {
    const open = async () => {
      await this.#store.create(delivery);
      const claim = { resentBy: delivery.id };
      const isNext = !(await this.#isSending(lastId)) && (await this.#store.claim(lastId, claimCount, claim));
      if (!isNext) await this.#store.remove(delivery.id);
      return isNext ? { status: new DeliveryStatus(delivery), claimCount: 0 } : undefined;
    };
    return this.#run(delivery.id, open, sender, progress);
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
      const stored = await this.#store.load(id);
      return stored && stored.resentBy === undefined && (await this.#isClaimed(stored)) ? stored : undefined;
    };
    return this.#run(id, open, sender, progress);
  }

  /** Stops a delivery after the call under way; it can be resumed. False if this window isn't sending it. */
  cancel(id: string): boolean {
    const running = this.#running.get(id);
    if (!running) return false;
    running.abort.abort();
    this.#onChange(id);
    return true;
  }

  /** Looks for the message in chats with an unknown outcome and stores the result; undefined while it is being sent. */
  async check(
    id: string,
    list: CheckOptions['list'],
    signal: AbortSignal,
    progress: (done: number, total: number) => void = () => {},
  ): Promise<DeliveryCheck | undefined> {
    const entry = await this.get(id);
    if (!entry || entry.isRunning) return undefined;
    const others = await compareWithOthers(entry.status, await this.all());
    const check = await checkDelivery(entry.status, { list, ...others }, signal, progress);
    if (check.found.length > 0) {
      await this.#store.append(id, { what: 'read', at: Date.now(), found: check.found });
      this.#onChange(id);
    }
    return check;
  }

  unreached(id: string): Promise<UnreachedRecipients> {
    return unreachedOf(id, this);
  }

  /** Deletes a delivery; false while it is being sent. */
  async remove(id: string): Promise<boolean> {
    if (await this.#isSending(id)) return false;
    await this.#store.remove(id);
    this.#onChange(id);
    return true;
  }

  /** Deliveries interrupted by a crash. Each is reported once. */
  async interrupted(): Promise<OutboxEntry[]> {
    const interrupted: OutboxEntry[] = [];
    for (const id of await this.#store.interrupted()) {
      // An unreadable one is listed as such in the outbox.
      const entry = await this.get(id).catch(() => undefined);
      // Nothing of a scheduled one was sent: it's still scheduled.
      const isBegun = entry && !isScheduled(entry) && (await this.#isClaimed(entry).catch(() => false));
      if (isBegun) interrupted.push(entry);
      await this.#store.clearHeartbeat(id);
    }
    return interrupted;
  }

  /** Whether any window is marked as sending, which may have died since. */
  isAnyRunning(): Promise<boolean> {
    return this.#store.isAnyRunning();
  }

  /** Stops all sending in this window; resolves when the answers of the calls under way are stored. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort();
    await Promise.allSettled(running.map(({ ended }) => ended));
  }

  /** Whether a resend was claimed on the delivery before it. One that wasn't has sent nothing and is ignored. */
  async #isClaimed({ status: { delivery }, claimCount }: StoredDelivery): Promise<boolean> {
    if (claimCount > 0 || delivery.resends === undefined) return true;
    const previous = await this.#store.load(delivery.resends);
    return !previous || previous.resentBy === delivery.id;
  }

  async #exists(id: string): Promise<boolean> {
    return this.#store.load(id).then(
      (stored) => stored !== undefined,
      // It exists, but can't be read.
      () => true,
    );
  }

  async #isSending(id: string): Promise<boolean> {
    return (await this.#store.isRunning(id)) || this.#running.has(id);
  }

  #run(
    id: string,
    open: () => Promise<OpenedDelivery | undefined>,
    sender: Sender,
    progress: (status: DeliveryStatus) => void = () => {},
  ): Promise<DeliveryResult | undefined> {
    const running: Running = { abort: new AbortController() };
    this.#running.set(id, running);
    const run = async () => {
      const endHeartbeat = await this.#store.startHeartbeat(id);
      try {
        const opened = await open();
        running.status = opened?.status;
        return opened && (await this.#send(opened, sender, progress, running.abort.signal));
      } finally {
        // A closing window can't show the result: the next start reports it.
        const isInterrupted = this.#isClosing && running.status?.counts.reached !== running.status?.total;
        // A heartbeat that can't be removed must not hide the result.
        await endHeartbeat(isInterrupted).catch(() => {});
      }
    };
    const ended = run().finally(() => {
      this.#running.delete(id);
      this.#onChange(id);
    });
    running.ended = ended;
    return ended;
  }

  async #send(
    { status, claimCount, due }: OpenedDelivery,
    sender: Sender,
    progress: (status: DeliveryStatus) => void,
    signal: AbortSignal,
  ): Promise<DeliveryResult> {
    let next = claimCount;
    const { id } = status.delivery;
    this.#onChange(id);
    const journal: DeliveryJournal = {
      begin: ({ batch, attempt }) => this.#store.claim(id, next++, { batch, attempt }),
      append: (line) => this.#store.append(id, line, sender.token),
    };
    const onProgress = () => {
      progress(status);
      this.#onChange(id);
    };
    const clock = this.#clock && { clock: this.#clock };
    const runner = new DeliveryRunner(status, sender, journal, { onProgress, ...clock });
    const stopped = await runner.run(signal);
    // The user knows why nothing was sent, and can resume it.
    if (due !== undefined && next === claimCount) await this.#store.claim(id, next, { due: null }).catch(() => false);
    return { status, stopped };
  }
}

/** The result of a run, as far as this window knows. */
export interface DeliveryResult {
  status: DeliveryStatus;
  stopped: EarlyStop | undefined;
}
