import assert from 'node:assert/strict';
import { LONG_TEXTS, listed } from './messages.ts';
import { all, assertHarmless, file, historyPage, html, markdown, one, open, text, textIn } from './sharedHistory.ts';

describe('A very long message', () => {
  for (const [kind, name] of [
    ['text', 'a word'],
    ['markdown', 'lists'],
    ['html', 'divisions'],
    ['strange', 'lines'],
  ] as const) {
    it(`is shown, and the page stays responsive: ${name} as ${kind}`, async () => {
      const words = LONG_TEXTS[name];
      await open([listed({ contentType: kind, content: { text: words, fileName: words } }), text('after')]);
      await historyPage.page.getByText('after', { exact: true }).waitFor();
      await one('.text, .markdown, .html-page[aria-busy=false], pre').waitFor();
      const more = historyPage.page.getByRole('button', { name: /^Show All [\d,]+ Characters$/ });
      if ((await more.count()) > 0) {
        await more.click();
        await more.waitFor({ state: 'detached' });
      }
      await historyPage.page.locator('.entry').last().focus();
      await historyPage.page.keyboard.press('ArrowUp');
      await historyPage.page.waitForFunction(() => document.activeElement === document.querySelector('.entry'));
      await assertHarmless();
    });
  }

  it('can be expanded, and stays expanded', async () => {
    const end = 'THE END';
    const entries = [text('a long text\n'.repeat(5000) + end), text('short')];
    await open(entries);
    const everything = historyPage.page.getByRole('button', { name: 'Show All 60,007 Characters' });
    assert.equal((await textIn('.text')).includes(end), false);
    await everything.click();
    assert.ok((await textIn('.text')).endsWith(end));
    assert.equal(await everything.count(), 0);
  });

  it('is shown as source if quotes are nested too deeply', async () => {
    const source = `${'> '.repeat(1000)}deep`;
    await open([markdown(source), markdown(`${'> '.repeat(8)}fine`)]);
    await one('.markdown').waitFor();
    assert.equal(await textIn('.text'), source);
    assert.equal(await all('.markdown blockquote').count(), 8);
  });

  it('never makes the page wider', async () => {
    const long = 'x'.repeat(3000);
    const table = `|${long.slice(0, 300)}|${'b|'.repeat(40)}\n|${'-|'.repeat(41)}\n|${'1|'.repeat(41)}`;
    await open(
      [
        text(long),
        markdown(`${long}\n\n\`${long}\`\n\n${table}`),
        html(`<p>${long}</p><table><tr>${'<td>cell</td>'.repeat(60)}</tr></table><pre>${long}</pre>`),
        file({ fileName: long, fileUrl: `https://a.example/${long}` }),
      ],
      { height: 4000 },
    );
    await one('.html-page p').waitFor();
    await one('.markdown').waitFor();
    assert.ok(await historyPage.page.locator('main').evaluate((main) => main.scrollWidth <= main.clientWidth));
  });
});
