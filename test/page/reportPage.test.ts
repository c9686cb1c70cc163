import assert from 'node:assert/strict';
import type { ToReportPage } from '../../src/protocol/report.ts';
import { closeEach, type OpenPage, openReportPage, type PageOptions, REPORTED } from '../host/pages.ts';
import { listIn } from './listIn.ts';
import { countsOf, rowsOf, summaryOf } from './reportSamples.ts';

describe('The report page', () => {
  let opened: OpenPage;

  closeEach(() => opened);

  const open = async (messages: ToReportPage[] = [summaryOf()], options: PageOptions = {}) => {
    opened = await openReportPage(messages, options);
  };
  const { answerList, button, posted, queries } = listIn(() => opened);
  const rows = () => opened.page.getByRole('table', { name: 'Recipients' }).locator('tbody').getByRole('row');
  /** The texts of a row, by the headings of their columns. */
  const textsIn = async (at: number) => {
    const headings = await opened.page.getByRole('columnheader').allTextContents();
    const texts = await rows().nth(at).locator('th, td').allTextContents();
    return Object.fromEntries(headings.map((heading, column) => [heading, texts[column]]));
  };
  const status = (text: string) => opened.page.getByRole('status').getByText(text, { exact: true });

  it('says that it’s loading, and why that failed, with a way to try again', async () => {
    await open([]);
    await status('Loading…').waitFor();
    assert.deepEqual((await opened.state()) as object, { delivery: REPORTED, query: { results: [], text: '' } });
    await opened.post({ type: 'failed', text: 'This delivery can’t be read: its file is damaged.' });
    await opened.page.getByRole('alert').getByText('its file is damaged').waitFor();
    assert.equal(await opened.page.getByText('Loading…').count(), 0);
    await button('Retry').click();
    assert.deepEqual(await posted(), [{ type: 'retry' }]);
    await opened.post(summaryOf());
    assert.equal(await opened.page.getByRole('alert').count(), 0);
  });

  const hidden = { state: { delivery: REPORTED, query: { results: ['reached'], text: 'nora' } } };
  for (const [what, options, results, text] of [
    ['the recipients that it is opened for, until somebody looks for others', {}, [], '7000003'],
    ['the filter from before it was hidden', hidden, ['reached'], 'nora'],
  ] as const)
    it(`begins with ${what}`, async () => {
      opened = await openReportPage([summaryOf()], options, { results: [], text: '7000003' });
      await answerList(rowsOf('reached'));
      assert.deepEqual(await queries(), [{ results, text }]);
      assert.equal(await opened.page.getByRole('searchbox').inputValue(), text);
    });

  it('shows how a delivery ended, and each recipient with the result and the details', async () => {
    await open([summaryOf({ notes: ['Recipients counted by the service: 7. Listed: 5.'] })]);
    await opened.page.getByRole('heading', { name: 'Delivery of “news.md”' }).waitFor();
    await opened.page.getByText('sent by Order Desk through the sandbox').waitFor();
    await status('2 of 6 reached.').waitFor();
    await opened.page.getByText('Recipients counted by the service: 7. Listed: 5.').waitFor();
    await answerList(rowsOf('unknown', 'rejected', 'unconfirmed', 'absent', 'notSent', 'reached'));
    await status('Shown: 6 of 1,204').waitFor();
    assert.partialDeepStrictEqual(await textsIn(1), {
      ...{ Recipient: 'Recipient 1', ID: '7000001', Result: 'refused' },
      Details: 'The service returned error 1004: “封禁”.',
    });
    assert.deepEqual(await rows().locator('.word').allTextContents(), [
      'unknown',
      'refused',
      'not confirmed',
      'not reached',
      'not sent',
      'reached',
    ]);
    // The ID of a message only says something to who looks for it.
    assert.partialDeepStrictEqual(await textsIn(5), { Recipient: 'Recipient 5', Result: 'reached', Details: '' });
    await rows().nth(5).getByTitle('Message 9100a6aa409b2fae68289fdbeabe7290').waitFor();
    // Not only the color tells results apart.
    const icons = await rows()
      .locator('path')
      .evaluateAll((all) => all.map((one) => one.getAttribute('d')));
    assert.equal(new Set(icons).size, 5);
  });

  it('strikes through those who were left out, with the reason, and can list them alone', async () => {
    await open([summaryOf({ counts: countsOf({ leftOut: 2, reached: 1 }) })]);
    await answerList(rowsOf('leftOut', 'reached'), 3);
    assert.partialDeepStrictEqual(await textsIn(0), {
      ...{ Recipient: 'Recipient 0', Result: 'left out', Details: 'On your Do Not Send list: asked to stop' },
    });
    assert.deepEqual(await opened.page.locator('s').allInnerTexts(), ['Recipient 0']);
    await button('left out 2').click();
    assert.deepEqual((await queries()).at(-1), { results: ['leftOut'], text: '' });
  });

  it('filters by results and a text, and keeps that while it’s hidden', async () => {
    await open();
    await answerList(rowsOf('rejected'), 6);
    assert.equal(await button(/Not confirmed/).count(), 0, 'nobody has this result');
    await button('Refused 1,200').click();
    await button('Reached 2').click();
    await button('Refused 1,200').and(opened.page.locator('[aria-pressed=true]')).waitFor();
    await opened.page.getByRole('searchbox', { name: 'Filter by name, ID, or details' }).fill('nora');
    await button('Refused 1,200').click();
    assert.deepEqual(await queries(), [
      { results: [], text: '' },
      { results: ['rejected'], text: '' },
      { results: ['rejected', 'reached'], text: '' },
      { results: ['rejected', 'reached'], text: 'nora' },
      { results: ['reached'], text: 'nora' },
    ]);
    await answerList([]);
    await opened.page.getByText('No matching recipients').waitFor();
    assert.deepEqual((await opened.state()) as object, {
      delivery: REPORTED,
      query: { results: ['reached'], text: 'nora' },
    });
    // The result of nobody any more can still be left.
    await opened.post(summaryOf({ counts: countsOf({ reached: 0 }) }));
    await button('Reached 0').waitFor();
  });

  it('returns to where it was before it was hidden, and so does the focus, unless that was the top', async () => {
    const many = rowsOf(...Array.from({ length: 600 }, () => 'reached' as const)).map((row, at) => ({
      ...row,
      // Rows of different heights.
      details: 'Message. '.repeat((at * 7) % 40),
    }));
    const top = (name: string) =>
      rows()
        .filter({ has: opened.page.getByRole('button', { name, exact: true }) })
        .evaluate(async (row) => {
          // Rows near the screen have their heights in the next frame.
          for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
          return row.getBoundingClientRect().top;
        });
    const answerMore = async (after: number) => {
      await opened.untilPosted('more', after / 200);
      const list = (await posted()).findLast(({ type }) => type === 'more')?.list;
      await opened.post({ type: 'more', list, rows: many.slice(after, after + 200) });
    };
    const scroll = (name: string) =>
      opened.page.getByRole('button', { name, exact: true }).evaluate(
        (one) =>
          new Promise((resolve) => {
            document.querySelector('main')?.addEventListener('scrollend', resolve, { once: true });
            one.scrollIntoView({ block: 'start' });
          }),
      );

    await open();
    await answerList(many.slice(0, 200), 600);
    await scroll('Recipient 199');
    await answerMore(200);
    await opened.page.getByRole('button', { name: 'Recipient 310', exact: true }).focus();
    await scroll('Recipient 307');
    const before = await top('Recipient 310');
    const state = (await opened.state()) as object;
    await opened.close();

    await open([summaryOf()], { state });
    await answerList(many.slice(0, 200), 600);
    await answerMore(200);
    await opened.page.waitForFunction(() => document.activeElement?.textContent === 'Recipient 310');
    assert.ok(Math.abs((await top('Recipient 310')) - before) < 2, `${await top('Recipient 310')}, not ${before}`);
    assert.ok('position' in ((await opened.state()) ?? {}));
    await opened.page.evaluate(
      () =>
        new Promise((resolve) => {
          (document.activeElement as HTMLElement).blur();
          const main = document.querySelector('main');
          main?.addEventListener('scrollend', resolve, { once: true });
          main?.scrollTo({ top: 0 });
        }),
    );
    // The top is nothing to return to.
    assert.ok(!('position' in ((await opened.state()) ?? {})));
  });

  it('sorts again what has changed, as long as nobody has scrolled or is in the list', async () => {
    await open();
    await answerList(rowsOf(...Array.from({ length: 50 }, () => 'notSent' as const)));
    const sent = (count: number) => summaryOf({ counts: countsOf({ reached: count }) });
    await opened.post(sent(3));
    await opened.post(sent(3));
    assert.equal((await queries()).length, 2);
    const list = await answerList(rowsOf(...Array.from({ length: 50 }, () => 'notSent' as const)));

    const third = rows().nth(2).getByRole('button');
    await third.focus();
    await opened.post(sent(4));
    const [, , changed] = rowsOf('reached', 'reached', 'reached');
    await opened.post({ type: 'changed', list, rows: [{ at: 2, row: changed }] });
    await rows().nth(2).getByText('Reached').waitFor();
    assert.ok(await third.evaluate((one) => one === document.activeElement));
    assert.equal((await queries()).length, 2);

    const main = opened.page.getByRole('main');
    await main.focus();
    await main.evaluate((one) => one.scrollTo({ top: 400 }));
    await opened.post(sent(5));
    assert.equal(await main.evaluate((one) => one.scrollTop), 400);
    assert.equal((await queries()).length, 2);
    await main.evaluate((one) => one.scrollTo({ top: 0 }));
    await opened.untilPosted('list', 3);
  });

  it('offers what can be done, the most helpful first, and says what was copied', async () => {
    await open();
    const actions = opened.page.getByRole('banner').getByRole('button');
    assert.deepEqual(await actions.allInnerTexts(), [
      'Check Delivery',
      'Resend to Missing Only…',
      'Open Message',
      'Copy as CSV',
      'Copy as Markdown',
    ]);
    for (const one of await actions.all()) await one.click();
    assert.equal(await status('Copied').count(), 0);
    await opened.post({ type: 'copied' });
    await status('Copied').waitFor();
    assert.deepEqual(
      (await posted()).slice(1),
      ['check', 'resend', 'openMessage', 'copyCsv', 'copyMarkdown'].map((action) => ({ type: 'act', action })),
    );
    await button('Copy as CSV').click();
    assert.equal(await status('Copied').count(), 0);
  });

  it('makes what is left to do look as if it had to be done, and nothing of a scheduled delivery', async () => {
    await open();
    for (const [actions, texts, toDo] of [
      [
        ['sendNow', 'reschedule', 'unschedule', 'edit'],
        ['Send Now…', 'Change Time…', 'Cancel Sending', 'Edit Message…'],
        [],
      ],
      // Those who don't exist need not be looked up again.
      [['lookUp', 'findReplies'], ['Check Again Who Exists…', 'Find Replies'], []],
      [['sendEdited', 'edit'], ['Send…', 'Edit Message…'], ['Send…']],
    ] as const) {
      await opened.post(summaryOf({ actions: [...actions] }));
      const banner = opened.page.getByRole('banner');
      assert.deepEqual(await banner.getByRole('button').allInnerTexts(), texts);
      assert.deepEqual(await banner.locator('.action').allInnerTexts(), toDo);
    }
  });

  it('opens the history of a recipient, and all that the service said', async () => {
    await open();
    const [row] = rowsOf('rejected');
    await answerList([{ ...(row ?? assert.fail()), isCut: true }]);
    await rows().getByRole('button', { name: 'Recipient 0' }).click();
    await button('Show Whole Text').click();
    const chat = { kind: 'user', id: '7000000' };
    assert.deepEqual((await posted()).slice(1), [
      { type: 'openChat', chat },
      { type: 'showWhole', chat },
    ]);
  });

  it('shows what each recipient got, and the rest of a long text on demand', async () => {
    await open([summaryOf({ isPersonal: true })]);
    const [short, long] = rowsOf('reached', 'reached');
    await answerList([
      { ...(short ?? assert.fail()), ownText: 'Dear Ann' },
      { ...(long ?? assert.fail()), ownText: `Dear Bo\n${'x'.repeat(300)} end` },
    ]);
    await opened.page.getByRole('columnheader', { name: 'Text' }).waitFor();
    await rows().first().getByRole('cell', { name: 'Dear Ann' }).waitFor();
    assert.equal(await rows().nth(1).getByText('end').isVisible(), false);
    await rows().nth(1).locator('summary').press('Enter');
    await rows().nth(1).getByText('end').waitFor();
  });

  /** Where the cells of the first row begin, by the headings of their columns. */
  const topsAt = async (width: number) => {
    await opened.page.setViewportSize({ width, height: 600 });
    const headings = await opened.page.getByRole('columnheader').allTextContents();
    const tops = await rows()
      .first()
      .locator('th, td')
      .evaluateAll((cells) => cells.map((one) => Math.round(one.getBoundingClientRect().top)));
    return new Map(headings.map((heading, column) => [heading, tops[column] ?? Number.NaN]));
  };

  it('is a table on a wide page and a stack of rows on a narrow one, with the same roles', async () => {
    await open();
    await answerList(rowsOf('rejected', 'reached'));
    assert.equal(new Set((await topsAt(900)).values()).size, 1);
    for (const width of [500, 300]) {
      const { Recipient = 0, Result = 0, ID = 0, Details = 0 } = Object.fromEntries(await topsAt(width));
      assert.ok(Recipient === Result && Result < ID && ID < Details);
      assert.equal(await opened.isTooWide(), false);
    }
  });

  it('puts the text of each recipient below the rest where they would be squeezed, and starts all columns at the top', async () => {
    await open([summaryOf({ isPersonal: true })]);
    const [row = assert.fail()] = rowsOf('rejected');
    await answerList([{ ...row, name: 'A long name of several words '.repeat(4), ownText: 'Dear Ann' }]);
    assert.equal(new Set((await topsAt(1200)).values()).size, 1);
    const narrower = await topsAt(900);
    const text = narrower.get('Text') ?? assert.fail();
    narrower.delete('Text');
    const [start = text, ...others] = new Set(narrower.values());
    assert.deepEqual(others, []);
    assert.ok(text > start);
  });

  it('shows hostile names and texts as text', async () => {
    const text = '<img src=x onerror=alert(1)>\u202etxt\u0000\nline';
    await open([summaryOf({ title: text, origin: text, headline: text, notes: [text], isPersonal: true })]);
    const [row] = rowsOf('rejected');
    await answerList([{ ...(row ?? assert.fail()), id: text, name: text.repeat(50), details: text, ownText: text }]);
    await rows().first().waitFor();
    assert.equal(await opened.page.locator('img').count(), 0);
    const html = await opened.page.locator('body').innerHTML();
    assert.doesNotMatch(html, /\u202e/);
    assert.equal(await opened.isTooWide(), false);
  });
});
