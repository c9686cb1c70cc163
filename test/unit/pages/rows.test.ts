import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import * as v from 'valibot';
import type { PageItem } from '../../../src/protocol/history.ts';
import { Message } from '../../../src/service/message.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

/** Replaces the page's formats, which need a document: days are numbered from 1970. */
const FORMATS = `data:text/javascript,export const formatDay = (time) => 'day ' + (time === undefined ? '?' : Math.floor(time / ${DAY}))`;

const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === '../common/formats.ts' ? { url: FORMATS, format: 'module', shortCircuit: true } : next(name, context),
});
const rows = await import('../../../src/pages/history/rows.ts');
hooks.deregister();

const message = { senderId: 'ann', contentType: 'text', sendTime: DAY, content: {} };
const messageItem = (key: string, fields: object = {}): PageItem => ({
  type: 'message',
  key,
  message: v.parse(Message, { ...message, msgId: key, ...fields }),
});
const unreadable: PageItem = { type: 'unreadable', key: 'u' };
const gap: PageItem = { type: 'gap', key: 'g', id: 1, edge: { at: 'open' } };

const ALL = { sender: '', kind: '' };
const keys = (items: readonly PageItem[]) => items.map(({ key }) => key);

describe('A filter of the history', () => {
  const ben = { senderId: 'ben' };
  const image = { contentType: 'image' };
  const [a, b, c, d] = [{}, ben, image, { ...ben, ...image }].map((fields, at) =>
    messageItem('abcd'.charAt(at), fields),
  );
  const items = [a, unreadable, b, gap, c, d].filter((item) => item !== undefined);

  it('shows everything if nothing is chosen', () => {
    assert.equal(rows.filterItems(items, ALL), items);
  });

  it('shows messages of a sender and of a kind', () => {
    assert.deepEqual(keys(rows.filterItems(items, { sender: 'ben', kind: '' })), ['b', 'g', 'd']);
    assert.deepEqual(keys(rows.filterItems(items, { sender: '', kind: 'image' })), ['g', 'c', 'd']);
    assert.deepEqual(keys(rows.filterItems(items, { sender: 'ben', kind: 'image' })), ['g', 'd']);
  });

  it('keeps gaps and hides unreadable messages', () => {
    assert.deepEqual(keys(rows.filterItems([unreadable, gap], { sender: 'ann', kind: '' })), ['g']);
    assert.deepEqual(keys(rows.filterItems([unreadable, gap], { sender: '', kind: 'text' })), ['g']);
  });

  it('lists senders by number of messages with their latest names, and kinds alphabetically', () => {
    const more = [
      ...items,
      messageItem('e', { senderId: 'ben', senderNickname: 'Ben' }),
      // Nothing would name these choices, and they would mean all.
      messageItem('f', { senderId: '', contentType: '' }),
      messageItem('g', { senderNickname: ' \u3000' }),
    ];
    const { senders, kinds } = rows.filterChoices(more, ALL);
    assert.deepEqual(
      senders.map(([, choice]) => choice),
      [
        { name: 'ann', count: 3 },
        { name: 'Ben', count: 3 },
      ],
    );
    assert.deepEqual(kinds, ['image', 'text']);
  });

  it('tells a bot and a person with the same ID apart, and senders without IDs by their names', () => {
    const [bot, person] = ['bot', 'user'].map((senderType) => messageItem(senderType, { senderType, senderId: '7' }));
    const [web, shop] = ['Web', 'Shop'].map((name) => messageItem(name, { senderId: '', senderNickname: name }));
    const mixed = [bot, person, web, shop].filter((item) => item !== undefined);
    const { senders } = rows.filterChoices(mixed, ALL);
    assert.deepEqual(
      senders.map(([, choice]) => choice),
      ['7', '7', 'Web', 'Shop'].map((name) => ({ name, count: 1 })),
    );
    const shown = senders.map(([sender]) => keys(rows.filterItems(mixed, { sender, kind: '' })).join());
    assert.deepEqual(shown, ['bot', 'user', 'Web', 'Shop']);
  });

  it('lists what is chosen even if no loaded message has it', () => {
    const [[sender] = ['']] = rows.filterChoices(items, ALL).senders;
    const { senders, kinds } = rows.filterChoices([], { sender, kind: 'image' });
    assert.deepEqual(senders, [[sender, { name: 'ann', count: 0 }]]);
    assert.deepEqual(kinds, ['image']);
  });
});

describe('A row of the history', () => {
  const rowsOf = (items: PageItem[], seen?: { msgId: string; sendTime: number }) =>
    items.map((_, index) => {
      const firstNew = rows.firstNewIndex(items, seen, 'bot');
      const { day, isFirstNew, continues } = rows.rowOf(items, index, firstNew) ?? assert.fail();
      return [day, ...(isFirstNew ? ['new'] : []), ...(continues ? ['continues'] : [])].filter(Boolean).join(' ');
    });
  const at = (key: string, sendTime: number | undefined, fields: object = {}) =>
    messageItem(key, { sendTime, ...fields });

  it('starts a day with its first message', () => {
    const items = [at('a', DAY), at('b', 2 * DAY - 1), at('c', 2 * DAY), at('d', undefined)];
    assert.deepEqual(rowsOf(items), ['day 1', '', 'day 2', 'day ?']);
  });

  it('repeats the day after gaps and unreadable messages', () => {
    const items = [at('a', DAY), gap, at('b', DAY), unreadable, at('c', DAY)];
    assert.deepEqual(rowsOf(items), ['day 1', '', 'day 1', '', 'day 1']);
  });

  it('is grouped with the previous message of the same sender within five minutes', () => {
    assert.deepEqual(
      rowsOf([
        at('a', DAY),
        at('b', DAY + 5 * MINUTE - 1),
        at('c', DAY + 10 * MINUTE - 1),
        at('d', DAY + 10 * MINUTE, { senderId: 'ben' }),
        at('e', DAY + 10 * MINUTE, { senderId: 'ben', parentId: 'a' }),
        at('f', DAY + 10 * MINUTE, { senderId: 'ben' }),
      ]),
      ['day 1', 'continues', '', '', '', 'continues'],
    );
  });

  it("isn't grouped with one that was sent much later, or under another name", () => {
    const anonymous = { senderId: '' };
    assert.deepEqual(
      rowsOf([
        at('a', DAY + 9 * MINUTE),
        at('b', DAY + 4 * MINUTE),
        at('c', DAY + 5 * MINUTE, { senderNickname: 'Ann' }),
        at('d', DAY + 6 * MINUTE, { ...anonymous, senderNickname: 'Ann' }),
        at('e', DAY + 7 * MINUTE, { ...anonymous, senderNickname: 'Ben' }),
        at('f', DAY + 8 * MINUTE, { ...anonymous, senderNickname: 'Ben' }),
      ]),
      ['day 1', '', '', '', '', 'continues'],
    );
  });

  it("isn't grouped with one of another kind of sender, which would pass for it", () => {
    const bot = { senderId: '1', senderType: 'bot', senderNickname: 'Order Desk' };
    const items = [at('a', DAY, bot), at('b', DAY, { ...bot, senderType: 'user' }), at('c', DAY, bot)];
    assert.deepEqual(rowsOf(items), ['day 1', '', '']);
  });

  it("isn't grouped if it's a system message, follows one, or is a reply", () => {
    assert.deepEqual(
      rowsOf([
        at('a', DAY),
        at('b', DAY + 1, { contentType: 'tip', content: { text: 'Ben joined.' } }),
        at('c', DAY + 2),
        at('d', DAY + 3, { content: { text: 'Yes', parent: 'Ben : No' } }),
        at('e', DAY + 4),
      ]),
      ['day 1', '', '', '', 'continues'],
    );
  });

  it('is the first new one after the last seen message', () => {
    const items = [at('a', DAY), at('b', DAY + 1), at('c', DAY + 2), at('d', DAY + 3)];
    assert.deepEqual(rowsOf(items, { msgId: 'b', sendTime: DAY + 1 }), ['day 1', 'continues', 'new', 'continues']);
    assert.deepEqual(rowsOf(items, { msgId: 'd', sendTime: DAY + 3 })[2], 'continues');
    assert.deepEqual(rowsOf(items, { msgId: '', sendTime: 0 })[0], 'day 1');
  });

  it('is the first new one if only the bot that reads has sent others before it', () => {
    const own = { senderId: 'bot', senderType: 'bot' };
    const seen = { msgId: 'a', sendTime: DAY };
    const newIn = (items: PageItem[]) => items[rowsOf(items, seen).findIndex((row) => row.includes('new'))]?.key;
    const [a, b, c, d] = [at('a', DAY), at('b', DAY + 1, own), at('c', DAY + 2, own), at('d', DAY + 3)];
    assert.equal(newIn([a, b, c]), undefined);
    assert.equal(newIn([a, b, c, d, at('e', DAY + 4)]), 'd');
    assert.equal(newIn([a, d, at('e', DAY + 4, own), at('f', DAY + 5)]), 'd');
    // What precedes a gap isn't known.
    assert.equal(newIn([a, gap, b, d]), undefined);
    // A person may have the ID of a bot.
    assert.equal(newIn([a, at('b', DAY + 1, { ...own, senderType: 'user' })]), 'b');
    assert.equal(newIn([a, at('b', DAY + 1, { ...own, senderId: 'another' })]), 'b');
  });

  it('is the first new one wherever messages that are unreadable, or have no time or a wrong one, are', () => {
    const newIn = (items: PageItem[], seen = { msgId: 'c', sendTime: DAY }) =>
      rowsOf(items, seen).flatMap((row, index) => (row.includes('new') ? items[index]?.key : []));
    const [a, b, c, d] = [at('a', DAY - 2), at('b', DAY - 1), at('c', DAY), at('d', DAY + 1)];
    assert.deepEqual(newIn([a, b, c, unreadable, d]), ['d']);
    assert.deepEqual(newIn([unreadable, d]), []);
    for (const odd of [undefined, DAY * 400, 0]) {
      assert.deepEqual(newIn([a, at('b', odd), c, d]), ['d']);
      assert.deepEqual(newIn([a, b, c, at('d', odd), at('e', DAY + 1)]), ['d']);
      assert.deepEqual(newIn([at('b', odd), a, c, d], { msgId: 'gone', sendTime: DAY }), ['d']);
    }
  });

  it('is undefined outside the list', () => {
    assert.equal(rows.rowOf([], 0, -1), undefined);
  });
});
