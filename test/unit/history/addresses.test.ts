import assert from 'node:assert/strict';
import { inAscii } from '../../../src/history/webview/addresses.ts';
import { P, S } from '../../../src/history/webview/libraries/unicode.ts';
import { render } from '../../../src/history/webview/markdownHtml.ts';

/** The words and addresses of all links. */
function links(source: string): string[][] {
  const html = render(source, { pictures: false })?.html ?? '';
  return [...html.matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, href = '', words = '']) => [words, href]);
}
const words = (source: string) => links(source).map(([said]) => said);

describe('An address in Markdown', () => {
  it('becomes a link where it says that it is one', () => {
    assert.deepEqual(
      words('https://a.example/b?c#d HTTP://[::1]:80/ http://localhost mailto:a@b.example <c@d.example>'),
      ['https://a.example/b?c#d', 'HTTP://[::1]:80/', 'http://localhost', 'mailto:a@b.example', 'c@d.example'],
    );
    const none = 'a.example www.a.example a@b.example //a.example ftp://a.example xhttps://a.example https:// mailto:a';
    assert.deepEqual(links(none), []);
  });

  it('ends where the sentence or the Markdown around it goes on', () => {
    const address = 'https://a.example/b_(c)';
    for (const around of ['见@。', '"@"', '“@”', '«@»', '(@).', '[@]', '*@*', '**@**', '~~@~~', '_@_', '@!', '@`x`'])
      assert.deepEqual(words(around.replace('@', address)), [address], around);
    assert.deepEqual(words('`https://a.example` [https://a.example'), ['https://a.example']);
    assert.deepEqual(words('https://a.example\u202E/b'), ['https://a.example']);
  });

  it('leaves a link around it as it is', () => {
    assert.deepEqual(links('Go to [https://a.example](https://b.example).'), [
      ['https://a.example', 'https://b.example'],
    ]);
  });

  it('is encoded where it is followed, and shown as it was written', () => {
    assert.deepEqual(links('http://例子.example:8080/群?é=%41%zz'), [
      ['http://例子.example:8080/群?é=%41%zz', 'http://xn--fsqu00a.example:8080/%E7%BE%A4?%C3%A9=%41%25zz'],
    ]);
  });
});

describe('An address in ASCII', () => {
  it('is the same address', () => {
    for (const [address, ascii] of [
      ['HTTPS://A.example:443', 'HTTPS://A.example:443'],
      [' https://a.example/b c"<\uD800> ', 'https://a.example/b%20c%22%3C%EF%BF%BD%3E'],
      ['https://u:p@例子.example', 'https://u:p@xn--fsqu00a.example'],
      ['https://[::1]:80/[a]', 'https://[::1]:80/%5Ba%5D'],
      ['mailto:a@b.example?subject=é', 'mailto:a@b.example?subject=%C3%A9'],
    ] as const)
      assert.equal(inAscii(address), ascii);
  });

  it('is none that leads elsewhere, or that was none before', () => {
    for (const [address, ascii] of [
      ['https://evil.example\\.bank.example', 'https://evil.example%5C.bank.example'],
      ['ht\ntps://a.example', 'ht%0Atps://a.example'],
      ['https://a b.example', 'https://a%20b.example'],
      ['https://a.example/\u0007', 'https://a.example/%07'],
    ] as const)
      assert.equal(inAscii(address), ascii);
  });
});

describe('What the Markdown parser is told of characters', () => {
  it('is which of them are punctuation and symbols', () => {
    for (const [characters, isPunctuation, isSymbol] of [
      ['.,*_[«。、', true, false],
      ['$+^`€©', false, true],
      ['a1 中é\n', false, false],
    ] as const) {
      for (const character of characters)
        assert.deepEqual([P.test(character), S.test(character)], [isPunctuation, isSymbol], character);
    }
  });
});
