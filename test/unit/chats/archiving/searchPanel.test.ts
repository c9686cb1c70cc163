import assert from 'node:assert/strict';
import { commands, TabInputWebview, window } from 'vscode';
import type { FoundPage, SearchRequest } from '../../../../src/chats/archive/search.ts';
import { LatestSearch, SearchPanel } from '../../../../src/chats/archiving/searchPanel.ts';
import type { BotChat } from '../../../../src/protocol/botChat.ts';
import { type FromSearchPage, type SearchQuery, ToSearchPage } from '../../../../src/protocol/search.ts';
import { answer, restore } from '../../answers.ts';
import { deferred, settled } from '../../deferred.ts';
import { onPanels, PanelPage } from '../../panelPage.ts';
import { newHost } from '../../test-host.ts';
import { jsonsOf, messageOf } from '../archive/archives.ts';
import { archiveInProcess } from './archiveInProcess.ts';

const SHOP: BotChat = { service: 'https://chat.example', kind: 'group', id: '518204736', botId: '30481126' };
const QUERY: SearchQuery = { text: '', chat: 1, order: 'newest' };

describe('The search panel', () => {
  let panel: SearchPanel;
  let page: TestPage;
  let thread: ReturnType<typeof archiveInProcess>;

  beforeEach(async () => {
    thread = archiveInProcess();
    await thread.archive.addChat(SHOP);
    onPanels(() => {
      page = new TestPage();
      return page;
    });
    panel = new SearchPanel('botChats.search', newHost(), controller());
  });
  afterEach(restore);

  const controller = () =>
    ({
      thread,
      namesOf: async () => ({ name: 'The shop', botName: 'Order Desk' }),
    }) as never;

  it('fills in a query when its page is loaded, after the chats that the page can filter', async () => {
    await panel.show(QUERY);
    assert.deepEqual(page.received, []);
    await page.load();
    assert.deepEqual(page.types, ['scope', 'focus']);
    assert.deepEqual(page.received.at(-1), { type: 'focus', query: QUERY });
  });

  it('shows what a sender has written in a chat', async () => {
    await panel.showChat(1, { sender: { type: 'user', id: '7058314' } });
    await page.load();
    assert.deepEqual(page.received.at(-1), { type: 'focus', query: { ...QUERY, sender: 'user 7058314' } });
  });

  it('finds in a chat what was sought in its history', async () => {
    await panel.showChat(1, { text: 'kettle' });
    await page.load();
    assert.deepEqual(page.received.at(-1), { type: 'focus', query: { ...QUERY, text: 'kettle' } });
  });

  it('leaves the focus of a new page where it is', async () => {
    await panel.show();
    await page.load();
    assert.deepEqual(page.types, ['scope']);
  });

  it('moves the focus of a visible page, and fills in a query at once', async () => {
    await panel.show();
    await page.load();
    await panel.show(QUERY);
    await panel.show();
    assert.deepEqual(page.types, ['scope', 'scope', 'focus', 'scope', 'focus']);
    assert.deepEqual(page.received[2], { type: 'focus', query: QUERY });
    assert.deepEqual(page.received[4], { type: 'focus' });
  });

  it('fills in a query when a hidden page has been loaded again', async () => {
    await panel.show();
    await page.load();
    page.setVisible(false);
    await panel.show(QUERY);
    await page.load();
    assert.deepEqual(page.received, [page.received[0], { type: 'focus', query: QUERY }]);
  });

  it('moves the focus to the query when a hidden page has been loaded again, which restores its own', async () => {
    await panel.show();
    await page.load();
    page.setVisible(false);
    await panel.show();
    await page.load();
    assert.deepEqual(page.types, ['scope', 'focus']);
    page.setVisible(false);
    await page.load();
    assert.deepEqual(page.types, ['scope']);
  });

  it('opens a result with the words that found it, and is shown again as it was left', async () => {
    const host = newHost();
    const chat = await thread.archive.addChat(SHOP);
    const opened: unknown[] = [];
    const registered = commands.registerCommand('botChats.openMessage', (...args) => void opened.push(...args));
    panel = new SearchPanel('botChats.search', host, controller());
    await panel.showResults();
    await page.load();
    page.send({ type: 'search', search: 1, query: { text: 'noon', order: 'newest' } });
    await page.receivedOne('found');
    page.send({ type: 'openMessage', chat, msgId: 'm1' });
    while (opened.length === 0) await settled();
    page.setVisible(false);
    await panel.showResults();
    await page.load();
    registered.dispose();
    assert.deepEqual([opened, page.types], [[{ ...SHOP, msgId: 'm1', found: 'noon' }], ['scope']]);
  });

  it('is found in its tab from before a reload', async () => {
    const host = newHost();
    panel = new SearchPanel('botChats.search', host, controller());
    await panel.show();
    const tab = { label: 'Search Messages', input: new TabInputWebview('mainThreadWebview-botChats.search') };
    const group = { viewColumn: 1, tabs: [tab] };
    answer('tabGroups', { ...window.tabGroups, all: [{ ...group, tabs: [{ ...tab, group }] }] } as never);
    panel = new SearchPanel('botChats.search', host, controller());
    const first = page;
    const restored = new TestPage();
    const shown = commands.registerCommand('workbench.action.openEditorAtIndex', () => panel.restore(restored.panel));
    await panel.show(QUERY);
    shown.dispose();
    await restored.load();
    assert.deepEqual(restored.received.at(-1), { type: 'focus', query: QUERY });
    assert.equal(page, first);
  });

  it('says how many chats of the sidebar are archived, unless all are', async () => {
    const listing = async (groups: string[], people: string[] = []) => {
      const chatsOf = (kind: BotChat['kind'], ids: readonly string[]) => ids.map((id) => ({ kind, id }));
      const host = newHost({
        connection: { open: async () => ({ address: SHOP.service }) } as never,
        lists: { chats: () => [...chatsOf('group', groups), ...chatsOf('user', people)] } as never,
      });
      panel = new SearchPanel('botChats.search', host, controller());
      await panel.show();
      await page.load();
      const [scope] = page.received;
      return scope?.type === 'scope' ? [scope.summary, scope.unarchived] : assert.fail();
    };
    assert.deepEqual(await listing([SHOP.id]), ['1 chat, 1 of them incomplete', '']);
    assert.deepEqual(await listing([]), ['1 chat, 1 of them incomplete', '']);
    const few = 'Only 1 of 3 chats in the sidebar is archived.';
    assert.deepEqual(await listing([SHOP.id, '546790213'], ['7058314']), ['1 of 3 chats, 1 of them incomplete', few]);
    assert.deepEqual((await listing(['1', '2']))[1], 'No chats in the sidebar are archived.');
    await thread.archive.addChat({ ...SHOP, id: '1' });
    await thread.archive.addChat({ ...SHOP, id: '9' });
    assert.deepEqual((await listing([SHOP.id, '1', '2']))[1], 'Only 2 of 3 chats in the sidebar are archived.');
  });

  it('answers what was typed last, even if what was typed before takes longer to begin', async () => {
    await panel.show();
    await page.load();
    const chat = await thread.archive.addChat(SHOP);
    await thread.archive.addLatest(chat, jsonsOf([messageOf('m1', 'Ready at noon')]), 1);
    const slow = deferred<boolean>();
    const answers = [slow.promise, Promise.resolve(true)];
    thread.exists = () => answers.shift() ?? Promise.resolve(true);
    page.received = [];
    for (const [index, text] of ['no', 'noon'].entries())
      page.send({ type: 'search', search: index + 1, query: { text, order: 'newest' } });
    await settled();
    slow.resolve(true);
    await page.until(() => page.received.length > 0);
    assert.deepEqual(
      page.received.map((one) => one.type === 'found' && one.search),
      [2],
    );
  });

  it('shows the ID of a sender without a name, as histories and its own filter do', async () => {
    await panel.show();
    await page.load();
    const chat = await thread.archive.addChat(SHOP);
    const messages = ['', ' \u3000', 'Ana'].map((senderNickname, at) =>
      messageOf(`m${at}`, 'noon', { senderNickname, senderId: `${at}`, sendTime: at }),
    );
    await thread.archive.addLatest(chat, jsonsOf([...messages, { noon: 1 }]), 4);
    page.received = [];
    page.send({ type: 'search', search: 1, query: { text: 'noon', order: 'newest' } });
    await page.until(() => page.received.length > 0);
    const names = page.received.flatMap((one) => (one.type === 'found' ? one.found : [])).map((one) => one.senderName);
    assert.deepEqual(names.toSorted(), ['', '0', '1', 'Ana']);
    assert.deepEqual(
      (await thread.archive.filters()).senders.map(({ name }) => name),
      ['0', '1', 'Ana'],
    );
  });

  it('offers senders that have neither a name nor an ID by a dash, as statistics do', async () => {
    await panel.show();
    const chat = await thread.archive.addChat(SHOP);
    const tip = messageOf('m1', 'Ana has joined.', { senderNickname: '', senderId: '', senderType: '' });
    await thread.archive.addLatest(chat, jsonsOf([tip]), 1);
    await page.load();
    const { senders } = page.received.find((one) => one.type === 'scope') ?? {};
    assert.deepEqual(senders, [{ sender: ' ', name: '—' }]);
  });

  it('names a chat that another window has archived since, once it finds something there', async () => {
    await panel.show();
    await page.load();
    const { archive } = thread;
    const added = await archive.addChat({ ...SHOP, id: '546790213' });
    await archive.addLatest(added, jsonsOf([messageOf('m1', 'Ready at noon')]), 1);
    page.received = [];
    page.send({ type: 'search', search: 1, query: { text: 'noon', order: 'newest' } });
    await page.until(() => page.received.length > 1);
    assert.deepEqual(page.types, ['found', 'scope']);
    const { chats = [] } = page.received.find((one) => one.type === 'scope') ?? {};
    assert.ok(chats.some(({ number }) => number === added));

    page.received = [];
    page.send({ type: 'search', search: 2, query: { text: 'noon', order: 'newest' } });
    await page.until(() => page.received.length > 0);
    assert.deepEqual(page.types, ['found']);
  });
});

class TestPage extends PanelPage<ToSearchPage, FromSearchPage> {
  constructor() {
    super(ToSearchPage, 'Search Messages');
  }
}

/** A page of this many results. */
const pageOf = (count: number, below?: number): FoundPage => ({
  found: Array.from({ length: count }, () => ({})) as unknown as FoundPage['found'],
  next: below === undefined ? undefined : { below },
});

describe('The latest search', () => {
  /** The texts that were searched for, with how to answer each. */
  let asked: { text: string; below: number | undefined; answer(page: FoundPage): void; fail(error: Error): void }[];
  let shown: string[];
  let search: LatestSearch;
  const request = (text: string): SearchRequest => ({ text, order: 'newest' });
  const answer = async (page: FoundPage) => {
    asked.at(-1)?.answer(page);
    await settled();
  };

  beforeEach(() => {
    [asked, shown] = [[], []];
    const archive = {
      search: ({ text }: SearchRequest, _limit: number, cursor?: { below: number }) =>
        new Promise<FoundPage>((resolve, reject) => {
          asked.push({ text, below: cursor?.below, answer: resolve, fail: reject });
        }),
    };
    search = new LatestSearch(archive, {
      found: (number, found, isLast) => shown.push(`${number}: ${found.length}${isLast ? ' last' : ''}`),
      failed: (number, error) => shown.push(`${number}: ${error}`),
    });
  });

  it('skips the searches that were replaced while another one ran', async () => {
    for (const [at, text] of ['k', 'ke', 'ket'].entries()) search.start(at, request(text));
    await answer(pageOf(50, 7));
    await answer(pageOf(3));
    assert.deepEqual(
      asked.map(({ text }) => text),
      ['k', 'ket'],
    );
    assert.deepEqual(shown, ['2: 3 last']);
  });

  it('continues where it was, if more is wanted and there is more', async () => {
    search.start(1, request('a'));
    await answer(pageOf(50, 7));
    search.more(1);
    await answer(pageOf(2));
    search.more(1);
    search.more(0);
    assert.deepEqual(
      asked.map(({ below }) => below),
      [undefined, 7],
    );
    assert.deepEqual(shown, ['1: 50', '1: 2 last']);
  });

  it('goes on until a page is full: without an index, each step finds only some', async () => {
    search.start(1, request('a'));
    await answer(pageOf(0, 90));
    await answer(pageOf(20, 80));
    await answer(pageOf(30, 70));
    assert.equal(asked.length, 3);
    assert.deepEqual(shown, ['1: 20', '1: 30']);
  });

  it('ends where there is no more, although more was wanted before that was known', async () => {
    search.start(1, request('a'));
    await answer(pageOf(20, 80));
    search.more(1);
    await answer(pageOf(3));
    assert.equal(asked.length, 2);
    assert.deepEqual(shown, ['1: 20', '1: 3 last']);
  });

  it('says that it failed, and can be tried again', async () => {
    search.start(1, request('a'));
    asked.at(-1)?.fail(new Error('broken'));
    await settled();
    search.start(2, request('a'));
    await answer(pageOf(0));
    assert.deepEqual(shown, ['1: Error: broken', '2: 0 last']);
  });
});
