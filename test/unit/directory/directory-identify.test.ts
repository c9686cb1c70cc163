import assert from 'node:assert/strict';
import { Directory } from '../../../src/directory/directory.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { Client } from '../../../src/service/client.ts';
import { isFailure } from '../../../src/service/errors.ts';
import type { Kind } from '../../../src/service/model.ts';
import { settled } from '../deferred.ts';
import { broken, held, MINUTE, missing, thing, withGroup } from './held-directory.ts';

const ORDER = ['user', 'bot', 'group'] as const;

describe('Directory identifying an ID of unknown kind', () => {
  it('stops at the first match: user, then bot, then group', async () => {
    for (const [index, kind] of ORDER.entries()) {
      const { directory, answer, requests } = held();
      const identified = directory.identify('1');
      for (const before of ORDER.slice(0, index)) await answer(missing(before, '1'));
      await answer('It');
      assert.deepEqual(await identified, thing[kind]('1', 'It'));
      assert.deepEqual(
        requests(),
        ORDER.slice(0, index + 1).map((one) => `${one} 1`),
      );
    }
  });

  it('returns undefined if there is no match, and caches that', async () => {
    const { directory, answer, requests } = held();
    const identified = directory.identify('1');
    for (const kind of ORDER) await answer(missing(kind, '1'));
    assert.equal(await identified, undefined);
    assert.equal(await directory.identify('1'), undefined);
    assert.equal(requests().length, 3);
  });

  it('returns a cached resource without trying other kinds', async () => {
    const { clock, directory, first, requests, answer } = await withGroup();
    assert.equal(await directory.identify('1'), first);
    assert.deepEqual(requests(), ['group 1']);
    clock.now = 10 * MINUTE;
    assert.equal(await directory.identify('1'), first);
    await answer('Renamed');
    assert.deepEqual(requests(), ['group 1', 'group 1']);
  });

  it('tries all kinds again if the cached resource is gone', async () => {
    const { directory, answer, lookUp, requests } = await withGroup();
    await lookUp(missing('group', '1'), 'new');
    const identified = directory.identify('1');
    await answer('Anna');
    assert.equal((await identified)?.kind, 'user');
    assert.deepEqual(requests().slice(2), ['user 1']);
  });

  it('rejects if a lookup fails, and stops', async () => {
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

  it('shares requests between callers that identify the same ID', async () => {
    const { directory, answer, requests } = held();
    const identified = Array.from({ length: 100 }, () => directory.identify('1'));
    await answer(missing('user', '1'));
    await answer('Bot');
    assert.equal(new Set(await Promise.all(identified)).size, 1);
    assert.deepEqual(requests(), ['user 1', 'bot 1']);
  });

  it('tells the users, bots and groups of the sandbox apart', async () => {
    const { webUrl, openApiUrl, fetch } = createSandbox({ origin: 'https://chat.example' });
    const inMemory: typeof globalThis.fetch = (input, init) => fetch(new Request(input, init));
    const client = new Client({ webUrl, openApiUrl, fetch: inMemory });
    const directory = new Directory({
      group: (id, signal) => client.group(id, signal),
      bot: (id, signal) => client.bot(id, signal),
      user: (id, signal) => client.user(id, signal),
    });
    const ids: [string, Kind | undefined][] = [
      ['7058314', 'user'],
      ['30481126', 'bot'],
      ['518204736', 'group'],
      ['big', 'group'],
      ['123456', undefined],
    ];
    for (const [id, kind] of ids) assert.equal((await directory.identify(id))?.kind, kind, id);
  });
});
