import assert from 'node:assert/strict';
import type { FromSearchPage, SearchQuery } from '../../src/protocol/search.ts';
import { type OpenPage, openSearchPage, type PageOptions } from '../host/pages.ts';
import { foundView, foundViews, scope } from './searchResults.ts';

describe('The search page', () => {
  let searchPage: OpenPage;

  afterEach(async () => {
    assert.deepEqual([searchPage?.incidents, searchPage?.requests, await searchPage?.refused()], [[], [], []]);
    await searchPage?.close();
  });

  const open = async (options: PageOptions = {}) => {
    searchPage = await openSearchPage(options);
    await searchPage.post(scope);
  };
  const posted = async () => (await searchPage.posted()) as FromSearchPage[];
  const searches = async () =>
    (await posted()).filter((message) => message.type === 'search') as { search: number; query: SearchQuery }[];
  const lastSearch = async () => (await searches()).at(-1) ?? assert.fail('nothing was searched for');
  const lastQuery = async () => (await lastSearch()).query;
  const answer = async (found: object[], isLast = true, search?: number) =>
    searchPage.post({ type: 'found', search: search ?? (await lastSearch()).search, found, isLast });
  const fail = async (text: string) => searchPage.post({ type: 'failed', search: (await lastSearch()).search, text });
  const waitForMore = (count: number) =>
    searchPage.page.waitForFunction(
      (count) => window.__host.posted.filter(({ type }) => type === 'more').length === count,
      count,
    );

  const query = () => searchPage.page.getByRole('searchbox', { name: 'Search messages' });
  const results = () => searchPage.page.getByRole('list', { name: 'Results' }).getByRole('button');
  const result = (text: string) => results().filter({ hasText: text });
  const count = () => searchPage.page.getByRole('status').innerText();
  const chosen = (name: string) => searchPage.page.getByRole('combobox', { name });
  /** The senders offered. */
  const senders = () => searchPage.page.getByRole('listbox').getByRole('option');
  const focused = () => searchPage.page.evaluate(() => document.activeElement?.textContent);
  const press = (key: string) => searchPage.page.keyboard.press(key);

  it('asks for the newest messages at first, with the focus on the query', async () => {
    await open();
    assert.deepEqual(
      (await posted()).map(({ type }) => type),
      ['ready', 'search'],
    );
    assert.deepEqual(await lastQuery(), { text: '', order: 'newest' });
    assert.equal(await query().getAttribute('placeholder'), 'Words, "exact phrase", begin*, -without');
    await searchPage.page.keyboard.type('a');
    assert.equal(await query().inputValue(), 'a');
  });

  it('shows what the search covers, and who wrote the results, where and when', async () => {
    await open();
    await answer([foundView('1', { chat: 2, senderName: 'Ann', kind: 'image', text: 'Soup' }), foundView('2')]);
    await searchPage.page.getByText('3 of 7 chats, until yesterday').waitFor();
    const row = result('Soup').first();
    for (const text of ['Ann', 'Fern & Kettle: the shop team', 'Image']) await row.getByText(text).waitFor();
    const time = new Date(Date.UTC(2026, 1, 3, 10));
    assert.match(await row.locator('time').innerText(), new RegExp(`Feb ${time.getDate()}, 2026`));
    assert.equal(await count(), '2 results');
    await searchPage.page.getByText('No more results.').waitFor();
  });

  describe('while the query is typed', () => {
    it('searches on each letter, and ignores answers to older searches', async () => {
      await open();
      await query().pressSequentially('ab');
      const [, a, ab] = await searches();
      assert.deepEqual([a?.query.text, ab?.query.text], ['a', 'ab']);
      assert.ok(a && ab && a.search < ab.search);
      await answer([foundView('2', { text: 'of ab' })], true, ab.search);
      await answer([foundView('1', { text: 'of a' })], true, a.search);
      assert.equal(await results().count(), 1);
      await result('of ab').waitFor();
    });

    it('keeps the results of the query before, dimmed, until the next come', async () => {
      await open();
      await answer([foundView('1', { text: 'before' })]);
      await query().fill('a');
      await result('before').waitFor();
      const list = searchPage.page.getByRole('list', { name: 'Results' });
      assert.equal(await list.getAttribute('aria-busy'), 'true');
      await searchPage.page.waitForFunction(
        () => getComputedStyle(document.querySelector('ol') as Element).opacity < '1',
      );
      assert.equal(await count(), '1 result');
      await answer([foundView('2', { text: 'after' })]);
      await result('after').waitFor();
      assert.equal(await list.getAttribute('aria-busy'), 'false');
      assert.equal(await results().count(), 1);
    });

    it('shows the best results of a new query from the top', async () => {
      await open();
      await answer(foundViews(1, 50));
      await searchPage.page.locator('main').evaluate((main) => main.scrollTo({ top: 1000 }));
      await query().fill('a');
      await answer(foundViews(20, 50));
      assert.equal(await searchPage.page.locator('main').evaluate((main) => main.scrollTop), 0);
    });

    it("doesn't search for what an input method is still composing", async () => {
      await open();
      const session = await searchPage.page.context().newCDPSession(searchPage.page);
      await query().focus();
      await session.send('Input.imeSetComposition', { text: 'shang', selectionStart: 5, selectionEnd: 5 });
      // A repaint must not take the text away.
      await answer([foundView('1')]);
      assert.equal(await query().inputValue(), 'shang');
      assert.equal((await searches()).length, 1);
      await session.send('Input.insertText', { text: '商店' });
      await searchPage.page.waitForFunction(() => window.__host.posted.length > 2);
      assert.equal((await lastQuery()).text, '商店');
    });
  });

  describe('filters', () => {
    it('by chat, type, buttons and commands, and sorts', async () => {
      await open();
      await query().fill('soup');
      await chosen('Chat').selectOption('Fern & Kettle: the shop team');
      await chosen('Type').selectOption('Image');
      await searchPage.page.getByRole('button', { name: 'With buttons' }).click();
      await searchPage.page.getByRole('button', { name: 'Commands' }).click();
      await chosen('Sort order').selectOption('By relevance');
      const all = { text: 'soup', order: 'relevance', chat: 2, kind: 'image', hasButtons: true, isCommand: true };
      assert.deepEqual(await lastQuery(), all);
      await searchPage.page.getByRole('button', { name: 'Commands', pressed: true }).click();
      await chosen('Chat').selectOption('All chats');
      await chosen('Type').selectOption('All types');
      assert.deepEqual(await lastQuery(), { text: 'soup', order: 'relevance', hasButtons: true });
    });

    it('by local days, the last one included', async () => {
      await open();
      const startOf = (day: string) => searchPage.page.evaluate((day) => new Date(`${day}T00:00`).getTime(), day);
      await searchPage.page.getByLabel('From').fill('2026-02-03');
      await searchPage.page.getByLabel('To').fill('2026-02-28');
      assert.deepEqual(await lastQuery(), {
        ...{ text: '', order: 'newest' },
        ...{ since: await startOf('2026-02-03'), until: await startOf('2026-03-01') },
      });
      assert.equal(await searchPage.page.getByLabel('To').inputValue(), '2026-02-28');
      await searchPage.page.getByLabel('From').fill('');
      assert.equal('since' in (await lastQuery()), false);
    });

    it('by one of thousands of senders, even if another has the same name', async () => {
      const many = Array.from({ length: 5000 }, (_, n) => ({ sender: `user ${n}`, name: `Keeper ${n % 2500}` }));
      await open();
      await searchPage.post({ ...scope, senders: many });
      await chosen('Sender').click();
      await senders().getByText('All senders').waitFor();
      await searchPage.page.keyboard.type('keeper 2499');
      assert.deepEqual(await senders().allInnerTexts(), ['Keeper 2499', 'Keeper 2499']);
      await press('ArrowDown');
      await press('Enter');
      assert.equal((await lastQuery()).sender, 'user 4999');
      assert.equal(await chosen('Sender').inputValue(), 'Keeper 2499');
      assert.equal(await searchPage.page.getByRole('listbox').count(), 0);
    });

    it('by a sender chosen with the mouse, until the name is removed', async () => {
      await open();
      await chosen('Sender').click();
      await senders().getByText('Order Desk').click();
      assert.equal((await lastQuery()).sender, 'bot 30481126');
      await chosen('Sender').fill('nobody');
      await searchPage.page.getByText('No matching senders').waitFor();
      await press('Escape');
      assert.equal(await chosen('Sender').inputValue(), 'Order Desk');
      await chosen('Sender').fill('');
      assert.equal('sender' in (await lastQuery()), false);
    });
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
      await waitForMore(1);
      await answer(foundViews(51, 50), false);
      await results().nth(99).scrollIntoViewIfNeeded();
      await waitForMore(2);
      await answer(foundViews(101, 7));
      await result('day 107').scrollIntoViewIfNeeded();
      await searchPage.page.getByText('No more results.').waitFor();
      assert.equal(await count(), '107 results');
      assert.equal((await posted()).filter(({ type }) => type === 'more').length, 2);
    });

    it('goes on while answers have no results', async () => {
      await open();
      await answer([], false);
      await waitForMore(1);
      await answer([], false);
      await waitForMore(2);
      assert.equal(await count(), '');
      await answer([foundView('1')]);
      await result('day 1').waitFor();
    });

    it('keeps the results if loading more fails, and tries again', async () => {
      await open();
      await answer(foundViews(1, 2), false);
      await waitForMore(1);
      await fail("The archive can't be read.");
      await searchPage.page.getByRole('alert').getByText("The archive can't be read.").waitFor();
      assert.equal(await results().count(), 2);
      await searchPage.page.getByRole('button', { name: 'Retry' }).click();
      await waitForMore(2);
      await answer(foundViews(3, 1));
      await result('day 3').waitFor();
      assert.equal(await searchPage.page.getByRole('alert').count(), 0);
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
    const ranges = [
      [0, 4],
      [text.length - 4, text.length],
    ];
    await answer([foundView('1', { text, ranges, senderName: hostile, kind: hostile, isCutAfter: true } as object)]);
    const row = result('soup');
    assert.deepEqual(await row.locator('mark').allInnerTexts(), ['soup', 'soup']);
    assert.equal(await row.locator('.snippet').innerText(), `${text.replace('\u202E', '⟨U+202E⟩')}…`);
    assert.doesNotMatch(await searchPage.page.locator('body').innerText(), /\u202E/);
    assert.equal(await searchPage.page.locator('img').count(), 0);
    assert.equal(await searchPage.page.evaluate(() => '__ran' in window), false);
  });

  it('says if nothing was found', async () => {
    await open();
    await answer([]);
    await searchPage.page.getByText('No archived messages match. Try fewer words or filters.').waitFor();
    assert.equal(await count(), '0 results');
  });

  it('offers to archive chats if none are archived, and searches when some are', async () => {
    await open();
    await searchPage.post({ ...scope, chats: [] });
    await answer([]);
    await searchPage.page.getByRole('button', { name: 'Archive Chats…' }).click();
    assert.deepEqual((await posted()).at(-1), { type: 'archive' });
    assert.equal(await chosen('Chat').count(), 0);
    const before = (await searches()).length;
    await searchPage.post(scope);
    assert.equal((await searches()).length, before + 1);
    await chosen('Chat').waitFor();
  });

  it('shows why a search failed, keeps the query, and tries again', async () => {
    await open();
    await answer([foundView('1')]);
    await query().fill('soup');
    const failed = await lastSearch();
    await fail("The archive can't be read.");
    await searchPage.page.getByRole('alert').getByText("The archive can't be read.").waitFor();
    assert.deepEqual([await results().count(), await query().inputValue()], [0, 'soup']);
    await searchPage.page.getByRole('button', { name: 'Retry' }).click();
    const again = await lastSearch();
    assert.deepEqual(again.query, failed.query);
    assert.ok(again.search > failed.search);
    await answer([foundView('2')]);
    await result('day 2').waitFor();
    assert.equal(await searchPage.page.getByRole('alert').count(), 0);
  });

  it('restores the query after it was reloaded', async () => {
    const state = { query: { text: 'soup', order: 'relevance', chat: 2, sender: 'user 8', isCommand: true } };
    await open({ state });
    assert.deepEqual(await lastQuery(), state.query);
    assert.equal(await query().inputValue(), 'soup');
    assert.equal(await chosen('Chat').inputValue(), '2');
    assert.equal(await chosen('Sender').inputValue(), 'Joanne');
    assert.equal(await chosen('Sort order').inputValue(), 'relevance');
    assert.equal(await searchPage.page.getByRole('button', { name: 'Commands', pressed: true }).count(), 1);
    await query().fill('bread');
    assert.deepEqual(await searchPage.state(), { query: { ...state.query, text: 'bread' } });
  });

  it("starts over from a state that can't be read", async () => {
    await open({ state: { query: { text: 7 } } });
    assert.deepEqual(await lastQuery(), { text: '', order: 'newest' });
  });

  it('takes the focus and a query from the host', async () => {
    await open();
    await query().fill('soup');
    await answer([foundView('1')]);
    await results().first().focus();
    await searchPage.post({ type: 'focus' });
    await searchPage.page.waitForFunction(() => {
      const { activeElement: input } = document;
      return input instanceof HTMLInputElement && input.selectionStart === 0 && input.selectionEnd === 4;
    });
    const before = (await searches()).length;
    await searchPage.post({ type: 'focus', query: { text: '', order: 'newest', chat: 3 } });
    assert.equal((await searches()).length, before + 1);
    assert.deepEqual(await lastQuery(), { text: '', order: 'newest', chat: 3 });
    assert.equal(await chosen('Chat').inputValue(), '3');
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
        ...{ ...scope, summary: long },
        chats: [{ number: 1, kind: 'group', name: long }],
        senders: [{ sender: 'user 7', name: long }],
      });
      await answer([foundView('1', { senderName: long, text: long, kind: long, ranges: [[0, 300]] })], false);
      await searchPage.page.setViewportSize({ width, height: 700 });
      await searchPage.page.locator('.sender-box input').click();
      await senders().nth(1).waitFor();
      const sizes = await searchPage.page.evaluate(() =>
        [...document.querySelectorAll('main, .search, .coverage, .filters > *, .senders, .result')].map((element) => [
          element.className || element.localName,
          Math.ceil(element.getBoundingClientRect().right),
          element.matches('.filters > :is(select, .sender-box)') ? 0 : element.scrollWidth - element.clientWidth,
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
