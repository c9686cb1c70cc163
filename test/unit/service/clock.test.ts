import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { systemClock } from '../../../src/service/clock.ts';
import { settled } from '../deferred.ts';

describe("The machine's clock", () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('goes in milliseconds, whatever becomes of the date', () => {
    const { now } = Date;
    const before = systemClock.now();
    Date.now = () => 0;
    const passed = systemClock.now() - before;
    Date.now = now;
    assert.ok(passed >= 0 && passed < 1000, String(passed));
  });

  it('sleeps as long as told', async () => {
    const { signal } = new AbortController();
    let awake = false;
    const sleep = systemClock.sleep(250, signal).then(() => {
      awake = true;
    });
    mock.timers.tick(249);
    await settled();
    assert.equal(awake, false);
    mock.timers.tick(1);
    await sleep;
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  it('wakes at once when its sleep is stopped before or after it began', async () => {
    await assert.rejects(systemClock.sleep(250, AbortSignal.abort()));
    const abort = new AbortController();
    const sleep = systemClock.sleep(250, abort.signal);
    abort.abort();
    await assert.rejects(sleep);
  });
});
