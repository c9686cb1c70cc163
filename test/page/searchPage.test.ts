import assert from 'node:assert/strict';
import { themes } from '../host/themes.ts';
import { foundView, foundViews, scope } from './searchResults.ts';
import {
  answer,
  chosen,
  closeEachSearch,
  filters,
  lastQuery,
  lastSearch,
  open,
  posted,
  press,
  query,
  result,
  results,
  searches,
  searchPage,
  senders,
} from './shownSearch.ts';

describe('The search page', () => {
  closeEachSearch();

  const count = () => searchPage.page.getByRole('status').innerText();
  const fail = async (text: string) => searchPage.post({ type: 'failed', search: (await lastSearch()).search, text });

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

  describe('while the query is typed', () => {
    it('searches on each letter', async () => {
      await open();
      await query().pressSequentially('ab');
      assert.deepEqual(
        (await searches()).map(({ query }) => query.text),
        ['', 'a', 'ab'],
      );
    });

    it('keeps the results of the query before, dimmed, until the next come', async () => {
      await open();
      await answer([foundView('1')]);
      await query().fill('a');
      const list = searchPage.page.getByRole('list', { name: 'Results' });
      assert.equal(await list.getAttribute('aria-busy'), 'true');
      await searchPage.page.waitForFunction(
        () => getComputedStyle(document.querySelector('ol') as Element).opacity < '1',
      );
      assert.equal(await results().count(), 1);
      await answer([foundView('2')]);
      await result('day 2').waitFor();
      assert.equal(await list.getAttribute('aria-busy'), 'false');
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
      await searchPage.page.getByRole('button', { name: 'Without quoted text' }).click();
      assert.deepEqual(await lastQuery(), { ...all, withoutQuoted: true });
      await searchPage.page.getByRole('button', { name: 'Without quoted text', pressed: true }).click();
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
        text: '',
        order: 'newest',
        since: await startOf('2026-02-03'),
        until: await startOf('2026-03-01'),
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

  it('folds the filters away in a narrow window, and says how many are active', async () => {
    await open();
    const { page } = searchPage;
    assert.equal(await filters('Filters').isVisible(), false);
    await page.setViewportSize({ width: 500, height: 800 });
    assert.equal(await chosen('Chat').isVisible(), false);
    await filters('Filters').click();
    await chosen('Chat').selectOption('Alice');
    await page.getByLabel('From').fill('2026-02-03');
    await page.getByRole('button', { name: 'Commands' }).click();
    await filters('Filters (3)').click();
    assert.equal(await chosen('Chat').isVisible(), false);
    assert.equal(await filters('Filters (3)').getAttribute('aria-expanded'), 'false');
  });

  for (const language of ['en', 'zh-cn'] as const) {
    it(`leaves no filter alone on a line of a wide window (${language})`, async () => {
      await open({ language });
      const { page } = searchPage;
      for (let width = 600; width <= 1600; width += 25) {
        await page.setViewportSize({ width, height: 800 });
        const inLines = await page.locator('.filters').evaluate((filters) => {
          const lines: number[] = [];
          let below = 0;
          for (const field of filters.querySelectorAll('select, input, button')) {
            const { top, bottom } = field.getBoundingClientRect();
            // Fields of a line differ in height by a pixel or two.
            if (top >= below - 5) lines.push(0);
            lines.push((lines.pop() ?? 0) + 1);
            below = bottom;
          }
          return lines;
        });
        assert.ok(inLines.length > 0 && inLines.every((count) => count > 1), `${width}: ${inLines}`);
      }
    });
  }

  it('lets all unfolded filters be reached in a small window, and the results', async () => {
    await open();
    await answer(foundViews(1, 10));
    await searchPage.page.setViewportSize({ width: 200, height: 300 });
    await filters('Filters').click();
    await chosen('Sort order').focus();
    const bottom = (element: Element) => element.getBoundingClientRect().bottom;
    assert.ok((await chosen('Sort order').evaluate(bottom)) <= 300);
    await results().first().focus();
    assert.ok((await results().first().evaluate(bottom)) <= 300);
  });

  it('draws its fields for the theme', async () => {
    await open();
    const schemes: Record<string, string> = {};
    for (const theme of themes) {
      await searchPage.setTheme(theme);
      const field = searchPage.page.getByLabel('From');
      schemes[theme] = await field.evaluate((input) => getComputedStyle(input).colorScheme);
    }
    assert.deepEqual(schemes, {
      dark: 'dark',
      'dark-2026': 'dark',
      'hc-dark': 'dark',
      light: 'light',
      'light-2026': 'light',
      'hc-light': 'light',
    });
  });

  it('restores the query after it was reloaded, and keeps the filters unfolded', async () => {
    const state = { query: { text: 'soup', order: 'relevance', chat: 2, sender: 'user 8', isCommand: true } };
    await open({ state: { ...state, hasFilters: true } });
    assert.deepEqual(await lastQuery(), state.query);
    assert.equal(await query().inputValue(), 'soup');
    assert.equal(await chosen('Chat').inputValue(), '2');
    assert.equal(await chosen('Sender').inputValue(), 'Joanne');
    assert.equal(await chosen('Sort order').inputValue(), 'relevance');
    assert.equal(await searchPage.page.getByRole('button', { name: 'Commands', pressed: true }).count(), 1);
    await query().fill('bread');
    assert.deepEqual(await searchPage.state(), { query: { ...state.query, text: 'bread' }, hasFilters: true });
    await searchPage.page.setViewportSize({ width: 500, height: 800 });
    assert.equal(await chosen('Chat').isVisible(), true);
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

  it('offers to archive chats if none are archived', async () => {
    await open();
    await searchPage.post({ ...scope, chats: [] });
    await answer([]);
    await searchPage.page.getByRole('button', { name: 'Archive Chats…' }).click();
    assert.deepEqual((await posted()).at(-1), { type: 'archive' });
    assert.equal(await chosen('Chat').count(), 0);
  });

  it('offers to archive further chats in the summary, and where nothing was found', async () => {
    await open();
    const { page } = searchPage;
    const unarchived = 'Only 3 of 7 chats in the sidebar are archived.';
    const summary = page.getByRole('button', { name: scope.summary });
    await searchPage.post({ ...scope, unarchived });
    await answer([foundView('1')]);
    await results().waitFor();
    assert.equal(await page.getByText(unarchived).count(), 0);
    await summary.click();
    assert.deepEqual((await posted()).at(-1), { type: 'archive' });
    await query().fill('soup');
    await answer([]);
    await page.getByText('No archived messages match. Try fewer words or filters.').waitFor();
    assert.equal(await count(), '0 results');
    await page.getByText(unarchived).waitFor();
    await page.getByRole('button', { name: 'Archive Chats…' }).click();
    assert.deepEqual(
      (await posted()).slice(-2).map(({ type }) => type),
      ['search', 'archive'],
    );
    await searchPage.post(scope);
    await answer([]);
    await page.getByText(unarchived).waitFor({ state: 'detached' });
    assert.equal(await summary.count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Archive Chats…' }).count(), 0);
  });

  it('shows why a search failed, keeps the query, and tries again, with the focus where the results come', async () => {
    await open();
    await answer([foundView('1')]);
    await query().fill('soup');
    const failed = await lastSearch();
    await fail("The archive can't be read.");
    await searchPage.page.getByRole('alert').getByText("The archive can't be read.").waitFor();
    assert.equal(await results().count(), 0);
    assert.equal(await query().inputValue(), 'soup');
    await searchPage.page.getByRole('button', { name: 'Retry' }).press('Enter');
    await searchPage.page.locator('main:focus').waitFor();
    const again = await lastSearch();
    assert.deepEqual(again.query, failed.query);
    assert.ok(again.search > failed.search);
    await answer([foundView('2')]);
    await result('day 2').waitFor();
    assert.equal(await searchPage.page.getByRole('alert').count(), 0);
  });
});
