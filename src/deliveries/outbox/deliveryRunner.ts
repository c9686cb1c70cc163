/**
 * What this window is sending: each delivery once, batch by batch. Every step is recorded before and after the call. A
 * batch skips everyone who is on the *Do Not Send* list when it's claimed.
 */
import type { Notes } from '../../platform/neverList.ts';
import type { BatchResult } from '../../service/client.ts';
import { type Clock, systemClock } from '../../service/clock.ts';
import {
  isFailure,
  isRateLimited,
  isRefusal,
  isUnsent,
  mayNeedToken,
  retryAfterOf,
  ServiceError,
} from '../../service/errors.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import type { Batch } from '../plan/deliveryPlan.ts';
import { ChangedMessageError } from './deliveryMessages.ts';
import { type Attempt, type DeliveryStatus, UNCHECKED_STATES } from './deliveryStatus.ts';
import { DeletedError, type DeliveryStore, type StoredDelivery } from './deliveryStore.ts';
import { HEARTBEAT_TIMEOUT } from './heartbeats.ts';
import type { JournalLine, NotInCall, StopReason } from './record.ts';

export interface BatchSender {
  /** The *Do Not Send* list as it is now. Throws if the list can't be read: then nothing is sent. */
  never(): Notes;
  /** Makes one `batch_send` call (contract 4.5). Calls `before` right before the request goes out. */
  send(batch: Batch, options: { before(): Promise<void>; signal: AbortSignal }): Promise<BatchResult>;
  /** The recipients that are known not to exist, and why. Never rejects. */
  missing?(recipients: readonly Chat[]): Promise<Extract<JournalLine, { what: 'read' }>['found']>;
}

export interface Sender extends BatchSender {
  /** The token, which is never stored: it's here to be redacted in what is. */
  readonly token: string;
  /** Aborted once the user cancels, maybe before the run begins. */
  readonly canceled?: AbortSignal;
}

/** The durable record of one delivery. */
export interface DeliveryJournal {
  /**
   * Records that an attempt is about to go out. False if another window has recorded its own step first. The signal ends the
   * waiting for a file that another program has open: the attempt isn't recorded then.
   * @throws DeletedError
   */
  begin(attempt: Attempt, signal: AbortSignal): Promise<boolean>;
  /** Records an outcome. @throws DeletedError */
  append(line: JournalLine): Promise<void>;
}

export interface RunnerOptions {
  /** Called after each batch. */
  onProgress?(): void;
  clock?: Clock;
}

/** Why a delivery stopped before everything was sent; `taken` if another window has recorded a step of its own. */
export type EarlyStop = { why: StopReason | 'taken' | 'deleted'; error?: unknown };

/** The result of a run, as far as this window knows. */
export interface DeliveryResult {
  status: DeliveryStatus;
  stopped: EarlyStop | undefined;
}

/** A delivery about to be sent. */
type OpenedDelivery = Pick<StoredDelivery, 'status' | 'claimCount'> & Partial<Pick<StoredDelivery, 'due'>>;

interface Running {
  /** The outcomes so far; undefined until the delivery is stored or read. */
  status?: DeliveryStatus | undefined;
  readonly abort: AbortController;
  ended?: Promise<unknown>;
}

export class DeliveryRuns {
  readonly #store: DeliveryStore;
  readonly #onChange: (id: string) => void;
  readonly #clock: Clock;
  readonly #running = new Map<string, Running>();
  #isClosing = false;

  /** `onChange` is called with the ID of a delivery after each change. */
  constructor(store: DeliveryStore, onChange: (id: string) => void, clock: Clock) {
    this.#store = store;
    this.#onChange = onChange;
    this.#clock = clock;
  }

  /** Whether a delivery is being sent, or about to be. */
  has(id: string): boolean {
    return this.#running.has(id);
  }

  /** The status of a delivery that is being sent, once it is stored or read, and whether it was canceled. */
  get(id: string): { status: DeliveryStatus | undefined; isCanceling: boolean } {
    const { status, abort } = this.#running.get(id) ?? {};
    return { status, isCanceling: abort?.signal.aborted ?? false };
  }

  /** Stops a delivery after the call under way; it can be resumed. False if this window isn't sending it. */
  cancel(id: string): boolean {
    const running = this.#running.get(id);
    if (!running) return false;
    running.abort.abort();
    this.#onChange(id);
    return true;
  }

  /** Stops all sending; resolves when the answers of the calls under way are stored. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort();
    await Promise.allSettled(running.map(({ ended }) => ended));
  }

  /** Sends the delivery that `open` stores or reads, unless it's undefined or being sent. Rejects as `open` does. */
  run(
    id: string,
    open: () => Promise<OpenedDelivery | undefined>,
    sender: Sender,
    progress: (status: DeliveryStatus) => void = () => {},
  ): Promise<DeliveryResult | undefined> {
    // Two calls at the same time couldn't see each other's heartbeat.
    if (this.#running.has(id)) return Promise.resolve(undefined);
    const running: Running = { abort: new AbortController() };
    this.#running.set(id, running);
    const cancel = () => this.cancel(id);
    if (sender.canceled?.aborted) cancel();
    else sender.canceled?.addEventListener('abort', cancel);
    const run = async () => {
      const endHeartbeat = await this.#store.heartbeats.start(id);
      try {
        const opened = await open();
        running.status = opened?.status;
        return opened && (await this.#send(opened, sender, progress, running.abort.signal));
      } finally {
        // A window that closes can't show the result: the next start reports it.
        const isInterrupted = this.#isClosing && running.status?.isComplete === false;
        // A heartbeat that can't be removed must not hide the result.
        await endHeartbeat(isInterrupted).catch(() => {});
      }
    };
    const ended = run().finally(() => {
      this.#running.delete(id);
      this.#onChange(id);
    });
    running.ended = ended;
    return ended;
  }

  async #send(
    { status, claimCount, due }: OpenedDelivery,
    sender: Sender,
    progress: (status: DeliveryStatus) => void,
    signal: AbortSignal,
  ): Promise<DeliveryResult> {
    let next = claimCount;
    const { id } = status.delivery;
    this.#onChange(id);
    const journal: DeliveryJournal = {
      begin: async ({ batch, attempt, leftOut }, signal) => {
        const claim = { batch, attempt, at: this.#clock.wall(), ...(leftOut && { leftOut }) };
        const isNext = await this.#store.claim(id, next, claim, signal);
        next++;
        if (!isNext && (await this.#store.isDeleted(id))) throw new DeletedError();
        return isNext;
      },
      append: (line) => this.#store.append(id, line, sender.token),
    };
    const onProgress = () => {
      progress(status);
      this.#onChange(id);
    };
    const runner = new DeliveryRunner(status, sender, journal, { onProgress, clock: this.#clock });
    const stopped = await runner.run(signal);
    // The user is told why nothing was sent, and can send it then.
    if (due !== undefined && next === claimCount) await this.#store.claim(id, next, { due: null }).catch(() => false);
    return { status, stopped };
  }
}

/** How often a rate-limited batch is tried in one run. */
const MAX_TRIES = 8;

/** The wait after a call that the rate limiter blocked: by default, and at most (milliseconds). */
const DEFAULT_WAIT = 5_000;

const MAX_WAIT = 60_000;

/** Sending stops after this many unknown outcomes in a row. */
const MAX_UNKNOWN = 2;

/**
 * How long it may take to store that an attempt goes out (milliseconds). A check takes a message for absent a minute after
 * that (`LISTING_DELAY`), in which the call has to end, and the message to be listed.
 */
const MAX_STORING = HEARTBEAT_TIMEOUT;

/** How long a file that another program has open is waited for (milliseconds): a batch that is late isn't sent. */
const MAX_WAITING = MAX_STORING - 1_000;

/** Another window has recorded a step first. */
class TakenError extends Error {
  override readonly name = 'TakenError';
}

/** A step was stored so late that other windows may have checked meanwhile whether the message has arrived. */
class LateError extends Error {
  override readonly name = 'LateError';

  constructor(ms: number) {
    super(`it took ${Math.round(ms / 1_000)} s`);
  }
}

/** Nothing more may be sent: the *Do Not Send* list can't be read, or the token was removed. The cause says so. */
export class StopError extends Error {
  override readonly name = 'StopError';
  readonly why: 'never' | 'noToken';

  constructor(why: StopError['why'], cause: unknown) {
    super(why, { cause });
    this.why = why;
  }
}

/** The *Do Not Send* list has changed while a call waited for its turn. */
class ListChangedError extends Error {
  override readonly name = 'ListChangedError';
}

/** One try of a batch. Without a line, the request didn't go out. */
interface TryResult {
  line?: Extract<JournalLine, { what: 'answered' | 'failed' | 'leftOut' }>;
  error?: unknown;
}

export class DeliveryRunner {
  readonly #status: DeliveryStatus;
  readonly #sender: BatchSender;
  readonly #journal: DeliveryJournal;
  readonly #onProgress: () => void;
  readonly #clock: Clock;
  /** The service has accepted a batch with this token since it last refused the token. */
  #isTrusted = false;
  #unknownInARow = 0;

  constructor(
    status: DeliveryStatus,
    sender: BatchSender,
    journal: DeliveryJournal,
    { onProgress = () => {}, clock = systemClock }: RunnerOptions = {},
  ) {
    this.#status = status;
    this.#sender = sender;
    this.#journal = journal;
    this.#onProgress = onProgress;
    this.#clock = clock;
  }

  /**
   * Sends the open batches one at a time, so that a crash loses one answer at most. A batch is repeated only if it was
   * rate-limited: that answer means that no one got it. An HTTP status from 500 on doesn't mean that: gateways send it after
   * the work was done. Aborting waits for the answer of the call under way.
   * Never rejects; resolves to the reason if it stopped early.
   */
  async run(signal: AbortSignal): Promise<EarlyStop | undefined> {
    const stop = await this.#sendAll(signal);
    if (stop?.why === 'taken' || stop?.why === 'deleted') return stop;
    const found = await this.#sender.missing?.(this.#status.recipients(...UNCHECKED_STATES));
    // If this line is lost, a check finds out who doesn't exist.
    if (found && found.length > 0) await this.#note({ what: 'read', at: this.#clock.wall(), found });
    // If this line is lost, unsent batches still count as not sent.
    if (stop) await this.#note({ what: 'stopped', at: this.#clock.wall(), why: stop.why });
    return stop;
  }

  async #note(line: JournalLine): Promise<void> {
    this.#status.apply(line);
    await this.#journal.append(line).catch(() => {});
  }

  async #sendAll(signal: AbortSignal): Promise<EarlyStop | undefined> {
    for (const attempt of this.#status.nextAttempts()) {
      const stop = await this.#sendBatch(attempt, signal);
      this.#onProgress();
      if (stop) return stop;
    }
    return undefined;
  }

  async #sendBatch({ batch, attempt }: Attempt, signal: AbortSignal): Promise<EarlyStop | undefined> {
    for (let tries = 1; ; tries++) {
      if (signal.aborted) return { why: 'canceled' };
      const { line, error } = await this.#try({ batch, attempt }, signal);
      if (line) {
        this.#status.apply(line);
        const failure = await this.#journal.append(line).then(
          () => undefined,
          (error: unknown) => ({ error }),
        );
        // A batch whose result couldn't be stored isn't sent.
        if (failure) return stopBy(failure.error);
      }
      if (error instanceof ListChangedError) continue;
      const isOpen = !line || (line.what === 'failed' && line.state === 'rejected');
      if (!isOpen || !isRateLimited(error) || tries === MAX_TRIES) return this.#stopAfter(line, error, signal);
      if (line) attempt++;
      // Without this wait, the rate limiter waits: it slowed down after the refused call.
      else await this.#wait(Math.min(retryAfterOf(error) ?? DEFAULT_WAIT, MAX_WAIT), signal);
    }
  }

  async #try({ batch: index, attempt: number }: Attempt, signal: AbortSignal): Promise<TryResult> {
    const waiting = new AbortController();
    const stopWaiting = () => waiting.abort();
    let isBegun = false;
    let attempt: Attempt = { batch: index, attempt: number };
    const begin = async () => {
      const from = this.#clock.wall();
      if (!(await this.#beginInTime(attempt, signal))) throw new TakenError();
      isBegun = true;
      const at = this.#clock.wall();
      this.#status.begin({ ...attempt, at });
      return at - from;
    };
    signal.addEventListener('abort', stopWaiting);
    try {
      const batch = this.#status.delivery.batches[index] as Batch;
      const leftOut = this.#leftOutOf(batch);
      const out = new Set(leftOut.map(({ id }) => id));
      const recipients = batch.recipients.filter(({ id }) => !out.has(id));
      attempt = { ...attempt, ...(leftOut.length > 0 && { leftOut }) };
      if (recipients.length === 0) {
        await begin();
        return { line: { what: 'leftOut', ...attempt, at: this.#clock.wall() } };
      }
      const before = async () => {
        // From here on, canceling waits for the answer: only it says who got the message.
        signal.removeEventListener('abort', stopWaiting);
        if (!isSameList(this.#leftOutOf(batch), leftOut)) throw new ListChangedError();
        const ms = await begin();
        if (Math.abs(ms) >= MAX_STORING) throw new LateError(ms);
      };
      const result = await this.#sender.send({ ...batch, recipients }, { before, signal: waiting.signal });
      const { reached, unreadable, successCount } = result;
      const counted = successCount === undefined ? {} : { successCount };
      return { line: { what: 'answered', ...attempt, at: this.#clock.wall(), reached, unreadable, ...counted } };
    } catch (error) {
      if (!isBegun) return { error };
      const failure = error instanceof ServiceError ? { failure: error.failure } : {};
      return {
        line: { what: 'failed', ...attempt, at: this.#clock.wall(), state: stateAfter(error), ...failure },
        error,
      };
    } finally {
      signal.removeEventListener('abort', stopWaiting);
    }
  }

  /** Who isn't in the call of a batch: those on the list now, and those whom an earlier attempt left out. */
  #leftOutOf({ recipients }: Batch): NotInCall {
    let never: Notes;
    try {
      never = this.#sender.never();
    } catch (error) {
      throw new StopError('never', error);
    }
    return recipients.flatMap((one) => {
      const outcome = this.#status.outcomeOf(one);
      const note = outcome.state === 'leftOut' ? outcome.note : never.get(chatKey(one));
      return note === undefined ? [] : [{ id: one.id, ...(note && { note }) }];
    });
  }

  async #beginInTime(attempt: Attempt, signal: AbortSignal): Promise<boolean> {
    const late = new AbortController();
    const cancel = this.#clock.after(MAX_WAITING, () => late.abort());
    try {
      return await this.#journal.begin(attempt, AbortSignal.any([signal, late.signal]));
    } finally {
      cancel();
    }
  }

  /** Why to stop after a batch; undefined to go on with the next one. */
  #stopAfter(line: TryResult['line'], error: unknown, signal: AbortSignal): EarlyStop | undefined {
    if (line?.what === 'leftOut') return undefined;
    if (line?.what === 'answered') {
      this.#isTrusted = true;
      this.#unknownInARow = 0;
      return undefined;
    }
    if (error instanceof TakenError) return { why: 'taken' };
    if (error instanceof LateError) return stopBy(error);
    if (!line) {
      if (signal.aborted) return { why: 'canceled' };
      if (error instanceof ChangedMessageError) return { why: 'changed' };
      if (error instanceof StopError) return { why: error.why, error: error.cause };
      if (isFailure(error, 'insecure')) return { why: 'noToken', error };
      return error instanceof ServiceError ? { why: 'failed', error } : stopBy(error);
    }
    if (line.state === 'rejected' && mayNeedToken(error)) {
      // After a success, the same code can mean receivers who aren't friends of the bot (observed): go on once.
      if (!this.#isTrusted) return { why: 'token', error };
      this.#isTrusted = false;
      return undefined;
    }
    this.#unknownInARow = line.state === 'unknown' ? this.#unknownInARow + 1 : 0;
    const isRefused = line.state === 'rejected' && isRateLimited(error);
    const isFailed = line.state === 'notSent' || this.#unknownInARow === MAX_UNKNOWN || isRefused;
    return isFailed ? { why: 'failed', error } : undefined;
  }

  async #wait(ms: number, signal: AbortSignal): Promise<void> {
    await this.#clock.sleep(ms, signal).catch(() => {});
  }
}

const isSameList = (one: NotInCall, other: NotInCall) =>
  one.length === other.length && one.every(({ id }, at) => id === other[at]?.id);

/** Why to stop when a step can't be recorded. */
const stopBy = (error: unknown): EarlyStop =>
  error instanceof DeletedError ? { why: 'deleted' } : { why: 'disk', error };

function stateAfter(error: unknown): 'rejected' | 'notSent' | 'unknown' {
  if (isRefusal(error)) return 'rejected';
  return error instanceof LateError || isUnsent(error) ? 'notSent' : 'unknown';
}
