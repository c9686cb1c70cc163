import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { Directory, type LookupOptions } from '../../../src/directory/directory.ts';
import { isFailure, ServiceError } from '../../../src/service/errors.ts';
import { settled } from '../deferred.ts';
import { broken, held, MINUTE, missing, thing, withGroup } from './held-directory.ts';

// What any sequence of lookups, answers and cancellations leads to is the subject of directory-model.test.ts.
describe('A directory', () => {
  it('answers from what it knows, asks the service, or does both, by the age of a resource', async () => {
    const rows: [age: number, accept: LookupOptions['accept'], isAnswered: boolean, isAsked: boolean][] = [
      [10 * MINUTE - 1, 'remembered', true, false],
      [10 * MINUTE - 1, 'fresh', true, false],
      [10 * MINUTE - 1, 'new', false, true],
      [10 * MINUTE, undefined, true, true],
      [10 * MINUTE, 'remembered', true, true],
      [10 * MINUTE, 'fresh', false, true],
    ];
    for (const [age, accept, isAnswered, isAsked] of rows) {
      const { clock, directory, requests, answer, first } = await withGroup();
      clock.now = age;
      const got = directory.get('group', '1', accept && { accept });
      await settled();
      assert.equal(requests().length, isAsked ? 2 : 1, `${accept} after ${age} ms`);
      if (isAsked) await answer('Renamed');
      const renamed = thing.group('1', 'Renamed');
      assert.deepEqual(await got, isAnswered ? first : renamed);
      assert.deepEqual(directory.peek('group', '1'), isAsked ? renamed : first);
    }
  });

  it('knows for one minute that something is not found', async () => {
    const { clock, directory, first, requests, lookUp } = await withGroup(missing('group', '1'));
    clock.now = MINUTE - 1;
    for (const accept of ['remembered', 'fresh'] as const) {
      await assert.rejects(directory.get('group', '1', { accept }), (error) => error === first);
    }
    assert.equal(directory.missing('group', '1'), first);
    assert.equal(directory.has('group', '1'), true);
    assert.equal(requests().length, 1);
    clock.now = MINUTE;
    assert.deepEqual(await lookUp('New'), thing.group('1', 'New'));
    assert.equal(directory.missing('group', '1'), undefined);
  });

  it('keeps a resource after code -1, which has other causes, too, but knows that an unknown ID is not found', async () => {
    const refusal = new ServiceError({ kind: 'notFound', what: 'group', id: '1', code: -1, text: '群(ID:1)不存在。' });
    const { clock, directory, lookUp, first, changes } = await withGroup();
    assert.equal(await lookUp(refusal, 'new'), refusal);
    assert.equal(directory.peek('group', '1'), first);
    assert.deepEqual(changes, ['group 1']);
    // It's no fresher than before.
    clock.now = 10 * MINUTE;
    assert.equal(await lookUp(refusal, 'fresh'), refusal);
    const unknown = await withGroup(refusal);
    await assert.rejects(unknown.directory.get('group', '1'), (error) => error === refusal);
    assert.equal(unknown.requests().length, 1);
  });

  it('takes no answer about another ID, whose name would stand for this one', async () => {
    const directory = new Directory({
      group: async () => thing.group('2', 'Two'),
      bot: async () => thing.bot('2', 'Two'),
      user: async () => thing.user('2', 'Two'),
    });
    for (const [kind, path] of [
      ['group', 'data.group.groupId'],
      ['bot', 'data.bot.botId'],
      ['user', 'data.user.userId'],
    ] as const) {
      const failure = { kind: 'unreadable', path, problem: 'mismatch' } as const;
      await assert.rejects(directory.get(kind, '1'), new ServiceError(failure));
      assert.equal(directory.has(kind, '1'), false);
    }
    await assert.rejects(directory.identify('1'), { name: 'ServiceError' });
  });

  it('begins with the resources of an earlier window, as old as they are, and takes over those of another one', async () => {
    const one = thing.group('1', 'One');
    const { directory, clock, requests } = held({ cached: [{ id: '1', at: -4 * MINUTE, found: one }] });
    assert.equal(directory.peek('group', '1'), one);
    clock.now = 6 * MINUTE - 1;
    assert.equal(await directory.get('group', '1', { accept: 'fresh' }), one);
    assert.deepEqual(requests(), []);
    clock.now = 6 * MINUTE;
    await directory.get('group', '1');
    assert.deepEqual(requests(), ['group 1']);
    directory.merge([{ id: '2', at: 0, found: thing.user('2', 'Anna') }]);
    assert.deepEqual(directory.peek('user', '2'), thing.user('2', 'Anna'));
  });

  it('has the names that the user gives, and tells listeners of those that change', () => {
    const { directory, changes } = held();
    const [ann, big] = [
      { kind: 'user', id: '1', label: 'Ann' },
      { kind: 'group', id: '2', label: 'Big' },
    ] as const;
    directory.setLabels([ann, big]);
    assert.deepEqual(changes.splice(0), ['user 1', 'group 2']);
    assert.deepEqual([directory.labelOf('user', '1'), directory.labelOf('group', '1')], ['Ann', undefined]);
    directory.setLabels([{ ...ann, label: 'Anna' }, big]);
    assert.deepEqual(changes.splice(0), ['user 1']);
    directory.setLabels([big]);
    assert.deepEqual(changes, ['user 1']);
    assert.equal(directory.labelOf('user', '1'), undefined);
  });

  it('tells listeners of each changed entry until they are removed', async () => {
    const { directory, lookUp } = held();
    const seen: unknown[] = [];
    const stop = directory.onDidChange((kind, id) => seen.push(directory.peek(kind, id)));
    for (const name of ['One', broken(), missing('group', '1')]) await lookUp(name, 'new');
    stop();
    await lookUp('Two', 'new');
    assert.deepEqual(seen, [thing.group('1', 'One'), undefined]);
  });

  it('refreshes a resource in the background even if its caller goes', async () => {
    const { clock, directory, asked, answer } = await withGroup();
    clock.now = 10 * MINUTE;
    const abort = new AbortController();
    await directory.get('group', '1', { signal: abort.signal });
    abort.abort();
    assert.equal(asked[1]?.signal.aborted, false);
    await answer('Renamed');
    assert.deepEqual(directory.peek('group', '1'), thing.group('1', 'Renamed'));
  });

  it('runs the lookups first that were requested last, and those that were requested together in their order', async () => {
    const { directory, asked, requests } = held();
    for (let id = 0; id < 8; id++) void directory.get('group', `${id}`);
    await settled();
    for (const id of ['a', 'b']) void directory.get('group', id);
    await Promise.resolve();
    void directory.get('group', 'c');
    await settled();
    for (const id of ['d', 'e']) void directory.get('group', id);
    await settled();
    void directory.get('group', 'b');
    for (let number = 0; number < 5; number++) {
      asked[number]?.resolve('');
      await settled();
    }
    assert.deepEqual(requests().slice(8), ['group b', 'group d', 'group e', 'group a', 'group c']);
  });

  it('leaves no listener on the signal of a caller', async () => {
    const { signal } = new AbortController();
    const { directory, answer } = held();
    const got = directory.get('group', '1', { signal });
    await answer('One');
    await got;
    await directory.get('group', '1', { signal });
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  it('calls no listener once disposed of, even if lookups complete later', async () => {
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
});

describe('Identifying an ID of unknown kind', () => {
  const ORDER = ['user', 'bot', 'group'] as const;

  it('stops at the first match: user, then bot, then group', async () => {
    for (const [index, kind] of ORDER.entries()) {
      const { directory, answer, requests } = held();
      const identified = directory.identify('1');
      const others = ORDER.slice(0, index);
      for (const before of others) await answer(missing(before, '1'));
      await answer('It');
      assert.deepEqual(await identified, thing[kind]('1', 'It'));
      assert.equal(directory.kindOf('1'), kind);
      assert.deepEqual(
        requests(),
        [...others, kind].map((one) => `${one} 1`),
      );
    }
  });

  it('finds nothing if there is no match, and remembers that', async () => {
    const { directory, answer, requests } = held();
    const identified = directory.identify('1');
    for (const kind of ORDER) await answer(missing(kind, '1'));
    assert.equal(await identified, undefined);
    assert.equal(await directory.identify('1'), undefined);
    assert.equal(requests().length, 3);
  });

  it('tries no other kind than that of a known resource, as new as it is wanted, unless it is gone', async () => {
    const { directory, first, requests, answer, lookUp } = await withGroup();
    assert.equal(await directory.identify('1'), first);
    const renamed = directory.identify('1', undefined, 'new');
    await answer('Renamed');
    assert.deepEqual(await renamed, thing.group('1', 'Renamed'));
    assert.deepEqual(requests(), ['group 1', 'group 1']);
    await lookUp(missing('group', '1'), 'new');
    const identified = directory.identify('1');
    await answer('Anna');
    assert.equal((await identified)?.kind, 'user');
    assert.deepEqual(requests().slice(3), ['user 1']);
  });

  it('fails if a lookup does, and stops', async () => {
    const { directory, answer, requests } = held();
    const error = broken();
    const identified = assert.rejects(directory.identify('1'), (thrown) => thrown === error);
    await answer(error);
    await identified;
    assert.deepEqual(requests(), ['user 1']);
  });

  it("stops when it's canceled", async () => {
    const { directory, answer, asked, requests } = held();
    const abort = new AbortController();
    const identified = assert.rejects(directory.identify('1', abort.signal), (error) => isFailure(error, 'cancelled'));
    await answer(missing('user', '1'));
    abort.abort();
    await identified;
    await settled();
    assert.deepEqual(requests(), ['user 1', 'bot 1']);
    assert.equal(asked[1]?.signal.aborted, true);
  });
});
