import assert from 'node:assert/strict';
import { planBatches } from '../../../src/outbox/batches.ts';
import { actionsOn, type DeliveryState, stateOf } from '../../../src/outbox/deliveryState.ts';
import { DeliveryStatus } from '../../../src/outbox/deliveryStatus.ts';
import type { JournalLine } from '../../../src/outbox/record.ts';
import { AT, deliveryOf, groups, idOf } from './testDeliveries.ts';

const answered = (batch: number, ...ids: string[]): JournalLine => ({
  what: 'answered',
  ...{ batch, attempt: 0, at: AT },
  reached: ids.map((recvId) => ({ recvId, msgId: 'm' })),
  unreadable: [],
});
const failed = (batch: number, state: 'rejected' | 'notSent' | 'unknown'): JournalLine => ({
  what: 'failed',
  ...{ batch, attempt: 0, at: AT, state },
});

/** A delivery to two groups, one in a batch, of which this is known. */
function delivery(
  lines: JournalLine[],
  { isRunning = false, isCanceling = false, resentBy = '', isForgotten = false } = {},
) {
  const status = new DeliveryStatus(deliveryOf(planBatches(groups('a', 'b'), 1)), [], lines);
  return {
    status,
    isRunning,
    isCanceling,
    resentBy: resentBy || undefined,
    isResent: resentBy !== '' && !isForgotten,
  };
}
const later = idOf('later');

describe('The state of a delivery', () => {
  const cases: [title: string, Parameters<typeof delivery>, DeliveryState, actions: string][] = [
    ['nothing was sent', [[]], 'unfinished', 'resume remove'],
    ['it is being sent', [[answered(0, 'a')], { isRunning: true }], 'sending', 'cancel'],
    ['it is being sent for the second time', [[failed(0, 'unknown')], { isRunning: true }], 'sending', 'cancel'],
    ['it was canceled', [[answered(0, 'a')], { isRunning: true, isCanceling: true }], 'sending', ''],
    ['one is left', [[answered(0, 'a')]], 'unfinished', 'resume remove'],
    ['one is unknown and one is left', [[failed(0, 'unknown')]], 'unfinished', 'resume check remove'],
    ['one was refused and one is left', [[failed(0, 'rejected')]], 'unfinished', 'resume remove'],
    ['there was no connection', [[failed(0, 'notSent'), failed(1, 'notSent')]], 'unfinished', 'resume remove'],
    ['one was refused', [[failed(0, 'rejected'), answered(1, 'b')]], 'unreached', 'resend remove'],
    ['one is not confirmed', [[answered(0, 'a'), answered(1)]], 'unreached', 'resend remove'],
    ['one is unknown', [[answered(0, 'a'), failed(1, 'unknown')]], 'unreached', 'check resend remove'],
    ['all were reached', [[answered(0, 'a'), answered(1, 'b')]], 'delivered', 'remove'],
    [
      'another one goes to the unreached',
      [[answered(0), failed(1, 'rejected')], { resentBy: later }],
      'resent',
      'remove',
    ],
    [
      'another one goes to the unknown',
      [[answered(0), failed(1, 'unknown')], { resentBy: later }],
      'resent',
      'check remove',
    ],
    ['another one goes to those who were left', [[answered(0)], { resentBy: later }], 'resent', 'remove'],
    ['that one was deleted', [[answered(0)], { resentBy: later, isForgotten: true }], 'unreached', 'resend remove'],
  ];
  for (const [title, stored, state, actions] of cases) {
    it(`is ${state} where ${title}, and offers: ${actions || 'nothing'}`, () => {
      assert.deepEqual([stateOf(delivery(...stored)), actionsOn(delivery(...stored)).join(' ')], [state, actions]);
    });
  }

  it('never offers both to resume and to resend', () => {
    for (const [, stored] of cases) {
      const actions = actionsOn(delivery(...stored));
      assert.ok(!(actions.includes('resume') && actions.includes('resend')));
    }
  });
});
