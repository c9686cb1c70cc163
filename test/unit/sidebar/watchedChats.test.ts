import assert from 'node:assert/strict';
import type { QuickPickItem, window } from 'vscode';
import type { Connection, Service } from '../../../src/platform/service.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import type { Chat } from '../../../src/service/model.ts';
import { watchContext } from '../../../src/sidebar/watch/watchContext.ts';
import { Watcher } from '../../../src/sidebar/watch/watcher.ts';
import { WatchedChats } from '../../../src/sidebar/watchedChats.ts';
import { answer, onMessages, restore } from '../answers.ts';
import { memento, secretStorage } from '../memory.ts';
import { newHost } from '../test-host.ts';
import { newConnection, startService, type TestService } from '../test-service.ts';

const BOT = '30481126';
const SENDER = '30527740';
const BIG: Chat = { kind: 'group', id: 'big' };
const SHOP: Chat = { kind: 'group', id: '518204736' };
const HIKERS: Chat = { kind: 'group', id: '546790213' };

describe('Watched chats', () => {
  let service: TestService;
  let connection: Connection;
  let opened: Service;
  let watcher: Watcher;
  let watchedChats: WatchedChats;
  let openedChats: string[];

  beforeEach(async () => {
    service = await startService({ groups: [{ id: 'big', label: 'Neighbours' }, '518204736', '546790213'] });
    connection = newConnection();
    opened = await connection.open();
    const tokens = new Tokens(secretStorage(), memento());
    await tokens.set(opened, BOT, service.sandbox.token(BOT) ?? '');
    // A window without the focus polls no chat by itself.
    answer('state', { focused: false, active: false });
    const host = newHost({ connection, tokens });
    openedChats = [];
    host.commands.run = async (name, ...args) => void openedChats.push(`${name} ${JSON.stringify(args)}`);
    watcher = new Watcher(watchContext(host), { chatChanged: () => {}, polled: () => {}, newMessages: () => {} });
    watchedChats = new WatchedChats(host, watcher);
  });

  afterEach(async () => {
    watcher.dispose();
    connection.dispose();
    restore();
    await service.close();
  });

  const watch = (...chats: Chat[]) =>
    watcher.watch(
      opened,
      chats.map((chat) => ({ chat, botId: BOT })),
    );
  /** Another bot sends a message, and the chat is polled. */
  const receive = async ({ id, kind }: Chat) => {
    const message = { contentType: 'text', content: { text: 'Hello' } } as const;
    await opened.client.batchSend(service.sandbox.token(SENDER) ?? '', kind, [id], message);
    await watcher.poll({ kind, id });
  };
  /** Picks an item of the next list, and returns what all items show. */
  const onPick = (at?: number) => {
    const shown: string[][] = [];
    answer('showQuickPick', (async (items: QuickPickItem[]) => {
      shown.push(...items.map(({ label, description = '', detail = '' }) => [label, description, detail]));
      return at === undefined ? undefined : items[at];
    }) as unknown as typeof window.showQuickPick);
    return shown;
  };
  const open = (id: string) => `openHistory [{"kind":"group","id":"${id}","botId":"${BOT}"}]`;

  it('are opened one after the other, by name, even if they stay unread', async () => {
    await watch(BIG, SHOP, HIKERS);
    await receive(SHOP);
    await receive(BIG);
    await opened.directory.get('group', SHOP.id);
    for (let times = 0; times < 3; times++) await watchedChats.openNextUnread();
    assert.deepEqual(openedChats, [open(SHOP.id), open('big'), open(SHOP.id)]);
  });

  it('are listed with their new messages, those that have some first, then by name', async () => {
    await watch(BIG, SHOP, HIKERS);
    await receive(BIG);
    await receive(BIG);
    for (const { id } of [SHOP, HIKERS]) await opened.directory.get('group', id);
    await opened.directory.get('bot', BOT);
    const shown = onPick(1);
    service.requests.splice(0);
    await watchedChats.showWatched();
    assert.deepEqual(shown, [
      ['$(organization) Neighbours', '2 new · big', 'Watching as Order Desk'],
      ['$(organization) Fern & Kettle: the shop team', '518204736', 'Watching as Order Desk'],
      ['$(organization) 后山徒步队', '546790213', 'Watching as Order Desk'],
    ]);
    assert.deepEqual([openedChats, service.requests], [[open(SHOP.id)], []]);
  });

  it('are listed with the error of the last check', async () => {
    service.sandbox.setFaults({ faults: [{ on: 'messages', fault: 'code', code: 1005, msg: '聊天已被封禁' }] });
    await watch(SHOP);
    const shown = onPick();
    await watchedChats.showWatched();
    const [label, description, detail] = shown[0] ?? [];
    assert.deepEqual([label, description], ['$(warning) 518204736', '']);
    assert.match(detail ?? '', /聊天已被封禁.* · Watching as 30481126$/);
    assert.deepEqual(openedChats, []);
    const messages = onMessages();
    await watchedChats.openNextUnread();
    assert.deepEqual(messages, ["No new messages, but some of the chats you watch can't be checked."]);
  });

  it('without new messages are offered as a list', async () => {
    await watch(SHOP);
    const messages = onMessages((_, [button]) => button);
    const shown = onPick(0);
    await watchedChats.openNextUnread();
    assert.deepEqual([messages, shown.length], [['No new messages in the chats you watch.'], 1]);
    assert.deepEqual(openedChats, [open(SHOP.id)]);
  });

  it('say how to begin if there are none', async () => {
    const messages = onMessages();
    await watchedChats.openNextUnread();
    await watchedChats.showWatched();
    const text =
      "You aren't watching any chats. To start, select “Watch for New Messages” in a chat's menu in the sidebar.";
    assert.deepEqual([messages, openedChats], [[text, text], []]);
  });
});
