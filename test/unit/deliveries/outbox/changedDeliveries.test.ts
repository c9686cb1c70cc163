import assert from 'node:assert/strict';
import { ChangedDeliveries } from '../../../../src/deliveries/outbox/changedDeliveries.ts';

describe('Changes of deliveries', () => {
  it('are reported together, and only once', async () => {
    const reported: string[][] = [];
    let next = () => {};
    const changed = new ChangedDeliveries(0, (ids) => {
      reported.push([...ids]);
      next();
    });
    const report = () => new Promise<void>((resolve) => (next = resolve));
    for (const id of ['a', 'b', 'a']) changed.add(id);
    await report();
    changed.add('c');
    await report();
    assert.deepEqual(reported, [['a', 'b'], ['c']]);
  });

  it("aren't reported after disposal", async () => {
    const changed = new ChangedDeliveries(0, () => assert.fail('reported'));
    changed.add('a');
    changed.dispose();
    await new Promise((resolve) => setTimeout(resolve));
  });
});
