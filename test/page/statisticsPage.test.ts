import assert from 'node:assert/strict';
import type { Statistics, ToStatisticsPage } from '../../src/protocol/statistics.ts';
import { closeEach, type OpenPage, openStatisticsPage, type PageOptions } from '../host/pages.ts';
import { dayOf, EMPTY, manyMessages, oneMessage } from './statisticsSamples.ts';

const HEADING = { type: 'heading' as const, name: 'Riverside Town', summary: 'Until yesterday' };
const FAILED = { type: 'failed' as const, text: "The archive can't be read." };
const show = (statistics: Statistics): ToStatisticsPage => ({ type: 'statistics', statistics });

describe('The statistics page', () => {
  let opened: OpenPage;

  closeEach(() => opened);

  const open = async (messages: ToStatisticsPage[], options: PageOptions = {}) => {
    opened = await openStatisticsPage([HEADING, ...messages], options);
  };
  const section = (name: string) => opened.page.getByRole('region', { name, exact: true }).first();
  const chart = (name: string) => section(name).locator('svg');
  const button = (name: string) => opened.page.getByRole('button', { name });
  const tooltip = () => opened.page.locator('.tooltip').innerText();
  const focused = () => opened.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  /** The messages to the host after the first, which is `ready`. */
  const posted = async () => (await opened.posted()).slice(1);

  it('says that it is ready, with its time zone, and saves the chat for a reload', async () => {
    await open([], { timeZone: 'Europe/Berlin' });
    assert.deepEqual(await opened.posted(), [{ type: 'ready', timeZone: 'Europe/Berlin' }]);
    assert.deepEqual((await opened.state())?.place, { service: 'https://chat.example', kind: 'group', ...BIG });
  });

  it('shows that messages are being counted, that there are none, and what failed', async () => {
    await open([]);
    await opened.page.getByRole('heading', { name: 'Riverside Town' }).waitFor();
    await opened.page.getByText('Until yesterday').waitFor();
    await opened.page.getByText('Loading…').waitFor();
    await opened.post(FAILED);
    await opened.page.getByRole('alert').getByText(FAILED.text).waitFor();
    assert.equal(await opened.page.getByText('Loading…').count(), 0);
    await button('Retry').click();
    await opened.post({ type: 'loading' });
    assert.equal(await opened.page.getByRole('alert').count(), 0);
    await opened.post(show(EMPTY));
    await opened.page.getByText('No messages in this chat are archived yet.').waitFor();
    assert.equal(await opened.page.locator('svg').count(), 0);
    assert.deepEqual(await posted(), [{ type: 'update' }]);
  });

  it('keeps the last numbers when counting again fails', async () => {
    await open([show(oneMessage()), { type: 'loading' }]);
    assert.equal(await opened.page.getByRole('main').getAttribute('aria-busy'), 'true');
    assert.ok(await button('Update').isDisabled());
    await opened.post(FAILED);
    await opened.page.getByRole('alert').waitFor();
    await section('Messages by Day').waitFor();
    assert.ok(await button('Update').isEnabled());
  });

  it('keeps the focus while it counts, where nothing more can be asked for, and after another try', async () => {
    await open([show(oneMessage())]);
    await button('Update').press('Enter');
    await opened.post({ type: 'loading' });
    await opened.page.keyboard.press('Enter');
    await opened.page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(await opened.page.locator(':focus').innerText(), 'Update');
    assert.deepEqual(await posted(), [{ type: 'update' }]);
    await opened.post(FAILED);
    await button('Retry').press('Enter');
    await opened.post({ type: 'loading' });
    await opened.page.locator('main:focus').waitFor();
  });

  it('updates, saves and copies on request', async () => {
    await open([show(oneMessage())]);
    await button('Update').click();
    await button('Save as CSV…').click();
    await button('Copy as CSV').click();
    await opened.page.getByText('Copied').waitFor();
    assert.deepEqual(await posted(), [{ type: 'update' }, { type: 'saveCsv' }, { type: 'copyCsv' }]);
  });

  it('shows the most important numbers, and exceptions only if there are any', async () => {
    await open([show(oneMessage())], { timeZone: 'Europe/Berlin' });
    const figures = () => opened.page.locator('.figures > div').allInnerTexts();
    const time = 'Mar 4, 2024, 10:30 AM';
    const common = ['Messages\n1', 'Senders\n1', `First message\n${time}`, `Last message\n${time}`];
    const readable = (texts: string[]) => texts.map((text) => text.replaceAll('\u202f', ' '));
    assert.deepEqual(readable(await figures()), [...common, 'With buttons\n0', 'Commands\n0']);
    await opened.post(show({ ...oneMessage(), unreadable: 1234, withoutTime: 5 }));
    assert.deepEqual((await figures()).slice(6), ['Unreadable\n1,234', 'Without a time\n5']);
  });

  it('shows a bar for each day, and its number on hover', async () => {
    const days = [
      { day: dayOf('2024-03-04'), count: 1200 },
      { day: dayOf('2024-03-06'), count: 3 },
    ];
    await open([show({ ...oneMessage(), total: 1203, days })]);
    const bars = chart('Messages by Day').getByRole('button');
    assert.equal(await bars.count(), 2);
    await bars.nth(1).hover();
    assert.equal(await tooltip(), 'Wednesday, March 6, 2024: 3');
    const label = await chart('Messages by Day').getAttribute('aria-label');
    assert.equal(label, 'Messages by Day. Most: 1,200 (Monday, March 4, 2024)');
    await opened.page.getByRole('heading', { level: 1 }).hover();
    assert.equal(await opened.page.locator('.tooltip').count(), 0);
  });

  it('searches for the messages of a local day, also if that has 23 hours', async () => {
    await open([show({ ...oneMessage(), days: [{ day: dayOf('2024-03-31'), count: 7 }] })], {
      timeZone: 'Europe/Berlin',
    });
    await chart('Messages by Day').getByRole('button').click();
    const [since, until] = [Date.parse('2024-03-30T23:00Z'), Date.parse('2024-03-31T22:00Z')];
    assert.deepEqual(await posted(), [{ type: 'search', query: { text: '', since, until } }]);
  });

  it('is one tab stop, with arrow keys among the bars', async () => {
    await open([show(manyMessages(5, 50))]);
    await button('Copy as CSV').focus();
    await opened.page.keyboard.press('Tab');
    await opened.page.keyboard.press('Tab');
    assert.match((await focused()) ?? '', /^Friday, December 27, 2024: \d+$/);
    assert.equal(await tooltip(), await focused());
    await opened.page.keyboard.press('ArrowRight');
    assert.match((await focused()) ?? '', /^Saturday, December 28/);
    // VS Code's own shortcuts, such as “Go Back”.
    for (const shortcut of ['Alt+ArrowLeft', 'Control+End', 'Meta+ArrowRight', 'Control+Enter'])
      await opened.page.keyboard.press(shortcut);
    assert.match((await focused()) ?? '', /^Saturday, December 28/);
    assert.deepEqual(await posted(), []);
    await opened.page.keyboard.press('End');
    await opened.page.keyboard.press('ArrowRight');
    assert.match((await focused()) ?? '', /^Tuesday, December 31/);
    await opened.page.keyboard.press('Enter');
    assert.deepEqual(
      (await posted()).map(({ type }) => type),
      ['search'],
    );
    await opened.page.keyboard.press('Home');
    assert.match((await focused()) ?? '', /^Friday, December 27/);
    await opened.page.keyboard.press('Tab');
    assert.equal(await opened.page.evaluate(() => document.activeElement?.localName), 'summary');
    assert.equal(await opened.page.locator('.tooltip').count(), 0);
  });

  it('moves by hours and weekdays in the map of weekdays and hours', async () => {
    await open([show(oneMessage())]);
    const cells = chart('Messages by Weekday and Hour').getByRole('img');
    assert.equal(await cells.count(), 168);
    await cells.first().focus();
    assert.equal(await tooltip(), 'Monday 12:00 AM: 0');
    for (let hour = 0; hour < 9; hour++) await opened.page.keyboard.press('ArrowRight');
    assert.equal(await tooltip(), 'Monday 9:00 AM: 1');
    await opened.page.keyboard.press('ArrowDown');
    assert.equal(await tooltip(), 'Tuesday 9:00 AM: 0');
    await opened.page.keyboard.press('ArrowUp');
    await opened.page.keyboard.press('ArrowUp');
    assert.equal(await focused(), 'Monday 9:00 AM: 1');
  });

  it('shows longer times if there are more days than fit', async () => {
    await open([show(manyMessages(3653, 280))]);
    await section('Messages by Month').waitFor();
    assert.equal(await chart('Messages by Month').getByRole('button').count(), 120);
    await opened.page.setViewportSize({ width: 300, height: 800 });
    await section('Messages by Quarter').waitFor();
    assert.equal(await chart('Messages by Quarter').getByRole('button').count(), 40);
    assert.equal(await opened.isTooWide(), false);
  });

  it('shows each number on one line, times too', async () => {
    const time = Date.parse('2026-09-30T12:39Z');
    await open([show({ ...oneMessage(), first: time, last: time })], { timeZone: 'UTC' });
    const heights = await opened.page
      .locator('.figures > div')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    assert.equal(new Set(heights).size, 1);
  });

  // The browser of these tests has no scroll bars.
  it('leaves room for a scroll bar, which makes a picture narrower and thus lower: it could come and go forever', async () => {
    await open([show(oneMessage())]);
    const main = opened.page.getByRole('main');
    assert.equal(await main.evaluate((part) => getComputedStyle(part).scrollbarGutter), 'stable');
  });

  it('labels as many hours as have room beside each other', async () => {
    await open([show(oneMessage())]);
    const labels = chart('Messages by Weekday and Hour').locator('text:not([text-anchor])');
    for (const [width, count] of [
      [900, 8],
      [500, 4],
      [300, 2],
    ] as const) {
      await opened.page.setViewportSize({ width, height: 800 });
      await labels.nth(count).waitFor({ state: 'detached' });
      const places = await labels.evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
      assert.equal(places.length, count);
      for (const [at, { left }] of places.entries()) assert.ok(left > (places[at - 1]?.right ?? 0) + 8);
    }
  });

  it('shows the 15 most frequent senders and the others, and all numbers on demand', async () => {
    const top = Array.from({ length: 20 }, (_, index) => {
      const id = `${index + 1}`;
      return { sender: `user ${id}`, type: 'user', id, name: `Sender ${id}`, count: 100 - index };
    });
    await open([show({ ...oneMessage(), senders: { top, others: { names: 7, count: 1190 } } })]);
    const senders = section('Messages by Sender');
    assert.deepEqual((await senders.getByRole('listitem').allInnerTexts()).slice(-2), [
      'Sender 15\n86',
      '12 others\n1,605',
    ]);
    assert.equal(await senders.getByRole('table').count(), 0);
    await senders.getByText('Show Numbers').click();
    await senders.getByRole('table').waitFor();
    const rows = await senders.getByRole('table').getByRole('row').allInnerTexts();
    const plain = rows.map((row) => row.replace(/[\u2068\u2069]/g, '').replaceAll('\t', '|'));
    assert.equal(rows.length, 22);
    assert.equal(plain[0], 'Sender|Count|Share');
    assert.equal(plain[1], 'Sender 1 · 1|100|3.3%');
    assert.equal(plain.at(-1), '7 others|1,190|39.7%');
    await senders.getByText('Show Numbers').press('Enter');
    await senders.getByRole('table').waitFor({ state: 'hidden' });
    await opened.post(show({ ...oneMessage(), senders: { top: top.slice(0, 16), others: { names: 0, count: 0 } } }));
    await senders.getByText('1 other', { exact: true }).waitFor();
  });

  it('shows that a sender is a bot, however long its name is', async () => {
    const sender = { sender: 'bot 7', type: 'bot', id: '7', name: 'Orders and Reservations '.repeat(5), count: 1 };
    await open([show({ ...oneMessage(), senders: { top: [sender], others: { names: 0, count: 0 } } })]);
    const name = section('Messages by Sender').locator('.name');
    for (const width of [200, 900]) {
      await opened.page.setViewportSize({ width, height: 800 });
      const isInside = await name.evaluate((element) => {
        const right = (selector: string) =>
          element.closest('li')?.querySelector(selector)?.getBoundingClientRect().right;
        return Number(right('.badge')) < Number(right('.number')) && Number(right('.number')) < innerWidth;
      });
      assert.ok(isInside, `${width} pixels`);
    }
  });

  it('shows the numbers of the charts on demand', async () => {
    await open([show(oneMessage())]);
    await section('Messages by Day').getByText('Show Numbers').click();
    const days = section('Messages by Day').getByRole('table');
    await days.waitFor();
    assert.deepEqual(await days.getByRole('row').allInnerTexts(), ['Period\tCount', 'Monday, March 4, 2024\t1']);
    await section('Messages by Weekday and Hour').getByText('Show Numbers').click();
    const hours = section('Messages by Weekday and Hour').getByRole('table');
    assert.equal(await hours.getByRole('row', { name: /^9:00\sAM/ }).innerText(), '9:00 AM\t1\t0\t0\t0\t0\t0\t0');
  });

  it('searches for senders, types, commands and buttons', async () => {
    await open([
      show({
        ...oneMessage(),
        commands: { top: [{ name: '/menu', count: 2 }], others: { names: 0, count: 0 } },
        buttons: {
          top: [
            { text: 'Say "yes"', count: 2 },
            { text: '→', count: 1 },
          ],
          others: { names: 0, count: 0 },
        },
      }),
    ]);
    for (const name of ['Alice', 'Text', '/menu', 'Say', '→']) await button(name).click();
    const queries = (await posted()).map((message) => (message as unknown as { query: unknown }).query);
    assert.deepEqual(queries, [
      { text: '', sender: 'user 7' },
      { text: '', kind: 'text' },
      { text: '"/menu"', isCommand: true },
      { text: '"Say yes"', hasButtons: true },
      { text: '', hasButtons: true },
    ]);
  });

  it('says in how many messages buttons were counted, and how many messages are too far away', async () => {
    const many = manyMessages(400, 100);
    await open([show({ ...many, days: [{ day: 1, count: 2 }, ...many.days], withButtons: 20_000, buttonsIn: 10_000 })]);
    await section('Buttons by Text').getByText('In the newest 10,000 messages with buttons.').waitFor();
    await opened.page.getByText('Not shown: 2 messages dated years apart from the rest.').waitFor();
    await opened.post(show({ ...many, days: [{ day: 1, count: 1 }, ...many.days] }));
    await opened.page.getByText('Not shown: 1 message dated years apart from the rest.').waitFor();
  });

  it('shows hostile names as text', async () => {
    const name = '<img src=x onerror=alert(1)>\u202etxt\u0000\nline';
    const others = { names: 0, count: 0 };
    await open([
      show({
        ...oneMessage(),
        senders: { top: [{ sender: `user ${name}`, type: 'bot', id: name, name, count: 1 }], others },
        kinds: {
          top: [
            { kind: `k${name}`, count: 1 },
            { kind: 'constructor', count: 1 },
          ],
          others,
        },
        commands: { top: [{ name, count: 1 }], others },
        buttons: { top: [{ text: name.repeat(50), count: 1 }], others },
      }),
    ]);
    await opened.post({ type: 'heading', name, summary: name });
    for (const summary of await opened.page.getByText('Show Numbers').all()) await summary.click();
    await opened.page.getByRole('row', { name: 'constructor' }).waitFor();
    const html = await opened.page.locator('body').innerHTML();
    assert.equal(await opened.page.locator('img').count(), 0);
    assert.doesNotMatch(html, /\u202e/);
    assert.ok((html.match(/⟨U\+202E⟩/g) ?? []).length > 15);
    assert.equal(await opened.isTooWide(), false);
  });
});

const BIG = { id: 'big', botId: '30481126' };
