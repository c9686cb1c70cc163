import assert from 'node:assert/strict';
import { domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { escapeText } from '../../../src/markup/escapeMarkdown.ts';
import { safeLink, splitLinks } from '../../../src/markup/links.ts';
import { renderMarkdown } from '../../../src/markup/rendered/markdownHtml.ts';

const rendered = (source: string) => renderMarkdown(source, { loadImages: false })?.html ?? '';

/** The text and address of each link. */
function links(source: string): string[][] {
  return [...rendered(source).matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, href = '', label = '']) => [
    label,
    href,
  ]);
}
const labels = (source: string) => links(source).map(([label]) => label);
const addresses = (source: string) => links(source).map(([, href]) => href);
/** The addresses that are linked in plain text. */
const plain = (text: string) => splitLinks(text).flatMap((piece) => (piece.isAddress ? [piece.text] : []));

/** Texts, with spaces between them. In each, the address is marked that is linked; none is if nothing is. */
const BARE = [
  '中文«https://example.com»英文 请看«https://example.com»的首页 «https://example.com»，请看',
  '«https://example.com»。«https://example.org»、«http://example.net»！ «https://example»。com',
  '«https://example.com»．请看 «https://example.com».请看 «https://example.com»（官网）',
  '（«https://example.com»）「«https://example.org»」【«https://example.net»】',
  '«https://example.com:8080»打不开 «https://example.com»：8080 «https://192.168.0.1»后台',
  '«http://localhost:3000»页面 «http://[::1]:80»端口 «https://example.com»を見て «https://example.com»에서',
  '«https://example.com»ＡＢＣ «https://example.com»нет «https://exa»中mple.com',
  '«https://例子.测试/路径» «https://例子.com»请看 «https://www.例子.com»请看 «https://bücher.example/ü»',
  '«https://zh.wikipedia.org/wiki/中文»（维基） «https://zh.wikipedia.org/wiki/苹果_(公司)»',
  '«http://a.b/c?d=中文&e» «https://example.com/a»——见下 «https://example.com/a»……',
  '«https://example.com/a»～ «https://example.com/b»…',
  '«https://example.com»😀 «https://example.com/a»👍🏽 «https://example.com/b»🇨🇳',
  "“«https://example.com»” '«https://example.org»' ‘«https://example.net/a»’",
  "«https://example.com»'s and «https://example.com/a»'s",
  '«HTTPS://EXAMPLE.COM/A请» «https://example.com/a»)b («https://example.com/b»)后 «https://example.com»@张三',
  '«https://bank»\u200B.example «https://a.example/b»\u202Ec «https://b.example/»\u00AD',
  'https://a.example:99999 见 xhttps://a.example 2«https://b.example»',
];

/** What people write before, in and after addresses. */
const CHARACTERS = 'のéё:/#@.。．Ａ1-，（）()[]*_`|\\"😀\u200B\u00AD \n<>';
const WORDS = ['https://', 'HTTP://', 'example.com', 'a.b', 'localhost', '例子', '中文', '한국', ':80', '?a='];
const MARKS = ['**', '~~', "'s", '%41'];
const chatTexts = fc
  .array(fc.constantFrom(...CHARACTERS, ...WORDS, ...MARKS, 'https://example.com', 'https://a.b/'), { maxLength: 12 })
  .map((words) => words.join(''));

/** Whether a text names the host of an address. */
function names(text: string, address: string): boolean {
  const { host, hostname } = new URL(address);
  const written = text.normalize('NFC').toLowerCase();
  return [host, hostname, domainToUnicode(hostname)].some((name) => written.includes(name));
}

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

  it('ends where it ends in plain text', () => {
    for (const marked of BARE) {
      const text = marked.replace(/[«»]/g, '');
      const expected = Array.from(marked.matchAll(/«(.*?)»/g), ([, address]) => address);
      const inMarkdown = labels(text).map((label = '') => label.replaceAll('&amp;', '&'));
      assert.deepEqual(inMarkdown, expected, `Markdown: ${text}`);
      assert.deepEqual(plain(text), expected, `plain text: ${text}`);
    }
  });

  it('ends before the Markdown around it, whatever follows', () => {
    const inLine = ['**@**，好', '**@**英文', '~~@~~英文', '*@*', '__@__', '<@>英文', '`c`@`c`', '[^@]', '- @\n后'];
    for (const around of [...inLine, '| a |\n|---|\n| 见@ |', '| a |\n|---|\n|@|'])
      assert.deepEqual(labels(around.replace('@', 'https://a.example/b')), ['https://a.example/b'], around);
    assert.deepEqual(
      labels('[https://a.example/b](https://a.example) [https://a.example/c][1]\n\n[1]: https://a.example'),
      ['https://a.example/b', 'https://a.example/c'],
    );
  });

  it('is written so that every reader of Markdown ends it there', () => {
    for (const [text, expected] of [
      ['见https://example.com英文', '见<https://example.com>英文'],
      ['https://zh.wikipedia.org/wiki/中文。', '<https://zh.wikipedia.org/wiki/中文>。'],
      ['**https://a.example**', '\\*\\*<https://a.example>\\*\\*'],
      ['https://a.example/b, c', 'https://a.example/b, c'],
      ['(https://a.example/b).', '(https://a.example/b).'],
      ['https://a.example/b?<query>', '<https://a.example/b>?&lt;query>'],
      ['https://a.example/b!**Now**', '<https://a.example/b>!\\*\\*Now\\*\\*'],
    ] as const)
      assert.equal(escapeText(text), expected, text);
  });

  it('is found in linear time', () => {
    const parts = ['https://', 'https://a', 'https://中.', 'https://a-', 'https://(', 'a@'];
    for (const text of [...parts, 'https://a/(**', 'https://a:99999/'])
      for (const all of [text.repeat(5_000), `https://${text.repeat(5_000)}`]) {
        splitLinks(all);
        rendered(all);
      }
  });

  it('shows its actual target if people read another', () => {
    const withUser = ['https://bank.example@evil.example/login', 'https://me:secret@evil.example'];
    const inBrackets = [
      '<https://bank.example英文>',
      '<https://bank.example。evil.example>',
      '<https://bank\u00AD.example>',
    ];
    const encoded = ['https://ｂank.example', 'http://2130706433/', '<https://b%61nk.example>'];
    for (const text of [...withUser, ...inBrackets, ...encoded]) assert.match(rendered(text), /\(→ /, text);
    assert.match(rendered('https://bank.example@evil.example/login'), /\(→ evil\.example\)/);
    const plain = [
      'https://例子.测试/路径',
      'HTTPS://BANK.example',
      'https://BÜCHER.example',
      '<https://a.example:443>',
    ];
    for (const text of plain) assert.doesNotMatch(rendered(text), /→/, text);
  });

  it('opens the host that it shows, or shows the one that it opens', () => {
    fc.assert(
      fc.property(chatTexts, (text) => {
        const found = rendered(text).matchAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>( <bdi class="real-place">)?/g);
        for (const [link, href = '', label = '', target] of found)
          assert.ok(target ?? names(label, href), `${link} in ${text}`);
      }),
    );
    fc.assert(
      fc.property(chatTexts, (text) => {
        for (const address of plain(text))
          assert.ok(safeLink(address, address)?.realTarget ?? names(address, address), `${address} in ${text}`);
      }),
    );
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
      ['https://BÜCHER.ｅxample', 'https://xn--bcher-kva.example'],
      ['HTTPS://A.example:443', 'HTTPS://A.example:443'],
      ['https://a.example/b c"\\<\uD800', 'https://a.example/b%20c%22%3C%EF%BF%BD'],
      ['https://u:p@例子.example', 'https://u:p@xn--fsqu00a.example'],
      ['https://[::1]:80/[a]', 'https://[::1]:80/%5Ba%5D'],
      ['mailto:a@b.example?subject=é', 'mailto:a@b.example?subject=%C3%A9'],
    ] as const)
      assert.deepEqual(addresses(`[a](<${address}>)`), [ascii], address);
  });

  it("isn't linked if it's malformed or disguised", () => {
    const disguised = ['https://evil.example\\\\.bank.example', 'ht&NewLine;tps://a.example'];
    for (const address of [...disguised, 'https://a b.example', 'https://a&#9;b.example'])
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
    assert.equal(
      html('a&zwnj;b.&shy;c&NoBreak;d `a\u00ADb`'),
      '<p>a⟨U+200C⟩b.⟨U+00AD⟩c⟨U+2060⟩d <code>a⟨U+00AD⟩b</code></p>',
    );
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
