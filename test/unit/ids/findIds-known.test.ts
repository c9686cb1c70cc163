import assert from 'node:assert/strict';
import { findIds } from '../../../src/ids/findIds.ts';
import { assertLines, matcherFor, onlyKnown } from './marked.ts';

describe('A known ID is found', () => {
  const words = ['big', 'a-b', '7058314', '12', '12345678901', '0f8c', '_x', '大群'];
  const others = ['a.b', 'a.b.c', 'u:7', 'C++', '(x)', '^$', '\\d', 'x y', '👍'];
  const known = onlyKnown(...words, ...others);
  const assertKnown = (...lines: string[]) => assertLines(known, ...lines);

  it('wherever it is a word', () => {
    assertKnown('in «big» letters', '"«big»"', '群«big»的', '«big»,«12»', '#«7058314»', '/«7058314»/', '?id=«7058314»');
    assertKnown('$«12»', '«12»%', '«7058314».log', '+«7058314»', '_«big»_', '__«12»__', '«_x»', '«12»:30', '20261121');
    assertKnown('«a-b»', '«12»,345', '«7058314»@qq.com', 'big_', '7058315');
    assertKnown('«12345678901»', '«0f8c»');
  });

  it('whatever its characters', () => {
    assertKnown('«a.b»', '(«a.b»)', '«a.b».', 'axb', '«a.b.c»', '«a.b».d', '在«大群»里', '«大群»«大群»', '«u:7»');
    assertKnown('"«u:7»"', 'see «C++»', '«(x)»', '«^$»', '«\\d»', '«x y»', '«👍»', 'x\uD83D', 'x.«a.b»');
  });

  it('but never half of a character', () => {
    assertLines(onlyKnown('\uD83D'), '👍', '«\uD83D»', '«\uD83D» 👍');
  });

  it('but not in a longer word, number or hyphenated word', () => {
    assertKnown('bigger', 'too_big', 'big-ger', 'a-b-c', 'big\u2011ger', 'Big', 'ébig', 'bigé', '123', '3.12', '12.5');
    assertKnown('-12', '70583141', '𝐀12', '12\uFE0F\u20E3', '12\u0301');
    assertKnown('xa.b', 'a.bc', 'a.b-c', 'é大群', 'u:77', 'xu:7');
    assertKnown('u:7-1', 'C++x', 'ax y', 'x yz', 'a.bé', '大群x', 'f(x)', '(x)y', 'a-大群', '大群_');
  });
});

it('A word of several megabytes is compared with many known IDs in linear time', () => {
  const known = onlyKnown(...Array.from({ length: 2_000 }, (_, at) => `u:${518_000_000 + at}`));
  assert.deepEqual(
    [...findIds(`${'a'.repeat(1e7)} u:518000007`, known)].map(({ id }) => id),
    ['u:518000007'],
  );
});

it('A known ID is none where it is only what is left of a word without its underscores', () => {
  assertLines(onlyKnown('xbig'), 'x_big_', '«xbig»');
});

describe('Words that match the pattern', () => {
  it('are found when they stand alone', () => {
    const matcher = matcherFor([], 'u-[0-9]+|[a-f]{4}|b[0-9]+');
    assertLines(matcher, '«u-1» and «cafe»', '"«u-1»"', '群«u-1»的', '«b12»,3');
    assertLines(matcher, '_«cafe»_', '7058314', 'u-1-2', 'xu-1', 'cafes');
    assertLines(matcher, 'a/cafe', 'cafe.example', '#cafe', 'tom@cafe');
  });
});
