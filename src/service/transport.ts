/** Calls of the service: paced, ended in time, repeated where that does no harm. */

import { type Clock, machineClock } from './clock.ts';
import { Deadline } from './deadline.ts';
import { dataOf, httpError } from './envelope.ts';
import { isFailure, isPassing, isTooOften, retryAfterOf } from './errors.ts';
import { createHttpAdapter, type HttpRequest } from './http.ts';
import type { ResponseLimits } from './limits.ts';
import { RateLimiter } from './rateLimiter.ts';

export interface TransportOptions {
  fetch?: typeof globalThis.fetch;
  /** How long a call may take in all, repetitions included, from its first turn on: milliseconds. */
  timeout?: number;
  /** How many bytes an answer may have at most, whatever is asked for. */
  bound?: number;
  /** How many calls of one operation may start in a second with one token; no limit where it is not given. */
  callsPerSecond?: number;
  clock?: Clock;
  /** From 0 up to 1. */
  random?: () => number;
}

/** One call of the service. */
export interface Call extends HttpRequest {
  /** What the pace is kept for, together with the token. */
  operation: string;
  /** Whether a repetition does no harm. A `batch_send` is never repeated: that would be a second message. */
  repeatable: boolean;
  /** How large its answer may be. */
  bounds: ResponseLimits;
  /** Cancels the call. Calls with the same signal are those of one caller, to whom the pace is fair. */
  signal?: AbortSignal | undefined;
  /** Run when the turn of the call has come. Where it rejects, nothing is sent, and the call rejects with the same. */
  before?: (() => Promise<void>) | undefined;
}

/** What calls of one operation with one token have in common. */
interface Lane {
  pace: RateLimiter;
  /** What the service said when it last asked to slow down. */
  refusal: unknown;
}

/** Resolves to the `data` of a successful envelope; rejects with a ServiceError, or with what `before` rejects with. */
export type Transport = (call: Call) => Promise<unknown>;

/** The wait before each repetition of a read, in milliseconds; half of it up to all of it, at random. */
const BACK_OFF = [500, 1500];

export function createTransport({
  fetch = globalThis.fetch,
  timeout = 20_000,
  bound = Number.POSITIVE_INFINITY,
  callsPerSecond = Number.POSITIVE_INFINITY,
  clock = machineClock,
  random = Math.random,
}: TransportOptions): Transport {
  const exchange = createHttpAdapter(fetch);
  const lanes = new Map<string, Lane>();

  const laneOf = ({ operation, token }: Call) => {
    const key = `${operation} ${token}`;
    const lane = lanes.get(key) ?? { pace: new RateLimiter(callsPerSecond, clock), refusal: undefined };
    lanes.set(key, lane);
    return lane;
  };

  const run = async (call: Call, stop: Deadline) => {
    const lane = laneOf(call);
    const { pace } = lane;
    const { signal } = stop;

    const attempt = async () => {
      try {
        const answer = await exchange(call, Math.min(bound, call.bounds.bytes), signal);
        const data = await dataOf(answer, call, signal);
        // A success under such a status is no proof of what became of a message (observed of gateways).
        if (answer.status >= 500 && !call.repeatable) throw httpError(answer, call.token);
        pace.speedUp();
        return data;
      } catch (error) {
        // Whatever was stopped says so in words of its own.
        if (signal.aborted) throw signal.reason;
        if (isTooOften(error)) {
          pace.slowDown(retryAfterOf(error));
          lane.refusal = error;
        }
        throw error;
      }
    };

    signal.throwIfAborted();
    // Who would wait for a turn longer than for an answer had better hear at once what the service said.
    if (pace.heldFor() >= timeout) throw lane.refusal;
    await pace.turn(call.signal, signal);
    await call.before?.();
    signal.throwIfAborted();
    // Waiting for the first turn is our own doing: no answer is late yet.
    stop.within(timeout);
    const end = clock.now() + timeout;

    /** Resolves when the call may be repeated; rejects with what it was refused with when it may not. */
    const untilAgain = async (refused: unknown, backOff: number) => {
      const wait = Math.max(backOff * (0.5 + random() / 2), retryAfterOf(refused) ?? 0);
      if (!isPassing(refused) || clock.now() + wait >= end) throw refused;
      try {
        await clock.sleep(wait, signal);
        await pace.turn(call.signal, signal);
      } catch (stopped) {
        // A deadline that passes here must not hide what the service said.
        throw isFailure(stopped, 'timedOut') ? refused : stopped;
      }
    };

    for (const backOff of call.repeatable ? BACK_OFF : []) {
      try {
        return await attempt();
      } catch (error) {
        await untilAgain(error, backOff);
      }
    }
    return attempt();
  };

  return async (call) => {
    const stop = new Deadline(call.signal);
    try {
      return await run(call, stop);
    } finally {
      stop[Symbol.dispose]();
    }
  };
}
