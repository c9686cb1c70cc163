import assert from 'node:assert/strict';
import { ArchiveError } from '../../../../src/chats/archive/archiveError.ts';
import type { FoundPage, SearchRequest } from '../../../../src/chats/archive/search.ts';
import { archiveErrorText } from '../../../../src/chats/archiving/archiveErrorText.ts';
import { LatestSearch, SearchPanel } from '../../../../src/chats/archiving/searchPanel.ts';
import { formatDateTime } from '../../../../src/presentation/formats.ts';
import type { BotChat } from '../../../../src/protocol/botChat.ts';
import { type FromSearchPage, type SearchQuery, ToSearchPage } from '../../../../src/protocol/search.ts';
import { onMessages } from '../../answers.ts';
import { deferred, settled } from '../../deferred.ts';
import { PanelPage, panelTab, usePages } from '../../panelPage.ts';
import { newHost } from '../../test-host.ts';
import { jsonsOf, messageOf } from '../archive/archives.ts';
import { archiveInProcess } from './archiveInProcess.ts';

const VIEW = 'botChats.search';
const SHOP: BotChat = { service: 'https://chat.example', kind: 'group', id: '518204736', botId: '30481126' };
const QUERY: SearchQuery = { text: '', chat: 1, order: 'newest' };

describe('The search panel', () => {
  const pages = usePages((title) => new PanelPage<ToSearchPage, FromSearchPage>(ToSearchPage, title));
  let panel: SearchPanel;
  let thread: ReturnType<typeof archiveInProcess>;
  let chat: number;

  beforeEach(async () => {
    thread = archiveInProcess();
    chat = await thread.archive.addChat(SHOP);
    panel = newPanel();
  });

  /** A host whose sidebar has no chats. */
  const hostWithoutChats = () => newHost({ lists: { chats: () => [] } as never });
  const newPanel = (host = hostWithoutChats()) => {
    const namesOf = async () => ({ name: 'My shop', otherName: 'The shop', botName: 'Order Desk' });
    return new SearchPanel(VIEW, host, { thread, namesOf } as never);
  };
  /** A host that notes which commands are run. */
  function noting() {
    const run: unknown[][] = [];
    const host = hostWithoutChats();
    host.commands.run = async (...command) => void run.push(command);
    return { host, run };
  }
  /** Shows the panel, and loads its page. */
  async function show(query?: SearchQuery) {
    await panel.show(query);
    await pages.last.load();
    return pages.last;
  }
  /** Adds messages to the archived chat, as the newest ones. */
  const add = (...messages: object[]) => thread.archive.addLatest(chat, jsonsOf(messages), messages.length);
  const searchFor = (text: string, search = 1) =>
    ({ type: 'search', search, query: { text, order: 'newest' } }) as const;

  it('finds in a chat what was sought in its history, or what a sender has written, once the page is loaded', async () => {
    await panel.showChat(1, { text: 'kettle', sender: { type: 'user', id: '7058314' } });
    await pages.last.load();
    // After the chats that the page can filter.
    assert.deepEqual(pages.last.types, ['scope', 'focus']);
    const query = { ...QUERY, text: 'kettle', sender: 'user 7058314' };
    assert.deepEqual(pages.last.last('focus'), { type: 'focus', query });
    await panel.showChat(2);
    assert.deepEqual(pages.last.last('focus'), { type: 'focus', query: { ...QUERY, chat: 2 } });
  });

  it('moves the focus of a visible page, and fills in a query at once', async () => {
    const page = await show();
    await panel.show(QUERY);
    assert.deepEqual(page.last('focus'), { type: 'focus', query: QUERY });
    await panel.show();
    assert.deepEqual(page.last('focus'), { type: 'focus' });
    assert.deepEqual(page.types, ['scope', 'scope', 'focus', 'scope', 'focus']);
    assert.equal(page.reveals, 2);
  });

  it('moves the focus of a hidden page once it has been loaded again, and only then', async () => {
    const page = await show();
    for (const query of [QUERY, undefined]) {
      page.setVisible(false);
      await panel.show(query);
      await page.load();
      assert.deepEqual(page.types, ['scope', 'focus']);
      assert.deepEqual(page.last('focus')?.query, query);
    }
    page.setVisible(false);
    await page.load();
    assert.deepEqual(page.types, ['scope']);
  });

  it('opens a result with the words that found it, and is shown again as it was left', async () => {
    const { host, run } = noting();
    panel = newPanel(host);
    await panel.showResults();
    const page = pages.last;
    await page.load();
    await page.ask(searchFor('noon'), 'found');
    page.send({ type: 'openMessage', chat, msgId: 'm1' });
    assert.deepEqual(run, [['openMessage', { ...SHOP, msgId: 'm1', found: 'noon' }]]);
    page.setVisible(false);
    await panel.showResults();
    await page.load();
    assert.deepEqual(page.types, ['scope']);
    assert.equal(pages.opened.length, 1);
  });

  it('is found in its tab from before a reload', async () => {
    const host = newHost();
    panel = newPanel(host);
    await panel.show();
    pages.tabs.show([panelTab(VIEW, 'Search Messages')]);
    panel = newPanel(host);
    const restored = pages.restored('Search Messages');
    pages.tabs.onShown = () => panel.restore(restored.panel);
    await panel.show(QUERY);
    await restored.load();
    assert.deepEqual(restored.last('focus'), { type: 'focus', query: QUERY });
    assert.equal(pages.opened.length, 1);
  });

  it('says how much of the chats in the sidebar it covers', async () => {
    const host = newHost({
      connection: { open: async () => ({ address: SHOP.service }) } as never,
      lists: { chats: () => [SHOP, { kind: 'user', id: '7058314' }] } as never,
    });
    panel = newPanel(host);
    const page = await show();
    assert.equal(page.last('scope')?.summary, '1 of 2 chats, 1 of them incomplete');
    assert.equal(page.last('scope')?.unarchived, 'Only 1 of 2 chats in the sidebar is archived.');
  });

  it('answers what was typed last, even if what was typed before takes longer to begin', async () => {
    const page = await show();
    await add(messageOf('m1', 'Ready at noon'));
    const slow = deferred<boolean>();
    const answers = [slow.promise, Promise.resolve(true)];
    thread.exists = () => answers.shift() ?? Promise.resolve(true);
    page.send(searchFor('no', 1));
    page.send(searchFor('noon', 2));
    await settled();
    slow.resolve(true);
    await page.receivedOne('found');
    assert.deepEqual(
      page.messagesOf('found').map(({ search }) => search),
      [2],
    );
  });

  it('shows the ID of a sender without a name, as histories do', async () => {
    const page = await show();
    const messages = ['', ' \u3000', 'Ana'].map((senderNickname, at) =>
      messageOf(`m${at}`, 'noon', { senderNickname, senderId: `${at}`, sendTime: at }),
    );
    await add(...messages, { noon: 1 });
    await page.ask(searchFor('noon'), 'found');
    const names = page.last('found')?.found.map(({ senderName }) => senderName);
    assert.deepEqual(names?.toSorted(), ['', '0', '1', 'Ana']);
  });

  it('offers senders that have neither a name nor an ID by a dash, as statistics do', async () => {
    await add(messageOf('m1', 'Ana has joined.', { senderNickname: '', senderId: '', senderType: '' }));
    const page = await show();
    assert.deepEqual(page.last('scope')?.senders, [{ sender: ' ', name: '—' }]);
  });

  it('names a chat that another window has archived since, once it finds something there', async () => {
    const page = await show();
    chat = await thread.archive.addChat({ ...SHOP, id: '546790213' });
    await add(messageOf('m1', 'Ready at noon'));
    page.received = [];
    page.send(searchFor('noon', 1));
    await page.receivedOne('scope');
    assert.deepEqual(page.types, ['found', 'scope']);
    assert.ok(page.last('scope')?.chats.some(({ number }) => number === chat));

    page.received = [];
    await page.ask(searchFor('noon', 2), 'found');
    assert.deepEqual(page.types, ['found']);
  });

  it('lists the archived chats, their senders and their content types to filter by', async () => {
    await add(messageOf('m1', 'Ready at noon'), messageOf('m2', 'And you?', { senderId: '4', senderNickname: 'Bo' }));
    const page = await show();
    assert.deepEqual(page.last('scope'), {
      type: 'scope',
      summary: `1 chat, until ${formatDateTime(2)}, 1 of them incomplete`,
      unarchived: '',
      chats: [{ number: chat, kind: 'group', name: 'My shop', otherName: 'The shop' }],
      senders: [
        { sender: 'user 3000001', name: 'Ana' },
        { sender: 'user 4', name: 'Bo' },
      ],
      kinds: ['text'],
    });
  });

  it('shows of each result who said it, when and what, and its type if that is not text', async () => {
    const page = await show();
    await add(
      messageOf('m1', 'at noon', { contentType: 'markdown', sendTime: 1 }),
      messageOf('m2', '', { contentType: 'image', content: { imageName: 'noon.png' }, sendTime: 2 }),
      messageOf('m3', 'noon', { sendTime: null }),
    );
    await page.ask(searchFor('noon'), 'found');
    const { found = [], isLast } = page.last('found') ?? {};
    assert.deepEqual(
      found
        .map(({ msgId, senderName, kind, time, parts }) => [msgId, senderName, kind, time, parts.said.text])
        .toSorted(),
      [
        ['m1', 'Ana', '', 1, 'at noon'],
        ['m2', 'Ana', 'image', 2, 'noon.png'],
        ['m3', 'Ana', '', undefined, 'noon'],
      ],
    );
    assert.equal(new Set(found.map(({ key }) => key)).size, 3);
    assert.ok(found.every((one) => one.chat === chat));
    assert.equal(isLast, true);
  });

  it('filters by chat, sender and type', async () => {
    const page = await show();
    const other = await thread.archive.addChat({ ...SHOP, id: '546790213' });
    await thread.archive.addPage(other, jsonsOf([messageOf('other', 'noon')]));
    await panel.showScope();
    await add(
      messageOf('m1', 'noon'),
      messageOf('m2', 'noon', { senderId: '4' }),
      messageOf('m3', 'noon', { contentType: 'markdown' }),
    );
    const filters: [filter: Partial<SearchQuery>, ids: string][] = [
      [{}, 'm1 m2 m3 other'],
      [{ chat }, 'm1 m2 m3'],
      [{ sender: 'user 4' }, 'm2'],
      [{ kind: 'markdown' }, 'm3'],
    ];
    for (const [search, [filter, ids]] of filters.entries()) {
      await page.ask({ type: 'search', search, query: { text: 'noon', order: 'newest', ...filter } }, 'found');
      const found = page.last('found')?.found.map(({ msgId }) => msgId);
      assert.equal(found?.toSorted().join(' '), ids);
    }
  });

  it('shows more results if the page asks for them', async () => {
    const page = await show();
    await add(...Array.from({ length: 60 }, (_, at) => messageOf(`m${at}`, 'noon', { sendTime: at + 1 })));
    await page.ask(searchFor('noon'), 'found');
    assert.equal(page.last('found')?.found.length, 50);
    await page.ask({ type: 'more', search: 1 }, 'found');
    assert.equal(page.last('found')?.found.length, 10);
  });

  it('says on the page why a search failed', async () => {
    const error = new ArchiveError('busy');
    thread = archiveInProcess(() => {
      throw error;
    });
    panel = newPanel();
    await panel.show();
    pages.last.send({ type: 'ready' });
    await pages.last.ask(searchFor('noon'), 'failed');
    assert.deepEqual(pages.last.last('failed'), { type: 'failed', search: 1, text: archiveErrorText(error) });
  });

  it('says if the archive cannot be asked, and that a chat is not archived anymore', async () => {
    const said = onMessages();
    const page = await show();
    await add(messageOf('m1', 'noon'));
    await page.ask(searchFor('noon'), 'found');
    await thread.archive.removeChat(chat);
    await panel.showScope();
    page.send({ type: 'openMessage', chat, msgId: 'm1' });
    await settled();
    assert.deepEqual(said, ["This chat isn't archived anymore."]);
    thread.exists = async () => {
      throw new ArchiveError('busy');
    };
    page.send(searchFor('noon', 2));
    await settled();
    assert.deepEqual(said.slice(1), ['Another window is using the archive. Try again in a moment.']);
  });

  it('finds nothing before anything is archived, and offers to archive a chat', async () => {
    const { host, run } = noting();
    thread.exists = async () => false;
    panel = newPanel(host);
    const page = await show();
    const empty = { type: 'scope', summary: '', unarchived: '', chats: [], senders: [], kinds: [] };
    assert.deepEqual(page.last('scope'), empty);
    await page.ask(searchFor('noon'), 'found');
    assert.deepEqual(page.last('found'), { type: 'found', search: 1, found: [], isLast: true });
    thread.exists = async () => true;
    await page.ask({ type: 'archive' }, 'scope');
    assert.deepEqual(run, [['archiveAnyChat']]);
    assert.equal(page.last('scope')?.chats.length, 1);
  });

  it('stays as it is if what is archived cannot be read, and asks again before the next search', async () => {
    const { exists } = thread;
    thread.exists = async () => {
      throw new ArchiveError('busy');
    };
    await panel.show();
    const page = pages.last;
    page.send({ type: 'ready' });
    await settled();
    assert.deepEqual(page.types, []);
    thread.exists = exists;
    page.send(searchFor('noon'));
    await page.receivedOne('found');
    assert.deepEqual(page.types, ['scope', 'found']);
  });

  it('covers all that is archived if the sidebar is not known', async () => {
    const offline = async () => {
      throw new Error('offline');
    };
    panel = newPanel(newHost({ connection: { open: offline } as never }));
    const page = await show();
    assert.equal(page.last('scope')?.summary, '1 chat, 1 of them incomplete');
    assert.equal(page.last('scope')?.unarchived, '');
  });

  it('is there once, also when VS Code restores another one', async () => {
    const page = await show();
    panel.restore(pages.restored().panel);
    assert.equal(page.isOpen, false);
  });

  it('shows nothing anywhere while it is closed, and is a new one after that', async () => {
    const page = await show();
    page.close();
    await panel.showScope();
    await panel.showResults();
    assert.equal(pages.opened.length, 2);
  });
});

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
    asked = [];
    shown = [];
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
