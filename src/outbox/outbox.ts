/** The outbox: deliveries on their way and those of the past. Nothing is sent but what is written down in it first. */
import PQueue from 'p-queue';
import type { BatchResult } from '../service/client.ts';
import type { Clock } from '../service/clock.ts';
import type { Batch } from './batches.ts';
import { type CheckOptions, checkDelivery, type DeliveryCheck, othersBeside } from './deliveryCheck.ts';
import { type EarlyStop, runDelivery } from './deliveryRunner.ts';
import { DeliveryStatus } from './deliveryStatus.ts';
import type { DeliveryStore, StoredDelivery } from './deliveryStore.ts';
import type { Delivery } from './record.ts';
import { type UnreachedRecipients, unreachedOf } from './resends.ts';

/** How batches go out, and with which token, which is never written down. */
export interface Sender {
  readonly token: string;
  send(batch: Batch, options: { before(): Promise<void>; signal: AbortSignal }): Promise<BatchResult>;
}

/** A delivery of the outbox. */
export interface OutboxEntry extends StoredDelivery {
  /** Another delivery of the outbox goes to its unreached. */
  isResent: boolean;
  /** It was canceled in this window, and ends with the answer of the call under way. */
  isCanceling: boolean;
}

/** A delivery that cannot be read, and why. */
export interface UnreadableEntry {
  id: string;
  error: unknown;
}

/** How many deliveries are read at once: a computer may limit how many files are open. */
const READ_AT_ONCE = 8;

interface Running {
  /** Once it is known. */
  status?: DeliveryStatus | undefined;
  readonly abort: AbortController;
  ended?: Promise<unknown>;
}

export class Outbox {
  readonly #store: DeliveryStore;
  readonly #onChange: (id: string) => void;
  readonly #clock: Clock | undefined;
  /** What this window sends now, or is about to. */
  readonly #running = new Map<string, Running>();
  #isClosing = false;

  /** `changed` is told of every delivery that has become another. */
  constructor(store: DeliveryStore, changed: (id: string) => void = () => {}, clock?: Clock) {
    this.#store = store;
    this.#onChange = changed;
    this.#clock = clock;
  }

  newId(): string {
    return this.#store.newId();
  }

  /** All readable deliveries, the newest first. */
  async all(): Promise<OutboxEntry[]> {
    return (await this.entries()).filter((one) => 'status' in one);
  }

  /** All deliveries, the newest first. Each is read on its own, so that a damaged one doesn't hide the others. */
  async entries(): Promise<(OutboxEntry | UnreadableEntry)[]> {
    const queue = new PQueue({ concurrency: READ_AT_ONCE });
    const reads = (await this.#store.ids()).map((id) => async () => {
      try {
        const stored = await this.get(id);
        return stored && (await this.#counts(stored)) ? stored : undefined;
      } catch (error) {
        return { id, error };
      }
    });
    return (await queue.addAll(reads)).filter((one) => one !== undefined);
  }

  /** Undefined where there is no such delivery. Rejects where it cannot be read. */
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
      };
    }
    const kept = await this.#store.load(id);
    const isResent = kept?.resentBy !== undefined && (await this.#isThere(kept.resentBy));
    return kept && { ...kept, isCanceling, isResent };
  }

  /** Writes a new delivery down and sends it. Rejects where it cannot be written down: nothing is sent then. */
  start(delivery: Delivery, sender: Sender, progress?: (status: DeliveryStatus) => void): Promise<DeliveryResult> {
    const written = async () => {
      await this.#store.create(delivery);
      return { status: new DeliveryStatus(delivery), claimCount: 0 };
    };
    return this.#run(delivery.id, written, sender, progress) as Promise<DeliveryResult>;
  }

  /** The same for a delivery to the unreached of others; undefined where more was done about those since they were counted. */
  async resend(
    delivery: Delivery,
    { lastId, claimCount }: Pick<UnreachedRecipients, 'lastId' | 'claimCount'>,
    sender: Sender,
    progress?: (status: DeliveryStatus) => void,
  ): Promise<DeliveryResult | undefined> {
    const written = async () => {
      await this.#store.create(delivery);
      const isNext =
        !(await this.#isSent(lastId)) && (await this.#store.claim(lastId, claimCount, { resentBy: delivery.id }));
      if (!isNext) await this.#store.remove(delivery.id);
      return isNext ? { status: new DeliveryStatus(delivery), claimCount: 0 } : undefined;
    };
    return this.#run(delivery.id, written, sender, progress);
  }

  /**
   * Sends what nobody can have got of a delivery: batches that were never sent or were refused. Undefined where there is
   * no such delivery, where somebody sends it, or where its unreached were sent to again.
   */
  async resume(
    id: string,
    sender: Sender,
    progress?: (status: DeliveryStatus) => void,
  ): Promise<DeliveryResult | undefined> {
    if (await this.#isSent(id)) return undefined;
    const kept = async () => {
      const kept = await this.#store.load(id);
      return kept && kept.resentBy === undefined && (await this.#counts(kept)) ? kept : undefined;
    };
    return this.#run(id, kept, sender, progress);
  }

  /** Lets a delivery end after the call that is under way; it can be resumed. False where this window does not send it. */
  cancel(id: string): boolean {
    const running = this.#running.get(id);
    if (!running) return false;
    running.abort.abort();
    this.#onChange(id);
    return true;
  }

  /** Reads the chats of those of whom it is unknown whether they got the message, and writes down what they tell. */
  async check(
    id: string,
    list: CheckOptions['list'],
    signal: AbortSignal,
    progress: (done: number, of: number) => void = () => {},
  ): Promise<DeliveryCheck | undefined> {
    const kept = await this.get(id);
    if (!kept || kept.isRunning) return undefined;
    const others = await othersBeside(kept.status, await this.all());
    const settled = await checkDelivery(kept.status, { list, ...others }, signal, progress);
    if (settled.found.length > 0) {
      await this.#store.append(id, { what: 'read', at: Date.now(), found: settled.found });
      this.#onChange(id);
    }
    return settled;
  }

  unreached(id: string): Promise<UnreachedRecipients> {
    return unreachedOf(id, this);
  }

  /** Forgets a delivery; false while it is sent. */
  async remove(id: string): Promise<boolean> {
    if (await this.#isSent(id)) return false;
    await this.#store.remove(id);
    this.#onChange(id);
    return true;
  }

  /** Deliveries interrupted by a crash. Each is reported once. */
  async interrupted(): Promise<OutboxEntry[]> {
    const cut: OutboxEntry[] = [];
    for (const id of await this.#store.interrupted()) {
      // One that cannot be read says so in the outbox.
      const kept = await this.get(id).catch(() => undefined);
      if (kept && (await this.#counts(kept).catch(() => false))) cut.push(kept);
      await this.#store.clearHeartbeat(id);
    }
    return cut;
  }

  /** Whether any window says that it sends something. */
  isAnyRunning(): Promise<boolean> {
    return this.#store.isAnyRunning();
  }

  /** Ends what this window sends; resolves when the answer of each call under way is written down. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort();
    await Promise.allSettled(running.map(({ ended }) => ended));
  }

  /** One that goes to the unreached of another counts once that one says so: nothing of it went out before. */
  async #counts({ status: { delivery }, claimCount }: StoredDelivery): Promise<boolean> {
    if (claimCount > 0 || delivery.resends === undefined) return true;
    const before = await this.#store.load(delivery.resends);
    return !before || before.resentBy === delivery.id;
  }

  async #isThere(id: string): Promise<boolean> {
    return this.#store.load(id).then(
      (kept) => kept !== undefined,
      // It is there, whatever it says.
      () => true,
    );
  }

  async #isSent(id: string): Promise<boolean> {
    return (await this.#store.isRunning(id)) || this.#running.has(id);
  }

  #run(
    id: string,
    open: () => Promise<Pick<StoredDelivery, 'status' | 'claimCount'> | undefined>,
    sender: Sender,
    progress: (status: DeliveryStatus) => void = () => {},
  ): Promise<DeliveryResult | undefined> {
    const running: Running = { abort: new AbortController() };
    this.#running.set(id, running);
    const run = async () => {
      const end = await this.#store.startHeartbeat(id);
      try {
        const opened = await open();
        running.status = opened?.status;
        return opened && (await this.#send(opened, sender, progress, running.abort.signal));
      } finally {
        // Where the window closes nobody hears how it ended, but at the next start.
        const isCut = this.#isClosing && running.status?.counts.reached !== running.status?.total;
        // How it ended must not be lost by a mark that stays: that is told of, too.
        await end(isCut).catch(() => {});
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
    { status, claimCount }: Pick<StoredDelivery, 'status' | 'claimCount'>,
    sender: Sender,
    progress: (status: DeliveryStatus) => void,
    signal: AbortSignal,
  ): Promise<DeliveryResult> {
    let next = claimCount;
    const { id } = status.delivery;
    this.#onChange(id);
    const stopped = await runDelivery(
      status,
      {
        send: sender.send,
        begin: ({ batch, attempt }) => this.#store.claim(id, next++, { batch, attempt }),
        append: (line) => this.#store.append(id, line, sender.token),
        progress: () => {
          progress(status);
          this.#onChange(id);
        },
        ...(this.#clock && { clock: this.#clock }),
      },
      signal,
    );
    return { status, stopped };
  }
}

/** How a run ended: the status as far as this window knows it. */
export interface DeliveryResult {
  status: DeliveryStatus;
  stopped: EarlyStop | undefined;
}
