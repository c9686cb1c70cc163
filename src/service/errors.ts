import type { Kind } from './model.ts';

/** Why a call failed. No field ever contains a token. */
export type Failure =
  /** The caller's signal was aborted. `unsent` is set if nothing had been sent. */
  | { kind: 'cancelled'; unsent?: boolean }
  /** No complete response within the deadline, in milliseconds. */
  | { kind: 'timedOut'; after: number }
  /**
   * No complete HTTP response. `reason` is the runtime's error code, such as ECONNREFUSED, or its message. With
   * `inBrowser`, the service may have answered: a browser keeps an answer back that doesn't allow its page to read it.
   */
  | { kind: 'unreachable'; reason: string; inBrowser?: boolean }
  /** A redirect, whose status and target a browser keeps back. */
  | { kind: 'redirected' }
  /** The token would have gone over plain http, which the user no longer allows. Nothing was sent. */
  | { kind: 'insecure' }
  /** A response of more than `bound` bytes, values or elements. It is discarded. */
  | { kind: 'tooLarge'; bound: number; of?: 'values' | 'elements' }
  /** An HTTP status outside 200–299 without an envelope. `excerpt` is the beginning of the body. */
  | ({ kind: 'http'; excerpt: string } & Status)
  /** A body that isn't the envelope of contract section 1. `excerpt` is its beginning. */
  | { kind: 'notEnvelope'; status: number; excerpt: string }
  /** An envelope whose data violates the contract at `path`. */
  | { kind: 'unreadable'; path: string; problem: DataProblem }
  /** A code other than 1 (contract section 7). `code` and `text` are verbatim. */
  | ({ kind: 'rejected'; code: number; text: string } & Status)
  /** No group, bot or user has this ID. `code` and `text` come from the service, if it sent any. */
  | { kind: 'notFound'; what: Kind; id: string; code?: number; text?: string };

/** What is wrong with a value: it's missing, of another type, not valid, or not the requested identifier. */
export type DataProblem = 'missing' | 'malformed' | 'mismatch' | { readonly expected: string; readonly actual: string };

interface Status {
  /** HTTP status. */
  status: number;
  /** Milliseconds to wait before the next call, if the service said so. */
  retryAfter?: number;
  /** Set if a token is blamed in the answer to a lookup, which sends none. */
  withoutToken?: true;
}

/** The only error that the client throws. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(describe(failure));
    this.failure = failure;
  }
}

/** Whatever was thrown, as an error. */
export const toError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** Whether an error is a {@link ServiceError} of one of these kinds. */
export function isFailure<K extends Failure['kind']>(
  error: unknown,
  ...kinds: K[]
): error is ServiceError & { readonly failure: Extract<Failure, { kind: K }> } {
  return error instanceof ServiceError && (kinds as string[]).includes(error.failure.kind);
}

/** Whether the service couldn't be reached or answered unusably, as opposed to rejecting the request. */
export function isOutage(error: unknown): boolean {
  return isFailure(error, 'unreachable', 'redirected', 'timedOut', 'notEnvelope', 'http');
}

/** Connection errors that rule out that anything was sent. `Failed to fetch` doesn't: a browser says that for everything. */
const NOT_CONNECTED = new Set([
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

/** Whether an error rules out that anything was sent. */
export const isUnsent = (error: unknown): boolean =>
  (isFailure(error, 'cancelled') && error.failure.unsent === true) ||
  (isFailure(error, 'unreachable') && NOT_CONNECTED.has(error.failure.reason));

/** Codes that mean that the service did nothing (observed). */
const REFUSALS: ReadonlySet<number> = new Set([-1, 1002, 1003, 1004, 1005, 1007]);

/**
 * Whether the service did nothing. An HTTP status of 500 or above never proves that, whatever the body: gateways send it
 * even after the work was done (observed).
 */
export function isRefusal(error: unknown): boolean {
  if (!isFailure(error, 'http', 'rejected') || error.failure.status >= 500) return false;
  const { failure } = error;
  return [401, 429].includes(failure.status) || (failure.kind === 'rejected' && REFUSALS.has(failure.code));
}

/** Whether the service refused a call because of too many calls: HTTP 429, or code 1007 (observed). */
export function isRateLimited(error: unknown): boolean {
  if (!isFailure(error, 'http', 'rejected')) return false;
  const { failure } = error;
  return failure.status === 429 || (failure.kind === 'rejected' && failure.code === 1007);
}

/** Code -1 for a group that doesn't exist; a missing message or a bot outside the group have it, too (observed). */
const NO_GROUP = /^群\(ID:[^()]*\)不存在/;

/** Whether the service says that a group doesn't exist, so that no message is in it. Only its text tells. */
export function isMissingGroup(error: unknown): error is ServiceError {
  return (
    isRefusal(error) && isFailure(error, 'rejected') && error.failure.code === -1 && NO_GROUP.test(error.failure.text)
  );
}

/** The meaning of code -1, which has several causes. Only its text distinguishes them (observed). */
export function meaningOfMinus1(text: string): 'noGroup' | 'notInGroup' | 'noMessage' | 'unclear' {
  if (NO_GROUP.test(text)) return 'noGroup';
  if (/^群\(ID:[^()]*\)中未添加/.test(text)) return 'notInGroup';
  return text.startsWith('消息不存在') ? 'noMessage' : 'unclear';
}

/** What an error says without the body of the request, which it may repeat (observed): that has `recvIds`, and any words. */
const ownWords = (text: string) => text.replace(/\{\s*\\?".*/s, '');

/** Whether code 1002 or 1003 blames the token, and nothing else of the call: only its text tells (observed). */
export const blamesToken = (text: string) => /token/i.test(ownWords(text));

/** The meaning of code 1003, which has two causes. Only its text distinguishes them (observed). */
export function meaningOf1003(text: string): 'token' | 'notFriend' | 'unclear' {
  if (/recvId|好友/i.test(ownWords(text))) return 'notFriend';
  return blamesToken(text) ? 'token' : 'unclear';
}

/**
 * Whether another token may help a call that has one: HTTP 401, code 1003 unless its text blames the receiver, or code
 * 1002 if its text names the token (observed).
 */
export function mayNeedToken(
  error: unknown,
): error is ServiceError & { readonly failure: Extract<Failure, { kind: 'http' | 'rejected' }> } {
  if (!isFailure(error, 'http', 'rejected')) return false;
  const { failure } = error;
  if (failure.withoutToken) return false;
  if (failure.status === 401) return true;
  if (failure.kind !== 'rejected') return false;
  if (failure.code === 1002) return blamesToken(failure.text);
  return failure.code === 1003 && meaningOf1003(failure.text) !== 'notFriend';
}

/** Whether another service address may help: at this one, nothing answers, or something else, or there is no such path. */
export function mayNeedAddress(error: unknown): boolean {
  if (isFailure(error, 'rejected')) return error.failure.status === 404;
  return isOutage(error) && !isRateLimited(error);
}

/** Whether the connection failed because of the server's certificate, by the codes of Node.js and OpenSSL. */
export function isCertificateError(
  error: unknown,
): error is ServiceError & { readonly failure: Extract<Failure, { kind: 'unreachable' }> } {
  return isFailure(error, 'unreachable') && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ISSUER/.test(error.failure.reason);
}

/** Whether the same call may succeed later: no network, too many calls, or a server error. */
export function isTransient(error: unknown): boolean {
  return (
    isFailure(error, 'unreachable') ||
    isRateLimited(error) ||
    (isFailure(error, 'http', 'rejected') && error.failure.status >= 500)
  );
}

/** Milliseconds to wait before the next call, if the service said so. */
export function retryAfterOf(error: unknown): number | undefined {
  return isFailure(error, 'http', 'rejected') ? error.failure.retryAfter : undefined;
}

/** For logs. Users see the text from `presentation`. */
function describe(failure: Failure): string {
  switch (failure.kind) {
    case 'cancelled':
      return 'cancelled';
    case 'timedOut':
      return `no answer within ${failure.after} ms`;
    case 'unreachable':
      return `unreachable: ${failure.reason}`;
    case 'redirected':
      return 'a redirect';
    case 'insecure':
      return 'not sent: a token over plain http';
    case 'tooLarge':
      return `an answer of more than ${failure.bound} ${failure.of ?? 'bytes'}`;
    case 'http':
      return `HTTP ${failure.status}: ${failure.excerpt}`;
    case 'notEnvelope':
      return `HTTP ${failure.status}, not an envelope: ${failure.excerpt}`;
    case 'unreadable':
      return `unreadable at ${failure.path}: ${dataProblemText(failure.problem)}`;
    case 'rejected':
      return `code ${failure.code}: ${failure.text}`;
    case 'notFound':
      return `no ${failure.what} ${failure.id}`;
  }
}

const dataProblemText = (problem: DataProblem) =>
  typeof problem === 'string' ? problem : `expected ${problem.expected}, got ${problem.actual}`;
