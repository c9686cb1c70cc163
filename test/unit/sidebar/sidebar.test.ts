import assert from 'node:assert/strict';
import { onMessages } from '../answers.ts';
import { deferred, settled } from '../deferred.ts';
import { configure, useService } from '../test-service.ts';
import { BIG, BOT, openSidebar } from './openSidebar.ts';

/** Where somebody has read to: later than anything that these tests send. */
const LATER = { msgId: 'later', sendTime: Date.UTC(2100, 0) };

describe('New messages in the sidebar', () => {
  const service = useService({ groups: [{ id: 'big', label: 'Neighbours' }] });
  let open: Awaited<ReturnType<typeof openSidebar>>;
  let loaded: string[];

  beforeEach(async () => {
    open = await openSidebar(service);
    loaded = [];
    open.host.chatEvents.onDidArrive(async (_, chats) => void loaded.push(...chats.map(({ id }) => id)));
    await open.watch(BIG);
  });
  afterEach(async () => {
    open.close();
    await configure({
      groups: [{ id: 'big', label: 'Neighbours' }],
      'watching.notify': undefined,
      'watching.notifyMatches': undefined,
      'watching.words': undefined,
    });
  });

  it('are counted in the badge of the view and on their row until they are seen', async () => {
    const { sidebar, chats, receive } = open;
    assert.equal(chats.view.badge, undefined);
    const repainted = chats.repaintWith(open.rows(BIG)[0] ?? assert.fail());
    await receive(BIG, 'one');
    await repainted;
    await receive(BIG, 'two');
    assert.deepEqual(chats.view.badge, { value: 2, tooltip: '2 new messages' });
    assert.equal((await chats.row('Groups', 'Neighbours')).spoken, 'Neighbours, group, 2 new');
    const place = { ...BIG, service: open.opened.address, botId: BOT };
    await sidebar.markSeen(place, LATER);
    assert.equal(chats.view.badge, undefined);
  });

  it('disappear when the service changes', async () => {
    await open.receive(BIG, 'one');
    await configure({ 'service.sandbox': true });
    await open.sidebar.restart();
    assert.equal(open.chats.view.badge, undefined);
    await configure({ 'service.sandbox': undefined });
  });

  it('are marked as read in a window that has just opened, too, which says if there are none', async () => {
    await open.receive(BIG, 'one');
    const said = onMessages();
    const later = open.newSidebar();
    await later.markActivityRead();
    assert.deepEqual(said, []);
    await later.markActivityRead();
    assert.equal(said.length, 1);
    later.dispose();
    open.sidebar.watcher.wake();
    assert.equal(open.sidebar.watcher.total().unread, 0);
  });

  it('of many chats that change at once are counted together', async () => {
    const people = ['7058314', '7102649', '7225306'];
    await configure({ people });
    const badges: unknown[] = [];
    Object.defineProperty(open.chats.view, 'badge', { set: (badge) => badges.push(badge) });
    const watching = open.watch(...people.map((id) => ({ kind: 'user' as const, id })));
    // Before any answer.
    await settled();
    assert.equal(badges.length, 1);
    await watching;
    await configure({ people: undefined });
  });

  it('are shown in open histories without a notification', async () => {
    const messages = onMessages();
    await open.receive(BIG, 'one');
    assert.deepEqual([loaded, messages], [['big'], []]);
  });

  it('are announced by the label of the chat, with a link to its history, if the user wants that', async () => {
    await configure({ 'watching.notify': true });
    const messages = onMessages((_, [button]) => button);
    const run = open.nextRun();
    await open.receive(BIG, 'one');
    assert.deepEqual(await run, ['openHistory', { ...BIG, botId: BOT }]);
    assert.deepEqual([messages, loaded], [['New messages in Neighbours'], ['big']]);
  });

  it('with words of the user are announced once for all chats, and the newest can be opened', async () => {
    await configure({ 'watching.words': ['tea', '发布'], 'watching.notify': true });
    const othersAnnounced = deferred<void>();
    const messages = onMessages((text, [button]) => {
      if (text.startsWith('New messages')) othersAnnounced.resolve();
      return button === 'Open' ? button : undefined;
    });
    const run = open.nextRun();
    await open.receive(BIG, 'hello', 'Tea is ready', '今天发布');
    const [newest] = open.sidebar.activity.items;
    assert.partialDeepStrictEqual(await run, ['openMessage', { ...BIG, botId: BOT, msgId: newest?.msgId }]);
    await open.receive(BIG, 'nothing else');
    await othersAnnounced.promise;
    assert.deepEqual(messages, ['New for you in Neighbours (“发布”, “tea”)', 'New messages in Neighbours']);
  });

  it('with words of the user are not announced if the user has turned that off, but mark the row', async () => {
    await configure({ 'watching.words': ['tea'], 'watching.notifyMatches': false });
    const messages = onMessages();
    await open.receive(BIG, 'Tea is ready');
    const { spoken } = await open.chats.row('Groups', 'Neighbours');
    assert.deepEqual([messages, spoken], [[], 'Neighbours, group, 1 new · “tea”']);
  });

  it('move their chat to the top if rows are sorted by recent activity, as reading a history does', async () => {
    const { sidebar, chats, host, opened } = open;
    await configure({ groups: ['518204736', '546790213', 'big'] });
    sidebar.tree.sections.order = 'recent';
    assert.deepEqual(await chats.texts('Groups'), ['big', '518204736', '546790213']);
    const read = { service: opened.address, kind: 'group', id: '546790213', botId: BOT } as const;
    await host.store.remember('readMarks', read, LATER);
    const repainted: string[] = [];
    const repaintRow = sidebar.tree.repaint.bind(sidebar.tree);
    sidebar.tree.repaint = (row) => {
      repainted.push(row.id);
      repaintRow(row);
    };
    await sidebar.markSeen(read, LATER);
    assert.deepEqual(repainted, ['546790213']);
    assert.deepEqual(await chats.texts('Groups'), ['546790213', 'big', '518204736']);
    const repaint = chats.nextRepaint();
    await open.receive(BIG, 'one');
    assert.equal(await repaint, undefined);
  });
});
