/**
 * The outcome of a delivery for each recipient, derived from its claims and its journal: whether the message arrived, or may
 * still have arrived.
 */
import { RecipientResult } from '../../protocol/report.ts';
import type { Failure } from '../../service/errors.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import type { Reason } from '../draft/leaveOut.ts';
import type { Recipient } from '../plan/deliveryPlan.ts';
import type { Delivery, JournalLine, NotInCall, StopReason } from './record.ts';

export type Outcome =
  /** The recipient was named in `successList`, or the message was found in the chat afterwards. */
  | { state: 'reached'; msgId: string }
  /** The batch was accepted without naming the recipient, which may have it: failures are not documented (contract 4.5). */
  | ({ state: 'unconfirmed' } & Unchecked)
  /** The message was looked for afterwards, and is not in the chat. With `failure`, there is no such group or person. */
  | { state: 'absent'; failure?: Failure }
  /** The service refused the batch. */
  | { state: 'rejected'; failure: Failure | undefined }
  /** The message wasn't sent yet, or the connection failed. */
  | { state: 'notSent'; failure?: Failure | undefined }
  /** The message was sent, but the answer was lost: it may have arrived. */
  | ({ state: 'unknown'; failure?: Failure | undefined } & Unchecked)
  /** The recipient gets nothing because of a rule of `leaveOut.ts`. That is settled. */
  | ({ state: 'leftOut' } & Reason);

/** What matters to a check of whether the message is in the chat. */
interface Unchecked {
  /** When the call was answered, or else made (Unix milliseconds), if known. */
  at?: number;
  /** Set if a check didn't find the message, but so soon that it may not have been listed yet. */
  wasEarly?: true;
}

export type OutcomeState = Outcome['state'];

/** The ID of the message that is known to have arrived, if so. */
export const messageIdOf = (outcome: Outcome) => (outcome.state === 'reached' ? outcome.msgId : undefined);

/** Whether a check has found that there is no such group or person. */
export const isNobody = (outcome: Outcome | undefined) => outcome?.state === 'absent' && outcome.failure !== undefined;

/** All states, those that need the most attention first. */
export const OUTCOME_STATES = RecipientResult.options satisfies readonly OutcomeState[];

/**
 * A recipient in one of these states may have the message until its chat is read: a `successList` says who got it, not who
 * didn't. Sending it again may reach it twice.
 */
export const UNCHECKED_STATES = ['unknown', 'unconfirmed'] as const satisfies readonly OutcomeState[];

export const isUnchecked = (
  outcome: Outcome,
): outcome is Extract<Outcome, { state: (typeof UNCHECKED_STATES)[number] }> =>
  UNCHECKED_STATES.some((state) => state === outcome.state);

export interface Attempt {
  /** Index of the batch. */
  batch: number;
  /** Number of attempts before this one. */
  attempt: number;
  /** When the attempt was claimed (Unix milliseconds), if known. */
  at?: number | undefined;
  /** The recipients of the batch who aren't in its call. */
  leftOut?: NotInCall | undefined;
}

export class DeliveryStatus {
  readonly delivery: Delivery;
  /** The recipients by outcome, without those who were left out when the delivery was confirmed. */
  readonly counts: Record<OutcomeState, number> = {
    reached: 0,
    unconfirmed: 0,
    absent: 0,
    rejected: 0,
    unknown: 0,
    notSent: 0,
    leftOut: 0,
  };
  /** IDs of receivers that an answer named without being asked for them. */
  readonly unrequested: string[] = [];
  /** IDs of receivers that one answer named more than once. */
  readonly repeated: string[] = [];
  /** Entries of answers that name no receiver, as received. */
  readonly unreadable: unknown[] = [];
  /** Answers whose `successCount` differs from the length of their list. */
  readonly miscounted: { successCount: number; listed: number }[] = [];
  /** Why the last run stopped early, if it did. */
  stopped: StopReason | undefined;
  /** When the first call went out, as far as is known (Unix milliseconds). */
  sentAt: number | undefined;
  /** When the delivery was written to a file that another computer may have (Unix milliseconds), if it was. */
  movedAt: number | undefined;
  /** The moves that have canceled the delivery and put it into their files. */
  readonly moves = new Set<string>();
  /** Number of recipients. */
  readonly total: number;
  /** Recipients without an entry have not been sent to. */
  readonly #outcomes = { group: new Map<string, Outcome>(), user: new Map<string, Outcome>() };
  /** Number of attempts for each batch. */
  readonly #attempts: number[];

  /** `begun` are the attempts that were claimed. */
  constructor(delivery: Delivery, begun: readonly Attempt[] = [], lines: readonly JournalLine[] = []) {
    this.delivery = delivery;
    this.#attempts = delivery.batches.map(() => 0);
    this.total = delivery.batches.reduce((sum, { recipients }) => sum + recipients.length, 0);
    this.counts.notSent = this.total;
    for (const { kind, id, by, note } of delivery.leftOut?.people ?? [])
      this.#outcomes[kind].set(id, { state: 'leftOut', by, note });
    // The latest attempt of a batch counts.
    for (const attempt of begun.toSorted((a, b) => a.attempt - b.attempt)) this.begin(attempt);
    for (const line of lines) this.apply(line);
  }

  /** How many recipients are groups, and how many are people. */
  get chatCounts(): Record<Chat['kind'], number> {
    const counts = { group: 0, user: 0 };
    for (const { recvType, recipients } of this.delivery.batches) counts[recvType] += recipients.length;
    return counts;
  }

  /** How many recipients were to get the message: all except those who were left out. */
  get intended(): number {
    return this.total - this.counts.leftOut;
  }

  /** Whether everyone was reached who was to get the message. */
  get isComplete(): boolean {
    return this.counts.reached === this.intended;
  }

  /** Whether nothing was sent yet. */
  get isUnsent(): boolean {
    return this.counts.notSent === this.intended;
  }

  /** The recipients who were left out because they had the message or didn't exist, by {@link chatKey}. */
  get needless(): ReadonlySet<string> {
    return new Set(this.delivery.leftOut?.people.filter(({ by }) => by === 'needless').map(chatKey));
  }

  /** Whether the only recipients left are ones that don't exist. */
  get isOnlyNobodyLeft(): boolean {
    const { reached, absent } = this.counts;
    const areAbsent = absent > 0 && reached + absent === this.intended;
    return areAbsent && [...this.unreachedOutcomes().keys()].every(isNobody);
  }

  /** How many of the {@link listed} recipients are in a state. */
  listedCount(state: OutcomeState): number {
    return this.counts[state] + (state === 'leftOut' ? (this.delivery.leftOut?.people.length ?? 0) : 0);
  }

  /** How many recipients are in one of the {@link UNCHECKED_STATES}. */
  get unchecked(): number {
    return UNCHECKED_STATES.reduce((sum, state) => sum + this.counts[state], 0);
  }

  outcomeOf({ kind, id }: Chat): Outcome {
    return this.#outcomes[kind].get(id) ?? NOT_SENT;
  }

  /**
   * How many have each outcome of those who were sent to, should have been reached and weren't. Recipients of a batch that
   * share an outcome share the object.
   */
  unreachedOutcomes(): Map<Outcome, number> {
    const unreached = new Map<Outcome, number>();
    for (const outcomes of Object.values(this.#outcomes)) {
      for (const outcome of outcomes.values())
        if (outcome.state !== 'reached' && outcome.state !== 'leftOut')
          unreached.set(outcome, (unreached.get(outcome) ?? 0) + 1);
    }
    return unreached;
  }

  /** All that a report lists: the recipients, then those who were left out when the delivery was confirmed. */
  *listed(): Generator<Recipient> {
    for (const { recipients } of this.delivery.batches) yield* recipients;
    yield* this.delivery.leftOut?.people ?? [];
  }

  /** Recipients in the order of the batches: all of them, or those in one of these states. */
  recipients(...states: readonly OutcomeState[]): Recipient[] {
    if (states.length > 0 && states.every((state) => this.counts[state] === 0)) return [];
    const all = this.delivery.batches.flatMap(({ recipients }) => recipients);
    return states.length === 0 ? all : all.filter((recipient) => states.includes(this.outcomeOf(recipient).state));
  }

  /** The first of the {@link listed} recipients in a state, at most `limit`. */
  firstListed(state: OutcomeState, limit: number): Recipient[] {
    const first: Recipient[] = [];
    const length = Math.min(limit, this.listedCount(state));
    if (length <= 0) return first;
    for (const recipient of this.listed()) {
      if (this.outcomeOf(recipient).state === state) first.push(recipient);
      if (first.length === length) break;
    }
    return first;
  }

  /** The next attempt of each batch that no recipient can have received: never sent, or refused. */
  nextAttempts(): Attempt[] {
    return this.delivery.batches.flatMap(({ recipients }, batch) => {
      const states = new Set(recipients.map((recipient) => this.outcomeOf(recipient).state));
      states.delete('leftOut');
      const isOpen = states.size > 0 && [...states].every((state) => state === 'notSent' || state === 'rejected');
      return isOpen ? [{ batch, attempt: this.#attempts[batch] ?? 0 }] : [];
    });
  }

  /** Marks the recipients in the call of a batch as unknown: an attempt may go out from now on. */
  begin({ batch, attempt, at, leftOut = [] }: Attempt): void {
    this.stopped = undefined;
    if (attempt < (this.#attempts[batch] ?? Number.POSITIVE_INFINITY)) return;
    this.#attempts[batch] = attempt + 1;
    const recipients = this.#recipientsOf(batch);
    const notes = new Map(leftOut.map(({ id, note = '' }) => [id, note]));
    const out = recipients.filter(({ id }) => notes.has(id));
    this.#setOutcome(out, ({ id }) => ({ state: 'leftOut', by: 'never', note: notes.get(id) ?? '' }));
    if (out.length < recipients.length) this.#setSentAt(at);
    const outcome: Outcome = { state: 'unknown', ...(at !== undefined && { at }) };
    this.#setOutcome(recipients, () => outcome);
  }

  /** An attempt has begun since the chats were checked: recipients who didn't have the message then may get it now. */
  doubtAbsence({ batch, at }: Attempt): void {
    const unknown: Outcome = { state: 'unknown', ...(at !== undefined && { at }) };
    for (const one of this.#recipientsOf(batch))
      if (this.outcomeOf(one).state === 'absent') this.#replaceOutcome(one, unknown);
  }

  /** Applies the outcome of a later delivery of the message. If an earlier delivery reached someone, or may have, that stays. */
  learn(recipient: Chat, outcome: Outcome): void {
    const before = this.outcomeOf(recipient);
    const isLess =
      before.state === 'reached' ||
      (isUnchecked(before) && outcome.state !== 'reached' && !isUnchecked(outcome)) ||
      (before.state !== 'notSent' && outcome.state === 'notSent');
    if (!isLess) this.#replaceOutcome(recipient, outcome);
  }

  /** Adds what was odd in the answers to another delivery of the message, and when that was moved. */
  addNotes({ unrequested, repeated, unreadable, miscounted, movedAt }: DeliveryStatus): void {
    for (const id of unrequested) this.unrequested.push(id);
    for (const id of repeated) this.repeated.push(id);
    for (const entry of unreadable) this.unreadable.push(entry);
    for (const answer of miscounted) this.miscounted.push(answer);
    if (movedAt !== undefined) this.#setMovedAt(movedAt);
  }

  apply(line: JournalLine): void {
    switch (line.what) {
      case 'leftOut':
        this.begin(attemptIn(line));
        break;
      case 'answered':
        this.begin(attemptIn(line));
        this.#applyAnswer(line);
        break;
      case 'failed': {
        this.begin(attemptIn(line));
        const { state, failure, at } = line;
        if (state !== 'notSent') this.#setSentAt(at);
        const outcome: Outcome = state === 'unknown' ? { state, failure, at } : { state, failure };
        // The line counts only if no later attempt has begun.
        if (line.attempt === (this.#attempts[line.batch] ?? 0) - 1) {
          this.#setOutcome(this.#recipientsOf(line.batch), () => outcome);
        }
        break;
      }
      case 'read':
        for (const { kind, id, msgId, failure } of line.found) {
          // Only recipients that were sent to are checked.
          if (!this.#outcomes[kind].has(id)) continue;
          const absent: Outcome = { state: 'absent', ...(failure && { failure }) };
          this.#setOutcome([{ kind, id }], () => (msgId ? { state: 'reached', msgId } : absent));
        }
        for (const chat of line.early ?? []) {
          const before = this.outcomeOf(chat);
          if (isUnchecked(before)) this.#setOutcome([chat], () => ({ ...before, wasEarly: true }));
        }
        break;
      case 'stopped':
        this.stopped = line.why;
        break;
      case 'moved':
        this.#setMovedAt(line.at);
        if (line.move !== undefined) this.moves.add(line.move);
    }
  }

  #applyAnswer({ batch, at, reached, unreadable, successCount }: Extract<JournalLine, { what: 'answered' }>): void {
    this.#setSentAt(at);
    const recipients = this.#recipientsOf(batch).filter((one) => this.outcomeOf(one).state !== 'leftOut');
    const asked = new Set(recipients.map(({ id }) => id));
    const messages = new Map<string, string>();
    for (const { recvId, msgId } of reached) {
      if (!asked.has(recvId)) this.unrequested.push(recvId);
      else if (messages.has(recvId)) this.repeated.push(recvId);
      messages.set(recvId, msgId);
    }
    for (const entry of unreadable) this.unreadable.push(entry);
    const listed = reached.length + unreadable.length;
    if (successCount !== undefined && successCount !== listed) this.miscounted.push({ successCount, listed });
    const unconfirmed: Outcome = { state: 'unconfirmed', at };
    this.#setOutcome(recipients, ({ id }) => {
      const msgId = messages.get(id);
      return msgId === undefined ? unconfirmed : { state: 'reached', msgId };
    });
  }

  #setSentAt(at: number | undefined): void {
    if (at !== undefined && at < (this.sentAt ?? Number.POSITIVE_INFINITY)) this.sentAt = at;
  }

  #setMovedAt(at: number): void {
    this.movedAt = Math.max(at, this.movedAt ?? at);
  }

  #recipientsOf(batch: number): readonly Recipient[] {
    return this.delivery.batches[batch]?.recipients ?? [];
  }

  #setOutcome<T extends Chat>(recipients: readonly T[], outcomeOf: (recipient: T) => Outcome): void {
    for (const recipient of recipients) {
      const { state } = this.outcomeOf(recipient);
      // A recipient who was reached or left out stays so.
      if (state !== 'reached' && state !== 'leftOut') this.#replaceOutcome(recipient, outcomeOf(recipient));
    }
  }

  #replaceOutcome(recipient: Chat, outcome: Outcome): void {
    const before = this.outcomeOf(recipient);
    if (before.state === 'reached') return;
    this.counts[before.state]--;
    this.counts[outcome.state]++;
    this.#outcomes[recipient.kind].set(recipient.id, outcome);
  }
}

/** The attempt that a line of the journal is about. When it was made isn't known: the line has the time of its answer. */
export const attemptIn = ({ batch, attempt, leftOut }: Attempt): Attempt => ({ batch, attempt, leftOut });

const NOT_SENT: Outcome = { state: 'notSent' };
