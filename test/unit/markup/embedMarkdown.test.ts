import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt, { type Env } from 'markdown-it';
import * as v from 'valibot';
import { embedIsolated, embedMarkdown } from '../../../src/markup/embedMarkdown.ts';
import { markdownEntry } from '../../../src/markup/rendered/exportMarkdown.ts';
import { Listed } from '../../../src/service/message.ts';
import { exportLabels, newConversation } from './exportLabels.ts';

const plain = new MarkdownIt({ html: false });
const withHtml = new MarkdownIt({ html: true, linkify: true });

function entryOf(text: string): string {
  const entry = v.parse(Listed, { msgId: 'm', senderId: '7', contentType: 'markdown', content: { text } });
  return markdownEntry(entry, newConversation().next(entry), exportLabels);
}

/** Everything that opens, closes or hides a definition, HTML or code. */
const characters = ':"\'()<>/?!`$|\\ \t*_\n';
const definitions = ['[a]', '[a]: https://evil.example', '[b][a]', '[a', ']: x', ' "t', '](', '[^1]', '[^1]: n'];
const tags = ['<b>', '</blockquote>', '<!--', '-->', '<a href="', '">', '<https://x.y', '<mailto:', '&lt;'];
const marks = ['``', '```', '````', '~~~', '~~~~', '$$', '-|-', '\\\\', '@x.y', 'www.'];
const blocks = ['- ', '1. ', '> ', '# ', '- [ ] ', '---', '===', '  ', '    ', 'word', '\n', '\n', '\n\n', '\r\n'];
const pieces = fc.constantFrom(...characters, ...definitions, '![a](https://x.y/p.png)', ...tags, ...marks, ...blocks);
const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''));

describe('Isolated Markdown', () => {
  it("doesn't change how other messages of the document render", () => {
    fc.assert(
      fc.property(fc.array(texts, { minLength: 2, maxLength: 4 }), (messages) => {
        const parts = messages.map(entryOf);
        for (const reader of [plain, withHtml]) {
          assert.equal(reader.render(parts.join('')), parts.map((part) => reader.render(part)).join(''));
        }
      }),
    );
  });

  it('contains no HTML, no definitions and no images', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const env: Env = {};
        const tokens = withHtml.parse(entryOf(text), env);
        const types = tokens.flatMap(({ type, children }) => [type, ...(children ?? []).map((child) => child.type)]);
        assert.deepEqual(
          types.filter((type) => type.startsWith('html_') || type === 'image'),
          [],
        );
        assert.equal(env.references, undefined);
      }),
    );
  });

  /** What texts become. */
  const expectAll = (embed: (text: string) => string, cases: Record<string, string>) => {
    for (const [text, expected] of Object.entries(cases)) assert.equal(embed(text), expected, text);
  };

  it('turns definitions into text', () => {
    expectAll(embedIsolated, {
      '[docs]: https://evil.example': '[docs]\\: https://evil.example',
      '> - [docs]: https://evil.example': '> - [docs]\\: https://evil.example',
      '- [ ] [docs]: https://evil.example': '- [ ] [docs]\\: https://evil.example',
      '[do\ncs]: https://evil.example': '[do\ncs]\\: https://evil.example',
      '[^1]: A note': '[^1]\\: A note',
      '*[HTML]: A language': '*[HTML]\\: A language',
    });
  });

  it('keeps no definition if another of its label had to go, whose place it would take', () => {
    const [first, second] = ['[a]: https&colon;//first.example', '[a]: https://second.example'];
    assert.equal(embedMarkdown(`[a]\n\n${second}`), `[a]\n\n${second}`);
    assert.equal(
      embedMarkdown(`[a]\n\n${first}\n\n${second}`),
      '[a]\n\n[a]\\: https&colon;//first.example\n\n[a]\\: https://second.example',
    );
  });

  it('turns HTML into text, except in code and autolinks', () => {
    expectAll(embedIsolated, {
      '</blockquote><h2>Me</h2>': '&lt;/blockquote>&lt;h2>Me&lt;/h2>',
      '<!-- <?x <!X': '&lt;!-- &lt;?x &lt;!X',
      '\\<b> \\\\<b>': '&lt;b> \\\\&lt;b>',
      '`<b>` is <b>bold</b>': '`<b>` is &lt;b>bold&lt;/b>',
      '<https://x.y> <http://x.y> <a@x.y> 1 < 2 <3': '<https://x.y> <http://x.y> <a@x.y> 1 < 2 <3',
    });
  });

  it('keeps the text of a tag out of the address before it', () => {
    expectAll(embedMarkdown, {
      '| https://x.y/a<br>b |': '| <https://x.y/a>&lt;br>b |',
      '(https://x.y/a).<br>': '(<https://x.y/a>).&lt;br>',
      '_https://x.y/a_<br>': '_<https://x.y/a>_&lt;br>',
      '`https://x.y/a<br>`': '`https://x.y/a&lt;br>`',
      '[see https://x.y/a<br>b](https://x.y/c<br>)': '[see https://x.y/a&lt;br>b](https://x.y/c&lt;br>)',
    });
  });

  it('turns images into links, so that no preview of it loads one', () => {
    expectAll(embedIsolated, {
      '![a](https://x.y/p.png)': '\\![a](https://x.y/p.png)',
      '!![a](https://x.y/p.png) \\![a](https://x.y)': '!\\![a](https://x.y/p.png) \\![a](https://x.y)',
      '\\\\![a\nb](https://x.y/p.png)': '\\\\\\![a\nb](https://x.y/p.png)',
      '[![a](https://x.y/p.png)](https://x.y)': '[\\![a](https://x.y/p.png)](https://x.y)',
      '`vec![1]`! ![': '`vec![1]`! \\![',
      '```\n![a](https://x.y/p.png)\n```': '```\n![a](https://x.y/p.png)\n```',
    });
    // What is copied, or becomes a draft, keeps them.
    for (const text of ['![a](https://x.y/p.png)', '[a]: https&colon;//x.y\n![a](https://x.y/p.png)'])
      assert.ok(embedMarkdown(text).endsWith('![a](https://x.y/p.png)'));
  });

  it("leaves code alone only if it's certain to be code", () => {
    const code = '[key]: a\n<b>\n';
    const fenced = [`\`\`\`ts\n${code}\`\`\``, `~~~~\n${code}~~~\n${code}~~~~`, `\`\`\`\n${code}`];
    const afterOthers = ['see `\n\n`<b>`', '```\na\n```\n`<b>`'];
    for (const text of [...fenced, ...afterOthers, 'see `a[1]: <b>`', '``` <b>\na'])
      assert.equal(embedIsolated(text), text);
    const inBlocks = ['a ```', '- ```', '    ```', '> ~~~', '$$\n```', '``` a|b\n-|-'];
    for (const text of [...inBlocks, '``` a`b', '```\n```', '```\n\t```\n```', '`'])
      assert.equal(embedIsolated(`${text}\n${code}`), `${text}\n[key]\\: a\n&lt;b>\n`, text);
  });

  // Super-linear time makes the test time out.
  it('takes linear time for hostile text', () => {
    for (const text of ['[', '\\', '>', ']:', '<a', '<aa:b', '<a.', '`a`', '```\n', '\\<', '[x]', '` ``']) {
      embedIsolated(text.repeat(200_000));
    }
  });
});
