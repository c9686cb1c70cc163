import assert from 'node:assert/strict';
import { TaskQueue } from '../../../src/service/taskQueue.ts';
import { type Deferred, deferred, settled } from '../deferred.ts';

/** A queue that runs one task at a time, the first of which runs already. */
function busy() {
  let endBurst = () => {};
  const queue = new TaskQueue(1, (run) => {
    endBurst = run;
  });
  const started: string[] = [];
  const running: Deferred<string>[] = [];
  const add = (key: string, signal?: AbortSignal) =>
    queue.add(
      key,
      () => {
        started.push(key);
        const task = deferred<string>();
        running.push(task);
        return task.promise;
      },
      signal,
    );
  const first = add('first');
  const endAll = async () => {
    for (let task = running.shift(); task; task = running.shift()) {
      task.resolve('done');
      await settled();
    }
  };
  return { queue, add, first, started, running, endAll, endBurst: () => endBurst() };
}

describe('A queue of tasks', () => {
  it('runs the last burst first, and each in its order', async () => {
    const { add, started, endAll, endBurst } = busy();
    endBurst();
    for (const key of ['a', 'b']) void add(key);
    endBurst();
    for (const key of ['c', 'd']) void add(key);
    await endAll();
    assert.deepEqual(started, ['first', 'c', 'd', 'a', 'b']);
  });

  it('moves a task to the front, unless it has started', async () => {
    const { queue, add, started, endAll, endBurst } = busy();
    for (const key of ['a', 'b']) void add(key);
    endBurst();
    queue.prioritize('first');
    queue.prioritize('b');
    await endAll();
    assert.deepEqual(started, ['first', 'b', 'a']);
  });

  it('ends as its task does', async () => {
    const { add, first, running, endAll } = busy();
    const second = add('second');
    running.shift()?.reject(new Error('no'));
    await assert.rejects(first, { message: 'no' });
    await endAll();
    assert.equal(await second, 'done');
  });

  it('drops a task that is canceled', async () => {
    const { add, started, endAll } = busy();
    const abort = new AbortController();
    const waiting = add('a', abort.signal);
    abort.abort(new Error('closed'));
    await assert.rejects(waiting, { message: 'closed' });
    await endAll();
    assert.deepEqual(started, ['first']);
  });
});
