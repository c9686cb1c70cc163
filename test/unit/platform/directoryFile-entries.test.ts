import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Directory } from '../../../src/directory/directory.ts';
import type { CacheEntry } from '../../../src/directory/ttlCache.ts';
import { deserializeEntries, serializeEntries } from '../../../src/platform/directoryFile.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { Client } from '../../../src/service/client.ts';
import { type Json, mutated, mutations, odd, textOf } from '../../prove/oddAnswers/answers.ts';
import { thing } from '../directory/held-directory.ts';
import { embedded } from '../service/answering.ts';
import { bot, group, user } from '../service/shapes.ts';

const shapes = { group, bot, user };

/** Serializes and deserializes entries. */
const restarted = async (entries: readonly CacheEntry[]) => deserializeEntries(await serializeEntries(entries));

/** Arbitrary lines of JSON. */
const linesOf = (...all: Json[]) => all.map(textOf).join('\n');
const HEADING = { version: 2 };

/** All groups, bots and users of the sandbox. */
async function everything(): Promise<CacheEntry[]> {
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

describe('Serialized directory entries', () => {
  let all: CacheEntry[];
  before(async () => {
    all = await everything();
  });

  it('are restored as they were', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(), identifier, fc.maxSafeInteger())), async (chosen) => {
        const entries = chosen.map(([number, id, at]) => ({ ...(all[number % all.length] ?? assert.fail()), id, at }));
        assert.deepEqual(await restarted(entries), entries);
      }),
    ));

  it('keep the raw JSON, because a later version may read more', async () => {
    const raw = { groupId: '1', name: 'One', novelty: { deep: [1] } };
    const [entry] = await restarted([{ id: '1', at: 0, found: { ...thing.group('1', 'One'), raw } }]);
    assert.deepEqual(entry?.found.raw, raw);
  });

  it('are valid or skipped if damaged', () =>
    fc.assert(
      fc.asyncProperty(mutations, fc.nat({ max: 20 }), async (changes, from) => {
        const stored = await serializeEntries(all.slice(from, from + 3));
        const lines = stored.split('\n').map((line) => JSON.parse(line) as Json);
        const changed = mutated(lines, changes);
        const damaged = Array.isArray(changed) ? linesOf(...changed) : textOf(changed);
        for (const { id, at, found } of await deserializeEntries(damaged)) {
          assert.ok(typeof id === 'string' && id !== '');
          assert.ok(Number.isFinite(at));
          shapes[found.kind](found.resource);
        }
      }),
    ));

  it('are empty for any other text', () =>
    fc.assert(
      fc.asyncProperty(odd, odd, async (one, other) => {
        for (const stored of [linesOf(one), linesOf(HEADING, other), linesOf({ version: one }, other), 'none', '']) {
          assert.deepEqual(await deserializeEntries(stored), []);
        }
      }),
    ));

  it('are discarded in another version', async () => {
    const [, ...entries] = (await serializeEntries(all)).split('\n');
    const headings = ['{"version":1}', '{"version":3}', '{"version":"2"}', '{}', 'null', '', '{"version":2', '[2]'];
    for (const heading of headings) {
      assert.deepEqual(await deserializeEntries([heading, ...entries].join('\n')), [], heading);
    }
    assert.deepEqual(await deserializeEntries(entries.join('\n')), []);
  });

  it('contain only the newest if there are too many', async () => {
    const long = (at: number): CacheEntry => {
      const found = thing.group(`${at}`, 'One');
      return { id: `${at}`, at, found: { ...found, raw: { ...(found.raw as object), more: 'x'.repeat(950_000) } } };
    };
    const entries = Array.from({ length: 9 }, (_, at) => long(at));
    assert.deepEqual(
      (await restarted(entries)).map(({ id }) => id),
      ['5', '6', '7', '8'],
    );
    // One for which there is no room doesn't take it from older ones.
    const short: CacheEntry = { id: 'old', at: 0, found: thing.group('old', 'One') };
    assert.deepEqual(
      (await restarted([short, ...entries])).map(({ id }) => id),
      ['old', '5', '6', '7', '8'],
    );
  });

  it('skip invalid entries', async () => {
    const lines = (await serializeEntries(all.slice(0, 2))).split('\n');
    const entries = lines.slice(1).map((line) => JSON.parse(line) as Record<string, unknown>);
    const [good, other] = [entries[0] ?? {}, entries[1] ?? {}];
    const bad: unknown[] = [null, 1, [], {}, { ...good, id: '' }, { ...good, id: 7 }, { ...good, at: '5' }];
    bad.push({ ...good, at: Number.POSITIVE_INFINITY });
    bad.push({ ...good, at: null }, { ...good, kind: 'chat' }, { ...good, kind: 'user' }, { ...good, raw: null });
    // Contract 4.3: an empty ID means "not found".
    for (const [kind, field] of [
      ['group', 'groupId'],
      ['bot', 'botId'],
      ['user', 'userId'],
    ] as const)
      for (const raw of [{}, { [field]: '' }, { [field]: 7 }]) bad.push({ ...good, kind, raw });
    for (const one of bad) {
      const read = await deserializeEntries(
        [lines[0], ...[good, one, other].map((entry) => JSON.stringify(entry))].join('\n'),
      );
      assert.deepEqual(read, all.slice(0, 2), JSON.stringify(one));
    }
  });

  it('are read without those that are known', async () => {
    const [first, second, third] = all;
    assert.ok(first && second && third);
    const isKnown = (kind: string, id: string) => kind === second.found.kind && id === second.id;
    const stored = await serializeEntries([first, second, third]);
    assert.deepEqual(await deserializeEntries(stored, isKnown), [first, third]);
  });

  it('contain no token from a lookup', async () => {
    const bot = { botId: 'b', token: 'tok-6f1d2c', uri: 'https://chat.example/send?token=tok-6f1d2c' };
    const answer = { code: 1, data: { group: { groupId: 'g', uri: bot.uri, groupBotRel: { bot } } } };
    const client = embedded(() => Response.json(answer));
    const directory = new Directory({ group: (id) => client.group(id), bot: assert.fail, user: assert.fail });
    await directory.get('group', 'g');
    const stored = await serializeEntries(directory.entries());
    assert.ok(stored.includes('chat.example') && !stored.includes('6f1d2c'), stored);
    assert.deepEqual(await restarted(directory.entries()), directory.entries());
  });
});
