import assert from 'node:assert/strict';
import { foundText, foundView, foundViews, saying, scope } from './searchResults.ts';
import {
  answer,
  closeEachSearch,
  open,
  posted,
  press,
  query,
  result,
  results,
  searchPage,
  senders,
} from './shownSearch.ts';

describe('The results of a search', () => {
  closeEachSearch();

  const count = () => searchPage.page.getByRole('status').innerText();
  const focused = () => searchPage.page.evaluate(() => document.activeElement?.textContent);

  it('shows what the search covers, and who wrote the results, where and when', async () => {
    await open();
    const parts = saying(foundText('Soup'));
    await answer([foundView('1', { chat: 2, senderName: 'Ann', kind: 'image', parts }), foundView('2')]);
    await searchPage.page.getByText('3 of 7 chats, until yesterday').waitFor();
    const row = result('Soup').first();
    for (const text of ['Ann', 'Fern & Kettle: the shop team', 'Image']) await row.getByText(text).waitFor();
    const time = new Date(Date.UTC(2026, 1, 3, 10));
    assert.match(await row.locator('time').textContent().then(String), new RegExp(`Feb ${time.getDate()}, 2026`));
    assert.equal(await count(), '2 results');
    await searchPage.page.getByText('No more results.').waitFor();
  });

  describe('with more results than fit', () => {
    it('loads more before the end is reached, once each time, and stops at the end', async () => {
      await open();
      await answer(foundViews(1, 50), false);
      assert.equal(await count(), '50+ results');
      assert.equal(
        (await posted()).some(({ type }) => type === 'more'),
        false,
      );
      await results().nth(49).scrollIntoViewIfNeeded();
      await searchPage.untilPosted('more');
      await answer(foundViews(51, 50), false);
      await results().nth(99).scrollIntoViewIfNeeded();
      await searchPage.untilPosted('more', 2);
      await answer(foundViews(101, 7));
      await result('day 107').scrollIntoViewIfNeeded();
      await searchPage.page.getByText('No more results.').waitFor();
      assert.equal(await count(), '107 results');
      assert.equal((await posted()).filter(({ type }) => type === 'more').length, 2);
    });

    it('goes on while answers have no results', async () => {
      await open();
      await answer([], false);
      await searchPage.untilPosted('more');
      await answer([], false);
      await searchPage.untilPosted('more', 2);
      assert.equal(await count(), '');
      await answer([foundView('1')]);
      await result('day 1').waitFor();
    });
  });

  describe('opens a message', () => {
    it('on a click', async () => {
      await open();
      await answer([foundView('1'), foundView('2', { chat: 3 })]);
      await result('day 2').click();
      assert.deepEqual((await posted()).at(-1), { type: 'openMessage', chat: 3, msgId: 'm2' });
    });

    it('with the keyboard, in a list that takes the focus once', async () => {
      await open();
      await answer(foundViews(1, 3));
      await query().focus();
      const seen: (string | null | undefined)[] = [];
      for (const key of ['ArrowDown', 'ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home']) {
        await press(key);
        seen.push((await focused())?.replace(/.*day /, ''));
      }
      assert.deepEqual(seen, ['1', '2', '3', '3', '2', '1']);
      await press('ArrowUp');
      assert.ok(await query().evaluate((input) => input === document.activeElement));
      await press('ArrowDown');
      await press('ArrowDown');
      assert.deepEqual(
        await results().evaluateAll((rows) => rows.map((row) => (row as HTMLElement).tabIndex)),
        [-1, 0, -1],
      );
      await press('Enter');
      assert.deepEqual((await posted()).at(-1), { type: 'openMessage', chat: 1, msgId: 'm2' });
      await press('Escape');
      assert.ok(await query().evaluate((input) => input === document.activeElement));
    });

    it('unless it has no ID, and says so', async () => {
      await open();
      await answer([foundView('1', { msgId: '' })]);
      const row = result('day 1');
      assert.equal(await row.getAttribute('aria-disabled'), 'true');
      assert.equal(await row.getAttribute('title'), "This message has no ID, so it can't be opened.");
      await row.click({ force: true });
      await row.press('Enter');
      assert.equal(
        (await posted()).some(({ type }) => type === 'openMessage'),
        false,
      );
    });
  });

  it('marks the matches, and shows hostile text as text', async () => {
    const hostile = '<img src=x onerror="__ran = 1"> and \u202Etxt';
    await open();
    await searchPage.post({ ...scope, chats: [{ number: 1, kind: 'group', name: `Town ${hostile}` }] });
    const text = `soup ${hostile} soup`;
    const ranges: [number, number][] = [
      [0, 4],
      [text.length - 4, text.length],
    ];
    const found = foundText(text, ranges, { isCutAfter: true });
    const parts = saying(found, { author: found, quoted: found, buttons: [found] });
    await answer([foundView('1', { parts, senderName: hostile, kind: hostile })]);
    const row = result('soup');
    const shown = `${text.replace('\u202E', '⟨U+202E⟩')}…`;
    assert.deepEqual(await row.locator('mark').allTextContents(), Array(8).fill('soup'));
    assert.equal(await row.locator('.snippet').textContent(), shown);
    assert.equal(await row.locator('.quote').textContent(), `Reply to ${shown} ${shown}`);
    assert.deepEqual(await row.locator('.label').allTextContents(), [shown]);
    assert.doesNotMatch(String(await searchPage.page.locator('body').textContent()), /\u202E/);
    assert.equal(await searchPage.page.locator('img').count(), 0);
    assert.equal(await searchPage.page.evaluate(() => '__ran' in window), false);
  });

  it('are where they were when the page was hidden, and so is the focus', async () => {
    // Rows of different heights.
    const all = foundViews(1, 100).map((one, index) => ({
      ...one,
      parts: saying(foundText(`Soup of day ${one.key}. ${'And more of it. '.repeat((index * 7) % 20)}`)),
    }));
    const top = () =>
      result('day 71.').evaluate(async (row) => {
        // Rows near the screen have their heights in the next frame.
        for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
        return row.getBoundingClientRect().top;
      });
    await open();
    await answer(all.slice(0, 50), false);
    const main = searchPage.page.locator('main');
    await main.evaluate((main) => main.scrollTo({ top: main.scrollHeight }));
    await searchPage.untilPosted('more');
    await answer(all.slice(50), false);
    await result('day 71.').click();
    await main.evaluate(
      (main) =>
        new Promise((resolve) => {
          main.addEventListener('scrollend', resolve, { once: true });
          main.scrollBy({ top: 77 });
        }),
    );
    const before = await top();
    const state = (await searchPage.state()) as object;
    await searchPage.close();

    await open({ state });
    await answer(all.slice(0, 50), false);
    await searchPage.untilPosted('more');
    await answer(all.slice(50), false);
    assert.match((await focused()) ?? '', /day 71\./);
    assert.ok(Math.abs((await top()) - before) < 2, `${await top()}, not ${before}`);
    await press('ArrowDown');
    assert.match((await focused()) ?? '', /day 72\./);
  });

  it('tells what was said from what it quotes, and from the labels of buttons', async () => {
    const quoting = { author: foundText('Grace'), quoted: foundText('The courier is early.') };
    const buttons = [foundText('Confirm'), foundText('Later')];
    await open();
    await answer([
      foundView('1', { parts: saying(foundText('On it.'), { ...quoting, buttons, hasMoreButtons: true }) }),
      foundView('2', { parts: saying(foundText(''), { quoted: foundText('cat.jpg') }) }),
      foundView('3'),
    ]);
    // Rows that the browser has not laid out yet have no inner text.
    const texts = (row: number) => results().nth(row).locator('.quote, .snippet, .labels').allTextContents();
    assert.deepEqual(await texts(0), ['Reply to Grace The courier is early.', 'On it.', 'ConfirmLater…']);
    assert.deepEqual(await texts(1), ['Reply cat.jpg']);
    assert.deepEqual(await texts(2), ['Soup of day 3']);
  });

  for (const [language, width] of [
    ['en', 300],
    ['zh-cn', 300],
    ['en', 1200],
  ] as const) {
    it(`fits into ${width} pixels (${language})`, async () => {
      const long = 'averylongwordthatneverends'.repeat(20);
      await open({ language });
      await searchPage.post({
        ...scope,
        summary: long,
        chats: [{ number: 1, kind: 'group', name: long }],
        senders: [{ sender: 'user 7', name: long }],
      });
      const text = foundText(long, [[0, 300]]);
      const parts = saying(text, { author: text, quoted: text, buttons: [text, text] });
      await answer([foundView('1', { senderName: long, kind: long, parts })], false);
      await searchPage.page.setViewportSize({ width, height: 700 });
      if (width < 600) await searchPage.page.locator('[aria-expanded].choice').click();
      await searchPage.page.locator('.combo-box input').click();
      await senders().nth(1).waitFor();
      const sizes = await searchPage.page.evaluate(() =>
        [
          ...document.querySelectorAll('main, .search, .coverage, .filters > *, .suggestions, .result, .quote, .label'),
        ].map((element) => [
          element.className || element.localName,
          Math.ceil(element.getBoundingClientRect().right),
          element.matches('.filters > :is(select, .combo-box)') ? 0 : element.scrollWidth - element.clientWidth,
        ]),
      );
      assert.deepEqual(
        sizes.filter(([, right, overflow]) => Number(right) > width || Number(overflow) > 0),
        [],
      );
      await searchPage.page.screenshot({ path: `out/screenshots/search-page-${width}-${language}.png` });
    });
  }
});
