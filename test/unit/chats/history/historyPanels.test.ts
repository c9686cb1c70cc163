import assert from 'node:assert/strict';
import { commands, EventEmitter, type Memento, type QuickPickItem, Uri } from 'vscode';
import { HistoryCommands } from '../../../../src/chats/history/commands/historyCommands.ts';
import { HistoryPanels } from '../../../../src/chats/history/historyPanels.ts';
import { shownText } from '../../../../src/markup/safeText.ts';
import { serviceDigest } from '../../../../src/platform/durableFiles.ts';
import type { Connection } from '../../../../src/platform/service.ts';
import { Store } from '../../../../src/platform/store.ts';
import { Tokens } from '../../../../src/platform/tokens.ts';
import { UserFacingError } from '../../../../src/presentation/errorText.ts';
import type { BotChat } from '../../../../src/protocol/botChat.ts';
import { chatLink } from '../../../../src/protocol/chatLink.ts';
import { onLists } from '../../answers.ts';
import { settled } from '../../deferred.ts';
import { memento, secretStorage } from '../../memory.ts';
import { panelTab, usePages } from '../../panelPage.ts';
import { newHost } from '../../test-host.ts';
import { configure, newConnection, startService, useService } from '../../test-service.ts';
import { TestPage, wholeChat } from './test-page.ts';

const VIEW = 'botChats.history';
const BOT = '30481126';
const OTHER_BOT = '30527740';
const SHOP = 'Fern & Kettle: the shop team';

describe('History panels', () => {
  const service = useService({ groups: ['518204736', 'big'], people: ['7058314'] });
  let connection: Connection;
  let tokens: Tokens;
  let memory: Memento;
  let workspaceMemento: Memento;
  const pages = usePages((title) => new TestPage(title));
  let histories: HistoryPanels;
  let asked: { title: string; preferred: string | undefined }[];
  let chosen: string | undefined;
  let archived: BotChat[];
  let archivedChanged: EventEmitter<void>;

  const group = { type: 'chat', kind: 'group', id: '518204736' };
  const town = { type: 'chat', kind: 'group', id: 'big' };
  const person = { type: 'chat', kind: 'user', id: '7058314' };
  const bot = { type: 'chat', kind: 'bot', id: BOT };

  beforeEach(async () => {
    connection = newConnection();
    tokens = new Tokens(secretStorage(), memento());
    for (const id of [BOT, OTHER_BOT]) await tokens.set(await connection.open(), id, service.sandbox.token(id) ?? '');
    memory = memento();
    workspaceMemento = memento();
    asked = [];
    chosen = OTHER_BOT;
    archived = [];
    archivedChanged = new EventEmitter();
    histories = make();
  });

  afterEach(() => connection.dispose());

  /** The panels of a window, with the state stored by earlier windows. */
  function make(): HistoryPanels {
    const chooseBot = async (_: unknown, title: string, preferred?: string) => {
      asked.push({ title, preferred });
      return preferred ?? chosen;
    };
    return new HistoryPanels(
      VIEW,
      newHost({
        connection,
        tokens,
        store: new Store(memory),
        access: { chooseBot },
        workspaceMemento,
        archived: { list: async () => archived, onDidChange: archivedChanged.event },
      }),
    );
  }

  const preferred = () => asked.map((one) => one.preferred);

  it('of a group use its attached bot', async () => {
    await histories.openHistory(group, undefined);
    assert.deepEqual(preferred(), [BOT]);
    assert.deepEqual(pages.types, [VIEW]);
    assert.equal(pages.last.title, SHOP);
  });

  it('of a watched chat use the bot that watches it', async () => {
    const { address } = await connection.open();
    await new Store(memory).set('watched', [{ service: address, kind: 'user', id: person.id, botId: OTHER_BOT }]);
    await make().openHistory(person, undefined);
    assert.deepEqual(preferred(), [OTHER_BOT]);
  });

  it('ask for the bot on request, and use it from then on', async () => {
    await histories.openHistoryAs(group, undefined);
    await histories.openHistory(group, undefined);
    assert.equal(pages.opened.length, 1);
    await make().openHistory(group, undefined);
    assert.deepEqual(preferred(), [undefined, OTHER_BOT]);
    assert.equal(asked[0]?.title, 'Read the history of 518204736 as which bot?');
  });

  it('remember the bot only for the same chat of the same service', async () => {
    await histories.openHistory(person, undefined);
    await histories.openHistory(town, undefined);
    await histories.openHistory({ ...person, id: '7102649' }, undefined);
    assert.deepEqual(preferred(), [undefined, '30694418', undefined]);
    const other = await startService();
    await histories.openHistory(person, undefined);
    assert.equal(preferred().at(-1), undefined);
    await other.close();
    const { webUrl, openApiUrl } = service.sandbox;
    await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
  });

  describe('opened by a link', () => {
    const link = async (botId?: string, message = '') => {
      const digest = await serviceDigest((await connection.open()).address);
      const address = chatLink('vscode', { digest, kind: 'group', id: '518204736', botId });
      return Uri.parse(`${address}${message}`);
    };

    it('read with the bot that it names, or else with the one that reads the chat', async () => {
      await histories.openLink(await link(OTHER_BOT));
      assert.deepEqual(asked, []);
      assert.equal(pages.opened.length, 1);
      await make().openLink(await link());
      assert.deepEqual(preferred(), [BOT]);
      assert.equal(pages.opened.length, 2);
    });

    /** The ID of a message before the newest page. */
    async function olderId() {
      const { client } = await connection.open();
      const shop = { kind: 'group', id: '518204736' } as const;
      const oldest = (await client.messages(service.sandbox.token(BOT) ?? '', shop, { latest: 90 })).at(-1);
      return oldest?.readable ? oldest.message.msgId : assert.fail();
    }
    /** Resolves once the messages around one are asked for. */
    async function untilAskedAround(id: string) {
      while (!service.requests.some(({ searchParams }) => searchParams.get('message-id') === id)) await settled();
    }

    it('show the message that it names', async () => {
      const id = await olderId();
      await histories.openLink(await link(BOT, `#${id}`));
      await untilAskedAround(id);
    });

    it('show it, too, if the link is chosen in place of a chat', async () => {
      const id = await olderId();
      const isLink = ({ label }: { label: string }) => label === '$(link) Linked message';
      onLists({ types: (await link(OTHER_BOT, `#${id}`)).toString(), picks: isLink });
      await histories.openHistory();
      await untilAskedAround(id);
      assert.deepEqual(asked, []);
      assert.equal(pages.opened.length, 1);
      await histories.openHistoryAs(undefined, undefined);
      assert.deepEqual(preferred(), [undefined]);
      assert.equal(pages.opened.length, 1);
    });

    it('are refused if it is of another service, or none of ours', async () => {
      const { query, path } = await link(BOT);
      const other = Uri.from({ scheme: 'vscode', path, query: query.replace(/"\w+"/, '"0123456789ab"') });
      await assert.rejects(histories.openLink(other), /UserFacingError: This link belongs to another service\./);
      const broken = Uri.from({ scheme: 'vscode', path, query: '[]' });
      await assert.rejects(histories.openLink(broken), /UserFacingError: This link can't be opened: vscode:/);
      const hostile = Uri.from({ scheme: 'vscode', path, query: `["\u202E${'x'.repeat(1_000)}` });
      await assert.rejects(histories.openLink(hostile), (error) => {
        assert.ok(error instanceof UserFacingError);
        assert.match(error.message, /^This link can't be opened: vscode:.*⟨U\+202E⟩x{10,200}…$/);
        return true;
      });
      assert.deepEqual(pages.opened, []);
    });
  });

  it('are revealed if they are open, and restored unless they are or cannot be', async () => {
    const { address } = await connection.open();
    const place = { service: address, kind: 'group', id: town.id, botId: BOT };
    const restoreTo = (state: unknown) => {
      const page = pages.restored();
      histories.restore(page.panel, state);
      return page;
    };
    const restored = restoreTo({ place, offset: 12 });
    const others = [{ place }, undefined, {}, { place: { ...place, type: 'bot' } }].map(restoreTo);
    assert.ok(restored.isOpen);
    assert.equal(restored.htmls.length, 1);
    assert.ok(others.every(({ isOpen, htmls }) => !isOpen && htmls.length === 0));
    await histories.openHistory({ kind: 'group', id: town.id, botId: BOT });
    assert.equal(restored.reveals, 1);
    assert.equal(pages.opened.length, 0);
    histories.reload();
    assert.equal(restored.htmls.length, 2);
  });

  it('of a group are revealed whichever bot is to read it, unless the user asks for another bot', async () => {
    const { address } = await connection.open();
    const { kind, id } = { kind: 'group', id: group.id } as const;
    await histories.openHistory({ kind, id, botId: OTHER_BOT });
    await histories.openHistory({ ...group, botId: BOT });
    await histories.openHistory(group);
    await histories.openMessage({ service: address, kind, id, botId: BOT });
    const digest = await serviceDigest(address);
    for (const botId of [BOT, undefined])
      await histories.openLink(Uri.parse(chatLink('vscode', { digest, kind, id, botId })));
    assert.equal(pages.opened.length, 1);
    assert.equal(pages.opened[0]?.reveals, 5);
    assert.deepEqual(preferred(), [OTHER_BOT]);
    chosen = BOT;
    await histories.openHistoryAs(group, undefined);
    assert.equal(pages.opened.length, 2);
    // With both open, each bot has its own.
    await histories.openHistory({ ...group, botId: BOT });
    assert.equal(pages.opened.length, 2);
    assert.equal(pages.opened[1]?.reveals, 1);
  });

  it('of a person are opened for each bot, whose conversations are different ones', async () => {
    for (const botId of [BOT, OTHER_BOT]) await histories.openHistory({ ...person, botId });
    assert.equal(pages.opened.length, 2);
  });

  it('offer in the title menu of the active one what can be done with an archived chat', async () => {
    const contexts: unknown[][] = [];
    const registered = commands.registerCommand('setContext', (...context) => void contexts.push(context));
    archived = [{ service: (await connection.open()).address, kind: 'group', id: town.id, botId: OTHER_BOT }];
    const untilLast = async (is: boolean) => {
      while (contexts.at(-1)?.[1] !== is) await settled();
      assert.equal(contexts.at(-1)?.[0], 'botChats.isArchived');
    };
    await histories.openHistory({ kind: 'group', id: town.id, botId: BOT });
    await untilLast(true);
    await histories.openHistory({ kind: 'user', id: person.id, botId: BOT });
    for (const [at, page] of pages.opened.entries()) page.active = at === 1;
    pages.opened[1]?.setVisible(true);
    await untilLast(false);
    archived = [{ service: (await connection.open()).address, kind: 'user', id: person.id, botId: BOT }];
    archivedChanged.fire();
    await untilLast(true);
    registered.dispose();
  });

  it('tell all their pages whether the chats are archived, also when they are filled again', async () => {
    const service = (await connection.open()).address;
    await histories.openHistory({ kind: 'group', id: town.id, botId: BOT });
    await histories.openHistory({ kind: 'user', id: person.id, botId: BOT });
    const [first, second] = pages.opened;
    first?.send({ type: 'ready' });
    second?.send({ type: 'ready' });
    const told = () => [first, second].map((page) => page?.messagesOf('archived').at(-1)?.is);
    const untilTold = async (page: number, is: boolean) => {
      while (told()[page] !== is) await settled();
    };
    for (const page of [0, 1]) await untilTold(page, false);
    archived = [{ service, kind: 'group', id: town.id, botId: BOT }];
    archivedChanged.fire();
    await untilTold(0, true);
    assert.deepEqual(told(), [true, false]);
    first?.setVisible(false);
    first?.setVisible(true);
    for (const page of [first, second]) page?.posted.splice(0);
    first?.send({ type: 'ready' });
    await untilTold(0, true);
    assert.deepEqual(told(), [true, undefined]);
  });

  it('open or are exported from a row of the archive, whatever its service', async () => {
    const row = { archived: 7, service: 'https://other.example', kind: 'group', id: town.id, botId: BOT, name: 'Town' };
    await histories.openHistory(row, [row]);
    assert.equal(pages.opened.length, 1);
    assert.deepEqual(asked, []);
    const { archived: _, name, ...botChat } = row;
    assert.deepEqual(await histories.choose(row, shownText`Export History`), { botChat, name });
  });

  it('take commands if one of them has the focus', async () => {
    const none = { name: 'UserFacingError', message: "Open a chat's message history first." };
    assert.throws(() => histories.active(), none);
    await histories.openHistory({ kind: 'group', id: town.id, botId: BOT });
    assert.equal(histories.active().botChat.id, town.id);
    const [page = assert.fail()] = pages.opened;
    page.active = false;
    assert.throws(() => histories.active(), none);
    page.active = true;
    page.close();
    assert.throws(() => histories.active(), none);
  });

  it('of several chats are opened after one question for all whose reader is unknown', async () => {
    const people = ['7102649', '7850437'].map((id) => ({ kind: 'user', id }));
    await histories.openHistory(group, [group, ...people]);
    assert.deepEqual(asked, [{ title: 'Read 2 chats as which bot?', preferred: undefined }]);
    assert.equal(pages.opened.length, 3);
    await histories.openHistory(group, [group, ...people]);
    assert.equal(asked.length, 1);
    assert.deepEqual(
      pages.opened.map(({ reveals }) => reveals),
      [1, 1, 1],
    );
    await histories.openHistoryAs(group, [group, ...people]);
    assert.equal(asked.at(-1)?.title, 'Read 3 chats as which bot?');
    chosen = undefined;
    await histories.openHistory(group, [group, { kind: 'user', id: '7058313' }]);
    assert.equal(asked.length, 3);
    assert.equal(pages.opened.length, 4);
  });

  it("don't remember a bot that the user didn't choose", async () => {
    await histories.openHistory({ kind: 'user', id: '7058314', botId: BOT });
    await histories.openHistory(person, undefined);
    assert.deepEqual(preferred(), [BOT, undefined]);
  });

  it("don't open or remember anything if the user chooses no bot", async () => {
    chosen = undefined;
    await histories.openHistory(person, undefined);
    assert.equal(await histories.choose(person, shownText`Export History`), undefined);
    assert.deepEqual(pages.opened, []);
    assert.deepEqual(memory.keys(), []);
  });

  it('open for all selected chats, and skip bots and detail rows', async () => {
    await histories.openHistory(group, [group, bot, { type: 'fact' }, person]);
    assert.equal(pages.opened.length, 2);
    await histories.openHistory(bot, [bot]);
    await histories.openHistory(bot, undefined);
    assert.equal(pages.opened.length, 2);
  });

  it('from before a reload are found in their tabs, with any bot that reads the same messages', async () => {
    await histories.openHistory({ ...group, botId: OTHER_BOT });
    pages.tabs.show([panelTab(VIEW, pages.last.title)]);
    histories = make();
    const { address } = await connection.open();
    const restored = pages.restored(pages.last.title);
    const place = { service: address, ...group, botId: OTHER_BOT };
    pages.tabs.onShown = () => histories.restore(restored.panel, { place });
    await histories.openMessage({ service: address, kind: 'group', id: group.id, botId: BOT });
    await histories.openHistory(group);
    assert.equal(pages.opened.length, 1);
    assert.equal(restored.reveals, 2);
  });

  it('mark the words that a search found, and lead back to its results', async () => {
    const { address } = await connection.open();
    const [oldest] = await wholeChat(service.sandbox, group.id);
    const botChat = { service: address, kind: 'group', id: group.id, botId: BOT } as const;
    const back: string[] = [];
    const registered = ['botChats.showResults', 'workbench.action.navigateBack'].map((name) =>
      commands.registerCommand(name, () => void back.push(name)),
    );
    const goBack = () => new HistoryCommands(histories, newHost()).backToResults();
    const shown = () => pages.opened[0]?.messagesOf('show').map(({ key, found }) => [key, found]);
    const msgId = oldest?.msgId ?? '';
    await histories.openMessage({ ...botChat, msgId, found: 'copper kettle' });
    pages.opened[0]?.send({ type: 'ready' });
    await pages.opened[0]?.until(() => shown()?.length === 1);
    await goBack();
    await histories.openHistory(group);
    await goBack();
    await histories.openMessage({ ...botChat, msgId, found: 'tea' });
    await goBack();
    await histories.openMessage({ ...botChat, msgId });
    await goBack();
    for (const one of registered) one.dispose();
    await pages.opened[0]?.until(() => shown()?.length === 3);
    assert.deepEqual(back, [
      'botChats.showResults',
      'workbench.action.navigateBack',
      'botChats.showResults',
      'workbench.action.navigateBack',
    ]);
    assert.deepEqual(shown(), [
      [msgId, 'copper kettle'],
      [msgId, 'tea'],
      [msgId, undefined],
    ]);
  });

  describe('with the same name', () => {
    const shop = { kind: 'group', id: '518204736' } as const;
    const titles = () => pages.opened.map(({ title }) => title);
    /** Has the names of a chat and its bot looked up, as its page does once it's shown. */
    const name = async (page = pages.last) => {
      page.send({ type: 'ready' });
      await page.receivedOne('heading');
    };

    it('of two bots have the names of the bots in their tabs as soon as they are known', async () => {
      await histories.openHistory({ ...shop, botId: BOT });
      assert.deepEqual(titles(), ['518204736']);
      await histories.openHistoryAs(shop, undefined);
      assert.deepEqual(titles(), ['518204736 (30481126)', '518204736 (30527740)']);
      for (const page of pages.opened) await name(page);
      assert.deepEqual(titles(), [`${SHOP} (Order Desk)`, `${SHOP} (读书小助手)`]);
      pages.last.close();
      assert.equal(titles()[0], SHOP);
    });

    it('are told apart when VS Code has restored only one of them', async () => {
      const ofDesk = `${SHOP} (Order Desk)`;
      const ofReader = `${SHOP} (读书小助手)`;
      pages.tabs.show([panelTab(VIEW, ofDesk), panelTab(VIEW, ofReader), panelTab('other', '518204736')]);
      histories = make();
      const { address } = await connection.open();
      const restore = async (title: string, botId: string) => {
        const page = pages.restored(title);
        histories.restore(page.panel, { place: { service: address, ...shop, botId } });
        await name(page);
        return page;
      };
      const desk = await restore(ofDesk, BOT);
      assert.equal(desk.title, `${SHOP} (518204736)`);
      const reader = await restore(ofReader, OTHER_BOT);
      assert.equal(desk.title, ofDesk);
      assert.equal(reader.title, ofReader);
    });
  });

  describe('choose a chat to export', () => {
    const choose = async (clicked?: object) => {
      const { botChat: { id, botId } = {}, name } = (await histories.choose(clicked, shownText`Export History`)) ?? {};
      return [id, botId, name];
    };

    it('that was clicked, with the bot that would open it, and open nothing', async () => {
      await histories.openHistory(town, undefined);
      assert.deepEqual(await choose(group), ['518204736', BOT, SHOP]);
      assert.deepEqual(await choose(person), ['7058314', OTHER_BOT, '7058314']);
      chosen = undefined;
      assert.deepEqual(await choose(person), ['7058314', OTHER_BOT, '7058314']);
      assert.equal(pages.opened.length, 1);
    });

    it('of the active panel if none was clicked', async () => {
      await histories.openHistory(town, undefined);
      await histories.openHistory(person, undefined);
      for (const page of pages.opened) page.active = page === pages.opened[0];
      const before = asked.length;
      // VS Code passes the address of the panel to commands in its title.
      for (const clicked of [undefined, Uri.parse('webview-panel:webview-1')])
        assert.deepEqual(await choose(clicked), ['big', '30694418', 'Riverside Town 河畔小镇']);
      assert.equal(asked.length, before);
    });

    it('that the user picks if no panel is active, as to open one if no chat was clicked', async () => {
      const isShop = ({ description }: QuickPickItem) => description === group.id;
      const lists = onLists(isShop, isShop, 'escape');
      assert.deepEqual(await choose(), [group.id, BOT, SHOP]);
      assert.deepEqual(
        lists.map(({ title, items }) => [title, items.map(({ description }) => description)]),
        [['Export History', [group.id, town.id, person.id]]],
      );
      await histories.openHistory(undefined, undefined);
      pages.opened[0]?.close();
      assert.deepEqual(await choose(), [undefined, undefined, undefined]);
      await histories.openHistory(undefined, undefined);
      assert.equal(pages.opened.length, 1);
      assert.equal(lists.length, 4);
    });
  });
});
