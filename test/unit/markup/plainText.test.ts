import assert from 'node:assert/strict';
import { htmlText, markdownText } from '../../../src/markup/rendered/plainText.ts';

type Cases = readonly (readonly [source: string, expected: string])[];

const formats = { markdown: markdownText, html: htmlText };

function expectCopied(format: keyof typeof formats, cases: Cases): void {
  for (const [source, expected] of cases) assert.equal(formats[format](source, 'copied'), expected, source);
}

function expectShown(format: keyof typeof formats, cases: Cases): void {
  for (const [source, expected] of cases) assert.equal(formats[format](source, 'shown'), expected, source);
}

/** The text around and in each of these elements. */
function expectAround(names: string, expected: string): void {
  for (const name of names.split(' ')) assert.equal(htmlText(`a<${name}>b</${name}>c`, 'copied'), expected, name);
}

describe('The text of a page', () => {
  it('has paragraphs, lines and words where the page has them', () => {
    expectAround('blockquote dl figure h1 h2 h3 h4 h5 h6 ol p pre table ul', 'a\n\nb\n\nc');
    expectAround('caption center dd details div dt figcaption section summary tbody tfoot thead tr', 'a\nb\nc');
    expectAround('address article aside dialog fieldset footer form header hgroup legend main menu', 'a\nb\nc');
    expectAround('nav optgroup option search', 'a\nb\nc');
    expectAround('abbr b bdi cite code del dfn em i ins kbd mark q s samp small span strong sub sup u var', 'abc');
    expectCopied('html', [
      ['a<hr>b', 'a\n\nb'],
      ['a<br>b<br>', 'a\nb'],
      ['a<br><br>b', 'a\n\nb'],
      ['<div>a</div><div><br></div><div>b<br></div><div>c</div>', 'a\n\nb\nc'],
      ['<div>a</div><div>&nbsp;</div><div>b</div>', 'a\n\nb'],
      ['<p>&nbsp;</p><p>a</p><p>&nbsp;</p><p>b</p><p>&nbsp;</p>', 'a\n\nb'],
      ['<br>a<p>b<br></p>c', 'a\n\nb\n\nc'],
      ['a<div><p>b</p></div>c', 'a\n\nb\n\nc'],
    ]);
  });

  it('has one space for all white space but in preformatted text', () => {
    expectCopied('html', [
      [' a \n\t\r\f b ', 'a b'],
      ['a <b> b</b><i> </i> c', 'a b c'],
      ['a<b> b </b>c', 'a b c'],
      ['<p> a </p> <p> b</p>', 'a\n\nb'],
      ['a\u3000 \u00A0b', 'a\u3000 \u00A0b'],
      ['<pre>\na\n  b\n</pre>', 'a\n  b'],
      ['a<pre>\r\nb<br>  c</pre>', 'a\n\nb\n  c'],
      ['<pre>a  <b>b</b>\n  c</pre>d  e', 'a  b\n  c\n\nd e'],
      ['<p>\na</p>', 'a'],
      ['<pre>a<b>b</b>\nc</pre>', 'ab\nc'],
    ]);
  });

  it('has the cells of a table on a line, with tabs between them', () => {
    expectCopied('html', [
      ['<tr><td><p>a</p></td><td>\n<p>b</p>\n</td></tr><tr><td>c<td><div>d</div></tr>', 'a\tb\nc\td'],
      ['<table><tr><th></th><td>b</td><td></td><td>d</td></tr></table>', '\tb\t\td'],
      ['<td><table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table></td>', 'a\tb\nc'],
      ['a<table><tr><td>b</td></tr></table>c', 'a\n\nb\n\nc'],
    ]);
    expectCopied('markdown', [['|a|b|\n|-|-|\n|c|d|', 'a\tb\nc\td']]);
  });

  it('has the marks of lists, indented as they are nested', () => {
    expectCopied('html', [
      ['<ul><li>a<ul><li>b<ul><li>c</ul></ul><li>d</ul>e', '• a\n  • b\n    • c\n• d\n\ne'],
      ['<ol><li>a<ol><li>b</ol><li>c</ol><ol><li>d</ol>', '1. a\n  1. b\n2. c\n\n1. d'],
      ['<li>a<li>b', '• a\n• b'],
      ['<ul><li></li></ul>a', 'a'],
      ['<ol start=0><li>a<li>b</ol>', '0. a\n1. b'],
      ['<ol start=x><li><li>b</ol>', '2. b'],
      [`${'<ul>'.repeat(40)}<li>a`, `${' '.repeat(60)}• a`],
    ]);
    expectCopied('markdown', [
      ['0. a\n1. b', '0. a\n1. b'],
      ['- a\n\n- b\n\n  c', '• a\n• b\nc'],
      ['- [ ] a\n- [x] b', '• ☐ a\n• ☑ b'],
    ]);
    expectShown('html', [['<ol><li>a<ul><li>b</ul></ol>', 'a\nb']]);
    expectShown('markdown', [['- [x] a', 'a']]);
  });

  it('is bounded for lists that are nested without end', () => {
    for (const item of ['<ul><li>', '<ol><li>a'])
      assert.ok(htmlText(item.repeat(20_000), 'copied').length < 2_000_000, item);
  });

  it('has nothing of what pages hide', () => {
    expectAround('audio iframe math noembed noframes noscript script style svg template title video xmp', 'ac');
    expectCopied('html', [
      ['<svg><title>a</title>b</svg>c', 'c'],
      ['<svg><p>a</p></svg>b<svg>', 'b'],
      ['a<plaintext>b', 'a'],
      ['a<head>b', 'ab'],
      ['a<!-- b -->c', 'ac'],
    ]);
  });

  it('has emoji for their codes, but in code', () => {
    for (const name of ['code', 'kbd', 'samp', 'pre']) {
      const html = `[.OK] <${name}>[.OK] <b>[.OK]</b></${name}> [.OK]`;
      assert.match(htmlText(html, 'copied'), /^👌\s+\[\.OK\] \[\.OK\]\s+👌$/, name);
    }
  });

  it('is its source if that is too long', () => {
    const html = (length: number) => `<b>a</b>${' '.repeat(length - 8)}`;
    assert.equal(htmlText(html(200_000), 'shown'), 'a');
    assert.equal(htmlText(html(200_001), 'shown'), html(200_001));
  });
});

describe('The text of Markdown', () => {
  it('is its source if that is nested too deeply', () => {
    const deep = `${'> '.repeat(40)}**a**`;
    expectShown('markdown', [[deep, deep]]);
  });

  it('has its lines and its code', () => {
    expectCopied('markdown', [
      ['# a\nb', 'a\n\nb'],
      ['a\nb  \nc\\\nd', 'a\nb\nc\nd'],
      ['a\n\n    b  c\n\nd  e', 'a\n\nb  c\n\nd e'],
      ['```js\na  b\n```\nc  d', 'a  b\n\nc d'],
      ['a `b  c` **d**', 'a b c d'],
    ]);
  });
});

describe('A link in a text', () => {
  it('has its address once', () => {
    expectCopied('markdown', [
      ['<ann@shop.example>', 'ann@shop.example'],
      ['https://x.y/中文?a[1]="b"', 'https://x.y/中文?a[1]="b"'],
      ['https://x.y/%E4a https://x.y/a%20b', 'https://x.y/%E4a https://x.y/a%20b'],
      ['https://bücher.example/', 'https://bücher.example/'],
      ['[https://x.y](https://x.y/)', 'https://x.y'],
      ['[![a cat](https://x.y/cat.png)](https://x.y/)', 'a cat (https://x.y/)'],
      ['[![](https://x.y/cat.png)](https://x.y/)', 'https://x.y/cat.png (https://x.y/)'],
      ['![](https://x.y/cat.png) ![a cat](https://x.y/cat.png)', 'https://x.y/cat.png a cat (https://x.y/cat.png)'],
      ['![one\ntwo](https://x.y/cat.png)', 'one two (https://x.y/cat.png)'],
    ]);
    expectCopied('html', [
      ['<a href="mailto:ann@shop.example"> ann@shop.example</a>', 'ann@shop.example'],
      ['<a href="mailto:ann@shop.example?subject=Hi">Ann</a>', 'Ann (mailto:ann@shop.example?subject=Hi)'],
      ['<a href="HTTPS://X.Y/a">https://x.y/a</a>', 'https://x.y/a'],
      ['<a href="https://x.y/a">https://x.y/b</a>', 'https://x.y/b (https://x.y/a)'],
      ['<a href="https://x.y/">The <b>shop</b></a> is', 'The shop (https://x.y/) is'],
      ['<a href="https://x.y/"><img src="https://x.y/cat.png" alt="a cat"></a>', 'a cat (https://x.y/)'],
      ['See <a href="https://x.y/"><img src="https://x.y/cat.png"></a>', 'See (https://x.y/)'],
      ['<img src="https://x.y/cat.png">', 'https://x.y/cat.png'],
    ]);
  });

  it('has none that cannot be opened', () => {
    expectCopied('html', [
      ['<a>a</a> <a href="command:x">b</a> c</a>', 'a b c'],
      ['<img src="cid:1" alt="a cat"><img src="cid:2">', 'a cat'],
    ]);
    expectCopied('markdown', [['![a cat]() ![](mailto:a@b.example)', 'a cat']]);
  });

  it('says where it leads only if its text names another host, where it is shown', () => {
    expectShown('html', [
      ['<a href="https://x.y/a">a</a> <a href="https://x.y/a">https://x.y</a>', 'a https://x.y'],
      ['<a href="https://x.y/">bank.<b>example</b></a> a', 'bank.example (→ x.y) a'],
      ['<img src="https://x.y/a.png" alt="https://bank.example"> a', 'https://bank.example (→ x.y) a'],
      ['<a href="https://x.y/"><img src="https://x.z/a.png" alt="bank.example"></a>', 'bank.example (→ x.y)'],
    ]);
    expectShown('markdown', [['[bank.**example**](https://x.y/) [a](https://x.y/)', 'bank.example (→ x.y) a']]);
  });
});
