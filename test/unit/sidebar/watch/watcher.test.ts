import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import type { Service } from '../../../../src/platform/service.ts';
import { Store } from '../../../../src/platform/store.ts';
import { Tokens } from '../../../../src/platform/tokens.ts';
import { errorText } from '../../../../src/presentation/errorText.ts';
import type { Chat } from '../../../../src/service/model.ts';
import { Watcher } from '../../../../src/sidebar/watch/watcher.ts';
import { answer, restore } from '../../answers.ts';
import { settled } from '../../deferred.ts';
import { memento, secretStorage } from '../../memory.ts';
import { heldClock } from '../../service/held-clock.ts';
import { newHost } from '../../test-host.ts';
import { configure, newConnection, type TestService, useService } from '../../test-service.ts';

const BOT = '30481126';
const OTHER_BOT = '30759903';
const BIG: Chat = { type: 'group', id: 'big' };
const SHOP: Chat = { type: 'group', id: '518204736' };

/** What is not in the sidebar is not watched. */
const LISTS = { groups: ['big', '518204736'], people: ['7058314', '7102649'] };

describe('Watching chats', () => {
  let service: TestService;
  let memory: Memento;
  let tokens: Tokens;
  const windows: { dispose(): void }[] = [];

  beforeEach(async () => {
    service = await useService(LISTS);
    memory = memento();
    tokens = new Tokens(secretStorage());
    focus(true);
  });

  afterEach(async () => {
    for (const window of windows.splice(0)) window.dispose();
    restore();
    await service.close();
  });

  const focus = (focused: boolean) => answer('state', { focused, active: true });

  /** A window whose time stands still, with what was kept before it. */
  async function openWindow() {
    const connection = newConnection();
    const { clock, pass } = heldClock();
    /** The chats that were looked at, and when those looks end. */
    const looks: string[] = [];
    const ends: Promise<unknown>[] = [];
    const changes: string[] = [];
    const news: Record<string, number>[] = [];
    const watcher = new Watcher(
      newHost({ connection, tokens, store: new Store(memory) }),
      {
        chatChanged: ({ id }) => changes.push(id),
        newMessages: (_, arrived) => news.push(Object.fromEntries(arrived.map(({ chat, count }) => [chat.id, count]))),
      },
      clock,
    );
    /** Notes the looks at the service that is used now. */
    const observe = async (): Promise<Service> => {
      const opened = await connection.open();
      const { client } = opened;
      const read = client.messages.bind(client);
      const messages: typeof read = (token, chat, ...rest) => {
        looks.push(chat.id);
        const end = read(token, chat, ...rest);
        ends.push(end);
        return end;
      };
      Object.assign(client, { messages });
      return opened;
    };
    /** What is under way ends. */
    const rest = async () => {
      await settled();
      while (ends.length > 0) {
        await Promise.allSettled(ends.splice(0));
        await settled();
      }
    };
    /** Lets minutes pass. */
    const later = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        await pass(60_000);
        await rest();
      }
    };
    const dispose = () => {
      watcher.dispose();
      connection.dispose();
    };
    windows.push({ dispose });
    const unread = (chat: Chat) => watcher.state(chat)?.unread;
    const watch = async (...chats: Chat[]) =>
      watcher.watch(
        await connection.open(),
        chats.map((chat) => ({ chat, botId: BOT })),
      );
    return { watcher, watch, looks, changes, news, later, rest, unread, observe, dispose, opened: await observe() };
  }

  /** Sends messages to a group as a bot. */
  const send = async ({ client }: Service, chat: Chat, texts: string[], botId = OTHER_BOT) => {
    const token = service.sandbox.token(botId) ?? '';
    for (const text of texts) {
      await client.batchSend(token, chat.type, [chat.id], { contentType: 'text', content: { text } });
    }
  };
  const newestIn = async ({ client }: Service, { type, id }: Chat) => {
    const [newest] = await client.messages(service.sandbox.token(BOT) ?? '', { type, id }, { latest: 1 });
    assert(newest?.readable);
    const { msgId, sendTime = 0 } = newest.message;
    return { msgId, sendTime };
  };
  /** A window in which a chat is watched. */
  const watching = async (...chats: Chat[]) => {
    const window = await openWindow();
    await tokens.set(window.opened, BOT, service.sandbox.token(BOT) ?? '');
    await window.watch(...chats);
    return window;
  };

  it('counts what comes after it began, but for what the bot itself says, and tells of it once', async () => {
    const { opened, unread, later, changes, news } = await watching(BIG);
    assert.equal(unread(BIG), 0);
    await send(opened, BIG, ['one', 'two']);
    await send(opened, BIG, ['mine'], BOT);
    await later(1);
    assert.equal(unread(BIG), 2);
    assert.deepEqual(news, [{ big: 2 }]);
    changes.splice(0);
    await later(2);
    assert.deepEqual([unread(BIG), changes, news.length], [2, [], 1]);
  });

  it('looks once a minute, and asks for nothing else', async () => {
    const { looks, later } = await watching(BIG, SHOP);
    const before = looks.length;
    await later(3);
    assert.deepEqual(
      looks.slice(before).toSorted(),
      [SHOP, SHOP, SHOP, BIG, BIG, BIG].map(({ id }) => id),
    );
    assert.ok(service.requests.every(({ pathname }) => pathname.endsWith('/messages')));
  });

  it('forgets what the person has seen', async () => {
    const { opened, watcher, unread, later, changes } = await watching(BIG);
    await send(opened, BIG, ['one', 'two']);
    await later(1);
    changes.splice(0);
    const newest = await newestIn(opened, BIG);
    const place = { ...BIG, service: opened.address, botId: BOT };
    await watcher.markSeen({ ...place, service: 'https://another.example' }, newest);
    assert.equal(unread(BIG), 2);
    await watcher.markSeen({ ...place, botId: OTHER_BOT }, newest);
    assert.deepEqual([unread(BIG), changes], [0, ['big']]);
    await send(opened, BIG, ['three']);
    await later(1);
    assert.equal(unread(BIG), 1);
  });

  it('takes what was read with another bot for another conversation with a person', async () => {
    const person: Chat = { type: 'user', id: '7058314' };
    const { opened, watcher } = await watching(person);
    const stored = () => memory.keys().map((key) => memory.get(key));
    const before = stored();
    const later = { msgId: 'later', sendTime: Date.now() + 60_000 };
    await watcher.markSeen({ ...person, service: opened.address, botId: OTHER_BOT }, later);
    assert.deepEqual(stored(), before);
    await watcher.markSeen({ ...person, service: opened.address, botId: BOT }, later);
    assert.notDeepEqual(stored(), before);
  });

  it('goes on after a restart, and counts what came meanwhile', async () => {
    const before = await watching(BIG, SHOP);
    await before.watcher.unwatch(SHOP);
    await send(before.opened, BIG, ['one']);
    await before.later(1);
    before.dispose();
    const { opened, watcher, unread, rest, looks, news } = await openWindow();
    await send(opened, BIG, ['two']);
    await watcher.start();
    await rest();
    assert.deepEqual(looks, ['big']);
    assert.equal(unread(BIG), 2);
    assert.equal(watcher.state(BIG)?.botId, BOT);
    assert.equal(watcher.state(SHOP), undefined);
    assert.deepEqual(watcher.total(), { unread: 2, more: false });
    assert.deepEqual(news, [{ big: 1 }]);
  });

  it('keeps no token and no message, and nothing where nothing is watched', async () => {
    const { opened, watcher, later } = await watching(BIG);
    await send(opened, BIG, ['a secret text']);
    await later(1);
    const kept = JSON.stringify(memory.keys().map((key) => memory.get(key)));
    assert.match(kept, /big/);
    assert.doesNotMatch(kept, /sandbox-token|secret text/);
    await watcher.unwatch(BIG);
    assert.deepEqual(memory.get('watched'), []);
  });

  it('asks for nothing while nothing is watched', async () => {
    const { watcher, later, looks } = await openWindow();
    await watcher.start();
    await later(20);
    assert.deepEqual([looks, service.requests], [[], []]);
  });

  it('asks for nothing while the window is not used, and looks when it is again', async () => {
    const { watcher, later, rest, looks } = await watching(BIG);
    looks.splice(0);
    focus(false);
    watcher.wake();
    await later(20);
    assert.deepEqual(looks, []);
    focus(true);
    watcher.wake();
    await rest();
    assert.deepEqual(looks, ['big']);
  });

  it('says what keeps it from looking, and looks as soon as a token is saved', async () => {
    const { opened, watcher, watch, rest, looks } = await openWindow();
    await watch(BIG);
    assert.match(errorText(watcher.state(BIG)?.error), /No token is saved for the bot 30481126/);
    assert.deepEqual(looks, []);
    await tokens.set(opened, BOT, service.sandbox.token(BOT) ?? '');
    watcher.wake({ retry: true });
    await rest();
    assert.deepEqual(looks, ['big']);
    assert.equal(watcher.state(BIG)?.error, undefined);
  });

  it('keeps its count while looks fail, and looks ever more seldom', async () => {
    const { opened, watcher, unread, later, looks } = await watching(BIG);
    await send(opened, BIG, ['one']);
    await later(1);
    service.sandbox.setFaults({ faults: [{ on: 'messages', fault: 'code', code: 1005 }] });
    looks.splice(0);
    await later(10);
    assert.equal(looks.length, 4);
    assert.equal(unread(BIG), 1);
    assert.match(errorText(watcher.state(BIG)?.error), /code 1005/);
  });

  it('is of one service: another one has its own, and none of the first is asked of it', async () => {
    const { opened, watcher, watch, looks, later, rest, unread, observe } = await watching(BIG);
    await send(opened, BIG, ['one']);
    await later(1);
    const other = await useService(LISTS);
    await watcher.restart();
    await tokens.set(await observe(), BOT, other.sandbox.token(BOT) ?? '');
    looks.splice(0);
    await later(5);
    assert.deepEqual([watcher.state(BIG), watcher.total().unread, looks], [undefined, 0, []]);
    await watch(SHOP);
    assert.deepEqual(looks, [SHOP.id]);
    await other.close();
    const { webUrl, openApiUrl } = service.sandbox;
    await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl, ...LISTS });
    await observe();
    await watcher.restart();
    await rest();
    assert.deepEqual([unread(BIG), watcher.state(SHOP)], [1, undefined]);
  });

  it('does nothing where the address of the service cannot be used', async () => {
    const { watcher } = await openWindow();
    await configure({ 'service.openApiUrl': 'nowhere' });
    await watcher.restart();
    assert.equal(watcher.state(BIG), undefined);
  });
});
