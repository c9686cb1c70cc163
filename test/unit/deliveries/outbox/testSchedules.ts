/** Windows that share an outbox in memory and a computer's clocks. No test waits for a time. */

import type { Sender } from '../../../../src/deliveries/outbox/deliveryRunner.ts';
import { type Blocker, DeliveryScheduler, type SendDue } from '../../../../src/deliveries/outbox/deliveryScheduler.ts';
import { DeliveryStore } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../../../src/deliveries/outbox/outbox.ts';
import { isScheduled, type ScheduledEntry } from '../../../../src/deliveries/outbox/outboxEntry.ts';
import type { Delivery } from '../../../../src/deliveries/outbox/record.ts';
import type { DurableFiles } from '../../../../src/platform/durableFiles.ts';
import { memoryFiles } from '../../../prove/memoryDisk.ts';
import { clockAt } from '../../clocks.ts';
import { AT, deliveryOf, everyone, groups, idOf, planBatches } from './testDeliveries.ts';

export const MINUTE = 60_000;

export const ID = idOf('later');

/** When {@link scheduledDelivery} is due. */
export const DUE = AT + 60 * MINUTE;

export const scheduledDelivery = (changes: Partial<Delivery & { due: number }> = {}) => ({
  ...deliveryOf(planBatches(groups('a', 'b', 'c'), 2), { id: ID }),
  due: DUE,
  ...changes,
});

export class TestComputer {
  readonly files: DurableFiles = memoryFiles();
  wall = AT;
  /** While it sleeps, this clock stands still. */
  steady = 0;
  /** The batches that went out, with their times. */
  readonly sent: string[] = [];
  readonly windows: TestWindow[] = [];

  openWindow(): TestWindow {
    const window = new TestWindow(this);
    this.windows.push(window);
    return window;
  }

  /** Lets time pass. Timers run on time, in all windows. */
  async pass(ms: number): Promise<void> {
    const end = this.steady + ms;
    for (;;) {
      const next = this.windows.flatMap(({ timer }) => timer ?? []).toSorted((a, b) => a.at - b.at)[0];
      const until = Math.min(end, Math.max(this.steady, next?.at ?? end));
      this.wall += until - this.steady;
      this.steady = until;
      const ready = this.windows.filter(({ timer }) => timer && timer.at <= this.steady);
      if (ready.length === 0) return;
      for (const window of ready) window.fire();
      await this.settle();
    }
  }

  /** The clock is set, or the computer sleeps. */
  jump(ms: number): void {
    this.wall += ms;
  }

  async settle(): Promise<void> {
    for (const window of this.windows) await window.settle();
  }
}

export class TestWindow {
  readonly #computer: TestComputer;
  readonly outbox: Outbox;
  readonly scheduler: DeliveryScheduler;
  timer: { at: number; run: () => void } | undefined;
  readonly asked: { id: string; blocker: Blocker }[] = [];
  shown: readonly ScheduledEntry[] = [];
  readonly errors: unknown[] = [];
  show = (scheduled: readonly ScheduledEntry[]): void => {
    this.shown = scheduled;
  };
  /** Fails if the window can't send. */
  prepare = async () => {};
  #sends: Promise<unknown>[] = [];

  constructor(computer: TestComputer) {
    this.#computer = computer;
    const clock = clockAt(() => computer.wall);
    this.outbox = new Outbox(new DeliveryStore(computer.files, clock), undefined, clock);
    this.scheduler = new DeliveryScheduler({
      outbox: this.outbox,
      clock: {
        wall: () => computer.wall,
        now: () => computer.steady,
        after: (ms, run) => {
          this.timer = { at: computer.steady + ms, run };
          return () => {
            this.timer = undefined;
          };
        },
      },
      send: (...send) => {
        const sending = this.#send(...send);
        this.#sends.push(sending.catch(() => {}));
        return sending;
      },
      ask: (entry, blocker) => void this.asked.push({ id: entry.status.delivery.id, blocker }),
      show: (scheduled) => this.show(scheduled),
      onError: (error) => void this.errors.push(error),
    });
  }

  get reasons(): string[] {
    return this.asked.map(({ blocker }) => blocker.why);
  }

  readonly sender: Sender = {
    token: 't',
    never: () => new Map(),
    send: async (batch, { before }) => {
      await before();
      const computer = this.#computer;
      computer.sent.push(`${batch.recipients.map(({ id }) => id).join('')} ${(computer.wall - AT) / MINUTE}`);
      return everyone(batch, () => {});
    },
  };

  /** A window that was killed does nothing more. */
  close(): void {
    this.scheduler.dispose();
    this.timer = undefined;
    this.#computer.windows.splice(this.#computer.windows.indexOf(this), 1);
  }

  fire(): void {
    const { timer } = this;
    this.timer = undefined;
    timer?.run();
  }

  async settle(): Promise<void> {
    await this.scheduler.check();
    await Promise.all(this.#sends);
    await this.scheduler.check();
  }

  async entry(id = ID): Promise<ScheduledEntry> {
    const entry = await this.outbox.get(id);
    if (!isScheduled(entry)) throw new Error('not scheduled');
    return entry;
  }

  readonly #send: SendDue = async (_, take) => {
    await this.prepare();
    const taken = await take();
    if (taken) await this.outbox.sendScheduled(taken, this.sender);
  };
}
