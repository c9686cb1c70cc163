/** Random histories of a computer, its windows, its people and the service, and what must be true of each in the end. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { randomOf } from '../../random.ts';
import { ownTimeZone } from '../../unit/presentation/timeZone.ts';
import { troublesAfter } from '../failingFiles.ts';
import { LOSSES } from '../memoryDisk.ts';
import { Computer, ZONES } from './computer.ts';
import { Oracle } from './oracle.ts';
import { clicks, finish, click as follow } from './people.ts';
import { prepare, withoutMachine } from './product.ts';
import { answers, type Purpose, Service } from './service.ts';
import { Window, type World } from './window.ts';

const WINDOWS = 3;
const MINUTE = 60_000;
/** How far the clock may be wrong (milliseconds): a check compares times, and takes a day for impossible. */
const MAX_WRONG = 12 * 60 * MINUTE;

const window = fc.nat({ max: WINDOWS - 1 });
/** After how many steps something happens. */
const after = fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 120 }));
const loss = fc.record({ kind: fc.constantFrom(...LOSSES), seed: fc.integer({ min: 1 }) });

/** After how many steps something happens, of all or of a kind at which a window is easily between two states. */
const moments = fc.oneof(
  fc.record({ after, of: fc.constant(undefined) }),
  fc.record({ after: fc.nat({ max: 2 }), of: fc.constantFrom('answer', 'link') }),
);

type PowerLoss = typeof loss extends fc.Arbitrary<infer L> ? L : never;

const fates = fc.oneof(
  { weight: 4, arbitrary: fc.record({ stall: moments }) },
  { weight: 2, arbitrary: fc.record({ kill: moments }) },
  { weight: 1, arbitrary: fc.record({ lose: after, loss }) },
);

/** One event of a history. */
const events = fc.oneof(
  /** A person clicks in a window, which then may stall, die or lose its power after some steps. */
  { weight: 30, arbitrary: fc.record({ window, click: clicks, fate: fc.option(fates, { freq: 2 }) }) },
  { weight: 8, arbitrary: fc.record({ answer: window }) },
  { weight: 12, arbitrary: fc.record({ go: window, steps: fc.oneof(after, fc.constant(10_000)) }) },
  { weight: 14, arbitrary: fc.record({ pass: fc.constantFrom(1, 1_000, 6_000, 13_000, 31_000, 70_000, 150_000) }) },
  { weight: 10, arbitrary: fc.record({ answers: fc.array(answers, { minLength: 1, maxLength: 4 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ jump: fc.constantFrom(-3_600_000, -600_000, -70_000, 20_000, 70_000, 600_000) }),
  },
  { weight: 1, arbitrary: fc.record({ sleep: fc.constantFrom(20_000, 100_000, 1_200_000), isCounted: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ zone: fc.constantFrom(...ZONES) }) },
  { weight: 3, arbitrary: fc.record({ kill: window, after }) },
  { weight: 1, arbitrary: fc.record({ close: window }) },
  { weight: 2, arbitrary: fc.record({ loseAfter: after, loss }) },
  { weight: 5, arbitrary: fc.record({ trouble: fc.option(troublesAfter(60), { freq: 2 }) }) },
  { weight: 3, arbitrary: fc.record({ look: loss }) },
  { weight: 3, arbitrary: fc.record({ cancelImports: window }) },
);
export type Event = typeof events extends fc.Arbitrary<infer E> ? E : never;

export const histories = fc.array(events, { minLength: 1, maxLength: 90, size: 'max' });

/** What happened in a history. */
export interface Told {
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly string[];
}

/** Runs a history until something is found, or to its end. */
export async function runHistory(history: readonly Event[]): Promise<Told> {
  const computer = new Computer();
  const past = new History(computer);
  return withoutMachine(
    () => computer.clock,
    () => past.run(history),
  );
}

class History {
  readonly #computer: Computer;
  readonly #world: World;
  #windows: (Window | undefined)[] = [];
  /** How the power will be lost, if it will. */
  #loss: PowerLoss | undefined;
  #wrong = 0;

  constructor(computer: Computer) {
    this.#computer = computer;
    const purposes = new AsyncLocalStorage<Purpose>();
    this.#world = { computer, service: new Service(computer), oracle: new Oracle(computer), files: [], purposes };
  }

  async run(history: readonly Event[]): Promise<Told> {
    const { oracle } = this.#world;
    const zone = process.env.TZ ?? ownTimeZone;
    const told = () => ({
      counts: { ...oracle.counts, failures: this.#computer.failing.failures },
      findings: oracle.findings,
    });
    try {
      this.#computer.moveTo(ZONES[0]);
      await prepare(this.#computer.disk);
      for (const event of history) {
        await this.#happens(event);
        await this.#settle();
        if (oracle.findings.length > 0) return told();
      }
      await this.#end();
      return told();
    } finally {
      process.env.TZ = zone;
    }
  }

  async #happens(event: Event): Promise<void> {
    const computer = this.#computer;
    const { service, oracle } = this.#world;
    if ('click' in event) {
      const one = this.#open(event.window);
      // Nobody clicks often in a window that hangs.
      if (one.busy > 2) return;
      const { fate } = event;
      if (fate && 'stall' in fate) one.process.go(fate.stall.after, fate.stall.of);
      else if (fate && 'kill' in fate) one.process.killAfter(fate.kill.after, fate.kill.of);
      else if (fate) this.#losePower(fate.lose, fate.loss);
      void one.follow(() => follow(event.click, one, this.#world));
    } else if ('go' in event) this.#windows[event.go]?.process.go(event.steps);
    else if ('pass' in event) await computer.pass(event.pass);
    else if ('answer' in event) this.#windows[event.answer]?.answer();
    else if ('cancelImports' in event) this.#windows[event.cancelImports]?.cancelImports();
    else if ('answers' in event) service.plan(event.answers);
    else if ('jump' in event) {
      if (Math.abs(this.#wrong + event.jump) > MAX_WRONG) return;
      this.#wrong += event.jump;
      computer.jump(event.jump);
      service.catchUp();
    } else if ('sleep' in event) {
      computer.sleep(event.sleep, event.isCounted);
      service.catchUp();
    } else if ('zone' in event) computer.moveTo(event.zone);
    else if ('kill' in event) this.#windows[event.kill]?.process.killAfter(event.after);
    else if ('close' in event) void this.#windows[event.close]?.close();
    else if ('loseAfter' in event) this.#losePower(event.loseAfter, event.loss);
    else if ('trouble' in event) {
      computer.failing.fail(event.trouble ? [event.trouble] : []);
      computer.disturb();
    } else await oracle.look(event.look.kind, randomOf(event.look.seed));
  }

  #losePower(after: number, loss: PowerLoss): void {
    this.#computer.losePowerAfter(after);
    this.#loss = loss;
  }

  /** Lets happen what happens at once. */
  async #settle(): Promise<void> {
    const computer = this.#computer;
    const { oracle } = this.#world;
    await computer.pass();
    if (computer.isDown && this.#loss) {
      computer.recover(this.#loss.kind, randomOf(this.#loss.seed));
      await oracle.look('killed', () => 0);
    }
    for (const one of this.#windows) if (one?.process.isKilled) one.bury();
    this.#windows = this.#windows.map((one) => (one?.process.isKilled ? undefined : one));
    await oracle.settle();
  }

  #open(index: number): Window {
    const window = this.#windows[index] ?? new Window(this.#world);
    this.#windows[index] = window;
    return window;
  }

  async #end(): Promise<void> {
    const computer = this.#computer;
    const { service, oracle } = this.#world;
    computer.failing.fail([]);
    computer.losePowerAfter(Number.POSITIVE_INFINITY);
    service.plan([]);
    // All windows that are left go on, and nothing else happens.
    for (const one of this.#windows) one?.process.killAfter(Number.POSITIVE_INFINITY);
    for (const one of this.#windows) {
      one?.process.go();
      one?.answer(Number.POSITIVE_INFINITY);
    }
    await computer.pass(3 * MINUTE);
    await this.#settle();
    await this.#assertNotForgotten();
    await oracle.look('killed', () => 0);
    await oracle.look('posix', () => 0);
    if (oracle.findings.length > 0) return;

    for (const one of this.#windows) one?.process.kill();
    await this.#settle();
    computer.sleep(120 * MINUTE, true);
    service.catchUp();
    const last = this.#open(0);
    await computer.pass(MINUTE);
    await this.#assertNotForgotten();
    await oracle.assertReported();
    await finish(last, this.#world);
    await this.#settle();
    await oracle.look('posix', () => 0);
    oracle.assertFinished();
  }

  /** Whatever is due was sent, or a window asks about it. */
  async #assertNotForgotten(): Promise<void> {
    const windows = this.#windows.filter((one) => one !== undefined);
    if (windows.length === 0) return;
    const { oracle } = this.#world;
    for (const { status, due } of (await windows[0]?.outbox.scheduled()) ?? []) {
      const isAsked = windows.some(({ asked }) => asked.has(`${status.delivery.id} ${due}`));
      if (due < this.#computer.wall - MINUTE && !isAsked)
        oracle.find(`${status.delivery.id} is forgotten: it was due at ${due}, and nobody asks`);
    }
  }
}

export function assertNothingFound({ findings }: Told): void {
  assert.ok(findings.length === 0, findings.join('\n'));
}
