import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isIdentifier, parseIds } from '../../../src/service/fields.ts';
import { embedded, failureOf, success } from './answering.ts';

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
    for (const [what, text] of Object.entries(NONE)) assert.equal(isIdentifier(text), false, what);
  });

  it('may be longer than 200 characters only if it comes from the service', async () => {
    const long = 'x'.repeat(201);
    assert.equal(isIdentifier(long), false);
    const client = embedded(() => success({ list: [{ msgId: long, senderId: long }] }));
    const [message] = await client.messages('t', { type: 'group', id: 'big' }, { latest: 1 });
    assert.ok(message?.readable);
    assert.deepEqual([message.message.msgId, message.message.senderId], [long, long]);
  });

  it("of a message, sender or creator is ignored if it's invalid", async () => {
    const message = { msgId: 'm1', senderId: '705\n8314', parentId: 'm\u202e0' };
    const list = [message, { msgId: 'm 2' }];
    const bot = { botId: '30481126', createBy: '7058314\u200b' };
    const client = embedded(() => success({ list, bot, user: { userId: '7058314\n' } }));
    const [first, second] = await client.messages('t', { type: 'group', id: 'big' }, { latest: 2 });
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
});

describe('Pasted IDs', () => {
  it('are found between any separators, without duplicates', () => {
    for (const pasted of [
      '7058314,big',
      ' 7058314 \r\n\tbig ',
      '7058314;big；7058314',
      '7058314、big，',
      '["7058314", "big"]',
      '“7058314”，‘big’',
      // Copied from a page, with invisible characters.
      '\ufeff7058314\u200e\u00a0\u200bbig\u2028',
    ])
      assert.deepEqual(parseIds(pasted), ['7058314', 'big'], pasted);
  });

  it('are found in Chinese punctuation, without the labels beside them', () => {
    for (const [pasted, ...ids] of [
      ['518204736、563311478。', '518204736', '563311478'],
      ['群号：518204736（测试）', '518204736'],
      ['群号:518204736(测试).', '518204736'],
      ['群ID：518204736，ID: 563311478, ID 7058314', '518204736', '563311478', '7058314'],
      ['518204736·563311478', '518204736', '563311478'],
      ['QQ群518204736群主7058314', '518204736', '7058314'],
      ['【518204736】《563311478》「7058314」……7102649——', '518204736', '563311478', '7058314', '7102649'],
      ['- 518204736\n• 563311478', '518204736', '563311478'],
      ['| 518204736 | 河畔 |', '518204736'],
      ['(518204736) <563311478>', '518204736', '563311478'],
      ['518204736!7058314! 7102649.', '518204736!7058314', '7102649'],
      ['５１８２０４７３６，ｂｉｇ', '518204736', 'big'],
      ['大群 518204736', '518204736'],
      ['518204736/563311478&7058314和7102649', '518204736', '563311478', '7058314', '7102649'],
    ]) {
      assert.ok(pasted);
      assert.deepEqual(parseIds(pasted), ids, pasted);
    }
  });

  it('are found in lists, among names, remarks and labels', () => {
    for (const [pasted, ...ids] of [
      ['1. 518204736\n2. 563311478', '518204736', '563311478'],
      ['1) 518204736 2) 563311478', '518204736', '563311478'],
      ['1、518204736\n2、563311478', '518204736', '563311478'],
      ['（1）518204736\n（2）563311478', '518204736', '563311478'],
      ['①518204736 ②563311478', '518204736', '563311478'],
      ['- [ ] 518204736\n- [x] 563311478', '518204736', '563311478'],
      ['群1：518204736；群2：563311478', '518204736', '563311478'],
      ['Group 1: 518204736, Group 2: 563311478', '518204736', '563311478'],
      ['Group ID: 518204736', '518204736'],
      ['518204736（群1）、563311478（2群）', '518204736', '563311478'],
      ['518204736 (Riverside), 563311478(East Bank)', '518204736', '563311478'],
      ['@Ann (7058314)\n@Ben Lee (7102649)', '7058314', '7102649'],
      ['Ann <7058314>, Ben Lee <7102649>', '7058314', '7102649'],
      ['id:518204736 groupId=563311478 QQ:7058314', '518204736', '563311478', '7058314'],
      ['{"ids":["518204736","563311478"]}', '518204736', '563311478'],
      ['# Customers\n7058314 # Ann\n7102649', '7058314', '7102649'],
      ['**518204736**, *563311478*', '518204736', '563311478'],
      ['518204736<br>563311478', '518204736', '563311478'],
      ['518204736→563311478', '518204736', '563311478'],
      ['1.518204736\n2)563311478', '518204736', '563311478'],
      ['1️⃣518204736\n2️⃣ 563311478', '518204736', '563311478'],
      ['1. Ann (7058314)\n2. Ben (7102649)', '7058314', '7102649'],
      ['To: Ann <7058314>; Ben <7102649>', '7058314', '7102649'],
      ['@7058314 <@7102649> #518204736 No.563311478', '7058314', '7102649', '518204736', '563311478'],
      ['✅518204736\n◆563311478✓ ※7058314🙂7102649', '518204736', '563311478', '7058314', '7102649'],
      ['{"groupId":518204736}', '518204736'],
      ['用户ID7058314，群主QQ7102649', '7058314', '7102649'],
    ]) {
      assert.ok(pasted);
      assert.deepEqual(parseIds(pasted), ids, pasted);
    }
  });

  it('keep short numbers, marks inside, and hidden digits', () => {
    for (const [pasted, ...ids] of [
      ['7, 8, 518204736', '7', '8', '518204736'],
      ['7、8、518204736', '7', '8', '518204736'],
      ['# 518204736', '518204736'],
      ['#big 7058****', '#big', '7058****'],
      ['518204736 (563311478)', '518204736', '563311478'],
      ['big, small <x>', 'big', 'small', 'x'],
      ['big\rAnn (7058314)', 'big', '7058314'],
      ['big\tAnn (7058314)', 'big', '7058314'],
      ['user:7058314', 'user:7058314'],
      ['https://a.example/u?id=7058314', 'https://a.example/u?id=7058314'],
      ['@big 7.058314E+6 qq7058314', '@big', '7.058314E+6', 'qq7058314'],
    ]) {
      assert.ok(pasted);
      assert.deepEqual(parseIds(pasted), ids, pasted);
    }
  });

  it('may be any words, if nothing says that they are labels', () => {
    assert.deepEqual(parseIds('big 518204736'), ['big', '518204736']);
    assert.deepEqual(parseIds('大群、朋友'), ['大群', '朋友']);
    assert.deepEqual(parseIds('7E5 a-b_c.d user:7058314 大群2 $(x)'), [
      '7E5',
      'a-b_c.d',
      'user:7058314',
      '大群2',
      '$(x)',
    ]);
  });

  it('lose no long number', () => {
    const unit = fc.constantFrom(
      ...[
        '12345',
        '7058314',
        '1',
        '1.',
        '2、',
        '(',
        ')',
        '（',
        '）',
        '<',
        '>',
        ':',
        '：',
        ',',
        ' ',
        '\n',
        '\r',
        '#',
        '@',
        '*',
        '**',
      ],
      ...['id', 'QQ', '=', 'Ann', '群', 'No.', '- [x] ', '\u20E3', '◆', '"', '.', '/', '1)', 'e'],
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
        const text = units.join('');
        const ids = parseIds(text);
        for (const [number] of text.matchAll(/\d{5,}/g))
          assert.ok(
            ids.some((id) => id.includes(number)),
            JSON.stringify([text, ids]),
          );
      }),
      { numRuns: 3_000 },
    );
  });

  it('are empty if there are only separators', () => {
    assert.deepEqual(parseIds(' ,;\n，[]"" '), []);
  });
});
