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
} from './shownPreview.ts';

describe('The recipients on the preview page', () => {
  closeEachPreview();

  it('lists the recipients, and shows all on request', async () => {
    const recipients = [group('big', 'Riverside Town'), person('7', 'Alice')];
    await open(draftOf({ text: 'Hi' }, { recipients, total: 1202 }));
    await previewPage.page.getByText('Sent as Order Desk').waitFor();
    await previewPage.page.getByRole('list', { name: 'Groups' }).getByText('Riverside Town').waitFor();
    await previewPage.page.getByRole('list', { name: 'People' }).getByText('Alice').waitFor();
    await named('… and 1,200 more').press('Enter');
    assert.deepEqual(await posted(), [{ type: 'more' }]);
    // The focus isn't lost with the button.
    await previewPage.post(draftOf({ text: 'Hi' }, { recipients, total: 2 }));
    await previewPage.page.locator('main:focus').waitFor();
  });

  it('says if no bot and no recipients are named, unless the document can’t be read', async () => {
    const { message, ...rest } = draftOf({ text: 'Hi' });
    assert.ok(message);
    const unnamed = { ...message, senderId: '', senderNickname: '' };
    await open({ ...rest, message: unnamed, namesBot: false, namesRecipients: false });
    await previewPage.page
      .getByText("The document doesn't name a bot. If several can send it, you choose one then.")
      .waitFor();
    await previewPage.page
      .getByText("The document doesn't name any recipients. You choose them when you send it.")
      .waitFor();
    await previewPage.post({ ...rest, message: unnamed });
    assert.equal(await previewPage.page.getByText("The document doesn't name").count(), 0);
  });

  it('marks recipients whose names are unknown', async () => {
    const recipients = [
      group('99999999', '99999999', { problem: "Group 99999999 doesn't exist." }),
      group('big', 'Riverside Town'),
    ];
    await open(draftOf({ text: 'Hi' }, { recipients, total: 2 }));
    const items = previewPage.page.getByRole('list', { name: 'Groups' }).getByRole('listitem');
    const mark = items.first().getByRole('img', { name: "Group 99999999 doesn't exist." });
    await mark.waitFor();
    assert.equal(await items.first().getAttribute('title'), "Group 99999999 doesn't exist.");
    assert.equal(await items.nth(1).getByRole('img').count(), 0);
  });

  it('strikes through those who get nothing, with the reason', async () => {
    const reason = 'On your Do Not Send list: asked to stop';
    const recipients = [person('7', 'Alice', { leftOut: reason }), person('8', 'Bo')];
    const leftOut = 'Left out: Do Not Send list 1 · where 99,000';
    await open(draftOf({ text: 'Hi' }, { recipients, total: 2, leftOut }));
    const { page, post } = previewPage;
    const items = page.getByRole('list', { name: 'People' }).getByRole('listitem');
    await items.first().getByRole('img', { name: reason }).waitFor();
    assert.deepEqual(await page.locator('s').allInnerTexts(), ['Alice']);
    assert.equal(await items.nth(1).getByRole('img').count(), 0);
    await page.getByText(leftOut).waitFor();
    await post(draftFor({ text: 'Hi Alice' }, { leftOut: reason }, { leftOut }));
    await page.getByText(`Gets nothing. ${reason}`).waitFor();
    assert.deepEqual(await page.locator('s').allInnerTexts(), ['Alice Fernhollow']);
    await post(draftFor({ text: 'Hi Bo' }, { name: 'Bo' }));
    assert.equal((await page.locator('s').count()) + (await page.getByText('Gets nothing').count()), 0);
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
      { type: 'onlyWithProblems', isOn: true },
    ]);
    await previewPage.post(draftFor({ text: 'Hello' }, { id: '7', name: '7', position: 4 }));
    assert.equal(await place.innerText(), '4 of 1,204\n7');
    assert.equal(await page.getByText('{{order}} is empty.').count(), 0);
    await previewPage.post(draftFor({ text: 'Hello' }, { id: '7', name: '7', leftOutCount: 1000 }));
    assert.equal(await place.innerText(), '3 of 1,204, 1,000 left out\n7');
    // None of those with problems is left out.
    const only = { position: 3, total: 17, onlyWithProblems: true };
    await previewPage.post(draftFor({ text: 'Hello' }, { id: '7', name: '7', leftOutCount: 1000, ...only }));
    assert.equal(await place.innerText(), '3 of 17\n7');
  });

  it('says that not everyone was looked up, apart from what is wrong with the one who is shown', async () => {
    await open(draftFor({ text: 'Hi' }, { unchecked: '1,004 recipients were not looked up.' }));
    await previewPage.page.getByRole('region', { name: 'Recipient' }).getByText('1,004 recipients were not').waitFor();
    assert.equal(await previewPage.page.getByRole('region').getByRole('listitem').count(), 0);
  });

  it('has no step before the first recipient or after the last, and keeps the focus there', async () => {
    await open(draftFor({ text: 'Hi' }, { position: 1, total: 2, withProblems: 0 }));
    const { page } = previewPage;
    const problems = page.getByRole('checkbox', { name: 'Only those with problems' });
    assert.deepEqual([await problems.isDisabled(), await problems.isChecked()], [true, false]);
    await named('Previous recipient').press('Enter');
    await named('Next recipient').press('Enter');
    await previewPage.post(draftFor({ text: 'Hi' }, { position: 2, total: 2, withProblems: 0 }));
    await page.keyboard.press('Enter');
    assert.equal(await named('Next recipient').getAttribute('aria-disabled'), 'true');
    assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Next recipient');
    assert.deepEqual(await posted(), [{ type: 'step', by: 1 }]);
  });

  it('keeps the focus on the choice of those with problems while there are none', async () => {
    await open(draftFor({ text: 'Hi' }));
    const { page } = previewPage;
    const problems = page.getByRole('checkbox', { name: 'Only those with problems' });
    await problems.focus();
    for (const onlyWithProblems of [false, true]) {
      await previewPage.post(draftFor({ text: 'Hi' }, { withProblems: 0, onlyWithProblems }));
      await page.getByRole('checkbox', { name: 'Only those with problems', exact: true }).waitFor();
      await page.keyboard.press('Space');
      await problems.click({ force: true });
      assert.equal(await problems.isChecked(), onlyWithProblems);
    }
    assert.deepEqual(await posted(), []);
    await previewPage.post(draftFor({ text: 'Hi' }));
    await page.getByRole('checkbox', { name: 'Only those with problems (17)', checked: false }).waitFor();
    await page.keyboard.press('Space');
    assert.deepEqual(await posted(), [{ type: 'onlyWithProblems', isOn: true }]);
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
    const recipients = [{ kind: 'group', id: '7', name: 'Town' }] as const;
    await previewPage.post({ type: 'matches', search: 1, recipients: [...recipients], hasMore: false });
    await previewPage.untilPosted('goTo');
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
});
