import assert from 'node:assert/strict';
import { inView, isInView } from '../window/seeing.ts';
import {
  article,
  button,
  closeEachPage,
  focusedId,
  frames,
  goTo,
  itemsOf,
  message,
  messages,
  open,
  openAtNewest,
  waitForFocus,
  waitForPosted,
} from './numberedHistory.ts';
import { historyPage } from './sharedHistory.ts';

describe('Scrolling the history', () => {
  closeEachPage();

  it('reports that the newest message is visible, and follows new ones', async () => {
    await openAtNewest(1, 40);
    await waitForPosted({ type: 'atNewest', is: true });
    await historyPage.show(messages(1, 41));
    await inView(article(41));
  });

  it('offers the newest message where it covers no other, and moves none', async () => {
    await openAtNewest(1, 40);
    for (const width of [900, 500, 300]) {
      await historyPage.page.setViewportSize({ width, height: 500 });
      await waitForPosted({ type: 'atNewest', is: true });
      await button('Jump to Newest').waitFor({ state: 'hidden' });
      const main = historyPage.page.locator('main');
      const before = await main.boundingBox();
      await main.hover();
      await historyPage.page.mouse.wheel(0, -400);
      await button('Jump to Newest').waitFor();
      assert.deepEqual(await main.boundingBox(), before);
      const jump = await button('Jump to Newest').boundingBox();
      assert.ok(jump && before && jump.y + jump.height <= before.y && jump.x + jump.width <= width, `${width}`);
      await button('Jump to Newest').click();
    }
  });

  it('reports that the newest message is visible once all fit on a screen that has grown', async () => {
    await open(messages(1, 5));
    await historyPage.page.setViewportSize({ width: 500, height: 300 });
    await historyPage.page.locator('main').hover();
    await historyPage.page.mouse.wheel(0, -1000);
    await waitForPosted({ type: 'atNewest', is: false });
    await historyPage.page.setViewportSize({ width: 500, height: 900 });
    await waitForPosted({ type: 'atNewest', is: true });
    assert.equal(await button('Jump to Newest').count(), 0);
  });

  it('brings a message into view while others arrive around it', async () => {
    await openAtNewest(401, 480);
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

  it('shows a message that was gone to in the middle, and highlights it for a moment', async () => {
    await openAtNewest(1, 200);
    await historyPage.post({ type: 'show', key: 'm100' });
    await historyPage.page.waitForFunction(() => {
      const [row] = document.getElementsByClassName('shown');
      return row?.getAnimations().some((one) => 'animationName' in one && one.animationName === 'shown');
    });
    await historyPage.page.waitForFunction(() => {
      const [list, row] = [document.querySelector('main'), document.getElementById('message-m100')];
      const { top = 0, height = 0 } = list?.getBoundingClientRect() ?? {};
      return Math.abs((row?.getBoundingClientRect().top ?? 0) - top - height / 2) <= 1;
    });
    await article(100).evaluate((row) => row.getAnimations().map((one) => one.finish()));
    await historyPage.page.waitForFunction(() => document.getElementsByClassName('shown').length === 0);
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
    assert.deepEqual(await focusedId(), 'message-m230');
  });

  it('renders only the rows near the viewport and the focused one', async () => {
    await openAtNewest(1, 2000);
    await article(2000).focus();
    const main = historyPage.page.locator('main');
    for (const part of [0.7, 0.3, 0]) {
      await main.evaluate((element, at) => element.scrollTo({ top: at * element.scrollHeight }), part);
      do await frames(2);
      while (await isInView(article(2000)));
      const elements = await historyPage.page.evaluate(() => document.getElementsByTagName('*').length);
      assert.ok(elements < 300, `${elements} elements`);
    }
    assert.equal(await focusedId(), 'message-m2000');
  });

  it('stays where it was scrolled if rows are laid out before the scroll is reported', async () => {
    await openAtNewest(1, 300);
    await frames(30);
    await article(300).focus();
    await historyPage.page.locator('main').evaluate((main) => {
      main.scrollTo({ top: main.scrollHeight / 2 });
      document.getElementById('message-m299')?.focus({ preventScroll: true });
    });
    await inView(button('Jump to Newest'));
    assert.equal(await isInView(article(300)), false);
  });

  it('leaves the focused row behind when scrolling', async () => {
    await open(messages(1, 200));
    await goTo(100);
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
      assert.equal(await focusedId(), 'message-m100');
    }
  });

  it('can be navigated by keyboard', async () => {
    await openAtNewest(1, 300);
    await article(300).focus();
    for (const [key, n] of [
      ['ArrowUp', 299],
      ['Home', 1],
      ['ArrowDown', 2],
      ['End', 300],
    ] as const) {
      await historyPage.page.keyboard.press(key);
      await waitForFocus(n);
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
    await waitForFocus(300);
  });

  it('shows the whole of a message that a key leads to', async () => {
    await openAtNewest(1, 60);
    await frames(30);
    const { page } = historyPage;
    await article(60).focus();
    await page.keyboard.press('Home');
    for (let n = 2; n <= 30; n++) {
      await page.keyboard.press('ArrowDown');
      await waitForFocus(n);
    }
    await frames(10);
    const hidden = await page.evaluate(() => {
      const [row, list] = [document.activeElement, document.querySelector('main')].map((element) =>
        element?.getBoundingClientRect(),
      );
      return row && list && row.bottom - list.bottom;
    });
    assert.ok(hidden !== undefined && hidden < 1, `${hidden} pixels are hidden`);
  });

  it('lets the keyboard read a message that is taller than the screen, downward and upward', async () => {
    const long = message(2, { content: { text: Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n') } });
    await open([message(1), long, message(3)]);
    const { page } = historyPage;
    await inView(article(3));
    await frames(30);
    await article(1).focus();
    /** How far the start of the message is above the edge of the list, and its end below the other one. */
    const outside = async () => {
      await frames(10);
      return page.evaluate(() => {
        const [row, list] = [document.getElementById('message-m2'), document.querySelector('main')].map((element) =>
          element?.getBoundingClientRect(),
        );
        return row && list ? ([list.top - row.top, row.bottom - list.bottom, list.height] as const) : [0, 0, 0];
      });
    };
    for (const [key, previous, next] of [
      ['ArrowDown', 1, 3],
      ['PageUp', 3, 1],
    ] as const) {
      await article(previous).focus();
      await page.keyboard.press(key);
      await waitForFocus(2);
      const isDown = key === 'ArrowDown';
      let [above = 0, below = 0, height = 0] = await outside();
      assert.ok((isDown ? above : below) < 1, `${key} leads to where ${above} are above, ${below} below`);
      for (let rest = isDown ? below : above; rest > 1; rest = isDown ? below : above) {
        await page.keyboard.press(isDown ? 'PageDown' : 'PageUp');
        [above = 0, below = 0, height = 0] = await outside();
        const by = rest - (isDown ? below : above);
        assert.ok(by > 0 && by < height, `scrolled by ${by} of ${height}`);
        await waitForFocus(2);
      }
      await page.keyboard.press(isDown ? 'PageDown' : 'PageUp');
      await waitForFocus(next);
    }
  });

  it('lets the keyboard move across a gap and into it', async () => {
    await open([]);
    const gap = { type: 'gap', key: 'gap 1', id: 1, edge: { at: 'open' } };
    await historyPage.post({ type: 'splice', at: 0, removed: 0, items: [...itemsOf(1, 3), gap, ...itemsOf(7, 9)] });
    await article(7).focus();
    await historyPage.page.keyboard.press('ArrowUp');
    await historyPage.page.waitForFunction(() => document.activeElement?.matches('.gap'));
    await historyPage.page.keyboard.press('Tab');
    await historyPage.page.waitForFunction(() => document.activeElement?.textContent === 'Load Older Side of Gap');
    await historyPage.page.keyboard.press('Escape');
    await historyPage.page.waitForFunction(() => document.activeElement?.matches('.gap'));
    await historyPage.page.keyboard.press('ArrowUp');
    await waitForFocus(3);
  });

  it('leaves selected text where it is while messages arrive', async () => {
    await openAtNewest(1, 100);
    await waitForPosted({ type: 'atNewest', is: true });
    await article(99).locator('.text').selectText();
    const selected = () => historyPage.page.evaluate(() => `${getSelection()}`);
    const top = () => article(99).evaluate((row) => row.getBoundingClientRect().top);
    assert.equal(await selected(), 'Message 99');
    await frames(30);
    const before = await top();
    for (let n = 101; n <= 140; n++) {
      await historyPage.post({ type: 'splice', at: n - 1, removed: 0, items: itemsOf(n, n) });
      await frames(2);
    }
    assert.equal(await selected(), 'Message 99');
    assert.ok(Math.abs((await top()) - before) < 2, `${await top()}, not ${before}`);
    await button('Jump to Newest').click();
    await inView(article(140));
    // The selected text isn't there.
    await historyPage.post({ type: 'splice', at: 140, removed: 0, items: itemsOf(141, 141) });
    await inView(article(141));
  });

  describe('keeps the place of somebody with a keyboard', () => {
    for (const [side, neighbor] of [
      ['Older', 100],
      ['Newer', 107],
    ] as const) {
      it(`when a gap is loaded from its ${side.toLowerCase()} side`, async () => {
        await open([]);
        const gap = { type: 'gap', key: 'gap 1', id: 1, edge: { at: 'open' } };
        const items = [...itemsOf(1, 100), gap, ...itemsOf(107, 250)];
        await historyPage.post({ type: 'splice', at: 0, removed: 0, items });
        await goTo(107);
        await button(`Load ${side} Side of Gap`).press('Enter');
        const loading = { ...gap, edge: { at: 'loading' } };
        await historyPage.post({ type: 'splice', at: 100, removed: 1, items: [loading] });
        await historyPage.post({ type: 'splice', at: 100, removed: 1, items: itemsOf(101, 106) });
        await waitForFocus(neighbor);
        await inView(article(neighbor));
        await historyPage.page.keyboard.press('ArrowDown');
        await waitForFocus(neighbor + 1);
      });
    }

    it('when the focused message is gone', async () => {
      await open(messages(1, 200));
      await goTo(100);
      await historyPage.post({ type: 'splice', at: 98, removed: 3, items: [] });
      await waitForFocus(102);
      await historyPage.page.keyboard.press('ArrowUp');
      await waitForFocus(98);
    });

    it('only while the page has the focus, which is not taken from an editor', async () => {
      await open(messages(1, 200));
      await goTo(100);
      await historyPage.page.evaluate(() => {
        document.hasFocus = () => false;
      });
      await historyPage.post({ type: 'splice', at: 98, removed: 3, items: [] });
      await frames(5);
      assert.equal(await historyPage.page.evaluate(() => document.activeElement === document.body), true);
      await historyPage.page.evaluate(() => {
        document.hasFocus = () => true;
        dispatchEvent(new Event('focus'));
      });
      await historyPage.page.keyboard.press('ArrowUp');
      await waitForFocus(98);
    });

    it('when nothing is left to load', async () => {
      await open(messages(1, 200));
      await historyPage.post({ type: 'edges', older: { at: 'open' }, newer: { at: 'open' } });
      // Until its end is on the screen, the page keeps scrolling there.
      await inView(button('Check for New Messages'));
      await button('Load Older Messages').press('Enter');
      await inView(article(1));
      await historyPage.post({ type: 'edges', older: { at: 'end' }, newer: { at: 'open' } });
      await waitForFocus(1);
    });

    it('when the rest of a long message is shown', async () => {
      const long = message(2, { content: { text: 'a long text\n'.repeat(2500) } });
      await open([message(1), long, message(3)]);
      await article(2).getByText('Show All').press('Enter');
      await waitForFocus(2);
      await historyPage.page.keyboard.press('ArrowUp');
      await waitForFocus(1);
    });

    it('when it jumps to the newest message', async () => {
      await open(messages(1, 300));
      await goTo(100);
      await button('Jump to Newest').press('Enter');
      await waitForFocus(300);
      await inView(article(300));
      await waitForPosted({ type: 'atNewest', is: true });
    });
  });
});
