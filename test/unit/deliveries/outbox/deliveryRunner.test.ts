import assert from 'node:assert/strict';
import { ChangedMessageError } from '../../../../src/deliveries/outbox/deliveryMessages.ts';
import { DeliveryRunner, StopError } from '../../../../src/deliveries/outbox/deliveryRunner.ts';
import { DeletedError } from '../../../../src/deliveries/outbox/deliveryStore.ts';
import { type Failure, ServiceError } from '../../../../src/service/errors.ts';
import {
  AT,
  answered,
  deliverBatches,
  deliverTo,
  everyone,
  failing,
  groups,
  planBatches,
  refused,
  senderOf,
  states,
  unreachable,
} from './testDeliveries.ts';

const batchesOf = (ids: string[]) => planBatches(groups(...ids), 2);

describe('Delivery runner', () => {
  it('records who doesn’t exist of those who may have the message, so that nobody looks for it there', async () => {
    const asked: unknown[] = [];
    const failure: Failure = { kind: 'notFound', what: 'group', id: 'b' };
    const { status, lines } = await deliverBatches(
      batchesOf([...'abcdef']),
      [
        async () => ({ reached: [{ recvId: 'a', msgId: 'm' }], unreadable: [], successCount: 1 }),
        refused(1005),
        unreachable('reset'),
      ],
      {
        missing: async (recipients) => {
          asked.push(...recipients.map(({ id }) => id));
          return [{ kind: 'group', id: 'b', failure }];
        },
      },
    );
    assert.deepEqual(asked, ['b', 'e', 'f']);
    assert.deepEqual(lines.at(-1), { what: 'read', at: AT, found: [{ kind: 'group', id: 'b', failure }] });
    assert.deepEqual(status.outcomeOf({ kind: 'group', id: 'b' }), { state: 'absent', failure });
  });

  it('stops after two lost answers in a row', async () => {
    const { status, stopped, sent } = await deliverTo('abcdefgh', everyone, unreachable('ECONNRESET'));
    const { reached, unknown, notSent } = status.counts;
    assert.deepEqual([stopped?.why, sent.length, reached, unknown, notSent], ['failed', 3, 2, 4, 2]);
  });

  it('goes on after lost answers that others come between', async () => {
    const lost = unreachable('ECONNRESET');
    for (const between of [everyone, refused(1005)]) {
      const { stopped, sent } = await deliverTo('abcdef', lost, between, lost);
      assert.deepEqual([stopped, sent.length], [undefined, 3]);
    }
  });

  it('stops if a call fails before it goes out, and says why', async () => {
    const cause = new Error('removed');
    const offline = new ServiceError({ kind: 'unreachable', reason: 'ENOTFOUND' });
    const insecure = new ServiceError({ kind: 'insecure' });
    const mistake = new RangeError('a mistake');
    for (const [error, stop] of [
      [offline, { why: 'failed', error: offline }],
      [insecure, { why: 'noToken', error: insecure }],
      [new StopError('noToken', cause), { why: 'noToken', error: cause }],
      [new ChangedMessageError(), { why: 'changed' }],
      [mistake, { why: 'disk', error: mistake }],
    ] as const) {
      const send = () => Promise.reject(error);
      const { stopped, status, lines } = await deliverBatches(batchesOf(['a']), [], { send });
      assert.deepEqual(stopped, stop);
      assert.equal(status.counts.notSent, 1);
      assert.deepEqual(lines, [{ what: 'stopped', at: AT, why: stop.why }]);
    }
  });

  it("stops if it can't connect", async () => {
    const { status, stopped, sent } = await deliverTo('abcdef', unreachable('ECONNREFUSED'));
    assert.deepEqual([stopped?.why, sent.length, status.counts.notSent], ['failed', 1, 6]);
  });

  it('stops if the service refuses the token', async () => {
    const { status, stopped, sent, lines } = await deliverTo('abcd', refused(1003, 'unauthorised'));
    assert.deepEqual([stopped?.why, sent.length], ['token', 1]);
    assert.deepEqual(states(status), { a: 'rejected', b: 'rejected', c: 'notSent', d: 'notSent' });
    assert.deepEqual(lines.at(-1)?.what, 'stopped');
  });

  it("continues if the error text says that the receiver isn't a friend of the bot", async () => {
    const { status, stopped, sent } = await deliverTo('abcdef', refused(1003, 'recvId值错误，该用户不是机器人好友'));
    assert.deepEqual([stopped, sent.length, status.counts.rejected], [undefined, 3, 6]);
  });

  it('takes the same code after a success for a refused receiver, once', async () => {
    const one = await deliverTo('abcdef', everyone, refused(1003), everyone);
    assert.deepEqual([one.status.counts.reached, one.status.counts.rejected], [4, 2]);
    const two = await deliverTo('abcdefgh', everyone, refused(1003));
    assert.deepEqual([two.stopped?.why, two.sent.length], ['token', 3]);
  });

  it('repeats a rate-limited batch until it is accepted', async () => {
    const { status, sent, lines } = await deliverTo('abcd', refused(1007), refused(1007), everyone);
    assert.deepEqual([sent.map((ids) => ids.join('')), status.counts.reached], [['ab', 'ab', 'ab', 'cd'], 4]);
    const tries = lines.map((line) => 'attempt' in line && `${line.batch}.${line.attempt}`);
    assert.deepEqual(tries, ['0.0', '0.1', '0.2', '1.0']);
  });

  it('gives up after eight rate-limited tries', async () => {
    const { status, sent, stopped } = await deliverTo('abcd', failing({ kind: 'http', status: 429, excerpt: '' }));
    const { rejected, notSent } = status.counts;
    assert.deepEqual([stopped?.why, sent.length, rejected, notSent], ['failed', 8, 2, 2]);
  });

  it('never repeats a batch that a gateway reports as rate-limited, because it may have been sent', async () => {
    const gateway = failing({ kind: 'rejected', code: 1007, text: 'too often', status: 503 });
    const { status, sent } = await deliverTo('abcd', gateway, everyone);
    assert.equal(sent.length, 2);
    assert.deepEqual(states(status), { a: 'unknown', b: 'unknown', c: 'reached', d: 'reached' });
  });

  it('waits for a while, as long as requested up to a minute, if the rate limiter refused the call locally', async () => {
    for (const [requested, wait] of [
      [{ retryAfter: 30_000 }, 30_000],
      [{ retryAfter: 90_000 }, 60_000],
      [{}, 5_000],
    ] as const) {
      let calls = 0;
      const { status, waits } = await deliverBatches(batchesOf(['a']), [], {
        async send(batch, { before }) {
          if (calls++ === 0) throw new ServiceError({ kind: 'http', status: 429, excerpt: '', ...requested });
          await before();
          return everyone(batch, () => {});
        },
      });
      assert.deepEqual([waits, status.counts.reached], [[wait], 1]);
    }
  });

  it('distinguishes failures before and after sending', async () => {
    const says = (status: number): Failure => ({ kind: 'rejected', code: 1005, text: 'no', status });
    const gone = (reason: string): Failure => ({ kind: 'unreachable', reason });
    for (const [failure, state] of [
      [says(200), 'rejected'],
      // A gateway may answer like this after the message was sent.
      [says(502), 'unknown'],
      [gone('ECONNREFUSED'), 'notSent'],
      [gone('ENOTFOUND'), 'notSent'],
      [gone('EAI_AGAIN'), 'notSent'],
      [gone('DEPTH_ZERO_SELF_SIGNED_CERT'), 'notSent'],
      [gone('ECONNRESET'), 'unknown'],
      [gone('UND_ERR_SOCKET'), 'unknown'],
      [gone('anything else'), 'unknown'],
      [{ kind: 'timedOut', after: 1 }, 'unknown'],
      [{ kind: 'cancelled' }, 'unknown'],
    ] as const) {
      const { status } = await deliverTo('a', failing(failure));
      const at = state === 'unknown' ? { at: AT } : {};
      assert.deepEqual(status.outcomeOf({ kind: 'group', id: 'a' }), { state, failure, ...at });
      // Nothing that may have been sent is sent again.
      assert.equal(status.nextAttempts().length, state === 'unknown' ? 0 : 1);
    }
  });

  it('counts a batch as unknown after any other error', async () => {
    for (const error of [new RangeError('a mistake'), undefined]) {
      const { status } = await deliverTo('a', () => Promise.reject(error));
      assert.deepEqual(states(status), { a: 'unknown' });
    }
  });

  it('waits for the call under way when canceled, and makes no further one', async () => {
    const { status, stopped, sent } = await deliverTo('abcd', (batch, abort) => {
      abort();
      return everyone(batch, abort);
    });
    assert.deepEqual(sent, [['a', 'b']]);
    assert.deepEqual(states(status), { a: 'reached', b: 'reached', c: 'notSent', d: 'notSent' });
    assert.equal(stopped?.why, 'canceled');
  });

  it('sends nothing if canceled before the start', async () => {
    const { status, sent } = await deliverBatches(batchesOf(['a', 'b', 'c']), [], { canceled: true });
    assert.deepEqual([sent, status.counts.notSent], [[], 3]);
  });

  it("sends nothing if the claim can't be stored", async () => {
    const full = Promise.reject(new Error('no space left'));
    full.catch(() => {});
    const { status, stopped, sent } = await deliverBatches(batchesOf(['a', 'b', 'c']), [everyone], {
      begin: () => full,
    });
    assert.deepEqual([stopped?.why, sent, status.counts.notSent], ['disk', [], 3]);
  });

  it("stops if an outcome can't be stored, but keeps it in memory", async () => {
    const { status, stopped, sent } = await deliverBatches(batchesOf(['a', 'b', 'c']), [everyone], {
      append: () => Promise.reject(new Error('no space left')),
    });
    assert.deepEqual([stopped?.why, sent.length], ['disk', 1]);
    assert.deepEqual(states(status), { a: 'reached', b: 'reached', c: 'notSent' });
  });

  it('stops, and records nothing more, when another window has claimed the next batch, or deleted the delivery', async () => {
    for (const [begin, why] of [
      [async () => false, 'taken'],
      [() => Promise.reject(new DeletedError()), 'deleted'],
    ] as const) {
      const { stopped, sent, lines } = await deliverBatches(batchesOf(['a', 'b', 'c']), [everyone], {
        begin: async ({ batch }) => batch === 0 || begin(),
        missing: () => assert.fail('looked up'),
      });
      assert.deepEqual([stopped, sent], [{ why }, [['a', 'b']]]);
      assert.deepEqual(
        lines.map(({ what }) => what),
        ['answered'],
      );
    }
  });

  it('sends one batch at a time', async () => {
    let inFlight = 0;
    const { status } = await deliverTo('abcde', async (batch, abort) => {
      assert.equal(++inFlight, 1);
      await new Promise(setImmediate);
      inFlight--;
      return everyone(batch, abort);
    });
    assert.equal(status.counts.reached, 5);
  });
});

describe('Delivery runner with a Do Not Send list', () => {
  const notes = (ids: string, note = '') => new Map([...ids].map((id) => [`group ${id}`, note]));

  it('leaves out who is on it when a batch is claimed, which the claim and the result say', async () => {
    let list = notes('b', 'asked');
    const begun: unknown[] = [];
    const { status, sent, lines } = await deliverBatches(batchesOf([...'abcd']), [everyone], {
      never: () => list,
      begin: async (attempt) => {
        begun.push(attempt);
        // From now on, for the next batch.
        list = notes('bc');
        return true;
      },
    });
    assert.deepEqual(sent, [['a'], ['d']]);
    assert.deepEqual(begun, [
      { batch: 0, attempt: 0, leftOut: [{ id: 'b', note: 'asked' }] },
      { batch: 1, attempt: 0, leftOut: [{ id: 'c' }] },
    ]);
    assert.deepEqual(
      lines.map((line) => 'leftOut' in line && line.leftOut),
      [[{ id: 'b', note: 'asked' }], [{ id: 'c' }]],
    );
    assert.deepEqual(states(status), { a: 'reached', b: 'leftOut', c: 'leftOut', d: 'reached' });
    assert.deepEqual(status.outcomeOf({ kind: 'group', id: 'b' }), { state: 'leftOut', by: 'never', note: 'asked' });
    assert.deepEqual([status.intended, status.isComplete], [2, true]);
  });

  it('makes no call for a batch in which everyone is left out', async () => {
    const { status, sent, lines } = await deliverBatches(batchesOf([...'abc']), [everyone], {
      never: () => notes('ab'),
    });
    assert.deepEqual(sent, [['c']]);
    assert.deepEqual(lines[0], {
      what: 'leftOut',
      batch: 0,
      attempt: 0,
      at: AT,
      leftOut: [{ id: 'a' }, { id: 'b' }],
    });
    assert.deepEqual(states(status), { a: 'leftOut', b: 'leftOut', c: 'reached' });
  });

  it('reads it again once a call may go out, and makes the call without those who are on it now', async () => {
    for (const [before, now, left] of [
      ['', 'a', 'b'],
      ['b', 'a', 'b'],
      ['b', '', 'ab'],
    ] as const) {
      let list = notes(before);
      const { lines } = await deliverBatches(batchesOf([...'ab']), [], {
        never: () => list,
        send: async ({ recipients }, options) => {
          // The rate limiter has waited.
          list = notes(now);
          await options.before();
          return everyone({ recvType: 'group', recipients }, () => {});
        },
      });
      const leftOut = [...now].map((id) => ({ id }));
      assert.deepEqual(lines, [{ ...answered(0, ...left), successCount: left.length, ...(now && { leftOut }) }]);
    }
  });

  it('stops before the next claim while it can’t be read', async () => {
    let reads = 0;
    const unreadable = new Error('no list');
    const { status, stopped, sent, lines } = await deliverBatches(batchesOf([...'abcd']), [everyone], {
      never: () => {
        if (++reads > 2) throw unreadable;
        return notes('');
      },
    });
    assert.deepEqual([sent, stopped], [[['a', 'b']], { why: 'never', error: unreadable }]);
    assert.deepEqual(lines.at(-1), { what: 'stopped', at: AT, why: 'never' });
    assert.deepEqual(states(status), { a: 'reached', b: 'reached', c: 'notSent', d: 'notSent' });
  });

  it('leaves the same out of later attempts, whatever the list says then', async () => {
    const status = (await deliverBatches(batchesOf([...'ab']), [refused(1005)], { never: () => notes('b') })).status;
    assert.deepEqual(states(status), { a: 'rejected', b: 'leftOut' });
    assert.deepEqual(status.nextAttempts(), [{ batch: 0, attempt: 1 }]);
    const sent: string[] = [];
    const journal = { begin: async () => true, append: async () => {} };
    const sender = senderOf([everyone], (ids) => sent.push(ids));
    await new DeliveryRunner(status, sender, journal).run(new AbortController().signal);
    assert.deepEqual([sent, states(status)], [['a'], { a: 'reached', b: 'leftOut' }]);
  });
});
