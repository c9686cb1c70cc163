import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { createFaultySandbox } from '../../../src/sandbox/faulty.ts';
import { Client } from '../../../src/service/client.ts';
import { type Serving, serve } from '../../host/serve.ts';
import { instantClock } from '../clocks.ts';
import { answering, failureOf, operations } from './answering.ts';
import { timeout } from './fault-cases.ts';
import { assertAsked, itEndsEachCall, type Place, strike } from './faulty.ts';
import { watchServers } from './leftovers.ts';

describe('Over HTTP, a call ends', () => {
  let serving: Serving;
  let servers: ReturnType<typeof watchServers>;
  let place: Place;
  before(async () => {
    const asked: string[] = [];
    const events = new EventEmitter();
    servers = watchServers();
    serving = await serve((request) => {
      asked.push(new URL(request.url).pathname);
      events.emit('asked');
      return sandbox.fetch(request);
    });
    const sandbox = createFaultySandbox({ origin: serving.origin, messages: 2 });
    const { webUrl, openApiUrl } = sandbox;
    const fetch: typeof globalThis.fetch = async (...request) => {
      const response = await globalThis.fetch(...request);
      events.emit('answered');
      return response;
    };
    place = {
      sandbox,
      client: (options) => new Client({ webUrl, openApiUrl, fetch, clock: instantClock(), ...options }),
      asked,
      events,
      quiet: () => servers.quiet(),
      // Only the deadline's: connections have timers, too.
      timers: (ms) => ms === timeout || ms === 20_000,
      brokenOff: 'UND_ERR_SOCKET',
    };
  });
  after(async () => {
    servers[Symbol.dispose]();
    await serving.close();
  });

  itEndsEachCall(() => place);

  it('at a redirect, without following it', async () => {
    await using elsewhere = await answering(() => new Response());
    for (const status of [301, 302, 303, 307, 308] as const) {
      for (const to of [`${elsewhere.origin}/there`, '/there']) {
        strike(place, { fault: 'redirect', status, to });
        for (const call of Object.values(operations)) {
          assert.deepEqual(await failureOf(call(place.client())), { kind: 'http', status, excerpt: '' });
        }
        assertAsked(place, () => 1);
      }
    }
    assert.deepEqual(elsewhere.got, []);
  });
});
