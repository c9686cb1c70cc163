import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fold } from '../../src/markup/caseFolding.ts';
import { searchableText } from '../../src/markup/shownText.ts';
import type { Listed } from '../../src/service/message.ts';
import { CHAT, openArchive } from '../unit/archive/archives.ts';
import { listed } from './messages.ts';
import { assertHarmless, historyPage, html, markdown, open, openFresh, text } from './sharedHistory.ts';

const word = fc.constantFrom(
  'one',
  'Two',
  '重要',
  '会议',
  'AT&amp;T',
  '1 &lt; 2',
  'caf&eacute;',
  'كِتاب',
  'a_b',
  '2*3',
  '!',
);
const space = fc.constantFrom('', ' ', '\n', '&nbsp;', '  ');

/** Random Markdown, whether or not its marks belong together. */
const someMarkdown = fc
  .array(
    fc.oneof(
      word,
      space,
      fc.constantFrom(
        '**',
        '*',
        '_',
        '`',
        '~~',
        '[',
        '](https://bank.example/a)',
        '![',
        '<b>',
        '\\',
        'https://a.example/b',
      ),
      fc.constantFrom(
        '**bold**',
        '`code`',
        '\n\n',
        '\n# ',
        '\n- ',
        '\n1. ',
        '\n> ',
        '\n- [ ] ',
        '\n```js\n',
        '\n---\n',
        '\n|a|b|\n|-|-|\n|',
        '|',
      ),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => markdown(pieces.join('')));

/** Random HTML, whose elements are closed. */
const someHtml = fc
  .letrec<{ inline: string; block: string }>((tie) => ({
    inline: fc.oneof(
      { maxDepth: 3 },
      fc.tuple(word, space).map((pieces) => pieces.join('')),
      fc.constantFrom(
        '<br>',
        '<!-- no -->',
        '<style>p { margin: 0 }</style>',
        '<img src="https://a.example/b.png" alt="pic">',
      ),
      fc
        .tuple(fc.constantFrom('b', 'i', 'span', 'code', 'u', 'font', 'sup'), fc.array(tie('inline'), { maxLength: 3 }))
        .map(([name, inner]) => `<${name} class="c">${inner.join('')}</${name}>`),
      word.map((label) => `<a href="https://a.example/b">${label}</a>`),
    ),
    block: fc.oneof(
      { maxDepth: 3 },
      fc.array(tie('inline'), { maxLength: 4 }).map((inner) => `<p>${inner.join('')}</p>`),
      fc.array(tie('inline'), { maxLength: 4 }).map((inner) => `<pre>${inner.join('')}</pre>`),
      fc
        .array(tie('inline'), { maxLength: 3 })
        .map((cells) => `<table><tr><td>${cells.join('</td><td>')}</td></tr></table>`),
      fc.array(tie('block'), { maxLength: 3 }).map((items) => `<ul><li>${items.join('</li><li>')}</li></ul>`),
      fc.array(fc.oneof(tie('inline'), tie('block')), { maxLength: 3 }).map((inner) => `<div>${inner.join('')}</div>`),
    ),
  }))
  .block.map((page) => html(page));

describe('The find bar', () => {
  const bar = () => historyPage.page.getByRole('search');
  const find = async (words: string) => {
    await historyPage.post({ type: 'find' });
    await bar().getByRole('textbox').fill(words);
  };
  const count = () => bar().getByRole('status');
  /** Waits until the page highlights these texts, in any order: in the current match, and in others. */
  const waitForHighlights = (current: string[], others: string[]) =>
    historyPage.page.waitForFunction(
      (expected) => {
        const marked = (name: string) => Array.from(CSS.highlights.get(name) ?? [], (range) => `${range}`).sort();
        return JSON.stringify([marked('found-here'), marked('found')]) === expected;
      },
      JSON.stringify([current, others]),
    );
  const from = (senderNickname: string, senderId: string) =>
    listed({ contentType: 'text', content: { text: 'Hi' }, senderNickname, senderId });
  const withId = (msgId: string, words: string) => listed({ msgId, contentType: 'text', content: { text: words } });

  it('highlights words after letters that become longer in lowercase', async () => {
    await open([text('İabc'), text('an abc')]);
    await find('abc');
    await count().getByText('1 of 2').waitFor();
    await waitForHighlights(['abc'], ['abc']);
    await assertHarmless();
  });

  it('highlights every match it counts, in all compatible forms', async () => {
    await open([text('ＦＵＬＬ width'), text('cafe\u0301 full')]);
    await find('Full');
    await count().getByText('1 of 2').waitFor();
    await waitForHighlights(['full'], ['ＦＵＬＬ']);
    await find('café');
    await count().getByText('1 of 1').waitFor();
    await waitForHighlights(['cafe\u0301'], []);
  });

  it('finds and highlights words that markup runs through', async () => {
    await open([
      markdown('明天的**重要**会议'),
      html('<div>明天的<b>重要</b>会议</div>'),
      html('<p>重要</p><p>会议</p>'),
    ]);
    await find('重要会议');
    await count().getByText('1 of 2').waitFor();
    await waitForHighlights(['重要会议'], ['重要会议']);
    await open([markdown('One **giant** step'), markdown('an **un**important note')]);
    await find('giant step');
    await count().getByText('1 of 1').waitFor();
    await waitForHighlights(['giant step'], []);
  });

  it('finds whatever it shows in one line, and so does the archive', async () => {
    const archive = openArchive();
    const chat = archive.addChat(CHAT);
    const entries = [someMarkdown, someHtml].flatMap((some) => fc.sample(some, 100));
    archive.addPage(
      chat,
      entries.map(({ raw }) => JSON.stringify(raw)),
    );
    await open([], { height: 8_000 });
    for (let at = 0; at < entries.length; at += 20) {
      const shown = entries.slice(at, at + 20);
      await historyPage.show(shown);
      for (const entry of shown) await findsWhatIsShown(entry);
    }

    async function findsWhatIsShown(entry: Listed): Promise<void> {
      assert.ok(entry.readable);
      const { msgId, content } = entry.message;
      const message = historyPage.page.locator(`[id="message-${msgId}"]`);
      await message.waitFor();
      await message.locator('[aria-busy=true]').waitFor({ state: 'detached' });
      const texts = await message.locator('.markdown, .html-page, .text').allInnerTexts();
      for (const line of texts.flatMap((one) => one.split(/[\n\t]/)).filter((one) => one.trim())) {
        const what = `${JSON.stringify(content.text)} › ${JSON.stringify(line)}`;
        assert.ok(fold(searchableText(entry)).includes(fold(line.trim())), what);
        if (!/[\p{L}\p{N}]/u.test(line)) continue;
        const phrase = `"${line.replace(/["“”]/g, ' ')}"`;
        const { found } = archive.search({ text: phrase, order: 'newest' }, 1000);
        assert.ok(
          found.some((one) => one.msgId === msgId),
          `The archive doesn't find ${what}`,
        );
      }
    }
  });

  it("highlights nothing after it's closed, even in new messages", async () => {
    await open([text('a word')]);
    await find('word');
    await count().getByText('1 of 1').waitFor();
    await bar().getByRole('textbox').press('Escape');
    await bar().waitFor({ state: 'detached' });
    await historyPage.show([text('a word'), text('a word more')]);
    await historyPage.page.getByText('a word more').waitFor();
    // Let the mutation observer run.
    await historyPage.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    assert.equal(await historyPage.page.evaluate(() => CSS.highlights.size), 0);
  });

  it('shows a match at the top of the newest message, although its end is visible', async () => {
    await open([text('one'), text(`A kettle\n${'and a line\n'.repeat(80)}`)]);
    const { page } = historyPage;
    const isVisible = () =>
      page.waitForFunction(() => {
        const [range] = CSS.highlights.get('found-here') ?? [];
        const { top = -1, bottom = Infinity } = range instanceof Range ? range.getBoundingClientRect() : {};
        const list = document.querySelector('main')?.getBoundingClientRect();
        return list !== undefined && top >= list.top && bottom <= list.bottom;
      });
    await page.waitForFunction(() => (document.querySelector('main')?.scrollTop ?? 0) > 0);
    await find('kettle');
    await count().getByText('1 of 1').waitFor();
    await isVisible();
    // Rows are measured for some frames.
    await page.evaluate(async () => {
      for (let frame = 0; frame < 40; frame++) await new Promise(requestAnimationFrame);
    });
    await isVisible();
  });

  it('stays at its match when newer ones arrive', async () => {
    const first = [withId('a', 'one word'), withId('b', 'two words')];
    await open(first);
    await find('word');
    await count().getByText('1 of 2').waitFor();
    await historyPage.page.getByRole('button', { name: 'Next older match' }).click();
    await count().getByText('2 of 2').waitFor();
    await historyPage.show([...first, withId('c', 'three words')]);
    await count().getByText('3 of 3').waitFor();
    await historyPage.page.waitForFunction(() => {
      const [range] = CSS.highlights.get('found-here') ?? [];
      return range?.startContainer.textContent === 'one word';
    });
  });

  for (const language of ['en', 'zh-cn'] as const) {
    it(`fits on one line from 400 pixels on, with numbers that can be read (${language})`, async () => {
      const longName = 'The keeper of the kettle and of everything around it';
      const messages = Array.from({ length: 1200 }, () =>
        listed({ contentType: 'markdown', content: { text: 'a word' }, senderNickname: longName }),
      );
      await openFresh(messages, { language });
      await find('word');
      await count().getByText(/1,200/).waitFor();
      for (const width of [400, 600, 1400]) {
        await historyPage.page.setViewportSize({ width, height: 500 });
        const boxes = await bar().evaluate((element) =>
          [...element.children].map((child) => ({
            ...{ name: child.getAttribute('aria-label') ?? child.className, isNumber: child.matches('.count') },
            rect: child.getBoundingClientRect().toJSON() as DOMRect,
            ...{ scrollWidth: child.scrollWidth, clientWidth: child.clientWidth },
          })),
        );
        const middles = boxes.map(({ rect }) => Math.round(rect.top + rect.height / 2));
        assert.ok(Math.max(...middles) - Math.min(...middles) <= 1, `${width}: ${middles}`);
        for (const [index, { name, rect, isNumber, scrollWidth, clientWidth }] of boxes.entries()) {
          const what = `${name} at ${width}`;
          assert.ok(rect.width >= 20 && rect.right <= width, `${what}: ${rect.left} to ${rect.right}`);
          assert.ok(rect.left >= (boxes[index - 1]?.rect.right ?? 0), `${what} overlaps`);
          assert.ok(!isNumber || scrollWidth <= clientWidth, `${what} is cut off`);
        }
        assert.equal(await historyPage.page.evaluate(() => document.documentElement.scrollWidth), width);
      }
      assert.match((await bar().locator('option').nth(1).textContent()) ?? '', /\(1,200\)$/);
    });
  }

  it('escapes invisible characters in names and kinds, and keeps counts after right-to-left names', async () => {
    const kind = listed({ contentType: 'a\u202Eb', content: {}, senderId: '9', senderNickname: 'Ann' });
    await open([from('a\u202Eb', '7'), from('a\u202Eb', '7'), from('שלום', '8'), kind]);
    await find('');
    const [senders, kinds] = await bar()
      .locator('select')
      .evaluateAll((lists) =>
        (lists as HTMLSelectElement[]).map((list) => [...list.options].map((option) => option.text)),
      );
    assert.deepEqual(senders?.slice(1), [
      ...['\u2068a⟨U+202E⟩b\u2069 (2)', '\u2068שלום\u2069 (1)', '\u2068Ann\u2069 (1)'],
    ]);
    assert.deepEqual(kinds?.slice(1), ['a⟨U+202E⟩b', 'Text']);
  });
});
