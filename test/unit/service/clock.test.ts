import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { systemClock, Timer } from '../../../src/service/clock.ts';
import { heldClock } from '../clocks.ts';
import { settled } from '../deferred.ts';

describe('The system clock', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('counts milliseconds, even if the date changes', () => {
    const { now } = Date;
    const before = systemClock.now();
    Date.now = () => 0;
    const passed = systemClock.now() - before;
    Date.now = now;
    // A clock that follows the date would go back by decades.
    assert.ok(passed >= 0, String(passed));
  });

  it('sleeps for the given time', async () => {
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

  it('rejects at once if a sleep is aborted before or after it starts', async () => {
    await assert.rejects(systemClock.sleep(250, AbortSignal.abort()));
    const abort = new AbortController();
    const sleep = systemClock.sleep(250, abort.signal);
    abort.abort();
    await assert.rejects(sleep);
  });
});

describe('A timer', () => {
  /** The times at which a timer acts. */
  function timed() {
    const { clock, pass, sleeping } = heldClock();
    const acted: number[] = [];
    return { timer: new Timer(() => acted.push(clock.now()), clock), pass, sleeping, acted };
  }

  it('acts once for all who ask meanwhile, as early as the first asked, and then again', async () => {
    const { timer, pass, acted } = timed();
    timer.start(100);
    await pass(60);
    timer.start(100);
    await pass(1000);
    timer.start(100);
    await pass(1000);
    assert.deepEqual(acted, [100, 1160]);
  });

  it('starts over if it is restarted', async () => {
    const { timer, pass, acted } = timed();
    timer.start(100);
    await pass(60);
    timer.restart(100);
    await pass(1000);
    assert.deepEqual(acted, [160]);
  });

  it("doesn't act once stopped, and can be started again", async () => {
    const { timer, pass, sleeping, acted } = timed();
    timer.stop();
    timer.start(100);
    timer.stop();
    assert.equal(sleeping(), 0);
    timer.start(300);
    await pass(1000);
    assert.deepEqual(acted, [300]);
  });
});
