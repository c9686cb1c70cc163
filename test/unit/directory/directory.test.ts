import assert from 'node:assert/strict';
import { Directory } from '../../../src/directory/directory.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { settled } from '../deferred.ts';
import { broken, held, MINUTE, missing, thing, withGroup } from './held-directory.ts';

const named = (name: string) => ({ kind: 'group', resource: { groupId: '1', name } });

describe('Directory', () => {
  it('shares a request between concurrent callers', async () => {
    const { directory, answer, requests } = held();
    const asking = Array.from({ length: 100 }, () => directory.get('group', '1'));
    await answer('One');
    const found = await Promise.all(asking);
    assert.deepEqual(requests(), ['group 1']);
    assert.equal(new Set(found).size, 1);
    assert.deepEqual(found[0], thing.group('1', 'One'));
  });

  it('takes no answer about another ID, whose name would stand for this one', async () => {
    const directory = new Directory({
      group: async () => thing.group('2', 'Two'),
      bot: async () => thing.bot('2', 'Two'),
      user: async () => thing.user('2', 'Two'),
    });
    for (const [kind, path] of [
      ['group', 'groupId'],
      ['bot', 'botId'],
      ['user', 'userId'],
    ] as const) {
      const failure = { kind: 'unreadable', path: `data.${kind}.${path}`, problem: 'mismatch' } as const;
      await assert.rejects(directory.get(kind, '1'), new ServiceError(failure));
      assert.equal(directory.has(kind, '1'), false);
    }
    await assert.rejects(directory.identify('1'), { name: 'ServiceError' });
  });

  it('begins with the resources of an earlier window, as old as they are', async () => {
    const one = thing.group('1', 'One');
    const { directory, clock, requests } = held({ cached: [{ id: '1', at: -4 * MINUTE, found: one }] });
    assert.equal(directory.peek('group', '1'), one);
    clock.now = 6 * MINUTE - 1;
    assert.equal(await directory.get('group', '1', { accept: 'fresh' }), one);
    assert.deepEqual(requests(), []);
    clock.now = 6 * MINUTE;
    await directory.get('group', '1');
    assert.deepEqual(requests(), ['group 1']);
  });

  it('caches a resource for ten minutes', async () => {
    const { clock, directory, first, requests } = await withGroup();
    clock.now = 10 * MINUTE - 1;
    for (const accept of ['remembered', 'fresh', undefined] as const) {
      assert.equal(await directory.get('group', '1', accept && { accept }), first);
    }
    await settled();
    assert.deepEqual(requests(), ['group 1']);
  });

  it('returns a stale resource at once and refreshes it in the background', async () => {
    const { clock, directory, first, requests, answer } = await withGroup();
    clock.now = 10 * MINUTE;
    assert.equal(await directory.get('group', '1'), first);
    assert.equal(await directory.get('group', '1', { accept: 'remembered' }), first);
    assert.deepEqual(requests(), ['group 1', 'group 1']);
    await answer('Renamed');
    assert.partialDeepStrictEqual(directory.peek('group', '1'), named('Renamed'));
    assert.partialDeepStrictEqual(await directory.get('group', '1', { accept: 'fresh' }), named('Renamed'));
    assert.equal(requests().length, 2);
  });

  it('waits for the service if a fresh resource is required, and rejects if that fails', async () => {
    const { clock, lookUp, requests } = await withGroup();
    clock.now = 10 * MINUTE;
    assert.partialDeepStrictEqual(await lookUp('Renamed', 'fresh'), named('Renamed'));
    clock.now = 20 * MINUTE;
    const error = broken();
    assert.equal(await lookUp(error, 'fresh'), error);
    assert.equal(requests().length, 3);
  });

  it('looks up a fresh resource again if a new lookup is required', async () => {
    const { directory, lookUp, requests } = await withGroup();
    assert.partialDeepStrictEqual(await lookUp('Renamed', 'new'), named('Renamed'));
    assert.partialDeepStrictEqual(await directory.get('group', '1'), named('Renamed'));
    assert.equal(requests().length, 2);
  });

  it('caches "not found" for one minute', async () => {
    const { clock, directory, first, requests, lookUp } = await withGroup(missing('group', '1'));
    clock.now = MINUTE - 1;
    for (const accept of ['remembered', 'fresh'] as const) {
      await assert.rejects(directory.get('group', '1', { accept }), (error) => error === first);
    }
    assert.equal(requests().length, 1);
    clock.now = MINUTE;
    assert.partialDeepStrictEqual(await lookUp('New'), named('New'));
  });

  it("keeps a resource if a lookup fails, and drops it if it's gone", async () => {
    const { directory, lookUp, first } = await withGroup();
    await lookUp(broken(), 'new');
    assert.equal(directory.peek('group', '1'), first);
    await lookUp(missing('group', '1'), 'new');
    assert.equal(directory.peek('group', '1'), undefined);
    assert.deepEqual(directory.entries(), []);
  });

  describe('after code -1', () => {
    const refusal = new ServiceError({ kind: 'notFound', what: 'group', id: '1', code: -1, text: '群(ID:1)不存在。' });

    it('keeps a resource, and rejects the new lookup', async () => {
      const { clock, directory, lookUp, first, changes } = await withGroup();
      assert.equal(await lookUp(refusal, 'new'), refusal);
      assert.equal(directory.peek('group', '1'), first);
      assert.equal(directory.entries().length, 1);
      assert.deepEqual(changes, ['group 1']);
      // It's no fresher than before.
      clock.now = 10 * MINUTE;
      assert.equal(await lookUp(refusal, 'fresh'), refusal);
    });

    it("caches that an unknown ID isn't found", async () => {
      const { directory, requests } = await withGroup(refusal);
      await assert.rejects(directory.get('group', '1'), (error) => error === refusal);
      assert.equal(requests().length, 1);
    });
  });

  it('notifies listeners of each changed entry until they are removed', async () => {
    const { directory, lookUp, changes } = held();
    const seen: unknown[] = [];
    const stop = directory.onDidChange((kind, id) => seen.push(directory.peek(kind, id)));
    for (const name of ['One', broken(), missing('group', '1')]) await lookUp(name, 'new');
    stop();
    await lookUp('Two', 'new');
    assert.deepEqual(changes, ['group 1', 'group 1', 'group 1']);
    assert.deepEqual(seen, [thing.group('1', 'One'), undefined]);
  });
});
