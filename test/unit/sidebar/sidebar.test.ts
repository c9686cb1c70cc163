import assert from 'node:assert/strict';
import { EventEmitter, type ViewBadge } from 'vscode';
import type { ShownView } from '../../../src/platform/defer.ts';
import type { Connection, Service } from '../../../src/platform/service.ts';
import type { Store } from '../../../src/platform/store.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import type { Chat } from '../../../src/service/model.ts';
import type { ShownItem } from '../../../src/sidebar/activity/activity.ts';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import { Sidebar } from '../../../src/sidebar/sidebar.ts';
import { answer, onMessages, restore } from '../answers.ts';
import { settled, until } from '../deferred.ts';
import { memento, secretStorage } from '../memory.ts';
import { newHost } from '../test-host.ts';
import { configure, newConnection, useService } from '../test-service.ts';

const BOT = '30481126';
const BIG: Chat = { kind: 'group', id: 'big' };

describe('New messages in the sidebar', () => {
  const service = useService({ groups: [{ id: 'big', label: 'Neighbours' }] });
  let connection: Connection;
  let opened: Service;
  let view: { badge?: ViewBadge | undefined };
  let sidebarOf: () => Sidebar;
  let sidebar: Sidebar;
  let calls: string[];
  let openHistory: (what: string) => void;
  let stored: Store;
  let changed: EventEmitter<ChatNode[] | undefined>;
  let activityChanged: EventEmitter<undefined>;

  beforeEach(async () => {
    connection = newConnection();
    opened = await connection.open();
    const tokens = new Tokens(secretStorage(), memento());
    await tokens.set(opened, BOT, service.sandbox.token(BOT) ?? '');
    answer('state', { focused: true, active: true });
    view = {};
    changed = new EventEmitter();
    activityChanged = new EventEmitter();
    calls = [];
    openHistory = () => {};
    const idsOf = (chats: readonly Chat[]) => chats.map(({ id }) => id).join();
    const host = newHost({ connection, tokens, access: { chooseBot: async () => BOT } });
    stored = host.store;
    host.chatEvents.onDidArrive(async (_, chats) => void calls.push(`load ${idsOf(chats)}`));
    host.commands.run = async (name, ...args) => openHistory(`${name} ${JSON.stringify(args)}`);
    const send = async (chats: readonly Chat[]) => void calls.push(`send to ${idsOf(chats)}`);
    sidebarOf = () =>
      new Sidebar(host, { send }, view as ShownView<ChatNode>, changed, {
        view: { visible: false } as ShownView<ShownItem>,
        changed: activityChanged,
      });
    sidebar = sidebarOf();
    await sidebar.watcher.watch(await connection.open(), [{ chat: BIG, botId: BOT }]);
  });

  afterEach(async () => {
    sidebar.dispose();
    connection.dispose();
    restore();
    await configure({ 'watching.notify': undefined });
  });

  /** Another bot sends messages, the chat is polled, and its activity is listed. */
  const receive = async (...texts: string[]) => {
    const listed = sidebar.activity.items.length + texts.length;
    const token = service.sandbox.token('30527740') ?? '';
    for (const text of texts) {
      await opened.client.batchSend(token, 'group', ['big'], { contentType: 'text', content: { text } });
    }
    await sidebar.watcher.poll(BIG);
    await until(activityChanged.event, () => sidebar.activity.items.length >= listed);
  };

  it('are counted in the badge of the view until they are seen', async () => {
    assert.equal(view.badge, undefined);
    await receive('one');
    assert.deepEqual(view.badge, { value: 1, tooltip: '1 new message' });
    await receive('two');
    assert.deepEqual(view.badge, { value: 2, tooltip: '2 new messages' });
    const place = { ...BIG, service: opened.address, botId: BOT };
    await sidebar.watcher.markSeen([[place, { msgId: 'later', sendTime: Date.now() + 60_000 }]]);
    assert.equal(view.badge, undefined);
  });

  it('are counted on the row', async () => {
    await receive('one');
    const item = await sidebar.tree.getTreeItem(sidebar.tree.rowOf({ kind: 'group', id: 'big' }));
    assert.equal(item.accessibilityInformation?.label, 'big, group, 1 new');
  });

  it('disappear when the service changes', async () => {
    await receive('one');
    await configure({ 'service.sandbox': true });
    await sidebar.restart();
    assert.equal(view.badge, undefined);
    await configure({ 'service.sandbox': undefined });
  });

  it('are marked as read in a window that has just opened, too, which says if there are none', async () => {
    await receive('one');
    const said = onMessages();
    const later = sidebarOf();
    await later.markActivityRead();
    await later.markActivityRead();
    assert.deepEqual(said, ['No new messages in the chats you watch.']);
    later.dispose();
    sidebar.watcher.wake();
    assert.equal(sidebar.watcher.total().unread, 0);
  });

  it('of many chats that change at once are counted together', async () => {
    const people = ['7058314', '7102649', '7225306'];
    await configure({ people });
    const badges: unknown[] = [];
    Object.defineProperty(view, 'badge', { set: (badge) => badges.push(badge) });
    const watching = sidebar.watcher.watch(
      opened,
      people.map((id) => ({ chat: { kind: 'user', id }, botId: BOT })),
    );
    // Before any answer.
    await settled();
    assert.equal(badges.length, 1);
    await watching;
    await configure({ people: undefined });
  });

  it('are shown in open histories without a notification', async () => {
    const messages = onMessages();
    await receive('one');
    assert.deepEqual([calls, messages], [['load big'], []]);
  });

  it('are announced by the label of the chat, with a link to its history, if the user wants that', async () => {
    await configure({ 'watching.notify': true });
    await sidebar.tree.getChildren({ type: 'section', kind: 'group' });
    const messages = onMessages((_, [open]) => open);
    const opens = new Promise<string>((resolve) => {
      openHistory = resolve;
    });
    await receive('one');
    assert.equal(await opens, `openHistory [{"kind":"group","id":"big","botId":"${BOT}"}]`);
    assert.deepEqual([messages, calls], [['New messages in Neighbours'], ['load big']]);
  });

  it('with words of the user are announced once for all chats, and the newest can be opened', async () => {
    await configure({ 'watching.words': ['tea', '发布'], 'watching.notify': true });
    let announceOthers = () => {};
    const othersAnnounced = new Promise<void>((resolve) => {
      announceOthers = resolve;
    });
    const messages = onMessages((text, [open]) => {
      if (text.startsWith('New messages')) announceOthers();
      return open === 'Open' ? open : undefined;
    });
    const opens = new Promise<string>((resolve) => {
      openHistory = resolve;
    });
    await receive('hello', 'Tea is ready', '今天发布');
    const [text] = (await opens).split(' ');
    const { msgId } = sidebar.activity.items[0] ?? {};
    assert.equal(text, 'openMessage');
    assert.ok((await opens).includes(`"botId":"${BOT}","msgId":"${msgId}"`));
    await receive('nothing else');
    await othersAnnounced;
    assert.deepEqual(messages, ['New for you in Neighbours (“发布”, “tea”)', 'New messages in Neighbours']);
    await configure({ 'watching.words': undefined });
  });

  it('with words of the user are not announced if the user has turned that off, but mark the row', async () => {
    await configure({ 'watching.words': ['tea'], 'watching.notifyMatches': false });
    const messages = onMessages();
    await receive('Tea is ready');
    const item = await sidebar.tree.getTreeItem(sidebar.tree.rowOf({ kind: 'group', id: 'big' }));
    assert.deepEqual([messages, item.accessibilityInformation?.label], [[], 'big, group, 1 new · “tea”']);
    await configure({ 'watching.words': undefined, 'watching.notifyMatches': undefined });
  });

  it('move their chat to the top if rows are sorted by recent activity, as reading a history does', async () => {
    await configure({ groups: ['518204736', '546790213', 'big'] });
    sidebar.tree.sections.order = 'recent';
    const ids = async () =>
      (await sidebar.tree.getChildren({ type: 'section', kind: 'group' })).map((node) => 'id' in node && node.id);
    assert.deepEqual(await ids(), ['big', '518204736', '546790213']);
    const read = { service: opened.address, kind: 'group', id: '546790213', botId: BOT } as const;
    await stored.remember('readMarks', read, { msgId: 'later', sendTime: Date.now() + 60_000 });
    assert.deepEqual(await ids(), ['546790213', 'big', '518204736']);
    const repainted = new Promise<readonly ChatNode[] | undefined>((resolve) => changed.event(resolve));
    await receive('one');
    assert.equal(await repainted, undefined);
    await configure({ groups: [{ id: 'big', label: 'Neighbours' }] });
  });
});
