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
  });

  it('finds an exact phrase in quotation marks, also without the last one', () => {
    for (const quoted of ['"release is today"', '“release is today”', '＂release is today＂', '"release is tod'])
      assert.ok(finds(quoted, 'The release is today.'), quoted);
    assert.equal(finds('"release today"', 'The release is today.'), false);
    assert.equal(finds('"release is tod"', 'The release is today.'), false);
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
      ['C', 'in c++', true],
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
    assert.deepEqual(tokensOf('新版本v2，Release!'), ['新版', '版本', '本', 'v2', 'release']);
    assert.deepEqual(tokensOf('👍🏽🇨🇳 x'), ['👍', '🇨🇳', 'x']);
    assert.deepEqual(
      tokensOf('x'.repeat(130)).map(({ length }) => length),
      [64, 64, 2],
    );
    assert.deepEqual(tokensOf(' …'), []);
  });
});
