import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import * as v from 'valibot';
import { codeSpan } from '../../../src/markup/escapeMarkdown.ts';
import { formatFileSize } from '../../../src/markup/media.ts';
import { toJson, toMarkdown, toNdjson } from '../../../src/markup/messageFormats.ts';
import { Listed } from '../../../src/service/message.ts';

/** Markdown as an ordinary reader shows it: raw HTML as text, line breaks kept. */
const reader = new MarkdownIt({ html: false, linkify: false, breaks: true });

const listed = (contentType: string, content: unknown) => v.parse(Listed, { msgId: 'm1', contentType, content });
const broken = v.parse(Listed, { broken: true });
const markdown = (text: string) => toMarkdown(listed('text', { text }));

/** The lines of the rendered Markdown. */
function readerLines(source: string): string[] {
  const html = reader.render(source);
  assert.deepEqual([...html.matchAll(/<(?!\/?(?:p|br|a)\b)[^>]*>/g)], [], html);
  const text = html
    .replace(/<br>\n|<\/p>\n/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|amp|quot);/g, (_, name) => ({ lt: '<', gt: '>', amp: '&', quot: '"' })[name as 'lt'] ?? '');
  return linesOf(text);
}

/** Non-empty lines with spaces normalized. */
const linesOf = (text: string) => text.split(/\r\n?|\n/).flatMap((line) => line.trim().replace(/\s+/g, ' ') || []);

describe('A message as JSON', () => {
  it('is exactly the received JSON, indented or on one line', () => {
    const raw = { msgId: 'm1', contentType: 'text', content: { text: '\u202E\n' }, extra: [null] };
    const entry = v.parse(Listed, raw);
    assert.equal(toJson(entry), JSON.stringify(raw, null, 2));
    assert.equal(toNdjson(entry), `${JSON.stringify(raw)}\n`);
    assert.equal(toNdjson(broken), '{"broken":true}\n');
  });
});

describe('A message as Markdown', () => {
  const expectAll = (cases: readonly (readonly [kind: string, content: object, expected: string])[]) => {
    for (const [kind, content, expected] of cases)
      assert.equal(toMarkdown(listed(kind, content)), expected, JSON.stringify(content));
  };

  it("doesn't link very long addresses, and truncates them", () => {
    const address = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`;
    const fits = address(16_384);
    assert.equal(toMarkdown(listed('image', { imageUrl: fits })), `[${fits}](<${fits}>)`);
    const written = toMarkdown(listed('image', { imageUrl: address(16_385) }));
    assert.doesNotMatch(reader.render(written), /<a\b/);
    assert.equal(written, `${address(16_384)}…`);
  });

  it("is unchanged if it's Markdown", () => {
    const text = '# Title\r\n\r- *a* [b](https://x.y)\n\\_ ![c](https://x.y/c.png) <https://x.y> [d]: https://x.y';
    assert.equal(toMarkdown(listed('markdown', { text })), text);
  });

  it('contains no HTML and only web links', () => {
    for (const [text, expected] of [
      ['*a* <b>', '*a* &lt;b>'],
      ['[a](command:b)', '[a]\\(command:b)'],
      ['[a]( <vscode://b>)', '[a]\\( &lt;vscode://b>)'],
      ['![a](file:///b) [a](java&#115;cript:b)', '![a]\\(file:///b) [a]\\(java&#115;cript:b)'],
      ['[a](\ncommand:b) [c](#d) [e](../f)', '[a]\\(\ncommand:b) [c]\\(#d) [e]\\(../f)'],
      ['[a]\n\n[a]: data:text/html,b', '[a]\n\n[a]\\: data:text/html,b'],
      [
        '<command:a> <data:a> <https://x.y> <mailto:a@b.c> <a@b.c>',
        '&lt;command:a> &lt;data:a> <https://x.y> <mailto:a@b.c> <a@b.c>',
      ],
      ['[a](HTTPS://x.y) [a](<http://x.y> "b")', '[a](HTTPS://x.y) [a](<http://x.y> "b")'],
    ] as const)
      assert.equal(toMarkdown(listed('markdown', { text })), expected, text);
  });

  it("doesn't change ordinary text", () => {
    for (const text of [
      'So the market moves under the arches? 8:00 – 11:30, 3.5 km (50 %)!',
      '对，搬到拱廊下面，八点照常开。"馒头"',
      'snake_case and a-b + c = d; #tag, it’s 5 > 3 & 2',
      'See https://x.y/a_b-c?d=e&f=g#h, please.',
    ]) {
      assert.equal(markdown(text), text, text);
    }
  });

  it('escapes Markdown syntax', () => {
    for (const [text, expected] of [
      ['*a* _b_ `c` ~~d~~', '\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~'],
      ['[a](b) ![c](d)', '\\[a\\](b) !\\[c\\](d)'],
      ['<b>x</b> &amp; &', '&lt;b>x&lt;/b> \\&amp; &'],
      ['C:\\new \\*', 'C:\\new \\\\\\*'],
      ['C:\\', 'C:\\\\'],
      ['# a', '\\# a'],
      ['> a', '\\> a'],
      ['- a', '\\- a'],
      ['+ a', '\\+ a'],
      ['1. a', '1\\. a'],
      ['12) a', '12\\) a'],
      ['---', '\\---'],
      ['a\n===', 'a  \n\\==='],
      ['a\nb\n\nc', 'a  \nb\n\nc'],
      ['  a', '&nbsp;&nbsp;a'],
      ['a | b\n--|--', 'a \\| b  \n--\\|--'],
      ['kill $$; echo $$ or $a$', 'kill \\$\\$; echo \\$\\$ or \\$a\\$'],
      ['https://x.y/$a$', '<https://x.y/$a$>'],
      ['https://x.y/*a*', '<https://x.y/*a*>'],
      // Parsers that link bare addresses take a backslash as part of one, and the escaped text as HTML.
      ['https://x.y/<img src=z>', '<https://x.y/>&lt;img src=z>'],
      ['www.x.y/<img src=z>', 'www.x.y/&lt;img src=z>'],
    ] as const)
      assert.equal(markdown(text), expected, text);
  });

  it('renders as the original text', () => {
    const marks = '\\`*_{}[]()<>#+-.!|~&=:;"\'/ \t\n10aB中^$@,?';
    const words = ['https://x.y/', '&lt;', '---', '===', '```', '~~~', '1. ', '    ', '](', '\r\n'];
    const pieces = fc.constantFrom(...marks, ...words);
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (text) => {
        assert.deepEqual(readerLines(markdown(text.join(''))), linesOf(text.join('')));
      }),
    );
  });

  it('links images and files only if they have a web address', () => {
    expectAll([
      ['image', { imageKey: 'k_1_.jpg', imageUrl: 'https://x.y/k' }, '[k_1\\_.jpg](<https://x.y/k>)'],
      ['image', { imageUrl: 'https://x.y/k' }, '[https://x.y/k](<https://x.y/k>)'],
      ['image', { imageKey: '[k]' }, '\\[k\\]'],
      ['file', { fileName: 'a](b', fileUrl: 'https://x.y/(a b>&amp;' }, '[a\\](b](<https://x.y/(a%20b%3E&amp;amp;>)'],
      ['file', { fileName: 'a', fileUrl: 'https://x.y/\u202E\uD800\\' }, '[a](<https://x.y/%E2%80%AE\uFFFD%5C>)'],
      ['file', { fileName: 'a', fileUrl: 'command:x' }, 'a command:x'],
      ['file', { fileName: 'a', fileUrl: 'javascript:alert(1)//https://' }, 'a javascript:alert(1)//https://'],
    ]);
  });

  it("doesn't link bare names and expired addresses", () => {
    expectAll([
      ['image', { imageName: 'k_1_.jpg', imageUrl: 'https://x.y/k?t=5f000000' }, 'k_1\\_.jpg'],
      ['image', { imageUrl: 'k.jpg' }, 'k.jpg'],
      ['file', { fileName: 'a', fileUrl: 'https://x.y/a?t=5F000000&u=1' }, 'a'],
      ['video', { videoUrl: 'v.mp4' }, 'v.mp4'],
      ['audio', { audioUrl: 'https://x.y/a' }, '[https://x.y/a](<https://x.y/a>)'],
      ['expression', { imageName: '[wave]' }, '\\[wave\\]'],
    ]);
  });

  it('formats posts, forms and quotations', () => {
    const post = { postTitle: '*Tea*', postContent: '*hot* <b>' };
    const lines = { a: { label: 'Why', value: ' one\r\n- two\n\n  three\n' }, b: { label: '', value: '1.\na' } };
    expectAll([
      ['post', { ...post, postContentType: 1 }, '**\\*Tea\\***\n\n\\*hot\\* &lt;b>'],
      ['post', { ...post, postContentType: 2 }, '**\\*Tea\\***\n\n*hot* &lt;b>'],
      [
        'form',
        { formJson: { a: { label: '*Size*', value: '# L' }, b: { label: 'Note' } } },
        '- \\*Size\\*: \\# L\n- Note:',
      ],
      ['form', { formJson: lines }, '- Why: one  \n  \\- two\n\n  &nbsp;&nbsp;three\n- 1\\.  \n  a'],
      ['markdown', { text: '# Yes', parent: 'Ann : <b>\n# no' }, '> Ann : &lt;b>  \n> \\# no\n\n# Yes'],
    ]);
  });

  it('shows HTML as source and unknown kinds as JSON', () => {
    assert.equal(toMarkdown(listed('html', { text: '<p>```</p>' })), '````html\n<p>```</p>\n````');
    assert.equal(toMarkdown(listed('audio', { length: 3 })), '```json\n{\n  "length": 3\n}\n```');
    assert.equal(toMarkdown(broken), '```json\n{\n  "broken": true\n}\n```');
  });
});

describe('A code span', () => {
  it('says what its text says on one line, in more backticks than that has in a row', () => {
    for (const [text, span] of [
      ['a', '`a`'],
      ['a`b``c', '```a`b``c```'],
      ['`a', '`` `a ``'],
      ['a`', '`` a` ``'],
      // Markdown takes a space off both ends.
      [' ab ', '`  ab  `'],
      [' a', '` a`'],
      ['a \n b', '`a b`'],
      [' \n', ''],
    ] as const)
      assert.equal(codeSpan(text), span, JSON.stringify(text));
  });
});

describe('The size of a file', () => {
  it('is in the largest unit that fits, and missing if it is no size', () => {
    const sizes = [0, 1, 999, 1000, 999_949, 999_950, 12_345_678, 5e15, -1];
    assert.deepEqual(
      sizes.map((bytes) => formatFileSize(bytes, 'en')),
      ['0 bytes', '1 byte', '999 bytes', '1 kB', '999.9 kB', '1 MB', '12.3 MB', '5 PB', ''],
    );
    assert.equal(formatFileSize(undefined, 'en'), '');
  });
});
