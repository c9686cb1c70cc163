import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { Client } from '../../../src/service/client.ts';
import { Directory } from '../../../src/service/directory.ts';
import type { Entry } from '../../../src/service/shelf.ts';
import { fromStored, toStored } from '../../../src/service/stored.ts';
import { clientOf, type Json, mutated, mutations, odd, textOf } from '../../prove/answers/mutations.ts';
import { settled } from '../deferred.ts';
import { held, MINUTE, thing } from './held-directory.ts';
import { bot, group, user } from './shapes.ts';

const shapes = { group, bot, user };

/** What comes back of entries that are written as JSON. */
const restarted = (entries: readonly Entry[]) => fromStored(JSON.parse(JSON.stringify(toStored(entries))));

/** All groups, bots and users of the sandbox, as a client finds them. */
async function everything(): Promise<Entry[]> {
  const { webUrl, openApiUrl, fetch, ...all } = createSandbox({ origin: 'https://chat.example' });
  const inMemory: typeof globalThis.fetch = (input, init) => fetch(new Request(input, init));
  const client = new Client({ webUrl, openApiUrl, fetch: inMemory });
  const found = [
    ...all.groups.map((id) => client.group(id)),
    ...all.bots.map((id) => client.bot(id)),
    ...all.users.map((id) => client.user(id)),
  ];
  const ids = [...all.groups, ...all.bots, ...all.users];
  return Promise.all(ids.map(async (id, at) => ({ id, at, found: (await found[at]) ?? assert.fail(id) })));
}

const identifier = fc.string({ unit: fc.constantFrom(...'a0_-/%?"<群😀'), minLength: 1 });

describe('What a directory remembers, stored', () => {
  let all: Entry[];
  before(async () => {
    all = await everything();
  });

  it('comes back as it was', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), identifier, fc.maxSafeInteger())), (chosen) => {
        const entries = chosen.map(([number, id, at]) => ({ ...(all[number % all.length] ?? assert.fail()), id, at }));
        assert.deepEqual(restarted(entries), entries);
      }),
    ));

  it('comes back with all that the service said, for a later version may read more', () => {
    const raw = { groupId: '1', name: 'One', novelty: { deep: [1] } };
    const [entry] = restarted([{ id: '1', at: 0, found: { ...thing.group('1', 'One'), raw } }]);
    assert.deepEqual(entry?.found.raw, raw);
  });

  it('gives nothing, or entries of their types, where it was damaged', () =>
    fc.assert(
      fc.property(mutations, fc.nat({ max: 20 }), (changes, from) => {
        const stored = JSON.parse(JSON.stringify(toStored(all.slice(from, from + 3)))) as Json;
        for (const { id, at, found } of fromStored(JSON.parse(textOf(mutated(stored, changes))))) {
          assert.ok(typeof id === 'string' && id !== '');
          assert.ok(Number.isFinite(at));
          shapes[found.kind](found.resource);
        }
      }),
      { numRuns: 1000 },
    ));

  it('gives no entry where it is something else altogether', () =>
    fc.assert(
      fc.property(odd, odd, (one, other) => {
        const nothing = [one, { version: 1, entries: other }, { version: one, entries: [other] }];
        for (const stored of nothing) assert.deepEqual(fromStored(JSON.parse(textOf(stored))), []);
      }),
    ));

  it('is forgotten where it has another form, or none', () => {
    const { entries } = toStored(all) as { entries: unknown[] };
    for (const version of [0, 2, '1', null, undefined]) assert.deepEqual(fromStored({ version, entries }), []);
    assert.deepEqual(fromStored({ entries }), []);
    for (const stored of [undefined, null, '', 0, [], entries, { version: 1 }])
      assert.deepEqual(fromStored(stored), []);
  });

  it('gives the good entries where others are bad', () => {
    const { version, entries } = toStored(all.slice(0, 2)) as { version: number; entries: Record<string, unknown>[] };
    const [good, other] = [entries[0] ?? {}, entries[1] ?? {}];
    const bad: unknown[] = [null, 1, [], {}, { ...good, id: '' }, { ...good, id: 7 }, { ...good, at: '5' }];
    bad.push({ ...good, at: Number.POSITIVE_INFINITY });
    bad.push({ ...good, at: null }, { ...good, kind: 'chat' }, { ...good, kind: 'user' }, { ...good, raw: null });
    // Contract 4.3: an empty ID stands for nothing.
    bad.push({ ...good, raw: { groupId: '' } }, { ...good, raw: { groupId: 7 } });
    for (const one of bad) {
      const read = fromStored({ version, entries: [good, one, other] });
      assert.deepEqual(read, all.slice(0, 2), JSON.stringify(one));
    }
  });

  it('holds no token that a lookup was answered with', async () => {
    const bot = { botId: 'b', token: 'tok-6f1d2c', uri: 'https://chat.example/send?token=tok-6f1d2c' };
    const answer = { code: 1, data: { group: { groupId: 'g', uri: bot.uri, groupBotRel: { bot } } } };
    const client = clientOf(async () => Response.json(answer));
    const directory = new Directory({ group: (id) => client.group(id), bot: assert.fail, user: assert.fail });
    await directory.get('group', 'g');
    const stored = JSON.stringify(toStored(directory.entries()));
    assert.ok(stored.includes('chat.example') && !stored.includes('6f1d2c'), stored);
    assert.deepEqual(restarted(directory.entries()), directory.entries());
  });
});

describe('A directory after a restart', () => {
  const remembered = () => restarted([{ id: '1', at: -4 * MINUTE, found: thing.group('1', 'One') }]);

  it('knows what was remembered, for as long as before', async () => {
    const { directory, clock, requests, changes } = held({ remembered: remembered() });
    assert.deepEqual(directory.peek('group', '1'), thing.group('1', 'One'));
    assert.deepEqual(directory.entries(), remembered());
    clock.now = 6 * MINUTE - 1;
    assert.deepEqual(await directory.get('group', '1', { accept: 'fresh' }), thing.group('1', 'One'));
    assert.deepEqual(requests(), []);
    clock.now = 6 * MINUTE;
    assert.deepEqual(await directory.get('group', '1'), thing.group('1', 'One'));
    assert.deepEqual(requests(), ['group 1']);
    assert.deepEqual(changes, []);
  });

  it('identifies by what was remembered', async () => {
    const { directory, requests } = held({ remembered: remembered() });
    assert.deepEqual(await directory.identify('1'), thing.group('1', 'One'));
    await settled();
    assert.deepEqual(requests(), []);
  });
});
