import assert from 'node:assert/strict';
import { renderMarkdown } from '../../../src/markup/markdownHtml.ts';

/** The text and address of each link. */
function links(source: string): string[][] {
  const html = renderMarkdown(source, { loadImages: false })?.html ?? '';
  return [...html.matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, href = '', label = '']) => [label, href]);
}
const labels = (source: string) => links(source).map(([label]) => label);
const addresses = (source: string) => links(source).map(([, href]) => href);

describe('An address in Markdown', () => {
  it('is linked if it has a web or mail scheme', () => {
    assert.deepEqual(
      labels('https://a.example/b?c#d HTTP://[::1]:80/ http://localhost mailto:a@b.example <c@d.example>'),
      ['https://a.example/b?c#d', 'HTTP://[::1]:80/', 'http://localhost', 'mailto:a@b.example', 'c@d.example'],
    );
    const none = 'a.example www.a.example a@b.example //a.example ftp://a.example xhttps://a.example https:// mailto:a';
    assert.deepEqual(links(none), []);
  });

  it('excludes the surrounding punctuation and Markdown', () => {
    const address = 'https://a.example/b_(c)';
    for (const around of ['见@。', '"@"', '“@”', '«@»', '「@」', '(@).', '[@]', '*@*', '**@**', '@!', '@，好', '@ `x`'])
      assert.deepEqual(labels(around.replace('@', address)), [address], around);
    assert.deepEqual(labels('`https://a.example` [https://a.example'), ['https://a.example']);
  });

  it('links to the host it appears to name, even with a user name or invisible characters', () => {
    assert.deepEqual(links('https://bank.example@evil.example/login'), [
      ['https://bank.example', 'https://bank.example'],
    ]);
    assert.deepEqual(links('https://a.example/b\u202Ec'), [
      ['https://a.example/b⟨U+202E⟩c', 'https://a.example/b%E2%80%AEc'],
    ]);
    assert.deepEqual(links('https://bank\u200B.example/'), [
      ['https://bank⟨U+200B⟩.example/', 'https://xn--bank-y76a.example/'],
    ]);
  });

  it("isn't linked again inside a link", () => {
    assert.deepEqual(links('Go to [https://a.example](https://b.example).'), [
      ['https://a.example', 'https://b.example'],
    ]);
  });

  it('is encoded in the link and shown as written', () => {
    assert.deepEqual(links('http://例子.example:8080/群?é=%41%zz'), [
      ['http://例子.example:8080/群?é=%41%zz', 'http://xn--fsqu00a.example:8080/%E7%BE%A4?%C3%A9=%41%25zz'],
    ]);
    for (const [address, ascii] of [
      ['HTTPS://A.example:443', 'HTTPS://A.example:443'],
      ['https://a.example/b c"\\<\uD800', 'https://a.example/b%20c%22%3C%EF%BF%BD'],
      ['https://u:p@例子.example', 'https://u:p@xn--fsqu00a.example'],
      ['https://[::1]:80/[a]', 'https://[::1]:80/%5Ba%5D'],
      ['mailto:a@b.example?subject=é', 'mailto:a@b.example?subject=%C3%A9'],
    ] as const)
      assert.deepEqual(addresses(`[a](<${address}>)`), [ascii]);
  });

  it("isn't linked if it's malformed or disguised", () => {
    for (const address of [
      'https://evil.example\\\\.bank.example',
      'ht&NewLine;tps://a.example',
      'https://a b.example',
      'https://a&#9;b.example',
    ])
      assert.ok(!labels(`[a](<${address}>)`).includes('a'), address);
  });
});

describe('An entity in Markdown', () => {
  const html = (source: string) => renderMarkdown(source, { loadImages: false })?.html.trim();

  it('is decoded, and escaped if invisible', () => {
    assert.equal(
      html('&eacute;&rarr;&NotEqualTilde; &unheardOf; `&eacute;` \\&eacute;'),
      '<p>é→≂̸ &amp;unheardOf; <code>&amp;eacute;</code> &amp;eacute;</p>',
    );
    assert.equal(html('a&zwnj;b&shy;c&NoBreak;d'), '<p>a⟨U+200C⟩b⟨U+00AD⟩c⟨U+2060⟩d</p>');
  });

  it('counts as part of the link text', () => {
    assert.match(html('[https&colon;//bank.example](https://evil.example)') ?? '', /\(→ evil\.example\)/);
    assert.doesNotMatch(html('[Terms&mdash;more](https://x.example)') ?? '', /→/);
  });

  it("can't produce HTML", () => {
    assert.equal(html('&lt;b&gt;&LT;script&GT;'), '<p>&lt;b&gt;&lt;script&gt;</p>');
    assert.equal(html('&quot;&gt;<b>'), '<p>&quot;&gt;&lt;b&gt;</p>');
    assert.match(html('![&lt;b&gt;](https://x.example "&quot;&gt;")') ?? '', /^<p><a [^<>]*>&lt;b&gt;<\/a><\/p>$/);
  });
});
