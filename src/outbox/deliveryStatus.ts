/** The status of a delivery: what became of the message to each recipient, from what was written down of it. */
import type { Failure } from '../service/errors.ts';
import type { Chat } from '../service/model.ts';
import type { Delivery, JournalLine, StopReason } from './record.ts';

/** What became of the message to one recipient. */
export type Outcome =
  /** Named in `successList`, or found in the chat afterwards. */
  | { state: 'reached'; msgId: string }
  /** The batch was taken and the recipient is not named, or the message is not in the chat: not confirmed. */
  | { state: 'missing'; isRead?: true }
  /** The service refused the batch. */
  | { state: 'rejected'; failure: Failure | undefined }
  /** Never sent: not its turn yet, or no connection came about. */
  | { state: 'notSent'; failure?: Failure | undefined }
  /** Sent, and the answer never seen: it may have arrived or not. */
  | { state: 'unknown'; failure?: Failure | undefined };

export type OutcomeState = Outcome['state'];
/** First what a person most needs to know of. */
export const OUTCOME_STATES = [
  'unknown',
  'rejected',
  'missing',
  'notSent',
  'reached',
] as const satisfies readonly OutcomeState[];

type Recipient = Delivery['batches'][number]['recipients'][number];

/** A try of a batch: how often it was tried before. */
export interface Attempt {
  batch: number;
  attempt: number;
}

export class DeliveryStatus {
  readonly delivery: Delivery;
  readonly counts: Record<OutcomeState, number> = { reached: 0, missing: 0, rejected: 0, unknown: 0, notSent: 0 };
  /** Receivers in an answer that were not asked for, as the service named them. */
  readonly unrequested: string[] = [];
  /** Receivers that one answer named more than once. */
  readonly repeated: string[] = [];
  /** Entries of answers that name no receiver, as they came. */
  readonly unreadable: unknown[] = [];
  /** Answers whose `successCount` disagrees with their own list. */
  readonly miscounted: { successCount: number; listed: number }[] = [];
  /** Why the last run ended before all was sent, where it did. */
  stopped: StopReason | undefined;
  /** How many recipients there are. */
  readonly total: number;
  /** Of all whose turn has come. */
  readonly #outcomes = { group: new Map<string, Outcome>(), user: new Map<string, Outcome>() };
  /** How often each batch was tried. */
  readonly #attempts: number[];

  /** `begun` are the tries that were written down before they went out. */
  constructor(delivery: Delivery, begun: readonly Attempt[] = [], lines: readonly JournalLine[] = []) {
    this.delivery = delivery;
    this.#attempts = delivery.batches.map(() => 0);
    this.total = delivery.batches.reduce((sum, { recipients }) => sum + recipients.length, 0);
    this.counts.notSent = this.total;
    // Of two tries the later one counts, and each begins before it is answered.
    for (const one of begun.toSorted((a, b) => a.attempt - b.attempt)) this.begin(one);
    for (const line of lines) this.apply(line);
  }

  outcomeOf({ type, id }: Chat): Outcome {
    return this.#outcomes[type].get(id) ?? NOT_SENT;
  }

  /** What became of those who were not reached: once for all of a batch to whom the same happened. */
  unreachedOutcomes(): Set<Outcome> {
    const missed = new Set<Outcome>(this.counts.notSent > 0 ? [NOT_SENT] : []);
    for (const outcomes of Object.values(this.#outcomes)) {
      for (const outcome of outcomes.values()) if (outcome.state !== 'reached') missed.add(outcome);
    }
    return missed;
  }

  /** Recipients in the order of the batches, all of them or those in one of these states. */
  recipients(...states: readonly OutcomeState[]): Recipient[] {
    const all = this.delivery.batches.flatMap(({ recipients }) => recipients);
    return states.length === 0 ? all : all.filter((one) => states.includes(this.outcomeOf(one).state));
  }

  /** The next try of each batch that nobody of it can have got: never sent, or refused. */
  nextAttempts(): Attempt[] {
    return this.delivery.batches.flatMap(({ recipients }, batch) => {
      const states = recipients.map((one) => this.outcomeOf(one).state);
      const attempt = this.#attempts[batch] ?? 0;
      return states.every((state) => state === 'notSent' || state === 'rejected') ? [{ batch, attempt }] : [];
    });
  }

  /** A try goes out: from now on it is unknown what becomes of it. */
  begin({ batch, attempt }: Attempt): void {
    this.stopped = undefined;
    if (attempt < (this.#attempts[batch] ?? Number.POSITIVE_INFINITY)) return;
    this.#attempts[batch] = attempt + 1;
    const outcome: Outcome = { state: 'unknown' };
    this.#setOutcome(this.#recipientsOf(batch), () => outcome);
  }

  apply(line: JournalLine): void {
    switch (line.what) {
      case 'answered':
        this.begin(line);
        this.#applyAnswer(line);
        break;
      case 'failed': {
        this.begin(line);
        const { state, failure } = line;
        const outcome: Outcome = { state, failure };
        // A later try may have begun since.
        if (line.attempt === (this.#attempts[line.batch] ?? 0) - 1) {
          this.#setOutcome(this.#recipientsOf(line.batch), () => outcome);
        }
        break;
      }
      case 'read':
        for (const { type, id, msgId } of line.found) {
          // Only those to whom it went were looked for.
          if (!this.#outcomes[type].has(id)) continue;
          this.#setOutcome([{ type, id }], () =>
            msgId ? { state: 'reached', msgId } : { state: 'missing', isRead: true },
          );
        }
        break;
      case 'stopped':
        this.stopped = line.why;
    }
  }

  #applyAnswer({ batch, reached, unreadable, successCount }: Extract<JournalLine, { what: 'answered' }>): void {
    const recipients = this.#recipientsOf(batch);
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
    const missing: Outcome = { state: 'missing' };
    this.#setOutcome(recipients, ({ id }) => {
      const msgId = messages.get(id);
      return msgId === undefined ? missing : { state: 'reached', msgId };
    });
  }

  #recipientsOf(batch: number): readonly Recipient[] {
    return this.delivery.batches[batch]?.recipients ?? [];
  }

  #setOutcome<T extends Chat>(recipients: readonly T[], outcomeOf: (recipient: T) => Outcome): void {
    for (const recipient of recipients) {
      const before = this.outcomeOf(recipient);
      // What has reached somebody once has reached them for good.
      if (before.state === 'reached') continue;
      const outcome = outcomeOf(recipient);
      this.counts[before.state]--;
      this.counts[outcome.state]++;
      this.#outcomes[recipient.type].set(recipient.id, outcome);
    }
  }
}

const NOT_SENT: Outcome = { state: 'notSent' };
