import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from './clock.ts';
import { Deadline } from './deadline.ts';
import { httpError, readEnvelope } from './envelope.ts';
import { isFailure, isRateLimited, isTransient, retryAfterOf } from './errors.ts';
import { createHttpAdapter, type HttpRequest } from './http.ts';
import type { ResponseLimits } from './operations.ts';
import { RateLimiter } from './rateLimiter.ts';

export interface TransportOptions {
  fetch?: typeof globalThis.fetch;
  /** Whether `fetch` is a browser's, with its rules for other origins (CORS). */
  inBrowser?: boolean;
  /** Milliseconds that a call may take, retries included, counted from its first turn in the rate limit. */
  timeout?: number;
  /** The most bytes that any response may have. */
  maxBytes?: number;
  /** The most calls per second for each operation and token. Unlimited by default. */
  callsPerSecond?: number;
  clock?: Clock;
  /** A random number from 0 to 1, excluding 1. */
  random?: () => number;
}

/** One call of the service. */
export interface Call extends HttpRequest {
  /** Whether the call may be retried. A `batch_send` never is: that would send a second message. */
  repeatable: boolean;
  limits: ResponseLimits;
  /** Cancels the call. Calls with the same signal belong to one caller; the rate limiter is fair to each caller. */
  signal?: AbortSignal | undefined;
  /** Runs before each request. If it throws, the request isn't sent, and the call rejects with the same error. */
  check?: (() => void) | undefined;
  /** Runs right before the first request. If it rejects, nothing is sent and the call rejects with the same error. */
  before?: (() => Promise<void>) | undefined;
}

/** The state shared by the calls of one operation with one token. */
interface Channel {
  limiter: RateLimiter;
  /** The error of the last call that was refused as too early. */
  refusal: unknown;
}

/** Resolves to the `data` of a success. Rejects with a ServiceError, or with what `before` rejects with. */
export type Transport = (call: Call) => Promise<unknown>;

/** The wait before each retry in milliseconds, with a jitter down to half of it. */
const BACK_OFF = [500, 1500];

/** How many channels are kept: operations times tokens. Dropping one only resets its rate limit. */
const MAX_CHANNELS = 1_000;

/**
 * A transport that limits the rate of calls, enforces a deadline and retries reads. The deadline of `ofetch` ends with the
 * headers. Its retries look at the HTTP status alone, although code 1007 comes with 200, give up on a broken body, and can't
 * be canceled.
 */
export function createTransport({
  fetch = globalThis.fetch,
  inBrowser,
  timeout = 20_000,
  maxBytes = Number.POSITIVE_INFINITY,
  callsPerSecond = Number.POSITIVE_INFINITY,
  clock = systemClock,
  random = Math.random,
}: TransportOptions): Transport {
  const http = createHttpAdapter(fetch, inBrowser);
  const channels = new LRUCache<string, Channel>({ max: MAX_CHANNELS });

  const channelOf = ({ url, token }: Call) => {
    // Each operation has its own address.
    const key = `${url} ${fingerprintOf(token)}`;
    const channel = channels.get(key) ?? { limiter: new RateLimiter(callsPerSecond, clock), refusal: undefined };
    channels.set(key, channel);
    return channel;
  };

  const run = async (call: Call, deadline: Deadline) => {
    const channel = channelOf(call);
    const { limiter } = channel;
    const { signal } = deadline;

    const attempt = async () => {
      try {
        const response = await http(call, Math.min(maxBytes, call.limits.bytes), signal);
        const data = await readEnvelope(response, call, signal);
        // Gateways answer with such a status whatever was done (contract 1), so that a success doesn't prove that a message
        // was sent.
        if (response.status >= 500 && !call.repeatable) throw httpError(response, call.token);
        limiter.speedUp();
        return data;
      } catch (error) {
        // Report the cancellation or timeout, not its effect on the request.
        if (signal.aborted) throw signal.reason;
        if (isRateLimited(error)) {
          limiter.slowDown(retryAfterOf(error));
          channel.refusal = error;
        }
        throw error;
      }
    };

    signal.throwIfAborted();
    // Fail fast if the back-off exceeds the timeout.
    if (limiter.blockedFor() >= timeout) throw channel.refusal;
    await limiter.acquire(call.signal, signal);
    call.check?.();
    await call.before?.();
    signal.throwIfAborted();
    // The deadline starts only now, because waiting for the rate limit isn't the service's fault.
    deadline.start(timeout);
    const end = clock.now() + timeout;

    /** Resolves when the call may be retried. Rejects with the error if it may not. */
    const untilRetry = async (error: unknown, backOff: number) => {
      const wait = Math.max(backOff * (0.5 + random() / 2), retryAfterOf(error) ?? 0);
      if (!isTransient(error) || clock.now() + wait >= end) throw error;
      try {
        await clock.sleep(wait, signal);
        await limiter.acquire(call.signal, signal);
        call.check?.();
      } catch (stopped) {
        // The service's error says more than a timeout.
        throw isFailure(stopped, 'timedOut') ? error : stopped;
      }
    };

    for (const backOff of call.repeatable ? BACK_OFF : []) {
      try {
        return await attempt();
      } catch (error) {
        await untilRetry(error, backOff);
      }
    }
    return attempt();
  };

  return async (call) => {
    const deadline = new Deadline(call.signal, clock);
    try {
      return await run(call, deadline);
    } finally {
      deadline[Symbol.dispose]();
    }
  };
}

/** A 32-bit hash (FNV-1a), so that no token is kept as a key. A collision only makes two tokens share a rate limit. */
function fingerprintOf(token = ''): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < token.length; index++) hash = Math.imul(hash ^ token.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
