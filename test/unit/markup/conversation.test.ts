import assert from 'node:assert/strict';
import * as v from 'valibot';
import { Conversation } from '../../../src/markup/rendered/conversation.ts';
import { Listed } from '../../../src/service/message.ts';
import { exportLabels, newConversation } from './exportLabels.ts';

const ann = { msgId: 'a', senderId: '7', senderType: 'user', senderNickname: 'Ann', contentType: 'text', sendTime: 0 };
const entryOf = (change: object = {}) => v.parse(Listed, { ...ann, ...change });
const unreadable = v.parse(Listed, { broken: true });

/** The names above these messages. */
function namesAbove(entries: Listed[]): (string | undefined)[] {
  const conversation = newConversation();
  return entries.map((entry) => conversation.next(entry).sender?.name);
}

/** The times around these moments in Berlin. */
function timesIn(language: string, ...moments: string[]) {
  const conversation = new Conversation({ ...exportLabels, language }, 'Europe/Berlin');
  return moments.map((moment) => {
    const { zone, day, time } = conversation.next(entryOf({ sendTime: Date.parse(moment) }));
    return [zone, day, time];
  });
}

describe('An exported conversation', () => {
  it('says where daylight saving time begins and ends, even within an hour', () => {
    assert.deepEqual(
      timesIn('en', '2026-03-29T00:59Z', '2026-03-29T01:00Z', '2026-10-25T00:30Z', '2026-10-25T01:30Z'),
      [
        ['Times are UTC+01:00 (Europe/Berlin).', 'Sunday, March 29, 2026', '1:59 AM'],
        ['Times are UTC+02:00 now.', '', '3:00 AM'],
        ['', 'Sunday, October 25, 2026', '2:30 AM'],
        ['Times are UTC+01:00 now.', '', '2:30 AM'],
      ],
    );
  });

  it('has days and times in the language of the interface, and days of the local time zone', () => {
    assert.deepEqual(timesIn('zh-cn', '2026-03-03T22:59Z', '2026-03-03T23:00Z'), [
      ['Times are UTC+01:00 (Europe/Berlin).', '2026年3月3日星期二', '23:59'],
      ['', '2026年3月4日星期三', '00:00'],
    ]);
  });

  it('has no day and no time zone where a time is not known, nor again after it', () => {
    const conversation = newConversation();
    const settings = [null, 0, 9e15, 0].map((sendTime) => conversation.next(entryOf({ sendTime })));
    assert.deepEqual(
      settings.map(({ zone, day, time }) => [zone, day, time]),
      [
        ['', '', 'time unknown'],
        ['Times are UTC+08:00 (Asia/Shanghai).', 'Thursday, January 1, 1970', '8:00 AM'],
        ['', '', 'time unknown'],
        ['', '', '8:00 AM'],
      ],
    );
  });

  it('has nothing around a message that cannot be read', () => {
    const nothing = { zone: '', day: '', time: '', sender: undefined, answered: undefined };
    assert.deepEqual(newConversation().next(unreadable), nothing);
  });

  it('names a time zone without an offset', () => {
    const { zone } = new Conversation(exportLabels, 'UTC').next(entryOf());
    assert.equal(zone, 'Times are UTC (UTC).');
  });

  it('says who a sender is, as far as that is known', () => {
    for (const [change, name, details] of [
      [{}, 'Ann', '7'],
      [{ senderType: 'bot' }, 'Ann', 'Bot 7'],
      [{ senderType: 'app\u202E' }, 'Ann', 'app⟨U+202E⟩ 7'],
      [{ senderType: '', senderNickname: '' }, '7', '7'],
      [{ senderId: '' }, 'Ann', ''],
      [{ senderId: '', senderNickname: '' }, '?', ''],
      [{ senderNickname: 'x'.repeat(201), senderId: '8'.repeat(201) }, `${'x'.repeat(200)}…`, `${'8'.repeat(200)}…`],
    ] as const)
      assert.deepEqual(newConversation().next(entryOf(change)).sender, { name, details });
  });

  it('quotes nothing in a message that is no reply', () => {
    assert.equal(newConversation().next(entryOf({ content: { text: 'Hi' } })).answered, undefined);
  });

  it('names a sender again after somebody else, an unreadable message or a system message, and on a new day', () => {
    const tomorrow = { sendTime: 24 * 3_600_000 };
    const anna = { senderNickname: 'Anna' };
    const entries = [{}, { sendTime: null }, { senderId: '8' }, anna, { ...anna, senderType: 'bot' }].map(entryOf);
    assert.deepEqual(namesAbove(entries), ['Ann', undefined, 'Ann', 'Anna', 'Anna']);
    assert.deepEqual(namesAbove([entryOf(), unreadable, entryOf()]), ['Ann', undefined, 'Ann']);
    assert.deepEqual(namesAbove([{}, { contentType: 'tip' }, {}].map(entryOf)), ['Ann', undefined, 'Ann']);
    assert.deepEqual(namesAbove([{}, tomorrow, tomorrow].map(entryOf)), ['Ann', 'Ann', undefined]);
  });

  it('quotes the first line of a parent without a quotation, whatever its type', () => {
    const quoted = (parent: object) => {
      const conversation = newConversation();
      conversation.next(entryOf(parent));
      const { name, text } = conversation.next(entryOf({ msgId: 'b', parentId: 'a' })).answered ?? {};
      return [name, text];
    };
    assert.deepEqual(quoted({ contentType: 'markdown', content: { text: '**Soup**\nor bread?' } }), ['Ann', 'Soup']);
    assert.deepEqual(quoted({ senderNickname: '', content: { text: 'x'.repeat(200) } }), ['7', `${'x'.repeat(120)}…`]);
    assert.deepEqual(quoted({ contentType: 'file', content: { fileName: 'a.pdf' } }), ['Ann', 'a.pdf']);
    assert.deepEqual(quoted({ contentType: 'audio', content: { audioDuration: 4 } }), ['Ann', 'Audio']);
    assert.deepEqual(quoted({ contentType: 'audioCall' }), ['Ann', 'Voice call']);
    assert.deepEqual(quoted({ contentType: 'location' }), ['Ann', 'location']);
  });

  it('quotes the first line of a parent of which a quotation has only the name', () => {
    const conversation = newConversation();
    conversation.next(entryOf({ content: { text: '👍' } }));
    const answered = (parentId: string) => {
      const { name, text } = conversation.next(entryOf({ parentId, content: { parent: 'Anna : ' } })).answered ?? {};
      return [name, text];
    };
    assert.deepEqual(answered('a'), ['Anna', '👍']);
    assert.deepEqual(answered('gone'), ['Anna', '…']);
  });

  it('remembers the last 10,000 messages for replies', () => {
    const conversation = newConversation();
    for (let name = 0; name <= 10_000; name++) conversation.next(entryOf({ msgId: `m${name}` }));
    const answered = (parentId: string) => conversation.next(entryOf({ msgId: 'm1', parentId })).answered;
    assert.deepEqual(answered('m1'), { name: 'Ann', text: 'text', msgId: 'm1' });
    assert.deepEqual(answered('m0'), { name: '', text: 'Reply to an earlier message', msgId: undefined });
  });
});
