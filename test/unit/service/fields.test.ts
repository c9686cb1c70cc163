import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as v from 'valibot';
import {
  code,
  isIdentifier,
  lenientIdentifier,
  number,
  requiredNumber,
  settingIdentifier,
  text,
} from '../../../src/service/fields.ts';
import { failureOf, succeeding } from './answering.ts';

/** Texts that look like another ID, several lines or nothing, by what they contain. */
const NONE: Record<string, string> = {
  nothing: '',
  'a space': '705 8314',
  'a blank around it': '7058314 ',
  'a line break': '7058314\nTo: everybody',
  'a tab': '7058314\t',
  'a line separator': '7058314\u20287102649',
  'a non-breaking space': '7058314\u00a0',
  'an ideographic space': '7058314\u3000',
  'a null character': '7058314\0',
  'an escape': '\u001b[31m7058314',
  'a next line': '7058314\u0085',
  'a zero-width space': '705\u200b8314',
  'a byte order mark': '\ufeff7058314',
  'a soft hyphen': '705\u00ad8314',
  'a right-to-left override': '\u202e4138507',
  'a bidi isolate': '\u2066705\u20698314',
  'a Hangul filler': '7058314\u3164',
  'a blank Braille pattern': '\u2800',
  'a variation selector': '7058314\ufe0f',
  'a tag character': '7058314\u{e0041}',
  'a lone surrogate': '7058314\ud83d',
  'another lone surrogate': '\ude007058314',
};

describe('An identifier', () => {
  it('is any text of visible characters', () => {
    for (const id of ['7058314', 'big', '大群', 'a-b_c.d', '0123456789abcdef', 'x'.repeat(200), '😀', '<b>', '[a](b)'])
      assert.equal(isIdentifier(id), true, id);
  });

  it('is no text that looks like another one, several lines or nothing', () => {
    for (const [what, none] of Object.entries(NONE)) assert.equal(isIdentifier(none), false, what);
  });

  it('in a setting may be a number, or have white space around it', () => {
    for (const [set, id] of [
      [' 7058314\n', '7058314'],
      [7058314, '7058314'],
      [0, '0'],
    ] as const)
      assert.equal(v.parse(settingIdentifier, set), id);
    for (const set of ['', ' ', 'a b', 7.5, 2 ** 53, null, 'x'.repeat(201)])
      assert.equal(v.is(settingIdentifier, set), false, `${set}`);
  });

  it('may be longer than 200 characters only if it comes from the service', async () => {
    const long = 'x'.repeat(201);
    assert.equal(isIdentifier(long), false);
    const client = succeeding({ list: [{ msgId: long, senderId: long }] });
    const [message] = await client.messages('t', { kind: 'group', id: 'big' }, { latest: 1 });
    assert.ok(message?.readable);
    assert.deepEqual([message.message.msgId, message.message.senderId], [long, long]);
  });

  it("of a message, sender or creator is ignored if it's invalid", async () => {
    const message = { msgId: 'm1', senderId: '705\n8314', parentId: 'm\u202e0' };
    const list = [message, { msgId: 'm 2' }];
    const bot = { botId: '30481126', createBy: '7058314\u200b' };
    const client = succeeding({ list, bot, user: { userId: '7058314\n' } });
    const [first, second] = await client.messages('t', { kind: 'group', id: 'big' }, { latest: 2 });
    assert.ok(first?.readable);
    assert.deepEqual([first.message.senderId, first.message.parentId], ['', '']);
    // The raw JSON is kept.
    assert.deepEqual([first.raw, second], [message, { readable: false, raw: { msgId: 'm 2' } }]);
    assert.equal((await client.bot('30481126')).resource.createBy, '');
    assert.partialDeepStrictEqual(await failureOf(client.user('7058314')), {
      kind: 'unreadable',
      path: 'data.user.userId',
    });
  });

  it('that comes as a number is none if it has lost digits', async () => {
    const read = async (id: number) => {
      const content = { expressionId: id, stickerId: id, stickerPackId: id, postId: id };
      const message = { msgId: 'm', senderId: id, parentId: id, commandId: id, content };
      const review = { id, chatId: id };
      const bot = { botId: 'b', id, createBy: id, nicknameId: id, avatarId: id, checkChatInfoRecord: review };
      const group = { groupId: 'g', id, createBy: id, avatarId: id, groupBotRel: { id, groupId: id, botId: id } };
      const user = { userId: 'u', medals: [{ id }] };
      const data = { list: [message, { msgId: id }], successList: [{ recvId: 'g', msgId: id }], bot, group, user };
      const client = succeeding(data);
      const [first, second] = await client.messages('t', { kind: 'group', id: 'g' }, { latest: 2 });
      assert.ok(first?.readable && !second?.readable);
      const sent = await client.batchSend('t', 'group', ['g'], { contentType: 'text', content: { text: 'Hello' } });
      const found = await Promise.all([client.bot('b'), client.group('g'), client.user('u')]);
      return JSON.stringify([first.message, sent.reached, found.map(({ resource }) => resource)]);
    };
    assert.equal((await read(7058314)).match(/7058314/g)?.length, 21);
    for (const id of [JSON.parse('1161888007138312193'), 2 ** 53, 7.5, 1e21]) assert.doesNotMatch(await read(id), /\d/);
    const client = succeeding({ bot: { botId: 'b', id: '1161888007138312193' } });
    assert.equal((await client.bot('b')).resource.id, undefined);
  });
});

describe('A field of a response', () => {
  /** What each kind of field makes of a value: an optional text, number, code (a number or a text) or ID. */
  const rows: [
    came: unknown,
    text: string,
    number: number | undefined,
    code: number | string | undefined,
    id: string,
  ][] = [
    ['', '', undefined, '', ''],
    ['gold', 'gold', undefined, 'gold', 'gold'],
    ['342', '342', 342, 342, '342'],
    ['-1', '-1', -1, -1, '-1'],
    ['-13.40', '-13.40', -13.4, '-13.40', '-13.40'],
    ['1.2.3', '1.2.3', undefined, '1.2.3', '1.2.3'],
    ['.4', '.4', undefined, '.4', '.4'],
    ['3.', '3.', undefined, '3.', '3.'],
    ['3,5', '3,5', undefined, '3,5', '3,5'],
    ['1e3', '1e3', undefined, '1e3', '1e3'],
    [' 1', ' 1', undefined, ' 1', ''],
    ['9'.repeat(400), '9'.repeat(400), undefined, '9'.repeat(400), '9'.repeat(400)],
    [0, '0', 0, 0, '0'],
    [-12, '-12', -12, -12, '-12'],
    [3.5, '3.5', 3.5, 3.5, ''],
  ];

  it('is converted between numbers and text', () => {
    for (const [came, ...expected] of rows) {
      const read = [text, number, code, lenientIdentifier].map((schema) => v.parse(schema, came));
      assert.deepEqual(read, expected, `${came}`);
    }
  });

  it('is unknown if it is missing, null or of another type', () => {
    for (const came of [undefined, null, true, {}, [], ['1'], Number.NaN, Number.POSITIVE_INFINITY]) {
      if (typeof came !== 'number') assert.equal(v.parse(text, came), '', `${came}`);
      assert.equal(v.parse(number, came), undefined, `${came}`);
      assert.equal(v.parse(code, came), undefined, `${came}`);
      assert.equal(v.parse(lenientIdentifier, came), '', `${came}`);
    }
  });

  it('has digits only if it must be a number', () => {
    for (const none of ['1.0', '', 'one', ' 1', '1 ', 'a1', '1a'])
      assert.equal(v.is(requiredNumber, none), false, none);
    fc.assert(fc.property(fc.maxSafeInteger(), (value) => assert.equal(v.parse(requiredNumber, `${value}`), value)));
  });
});
