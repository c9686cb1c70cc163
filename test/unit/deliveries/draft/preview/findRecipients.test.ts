import assert from 'node:assert/strict';
import { findRecipients } from '../../../../../src/deliveries/draft/preview/findRecipients.ts';
import { systemClock } from '../../../../../src/service/clock.ts';
import type { Chat } from '../../../../../src/service/model.ts';
import { heldClock } from '../../../clocks.ts';

describe('Recipients to go to', () => {
  const names: Record<string, string> = { '7': 'Joanne', '17': 'Ann Lee', '170': 'Émile', '99': '张伟' };
  const chats: Chat[] = Object.keys(names).map((id) => ({ kind: 'user', id }));
  const find = async (text: string) => {
    const found = await findRecipients(chats, text, ({ id }) => names[id] ?? '', new AbortController().signal);
    return found.chats.map(({ id }) => id);
  };

  it('are found by a part of a name, in any case and without accents', async () => {
    assert.deepEqual(await find('LEE'), ['17']);
    assert.deepEqual(await find(' emile '), ['170']);
    assert.deepEqual(await find('伟'), ['99']);
    assert.deepEqual(await find('nobody'), []);
    assert.deepEqual(await find(' '), []);
  });

  it('are first the one with this ID, then those that begin with the text', async () => {
    assert.deepEqual(await find('ann'), ['17', '7']);
    assert.deepEqual(await find('17'), ['17', '170']);
    assert.deepEqual(await find('7'), ['7', '17', '170']);
  });

  it('are at most 20 of a hundred thousand', async () => {
    const many: Chat[] = Array.from({ length: 100_000 }, (_, at) => ({ kind: 'user', id: `${100_000 + at}` }));
    const search = (text: string) =>
      findRecipients(many, text, () => 'Ann', new AbortController().signal, heldClock().clock);
    const { chats, hasMore } = await search('00000');
    assert.deepEqual([chats.map(({ id }) => id), hasMore], [['100000'], false]);
    const all = await search('ann');
    assert.deepEqual([all.chats.length, all.chats[0]?.id, all.hasMore], [20, '100000', true]);
    assert.deepEqual((await search('199999')).chats, [{ kind: 'user', id: '199999' }]);
  });

  it('are no longer searched for once something else is typed', async () => {
    const many: Chat[] = Array.from({ length: 10 }, (_, at) => ({ kind: 'user', id: `${at}` }));
    const abort = new AbortController();
    let now = 0;
    // Each recipient takes a second.
    const slow = { ...systemClock, now: () => (now += 1000) };
    const searching = findRecipients(many, '7', () => 'Ann', abort.signal, slow);
    abort.abort();
    await assert.rejects(searching, /cancelled/i);
  });
});
