import assert from 'node:assert/strict';
import {
  closeEachPreview,
  draftFor,
  draftOf,
  group,
  named,
  open,
  person,
  posted,
  previewPage,
  problem,
} from './shownPreview.ts';

const button = (text: string, actionType: number, more: object) => ({ text, actionType, url: '', value: '', ...more });
const buttons = [
  [button('Docs', 1, { url: 'https://docs.example/a' }), button('Copy the code', 2, { value: 'ABC' })],
  [button('I will come', 3, { value: 'yes-7' })],
];

describe('The preview page', () => {
  closeEachPreview();

  it('renders the message and its buttons as the history does, and updates with the draft', async () => {
    await open(draftOf({ text: '# One', buttons }));
    await previewPage.page.getByRole('heading', { name: 'One' }).waitFor();
    await previewPage.page.locator('.entry').getByText('Order Desk').waitFor();
    await named('Docs').click();
    assert.deepEqual(await posted(), [{ type: 'open', url: 'https://docs.example/a' }]);
    await previewPage.post(draftOf({ text: '# Two\n\n```js\nconst a = 1;\n```' }));
    await previewPage.page.getByRole('heading', { name: 'Two' }).waitFor();
    await previewPage.page.locator('.code-kwd').waitFor();
    assert.equal(await previewPage.page.getByRole('heading', { name: 'One' }).count(), 0);
  });

  it('says above everything else which scheduled message is edited', async () => {
    const text = 'Editing the message scheduled for tomorrow. Sending it replaces that one.';
    await open(draftOf({ text: 'Hi' }, { note: text }));
    const note = previewPage.page.getByText(text);
    await note.waitFor();
    const heading = await named('Send…').boundingBox();
    assert.ok(((await note.boundingBox())?.y ?? 0) < (heading?.y ?? 0));
    await previewPage.post(draftOf({ text: 'Hi' }));
    await note.waitFor({ state: 'detached' });
  });

  it('keeps the focus on the button to send while the message can’t be sent', async () => {
    await open(draftOf({ text: 'Hi' }));
    await named('Send…').focus();
    await previewPage.post(draftOf({ text: '' }, { canSend: false }));
    await previewPage.page.getByText('This message is empty.').waitFor();
    await previewPage.page.keyboard.press('Enter');
    await named('Send…').click({ force: true });
    assert.deepEqual(await posted(), []);
    await previewPage.post(draftOf({ text: 'Hello' }));
    await previewPage.page.getByText('Hello').waitFor();
    await previewPage.page.keyboard.press('Enter');
    assert.deepEqual(await posted(), [{ type: 'send' }]);
  });

  it('shows the message despite errors, and links to the position of each problem', async () => {
    const problems = [
      problem('This cannot be read.', { severity: 'error', start: 4, end: 9 }),
      problem('Nobody sees a.png.'),
      problem('The row on line 12 is wrong.', { line: 12 }),
    ];
    await open(draftOf({ text: 'As it is' }, { problems, canSend: false }));
    await previewPage.page.locator('.entry').getByText('As it is').waitFor();
    assert.ok(await named('Send…').isDisabled());
    for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await previewPage.page.keyboard.press(key);
    await named('Nobody sees a.png.').click();
    await named('The row on line 12 is wrong.').click();
    assert.deepEqual(await posted(), [
      { type: 'place', start: 4, end: 9 },
      { type: 'place', start: 20, end: 30 },
      { type: 'row', line: 12 },
    ]);
  });

  it('shows only the problems if nothing of the message can be read', async () => {
    const { message, ...rest } = draftOf({});
    const problems = [problem('This cannot be read.', { severity: 'error', start: 4, end: 9 })];
    await open({ ...rest, problems, canSend: false });
    await named('This cannot be read.').waitFor();
    assert.deepEqual([await previewPage.page.locator('.entry').count(), message?.msgId], [0, 'draft']);
  });

  it('shows the first problems, and the others on request', async () => {
    const problems = Array.from({ length: 200 }, (_, at) => problem(`Problem ${at + 1}.`, { start: at, end: at + 1 }));
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

  it('truncates long text, and keeps it expanded across changes', async () => {
    const text = 'word '.repeat(8000);
    await open(draftOf({ text }));
    await named('Show All 40,000 Characters').click();
    await previewPage.post(draftOf({ text: `${text}end` }));
    await previewPage.page.getByText(/end$/).waitFor();
    assert.equal(await named('Show All').count(), 0);
  });

  it('shows hostile content of a draft as text', async () => {
    const recipients = [person('7', 'a\u202eb<img src=x>')];
    await open(
      draftOf({ text: '<img src="https://a.example/x.png"><script>alert(1)</script>' }, { recipients, total: 1 }),
    );
    await previewPage.page.getByText('<script>').waitFor();
    assert.equal(await previewPage.page.locator('img').count(), 0);
    assert.doesNotMatch(await previewPage.page.getByRole('list', { name: 'People' }).innerText(), /\u202e/);
  });

  for (const language of ['en', 'zh-cn'] as const) {
    it(`fits into a narrow window (${language})`, async () => {
      const recipients = [
        group('0', 'Riverside Town 河畔小镇'),
        group('1', 'Fern & Kettle: the shop team'),
        person('2', 'Alice Fernhollow'),
        person('3', '闻山禾'),
        person('99999999', '99999999', { problem: 'Nobody has this ID.' }),
      ];
      const problems = [
        problem('The address https://exa mple cannot be read as an address.', { severity: 'error' }),
        ...Array.from({ length: 6 }, (_, at) => problem(`The service cannot see the picture images/${at}.png.`)),
      ];
      const text = '# Maintenance\n\nClosed on **Saturday**.\n\n| a | b |\n|---|---|\n| 1 | 2 |';
      const draft = draftOf({ text, buttons }, { recipients, total: 34, problems, canSend: false });
      await open(draft, { language });
      const { page, post } = previewPage;
      await page.getByRole('table').waitFor();
      await page.setViewportSize({ width: 300, height: 700 });
      assert.equal(await previewPage.isTooWide(), false);
      await page.screenshot({ path: `out/screenshots/preview-page-${language}.png` });
      const name = 'The Honourable Alice Fernhollow of the Upper Riverside Allotments 闻山禾';
      const leftOut = 'Left out: Do Not Send list 1 · except 1,204 · where 99,000';
      const step = { name, position: 99_999, total: 100_000, problems: ['{{order}} is empty.'] };
      await post(draftFor({ text }, step, { leftOut }));
      assert.equal(await previewPage.isTooWide(), false);
      assert.deepEqual(
        await page
          .locator('.steps *')
          .evaluateAll((all) =>
            all.filter((one) => one.getBoundingClientRect().right > innerWidth).map(({ outerHTML }) => outerHTML),
          ),
        [],
      );
      await page.screenshot({ path: `out/screenshots/preview-recipient-${language}.png` });
    });
  }
});
