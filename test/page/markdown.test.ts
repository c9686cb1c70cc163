import assert from 'node:assert/strict';
import { renderMarkdown } from '../../src/markup/rendered/markdownHtml.ts';
import { pageBrowser } from '../host/pageBrowser.ts';
import {
  all,
  assertBare,
  assertHarmless,
  historyPage,
  links,
  markdown,
  one,
  open,
  openFresh,
  serveImages,
  textIn,
} from './sharedHistory.ts';

describe('A Markdown message', () => {
  it('renders headings, tables with aligned columns, quotes and code', async () => {
    await open([markdown('# Title\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n> said\n\n`code` and **bold**')]);
    assert.equal(await textIn('.markdown h1'), 'Title');
    assert.deepEqual(await all('.markdown td').evaluateAll((cells) => cells.map((cell) => cell.className)), [
      'center',
      'right',
    ]);
    assert.equal(await textIn('.markdown blockquote'), 'said');
    assert.equal(await textIn('.markdown strong'), 'bold');
  });

  it('renders tasks as read-only checkboxes labeled by their text', async () => {
    await open([markdown('- [ ] Buy **bread**\n- [x] Sleep\n- [y] No task')]);
    const boxes = historyPage.page.getByRole('checkbox');
    await boxes.first().waitFor();
    assert.equal(await boxes.count(), 2);
    assert.equal(
      await historyPage.page.getByRole('checkbox', { name: 'Buy bread', checked: false, disabled: true }).count(),
      1,
    );
    assert.equal(
      await historyPage.page.getByRole('checkbox', { name: 'Sleep', checked: true, disabled: true }).count(),
      1,
    );
    assert.equal(await all('li').nth(2).innerText(), '[y] No task');
  });

  it('highlights code that names its language', async () => {
    const source = {
      ts: 'const a = 1;',
      python: 'def a(): pass',
      sql: 'SELECT 1',
      css: '@import "a";',
      c: 'return 1;',
    };
    const fences = Object.entries(source).map(([language, code]) => `\`\`\`${language}\n${code}\n\`\`\``);
    await open([markdown(`${fences.join('\n')}\n\`\`\`klingon\nx < y\n\`\`\`\n\`\`\`constructor\nlet a;\n\`\`\``)]);
    await one('.code-kwd').waitFor();
    assert.deepEqual(await all('.code-kwd').allInnerTexts(), ['const', 'def', 'pass', 'SELECT', '@import', 'return']);
    assert.deepEqual((await all('pre').allTextContents()).slice(-2), ['x < y\n', 'let a;\n']);
  });

  it("doesn't highlight very long code", async () => {
    await open([markdown(`\`\`\`js\nlet a;\n\`\`\`\n\n\`\`\`js\n${'let b;\n'.repeat(3000)}\`\`\``)]);
    await historyPage.page.getByRole('button', { name: /Show All/ }).click();
    await one('.code-kwd').waitFor();
    assert.equal(await all('.code-kwd').count(), 1);
  });

  it("loads the highlighter only when it's needed", async () => {
    await openFresh([markdown('```\nplain\n```')]);
    await one('pre').waitFor();
    const resources = () =>
      historyPage.page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    const before = await resources();
    await historyPage.show([markdown('```js\nlet a;\n```')]);
    await one('.code-kwd').waitFor();
    const after = await resources();
    assert.ok(after.length > before.length, after.join('\n'));
  });

  it('links only to web and mail addresses', async () => {
    const bad = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java&#x0A;script:alert(1)',
      '&#106;avascript:alert(1)',
      'vbscript:x',
      '\\x01javascript:a',
      'command:a.b',
      'vscode://a/b',
      'file:///etc/passwd',
      'data:text/html,x',
      'blob:a',
      '//a.example',
      '/a',
      '#a',
    ];
    const source = bad.map((address) => `[bad](${address}) <${address}>\n\n[bad][ref]\n\n[ref]: ${address}\n\n`);
    await open([markdown(`${source.join('')}[web](HTTPS://a.example) [mail](mailto:a@b.example) https://c.example.`)]);
    await one('.markdown').waitFor();
    assert.deepEqual(await links(), [
      ['web', 'HTTPS://a.example'],
      ['mail', 'mailto:a@b.example'],
      ['https://c.example', 'https://c.example'],
    ]);
    await assertHarmless();
  });

  it('shows images as links without loading them', async () => {
    await open([
      markdown(
        '![A cat](https://a.example/cat.png "Cat") ![](https://a.example/b.png) [![in](https://a.example/c.png)](https://b.example)',
      ),
    ]);
    await one('.markdown').waitFor();
    assert.deepEqual(await links(), [
      ['A cat', 'https://a.example/cat.png'],
      ['https://a.example/b.png', 'https://a.example/b.png'],
      ['in', 'https://b.example'],
    ]);
    await assertHarmless();
  });

  it('says which images have no address, where the others are loaded', async () => {
    const source = markdown('![A cat]() and ![]() and ![a < b]()');
    await open([source], { pictures: true });
    const note = '(image without an address)';
    assert.equal(await textIn('.markdown'), `A cat ${note} and ${note} and a < b ${note}`);
    await assertHarmless();
    await open([source]);
    assert.equal(await textIn('.markdown'), 'A cat and and a < b');
  });

  it('loads images if allowed, and shows the alt text of those that fail', async () => {
    await open(
      [markdown('![A cat](https://a.example/cat.png) ![Gone](https://a.example/gone) ![x](data:image/png,x)')],
      { pictures: true, web: serveImages },
    );
    await historyPage.page.waitForFunction(() => [...document.images].some((image) => image.naturalWidth > 0));
    await historyPage.page.getByRole('link', { name: 'Gone' }).filter({ hasText: 'Gone' }).waitFor();
    assert.deepEqual(await all('img').evaluateAll((images) => images.map((picture) => picture.getAttribute('alt'))), [
      'A cat',
    ]);
    await assertHarmless(['https://a.example/cat.png', 'https://a.example/gone']);
  });

  it('shows raw HTML as text', async () => {
    const source =
      '<script>window.__ran = 1</script>\n\n<img src=x onerror="window.__ran=1">\n\na <b onclick="x">b</b> &lt;i&gt; &#60;u>';
    await open([markdown(source)]);
    await one('.markdown').waitFor();
    assert.deepEqual(await all('.markdown p').allInnerTexts(), [
      '<script>window.__ran = 1</script>',
      '<img src=x onerror="window.__ran=1">',
      'a <b onclick="x">b</b> <i> <u>',
    ]);
    await assertBare('.markdown');
    await assertHarmless();
  });

  it("can't break out of attributes and classes", async () => {
    const quote = '"><img src=x onerror=window.__ran=1>';
    await open([
      markdown(
        `\`\`\`${quote}\nx\n\`\`\`\n\n[a](https://a.example/${quote.replaceAll(' ', '%20')} '${quote}') ![${quote}](https://a.example "${quote.slice(1)}")`,
      ),
      markdown('```js"onload="x\nlet a\n```\n\n| a |\n|:"><b>-|\n| 1 |'),
    ]);
    await one('.markdown').waitFor();
    await assertBare('.markdown');
    await assertHarmless();
  });
});

describe('Markdown in an exported page', () => {
  it('renders as in the history', async () => {
    const source = [
      '&eacute;&rarr;&copy;&nbsp;&notin; &unheardOf; &zwnj; \\&eacute; `&eacute;`',
      '&CounterClockwiseContourIntegral; &semi; ![https://a.example](https://b.example/c.png)',
      '# &Auml;\n\n- [x] &auml;\n\n> &ouml;\n\n| &uuml; |\n| - |\n| &szlig; |\n\n    &euro;',
      'https://x.example/?a&copy;b <https://x.example/?a&notin;b> [https://a.example](https://b.example)',
    ].join('\n\n');
    await open([markdown(source)]);
    await one('.markdown').waitFor();
    // No document exists here, as in the extension host.
    const exported = renderMarkdown(source, { loadImages: false })?.html ?? '';
    const read = (html: string) => new DOMParser().parseFromString(html, 'text/html').body.innerHTML;
    const { browser } = await pageBrowser();
    // The history's own page takes no such HTML.
    const blank = await browser.newPage();
    assert.equal(await one('.markdown').innerHTML(), await blank.evaluate(read, exported));
    await blank.close();
  });
});
