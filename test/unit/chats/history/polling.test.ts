import assert from 'node:assert/strict';
import { poll } from '../../../../src/chats/history/polling.ts';
import { heldClock } from '../../clocks.ts';
import { deferred } from '../../deferred.ts';

/** Polls every ten seconds on a fake clock. */
function held() {
  const { clock, pass } = heldClock();
  const abort = new AbortController();
  const asked: number[] = [];
  const now = { seconds: 10, isWanted: true, answer: Promise.resolve() };
  const polled = {
    seconds: () => now.seconds,
    isWanted: () => now.isWanted,
    poll: () => {
      asked.push(clock.now() / 1000);
      return now.answer;
    },
  };
  const ended = poll(polled, abort.signal, clock);
  return { pass: (seconds: number) => pass(seconds * 1000), asked, now, abort, ended };
}

describe('Polling', () => {
  it('waits for the interval from a response to the next poll', async () => {
    const { pass, asked, now } = held();
    await pass(9);
    assert.deepEqual(asked, []);
    await pass(12);
    assert.deepEqual(asked, [10, 20]);
    const answer = deferred<void>();
    now.answer = answer.promise;
    await pass(30);
    assert.deepEqual(asked, [10, 20, 30]);
    answer.resolve();
    now.answer = Promise.resolve();
    await pass(12);
    assert.deepEqual(asked, [10, 20, 30, 61]);
  });

  it('polls as soon as it is wanted again, and never if the interval is 0', async () => {
    const { pass, asked, now } = held();
    now.isWanted = false;
    await pass(100);
    now.isWanted = true;
    await pass(1);
    assert.deepEqual(asked, [101]);
    now.seconds = 0;
    await pass(100);
    assert.deepEqual(asked, [101]);
  });

  it('ends when its signal is aborted', async () => {
    const { pass, asked, abort, ended } = held();
    abort.abort();
    await ended;
    await pass(100);
    assert.deepEqual(asked, []);
  });
});
