/** Delivering a message, batch by batch, each step written down. */
import type { BatchResult } from '../service/client.ts';
import { type Clock, systemClock } from '../service/clock.ts';
import { isFailure, isRateLimited, isRefusal, mayNeedToken, retryAfterOf, ServiceError } from '../service/errors.ts';
import type { Batch } from './batches.ts';
import type { Attempt, DeliveryStatus } from './deliveryStatus.ts';
import type { JournalLine, StopReason } from './record.ts';

/** What a delivery is made with. */
export interface Means {
  /** One `batch_send` (contract 4.5), which calls `before` right before it goes out. */
  send(batch: Batch, options: { before(): Promise<void>; signal: AbortSignal }): Promise<BatchResult>;
  /** Writes down that a try goes out; false where another window has done so. */
  begin(one: Attempt): Promise<boolean>;
  /** Writes down what became of it. */
  append(line: JournalLine): Promise<void>;
  /** Told after each step. */
  progress(): void;
  /** Unix milliseconds. */
  now?(): number;
  clock?: Clock;
}

/** Why a delivery ended before all was sent; `taken` where another window sends it. */
export type EarlyStop = { why: StopReason | 'taken'; error?: unknown };

/** Failures before anything was sent: the name or the port did not answer, or its certificate was not accepted. */
const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** How often a batch is tried that the service refuses for coming too soon. */
const PATIENCE = 8;
/** How long to wait where the service does not say, and at most (milliseconds). */
const WAIT = 5_000;
const LONGEST_WAIT = 60_000;
/** After so many answers in a row that were not seen, nothing more is sent. */
const UNSEEN = 2;

/** Another window has written down that it sends this. */
class TakenError extends Error {
  override readonly name = 'TakenError';
}

/**
 * Sends each batch that is open, in turn, and only one at a time: whatever dies, the answer of one call at most is lost.
 * A batch whose answer was not seen is never sent again: a second call would be a second message. One that was refused
 * for coming too soon is, for the service said that it did not take it. Aborting lets the call that is under way come
 * to its answer. Never rejects; resolves to why it ended early, if it did.
 */
export async function runDelivery(
  status: DeliveryStatus,
  means: Means,
  signal: AbortSignal,
): Promise<EarlyStop | undefined> {
  const stopped = await new Run(status, means, signal).all();
  if (!stopped || stopped.why === 'taken') return stopped;
  const line: JournalLine = { what: 'stopped', at: (means.now ?? Date.now)(), why: stopped.why };
  status.apply(line);
  // Where it cannot be written down, what was not sent still says so.
  await means.append(line).catch(() => {});
  return stopped;
}

/** One try of a batch: the line that tells of it, where it went out. */
interface Tried {
  line?: Extract<JournalLine, { what: 'answered' | 'failed' }>;
  error?: unknown;
}

class Run {
  readonly #status: DeliveryStatus;
  readonly #means: Means;
  readonly #signal: AbortSignal;
  /** The service has taken a batch with this token, and not refused the token since. */
  #isTrusted = false;
  /** How many answers were not seen, one after the other. */
  #unseen = 0;

  constructor(status: DeliveryStatus, means: Means, signal: AbortSignal) {
    this.#status = status;
    this.#means = means;
    this.#signal = signal;
  }

  async all(): Promise<EarlyStop | undefined> {
    for (const one of this.#status.nextAttempts()) {
      const stopped = await this.#batch(one);
      this.#means.progress();
      if (stopped) return stopped;
    }
    return undefined;
  }

  async #batch({ batch, attempt }: Attempt): Promise<EarlyStop | undefined> {
    for (let tries = 1; ; tries++) {
      if (this.#signal.aborted) return { why: 'person' };
      const { line, error } = await this.#try({ batch, attempt });
      if (line) {
        this.#status.apply(line);
        const unwritten = await this.#means.append(line).then(
          () => undefined,
          (failed: unknown) => ({ failed }),
        );
        // To go on would be to send what nobody could account for.
        if (unwritten) return { why: 'disk', error: unwritten.failed };
      }
      const isOpen = !line || (line.what === 'failed' && line.state === 'rejected');
      if (!isOpen || !isRateLimited(error) || tries === PATIENCE) return this.#stopAfter(line, error);
      if (line) attempt++;
      // A refusal has slowed down the pace of the calls; without one this call was not even made.
      else await this.#wait(Math.min(retryAfterOf(error) ?? WAIT, LONGEST_WAIT));
    }
  }

  async #try(one: Attempt): Promise<Tried> {
    const { send, begin, now = Date.now } = this.#means;
    const waiting = new AbortController();
    const leave = () => waiting.abort();
    let isBegun = false;
    const before = async () => {
      // From here on the answer is waited for, whatever the person does: it alone says who got the message.
      this.#signal.removeEventListener('abort', leave);
      if (!(await begin(one))) throw new TakenError();
      isBegun = true;
      this.#status.begin(one);
    };
    this.#signal.addEventListener('abort', leave);
    try {
      const batch = this.#status.delivery.batches[one.batch] as Batch;
      const { reached, unreadable, successCount } = await send(batch, { before, signal: waiting.signal });
      const counted = successCount === undefined ? {} : { successCount };
      return { line: { what: 'answered', ...one, at: now(), reached, unreadable, ...counted } };
    } catch (error) {
      if (!isBegun) return { error };
      const failure = error instanceof ServiceError ? { failure: error.failure } : {};
      return { line: { what: 'failed', ...one, at: now(), state: stateAfter(error), ...failure }, error };
    } finally {
      this.#signal.removeEventListener('abort', leave);
    }
  }

  /** Whether to go on to the next batch. */
  #stopAfter(line: Tried['line'], error: unknown): EarlyStop | undefined {
    if (line?.what === 'answered') {
      this.#isTrusted = true;
      this.#unseen = 0;
      return undefined;
    }
    if (error instanceof TakenError) return { why: 'taken' };
    if (!line)
      return this.#signal.aborted
        ? { why: 'person' }
        : { why: error instanceof ServiceError ? 'trouble' : 'disk', error };
    if (line.state === 'rejected' && mayNeedToken(error)) {
      // The same code was seen for receivers that are no friends of the bot: once, after others were reached, it is that.
      if (!this.#isTrusted) return { why: 'token', error };
      this.#isTrusted = false;
      return undefined;
    }
    this.#unseen = line.state === 'unknown' ? this.#unseen + 1 : 0;
    const isRefused = line.state === 'rejected' && isRateLimited(error);
    const isTrouble = line.state === 'notSent' || this.#unseen === UNSEEN || isRefused;
    return isTrouble ? { why: 'trouble', error } : undefined;
  }

  async #wait(ms: number): Promise<void> {
    const { clock = systemClock } = this.#means;
    await clock.sleep(ms, this.#signal).catch(() => {});
  }
}

function stateAfter(error: unknown): 'rejected' | 'notSent' | 'unknown' {
  if (isRefusal(error)) return 'rejected';
  if (isFailure(error, 'cancelled') && error.failure.unsent) return 'notSent';
  return isFailure(error, 'unreachable') && NO_CONNECTION.has(error.failure.reason) ? 'notSent' : 'unknown';
}
