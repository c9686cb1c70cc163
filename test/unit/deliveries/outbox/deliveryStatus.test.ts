import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Attempt, DeliveryStatus, OUTCOME_STATES } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import type { JournalLine } from '../../../../src/deliveries/outbox/record.ts';
import type { Batch, Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { type Failure, ServiceError } from '../../../../src/service/errors.ts';
import { chatKey } from '../../../../src/service/model.ts';
import {
  type Answers,
  AT,
  answered,
  deliverBatches,
  deliveryOf,
  failed,
  groups,
  planBatches,
  states,
} from './testDeliveries.ts';

const recipient = fc.record({
  kind: fc.constantFrom('group' as const, 'user' as const),
  id: fc.oneof(fc.integer({ min: 1, max: 20 }).map(String), fc.constantFrom('big', '__proto__')),
  name: fc.string(),
});

const failure: fc.Arbitrary<Failure> = fc.oneof(
  fc.record({
    kind: fc.constant('rejected' as const),
    code: fc.constantFrom(-1, 0, 1002, 1003, 1005, 1007),
    text: fc.string(),
    status: fc.constantFrom(200, 429, 503),
  }),
  fc.record({
    kind: fc.constant('unreachable' as const),
    reason: fc.constantFrom('ECONNREFUSED', 'ECONNRESET', 'x'),
  }),
  fc.record({ kind: fc.constant('timedOut' as const), after: fc.nat() }),
);

const recvId = fc.oneof(fc.integer({ min: 1, max: 25 }).map(String), fc.constant('__proto__'));

const answer = fc.oneof(
  failure.map((one) => new ServiceError(one)),
  fc.record({
    reached: fc.array(fc.record({ recvId, msgId: fc.string({ minLength: 1 }) })),
    unreadable: fc.array(fc.jsonValue(), { maxLength: 2 }),
    successCount: fc.option(fc.nat(30), { nil: undefined }),
  }),
);

const plan = fc
  .tuple(fc.array(recipient, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }))
  .map(([all, size]) => ({ chosen: all, batches: planBatches(all, size) }));

const keyOf = ({ kind, id }: Recipient) => `${kind} ${id}`;

interface Run {
  chosen: Recipient[];
  batches: Batch[];
  sent: Batch[];
  status: DeliveryStatus;
  lines: JournalLine[];
}

/** Asserts a property for any plan, any answers, and a cancellation after any number of calls. */
const assertAlways = (property: (run: Run) => void) =>
  fc.assert(
    fc.asyncProperty(plan, fc.infiniteStream(answer), fc.nat(12), async ({ chosen, batches }, answers, cancelAfter) => {
      const sent: Batch[] = [];
      const respond: Answers = async (batch, abort) => {
        if (sent.push(batch) === cancelAfter) abort();
        const next = answers.next().value;
        if (next instanceof ServiceError) throw next;
        return next;
      };
      const { status, lines } = await deliverBatches(batches, [respond]);
      property({ chosen, batches, sent, status, lines });
    }),
  );

describe('Delivery status, whatever the service answers', () => {
  it('has every recipient in exactly one state', () =>
    assertAlways(({ chosen, status }) => {
      const everyone = new Set(chosen.map(keyOf));
      const inStates = OUTCOME_STATES.flatMap((state) => status.recipients(state).map(keyOf));
      assert.deepEqual(inStates.toSorted(), [...everyone].toSorted());
      assert.equal(status.total, everyone.size);
      for (const state of OUTCOME_STATES) {
        assert.equal(status.counts[state], status.recipients(state).length);
        assert.deepEqual(status.firstListed(state, 2), status.recipients(state).slice(0, 2));
      }
    }));

  it('is the same when restored from the journal', () =>
    assertAlways(({ batches, status, lines, sent }) => {
      const begun = lines.flatMap((line) => ('attempt' in line ? [line] : []));
      assert.equal(begun.length, sent.length);
      const read = new DeliveryStatus(deliveryOf(batches), begun, JSON.parse(JSON.stringify(lines)));
      for (const one of status.recipients())
        assert.deepEqual(read.outcomeOf(one), JSON.parse(JSON.stringify(status.outcomeOf(one))));
      assert.deepEqual(read.counts, status.counts);
      assert.deepEqual(read.nextAttempts(), status.nextAttempts());
    }));

  it('counts no recipient as reached that no answer listed', () =>
    assertAlways(({ status, lines }) => {
      const named = new Set(
        lines.flatMap((line) => (line.what === 'answered' ? line.reached : [])).map((one) => one.recvId),
      );
      for (const { id } of status.recipients('reached')) assert.ok(named.has(id));
    }));

  it('repeats only rate-limited batches', () =>
    assertAlways(({ sent, lines }) => {
      const tries = lines.flatMap((line) => ('attempt' in line ? [line] : []));
      for (const [index, line] of tries.entries()) {
        const before = tries[index - 1];
        if (line.attempt === 0) continue;
        assert.equal(before?.batch, line.batch);
        const said = before?.what === 'failed' ? before.failure : undefined;
        assert.ok(said?.kind === 'rejected' && said.status < 500 && (said.code === 1007 || said.status === 429));
      }
      assert.equal(new Set(tries.map(({ batch, attempt }) => `${batch}.${attempt}`)).size, sent.length);
    }));

  it('counts exactly those recipients as not sent that no call was made for, or whose connection failed', () =>
    assertAlways(({ status, sent }) => {
      const gone = new Set(sent.flatMap((batch) => batch.recipients).map(keyOf));
      for (const one of status.recipients()) {
        const outcome = status.outcomeOf(one);
        if (!gone.has(keyOf(one))) assert.deepEqual(outcome, { state: 'notSent' });
        else if (outcome.state === 'notSent') assert.equal(outcome.failure?.kind, 'unreachable');
      }
    }));
});

describe('Delivery status after a crash', () => {
  const batches = planBatches(groups('a', 'b', 'c', 'd', 'e', 'f'), 2);
  /** The batches that are sent next, and which attempt that is. */
  const nextOf = (status: DeliveryStatus) => status.nextAttempts().map(({ batch, attempt }) => `${batch}.${attempt}`);

  it('counts a claimed batch without a journal line as unknown', () => {
    const begun = [0, 1].map((batch) => ({ batch, attempt: 0 }));
    const status = new DeliveryStatus(deliveryOf(batches), begun, [answered(0, 'a', 'b')]);
    assert.equal(Object.values(states(status)).join(' '), 'reached reached unknown unknown notSent notSent');
    assert.deepEqual(nextOf(status), ['2.0']);
  });

  it('counts a second attempt without a journal line as unknown, even after a refusal', () => {
    const begun = [0, 1].map((attempt) => ({ batch: 0, attempt }));
    const status = new DeliveryStatus(deliveryOf(batches), begun, [failed(0)]);
    assert.deepEqual([status.counts.unknown, status.counts.notSent], [2, 4]);
    const once = new DeliveryStatus(deliveryOf(batches), begun.slice(0, 1), [failed(0)]);
    assert.deepEqual(nextOf(once), ['0.1', '1.0', '2.0']);
  });

  it('takes the outcomes of a check, without sending anything again', () => {
    const status = new DeliveryStatus(deliveryOf(batches), [{ batch: 0, attempt: 0 }]);
    status.apply({
      what: 'read',
      at: AT,
      found: [
        { kind: 'group', id: 'a', msgId: 'm' },
        { kind: 'group', id: 'b' },
        { kind: 'group', id: 'stranger', msgId: 'm' },
      ],
    });
    assert.deepEqual(status.outcomeOf({ kind: 'group', id: 'a' }), { state: 'reached', msgId: 'm' });
    assert.deepEqual(status.outcomeOf({ kind: 'group', id: 'b' }), { state: 'absent' });
    assert.equal(status.total, 6);
    assert.deepEqual(nextOf(status), ['1.0', '2.0']);
  });

  it('remembers of whom a check came too early, until another one settles it', () => {
    const a = { kind: 'group', id: 'a' } as const;
    const status = new DeliveryStatus(deliveryOf(batches), [{ batch: 0, attempt: 0, at: AT }]);
    const early = [a, { kind: 'group' as const, id: 'e' }];
    status.apply({ what: 'read', at: AT, found: [], early });
    assert.deepEqual(status.outcomeOf(a), { state: 'unknown', at: AT, wasEarly: true });
    assert.deepEqual(status.outcomeOf({ kind: 'group', id: 'b' }), { state: 'unknown', at: AT });
    assert.deepEqual([status.counts.unknown, status.counts.notSent], [2, 4]);
    status.apply({ what: 'read', at: AT, found: [a] });
    assert.deepEqual(status.outcomeOf(a), { state: 'absent' });
  });

  it('has the reason of an early stop until the next outcome', () => {
    const stopped = { what: 'stopped', at: AT, why: 'canceled' } as const;
    assert.equal(new DeliveryStatus(deliveryOf(batches), [], [stopped]).stopped, 'canceled');
    assert.equal(new DeliveryStatus(deliveryOf(batches), [], [stopped, failed(0)]).stopped, undefined);
  });

  it('never repeats a batch if one of its recipients was reached', () => {
    const status = new DeliveryStatus(
      deliveryOf(batches),
      [{ batch: 0, attempt: 0 }],
      [{ what: 'read', at: AT, found: [{ kind: 'group', id: 'b', msgId: 'm' }] }, failed(0)],
    );
    assert.deepEqual(nextOf(status), ['1.0', '2.0']);
  });

  it('keeps a recipient reached, whatever later lines say', () => {
    const status = new DeliveryStatus(
      deliveryOf(batches),
      [],
      [answered(0, 'a'), { what: 'read', at: AT, found: [{ kind: 'group', id: 'a' }] }],
    );
    assert.equal(status.outcomeOf({ kind: 'group', id: 'a' }).state, 'reached');
  });
});

describe('Delivery status', () => {
  const a = { kind: 'group', id: 'a' } as const;
  const person = (id: string, by: 'needless' | 'never') => ({ kind: 'user', id, name: id, by, note: 'asked' }) as const;
  const people = [person('p', 'needless'), person('q', 'never')];
  const batches = planBatches([...groups('a', 'b'), { kind: 'user', id: 'c', name: 'C' }], 1);
  const statusWith = (begun: Attempt[], ...lines: JournalLine[]) =>
    new DeliveryStatus(deliveryOf(batches, { leftOut: { people, rows: 5 } }), begun, lines);

  it('has the time of the first call that went out, as far as is known', () => {
    const one = { batch: 0, attempt: 0 };
    for (const [begun, lines, sentAt] of [
      [[], [], undefined],
      [[one], [], undefined],
      [
        [
          { ...one, at: AT + 2 },
          { batch: 1, attempt: 0, at: AT + 1 },
          { ...one, batch: 2, at: AT + 3 },
        ],
        [],
        AT + 1,
      ],
      [[{ ...one, at: AT + 2, leftOut: [{ id: 'a' }] }], [], undefined],
      [[], [failed(0, 'notSent')], undefined],
      [[], [failed(0)], AT],
      [[], [{ ...answered(0, 'a'), at: AT + 5 }, failed(1)], AT],
    ] as [Attempt[], JournalLine[], number?][])
      assert.equal(statusWith(begun, ...lines).sentAt, sentAt);
  });

  it('counts whom an answer lists as reached, the others as not confirmed, and notes what is odd in it', () => {
    for (const [listed, more, notes] of [
      ['a', { successCount: 1 }, {}],
      ['a', {}, {}],
      ['a', { successCount: 0 }, { miscounted: [{ successCount: 0, listed: 1 }] }],
      ['a', { successCount: 2 }, { miscounted: [{ successCount: 2, listed: 1 }] }],
      ['xaa', { successCount: 3 }, { unrequested: ['x'], repeated: ['a'] }],
      // It's in another batch.
      ['ac', { successCount: 2 }, { unrequested: ['c'] }],
      ['a', { successCount: 2, unreadable: [{ msgId: 'n' }] }, { unreadable: [{ msgId: 'n' }] }],
    ] as [string, Partial<ReturnType<typeof answered>>, object][]) {
      const delivery = deliveryOf(planBatches(groups('a', 'b', 'c'), 2));
      const status = new DeliveryStatus(delivery, [], [{ ...answered(0, ...listed), ...more }]);
      assert.deepEqual(states(status), { a: 'reached', b: 'unconfirmed', c: 'notSent' });
      assert.deepEqual(status.outcomeOf(a), { state: 'reached', msgId: 'to a' });
      assert.deepEqual(status.nextAttempts(), [{ batch: 1, attempt: 0 }]);
      const { unrequested, repeated, unreadable, miscounted } = status;
      const none = { unrequested: [], repeated: [], unreadable: [], miscounted: [] };
      assert.deepEqual({ unrequested, repeated, unreadable, miscounted }, { ...none, ...notes });
    }
    const unreadable = Array.from({ length: 300_000 }, () => 0);
    assert.equal(statusWith([], { ...answered(0), unreadable }).unreadable.length, 300_000);
  });

  it('counts those who were left out apart from its recipients', () => {
    const status = statusWith([], {
      what: 'leftOut',
      batch: 1,
      attempt: 0,
      at: AT,
      leftOut: [{ id: 'b', note: 'asked' }],
    });
    assert.deepEqual([status.total, status.intended, status.chatCounts], [3, 2, { group: 2, user: 1 }]);
    assert.deepEqual([status.listedCount('leftOut'), status.listedCount('notSent')], [3, 2]);
    assert.deepEqual(status.outcomeOf(people[0] ?? a), { state: 'leftOut', by: 'needless', note: 'asked' });
    assert.deepEqual(status.outcomeOf({ kind: 'group', id: 'b' }), { state: 'leftOut', by: 'never', note: 'asked' });
    const firstOut = (limit: number) => status.firstListed('leftOut', limit).map(({ id }) => id);
    assert.deepEqual([firstOut(0), firstOut(2), firstOut(9)], [[], ['b', 'p'], ['b', 'p', 'q']]);
    assert.deepEqual([...status.needless], [chatKey({ kind: 'user', id: 'p' })]);
    assert.deepEqual([[...status.unreachedOutcomes()], status.isUnsent, status.isComplete], [[], true, false]);
    status.apply(answered(0, 'a'));
    status.apply(answered(2, 'c'));
    assert.deepEqual([status.isUnsent, status.isComplete], [false, true]);
    // Who wasn't in the call isn't reached, even if the service names them.
    status.apply(answered(1, 'b'));
    assert.deepEqual([states(status).b, status.unrequested], ['leftOut', ['b']]);
  });

  it('knows if all who are left don’t exist', () => {
    const found = (id: string, doesExist = false): JournalLine => ({
      what: 'read',
      at: AT,
      found: [{ kind: 'group', id, ...(!doesExist && { failure: { kind: 'notFound', what: 'group', id } }) }],
    });
    const answers = [answered(0), answered(1), answered(2, 'c')];
    for (const [lines, isOnlyNobodyLeft] of [
      [[...answers, found('a'), found('b')], true],
      [[...answers, found('a'), found('b', true)], false],
      [[...answers, found('a')], false],
      [[answered(0, 'a'), answered(1, 'b'), answered(2, 'c')], false],
    ] as const)
      assert.equal(statusWith([], ...lines).isOnlyNobodyLeft, isOnlyNobodyLeft);
  });

  it('learns from a later delivery, but never that the message has not, or may not have, arrived before', () => {
    const outcomes = {
      reached: { state: 'reached', msgId: 'm' },
      unconfirmed: { state: 'unconfirmed' },
      unknown: { state: 'unknown' },
      absent: { state: 'absent' },
      rejected: { state: 'rejected', failure: undefined },
      notSent: { state: 'notSent' },
    } as const;
    for (const [before, later, state] of [
      ['reached', 'unknown', 'reached'],
      ['unknown', 'reached', 'reached'],
      ['unknown', 'rejected', 'unknown'],
      ['unknown', 'unconfirmed', 'unconfirmed'],
      ['unconfirmed', 'absent', 'unconfirmed'],
      ['absent', 'rejected', 'rejected'],
      ['rejected', 'notSent', 'rejected'],
      ['notSent', 'notSent', 'notSent'],
    ] as const) {
      const status = statusWith([]);
      status.learn(a, outcomes[before]);
      status.learn(a, outcomes[later]);
      assert.equal(status.outcomeOf(a).state, state, `${before}, ${later}`);
      assert.equal(status.counts[state], state === 'notSent' ? 3 : 1);
    }
  });

  it('takes over what was odd in the answers to another delivery, and when that was moved last', () => {
    const odd = { ...answered(0, 'a', 'a', 'z'), unreadable: ['odd'], successCount: 9 };
    const moved = (at: number, move?: string): JournalLine => ({ what: 'moved', at, ...(move && { move }) });
    const status = statusWith([], moved(AT + 2, 'one'), moved(AT + 1));
    assert.deepEqual([status.movedAt, [...status.moves]], [AT + 2, ['one']]);
    status.addNotes(statusWith([], odd));
    assert.deepEqual([status.unrequested, status.repeated, status.unreadable], [['z'], ['a'], ['odd']]);
    assert.deepEqual([status.miscounted, status.movedAt], [[{ successCount: 9, listed: 4 }], AT + 2]);
    status.addNotes(statusWith([], moved(AT + 3)));
    assert.equal(status.movedAt, AT + 3);
  });
});
