import assert from 'node:assert/strict';
import * as v from 'valibot';
import { Poll } from '../../../../src/deliveries/replies/poll.ts';
import { Message, type OutgoingButton } from '../../../../src/service/message.ts';

const buttons: OutgoingButton[][] = [
  [
    { text: 'Yes', actionType: 3, value: 'come:yes' },
    { text: 'No', actionType: 2, value: 'no' },
  ],
  [{ text: 'More', actionType: 1, url: 'https://example.com' }],
];

let sent = 0;
const said = (text: string, senderId: string, more: object = {}) =>
  v.parse(Message, {
    ...{ msgId: `m${sent++}`, senderId, senderType: 'user', contentType: 'text', content: { text } },
    ...more,
  });

const counts = (...messages: Message[]) => countsOf(buttons, ...messages);

function countsOf(rows: OutgoingButton[][], ...messages: Message[]) {
  const poll = new Poll(rows);
  for (const message of messages) poll.add(message);
  return poll.answers().map(({ label, count }) => `${label}: ${count}`);
}

describe('A poll', () => {
  it('begins with the buttons, even if nobody chose them', () => {
    assert.deepEqual(counts(), ['Yes: 0', 'No: 0']);
  });

  it('counts a button by its label and its value', () => {
    assert.deepEqual(counts(said('yes', 'a'), said('COME:YES', 'b'), said('no', 'c')), ['Yes: 2', 'No: 1']);
  });

  it('counts a button whose label or value has emoji codes, and shows the emoji', () => {
    const rows = [[{ text: '好的[.OK]', actionType: 3, value: '[.点赞]' }]];
    assert.deepEqual(countsOf(rows, said('好的[.OK]\u200B', 'a'), said('好的👌', 'b'), said('[.点赞]', 'c')), [
      '好的👌: 3',
    ]);
  });

  it('counts texts that people take for the same, the most frequent first', () => {
    const messages = [said('maybe', 'a'), said('Perhaps', 'b'), said(' ＰＥＲＨＡＰＳ ', 'c')];
    assert.deepEqual(counts(...messages).slice(2), ['Perhaps: 2', 'maybe: 1']);
  });

  it('counts commands by their name', () => {
    const messages = [said('/join at 8', 'a', { commandName: '/join' }), said('/join', 'b')];
    assert.deepEqual(counts(...messages).slice(2), ['/join: 2']);
  });

  it('counts a sender once for each answer', () => {
    assert.deepEqual(counts(said('yes', 'a'), said('Yes', 'a'), said('no', 'a')), ['Yes: 1', 'No: 1']);
  });

  it('leaves out long texts and what has no text', () => {
    const image = said('', 'a', { contentType: 'image', content: { imageUrl: 'https://example.com/a.png' } });
    const invisible = said('\u200B\u2060', 'a');
    assert.deepEqual(counts(said('x'.repeat(41), 'a'), said('one\ntwo', 'a'), image, invisible), ['Yes: 0', 'No: 0']);
  });
});
