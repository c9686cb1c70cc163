import assert from 'node:assert/strict';
import { listed } from './messages.ts';
import { all, asked, assertHarmless, one, open, shown, text, words } from './shown.ts';

const said = (content: object, more: object = {}) => listed({ contentType: 'text', content, ...more });
const parent = (more: object = {}) => said({ text: 'Soup or bread?' }, { msgId: 'p', senderNickname: 'Ann', ...more });

describe('A reply', () => {
  it('quotes what came with it, and leads to what it replies to', async () => {
    await open([said({ text: 'Bread.', parent: 'Ann : Soup\n\nor bread?' }, { parentId: 'gone' })]);
    assert.equal(await words('button.quote'), 'Reply to Ann Soup or bread?');
    await one('.quote').click();
    assert.deepEqual(await asked('goTo'), [{ type: 'goTo', msgId: 'gone' }]);
  });

  it('quotes what came with it rather than what is loaded, which may have changed since', async () => {
    await open([parent(), said({ text: 'Bread.', parent: 'Anna : Soup or salad?' }, { parentId: 'p' })]);
    assert.equal(await words('.quote'), 'Reply to Anna Soup or salad?');
  });

  it('quotes what is loaded where nothing came with it', async () => {
    await open([parent(), said({ text: 'Bread.' }, { parentId: 'p' }), said({ text: 'No.' }, { parentId: 'gone' })]);
    assert.deepEqual(await all('.quote').allInnerTexts(), [
      'Reply to Ann Soup or bread?',
      'Reply to a message that is not loaded (gone)',
    ]);
  });

  it('leads nowhere without an ID, and is told apart from what is said all the same', async () => {
    await open([said({ text: 'Bread.', parent: 'Ann : Soup?' }), said({ text: 'No.', parent: 'just words' })]);
    assert.deepEqual(await all('blockquote.quote').allInnerTexts(), ['Reply to Ann Soup?', 'Reply just words']);
    assert.equal(await all('button.quote').count(), 0);
  });

  it('names the media that it quotes, and loads none', async () => {
    const video = 'https://a.example/b/cat.mp4?sign=s&t=5f000000';
    await open(
      [
        said({ text: 'a', parent: 'Ann : ', parentImgName: 'cat.jpg' }),
        said({ text: 'b', parent: 'Ann : Look', parentVideoUrl: video }),
        said({ text: 'c', parentFileName: 'cat.pdf' }),
      ],
      { pictures: true },
    );
    assert.deepEqual(await all('.quote').allInnerTexts(), [
      'Reply to Ann Image · cat.jpg',
      'Reply to Ann Look · cat.mp4',
      'Reply File · cat.pdf',
    ]);
    await assertHarmless();
  });

  it('stands on two lines at most, and is text whatever it holds', async () => {
    const hostile = `<img src=x onerror="window.__ran=1"> [a](command:b) \u202E ${'word '.repeat(400)}`;
    await open([
      said({ text: 'a', parent: `Ann : ${hostile}` }),
      said({ text: 'b', parent: `Ann : ${'词'.repeat(900)}` }),
    ]);
    const heights = await all('.quote').evaluateAll((quotes) =>
      quotes.map(
        (quote) => quote.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(quote).lineHeight),
      ),
    );
    for (const lines of heights) assert.ok(lines > 1.9 && lines < 2.5, `${lines} lines`);
    assert.match(await words('.quote'), /<img src=x onerror="window\.__ran=1"> \[a\]\(command:b\) ⟨U\+202E⟩ word/);
    await assertHarmless();
  });

  it('is found by what it quotes, which is marked', async () => {
    await open([text('Bread is here.'), said({ text: 'Yes.', parent: 'Ann : Is the bread here?' })]);
    await shown.post({ type: 'find' });
    const bar = shown.page.getByRole('search');
    await bar.getByRole('textbox').fill('bread');
    await bar.getByRole('status').getByText('1 of 2').waitFor();
    await shown.page.waitForFunction(() => CSS.highlights.get('found')?.size === 1);
    await bar.getByRole('textbox').fill('the bread');
    await bar.getByRole('status').getByText('1 of 1').waitFor();
  });
});

describe('What the system says', () => {
  const tip = (words: string) => listed({ contentType: 'tip', content: { text: words } });

  it('is a line in the middle, of nobody', async () => {
    await open([text('Hi'), tip('Ann is now an administrator.\u202E'), text('Welcome')]);
    const line = shown.page.getByRole('article', { name: /^System message, / });
    assert.equal(await line.locator('.text').innerText(), 'Ann is now an administrator.⟨U+202E⟩');
    assert.equal(await line.locator('.header, .avatar, .badge').count(), 0);
    assert.equal(await line.evaluate((element) => getComputedStyle(element).textAlign), 'center');
    // Who goes on behind it stands under a name again.
    assert.equal(await all('.header').count(), 2);
  });

  it('has a menu like any other message, and says so where it is empty', async () => {
    await open([tip('')]);
    assert.equal(await words('.tip'), 'This message is empty.');
    assert.equal(await all('.more').count(), 1);
  });
});

describe('A mention', () => {
  it('is its name in the text, without a mark behind it', async () => {
    await open([said({ text: '@Ann Fern\u200B and @Ben\u200B, come.', at: ['1', '2'] })]);
    assert.equal(await words('.text'), '@Ann Fern and @Ben, come.');
    assert.equal(await shown.page.getByText('Mentions').count(), 0);
  });
});
