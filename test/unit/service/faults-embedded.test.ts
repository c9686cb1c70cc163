import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { createFaultySandbox } from '../../../src/sandbox/faulty.ts';
import { Client } from '../../../src/service/client.ts';
import { instantClock } from '../clocks.ts';
import { settled } from '../deferred.ts';
import { itEndsEachCall, type Place } from './faulty.ts';

describe('With the embedded sandbox, a call ends', () => {
  const sandbox = createFaultySandbox({ origin: 'https://sandbox.localhost', messages: 2 });
  const { webUrl, openApiUrl } = sandbox;
  const asked: string[] = [];
  const events = new EventEmitter();
  const open = new Set<object>();

  const fetch: typeof globalThis.fetch = async (...request) => {
    const asking = new Request(...request);
    asked.push(new URL(asking.url).pathname);
    events.emit('asked');
    const response = await sandbox.fetch(asking);
    events.emit('answered');
    return watched(response, open);
  };
  const place: Place = {
    sandbox,
    client: (options) => new Client({ webUrl, openApiUrl, fetch, clock: instantClock(), ...options }),
    asked,
    events,
    async quiet() {
      await settled();
      assert.equal(open.size, 0, 'an answer is neither read to its end nor given up');
    },
    timers: () => true,
    brokenOff: 'ECONNRESET',
  };

  itEndsEachCall(() => place);
});

/** The same response, whose body is in `open` until it ends or is canceled. */
function watched({ body, status, headers }: Response, open: Set<object>): Response {
  if (!body) return new Response(null, { status, headers });
  const reader = body.getReader();
  open.add(reader);
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        open.delete(reader);
        controller.close();
      } catch (error) {
        open.delete(reader);
        controller.error(error);
      }
    },
    cancel(reason) {
      open.delete(reader);
      return reader.cancel(reason);
    },
  };
  // Produce data only on demand.
  return new Response(new ReadableStream(source, { highWaterMark: 0 }), { status, headers });
}
