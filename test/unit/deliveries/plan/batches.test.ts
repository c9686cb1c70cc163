import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Recipient } from '../../../../src/deliveries/plan/deliveryPlan.ts';
import { planBatches } from '../outbox/testDeliveries.ts';

const group = (id: string): Recipient => ({ kind: 'group', id, name: `group ${id}` });

const user = (id: string): Recipient => ({ kind: 'user', id, name: `user ${id}` });

const anyone = fc.record({
  kind: fc.constantFrom('group' as const, 'user' as const),
  // Few IDs, so that there are duplicates, and unusual ones.
  id: fc.oneof(fc.integer({ min: 1, max: 30 }).map(String), fc.constantFrom('big', '', '__proto__')),
  name: fc.string(),
});

const everyone = fc.array(anyone, { maxLength: 60 });

const sizes = fc.integer({ min: 1, max: 70 });

const keyOf = ({ kind, id }: Recipient) => `${kind} ${id}`;

const unique = (keys: string[]) => [...new Set(keys)];

/** Asserts a property for any recipients and any batch size. */
function assertAlways(property: (recipients: Recipient[], size: number) => void): void {
  fc.assert(fc.property(everyone, sizes, property));
}

describe('Batches', () => {
  it('put groups before users, each in the order in which they were chosen', () => {
    const [a, b, c, d] = [group('a'), user('b'), group('c'), user('d')];
    assert.deepEqual(planBatches([b, a, d, c], 200), [
      { recvType: 'group', recipients: [a, c] },
      { recvType: 'user', recipients: [b, d] },
    ]);
  });

  it('are filled one after the other', () => {
    const users = ['1', '2', '3', '4', '5'].map(user);
    const recipients = [group('1'), ...users];
    assert.deepEqual(
      planBatches(recipients, 2).map((batch) => batch.recipients.map(({ id }) => id)),
      [['1'], ['1', '2'], ['3', '4'], ['5']],
    );
  });

  it('are none without recipients', () => {
    assert.deepEqual(planBatches([], 200), []);
  });

  it('keep a group and a user with the same ID apart', () => {
    assert.equal(planBatches([group('1'), user('1')], 200).length, 2);
  });

  it('hold every recipient exactly once', () => {
    assertAlways((recipients, size) => {
      const planned = planBatches(recipients, size).flatMap((batch) => batch.recipients.map(keyOf));
      assert.deepEqual(planned.toSorted(), unique(recipients.map(keyOf)).toSorted());
    });
  });

  it('have recipients of one type each', () => {
    assertAlways((recipients, size) => {
      for (const batch of planBatches(recipients, size)) {
        for (const recipient of batch.recipients) assert.equal(recipient.kind, batch.recvType);
      }
    });
  });

  it('are never empty or too large, and no more than needed', () => {
    assertAlways((recipients, size) => {
      const batches = planBatches(recipients, size);
      for (const batch of batches) assert.ok(batch.recipients.length >= 1 && batch.recipients.length <= size);
      const keys = unique(recipients.map(keyOf));
      const needed = ['group ', 'user '].map((type) => keys.filter((key) => key.startsWith(type)).length / size);
      assert.equal(
        batches.length,
        needed.reduce((sum, part) => sum + Math.ceil(part), 0),
      );
    });
  });

  it('keep the order in which recipients of a type were chosen', () => {
    assertAlways((recipients, size) => {
      const planned = planBatches(recipients, size).flatMap((batch) => batch.recipients.map(keyOf));
      const chosen = unique(recipients.map(keyOf));
      const groupsFirst = [
        ...chosen.filter((key) => key.startsWith('g')),
        ...chosen.filter((key) => key.startsWith('u')),
      ];
      assert.deepEqual(planned, groupsFirst);
    });
  });
});
