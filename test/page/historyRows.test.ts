import assert from 'node:assert/strict';
import { article, button, closeEachPage, message, messages, open } from './numberedHistory.ts';
import { historyPage } from './sharedHistory.ts';

describe('What the history says besides its messages', () => {
  closeEachPage();

  const edges = (older: string, newer = 'open') =>
    historyPage.post({ type: 'edges', older: { at: older, text: 'No.', fix: 'setToken' }, newer: { at: newer } });

  it('announces messages that arrive together once, and nothing for other ones', async () => {
    await open(messages(1, 20));
    const status = historyPage.page.locator('main ~ [role=status]');
    const announced = await status.evaluateHandle((element) => {
      const texts: string[] = [];
      const add = () => texts.push(...[element.textContent ?? ''].filter(Boolean));
      new MutationObserver(add).observe(element, { subtree: true, childList: true, characterData: true });
      return texts;
    });
    await historyPage.show(messages(-10, 20));
    for (const count of [2, 1, 1197]) await historyPage.post({ type: 'arrived', count });
    await status.getByText('1,200 new messages').waitFor();
    await historyPage.post({ type: 'arrived', count: 1 });
    await status.getByText('1 new message').waitFor();
    await historyPage.post({ type: 'arrived', count: 1 });
    await historyPage.page.waitForFunction((texts) => texts.length === 3, announced);
    assert.deepEqual(await announced.jsonValue(), ['1,200 new messages', '1 new message', '1 new message']);
  });

  it('shows a right-to-left name of a chat in its own direction', async () => {
    await open(messages(1, 2));
    await historyPage.post({ type: 'heading', name: 'شكراً!', summary: '', readAs: '', service: '' });
    const title = historyPage.page.getByRole('heading', { level: 1 });
    assert.equal(await title.evaluate((element) => getComputedStyle(element).direction), 'rtl');
  });

  it('has room for messages in a small panel, however long the names above them are', async () => {
    await open(messages(1, 3));
    await historyPage.page.setViewportSize({ width: 200, height: 400 });
    const name = '山'.repeat(200);
    await historyPage.post({ type: 'heading', name, summary: '7 members', readAs: name, service: 'chat.example' });
    const readAs = historyPage.page.getByText('Reading as');
    assert.equal(await readAs.getAttribute('title'), `Reading as ${name} through chat.example`);
    assert.ok((await historyPage.page.locator('main').evaluate((main) => main.clientHeight)) > 150);
  });

  it('can all be reached in a small panel, and so can the messages', async () => {
    await open(messages(1, 30));
    const { page } = historyPage;
    await page.setViewportSize({ width: 200, height: 300 });
    await historyPage.post({
      type: 'heading',
      name: 'Riverside Town',
      summary: '',
      readAs: 'Order Desk',
      service: 'chat.example',
    });
    await historyPage.post({ type: 'find' });
    await page.getByRole('textbox').fill('Message 3');
    await button('Load Entire History').click();
    const main = page.locator('main');
    await main.scrollIntoViewIfNeeded();
    assert.ok((await main.evaluate((part) => innerHeight - part.getBoundingClientRect().top)) > 100);
    await button('Close').scrollIntoViewIfNeeded();
    await button('Close').click();
    assert.equal(await page.evaluate(() => document.body.scrollTop), 0);
  });

  it('says why nothing could be loaded in a narrow panel, too, however long an address is', async () => {
    await open(messages(1, 3));
    await historyPage.page.setViewportSize({ width: 300, height: 600 });
    const text = `Can't reach https://${'bots.shop.'.repeat(6)}example:8443/api/v2.`;
    await historyPage.post({ type: 'edges', older: { at: 'failed', text }, newer: { at: 'open' } });
    await historyPage.page.getByRole('alert').getByText(text).waitFor();
    const main = historyPage.page.locator('main');
    assert.deepEqual(await main.evaluate((element) => element.scrollWidth - element.clientWidth), 0);
  });

  it('announces that older messages load only if the user asked for them', async () => {
    await open(messages(1, 3));
    const isLive = (name: string) => button(name).evaluate((element) => element.closest('[aria-live]') !== null);
    await edges('loading');
    await button('Loading…').waitFor();
    assert.equal(await isLive('Loading…'), false);
    await edges('open');
    await button('Load Older Messages').click();
    await edges('loading');
    await button('Loading…').waitFor();
    assert.equal(await isLive('Loading…'), true);
    await edges('open');
    await historyPage.page.waitForFunction(() => document.querySelector('[aria-live]') === null);
  });

  it('keeps focus on the button that loads more, in all its states', async () => {
    await open(messages(1, 3));
    for (const [at, name] of [
      ['open', 'Load Older Messages'],
      ['loading', 'Loading…'],
      ['failed', 'Retry'],
      ['loading', 'Loading…'],
      ['open', 'Load Older Messages'],
    ] as const) {
      await edges(at);
      await button(name).waitFor();
      if (name === 'Load Older Messages') await button(name).focus();
      assert.ok(await button(name).evaluate((element) => element === document.activeElement), `${at}: ${name}`);
    }
  });

  it('shows the time of a grouped message on keyboard focus, and names its sender and full time', async () => {
    const sender = { senderNickname: 'Order Desk', senderId: '30481126' };
    const at = (n: number) => message(n, { ...sender, sendTime: Date.UTC(2026, 2, 9, 12, n) });
    await open([at(1), at(2)]);
    const time = article(2).locator('time');
    const opacity = () => time.evaluate((element) => getComputedStyle(element).opacity);
    assert.equal(await article(2).locator('.header').count(), 0);
    assert.equal(await opacity(), '0');
    await article(2).focus();
    assert.equal(await opacity(), '1');
    const fullTime = (await time.getAttribute('title')) ?? '';
    assert.match(fullTime, /^Monday, March 9, 2026 at \d+:02:00/);
    assert.equal(await article(2).getAttribute('aria-label'), `Order Desk, ${fullTime}`);
    assert.match((await article(1).locator('time').getAttribute('title')) ?? '', /^Monday, March 9, 2026 at \d+:01:00/);
  });
});
