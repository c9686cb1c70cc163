/** The deliveries that this window is sending, and how each is sent. */
import type { Clock } from '../../service/clock.ts';
import { type BatchSender, type DeliveryJournal, DeliveryRunner, type EarlyStop } from './deliveryRunner.ts';
import type { DeliveryStatus } from './deliveryStatus.ts';
import { DeletedError, type DeliveryStore, type StoredDelivery } from './deliveryStore.ts';

export interface Sender extends BatchSender {
  /** Only used to redact it: it is never stored. */
  readonly token: string;
  /** Aborted once the user cancels, maybe before the run begins. */
  readonly canceled?: AbortSignal;
}

/** The result of a run, as far as this window knows. */
export interface DeliveryResult {
  status: DeliveryStatus;
  stopped: EarlyStop | undefined;
}

/** A delivery about to be sent. */
type OpenedDelivery = Pick<StoredDelivery, 'status' | 'claimCount'> & Partial<Pick<StoredDelivery, 'due'>>;

interface Running {
  /** Undefined until the delivery is stored or read. */
  status?: DeliveryStatus | undefined;
  readonly abort: AbortController;
  ended?: Promise<unknown>;
}

export class DeliveryRuns {
  readonly #store: DeliveryStore;
  readonly #onChange: (id: string) => void;
  readonly #clock: Clock;
  readonly #running = new Map<string, Running>();
  #isClosing = false;

  /** `onChange` is called with the ID of a delivery after each change. */
  constructor(store: DeliveryStore, onChange: (id: string) => void, clock: Clock) {
    this.#store = store;
    this.#onChange = onChange;
    this.#clock = clock;
  }

  /** Whether a delivery is being sent, or about to be. */
  has(id: string): boolean {
    return this.#running.has(id);
  }

  /** The status of a delivery that is being sent, once it is stored or read, and whether it was canceled. */
  get(id: string): { status: DeliveryStatus | undefined; isCanceling: boolean } {
    const { status, abort } = this.#running.get(id) ?? {};
    return { status, isCanceling: abort?.signal.aborted ?? false };
  }

  /** Stops a delivery after the call under way; it can be resumed. False if this window isn't sending it. */
  cancel(id: string): boolean {
    const running = this.#running.get(id);
    if (!running) return false;
    running.abort.abort();
    this.#onChange(id);
    return true;
  }

  /** Stops all sending; resolves when the answers of the calls under way are stored. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort();
    await Promise.allSettled(running.map(({ ended }) => ended));
  }

  /** Sends what `open` stores or reads; nothing if that is undefined, or if it's being sent. Rejects as `open` does. */
  run(
    id: string,
    open: () => Promise<OpenedDelivery | undefined>,
    sender: Sender,
    progress: (status: DeliveryStatus) => void = () => {},
  ): Promise<DeliveryResult | undefined> {
    // Asked for twice at the same time: neither could see the other.
    if (this.#running.has(id)) return Promise.resolve(undefined);
    const running: Running = { abort: new AbortController() };
    this.#running.set(id, running);
    const cancel = () => this.cancel(id);
    if (sender.canceled?.aborted) cancel();
    else sender.canceled?.addEventListener('abort', cancel);
    const run = async () => {
      const endHeartbeat = await this.#store.heartbeats.start(id);
      try {
        const opened = await open();
        running.status = opened?.status;
        return opened && (await this.#send(opened, sender, progress, running.abort.signal));
      } finally {
        // A closing window can't show the result: the next start reports it.
        const isInterrupted = this.#isClosing && running.status?.isComplete === false;
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
      begin: async ({ batch, attempt, leftOut }, signal) => {
        const claim = { batch, attempt, at: this.#clock.wall(), ...(leftOut && { leftOut }) };
        const isNext = await this.#store.claim(id, next, claim, signal);
        next++;
        if (!isNext && (await this.#store.isDeleted(id))) throw new DeletedError();
        return isNext;
      },
      append: (line) => this.#store.append(id, line, sender.token),
    };
    const onProgress = () => {
      progress(status);
      this.#onChange(id);
    };
    const runner = new DeliveryRunner(status, sender, journal, { onProgress, clock: this.#clock });
    const stopped = await runner.run(signal);
    // The user knows why nothing was sent, and can resume it.
    if (due !== undefined && next === claimCount) await this.#store.claim(id, next, { due: null }).catch(() => false);
    return { status, stopped };
  }
}
