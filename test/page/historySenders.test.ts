import assert from 'node:assert/strict';
import { article, button, closeEachPage, frames, message, messages, open, waitForPosted } from './numberedHistory.ts';
import { historyPage, posted } from './sharedHistory.ts';

describe('A sender in the history', () => {
  closeEachPage();

  describe('has as avatar', () => {
    const uri = (color: string) => `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' fill='${color}'/>`;
    const avatar = (n: number) => article(n).locator('.avatar');
    const from = (senderId: string, senderNickname: string) => ({ senderId, senderNickname, senderType: 'user' });

    it('the first letter of the name, whatever precedes it, in the same color everywhere', async () => {
      const names = ['alice', '闻山禾', '  (éva)', '\u202E«Оля»', '👩‍👩‍👧 family', '🇨🇭', '...', ' \u3000', 'ñu\u0301'];
      await open(names.map((name, n) => message(n, from(`70${n}`, name))));
      await avatar(8).waitFor();
      assert.equal(await article(7).locator('.sender').innerText(), '7\n707');
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
      ] as const;
      await waitForPosted({ type: 'avatars', senders: [...senders] });
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

  describe('has a profile that shows', () => {
    const sender = { kind: 'user', id: '7058314' } as const;
    const facts = [{ label: 'Days online', value: '7' }];
    const actions = [
      { name: 'openHistory', label: 'Open History' },
      { name: 'copyId', label: 'Copy ID' },
    ];
    const profile = { ...sender, name: 'Alice F.', failure: '', facts, actions };
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

    it('unless there is no ID by which it could be looked up', async () => {
      await open([message(1, { ...from, senderId: '' }), message(2)]);
      await article(1).getByText('Alice').waitFor();
      assert.equal(await article(1).locator('button.sender').count(), 0);
      await article(2).locator('button.sender').waitFor();
    });

    it('with actions, which close it unless there is more to do', async () => {
      await openCard();
      await showProfile();
      await button('Copy ID').click();
      await waitForPosted({ type: 'copy', text: sender.id });
      await card().getByText('Copied').waitFor();
      await button('Open History').click();
      await waitForPosted({ type: 'act', action: 'openHistory', ...sender });
      await card().waitFor({ state: 'hidden' });
    });

    it('by the name in the message and the reason if it is not known', async () => {
      await openCard();
      const failure = 'Person 7058314 doesn’t exist.';
      await historyPage.post({ type: 'profile', profile: { ...profile, name: '7058314', failure, facts: [] } });
      await card('Alice').getByText(failure).waitFor();
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
