import assert from 'node:assert/strict';
import { type MarkdownOptions, renderMarkdown } from '../../../src/markup/rendered/markdownHtml.ts';

const rendered = (source: string, options: Partial<MarkdownOptions> = {}) =>
  renderMarkdown(source, { loadImages: false, ...options });
const html = (source: string, options?: Partial<MarkdownOptions>) => rendered(source, options)?.html.trim();

describe('Rendered Markdown', () => {
  it('has its own line breaks, and no HTML of the source', () => {
    assert.equal(html('a\n<b>b</b>'), '<p>a<br>\n&lt;b&gt;b&lt;/b&gt;</p>');
  });

  it('has tables in boxes of their own, with columns as they are aligned', () => {
    const table = html('| a | b | c | d |\n|:-|:-:|-:|-|\n| 1 | 2 | 3 | 4 |') ?? '';
    assert.match(table, /^<div class="table"><table><thead>.*<\/table><\/div>$/s);
    const cells = ['<th class="left">', '<th class="center">', '<th class="right">', '<th>'];
    const expected = [...cells, ...cells.map((cell) => cell.replace('th', 'td'))];
    assert.deepEqual(table.match(/<t[hd]\b[^>]*>/g), expected);
  });

  it('has boxes in items of lists that begin with one', () => {
    const box = (label: string, checked = '') =>
      `<li class="task"><label><input type="checkbox" disabled${checked}>${label}</label></li>`;
    assert.equal(
      html('- [ ] a *b*\n- [x] c\n- [X]\n- \\[x] d\n- [x]e\n- f [x] g'),
      `<ul>\n${box('a <em>b</em>')}\n${box('c', ' checked')}\n${box('', ' checked')}
<li>[x] d</li>\n<li>[x]e</li>\n<li>f [x] g</li>\n</ul>`,
    );
    assert.equal(html('[x] a'), '<p>[x] a</p>');
  });

  it('has links for images, and loads them only if it may', () => {
    const link = (address: string, label: string) =>
      `<a href="${address}" title="${address}" rel="noreferrer">${label}</a>`;
    const image = '<img src="https://x.y/c.png" alt="a &lt;cat" loading="lazy" referrerpolicy="no-referrer">';
    const source = '![a <cat](https://x.y/c.png)';
    assert.equal(html(source), `<p>${link('https://x.y/c.png', 'a &lt;cat')}</p>`);
    assert.equal(html(source, { loadImages: true }), `<p>${link('https://x.y/c.png', image)}</p>`);
    assert.equal(html('![](https://x.y/c.png)'), `<p>${link('https://x.y/c.png', 'https://x.y/c.png')}</p>`);
    assert.equal(html('![a](mailto:a@x.y)', { loadImages: true }), `<p>${link('mailto:a@x.y', 'a')}</p>`);
    // One in a link has none of its own, but one after it has.
    const inLink = `[${source}](https://x.y/)`;
    assert.equal(html(inLink, { loadImages: true }), `<p>${link('https://x.y/', image)}</p>`);
    assert.match(html(`${inLink} ${source}`) ?? '', /<\/a> <a href="https:\/\/x\.y\/c\.png"/);
  });

  it('says of an image without an address that it has none, where others are loaded', () => {
    const options = { loadImages: true, noAddress: 'No <address>' };
    assert.equal(html('![a]()', options), '<p>a <small>(No &lt;address&gt;)</small></p>');
    assert.equal(html('![]()', options), '<p><small>(No &lt;address&gt;)</small></p>');
    assert.equal(html('![a]()', { noAddress: 'No' }), '<p>a</p>');
    assert.equal(html('![a]()', { loadImages: true }), '<p>a</p>');
  });

  it('shows in its title where a link leads, and what the source says of it', () => {
    assert.match(html('[a](https://x.y/b "t\u202E")') ?? '', / title="https:\/\/x\.y\/b\nt⟨U\+202E⟩"/);
    assert.match(
      html('![https://bank.example](https://x.y/)') ?? '',
      /<\/a> <bdi class="real-place">\(→ x\.y\)<\/bdi>/,
    );
  });

  it('has highlighted code in languages that are known, up to some length', () => {
    const highlight = (code: string, language: string): [string, string | undefined][] | undefined =>
      language === 'js'
        ? [
            ['<', 'mark'],
            [code, undefined],
          ]
        : undefined;
    const highlighted = (source: string) => html(source, { highlight });
    const code = '<pre dir="auto"><code><span class="code-mark">&lt;</span>a &amp; b\n</code></pre>';
    for (const info of ['js', 'JS {1}', ' js, x'])
      assert.equal(highlighted(`\`\`\`${info}\na & b\n\`\`\``), code, info);
    for (const source of ['```\na\n```', '```ts\na\n```', '    a'])
      assert.equal(highlighted(source), '<pre dir="auto"><code>a\n</code></pre>', source);
    const half = `\`\`\`js\n${'x'.repeat(9_999)}\n\`\`\`\n`;
    assert.equal(highlighted(half.repeat(2))?.match(/<span/g)?.length, 2);
    assert.equal(highlighted(half.repeat(3))?.match(/<span/g)?.length, 2);
  });

  it('tells whether it has code that names its language', () => {
    assert.equal(rendered('```js\na\n```')?.hasCode, true);
    for (const source of ['```\na\n```', '    a', '`js`']) assert.equal(rendered(source)?.hasCode, false, source);
  });

  it('is none of what is too long, or nested too deeply', () => {
    for (const source of ['x'.repeat(200_000), `${'>'.repeat(25)}a`]) assert.ok(html(source), source.slice(0, 30));
    for (const source of ['x'.repeat(200_001), `${'>'.repeat(40)}a`]) assert.equal(html(source), undefined);
  });
});
