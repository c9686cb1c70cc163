import assert from 'node:assert/strict';
import { isValue } from '../../../src/ids/findIds.ts';

describe('A known ID that could be a word', () => {
  /** Whether the part in «» is a value. */
  function isMarkedValue(marked: string, isProgram = false): boolean {
    const start = marked.indexOf('«');
    const end = marked.indexOf('»') - 1;
    const line = marked.replace(/[«»]/g, '');
    return isValue(line, { id: line.slice(start, end), start, end }, isProgram);
  }

  const assertValues = (...lines: string[]) => {
    for (const line of lines) assert.equal(isMarkedValue(line), true, line);
  };
  const assertNone = (...lines: string[]) => {
    for (const line of lines) assert.equal(isMarkedValue(line), false, line);
  };

  it('is a value in quotes, in a list, after a key or in a cell', () => {
    assertValues('«big»', '  «big»  ', '"«big»"', "'«big»'", '`«big»`', '[«big»]', '(«big»)', '{«big»}', '“«big»”');
    assertValues('- «big»', '* «big»', '  + «big»', '1. «big»', '2) «big»', '- «big»\r', 'a b\n* «big»\nc d');
    assertValues('id: «big»', 'id = «big»', 'id=«big»;', '"id": "«big»",', '«big»: 1', '群：«big»', 'id: «大群»');
    assertValues('| «big» |', 'a,«big»,b', '1, «big», 2', '«big»，«big2»', '<id>«big»</id>');
    assertValues('「«big»」', '@«big»', '/«big»', 'a b\n«big»\nc d');
  });

  it('isn’t a value in prose', () => {
    assertNone('«big» deal', '- «big» deal', '**«big»** x', 'x\n«big» deal');
    assertNone('a «big» group', 'a «big», red one', '2 * «big»', 'the 1. «big» one', '在«大群»里');
    assertNone('so «big»', 'that is «big».', 'is it «big»?', 'so «big»\nx', `${' '.repeat(9)}so «big»`);
  });

  it('is a value in a program only in quotes', () => {
    for (const line of ['"«big»"', "f('«big»')", '[`«big»`]', 'const n = «7058314»;'])
      assert.equal(isMarkedValue(line, true), true, line);
    for (const line of [
      'f(«big»)',
      '[«big», 1]',
      '{ «big»: 1 }',
      '(«big»: number)',
      '// «big»',
      '«big» = "x"',
      '"a «big»"',
      '"«big» b"',
    ])
      assert.equal(isMarkedValue(line, true), false, line);
  });

  it('is never a value in a URL or a path', () => {
    assertNone('https://a.example/«7058314»/x', 'https://a.example/?id=«7058314»', '<https://a.example/u/«big»>');
    assertNone('src2/«7058314»', 'v1.2/«7058314»');
    assertNone('logs/«7058314»', './«7058314»', 'href="/u/«7058314»"', '«7058314».log', 'C:\\x\\«7058314»');
  });

  it('is a value beside a URL or a slash', () => {
    assertValues('https://a.example «7058314»', 'https://a.example/u，«7058314»', '<id>«7058314»</id>');
    assertValues('«7058314»/7102649', '«7058314»/Alice', '7058314/«7102649»', '/«7058314»', '«7058314»//x');
    assertValues('"«7058314»\\nThen"', '\\"«7058314»\\"', '«7058314». Then', '群/«7058314»');
  });

  it('is always a value if it can’t be a word', () => {
    assertValues('a «7058314» x', 'a «a-b» x', 'a «a.b» x', '在«7058314»里', 'a «_x» x');
  });
});
