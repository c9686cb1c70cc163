import assert from 'node:assert/strict';
import * as v from 'valibot';
import { Client } from '../../../src/service/client.ts';
import { Directory } from '../../../src/service/directory.ts';
import { ServiceError } from '../../../src/service/errors.ts';
import { Bot, Group, type Kind, User } from '../../../src/service/model.ts';
import { serveSandbox } from '../../host/serve.ts';
import { type Deferred, deferred, settled } from '../deferred.ts';

const minute = 60_000;
const missing = (what: Kind, id: string) => new ServiceError({ kind: 'notFound', what, id });
const broken = () => new ServiceError({ kind: 'unreachable', reason: 'ECONNRESET' });

/** A directory over a client that the test answers for, with a clock that stands still. */
function held() {
  const clock = { now: 0 };
  const asked: (Deferred<string> & { what: string })[] = [];
  const ask = (kind: Kind, id: string) => {
    const pending = { what: `${kind} ${id}`, ...deferred<string>() };
    asked.push(pending);
    return pending.promise;
  };
  const client = {
    group: async (groupId: string) => v.parse(Group, { groupId, name: await ask('group', groupId) }),
    bot: async (botId: string) => v.parse(Bot, { botId, nickname: await ask('bot', botId) }),
    user: async (userId: string) => v.parse(User, { userId, nickname: await ask('user', userId) }),
  };
  const directory = new Directory(client, () => clock.now);
  /** Lets the directory make its requests, and answers the last of them. */
  const answer = async (name: string | Error) => {
    await settled();
    const last = asked.at(-1) ?? assert.fail('nothing was asked');
    if (typeof name === 'string') last.resolve(name);
    else last.reject(name);
    await settled();
  };
  return { clock, asked, directory, answer, requests: () => asked.map(({ what }) => what) };
}

/** One that has looked group 1 up, at time 0. */
async function withGroup(name: string | Error = 'One') {
  const all = held();
  const first = all.directory.get('group', '1').catch((error: unknown) => error);
  await all.answer(name);
  return { ...all, first: await first };
}

describe('Directory', () => {
  it('makes one request for all who ask for one ID at the same time', async () => {
    const { directory, answer, requests } = held();
    const asking = Array.from({ length: 100 }, () => directory.get('group', '1'));
    await answer('One');
    const found = await Promise.all(asking);
    assert.deepEqual(requests(), ['group 1']);
    assert.equal(new Set(found).size, 1);
    assert.partialDeepStrictEqual(found[0], { kind: 'group', resource: { groupId: '1', name: 'One' } });
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

  it('remembers what it found for ten minutes', async () => {
    const { clock, directory, first, requests, answer } = await withGroup();
    clock.now = 10 * minute - 1;
    assert.equal(await directory.get('group', '1'), first);
    assert.deepEqual(requests(), ['group 1']);
    clock.now = 10 * minute;
    const again = directory.get('group', '1');
    await answer('Renamed');
    assert.partialDeepStrictEqual(await again, { resource: { name: 'Renamed' } });
  });

  it('remembers from the answer on, not from the question', async () => {
    const { clock, directory, answer, requests } = held();
    const first = directory.get('group', '1');
    clock.now = 5 * minute;
    await answer('One');
    clock.now = 15 * minute - 1;
    assert.equal(await directory.get('group', '1'), await first);
    assert.equal(requests().length, 1);
  });

  it('looks a fresh ID up all the same when it is told to refresh', async () => {
    const { directory, answer, requests } = await withGroup();
    const again = directory.get('group', '1', { refresh: true });
    await answer('Renamed');
    assert.partialDeepStrictEqual(await again, { resource: { name: 'Renamed' } });
    assert.partialDeepStrictEqual(await directory.get('group', '1'), { resource: { name: 'Renamed' } });
    assert.equal(requests().length, 2);
  });

  it('refreshes even what does not exist', async () => {
    const { directory, answer } = await withGroup(missing('group', '1'));
    const again = directory.get('group', '1', { refresh: true });
    await answer('Now it does');
    assert.partialDeepStrictEqual(await again, { resource: { name: 'Now it does' } });
  });

  it('remembers for one minute that there is no such thing', async () => {
    const { clock, directory, first, requests, answer } = await withGroup(missing('group', '1'));
    clock.now = minute - 1;
    await assert.rejects(directory.get('group', '1'), (error) => error === first);
    assert.equal(requests().length, 1);
    clock.now = minute;
    const again = directory.get('group', '1');
    await answer('New');
    assert.partialDeepStrictEqual(await again, { resource: { name: 'New' } });
  });

  it('never remembers another failure', async () => {
    const error = broken();
    const { directory, first, answer, requests } = await withGroup(error);
    assert.equal(first, error);
    const again = directory.get('group', '1');
    await answer('One');
    assert.partialDeepStrictEqual(await again, { resource: { name: 'One' } });
    assert.equal(requests().length, 2);
  });

  it('keeps what it knew when a refresh fails, and forgets it when the thing is gone', async () => {
    const { directory, answer, first } = await withGroup();
    const refresh = () => directory.get('group', '1', { refresh: true }).catch(() => {});
    const failing = refresh();
    await answer(broken());
    await failing;
    assert.equal(directory.peek('group', '1'), first);
    const vanishing = refresh();
    await answer(missing('group', '1'));
    await vanishing;
    assert.equal(directory.peek('group', '1'), undefined);
  });

  it('is peeked into without a request, at any age', async () => {
    const { clock, directory, first, requests } = await withGroup();
    clock.now = 1000 * minute;
    assert.equal(directory.peek('group', '1'), first);
    assert.equal(directory.peek('group', '2'), undefined);
    await settled();
    assert.deepEqual(requests(), ['group 1']);
  });

  it('has at most eight requests in flight, and makes all of them in the end', async () => {
    const { directory, asked } = held();
    const asking = Array.from({ length: 30 }, (_, id) => directory.get('group', String(id)));
    for (let done = 0; done < 30; done++) {
      await settled();
      assert.equal(asked.length, Math.min(30, done + 8));
      asked[done]?.resolve('');
    }
    await Promise.all(asking);
    assert.equal(new Set(asked.map(({ what }) => what)).size, 30);
  });

  it('remembers five thousand, and forgets those first that were looked up longest ago', async () => {
    const group = async (groupId: string) => v.parse(Group, { groupId });
    const directory = new Directory({ group, bot: assert.fail, user: assert.fail });
    const lookUp = (from: number, to: number) =>
      Promise.all(Array.from({ length: to - from }, (_, index) => directory.get('group', String(from + index))));
    await lookUp(0, 5000);
    await directory.get('group', '0', { refresh: true });
    assert.ok(directory.peek('group', '1'));
    await lookUp(5000, 5002);
    const remembered = ['0', '1', '2', '3', '5001'].filter((id) => directory.peek('group', id));
    assert.deepEqual(remembered, ['0', '3', '5001']);
  });

  it('goes on after failures of all that are in flight', async () => {
    const { directory, asked } = held();
    const failing = Array.from({ length: 8 }, (_, id) => directory.get('group', String(id)).catch(() => {}));
    await settled();
    for (const one of asked) one.reject(broken());
    await Promise.all(failing);
    void directory.get('group', 'next');
    await settled();
    assert.equal(asked.at(-1)?.what, 'group next');
  });
});

describe('Directory that identifies an ID of unknown kind', () => {
  it('stops at the first kind that has it: user, then bot, then group', async () => {
    const order: Kind[] = ['user', 'bot', 'group'];
    for (const [index, kind] of order.entries()) {
      const { directory, answer, requests } = held();
      const identified = directory.identify('1');
      for (const before of order.slice(0, index)) await answer(missing(before, '1'));
      await answer('It');
      assert.equal((await identified)?.kind, kind);
      assert.deepEqual(
        requests(),
        order.slice(0, index + 1).map((one) => `${one} 1`),
      );
    }
  });

  it('finds nothing where no kind has it, and remembers that', async () => {
    const { directory, answer, requests } = held();
    const identified = directory.identify('1');
    for (const kind of ['user', 'bot', 'group'] as const) await answer(missing(kind, '1'));
    assert.equal(await identified, undefined);
    assert.equal(await directory.identify('1'), undefined);
    assert.equal(requests().length, 3);
  });

  it('fails where a lookup fails, and asks no further', async () => {
    const { directory, answer, requests } = held();
    const identified = assert.rejects(directory.identify('1'), {
      failure: { kind: 'unreachable', reason: 'ECONNRESET' },
    });
    await answer(broken());
    await identified;
    assert.deepEqual(requests(), ['user 1']);
  });

  it('makes each request once for all who identify one ID at the same time', async () => {
    const { directory, answer, requests } = held();
    const identified = Array.from({ length: 100 }, () => directory.identify('1'));
    await answer(missing('user', '1'));
    await answer('Bot');
    assert.equal(new Set(await Promise.all(identified)).size, 1);
    assert.deepEqual(requests(), ['user 1', 'bot 1']);
  });

  it('tells the users, bots and groups of the sandbox apart', async () => {
    const { sandbox, close } = await serveSandbox();
    const directory = new Directory(new Client({ webUrl: sandbox.webUrl, openApiUrl: sandbox.openApiUrl }));
    const ids: [string, Kind | undefined][] = [
      ['7058314', 'user'],
      ['30481126', 'bot'],
      ['518204736', 'group'],
      ['big', 'group'],
      ['123456', undefined],
    ];
    for (const [id, kind] of ids) assert.equal((await directory.identify(id))?.kind, kind, id);
    await close();
  });
}).timeout(10_000);
