// Tests for every way to connect a client to the sandbox.
import assert from 'node:assert/strict';
import { type EventEmitter, getEventListeners, on } from 'node:events';
import type { FaultySandbox } from '../../../src/sandbox/faulty.ts';
import type { Client, ClientOptions } from '../../../src/service/client.ts';
import { errorOf, failureOf, operations } from './answering.ts';
import { addresses, cases, type Name, type Rule } from './fault-cases.ts';
import { watchTimers } from './leftovers.ts';
import { assertSecret } from './secret.ts';

const names = Object.keys(operations) as Name[];
const TOKEN = 'sandbox-token-62118403';

/** A sandbox and a way to connect a client to it. */
export interface Place {
  sandbox: FaultySandbox;
  client(options?: Partial<ClientOptions>): Client;
  /** The paths of all requests since the last reset. */
  asked: string[];
  /** Emits `asked` for each request, and `answered` when its response begins. */
  events: EventEmitter;
  /** Resolves when no response is being sent. Rejects if one still is. */
  quiet(): Promise<void>;
  /** Whether only the client may have set a timer, by its milliseconds. */
  timers(ms: number): boolean;
  /** The runtime's reason for a response that breaks off. */
  brokenOff: string;
}

let sent = 0;

/** One call of each operation with its own client, and a unique text for the batch. */
function callAll(place: Place, signal: AbortSignal, options: Partial<ClientOptions> = {}) {
  const text = `Message ${++sent}`;
  const calls = names.map((name) => {
    const client = place.client(options);
    if (name !== 'batchSend') return operations[name](client, signal, TOKEN);
    return client.batchSend(TOKEN, 'group', ['big'], { contentType: 'text', content: { text } }, { signal });
  });
  return { text, calls };
}

/** The number of messages with a text in a chat. */
async function arrived({ sandbox }: Place, text: string, chatId = 'big'): Promise<number> {
  sandbox.setFaults(undefined);
  const query = new URLSearchParams({ token: TOKEN, 'chat-id': chatId, 'chat-type': 'group', before: '1000000' });
  const response = await sandbox.fetch(new Request(`${sandbox.openApiUrl}/open-apis/v1/bot/messages?${query}`));
  const { data } = (await response.json()) as { data: { list: { content: { text?: string } }[] } };
  return data.list.filter(({ content }) => content.text === text).length;
}

/** Sets the faults and resets the requests. */
export function strike({ sandbox, asked }: Place, ...faults: Rule[]): void {
  sandbox.setFaults({ faults });
  asked.length = 0;
}

/** Asserts the number of requests of each operation. */
export function assertAsked({ asked }: Place, times: (name: Name) => number): void {
  const paths = names.flatMap((name) => Array<string>(times(name)).fill(addresses[name].replace(/\?.*/, '')));
  assert.deepEqual(asked.toSorted(), paths.toSorted());
}

/** Asserts that calls leave no partly read response, timer or listener. */
async function leavingNothing(place: Place, signal: AbortSignal, calls: () => Promise<void>): Promise<void> {
  using timers = watchTimers(place.timers);
  await calls();
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
  await place.quiet();
  assert.equal(timers.running(), 0);
}

/** Tests the result of each call for each sandbox fault. `of` is called when a test starts. */
export function itEndsEachCall(of: () => Place): void {
  // One signal for all calls, as in a panel.
  const { signal } = new AbortController();

  for (const { rule, failure, repeated, options } of cases) {
    const { kind } = failure('messages', '') as { kind: string };
    for (const work of ['done', 'undone'] as const) {
      it(`as ${kind} for ${JSON.stringify({ ...rule, work })}`, async () => {
        const place = of();
        strike(place, { ...rule, work } as Rule);
        let text = '';
        await leavingNothing(place, signal, async () => {
          const all = callAll(place, signal, options);
          text = all.text;
          const errors = await Promise.all(all.calls.map(errorOf));
          for (const [at, error] of errors.entries()) {
            const name = names[at] ?? assert.fail();
            assert.deepEqual(error.failure, failure(name, place.brokenOff), name);
            assertSecret(error, TOKEN);
          }
        });
        assertAsked(place, (name) => (repeated && name !== 'batchSend' ? 3 : 1));
        assert.equal(await arrived(place, text), work === 'done' ? 1 : 0);
      });
    }
  }

  for (const { rule } of cases.filter(({ repeated }) => repeated)) {
    it(`with its result if ${JSON.stringify(rule)} passes in time`, async () => {
      const place = of();
      const { batchSend: _, ...reads } = operations;
      const readAll = () => Promise.all(Object.values(reads).map((call) => call(place.client(), signal, TOKEN)));
      strike(place);
      const right = await readAll();
      for (const times of [1, 2]) {
        const of = ['group-info', 'bot-info', 'homepage', 'messages'] as const;
        strike(place, ...of.map((on) => ({ ...rule, on, times })));
        await leavingNothing(place, signal, async () => assert.deepEqual(await readAll(), right));
        assertAsked(place, (name) => (name === 'batchSend' ? 0 : times + 1));
      }
    });
  }

  for (const [event, rule] of [
    ['asked', { delay: 60_000 }],
    ['asked', { fault: 'reset', delay: 60_000 }],
    ['answered', { fault: 'endless' }],
  ] as const) {
    for (const work of ['done', 'undone'] as const) {
      it(`at once if it's canceled during ${JSON.stringify({ ...rule, work })}`, async () => {
        const place = of();
        strike(place, { ...rule, work });
        const abort = new AbortController();
        let text = '';
        await leavingNothing(place, abort.signal, async () => {
          const underWay = times(names.length, place.events, event);
          const all = callAll(place, abort.signal);
          text = all.text;
          const failures = Promise.all(all.calls.map(failureOf));
          await underWay;
          abort.abort();
          for (const failure of await failures) assert.deepEqual(failure, { kind: 'cancelled' });
        });
        assertAsked(place, () => 1);
        assert.equal(await arrived(place, text), work === 'done' ? 1 : 0);
      });
    }
  }

  it('with its result after a short delay', async () => {
    const place = of();
    strike(place, { delay: 20 });
    await leavingNothing(place, signal, async () => {
      await Promise.all(callAll(place, signal).calls);
    });
    assertAsked(place, () => 1);
  });

  for (const [fault, named] of [
    ['duplicates', ['518204736', '518204736', 'big', '524317890', '524317890']],
    ['missing', ['big']],
  ] as const) {
    it(`as a batch with the receivers that the service lists for "${fault}"`, async () => {
      const place = of();
      strike(place, { fault });
      const text = `Message ${++sent}`;
      const chats = ['518204736', 'big', '524317890'];
      await leavingNothing(place, signal, async () => {
        const message = { contentType: 'text', content: { text } } as const;
        const answer = await place.client().batchSend(TOKEN, 'group', chats, message, { signal });
        assert.deepEqual(
          answer.reached.map(({ recvId }) => recvId),
          named,
        );
        assert.deepEqual([answer.successCount, answer.unreadable], [named.length, []]);
      });
      assertAsked(place, (name) => (name === 'batchSend' ? 1 : 0));
      for (const chat of chats) assert.equal(await arrived(place, text, chat), 1);
    });
  }
}

/** Resolves when an event has occurred a number of times. */
async function times(count: number, events: EventEmitter, event: string): Promise<void> {
  let left = count;
  for await (const _ of on(events, event)) if (--left === 0) return;
}
