import assert from 'node:assert/strict';
import { inView, isInView } from '../window/seeing.ts';
import {
  article,
  button,
  closeEachPage,
  focusedId,
  frames,
  goTo,
  message,
  messages,
  open,
  waitForFocus,
  waitForPosted,
} from './numberedHistory.ts';
import { historyPage, posted } from './sharedHistory.ts';

describe('The position in the history', () => {
  closeEachPage();

  it("doesn't report hidden messages as visible", async () => {
    await open([...messages(1, 39), message(40, { contentType: 'image', content: { imageKey: 'k' } })]);
    await waitForPosted({ type: 'atNewest', is: true });
    await historyPage.post({ type: 'find' });
    await historyPage.page.getByLabel('All types').selectOption('text');
    await waitForPosted({ type: 'atNewest', is: false });
    await inView(article(39));
    await historyPage.page.getByLabel('All types').selectOption('');
    await waitForPosted({ type: 'atNewest', is: true });
    await inView(article(40));
  });

  it('stays near the message being read when a filter hides it and when the filter is cleared', async () => {
    const images = [10, 11, 60].map((n) => message(n, { contentType: 'image', content: { imageKey: 'k' } }));
    await open([
      ...messages(1, 9),
      ...images.slice(0, 2),
      ...messages(12, 59),
      ...images.slice(2),
      ...messages(61, 99),
    ]);
    await historyPage.post({ type: 'show', key: 'm9' });
    await inView(article(9));
    await historyPage.post({ type: 'find' });
    await historyPage.page.getByLabel('All types').selectOption('image');
    await article(9).waitFor({ state: 'detached' });
    await historyPage.page.getByLabel('All types').selectOption('');
    await inView(article(10));
  });

  it('reaches the newest message although another one gets the focus meanwhile', async () => {
    await open(messages(1, 99));
    await goTo(50);
    await historyPage.page.evaluate(() => {
      // The focused row is always rendered, so that the newest isn't any more.
      new MutationObserver((_, observer) => {
        if (!document.getElementById('message-m99')) return;
        observer.disconnect();
        document.querySelector('main')?.focus();
        document.getElementById('message-m50')?.focus({ preventScroll: true });
      }).observe(document.body, { childList: true, subtree: true });
      window.postMessage({ type: 'show', key: 'm99' }, '*');
    });
    await inView(article(99));
    await waitForPosted({ type: 'atNewest', is: true });
  });

  it('waits for the remembered position, and reports nothing as visible until then', async () => {
    await open(messages(60, 99), { state: { reading: 'm12', offset: 40 } });
    await inView(article(99));
    await frames(10);
    assert.deepEqual(
      (await posted('atNewest')).filter((one) => 'is' in one && one.is),
      [],
    );
    assert.deepEqual(await historyPage.state().then((state) => (state as { reading?: string }).reading), 'm12');
    await historyPage.show([...messages(1, 30), ...messages(60, 99)]);
    await inView(article(12));
    assert.ok(!(await isInView(article(99))));
  });

  it('returns the focus to the message that had it when the page was hidden, and scrolls nothing', async () => {
    await open(messages(1, 300));
    const { page } = historyPage;
    await goTo(100);
    await page.keyboard.press('Tab');
    await frames(40);
    const top = () => article(100).evaluate((row) => row.getBoundingClientRect().top);
    const before = await top();
    const state = (await historyPage.state()) as object;
    await historyPage.close();

    // The messages that were read come first.
    await open(messages(50, 150), { state });
    await inView(article(100));
    await waitForFocus(100);
    await historyPage.show(messages(1, 300));
    await frames(40);
    assert.equal(await focusedId(), 'message-m100');
    assert.ok(Math.abs((await top()) - before) < 2, `${await top()}, not ${before}`);
    await historyPage.page.keyboard.press('ArrowUp');
    await waitForFocus(99);
  });

  it('leaves the focus where it is when the message that had it comes late, or if it was elsewhere', async () => {
    const state = { reading: 'm100', offset: 40, focused: 'm100' };
    await open(messages(200, 300), { state });
    const bar = () => historyPage.page.getByRole('navigation').getByRole('button');
    await bar().focus();
    await historyPage.show(messages(1, 300));
    await inView(article(100));
    await frames(40);
    assert.ok(await bar().evaluate((one) => one === document.activeElement));
    assert.equal(((await historyPage.state()) as { focused?: string }).focused, undefined);
  });

  it('gives up the remembered position when it no longer exists', async () => {
    await open(messages(60, 99), { state: { reading: 'm12', offset: 40 } });
    await inView(article(99));
    await historyPage.post({ type: 'lost' });
    await waitForPosted({ type: 'atNewest', is: true });
  });

  it('names the day of the topmost visible message above the list', async () => {
    const daily = Array.from({ length: 60 }, (_, n) => message(n, { sendTime: Date.UTC(2026, 2, 1 + n, 12) }));
    await open(daily);
    const bar = historyPage.page.locator('.list-bar');
    await inView(article(59));
    for (const [n, day] of [
      [0, 'Sunday, March 1, 2026'],
      [20, 'Saturday, March 21, 2026'],
      [7, 'Sunday, March 8, 2026'],
    ] as const) {
      await historyPage.post({ type: 'show', key: `m${n}`, isAtTop: true });
      await inView(article(n));
      await bar.getByText(day, { exact: true }).waitFor();
    }
    const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
    assert.equal((await historyPage.page.locator('main').boundingBox())?.y, y + height);
    await button('Sunday, March 8, 2026, Go to Date…').click();
    await waitForPosted({ type: 'goToDate', from: Date.UTC(2026, 2, 8, 12) });
  });

  it('offers to go to a date if the day of the visible messages is unknown', async () => {
    await open([message(1, { sendTime: null })]);
    await inView(article(1));
    assert.equal(await historyPage.page.getByRole('navigation').innerText(), 'Go to Date…');
    await historyPage.show([]);
    await historyPage.page.getByRole('navigation').waitFor({ state: 'detached' });
  });

  it('offers to go back from a parent after reaching it, and only once', async () => {
    await open([message(1), message(2, { parentId: 'm1' }), message(3, { parentId: 'gone' })]);
    const quote = article(3).locator('.quote');
    await quote.click();
    await quote.click();
    assert.equal((await posted('goTo')).length, 2);
    assert.equal(await button('Back to Reply').count(), 0);
    await article(2).locator('.quote').click();
    await historyPage.post({ type: 'show', key: 'm1' });
    await button('Back to Reply').click();
    await waitForFocus(2);
    assert.equal(await button('Back to Reply').count(), 0);
  });
});
