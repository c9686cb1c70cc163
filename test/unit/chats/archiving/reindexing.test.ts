import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Reindexing } from '../../../../src/chats/archiving/reindexing.ts';
import { logged } from '../history/test-page.ts';

describe('Indexing an archive again', () => {
  /** How many calls are needed, and how many were made. */
  let left: number;
  let calls: number;
  let failure: Error | undefined;
  let done: EventTarget;
  let log: ReturnType<typeof logged>;
  let reindexing: Reindexing;

  beforeEach(() => {
    [left, calls, failure, done, log] = [3, 0, undefined, new EventTarget(), logged()];
    const archive = {
      countOutdated: async () => left,
      indexOutdated: async () => {
        calls++;
        if (failure) throw failure;
        return --left > 0;
      },
    };
    reindexing = new Reindexing(archive, log.log, () => done.dispatchEvent(new Event('done')));
  });

  it('begins with the first search, runs once, and says when everything is found again', async () => {
    const finished = once(done, 'done');
    assert.deepEqual(await Promise.all([reindexing.left(), reindexing.left()]), [3, 3]);
    await finished;
    assert.deepEqual([await reindexing.left(), calls], [0, 3]);
  });

  it('is logged if it fails, and begins again with the next search', async () => {
    failure = new Error('busy');
    await reindexing.left();
    await new Promise(setImmediate);
    assert.equal(calls, 1);
    assert.match(log.lines.join('\n'), /busy/);
    failure = undefined;
    const finished = once(done, 'done');
    await reindexing.left();
    await finished;
    assert.equal(left, 0);
  });
});
