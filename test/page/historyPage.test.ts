import assert from 'node:assert/strict';
import type { Listed } from '../../src/service/message.ts';
import { type HistoryPage, type HistoryPageOptions, openHistoryPage } from '../host/pages.ts';
import { inView, isInView } from '../window/seeing.ts';
import { listed } from './messages.ts';

const FIRST = Date.UTC(2026, 2, 9, 8);

/** Message number `n`, one hour after the previous one. */
const message = (n: number, more: object = {}): Listed =>
  listed({
    contentType: 'text',
    msgId: `m${n}`,
    sendTime: FIRST + n * 3_600_000,
    content: { text: `Message ${n}` },
    ...more,
  });
const messages = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => message(from + index));

describe('Scrolling the history', () => {
  let historyPage: HistoryPage;

  afterEach(async () => {
    assert.deepEqual(historyPage?.incidents, []);
    await historyPage?.close();
  });

  const open = async (entries: readonly Listed[], options: Omit<HistoryPageOptions, 'entries'> = {}) => {
    historyPage = await openHistoryPage({ entries, ...options });
  };
  const article = (n: number) => historyPage.page.locator(`#message-m${n}`);
  const button = (name: string) => historyPage.page.getByRole('button', { name });
  const posted = async (type: string) => (await historyPage.posted()).filter((one) => one.type === type);
  const waitForPosted = async (expected: object) => {
    await historyPage.page.waitForFunction(
      (sought) => JSON.stringify(window.__host.posted.findLast(({ type }) => type === sought.type)) === sought.json,
      { type: (expected as { type: string }).type, json: JSON.stringify(expected) },
    );
  };
  const frames = (count: number) =>
    historyPage.page.evaluate(async (left) => {
      for (let frame = 0; frame < left; frame++) await new Promise(requestAnimationFrame);
    }, count);
  const distanceToEnd = () =>
    historyPage.page.locator('main').evaluate((main) => main.scrollHeight - main.clientHeight - main.scrollTop);
  const edges = (older: string, newer = 'open') =>
    historyPage.post({ type: 'edges', older: { at: older, text: 'No.', fix: 'setToken' }, newer: { at: newer } });
  const isFocused = (name: string) => button(name).evaluate((element) => element === document.activeElement);

  it('reports that the newest message is visible, and follows new ones', async () => {
    await open(messages(1, 40));
    await inView(article(40));
    await waitForPosted({ type: 'atNewest', is: true });
    await historyPage.show(messages(1, 41));
    await inView(article(41));
  });

  it('stays where the user scrolled, even by a little', async () => {
    await open(messages(1, 40));
    await inView(article(40));
    await historyPage.page.locator('main').hover();
    await historyPage.page.mouse.wheel(0, -60);
    await button('Jump to newest').waitFor();
    await waitForPosted({ type: 'atNewest', is: false });
    await historyPage.show(messages(1, 45));
    await frames(40);
    assert.ok((await distanceToEnd()) > 60);
    await button('Jump to newest').click();
    await inView(article(45));
    await waitForPosted({ type: 'atNewest', is: true });
    await button('Jump to newest').waitFor({ state: 'hidden' });
  });

  it('keeps following new messages if the target of a jump is visible together with the newest', async () => {
    await open(messages(1, 3));
    await historyPage.post({ type: 'show', key: 'm1' });
    await historyPage.page.waitForFunction(() => document.activeElement?.id === 'message-m1');
    await waitForPosted({ type: 'atNewest', is: true });
    await frames(30);
    assert.equal(await button('Jump to newest').count(), 0);
    await historyPage.show(messages(1, 40));
    await inView(article(40));
  });

  it('brings a message into view while others arrive around it', async () => {
    await open(messages(401, 480));
    await inView(article(480));
    const itemsOf = (from: number, to: number) =>
      messages(from, to).map((one) => ({ type: 'message', key: one.readable ? one.message.msgId : '', ...one }));
    const splice = (from: number, to: number) => ({ type: 'splice', at: 0, removed: 0, items: itemsOf(from, to) });
    const updates = [splice(201, 400), { type: 'show', key: 'm210' }, splice(1, 200)];
    await historyPage.page.evaluate((all) => {
      for (const one of all) window.postMessage(one, '*');
    }, updates);
    await inView(article(210));
    await frames(60);
    assert.ok(await isInView(article(210)));
    assert.equal(await article(210).evaluate((element) => element === document.activeElement), true);
  });

  it('keeps the message being read in place in every frame while others arrive around it', async () => {
    const sizes = (n: number) => message(n, { content: { text: `Message ${n}\n${'and a line\n'.repeat(n % 7)}` } });
    const sizedMessages = (from: number, to: number) => messages(from, to).map((_, index) => sizes(from + index));
    await open(sizedMessages(201, 260));
    await inView(article(260));
    await historyPage.post({ type: 'show', key: 'm230' });
    await inView(article(230));
    await frames(40);
    const measured = historyPage.page.evaluate(async () => {
      const tops = new Set<number>();
      const top = () => document.getElementById('message-m230')?.getBoundingClientRect().top ?? Number.NaN;
      for (let frame = 0; frame < 40; frame++) {
        await new Promise(requestAnimationFrame);
        // Measure after the frame, when its layout is final.
        await new Promise<void>((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve();
          port2.postMessage(undefined);
        });
        tops.add(top());
      }
      return [...tops];
    });
    for (const first of [141, 81, 1]) await historyPage.show(sizedMessages(first, 260));
    await historyPage.show(sizedMessages(1, 300));
    const tops = await measured;
    assert.ok(Math.max(...tops) - Math.min(...tops) <= 1, `${tops}`);
    assert.deepEqual(await historyPage.page.evaluate(() => document.activeElement?.id), 'message-m230');
  });

  it('renders only the rows near the viewport and the focused one', async () => {
    await open(messages(1, 2000));
    await inView(article(2000));
    await article(2000).focus();
    const main = historyPage.page.locator('main');
    for (const part of [0.7, 0.3, 0]) {
      await main.evaluate((element, at) => element.scrollTo({ top: at * element.scrollHeight }), part);
      do await frames(2);
      while (await isInView(article(2000)));
      const elements = await historyPage.page.evaluate(() => document.getElementsByTagName('*').length);
      assert.ok(elements < 300, `${elements} elements`);
    }
    assert.equal(await historyPage.page.evaluate(() => document.activeElement?.id), 'message-m2000');
  });

  it('leaves the focused row behind when scrolling', async () => {
    await open(messages(1, 200));
    await historyPage.post({ type: 'show', key: 'm100' });
    await historyPage.page.waitForFunction(() => document.activeElement?.id === 'message-m100');
    await historyPage.page.locator('main').hover();
    for (const [to, by] of [
      [150, 300],
      [60, -300],
    ] as const) {
      for (let turns = 0; !(await isInView(article(to))); turns++) {
        assert.ok(turns < 100, `The wheel doesn't reach message ${to}.`);
        await historyPage.page.mouse.wheel(0, by);
        await frames(3);
      }
      assert.equal(await historyPage.page.evaluate(() => document.activeElement?.id), 'message-m100');
    }
  });

  it('can be navigated by keyboard', async () => {
    await open(messages(1, 300));
    await inView(article(300));
    await article(300).focus();
    const isFocused = (n: number) =>
      historyPage.page.waitForFunction((id) => document.activeElement?.id === id, `message-m${n}`);
    for (const [key, n] of [
      ['ArrowUp', 299],
      ['Home', 1],
      ['ArrowDown', 2],
      ['End', 300],
    ] as const) {
      await historyPage.page.keyboard.press(key);
      await isFocused(n);
      await inView(article(n));
    }
    await waitForPosted({ type: 'atNewest', is: true });
    await historyPage.page.keyboard.press('PageUp');
    await historyPage.page.waitForFunction(() => document.activeElement?.id !== 'message-m300');
    const focused = await historyPage.page.evaluate(() => Number(document.activeElement?.id.replace('message-m', '')));
    assert.ok(focused > 280 && focused < 298, `${focused}`);
    await inView(article(focused));
    await historyPage.page.keyboard.press('PageDown');
    await historyPage.page.keyboard.press('PageDown');
    await isFocused(300);
  });

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

  it('returns to the newest message after a filter if it was visible before', async () => {
    const last = message(40, { contentType: 'markdown', content: { text: `# Order\n\n${'a line\n\n'.repeat(14)}` } });
    await open([...messages(1, 39), last]);
    await historyPage.post({ type: 'show', key: 'm20' });
    await inView(article(20));
    await historyPage.post({ type: 'show', key: 'm40' });
    await inView(article(40).getByRole('heading'));
    await historyPage.post({ type: 'show', key: 'm39' });
    await inView(article(39));
    await historyPage.post({ type: 'find' });
    await historyPage.page.getByLabel('All types').selectOption('markdown');
    await article(39).waitFor({ state: 'detached' });
    await historyPage.page.getByLabel('All types').selectOption('');
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

  it('gives up the remembered position when it no longer exists', async () => {
    await open(messages(60, 99), { state: { reading: 'm12', offset: 40 } });
    await inView(article(99));
    await historyPage.post({ type: 'lost' });
    await waitForPosted({ type: 'atNewest', is: true });
  });

  it('gives up the remembered position when the user scrolls', async () => {
    await open(messages(60, 99), { state: { reading: 'm12', offset: 40 } });
    await inView(article(99));
    await historyPage.page.locator('main').hover();
    await historyPage.page.mouse.wheel(0, -300);
    await historyPage.page.waitForFunction(() => (window.__host.state as { reading?: string }).reading !== 'm12');
  });

  it('names the day of the topmost visible message above the list', async () => {
    const daily = Array.from({ length: 60 }, (_, n) => message(n, { sendTime: Date.UTC(2026, 2, 1 + n, 12) }));
    await open(daily);
    const bar = historyPage.page.getByRole('navigation');
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
    await waitForPosted({ type: 'goToDate' });
  });

  it('offers to go to a date if the day of the visible messages is unknown', async () => {
    await open([message(1, { sendTime: null })]);
    await inView(article(1));
    assert.equal(await historyPage.page.getByRole('navigation').innerText(), 'Go to Date…');
    await historyPage.show([]);
    await historyPage.page.getByRole('navigation').waitFor({ state: 'detached' });
  });

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

  it('announces that older messages load only if the user asked for them', async () => {
    await open(messages(1, 3));
    const isLive = (name: string) => button(name).evaluate((element) => element.closest('[aria-live]') !== null);
    await edges('loading');
    await button('Loading…').waitFor();
    assert.equal(await isLive('Loading…'), false);
    await edges('open');
    await button('Load older messages').click();
    await edges('loading');
    await button('Loading…').waitFor();
    assert.equal(await isLive('Loading…'), true);
    await edges('open');
    await historyPage.page.waitForFunction(() => document.querySelector('[aria-live]') === null);
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

  it('keeps focus on the button that loads more, in all its states', async () => {
    await open(messages(1, 3));
    for (const [at, name] of [
      ['open', 'Load older messages'],
      ['loading', 'Loading…'],
      ['failed', 'Retry'],
      ['loading', 'Loading…'],
      ['open', 'Load older messages'],
    ] as const) {
      await edges(at);
      await button(name).waitFor();
      if (name === 'Load older messages') await button(name).focus();
      assert.ok(await isFocused(name), `${at}: ${name}`);
    }
  });

  it('lets the keyboard move across a gap and into it', async () => {
    await open([]);
    const [before, after] = [messages(1, 3), messages(7, 9)].map((some) =>
      some.map((one) => ({ type: 'message', key: one.readable ? one.message.msgId : '', ...one })),
    );
    const gap = { type: 'gap', key: 'gap 1', id: 1, edge: { at: 'open' } };
    await historyPage.post({ type: 'splice', at: 0, removed: 0, items: [...(before ?? []), gap, ...(after ?? [])] });
    await article(7).focus();
    await historyPage.page.keyboard.press('ArrowUp');
    await historyPage.page.waitForFunction(() => document.activeElement?.matches('.gap'));
    await historyPage.page.keyboard.press('Tab');
    await historyPage.page.waitForFunction(() => document.activeElement?.textContent === 'Load older side of gap');
    await historyPage.page.keyboard.press('Escape');
    await historyPage.page.waitForFunction(() => document.activeElement?.matches('.gap'));
    await historyPage.page.keyboard.press('ArrowUp');
    await historyPage.page.waitForFunction(() => document.activeElement?.id === 'message-m3');
  });

  it('offers to go back from a parent after reaching it, and only once', async () => {
    await open([message(1), message(2, { parentId: 'm1' }), message(3, { parentId: 'gone' })]);
    const quote = article(3).locator('.quote');
    await quote.click();
    await quote.click();
    assert.equal((await posted('goTo')).length, 2);
    assert.equal(await button('Back to reply').count(), 0);
    await article(2).locator('.quote').click();
    await historyPage.post({ type: 'show', key: 'm1' });
    await button('Back to reply').click();
    await historyPage.page.waitForFunction(() => document.activeElement?.id === 'message-m2');
    assert.equal(await button('Back to reply').count(), 0);
  });

  describe('shows as the avatar of a sender', () => {
    const uri = (color: string) => `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' fill='${color}'/>`;
    const avatar = (n: number) => article(n).locator('.avatar');
    const from = (senderId: string, senderNickname: string) => ({ senderId, senderNickname, senderType: 'user' });

    it('the first letter of the name, whatever precedes it, in the same color everywhere', async () => {
      const names = ['alice', '闻山禾', '  (éva)', '\u202E«Оля»', '👩‍👩‍👧 family', '🇨🇭', '...', '', 'ñu\u0301'];
      await open(names.map((name, n) => message(n, from(`70${n}`, name))));
      await avatar(8).waitFor();
      const shown = await historyPage.page.locator('.avatar').allTextContents();
      assert.deepEqual(shown, ['A', '闻', 'É', 'О', '👩‍👩‍👧', '🇨🇭', '?', '7', 'Ñ']);
      const colors = [message(10, from('701', 'x')), message(11, from('702', 'x')), message(12, from('701', 'y'))];
      await historyPage.show(colors);
      await avatar(12).waitFor();
      const [one, other, again] = await Promise.all([10, 11, 12].map((n) => avatar(n).getAttribute('class')));
      assert.equal(one, again);
      assert.notEqual(one, other);
    });

    it('the image that the host has, requested once for each sender on the page', async () => {
      await open([message(1, from('7', 'Alice')), message(2, from('8', 'Bo')), message(3, from('7', 'Alice'))]);
      const senders = [
        { kind: 'user', id: '7' },
        { kind: 'user', id: '8' },
      ];
      await waitForPosted({ type: 'avatars', senders });
      const before = await article(1).boundingBox();
      await historyPage.post({ type: 'avatar', kind: 'user', id: '7', uri: uri('red') });
      await avatar(3).locator('img').waitFor();
      assert.equal(await avatar(1).locator('img').getAttribute('src'), uri('red'));
      assert.equal(await avatar(2).textContent(), 'B');
      assert.deepEqual(await article(1).boundingBox(), before);
      await historyPage.show([message(4, from('8', 'Bo')), message(5, { ...from('9', 'Cy'), senderType: 'bot' })]);
      await waitForPosted({ type: 'avatars', senders: [{ kind: 'bot', id: '9' }] });
      assert.equal((await posted('avatars')).length, 2);
      assert.deepEqual([historyPage.requests, await historyPage.refused()], [[], []]);
    });

    it('the initial again if the image is broken', async () => {
      await open([message(1, from('7', 'Alice'))]);
      await historyPage.post({ type: 'avatar', kind: 'user', id: '7', uri: 'data:image/png;base64,AAAA' });
      await avatar(1).getByText('A', { exact: true }).waitFor();
    });
  });

  describe('shows the profile of a sender', () => {
    const sender = { kind: 'user', id: '7058314' };
    const facts = [{ label: 'Days online', value: '7' }];
    const actions = [
      { name: 'openHistory', label: 'Open History' },
      { name: 'copyId', label: 'Copy ID' },
    ];
    const profile = { ...sender, name: 'Alice F.', trouble: '', facts, actions };
    const from = { senderId: '7058314', senderType: 'user', senderNickname: 'Alice' };
    const card = (name = 'Alice F.') => historyPage.page.getByRole('dialog', { name });
    const focused = () => historyPage.page.evaluate(() => document.activeElement?.textContent ?? '');
    const press = (key: string) => historyPage.page.keyboard.press(key);
    const openCard = async () => {
      await open([message(1, from), message(2)]);
      await button('Alice').focus();
      await press('Enter');
      await card('Alice').waitFor();
      await waitForPosted({ type: 'profile', ...sender });
    };
    const showProfile = async (more: object = {}) => {
      await historyPage.post({ type: 'profile', profile: { ...profile, ...more } });
      await card().getByText('Days online').waitFor();
    };

    it('at once, with the focus in it until Escape returns it', async () => {
      await openCard();
      assert.equal(await card('Alice').getByRole('status').first().innerText(), 'Loading…');
      await showProfile();
      await historyPage.post({
        type: 'avatar',
        ...sender,
        uri: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
      });
      await card().locator('img').waitFor();
      const visited: string[] = [];
      for (let stop = 0; stop < 3; stop++) {
        await press('Tab');
        visited.push(await focused());
      }
      assert.deepEqual(visited, ['✕', 'Open History', 'Copy ID']);
      await press('Escape');
      await card().waitFor({ state: 'hidden' });
      assert.equal(await button('Alice').evaluate((name) => name === document.activeElement), true);
    });

    it('with actions, which close it unless there is more to do', async () => {
      await openCard();
      await showProfile();
      await button('Copy ID').click();
      await waitForPosted({ type: 'act', action: 'copyId', ...sender });
      await card().getByText('Copied').waitFor();
      await button('Open History').click();
      await waitForPosted({ type: 'act', action: 'openHistory', ...sender });
      await card().waitFor({ state: 'hidden' });
    });

    it('by the name in the message and the reason if it is not known', async () => {
      await openCard();
      const trouble = 'Person 7058314 doesn’t exist.';
      await historyPage.post({ type: 'profile', profile: { ...profile, name: '7058314', trouble, facts: [] } });
      await card('Alice').getByText(trouble).waitFor();
    });

    it('until a click on anything else', async () => {
      await openCard();
      await historyPage.page.mouse.click(600, 400);
      await card('Alice').waitFor({ state: 'hidden' });
      await openCard();
      await button('Close').click();
      await card('Alice').waitFor({ state: 'hidden' });
    });

    it('while the pointer is on the name or the card, without taking the focus', async () => {
      await open([message(1, from), message(2)]);
      await article(2).focus();
      await button('Alice').hover();
      await waitForPosted({ type: 'profile', ...sender });
      assert.equal(await card('Alice').count(), 0);
      await showProfile();
      await card().getByText('Days online').hover();
      await frames(40);
      assert.ok(await card().isVisible());
      assert.equal(await article(2).evaluate((row) => row === document.activeElement), true);
      await article(2).hover();
      await card().waitFor({ state: 'hidden' });
      await button('Alice').locator('.avatar').hover();
      await card().waitFor();
      await press('Escape');
      await card().waitFor({ state: 'hidden' });
    });

    it('in a chat that goes on meanwhile', async () => {
      await open(messages(1, 40).concat(message(41, from)));
      await button('Alice').click();
      await showProfile();
      await historyPage.show(messages(1, 40).concat(message(41, from), messages(42, 60)));
      await article(60).waitFor();
      await button('Copy ID').click();
      await press('Escape');
      assert.equal(await button('Alice').evaluate((name) => name === document.activeElement), true);
    });
  });
});
