import assert from 'node:assert/strict';
import { DeliveryStatus } from '../../../../src/deliveries/outbox/deliveryStatus.ts';
import {
  actionsOn,
  actionsOnFamily,
  type DeliveryState,
  isEdited,
  isScheduled,
  mayHaveReplies,
  needsSomebody,
  type OutboxEntry,
  type StoredEntry,
  sentTimeOf,
  shownTimeOf,
  stateOf,
  stateOfFamily,
} from '../../../../src/deliveries/outbox/outboxEntry.ts';
import type { JournalLine } from '../../../../src/deliveries/outbox/record.ts';
import { jointStatus } from '../../../../src/deliveries/outbox/resends.ts';
import {
  AT,
  answered,
  deliveryOf,
  failed,
  groups,
  idOf,
  planBatches,
  runningEntry,
  storedEntry,
} from './testDeliveries.ts';

const noSuch = (id: string): JournalLine => ({
  what: 'read',
  at: AT,
  found: [{ kind: 'group', id, failure: { kind: 'rejected', code: 1004, text: '', status: 200 } }],
});

const changed: JournalLine = { what: 'stopped', at: AT, why: 'changed' };

/** A delivery to two groups, one in a batch, with this journal. */
function delivery(
  lines: JournalLine[],
  {
    isRunning = false,
    isCanceling = false,
    resentBy = '',
    isDeleted = false,
    due = 0,
    editedDue = 0,
    canceledDue = 0,
  } = {},
) {
  const status = new DeliveryStatus(deliveryOf(planBatches(groups('a', 'b'), 1)), [], lines);
  if (isRunning) return runningEntry(status, isCanceling);
  return storedEntry(status, {
    resentBy: resentBy || undefined,
    isResent: resentBy !== '' && !isDeleted,
    due: due || undefined,
    editedDue: editedDue || undefined,
    canceledDue: canceledDue || undefined,
  });
}

const later = idOf('later');

describe('The state of a delivery', () => {
  const cases: [title: string, Parameters<typeof delivery>, DeliveryState, actions: string][] = [
    ['nothing was sent', [[]], 'unfinished', 'resume remove'],
    ['it is sent later', [[], { due: AT }], 'scheduled', 'sendNow reschedule unschedule edit remove'],
    ['it was canceled before its time', [[], { canceledDue: AT }], 'unfinished', 'sendNow reschedule remove'],
    [
      'its message is edited',
      [[], { editedDue: AT }],
      'edited',
      'sendEdited sendNow reschedule unschedule edit remove',
    ],
    ['it is due and being sent', [[], { due: AT, isRunning: true }], 'sending', 'cancel'],
    ['it is being sent', [[answered(0, 'a')], { isRunning: true }], 'sending', 'cancel'],
    ['it is being resumed', [[failed(0, 'unknown')], { isRunning: true }], 'sending', 'cancel'],
    ['it is being canceled', [[answered(0, 'a')], { isRunning: true, isCanceling: true }], 'sending', ''],
    ['one was not sent', [[answered(0, 'a')]], 'unfinished', 'resume remove'],
    ['one is unknown and one was not sent', [[failed(0, 'unknown')]], 'unfinished', 'check resume remove'],
    ['one was refused and one was not sent', [[failed(0, 'rejected')]], 'unfinished', 'resume remove'],
    ['a message can’t be made again', [[answered(0, 'a'), changed]], 'unreached', 'resend remove'],
    ['no message can be made again', [[changed]], 'unreached', 'resend remove'],
    [
      'one that was canceled before its time can’t be made again',
      [[changed], { canceledDue: AT }],
      'unreached',
      'resend remove',
    ],
    ['a scheduled one can’t be made again', [[changed], { due: AT }], 'scheduled', 'unschedule edit remove'],
    ['the connection failed', [[failed(0, 'notSent'), failed(1, 'notSent')]], 'unfinished', 'resume remove'],
    ['one was refused', [[failed(0, 'rejected'), answered(1, 'b')]], 'unreached', 'resend remove'],
    ['one is not confirmed', [[answered(0, 'a'), answered(1)]], 'unreached', 'check resend remove'],
    [
      'a check has found that one was not reached',
      [[answered(0, 'a'), answered(1), { what: 'read', at: AT, found: [{ kind: 'group', id: 'b' }] }]],
      'unreached',
      'resend remove',
    ],
    ['one doesn’t exist', [[answered(0, 'a'), answered(1), noSuch('b')]], 'unreached', 'lookUp remove'],
    ['one doesn’t exist and one was not sent', [[answered(1), noSuch('b')]], 'unfinished', 'resume remove'],
    [
      'one doesn’t exist and one was refused',
      [[failed(0, 'rejected'), answered(1), noSuch('b')]],
      'unreached',
      'resend remove',
    ],
    ['one is unknown', [[answered(0, 'a'), failed(1, 'unknown')]], 'unreached', 'check resend remove'],
    ['all were reached', [[answered(0, 'a'), answered(1, 'b')]], 'delivered', 'remove'],
    [
      'it was resent to the refused',
      [[failed(0, 'rejected'), failed(1, 'rejected')], { resentBy: later }],
      'resent',
      'remove',
    ],
    [
      'it was resent to the unknown',
      [[answered(0), failed(1, 'unknown')], { resentBy: later }],
      'resent',
      'check remove',
    ],
    ['it was resent to those not sent', [[answered(0, 'a')], { resentBy: later }], 'resent', 'remove'],
    [
      'its resend was deleted',
      [[answered(0, 'a')], { resentBy: later, isDeleted: true }],
      'unreached',
      'resend remove',
    ],
  ];
  for (const [title, stored, state, actions] of cases) {
    it(`is ${state} if ${title}, and offers: ${actions || 'nothing'}`, () => {
      assert.deepEqual([stateOf(delivery(...stored)), actionsOn(delivery(...stored)).join(' ')], [state, actions]);
    });
  }

  const refused = [failed(0, 'rejected'), failed(1, 'rejected')];
  const oneRefused = [failed(0, 'rejected'), answered(1), noSuch('b')];
  const oneUnconfirmed = [failed(0, 'rejected'), answered(1)];
  const families: [first: JournalLine[], resentTo: string, last: JournalLine[], DeliveryState, actions: string][] = [
    [refused, 'b', [answered(0), noSuch('b')], 'unreached', 'resend remove'],
    [oneRefused, 'a', [answered(0, 'a')], 'unreached', 'lookUp remove'],
    [oneRefused, 'a', [failed(0, 'rejected')], 'unreached', 'resend remove'],
    [oneUnconfirmed, 'b', [answered(0)], 'unreached', 'check resend remove'],
    [oneUnconfirmed, 'b', [answered(0, 'b')], 'unreached', 'resend remove'],
    [oneUnconfirmed, 'b', [], 'unfinished', 'check resume remove'],
    [refused, 'ab', [answered(0, 'a'), answered(1, 'b')], 'delivered', 'remove'],
  ];
  for (const [first, resentTo, last, state, actions] of families)
    it(`of a delivery and its resend to ${resentTo} is ${state}, and offers for those whom neither has reached: ${actions}`, async () => {
      const status = new DeliveryStatus(deliveryOf(planBatches(groups(...resentTo), 1)), [], last);
      const family = [delivery(first, { resentBy: later }), storedEntry(status)] as const;
      const joint = await jointStatus(family);
      assert.deepEqual(
        [stateOfFamily(family, storedEntry(joint)), actionsOnFamily(family, joint).join(' ')],
        [state, actions],
      );
      const sending = [family[0], runningEntry(status)] as const;
      assert.deepEqual(
        [stateOfFamily(sending, runningEntry(joint)), actionsOnFamily(sending, joint)],
        ['sending', ['cancel']],
      );
    });

  it('is its own, and so are its actions, if it was never resent', async () => {
    const only = delivery([answered(0, 'a')]);
    assert.equal(stateOfFamily([only], only), 'unfinished');
    assert.deepEqual(actionsOnFamily([only], only.status), ['resume', 'remove']);
  });

  it('may have replies once somebody was reached, unless it is being sent or was a test', () => {
    const reached = delivery([answered(0, 'a')]);
    assert.equal(mayHaveReplies(reached), true);
    assert.equal(mayHaveReplies(runningEntry(reached.status)), false);
    assert.equal(mayHaveReplies(delivery([failed(0, 'rejected'), failed(1, 'rejected')])), false);
    const test = deliveryOf(planBatches(groups('a'), 1), { isTest: true });
    assert.equal(mayHaveReplies(storedEntry(new DeliveryStatus(test, [], [answered(0, 'a')]))), false);
  });
});

describe('The time of a delivery', () => {
  it('is when it was sent if it was planned, and else when it was confirmed', () => {
    const timeOf = (due: number | undefined, sentAt?: number) =>
      sentTimeOf({ delivery: deliveryOf([], { due }), sentAt });
    assert.deepEqual([timeOf(undefined, AT + 1), timeOf(AT + 2, AT + 3), timeOf(AT + 2)], [AT, AT + 3, AT]);
  });

  it('is on its row that for which it is planned, or was before it was edited, until it is sent', () => {
    const { status } = delivery([]);
    assert.equal(shownTimeOf(delivery([], { due: AT + 1 })), AT + 1);
    assert.equal(shownTimeOf(delivery([], { editedDue: AT + 2 })), AT + 2);
    assert.equal(shownTimeOf(delivery([], { canceledDue: AT + 3 })), AT);
    assert.equal(shownTimeOf({ ...runningEntry(status), due: AT + 1 } as OutboxEntry), AT);
  });

  it('makes it scheduled, unless it is being edited or sent', () => {
    const [due, edited] = [delivery([], { due: AT }), delivery([], { editedDue: AT })] as StoredEntry[];
    assert.deepEqual([isScheduled(due), isScheduled(edited), isScheduled(undefined)], [true, false, false]);
    assert.equal(isScheduled({ ...runningEntry(delivery([]).status), due: AT } as OutboxEntry), false);
    assert.deepEqual([isEdited(due ?? assert.fail()), isEdited(edited ?? assert.fail())], [false, true]);
  });

  const canceled: JournalLine = { what: 'stopped', at: AT, why: 'canceled' };
  const needs: [title: string, Parameters<typeof delivery>, needsSomebody: boolean][] = [
    ['it is due', [[], { due: AT }], true],
    ['it is not due yet', [[], { due: AT + 1 }], false],
    ['it is due, and edited', [[], { editedDue: AT }], true],
    ['it is edited, and not due yet', [[], { editedDue: AT + 1 }], false],
    ['somebody canceled it before its time', [[], { canceledDue: AT }], false],
    ['it is being sent', [[failed(0, 'rejected')], { isRunning: true }], false],
    ['it has reached everyone', [[answered(0, 'a'), answered(1, 'b')]], false],
    ['it has not reached everyone', [[answered(0, 'a'), answered(1)]], true],
    ['it was resent', [[answered(0, 'a'), answered(1)], { resentBy: later }], false],
    ['somebody canceled it while it was sent', [[answered(0, 'a'), canceled]], false],
    ['it was canceled, and somebody may have it', [[failed(0, 'unknown'), canceled]], true],
    ['it stopped', [[answered(0, 'a'), changed]], true],
    ['it stopped at its time, before anything was sent', [[changed], { canceledDue: AT }], true],
    ['somebody canceled it at its time, before anything was sent', [[canceled], { canceledDue: AT }], false],
  ];
  for (const [title, stored, expected] of needs)
    it(`needs ${expected ? 'somebody' : 'nobody'} if ${title}`, () => {
      assert.equal(needsSomebody(delivery(...stored), AT), expected);
    });
});
