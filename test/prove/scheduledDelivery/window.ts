/** A window with a scheduled delivery, under the control of a test. What it sends is judged at once. */
import assert from 'node:assert/strict';
import type { Sender } from '../../../src/deliveries/outbox/deliveryRuns.ts';
import { DeliveryScheduler, TOLERANCE } from '../../../src/deliveries/outbox/deliveryScheduler.ts';
import { DeliveryStore } from '../../../src/deliveries/outbox/deliveryStore.ts';
import { Outbox } from '../../../src/deliveries/outbox/outbox.ts';
import { isScheduled, type ScheduledEntry } from '../../../src/deliveries/outbox/outboxEntry.ts';
import type { DurableFiles } from '../../../src/platform/durableFiles.ts';
import { clockAt } from '../../unit/clocks.ts';
import { everyone } from '../../unit/deliveries/outbox/testDeliveries.ts';
import { aroundFiles, SteppedWindow, type Turn } from '../steps.ts';

/** What is true of a computer and of its only delivery, whatever its windows believe. */
export interface World {
  readonly id: string;
  readonly files: DurableFiles;
  wall: number;
  steady: number;
  /** When the delivery is to be sent (Unix ms), by the number of the claim that says so; null if it's canceled. */
  readonly times: Map<number, number | null>;
  /** The times that windows are setting, or were when they died. */
  readonly changes: (number | null)[];
  /** The time that it had when it was sent. */
  sentAs: number | undefined;
  /** How often each recipient got the message. */
  readonly copies: Map<string, number>;
  /** What nobody expected. */
  readonly findings: string[];
  /** How often windows sent by themselves, and asked. */
  readonly counts: { automatic: number; asked: number };
}

/** When it's to be sent now. */
export const dueIn = ({ times }: World) => times.get(Math.max(...times.keys())) ?? null;

export const WINDOW_ACTIONS = ['look', 'later', 'cancel', 'sendNow'] as const;
export type WindowAction = (typeof WINDOW_ACTIONS)[number];

/** By how much a time is changed (milliseconds). */
const LATER = 45_000;

export class ScheduledWindow {
  readonly #world: World;
  readonly #stepped: SteppedWindow;
  readonly #scheduler: DeliveryScheduler;
  readonly #outbox: Outbox;
  readonly #turn: Turn;
  readonly #sends = new Set<Promise<unknown>>();
  /** When the delivery was first seen before each of its times, on both clocks. */
  readonly #seen = new Map<number, { wall: number; steady: number }>();
  #isKilled = false;
  isAsking = false;

  constructor(world: World, actions: readonly WindowAction[]) {
    this.#world = world;
    let turn: Turn = (operation) => operation();
    this.#turn = (operation) => turn(() => (this.#isKilled ? Promise.reject(new Error('killed')) : operation()));
    this.#outbox = new Outbox(
      new DeliveryStore(
        aroundFiles(world.files, this.#turn),
        clockAt(() => world.wall),
      ),
    );
    this.#scheduler = this.#createScheduler();
    this.#stepped = new SteppedWindow(async (stepped) => {
      turn = stepped;
      for (const action of actions) await this.#act(action);
    });
  }

  get steps(): number {
    return this.#stepped.steps;
  }

  run(steps?: number): Promise<void> {
    return this.#stepped.run(steps);
  }

  /** Nothing that it does from now on has an effect. */
  async kill(): Promise<void> {
    this.#isKilled = true;
    await this.#stepped.run();
  }

  async #act(action: WindowAction): Promise<void> {
    const { id } = this.#world;
    if (action === 'look') {
      await this.#scheduler.look();
      while (this.#sends.size > 0) await Promise.all(this.#sends);
      return;
    }
    const entry = await this.#outbox.get(id);
    if (!isScheduled(entry) || entry.isRunning) return;
    if (action === 'sendNow') await this.#outbox.sendScheduled(entry, this.#senderOf(entry));
    else await this.#reschedule(entry, action === 'cancel' ? null : entry.due + LATER);
  }

  async #reschedule(entry: ScheduledEntry, due: number | null): Promise<void> {
    const { changes, copies, findings, times } = this.#world;
    // Others may see the new time, and send at once or change it again, before this window knows that it is set.
    changes.push(due);
    const isChanged = await this.#outbox.reschedule(entry, due);
    changes.splice(changes.indexOf(due), 1);
    if (!isChanged) return;
    times.set(entry.claimCount, due);
    const [sent = Infinity] = [...times].find(([, time]) => time === this.#world.sentAs) ?? [];
    if (copies.size > 0 && entry.claimCount > sent) findings.push('changed after it was sent');
  }

  #createScheduler(): DeliveryScheduler {
    const world = this.#world;
    return new DeliveryScheduler({
      outbox: this.#outbox,
      // It looks when the test says so.
      clock: { wall: () => world.wall, now: () => world.steady, after: () => () => {} },
      send: (entry, take) => {
        this.#assertIsTime(entry.due);
        const sending = take().then(async (taken) => {
          if (!taken) return;
          world.counts.automatic++;
          await this.#outbox.sendScheduled(taken, this.#senderOf(taken));
        });
        const ended = sending.catch(() => {}).finally(() => this.#sends.delete(ended));
        this.#sends.add(ended);
        return sending;
      },
      ask: () => {
        this.isAsking = true;
        world.counts.asked++;
      },
      show: ([entry]) => {
        const { wall, steady } = world;
        if (entry && wall < entry.due && !this.#seen.has(entry.due)) this.#seen.set(entry.due, { wall, steady });
      },
      onError: () => {},
    });
  }

  #assertIsTime(due: number): void {
    const { wall, steady, findings } = this.#world;
    const seen = this.#seen.get(due);
    if (!seen) findings.push('sent what it had not seen before');
    else if (wall < due || steady - seen.steady < due - seen.wall - TOLERANCE) findings.push('sent early');
  }

  #senderOf({ due }: ScheduledEntry): Sender {
    const { copies, findings } = this.#world;
    return {
      token: 't',
      send: async (batch, { before }) => {
        await before();
        const current = dueIn(this.#world);
        if (current !== due && !this.#world.changes.includes(due))
          findings.push(current === null ? 'sent after it was canceled' : 'sent at an old time');
        this.#world.sentAs = due;
        return this.#turn(async () => {
          for (const { id } of batch.recipients) copies.set(id, (copies.get(id) ?? 0) + 1);
          return everyone(batch, () => assert.fail());
        });
      },
    };
  }
}
