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
} from './sharedHistory.ts';

describe('A Markdown message', () => {
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

  it('shows images as links, or loads them if allowed, with the alt text of those that fail', async () => {
    const source =
      '![A cat](https://a.example/cat.png) ![Gone](https://a.example/gone) ![x](data:image/png,x) ![none]()';
    await open([markdown(source)]);
    await one('.markdown').waitFor();
    assert.deepEqual(
      (await links()).map(([text]) => text),
      ['A cat', 'Gone'],
    );
    await assertHarmless();
    await open([markdown(source)], { pictures: true, web: serveImages });
    await historyPage.page.waitForFunction(() => [...document.images].some((image) => image.naturalWidth > 0));
    await historyPage.page.getByRole('link', { name: 'Gone' }).filter({ hasText: 'Gone' }).waitFor();
    await historyPage.page.getByText('none (image without an address)').waitFor();
    assert.deepEqual(await all('img').evaluateAll((images) => images.map((picture) => picture.getAttribute('alt'))), [
      'A cat',
    ]);
    await assertHarmless(['https://a.example/cat.png', 'https://a.example/gone']);
  });

  it("shows raw HTML as text, and can't break out of attributes and classes", async () => {
    const source =
      '<script>window.__ran = 1</script>\n\n<img src=x onerror="window.__ran=1">\n\na <b onclick="x">b</b> &lt;i&gt; &#60;u>';
    const quote = '"><img src=x onerror=window.__ran=1>';
    await open([
      markdown(source),
      markdown(
        `\`\`\`${quote}\nx\n\`\`\`\n\n[a](https://a.example/${quote.replaceAll(' ', '%20')} '${quote}') ![${quote}](https://a.example "${quote.slice(1)}")`,
      ),
      markdown('```js"onload="x\nlet a\n```\n\n| a |\n|:"><b>-|\n| 1 |'),
    ]);
    await all('.markdown').nth(2).waitFor();
    assert.deepEqual((await all('.markdown p').allInnerTexts()).slice(0, 3), [
      '<script>window.__ran = 1</script>',
      '<img src=x onerror="window.__ran=1">',
      'a <b onclick="x">b</b> <i> <u>',
    ]);
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
