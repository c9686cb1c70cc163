import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { Directory } from '../../../src/directory/directory.ts';
import { isFailure } from '../../../src/service/errors.ts';
import { settled } from '../deferred.ts';
import { asking, broken, held, MINUTE, thing, withGroup } from './held-directory.ts';

const cancelled = (error: unknown) => isFailure(error, 'cancelled');
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => String(from + index));

/** One with eight lookups in flight, groups 0 to 7. */
function busy() {
  const all = held();
  const eight = range(0, 8).map((id) => asking(all.directory, 'group', id));
  const finish = async (number: number) => {
    all.asked[number]?.resolve('');
    await settled();
  };
  return { ...all, eight, finish, later: () => all.requests().slice(8) };
}

describe('Lookups of a directory that wait', () => {
  it('are made in the end, with at most eight in flight', async () => {
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

  it('go in the order that the last asked for is the first', async () => {
    const { directory, finish, later } = busy();
    for (const id of ['a', 'b', 'c']) {
      await settled();
      void directory.get('group', id);
    }
    for (const number of [0, 1, 2]) await finish(number);
    assert.deepEqual(later(), ['group c', 'group b', 'group a']);
  });

  it('keep their order where they are asked for in one go, as all rows of a list are', async () => {
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

  it('move to the front when they are asked for again', async () => {
    const { directory, finish, later } = busy();
    for (const id of ['a', 'b', 'c', 'a']) {
      await settled();
      void directory.get('group', id);
    }
    for (const number of [0, 1, 2]) await finish(number);
    assert.deepEqual(later(), ['group a', 'group c', 'group b']);
  });

  it('are never made when everybody left them', async () => {
    const { directory, finish, later } = busy();
    const left = ['a', 'a', 'b'].map((id) => asking(directory, 'group', id));
    void directory.get('group', 'c');
    for (const { abort } of left) abort();
    for (const { ended } of left) assert.ok(cancelled(await ended));
    for (const number of [0, 1, 2]) await finish(number);
    assert.deepEqual(later(), ['group c']);
  });

  it('keep their place where somebody asks anew after all had left', async () => {
    const { directory, finish, later } = busy();
    asking(directory, 'group', 'a').abort();
    void directory.get('group', 'b');
    await settled();
    void directory.get('group', 'a');
    await finish(0);
    assert.deepEqual(later(), ['group a']);
    await finish(1);
    assert.deepEqual(later(), ['group a', 'group b']);
  });

  it('go on after failures of all that are in flight', async () => {
    const { directory, asked, later } = busy();
    void directory.get('group', 'next');
    for (const one of asked) one.reject(broken());
    await settled();
    assert.deepEqual(later(), ['group next']);
  });

  it('take the place of those that everybody left', async () => {
    const { directory, eight, asked, later } = busy();
    void directory.get('group', 'next');
    eight[3]?.abort();
    await settled();
    assert.equal(asked[3]?.signal.aborted, true);
    assert.deepEqual(later(), ['group next']);
  });
});

describe('Somebody who no longer waits for a directory', () => {
  it('is told so at once, and the lookup goes on for the others', async () => {
    const { directory, asked, answer } = held();
    const one = asking(directory, 'group', '1');
    const other = directory.get('group', '1');
    one.abort();
    assert.ok(cancelled(await one.ended));
    assert.equal(asked[0]?.signal.aborted, false);
    await answer('One');
    assert.deepEqual(await other, thing.group('1', 'One'));
  });

  it('ends the lookup where nobody else waits, and nothing of it is remembered', async () => {
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

  it('is cancelled even where the answer is remembered, if that was before the question', async () => {
    const { directory, requests } = await withGroup();
    await assert.rejects(directory.get('group', '1', { signal: AbortSignal.abort() }), cancelled);
    await assert.rejects(directory.get('group', '2', { signal: AbortSignal.abort() }), cancelled);
    assert.equal(requests().length, 1);
  });

  it('does not stop what is looked up behind an answer that was remembered', async () => {
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

  it('has no part in a lookup that begins after the first was left', async () => {
    const { directory, asked, answer, requests } = held();
    const one = asking(directory, 'group', '1');
    one.abort();
    const other = asking(directory, 'group', '1');
    assert.deepEqual(requests(), ['group 1', 'group 1']);
    await one.ended;
    asked[0]?.reject(broken());
    await settled();
    const third = asking(directory, 'group', '1', 'new');
    assert.equal(requests().length, 2);
    await answer('One');
    for (const { ended } of [other, third]) assert.deepEqual(await ended, thing.group('1', 'One'));
  });

  it('never has part in another lookup, not even when it leaves just as its own is answered', async () => {
    for (let ticks = 0; ticks < 20; ticks++) {
      const { directory, asked, requests } = held();
      const one = asking(directory, 'group', '1', 'new');
      asked[0]?.resolve('One');
      for (let tick = 0; tick < ticks; tick++) await undefined;
      const again = [directory.get('group', '1', { accept: 'new' })];
      one.abort();
      again.push(directory.get('group', '1', { accept: 'new' }));
      await settled();
      assert.ok(asked.slice(1).length <= 1, `${requests()} after ${ticks} ticks`);
      for (const two of asked) two.resolve('Two');
      await Promise.all(again);
    }
  });

  it('leaves no listener at its signal', async () => {
    const { signal } = new AbortController();
    const { directory, answer } = held();
    const got = directory.get('group', '1', { signal });
    await answer('One');
    await got;
    await directory.get('group', '1', { signal });
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });
});

describe('Directory that is disposed of', () => {
  it('cancels all lookups, in flight or not, and calls nobody back', async () => {
    const { directory, asked, eight, changes, later } = busy();
    const waiting = range(8, 12).map((id) => directory.get('group', id).catch((error: unknown) => error));
    directory.dispose();
    for (const one of asked) assert.equal(one.signal.aborted, true);
    for (const { ended } of eight) assert.ok(cancelled(await ended));
    for (const ended of waiting) assert.ok(cancelled(await ended));
    for (const one of asked) one.resolve('');
    await settled();
    assert.deepEqual(later(), []);
    assert.deepEqual(changes, []);
  });

  it('calls nobody back, not even of what is answered just then or later', async () => {
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

  it('has nothing to cancel when nothing is under way', () => {
    new Directory({ group: assert.fail, bot: assert.fail, user: assert.fail }).dispose();
  });
});
