import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { Directory } from '../../../src/directory/directory.ts';
import { isFailure } from '../../../src/service/errors.ts';
import { settled } from '../deferred.ts';
import { asking, held, MINUTE, thing, withGroup } from './held-directory.ts';

const cancelled = (error: unknown) => isFailure(error, 'cancelled');
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => String(from + index));

/** A directory with eight lookups in flight, groups 0 to 7. */
function busy() {
  const all = held();
  const eight = range(0, 8).map((id) => asking(all.directory, 'group', id));
  const finish = async (number: number) => {
    all.asked[number]?.resolve('');
    await settled();
  };
  return { ...all, eight, finish, later: () => all.requests().slice(8) };
}

describe('Waiting lookups of a directory', () => {
  it('all run, with at most eight in flight', async () => {
    const { directory, asked } = held();
    const all = range(0, 30).map((id) => directory.get('group', id));
    for (let done = 0; done < 30; done++) {
      await settled();
      assert.equal(asked.length, Math.min(30, done + 8));
      asked[done]?.resolve('');
    }
    await Promise.all(all);
    assert.equal(new Set(asked.map(({ what }) => what)).size, 30);
  });

  it('run last requested first', async () => {
    const { directory, finish, later } = busy();
    for (const id of ['a', 'b', 'c']) {
      await settled();
      void directory.get('group', id);
    }
    for (const number of [0, 1, 2]) await finish(number);
    assert.deepEqual(later(), ['group c', 'group b', 'group a']);
  });

  it('keep their order if requested together', async () => {
    const { directory, finish, later } = busy();
    await settled();
    for (const id of ['a', 'b']) void directory.get('group', id);
    await Promise.resolve();
    void directory.get('group', 'c');
    await settled();
    for (const id of ['d', 'e']) void directory.get('group', id);
    for (const number of [0, 1, 2, 3, 4]) await finish(number);
    assert.deepEqual(later(), ['group d', 'group e', 'group a', 'group b', 'group c']);
  });

  it('start when all callers of a running lookup cancel', async () => {
    const { directory, eight, asked, later } = busy();
    void directory.get('group', 'next');
    eight[3]?.abort();
    await settled();
    assert.equal(asked[3]?.signal.aborted, true);
    assert.deepEqual(later(), ['group next']);
  });
});

describe('A canceled caller of a directory', () => {
  it('aborts the lookup if no one else waits, and nothing is cached', async () => {
    const { directory, asked, changes } = held();
    const both = [asking(directory, 'group', '1'), asking(directory, 'group', '1', 'new')];
    both[0]?.abort();
    assert.equal(asked[0]?.signal.aborted, false);
    both[1]?.abort();
    assert.equal(asked[0]?.signal.aborted, true);
    for (const { ended } of both) assert.ok(cancelled(await ended));
    assert.equal(directory.peek('group', '1'), undefined);
    assert.deepEqual(changes, []);
  });

  it('is rejected even if the resource is cached', async () => {
    const { directory, requests } = await withGroup();
    await assert.rejects(directory.get('group', '1', { signal: AbortSignal.abort() }), cancelled);
    await assert.rejects(directory.get('group', '2', { signal: AbortSignal.abort() }), cancelled);
    assert.equal(requests().length, 1);
  });

  it("doesn't abort a refresh in the background", async () => {
    const { clock, directory, asked, answer } = await withGroup();
    clock.now = 10 * MINUTE;
    const one = asking(directory, 'group', '1');
    const other = asking(directory, 'group', '1', 'fresh');
    await one.ended;
    one.abort();
    other.abort();
    assert.equal(asked[1]?.signal.aborted, false);
    await answer('Renamed');
    assert.deepEqual(directory.peek('group', '1'), thing.group('1', 'Renamed'));
  });

  it('leaves no listener on its signal', async () => {
    const { signal } = new AbortController();
    const { directory, answer } = held();
    const got = directory.get('group', '1', { signal });
    await answer('One');
    await got;
    await directory.get('group', '1', { signal });
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });
});

describe('A disposed directory', () => {
  it('cancels all lookups and calls no listener', async () => {
    const { directory, asked, eight, changes, later } = busy();
    const waiting = range(8, 12).map((id) => directory.get('group', id).catch((error: unknown) => error));
    directory.dispose();
    for (const one of asked) assert.equal(one.signal.aborted, true);
    for (const ended of [...eight.map((one) => one.ended), ...waiting]) assert.ok(cancelled(await ended));
    for (const one of asked) one.resolve('');
    await settled();
    assert.deepEqual(later(), []);
    assert.deepEqual(changes, []);
  });

  it('calls no listener even if lookups complete later', async () => {
    for (let ticks = 0; ticks < 10; ticks++) {
      const { directory, asked, answer, changes } = held();
      void directory.get('group', '1').catch(() => {});
      asked[0]?.resolve('One');
      for (let tick = 0; tick < ticks; tick++) await undefined;
      const before = changes.length;
      directory.dispose();
      await settled();
      void directory.get('group', '2').catch(() => {});
      await answer('Two');
      assert.equal(changes.length, before);
    }
  });

  it('cancels nothing without pending lookups', () => {
    new Directory({ group: assert.fail, bot: assert.fail, user: assert.fail }).dispose();
  });
});
