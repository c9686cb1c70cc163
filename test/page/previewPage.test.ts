import assert from 'node:assert/strict';
import type { ShownDraft } from '../../src/protocol/preview.ts';
import { type OpenPage, openPreviewPage, type PageOptions } from '../host/pages.ts';
import { draftFor, draftOf } from './messages.ts';

const button = (text: string, actionType: number, more: object = {}) => ({
  ...{ text, actionType, url: '', value: '' },
  ...more,
});
const buttons = [
  [button('Docs', 1, { url: 'https://docs.example/a' }), button('Copy the code', 2, { value: 'ABC' })],
  [button('I will come', 3, { value: 'yes-7' })],
];

describe('The preview page', () => {
  let previewPage: OpenPage;

  afterEach(async () => {
    assert.deepEqual([previewPage?.incidents, previewPage?.requests, await previewPage?.refused()], [[], [], []]);
    await previewPage?.close();
  });

  const open = async (draft: ShownDraft, options: PageOptions = {}) => {
    previewPage = await openPreviewPage(draft, options);
    await previewPage.page.getByRole('main').waitFor();
  };
  const named = (name: string) => previewPage.page.getByRole('button', { name });
  /** The messages to the host after the first, which is `ready`. */
  const posted = async () => (await previewPage.posted()).slice(1);

  it('renders the message as the history does, and updates with the draft', async () => {
    await open(draftOf({ text: '# One' }));
    await previewPage.page.getByRole('heading', { name: 'One' }).waitFor();
    await previewPage.page.locator('.entry').getByText('Order Desk').waitFor();
    await previewPage.post(draftOf({ text: '# Two\n\n```js\nconst a = 1;\n```' }));
    await previewPage.page.getByRole('heading', { name: 'Two' }).waitFor();
    await previewPage.page.locator('.code-kwd').waitFor();
    assert.equal(await previewPage.page.getByRole('heading', { name: 'One' }).count(), 0);
  });

  it('has buttons that open links, copy, and preview what they report', async () => {
    await open(draftOf({ text: 'Choose', buttons }));
    await named('Docs').click();
    await named('Copy the code').click();
    await named('I will come').click();
    await previewPage.page.getByText('this button reports “yes-7”').waitFor();
    assert.deepEqual(await posted(), [
      { type: 'open', url: 'https://docs.example/a' },
      { type: 'copy', text: 'ABC' },
    ]);
  });

  it('lists the recipients, and shows all on request', async () => {
    const recipients = [
      { kind: 'group' as const, id: 'big', name: 'Riverside Town' },
      { kind: 'user' as const, id: '7', name: 'Alice' },
    ];
    await open(draftOf({ text: 'Hi' }, { recipients, total: 1202 }));
    await previewPage.page.getByText('Sent as Order Desk').waitFor();
    await previewPage.page.getByRole('list', { name: 'Groups' }).getByText('Riverside Town').waitFor();
    await previewPage.page.getByRole('list', { name: 'People' }).getByText('Alice').waitFor();
    await named('… and 1,200 more').click();
    assert.deepEqual(await posted(), [{ type: 'more' }]);
  });

  it('says if no bot and no recipients are named', async () => {
    const { message, ...rest } = draftOf({ text: 'Hi' });
    assert.ok(message);
    await open({ ...rest, message: { ...message, senderId: '', senderNickname: '' } });
    await previewPage.page.getByText("The document doesn't name a bot. You choose one when you send it.").waitFor();
    await previewPage.page
      .getByText("The document doesn't name any recipients. You choose them when you send it.")
      .waitFor();
  });

  it("doesn't say that no recipients are named if their file can't be used", async () => {
    await open(draftOf({ text: 'Hi' }, { namesFile: true }));
    await previewPage.page.getByText('Sent as Order Desk').waitFor();
    assert.equal(await previewPage.page.getByText("The document doesn't name any recipients.").count(), 0);
  });

  it("says if the message is empty, and can't send it", async () => {
    const problems = [{ text: 'The message is empty.', severity: 'error' as const, start: 0, end: 0 }];
    await open(draftOf({ text: '' }, { problems, canSend: false }));
    await previewPage.page.locator('.entry').getByText('This message is empty.').waitFor();
    assert.ok(await named('Send…').isDisabled());
  });

  it('keeps the last valid message on errors, and links to the position of each problem', async () => {
    const problems = [
      { text: 'This cannot be read.', severity: 'error' as const, start: 4, end: 9 },
      { text: 'Nobody sees a.png.', severity: 'warning' as const, start: 20, end: 30 },
    ];
    await open(draftOf({ text: 'As it was' }, { problems, isCurrent: false, canSend: false }));
    await previewPage.page.getByText('Out of date').waitFor();
    await previewPage.page.locator('.entry').getByText('As it was').waitFor();
    assert.ok(await named('Send…').isDisabled());
    await previewPage.page.keyboard.press('Tab');
    await previewPage.page.keyboard.press('Tab');
    await previewPage.page.keyboard.press('Enter');
    await named('Nobody sees a.png.').click();
    assert.deepEqual(await posted(), [
      { type: 'place', start: 4, end: 9 },
      { type: 'place', start: 20, end: 30 },
    ]);
  });

  it('shows only the problems if there was never a valid message', async () => {
    const { message, ...rest } = draftOf({});
    const problems = [{ text: 'This cannot be read.', severity: 'error' as const, start: 4, end: 9 }];
    await open({ ...rest, problems, isCurrent: false, canSend: false });
    await named('This cannot be read.').waitFor();
    assert.deepEqual([await previewPage.page.locator('.entry').count(), message?.msgId], [0, 'draft']);
  });

  it('shows the first problems, and the others on request', async () => {
    const problems = Array.from({ length: 200 }, (_, at) => ({
      text: `Problem ${at + 1}.`,
      severity: 'warning' as const,
      start: at,
      end: at + 1,
    }));
    await open(draftOf({ text: 'Hi' }, { problems }));
    await named('Problem 5.').waitFor();
    const more = previewPage.page.getByText('… and 195 more');
    await more.click();
    await named('Problem 6.').click();
    assert.deepEqual(await posted(), [{ type: 'place', start: 5, end: 6 }]);
    await previewPage.post(draftOf({ text: 'Still open' }, { problems }));
    await previewPage.page.getByText('Still open').waitFor();
    assert.ok(await named('Problem 200.').isVisible());
    await more.press('Enter');
    await named('Problem 6.').waitFor({ state: 'hidden' });
    await previewPage.post(draftOf({ text: 'Few' }, { problems: problems.slice(0, 5) }));
    await more.waitFor({ state: 'detached' });
  });

  it('marks recipients whose names are unknown', async () => {
    const recipients = [
      { kind: 'group' as const, id: '99999999', name: '99999999', problem: "Group 99999999 doesn't exist." },
      { kind: 'group' as const, id: 'big', name: 'Riverside Town' },
    ];
    await open(draftOf({ text: 'Hi' }, { recipients, total: 2 }));
    const items = previewPage.page.getByRole('list', { name: 'Groups' }).getByRole('listitem');
    const mark = items.first().getByRole('img', { name: "Group 99999999 doesn't exist." });
    await mark.waitFor();
    assert.equal(await items.first().getAttribute('title'), "Group 99999999 doesn't exist.");
    assert.equal(await items.nth(1).getByRole('img').count(), 0);
  });

  it('steps through the recipients of a draft that varies', async () => {
    await open(
      draftFor({ text: 'Hello Alice' }, { problems: ['{{order}} is empty.', "{{link}} isn't a web address."] }),
    );
    const { page } = previewPage;
    const place = page.getByRole('region', { name: 'Recipient' }).getByRole('status');
    assert.equal(await place.innerText(), '3 of 1,204\nAlice Fernhollow\n7058314');
    await page.getByText('{{order}} is empty.').waitFor();
    await page.getByText("{{link}} isn't a web address.").waitFor();
    await named('Next recipient').click();
    await named('Previous recipient').press('Enter');
    await page.getByRole('checkbox', { name: 'Only those with problems (17)' }).click();
    assert.deepEqual(await posted(), [
      { type: 'step', by: 1 },
      { type: 'step', by: -1 },
      { type: 'onlyTroubled', isOn: true },
    ]);
    await previewPage.post(draftFor({ text: 'Hello' }, { id: '7', name: '7', position: 4 }));
    assert.equal(await place.innerText(), '4 of 1,204\n7');
    assert.equal(await page.getByText('{{order}} is empty.').count(), 0);
  });

  it('has no step before the first recipient or after the last, and keeps the focus there', async () => {
    await open(draftFor({ text: 'Hi' }, { position: 1, total: 2, troubled: 0 }));
    const { page } = previewPage;
    const problems = page.getByRole('checkbox', { name: 'Only those with problems' });
    assert.deepEqual([await problems.isDisabled(), await problems.isChecked()], [true, false]);
    await named('Previous recipient').press('Enter');
    await named('Next recipient').press('Enter');
    await previewPage.post(draftFor({ text: 'Hi' }, { position: 2, total: 2, troubled: 0 }));
    await page.keyboard.press('Enter');
    assert.equal(await named('Next recipient').getAttribute('aria-disabled'), 'true');
    assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Next recipient');
    assert.deepEqual(await posted(), [{ type: 'step', by: 1 }]);
  });

  it('goes to a recipient by a part of a name or an ID', async () => {
    await open(draftFor({ text: 'Hi' }));
    const { page } = previewPage;
    const box = page.getByRole('combobox', { name: 'Go to a name or ID' });
    const found = ['7', '8', '9'].map((id) => ({ kind: 'user', id, name: `Ann ${id}` }));
    await box.fill('an');
    await box.fill('ann');
    await previewPage.post({ type: 'matches', search: 1, recipients: found.slice(2), hasMore: false });
    assert.equal(await page.getByRole('option').count(), 0);
    await previewPage.post({ type: 'matches', search: 2, recipients: found, hasMore: true });
    await page.getByRole('option', { name: 'Ann 7 7', selected: true }).waitFor();
    await box.press('ArrowDown');
    await box.press('ArrowDown');
    await box.press('ArrowUp');
    await page.getByRole('option', { name: 'Ann 8 8', selected: true }).waitFor();
    await box.press('Enter');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    assert.equal(await box.inputValue(), '');
    await box.fill('ann 9');
    await previewPage.post({ type: 'matches', search: 4, recipients: found.slice(2), hasMore: false });
    await page.getByRole('option', { name: 'Ann 9' }).click();
    assert.deepEqual(await posted(), [
      { type: 'find', search: 1, text: 'an' },
      { type: 'find', search: 2, text: 'ann' },
      { type: 'goTo', kind: 'user', id: '8' },
      { type: 'find', search: 4, text: 'ann 9' },
      { type: 'goTo', kind: 'user', id: '9' },
    ]);
  });

  it('goes to the first match if Enter is pressed before it’s found, and says if there is none', async () => {
    await open(draftFor({ text: 'Hi' }));
    const { page } = previewPage;
    const box = page.getByRole('combobox');
    await box.fill('7');
    await box.press('Enter');
    await previewPage.post({
      ...{ type: 'matches', search: 1, hasMore: false },
      recipients: [{ kind: 'group', id: '7', name: 'Town' }],
    });
    await page.waitForFunction(() => window.__host.posted.some(({ type }) => type === 'goTo'));
    await box.fill('nobody');
    await previewPage.post({ type: 'matches', search: 3, recipients: [], hasMore: false });
    await page.getByText('No matching recipients').waitFor();
    await box.press('Enter');
    await box.press('Escape');
    await page.getByText('No matching recipients').waitFor({ state: 'detached' });
    assert.deepEqual((await posted()).slice(1, -1), [{ type: 'goTo', kind: 'group', id: '7' }]);
  });

  it('says that a draft varies if it has no recipients yet', async () => {
    await open(draftOf({ text: 'Hi {{name}}' }, { varies: true }));
    const { page } = previewPage;
    await page.getByText('Each recipient gets a message with their own values in place of the variables.').waitFor();
    assert.equal(await page.getByRole('region', { name: 'Recipient' }).count(), 0);
  });

  it('truncates long text, and keeps it expanded across changes', async () => {
    const text = 'word '.repeat(8000);
    await open(draftOf({ text }));
    await named('Show all 40,000 characters').click();
    await previewPage.post(draftOf({ text: `${text}end` }));
    await previewPage.page.getByText(/end$/).waitFor();
    assert.equal(await named('Show all').count(), 0);
  });

  it('shows hostile content of a draft as text', async () => {
    const recipients = [{ kind: 'user' as const, id: '7', name: 'a\u202eb<img src=x>' }];
    await open(
      draftOf({ text: '<img src="https://a.example/x.png"><script>alert(1)</script>' }, { recipients, total: 1 }),
    );
    await previewPage.page.getByText('<script>').waitFor();
    assert.equal(await previewPage.page.locator('img').count(), 0);
    assert.doesNotMatch(await previewPage.page.getByRole('list', { name: 'People' }).innerText(), /\u202e/);
  });

  for (const [theme, language] of [
    ['dark', 'en'],
    ['light', 'zh-cn'],
    ['hc-dark', 'en'],
    ['hc-light', 'zh-cn'],
  ] as const) {
    it(`fits into a narrow window (${theme}, ${language})`, async () => {
      const recipients = ['Riverside Town 河畔小镇', 'Fern & Kettle: the shop team', 'Alice Fernhollow', '闻山禾'].map(
        (name, index) => ({ kind: index < 2 ? ('group' as const) : ('user' as const), id: `${index}`, name }),
      );
      const unknown = { kind: 'user' as const, id: '99999999', name: '99999999', problem: 'Nobody has this ID.' };
      const problems = [
        {
          text: 'The address https://exa mple cannot be read as an address.',
          severity: 'error' as const,
          start: 4,
          end: 9,
        },
        ...Array.from({ length: 6 }, (_, at) => ({
          ...{ text: `The service cannot see the picture images/${at}.png.`, severity: 'warning' as const },
          ...{ start: 20, end: 30 },
        })),
      ];
      const text = '# Maintenance\n\nClosed on **Saturday**.\n\n| a | b |\n|---|---|\n| 1 | 2 |';
      const draft = draftOf(
        { text, buttons },
        { recipients: [...recipients, unknown], total: 34, problems, isCurrent: false, canSend: false },
      );
      await open(draft, { theme, language });
      const { page, post } = previewPage;
      await page.getByRole('table').waitFor();
      await page.setViewportSize({ width: 300, height: 700 });
      const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      assert.equal(await isWide(), false);
      await page.screenshot({ path: `out/screenshots/preview-page-${theme}-${language}.png` });
      const name = 'The Honourable Alice Fernhollow of the Upper Riverside Allotments 闻山禾';
      await post(draftFor({ text }, { name, position: 99_999, total: 100_000, problems: ['{{order}} is empty.'] }));
      assert.equal(await isWide(), false);
      assert.deepEqual(
        await page
          .locator('.steps *')
          .evaluateAll((all) =>
            all.filter((one) => one.getBoundingClientRect().right > innerWidth).map(({ outerHTML }) => outerHTML),
          ),
        [],
      );
      await page.screenshot({ path: `out/screenshots/preview-recipient-${theme}-${language}.png` });
    });
  }
});
