import assert from 'node:assert/strict';
import { EventEmitter, type MarkdownString, type QuickPickItem, type ThemeIcon, type window } from 'vscode';
import type { ShownView } from '../../../../src/platform/defer.ts';
import type { Connection } from '../../../../src/platform/service.ts';
import type { Store } from '../../../../src/platform/store.ts';
import { Tokens } from '../../../../src/platform/tokens.ts';
import { isFailure } from '../../../../src/service/errors.ts';
import type { Chat } from '../../../../src/service/model.ts';
import type { ShownItem } from '../../../../src/sidebar/activity/activity.ts';
import { alertText } from '../../../../src/sidebar/activity/activityTexts.ts';
import { Sidebar } from '../../../../src/sidebar/sidebar.ts';
import { answer, onMessages, restore } from '../../answers.ts';
import { until } from '../../deferred.ts';
import { memento, secretStorage } from '../../memory.ts';
import { newHost } from '../../test-host.ts';
import { configure, newConnection, useService } from '../../test-service.ts';

const BOT = '30481126';
const SENDER = '30527740';
const BIG: Chat = { kind: 'group', id: 'big' };
const HIKERS: Chat = { kind: 'group', id: '546790213' };

describe('The list of activity', () => {
  const service = useService({ groups: [{ id: 'big', label: 'Neighbours' }, '546790213'] });
  let connection: Connection;
  let sidebar: Sidebar;
  let view: {
    visible: boolean;
    title?: string;
    description?: string;
    message?: string;
    reveal(item: ShownItem): Promise<void>;
  };
  let ran: string[];
  let changed: EventEmitter<undefined>;
  let revealed: string[];
  let stored: Store;

  beforeEach(async () => {
    connection = newConnection();
    const opened = await connection.open();
    const tokens = new Tokens(secretStorage(), memento());
    await tokens.set(opened, BOT, service.sandbox.token(BOT) ?? '');
    // A window without the focus polls no chat by itself.
    answer('state', { focused: false, active: false });
    changed = new EventEmitter();
    ran = [];
    revealed = [];
    view = { visible: false, reveal: async ({ text }) => void revealed.push(text) };
    const host = newHost({ connection, tokens });
    stored = host.store;
    host.commands.run = async (name, ...[first]) => {
      const { msgId } = first as unknown as ShownItem;
      ran.push(`${name} ${sidebar.activity.items.find((item) => item.msgId === msgId)?.text}`);
    };
    sidebar = new Sidebar(host, { send: async () => {} }, {} as ShownView<never>, new EventEmitter(), {
      view: view as unknown as ShownView<ShownItem>,
      changed,
    });
    await configure({ 'watching.words': ['tea'], 'watching.notifyMatches': false });
    await sidebar.watcher.watch(
      opened,
      [BIG, HIKERS].map((chat) => ({ chat, botId: BOT })),
    );
  });
  afterEach(async () => {
    sidebar.dispose();
    connection.dispose();
    restore();
    await configure({ 'watching.words': undefined, 'watching.notifyMatches': undefined });
  });

  /** Another bot sends messages, the chat is polled, and they are listed. */
  const receive = async (chat: Chat, ...texts: string[]) => {
    const { client } = await connection.open();
    const listed = sidebar.activity.items.length + texts.length;
    for (const text of texts)
      await client.batchSend(service.sandbox.token(SENDER) ?? '', chat.kind, [chat.id], {
        contentType: 'text',
        content: { text },
      });
    await sidebar.watcher.poll(chat);
    await until(changed.event, () => sidebar.activity.items.length >= listed);
  };
  /** What the rows show. */
  const rows = async () =>
    (await sidebar.activityView.getChildren()).map((shown) => {
      const item = sidebar.activityView.getTreeItem(shown);
      return {
        label: item.label,
        description: item.description,
        icon: (item.iconPath as ThemeIcon).id,
        command: item.command?.command,
        spoken: item.accessibilityInformation?.label ?? '',
        tooltip: (item.tooltip as MarkdownString).value,
      };
    });
  const choose = (at: number) => {
    const shown: string[] = [];
    answer('showQuickPick', (async (items: QuickPickItem[]) => {
      shown.push(...items.map(({ label, description }) => `${label} ${description}`));
      return items[at];
    }) as unknown as typeof window.showQuickPick);
    return shown;
  };

  it('shows the chat, the sender and an excerpt, with a dot while it is unread, and opens the message', async () => {
    await receive(BIG, 'hello');
    await receive(HIKERS, 'Tea\nis \u202Eready');
    const [tea, hello] = await rows();
    assert.ok(tea && hello);
    assert.deepEqual([hello.label, hello.icon, hello.description], ['● Neighbours', 'comment', '读书小助手: hello']);
    assert.deepEqual([tea.icon, tea.description], ['bell', '读书小助手: Tea · is ⟨U+202E⟩ready']);
    assert.equal(tea.command, 'botChats.openMessage');
    assert.match(tea.spoken, /^546790213, unread · “tea”, 读书小助手: Tea · is .*, \d/);
    assert.match(tea.tooltip, /^546790213\s+读书小助手 · .*\s+unread · “tea”\s+Tea · is/);
  });

  it('tells replies from other messages, and messages without a possible time or a name of the sender', async () => {
    const place = { service: (await connection.open()).address, ...BIG, botId: BOT };
    const reply = {
      ...place,
      msgId: 'r',
      sendTime: 1e16,
      sender: '',
      senderId: '7',
      text: 'Yes',
      isReply: true,
      words: [],
    };
    await stored.set('activity', [reply]);
    sidebar.activity.refresh();
    const [row] = await rows();
    assert.deepEqual([row?.icon, row?.description], ['reply', '7: Yes']);
    assert.equal(row?.spoken, '● Neighbours, unread · reply to the bot, 7: Yes'.slice(2));
    assert.match(row?.tooltip ?? '', /^Neighbours \S*big\S*\s+7\s+unread · reply to the bot\s+Yes$/);
  });

  it('shows the name of a chat as soon as it is known', async () => {
    await receive(HIKERS, 'hello');
    assert.equal((await rows())[0]?.label, `● ${HIKERS.id}`);
    const repainted = new Promise<void>((resolve) => changed.event(() => resolve()));
    await (await connection.open()).directory.get('group', HIKERS.id);
    await repainted;
    assert.equal((await rows())[0]?.label, '● 后山徒步队');
  });

  it('tells other features which chats could not be checked', async () => {
    service.instead = async () => Response.json({ code: 1005, msg: '' });
    await sidebar.watcher.poll(HIKERS);
    service.instead = () => undefined;
    assert.deepEqual(
      (await sidebar.listActivity()).watched.map(({ id, error }) => [id, isFailure(error, 'rejected')]),
      [
        [BIG.id, false],
        [HIKERS.id, true],
      ],
    );
  });

  it('makes no request', async () => {
    await receive(BIG, 'hello');
    service.requests.splice(0);
    await rows();
    assert.deepEqual(service.requests, []);
  });

  it('has no dot any more once it is read, and keeps only what has another reason', async () => {
    await receive(BIG, 'hello', 'tea');
    await sidebar.activity.markAllRead();
    const [tea, ...others] = await rows();
    assert.deepEqual([tea?.label, others], ['Neighbours', []]);
    assert.match(tea?.spoken ?? '', /^Neighbours, “tea”, /);
  });

  it('is gone through by keyboard, from the newest on and around the end', async () => {
    await receive(BIG, 'one', 'two', 'three');
    view.visible = true;
    for (let times = 0; times < 4; times++) await sidebar.activityView.nextActivity();
    await sidebar.activityView.previousActivity();
    const opened = ['three', 'two', 'one', 'three', 'one'];
    assert.deepEqual(
      ran,
      opened.map((text) => `openMessage ${text}`),
    );
    assert.deepEqual(revealed, opened);
  });

  it('goes on from where it was after that message is gone', async () => {
    await receive(BIG, 'tea one', 'two', 'tea three');
    await sidebar.activityView.nextActivity();
    await sidebar.activityView.nextActivity();
    await sidebar.activity.markAllRead();
    await sidebar.activityView.nextActivity();
    await sidebar.activityView.previousActivity();
    assert.deepEqual(ran.slice(2), ['openMessage tea one', 'openMessage tea three']);
  });

  it('goes on from where it was among messages of one moment after that one is gone', async () => {
    const place = { service: (await connection.open()).address, ...BIG, botId: BOT };
    const other = { ...place, sendTime: 1e12, sender: 'Ann', senderId: '7', isReply: true, words: [] };
    const items = ['three', 'two', 'one'].map((text) => ({ ...other, msgId: text, text }));
    await stored.set('activity', items);
    sidebar.activity.refresh();
    const { activityView: view } = sidebar;
    await view.nextActivity();
    await view.nextActivity();
    await view.nextActivity();
    await view.previousActivity();
    await stored.set(
      'activity',
      items.filter(({ text }) => text !== 'two'),
    );
    sidebar.activity.refresh();
    await sidebar.activityView.nextActivity();
    await sidebar.activityView.previousActivity();
    assert.deepEqual(ran.slice(3), ['openMessage two', 'openMessage one', 'openMessage three']);
  });

  it('says that nothing needs the user', async () => {
    const messages = onMessages();
    await sidebar.activityView.nextActivity();
    assert.deepEqual([messages, ran], [['Nothing needs you in the chats you watch.'], []]);
  });

  it('can be filtered, and says so', async () => {
    await receive(BIG, 'hello', 'tea');
    const offered = choose(3);
    const repainted = new Promise<void>((resolve) => changed.event(() => resolve()));
    await sidebar.activityView.filterActivity();
    await repainted;
    assert.deepEqual(offered, ['$(check) All 2', 'Unread 2', 'Replies 0', 'Words 1']);
    assert.deepEqual([(await rows()).length, view.title, view.description], [1, 'Activity (1)', 'Words']);
    choose(0);
    await sidebar.activityView.filterActivity();
    assert.deepEqual([(await rows()).length, view.title, view.description], [2, 'Activity (2)', '']);
  });

  it('counts its messages in its title, also while it is collapsed', async () => {
    await receive(BIG, 'hello', 'tea');
    const [hello] = sidebar.activity.items.filter(({ text }) => text === 'hello');
    assert.deepEqual(view.title, 'Activity (2)');
    await sidebar.activityView.markRead(hello ?? assert.fail());
    assert.deepEqual([view.title, sidebar.activity.items.map(({ text }) => text)], ['Activity (1)', ['tea']]);
    await sidebar.watcher.unwatch(BIG);
    assert.equal(view.title, 'Activity');
  });

  it('names the words in the settings that cannot be used', async () => {
    await rows();
    assert.equal(view.message, '');
    await configure({ 'watching.words': ['tea', '!!', 7] });
    await rows();
    assert.equal(
      view.message,
      'Can\'t look for: "!!", 7. Each entry of botChats.watching.words needs a letter, a digit or an emoji, and has up to 100 characters.',
    );
    await configure({ 'watching.words': Array.from({ length: 101 }, (_, at) => `word${at}`) });
    await rows();
    assert.equal(view.message, 'Only the first 100 words of botChats.watching.words are looked for.');
  });
});

describe('The notification of messages that need the user', () => {
  const item = (id: string, more: Partial<ShownItem>): ShownItem => ({
    ...{ service: '', kind: 'group', id, botId: BOT, msgId: 'm', sendTime: 0, sender: '', senderId: '', text: '' },
    ...{ isUnread: true, isReply: false, words: [], ...more },
  });
  const textOf = (...items: ShownItem[]) => alertText(items, ({ id }) => id, 2);

  it('names each chat once, with all reasons', () => {
    assert.equal(
      textOf(
        item('a', { words: ['tea'] }),
        item('b', { isReply: true }),
        item('a', { isReply: true, words: ['tea', '"hot tea"'] }),
      ),
      'New for you in a (reply to the bot, “tea”, “hot tea”), b (reply to the bot)',
    );
  });

  it('names chats that have the same name one by one', () => {
    const items = [item('a', { words: ['tea'] }), item('b', { isReply: true })];
    assert.equal(
      alertText(items, () => 'Team', 2),
      'New for you in Team (“tea”), Team (reply to the bot)',
    );
  });

  it('is bounded', () => {
    const words = Array.from({ length: 9 }, (_, at) => `w${at}`);
    assert.equal(
      textOf(...['a', 'b', 'c', 'd'].map((id) => item(id, { words }))),
      'New for you in a (“w0”, “w1”, “w2”, … and 6 more), b (“w0”, “w1”, “w2”, … and 6 more), … and 2 more',
    );
  });
});
