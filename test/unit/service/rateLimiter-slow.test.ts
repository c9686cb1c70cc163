import assert from 'node:assert/strict';
import { heldPace } from './held-rateLimiter.ts';

describe('Pace that is told to slow down', () => {
  it('gives no turn for a second unless told, and half as many from then on', async () => {
    const { pace, ask, pass, turns } = heldPace(4);
    pace.slowDown();
    ask(6);
    await pass(10_000);
    assert.deepEqual(turns, [1000, 1000, 2000, 2000, 3000, 3000]);
  });

  it('gives no turn for the time that the service asks for, not even to who waits already', async () => {
    const { pace, ask, pass, turns } = heldPace(2);
    ask(3);
    await pass(500);
    pace.slowDown(2500);
    await pass(10_000);
    assert.deepEqual(turns, [0, 0, 3000]);
  });

  it('waits for no more than a minute', async () => {
    for (const wait of [60_000, 60_001, 3_600_000, Number.POSITIVE_INFINITY]) {
      const { pace, ask, pass, turns } = heldPace(2);
      pace.slowDown(wait);
      ask();
      await pass(200_000);
      assert.deepEqual(turns, [60_000]);
    }
  });

  it('waits for the longest of the times that it was asked for, in any order', async () => {
    for (const waits of [
      [500, 4000, 1000],
      [4000, 1000, 500],
    ]) {
      const { pace, ask, pass, turns } = heldPace(8);
      for (const wait of waits) pace.slowDown(wait);
      ask();
      await pass(10_000);
      assert.deepEqual(turns, [4000]);
    }
  });

  it('counts calls that are refused together once, whatever wait the service asks for', async () => {
    for (const wait of [undefined, 0, 10, 5000]) {
      const { pace, pass, rate } = heldPace(8);
      for (let refusal = 0; refusal < 8; refusal++) pace.slowDown(wait);
      await pass(5000);
      assert.equal(await rate(), 4, `wait ${wait}`);
    }
  });

  it('counts a refusal while it still holds as one of the same', async () => {
    const { pace, pass, rate } = heldPace(8);
    pace.slowDown(5000);
    await pass(3000);
    pace.slowDown();
    await pass(5000);
    assert.equal(await rate(), 4);
  });

  it('halves once more when calls are refused again later, down to one turn a second', async () => {
    const { pace, rate } = heldPace(10);
    const rates = [];
    for (let refusal = 0; refusal < 6; refusal++) {
      pace.slowDown();
      rates.push(await rate());
    }
    assert.deepEqual(rates, [5, 2, 1, 1, 1, 1]);
    pace.speedUp();
    assert.equal(await rate(), 2);
  });

  it('keeps to its slower rate in any second', async () => {
    const { pace, ask, pass, turns } = heldPace(4);
    for (let turn = 0; turn < 4; turn++) {
      ask();
      await pass(200);
    }
    pace.slowDown(100);
    ask(4);
    await pass(10_000);
    assert.deepEqual(turns, [0, 200, 400, 600, 1400, 1600, 2400, 2600]);
  });

  it('holds back even a pace without a limit', async () => {
    const { pace, ask, pass, turns } = heldPace(Number.POSITIVE_INFINITY);
    pace.slowDown(300);
    ask(20);
    await pass(1000);
    assert.deepEqual(
      turns,
      Array.from({ length: 20 }, () => 300),
    );
  });
});

describe('Pace that is told to speed up', () => {
  it('gives one turn a second more after a second full of calls that were taken', async () => {
    const { pace, rate } = heldPace(10);
    pace.slowDown();
    for (let call = 0; call < 4; call++) pace.speedUp();
    assert.equal(await rate(), 5);
    for (let call = 0; call < 2; call++) pace.speedUp();
    assert.equal(await rate(), 6);
  });

  it('comes back to its limit, and not beyond', async () => {
    const { pace, rate } = heldPace(4);
    for (let refusal = 0; refusal < 3; refusal++) {
      pace.slowDown();
      await rate();
    }
    assert.equal(await rate(), 1);
    // A second full at each of 1, 2 and 3 turns a second, and as much again.
    for (let call = 0; call < 12; call++) pace.speedUp();
    assert.equal(await rate(), 4);
    for (let call = 0; call < 1000; call++) pace.speedUp();
    assert.equal(await rate(), 4);
    pace.slowDown();
    assert.equal(await rate(), 2);
  });

  it('does not shorten a wait that the service asked for', async () => {
    const { pace, ask, pass, turns } = heldPace(4);
    pace.slowDown(3000);
    for (let call = 0; call < 20; call++) pace.speedUp();
    ask();
    await pass(5000);
    assert.deepEqual(turns, [3000]);
  });
});
