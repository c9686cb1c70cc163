import assert from 'node:assert/strict';
import { RepaintQueue } from '../../../src/sidebar/repaintQueue.ts';
import type { ChatRow } from '../../../src/sidebar/rows.ts';
import { heldClock } from '../service/held-clock.ts';

const row = (id: string): ChatRow => ({ type: 'chat', kind: 'group', id });

/** Repaints that wait for 50 ms, and what was painted when. */
function held() {
  const { clock, pass } = heldClock();
  const painted: string[] = [];
  const repaints = new RepaintQueue(
    (nodes) => painted.push(`${clock.now()}: ${nodes.map((node) => (node.type === 'chat' ? node.id : '')).join(' ')}`),
    () => 50,
    clock,
  );
  return { repaints, pass, painted };
}

describe('Repaints', () => {
  it('paint together what changes within a moment, each row once', async () => {
    const { repaints, pass, painted } = held();
    const one = row('1');
    for (const changed of [one, row('2'), one]) repaints.add(changed);
    await pass(49);
    repaints.add(row('3'));
    assert.deepEqual(painted, []);
    await pass(1000);
    assert.deepEqual(painted, ['50: 1 2 3']);
  });

  it('are far enough apart that VS Code shows each of them', async () => {
    const { repaints, pass, painted } = held();
    for (let index = 0; index < 6; index++) {
      repaints.add(row(`${index}`));
      await pass(100);
    }
    await pass(1000);
    repaints.add(row('late'));
    await pass(1000);
    assert.deepEqual(painted, ['50: 0', '300: 1 2', '550: 3 4 5', '1650: late']);
  });

  it('forget what waits when it is dropped, and paint what comes after', async () => {
    const { repaints, pass, painted } = held();
    repaints.add(row('1'));
    repaints.clear();
    await pass(1000);
    assert.deepEqual(painted, []);
    repaints.add(row('2'));
    await pass(1000);
    assert.deepEqual(painted, ['1050: 2']);
  });
});
