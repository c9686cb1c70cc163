/**
 * Sends deliveries when they are due. Every open window runs one, and claims decide which of them sends. A window sends
 * only what it saw pending until its time: about what was missed, it asks.
 */
import { type Clock, Timer } from '../../service/clock.ts';
import type { Outbox, ScheduledEntry } from './outbox.ts';
import { type Hindrance, ScheduledWatch } from './scheduledWatch.ts';
import { WatchedClock } from './watchedClock.ts';

/**
 * Sends a delivery that is due, without asking for anything. Calls `take` right before, which resolves to what is then
 * sent; to undefined if another window sends it. Rejects if it can't be sent.
 */
export type SendDue = (entry: ScheduledEntry, take: () => Promise<ScheduledEntry | undefined>) => Promise<void>;

interface SchedulerPorts {
  outbox: Pick<Outbox, 'scheduled' | 'take'>;
  clock: Pick<Clock, 'now' | 'wall' | 'after'>;
  send: SendDue;
  /** Asks what to do with a delivery that was due. */
  ask(entry: ScheduledEntry, hindrance: Hindrance): void;
  /** Shows what is scheduled, the next one first. */
  show(scheduled: readonly ScheduledEntry[]): void;
  /** Logs what went wrong. */
  onError(error: unknown): void;
}

/** How often the schedule is read: other windows may change it (milliseconds). */
export const LOOK_INTERVAL = 30_000;

export class DeliveryScheduler {
  readonly #ports: SchedulerPorts;
  readonly #clock: WatchedClock;
  /** By the ID of the delivery. */
  readonly #watches = new Map<string, ScheduledWatch>();
  /** What this window is sending. */
  readonly #sending = new Set<string>();
  #last: Promise<void> = Promise.resolve();
  readonly #timer: Timer;
  #isDisposed = false;

  constructor(ports: SchedulerPorts) {
    this.#ports = ports;
    this.#timer = new Timer(() => void this.look(), ports.clock);
    this.#clock = new WatchedClock(ports.clock);
  }

  /** Reads the schedule, does what is due, and comes back when something else is. Never rejects. */
  look(): Promise<void> {
    this.#last = this.#last.then(() => this.#look());
    return this.#last;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer.stop();
  }

  async #look(): Promise<void> {
    if (this.#isDisposed) return;
    try {
      const scheduled = await this.#ports.outbox.scheduled();
      if (this.#isDisposed) return;
      this.#watch(scheduled);
      this.#ports.show(scheduled);
    } catch (error) {
      this.#ports.onError(error);
    }
    if (!this.#isDisposed) this.#timer.restart(this.#untilNext());
  }

  #watch(scheduled: readonly ScheduledEntry[]): void {
    // Read after the deliveries, so that none counts as seen before it was.
    const reading = this.#clock.read();
    const ids = new Set(scheduled.map(idOf));
    for (const id of this.#watches.keys()) if (!ids.has(id) && !this.#sending.has(id)) this.#watches.delete(id);
    for (const entry of scheduled) {
      const id = idOf(entry);
      if (this.#sending.has(id)) continue;
      let watch = this.#watches.get(id);
      if (watch?.due !== entry.due) {
        watch = new ScheduledWatch(entry, reading);
        this.#watches.set(id, watch);
      }
      const next = watch.next(reading);
      if (next === 'send') void this.#send(entry, watch);
      else if (next !== 'wait') this.#ports.ask(entry, next.ask);
    }
  }

  async #send(entry: ScheduledEntry, watch: ScheduledWatch): Promise<void> {
    const { outbox, send } = this.#ports;
    this.#sending.add(idOf(entry));
    try {
      await send(entry, () => outbox.take(entry));
    } catch (error) {
      // If it's still scheduled, the user is asked soon.
      watch.fail(error);
      this.#ports.onError(error);
    } finally {
      this.#sending.delete(idOf(entry));
      void this.look();
    }
  }

  #untilNext(): number {
    const now = this.#ports.clock.wall();
    let next = now + LOOK_INTERVAL;
    for (const [id, { wakesAt = next }] of this.#watches) if (!this.#sending.has(id)) next = Math.min(next, wakesAt);
    return Math.max(0, next - now);
  }
}

const idOf = ({ status }: ScheduledEntry) => status.delivery.id;
