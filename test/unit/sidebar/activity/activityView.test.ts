import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { isFailure } from '../../../../src/service/errors.ts';
import type { ShownItem } from '../../../../src/sidebar/activity/activity.ts';
import { alertText } from '../../../../src/sidebar/activity/activityTexts.ts';
import { onMessages, pick } from '../../answers.ts';
import { configure, useService } from '../../test-service.ts';
import { BIG, BOT, HIKERS, openSidebar } from '../openSidebar.ts';

describe('The list of activity', () => {
  const service = useService({ groups: [{ id: 'big', label: 'Neighbours' }, HIKERS.id] });
  let open: Awaited<ReturnType<typeof openSidebar>>;

  beforeEach(async () => {
    open = await openSidebar(service);
    await configure({ 'watching.words': ['tea'], 'watching.notifyMatches': false });
    await open.watch(BIG, HIKERS);
  });
  afterEach(async () => {
    open.close();
    await configure({ 'watching.words': undefined, 'watching.notifyMatches': undefined });
  });

  /** Lists replies to the bot in the first chat, newest first. */
  const keepReplies = async (texts: readonly string[], more: { sendTime?: number; sender?: string } = {}) => {
    const place = { service: open.opened.address, ...BIG, botId: BOT };
    const reply = {
      ...place,
      sendTime: 1e12,
      sender: 'Ann',
      senderId: '7',
      isReply: true,
      words: [] as string[],
      ...more,
    };
    await open.host.store.set(
      'activity',
      texts.map((text) => ({ ...reply, msgId: text, text })),
    );
    open.sidebar.activity.refresh();
  };
  const listed = () => open.sidebar.activity.items.map(({ text }) => text);
  const next = () => open.sidebar.activityView.nextActivity();
  const previous = () => open.sidebar.activityView.previousActivity();
  /** The text of the message that is opened by `act`. */
  const openedBy = async (act: () => Promise<void>) => {
    const { items } = open.sidebar.activity;
    await act();
    const [name, argument] = open.ran.pop() ?? [];
    assert.equal(name, 'openMessage');
    return items.find(({ msgId }) => msgId === (argument as ShownItem).msgId)?.text;
  };
  /** Filters the list by one of the entries that are offered. Returns their texts. */
  const filterBy = async (chosen: string) => {
    const texts = pick(chosen);
    await open.sidebar.activityView.filterActivity();
    return texts;
  };

  it('shows the chat, the sender and an excerpt, with a dot while it is unread, and opens the message', async () => {
    await open.receive(BIG, 'hello');
    await open.receive(HIKERS, 'Tea\nis \u202Eready');
    const [tea = assert.fail(), hello = assert.fail()] = await open.activity.rows();
    assert.deepEqual([hello.text, hello.icon], ['● Neighbours | 读书小助手: hello', 'comment']);
    assert.deepEqual([tea.text, tea.icon], ['● 546790213 | 读书小助手: Tea · is ⟨U+202E⟩ready', 'bell']);
    assert.equal(tea.item.command?.command, 'botChats.openMessage');
    assert.partialDeepStrictEqual(tea.item.command.arguments, [{ ...HIKERS, botId: BOT, msgId: tea.node.msgId }]);
    assert.match(tea.spoken, /^546790213, unread · “tea”, 读书小助手: Tea · is .*, \d/);
    assert.match(await open.activity.tooltip(tea), /^546790213\s+读书小助手 · .*\s+unread · “tea”\s+Tea · is/);
  });

  it('tells replies from other messages, and messages without a possible time or a name of the sender', async () => {
    await keepReplies(['Yes'], { sendTime: 1e16, sender: '' });
    const [row = assert.fail()] = await open.activity.rows();
    assert.deepEqual([row.text, row.icon], ['● Neighbours | 7: Yes', 'reply']);
    assert.equal(row.spoken, 'Neighbours, unread · reply to the bot, 7: Yes');
    const tooltip = await open.activity.tooltip(row);
    assert.match(tooltip, /^Neighbours \S*big\S*\s+7\s+unread · reply to the bot\s+Yes$/);
  });

  it('shows the name of a chat as soon as it is known', async () => {
    await open.receive(HIKERS, 'hello');
    assert.equal((await open.activity.rows())[0]?.label, '● 546790213');
    const repaint = open.activity.nextRepaint();
    await open.opened.directory.get('group', HIKERS.id);
    await repaint;
    assert.equal((await open.activity.rows())[0]?.label, '● 后山徒步队');
  });

  it('tells other features which chats could not be checked', async () => {
    service.instead = async () => Response.json({ code: 1005, msg: '' });
    await open.sidebar.watcher.poll(HIKERS);
    service.instead = () => undefined;
    assert.deepEqual(
      (await open.sidebar.listActivity()).watched.map(({ id, error }) => [id, isFailure(error, 'rejected')]),
      [
        [BIG.id, false],
        [HIKERS.id, true],
      ],
    );
  });

  it('tells other features what another window has found', async () => {
    const other = open.newSidebar();
    assert.deepEqual((await other.listActivity()).items, []);
    await open.receive(BIG, 'hello');
    const { items } = await other.listActivity();
    assert.deepEqual(
      items.map(({ text }) => text),
      ['hello'],
    );
    other.dispose();
  });

  it('tells the view whether chats are watched, which says how to begin otherwise', async () => {
    const contexts: unknown[][] = [];
    const registered = commands.registerCommand('setContext', (...context) => void contexts.push(context));
    await open.activity.rows();
    await open.sidebar.watcher.unwatch(BIG, HIKERS);
    await open.activity.rows();
    registered.dispose();
    assert.deepEqual(contexts, [
      ['botChats.isWatching', true],
      ['botChats.isWatching', false],
    ]);
  });

  it('makes no request', async () => {
    await open.receive(BIG, 'hello');
    service.requests.splice(0);
    await open.activity.rows();
    assert.deepEqual(service.requests, []);
  });

  it('has no dot any more once it is read, and keeps only what has another reason', async () => {
    await open.receive(BIG, 'hello', 'tea');
    await open.sidebar.activity.markAllRead();
    const [tea, ...others] = await open.activity.rows();
    assert.deepEqual([tea?.label, others], ['Neighbours', []]);
    assert.match(tea?.spoken ?? '', /^Neighbours, “tea”, /);
  });

  it('is gone through by keyboard, from the newest on and around the end', async () => {
    await open.receive(BIG, 'one', 'two', 'three');
    for (const text of ['three', 'two', 'one', 'three']) assert.equal(await openedBy(next), text);
    assert.equal(await openedBy(previous), 'one');
    const revealed = open.activity.revealed.map(({ text }) => text);
    assert.deepEqual(revealed, ['three', 'two', 'one', 'three', 'one']);
    open.activity.setVisible(false);
    await next();
    assert.equal(open.activity.revealed.length, 5);
  });

  it('goes on from where it was after that message is gone', async () => {
    await open.receive(BIG, 'tea one', 'two', 'tea three');
    open.sidebar.activityView.select(open.sidebar.activity.items[1]);
    await open.sidebar.activity.markAllRead();
    assert.equal(await openedBy(next), 'tea one');
    assert.equal(await openedBy(previous), 'tea three');
  });

  it('goes on from where it was among messages of one moment after that one is gone', async () => {
    await keepReplies(['four', 'three', 'two', 'one']);
    open.sidebar.activityView.select(open.sidebar.activity.items[2]);
    await keepReplies(['four', 'three', 'one']);
    assert.equal(await openedBy(next), 'one');
    assert.equal(await openedBy(previous), 'three');
  });

  it('says that nothing needs the user', async () => {
    const messages = onMessages();
    await next();
    assert.deepEqual([messages, open.ran], [['Nothing needs you in the chats you watch.'], []]);
  });

  it('can be filtered, and says so', async () => {
    await open.receive(BIG, 'hello', 'tea');
    const { view } = open.activity;
    const repaint = open.activity.nextRepaint();
    assert.deepEqual(await filterBy('Words'), ['$(check) All | 2', 'Unread | 2', 'Replies | 0', 'Words | 1']);
    await repaint;
    assert.equal((await open.activity.rows()).length, 1);
    assert.deepEqual([view.title, view.description], ['Activity (1)', 'Words']);
    await filterBy('Unread');
    assert.deepEqual([view.title, view.description], ['Activity (2)', 'Unread']);
    await filterBy('Replies');
    assert.deepEqual([view.title, view.description], ['Activity', 'Replies']);
    await filterBy('All');
    assert.deepEqual([view.title, view.description], ['Activity (2)', '']);
  });

  it('counts its messages in its title, also while it is collapsed', async () => {
    await open.receive(BIG, 'hello', 'tea');
    const { view } = open.activity;
    assert.equal(view.title, 'Activity (2)');
    // As in a window that has just opened.
    view.title = '';
    await open.activity.rows();
    assert.equal(view.title, 'Activity (2)');
    await open.sidebar.activityView.markRead(open.sidebar.activity.items[1]);
    assert.deepEqual([view.title, listed()], ['Activity (1)', ['tea']]);
    await open.sidebar.watcher.unwatch(BIG);
    assert.equal(view.title, 'Activity');
  });

  it('names the words in the settings that cannot be used, once they change', async () => {
    const message = async (words: unknown[]) => {
      const repainted = open.activity.nextRepaint();
      await configure({ 'watching.words': words });
      await repainted;
      await open.activity.rows();
      return open.activity.view.message;
    };
    assert.equal(await message(['coffee']), '');
    assert.equal(
      await message(['tea', '!!', 7]),
      'Can\'t look for: "!!", 7. Each entry of botChats.watching.words needs a letter, a digit or an emoji, and has up to 100 characters.',
    );
    assert.equal(
      await message(Array.from({ length: 101 }, (_, at) => `word${at}`)),
      'Only the first 100 words of botChats.watching.words are looked for.',
    );
  });
});

describe('The notification of messages that need the user', () => {
  const item = (id: string, more: Partial<ShownItem>): ShownItem => ({
    service: '',
    kind: 'group',
    id,
    botId: BOT,
    msgId: 'm',
    sendTime: 0,
    sender: '',
    senderId: '',
    text: '',
    isUnread: true,
    isReply: false,
    words: [],
    ...more,
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
