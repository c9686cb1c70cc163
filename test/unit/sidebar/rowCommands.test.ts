import assert from 'node:assert/strict';
import { env, type InputBox, type InputBoxOptions, type window } from 'vscode';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import { answer, onMessages, onStatusBar } from '../answers.ts';
import { sendTo } from '../chats/history/test-page.ts';
import { configure, useService, written } from '../test-service.ts';
import { factIn, LISTS, openSidebar } from './openSidebar.ts';
import { BOTS, GROUPS, PEOPLE } from './showTree.ts';

describe('The commands on rows', () => {
  const service = useService({ ...LISTS, 'service.callsPerSecond': 1000 });
  let sidebar: Awaited<ReturnType<typeof openSidebar>>;

  beforeEach(async () => {
    sidebar = await openSidebar(service);
  });
  afterEach(() => sidebar.close());

  /** A row whose facts are known. */
  const foundGroup = async () => {
    await sidebar.shown.visibleItems(GROUPS);
    return (await sidebar.shown.rows(GROUPS))[0];
  };
  const copied = () => env.clipboard.readText();

  it('apply to the selection if the clicked row is in it, otherwise to that row', async () => {
    const [one, other] = await sidebar.shown.rows(GROUPS);
    assert(one && other);
    assert.deepEqual(await sidebar.commands.nodes(one, [one, other]), [one, other]);
    assert.deepEqual(await sidebar.commands.nodes(one, undefined), [one]);
    assert.deepEqual(await sidebar.commands.nodes(one, []), [one]);
  });

  describe('Never sending to a chat', () => {
    afterEach(() => configure({ 'sending.never': undefined }));

    const noting = (...notes: (string | undefined)[]) => {
      const asked: InputBoxOptions[] = [];
      answer('showInputBox', (async (options: InputBoxOptions) => notes[asked.push(options) - 1]) as never);
      return asked;
    };

    it('puts rows on the Do Not Send list, with a note if one is typed, and takes them off', async () => {
      await sidebar.shown.visibleItems(PEOPLE);
      const [alice, other] = await sidebar.shown.rows(PEOPLE);
      const [group] = await sidebar.shown.rows(GROUPS);
      assert(alice && other && group);
      const asked = noting(' asked to stop ', '', undefined);
      await sidebar.commands.neverSend([alice]);
      assert.deepEqual(written('sending.never').user, { people: [{ id: '7058314', note: 'asked to stop' }] });
      await sidebar.commands.neverSend([alice, group]);
      await sidebar.commands.neverSend([other]);
      // It holds for any number of chats.
      assert.doesNotMatch(`${asked[1]?.prompt}`, /the chat/i);
      assert.deepEqual(
        asked.map(({ title, value }) => [title, value]),
        [
          ['Never Send to Alice Fernhollow', ''],
          ['Never Send to 2 Chats', ''],
          ['Never Send to 闻山禾', ''],
        ],
      );
      assert.deepEqual(written('sending.never').user, {
        people: [{ id: '7058314', note: 'asked to stop' }],
        groups: ['518204736'],
      });
      await sidebar.commands.allowSending([alice, other]);
      assert.deepEqual(written('sending.never').user, { people: [], groups: ['518204736'] });
    });

    it('keeps a note that another window has added while the user was asked', async () => {
      const [alice, other] = await sidebar.shown.rows(PEOPLE);
      assert(alice?.type === 'chat' && other?.type === 'chat');
      const noted = { id: alice.id, note: 'asked to stop' };
      answer('showInputBox', (async () => {
        await configure({ 'sending.never': { people: [noted] } });
        return '';
      }) as never);
      await sidebar.commands.neverSend([alice, other]);
      assert.deepEqual(written('sending.never').user, { people: [noted, other.id] });
    });

    it('changes nothing in a setting that holds something else, and says so', async () => {
      await configure({ 'sending.never': ['7058314'] });
      const [alice] = await sidebar.shown.rows(PEOPLE);
      const asked = noting('x');
      for (const name of ['neverSend', 'allowSending'] as const)
        await assert.rejects(sidebar.commands[name]([alice ?? assert.fail()]), /entries that can't be read/);
      assert.deepEqual([asked, written('sending.never').user], [[], ['7058314']]);
    });
  });

  describe('Copying', () => {
    it('copies the IDs of rows and references, one per line', async () => {
      await sidebar.shown.visibleItems(GROUPS);
      const [group] = await sidebar.shown.rows(GROUPS);
      const facts = await sidebar.factsOf(group);
      const shown = onStatusBar();
      await sidebar.commands.copyId([group ?? assert.fail(), factIn(facts, 'Name'), factIn(facts, 'Bot')]);
      assert.equal(await copied(), '518204736\n30481126');
      assert.deepEqual(shown, ['Copied']);
    });

    it('copies the whole value of a fact, and the ID of a row', async () => {
      await sidebar.shown.visibleItems(GROUPS);
      const [group] = await sidebar.shown.rows(GROUPS);
      const facts = await sidebar.factsOf(group);
      await sidebar.commands.copyValue([factIn(facts, 'Introduction')]);
      assert.match(await copied(), /^Everything about running.*\n\nOrders.*no spoilers about new blends\.$/s);
      await sidebar.commands.copyValue([group ?? assert.fail(), factIn(facts, 'Members')]);
      assert.equal(await copied(), '518204736\n342');
    });

    it('copies the raw JSON of a lookup, or an array of several', async () => {
      await sidebar.shown.visibleItems(GROUPS);
      const [one, two] = await sidebar.shown.rows(GROUPS);
      assert(one && two);
      await sidebar.commands.copyJson([one]);
      const raw = JSON.parse(await copied());
      assert.deepEqual([raw.groupId, raw.groupBotRel.bot.token], ['518204736', '']);
      await sidebar.commands.copyJson([one, two]);
      assert.deepEqual(
        JSON.parse(await copied()).map(({ groupId }: { groupId: string }) => groupId),
        ['518204736', 'big'],
      );
    });

    it('looks up a row that was not visible before its JSON is copied', async () => {
      await sidebar.commands.copyJson(await sidebar.rowsAt(GROUPS, 'big'));
      assert.equal(JSON.parse(await copied()).groupId, 'big');
    });

    it('says why there is no JSON, as of a person who no longer exists', async () => {
      const gone = { ...factIn(await sidebar.factsOf(await foundGroup()), 'Created by'), id: '7999999' } as ChatNode;
      await env.clipboard.writeText('mine');
      await assert.rejects(sidebar.commands.copyJson([gone]), /no user 7999999/);
      assert.equal(await copied(), 'mine');
    });

    it("doesn't change the clipboard if there is nothing to copy", async () => {
      await env.clipboard.writeText('mine');
      await sidebar.commands.copyId([(await sidebar.shown.sectionOf(GROUPS)) ?? assert.fail()]);
      assert.equal(await copied(), 'mine');
    });
  });

  describe('Sending', () => {
    it('passes on the selected chats without duplicates and bots', async () => {
      await sidebar.shown.visibleItems(GROUPS);
      const creator = factIn(await sidebar.factsOf((await sidebar.shown.rows(GROUPS))[0]), 'Created by');
      await sidebar.commands.send([
        ...(await sidebar.shown.rows(GROUPS)),
        ...(await sidebar.shown.rows(BOTS)),
        creator,
        ...(await sidebar.shown.rows(PEOPLE)),
      ]);
      const chats = [
        ...['518204736', 'big', '524317890'].map((id) => ({ kind: 'group', id })),
        ...['7058314', '7102649'].map((id) => ({ kind: 'user', id })),
      ];
      assert.deepEqual(sidebar.sent, [{ chats, document: undefined }]);
    });

    it('fails if no node can receive messages', async () => {
      await assert.rejects(sidebar.commands.send(await sidebar.shown.rows(BOTS)), /Only groups and people/);
      assert.deepEqual(sidebar.sent, []);
    });

    it('sends a dropped document to the row, or to the selection if the row is in it', async () => {
      const [one, two] = await sidebar.shown.rows(GROUPS);
      assert(one && two);
      const document = 'file:///w/a.md';
      await sidebar.commands.dropDocuments([document], one);
      sidebar.user.selection = [one, two];
      await sidebar.commands.dropDocuments([document], two);
      sidebar.user.selection = [two];
      await sidebar.commands.dropDocuments([document], one);
      assert.deepEqual(
        sidebar.sent.map(({ chats }) => chats.map(({ id }) => id)),
        [['518204736'], ['518204736', 'big'], ['518204736']],
      );
      assert.equal(sidebar.sent[0]?.document, 'file:///w/a.md');
    });

    it('offers to add those in a file dropped on a section to an audience', async () => {
      const section = await sidebar.shown.sectionOf(GROUPS);
      assert(section);
      await sidebar.commands.dropDocuments(['file:///w/customers.csv'], section);
      assert.deepEqual(sidebar.ran, ['addFileToAudience file:///w/customers.csv']);
      assert.deepEqual(sidebar.sent, []);
    });

    it('accepts one document at a time', async () => {
      const [row] = await sidebar.shown.rows(GROUPS);
      assert(row);
      const document = 'file:///w/a.md';
      await assert.rejects(sidebar.commands.dropDocuments([document, document], row), /one file/);
      await assert.rejects(sidebar.commands.dropDocuments([], row), /one file/);
      assert.deepEqual(sidebar.sent, []);
    });
  });

  describe('Watching', () => {
    it('uses the bot that is attached to a group, otherwise asks once for all chats', async () => {
      await sidebar.shown.visibleItems(GROUPS);
      sidebar.user.bot = '30481126';
      await sidebar.commands.watch([
        ...(await sidebar.rowsAt(GROUPS, '518204736')),
        ...(await sidebar.shown.rows(BOTS)),
        ...(await sidebar.shown.rows(PEOPLE)),
      ]);
      assert.deepEqual(sidebar.asked, [{ title: 'Watch 2 chats as which bot?', preferred: undefined }]);
      const [group] = await sidebar.shown.items(await sidebar.rowsAt(GROUPS, '518204736'));
      assert.equal(group?.contextValue, 'chat group known watched');
    });

    it("doesn't ask again for a watched chat", async () => {
      const rows = await sidebar.rowsAt(PEOPLE, '7058314');
      await sidebar.commands.watch(rows);
      await sidebar.commands.watch(rows);
      assert.equal(sidebar.asked.length, 1);
      assert.equal(sidebar.watcher.state({ kind: 'user', id: '7058314' })?.botId, '30527740');
    });

    it("doesn't start if no bot is chosen", async () => {
      sidebar.user.bot = undefined;
      await sidebar.commands.watch(await sidebar.shown.rows(PEOPLE));
      assert.equal(sidebar.asked.length, 1);
      assert.equal(sidebar.watcher.state({ kind: 'user', id: '7058314' }), undefined);
    });

    it('stops when the row is removed, and continues after undo', async () => {
      const chat = { kind: 'user', id: '7058314' } as const;
      const rows = await sidebar.rowsAt(PEOPLE, chat.id);
      await sidebar.commands.watch(rows);
      let meanwhile: unknown;
      onMessages((_, [undo]) => {
        meanwhile = sidebar.watcher.state(chat);
        return undo;
      });
      await sidebar.commands.remove(rows);
      assert.equal(meanwhile, undefined);
      assert.equal(sidebar.watcher.state(chat)?.botId, '30527740');
    });

    it('keeps what was unread when its row is removed, and that is undone', async () => {
      const chat = { kind: 'group', id: 'big' } as const;
      const rows = await sidebar.rowsAt(GROUPS, chat.id);
      await sidebar.commands.watch(rows);
      const botId = sidebar.watcher.state(chat)?.botId;
      const other = LISTS.bots.find((id) => id !== botId);
      await sendTo(service.sandbox, chat.id, 'unread', other);
      await sidebar.watcher.poll(chat);
      const before = sidebar.watcher.state(chat);
      assert.equal(before?.unread, 1);
      onMessages((_, [undo]) => undo);
      await sidebar.commands.remove(rows);
      assert.deepEqual(sidebar.watcher.state(chat), before);
    });

    it('keeps in the activity what was read when its row is removed, and that is undone', async () => {
      const chat = { kind: 'group', id: 'big' } as const;
      const rows = await sidebar.rowsAt(GROUPS, chat.id);
      await sidebar.commands.watch(rows);
      const botId = sidebar.watcher.state(chat)?.botId ?? '';
      const other = LISTS.bots.find((id) => id !== botId);
      await sendTo(service.sandbox, chat.id, 'We deploy', other);
      await sidebar.watcher.poll(chat);
      await sidebar.activity.add(sidebar.watcher.watches);
      await sidebar.activity.markAllRead();
      const before = sidebar.activity.items;
      assert.deepEqual(
        before.map(({ text, isUnread, words }) => [text, isUnread, words]),
        [['We deploy', false, ['deploy']]],
      );
      let meanwhile: unknown;
      onMessages((_, [undo]) => {
        meanwhile = sidebar.activity.items;
        return undo;
      });
      await sidebar.commands.remove(rows);
      assert.deepEqual(meanwhile, []);
      assert.deepEqual(sidebar.activity.items, before);
    });

    it('stops', async () => {
      const rows = await sidebar.shown.rows(PEOPLE);
      await sidebar.commands.watch(rows);
      await sidebar.commands.unwatch(rows.slice(0, 1));
      assert.deepEqual(
        LISTS.people.map((id) => sidebar.watcher.state({ kind: 'user', id }) !== undefined),
        [false, true],
      );
    });
  });

  it('look up rows again and poll the watched ones', async () => {
    const rows = await sidebar.shown.rows(PEOPLE);
    await sidebar.commands.watch(rows.slice(0, 1));
    service.requests.splice(0);
    await sidebar.commands.retry(rows);
    assert.deepEqual(service.requests.map(({ pathname }) => pathname.replace(/.*\//, '')).toSorted(), [
      'homepage',
      'homepage',
      'messages',
    ]);
  });

  describe('Filtering and sorting', () => {
    /** An input box in which the user types a text and then accepts or hides it, as `end` does. */
    const filterBy = async (text: string, end: 'accept' | 'hide') => {
      answer('createInputBox', (() => {
        const listeners = { accept: () => {}, hide: () => {} };
        const box = {
          value: '',
          onDidChangeValue: () => {},
          onDidAccept: (listener: () => void) => (listeners.accept = listener),
          onDidHide: (listener: () => void) => (listeners.hide = listener),
          show() {
            box.value = text;
            listeners[end]();
          },
          dispose() {},
        };
        return box as unknown as InputBox;
      }) as typeof window.createInputBox);
      await sidebar.commands.filter();
    };

    it('filters while typing, restores the filter on Escape, and can be cleared', async () => {
      await sidebar.shown.visibleItems(GROUPS);
      await filterBy('  neigh ', 'accept');
      assert.deepEqual(await sidebar.idsIn(GROUPS), ['big']);
      await filterBy('fern', 'hide');
      assert.deepEqual(await sidebar.idsIn(GROUPS), ['big']);
      await sidebar.commands.clearFilter();
      assert.equal((await sidebar.idsIn(GROUPS)).length, 3);
    });

    it('remembers the order over a restart', async () => {
      await sidebar.shown.visibleItems(GROUPS);
      const choose = async (label: string) => {
        answer('showQuickPick', (async (items: { label: string }[]) =>
          items.find((item) => item.label.endsWith(label))) as unknown as typeof window.showQuickPick);
        await sidebar.commands.sortBy();
      };
      await choose('By name');
      assert.deepEqual(await sidebar.idsIn(GROUPS), ['518204736', 'big', '524317890']);
      await choose('By ID');
      assert.deepEqual(await sidebar.idsIn(GROUPS), ['518204736', '524317890', 'big']);
      await choose('not an order');
      assert.equal(sidebar.shown.tree.sections.order, 'id');
      sidebar.shown.tree.sections.order = 'listed';
      sidebar.newCommands();
      assert.equal(sidebar.shown.tree.sections.order, 'id');
    });
  });
});
