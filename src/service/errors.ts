import type { Kind } from './model.ts';

/** What can go wrong with a call, in kinds that a caller can switch on. Texts never hold a token. */
export type Failure =
  /** The caller's signal was aborted. */
  | { kind: 'cancelled' }
  /** No complete answer within the deadline (milliseconds). */
  | { kind: 'timedOut'; after: number }
  /** No HTTP answer at all; `reason` is the host's own short word for it, such as ECONNREFUSED. */
  | { kind: 'unreachable'; reason: string }
  /** An HTTP status outside 200–299 whose body is no envelope. */
  | { kind: 'http'; status: number; excerpt: string }
  /** A body that is not the envelope of contract section 1; `excerpt` is its beginning. */
  | { kind: 'notEnvelope'; status: number; excerpt: string }
  /** An envelope whose data is not what the contract says, at `path`. */
  | { kind: 'unreadable'; path: string; problem: string }
  /** The service answered with a code other than 1; both verbatim (contract section 7). */
  | { kind: 'rejected'; code: number; text: string }
  /** There is no such group, bot or user; `code` and `text` are the service's, where it gave any. */
  | { kind: 'notFound'; what: Kind; id: string; code?: number; text?: string };

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

/** For logs; people read `words/explain`. */
function describe(failure: Failure): string {
  switch (failure.kind) {
    case 'cancelled':
      return 'cancelled';
    case 'timedOut':
      return `no answer within ${failure.after} ms`;
    case 'unreachable':
      return `unreachable: ${failure.reason}`;
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
