import assert from 'node:assert/strict';
import { env, type Memento, Uri } from 'vscode';
import { HistoryPanel } from '../../../src/history/historyPanel.ts';
import { ChatEvents } from '../../../src/platform/chatEvents.ts';
import type { Connection } from '../../../src/platform/connection.ts';
import { MentionedIds } from '../../../src/platform/mentionedIds.ts';
import type { Service } from '../../../src/platform/service.ts';
import { type Mark, Store } from '../../../src/platform/store.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import type { BotChat } from '../../../src/protocol/history.ts';
import { root } from '../../host/places.ts';
import { answer, onMessages, restore } from '../answers.ts';
import { settled } from '../deferred.ts';
import { memento, secretStorage } from '../memory.ts';
import { newHost } from '../test-host.ts';
import { configure, newConnection, type TestService, useService } from '../test-service.ts';
import { holdLists, logged, sendTo, TestPage, wholeChat } from './test-page.ts';

const BOT = '30481126';
/** Of 120 messages in the sandbox: two pages of 50, and a rest. */
const GROUP = '546790213';
/** Of 480 messages. */
const SHOP = '518204736';

describe('A history panel', () => {
  let service: TestService;
  let connection: Connection;
  let opened: Service;
  let tokens: Tokens;
  let memory: Memento;
  let lines: string[];
  let said: string[];
  /** What was told as seen, and where. */
  let seen: [string, Mark][];
  /** Whom the panel told of, by kind and ID. */
  let met: string[];
  /** Bots whose tokens were asked for, and what the person types then. */
  let asked: string[];
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
    [said, seen, asked, typed, pages, unhandled] = [onMessages(), [], [], undefined, [], []];
    met = [];
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

  /** Opens a panel; nothing is in it before its page is ready. */
  function open(place: Partial<BotChat> = {}) {
    const page = new TestPage(GROUP);
    pages.push(page);
    const { log, lines: written } = logged();
    lines = written;
    const setToken = async (of: Service, botId = '') => {
      asked.push(botId);
      if (typed) await tokens.set(of, botId, typed);
      return typed;
    };
    const chatEvents = new ChatEvents();
    chatEvents.onDidRead(({ chat, newest }) => seen.push([chat.id, newest]));
    const mentionedIds = new MentionedIds();
    mentionedIds.add = (references) => met.push(...references.map(({ kind, id }) => `${kind} ${id}`));
    const panel = new HistoryPanel(
      page.panel,
      { service: opened.address, type: 'group', id: GROUP, botId: BOT, ...place },
      newHost({
        ...{ connection, tokens, log, chatEvents, mentionedIds },
        store: new Store(memory),
        access: { setToken },
      }),
    );
    return { page, panel };
  }

  const isIdle = (page: TestPage) =>
    page.newer !== undefined && page.older?.at !== 'loading' && page.newer.at !== 'loading';

  /** Opens a panel that shows the newest page. */
  async function read(place: Partial<BotChat> = {}) {
    const { page, panel } = open(place);
    page.say({ type: 'ready' });
    await page.until(() => isIdle(page) && page.items.length > 0 && page.told('heading').length > 0);
    return { page, panel };
  }

  const whole = (chatId = GROUP) => wholeChat(service.sandbox, chatId);
  const idsOf = async (chatId = GROUP) => (await whole(chatId)).map(({ msgId }) => msgId);
  const lists = () =>
    service.requests.filter(({ pathname }) => pathname.endsWith('/messages')).map(({ searchParams }) => searchParams);
  /** Each list that was asked for: around which message, how many before and after. */
  const ranges = () => lists().map((query) => ['message-id', 'before', 'after'].map((name) => query.get(name)));
  const gapIn = ({ items }: TestPage) => items.find((item) => item.type === 'gap') ?? assert.fail('no gap');

  describe('gives its page', () => {
    it('the newest messages, oldest first and each once, and whom the chat is of and who reads it', async () => {
      const { page, panel } = await read();
      const newest = (await whole()).slice(-50);
      assert.deepEqual(
        page.items.map(
          (item) => item.type === 'message' && [item.key, item.message.senderId, item.message.content.text],
        ),
        newest.map(({ msgId, senderId, content }) => [msgId, senderId, content.text]),
      );
      assert.deepEqual([page.older, page.newer], [{ at: 'open' }, { at: 'open' }]);
      assert.deepEqual(page.told('heading').at(-1), {
        type: 'heading',
        name: '后山徒步队',
        summary: '58 members',
        readAs: 'Order Desk',
      });
      assert.deepEqual([panel.title, ranges()], ['后山徒步队', [[null, '50', null]]]);
    });

    it('what it loads, and tells others who takes part in that', async () => {
      await read();
      const newest = (await whole()).slice(-50);
      const senders = newest.map(({ senderId }) => `${senderId.length === 8 ? 'bot' : 'user'} ${senderId}`);
      assert.deepEqual(new Set(met), new Set([`group ${GROUP}`, `bot ${BOT}`, ...senders]));
    });

    it('what was asked for while VS Code made it, without asking again', async () => {
      const { page, panel } = open();
      while (lists().length === 0) await settled();
      page.say({ type: 'ready' });
      await page.until(() => isIdle(page) && page.items.length === 50);
      assert.deepEqual(ranges(), [[null, '50', null]]);
      assert.equal(panel.entry((await idsOf()).at(-1) ?? '')?.readable, true);
    });

    it('what went wrong while VS Code made it, without asking again', async () => {
      service.sandbox.setFaults({ faults: [{ on: 'messages', fault: 'code', code: 1003, msg: 'no', times: 1 }] });
      const { page } = open();
      while (lists().length === 0) await settled();
      page.say({ type: 'ready' });
      await page.until(() => page.newer?.at === 'failed');
      assert.equal(lists().length, 1);
    });

    it('older messages up to the beginning, and says that nothing is before that', async () => {
      const { page } = await read();
      const ids = await idsOf();
      for (const length of [100, ids.length]) {
        page.say({ type: 'older' });
        await page.until(() => page.items.length === length);
      }
      assert.deepEqual(page.keys, ids);
      assert.deepEqual(page.older, { at: 'open' });
      page.say({ type: 'older' });
      await page.until(() => page.older?.at === 'end');
      assert.deepEqual(page.keys, ids);
      assert.deepEqual(ranges().slice(1), [
        [ids.at(-50), '50', '0'],
        [ids.at(-100), '50', '0'],
        [ids[0], '50', '0'],
      ]);
    });

    it('what was sent meanwhile, after what is there', async () => {
      const { page } = await read();
      const sent = [await sendTo(service.sandbox, GROUP, 'one'), await sendTo(service.sandbox, GROUP, 'two')];
      page.say({ type: 'newer' });
      await page.until(() => page.items.length === 52 && page.newer?.at === 'end');
      assert.deepEqual(page.keys, (await idsOf()).slice(-52));
      assert.deepEqual([page.keys.slice(-2), page.newer], [sent, { at: 'end' }]);
    });

    it('what is beyond a gap, from the side where it is asked for', async () => {
      const { page, panel } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      await panel.goTo(ids[200] ?? '');
      await page.until(() => page.items.length === 102);
      page.say({ type: 'gap', id: gapIn(page).id, from: 'older' });
      await page.until(() => page.items.length === 152 && gapIn(page).edge.at === 'open');
      assert.deepEqual(page.keys, [...ids.slice(175, 276), '…', ...ids.slice(-50)]);
      page.say({ type: 'gap', id: gapIn(page).id, from: 'newer' });
      await page.until(() => page.items.length === 202 && gapIn(page).edge.at === 'open');
      assert.deepEqual(page.keys, [...ids.slice(175, 276), '…', ...ids.slice(-100)]);
    });

    it('all that is loaded when it begins anew, first what is around the place that is read, and asks for nothing', async () => {
      const { page, panel } = await read({ id: SHOP });
      await panel.loadAll(() => {}, new AbortController().signal);
      const ids = await idsOf(SHOP);
      assert.deepEqual(page.keys, ids);
      page.turn(false);
      page.turn(true);
      [service.requests.length, page.posted.length] = [0, 0];
      page.say({ type: 'ready', reading: ids[150] });
      await page.until(() => page.items.length === 480 && page.older?.at === 'end');
      assert.deepEqual(page.keys, ids);
      const first = page.told('splice')[0]?.items.map(({ key }) => key) ?? [];
      assert.ok(first.length <= 200 && first.includes(ids[150] ?? ''), `${first.length}`);
      assert.deepEqual(page.told('show'), []);
      // What was asked for before this one would have been answered by now.
      await panel.loadNewer();
      assert.deepEqual([service.requests.length, ranges()], [1, [[ids.at(-1), '0', '50']]]);
    });

    it('nothing that became of the page before it, when that was hidden while something was loaded', async () => {
      const { page } = await read();
      const { begun, answer: list } = holdLists(service);
      page.say({ type: 'older' });
      await begun;
      page.turn(false);
      page.turn(true);
      list.resolve(undefined);
      await page.until(() => page.older?.at === 'open');
      assert.deepEqual(page.keys, []);
      page.say({ type: 'ready' });
      await page.until(() => page.items.length > 0);
      assert.deepEqual(page.keys, (await idsOf()).slice(-100));
    });

    it('nothing that became of the page before it, when it was made anew while something was loaded', async () => {
      const { page, panel } = await read();
      const { begun, answer: list } = holdLists(service);
      page.say({ type: 'older' });
      await begun;
      panel.load();
      list.resolve(undefined);
      await page.until(() => page.older?.at === 'open');
      assert.deepEqual([page.keys, page.htmls.length], [[], 2]);
      page.say({ type: 'ready' });
      await page.until(() => page.items.length > 0);
      assert.deepEqual(page.keys, (await idsOf()).slice(-100));
    });

    it('what is new while it is on the screen, without being asked', async () => {
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

    it('the find bar', async () => {
      const { page, panel } = await read();
      panel.find();
      assert.deepEqual(page.posted.at(-1), { type: 'find' });
    });
  });

  describe('restored', () => {
    it('goes to a message that was read far back, and loads no more than that and the newest', async () => {
      const { page } = open({ id: SHOP });
      const ids = await idsOf(SHOP);
      page.say({ type: 'ready', reading: ids[100] });
      await page.until(() => page.keys.includes(ids[100] ?? ''));
      assert.deepEqual(page.keys, [...ids.slice(75, 126), '…', ...ids.slice(-50)]);
      assert.deepEqual([page.told('show'), page.told('lost')], [[], []]);
      assert.deepEqual(ranges(), [
        [null, '50', null],
        [ids[100], '25', '25'],
      ]);
    });

    it('asks for nothing more where what was read is among the newest', async () => {
      const { page } = open();
      page.say({ type: 'ready', reading: (await idsOf()).at(-30) });
      await page.until(() => isIdle(page) && page.items.length > 0 && page.told('heading').length > 0);
      await settled();
      assert.deepEqual([page.items.length, ranges(), page.told('lost')], [50, [[null, '50', null]], []]);
    });

    it('lets a message go that does not exist any more, and says so to its page alone', async () => {
      const { page } = open();
      page.say({ type: 'ready', reading: 'f'.repeat(32) });
      await page.until(() => page.told('lost').length > 0);
      assert.deepEqual(page.keys, (await idsOf()).slice(-50));
      assert.deepEqual([page.told('lost').length, said, lines], [1, [], []]);
    });

    it('goes to a message as soon as the service can be reached again', async () => {
      const ids = await idsOf(SHOP);
      const isDown = { faults: [{ on: 'messages', fault: 'code', code: 1005 } as const] };
      service.sandbox.setFaults(isDown);
      const { page } = open({ id: SHOP });
      page.say({ type: 'ready', reading: ids[100] });
      await page.until(() => page.newer?.at === 'failed');
      service.sandbox.setFaults(undefined);
      page.say({ type: 'newer' });
      await page.until(() => page.keys.includes(ids[100] ?? ''));
      assert.deepEqual(page.keys, [...ids.slice(75, 126), '…', ...ids.slice(-50)]);
      assert.deepEqual(page.told('lost'), []);
    });
  });

  describe('remembers what was seen:', () => {
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

    it('the newest message that is on the screen, for the next time', async () => {
      const { page } = await read();
      const mark = await newest();
      assert.deepEqual(marked(), mark);
      assert.deepEqual(seen.at(-1), [GROUP, mark]);
      assert.deepEqual(page.told('seen'), []);
      page.close();
      const { page: again } = await read();
      assert.deepEqual(again.posted[0], { type: 'seen', ...mark });
    });

    it('up to where it was when the panel was opened, however often its page begins anew', async () => {
      const before = await newest();
      await remember(before);
      await sendTo(service.sandbox, GROUP, 'news');
      const { page } = await read();
      assert.deepEqual(marked(), await newest());
      page.turn(false);
      page.turn(true);
      page.say({ type: 'ready' });
      await page.until(() => page.items.length === 50);
      assert.deepEqual(page.told('seen'), [
        { type: 'seen', ...before },
        { type: 'seen', ...before },
      ]);
    });

    it('nothing where what is remembered cannot be read', async () => {
      await remember({ msgId: 7 });
      const { page } = await read();
      assert.deepEqual(page.told('seen'), []);
      assert.deepEqual(marked(), await newest());
    });

    it('not while the panel is hidden, but when it is in front again', async () => {
      const { page, panel } = await read();
      const before = await newest();
      page.turn(false);
      seen.length = 0;
      await sendTo(service.sandbox, GROUP, 'unseen');
      await panel.loadNewer();
      assert.deepEqual([seen, marked()], [[], before]);
      page.turn(true);
      assert.deepEqual([seen, marked()], [[[GROUP, await newest()]], await newest()]);
    });

    it('not while the person reads farther up, but when they are at the newest again', async () => {
      const { page, panel } = await read();
      const before = await newest();
      page.say({ type: 'atNewest', is: false });
      seen.length = 0;
      await sendTo(service.sandbox, GROUP, 'below');
      await panel.loadNewer();
      assert.deepEqual([seen, marked()], [[], before]);
      page.say({ type: 'atNewest', is: true });
      assert.deepEqual([seen, marked()], [[[GROUP, await newest()]], await newest()]);
    });

    it('not where a page comes back to a place farther up', async () => {
      const { page } = open({ id: SHOP });
      const ids = await idsOf(SHOP);
      page.say({ type: 'ready', reading: ids[100] });
      // As the page says it once it has painted the newest.
      page.say({ type: 'atNewest', is: false });
      await page.until(() => page.keys.includes(ids[100] ?? ''));
      assert.deepEqual([seen, memory.keys()], [[], []]);
    });
  });

  describe('brings a message into view', () => {
    it('that is loaded, without a request', async () => {
      const { page, panel } = await read();
      service.requests.length = 0;
      const id = (await idsOf()).at(-20) ?? '';
      await panel.goTo(id);
      assert.deepEqual(page.posted.at(-1), { type: 'show', key: id });
      assert.deepEqual(service.requests, []);
    });

    it('that is not loaded, together with those around it', async () => {
      const { page } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      page.say({ type: 'goTo', msgId: ids[60] });
      await page.until(() => page.told('show').length > 0);
      assert.deepEqual(page.keys, [...ids.slice(35, 86), '…', ...ids.slice(-50)]);
      assert.deepEqual(page.posted.at(-1), { type: 'show', key: ids[60] });
    });

    it('unless the service refuses it: its words are shown and logged, and nothing changes', async () => {
      const { page, panel } = await read();
      const before = page.keys;
      const shown = new Promise<string>((resolve) => {
        onMessages((message) => void resolve(message));
      });
      page.say({ type: 'goTo', msgId: 'nosuch' });
      assert.equal(await shown, 'The service answered with code -1: “消息不存在或无权限修改”');
      assert.deepEqual([page.keys, page.told('show')], [before, []]);
      assert.match(lines.join('\n'), /code -1: 消息不存在或无权限修改/);
      await assert.rejects(panel.goTo('nosuch'), /code -1/);
    });

    it('unless the service lists others in its place', async () => {
      const { page, panel } = await read();
      const before = page.keys;
      service.instead = async () => Response.json({ code: 1, msg: 'success', data: { list: [], total: 0 } });
      await assert.rejects(panel.goTo('nosuch'), {
        name: 'UserFacingError',
        message: 'The service lists no message with the ID nosuch in this chat.',
      });
      assert.deepEqual([page.keys, page.told('show')], [before, []]);
    });
  });

  describe('hears its page', () => {
    const bad: [string, unknown][] = [
      ['no message', undefined],
      ['a text', 'ready'],
      ['an unknown type', { type: 'eval', text: '1' }],
      ['an inherited type', { type: 'toString' }],
      ['no ID to go to', { type: 'goTo' }],
      ['an empty ID', { type: 'goTo', msgId: '' }],
      ['an ID that is none', { type: 'goTo', msgId: ['x'] }],
      ['a gap that is none', { type: 'gap', id: -1, from: 'older' }],
      ['a side that is none', { type: 'gap', id: 1, from: 'left' }],
      ['a place that is none', { type: 'ready', reading: 7 }],
      ['an answer that is none', { type: 'atNewest', is: 'yes' }],
      ['a profile of a group', { type: 'profile', kind: 'group', id: GROUP }],
      ['a profile of nobody', { type: 'profile', kind: 'user', id: '' }],
      ['a copy of no text', { type: 'copy', text: 7 }],
      ['a link to a command', { type: 'open', url: 'command:botChats.removeToken' }],
      ['a link to a file', { type: 'open', url: 'file:///etc/passwd' }],
      ['a link to nowhere', { type: 'open', url: 'https://' }],
    ];
    for (const [what, message] of bad) {
      it(`but not ${what}: that is logged, and changes nothing`, async () => {
        const { page } = await read();
        [service.requests.length, page.posted.length] = [0, 0];
        page.say(message);
        await settled();
        assert.match(lines.join('\n'), /^'history page: .+/);
        assert.equal(lines.length, 1);
        assert.deepEqual([page.posted, service.requests, said], [[], [], []]);
      });
    }

    it('load a gap that is not there any more, and does nothing', async () => {
      const { page, panel } = await read();
      service.requests.length = 0;
      page.say({ type: 'gap', id: 99, from: 'older' });
      await panel.loadNewer();
      assert.deepEqual([lists().length, page.keys, said], [1, (await idsOf()).slice(-50), []]);
    });

    it('copy a text', async () => {
      const { page } = await read();
      page.say({ type: 'copy', text: '复制 me' });
      // A later write comes after it.
      while ((await env.clipboard.readText()) !== '复制 me') await settled();
    });

    it('ask who somebody is', async () => {
      const { page } = await read();
      page.say({ type: 'profile', kind: 'bot', id: BOT });
      await page.until(() => page.told('profile').length > 0);
      const { profile } = page.told('profile')[0] ?? assert.fail();
      assert.deepEqual([profile.id, profile.name, profile.trouble], [BOT, 'Order Desk', '']);
      assert.deepEqual(profile.facts[0], { label: 'ID', value: BOT });
    });

    it('ask who nobody is, and says why nothing is known of them', async () => {
      const { page } = await read();
      page.say({ type: 'profile', kind: 'bot', id: '1' });
      page.say({ type: 'profile', kind: 'user', id: '2' });
      await page.until(() => page.told('profile').length === 2);
      const profiles = page.told('profile').map(({ profile }) => profile);
      assert.deepEqual(
        profiles.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
        [
          {
            id: '1',
            name: '1',
            trouble: 'There is no bot with the ID 1. The service answered with code -1: “机器人不存在”',
            facts: [],
          },
          { id: '2', name: '2', trouble: 'There is no user with the ID 2.', facts: [] },
        ],
      );
      assert.deepEqual(said, []);
    });
  });

  describe('without the right token', () => {
    const noToken = { at: 'failed', text: `No token is saved for the bot ${BOT}.`, needsToken: true };
    const refused = {
      at: 'failed',
      text: 'The service answered with code 1003: “非法token” ' + '(Observed, not documented: the token was refused)',
      needsToken: true,
    };

    it('says so where messages are missing, asks the service for none, and goes on when there is one', async () => {
      await tokens.remove(opened, BOT);
      const { page } = open();
      page.say({ type: 'ready' });
      await page.until(() => page.newer?.at === 'failed');
      assert.deepEqual([page.newer, lists(), said], [noToken, [], []]);
      typed = token();
      page.say({ type: 'setToken' });
      await page.until(() => page.items.length > 0);
      assert.deepEqual([page.keys, asked], [(await idsOf()).slice(-50), [BOT]]);
      assert.deepEqual([page.older, page.newer], [{ at: 'open' }, { at: 'open' }]);
    });

    it('does nothing where the person steps back', async () => {
      await tokens.remove(opened, BOT);
      const { page } = open();
      page.say({ type: 'ready' });
      await page.until(() => page.newer?.at === 'failed' && page.told('heading').length > 0);
      page.posted.length = 0;
      page.say({ type: 'setToken' });
      await settled();
      assert.deepEqual([asked, page.posted, lists()], [[BOT], [], []]);
    });

    it('says with the words of the service that it was refused', async () => {
      await tokens.set(opened, BOT, 'not-a-token');
      const { page } = open();
      page.say({ type: 'ready' });
      await page.until(() => page.newer?.at === 'failed');
      assert.deepEqual([page.newer, page.keys], [refused, []]);
    });

    it('goes on at both ends and in gaps where it had failed, when there is another one', async () => {
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
        page.say(message);
      }
      await page.until(() => page.newer?.at === 'failed');
      assert.deepEqual([page.older, gapIn(page).edge, page.newer], [refused, refused, refused]);
      typed = token();
      page.say({ type: 'setToken' });
      await page.until(() =>
        [page.older, gapIn(page).edge, page.newer].every((edge) => edge?.at !== 'failed' && edge?.at !== 'loading'),
      );
      assert.deepEqual(page.keys, [...ids.slice(25, 176), '…', ...ids.slice(-50)]);
    });
  });

  describe('of a service that is not the one in the settings', () => {
    const elsewhere = 'https://elsewhere.example/api';
    const text = `This history is of ${elsewhere}, which is not connected now.`;

    it('asks for nothing, and says so where messages are missing', async () => {
      const { page, panel } = open({ service: elsewhere });
      page.say({ type: 'ready' });
      await page.until(() => page.newer?.at === 'failed' && page.told('heading').length > 0);
      assert.deepEqual(page.newer, { at: 'failed', text, needsToken: false });
      assert.deepEqual(page.told('heading'), [{ type: 'heading', name: GROUP, summary: '', readAs: BOT }]);
      page.say({ type: 'profile', kind: 'user', id: '7058314' });
      await page.until(() => page.told('profile').length > 0);
      assert.deepEqual(page.told('profile')[0]?.profile.trouble, text);
      await assert.rejects(panel.goTo('x'), { message: text });
      assert.deepEqual([service.requests, memory.keys()], [[], []]);
    });

    it('does not save a token for the other one', async () => {
      const { page } = open({ service: elsewhere });
      const shown = new Promise<string>((resolve) => {
        onMessages((message) => void resolve(message));
      });
      page.say({ type: 'setToken' });
      assert.deepEqual([await shown, asked], [text, []]);
    });

    it('keeps what it has when the settings name another one meanwhile', async () => {
      const { page } = await read();
      const before = page.keys;
      const other = await useService();
      page.say({ type: 'newer' });
      await page.until(() => page.newer?.at === 'failed');
      assert.deepEqual([page.keys, other.requests], [before, []]);
      assert.ok(page.newer?.at === 'failed' && page.newer.text.includes(opened.address));
      await backFrom(other);
    });

    it('makes nobody known to the other one', async () => {
      const { page } = await read();
      met.length = 0;
      const { begun, answer: list } = holdLists(service);
      page.say({ type: 'older' });
      await begun;
      const other = await useService();
      list.resolve(undefined);
      await page.until(() => isIdle(page) && page.items.length > 50);
      for (let turn = 0; turn < 10; turn++) await settled();
      await backFrom(other);
      assert.deepEqual(met, []);
    });

    async function backFrom(other: TestService) {
      await other.close();
      const { webUrl, openApiUrl } = service.sandbox;
      await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
    }
  });

  describe('that is closed', () => {
    /** Closes a panel while a list is under way that this begins; resolves when all that follows has happened. */
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
      ['older messages are loaded', ({ page }) => page.say({ type: 'older' })],
      ['newer messages are loaded', ({ panel }) => panel.loadNewer()],
      ['the page goes to a message', ({ page }) => page.say({ type: 'goTo', msgId: 'a' })],
      ['the person goes to a message', ({ panel }) => panel.goTo('a')],
      ['all is loaded', ({ panel }) => panel.loadAll(() => {}, new AbortController().signal)],
    ];
    for (const [what, begin] of cases) {
      it(`while ${what} stops that, and says nothing more`, async () => {
        const page = await closeDuring(begin);
        assert.deepEqual([page.posted, said, lines], [[], [], []]);
      });
    }

    it('before its page was ready asks for nothing', async () => {
      const { page } = open();
      page.close();
      page.say({ type: 'ready' });
      for (let turn = 0; turn < 10; turn++) await settled();
      assert.deepEqual([page.posted, lists(), said], [[], [], []]);
    });
  });

  it('tells no token: not its page, not the log, not the person', async () => {
    const quoting = (times: number) => ({ faults: [{ on: 'messages', fault: 'html', status: 403, times } as const] });
    const { page, panel } = await read();
    service.sandbox.setFaults(quoting(2));
    page.say({ type: 'older' });
    await page.until(() => page.older?.at === 'failed');
    assert.match(JSON.stringify(page.older), /token=\*\*\*/);
    const shown = new Promise<string>((resolve) => {
      onMessages((message) => void resolve(message));
    });
    page.say({ type: 'goTo', msgId: 'nosuch' });
    assert.match(await shown, /token=\*\*\*/);
    await assert.rejects(panel.goTo('nosuch'));
    assert.match(lines.join('\n'), /token=\*\*\*/);
    const told = JSON.stringify([
      page.posted,
      page.htmls,
      lines,
      await shown,
      memory.keys().map((key) => memory.get(key)),
    ]);
    assert.ok(!told.includes(token()) && !told.includes('sandbox-token'));
  });

  describe('has a page', () => {
    const policyOf = ({ htmls }: TestPage) =>
      /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(htmls.at(-1) ?? '')?.[1]?.split('; ') ?? [];
    const nonceOf = (page: TestPage) => /'nonce-([0-9a-f-]{36})'/.exec(policyOf(page).join())?.[1] ?? assert.fail();

    it('that runs its own script alone, by a nonce of its own, and loads nothing else', () => {
      const [{ page }, { page: other }] = [open(), open({ id: SHOP })];
      const nonce = nonceOf(page);
      assert.deepEqual(policyOf(page), [
        "default-src 'none'",
        `script-src 'nonce-${nonce}' 'strict-dynamic'`,
        `style-src 'nonce-${nonce}'`,
        "base-uri 'none'",
        "form-action 'none'",
      ]);
      assert.notEqual(nonceOf(other), nonce);
      const { enableScripts, localResourceRoots = [] } = page.panel.webview.options;
      assert.equal(enableScripts, true);
      assert.deepEqual(localResourceRoots.map(String), [Uri.joinPath(Uri.file(root), 'dist', 'webview').toString()]);
      const [script, ...others] = [...(page.htmls[0] ?? '').matchAll(/<script(?! type="application\/json")[^>]*>/g)];
      assert.deepEqual([others, script?.[0].includes(` nonce="${nonce}" `)], [[], true]);
    });

    it('with pictures only in the chats where the person allows them, as soon as they do', async () => {
      const pictures = 'img-src https: http: data:';
      const [{ page, panel }, { page: other }] = [open(), open({ id: SHOP })];
      assert.ok(!policyOf(page).includes(pictures));
      const before = nonceOf(page);
      try {
        await configure({ 'history.picturesIn': [GROUP] });
        panel.load();
        assert.ok(policyOf(page).includes(pictures));
        assert.match(page.htmls.at(-1) ?? '', /id="options">\{"pictures":true\}</);
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

    it('over its gaps, and tells how far it is', async () => {
      const { page, panel } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      const counts: number[] = [];
      await panel.goTo(ids[200] ?? '');
      await panel.loadAll((count) => counts.push(count), never);
      assert.deepEqual([page.keys, page.older], [ids, { at: 'end' }]);
      assert.deepEqual(
        counts,
        counts.toSorted((one, other) => one - other),
      );
      // 101 messages, and a gap.
      assert.deepEqual([counts[0], counts.at(-1)], [102, ids.length]);
    });

    it('until it is cancelled, and keeps what it has', async () => {
      const { page, panel } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      const abort = new AbortController();
      await panel.loadAll((count) => count >= 150 && abort.abort(), abort.signal);
      assert.deepEqual([page.keys, page.older], [ids.slice(-150), { at: 'open' }]);
    });

    it('until something goes wrong, which it rejects with; what it has stays, and it goes on from there', async () => {
      const { page, panel } = await read({ id: SHOP });
      const ids = await idsOf(SHOP);
      service.sandbox.setFaults({
        faults: [{ on: 'messages', skip: 2, fault: 'code', code: 1005, msg: '频道已封禁' }],
      });
      await assert.rejects(
        panel.loadAll(() => {}, never),
        /code 1005: 频道已封禁/,
      );
      assert.deepEqual(page.keys, ids.slice(-150));
      assert.ok(page.older?.at === 'failed' && page.older.text.includes('“频道已封禁”'));
      service.sandbox.setFaults(undefined);
      await panel.loadAll(() => {}, never);
      assert.deepEqual([page.keys, page.older], [ids, { at: 'end' }]);
    });

    it('until something goes wrong in a gap', async () => {
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
      assert.equal(gapIn(page).edge.at, 'failed');
      service.sandbox.setFaults(undefined);
      await panel.loadAll(() => {}, never);
      assert.deepEqual(page.keys, ids);
    });
  });
});
