import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Delivery, deliver } from '../../../src/sending/deliver.ts';
import { type Batch, planBatches, type Recipient } from '../../../src/sending/plan.ts';
import { type BatchAnswer, Client } from '../../../src/service/client.ts';
import { type Failure, ServiceError } from '../../../src/service/errors.ts';
import { serveSandbox } from '../../host/serve.ts';
import { answering, NOBODY, silence } from '../service/answering.ts';

const groups = (...ids: string[]): Recipient[] => ids.map((id) => ({ type: 'group', id, name: `group ${id}` }));
const everyone = (batch: Batch): BatchAnswer => ({
  reached: batch.recipients.map(({ id }) => ({ recvId: id, msgId: `to ${id}` })),
  unreadable: [],
  successCount: batch.recipients.length,
});
const failing = (failure: Failure) => () => Promise.reject(new ServiceError(failure));
const never = new AbortController().signal;

/** Delivers batches of two. */
function deliverTo(
  recipients: Recipient[],
  send: (batch: Batch) => Promise<BatchAnswer>,
  signal = never,
  progress: (done: number) => void = () => {},
): Promise<Delivery> {
  return deliver(planBatches(recipients, 2), send, signal, progress);
}

/** Delivers to one group by means of a client. */
function deliverBy(client: Client, signal = never, ids = ['big']): Promise<Delivery> {
  const message = { contentType: 'text', content: { text: 'Hello' } } as const;
  const send = ({ recvType, recipients }: Batch) => {
    const receivers = recipients.map(({ id }) => id);
    return client.batchSend('sandbox-token-30481126', recvType, receivers, message, signal);
  };
  return deliverTo(groups(...ids), send, signal);
}

/** What became of each recipient, by ID. */
const states = ({ results }: Delivery) =>
  Object.fromEntries(results.map(({ recipient, outcome }) => [recipient.id, outcome.state]));

describe('Delivery', () => {
  it('reaches those whom the service names, by the message that it names', async () => {
    const recipients = groups('a', 'b', 'c');
    const { results, surplus, miscounted } = await deliverTo(recipients, async (batch) => everyone(batch));
    assert.deepEqual(
      results,
      recipients.map((recipient) => ({ recipient, outcome: { state: 'reached', msgId: `to ${recipient.id}` } })),
    );
    assert.deepEqual([surplus, miscounted], [[], []]);
  });

  it('goes to nobody without a call', async () => {
    const delivery = await deliverTo([], () => assert.fail('sent'));
    assert.deepEqual(delivery, { results: [], surplus: [], unreadable: [], miscounted: [] });
  });

  it('does not confirm those whom the service does not name, whatever it counts', async () => {
    const answer = { reached: [{ recvId: 'b', msgId: 'm' }], unreadable: [], successCount: 2 };
    const delivery = await deliverTo(groups('a', 'b'), async () => answer);
    assert.deepEqual(states(delivery), { a: 'missing', b: 'reached' });
    assert.deepEqual(delivery.miscounted, [{ successCount: 2, listed: 1 }]);
  });

  it('notes receivers that were not asked for, and reaches nobody by them', async () => {
    const reached = [
      { recvId: 'x', msgId: 'm' },
      { recvId: 'a', msgId: 'n' },
    ];
    const delivery = await deliverTo(groups('a', 'b'), async () => ({ reached, unreadable: [], successCount: 2 }));
    assert.deepEqual(states(delivery), { a: 'reached', b: 'missing' });
    assert.deepEqual([delivery.surplus, delivery.miscounted], [['x'], []]);
  });

  it('notes a count that is wrong in either direction', async () => {
    const reached = [{ recvId: 'a', msgId: 'm' }];
    for (const successCount of [0, 2]) {
      const { miscounted } = await deliverTo(groups('a'), async () => ({ reached, unreadable: [], successCount }));
      assert.deepEqual(miscounted, [{ successCount, listed: 1 }]);
    }
  });

  it('is not reached by being named in the answer to another batch', async () => {
    const answers = [['c'], []].map((ids) => ({
      reached: ids.map((recvId) => ({ recvId, msgId: 'm' })),
      unreadable: [],
      successCount: 1,
    }));
    const delivery = await deliverTo(groups('a', 'b', 'c'), async () => answers.shift() ?? assert.fail());
    assert.deepEqual(states(delivery), { a: 'missing', b: 'missing', c: 'missing' });
    assert.deepEqual(delivery.surplus, ['c']);
    assert.deepEqual(delivery.miscounted, [{ successCount: 1, listed: 0 }]);
  });

  it('notes what the service listed and names no receiver, and does not count it as missing from the list', async () => {
    const answer = { reached: [{ recvId: 'a', msgId: 'm' }], unreadable: [{ msgId: 'n' }], successCount: 2 };
    const delivery = await deliverTo(groups('a', 'b'), async () => answer);
    assert.deepEqual(states(delivery), { a: 'reached', b: 'missing' });
    assert.deepEqual([delivery.unreadable, delivery.miscounted], [[{ msgId: 'n' }], []]);
  });

  it('misses no count where the service gives none', async () => {
    const answer = { reached: [], unreadable: [], successCount: undefined };
    const { miscounted } = await deliverTo(groups('a'), async () => answer);
    assert.deepEqual(miscounted, []);
  });

  it('goes on after a batch that failed, and says of each recipient what became of it', async () => {
    const answers: ((batch: Batch) => Promise<BatchAnswer>)[] = [
      failing({ kind: 'rejected', code: 1007, text: 'slow down', status: 200 }),
      async (batch) => everyone(batch),
      failing({ kind: 'timedOut', after: 1 }),
    ];
    const delivery = await deliverTo(groups('a', 'b', 'c', 'd', 'e'), (batch) =>
      (answers.shift() ?? assert.fail())(batch),
    );
    assert.deepEqual(states(delivery), { a: 'rejected', b: 'rejected', c: 'reached', d: 'reached', e: 'unknown' });
  });

  it('did not begin where it was cancelled while a batch waited for its turn', async () => {
    const delivery = await deliverTo(groups('a'), failing({ kind: 'cancelled', unsent: true }));
    assert.deepEqual(delivery.results[0]?.outcome, { state: 'notSent' });
  });

  it('tells failures before anything was sent from those after', async () => {
    const unreachable = (reason: string) => ({ kind: 'unreachable', reason }) as const;
    const failures: [Failure, string][] = [
      [{ kind: 'rejected', code: -1, text: 'no', status: 200 }, 'rejected'],
      [unreachable('ECONNREFUSED'), 'notSent'],
      [unreachable('ENOTFOUND'), 'notSent'],
      [unreachable('EAI_AGAIN'), 'notSent'],
      [unreachable('ECONNRESET'), 'unknown'],
      [unreachable('UND_ERR_SOCKET'), 'unknown'],
      [unreachable('anything else'), 'unknown'],
      [{ kind: 'timedOut', after: 1 }, 'unknown'],
      [{ kind: 'cancelled' }, 'unknown'],
      [unreachable('DEPTH_ZERO_SELF_SIGNED_CERT'), 'notSent'],
      [{ kind: 'http', status: 429, excerpt: '' }, 'rejected'],
      [{ kind: 'tooLarge', bound: 1 }, 'unknown'],
      [{ kind: 'http', status: 502, excerpt: '' }, 'unknown'],
      [{ kind: 'notEnvelope', status: 200, excerpt: '' }, 'unknown'],
      [{ kind: 'unreadable', path: 'data', problem: '' }, 'unknown'],
    ];
    for (const [failure, state] of failures) {
      const error = new ServiceError(failure);
      const { results } = await deliverTo(groups('a'), () => Promise.reject(error));
      assert.deepEqual(results[0]?.outcome, { state, error });
    }
  });

  it('does not know what became of a batch after an error of any other kind', async () => {
    const throwing = () => {
      throw new RangeError('a mistake');
    };
    for (const send of [throwing, () => Promise.reject(undefined)]) {
      assert.deepEqual(states(await deliverTo(groups('a'), send)), { a: 'unknown' });
    }
  });

  it('sends no further batch once it is cancelled', async () => {
    const abort = new AbortController();
    const sent: string[] = [];
    const send = async (batch: Batch) => {
      sent.push(...batch.recipients.map(({ id }) => id));
      if (sent.length === 4) abort.abort();
      return everyone(batch);
    };
    const delivery = await deliverTo(groups('a', 'b', 'c', 'd', 'e', 'f', 'g'), send, abort.signal);
    assert.deepEqual(sent, ['a', 'b', 'c', 'd']);
    assert.deepEqual(Object.values(states(delivery)), [...Array(4).fill('reached'), ...Array(3).fill('notSent')]);
    assert.deepEqual(delivery.results[4]?.outcome, { state: 'notSent' });
  });

  it('sends nothing when it was cancelled before', async () => {
    const delivery = await deliverTo(groups('a', 'b', 'c'), () => assert.fail('sent'), AbortSignal.abort());
    assert.deepEqual(states(delivery), { a: 'notSent', b: 'notSent', c: 'notSent' });
  });

  it('tells after each batch how many recipients are done', async () => {
    const told: number[] = [];
    await deliverTo(groups('a', 'b', 'c', 'd', 'e'), failing({ kind: 'cancelled' }), never, (done) => told.push(done));
    assert.deepEqual(told, [2, 4, 5]);
  });

  it('sends one batch at a time', async () => {
    let inFlight = 0;
    const send = async (batch: Batch) => {
      assert.equal(++inFlight, 1);
      await new Promise(setImmediate);
      inFlight--;
      return everyone(batch);
    };
    const delivery = await deliverTo(groups('a', 'b', 'c', 'd', 'e'), send);
    assert.ok(delivery.results.every(({ outcome }) => outcome.state === 'reached'));
  });
});

describe('Delivery whatever the service answers', () => {
  const recipient = fc.record({
    type: fc.constantFrom('group' as const, 'user' as const),
    id: fc.integer({ min: 1, max: 20 }).map(String),
    name: fc.string(),
  });
  const reason = fc.constantFrom('ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'x');
  const error = fc.oneof(
    fc.record({
      kind: fc.constant('rejected' as const),
      code: fc.integer(),
      text: fc.string(),
      status: fc.constant(200),
    }),
    fc.record({ kind: fc.constant('unreachable' as const), reason }),
    fc.record({ kind: fc.constant('timedOut' as const), after: fc.nat() }),
  );
  const recvId = fc.oneof(fc.integer({ min: 1, max: 25 }).map(String), fc.constant('__proto__'));
  const reached = fc.array(fc.record({ recvId, msgId: fc.string() }));
  const answer = fc.oneof(
    error.map((failure) => new ServiceError(failure)),
    fc.record({
      reached,
      unreadable: fc.array(fc.jsonValue(), { maxLength: 2 }),
      successCount: fc.option(fc.nat(30), { nil: undefined }),
    }),
  );
  const batches = fc
    .tuple(fc.array(recipient), fc.integer({ min: 1, max: 5 }))
    .map(([all, size]) => planBatches(all, size));

  /** Asserts a law of deliveries for any plan, any answers, and a cancellation after any number of batches. */
  const assertAlways = (law: (plan: Batch[], sent: Batch[], delivery: Delivery) => void) =>
    fc.assert(
      fc.asyncProperty(batches, fc.infiniteStream(answer), fc.nat(12), async (plan, answers, cancelAfter) => {
        const abort = new AbortController();
        const sent: Batch[] = [];
        const send = async (batch: Batch) => {
          if (sent.push(batch) === cancelAfter) abort.abort();
          const next = answers.next().value;
          if (next instanceof ServiceError) throw next;
          return next;
        };
        law(plan, sent, await deliver(plan, send, abort.signal, () => {}));
      }),
    );

  it('has exactly one outcome for every recipient, in the order of the plan', () =>
    assertAlways((plan, _, { results }) => {
      const recipients = results.map((result) => result.recipient);
      assert.deepEqual(
        recipients,
        plan.flatMap((batch) => batch.recipients),
      );
    }));

  it('sends each batch once at most, and none out of turn', () =>
    assertAlways((plan, sent) => assert.deepEqual(sent, plan.slice(0, sent.length))));

  it('takes nobody of a batch that was sent for one that was not, unless no connection came about', () =>
    assertAlways((_, sent, { results }) => {
      const count = sent.flatMap((batch) => batch.recipients).length;
      for (const [index, { outcome }] of results.entries()) {
        if (index >= count) assert.deepEqual(outcome, { state: 'notSent' });
        else if (outcome.state === 'notSent') assert.match(String(outcome.error), /ECONNREFUSED|ENOTFOUND/);
      }
    }));
}).timeout(10_000);

describe('Delivery over HTTP', () => {
  it('reaches chats of the sandbox, and does not confirm one that does not exist', async () => {
    const { sandbox, close } = await serveSandbox();
    const client = new Client({ webUrl: sandbox.webUrl, openApiUrl: sandbox.openApiUrl });
    const delivery = await deliverBy(client, never, ['518204736', '999', 'big']);
    assert.deepEqual(states(delivery), { '518204736': 'reached', '999': 'missing', big: 'reached' });
    await close();
  });

  it('sent nothing where the connection is refused', async () => {
    for (const address of [NOBODY, NOBODY.replace('127.0.0.1', 'localhost')]) {
      const client = new Client({ webUrl: address, openApiUrl: address });
      assert.deepEqual(states(await deliverBy(client)), { big: 'notSent' });
    }
  });

  it('is unknown when no answer comes in time, and is not sent again', async () => {
    await using service = await answering(silence, { timeout: 500 });
    assert.deepEqual(states(await deliverBy(service.client)), { big: 'unknown' });
    assert.equal(service.got.length, 1);
  });

  it('is unknown when it is cancelled on its way, and the rest is not sent', async () => {
    const abort = new AbortController();
    await using service = await answering(() => {
      abort.abort();
      return silence();
    });
    const delivery = await deliverBy(service.client, abort.signal, ['a', 'b', 'c']);
    assert.deepEqual(states(delivery), { a: 'unknown', b: 'unknown', c: 'notSent' });
    assert.equal(service.got.length, 1);
  });
}).timeout(10_000);
