import assert from 'node:assert/strict';
import { listed } from './messages.ts';
import { all, assertHarmless, historyPage, one, open, posted, text, textIn } from './sharedHistory.ts';

const textMessage = (content: object, more: object = {}) => listed({ contentType: 'text', content, ...more });

describe('A reply', () => {
  it('quotes the text that came with it, else its parent, in whole words, and names media without loading it', async () => {
    const said = 'Soup or bread? Or both of them?\nIt is for lunch.';
    const long = 'Soup and bread '.repeat(30);
    const video = 'https://a.example/b/cat.mp4?sign=s&t=5f000000';
    const parents = [
      textMessage({ text: said }, { msgId: 'p', senderNickname: 'Ann' }),
      textMessage({ text: 'Soup or bread?' }, { msgId: 'q', senderNickname: 'Ann' }),
      listed({ msgId: 'call', contentType: 'audioCall', content: {}, senderNickname: 'Ann' }),
    ];
    const replies: [content: object, parentId: string, quote: string][] = [
      [{ parent: 'Ann : Soup\n\nor bread?' }, 'gone', 'Reply to Ann Soup or bread?'],
      // It may have been edited since.
      [{ parent: 'Anna : Soup or salad?' }, 'p', 'Reply to Anna Soup or salad?'],
      [{ parent: 'Ann : Soup or bread? Or bo' }, 'p', 'Reply to Ann Soup or bread? Or…'],
      [{ parent: `Ann : ${said.slice(0, 39)}` }, 'p', 'Reply to Ann Soup or bread? Or both of them? It is…'],
      [{ parent: `Ann : ${said}` }, 'p', 'Reply to Ann Soup or bread? Or both of them? It is for lunch.'],
      [{ parent: `Ann : ${long}` }, 'gone', `Reply to Ann ${'Soup and bread '.repeat(6)}Soup and…`],
      [{}, 'q', 'Reply to Ann Soup or bread?'],
      [{}, 'gone', "Reply to a message that isn't loaded (gone)"],
      [{ parent: 'Anna : ' }, 'q', 'Reply to Anna Soup or bread?'],
      [{ parent: 'Anna : ' }, 'gone', 'Reply to Anna …'],
      [{}, 'call', 'Reply to Ann Voice call'],
      [{ parent: 'Ann : ', parentImgName: 'cat.jpg' }, '', 'Reply to Ann Image · cat.jpg'],
      [{ parent: 'Ann : Look', parentVideoUrl: video }, '', 'Reply to Ann Look · cat.mp4'],
      [{ parentFileName: 'cat.pdf' }, '', 'Reply File · cat.pdf'],
      [{ parent: 'just words' }, '', 'Reply just words'],
    ];
    const entries = replies.map(([content, parentId]) => textMessage({ text: 'a', ...content }, { parentId }));
    await open([...parents, ...entries], { pictures: true, height: 2000 });
    await all('.quote')
      .nth(replies.length - 1)
      .waitFor();
    const shown = await all('.quote').allInnerTexts();
    for (const [index, [, , quote]] of replies.entries()) assert.equal(shown[index], quote);
    await assertHarmless();
    // Without its ID, a parent can't be gone to.
    assert.equal(await all('blockquote.quote').count(), 4);
    await one('button.quote').click();
    assert.deepEqual(await posted('goTo'), [{ type: 'goTo', msgId: 'gone' }]);
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
