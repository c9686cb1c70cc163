import assert from 'node:assert/strict';
import { env, type InputBox, type Memento, type TreeView, type Uri, window } from 'vscode';
import type { Connection } from '../../../src/platform/connection.ts';
import type { Host } from '../../../src/platform/host.ts';
import { Store } from '../../../src/platform/store.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import type { Chat } from '../../../src/service/model.ts';
import type { ChatNode } from '../../../src/sidebar/nodes.ts';
import { RowCommands } from '../../../src/sidebar/rowCommands.ts';
import { Watcher } from '../../../src/sidebar/watch/watcher.ts';
import { answer, onLists, onMessages, restore, type } from '../answers.ts';
import { memento, secretStorage } from '../memory.ts';
import { newHost } from '../test-host.ts';
import {
  configure,
  configureWorkspace,
  newConnection,
  type TestService,
  useService,
  written,
} from '../test-service.ts';
import { BOTS, GROUPS, PEOPLE, showTree } from './showTree.ts';

const LISTS = {
  groups: ['518204736', { id: 'big', label: 'Neighbours' }, '524317890'],
  bots: ['30481126', '30527740'],
  people: ['7058314', '7102649'],
};

describe('The commands on rows', () => {
  let service: TestService;
  let connection: Connection;
  let memory: Memento;
  let host: Host;
  let watcher: Watcher;
  let shown: ReturnType<typeof showTree>;
  let rowCommands: RowCommands;
  let selection: ChatNode[];
  let revealed: ChatNode[];
  let sent: { chats: readonly Chat[]; document: string | undefined }[];
  let asked: { title: string; preferred: string | undefined }[];
  let bot: string | undefined;

  before(async () => {
    service = await useService({ ...LISTS, 'service.callsPerSecond': 1000 });
  });

  after(() => service.close());

  beforeEach(async () => {
    await configure(LISTS);
    connection = newConnection();
    const tokens = new Tokens(secretStorage());
    memory = memento();
    for (const botId of LISTS.bots) {
      await tokens.set(await connection.open(), botId, service.sandbox.token(botId) ?? '');
    }
    [selection, revealed, sent, asked, bot] = [[], [], [], [], '30527740'];
    const chooseBot = async (_: unknown, title: string, preferred?: string) => {
      asked.push({ title, preferred });
      return preferred ?? bot;
    };
    host = newHost({ connection, tokens, store: new Store(memory), access: { chooseBot } });
    watcher = new Watcher(host, { chatChanged: () => {}, newMessages: () => {} });
    shown = showTree({ connection, tokens, watch: (chat) => watcher.state(chat) });
    const view = {
      get selection() {
        return selection;
      },
      reveal: async (node: ChatNode) => void revealed.push(node),
    } as unknown as TreeView<ChatNode>;
    const send = async (chats: readonly Chat[], document?: Uri) =>
      void sent.push({ chats, document: document?.toString() });
    rowCommands = new RowCommands(host, { send }, { tree: shown.tree, watcher }, view);
  });

  afterEach(async () => {
    restore();
    watcher.dispose();
    shown.tree.dispose();
    connection.dispose();
    service.requests.splice(0);
    await configureWorkspace('groups', undefined);
  });

  const copied = () => env.clipboard.readText();
  const idsIn = async (place: number) => (await shown.rows(place)).map(({ id }) => id);
  const factsOf = async (row: ChatNode | undefined) => {
    assert(row);
    return shown.tree.getChildren(row);
  };
  const factIn = (nodes: readonly ChatNode[], label: string) =>
    nodes.find((node) => 'fact' in node && node.fact.label === label) ?? assert.fail(`there is no ${label}`);
  const rowsAt = async (place: number, ...ids: string[]) =>
    (await shown.rows(place)).filter(({ id }) => ids.includes(id));

  it('apply to the selection if the clicked row is in it, otherwise to that row', async () => {
    const [one, other] = await shown.rows(GROUPS);
    assert(one && other);
    assert.deepEqual(await rowCommands.nodes(one, [one, other]), [one, other]);
    assert.deepEqual(await rowCommands.nodes(one, undefined), [one]);
    assert.deepEqual(await rowCommands.nodes(one, []), [one]);
  });

  describe('Removing', () => {
    it('removes rows of all kinds from the lists, and undo restores their positions', async () => {
      const messages = onMessages((_, [undo]) => undo);
      await rowCommands.remove([...(await rowsAt(GROUPS, 'big')), ...(await rowsAt(PEOPLE, '7058314'))]);
      assert.deepEqual(messages, ['Removed 2 items from the sidebar.']);
      assert.deepEqual([written('groups').user, written('people').user], [LISTS.groups, LISTS.people]);
    });

    it('removes a row from the workspace and user settings, and undo restores both', async () => {
      await configureWorkspace('groups', ['531048827', '518204736']);
      let after: unknown;
      onMessages((_, [undo]) => {
        after = written('groups');
        return undo;
      });
      await rowCommands.remove(await rowsAt(GROUPS, '518204736', '524317890'));
      assert.deepEqual(after, { workspace: ['531048827'], user: [{ id: 'big', label: 'Neighbours' }] });
      assert.deepEqual(written('groups'), { workspace: ['531048827', '518204736'], user: LISTS.groups });
    });

    it('names a single row by its title, and removes it without undo', async () => {
      const messages = onMessages();
      await rowCommands.remove(await rowsAt(GROUPS, 'big'));
      assert.deepEqual(messages, ['Removed Neighbours from the sidebar.']);
      assert.deepEqual(written('groups').user, ['518204736', '524317890']);
    });

    it('keeps later changes on undo', async () => {
      onMessages((_, [undo]) => undo);
      const press = window.showInformationMessage;
      answer('showInformationMessage', (async (...message: Parameters<typeof press>) => {
        await configure({ groups: ['524317890', '531048827'] });
        return press(...message);
      }) as typeof press);
      await rowCommands.remove(await rowsAt(GROUPS, '518204736'));
      assert.deepEqual(written('groups').user, ['518204736', '524317890', '531048827']);
    });

    it("doesn't turn a name into a link", async () => {
      const messages = onMessages();
      await configure({ groups: [{ id: 'big', label: '[x](command:evil)' }] });
      await rowCommands.remove(await rowsAt(GROUPS, 'big'));
      assert.ok(!messages.join().includes(']('));
    });

    it('asks nothing without a row', async () => {
      const messages = onMessages();
      await shown.visibleItems(GROUPS);
      await rowCommands.remove(await factsOf((await shown.rows(GROUPS))[0]));
      assert.deepEqual(messages, []);
    });
  });

  describe('Renaming', () => {
    it('starts with the current label, shows the name, and an empty label removes it', async () => {
      await shown.visibleItems(GROUPS);
      const boxes = type('  My town ', ' ');
      const rows = await rowsAt(GROUPS, 'big');
      await rowCommands.relabel(rows);
      assert.equal(boxes[0]?.value, 'Neighbours');
      assert.match(boxes[0]?.prompt ?? '', /Riverside Town 河畔小镇/);
      assert.deepEqual(written('groups').user, ['518204736', { id: 'big', label: 'My town' }, '524317890']);
      await rowCommands.relabel(rows);
      assert.deepEqual(written('groups').user, ['518204736', 'big', '524317890']);
    });

    it('changes nothing after Escape', async () => {
      type(undefined);
      await rowCommands.relabel(await rowsAt(GROUPS, 'big'));
      assert.deepEqual(written('groups').user, LISTS.groups);
    });
  });

  describe('Moving', () => {
    it('moves one or more rows up or down by one', async () => {
      await rowCommands.moveUp(await rowsAt(GROUPS, 'big', '524317890'));
      assert.deepEqual(await idsIn(GROUPS), ['big', '524317890', '518204736']);
      await rowCommands.moveUp(await rowsAt(GROUPS, 'big'));
      assert.deepEqual(await idsIn(GROUPS), ['big', '524317890', '518204736']);
      await rowCommands.moveDown([...(await rowsAt(GROUPS, 'big')), ...(await rowsAt(PEOPLE, '7058314'))]);
      assert.deepEqual(await idsIn(GROUPS), ['524317890', 'big', '518204736']);
      assert.deepEqual(await idsIn(PEOPLE), ['7102649', '7058314']);
    });

    it('moves dropped rows to the position of the target, from either side', async () => {
      const [first, second, third] = await shown.rows(GROUPS);
      assert(first && second && third);
      await rowCommands.drop([first], third);
      assert.deepEqual(await idsIn(GROUPS), ['big', '524317890', '518204736']);
      await rowCommands.drop([first], second);
      assert.deepEqual(await idsIn(GROUPS), ['518204736', 'big', '524317890']);
      await rowCommands.drop([third, second], first);
      assert.deepEqual(await idsIn(GROUPS), ['big', '524317890', '518204736']);
    });

    it('moves rows that are dropped on a section to its end, except those of other kinds', async () => {
      const [first] = await shown.rows(GROUPS);
      const section = await shown.sectionOf(GROUPS);
      assert(first && section);
      await rowCommands.drop([first, ...(await shown.rows(PEOPLE))], section);
      assert.deepEqual(await idsIn(GROUPS), ['big', '524317890', '518204736']);
      assert.deepEqual(await idsIn(PEOPLE), LISTS.people);
    });

    it('fails with a reason if it has no visible effect', async () => {
      shown.tree.sections.order = 'name';
      const rows = await rowsAt(GROUPS, 'big');
      const [target] = await rowsAt(GROUPS, '518204736');
      assert(target);
      await assert.rejects(rowCommands.moveUp(rows), /sorted as listed/);
      await assert.rejects(rowCommands.drop(rows, target), /sorted as listed/);
      assert.deepEqual(written('groups').user, LISTS.groups);
    });
  });

  describe('Copying', () => {
    it('copies the IDs of rows and references, one per line', async () => {
      await shown.visibleItems(GROUPS);
      const [group] = await shown.rows(GROUPS);
      const facts = await factsOf(group);
      await rowCommands.copyId([group ?? assert.fail(), factIn(facts, 'Name'), factIn(facts, 'Bot')]);
      assert.equal(await copied(), '518204736\n30481126');
    });

    it('copies the whole value of a fact, and the ID of a row', async () => {
      await shown.visibleItems(GROUPS);
      const [group] = await shown.rows(GROUPS);
      const facts = await factsOf(group);
      await rowCommands.copyValue([factIn(facts, 'Introduction')]);
      assert.match(await copied(), /^Everything about running.*\n\nOrders.*no spoilers about new blends\.$/s);
      await rowCommands.copyValue([group ?? assert.fail(), factIn(facts, 'Members')]);
      assert.equal(await copied(), '518204736\n342');
    });

    it('copies the raw JSON of a lookup, or an array of several', async () => {
      await shown.visibleItems(GROUPS);
      const [one, two] = await shown.rows(GROUPS);
      assert(one && two);
      await rowCommands.copyJson([one]);
      const raw = JSON.parse(await copied());
      assert.deepEqual([raw.groupId, raw.groupBotRel.bot.token], ['518204736', '']);
      await rowCommands.copyJson([one, two]);
      assert.deepEqual(
        JSON.parse(await copied()).map(({ groupId }: { groupId: string }) => groupId),
        ['518204736', 'big'],
      );
    });

    it('looks up a row that was not visible before its JSON is copied', async () => {
      await rowCommands.copyJson(await rowsAt(GROUPS, 'big'));
      assert.equal(JSON.parse(await copied()).groupId, 'big');
    });

    it("doesn't change the clipboard if there is nothing to copy", async () => {
      await env.clipboard.writeText('mine');
      await rowCommands.copyId([(await shown.sectionOf(GROUPS)) ?? assert.fail()]);
      assert.equal(await copied(), 'mine');
    });
  });

  describe('Adding', () => {
    it('reveals the added row even if a filter hides it', async () => {
      shown.tree.sections.filter = 'fern';
      type('531048827 559902341');
      onLists('enter');
      await rowCommands.add('group');
      assert.deepEqual(await idsIn(GROUPS), ['518204736', 'big', '524317890', '531048827', '559902341']);
      assert.deepEqual(revealed, await rowsAt(GROUPS, '559902341'));
    });

    it('adds what a fact refers to', async () => {
      await shown.visibleItems(GROUPS);
      const facts = await factsOf((await rowsAt(GROUPS, 'big'))[0]);
      await rowCommands.addToSidebar([factIn(facts, 'Bot'), factIn(facts, 'Created by')]);
      assert.deepEqual(await idsIn(BOTS), [...LISTS.bots, '30694418']);
      assert.deepEqual(await idsIn(PEOPLE), [...LISTS.people, '7521170']);
      assert.equal(revealed.length, 2);
      await rowCommands.addToSidebar([factIn(facts, 'Bot')]);
      assert.deepEqual(written('bots').user, [...LISTS.bots, '30694418']);
    });
  });

  describe('Sending', () => {
    it('passes on the selected chats without duplicates and bots', async () => {
      await shown.visibleItems(GROUPS);
      const creator = factIn(await factsOf((await shown.rows(GROUPS))[0]), 'Created by');
      await rowCommands.send([
        ...(await shown.rows(GROUPS)),
        ...(await shown.rows(BOTS)),
        creator,
        ...(await shown.rows(PEOPLE)),
      ]);
      const chats = [
        ...['518204736', 'big', '524317890'].map((id) => ({ type: 'group', id })),
        ...['7058314', '7102649'].map((id) => ({ type: 'user', id })),
      ];
      assert.deepEqual(sent, [{ chats, document: undefined }]);
    });

    it('fails if no node can receive messages', async () => {
      await assert.rejects(rowCommands.send(await shown.rows(BOTS)), /Only groups and people/);
      assert.deepEqual(sent, []);
    });

    it('sends a dropped document to the row, or to the selection if the row is in it', async () => {
      const [one, two] = await shown.rows(GROUPS);
      assert(one && two);
      const document = 'file:///w/a.md';
      await rowCommands.dropDocuments([document], one);
      selection = [one, two];
      await rowCommands.dropDocuments([document], two);
      selection = [two];
      await rowCommands.dropDocuments([document], one);
      assert.deepEqual(
        sent.map(({ chats }) => chats.map(({ id }) => id)),
        [['518204736'], ['518204736', 'big'], ['518204736']],
      );
      assert.equal(sent[0]?.document, 'file:///w/a.md');
    });

    it('offers to add those in a file dropped on a section to an audience', async () => {
      const section = await shown.sectionOf(GROUPS);
      assert(section);
      const run: unknown[] = [];
      const commands = { run: async (name: string, file: unknown) => void run.push([name, String(file)]) };
      const withCommands = { ...host, commands: commands as unknown as Host['commands'] };
      const send = async () => assert.fail('Nothing is sent.');
      const view = {} as TreeView<ChatNode>;
      const dropping = new RowCommands(withCommands, { send }, { tree: shown.tree, watcher }, view);
      await dropping.dropDocuments(['file:///w/customers.csv'], section);
      assert.deepEqual(run, [['addFileToAudience', 'file:///w/customers.csv']]);
    });

    it('accepts one document at a time', async () => {
      const [row] = await shown.rows(GROUPS);
      assert(row);
      const document = 'file:///w/a.md';
      await assert.rejects(rowCommands.dropDocuments([document, document], row), /one file/);
      await assert.rejects(rowCommands.dropDocuments([], row), /one file/);
      assert.deepEqual(sent, []);
    });
  });

  describe('Watching', () => {
    it('uses the bot that is attached to a group, otherwise asks once for all chats', async () => {
      await shown.visibleItems(GROUPS);
      bot = '30481126';
      await rowCommands.watch([
        ...(await rowsAt(GROUPS, '518204736')),
        ...(await shown.rows(BOTS)),
        ...(await shown.rows(PEOPLE)),
      ]);
      assert.deepEqual(
        asked.map(({ preferred }) => preferred),
        ['30481126', '30481126', '30481126'],
      );
      assert.equal(asked[0]?.title, 'Watch Fern & Kettle: the shop team as which bot?');
      const [group] = await shown.items(await rowsAt(GROUPS, '518204736'));
      assert.equal(group?.contextValue, 'chat group known watched');
    });

    it("doesn't ask again for a watched chat", async () => {
      const rows = await rowsAt(PEOPLE, '7058314');
      await rowCommands.watch(rows);
      await rowCommands.watch(rows);
      assert.equal(asked.length, 1);
      assert.equal(watcher.state({ type: 'user', id: '7058314' })?.botId, '30527740');
    });

    it("doesn't start if no bot is chosen", async () => {
      bot = undefined;
      await rowCommands.watch(await shown.rows(PEOPLE));
      assert.equal(asked.length, 1);
      assert.equal(watcher.state({ type: 'user', id: '7058314' }), undefined);
    });

    it('stops when the row is removed, and continues after undo', async () => {
      const chat = { type: 'user', id: '7058314' } as const;
      const rows = await rowsAt(PEOPLE, chat.id);
      await rowCommands.watch(rows);
      let meanwhile: unknown;
      onMessages((_, [undo]) => {
        meanwhile = watcher.state(chat);
        return undo;
      });
      await rowCommands.remove(rows);
      assert.equal(meanwhile, undefined);
      assert.equal(watcher.state(chat)?.botId, '30527740');
    });

    it('stops', async () => {
      const rows = await shown.rows(PEOPLE);
      await rowCommands.watch(rows);
      await rowCommands.unwatch(rows.slice(0, 1));
      assert.deepEqual(
        LISTS.people.map((id) => watcher.state({ type: 'user', id }) !== undefined),
        [false, true],
      );
    });
  });

  it('look up rows again and poll the watched ones', async () => {
    const rows = await shown.rows(PEOPLE);
    await rowCommands.watch(rows.slice(0, 1));
    service.requests.splice(0);
    await rowCommands.retry(rows);
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
      await rowCommands.filter();
    };

    it('filters while typing, restores the filter on Escape, and can be cleared', async () => {
      await shown.visibleItems(GROUPS);
      await filterBy('  neigh ', 'accept');
      assert.deepEqual(await idsIn(GROUPS), ['big']);
      await filterBy('fern', 'hide');
      assert.deepEqual(await idsIn(GROUPS), ['big']);
      await rowCommands.clearFilter();
      assert.equal((await idsIn(GROUPS)).length, 3);
    });

    it('remembers the order over a restart', async () => {
      await shown.visibleItems(GROUPS);
      const choose = async (label: string) => {
        answer('showQuickPick', (async (items: { label: string }[]) =>
          items.find((item) => item.label.endsWith(label))) as unknown as typeof window.showQuickPick);
        await rowCommands.sortBy();
      };
      await choose('By name');
      assert.deepEqual(await idsIn(GROUPS), ['518204736', 'big', '524317890']);
      await choose('By ID');
      assert.deepEqual(await idsIn(GROUPS), ['518204736', '524317890', 'big']);
      await choose('not an order');
      const { order } = shown.tree.sections;
      assert.equal(order, 'id');
      shown.tree.sections.order = 'listed';
      new RowCommands(host, { send: async () => {} }, { tree: shown.tree, watcher }, {} as TreeView<ChatNode>);
      assert.equal(shown.tree.sections.order, 'id');
    });
  });
});
