import assert from 'node:assert/strict';
import { env } from 'vscode';
import type { RowCommands } from '../../../src/sidebar/rowCommands.ts';
import { answer, onMessages, onStatusBar, type } from '../answers.ts';
import { configure, useService, written } from '../test-service.ts';
import { ALICE, BIG, BOT, LISTS, OTHER_BOT, openSidebar, SHAN, SHOP } from './openSidebar.ts';

const DESK = { kind: 'bot', id: BOT } as const;

describe('The commands on rows', () => {
  const service = useService({ ...LISTS, 'service.callsPerSecond': 1000 });
  let open: Awaited<ReturnType<typeof openSidebar>>;
  let commands: RowCommands;

  beforeEach(async () => {
    open = await openSidebar(service);
    commands = open.sidebar.rowCommands;
  });
  afterEach(() => open.close());

  const copied = () => env.clipboard.readText();

  it('apply to the selection if the clicked row is in it, otherwise to that row', async () => {
    const [shop, big] = open.rows(SHOP, BIG);
    assert.deepEqual(await commands.nodes(shop, [big ?? assert.fail(), shop ?? assert.fail()]), [shop, big]);
    assert.deepEqual(await commands.nodes(shop, undefined), [shop]);
    assert.deepEqual(await commands.nodes(shop, []), [shop]);
  });

  it('apply to the row of a group, bot or user that a link names', async () => {
    assert.deepEqual(await commands.nodes({ kind: 'user', id: ALICE.id }), open.rows(ALICE));
    assert.deepEqual(await commands.nodes({ kind: 'cat', id: ALICE.id }), []);
  });

  describe('Never sending to a chat', () => {
    afterEach(() => configure({ 'sending.never': undefined }));

    it('puts rows on the Do Not Send list, with a note if one is typed, and takes them off', async () => {
      await open.chats.seen('People');
      const boxes = type(' asked to stop ', '', undefined);
      await commands.neverSend(open.rows(ALICE));
      assert.deepEqual(written('sending.never').user, { people: [{ id: ALICE.id, note: 'asked to stop' }] });
      await commands.neverSend(open.rows(ALICE, SHOP));
      // Not the person in a detail beside the row.
      await commands.neverSend([await open.fact('Created by'), ...open.rows(SHAN)]);
      // It holds for any number of chats.
      assert.doesNotMatch(`${boxes[1]?.prompt}`, /the chat/i);
      const titles = boxes.map((box) => box?.title);
      assert.deepEqual(titles, ['Never Send to Alice Fernhollow', 'Never Send to 2 Chats', 'Never Send to 闻山禾']);
      assert.deepEqual(written('sending.never').user, {
        people: [{ id: ALICE.id, note: 'asked to stop' }],
        groups: [SHOP.id],
      });
      await commands.allowSending(open.rows(ALICE, SHAN));
      assert.deepEqual(written('sending.never').user, { people: [], groups: [SHOP.id] });
    });

    it('keeps a note that another window has added while the user was asked', async () => {
      const noted = { id: ALICE.id, note: 'asked to stop' };
      answer('showInputBox', (async () => {
        await configure({ 'sending.never': { people: [noted] } });
        return '';
      }) as never);
      await commands.neverSend(open.rows(ALICE, SHAN));
      assert.deepEqual(written('sending.never').user, { people: [noted, SHAN.id] });
    });

    it('changes nothing in a setting that holds something else, and says so', async () => {
      await configure({ 'sending.never': [ALICE.id] });
      const boxes = type('x');
      for (const name of ['neverSend', 'allowSending'] as const)
        await assert.rejects(commands[name](open.rows(ALICE)), /entries that can't be read/);
      assert.deepEqual([boxes, written('sending.never').user], [[], [ALICE.id]]);
    });
  });

  describe('Copying', () => {
    it('copies the IDs of rows and references, one per line', async () => {
      const facts = [await open.fact('Name'), await open.fact('Bot')];
      const shown = onStatusBar();
      await commands.copyId([...open.rows(SHOP), ...facts]);
      assert.equal(await copied(), '518204736\n30481126');
      assert.deepEqual(shown, ['Copied']);
    });

    it('copies the whole value of a fact, and the ID of a row', async () => {
      await commands.copyValue([await open.fact('Introduction')]);
      assert.match(await copied(), /^Everything about running.*\n\nOrders.*no spoilers about new blends\.$/s);
      await commands.copyValue([...open.rows(SHOP), await open.fact('Members')]);
      assert.equal(await copied(), '518204736\n342');
    });

    it('copies the raw JSON of a lookup, also of a row that was not visible, or an array of several', async () => {
      await commands.copyJson(open.rows(SHOP));
      const raw = JSON.parse(await copied());
      assert.deepEqual([raw.groupId, raw.groupBotRel.bot.token], [SHOP.id, '']);
      await commands.copyJson(open.rows(SHOP, BIG));
      const ids = JSON.parse(await copied()).map(({ groupId }: { groupId: string }) => groupId);
      assert.deepEqual(ids, [SHOP.id, 'big']);
    });

    it('says why there is no JSON, as of a person who no longer exists, unless there is that of others', async () => {
      await env.clipboard.writeText('mine');
      const gone = { kind: 'user', id: '7999999' } as const;
      await assert.rejects(commands.copyJson(open.rows(gone)), /no user 7999999/);
      assert.equal(await copied(), 'mine');
      await commands.copyJson(open.rows(gone, SHOP));
      assert.equal(JSON.parse(await copied()).groupId, SHOP.id);
    });

    it("doesn't change the clipboard if there is nothing to copy", async () => {
      await env.clipboard.writeText('mine');
      await commands.copyId([(await open.chats.row('Groups')).node]);
      assert.equal(await copied(), 'mine');
    });
  });

  describe('Sending', () => {
    const document = 'file:///w/a.md';

    it('passes on the selected chats without duplicates and bots', async () => {
      // The first person.
      const creator = await open.fact('Created by');
      await commands.send([...open.rows(SHOP, BIG, DESK), creator, ...open.rows(ALICE, SHAN)]);
      assert.deepEqual(open.sent, [{ chats: [SHOP, BIG, ALICE, SHAN], document: undefined }]);
    });

    it('fails if no node can receive messages', async () => {
      await assert.rejects(commands.send(open.rows(DESK)), /Only groups and people/);
      assert.deepEqual(open.sent, []);
    });

    it('sends a dropped document to the row, or to the selection if the row is in it', async () => {
      const [shop = assert.fail(), big = assert.fail()] = open.rows(SHOP, BIG);
      await commands.dropDocuments([document], shop);
      open.chats.view.selection = [shop, big];
      await commands.dropDocuments([document], big);
      open.chats.view.selection = [big];
      await commands.dropDocuments([document], shop);
      assert.deepEqual(open.sent, [
        { chats: [SHOP], document },
        { chats: [SHOP, BIG], document },
        { chats: [SHOP], document },
      ]);
    });

    it('offers to add those in a file dropped on a section to an audience', async () => {
      const section = await open.chats.row('Groups');
      await commands.dropDocuments(['file:///w/customers.csv'], section.node);
      assert.deepEqual(
        open.ran.map((command) => command.map(String)),
        [['addFileToAudience', 'file:///w/customers.csv']],
      );
      assert.deepEqual(open.sent, []);
    });

    it('accepts one document at a time', async () => {
      const [shop = assert.fail()] = open.rows(SHOP);
      for (const documents of [[document, document], []])
        await assert.rejects(commands.dropDocuments(documents, shop), /one file/);
      assert.deepEqual(open.sent, []);
    });
  });

  describe('Watching', () => {
    const stateOf = (chat: typeof ALICE) => open.sidebar.watcher.state(chat);
    afterEach(() => configure({ ...LISTS, 'watching.words': undefined }));

    it('uses the bot that is attached to a group, otherwise asks once for all chats', async () => {
      await open.chats.seen('Groups');
      open.user.bot = OTHER_BOT;
      await commands.watch(open.rows(SHOP, DESK, ALICE, SHAN));
      assert.deepEqual(open.asked, ['Watch 2 chats as which bot?']);
      assert.deepEqual(
        [SHOP, ALICE, SHAN].map((chat) => stateOf(chat)?.botId),
        [BOT, OTHER_BOT, OTHER_BOT],
      );
      assert.equal((await open.chats.row('Groups', `group ${SHOP.id}`)).item.contextValue, 'chat group known watched');
    });

    it("doesn't ask again for a watched chat", async () => {
      await commands.watch(open.rows(ALICE));
      await commands.watch(open.rows(ALICE));
      assert.deepEqual(open.asked, [`Watch ${ALICE.id} as which bot?`]);
    });

    it("doesn't start if no bot is chosen", async () => {
      open.user.bot = undefined;
      await commands.watch(open.rows(ALICE));
      assert.deepEqual([open.asked.length, stateOf(ALICE)], [1, undefined]);
    });

    it('stops when the row is removed, and continues after undo with what was unread', async () => {
      await commands.watch(open.rows(BIG));
      await open.receive(BIG, 'unread');
      const before = stateOf(BIG);
      assert.equal(before?.unread, 1);
      let meanwhile: unknown = 'not asked';
      onMessages((_, [undo]) => {
        meanwhile = stateOf(BIG);
        return undo;
      });
      await commands.remove(open.rows(BIG));
      assert.equal(meanwhile, undefined);
      assert.deepEqual(stateOf(BIG), before);
    });

    it('keeps in the activity what was read when its row is removed, and that is undone', async () => {
      await configure({ 'watching.words': ['deploy'] });
      await commands.watch(open.rows(BIG));
      await open.receive(BIG, 'We deploy');
      const { activity } = open.sidebar;
      await activity.markAllRead();
      const before = activity.items;
      assert.deepEqual(
        before.map(({ text, isUnread, words }) => [text, isUnread, words]),
        [['We deploy', false, ['deploy']]],
      );
      let meanwhile: unknown;
      onMessages((_, [undo]) => {
        meanwhile = activity.items;
        return undo;
      });
      await commands.remove(open.rows(BIG));
      assert.deepEqual(meanwhile, []);
      assert.deepEqual(activity.items, before);
    });

    it('stops', async () => {
      await open.watch(ALICE, SHAN);
      await commands.unwatch(open.rows(ALICE));
      assert.deepEqual([stateOf(ALICE), stateOf(SHAN)?.botId], [undefined, BOT]);
    });
  });

  it('look up rows again and poll the watched ones', async () => {
    await open.watch(ALICE);
    service.requests.splice(0);
    await commands.retry(open.rows(ALICE, SHAN));
    const asked = service.requests.map(({ pathname }) => pathname.replace(/.*\//, ''));
    assert.deepEqual(asked.toSorted(), ['homepage', 'homepage', 'messages']);
  });
});
