/** A window of VS Code: the product above the disk and the network, in a process of the computer. */
import type { AsyncLocalStorage } from 'node:async_hooks';
import type { Computer, Process } from './computer.ts';
import type { Cause, Known, Run, Seen } from './known.ts';
import type { Claimed, Oracle } from './oracle.ts';
import {
  type Batch,
  ChangedMessageError,
  Client,
  chatKey,
  DamagedError,
  DeletedError,
  type Delivery,
  DeliveryMessages,
  DeliveryMoves,
  type DeliveryResult,
  DeliveryScheduler,
  DeliveryStore,
  HEARTBEAT_TIMEOUT,
  type MovedDelivery,
  Outbox,
  outboxFiles,
  type ScheduledEntry,
  type Sender,
  Timer,
} from './product.ts';
import type { Purpose, Service } from './service.ts';

export interface World {
  readonly computer: Computer;
  readonly service: Service;
  readonly oracle: Oracle;
  /** What another computer has made files of. */
  readonly files: MovedDelivery[];
  /** What the calls under way are made for. */
  readonly purposes: AsyncLocalStorage<Purpose>;
}

const TOKEN = 'token-62118403';
/** A change of deliveries is shown this much later (milliseconds). */
const REPAINT = 250;

/** Who is in a batch of a delivery, but not in its call. */
function absentees({ batches }: Delivery, { recvType, recipients }: Batch): string[] {
  const isOf = (one: Batch) => one.recvType === recvType && one.recipients.some(({ id }) => id === recipients[0]?.id);
  const called = new Set(recipients.map(chatKey));
  return (batches.find(isOf)?.recipients ?? []).map(chatKey).filter((key) => !called.has(key));
}

export class Window {
  readonly process: Process;
  readonly outbox: Outbox;
  readonly #moves: DeliveryMoves;
  /** Cancels its imports. */
  #canceling = new AbortController();
  readonly client: Client;
  readonly #world: World;
  readonly #scheduler: DeliveryScheduler;
  /**
   * When a delivery was first seen waiting for its time, on all clocks. One that wasn't seen in between, because it had
   * another time, or somebody was sending it, counts anew.
   */
  readonly #seen = new Map<string, Seen>();
  readonly #runs = new Set<Run>();
  readonly #timers: Timer[] = [];
  /** By delivery: who was on the Do Not Send list when its last batch was claimed. */
  readonly #listed = new Map<string, ReadonlySet<string>>();
  /** What it has asked about: deliveries and their times. */
  readonly asked = new Set<string>();
  /** How many clicks are being followed. */
  busy = 0;
  isReporting = false;
  /** Dialogs that wait for an answer. */
  readonly #dialogs: (() => void)[] = [];

  constructor(world: World) {
    this.#world = world;
    const { computer, service, purposes } = world;
    this.process = computer.start();
    const { clock, files } = this.process;
    const changed = new Timer(() => void this.#scheduler.check(), clock);
    const disk = outboxFiles(files, clock);
    const store = this.#watch(new DeliveryStore(disk, clock));
    this.outbox = new Outbox(store, () => changed.start(REPAINT), clock);
    this.#moves = new DeliveryMoves(disk, store, this.outbox, () => changed.start(REPAINT));
    this.client = new Client({
      webUrl: 'https://web.test',
      openApiUrl: 'https://api.test',
      callsPerSecond: 10,
      clock,
      random: () => 0.5,
      fetch: (url, init = {}) => service.fetch(this.process, purposes.getStore(), String(url), init),
    });
    this.#scheduler = this.#createScheduler();
    const reporting = new Timer(() => void this.#report(reporting), clock);
    this.#timers.push(changed, reporting);
    void this.#report(reporting);
    void this.#scheduler.check();
  }

  /** Notes who is on the Do Not Send list whenever a batch is claimed. */
  #watch(store: DeliveryStore): DeliveryStore {
    const { oracle } = this.#world;
    const claim = store.claim.bind(store);
    store.claim = (id, number, step, signal) => {
      if ('batch' in step) {
        const { now } = oracle.never;
        if (!now) oracle.find(`a batch of ${id} was claimed, although the list can't be read`);
        this.#listed.set(id, now ?? new Set());
      }
      return claim(id, number, step, signal);
    };
    return store;
  }

  /** Sends something of a delivery, and shows how that ends. False if it has changed. */
  async send(
    known: Known,
    delivery: Delivery,
    cause: Cause,
    start: (sender: Sender) => Promise<DeliveryResult | undefined>,
  ): Promise<boolean> {
    const { oracle } = this.#world;
    const run = oracle.begins(known, cause, () => !this.process.isKilled);
    this.#runs.add(run);
    try {
      const result = await start(this.senderOf(delivery, run));
      if (!result) oracle.fails(run, true);
      else if (result.stopped?.why === 'disk' || result.stopped?.why === 'deleted') oracle.fails(run, false);
      else {
        const { status } = result;
        const unsure = status.recipients('unknown', 'unconfirmed');
        oracle.ends(run, status.recipients('reached').map(chatKey), unsure.map(chatKey));
      }
      return result !== undefined;
    } catch (error) {
      oracle.fails(run, true);
      throw error;
    } finally {
      this.#runs.delete(run);
    }
  }

  senderOf(delivery: Delivery, run: Run): Sender {
    const { oracle, purposes } = this.#world;
    const messages = new DeliveryMessages(delivery);
    return {
      token: TOKEN,
      never: () => oracle.never.read(),
      send: async (batch, options) => {
        oracle.never.callWaits();
        let claimed: Claimed = { never: new Set(), leftOut: [] };
        const purpose: Purpose = {
          arrives: (recipients, text) => oracle.calls(run, recipients, text, claimed),
          delivers: (recipient, msgId) => oracle.delivers(run, recipient, msgId),
        };
        const before = async () => {
          await options.before();
          claimed = { never: this.#listed.get(delivery.id) ?? new Set(), leftOut: absentees(delivery, batch) };
        };
        return purposes.run(purpose, async () => {
          const ids = batch.recipients.map(({ id }) => id);
          const message = await messages.verified(batch);
          return this.client.batchSend(TOKEN, batch.recvType, ids, message, { ...options, before });
        });
      },
    };
  }

  async check(id: string): Promise<void> {
    const { toCheck } = await this.outbox.unreached(id);
    const list: Parameters<Outbox['check']>[1] = (chat, page, signal) =>
      this.client.messages(TOKEN, chat, page, signal);
    for (const one of toCheck) {
      const { found = [] } = (await this.outbox.check(one, list, new AbortController().signal)) ?? {};
      this.#world.oracle.checks(one, found.filter(({ msgId }) => msgId !== undefined).map(chatKey));
    }
  }

  /** Imports a delivery, until that is canceled. */
  async import(moved: MovedDelivery): Promise<void> {
    const { oracle, computer } = this.#world;
    const { id } = moved;
    const { signal } = this.#canceling;
    try {
      const result = await this.#moves.merge(moved, computer.wall, signal);
      if (result === 'damaged') oracle.find(`the file of ${id} is taken for a damaged one: lost`);
      oracle.isImported(id);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  cancelImports(): void {
    this.#canceling.abort();
    this.#canceling = new AbortController();
  }

  /** Shows a dialog, and goes on when a person has answered: at once, or later. */
  async ask(isAnswered: boolean): Promise<void> {
    if (!isAnswered) await new Promise<void>((resolve) => this.#dialogs.push(resolve));
    await this.process.step();
  }

  /** A person answers a dialog, or all of them. */
  answer(count = 1): void {
    for (const resolve of this.#dialogs.splice(0, count)) resolve();
  }

  /** Ends it in order: it waits for the answers of its calls. */
  async close(): Promise<void> {
    this.#scheduler.dispose();
    for (const timer of this.#timers) timer.stop();
    await this.outbox.runs.close();
    this.process.kill();
    this.bury();
  }

  /** It's dead. */
  bury(): void {
    for (const run of this.#runs) this.#world.oracle.dies(run);
    this.#runs.clear();
    // It may have been about to say so.
    if (this.isReporting) for (const known of this.#world.oracle.known.values()) known.isReported = true;
  }

  /** Follows a click, or whatever a window does by itself. Only the disk may fail, visibly. */
  async follow(act: () => Promise<unknown>): Promise<void> {
    try {
      this.busy++;
      await act();
    } catch (error) {
      this.#assertExpected(error);
    } finally {
      this.busy--;
    }
  }

  #assertExpected(error: unknown): void {
    const { failing } = this.#world.computer;
    // A short read looks like damage.
    const isShortRead = error instanceof DamagedError && failing.shortReads > 0;
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (failing.isOwn(error) || isShortRead || isGone) return;
    if (error instanceof DeletedError || error instanceof ChangedMessageError) return;
    this.#world.oracle.find(`it fails: ${error instanceof Error ? error.stack : error}`);
  }

  async #report(again: Timer): Promise<void> {
    const { oracle } = this.#world;
    this.isReporting = true;
    try {
      for (const entry of await this.outbox.interrupted()) oracle.reports(entry);
      if (await this.outbox.heartbeats.any()) again.start(HEARTBEAT_TIMEOUT);
    } catch (error) {
      this.#assertExpected(error);
      // Some may have been reported.
      for (const known of oracle.known.values()) known.isReported = true;
    }
    this.isReporting = false;
  }

  #createScheduler(): DeliveryScheduler {
    const { computer, oracle } = this.#world;
    const keyOf = ({ due, status }: Omit<ScheduledEntry, 'due'> & { due?: number | undefined }) =>
      `${status.delivery.id} ${due}`;
    return new DeliveryScheduler({
      outbox: this.outbox,
      clock: this.process.clock,
      send: async (entry, take) => {
        const { delivery } = entry.status;
        oracle.isDue(delivery.id, entry.due, this.#seen.get(keyOf(entry)));
        const taken = await take();
        if (!taken) return;
        oracle.takes(delivery.id, entry.claimCount);
        await this.send(oracle.of(delivery.id), delivery, { due: taken.due }, (sender) =>
          this.outbox.sendScheduled(taken, sender),
        );
      },
      ask: (entry) => {
        oracle.counts.asked++;
        this.asked.add(keyOf(entry));
      },
      show: (entries) => {
        const { wall, steady, awake } = computer;
        const keys = new Set(entries.map(keyOf));
        for (const key of this.#seen.keys()) if (!keys.has(key)) this.#seen.delete(key);
        for (const entry of entries)
          if (wall < entry.due && !this.#seen.has(keyOf(entry))) this.#seen.set(keyOf(entry), { wall, steady, awake });
      },
      onError: (error) => this.#assertExpected(error),
    });
  }
}
