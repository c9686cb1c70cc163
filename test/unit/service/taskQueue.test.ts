import assert from 'node:assert/strict';
import { SerialQueue, TaskQueue } from '../../../src/service/taskQueue.ts';
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

describe('A queue of one task at a time', () => {
  /** A queue, what has happened, and tasks that end when they are told to. */
  const recording = () => {
    const queue = new SerialQueue();
    const events: string[] = [];
    const running = new Map<string, Deferred<void>>();
    const task = (name: string) => async () => {
      events.push(`${name} begins`);
      const end = deferred<void>();
      running.set(name, end);
      await end.promise;
    };
    const end = async (name: string, error?: Error) => {
      if (error) running.get(name)?.reject(error);
      else running.get(name)?.resolve();
      await settled();
    };
    return { queue, events, task, end };
  };

  it('runs them in order, also after one that failed', async () => {
    const { queue, events, task, end } = recording();
    const failing = queue.run(task('a'));
    const second = queue.run(task('b'));
    await settled();
    assert.deepEqual(events, ['a begins']);
    await Promise.all([assert.rejects(failing, { message: 'no' }), end('a', new Error('no'))]);
    assert.deepEqual(events, ['a begins', 'b begins']);
    await end('b');
    await second;
  });

  it('shares a task that has not begun, for those who need what is read after they asked', async () => {
    const { queue, events, task, end } = recording();
    const tasks = ['1', '2'].map((name) => queue.share('reload', 'begun', task(name)));
    assert.equal(tasks[0], tasks[1]);
    await settled();
    const late = queue.share('reload', 'begun', task('3'));
    await end('1');
    assert.deepEqual(events, ['1 begins', '3 begins']);
    await end('3');
    await Promise.all([...tasks, late]);
  });

  it('shares a task that is not done, and runs it again after it was, or has failed', async () => {
    const { queue, events, task, end } = recording();
    const first = queue.share('older', 'done', task('1'));
    await settled();
    const shared = queue.share('older', 'done', task('2'));
    const other = queue.share('newer', 'done', task('3'));
    await Promise.all([assert.rejects(shared, { message: 'no' }), end('1', new Error('no'))]);
    await assert.rejects(first, { message: 'no' });
    await end('3');
    await other;
    const again = queue.share('older', 'done', task('4'));
    await settled();
    await end('4');
    await again;
    assert.deepEqual(events, ['1 begins', '3 begins', '4 begins']);
  });
});
