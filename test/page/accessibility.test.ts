import assert from 'node:assert/strict';
import {
  openDownloadPage,
  openHistoryPage,
  openPreviewPage,
  openRepliesPage,
  openReportPage,
  openSearchPage,
  openStatisticsPage,
} from '../host/pages.ts';
import { checksOf } from './axe.ts';
import { listIn } from './listIn.ts';
import { kinds, listed } from './messages.ts';
import { repliesOf, someRows } from './replySamples.ts';
import { rowsOf, summaryOf } from './reportSamples.ts';
import { foundText, foundView, saying, scope } from './searchResults.ts';
import { serveImages } from './sharedHistory.ts';
import { draftFor, draftOf, group, person, problem } from './shownPreview.ts';
import { EMPTY, manyMessages } from './statisticsSamples.ts';

/** Pictures of each page in the themes are in `out/screenshots`. */
describe('axe finds nothing wrong with', () => {
  it('the history', async () => {
    const opened = await openHistoryPage({ web: serveImages, pictures: true, height: 7500 });
    const { page, post, show } = opened;
    const { found, check, checkInAllThemes } = checksOf(opened);
    const button = (name: string) => page.getByRole('button', { name });
    const edges = (older: object, newer: object) => post({ type: 'edges', older, newer });
    const failed = { at: 'failed', text: 'The service cannot be reached.', fix: 'setToken' };

    const names = { name: 'Riverside Town', summary: '1,204 members', readAs: 'Order Desk', service: 'the sandbox' };
    await post({ type: 'heading', ...names });
    await check('loading');
    await edges({ at: 'open' }, { at: 'open' });
    await check('empty');
    await edges({ at: 'open' }, failed);
    await check('failed, with nothing loaded');

    const parent = listed({ msgId: 'p', contentType: 'text', content: { text: 'Who comes?' }, senderType: 'user' });
    const reply = listed({ parentId: 'p', contentType: 'text', content: { text: 'I do', at: ['7'] } });
    const menu = { commandName: '/menu', contentType: 'text', content: { text: 'Menu' }, senderType: 'app' };
    const unreadable = { readable: false as const, raw: { broken: true } };
    const source = listed({ contentType: 'html', content: { text: '<p>Shown as source</p>' } });
    // One of each color.
    const senders = Array.from({ length: 24 }, (_, n) =>
      listed({ contentType: 'text', content: { text: 'Hi' }, senderId: `s${n}`, senderNickname: `Keeper ${n}` }),
    );
    await show([parent, reply, listed(menu), unreadable, ...senders, ...kinds(), source]);
    const gap = (key: string, id: number, edge: object) => ({ type: 'gap', key, id, edge });
    await post({ type: 'splice', at: 2, removed: 0, items: [gap('g', 1, { at: 'open' })] });
    await post({ type: 'splice', at: 4, removed: 0, items: [gap('h', 2, failed)] });
    await edges(failed, { at: 'loading' });
    await page.locator('.code-kwd').first().waitFor();
    await page.locator('.html-page table').waitFor();
    await page.waitForFunction(() => [...document.images].every((picture) => picture.complete));
    await button('Order one').click();
    await page.locator('.choice').last().click();
    await post({ type: 'find' });
    await page.getByRole('search').getByRole('textbox').fill('the');
    await page.getByText(/^1 of \d+$/).waitFor();
    await page.locator('.entry').last().hover();
    // Only the contrast of visible text is checked for everyone.
    await page.locator('.avatar').evaluateAll((avatars) => avatars.map((one) => one.removeAttribute('aria-hidden')));
    await checkInAllThemes('a history with everything');

    // Of all the messages, only those on the screen are checked again.
    await page.setViewportSize({ width: 900, height: 800 });
    await page.locator('main').evaluate((main) => main.scrollTo({ top: 0 }));
    await opened.frames(10);
    await button('Order Desk').first().click();
    await opened.untilPosted('profile');
    const facts = [{ label: 'Days online', value: '7' }];
    const failure = 'Not all of it could be looked up.';
    const sender = { kind: 'user', id: '30481126', name: 'Order Desk' };
    const actions = [{ name: 'copyId', label: 'Copy ID' }];
    await post({ type: 'profile', profile: { ...sender, failure, facts, actions } });
    await page.locator('.profile').getByText(failure).waitFor();
    await checkInAllThemes('a profile', '.profile');
    await page.keyboard.press('Escape');
    await page.getByLabel('All types').selectOption('html');
    await check('a filter');
    await page.getByLabel('All types').selectOption('');
    await page.setViewportSize({ width: 900, height: 500 });
    await page.locator('main').hover();
    await page.mouse.wheel(0, -400);
    await button('Jump to Newest').waitFor();
    await checkInAllThemes('the jump to the newest message', '.jump');
    assert.deepEqual(found, {});
  });

  it('the preview of a draft', async () => {
    const nothing = { leftOut: 'On your Do Not Send list' };
    const recipients = [
      group('big', 'Riverside Town'),
      person('7', 'Alice'),
      person('9', '9', { problem: "Person 9 doesn't exist." }),
      person('10', 'Bo', nothing),
    ];
    const leftOut = 'Left out: Do Not Send list 1';
    const problems = [problem('This cannot be read.', { severity: 'error' }), problem('Nobody sees a.png.')];
    const text = '# Menu\n\n[Soup](https://a.example), `code`\n\n```ts\nconst a = 1;\n```\n\n- [x] done';
    const buttons = [[{ text: 'Docs', actionType: 1, url: 'https://a.example', value: '' }]];
    const opened = await openPreviewPage(draftOf({ text, buttons }, { recipients, total: 34, problems, leftOut }));
    const { page, post } = opened;
    const { found, check, checkInAllThemes } = checksOf(opened);
    await page.locator('.code-kwd').waitFor();
    await checkInAllThemes('a draft with recipients and problems');

    const { message: _, ...rest } = draftOf({});
    for (const [state, draft] of Object.entries({
      'a draft without recipients': draftOf({ text: 'Hi' }, { namesRecipients: false }),
      'a draft without recipients, whom it varies for': draftOf({ text: 'Hi {{name}}' }, { varies: true }),
      'a draft for a recipient without problems': draftFor({ text: 'Hi' }, { position: 1204, withProblems: 0 }),
      'a draft for a recipient who gets nothing': draftFor({ text: 'Hi' }, nothing, { leftOut }),
      'only problems': { ...rest, problems, canSend: false },
    })) {
      await post(draft);
      await check(state);
    }
    await post(draftFor({ text, buttons }, { problems: ['{{order}} is empty.'] }, { problems, canSend: false }));
    await page.getByRole('combobox').fill('a');
    const matches = ['7', '8'].map((id) => ({ kind: 'user', id, name: 'Ann' }));
    await post({ type: 'matches', search: 1, recipients: matches, hasMore: true });
    await page.getByRole('option').nth(1).hover();
    await checkInAllThemes('a draft with errors for a recipient, and a list of others');
    assert.deepEqual(found, {});
  });

  it('the search', async () => {
    const opened = await openSearchPage();
    const { page, post, posted } = opened;
    const { found, check, checkInAllThemes } = checksOf(opened);
    const answer = async (message: object) => {
      const searches = (await posted()) as { type: string; search?: number }[];
      await post({ ...message, search: searches.findLast(({ type }) => type === 'search')?.search });
    };
    await page.getByText('Searching…').waitFor();
    await check('loading');
    await post({ ...scope, chats: [] });
    await page.getByRole('button', { name: 'Archive Chats…' }).waitFor();
    await check('nothing archived');
    await post({ ...scope, unarchived: 'Only 3 of 7 chats in the sidebar are archived.' });
    await answer({ type: 'found', found: [], isLast: true });
    await page.getByText('0 results').waitFor();
    await check('nothing found');

    const results = [
      foundView('1', {
        kind: 'Image',
        parts: saying(foundText('Soup of the day', [[0, 4]], { isCutBefore: true, isCutAfter: true }), {
          author: foundText('Grace'),
          quoted: foundText('Which soup is it?', [[6, 10]]),
          buttons: [foundText('More soup', [[5, 9]]), foundText('No, thanks')],
          hasMoreButtons: true,
        }),
      }),
      foundView('2', { msgId: '', senderName: '' }),
    ];
    await page.getByRole('searchbox').fill('soup');
    await page.getByRole('button', { name: 'With buttons' }).click();
    await answer({ type: 'found', found: results, isLast: false });
    await opened.untilPosted('more');
    await answer({ type: 'failed', text: "The archive can't be read." });
    await page.getByRole('alert').waitFor();
    await page.getByRole('list', { name: 'Results' }).getByRole('button').first().hover();
    await checkInAllThemes('results, the pointer on one, and why there are no more');
    await page.getByRole('combobox', { name: 'Sender' }).click();
    await page.getByRole('option', { name: 'Joanne' }).waitFor();
    await checkInAllThemes('a list of senders', '.suggestions');
    assert.deepEqual(found, {});
  });

  it('the report of a delivery', async () => {
    const opened = await openReportPage([]);
    const { page, post } = opened;
    const { found, check, checkInAllThemes } = checksOf(opened);
    const { answerList } = listIn(() => opened);
    const failed = { type: 'failed', text: "This delivery can't be read: its file is damaged." };
    await check('loading');
    await post(failed);
    await check('failed');
    await post(summaryOf({ isPersonal: true, notes: ['Recipients counted by the service: 7. Listed: 5.'] }));
    await post({ type: 'list', list: 0, total: 0, rows: [] });
    await check('no recipients yet');
    const rows = rowsOf('unknown', 'rejected', 'rejected', 'unconfirmed', 'absent', 'notSent', 'leftOut', 'reached');
    const texts = ['Dear Ann, your order is on its way.', `Dear Bo\n${'Your order is on its way. '.repeat(20)}`];
    const shown = rows.map((row, at) => ({ ...row, isCut: at === 1, ownText: texts[at % 2] ?? '' }));
    await answerList(shown, 300);
    await page.getByRole('button', { name: 'Refused' }).click();
    await page.locator('details summary').first().click();
    await page.getByRole('row').nth(3).hover();
    await post(failed);
    await checkInAllThemes('a report, the pointer on a recipient, and why there is no newer one');
    for (const width of [500, 1400]) {
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: `out/screenshots/a report, ${width} pixels wide.png` });
      await check(`${width} pixels wide`);
    }
    assert.deepEqual(found, {});
  });

  it('the replies to a delivery', async () => {
    const opened = await openRepliesPage([], { height: 1200 });
    const { page, post } = opened;
    const { found, check, checkInAllThemes } = checksOf(opened);
    await check('loading');
    await post(repliesOf({ run: { is: 'paused', done: 3, total: 6 }, error: 'The disk is full.' }));
    await listIn(() => opened).answerList(someRows());
    await page.getByRole('button', { name: 'Not this time' }).click();
    await page.getByRole('button', { name: 'Answered' }).first().click();
    await page.getByRole('article').nth(1).hover();
    await checkInAllThemes('replies, paused');
    assert.deepEqual(found, {});
  });

  it('the statistics', async () => {
    const failed = { type: 'failed' as const, text: "The archive can't be read." };
    const opened = await openStatisticsPage([{ type: 'heading', name: 'Riverside Town', summary: 'Until yesterday' }], {
      height: 3000,
    });
    const { page, post } = opened;
    const { found, check, checkInAllThemes } = checksOf(opened);
    await check('loading');
    await post(failed);
    await check('failed');
    await post({ type: 'statistics', statistics: EMPTY });
    await check('empty');
    await post({ type: 'statistics', statistics: manyMessages(20, 50) });
    await post({ type: 'loading' });
    await check('counting again');
    await post(failed);
    const [first, ...others] = await page.locator('summary').all();
    for (const summary of others) await summary.click();
    await check('all numbers');
    // One table has the colors of all.
    for (const summary of others) await summary.click();
    await first?.click();
    await page.locator('[data-mark]').first().focus();
    await page.locator('.tooltip').waitFor();
    await checkInAllThemes('statistics with numbers and a tooltip, and why there are no newer ones');
    assert.deepEqual(found, {});
  });

  it('a download', async () => {
    const opened = await openDownloadPage({ language: 'zh-cn' });
    const { found, checkInAllThemes } = checksOf(opened);
    await opened.page.evaluate(() =>
      window.postMessage({ type: 'file', name: 'a.md', bytes: new Uint8Array(), isNew: false }, '*'),
    );
    await opened.page.getByRole('button', { name: '再次下载' }).waitFor();
    await checkInAllThemes('a download');
    assert.deepEqual(found, {});
  });
});
