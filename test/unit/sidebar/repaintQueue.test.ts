import assert from 'node:assert/strict';
import { RepaintQueue } from '../../../src/sidebar/repaintQueue.ts';
import type { ChatRow } from '../../../src/sidebar/rows.ts';
import { heldClock } from '../clocks.ts';

const row = (id: string): ChatRow => ({ type: 'chat', kind: 'group', id });

/** A queue with a delay of 50 ms, and what was rerepainted when. */
function heldQueue() {
  const { clock, pass } = heldClock();
  const repainted: string[] = [];
  const queue = new RepaintQueue(
    (nodes) =>
      repainted.push(`${clock.now()}: ${nodes.map((node) => (node.type === 'chat' ? node.id : '')).join(' ')}`),
    () => 50,
    clock,
  );
  return { queue, pass, repainted };
}

describe('The repaint queue', () => {
  it('repaints rows together that change within a short time, each once', async () => {
    const { queue, pass, repainted } = heldQueue();
    const one = row('1');
    for (const changed of [one, row('2'), one]) queue.add(changed);
    await pass(49);
    queue.add(row('3'));
    assert.deepEqual(repainted, []);
    await pass(1000);
    assert.deepEqual(repainted, ['50: 1 2 3']);
  });

  it('repaints at intervals that are long enough for VS Code', async () => {
    const { queue, pass, repainted } = heldQueue();
    for (let index = 0; index < 6; index++) {
      queue.add(row(`${index}`));
      await pass(100);
    }
    await pass(1000);
    queue.add(row('late'));
    await pass(1000);
    assert.deepEqual(repainted, ['50: 0', '300: 1 2', '550: 3 4 5', '1650: late']);
  });

  it('drops waiting rows when it is cleared, and repaints later ones', async () => {
    const { queue, pass, repainted } = heldQueue();
    queue.add(row('1'));
    queue.clear();
    await pass(1000);
    assert.deepEqual(repainted, []);
    queue.add(row('2'));
    await pass(1000);
    assert.deepEqual(repainted, ['1050: 2']);
  });
});
