/** What is true of deliveries, whatever windows believe, and what must never happen to them. */

import type { Loss } from '../memoryDisk.ts';
import type { Computer } from './computer.ts';
import {
  type Cause,
  type Confirmed,
  type Due,
  isAlike,
  isUnsent,
  Known,
  problemOfBeginning,
  problemOfTime,
  problemsOf,
  type Run,
  type Seen,
  unansweredOf,
} from './known.ts';
import { chatKey, type DiskEntry, familiesOf, jointStatus, type OutboxEntry, openOutbox } from './product.ts';

/** The Do Not Send list, which people edit at any moment, in any window. */
class NeverList {
  readonly #on = new Set<string>();
  /** Everyone who was ever on it. */
  readonly ever = new Set<string>();
  #isReadable = true;
  readonly #planned: (() => void)[] = [];

  /** Does what a person wants with it: now, or while the next call waits. */
  plan({ who, isOn, isLater }: { who: string | null; isOn: boolean; isLater: boolean }): void {
    if (isLater) this.#planned.push(() => this.edit(who, isOn));
    else this.edit(who, isOn);
  }

  /** A call waits for its turn. */
  callWaits(): void {
    for (const edit of this.#planned.splice(0)) edit();
  }

  /** Whatever was planned is done, and it can be read. */
  repair(): void {
    this.callWaits();
    this.edit(null, false);
  }

  /** Puts someone on it, or takes them off. Without anyone, it can't be read any more, or can again. */
  edit(who: string | null, isOn: boolean): void {
    if (who === null) this.#isReadable = !isOn;
    else if (isOn) {
      this.#on.add(who);
      this.ever.add(who);
    } else this.#on.delete(who);
  }

  /** As a window reads it. Throws if it can't. */
  read(): Map<string, string> {
    if (!this.#isReadable) throw new Error("the list can't be read");
    return new Map(Array.from(this.#on, (key) => [key, '']));
  }

  /** Who is on it; undefined if it can't be read. */
  get now(): ReadonlySet<string> | undefined {
    return this.#isReadable ? new Set(this.#on) : undefined;
  }
}

/** What a claim of a batch was made for. */
export interface Claimed {
  /** Who was on the list then. */
  readonly never: ReadonlySet<string>;
  /** Who is in the batch and not in its call. */
  readonly leftOut: readonly string[];
}

export class Oracle {
  readonly never = new NeverList();
  readonly findings: string[] = [];
  readonly known = new Map<string, Known>();
  readonly counts = { calls: 0, accepted: 0, due: 0, asked: 0, reached: 0, checks: 0, 'left out': 0, imports: 0 };
  readonly #computer: Computer;
  /** Which delivery a message is from. */
  readonly #from = new Map<string, Known>();
  /** What must be on the disk although its power was lost right then; looked up when everything is quiet. */
  #pending: (() => Promise<void>)[] = [];

  constructor(computer: Computer) {
    this.#computer = computer;
  }

  find(finding: string): void {
    this.findings.push(finding);
  }

  of(id: string): Known {
    const known = this.known.get(id);
    if (!known) throw new Error(`Nobody confirmed ${id}`);
    return known;
  }

  /** A person confirms a delivery, which is stored next. */
  confirms(confirmed: Confirmed): Known {
    const known = new Known(confirmed, this.known.size);
    this.known.set(confirmed.id, known);
    return known;
  }

  /** A person was told that it's scheduled. */
  isStored(known: Known): void {
    known.isStored = true;
    this.#mustLast(known, (entry) => (entry ? undefined : 'was scheduled and is lost'));
  }

  begins(known: Known, cause: Cause, isAlive: () => boolean): Run {
    const run = { of: known, cause, calls: 0, since: this.#computer.passed, isAlive };
    known.runs.add(run);
    known.hasRun = true;
    known.isInterrupted = false;
    known.isReported = false;
    return run;
  }

  /** A batch goes out. */
  calls(run: Run, recipients: readonly string[], text: string, claimed: Claimed): void {
    const { of: known, cause } = run;
    const { id, texts } = known.confirmed;
    this.counts.calls++;
    known.calls++;
    run.calls++;
    for (const one of recipients) {
      const right = texts.get(one);
      if (right === undefined) this.find(`${id} was sent to ${one}, a wrong recipient`);
      else if (right !== text) this.find(`${one} got the wrong text by ${id}: ${text} instead of ${right}`);
      if (claimed.never.has(one))
        this.find(`${id} was sent to ${one}, who was on the list before the call was claimed`);
    }
    this.counts['left out'] += claimed.leftOut.length;
    // A window that was taken for dead may go on after its last claim: the person saw that it may be sent.
    if (known.calls > (known.removedAt ?? Number.POSITIVE_INFINITY)) this.find(`${id} was sent after it was deleted`);
    if ('seen' in cause) known.seenToSend = Math.min(known.seenToSend, cause.seen);
    const problem = run.calls === 1 && problemOfBeginning(known, cause);
    if (problem) this.find(`${id} ${problem}`);
    this.#mustLast(known, (entry) => {
      if (!entry) return 'was sent and is forgotten after a loss of power';
      const lost = recipients.find((one) => isUnsent(entry.states.get(one)));
      if (lost) return `was sent and forgotten for ${lost} after a loss of power`;
      const taken = claimed.leftOut.find((one) => entry.states.get(one) !== 'leftOut');
      return taken && `has ${taken} as ${entry.states.get(taken)}, who wasn't in the call`;
    });
  }

  delivers({ of: known }: Run, recipient: string, msgId: string): void {
    const { id, origin } = known.confirmed;
    this.#from.set(msgId, known);
    const got = known.got.get(recipient) ?? [];
    known.got.set(recipient, [...got, msgId]);
    if (got.length > 0) this.find(`${recipient} got ${id} twice`);
    const family = [...this.known.values()].filter(
      (one) => one.confirmed.origin === origin && (one.got.get(recipient)?.length ?? 0) > 0,
    );
    if (family.length > 1) this.counts.accepted++;
    // To confirm a resend is to accept that those who may have the message get it again.
    const [, ...later] = family.toSorted((one, other) => one.order - other.order);
    const double = later.find(({ confirmed }) => !confirmed.accepted.has(recipient));
    if (double)
      this.find(`${recipient} got it twice, by ${family.map((one) => one.confirmed.id)}; nobody accepted that`);
  }

  /** Another computer has sent a message, and perhaps seen the answer. */
  comesFromElsewhere(id: string, recipient: string, msgId: string, isAnswered: boolean): void {
    const known = this.of(id);
    this.#from.set(msgId, known);
    known.got.set(recipient, [msgId]);
    if (isAnswered) known.toldReached.add(recipient);
  }

  /** A person is told that a delivery was imported, or is here already. */
  isImported(id: string): void {
    const known = this.of(id);
    known.isStored = true;
    this.counts.imports++;
    this.#mustLast(known, (entry) => (entry ? undefined : 'was imported and is lost'));
  }

  /** A window shows the end of a run: who was reached, and who may have it. */
  ends(run: Run, reached: readonly string[], unsure: readonly string[]): void {
    const { of: known } = run;
    known.runs.delete(run);
    // A resend that sent nothing may be cleared away: whom it was for stays with the delivery before.
    if (run.calls > 0 || known.confirmed.id === known.confirmed.origin) known.isStored = true;
    known.isReported = true;
    for (const one of reached) known.toldReached.add(one);
    this.counts.reached += reached.length;
    // Another window may know that nobody has it.
    const having = unsure.filter((one) => known.got.has(one));
    this.#mustLast(known, (entry) => {
      const lost = reached.find((one) => entry?.states.get(one) !== 'reached');
      const unsent = having.find((one) => isUnsent(entry?.states.get(one)));
      return lost ? `lost that ${lost} was reached` : unsent && `lost that ${unsent} may have it`;
    });
  }

  /** A window couldn't send, or not to its end; it says so. */
  fails(run: Run, isRejected: boolean): void {
    run.of.runs.delete(run);
    run.of.isReported = true;
    if (isRejected && run.calls > 0) this.find(`${run.of.confirmed.id}: an error hides what was sent, which is lost`);
  }

  /** A person was told that it can't be stored, because the disk failed so many times. */
  isRejected(known: Known, failures: number): void {
    // If that can't be undone either, nobody knows.
    if (failures > 1) return;
    this.#mustLast(known, (entry) => entry && 'is stored, although the person was told that it is lost');
  }

  /** A window decides that a delivery is due. `seen` is when it first saw it waiting for this time. */
  isDue(id: string, due: number, seen: Seen | undefined): void {
    this.counts.due++;
    const problem = problemOfTime(due, seen, this.#computer);
    if (problem) this.find(`${id} ${problem}`);
  }

  /** A window is about to send it, as it's due, and has seen this many claims. */
  takes(id: string, seen: number): void {
    const { taken } = this.of(id);
    if (taken.has(seen)) this.find(`${id} is sent by two windows at the same time`);
    taken.add(seen);
  }

  /** A check ends, and a person is told who has it. */
  checks(id: string, found: readonly string[]): void {
    const known = this.of(id);
    this.counts.checks++;
    for (const one of found) known.toldReached.add(one);
    this.#mustLast(known, (entry) => {
      const lost = entry && found.find((one) => entry.states.get(one) !== 'reached');
      return lost && `lost that ${lost} was found`;
    });
  }

  /** A person changes when it's sent; `change` resolves to whether that was possible. */
  async changes(id: string, number: number, due: Due, change: () => Promise<boolean>): Promise<boolean> {
    const known = this.of(id);
    const tried = { number, due };
    known.tried.push(tried);
    const isChanged = await change();
    known.tried.splice(known.tried.indexOf(tried), 1);
    if (!isChanged) return false;
    if (known.times.has(number))
      this.find(`${id} was changed, although it had been changed since: the person's time is lost`);
    if (known.seenToSend <= number) this.find(`${id} was changed after it was sent: the person's time is lost`);
    known.times.set(number, due);
    this.#mustLast(known, (entry) => {
      if (!entry) return known.mayBeRemoved ? undefined : 'is lost after its time was changed';
      if (known.lastTime > number || entry.isBegun || known.hasRun || known.tried.length > 0) return undefined;
      return (entry.due ?? null) === due ? undefined : `has lost its time ${due}: it's ${entry.due}`;
    });
    return true;
  }

  async removes(id: string, seen: number, remove: () => Promise<boolean>): Promise<boolean> {
    const known = this.of(id);
    known.mayBeRemoved = true;
    known.seenToRemove = Math.max(known.seenToRemove, seen);
    if (!(await remove())) return false;
    // Each call has a claim, which the person saw.
    if (known.calls > known.seenToRemove) this.find(`${id} was deleted, but sent since the person saw it`);
    known.removedAt = known.seenToRemove;
    this.#mustLast(known, (entry) => entry && 'is back after it was deleted');
    return true;
  }

  /** A window reports that sending was interrupted. */
  reports(entry: OutboxEntry): void {
    const { id } = entry.status.delivery;
    const known = this.known.get(id);
    if (!known) return;
    known.isReported = true;
    for (const one of unansweredOf(entry)) known.toldUnanswered.add(one);
    const { disturbedAt } = this.#computer;
    const isSent = [...known.runs].some((run) => run.calls > 0 && run.since > disturbedAt && run.isAlive());
    if (isSent) this.find(`${id} is reported as interrupted, which is being sent: a wrong text for people`);
  }

  /** All windows are gone: those that sent were interrupted. */
  dies(run: Run): void {
    run.of.runs.delete(run);
    if (run.calls === 0) return;
    run.of.isInterrupted = true;
    // Others may have taken the window for dead before, and have said so.
    if (run.since <= this.#computer.disturbedAt) run.of.isReported = true;
  }

  /** After a start: what was interrupted has been reported. */
  async assertReported(): Promise<void> {
    const outbox = openOutbox(
      this.#computer.disk.after('killed', () => 0),
      () => this.#computer.wall,
    );
    for (const { isInterrupted, isReported, toldUnanswered, confirmed } of this.known.values()) {
      if (!isInterrupted || isReported) continue;
      const { entry } = (await outbox.get(confirmed.id)) ?? {};
      if (!entry || entry.isRunning || entry.status.stopped) continue;
      const unsent = entry.resentBy === undefined ? entry.status.counts.notSent : 0;
      const isOpen = unsent > 0 || unansweredOf(entry).some((one) => !toldUnanswered.has(one));
      if (isOpen) this.find(`${confirmed.id} is forgotten: sending it was interrupted, and nobody was told`);
    }
  }

  /** People have done all that was offered: everyone has every message that nobody deleted. */
  assertFinished(): void {
    const all = [...this.known.values()];
    for (const { confirmed, isStored } of all) {
      const family = all.filter((one) => one.confirmed.origin === confirmed.origin);
      const isOff = family.some((one) => one.mayBeRemoved || one.confirmed.isOtherVersion);
      if (!isStored || isOff) continue;
      for (const [recipient, text] of confirmed.texts) {
        if (this.never.ever.has(recipient)) continue;
        // A check takes an equal message for this one if the delivery that it's from was deleted.
        const isTaken = all.some(
          (one) => one.mayBeRemoved && one.got.has(recipient) && isAlike(one.confirmed.texts.get(recipient), text),
        );
        if (!isTaken && !family.some(({ got }) => got.has(recipient)))
          this.find(`${recipient} never got ${confirmed.id}: lost`);
      }
    }
  }

  /** Looks at what must have lasted. */
  async settle(): Promise<void> {
    const pending = this.#pending;
    this.#pending = [];
    for (const look of pending) await look();
  }

  #mustLast(known: Known, problemOf: (entry: DiskEntry | undefined) => string | undefined): void {
    const disk = this.#computer.disk.after('posix', () => 0);
    const { mayBeRemoved } = known;
    const { id } = known.confirmed;
    this.#pending.push(async () => {
      const entry = await this.#read(
        openOutbox(disk, () => this.#computer.wall),
        id,
      );
      if (entry === 'unreadable' || (entry === undefined && mayBeRemoved)) return;
      const problem = problemOf(entry);
      if (problem) this.find(`${id} ${problem}`);
    });
  }

  async #read(outbox: ReturnType<typeof openOutbox>, id: string): Promise<DiskEntry | 'unreadable' | undefined> {
    try {
      return await outbox.get(id);
    } catch (error) {
      this.find(`${id} is lost: it can't be read: ${error}`);
      return 'unreadable';
    }
  }

  /** What a window finds that opens after all others are gone, and power was lost or not. */
  async look(loss: Loss, random: () => number): Promise<void> {
    const outbox = openOutbox(this.#computer.disk.after(loss, random), () => this.#computer.wall);
    const entries = new Map<Known, DiskEntry | undefined>();
    for (const known of this.known.values()) {
      const entry = await this.#read(outbox, known.confirmed.id);
      if (entry !== 'unreadable') entries.set(known, entry);
    }
    await this.#lookAtRows([...entries.values()].filter((entry) => entry !== undefined));
    for (const [known, entry] of entries) {
      for (const problem of problemsOf(known, entry, this.#from)) this.find(`${known.confirmed.id} ${problem}`);
      for (const [one, state] of entry?.states ?? [])
        if (state === 'leftOut' && !this.never.ever.has(one))
          this.find(`${known.confirmed.id} left out ${one}, who was never on the list: lost`);
      // Of a delivery and its resends, it doesn't matter which one has found a message.
      const family = [...entries].filter(([{ confirmed }]) => confirmed.origin === known.confirmed.origin);
      for (const [one, state] of entry?.states ?? [])
        if (
          state === 'absent' &&
          known.got.has(one) &&
          !family.some(([, other]) => other?.states.get(one) === 'reached')
        )
          this.find(`${known.confirmed.id} lost the message for ${one}, who has it and is shown as absent`);
    }
  }

  /** What the rows of the outbox show, each of a delivery and its resends together. */
  async #lookAtRows(entries: readonly DiskEntry[]): Promise<void> {
    for (const family of familiesOf(entries.map(({ entry }) => entry))) {
      const joint = await jointStatus(family);
      const members = family.map(({ status }) => this.known.get(status.delivery.id));
      for (const one of joint.recipients()) {
        const { state } = joint.outcomeOf(one);
        const hasIt = members.some((known) => known?.got.has(chatKey(one)));
        if (hasIt && (isUnsent(state) || state === 'absent'))
          this.find(`the row of ${joint.delivery.id} shows ${chatKey(one)} as ${state}, who has it`);
      }
    }
  }
}
