import assert from 'node:assert/strict';
import { listed } from './messages.ts';
import { all, assertHarmless, historyPage, one, open, posted, text, textIn } from './sharedHistory.ts';

const textMessage = (content: object, more: object = {}) => listed({ contentType: 'text', content, ...more });
const parent = (more: object = {}) =>
  textMessage({ text: 'Soup or bread?' }, { msgId: 'p', senderNickname: 'Ann', ...more });

describe('A reply', () => {
  it('quotes the text sent with it, and goes to its parent', async () => {
    await open([textMessage({ text: 'Bread.', parent: 'Ann : Soup\n\nor bread?' }, { parentId: 'gone' })]);
    assert.equal(await textIn('button.quote'), 'Reply to Ann Soup or bread?');
    await one('.quote').click();
    assert.deepEqual(await posted('goTo'), [{ type: 'goTo', msgId: 'gone' }]);
  });

  it('prefers the text sent with it to the loaded parent, which may have changed', async () => {
    await open([parent(), textMessage({ text: 'Bread.', parent: 'Anna : Soup or salad?' }, { parentId: 'p' })]);
    assert.equal(await textIn('.quote'), 'Reply to Anna Soup or salad?');
  });

  it('quotes whole words, and says that more follows', async () => {
    const text = 'Soup or bread? Or both of them?\nIt is for lunch.';
    const long = `${'Soup and bread '.repeat(30)}`;
    await open([
      parent({ content: { text } }),
      textMessage({ text: 'a', parent: 'Ann : Soup or bread? Or bo' }, { parentId: 'p' }),
      textMessage({ text: 'b', parent: 'Ann : Soup or bread? Or both of them?\nIt is f' }, { parentId: 'p' }),
      textMessage({ text: 'c', parent: `Ann : ${text}` }, { parentId: 'p' }),
      textMessage({ text: 'd', parent: `Ann : ${long}` }, { parentId: 'gone' }),
    ]);
    assert.deepEqual(await all('.quote').allInnerTexts(), [
      'Reply to Ann Soup or bread? Or…',
      'Reply to Ann Soup or bread? Or both of them? It is…',
      'Reply to Ann Soup or bread? Or both of them? It is for lunch.',
      `Reply to Ann ${'Soup and bread '.repeat(6)}Soup and…`,
    ]);
  });

  it('quotes the loaded parent if no text was sent with it', async () => {
    await open([
      parent(),
      textMessage({ text: 'Bread.' }, { parentId: 'p' }),
      textMessage({ text: 'No.' }, { parentId: 'gone' }),
      textMessage({ text: 'Soup.', parent: 'Anna : ' }, { parentId: 'p' }),
      textMessage({ text: 'Both.', parent: 'Anna : ' }, { parentId: 'gone' }),
      listed({ msgId: 'call', contentType: 'audioCall', content: {}, senderNickname: 'Ann' }),
      textMessage({ text: 'Later.' }, { parentId: 'call' }),
    ]);
    assert.deepEqual(await all('.quote').allInnerTexts(), [
      'Reply to Ann Soup or bread?',
      "Reply to a message that isn't loaded (gone)",
      'Reply to Anna Soup or bread?',
      'Reply to Anna …',
      'Reply to Ann Voice call',
    ]);
  });

  it("can't be followed without an ID, but still shows the quotation", async () => {
    await open([
      textMessage({ text: 'Bread.', parent: 'Ann : Soup?' }),
      textMessage({ text: 'No.', parent: 'just words' }),
    ]);
    assert.deepEqual(await all('blockquote.quote').allInnerTexts(), ['Reply to Ann Soup?', 'Reply just words']);
    assert.equal(await all('button.quote').count(), 0);
  });

  it('names the quoted media without loading it', async () => {
    const video = 'https://a.example/b/cat.mp4?sign=s&t=5f000000';
    await open(
      [
        textMessage({ text: 'a', parent: 'Ann : ', parentImgName: 'cat.jpg' }),
        textMessage({ text: 'b', parent: 'Ann : Look', parentVideoUrl: video }),
        textMessage({ text: 'c', parentFileName: 'cat.pdf' }),
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

  it('is plain text on two lines at most', async () => {
    const hostile = `<img src=x onerror="window.__ran=1"> [a](command:b) \u202E ${'word '.repeat(400)}`;
    await open([
      textMessage({ text: 'a', parent: `Ann : ${hostile}` }),
      textMessage({ text: 'b', parent: `Ann : ${'词'.repeat(900)}` }),
    ]);
    const heights = await all('.quote').evaluateAll((quotes) =>
      quotes.map(
        (quote) => quote.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(quote).lineHeight),
      ),
    );
    for (const lines of heights) assert.ok(lines > 1.9 && lines < 2.5, `${lines} lines`);
    assert.match(await textIn('.quote'), /<img src=x onerror="window\.__ran=1"> \[a\]\(command:b\) ⟨U\+202E⟩ word/);
    await assertHarmless();
  });

  it('is found by its quotation, which is highlighted', async () => {
    await open([text('Bread is here.'), textMessage({ text: 'Yes.', parent: 'Ann : Is the bread here?' })]);
    await historyPage.post({ type: 'find' });
    const bar = historyPage.page.getByRole('search');
    await bar.getByRole('textbox').fill('bread');
    await bar.getByRole('status').getByText('1 of 2').waitFor();
    await historyPage.page.waitForFunction(() => CSS.highlights.get('found')?.size === 1);
    await bar.getByRole('textbox').fill('the bread');
    await bar.getByRole('status').getByText('1 of 1').waitFor();
  });
});

describe('A system message', () => {
  const tip = (words: string) => listed({ contentType: 'tip', content: { text: words } });

  it('is a centered line without a sender', async () => {
    await open([text('Hi'), tip('Ann is now an administrator.\u202E'), text('Welcome')]);
    const line = historyPage.page.getByRole('article', { name: /^System message, / });
    assert.equal(await line.locator('.text').innerText(), 'Ann is now an administrator.⟨U+202E⟩');
    assert.equal(await line.locator('.header, .avatar, .badge').count(), 0);
    assert.equal(await line.evaluate((element) => getComputedStyle(element).textAlign), 'center');
    // The next message shows its sender again.
    assert.equal(await all('.header').count(), 2);
  });

  it("has a menu, and says if it's empty", async () => {
    await open([tip('')]);
    assert.equal(await textIn('.tip'), 'This message is empty.');
    assert.equal(await all('.more').count(), 1);
  });
});

describe('A mention', () => {
  it('shows the name without the zero-width space after it', async () => {
    await open([textMessage({ text: '@Ann Fern\u200B and @Ben\u200B, come.', at: ['1', '2'] })]);
    assert.equal(await textIn('.text'), '@Ann Fern and @Ben, come.');
    assert.equal(await historyPage.page.getByText('Mentions').count(), 0);
  });
});
