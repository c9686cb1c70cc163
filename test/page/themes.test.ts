import assert from 'node:assert/strict';
import type { ShownDraft } from '../../src/protocol/preview.ts';
import { openHistoryPage, openPreviewPage, openSearchPage } from '../host/historyPage.ts';
import { type ThemeName, themes } from '../host/themes.ts';
import { violations } from './axe.ts';
import { draftFor, draftOf, kinds, listed } from './messages.ts';
import { foundView, scope } from './searchResults.ts';
import { assertHarmless, one, open, serveImages, historyPage as sharedPage } from './testPage.ts';

/** Violations by the state of the page. */
type Violations = Record<string, string[]>;

describe('Accessibility', () => {
  for (const theme of themes) {
    it(`has no axe violations on any page in the ${theme} theme`, async () => {
      const checks = [checkHistory(theme), checkPreview(theme), checkSearch(theme)];
      assert.deepEqual(await Promise.all(checks), [{}, {}, {}]);
    });
  }
});

describe('Screenshots', () => {
  for (const theme of themes) {
    it(`show all kinds of messages in the ${theme} theme`, async () => {
      await open(kinds(), { theme, pictures: true, height: 3300, web: serveImages });
      await one('.code-kwd').waitFor();
      await one('.html-page table').waitFor();
      await sharedPage.page.getByRole('button', { name: 'Order one' }).click();
      await sharedPage.page.waitForFunction(() => [...document.images].every((picture) => picture.complete));
      await sharedPage.screenshot(`history-content-${theme}`);
      await assertHarmless(sharedPage.requests);
    });
  }
});

async function checkHistory(theme: ThemeName): Promise<Violations> {
  const historyPage = await openHistoryPage({ theme, web: serveImages, pictures: true, height: 4400 });
  const { page } = historyPage;
  const edges = (older: object, newer: object) => historyPage.post({ type: 'edges', older, newer });
  const failed = { at: 'failed', text: 'The service cannot be reached.', fix: 'setToken' };
  const button = (name: string) => page.getByRole('button', { name });
  const found: Violations = {};
  const check = async (state: string) => {
    const rules = await violations(page, theme);
    if (rules.length > 0) found[state] = rules;
  };

  const names = { name: 'Riverside Town', summary: '1,204 members', readAs: 'Order Desk', service: 'the sandbox' };
  await historyPage.post({ type: 'heading', ...names });
  await check('loading');
  await edges({ at: 'open' }, { at: 'open' });
  await check('empty');
  await edges({ at: 'open' }, failed);
  await check('failed, with nothing loaded');

  const parent = listed({ msgId: 'p', contentType: 'text', content: { text: 'Who comes?' }, senderType: 'user' });
  const reply = listed({ parentId: 'p', contentType: 'text', content: { text: 'I do', at: ['7'] } });
  const command = listed({
    commandName: '/menu',
    contentType: 'text',
    content: { text: 'Menu' },
    senderType: 'app',
  });
  const senders = Array.from({ length: 24 }, (_, n) =>
    listed({ contentType: 'text', content: { text: 'Hi' }, senderId: `s${n}`, senderNickname: `Keeper ${n}` }),
  );
  const unreadable = { readable: false as const, raw: { broken: true } };
  await historyPage.show([parent, reply, command, unreadable, ...senders.slice(0, 3), ...kinds()]);
  await page.locator('.code-kwd').first().waitFor();
  await page.locator('.html-page table').waitFor();
  await page.waitForFunction(() => [...document.images].every((picture) => picture.complete));
  await button('Order one').click();
  await historyPage.post({ type: 'find' });
  await page.getByRole('search').getByRole('textbox').fill('the');
  await page.getByText(/^1 of \d+$/).waitFor();
  await check('messages of every kind and the find bar');
  await button('Order Desk').first().click();
  await page.waitForFunction(() => window.__host.posted.some(({ type }) => type === 'profile'));
  const facts = [{ label: 'Days online', value: '7' }];
  const trouble = 'Not all of it could be looked up.';
  const sender = { kind: 'user', id: '30481126', name: 'Order Desk' };
  const actions = [{ name: 'copyId', label: 'Copy ID' }];
  await historyPage.post({ type: 'profile', profile: { ...sender, trouble, facts, actions } });
  await page.locator('.profile').getByText(trouble).waitFor();
  await check('a profile');

  await page.keyboard.press('Escape');
  await page.getByLabel('All types').selectOption('html');
  await page.locator('.choice').last().click();
  await page.locator('.entry').last().hover();
  await check('a filter, HTML as source, and the pointer on a message');
  await page.getByRole('search').getByRole('textbox').press('Escape');

  await historyPage.show(senders);
  const gap = (key: string, id: number, edge: object) => ({ type: 'gap', key, id, edge });
  await historyPage.post({ type: 'splice', at: 3, removed: 0, items: [gap('g', 1, { at: 'open' })] });
  await historyPage.post({ type: 'splice', at: 6, removed: 0, items: [gap('h', 2, failed)] });
  await edges(failed, { at: 'loading' });
  // Only the contrast of visible text is checked for everyone.
  await page.locator('.avatar').evaluateAll((avatars) => avatars.map((one) => one.removeAttribute('aria-hidden')));
  await check('gaps, and senders of every color');
  await page.setViewportSize({ width: 900, height: 500 });
  await page.locator('main').hover();
  await page.mouse.wheel(0, -400);
  await button('Jump to newest').waitFor();
  await check('the jump to the newest message');
  await historyPage.close();
  return found;
}

async function checkPreview(theme: ThemeName): Promise<Violations> {
  const recipients = [
    { kind: 'group' as const, id: 'big', name: 'Riverside Town' },
    { kind: 'user' as const, id: '7', name: 'Alice' },
  ];
  const problems = [
    { text: 'This cannot be read.', severity: 'error' as const, start: 4, end: 9 },
    { text: 'Nobody sees a.png.', severity: 'warning' as const, start: 20, end: 30 },
  ];
  const text = '# Menu\n\n[Soup](https://a.example), `code`\n\n```ts\nconst a = 1;\n```\n\n- [x] done';
  const buttons = [[{ text: 'Docs', actionType: 1, url: 'https://a.example', value: '' }]];
  const { message: _, ...rest } = draftOf({ text, buttons });
  const drafts = {
    'a draft': draftOf({ text, buttons }, { recipients, total: 34 }),
    'a draft without recipients': draftOf({ text: 'Hi' }),
    'an outdated draft with problems': draftOf({ text, buttons }, { problems, isCurrent: false, canSend: false }),
    'a draft without recipients, whom it varies for': draftOf({ text: 'Hi {{name}}' }, { varies: true }),
    'a draft for a recipient': draftFor({ text: 'Hi' }, { problems: ['{{order}} is empty.'] }),
    'a draft for a recipient without problems': draftFor({ text: 'Hi' }, { position: 1204, troubled: 0 }),
    'only problems': { ...rest, problems, isCurrent: false, canSend: false },
  };
  const found: Violations = {};
  const check = async ([state, draft]: [string, ShownDraft]) => {
    const { page, post, close } = await openPreviewPage(draft, { theme });
    await page.getByRole('main').waitFor();
    if (state === 'a draft') await page.locator('.code-kwd').waitFor();
    if (state === 'a draft for a recipient') {
      await page.getByRole('combobox').fill('a');
      const found = ['7', '8'].map((id) => ({ kind: 'user', id, name: 'Ann' }));
      await post({ type: 'matches', search: 1, recipients: found, hasMore: true });
      await page.getByRole('option').nth(1).hover();
    }
    const rules = await violations(page, theme);
    if (rules.length > 0) found[state] = rules;
    await close();
  };
  await Promise.all(Object.entries(drafts).map(check));
  return found;
}

async function checkSearch(theme: ThemeName): Promise<Violations> {
  const { page, post, posted, close } = await openSearchPage({ theme });
  const found: Violations = {};
  const check = async (state: string) => {
    const rules = await violations(page, theme);
    if (rules.length > 0) found[state] = rules;
  };
  const answer = async (message: object) => {
    const searches = (await posted()) as { type: string; search?: number }[];
    await post({ ...message, search: searches.findLast(({ type }) => type === 'search')?.search });
  };

  await page.getByText('Searching…').waitFor();
  await check('loading');
  await post({ ...scope, chats: [] });
  await page.getByRole('button', { name: 'Archive Chats…' }).waitFor();
  await check('nothing archived');
  await post(scope);
  await answer({ type: 'found', found: [], isLast: true });
  await page.getByText('0 results').waitFor();
  await check('nothing found');
  const results = [
    foundView('1', { ranges: [[0, 4]], kind: 'Image', isCutBefore: true, isCutAfter: true }),
    foundView('2', { msgId: '', senderName: '' }),
  ];
  await page.getByRole('searchbox').fill('soup');
  await page.getByRole('button', { name: 'With buttons' }).click();
  await answer({ type: 'found', found: results, isLast: true });
  await page.getByRole('combobox', { name: 'Sender' }).click();
  await page.getByRole('option', { name: 'Joanne' }).waitFor();
  await check('results, and a list of senders');
  await page.keyboard.press('Escape');
  await page.getByRole('list', { name: 'Results' }).getByRole('button').first().hover();
  await check('the pointer on a result');
  await page.getByRole('searchbox').fill('soup and bread');
  await answer({ type: 'failed', text: "The archive can't be read." });
  await page.getByRole('alert').waitFor();
  await check('failed');
  await close();
  return found;
}
