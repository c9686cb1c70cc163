import assert from 'node:assert/strict';
import type { ToRepliesPage } from '../../src/protocol/replies.ts';
import { closeEach, type OpenPage, openRepliesPage, type PageOptions, REPORTED } from '../host/pages.ts';
import { listIn } from './listIn.ts';
import { chatRow, repliesOf, replyRow, someRows } from './replySamples.ts';

describe('The page of replies', () => {
  let opened: OpenPage;

  closeEach(() => opened);

  const open = async (messages: ToRepliesPage[] = [repliesOf()], options: PageOptions = {}) => {
    opened = await openRepliesPage(messages, options);
  };
  const { answerList, button, posted, queries } = listIn(() => opened);
  const answers = () => opened.page.locator('article.entry');
  const acts = async () => (await posted()).flatMap((one) => ('action' in one ? [one.action] : []));

  it('says that it’s loading, and why that failed, with a way to try again', async () => {
    await open([]);
    await opened.page.getByText('Loading…').waitFor();
    assert.deepEqual((await opened.state()) as object, { delivery: REPORTED, query: { states: [], text: '' } });
    await opened.post({ type: 'failed', text: 'This delivery is no longer in the outbox.' });
    await opened.page.getByRole('alert').getByText('no longer in the outbox').waitFor();
    await button('Retry').click();
    assert.deepEqual(await posted(), [{ type: 'retry' }]);
  });

  it('shows the answers by chat, with what each says, quotes and offers', async () => {
    await open();
    await answerList(someRows());
    await opened.page.getByRole('heading', { name: 'The shop' }).waitFor();
    const article = answers();
    await article.nth(0).getByText('Reply to Order Desk').waitFor();
    await article.nth(1).getByText('Command /perhaps').waitFor();
    await article.nth(1).getByRole('button', { name: 'Forecast' }).waitFor();
    await article.nth(2).getByText('cake').waitFor();
    await article.nth(2).getByText('Bot', { exact: true }).waitFor();
    await opened.page.getByText('群(ID:big)中未添加当前机器人').waitFor();
    await opened.page.getByText("2 messages there can't be read.").waitFor();
    await opened.page.getByText("In groups, only people's replies count.").waitFor();
  });

  it('opens the history at an answer, at what that quotes, and at the delivered message', async () => {
    await open();
    await answerList(someRows());
    const chat = { kind: 'group', id: '518204736' };
    await button('The shop').click();
    await button('Open in History').first().click();
    await answers().first().getByRole('button', { name: 'Reply to Order Desk' }).click();
    assert.deepEqual((await posted()).slice(-3), [
      { type: 'openChat', chat },
      { type: 'openChat', chat, msgId: 'a' },
      { type: 'openChat', chat, msgId: 'sent' },
    ]);
  });

  it('filters by state, words, and what was answered', async () => {
    await open();
    await answerList(someRows());
    await button('No answer yet 1').click();
    await opened.page.getByRole('searchbox').fill('nora');
    await button(/I will come/)
      .first()
      .click();
    await button(/I will come/)
      .and(opened.page.locator('[aria-pressed=true]'))
      .click();
    assert.deepEqual(JSON.parse(JSON.stringify((await queries()).slice(1))), [
      { states: ['unanswered'], text: '' },
      { states: ['unanswered'], text: 'nora' },
      { states: ['unanswered'], text: 'nora', answer: 'yes' },
      { states: ['unanswered'], text: 'nora' },
    ]);
    await answerList([]);
    await opened.page.getByText('Nothing matches.').waitFor();
  });

  it('can take back a filter by an answer that is no longer counted', async () => {
    await open();
    await answerList(someRows());
    await button('为什么是星期六？').click();
    await opened.post(repliesOf({ poll: [] }));
    await answerList([]);
    await button('为什么是星期六？').click();
    const last = (await queries()).slice(-2);
    assert.deepEqual(JSON.parse(JSON.stringify(last)), [
      { states: [], text: '', answer: 'why' },
      { states: [], text: '' },
    ]);
  });

  it('counts what was answered, buttons that nobody chose, too', async () => {
    await open();
    const poll = opened.page.getByRole('region', { name: 'Answers by Text' });
    assert.deepEqual(await poll.getByRole('button').allInnerTexts(), [
      'I will come\n7',
      'Not this time\n0',
      'Perhaps\n2',
      '为什么是星期六？\n1',
    ]);
  });

  it('says what it does not count, unless all answers are counted', async () => {
    const uncounted = 'Not counted: 3 too long, 1 without text';
    await open([repliesOf({ uncounted })]);
    const note = opened.page.getByRole('region', { name: 'Answers by Text' }).getByText('Not counted:');
    assert.equal(await note.innerText(), uncounted);
    await opened.post(repliesOf());
    await note.waitFor({ state: 'hidden' });
  });

  it('has the whole text of an answer that is cut', async () => {
    const label = `I will come ${'and bring cake '.repeat(20)}`.trim();
    await open([repliesOf({ poll: [{ key: 'long', label, count: 2, isButton: true }] })]);
    assert.equal(await button(/^I will come/).getAttribute('title'), label);
  });

  it('shows how far the reading is, which can be paused, resumed and canceled', async () => {
    await open([repliesOf({ run: { is: 'reading', done: 120, total: 1_000 } })]);
    await opened.page.getByText('Reading: 120 of 1,000 chats').waitFor();
    await button('Pause').click();
    await opened.post(repliesOf({ run: { is: 'paused', done: 121, total: 1_000 } }));
    await opened.page.getByText('Paused: 121 of 1,000 chats read').waitFor();
    await button('Resume').click();
    await button('Cancel').click();
    assert.deepEqual(await acts(), ['pause', 'resume', 'cancel']);
  });

  it('offers to look again, every minute if wanted, and new messages to both sides', async () => {
    await open();
    await button('Find New Replies').click();
    await opened.page.getByRole('checkbox', { name: 'Look Every Minute' }).click();
    await opened.post(repliesOf({ isWatched: true }));
    await opened.page.getByRole('checkbox', { name: 'Look Every Minute' }).click();
    await button('New Message to Those Without an Answer (1)').click();
    await button('New Message to Those Who Answered (4)').click();
    await button('Open Report').click();
    await button('Copy as CSV').click();
    assert.deepEqual(await acts(), [
      'find',
      'watch',
      'unwatch',
      'remindUnanswered',
      'remindAnswered',
      'openReport',
      'copyCsv',
    ]);
    const copied = opened.page.getByRole('status').getByText('Copied');
    assert.equal(await copied.count(), 0);
    await opened.post({ type: 'copied' });
    await copied.waitFor();
  });

  it('says why the reading has stopped', async () => {
    await open([repliesOf({ error: 'The disk is full.' })]);
    await opened.page.getByRole('alert').getByText('The disk is full.').waitFor();
    await button('Retry').click();
    assert.deepEqual(await acts(), ['find']);
  });

  it('lists what has come at once at the top, else when it is asked for', async () => {
    await open();
    const many = Array.from({ length: 80 }, (_, at) => [chatRow(`g${at}`), replyRow(`g${at}`, `m${at}`)]).flat();
    await answerList(many);
    await opened.post(repliesOf({ total: 13 }));
    await answerList(many);
    assert.equal((await queries()).length, 2);
    const main = opened.page.getByRole('main');
    await main.evaluate((part) => part.scrollTo({ top: 900 }));
    await opened.post(repliesOf({ total: 14 }));
    await button('Show New Answers').waitFor();
    assert.equal((await queries()).length, 2);
    await button('Show New Answers').evaluate((one: HTMLElement) => one.click());
    assert.equal((await queries()).length, 3);
  });

  it('renders only what is near the screen of 20,000 answers, and loads more before its end', async () => {
    await open([repliesOf({ total: 20_000 })]);
    const portion = (from: number) => Array.from({ length: 100 }, (_, at) => replyRow('g', `m${from + at}`));
    const list = await answerList([chatRow('g'), ...portion(0)], 20_001);
    await answers().first().focus();
    await opened.page.keyboard.press('End');
    await opened.page.locator('[data-index="100"] article').waitFor();
    assert.ok((await posted()).some(({ type }) => type === 'more'));
    for (let from = 100; from < 20_000; from += 100) await opened.post({ type: 'more', list, rows: portion(from) });
    assert.ok((await answers().count()) < 60);
    await opened.page.keyboard.press('End');
    await opened.page.locator('[data-index="20000"] article').waitFor();
    assert.ok((await answers().count()) < 60);
  });

  it('has its actions in line, on a narrow page below the title', async () => {
    await open();
    const lines = (selector: string) =>
      opened.page.locator(selector).evaluateAll((all) =>
        all.map((one) => {
          const range = document.createRange();
          range.selectNodeContents(one);
          const { left, bottom } = range.getClientRects()[0] ?? new DOMRect();
          return { left: Math.round(left), bottom: Math.round(bottom) };
        }),
      );
    await opened.page.setViewportSize({ width: 1200, height: 800 });
    const [box] = await lines('.switch');
    const [link] = await lines('.actions .link');
    assert.equal(box?.bottom, link?.bottom);
    await opened.page.setViewportSize({ width: 300, height: 800 });
    const [title] = await lines('h1');
    const [first, second] = await lines('.actions .link');
    assert.deepEqual([first?.left, second?.left], [title?.left, title?.left]);
  });

  it('leaves room below a long title, which its tooltip has', async () => {
    const title = `Replies to “${'A long heading '.repeat(15).trim()}”`;
    await open([repliesOf({ title })]);
    await opened.page.setViewportSize({ width: 300, height: 800 });
    const heading = opened.page.getByRole('heading', { level: 1 });
    assert.equal(await heading.getAttribute('title'), title);
    assert.ok(((await heading.boundingBox())?.height ?? 800) < 80);
  });

  it('can be walked through with the arrow keys', async () => {
    await open();
    await answerList(someRows());
    await opened.page.locator('.row').first().focus();
    await opened.page.keyboard.press('ArrowDown');
    await opened.page.locator('[data-index="1"] > .row:focus').waitFor();
    await opened.page.keyboard.press('End');
    await opened.page.locator('[data-index="7"] > .row:focus').waitFor();
    await opened.page.keyboard.press('Home');
    await opened.page.locator('[data-index="0"] > .row:focus').waitFor();
  });

  it('keeps the focus where buttons take the place of others', async () => {
    const answers = Array.from({ length: 8 }, (_, at) => ({ key: `${at}`, label: `${at}`, count: 2, isButton: true }));
    const reading = { is: 'reading', done: 1, total: 10 } as const;
    await open([repliesOf({ poll: answers })]);
    await answerList(someRows());
    const focused = () => opened.page.evaluate(() => document.activeElement?.textContent);
    await button(/^(Find Replies|Find New Replies)$/).press('Enter');
    await opened.post(repliesOf({ poll: answers, run: reading }));
    assert.equal(await focused(), 'Pause');
    await button('Cancel').press('Enter');
    await opened.post(repliesOf({ poll: answers }));
    assert.match((await focused()) ?? '', /^(Find Replies|Find New Replies)$/);
    await button('Show All 8 Answers').press('Enter');
    await opened.page.locator('main:focus').waitFor();
    await opened.page.keyboard.press('ArrowDown');
    await opened.page.locator('.row:focus').waitFor();
  });

  describe('returns to where it was before it was hidden, and so does the focus,', () => {
    const rows = [chatRow('g'), ...Array.from({ length: 200 }, (_, at) => replyRow('g', `m${at}`))];
    const row = (index: number) => opened.page.locator(`[data-index="${index}"] > .row`);
    const topOf = (index: number) => row(index).evaluate((one) => one.getBoundingClientRect().top);
    const reopen = async () => {
      const state = (await opened.state()) as object;
      await opened.close();
      await open([repliesOf({ total: 200 })], { state });
      await answerList(rows);
    };

    it('in the middle of the list', async () => {
      await open([repliesOf({ total: 200 })]);
      await answerList(rows);
      await row(0).focus();
      for (let pages = 0; pages < 5; pages++) {
        await opened.page.keyboard.press('PageDown');
        await opened.frames(5);
      }
      await opened.frames(40);
      const focused = await opened.page.locator('[data-index]:focus-within').getAttribute('data-index');
      const index = Number(focused);
      assert.ok(index > 20, `${index}`);
      const top = await topOf(index);
      for (let turns = 0; turns < 2; turns++) {
        await reopen();
        await opened.frames(40);
        assert.ok(Math.abs((await topOf(index)) - top) < 2, `${await topOf(index)}, not ${top}`);
        assert.ok(await row(index).evaluate((one) => one === document.activeElement));
      }
      await opened.page.keyboard.press('ArrowDown');
      await opened.page.locator(`[data-index="${index + 1}"] > .row:focus`).waitFor();
    });

    it('at its top', async () => {
      await open([repliesOf({ total: 200 })]);
      await answerList(rows);
      await row(1).focus();
      await reopen();
      await opened.page.locator('[data-index="1"] > .row:focus').waitFor();
      await opened.frames(40);
      assert.equal(await opened.page.locator('main').evaluate((main) => main.scrollTop), 0);
      // Somewhere else, it's nothing to return to.
      await opened.page.getByRole('searchbox').focus();
      assert.equal('position' in ((await opened.state()) as object), false);
    });
  });

  for (const language of ['en', 'zh-cn'] as const) {
    it(`fits narrow and wide panels in ${language}`, async () => {
      await open([repliesOf({ run: { is: 'reading', done: 120, total: 1_000 } })], { language, height: 1000 });
      await answerList(someRows());
      await answers().first().waitFor();
      for (const width of [500, 900]) {
        await opened.page.setViewportSize({ width, height: 1000 });
        await opened.page.screenshot({ path: `out/screenshots/replies-page-${width}-${language}.png` });
        assert.equal(await opened.isTooWide(), false);
      }
    });
  }
});
