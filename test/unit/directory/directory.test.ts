import assert from 'node:assert/strict';
import { Directory } from '../../../src/directory/directory.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { settled } from '../deferred.ts';
import { broken, held, MINUTE, missing, thing, withGroup } from './held-directory.ts';

const named = (name: string) => ({ kind: 'group', resource: { groupId: '1', name } });

describe('Directory', () => {
  it('makes one request for all who ask for one ID at the same time', async () => {
    const { directory, answer, requests } = held();
    const asking = Array.from({ length: 100 }, () => directory.get('group', '1'));
    await answer('One');
    const found = await Promise.all(asking);
    assert.deepEqual(requests(), ['group 1']);
    assert.equal(new Set(found).size, 1);
    assert.deepEqual(found[0], thing.group('1', 'One'));
  });

  it('fails all who ask at the same time alike', async () => {
    const { directory, answer, requests } = held();
    const error = broken();
    const asking = Array.from({ length: 3 }, () => directory.get('bot', '1').catch((failure: unknown) => failure));
    await answer(error);
    assert.deepEqual(requests(), ['bot 1']);
    for (const failure of await Promise.all(asking)) assert.equal(failure, error);
  });

  it('tells kinds with the same ID apart', async () => {
    const { directory, requests } = await withGroup();
    void directory.get('user', '1');
    void directory.get('bot', '1');
    await settled();
    assert.deepEqual(requests(), ['group 1', 'user 1', 'bot 1']);
    assert.equal(directory.peek('user', '1'), undefined);
  });

  it('remembers what it found for ten minutes, whatever is accepted but news', async () => {
    const { clock, directory, first, requests } = await withGroup();
    clock.now = 10 * MINUTE - 1;
    for (const accept of ['remembered', 'fresh', undefined] as const) {
      assert.equal(await directory.get('group', '1', accept && { accept }), first);
    }
    await settled();
    assert.deepEqual(requests(), ['group 1']);
  });

  it('remembers from the answer on, not from the question', async () => {
    const { clock, directory, answer, requests } = held();
    const first = directory.get('group', '1');
    clock.now = 5 * MINUTE;
    await answer('One');
    clock.now = 15 * MINUTE - 1;
    assert.equal(await directory.get('group', '1', { accept: 'fresh' }), await first);
    assert.equal(requests().length, 1);
  });

  it('answers with what is no longer fresh at once, and looks it up again behind that', async () => {
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

  it('answers at once with what it remembers even where the lookup behind it fails', async () => {
    const { clock, directory, first, answer } = await withGroup();
    clock.now = 10 * MINUTE;
    assert.equal(await directory.get('group', '1'), first);
    await answer(broken());
    assert.equal(await directory.get('group', '1'), first);
  });

  it('waits for the service where only what is fresh is accepted, and fails where that fails', async () => {
    const { clock, directory, requests, answer } = await withGroup();
    clock.now = 10 * MINUTE;
    const renamed = directory.get('group', '1', { accept: 'fresh' });
    await answer('Renamed');
    assert.partialDeepStrictEqual(await renamed, named('Renamed'));
    clock.now = 20 * MINUTE;
    const error = broken();
    const failed = assert.rejects(directory.get('group', '1', { accept: 'fresh' }), (thrown) => thrown === error);
    await answer(error);
    await failed;
    assert.equal(requests().length, 3);
  });

  it('looks a fresh ID up all the same when only news is accepted', async () => {
    const { directory, answer, requests } = await withGroup();
    const again = directory.get('group', '1', { accept: 'new' });
    await answer('Renamed');
    assert.partialDeepStrictEqual(await again, named('Renamed'));
    assert.partialDeepStrictEqual(await directory.get('group', '1'), named('Renamed'));
    assert.equal(requests().length, 2);
  });

  it('joins who wants news with a lookup that is under way', async () => {
    const { directory, answer, requests } = held();
    const both = [directory.get('group', '1'), directory.get('group', '1', { accept: 'new' })];
    await answer('One');
    assert.equal(new Set(await Promise.all(both)).size, 1);
    assert.equal(requests().length, 1);
  });

  it('looks even what does not exist up again when only news is accepted', async () => {
    const { directory, answer } = await withGroup(missing('group', '1'));
    const again = directory.get('group', '1', { accept: 'new' });
    await answer('Now it does');
    assert.partialDeepStrictEqual(await again, named('Now it does'));
  });

  it('remembers for one minute that there is no such thing', async () => {
    const { clock, directory, first, requests, answer } = await withGroup(missing('group', '1'));
    clock.now = MINUTE - 1;
    for (const accept of ['remembered', 'fresh'] as const) {
      await assert.rejects(directory.get('group', '1', { accept }), (error) => error === first);
    }
    assert.equal(requests().length, 1);
    clock.now = MINUTE;
    const again = directory.get('group', '1');
    await answer('New');
    assert.partialDeepStrictEqual(await again, named('New'));
  });

  it('never remembers another failure', async () => {
    const error = broken();
    const { directory, first, answer, changes } = await withGroup(error);
    assert.equal(first, error);
    assert.deepEqual(changes, []);
    const again = directory.get('group', '1');
    await answer('One');
    assert.partialDeepStrictEqual(await again, named('One'));
  });

  it('keeps what it knew when news cannot be had, and forgets it when the thing is gone', async () => {
    const { directory, answer, first } = await withGroup();
    const again = () => directory.get('group', '1', { accept: 'new' }).catch(() => {});
    const failing = again();
    await answer(broken());
    await failing;
    assert.equal(directory.peek('group', '1'), first);
    const vanishing = again();
    await answer(missing('group', '1'));
    await vanishing;
    assert.equal(directory.peek('group', '1'), undefined);
    assert.deepEqual(directory.entries(), []);
  });

  it('keeps what it knew where code -1 says that it is gone, and fails who wanted news', async () => {
    const { clock, directory, answer, first, changes } = await withGroup();
    const refusal = new ServiceError({ kind: 'notFound', what: 'group', id: '1', code: -1, text: '群(ID:1)不存在。' });
    const failed = assert.rejects(directory.get('group', '1', { accept: 'new' }), (error) => error === refusal);
    await answer(refusal);
    await failed;
    assert.equal(directory.peek('group', '1'), first);
    assert.equal(directory.entries().length, 1);
    assert.deepEqual(changes, ['group 1']);
    // It is no fresher than it was.
    clock.now = 10 * MINUTE;
    const stale = assert.rejects(directory.get('group', '1', { accept: 'fresh' }), (error) => error === refusal);
    await answer(refusal);
    await stale;
  });

  it('remembers code -1 of what it never found, as it does any other way to be missing', async () => {
    const refusal = new ServiceError({ kind: 'notFound', what: 'group', id: '1', code: -1, text: '群(ID:1)不存在。' });
    const { directory, requests } = await withGroup(refusal);
    await assert.rejects(directory.get('group', '1'), (error) => error === refusal);
    assert.equal(requests().length, 1);
  });

  it('takes nothing for fresh that is from later than now, for a clock may be set back', async () => {
    const { clock, directory, first, requests } = await withGroup();
    clock.now = -1;
    assert.equal(await directory.get('group', '1'), first);
    assert.equal(requests().length, 2);
    const gone = await withGroup(missing('group', '1'));
    gone.clock.now = -1;
    void gone.directory.get('group', '1');
    assert.equal(gone.requests().length, 2);
  });

  it('is peeked into without a request, at any age', async () => {
    const { clock, directory, first, requests } = await withGroup();
    clock.now = 1000 * MINUTE;
    assert.equal(directory.peek('group', '1'), first);
    assert.equal(directory.peek('group', '2'), undefined);
    await settled();
    assert.deepEqual(requests(), ['group 1']);
  });

  it('remembers five thousand, and forgets those first that were looked up longest ago', async () => {
    const directory = new Directory({ group: async (id) => thing.group(id), bot: assert.fail, user: assert.fail });
    const lookUp = (from: number, to: number) =>
      Promise.all(Array.from({ length: to - from }, (_, index) => directory.get('group', String(from + index))));
    await lookUp(0, 5000);
    await directory.get('group', '0', { accept: 'new' });
    assert.ok(directory.peek('group', '1'));
    await lookUp(5000, 5002);
    const remembered = ['0', '1', '2', '3', '5001'].filter((id) => directory.peek('group', id));
    assert.deepEqual(remembered, ['0', '3', '5001']);
    assert.equal(directory.entries().length, 5000);
  });

  it('tells of each ID whose answer it remembers, after it does, until nobody listens', async () => {
    const { directory, answer, changes } = held();
    const seen: unknown[] = [];
    const stop = directory.onDidChange((kind, id) => seen.push(directory.peek(kind, id)));
    const get = () => directory.get('group', '1', { accept: 'new' }).catch(() => {});
    for (const name of ['One', broken(), missing('group', '1')]) {
      void get();
      await answer(name);
    }
    stop();
    void get();
    await answer('Two');
    assert.deepEqual(changes, ['group 1', 'group 1', 'group 1']);
    assert.deepEqual(seen, [thing.group('1', 'One'), undefined]);
  });
});
