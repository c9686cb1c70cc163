import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import type { Connection, Service } from '../../../../src/platform/service.ts';
import { Store } from '../../../../src/platform/store.ts';
import { Tokens } from '../../../../src/platform/tokens.ts';
import { errorText } from '../../../../src/presentation/errorText.ts';
import type { Chat } from '../../../../src/service/model.ts';
import type { NewMessages } from '../../../../src/sidebar/watch/watchContext.ts';
import { watchContext } from '../../../../src/sidebar/watch/watchContext.ts';
import { Watcher } from '../../../../src/sidebar/watch/watcher.ts';
import { answer, restore } from '../../answers.ts';
import { heldClock } from '../../clocks.ts';
import { deferred, settled } from '../../deferred.ts';
import { memento, secretStorage } from '../../memory.ts';
import { newHost } from '../../test-host.ts';
import { configure, newConnection, startService, type TestService } from '../../test-service.ts';

const BOT = '30481126';
const OTHER_BOT = '30527740';
const MINUTE = 60_000;
const BIG: Chat = { kind: 'group', id: 'big' };
const SHOP: Chat = { kind: 'group', id: '518204736' };

/** Only chats in the sidebar are watched. */
const LISTS = { groups: ['big', '518204736'], people: ['7058314', '7102649'] };

describe('Watching chats', () => {
  let service: TestService;
  let memory: Memento;
  let tokens: Tokens;
  let connection: Connection;
  let opened: Service;
  let watcher: Watcher;
  let clock: ReturnType<typeof heldClock>;
  let announced: Record<string, number>[];
  let onChange: () => void;

  beforeEach(async () => {
    service = await startService(LISTS);
    memory = memento();
    tokens = new Tokens(secretStorage(), memento());
    focus(true);
    connection = newConnection();
    opened = await connection.open();
    clock = heldClock();
    announced = [];
    onChange = () => {};
    const listener = {
      chatChanged: () => onChange(),
      polled: () => {},
      newMessages: (_: Service, arrived: readonly NewMessages[]) =>
        announced.push(Object.fromEntries(arrived.map(({ chat, messages }) => [chat.id, messages.length]))),
    };
    const host = newHost({ connection, tokens, store: new Store(memory) });
    watcher = new Watcher(watchContext(host, clock.clock), listener);
  });

  afterEach(async () => {
    watcher.dispose();
    connection.dispose();
    restore();
    await service.close();
  });

  const focus = (focused: boolean) => answer('state', { focused, active: true });
  const unread = (chat: Chat) => watcher.state(chat)?.unread;
  const stored = () => memory.keys().map((key) => memory.get(key));
  /** Resolves when the state of a chat changes. */
  const change = () =>
    new Promise<void>((resolve) => {
      onChange = resolve;
    });
  const watch = async (...chats: Chat[]) =>
    watcher.watch(
      await connection.open(),
      chats.map((chat) => ({ chat, botId: BOT })),
    );
  /** Watches chats with a saved token, and forgets the requests for that. */
  const watching = async (...chats: Chat[]) => {
    await tokens.set(opened, BOT, service.sandbox.token(BOT) ?? '');
    await watch(...chats);
    service.requests.splice(0);
  };
  /** A bot sends messages to a group. */
  const send = async (chat: Chat, texts: string[], botId = OTHER_BOT) => {
    const token = service.sandbox.token(botId) ?? '';
    for (const text of texts) {
      await opened.client.batchSend(token, chat.kind, [chat.id], { contentType: 'text', content: { text } });
    }
  };
  /** A bot sends messages to a group, and the group is polled. */
  const receive = async (chat: Chat, texts: string[], botId = OTHER_BOT) => {
    await send(chat, texts, botId);
    await watcher.poll(chat);
  };
  /** Where somebody has read to: later than anything that these tests send. */
  const LATER = { msgId: 'later', sendTime: Date.UTC(2100, 0) };

  it("counts and announces what arrives, except the bot's own messages, and requests nothing else", async () => {
    await watching(BIG);
    await send(BIG, ['one', 'two']);
    await send(BIG, ['mine'], BOT);
    service.requests.splice(0);
    await watcher.poll(BIG);
    assert.deepEqual([unread(BIG), announced], [2, [{ big: 2 }]]);
    assert.deepEqual(
      service.requests.map(({ pathname }) => pathname.split('/').at(-1)),
      ['messages'],
    );
  });

  it('takes a group for seen whichever bot reads it, but not one of another service', async () => {
    await watching(BIG);
    await receive(BIG, ['one', 'two']);
    const place = { ...BIG, service: opened.address, botId: BOT };
    await watcher.markSeen([[{ ...place, service: 'https://another.example' }, LATER]]);
    assert.equal(unread(BIG), 2);
    await watcher.markSeen([[{ ...place, botId: OTHER_BOT }, LATER]]);
    assert.equal(unread(BIG), 0);
  });

  it("ignores what was read in another bot's conversation with a user", async () => {
    const person: Chat = { kind: 'user', id: '7058314' };
    await watching(person);
    const before = stored();
    await watcher.markSeen([[{ ...person, service: opened.address, botId: OTHER_BOT }, LATER]]);
    assert.deepEqual(stored(), before);
    await watcher.markSeen([[{ ...person, service: opened.address, botId: BOT }, LATER]]);
    assert.notDeepEqual(stored(), before);
  });

  it('stores no token and no message, and nothing if no chat is watched', async () => {
    await watching(BIG);
    await receive(BIG, ['a secret text']);
    const text = JSON.stringify(stored());
    assert.match(text, /big/);
    assert.doesNotMatch(text, /sandbox-token|secret text/);
    await watcher.unwatch(BIG);
    assert.deepEqual(memory.get('watched'), []);
  });

  it('stores many chats once that are watched, or no longer, together', async () => {
    const kept: number[] = [];
    const update = memory.update.bind(memory);
    memory.update = async (key, value: unknown[]) => {
      if (key === 'watched') kept.push(value.length);
      await update(key, value);
    };
    // Without a token, no poll changes anything.
    await watch(BIG, SHOP, { kind: 'user', id: '7058314' });
    assert.deepEqual(kept, [3]);
    await watcher.unwatch(BIG, SHOP);
    assert.deepEqual(kept, [3, 1]);
  });

  it('waits without the focus of the window, and polls when it returns', async () => {
    await watching(BIG);
    await send(BIG, ['one']);
    assert.equal(clock.sleeping(), 1);
    focus(false);
    watcher.wake();
    assert.equal(clock.sleeping(), 0);
    await clock.pass(20 * MINUTE);
    focus(true);
    const changed = change();
    watcher.wake();
    await changed;
    assert.equal(unread(BIG), 1);
  });

  it('reports a missing token and polls as soon as one is saved', async () => {
    await watch(BIG);
    assert.match(errorText(watcher.state(BIG)?.error), /No token is saved for bot 30481126/);
    assert.deepEqual(service.requests, []);
    await tokens.set(opened, BOT, service.sandbox.token(BOT) ?? '');
    const changed = change();
    watcher.wake({ retry: true });
    await changed;
    assert.equal(watcher.state(BIG)?.error, undefined);
  });

  it('keeps a separate list of chats for each service, over restarts', async () => {
    await watching(BIG);
    await receive(BIG, ['one']);
    const { webUrl, openApiUrl } = service.sandbox;
    const other = await startService(LISTS);
    await watcher.restart();
    await tokens.set(await connection.open(), BOT, other.sandbox.token(BOT) ?? '');
    await clock.pass(5 * MINUTE);
    assert.deepEqual([watcher.state(BIG), watcher.total().unread, other.requests], [undefined, 0, []]);
    await watch(SHOP);
    assert.deepEqual(
      other.requests.map(({ searchParams }) => searchParams.get('chat-id')),
      [SHOP.id],
    );
    await other.close();
    await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl, ...LISTS });
    const changed = change();
    await watcher.restart();
    await changed;
    assert.deepEqual([unread(BIG), watcher.state(BIG)?.botId, watcher.state(SHOP)], [1, BOT, undefined]);
  });

  it('leaves a service that is replaced by another while it opens', async () => {
    await watching(BIG);
    const openings = [deferred<Service>(), deferred<Service>()];
    const [former, latter] = openings;
    const host = newHost({ connection, tokens, store: new Store(memory) });
    const context = { ...watchContext(host, clock.clock), open: () => openings.shift()?.promise ?? assert.fail() };
    const other = new Watcher(context, { chatChanged: () => {}, polled: () => {}, newMessages: () => {} });
    const started = [other.start(), other.restart()];
    former?.resolve({ ...opened, address: 'https://another.example' });
    await settled();
    assert.equal(other.state(BIG), undefined);
    latter?.resolve(opened);
    await Promise.all(started);
    assert.equal(other.state(BIG)?.botId, BOT);
    other.dispose();
  });

  it('does nothing if the service address is invalid', async () => {
    await configure({ 'service.openApiUrl': 'nowhere' });
    await watcher.restart();
    assert.equal(watcher.state(BIG), undefined);
  });
});
