/** A computer in virtual time: its clocks, its disk, and the processes on it. Each may stall or die at any step. */
import type { NodeFiles } from '../../../src/platform/diskFiles.ts';
import type { Clock } from '../../../src/service/clock.ts';
import { sleepBy } from '../../unit/clocks.ts';
import { settled } from '../../unit/deferred.ts';
import { FailingFiles, type Operation } from '../failingFiles.ts';
import { type Loss, MemoryDisk } from '../memoryDisk.ts';

/** When each history begins (Unix ms). */
const START = Date.UTC(2026, 10, 21, 12);
/** More steps than anything takes that ends. */
const MANY = 100_000;

interface Waiting {
  /** On the clock that only grows. */
  readonly at: number;
  run(): void;
}

/** Zones of one offset each, in minutes ahead of UTC. */
export const ZONES = [
  { name: 'UTC', minutes: 0 },
  { name: 'Asia/Shanghai', minutes: 480 },
  { name: 'Asia/Kolkata', minutes: 330 },
  { name: 'America/Phoenix', minutes: -420 },
] as const;
type Zone = (typeof ZONES)[number];

export class Computer {
  readonly failing = new FailingFiles();
  #disk = new MemoryDisk();
  readonly #processes = new Set<Process>();
  readonly #timers = new Set<Waiting>();
  /** Steps of all processes, and how many are left until the power is lost. */
  #steps = 0;
  #powerLeft = Number.POSITIVE_INFINITY;
  /** What passed since the beginning, how much of it the computer slept without counting it, and how far its clock is ahead. */
  #passed = 0;
  #slept = 0;
  #asleep = 0;
  #ahead = 0;
  #zone: Zone = ZONES[0];
  /** When anything last happened that may mislead windows about each other. */
  disturbedAt = Number.NEGATIVE_INFINITY;

  get disk(): MemoryDisk {
    return this.#disk;
  }

  /** True time, which no process knows (milliseconds). */
  get passed(): number {
    return this.#passed;
  }

  /** Unix milliseconds. */
  get wall(): number {
    return START + this.#passed + this.#ahead;
  }

  /** What a right clock shows at a time. */
  trueTime(passed: number): number {
    return START + passed;
  }

  get steady(): number {
    return this.#passed - this.#slept;
  }

  get isDown(): boolean {
    return this.#powerLeft < 0;
  }

  /** Time in which the computer was awake (milliseconds). */
  get awake(): number {
    return this.#passed - this.#asleep;
  }

  start(): Process {
    const process = new Process(this);
    this.#processes.add(process);
    return process;
  }

  /** Calls `run` after a while, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void {
    const waiting = { at: this.steady + Math.max(0, ms), run };
    this.#timers.add(waiting);
    return () => void this.#timers.delete(waiting);
  }

  /** What belongs to no process: the service, and what takes the system's clock. */
  readonly clock: Clock = {
    now: () => this.steady,
    wall: () => this.wall,
    after: (ms, run) => this.after(ms, run),
    sleep: (ms, signal) => sleepBy(this.clock.after, ms, signal),
  };

  /** Lets time pass, and everything happen at its time. With 0, lets happen what happens at once. */
  async pass(ms = 0): Promise<void> {
    const end = this.steady + ms;
    for (let runs = 0; ; runs++) {
      if (runs > MANY) throw new Error('It hangs');
      await this.#settle();
      let next: Waiting | undefined;
      for (const one of this.#timers) if (!next || one.at < next.at) next = one;
      if (!next || next.at > end) break;
      this.#passed += Math.max(0, next.at - this.steady);
      // What is due at the same time happens side by side.
      for (const one of [...this.#timers]) if (one.at === next.at && this.#timers.delete(one)) one.run();
    }
    this.#passed += end - this.steady;
  }

  /** Sets the clock, or lets the computer sleep; meanwhile nothing happens. */
  jump(ms: number): void {
    this.#ahead += ms;
    this.disturb();
  }

  sleep(ms: number, isCounted: boolean): void {
    this.#passed += ms;
    this.#asleep += ms;
    if (!isCounted) this.#slept += ms;
    this.disturb();
  }

  get zone(): Zone {
    return this.#zone;
  }

  /** Someone travels. */
  moveTo(zone: Zone): void {
    this.#zone = zone;
    process.env.TZ = zone.name;
  }

  disturb(): void {
    this.disturbedAt = this.#passed;
  }

  /** The power is lost after this many steps. */
  losePowerAfter(steps: number): void {
    this.#powerLeft = steps;
  }

  /** Power is back: the disk has what is left. */
  recover(loss: Loss, random: () => number): void {
    for (const process of this.#processes) process.kill();
    this.#disk = this.#disk.after(loss, random);
    this.#powerLeft = Number.POSITIVE_INFINITY;
  }

  /** Counts a step of a process. False if the power is lost. */
  count(): boolean {
    this.#steps++;
    if (--this.#powerLeft >= 0) return true;
    for (const process of this.#processes) process.kill();
    return false;
  }

  forget(process: Process): void {
    this.#processes.delete(process);
  }

  async #settle(): Promise<void> {
    for (let before = -1; before !== this.#steps; ) {
      before = this.#steps;
      await settled();
    }
  }
}

/** What a process does in a step. `answer` is to take what the service has answered. */
export type Step = Operation | 'answer' | 'other';

/** How many steps are left to a process, of all or of one kind. */
class Countdown {
  #left: number;
  readonly #of: Step | undefined;

  constructor(steps = Number.POSITIVE_INFINITY, of?: Step) {
    this.#left = steps;
    this.#of = of;
  }

  /** Counts a step. False if it's one too many. */
  count(step: Step): boolean {
    return (this.#of !== undefined && step !== this.#of) || --this.#left >= 0;
  }
}

/** What a dead process waits for. One for all would keep all that ever waited. */
const never = () => new Promise<never>(() => {});

export class Process {
  readonly #computer: Computer;
  readonly #queue: { step: Step; go: () => void; dying: () => void }[] = [];
  #untilStall = new Countdown();
  #untilDeath = new Countdown();
  #isKilled = false;

  constructor(computer: Computer) {
    this.#computer = computer;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  /** It has something to do, and doesn't. */
  get isStalled(): boolean {
    return this.#queue.length > 0;
  }

  /** Resolves when the process takes its next step; never once it's dead. `dying` is what is left of one that kills it. */
  step(step: Step = 'other', dying = () => {}): Promise<void> {
    if (this.#queue.length === 0 && this.#untilStall.count(step))
      return this.#take(step, dying) ? Promise.resolve() : never();
    this.#computer.disturb();
    return new Promise((go) => this.#queue.push({ step, go, dying }));
  }

  /** Goes on for this many steps, all or those of one kind, then stalls. */
  go(steps?: number, of?: Step): void {
    this.#untilStall = new Countdown(steps, of);
    if (this.isStalled) this.#computer.disturb();
    for (let [next] = this.#queue; next && this.#untilStall.count(next.step); [next] = this.#queue) {
      this.#queue.shift();
      if (!this.#take(next.step, next.dying)) return;
      next.go();
    }
  }

  killAfter(steps: number, of?: Step): void {
    this.#untilDeath = new Countdown(steps, of);
    if (steps === 0 && of === undefined) this.kill();
  }

  /** Nothing that it does from now on has an effect. */
  kill(): void {
    this.#isKilled = true;
    this.#computer.forget(this);
  }

  #take(step: Step, dying: () => void): boolean {
    if (!this.#isKilled && !this.#untilDeath.count(step)) {
      this.kill();
      dying();
    }
    return !this.#isKilled && this.#computer.count();
  }

  readonly clock: Clock = {
    now: () => this.#computer.steady,
    wall: () => this.#computer.wall,
    after: (ms, run) => {
      let isCanceled = false;
      const act = () => {
        if (!isCanceled) run();
      };
      const cancel = this.#computer.after(ms, () => void this.step().then(act));
      return () => {
        isCanceled = true;
        cancel();
      };
    },
    sleep: (ms, signal) => sleepBy(this.clock.after, ms, signal),
  };

  /** The disk, whose operations are steps, and fail as the disk does. */
  get files(): NodeFiles {
    const { failing } = this.#computer;
    // With some codes, a system says that it opens no folder, which isn't taken for a failure.
    return failing.over(this.#computer.disk.files, (...of) => this.step(...of), 'EIO');
  }
}
