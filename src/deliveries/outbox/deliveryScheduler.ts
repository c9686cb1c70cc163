/**
 * Sends deliveries when they are due. Every open window runs one, so that one connected to another service leaves a delivery
 * to the others, and claims decide which of them sends. A window sends only what it saw pending until its time, on a clock
 * that didn't get ahead of the time that passed. Otherwise it can't tell whether people still want it sent, and asks, after
 * it has given the other windows time to send. About a message that is being edited at its time, one window asks once.
 */
import { type Clock, Timer } from '../../service/clock.ts';
import type { Outbox } from './outbox.ts';
import { isEdited, isScheduled, type ScheduledEntry, type StoredEntry } from './outboxEntry.ts';

/**
 * Sends a delivery that is due, without asking for anything. Calls `take` right before, which resolves to what is then
 * sent; to undefined if another window sends it. Rejects if it can't be sent.
 */
export type SendDue = (entry: ScheduledEntry, take: () => Promise<ScheduledEntry | undefined>) => Promise<void>;

interface SchedulerPorts {
  outbox: Pick<Outbox, 'claimQuestion' | 'waiting' | 'take'>;
  clock: Pick<Clock, 'now' | 'wall' | 'after'>;
  send: SendDue;
  /** Asks what to do with a delivery that was due. */
  ask(entry: StoredEntry, blocker: Blocker): void;
  /** Shows the scheduled deliveries, the next one first. */
  show(scheduled: readonly ScheduledEntry[]): void;
  /** Logs what went wrong. */
  onError(error: unknown): void;
}

/** How often the schedule is read: other windows may change it (milliseconds). */
export const CHECK_INTERVAL = 30_000;

export class DeliveryScheduler {
  readonly #ports: SchedulerPorts;
  readonly #clock: WatchedClock;
  /** What this window knows of scheduled deliveries, by their IDs. */
  readonly #watches = new Map<string, ScheduledWatch>();
  /** The IDs of deliveries that this window is sending. */
  readonly #sending = new Set<string>();
  #last: Promise<void> = Promise.resolve();
  readonly #timer: Timer;
  #isDisposed = false;

  constructor(ports: SchedulerPorts) {
    this.#ports = ports;
    this.#timer = new Timer(() => void this.check(), ports.clock);
    this.#clock = new WatchedClock(ports.clock);
  }

  /** Reads the schedule, sends or asks about what is due, and wakes up for the next delivery. Never rejects. */
  check(): Promise<void> {
    this.#last = this.#last.then(() => this.#check());
    return this.#last;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer.stop();
  }

  async #check(): Promise<void> {
    if (this.#isDisposed) return;
    let wait: number;
    try {
      const waiting = await this.#ports.outbox.waiting();
      if (this.#isDisposed) return;
      const scheduled = waiting.filter(isScheduled);
      this.#watch(scheduled);
      wait = this.#untilNext();
      this.#ports.show(scheduled);
      for (const entry of waiting.filter(isEdited)) {
        const left = entry.editedDue - this.#ports.clock.wall();
        if (left > 0) wait = Math.min(wait, left);
        if (await this.#ports.outbox.claimQuestion(entry)) this.#ports.ask(entry, { why: 'edited' });
      }
    } catch (error) {
      this.#ports.onError(error);
      // After a failure, nothing can be sent before the schedule is read again.
      wait = this.#untilNext() || CHECK_INTERVAL;
    }
    if (!this.#isDisposed) this.#timer.restart(wait);
  }

  #watch(scheduled: readonly ScheduledEntry[]): void {
    // The clock is read after the deliveries, so that none counts as seen before it was.
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
      // If the delivery is still scheduled, the user is asked soon.
      watch.fail(error);
      this.#ports.onError(error);
    } finally {
      this.#sending.delete(idOf(entry));
      void this.check();
    }
  }

  #untilNext(): number {
    const now = this.#ports.clock.wall();
    let next = now + CHECK_INTERVAL;
    for (const [id, { wakesAt = next }] of this.#watches) if (!this.#sending.has(id)) next = Math.min(next, wakesAt);
    return Math.max(0, next - now);
  }
}

const idOf = ({ status }: ScheduledEntry) => status.delivery.id;

/** Why a window doesn't send a delivery by itself although its time has come. */
export type Blocker =
  /**
   * This window didn't see the delivery pending: it opened later, or couldn't read it. Another window may have tried to
   * send it.
   */
  | { why: 'unseen' }
  /** The clock was set, or the computer slept. */
  | { why: 'skipped' }
  /** Another window was about to send the delivery, but didn't. */
  | { why: 'abandoned' }
  /** The message is being edited. */
  | { why: 'edited' }
  /** The delivery couldn't be sent. */
  | { why: 'failed'; error: unknown };

/** How long other windows get to send a delivery before the user is asked (milliseconds): longer than a heartbeat counts. */
export const GRACE = 15_000;

/** What a window knows of a scheduled delivery: whether it saw the time pass, and what it did when the time came. */
class ScheduledWatch {
  /** When the delivery is due (Unix ms). */
  readonly due: number;
  /** Why this window may not send the delivery; undefined as long as it may. */
  #blocker: Blocker | undefined;
  #isAsked = false;
  /** The least that the wall clock was ahead since the delivery was first seen. */
  #ahead: number;

  constructor({ due }: Pick<ScheduledEntry, 'due'>, { now, ahead }: Reading) {
    this.due = due;
    this.#ahead = ahead;
    if (now >= due) this.#blocker = { why: 'unseen' };
  }

  /** What is to be done now. Each thing is returned only once. */
  next({ now, ahead }: Reading): 'wait' | 'send' | { ask: Blocker } {
    this.#ahead = Math.min(this.#ahead, ahead);
    if (ahead - this.#ahead > TOLERANCE) this.#blocker ??= { why: 'skipped' };
    if (now < this.due) {
      // The clock was set back: the question came too early.
      this.#isAsked = false;
      return 'wait';
    }
    if (!this.#blocker) {
      this.#blocker = { why: 'abandoned' };
      return 'send';
    }
    if (this.#isAsked || now < this.due + GRACE) return 'wait';
    this.#isAsked = true;
    return { ask: this.#blocker };
  }

  /** The delivery couldn't be sent. */
  fail(error: unknown): void {
    this.#blocker = { why: 'failed', error };
  }

  /** When to call {@link next} again (Unix ms); undefined if there's nothing left to do. */
  get wakesAt(): number | undefined {
    if (!this.#blocker) return this.due;
    return this.#isAsked ? undefined : this.due + GRACE;
  }
}

/** A time at which the clock was read. */
interface Reading {
  /** Unix milliseconds. */
  readonly now: number;
  /** How far the wall clock is ahead of the time that passed, compared to other readings (milliseconds). */
  readonly ahead: number;
}

/** By how much more the wall clock may advance than time passed (milliseconds): clocks are adjusted while they run. */
const TOLERANCE = 60_000;

/** If the clock isn't read for longer than this (milliseconds), the computer slept, or was as good as asleep. */
const MAX_GAP = 90_000;

/** Tells time that passed from time that the clock skipped: it was set, or the computer slept. */
class WatchedClock {
  readonly #clock: Pick<Clock, 'now' | 'wall'>;
  #last: number;
  /** Milliseconds that passed while the clock was watched. */
  #passed = 0;

  /** From now on, the clock has to be read at least every {@link MAX_GAP}. */
  constructor(clock: Pick<Clock, 'now' | 'wall'>) {
    this.#clock = clock;
    this.#last = clock.now();
  }

  read(): Reading {
    const gap = this.#clock.now() - this.#last;
    this.#last += gap;
    if (gap <= MAX_GAP) this.#passed += gap;
    const now = this.#clock.wall();
    return { now, ahead: now - this.#passed };
  }
}
