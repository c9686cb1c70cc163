import assert from 'node:assert/strict';
import { loadAll } from '../../../../src/chats/history/loads.ts';
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
