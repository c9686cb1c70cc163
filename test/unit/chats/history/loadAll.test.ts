import assert from 'node:assert/strict';
import { loadAll, poll } from '../../../../src/chats/history/loads.ts';
import { heldClock } from '../../clocks.ts';
import { deferred } from '../../deferred.ts';
import { chatOf, shown, upTo } from './chat.ts';

/** A timeline of 300 messages with a gap, whose load of older messages has failed once. */
async function failedOnce() {
  const made = chatOf(upTo(300));
  await made.timeline.loadNewer();
  await made.timeline.goTo('200');
  made.chat.failure = new Error('once');
  await made.timeline.loadOlder();
  made.chat.failure = undefined;
  return made;
}

describe('Loading an entire history', () => {
  it('fills gaps and continues to the beginning, even if an earlier load failed', async () => {
    const { timeline } = await failedOnce();
    const progress: [number, number | undefined][] = [];
    const onProgress = (...step: [number, number | undefined]) => progress.push(step);
    assert.equal(await loadAll(timeline, onProgress, new AbortController().signal), 300);
    assert.deepEqual(shown(timeline), upTo(300));
    // 175 to 225 and 251 to 300 are loaded at first.
    assert.deepEqual(
      [progress[0], progress[1], progress.at(-1)],
      [
        [102, 251],
        [126, 175],
        [300, 1],
      ],
    );
  });

  it('rejects with the current error', async () => {
    const { chat, timeline, pages } = await failedOnce();
    Object.defineProperty(chat, 'failure', { get: () => (pages.length > 5 ? new Error('now') : undefined) });
    await assert.rejects(
      loadAll(timeline, () => {}, new AbortController().signal),
      new Error('now'),
    );
  });

  it('rejects with the error of a gap', async () => {
    const { chat, timeline } = await failedOnce();
    chat.failure = new Error('gap');
    await assert.rejects(
      loadAll(timeline, () => {}, new AbortController().signal),
      chat.failure,
    );
  });

  it('ends when its signal is aborted', async () => {
    const { timeline, pages } = await failedOnce();
    const abort = new AbortController();
    pages.length = 0;
    const stop = () => pages.length === 1 && abort.abort();
    assert.equal(await loadAll(timeline, stop, abort.signal), undefined);
    assert.equal(pages.length, 1);
  });
});

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
