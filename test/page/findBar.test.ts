import assert from 'node:assert/strict';
import { listed } from './messages.ts';
import { assertHarmless, historyPage, open, openFresh, text } from './sharedHistory.ts';

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
