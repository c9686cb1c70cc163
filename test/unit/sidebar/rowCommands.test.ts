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
  bots: ['30481126', '30759903'],
  people: ['7058314', '7102649'],
};

describe('What a person does with rows', () => {
  let service: TestService;
  let connection: Connection;
  let memory: Memento;
  let host: Host;
  let watcher: Watcher;
  let shown: ReturnType<typeof showTree>;
  let actions: RowCommands;
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
    [selection, revealed, sent, asked, bot] = [[], [], [], [], '30759903'];
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
    actions = new RowCommands(host, { send }, { tree: shown.tree, watcher }, view);
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

  it('is done with all that is selected where a menu is opened on it, and else with that alone', async () => {
    const [one, other] = await shown.rows(GROUPS);
    assert(one && other);
    assert.deepEqual(await actions.nodes(one, [one, other]), [one, other]);
    assert.deepEqual(await actions.nodes(one, undefined), [one]);
    assert.deepEqual(await actions.nodes(one, []), [one]);
  });

  describe('Removing', () => {
    it('takes rows of all kinds out of the lists, and puts them back where they stood', async () => {
      const messages = onMessages((_, [undo]) => undo);
      await actions.remove([...(await rowsAt(GROUPS, 'big')), ...(await rowsAt(PEOPLE, '7058314'))]);
      assert.deepEqual(messages, ['2 rows are no longer in the sidebar.']);
      assert.deepEqual([written('groups').user, written('people').user], [LISTS.groups, LISTS.people]);
    });

    it('reaches a row in the workspace and one in the user’s settings, and so does its undo', async () => {
      await configureWorkspace('groups', ['531048827', '518204736']);
      let after: unknown;
      onMessages((_, [undo]) => {
        after = written('groups');
        return undo;
      });
      await actions.remove(await rowsAt(GROUPS, '518204736', '524317890'));
      assert.deepEqual(after, { workspace: ['531048827'], user: [{ id: 'big', label: 'Neighbours' }] });
      assert.deepEqual(written('groups'), { workspace: ['531048827', '518204736'], user: LISTS.groups });
    });

    it('names the one row that goes as it was shown, and keeps it away without an undo', async () => {
      const messages = onMessages();
      await actions.remove(await rowsAt(GROUPS, 'big'));
      assert.deepEqual(messages, ['“Neighbours” is no longer in the sidebar.']);
      assert.deepEqual(written('groups').user, ['518204736', '524317890']);
    });

    it('does not take back what was done in the meantime', async () => {
      onMessages((_, [undo]) => undo);
      const press = window.showInformationMessage;
      answer('showInformationMessage', (async (...message: Parameters<typeof press>) => {
        await configure({ groups: ['524317890', '531048827'] });
        return press(...message);
      }) as typeof press);
      await actions.remove(await rowsAt(GROUPS, '518204736'));
      assert.deepEqual(written('groups').user, ['518204736', '524317890', '531048827']);
    });

    it('makes no link of a name', async () => {
      const messages = onMessages();
      await configure({ groups: [{ id: 'big', label: '[x](command:evil)' }] });
      await actions.remove(await rowsAt(GROUPS, 'big'));
      assert.ok(!messages.join().includes(']('));
    });

    it('asks nothing where there is no row', async () => {
      const messages = onMessages();
      await shown.seen(GROUPS);
      await actions.remove(await factsOf((await shown.rows(GROUPS))[0]));
      assert.deepEqual(messages, []);
    });
  });

  describe('Labelling', () => {
    it('begins with the label that is there, says the real name, and is undone by an empty one', async () => {
      await shown.seen(GROUPS);
      const boxes = type('  My town ', ' ');
      const rows = await rowsAt(GROUPS, 'big');
      await actions.relabel(rows);
      assert.equal(boxes[0]?.value, 'Neighbours');
      assert.match(boxes[0]?.prompt ?? '', /Riverside Town 河畔小镇/);
      assert.deepEqual(written('groups').user, ['518204736', { id: 'big', label: 'My town' }, '524317890']);
      await actions.relabel(rows);
      assert.deepEqual(written('groups').user, ['518204736', 'big', '524317890']);
    });

    it('changes nothing after Escape', async () => {
      type(undefined);
      await actions.relabel(await rowsAt(GROUPS, 'big'));
      assert.deepEqual(written('groups').user, LISTS.groups);
    });
  });

  describe('Moving', () => {
    it('takes rows a step up or down, several together', async () => {
      await actions.moveUp(await rowsAt(GROUPS, 'big', '524317890'));
      assert.deepEqual(await idsIn(GROUPS), ['big', '524317890', '518204736']);
      await actions.moveUp(await rowsAt(GROUPS, 'big'));
      assert.deepEqual(await idsIn(GROUPS), ['big', '524317890', '518204736']);
      await actions.moveDown([...(await rowsAt(GROUPS, 'big')), ...(await rowsAt(PEOPLE, '7058314'))]);
      assert.deepEqual(await idsIn(GROUPS), ['524317890', 'big', '518204736']);
      assert.deepEqual(await idsIn(PEOPLE), ['7102649', '7058314']);
    });

    it('puts dropped rows in the place of the one they are dropped on, whichever side they come from', async () => {
      const [first, second, third] = await shown.rows(GROUPS);
      assert(first && second && third);
      await actions.drop([first], third);
      assert.deepEqual(await idsIn(GROUPS), ['big', '524317890', '518204736']);
      await actions.drop([first], second);
      assert.deepEqual(await idsIn(GROUPS), ['518204736', 'big', '524317890']);
      await actions.drop([third, second], first);
      assert.deepEqual(await idsIn(GROUPS), ['big', '524317890', '518204736']);
    });

    it('puts rows that are dropped on a section at its end, and leaves those of other kinds', async () => {
      const [first] = await shown.rows(GROUPS);
      const section = await shown.sectionOf(GROUPS);
      assert(first && section);
      await actions.drop([first, ...(await shown.rows(PEOPLE))], section);
      assert.deepEqual(await idsIn(GROUPS), ['big', '524317890', '518204736']);
      assert.deepEqual(await idsIn(PEOPLE), LISTS.people);
    });

    it('is refused with a reason where it would not show', async () => {
      shown.tree.sections.order = 'name';
      const rows = await rowsAt(GROUPS, 'big');
      const [target] = await rowsAt(GROUPS, '518204736');
      assert(target);
      await assert.rejects(actions.moveUp(rows), /sorted as listed/);
      await assert.rejects(actions.drop(rows, target), /sorted as listed/);
      assert.deepEqual(written('groups').user, LISTS.groups);
    });
  });

  describe('Copying', () => {
    it('gives the IDs of rows and of what facts lead to, a line each', async () => {
      await shown.seen(GROUPS);
      const [group] = await shown.rows(GROUPS);
      const facts = await factsOf(group);
      await actions.copyId([group ?? assert.fail(), factIn(facts, 'Name'), factIn(facts, 'Bot')]);
      assert.equal(await copied(), '518204736\n30481126');
    });

    it('gives the whole value of a fact, and the ID of a row', async () => {
      await shown.seen(GROUPS);
      const [group] = await shown.rows(GROUPS);
      const facts = await factsOf(group);
      await actions.copyValue([factIn(facts, 'Introduction')]);
      assert.match(await copied(), /^Everything about running.*\n\nOrders.*no spoilers about new blends\.$/s);
      await actions.copyValue([group ?? assert.fail(), factIn(facts, 'Members')]);
      assert.equal(await copied(), '518204736\n342');
    });

    it('gives the answer of a lookup as it came, or those of several in a list', async () => {
      await shown.seen(GROUPS);
      const [one, two] = await shown.rows(GROUPS);
      assert(one && two);
      await actions.copyJson([one]);
      const raw = JSON.parse(await copied());
      assert.deepEqual([raw.groupId, raw.groupBotRel.bot.token], ['518204736', '']);
      await actions.copyJson([one, two]);
      assert.deepEqual(
        JSON.parse(await copied()).map(({ groupId }: { groupId: string }) => groupId),
        ['518204736', 'big'],
      );
    });

    it('looks a row up whose answer is wanted before it was seen', async () => {
      await actions.copyJson(await rowsAt(GROUPS, 'big'));
      assert.equal(JSON.parse(await copied()).groupId, 'big');
    });

    it('leaves the clipboard alone where there is nothing to copy', async () => {
      await env.clipboard.writeText('mine');
      await actions.copyId([(await shown.sectionOf(GROUPS)) ?? assert.fail()]);
      assert.equal(await copied(), 'mine');
    });
  });

  describe('Adding', () => {
    it('shows what was added, even if a filter hid it', async () => {
      shown.tree.sections.filter = 'fern';
      type('531048827 559902341');
      onLists('enter');
      await actions.add('group');
      assert.deepEqual(await idsIn(GROUPS), ['518204736', 'big', '524317890', '531048827', '559902341']);
      assert.deepEqual(revealed, await rowsAt(GROUPS, '559902341'));
    });

    it('takes up what a fact names', async () => {
      await shown.seen(GROUPS);
      const facts = await factsOf((await rowsAt(GROUPS, 'big'))[0]);
      await actions.addToSidebar([factIn(facts, 'Bot'), factIn(facts, 'Created by')]);
      assert.deepEqual(await idsIn(BOTS), [...LISTS.bots, '30694418']);
      assert.deepEqual(await idsIn(PEOPLE), [...LISTS.people, '7521170']);
      assert.equal(revealed.length, 2);
      await actions.addToSidebar([factIn(facts, 'Bot')]);
      assert.deepEqual(written('bots').user, [...LISTS.bots, '30694418']);
    });
  });

  describe('Sending', () => {
    it('hands on the chats that are selected, each once, and no bots', async () => {
      await shown.seen(GROUPS);
      const creator = factIn(await factsOf((await shown.rows(GROUPS))[0]), 'Created by');
      await actions.send([
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

    it('is refused where nobody can receive messages', async () => {
      await assert.rejects(actions.send(await shown.rows(BOTS)), /Only groups and people/);
      assert.deepEqual(sent, []);
    });

    it('brings a dropped document to the row, or to all that are selected with it', async () => {
      const [one, two] = await shown.rows(GROUPS);
      assert(one && two);
      const document = 'file:///w/a.md';
      await actions.dropDocuments([document], one);
      selection = [one, two];
      await actions.dropDocuments([document], two);
      selection = [two];
      await actions.dropDocuments([document], one);
      assert.deepEqual(
        sent.map(({ chats }) => chats.map(({ id }) => id)),
        [['518204736'], ['518204736', 'big'], ['518204736']],
      );
      assert.equal(sent[0]?.document, 'file:///w/a.md');
    });

    it('takes one document at a time', async () => {
      const [row] = await shown.rows(GROUPS);
      assert(row);
      const document = 'file:///w/a.md';
      await assert.rejects(actions.dropDocuments([document, document], row), /one Markdown file/);
      await assert.rejects(actions.dropDocuments([], row), /one Markdown file/);
      assert.deepEqual(sent, []);
    });
  });

  describe('Watching', () => {
    it('begins as the bot that a group has attached, or else as one that is asked for, once for several', async () => {
      await shown.seen(GROUPS);
      bot = '30481126';
      await actions.watch([
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

    it('does not ask again for a chat that is watched', async () => {
      const rows = await rowsAt(PEOPLE, '7058314');
      await actions.watch(rows);
      await actions.watch(rows);
      assert.equal(asked.length, 1);
      assert.equal(watcher.state({ type: 'user', id: '7058314' })?.botId, '30759903');
    });

    it('does not begin where no bot is chosen', async () => {
      bot = undefined;
      await actions.watch(await shown.rows(PEOPLE));
      assert.equal(asked.length, 1);
      assert.equal(watcher.state({ type: 'user', id: '7058314' }), undefined);
    });

    it('ends when its row is removed, and goes on after an undo', async () => {
      const chat = { type: 'user', id: '7058314' } as const;
      const rows = await rowsAt(PEOPLE, chat.id);
      await actions.watch(rows);
      let meanwhile: unknown;
      onMessages((_, [undo]) => {
        meanwhile = watcher.state(chat);
        return undo;
      });
      await actions.remove(rows);
      assert.equal(meanwhile, undefined);
      assert.equal(watcher.state(chat)?.botId, '30759903');
    });

    it('ends', async () => {
      const rows = await shown.rows(PEOPLE);
      await actions.watch(rows);
      await actions.unwatch(rows.slice(0, 1));
      assert.deepEqual(
        LISTS.people.map((id) => watcher.state({ type: 'user', id }) !== undefined),
        [false, true],
      );
    });
  });

  it('looks rows up again, and into the watched ones', async () => {
    const rows = await shown.rows(PEOPLE);
    await actions.watch(rows.slice(0, 1));
    service.requests.splice(0);
    await actions.retry(rows);
    assert.deepEqual(service.requests.map(({ pathname }) => pathname.replace(/.*\//, '')).toSorted(), [
      'homepage',
      'homepage',
      'messages',
    ]);
  });

  describe('Finding', () => {
    /** An input box in which a person types a text and does what `end` says. */
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
      await actions.filter();
    };

    it('filters by what is typed, goes back after Escape, and shows all again', async () => {
      await shown.seen(GROUPS);
      await filterBy('  neigh ', 'accept');
      assert.deepEqual(await idsIn(GROUPS), ['big']);
      await filterBy('fern', 'hide');
      assert.deepEqual(await idsIn(GROUPS), ['big']);
      await actions.clearFilter();
      assert.equal((await idsIn(GROUPS)).length, 3);
    });

    it('sorts as the person wants, over a restart as well', async () => {
      await shown.seen(GROUPS);
      const choose = async (label: string) => {
        answer('showQuickPick', (async (items: { label: string }[]) =>
          items.find((item) => item.label.endsWith(label))) as unknown as typeof window.showQuickPick);
        await actions.sortBy();
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
