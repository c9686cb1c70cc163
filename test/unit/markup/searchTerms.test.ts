import assert from 'node:assert/strict';
import { fold } from '../../../src/markup/caseFolding.ts';
import { findTerms, matchesAll, matchesAllSigns, parseQuery } from '../../../src/markup/searchTerms.ts';
import { splitText, tokensOf } from '../../../src/markup/words.ts';

const finds = (query: string, text: string) => matchesAll(splitText(text), parseQuery(query));
/** The parts of a text without marks or capitals that a query marks. */
const marked = (query: string, text: string) =>
  findTerms(splitText(text), parseQuery(query)).map(([start, end]) => text.slice(start, end));

describe('A query', () => {
  it('finds texts with all of its words, in any order, as whole words until the last one', () => {
    for (const query of ['release today', 'today release', 'to', 'RELEASE tod'])
      assert.ok(finds(query, 'release today'));
    for (const query of ['releas today', 'to ', 'release tomorrow', 'elease'])
      assert.equal(finds(query, 'release today'), false, query);
  });

  it('finds a beginning with a star, also before other words', () => {
    assert.ok(finds('rel* today', 'release today'));
    assert.equal(finds('rel* today', 'prerelease today'), false);
    assert.equal(finds('c+', 'cat'), false);
    assert.ok(finds('a*b', 'a bit'));
  });

  it('finds an exact phrase in quotation marks, also without the last one', () => {
    for (const quoted of ['"release is today"', '“release is today”', '＂release is today＂', '"release is tod'])
      assert.ok(finds(quoted, 'The release is today.'), quoted);
    assert.equal(finds('"release today"', 'The release is today.'), false);
    assert.equal(finds('"release is tod"', 'The release is today.'), false);
    assert.equal(finds('"is release', 'The release is today.'), false);
    assert.equal(finds('"lease is today"', 'The release is today.'), false);
    assert.equal(finds('“release is tod” now', 'The release is today, now.'), false);
  });

  it('takes what no space separates for a phrase', () => {
    assert.ok(finds('order-status', 'the order status'));
    assert.equal(finds('order-status', 'status of the order'), false);
  });

  it('leaves out what follows a minus', () => {
    for (const [query, expected] of [
      ['release -today', false],
      ['release －today', false],
      ['release -"is today"', false],
      ['release -tomorrow', true],
      ['-release', false],
      ['-tomorrow', true],
    ] as const)
      assert.equal(finds(query, 'The release is today'), expected, query);
  });

  it('finds any part of Chinese, Japanese and Korean words, but no letters that are apart', () => {
    for (const query of ['会', '重要会议', '议', '要会']) assert.ok(finds(query, '明天的重要会议'), query);
    assert.equal(finds('要议', '明天的重要会议'), false);
    assert.ok(finds('v2版本', '新的v2版本'));
    assert.equal(finds('v2版本', '新的v2大版本'), false);
    assert.equal(finds('v2版本x1', '新的v2大版本x1'), false);
  });

  it('finds emoji by their codes', () => {
    assert.ok(finds('[.OK]', '好的👌'));
  });

  it('finds signs beside words only where every sign counts', () => {
    const findsSigns = (query: string, text: string) => {
      const folded = fold(text);
      return matchesAllSigns(folded, splitText(text), parseQuery(query));
    };
    for (const [query, text, expected] of [
      ['C++', 'in c++ 20', true],
      ['C++', 'in c and c++', true],
      ['C++', 'in c', false],
      ['C++', 'in abc++ and c', false],
      ['C', 'in c++', true],
      ['**C**', 'in c', true],
      ['"in C"', 'in-c', true],
      ['-C++', 'in c', true],
      ['-C++', 'in c++', false],
      ['-C', 'in c', false],
      ['-x', 'in c', true],
      ['.net core', 'the .NET core', true],
      ['.net core', 'the net core', false],
    ] as const)
      assert.equal(findsSigns(query, text), expected, `${query} in ${text}`);
    assert.ok(finds('C++', 'in c'));
  });

  it('without letters, digits or emoji looks for nothing', () => {
    for (const query of ['', '  ', '…', '-', '""', '*']) assert.deepEqual(parseQuery(query), [], query);
    assert.equal(parseQuery('a A "a" ').length, 1);
    assert.equal(parseQuery('a -a ').length, 2);
  });

  it('marks where its words are, each place once, without those left out', () => {
    assert.deepEqual(marked('today "is today" -the', 'the release is today'), ['is today']);
    assert.deepEqual(marked('re*', 'release, reread'), ['release', 'reread']);
    assert.deepEqual(marked('会议', '会议后会议'), ['会议', '会议']);
    assert.deepEqual(marked('会议', '会议会议'), ['会议', '会议']);
    assert.deepEqual(marked('会议后 议后会', '会议后会议'), ['会议后会']);
    assert.deepEqual(marked('的v2', '新的v2版本'), ['的v2']);
    assert.deepEqual(marked('v2版', '新的v2版本'), ['v2版']);
  });

  it('marks at most a hundred words', () => {
    const words = Array.from({ length: 101 }, (_, at) => `w${at}`).join(' ');
    assert.equal(marked(`${words} `, words).length, 100);
  });
});

describe('The index of a text', () => {
  it('has its words, and the pairs of characters of scripts without spaces, each run with its last character', () => {
    for (const [text, ...tokens] of [
      ['新版本v2，Release!', '新版', '版本', '本', 'v2', 'release'],
      ['好、吧', '好', '吧'],
      ['ひらがな', 'ひら', 'らが', 'がな', 'な'],
      ['カタ', 'カタ', 'タ'],
      ['한국', '한국', '국'],
      ['ไทย', 'ไท', 'ทย', 'ย'],
      ['ລາວ', 'ລາ', 'າວ', 'ວ'],
      ['កខគ', 'កខ', 'ខគ', 'គ'],
      ['ကခ', 'ကခ', 'ခ'],
      ['Привет 42 कमल', 'привет', '42', 'कमल'],
      ['👍🏽🇨🇳🇩🇪 x', '👍', '🇨🇳', '🇩🇪', 'x'],
      [' …'],
    ])
      assert.deepEqual(tokensOf(text ?? ''), tokens, text);
  });

  it('has long words in parts', () => {
    const lengths = tokensOf('x'.repeat(130)).map(({ length }) => length);
    assert.deepEqual(lengths, [64, 64, 2]);
  });

  it('has where each run begins', () => {
    assert.deepEqual(splitText('新的v2, OK'), [
      { text: '新的', isPaired: true, index: 0 },
      { text: 'v2', isPaired: false, index: 2 },
      { text: 'ok', isPaired: false, index: 6 },
    ]);
  });

  it('is asked for tokens that are next to each other, of which the last may be only a beginning', () => {
    for (const [query, tokens, isPrefix] of [
      ['release', ['release'], true],
      ['release ', ['release'], false],
      ['"release"', ['release'], false],
      ['rel* ', ['rel'], true],
      ['order-status ', ['order', 'status'], false],
      // A single character may begin a pair.
      ['"会"', ['会'], true],
      ['会议', ['会议'], false],
      ['新版本 ', ['新版', '版本'], false],
      ['v2版本', ['v2', '版本'], false],
      ['"v2版"', ['v2', '版'], true],
      // Its last character ends this run, as a word follows.
      ['"版本v2"', ['版本', '本', 'v2'], false],
    ] as const)
      assert.deepEqual(parseQuery(query)[0]?.phrase, { tokens, isPrefix }, query);
  });
});
