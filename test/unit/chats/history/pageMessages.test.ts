import assert from 'node:assert/strict';
import type { PageItem } from '../../../../src/protocol/history.ts';
import { settled } from '../../deferred.ts';
import { BOT, SHOP, usePanels } from './panels.ts';

const ALICE = { kind: 'user', id: '7058314' } as const;

describe('A history panel that its page asks for something else than messages', () => {
  const panels = usePanels();
  const { open, read } = panels;

  it('runs the commands of the page and of the cards of senders', async () => {
    const { page } = open();
    page.send({ type: 'goToDate' });
    page.send({ type: 'goToDate', from: 1_773_000_000_000 });
    page.send({ type: 'changeAddress' });
    page.send({ type: 'act', action: 'newMessage', ...ALICE });
    await settled();
    assert.deepEqual(panels.commandsRun, [
      ['goToDate', undefined],
      ['goToDate', 1_773_000_000_000],
      ['connect'],
      ['newMessage', { ...ALICE, botId: BOT }],
    ]);
  });

  it('opens the image of a loaded message, and nothing else', async () => {
    const { page, session } = await read({ id: SHOP });
    await session.loadAll(() => {}, new AbortController().signal);
    await page.until(() => page.items.length === 480);
    const isImage = (item: PageItem) => item.type === 'message' && /\.jpg$/.test(item.message.content.imageUrl ?? '');
    for (const key of ['gone', page.items.find((item) => !isImage(item))?.key, page.items.find(isImage)?.key]) {
      page.send({ type: 'openImage', key });
      await settled();
    }
    // The sandbox isn't served over https here.
    assert.deepEqual(panels.said, ['Only images at https: addresses can be opened here.']);
  });

  it('shows the avatars of senders that were looked up before, and looks up no others', async () => {
    await panels.opened.directory.get('user', ALICE.id);
    const { page } = await read();
    panels.service.requests.length = 0;
    page.send({ type: 'avatars', senders: [ALICE, { kind: 'user', id: '7102649' }] });
    await page.until(() => page.messagesOf('avatar').length > 0);
    const [{ uri, ...sender } = assert.fail(), ...others] = page.messagesOf('avatar');
    assert.deepEqual(sender, { type: 'avatar', ...ALICE });
    assert.deepEqual(others, []);
    assert.match(uri, /^data:image\/svg\+xml,/);
    assert.deepEqual(panels.service.requests, []);
  });

  it('shows the profile of a sender, and the avatar', async () => {
    const { page } = await read();
    page.send({ type: 'profile', ...ALICE });
    await page.until(() => page.messagesOf('avatar').length > 0);
    assert.equal(page.messagesOf('profile')[0]?.profile.name, 'Alice Fernhollow');
  });
});
