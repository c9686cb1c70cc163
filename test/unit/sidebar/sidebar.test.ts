import assert from 'node:assert/strict';
import { EventEmitter, type TreeView, type ViewBadge } from 'vscode';
import type { Connection } from '../../../src/platform/connection.ts';
import type { Service } from '../../../src/platform/service.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import type { Chat } from '../../../src/service/model.ts';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import { Sidebar } from '../../../src/sidebar/sidebar.ts';
import { answer, onMessages, restore } from '../answers.ts';
import { secretStorage } from '../memory.ts';
import { newHost } from '../test-host.ts';
import { configure, newConnection, type TestService, useService } from '../test-service.ts';

const BOT = '30481126';
const BIG: Chat = { type: 'group', id: 'big' };

describe('News in the sidebar', () => {
  let service: TestService;
  let connection: Connection;
  let opened: Service;
  let view: { badge?: ViewBadge | undefined };
  let sidebar: Sidebar;
  let calls: string[];
  let openHistory: (what: string) => void;

  before(async () => {
    service = await useService({ groups: [{ id: 'big', label: 'Neighbours' }] });
  });

  after(() => service.close());

  beforeEach(async () => {
    connection = newConnection();
    opened = await connection.open();
    const tokens = new Tokens(secretStorage());
    await tokens.set(opened, BOT, service.sandbox.token(BOT) ?? '');
    answer('state', { focused: true, active: true });
    view = {};
    calls = [];
    openHistory = () => {};
    const idsOf = (chats: readonly Chat[]) => chats.map(({ id }) => id).join();
    const host = newHost({ connection, tokens, access: { chooseBot: async () => BOT } });
    host.chatEvents.onDidArrive(async (_, chats) => void calls.push(`load ${idsOf(chats)}`));
    host.commands.run = async (name, ...args) => openHistory(`${name} ${JSON.stringify(args)}`);
    const send = async (chats: readonly Chat[]) => void calls.push(`send to ${idsOf(chats)}`);
    sidebar = new Sidebar(host, { send }, view as TreeView<ChatNode>, new EventEmitter());
    await sidebar.watcher.watch(await connection.open(), [{ chat: BIG, botId: BOT }]);
  });

  afterEach(async () => {
    sidebar.dispose();
    connection.dispose();
    restore();
    await configure({ 'watching.notify': undefined });
  });

  /** Another bot writes, and the chat is looked at. */
  const hear = async (...texts: string[]) => {
    const token = service.sandbox.token('30759903') ?? '';
    for (const text of texts) {
      await opened.client.batchSend(token, 'group', ['big'], { contentType: 'text', content: { text } });
    }
    await sidebar.watcher.poll(BIG);
  };

  it('is the badge of the view until it is seen', async () => {
    assert.equal(view.badge, undefined);
    await hear('one');
    assert.deepEqual(view.badge, { value: 1, tooltip: '1 new message' });
    await hear('two');
    assert.deepEqual(view.badge, { value: 2, tooltip: '2 new messages' });
    const place = { ...BIG, service: opened.address, botId: BOT };
    await sidebar.watcher.markSeen(place, { msgId: 'later', sendTime: Date.now() + 60_000 });
    assert.equal(view.badge, undefined);
  });

  it('is on the row, before what is known of it', async () => {
    await hear('one');
    const item = await sidebar.tree.getTreeItem(sidebar.tree.rowOf({ kind: 'group', id: 'big' }));
    assert.equal(item.description, '1 new');
  });

  it('goes with the service that it is of', async () => {
    await hear('one');
    await configure({ 'service.sandbox': true });
    await sidebar.restart();
    assert.equal(view.badge, undefined);
    await configure({ 'service.sandbox': undefined });
  });

  it('is shown in the open histories, and told of in no notification', async () => {
    const messages = onMessages();
    await hear('one');
    assert.deepEqual([calls, messages], [['load big'], []]);
  });

  it('is told of where the person wants that, by the label of the chat, and leads to its history', async () => {
    await configure({ 'watching.notify': true });
    await sidebar.tree.getChildren({ type: 'section', kind: 'group' });
    const messages = onMessages((_, [open]) => open);
    const opens = new Promise<string>((resolve) => {
      openHistory = resolve;
    });
    await hear('one');
    assert.equal(await opens, `openHistory [{"kind":"group","id":"big","botId":"${BOT}"}]`);
    assert.deepEqual([messages, calls], [['New messages in Neighbours'], ['load big']]);
  });
});
