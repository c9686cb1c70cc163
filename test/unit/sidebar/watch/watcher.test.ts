import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import type { Service } from '../../../../src/platform/service.ts';
import { Store } from '../../../../src/platform/store.ts';
import { Tokens } from '../../../../src/platform/tokens.ts';
import { errorText } from '../../../../src/presentation/errorText.ts';
import type { Chat } from '../../../../src/service/model.ts';
import { Watcher } from '../../../../src/sidebar/watch/watcher.ts';
import { answer, restore } from '../../answers.ts';
import { heldClock } from '../../clocks.ts';
import { settled } from '../../deferred.ts';
import { memento, secretStorage } from '../../memory.ts';
import { newHost } from '../../test-host.ts';
import { configure, newConnection, type TestService, useService } from '../../test-service.ts';

const BOT = '30481126';
const OTHER_BOT = '30527740';
const BIG: Chat = { type: 'group', id: 'big' };
const SHOP: Chat = { type: 'group', id: '518204736' };

/** Only chats in the sidebar are watched. */
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

  /** A window with a held clock and the stored chats. */
  async function openWindow() {
    const connection = newConnection();
    const { clock, pass } = heldClock();
    /** The polled chats, and the polls themselves. */
    const polled: string[] = [];
    const polls: Promise<unknown>[] = [];
    const changes: string[] = [];
    const announced: Record<string, number>[] = [];
    const watcher = new Watcher(
      newHost({ connection, tokens, store: new Store(memory) }),
      {
        chatChanged: ({ id }) => changes.push(id),
        newMessages: (_, arrived) =>
          announced.push(Object.fromEntries(arrived.map(({ chat, count }) => [chat.id, count]))),
      },
      clock,
    );
    /** Records the polls of the service in use. */
    const observe = async (): Promise<Service> => {
      const opened = await connection.open();
      const { client } = opened;
      const read = client.messages.bind(client);
      const messages: typeof read = (token, chat, ...rest) => {
        polled.push(chat.id);
        const poll = read(token, chat, ...rest);
        polls.push(poll);
        return poll;
      };
      Object.assign(client, { messages });
      return opened;
    };
    /** Resolves when all polls have ended. */
    const idle = async () => {
      await settled();
      while (polls.length > 0) {
        await Promise.allSettled(polls.splice(0));
        await settled();
      }
    };
    /** Advances the clock by minutes. */
    const later = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute++) {
        await pass(60_000);
        await idle();
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
    return {
      watcher,
      watch,
      polled,
      changes,
      announced,
      later,
      idle,
      unread,
      observe,
      dispose,
      opened: await observe(),
    };
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
  /** A window that watches these chats. */
  const watching = async (...chats: Chat[]) => {
    const window = await openWindow();
    await tokens.set(window.opened, BOT, service.sandbox.token(BOT) ?? '');
    await window.watch(...chats);
    return window;
  };

  it("counts messages that arrive, except the bot's own, and announces them once", async () => {
    const { opened, unread, later, changes, announced } = await watching(BIG);
    assert.equal(unread(BIG), 0);
    await send(opened, BIG, ['one', 'two']);
    await send(opened, BIG, ['mine'], BOT);
    await later(1);
    assert.equal(unread(BIG), 2);
    assert.deepEqual(announced, [{ big: 2 }]);
    changes.splice(0);
    await later(2);
    assert.deepEqual([unread(BIG), changes, announced.length], [2, [], 1]);
  });

  it('polls once a minute and makes no other requests', async () => {
    const { polled, later } = await watching(BIG, SHOP);
    const before = polled.length;
    await later(3);
    assert.deepEqual(
      polled.slice(before).toSorted(),
      [SHOP, SHOP, SHOP, BIG, BIG, BIG].map(({ id }) => id),
    );
    assert.ok(service.requests.every(({ pathname }) => pathname.endsWith('/messages')));
  });

  it('resets the count when the chat is seen', async () => {
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

  it("ignores what was read in another bot's conversation with a user", async () => {
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

  it('continues after a restart and counts what arrived meanwhile', async () => {
    const before = await watching(BIG, SHOP);
    await before.watcher.unwatch(SHOP);
    await send(before.opened, BIG, ['one']);
    await before.later(1);
    before.dispose();
    const { opened, watcher, unread, idle, polled, announced } = await openWindow();
    await send(opened, BIG, ['two']);
    await watcher.start();
    await idle();
    assert.deepEqual(polled, ['big']);
    assert.equal(unread(BIG), 2);
    assert.equal(watcher.state(BIG)?.botId, BOT);
    assert.equal(watcher.state(SHOP), undefined);
    assert.deepEqual(watcher.total(), { unread: 2, more: false });
    assert.deepEqual(announced, [{ big: 1 }]);
  });

  it('stores no token and no message, and nothing if no chat is watched', async () => {
    const { opened, watcher, later } = await watching(BIG);
    await send(opened, BIG, ['a secret text']);
    await later(1);
    const stored = JSON.stringify(memory.keys().map((key) => memory.get(key)));
    assert.match(stored, /big/);
    assert.doesNotMatch(stored, /sandbox-token|secret text/);
    await watcher.unwatch(BIG);
    assert.deepEqual(memory.get('watched'), []);
  });

  it('makes no request if no chat is watched', async () => {
    const { watcher, later, polled } = await openWindow();
    await watcher.start();
    await later(20);
    assert.deepEqual([polled, service.requests], [[], []]);
  });

  it('makes no request without the focus, and polls when it returns', async () => {
    const { watcher, later, idle, polled } = await watching(BIG);
    polled.splice(0);
    focus(false);
    watcher.wake();
    await later(20);
    assert.deepEqual(polled, []);
    focus(true);
    watcher.wake();
    await idle();
    assert.deepEqual(polled, ['big']);
  });

  it('reports a missing token and polls as soon as one is saved', async () => {
    const { opened, watcher, watch, idle, polled } = await openWindow();
    await watch(BIG);
    assert.match(errorText(watcher.state(BIG)?.error), /No token is saved for bot 30481126/);
    assert.deepEqual(polled, []);
    await tokens.set(opened, BOT, service.sandbox.token(BOT) ?? '');
    watcher.wake({ retry: true });
    await idle();
    assert.deepEqual(polled, ['big']);
    assert.equal(watcher.state(BIG)?.error, undefined);
  });

  it('keeps the count while polls fail, and polls less and less often', async () => {
    const { opened, watcher, unread, later, polled } = await watching(BIG);
    await send(opened, BIG, ['one']);
    await later(1);
    service.sandbox.setFaults({ faults: [{ on: 'messages', fault: 'code', code: 1005 }] });
    polled.splice(0);
    await later(10);
    assert.equal(polled.length, 4);
    assert.equal(unread(BIG), 1);
    assert.match(errorText(watcher.state(BIG)?.error), /error 1005/);
  });

  it('keeps a separate list of chats for each service', async () => {
    const { opened, watcher, watch, polled, later, idle, unread, observe } = await watching(BIG);
    await send(opened, BIG, ['one']);
    await later(1);
    const other = await useService(LISTS);
    await watcher.restart();
    await tokens.set(await observe(), BOT, other.sandbox.token(BOT) ?? '');
    polled.splice(0);
    await later(5);
    assert.deepEqual([watcher.state(BIG), watcher.total().unread, polled], [undefined, 0, []]);
    await watch(SHOP);
    assert.deepEqual(polled, [SHOP.id]);
    await other.close();
    const { webUrl, openApiUrl } = service.sandbox;
    await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl, ...LISTS });
    await observe();
    await watcher.restart();
    await idle();
    assert.deepEqual([unread(BIG), watcher.state(SHOP)], [1, undefined]);
  });

  it('does nothing if the service address is invalid', async () => {
    const { watcher } = await openWindow();
    await configure({ 'service.openApiUrl': 'nowhere' });
    await watcher.restart();
    assert.equal(watcher.state(BIG), undefined);
  });
});
