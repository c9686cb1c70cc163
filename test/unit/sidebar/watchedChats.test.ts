import assert from 'node:assert/strict';
import { onMessages, pick } from '../answers.ts';
import { useService } from '../test-service.ts';
import { BIG, BOT, HIKERS, openSidebar, SHOP } from './openSidebar.ts';

describe('Watched chats', () => {
  const service = useService({ groups: [{ id: 'big', label: 'Neighbours' }, '518204736', '546790213'] });
  let open: Awaited<ReturnType<typeof openSidebar>>;

  beforeEach(async () => {
    open = await openSidebar(service);
  });
  afterEach(() => open.close());

  const opened = (...ids: string[]) => ids.map((id) => ['openHistory', { kind: 'group', id, botId: BOT }]);

  it('are opened one after the other, by name, even if they stay unread', async () => {
    await open.watch(BIG, SHOP, HIKERS);
    await open.receive(SHOP, 'one');
    await open.receive(BIG, 'one');
    await open.opened.directory.get('group', SHOP.id);
    for (let times = 0; times < 3; times++) await open.sidebar.watchedChats.openNextUnread();
    assert.deepEqual(open.ran, opened(SHOP.id, 'big', SHOP.id));
  });

  it('are listed with their new messages, those that have some first, then by name', async () => {
    await open.watch(BIG, SHOP, HIKERS);
    await open.receive(BIG, 'one', 'two');
    for (const { id } of [SHOP, HIKERS]) await open.opened.directory.get('group', id);
    await open.opened.directory.get('bot', BOT);
    const shown = pick('Fern');
    service.requests.splice(0);
    await open.sidebar.watchedChats.showWatched();
    assert.deepEqual(shown, [
      '$(organization) Neighbours | 2 new · big | Watching as Order Desk',
      '$(organization) Fern & Kettle: the shop team | 518204736 | Watching as Order Desk',
      '$(organization) 后山徒步队 | 546790213 | Watching as Order Desk',
    ]);
    assert.deepEqual([open.ran, service.requests], [opened(SHOP.id), []]);
  });

  it('are listed with the error of the last check', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'messages', fault: 'code', code: 1005, msg: '聊天已被封禁' }] });
    await open.watch(SHOP);
    const shown = pick(undefined);
    await open.sidebar.watchedChats.showWatched();
    assert.match(shown.join(), /^\$\(warning\) 518204736 \| [^|]*聊天已被封禁[^|]* · Watching as 30481126$/);
    assert.deepEqual(open.ran, []);
    const messages = onMessages();
    await open.sidebar.watchedChats.openNextUnread();
    assert.deepEqual(messages, ["No new messages, but some of the chats you watch can't be checked."]);
  });

  it('without new messages are offered as a list', async () => {
    await open.watch(SHOP);
    const messages = onMessages((_, [button]) => button);
    const shown = pick(SHOP.id);
    await open.sidebar.watchedChats.openNextUnread();
    assert.deepEqual([messages, shown.length], [['No new messages in the chats you watch.'], 1]);
    assert.deepEqual(open.ran, opened(SHOP.id));
  });

  it('say how to begin if there are none', async () => {
    const messages = onMessages();
    await open.sidebar.watchedChats.openNextUnread();
    await open.sidebar.watchedChats.showWatched();
    const text =
      "You aren't watching any chats. To start, select “Watch for New Messages” in a chat's menu in the sidebar.";
    assert.deepEqual([messages, open.ran], [[text, text], []]);
  });
});
