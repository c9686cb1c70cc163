import assert from 'node:assert/strict';
import { Uri } from 'vscode';
import type { RemoteArchive } from '../../../../src/chats/archive/remote.ts';
import { ArchiveController } from '../../../../src/chats/archiving/archiveController.ts';
import { ArchiveRuns } from '../../../../src/chats/archiving/archiveRuns.ts';
import type { Commands } from '../../../../src/platform/commands.ts';
import { addEntries } from '../../../../src/platform/idLists.ts';
import type { Connection } from '../../../../src/platform/service.ts';
import { Tokens } from '../../../../src/platform/tokens.ts';
import { BotChatClient } from '../../../../src/presentation/botChatClient.ts';
import type { BotChat } from '../../../../src/protocol/botChat.ts';
import { onLists, onMessages, pick, restore, type } from '../../answers.ts';
import { settled } from '../../deferred.ts';
import { memento, secretStorage } from '../../memory.ts';
import { newHost } from '../../test-host.ts';
import { newConnection, useService } from '../../test-service.ts';
import { archiveInProcess } from './archiveInProcess.ts';
import { restoreBuiltins, testThreads } from './testThreads.ts';

const BOT = '30481126';
/** Has 120 messages in the sandbox. */
const GROUP = '546790213';
/** Has 480 messages. */
const SHOP = '518204736';

describe('Archiving', () => {
  const service = useService({ 'service.callsPerSecond': 1000 });
  let connection: Connection;
  let host: ReturnType<typeof newHost>;
  let archive: RemoteArchive;
  let botChat: BotChat;
  let number: number;
  let runs: ArchiveRuns;

  beforeEach(async () => {
    connection = newConnection();
    const opened = await connection.open();
    const tokens = new Tokens(secretStorage(), memento());
    await tokens.set(opened, BOT, service.sandbox.token(BOT) ?? '');
    host = newHost({ connection, tokens });
    ({ archive } = archiveInProcess());
    botChat = { service: opened.address, kind: 'group', id: SHOP, botId: BOT };
    number = await archive.addChat(botChat);
    runs = new ArchiveRuns(archive, host);
  });
  afterEach(() => {
    service.instead = () => undefined;
    connection.dispose();
  });

  const all = () => new BotChatClient(botChat, host).list({ latest: 1000 }, new AbortController().signal);
  const only = async () => (await archive.chats())[0] ?? assert.fail();

  it('goes on if it is started again at once after it was paused', async () => {
    let again: Promise<void> | undefined;
    runs.onDidChange(() => {
      if (again || (runs.state(number)?.added ?? 0) < 200) return;
      runs.pause(number);
      again = runs.start(number, botChat);
    });
    await runs.start(number, botChat);
    await again;
    assert.equal(runs.state(number)?.isRunning, false);
    assert.equal(runs.state(number)?.added, 280);
    const { messages, openGaps } = await only();
    assert.equal(messages, 480);
    assert.equal(openGaps, 0);
  });

  it('is forgotten even if it is started again meanwhile', async () => {
    const first = runs.start(number, botChat);
    const forgotten = runs.forget(number);
    const second = runs.start(number, botChat);
    await Promise.all([first, forgotten, second]);
    assert.equal(runs.state(number), undefined);
    assert.equal((await only()).messages, 0);
  });

  it('is one run for a chat, however often it is started', async () => {
    let ended = 0;
    runs.onDidEnd(() => ended++);
    const first = runs.start(number, botChat);
    assert.equal(runs.start(number, botChat), first);
    assert.deepEqual(runs.state(number), { isRunning: true, added: 0, reached: undefined });
    await first;
    assert.equal(ended, 1);
    const oldest = (await all()).at(-1);
    assert.ok(oldest?.readable);
    assert.deepEqual(runs.state(number), { isRunning: false, added: 480, reached: oldest.message.sendTime });
    assert.notEqual((await only()).checkedAt, undefined);
  });

  it('ends with its window', async () => {
    const run = runs.start(number, botChat);
    runs.dispose();
    await run;
    assert.equal(runs.state(number)?.isRunning, false);
    assert.equal(runs.state(number)?.error, undefined);
    assert.equal((await only()).messages, 0);
  });

  describe('a chat that the user chose', () => {
    let controller: ArchiveController;
    let said: string[];
    let run: unknown[][];

    beforeEach(() => {
      testThreads();
      run = [];
      const commands = { run: async (...command: unknown[]) => void run.push(command) } as unknown as Commands;
      host = newHost({ connection, tokens: host.tokens, access: { chooseBot: async () => BOT }, commands });
      controller = new ArchiveController(host, Uri.joinPath(host.storageUri, 'archive'), {
        open() {},
        repaint() {},
        setMessage() {},
        setTitle() {},
        showScope() {},
      });
      pick('Entire History');
      said = onMessages((_, buttons) => buttons[0]);
    });
    afterEach(async () => {
      restore();
      await controller.close();
      restoreBuiltins();
    });
    const until = async (isDone: () => boolean) => {
      while (!isDone()) await settled();
    };

    it('says when that has ended, and leads to its search', async () => {
      await controller.archive({ kind: 'group', id: SHOP, botId: BOT });
      await until(() => run.length > 0);
      assert.equal(said.length, 1);
      assert.match(said[0] ?? '', new RegExp(`^Archived ${SHOP}: 48\\d messages\\.$`));
      assert.deepEqual(run, [['searchArchivedChat', botChat]]);
      await controller.update(new Set());
      await until(() => service.requests.length > 0);
      await settled();
      assert.equal(said.length, 1);
    });

    it('is read with the bot that is asked for once for all whose reader is unknown', async () => {
      const asked: unknown[] = [];
      host.access.chooseBot = async (_, title, ...[preferred, chats]) => {
        asked.push([title, preferred, chats?.map(({ id }) => id)]);
        return BOT;
      };
      const rows: object[] = ['7058314', '7102649', '7850437'].map((id) => ({ kind: 'user', id }));
      await controller.archive(rows[0], [...rows, { kind: 'group', id: SHOP }]);
      await until(() => run.length > 0);
      const people = ['7058314', '7102649', '7850437'];
      assert.deepEqual(asked, [['Read 3 chats as which bot?', undefined, people]]);
      assert.deepEqual(
        new Map(host.store.get('readers').map(({ id, botId }) => [id, botId])),
        new Map([...people, SHOP].map((id) => [id, BOT])),
      );
    });

    it('may be several in the list', async () => {
      await host.lists.edit('group', await connection.open(), (lists) =>
        addEntries(lists, [{ id: SHOP }, { id: GROUP }]),
      );
      onLists(({ description }) => description === SHOP || description === GROUP);
      await controller.archive();
      await until(() => run.length > 0);
      assert.deepEqual(said, ['2 chats are archived.']);
    });

    it('is left as it is among several if it is archived already', async () => {
      const rows = [SHOP, GROUP].map((id) => ({ kind: 'group', id, botId: BOT }));
      const number = await controller.thread.archive.addChat(botChat, 1_700_000_000_000);
      await controller.archive(rows[0], rows);
      await until(() => run.length > 0);
      const chats = await controller.list();
      assert.deepEqual(
        chats.map(({ botChat, since }) => [botChat.id, since]),
        [
          [SHOP, 1_700_000_000_000],
          [GROUP, undefined],
        ],
      );
      assert.equal(chats[0]?.number, number);
      await assert.rejects(controller.archive(rows[0], rows), { message: 'These chats are archived already.' });
    });

    it('is archived from a day on if the user wants that', async () => {
      pick('Since a Date…');
      const boxes = type('2026-01-02');
      await controller.archive({ kind: 'group', id: SHOP, botId: BOT });
      assert.equal(boxes[0]?.title, `Archive ${SHOP}`);
      assert.equal(boxes[0]?.prompt, 'The first day to archive, in local time');
      assert.equal((await controller.list())[0]?.since, new Date(2026, 0, 2).getTime());
      await until(() => run.length > 0 || said.length > 0);
    });

    it('is not archived if the user chooses no day, no beginning or no chat', async () => {
      const chat = { kind: 'group', id: SHOP, botId: BOT };
      pick('Since a Date…');
      type(undefined);
      await controller.archive(chat);
      const shown = pick(undefined);
      await controller.archive(chat, [chat, { ...chat, id: GROUP }]);
      assert.deepEqual(shown, ['Entire History', 'Since a Date…']);
      onLists('escape');
      await controller.archive();
      host.access.chooseBot = async () => undefined;
      await controller.archive({ kind: 'user', id: '7058314' });
      assert.deepEqual(await controller.list(), []);
    });

    it('says how many stopped, and tries them again if the user wants that', async () => {
      const rows = [SHOP, GROUP].map((id) => ({ kind: 'group', id, botId: BOT }));
      service.instead = async () => new Response('{"code":1003,"msg":"非法token"}');
      said = onMessages((text, buttons) => {
        service.instead = () => undefined;
        return text.includes('stopped') ? buttons.find((one) => one === 'Retry') : buttons[0];
      });
      await controller.archive(rows[0], rows);
      await until(() => run.length > 0);
      assert.match(said[0] ?? '', /^Archiving 2 chats stopped\. /);
      assert.deepEqual(said.slice(1), ['2 chats are archived.']);
      assert.deepEqual(run, [['searchMessages']]);
    });

    it('is paused by the user', async () => {
      const number = await controller.thread.archive.addChat(botChat);
      await controller.update(new Set([number]));
      controller.pause(new Set([number]));
      const isRunning = async () => {
        const [row] = await controller.getChildren();
        return row && 'run' in row && row.run?.isRunning;
      };
      while (await isRunning()) await settled();
      assert.equal((await controller.list())[0]?.openGaps, 0);
      assert.deepEqual(said, []);
    });

    it('is named as before if it was archived already, and only that stopped is said', async () => {
      said = onMessages();
      const { archive } = controller.thread;
      await archive.setNames(await archive.addChat(botChat), { name: 'The shop', botName: 'Order Desk' });
      const { directory } = await connection.open();
      await directory.get('bot', BOT);
      service.instead = async () => new Response('{"code":1003,"msg":"非法token"}');
      await controller.archive({ kind: 'group', id: SHOP, botId: BOT });
      await until(() => said.length > 0);
      for (let turn = 0; turn < 10; turn++) await settled();
      assert.equal(said.length, 1);
      assert.match(said[0] ?? '', /^Archiving The shop stopped/);
      assert.equal((await archive.chats())[0]?.name, 'The shop');
    });
  });
});
