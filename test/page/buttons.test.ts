import assert from 'node:assert/strict';
import { listed } from './messages.ts';
import { all, assertHarmless, historyPage, markdown, open, posted, textIn, withButtons } from './sharedHistory.ts';

describe('Buttons', () => {
  const button = (name: string) => historyPage.page.getByRole('button', { name, exact: true });

  it('open web addresses, in the documented field or in `value`', async () => {
    await open([
      withButtons([
        { text: 'Shop', actionType: 1, url: 'https://a.example/shop' },
        { text: 'Seen', actionType: 1, value: 'http://b.example' },
      ]),
    ]);
    await button('Shop').click();
    await button('Seen').click();
    assert.deepEqual(await posted('open'), [
      { type: 'open', url: 'https://a.example/shop' },
      { type: 'open', url: 'http://b.example' },
    ]);
    assert.equal(await button('Shop').getAttribute('title'), 'Opens https://a.example/shop');
  });

  it('open no other addresses', async () => {
    const bad = [
      'javascript:window.__ran=1',
      'command:x',
      'vscode://a/b',
      'file:///a',
      'data:text/html,a',
      'a.example',
      '',
    ];
    await open([withButtons(bad.map((url, index) => ({ text: `b${index}`, actionType: 1, url })))]);
    for (const index of bad.keys()) await button(`b${index}`).click();
    assert.equal(await textIn('.button-note'), 'This button has no web link to open.');
    await assertHarmless();
  });

  it('copy their exact value', async () => {
    await open([withButtons([{ text: 'Copy it', actionType: 2, value: 'a\u202Eb\n"c"' }])]);
    await button('Copy it').click();
    assert.deepEqual(await posted('copy'), [{ type: 'copy', text: 'a\u202Eb\n"c"' }]);
    assert.equal(await textIn('.button-note'), 'Copied');
    assert.equal(await button('Copy it').getAttribute('title'), 'Copies “a⟨U+202E⟩b "c"”');
  });

  it('preview what they would report without reporting it', async () => {
    await open([
      withButtons(
        [{ text: 'Order', actionType: 3, value: 'order:7' }],
        [{ text: 'Odd', actionType: 9 }, { text: 'None' }],
      ),
    ]);
    await button('Order').click();
    assert.equal(
      await textIn('.button-note'),
      'In the chat, this button reports “order:7”. This is a preview, so nothing was reported.',
    );
    await button('Odd').click();
    assert.equal(await textIn('.button-note'), 'Unknown action type 9');
    await button('None').click();
    assert.equal(await textIn('.button-note'), 'Unknown action type ?');
    await assertHarmless();
  });

  it('end where cards, code and quotations end', async () => {
    const long = 'word '.repeat(60);
    const code = ['```', long, '```'].join('\n');
    const indented = code.replace(/^/gm, '   ');
    await open([
      withButtons([{ text: 'One', actionType: 2, value: '' }]),
      markdown(`> ${long}\n\n${code}\n\n1. One\n\n${indented}`),
      listed({ contentType: 'text', content: { text: 'a', parent: `Ann : ${long.repeat(2)}` } }),
    ]);
    await historyPage.page.locator('pre').nth(1).waitFor();
    const ends = await all('.preview-button, .markdown pre, .markdown blockquote, .quote').evaluateAll((blocks) =>
      blocks.map((block) => Math.round(block.getBoundingClientRect().right)),
    );
    assert.deepEqual(
      ends,
      ends.map(() => ends[0]),
    );
    assert.equal(ends.length, 5);
  });

  it('stay in their rows and within the page width', async () => {
    const eight = Array.from({ length: 8 }, (_, index) => ({ text: `Button ${index}`, actionType: 2, value: '' }));
    const long = [
      { text: 'word '.repeat(60), actionType: 2, value: '' },
      { text: 'x'.repeat(500), actionType: 2, value: '' },
    ];
    await open([withButtons(eight, long)]);
    assert.deepEqual(await all('.button-row').evaluateAll((rows) => rows.map((row) => row.childElementCount)), [8, 2]);
    const sizes = await all('.preview-button').evaluateAll((buttons) =>
      buttons.map((element) => [
        element.scrollWidth <= element.clientWidth,
        element.getBoundingClientRect().width <= 640,
      ]),
    );
    assert.deepEqual(
      sizes,
      sizes.map(() => [true, true]),
    );
  });
});
