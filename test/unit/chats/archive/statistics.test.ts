import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as v from 'valibot';
import { Statistics } from '../../../../src/protocol/statistics.ts';
import { Listed } from '../../../../src/service/message.ts';
import { CHAT, jsonsOf, messageOf, openArchive } from './archives.ts';

let ids = 0;
const message = (more: Record<string, unknown> = {}) => messageOf(`m${ids++}`, 'Hi', more);
const at = (time: string, more: Record<string, unknown> = {}) => message({ sendTime: Date.parse(time), ...more });

/** Statistics of a chat with these messages, oldest first. */
function statisticsOf(messages: readonly unknown[], timeZone = 'UTC'): Statistics {
  const archive = openArchive();
  const chat = archive.addChat(CHAT);
  archive.addPage(chat, jsonsOf(messages));
  const statistics = archive.statistics(chat, timeZone);
  archive.close();
  // The page can receive it.
  return v.parse(Statistics, structuredClone(statistics));
}

const dayText = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const daysOf = ({ days }: Statistics) => days.map(({ day, count }) => `${dayText(day)} ${count}`);

/** The hours with messages, such as `Sun 3: 2`. */
const hoursOf = ({ hours }: Statistics) =>
  hours.flatMap((counts, weekday) =>
    counts.flatMap((count, hour) =>
      count > 0 ? [`${['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'][weekday]} ${hour}: ${count}`] : [],
    ),
  );

describe('Statistics of a chat', () => {
  it('count messages by local day, weekday and hour', () => {
    const messages = [at('2024-03-03T22:59Z'), at('2024-03-03T23:30Z'), at('2024-03-04T12:00Z')];
    const utc = statisticsOf(messages);
    assert.deepEqual(daysOf(utc), ['2024-03-03 2', '2024-03-04 1']);
    assert.deepEqual(hoursOf(utc), ['Mon 12: 1', 'Sun 22: 1', 'Sun 23: 1']);
    const berlin = statisticsOf(messages, 'Europe/Berlin');
    assert.deepEqual(daysOf(berlin), ['2024-03-03 1', '2024-03-04 2']);
    assert.deepEqual(hoursOf(berlin), ['Mon 0: 1', 'Mon 13: 1', 'Sun 23: 1']);
  });

  it('count senders by their ID and type, with their names, most frequent first', () => {
    const bot = { senderId: '7', senderType: 'bot', senderNickname: 'Desk' };
    const user = { senderId: '7', senderNickname: 'Ana' };
    const { senders } = statisticsOf([
      message(user),
      message(bot),
      message(bot),
      message({ senderId: '', senderNickname: '' }),
    ]);
    assert.deepEqual(senders, {
      top: [
        { sender: 'bot 7', type: 'bot', id: '7', name: 'Desk', count: 2 },
        { sender: 'user ', type: 'user', id: '', name: '', count: 1 },
        { sender: 'user 7', type: 'user', id: '7', name: 'Ana', count: 1 },
      ],
      others: { names: 0, count: 0 },
    });
  });

  it('count the senders beyond the first 500 together', () => {
    const messages = Array.from({ length: 503 }, (_, index) => message({ senderId: `${1000 + index}` }));
    const { senders } = statisticsOf([...messages, message({ senderId: '1502' }), message({ senderId: '1502' })]);
    assert.equal(senders.top.length, 500);
    assert.deepEqual(senders.top[0], { sender: 'user 1502', type: 'user', id: '1502', name: 'Ana', count: 3 });
    // Of equally frequent ones, those with smaller keys come first.
    assert.equal(senders.top[499]?.id, '1498');
    assert.deepEqual(senders.others, { names: 3, count: 3 });
  });

  it('count content types, commands and buttons', () => {
    const buttons = [
      [{ text: 'Yes', actionType: 1 }, { text: 'No' }],
      [{ text: 'Yes' }, 5, { text: '' }],
    ];
    const statistics = statisticsOf([
      message({ contentType: 'markdown', content: { text: 'Hi', buttons } }),
      message({
        contentType: 'markdown',
        content: { text: 'Hi', buttons: [{ text: 'Yes' }, { text: 7 }, { text: '[.OK]' }] },
      }),
      message({ contentType: 'image', commandName: '/menu' }),
      message({ commandName: '/help' }),
      message({ commandName: '/menu' }),
    ]);
    assert.deepEqual(statistics.kinds.top, [
      { kind: 'markdown', count: 2 },
      { kind: 'text', count: 2 },
      { kind: 'image', count: 1 },
    ]);
    assert.deepEqual(statistics.commands.top, [
      { name: '/menu', count: 2 },
      { name: '/help', count: 1 },
    ]);
    assert.equal(statistics.withButtons, 2);
    assert.equal(statistics.buttonsIn, 2);
    assert.deepEqual(statistics.buttons.top, [
      { text: 'Yes', count: 3 },
      { text: '7', count: 1 },
      { text: 'No', count: 1 },
      { text: '👌', count: 1 },
    ]);
  });

  it('are of one chat, in all its segments, and empty after it was removed', () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    const other = archive.addChat({ ...CHAT, id: '100000002' });
    archive.addPage(chat, jsonsOf([at('2024-03-04T12:00Z')]));
    archive.addPage(chat, jsonsOf([at('2024-03-08T12:00Z'), at('2024-03-08T13:00Z')]));
    archive.addPage(other, jsonsOf([at('2024-03-05T12:00Z')]));
    assert.deepEqual(daysOf(archive.statistics(chat, 'UTC')), ['2024-03-04 1', '2024-03-08 2']);
    assert.deepEqual(daysOf(archive.statistics(other, 'UTC')), ['2024-03-05 1']);
    archive.removeChat(chat);
    assert.equal(archive.statistics(chat, 'UTC').total, 0);
    assert.equal('first' in archive.statistics(chat, 'UTC'), false);
  });

  it('count more messages than are read at once', () => {
    const messages = Array.from({ length: 5_001 }, (_, index) => message({ sendTime: 1_700_000_000_000 + index }));
    const statistics = statisticsOf(messages);
    assert.equal(statistics.total, 5_001);
    assert.deepEqual(daysOf(statistics), ['2023-11-14 5001']);
    assert.equal(statistics.first, 1_700_000_000_000);
    assert.equal(statistics.last, 1_700_000_005_000);
  });

  it('are the same as if each message is counted by itself', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'Asia/Kathmandu',
      // Has had no 2011-12-30.
      'Pacific/Apia',
    ];
    const change = [
      '2011-12-30T10:00Z',
      '2024-03-31T01:00Z',
      '2024-04-06T15:00Z',
      '2024-04-14T02:00Z',
      '2024-10-27T01:00Z',
      '2024-11-03T04:30Z',
    ].map(Date.parse);
    const time = fc.oneof(
      fc.constantFrom(undefined, null, 0, -1, 9e14, 'soon'),
      fc.integer({ min: Date.UTC(1972, 0, 2), max: Date.UTC(2060, 0) }),
      fc.tuple(fc.constantFrom(...change), fc.integer({ min: -9e6, max: 9e6 })).map(([one, by]) => one + by),
    );
    const word = fc.constantFrom('', 'a', 'b', 'a b', 'é"\\', '登录', '\u0000', 'x\u0000y', 7);
    const button = fc.oneof(fc.record({ text: word }), fc.constantFrom(null, 5, 'a', [{ text: 'nested' }], {}));
    const buttons = fc.oneof(fc.array(fc.oneof(button, fc.array(button))), fc.constantFrom(undefined, null, 'a'));
    const one = fc.record({
      sendTime: time,
      senderId: fc.constantFrom('1', '2', '', ' '),
      senderType: word,
      contentType: word,
      commandName: word,
      content: fc.oneof({ weight: 9, arbitrary: fc.record({ buttons }) }, fc.constant(null)),
    });
    const entry = fc.oneof({ weight: 9, arbitrary: one }, fc.constant(undefined));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), fc.constantFrom(...zones), (entries, zone) => {
        // A page without a readable message isn't kept.
        fc.pre(entries.length === 0 || entries.some((one) => one !== undefined));
        const messages = entries.map((entry, index) => (entry ? message(entry) : { broken: index }));
        const { senders, kinds, commands, buttons, ...rest } = statisticsOf(messages, zone);
        const expected = naively(messages, zone);
        assert.deepEqual(
          { ...rest, days: daysOf({ ...rest } as Statistics), hours: hoursOf(rest as Statistics) },
          expected.rest,
        );
        const pairs = (top: { count: number }[], name: string) =>
          Object.fromEntries(top.map((one) => [(one as unknown as Record<string, string>)[name], one.count]));
        assert.deepEqual(pairs(senders.top, 'sender'), expected.senders);
        assert.deepEqual(pairs(kinds.top, 'kind'), expected.kinds);
        assert.deepEqual(pairs(commands.top, 'name'), expected.commands);
        assert.deepEqual(pairs(buttons.top, 'text'), expected.buttons);
      }),
    );
  });
});

/** A second implementation, which counts message by message. */
function naively(messages: readonly unknown[], timeZone: string) {
  const entries = messages.map((one) => v.parse(Listed, JSON.parse(JSON.stringify(one))));
  const readable = entries.flatMap((entry) => (entry.readable ? [entry.message] : []));
  const times = readable
    .flatMap(({ sendTime }) => (sendTime && sendTime > 0 && sendTime < 2.5e14 ? [sendTime] : []))
    .sort((a, b) => a - b);
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { timeZone, ...options });
  const parts = { weekday: format({ weekday: 'short' }), hour: format({ hour: 'numeric', hourCycle: 'h23' }) };
  const day = new Intl.DateTimeFormat('sv', { timeZone });
  const order = 'Mon Tue Wed Thu Fri Sat Sun';
  const hours = tally(times.map((time) => `${parts.weekday.format(time)} ${Number(parts.hour.format(time))}`));
  const inWeek = (text: string) => order.indexOf(text.slice(0, 3)) * 100 + Number(text.slice(4));
  const withButtons = readable.filter(({ content }) => (content.buttons ?? []).flat().length > 0);
  return {
    rest: {
      total: entries.length,
      unreadable: entries.length - readable.length,
      withoutTime: readable.length - times.length,
      withButtons: withButtons.length,
      buttonsIn: withButtons.length,
      ...(times.length > 0 && { first: times[0], last: times.at(-1) }),
      days: Object.entries(tally(times.map((time) => day.format(time)))).map(([name, count]) => `${name} ${count}`),
      hours: Object.entries(hours)
        .sort(([one], [other]) => inWeek(one) - inWeek(other))
        .map(([name, count]) => `${name}: ${count}`),
    },
    senders: tally(readable.map(({ senderType, senderId }) => `${senderType} ${senderId}`)),
    kinds: tally(readable.map(({ contentType }) => contentType)),
    commands: tally(readable.flatMap(({ commandName }) => commandName || [])),
    buttons: tally(
      withButtons.flatMap(({ content }) => (content.buttons ?? []).flat().flatMap(({ text }) => text || [])),
    ),
  };
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
