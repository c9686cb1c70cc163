import assert from 'node:assert/strict';
import * as v from 'valibot';
import { env, type Memento, Uri } from 'vscode';
import { HistoryPanel } from '../../../src/history/historyPanel.ts';
import { ChatEvents } from '../../../src/platform/chatEvents.ts';
import type { Commands } from '../../../src/platform/commands.ts';
import type { Connection } from '../../../src/platform/connection.ts';
import type { MessageArchive } from '../../../src/platform/host.ts';
import { MentionedIds } from '../../../src/platform/mentionedIds.ts';
import type { Service } from '../../../src/platform/service.ts';
import { type Mark, Store } from '../../../src/platform/store.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import type { BotChat } from '../../../src/protocol/botChat.ts';
import type { PageItem } from '../../../src/protocol/history.ts';
import { Listed } from '../../../src/service/message.ts';
import { root } from '../../host/places.ts';
import { answer, onMessages, restore } from '../answers.ts';
import { deferred, settled } from '../deferred.ts';
import { memento, secretStorage } from '../memory.ts';
import { newHost } from '../test-host.ts';
import { configure, newConnection, type TestService, useService } from '../test-service.ts';
import { holdLists, logged, sendTo, TestPage, wholeChat } from './test-page.ts';

const BOT = '30481126';
/** Has 120 messages in the sandbox: two pages of 50 and a shorter one. */
const GROUP = '546790213';
/** Has 480 messages. */
const SHOP = '518204736';

describe('A history panel', () => {
  let service: TestService;
  let connection: Connection;
  let opened: Service;
  let tokens: Tokens;
  let memory: Memento;
  let lines: string[];
  let said: string[];
  /** The messages reported as read, by chat. */
  let seen: [string, Mark][];
  /** The IDs that the panel reported as mentioned, by kind and ID. */
  let mentioned: string[];
  /** Bots whose tokens were requested, and what the user types. */
  let tokenRequests: string[];
  let typed: string | undefined;
  let pages: TestPage[];
  let unhandled: unknown[];

  const settings = { 'service.callsPerSecond': 1000, 'history.refreshSeconds': 0 };
  const onUnhandled = (reason: unknown) => void unhandled.push(reason);

  before(async () => {
    service = await useService(settings);
  });

  after(() => service.close());

  beforeEach(async () => {
    connection = newConnection();
    opened = await connection.open();
    tokens = new Tokens(secretStorage());
    await tokens.set(opened, BOT, token());
    memory = memento();
    [said, seen, tokenRequests, typed, pages, unhandled] = [onMessages(), [], [], undefined, [], []];
    mentioned = [];
    process.on('unhandledRejection', onUnhandled);
    service.requests.length = 0;
  });

  afterEach(async () => {
    for (const page of pages) page.close();
    await settled();
    process.off('unhandledRejection', onUnhandled);
    restore();
    service.instead = () => undefined;
    service.sandbox.setFaults(undefined);
    connection.dispose();
    assert.deepEqual(unhandled, []);
  });

  const token = () => service.sandbox.token(BOT) ?? '';

  /** Opens a panel, which is empty until its page is ready. */
  function open(
    botChat: Partial<BotChat> = {},
    { archive, opensAt }: { archive?: MessageArchive; opensAt?: string } = {},
  ) {
    const page = new TestPage(GROUP);
    pages.push(page);
    const { log, lines: written } = logged();
    lines = written;
    const setToken = async (of: Service, botId = '') => {
      tokenRequests.push(botId);
      if (typed) await tokens.set(of, botId, typed);
      return typed;
    };
    const chatEvents = new ChatEvents();
    chatEvents.onDidRead(({ chat, newest }) => seen.push([chat.id, newest]));
    const commandsRun: unknown[][] = [];
    const mentionedIds = new MentionedIds();
    mentionedIds.add = (references) => mentioned.push(...references.map(({ kind, id }) => `${kind} ${id}`));
    const panel = new HistoryPanel(
      page.panel,
      { service: opened.address, type: 'group', id: GROUP, botId: BOT, ...botChat },
      newHost({
        ...{ connection, tokens, log, chatEvents, mentionedIds },
        store: new Store(memory),
        commands: { run: async (...command: unknown[]) => void commandsRun.push(command) } as unknown as Commands,
        access: { setToken },
        ...(archive && { archive }),
      }),
      () => {},
      opensAt,
    );
    return { page, panel, commandsRun };
  }

  const isIdle = (page: TestPage) =>
    page.newer !== undefined && page.older?.at !== 'loading' && page.newer.at !== 'loading';

  /** Opens a panel and waits for the newest page. */
  async function read(botChat: Partial<BotChat> = {}) {
    const { page, panel } = open(botChat);
    page.send({ type: 'ready' });
    await page.until(() => isIdle(page) && page.items.length > 0 && page.messagesOf('heading').length > 0);
    return { page, panel };
  }

  const whole = (chatId = GROUP) => wholeChat(service.sandbox, chatId);
  const idsOf = async (chatId = GROUP) => (await whole(chatId)).map(({ msgId }) => msgId);
  const lists = () =>
    service.requests.filter(({ pathname }) => pathname.endsWith('/messages')).map(({ searchParams }) => searchParams);
  /** The requested pages: the anchor, and how many messages before and after it. */
  const ranges = () => lists().map((query) => ['message-id', 'before', 'after'].map((name) => query.get(name)));
  const gapIn = ({ items }: TestPage) => items.find((item) => item.type === 'gap') ?? assert.fail('no gap');

  describe('posts to its page', () => {
    it('the newest messages, oldest first and each once, and the names of the chat and the bot', async () => {
      const { page, panel } = await read();
      const newest = (await whole()).slice(-50);
      assert.deepEqual(
        page.items.map(
          (item) => item.type === 'message' && [item.key, item.message.senderId, item.message.content.text],
        ),
        newest.map(({ msgId, senderId, content }) => [msgId, senderId, content.text]),
      );
      assert.deepEqual([page.older, page.newer], [{ at: 'open' }, { at: 'open' }]);
      assert.deepEqual(page.messagesOf('heading').at(-1), {
        type: 'heading',
        name: '后山徒步队',
        summary: '58 members',
        readAs: 'Order Desk',
        service: service.sandbox.openApiUrl.replace('http://', ''),
      });
      assert.deepEqual([panel.name, panel.botName, ranges()], ['后山徒步队', 'Order Desk', [[null, '50', null]]]);
    });

    it('what it loads, and reports the IDs of the participants', async () => {
      await read();
      const newest = (await whole()).slice(-50);
      const senders = newest.map(({ senderId }) => `${senderId.length === 8 ? 'bot' : 'user'} ${senderId}`);
      assert.deepEqual(new Set(mentioned), new Set([`group ${GROUP}`, `bot ${BOT}`, ...senders]));
    });

    it('the page requested while VS Code created the panel, without another request', async () => {
      const { page, panel } = open();
      while (lists().length === 0) await settled();
      page.send({ type: 'ready' });
      await page.until(() => isIdle(page) && page.items.length === 50);
      assert.deepEqual(ranges(), [[null, '50', null]]);
      assert.equal(panel.entry((await idsOf()).at(-1) ?? '')?.readable, true);
    });

    it('an error that occurred while VS Code created the panel, without another request', async () => {
      service.sandbox.setFaults({ faults: [{ on: 'messages', fault: 'code', code: 1003, msg: 'no', times: 1 }] });
      const { page } = open();
      while (lists().length === 0) await settled();
      page.send({ type: 'ready' });
      await page.until(() => page.newer?.at === 'failed');
      assert.equal(lists().length, 1);
    });

    it('older messages up to the beginning, and that nothing precedes them', async () => {
      const { page } = await read();
      const ids = await idsOf();
      for (const length of [100, ids.length]) {
        page.send({ type: 'older' });
        await page.until(() => page.items.length === length);
      }
      assert.deepEqual(page.keys, ids);
      assert.deepEqual(page.older, { at: 'open' });
      page.send({ type: 'older' });
      await page.until(() => page.older?.at === 'end');
      assert.deepEqual(page.keys, ids);
      assert.deepEqual(ranges().slice(1), [
        [ids.at(-50), '50', '0'],
        [ids.at(-100), '50', '0'],
        [ids[0], '50', '0'],
      ]);
    });

    it('new messages after the loaded ones', async () => {
      const { page } = await read();
      const sent = [await sendTo(service.sandbox, GROUP, 'one'), await sendTo(service.sandbox, GROUP, 'two')];
      page.send({ type: 'newer' });
      await page.until(() => page.items.length === 52 && page.newer?.at === 'end');
      assert.deepEqual(page.keys, (await idsOf()).slice(-52));
      assert.deepEqual([page.keys.slice(-2), page.newer], [sent, { at: 'end' }]);
    });

    it('how many new messages have arrived, but not which others were loaded', async () => {
      const { page, panel } = await read();
      await panel.goTo((await idsOf())[5] ?? '');
      page.send({ type: 'gap', id: gapIn(page).id, from: 'older' });
      await page.until(() => page.items.length > 100);
      assert.deepEqual(page.messagesOf('arrived'), []);
      for (const text of ['one', 'two']) await sendTo(service.sandbox, GROUP, text);
      await panel.loadNewer();
      await sendTo(service.sandbox, GROUP, 'three');
      await panel.loadNewer();
      await panel.loadNewer();
      assert.deepEqual(page.messagesOf('arrived'), [
        { type: 'arrived', count: 2 },
        { type: 'arrived', count: 1 },
      ]);
      page.setVisible(false);
      await sendTo(service.sandbox, GROUP, 'unseen');
      await panel.loadNewer();
      page.setVisible(true);
      page.send({ type: 'ready' });
      await page.until(() => page.items.length > 0);
      assert.equal(page.messagesOf('arrived').length, 2);
    });

    it('messages of a gap, from the requested side', async () => {
      const { page, panel } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      await panel.goTo(ids[200] ?? '');
      await page.until(() => page.items.length === 102);
      page.send({ type: 'gap', id: gapIn(page).id, from: 'older' });
      await page.until(() => page.items.length === 152 && gapIn(page).edge.at === 'open');
      assert.deepEqual(page.keys, [...ids.slice(175, 276), '…', ...ids.slice(-50)]);
      page.send({ type: 'gap', id: gapIn(page).id, from: 'newer' });
      await page.until(() => page.items.length === 202 && gapIn(page).edge.at === 'open');
      assert.deepEqual(page.keys, [...ids.slice(175, 276), '…', ...ids.slice(-100)]);
    });

    it('all loaded messages when it is reloaded, those around the reading position first, without a request', async () => {
      const { page, panel } = await read({ id: SHOP });
      await panel.loadAll(() => {}, new AbortController().signal);
      const ids = await idsOf(SHOP);
      assert.deepEqual(page.keys, ids);
      page.setVisible(false);
      page.setVisible(true);
      [service.requests.length, page.posted.length] = [0, 0];
      page.send({ type: 'ready', reading: ids[150] });
      await page.until(() => page.items.length === 480 && page.older?.at === 'end');
      assert.deepEqual(page.keys, ids);
      const first = page.messagesOf('splice')[0]?.items.map(({ key }) => key) ?? [];
      assert.ok(first.length <= 200 && first.includes(ids[150] ?? ''), `${first.length}`);
      assert.deepEqual(page.messagesOf('show'), []);
      // Any earlier request would have been answered by now.
      await panel.loadNewer();
      assert.deepEqual([service.requests.length, ranges()], [1, [[ids.at(-1), '0', '50']]]);
    });

    it('no changes for the previous page, which was hidden during a load', async () => {
      const { page } = await read();
      const { begun, answer: list } = holdLists(service);
      page.send({ type: 'older' });
      await begun;
      page.setVisible(false);
      page.setVisible(true);
      list.resolve(undefined);
      await page.until(() => page.older?.at === 'open');
      assert.deepEqual(page.keys, []);
      page.send({ type: 'ready' });
      await page.until(() => page.items.length > 0);
      assert.deepEqual(page.keys, (await idsOf()).slice(-100));
    });

    it('no changes for the previous page, which was reloaded during a load', async () => {
      const { page, panel } = await read();
      const { begun, answer: list } = holdLists(service);
      page.send({ type: 'older' });
      await begun;
      panel.load();
      list.resolve(undefined);
      await page.until(() => page.older?.at === 'open');
      assert.deepEqual([page.keys, page.htmls.length], [[], 2]);
      page.send({ type: 'ready' });
      await page.until(() => page.items.length > 0);
      assert.deepEqual(page.keys, (await idsOf()).slice(-100));
    });

    it('new messages automatically while it is visible', async () => {
      answer('state', { focused: true, active: true });
      await configure({ 'history.refreshSeconds': 0.02 });
      try {
        const { page } = await read();
        const sent = await sendTo(service.sandbox, GROUP, 'by itself');
        await page.until(() => page.keys.at(-1) === sent);
      } finally {
        await configure(settings);
      }
    });

    it('a request to open the find bar', async () => {
      const { page, panel } = await read();
      panel.find();
      assert.deepEqual(page.posted.at(-1), { type: 'find' });
    });
  });

  it('opened at a message shows it from the archive at once, then the newest, and marks nothing read', async () => {
    const all = await whole(SHOP);
    const ids = all.map(({ msgId }) => msgId);
    const archive: MessageArchive = {
      list: async (_, page) =>
        'latest' in page
          ? undefined
          : all
              .slice(75, 126)
              .map((raw) => v.parse(Listed, raw))
              .reverse(),
      firstSince: async () => undefined,
      beforeGap: async () => undefined,
      checkedAt: async () => undefined,
    };
    const response = deferred<void>();
    service.instead = async ({ url }) => {
      if (url.includes('/messages')) await response.promise;
      return undefined;
    };
    const { page } = open({ id: SHOP }, { archive, opensAt: ids[100] ?? '' });
    assert.ok(page.htmls[0]?.includes(`"${ids[100]}"`), 'the page begins elsewhere');
    page.send({ type: 'ready', reading: ids[100] });
    await page.until(() => page.keys.includes(ids[100] ?? ''));
    assert.deepEqual(page.keys, ids.slice(75, 126));
    response.resolve();
    await page.until(() => page.keys.length > 51);
    assert.deepEqual(page.keys, [...ids.slice(75, 126), '…', ...ids.slice(-50)]);
    assert.deepEqual([ranges(), seen], [[[null, '50', null]], []]);
  });

  it('goes on before a gap of the archive while its service is not connected', async () => {
    const all = await whole(SHOP);
    const ids = all.map(({ msgId }) => msgId);
    const listed = (from: number, to: number) =>
      all
        .slice(from, to)
        .map((raw) => v.parse(Listed, raw))
        .reverse();
    const archive: MessageArchive = {
      list: async (_, page) => {
        if ('latest' in page) return listed(-50, all.length);
        return page.anchor === ids[100] ? listed(75, 126) : undefined;
      },
      firstSince: async () => undefined,
      beforeGap: async (_, msgId) => (msgId === ids.at(-50) ? ids[100] : undefined),
      checkedAt: async () => 1,
    };
    const { page } = open({ id: SHOP, service: 'https://other.example' }, { archive });
    page.send({ type: 'ready' });
    await page.until(() => page.keys.length === 50);
    page.send({ type: 'older' });
    await page.until(() => page.keys.length > 50);
    assert.deepEqual(page.keys, [...ids.slice(75, 126), '…', ...ids.slice(-50)]);
    assert.equal(page.older?.at, 'open');
  });

  describe('when restored', () => {
    it('goes to the old message that was being read, and loads only the messages around it and the newest', async () => {
      const { page } = open({ id: SHOP });
      const ids = await idsOf(SHOP);
      page.send({ type: 'ready', reading: ids[100] });
      await page.until(() => page.keys.includes(ids[100] ?? ''));
      assert.deepEqual(page.keys, [...ids.slice(75, 126), '…', ...ids.slice(-50)]);
      assert.deepEqual([page.messagesOf('show'), page.messagesOf('lost')], [[], []]);
      assert.deepEqual(ranges(), [
        [null, '50', null],
        [ids[100], '25', '25'],
      ]);
    });

    it('sends no further request if the message being read is among the newest', async () => {
      const { page } = open();
      page.send({ type: 'ready', reading: (await idsOf()).at(-30) });
      await page.until(() => isIdle(page) && page.items.length > 0 && page.messagesOf('heading').length > 0);
      await settled();
      assert.deepEqual([page.items.length, ranges(), page.messagesOf('lost')], [50, [[null, '50', null]], []]);
    });

    it('tells only its page if the message being read no longer exists', async () => {
      const { page } = open();
      page.send({ type: 'ready', reading: 'f'.repeat(32) });
      await page.until(() => page.messagesOf('lost').length > 0);
      assert.deepEqual(page.keys, (await idsOf()).slice(-50));
      assert.deepEqual([page.messagesOf('lost').length, said, lines], [1, [], []]);
    });

    it('goes to the message as soon as the service is reachable again', async () => {
      const ids = await idsOf(SHOP);
      const isDown = { faults: [{ on: 'messages', fault: 'code', code: 1005 } as const] };
      service.sandbox.setFaults(isDown);
      const { page } = open({ id: SHOP });
      page.send({ type: 'ready', reading: ids[100] });
      await page.until(() => page.newer?.at === 'failed');
      service.sandbox.setFaults(undefined);
      page.send({ type: 'newer' });
      await page.until(() => page.keys.includes(ids[100] ?? ''));
      assert.deepEqual(page.keys, [...ids.slice(75, 126), '…', ...ids.slice(-50)]);
      assert.deepEqual(page.messagesOf('lost'), []);
    });
  });

  describe('remembers what was read:', () => {
    const marked = () => {
      const { msgId, sendTime } = new Store(memory).get('readMarks')[0] ?? {};
      return { msgId, sendTime };
    };
    const remember = (mark: object) =>
      memory.update('readMarks', [{ service: opened.address, type: 'group', id: GROUP, botId: BOT, ...mark }]);
    const newest = async () => {
      const { msgId = '', sendTime = 0 } = (await whole()).at(-1) ?? {};
      return { msgId, sendTime };
    };

    it('the newest visible message, for the next time', async () => {
      const { page } = await read();
      const mark = await newest();
      assert.deepEqual(marked(), mark);
      assert.deepEqual(seen.at(-1), [GROUP, mark]);
      assert.deepEqual(page.messagesOf('seen'), []);
      page.close();
      const { page: again } = await read();
      assert.deepEqual(again.posted[0], { type: 'seen', ...mark });
    });

    it('shows the read mark from when the panel was opened, however often its page is reloaded', async () => {
      const before = await newest();
      await remember(before);
      await sendTo(service.sandbox, GROUP, 'news');
      const { page } = await read();
      assert.deepEqual(marked(), await newest());
      page.setVisible(false);
      page.setVisible(true);
      page.send({ type: 'ready' });
      await page.until(() => page.items.length === 50);
      assert.deepEqual(page.messagesOf('seen'), [
        { type: 'seen', ...before },
        { type: 'seen', ...before },
      ]);
    });

    it('nothing if the stored mark is invalid', async () => {
      await remember({ msgId: 7 });
      const { page } = await read();
      assert.deepEqual(page.messagesOf('seen'), []);
      assert.deepEqual(marked(), await newest());
    });

    it('not while the panel is hidden, but once it is visible again', async () => {
      const { page, panel } = await read();
      const before = await newest();
      page.setVisible(false);
      seen.length = 0;
      await sendTo(service.sandbox, GROUP, 'unseen');
      await panel.loadNewer();
      assert.deepEqual([seen, marked()], [[], before]);
      page.setVisible(true);
      assert.deepEqual([seen, marked()], [[[GROUP, await newest()]], await newest()]);
    });

    it('not while the user reads older messages, but once the newest is visible again', async () => {
      const { page, panel } = await read();
      const before = await newest();
      page.send({ type: 'atNewest', is: false });
      seen.length = 0;
      await sendTo(service.sandbox, GROUP, 'below');
      await panel.loadNewer();
      assert.deepEqual([seen, marked()], [[], before]);
      page.send({ type: 'atNewest', is: true });
      assert.deepEqual([seen, marked()], [[[GROUP, await newest()]], await newest()]);
    });

    it('not if the page restores a position at older messages', async () => {
      const { page } = open({ id: SHOP });
      const ids = await idsOf(SHOP);
      page.send({ type: 'ready', reading: ids[100] });
      // As the page reports it after it has shown the newest message.
      page.send({ type: 'atNewest', is: false });
      await page.until(() => page.keys.includes(ids[100] ?? ''));
      assert.deepEqual([seen, memory.keys()], [[], []]);
    });
  });

  describe('scrolls to a message', () => {
    it('that is loaded, without a request', async () => {
      const { page, panel } = await read();
      service.requests.length = 0;
      const id = (await idsOf()).at(-20) ?? '';
      await panel.goTo(id);
      assert.deepEqual(page.posted.at(-1), { type: 'show', key: id });
      assert.deepEqual(service.requests, []);
    });

    it('that is not loaded, and loads those around it', async () => {
      const { page } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      page.send({ type: 'goTo', msgId: ids[60] });
      await page.until(() => page.messagesOf('show').length > 0);
      assert.deepEqual(page.keys, [...ids.slice(35, 86), '…', ...ids.slice(-50)]);
      assert.deepEqual(page.posted.at(-1), { type: 'show', key: ids[60] });
    });

    it("unless the service rejects it: shows and logs the service's error, and changes nothing", async () => {
      const { page, panel } = await read();
      const before = page.keys;
      const shown = new Promise<string>((resolve) => {
        onMessages((message) => void resolve(message));
      });
      page.send({ type: 'goTo', msgId: 'nosuch' });
      assert.equal(await shown, 'The service returned error -1: “消息不存在或无权限修改”.');
      assert.deepEqual([page.keys, page.messagesOf('show')], [before, []]);
      assert.match(lines.join('\n'), /code -1: 消息不存在或无权限修改/);
      await assert.rejects(panel.goTo('nosuch'), /code -1/);
    });

    it('unless the service lists other messages instead', async () => {
      const { page, panel } = await read();
      const before = page.keys;
      service.instead = async () => Response.json({ code: 1, msg: 'success', data: { list: [], total: 0 } });
      await assert.rejects(panel.goTo('nosuch'), {
        name: 'UserFacingError',
        message: "Message nosuch wasn't found in this chat.",
      });
      assert.deepEqual([page.keys, page.messagesOf('show')], [before, []]);
    });
  });

  describe('handles messages from its page:', () => {
    it('logs and ignores what is none of them', async () => {
      const { page } = await read();
      [service.requests.length, page.posted.length] = [0, 0];
      page.send({ type: 'open', url: 'command:botChats.removeToken' });
      await settled();
      assert.match(lines.join('\n'), /^'history page: .+/);
      assert.equal(lines.length, 1);
      assert.deepEqual([page.posted, service.requests, said], [[], [], []]);
    });

    it('ignores a gap that has closed', async () => {
      const { page, panel } = await read();
      service.requests.length = 0;
      page.send({ type: 'gap', id: 99, from: 'older' });
      await panel.loadNewer();
      assert.deepEqual([lists().length, page.keys, said], [1, (await idsOf()).slice(-50), []]);
    });

    it('copies text', async () => {
      const { page } = await read();
      page.send({ type: 'copy', text: '复制 me' });
      // A later write comes after this one.
      while ((await env.clipboard.readText()) !== '复制 me') await settled();
    });

    it('opens the image of a loaded message, and nothing else', async () => {
      const { page, panel } = await read({ id: SHOP });
      await panel.loadAll(() => {}, new AbortController().signal);
      await page.until(() => page.items.length === 480);
      const isImage = (item: PageItem) => item.type === 'message' && /\.jpg$/.test(item.message.content.imageUrl ?? '');
      for (const key of ['gone', page.items.find((item) => !isImage(item))?.key, page.items.find(isImage)?.key]) {
        page.send({ type: 'openImage', key });
        await settled();
      }
      // The sandbox isn't served over https here.
      assert.deepEqual(said, ['Only images at https: addresses can be opened here.']);
    });

    it('replies with the avatars of senders that were looked up before, and looks up no others', async () => {
      await opened.directory.get('user', '7058314');
      const { page } = await read();
      service.requests.length = 0;
      const senders = [
        { kind: 'user', id: '7058314' },
        { kind: 'user', id: '7102649' },
      ];
      page.send({ type: 'avatars', senders });
      await page.until(() => page.messagesOf('avatar').length > 0);
      const [{ uri, ...sender } = assert.fail(), ...others] = page.messagesOf('avatar');
      assert.deepEqual([sender, others], [{ type: 'avatar', kind: 'user', id: '7058314' }, []]);
      assert.match(uri, /^data:image\/svg\+xml,/);
      assert.deepEqual(service.requests, []);
    });

    it('replies with the profile of a sender', async () => {
      const { page } = await read();
      page.send({ type: 'profile', kind: 'bot', id: BOT });
      await page.until(() => page.messagesOf('profile').length > 0);
      const { profile } = page.messagesOf('profile')[0] ?? assert.fail();
      assert.deepEqual([profile.id, profile.name, profile.trouble], [BOT, 'Order Desk', '']);
      assert.deepEqual(profile.facts[0], { label: 'ID', value: BOT });
      assert.deepEqual(profile.actions, [
        { name: 'copyId', label: 'Copy ID' },
        { name: 'addToSidebar', label: 'Add to Sidebar' },
      ]);
    });

    it('offers for a sender what makes sense, and runs it', async () => {
      const offered = async (botChat: Partial<BotChat>) => {
        const { page } = await read(botChat);
        page.send({ type: 'profile', kind: 'user', id: '7058314' });
        await page.until(() => page.messagesOf('profile').length > 0);
        return page.messagesOf('profile')[0]?.profile.actions.map(({ label }) => label);
      };
      await configure({ people: [] });
      const all = ['Open History', 'New Message…', 'Send…', 'Copy ID', 'Add to Sidebar'];
      assert.deepEqual(await offered({}), all);
      await configure({ people: ['7058314'] });
      assert.deepEqual(await offered({}), all.slice(0, -1));
      assert.deepEqual(await offered({ type: 'user', id: '7058314' }), all.slice(1, -1));
      await configure({ people: undefined });
      const { page, commandsRun } = open();
      page.send({ type: 'act', action: 'newMessage', kind: 'user', id: '7058314' });
      await settled();
      assert.deepEqual(commandsRun, [['newMessage', { kind: 'user', id: '7058314', botId: BOT }]]);
    });

    it('replies with the error if a sender is unknown', async () => {
      const { page } = await read();
      page.send({ type: 'profile', kind: 'bot', id: '1' });
      page.send({ type: 'profile', kind: 'user', id: '2' });
      await page.until(() => page.messagesOf('profile').length === 2);
      const profiles = page.messagesOf('profile').map(({ profile }) => profile);
      assert.deepEqual(
        profiles.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
        [
          {
            ...{ kind: 'bot', id: '1', name: '1' },
            trouble: "Bot 1 doesn't exist. The service returned error -1: “机器人不存在”.",
            facts: [],
            actions: [{ name: 'copyId', label: 'Copy ID' }],
          },
          {
            ...{ kind: 'user', id: '2', name: '2' },
            trouble: "Person 2 doesn't exist.",
            facts: [],
            actions: [{ name: 'copyId', label: 'Copy ID' }],
          },
        ],
      );
      assert.deepEqual(said, []);
    });
  });

  describe('without a valid token', () => {
    const noToken = { at: 'failed', text: `No token is saved for bot ${BOT}.`, fix: 'setToken' };
    const refused = {
      at: 'failed',
      text: 'The service returned error 1003: “非法token”. The token is wrong.',
      fix: 'setToken',
    };

    it('reports it on the page without a request, and continues once a token is set', async () => {
      await tokens.remove(opened, BOT);
      const { page } = open();
      page.send({ type: 'ready' });
      await page.until(() => page.newer?.at === 'failed');
      assert.deepEqual([page.newer, lists(), said], [noToken, [], []]);
      typed = token();
      page.send({ type: 'setToken' });
      await page.until(() => page.items.length > 0);
      assert.deepEqual([page.keys, tokenRequests], [(await idsOf()).slice(-50), [BOT]]);
      assert.deepEqual([page.older, page.newer], [{ at: 'open' }, { at: 'open' }]);
    });

    it('does nothing if the user cancels', async () => {
      await tokens.remove(opened, BOT);
      const { page } = open();
      page.send({ type: 'ready' });
      await page.until(() => page.newer?.at === 'failed' && page.messagesOf('heading').length > 0);
      page.posted.length = 0;
      page.send({ type: 'setToken' });
      await settled();
      assert.deepEqual([tokenRequests, page.posted, lists()], [[BOT], [], []]);
    });

    it("shows the service's error if the token is rejected", async () => {
      await tokens.set(opened, BOT, 'not-a-token');
      const { page } = open();
      page.send({ type: 'ready' });
      await page.until(() => page.newer?.at === 'failed');
      assert.deepEqual([page.newer, page.keys], [refused, []]);
    });

    it('retries failed loads at both ends and in gaps once another token is set', async () => {
      const { page, panel } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      await panel.goTo(ids[100] ?? '');
      await page.until(() => page.items.length === 102);
      await tokens.set(opened, BOT, 'not-a-token');
      for (const message of [
        { type: 'older' },
        { type: 'gap', id: gapIn(page).id, from: 'older' },
        { type: 'newer' },
      ]) {
        page.send(message);
      }
      await page.until(() => page.newer?.at === 'failed');
      assert.deepEqual([page.older, gapIn(page).edge, page.newer], [refused, refused, refused]);
      typed = token();
      page.send({ type: 'setToken' });
      await page.until(() =>
        [page.older, gapIn(page).edge, page.newer].every((edge) => edge?.at !== 'failed' && edge?.at !== 'loading'),
      );
      assert.deepEqual(page.keys, [...ids.slice(25, 176), '…', ...ids.slice(-50)]);
    });
  });

  it('offers to change the address if the service does not answer, but not if it is too busy', async () => {
    let status = 404;
    service.instead = async () => new Response('<html>', { status });
    const { page, commandsRun } = open();
    page.send({ type: 'ready' });
    await page.until(() => page.newer?.at === 'failed');
    assert.deepEqual(page.newer, {
      at: 'failed',
      text: 'The service returned HTTP status 404: “<html>”.',
      fix: 'changeAddress',
    });
    page.send({ type: 'changeAddress' });
    page.send({ type: 'goToDate' });
    assert.deepEqual(commandsRun, [['connect'], ['goToDate']]);
    status = 429;
    page.posted.length = 0;
    page.send({ type: 'newer' });
    await page.until(() => page.messagesOf('edges').some(({ newer }) => newer.at === 'failed'));
    assert.ok(page.newer.at === 'failed' && !page.newer.fix);
  });

  describe('of a service other than the one in the settings', () => {
    const elsewhere = 'https://elsewhere.example/api';
    const text = `This history belongs to ${elsewhere}. Connect to that service to continue.`;

    it('sends no request, and reports it on the page', async () => {
      const { page, panel } = open({ service: elsewhere });
      page.send({ type: 'ready' });
      await page.until(() => page.newer?.at === 'failed' && page.messagesOf('heading').length > 0);
      assert.deepEqual(page.newer, { at: 'failed', text });
      assert.deepEqual(page.messagesOf('heading'), [
        { type: 'heading', name: GROUP, summary: '', readAs: BOT, service: 'elsewhere.example/api' },
      ]);
      page.send({ type: 'profile', kind: 'user', id: '7058314' });
      await page.until(() => page.messagesOf('profile').length > 0);
      assert.deepEqual(page.messagesOf('profile')[0]?.profile.trouble, text);
      await assert.rejects(panel.goTo('x'), { message: text });
      assert.deepEqual([service.requests, memory.keys()], [[], []]);
    });

    it("doesn't save a token for the other service", async () => {
      const { page } = open({ service: elsewhere });
      const shown = new Promise<string>((resolve) => {
        onMessages((message) => void resolve(message));
      });
      page.send({ type: 'setToken' });
      assert.deepEqual([await shown, tokenRequests], [text, []]);
    });

    it('keeps its messages when the settings change to another service', async () => {
      const { page } = await read();
      const before = page.keys;
      const other = await useService();
      page.send({ type: 'newer' });
      await page.until(() => page.newer?.at === 'failed');
      assert.deepEqual([page.keys, other.requests], [before, []]);
      assert.ok(page.newer?.at === 'failed' && page.newer.text.includes(opened.address));
      await backFrom(other);
    });

    it('reports no IDs to the other service', async () => {
      const { page } = await read();
      mentioned.length = 0;
      const { begun, answer: list } = holdLists(service);
      page.send({ type: 'older' });
      await begun;
      const other = await useService();
      list.resolve(undefined);
      await page.until(() => isIdle(page) && page.items.length > 50);
      for (let turn = 0; turn < 10; turn++) await settled();
      await backFrom(other);
      assert.deepEqual(mentioned, []);
    });

    async function backFrom(other: TestService) {
      await other.close();
      const { webUrl, openApiUrl } = service.sandbox;
      await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
    }
  });

  describe('when closed', () => {
    /** Closes a panel during a list call that `begin` starts; resolves when everything has settled. */
    async function closeDuring(begin: (shown: Awaited<ReturnType<typeof read>>) => unknown): Promise<TestPage> {
      const shown = await read();
      const { begun, answer: list } = holdLists(service);
      const ended = Promise.allSettled([begin(shown)]);
      const { signal } = await begun;
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      shown.page.posted.length = 0;
      shown.page.close();
      await aborted;
      list.resolve(undefined);
      const [{ status }] = await ended;
      assert.equal(status, 'fulfilled');
      for (let turn = 0; turn < 10; turn++) await settled();
      return shown.page;
    }

    const cases: [string, Parameters<typeof closeDuring>[0]][] = [
      ['older messages are loaded', ({ page }) => page.send({ type: 'older' })],
      ['newer messages are loaded', ({ panel }) => panel.loadNewer()],
      ['the page goes to a message', ({ page }) => page.send({ type: 'goTo', msgId: 'a' })],
      ['a command goes to a message', ({ panel }) => panel.goTo('a')],
      ['all is loaded', ({ panel }) => panel.loadAll(() => {}, new AbortController().signal)],
    ];
    for (const [what, begin] of cases) {
      it(`while ${what} cancels the load silently`, async () => {
        const page = await closeDuring(begin);
        assert.deepEqual([page.posted, said, lines], [[], [], []]);
      });
    }

    it('before its page is ready sends no request', async () => {
      const { page } = open();
      page.close();
      page.send({ type: 'ready' });
      for (let turn = 0; turn < 10; turn++) await settled();
      assert.deepEqual([page.posted, lists(), said], [[], [], []]);
    });
  });

  it('never exposes a token to its page, the log or the user', async () => {
    const quoting = (times: number) => ({ faults: [{ on: 'messages', fault: 'html', status: 403, times } as const] });
    const { page, panel } = await read();
    service.sandbox.setFaults(quoting(2));
    page.send({ type: 'older' });
    await page.until(() => page.older?.at === 'failed');
    assert.match(JSON.stringify(page.older), /token=\*\*\*/);
    const shown = new Promise<string>((resolve) => {
      onMessages((message) => void resolve(message));
    });
    page.send({ type: 'goTo', msgId: 'nosuch' });
    assert.match(await shown, /token=\*\*\*/);
    await assert.rejects(panel.goTo('nosuch'));
    assert.match(lines.join('\n'), /token=\*\*\*/);
    const exposed = JSON.stringify([
      page.posted,
      page.htmls,
      lines,
      await shown,
      memory.keys().map((key) => memory.get(key)),
    ]);
    assert.ok(!exposed.includes(token()) && !exposed.includes('sandbox-token'));
  });

  describe('loads a page', () => {
    const policyOf = ({ htmls }: TestPage) =>
      /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(htmls.at(-1) ?? '')?.[1]?.split('; ') ?? [];
    const nonceOf = (page: TestPage) => /'nonce-([0-9a-f-]{36})'/.exec(policyOf(page).join())?.[1] ?? assert.fail();

    it('that runs only its own script, with its own nonce, and loads nothing else', () => {
      const [{ page }, { page: other }] = [open(), open({ id: SHOP })];
      const nonce = nonceOf(page);
      assert.deepEqual(policyOf(page), [
        "default-src 'none'",
        `script-src 'nonce-${nonce}' 'strict-dynamic'`,
        `style-src 'nonce-${nonce}'`,
        'img-src data:',
        "base-uri 'none'",
        "form-action 'none'",
      ]);
      assert.notEqual(nonceOf(other), nonce);
      const { enableScripts, localResourceRoots = [] } = page.panel.webview.options;
      assert.equal(enableScripts, true);
      assert.deepEqual(localResourceRoots.map(String), [Uri.joinPath(Uri.file(root), 'dist').toString()]);
      const [script, ...others] = [...(page.htmls[0] ?? '').matchAll(/<script(?! type="application\/json")[^>]*>/g)];
      assert.deepEqual([others, script?.[0].includes(` nonce="${nonce}" `)], [[], true]);
    });

    it('with images only in chats where the user allows them, as soon as they do', async () => {
      const pictures = 'img-src https: http: data:';
      const [{ page, panel }, { page: other }] = [open(), open({ id: SHOP })];
      assert.ok(!policyOf(page).includes(pictures));
      const before = nonceOf(page);
      try {
        await configure({ 'history.picturesIn': { groups: [GROUP], people: [SHOP] } });
        panel.load();
        assert.ok(policyOf(page).includes(pictures));
        assert.match(page.htmls.at(-1) ?? '', /id="options">\{"page":"history","pictures":true\}</);
        assert.notEqual(nonceOf(page), before);
        const { page: third } = open({ id: SHOP });
        assert.deepEqual([policyOf(other).includes(pictures), policyOf(third).includes(pictures)], [false, false]);
      } finally {
        await configure({ 'history.picturesIn': undefined });
      }
    });
  });

  describe('loads a whole chat', () => {
    const never = new AbortController().signal;

    it('across its gaps, and reports its progress', async () => {
      const { page, panel } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      const counts: number[] = [];
      await panel.goTo(ids[200] ?? '');
      await panel.loadAll((count) => counts.push(count), never);
      await page.until(() => page.older?.at === 'end');
      assert.deepEqual(page.keys, ids);
      assert.deepEqual(
        counts,
        counts.toSorted((one, other) => one - other),
      );
      // 101 messages and a gap.
      assert.deepEqual([counts[0], counts.at(-1)], [102, ids.length]);
    });

    it('until it is canceled, and keeps the loaded messages', async () => {
      const { page, panel } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      const abort = new AbortController();
      await panel.loadAll((count) => count >= 150 && abort.abort(), abort.signal);
      await page.until(() => page.older?.at === 'open' && page.keys.length > 100);
      assert.deepEqual(page.keys, ids.slice(-150));
    });

    it('until an error, keeps the loaded messages, and can continue from there', async () => {
      const { page, panel } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      service.sandbox.setFaults({
        faults: [{ on: 'messages', skip: 2, fault: 'code', code: 1005, msg: '频道已封禁' }],
      });
      await assert.rejects(
        panel.loadAll(() => {}, never),
        /code 1005: 频道已封禁/,
      );
      await page.until(() => page.older?.at === 'failed');
      assert.deepEqual(page.keys, ids.slice(-150));
      assert.ok(page.older?.at === 'failed' && page.older.text.includes('“频道已封禁”'));
      service.sandbox.setFaults(undefined);
      await panel.loadAll(() => {}, never);
      await page.until(() => page.older?.at === 'end');
      assert.deepEqual(page.keys, ids);
    });

    it('and knows when a group was created, if the lookup says so', async () => {
      const createdAt = async (id: string) => (await read({ id })).panel.createdAt();
      assert.equal(await createdAt(SHOP), Date.UTC(2024, 0, 8, 1, 30));
      assert.equal(await createdAt(GROUP), undefined);
    });

    it('until an error in a gap', async () => {
      const { page, panel } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      await panel.goTo(ids[200] ?? '');
      service.sandbox.setFaults({
        faults: [{ on: 'messages', fault: 'code', code: 1004, msg: '机器人已封禁' }],
      });
      await assert.rejects(
        panel.loadAll(() => {}, never),
        /code 1004/,
      );
      await page.until(() => gapIn(page).edge.at === 'failed');
      service.sandbox.setFaults(undefined);
      await panel.loadAll(() => {}, never);
      await page.until(() => page.older?.at === 'end');
      assert.deepEqual(page.keys, ids);
    });
  });
});
