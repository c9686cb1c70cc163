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
    msgId: `m${sent++}`,
    senderId,
    senderType: 'user',
    contentType: 'text',
    content: { text },
    ...more,
  });

/** How often each answer to buttons was given, of which texts are by different people. */
function countsOf(rows: OutgoingButton[][], ...answers: (string | Message)[]) {
  const poll = new Poll(rows);
  for (const [at, one] of answers.entries()) poll.add(typeof one === 'string' ? said(one, `${at}`) : one);
  return poll.answers().map(({ label, count }) => `${label}: ${count}`);
}

describe('A poll', () => {
  it('begins with the buttons, even if nobody chose them', () => {
    assert.deepEqual(countsOf(buttons), ['Yes: 0', 'No: 0']);
  });

  it('counts a button by its label and its value', () => {
    assert.deepEqual(countsOf(buttons, 'yes', 'COME:YES', 'no'), ['Yes: 2', 'No: 1']);
  });

  it('counts a button whose label or value has emoji codes, and shows the emoji', () => {
    const rows = [[{ text: '好的[.OK]', actionType: 3, value: '[.点赞]' }]];
    assert.deepEqual(countsOf(rows, '好的[.OK]\u200B', '好的👌', '[.点赞]'), ['好的👌: 3']);
  });

  it('counts texts that people take for the same, the most frequent first', () => {
    const answers = ['maybe', ' Perhaps\n', ' ＰＥＲＨＡＰＳ '];
    assert.deepEqual(countsOf(buttons, ...answers).slice(2), ['Perhaps: 2', 'maybe: 1']);
  });

  it('counts as one what differs only in what search folds, or in the punctuation around it', () => {
    const same: Record<string, string[]> = {
      Yes: ['yes', 'Yes!', 'yes.', 'YES!!!', ' yes ', 'ＹＥＳ', 'yés', 'ye\u0301s', 'yes…', '“yes”', 'yes!\n'],
      yes: ['yes\u00A0', 'y\u200Bes'],
      收到: ['收到', '收到！', '收到。', '收到~', '收到～', '「收到」', '收到 '],
      ガ: ['ガ', 'ｶﾞ', 'カ\u3099', 'ガ。', 'ｶﾞ｡'],
      '👍': ['👍', '👍🏽', '👍🏿', '👍\uFE0F'],
      '❤️': ['❤️', '❤'],
      '1': ['1', '１', '1.', '1、', '1)', '1️⃣', '①', '١'],
      'see you': ['see you', 'See  you', 'SEE YOU!', 'see\u3000you', 'see\nyou', 'see\r\n\r\nyou!'],
      '¿Sí?': ['¿Sí?', 'si', '¡Sí!'],
      '?': ['?', '？'],
    };
    for (const [label, texts] of Object.entries(same)) {
      const button = [[{ text: label, actionType: 3, value: 'v' }]];
      assert.deepEqual(countsOf(button, ...texts), [`${label}: ${texts.length}`]);
      assert.deepEqual(countsOf([], label, ...texts), [`${label}: ${texts.length + 1}`]);
    }
  });

  it('counts texts of up to 40 characters, in Markdown, too', () => {
    const longest = 'x'.repeat(40);
    const markdown = said(longest, 'other', { contentType: 'markdown' });
    assert.deepEqual(countsOf([], longest, markdown, `${longest}x`), [`${longest}: 2`]);
  });

  it('counts apart what means something else', () => {
    const texts = '1,-1,+1,10,1%,#1,C,C++,no,not,か,が,yes no,yes/no,👍,👎,?,...'.split(',');
    assert.deepEqual(
      countsOf([], ...texts),
      texts.map((one) => `${one}: 1`),
    );
  });

  it("counts a button's label before another one's value", () => {
    const numbers = [0, 1, 2].map((number) => ({ text: `${number}`, actionType: 3, value: `${number + 1}` }));
    assert.deepEqual(countsOf([numbers], '1', '3', '２.'), ['0: 0', '1: 1', '2: 2']);
    const swapped = ['Yes', 'No'].map((text, at) => ({ text, actionType: 3, value: ['no', 'yes'][at] ?? '' }));
    assert.deepEqual(countsOf([swapped], 'yes', 'no', 'No!'), ['Yes: 1', 'No: 2']);
  });

  it('counts buttons with the same label as one, by the value of each', () => {
    const same = ['a:1', 'a:2'].map((value) => ({ text: 'Choose', actionType: 3, value }));
    assert.deepEqual(countsOf([same], 'choose', 'a:1', 'a:2'), ['Choose: 3']);
  });

  it('counts apart the values of buttons whose labels nobody can see', () => {
    const blank = ['a', 'b'].map((value) => ({ text: '\u200B', actionType: 3, value }));
    assert.deepEqual(countsOf([blank], 'a', 'b'), ['a: 1', 'b: 1']);
  });

  it('counts a button with a long label or value, or one of two lines', () => {
    const long = `I will come, and bring ${'everyone I know, '.repeat(10)}and cake`;
    const rows = [
      [{ text: long, actionType: 3, value: 'come' }],
      [{ text: 'Not this time\n下次吧', actionType: 3, value: `no:${'0'.repeat(100)}` }],
    ];
    const answers = [
      long,
      `${long.toUpperCase()}!`,
      'come',
      `${long} or not`,
      'not this time\r\n下次吧。',
      'Not this time 下次吧',
      `no:${'0'.repeat(100)}`,
      'Not this time',
      'x'.repeat(100_000),
    ];
    assert.deepEqual(countsOf(rows, ...answers), [`${long}: 3`, 'Not this time\n下次吧: 3', 'Not this time: 1']);
  });

  it('counts commands by their name', () => {
    const command = said('/join at 8', 'a', { commandName: '/join' });
    assert.deepEqual(countsOf(buttons, command, '/join').slice(2), ['/join: 2']);
  });

  it('counts a sender once for each answer', () => {
    assert.deepEqual(countsOf(buttons, said('yes', 'a'), said('Yes', 'a'), said('no', 'a')), ['Yes: 1', 'No: 1']);
  });

  describe('says how many answers of people it leaves out, and why:', () => {
    const image = said('', 'a', { contentType: 'image', content: { imageUrl: 'https://example.com/a.png' } });
    const longest = said('x'.repeat(100_000), 'a');
    const rows: [string, Message[], Partial<ReturnType<Poll['uncounted']>>][] = [
      [
        'long texts',
        [said('x'.repeat(41), 'a'), said(`${'x'.repeat(20)}\n${'x'.repeat(20)}`, 'a'), longest],
        { long: 3 },
      ],
      ['what has no text', [image, said('\u200B\u2060', 'a'), said('\u200B \u2060', 'a')], { textless: 3 }],
      ['what a sender repeats', [said('no', 'a'), said('No!', 'a'), said('no', 'b')], { repeated: 1 }],
      ['the rarest', Array.from({ length: 53 }, (_, at) => said(`word ${at}`, 'a')), { rare: 3 }],
      ['none of bots', [said('no', 'a', { senderType: 'bot' }), said('x'.repeat(41), 'a', { senderType: 'bot' })], {}],
    ];
    for (const [what, messages, left] of rows)
      it(what, () => {
        const poll = new Poll(buttons);
        for (const message of messages) poll.add(message);
        assert.deepEqual(poll.uncounted(), { long: 0, textless: 0, repeated: 0, rare: 0, ...left });
      });
  });
});
