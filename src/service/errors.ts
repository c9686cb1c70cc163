import type { Kind } from './model.ts';

/** What can go wrong with a call, in kinds that a caller can switch on. Texts never hold a token. */
export type Failure =
  /** The caller's signal was aborted; `unsent` where nothing had been sent by then. */
  | { kind: 'cancelled'; unsent?: boolean }
  /** No complete answer within the deadline (milliseconds). */
  | { kind: 'timedOut'; after: number }
  /** No complete HTTP answer; `reason` is the host's own short word for it, such as ECONNREFUSED. */
  | { kind: 'unreachable'; reason: string }
  /** An answer of more than `bound` bytes, or of so much else; nothing was made of it. */
  | { kind: 'tooLarge'; bound: number; of?: 'values' | 'elements' }
  /** An HTTP status outside 200–299 whose body is no envelope; `excerpt` is its beginning. */
  | ({ kind: 'http'; excerpt: string } & Status)
  /** A body that is not the envelope of contract section 1; `excerpt` is its beginning. */
  | { kind: 'notEnvelope'; status: number; excerpt: string }
  /** An envelope whose data is not what the contract says, at `path`. */
  | { kind: 'unreadable'; path: string; problem: string }
  /** The service answered with a code other than 1; both verbatim (contract section 7). */
  | ({ kind: 'rejected'; code: number; text: string } & Status)
  /** There is no such group, bot or user; `code` and `text` are the service's, where it gave any. */
  | { kind: 'notFound'; what: Kind; id: string; code?: number; text?: string };

interface Status {
  /** Of HTTP. */
  status: number;
  /** How many milliseconds the service asked to wait before another call, where it did. */
  retryAfter?: number;
}

/** The one error that the client throws. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(describe(failure));
    this.failure = failure;
  }
}

/** True for a {@link ServiceError} of one of these kinds. */
export function isFailure<K extends Failure['kind']>(
  error: unknown,
  ...kinds: K[]
): error is ServiceError & { readonly failure: Extract<Failure, { kind: K }> } {
  return error instanceof ServiceError && (kinds as string[]).includes(error.failure.kind);
}

/** Codes that were seen where the service did nothing of what it was asked for (observed). */
const REFUSALS: ReadonlySet<number> = new Set([-1, 1002, 1003, 1004, 1005, 1007]);

/**
 * True where the service said that it did nothing of what it was asked for. Under an HTTP status of 500 or more nothing
 * proves that, whatever the body: gateways answer so after the work was done (observed).
 */
export function isRefusal(error: unknown): boolean {
  if (!isFailure(error, 'http', 'rejected') || error.failure.status >= 500) return false;
  const { failure } = error;
  return [401, 429].includes(failure.status) || (failure.kind === 'rejected' && REFUSALS.has(failure.code));
}

/** True where the service refused a call because of too many calls: HTTP 429, or code 1007 (observed). */
export function isTooOften(error: unknown): boolean {
  if (!isFailure(error, 'http', 'rejected')) return false;
  const { failure } = error;
  return failure.status === 429 || (failure.kind === 'rejected' && failure.code === 1007);
}

/** What code 1003 means: it was seen for two things, which its text tells apart (observed). */
export function meaningOf1003(text: string): 'token' | 'notFriend' | 'unclear' {
  if (/recvId|好友/i.test(text)) return 'notFriend';
  return /token/i.test(text) ? 'token' : 'unclear';
}

/** True where another token may help: HTTP 401, or code 1003, unless its text says that the receiver is the matter. */
export function mayNeedToken(error: unknown): boolean {
  if (!isFailure(error, 'http', 'rejected')) return false;
  const { failure } = error;
  if (failure.status === 401) return true;
  return failure.kind === 'rejected' && failure.code === 1003 && meaningOf1003(failure.text) !== 'notFriend';
}

/** True where the same call may succeed a little later: no network, too many calls, or trouble within the service. */
export function isPassing(error: unknown): boolean {
  return (
    isFailure(error, 'unreachable') ||
    isTooOften(error) ||
    (isFailure(error, 'http', 'rejected') && error.failure.status >= 500)
  );
}

/** How many milliseconds the service asked to wait before another call; undefined where it did not. */
export function retryAfterOf(error: unknown): number | undefined {
  return isFailure(error, 'http', 'rejected') ? error.failure.retryAfter : undefined;
}

/** For logs; people read `words/explain`. */
function describe(failure: Failure): string {
  switch (failure.kind) {
    case 'cancelled':
      return 'cancelled';
    case 'timedOut':
      return `no answer within ${failure.after} ms`;
    case 'unreachable':
      return `unreachable: ${failure.reason}`;
    case 'tooLarge':
      return `an answer of more than ${failure.bound} ${failure.of ?? 'bytes'}`;
    case 'http':
      return `HTTP ${failure.status}: ${failure.excerpt}`;
    case 'notEnvelope':
      return `HTTP ${failure.status}, not an envelope: ${failure.excerpt}`;
    case 'unreadable':
      return `unreadable at ${failure.path}: ${failure.problem}`;
    case 'rejected':
      return `code ${failure.code}: ${failure.text}`;
    case 'notFound':
      return `no ${failure.what} ${failure.id}`;
  }
}
