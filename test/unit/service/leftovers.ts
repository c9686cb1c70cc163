import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Counts pending timers that were set while in scope and that `counts` accepts. */
export function watchTimers(counts = (_: number) => true) {
  const { setTimeout, clearTimeout } = globalThis;
  const running = new Set<unknown>();
  const set = (run: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
    const timer = setTimeout(() => {
      running.delete(timer);
      run(...values);
    }, ms);
    if (counts(ms)) running.add(timer);
    return timer;
  };
  const clear = (timer: NodeJS.Timeout) => {
    running.delete(timer);
    clearTimeout(timer);
  };
  Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  return {
    running: () => running.size,
    [Symbol.dispose]: () => Object.assign(globalThis, { setTimeout, clearTimeout }),
  };
}

/** Tracks the responses that HTTP servers of this process are sending, while in scope. */
export function watchServers() {
  const busy = new Set<ServerResponse>();
  const watch = (message: unknown) => {
    const { response } = message as { response: ServerResponse };
    busy.add(response);
    response.once('close', () => busy.delete(response));
  };
  subscribe('http.server.request.start', watch);
  return {
    /** Resolves when all responses have completed or their clients have disconnected. */
    async quiet() {
      const signal = AbortSignal.timeout(30_000);
      for (const response of busy) {
        await once(response, 'close', { signal }).catch(() => assert.fail(`${response.req.url} is not at its end`));
      }
    },
    [Symbol.dispose]: () => unsubscribe('http.server.request.start', watch),
  };
}
