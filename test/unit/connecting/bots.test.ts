import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { Memento, QuickPickItem, QuickPickOptions, window } from 'vscode';
import { chooseBot, removeToken, setToken } from '../../../src/connecting/bots.ts';
import { addBotChats, whichBotText } from '../../../src/connecting/chatsOfBots.ts';
import { Directory } from '../../../src/directory/directory.ts';
import { shownText } from '../../../src/markup/safeText.ts';
import type { Host } from '../../../src/platform/host.ts';
import type { Service } from '../../../src/platform/service.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import { type Chat, Group } from '../../../src/service/model.ts';
import { answer, onCheckedInputs, onMessages, onModals, restore } from '../answers.ts';
import { heldClock } from '../clocks.ts';
import { deferred, settled } from '../deferred.ts';
import { memento, secretStorage } from '../memory.ts';
import { newHost } from '../test-host.ts';
import { configure, newConnection, startService, type TestService, written } from '../test-service.ts';

const BOT = '30481126';
const OTHER_BOT = '30527740';
const GROUP: Chat = { kind: 'group', id: '518204736' };
const NORA: Chat = { kind: 'user', id: '7850437' };
const AGAIN = 'Press Enter to use it anyway.';

let service: TestService;
let host: Host;
let connected: Service;
let remembered: Memento;

/** Starts a service for each test of a suite. */
function useService(): void {
  beforeEach(async () => {
    service = await startService({ bots: [OTHER_BOT], groups: [], people: [] });
    remembered = memento();
    host = newHost({ connection: newConnection(), memento: remembered });
    connected = await host.connection.open();
  });

  afterEach(async () => {
    restore();
    host.connection.dispose();
    await service.close();
  });
}

const right = () => service.sandbox.token(BOT) ?? '';
const operations = () => service.requests.map(({ pathname }) => pathname.replace(/.*\/v1/, ''));
const tokenOf = (botId: string) => host.tokens.get(connected, botId);
const choose = (chats: Chat[] = [], asks = false) =>
  chooseBot(connected, host, shownText`Send as which bot?`, undefined, chats, asks);

/** Types texts, one after the other, where the token of the bot is asked for. */
async function set(...texts: (string | undefined)[]) {
  const [inputs, shown] = [onCheckedInputs(...texts), onMessages()];
  const botId = await setToken(connected, host, BOT);
  return { botId, messages: inputs[0]?.messages, title: inputs[0]?.title, isHidden: inputs[0]?.password, shown };
}

/** Types texts where the ID of the bot is asked for, and then its token. */
async function setAny(...texts: (string | undefined)[]) {
  const inputs = onCheckedInputs(...texts);
  onMessages();
  const botId = await setToken(connected, host);
  return { botId, messages: inputs[0]?.messages, isHidden: inputs[0]?.password, inputs };
}

/** Saves the right token, and one of another bot. */
async function saveTwo() {
  await host.tokens.set(connected, BOT, right());
  await host.tokens.set(connected, OTHER_BOT, 'another');
}

/** Answers lists of bots with one of their items, or with Escape. Returns the items of the lists, and what stands above. */
function onBots(pick: (items: readonly QuickPickItem[]) => QuickPickItem | undefined = () => undefined) {
  const shown = { items: [] as QuickPickItem[][], titles: [] as unknown[], hints: [] as unknown[] };
  const show = async (listed: Promise<QuickPickItem[]>, { title, placeHolder }: QuickPickOptions) => {
    shown.titles.push(title);
    shown.hints.push(placeHolder);
    const items = await listed;
    shown.items.push(items);
    return pick(items);
  };
  answer('showQuickPick', show as unknown as typeof window.showQuickPick);
  return shown;
}

describe('Setting a token', () => {
  useService();
  it('tries it with one read, saves it and adds the bot to the sidebar', async () => {
    const { shown, ...saved } = await set(` ${right()}\n`);
    assert.deepEqual(saved, { botId: BOT, messages: [], title: 'Set Bot Token', isHidden: true });
    assert.equal(await tokenOf(BOT), right());
    assert.deepEqual(operations(), ['/bot/messages']);
    assert.deepEqual(written('bots').user, [OTHER_BOT, BOT]);
    assert.deepEqual(shown, [`Saved the token for bot ${BOT}.`]);
  });

  it('saves it even where the settings of the sidebar can’t be written, and says both', async () => {
    host.lists.edit = () => Promise.reject(new Error('settings.json is read-only'));
    const { botId, shown } = await set(right());
    assert.deepEqual([botId, await tokenOf(BOT)], [BOT, right()]);
    await settled();
    assert.equal(shown.length, 2);
    assert.ok(shown.some((text) => text.includes('settings.json is read-only')));
  });

  it('takes it out of what was pasted with it', async () => {
    assert.deepEqual((await set(`令牌: ${right()}`)).messages, []);
    assert.equal(await tokenOf(BOT), right());
    assert.deepEqual((await set('token=""', undefined)).messages, ["A token can't be empty."]);
    assert.deepEqual((await set(BOT, undefined)).messages, ["This is the bot's ID. Paste its token."]);
  });

  it("says if the service doesn't accept it, and saves it as refused only after Enter was pressed again", async () => {
    const refusal = `The service returned error 1003: “非法token”. The token is wrong. ${AGAIN}`;
    const { botId, messages } = await set('wrong', undefined);
    assert.deepEqual([botId, messages, await tokenOf(BOT)], [undefined, [refusal], undefined]);
    await set('wrong', right());
    assert.deepEqual([await tokenOf(BOT), host.tokens.refusal(connected, BOT)], [right(), undefined]);
    await set('wrong', 'wrong');
    assert.equal(await tokenOf(BOT), 'wrong');
    assert.deepEqual(host.tokens.refusal(connected, BOT), { status: 200, code: 1003, text: '非法token' });
  });

  it("says if it couldn't be checked, as there was no answer from the service itself", async () => {
    for (const [said, response] of [
      ['HTTP status 400: “busy”', () => new Response('busy', { status: 400 })],
      ['error -1: “接口不存在”', () => Response.json({ code: -1, msg: '接口不存在' }, { status: 404 })],
    ] as const) {
      service.instead = async () => response();
      const { messages } = await set(right(), undefined);
      assert.deepEqual(messages, [`The token couldn't be checked. The service returned ${said}. ${AGAIN}`]);
    }
  });

  it('accepts it if the service refuses something else', async () => {
    service.instead = async () => Response.json({ code: -1, msg: '会话不存在' });
    assert.deepEqual((await set(right())).messages, []);
  });

  it("asks for the bot's ID first, and takes no address, token or text for it", async () => {
    await configure({ bots: [] });
    await host.tokens.set(connected, OTHER_BOT, 'a-saved-token');
    const only = "Enter only the bot's ID: no spaces, address, or token.";
    const token = "This is a token. Enter the bot's ID here, and its token next.";
    for (const [typed, problem] of [
      ['', only],
      ['30481126 30527740', only],
      ['"a b"', only],
      ['https://chat.example/bot/30481126', only],
      ['chat/30481126', only],
      ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', token],
      ['a-saved-token', token],
      ['"a-saved-token"', token],
      ['Bearer 0123456789', token],
      ['token：0123456789', token],
      ['Bot Token: 0123456789', token],
      ['令牌：0123456789', token],
      ['\u200bset BOT_TOKEN=0123456789', token],
    ] as const) {
      onBots((items) => items.at(-1));
      const { botId, messages, isHidden } = await setAny(typed, undefined);
      assert.deepEqual([botId, messages], [undefined, [problem]], typed);
      assert.equal(isHidden, problem === token || typed.startsWith('https:'), typed);
    }
    // The bot with the saved token is listed with its name.
    assert.deepEqual([...new Set(operations())], ['/bot/bot-info']);
    assert.deepEqual(await host.tokens.saved(connected), [OTHER_BOT]);
    assert.deepEqual(written('bots').user, []);
  });

  it("takes the bot's ID as people type and paste it", async () => {
    for (const [typed, id] of [
      ['３０４８１１２６', BOT],
      ['机器人 ID: 30481126', BOT],
      ['u.7@x', 'u.7@x'],
    ] as const) {
      await configure({ bots: [] });
      const { botId, isHidden } = await setAny(typed, right());
      assert.deepEqual([botId, isHidden, written('bots').user], [id, false, [id]], typed);
      await host.tokens.remove(connected, id);
    }
  });

  it('is offered for the bots in the sidebar and others that have one', async () => {
    await host.tokens.set(connected, BOT, 'another');
    await connected.directory.get('bot', BOT);
    const { items, titles } = onBots(([first]) => first);
    const { botId } = await setAny(service.sandbox.token(OTHER_BOT));
    assert.equal(botId, OTHER_BOT);
    assert.deepEqual(titles, ['Set Bot Token']);
    assert.deepEqual(
      items[0]?.map(({ label }) => label),
      ['$(hubot) 读书小助手', '$(hubot) Order Desk', '$(edit) Another bot…'],
    );
  });

  it('says if no bot has the ID, and takes it after Enter was pressed again', async () => {
    await configure({ bots: [] });
    const corrected = await setAny('30481127', BOT, right());
    assert.equal(corrected.botId, BOT);
    assert.equal(corrected.messages?.length, 1);
    assert.match(corrected.messages[0] ?? '', /^Bot 30481127 doesn't exist\. .* Press Enter to use it anyway\.$/);
    await host.tokens.remove(connected, BOT);
    await configure({ bots: [] });
    assert.equal((await setAny('30481127', '30481127', right())).botId, '30481127');
    await host.tokens.remove(connected, '30481127');
    await configure({ bots: [] });
    // What may be a token isn't looked up, nor does a service that can't be reached keep anybody from going on.
    service.requests.splice(0);
    await setAny('s3cret-token', undefined);
    assert.deepEqual(service.requests, []);
    await service.close();
    assert.deepEqual((await setAny('30481128', undefined)).messages, []);
  });

  it('hides a long ID, which may be a token, and takes it after Enter was pressed again', async () => {
    await configure({ bots: [] });
    const usual = '0123456789abcdef0123';
    assert.equal((await setAny(usual, undefined)).isHidden, false);
    const long = `${usual}4`;
    const { inputs } = await setAny(long, long, long, undefined);
    assert.deepEqual(
      inputs.map(({ password, messages }) => [password, messages]),
      [
        [true, [`This is long for an ID. If it's a token, enter the bot's ID here, and the token next. ${AGAIN}`]],
        [true, ["This is the bot's ID. Paste its token."]],
      ],
    );
    assert.deepEqual(service.requests, []);
  });
});

describe('A bot to act as', () => {
  useService();
  it('is chosen among those of a service, which is named, with what tells them apart and which are refused', async () => {
    await saveTwo();
    const { titles, hints, items } = onBots(([, second]) => second);
    assert.equal(await choose(), OTHER_BOT);
    await host.tokens.set(connected, BOT, 'wrong', { status: 200, code: 1003, text: '非法token' });
    await choose();
    assert.deepEqual([titles[0], hints[0]], ['Send as which bot?', `Service: ${connected.address}`]);
    const labels = (list: QuickPickItem[] = []) => list.map(({ label, description }) => [label, description]);
    const other = ['$(hubot) 读书小助手', `${OTHER_BOT} · 1,290 users`];
    assert.deepEqual(labels(items[0]), [['$(hubot) Order Desk', `${BOT} · 356 users`], other]);
    assert.deepEqual(labels(items[1]), [['$(warning) Order Desk', `${BOT} · 356 users`], other]);
    const refused = 'The token was refused. The service returned error 1003: “非法token”. The token is wrong.';
    assert.deepEqual(
      items[1]?.map(({ detail }) => detail),
      [refused, undefined],
    );
  });

  it('is the preferred one, or the only one, if it has a token', async () => {
    await host.tokens.set(connected, BOT, right());
    onBots(() => assert.fail('Nothing is to be asked.'));
    assert.equal(await choose(), BOT);
    await host.tokens.set(connected, OTHER_BOT, 'another');
    assert.equal(await chooseBot(connected, host, shownText`Read?`, OTHER_BOT), OTHER_BOT);
    const { items } = onBots();
    assert.equal(await chooseBot(connected, host, shownText`Read?`, '30759903'), undefined);
    assert.equal(items.length, 1);
  });

  it('is asked for with its token if none has one', async () => {
    await configure({ bots: [] });
    const inputs = onCheckedInputs(BOT, right());
    const shown = onMessages((_, [first]) => first);
    assert.equal(await choose(), BOT);
    assert.equal(inputs.length, 2);
    assert.match(shown[0] ?? '', /^No bot token is saved/);
    await host.tokens.remove(connected, BOT);
    onMessages();
    assert.equal(await choose(), undefined);
  });

  it('is shown by its ID if the service takes long to name it', async () => {
    await saveTwo();
    await connected.directory.get('bot', BOT);
    const asked = deferred<void>();
    service.instead = async (request) => {
      asked.resolve();
      await new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve()));
      return undefined;
    };
    const { clock, pass } = heldClock();
    const { items } = onBots();
    const choosing = chooseBot(connected, { ...host, clock }, shownText`Send as which bot?`);
    await asked.promise;
    await pass(1_999);
    assert.equal(items.length, 0);
    await pass(1);
    await settled();
    assert.deepEqual(
      items[0]?.map(({ label }) => label),
      ['$(hubot) Order Desk', `$(hubot) ${OTHER_BOT}`],
    );
    await choosing;
  });

  it('is the only one that is known to be in the chats, or offered first, without asking the service', async () => {
    await saveTwo();
    await connected.directory.get('group', GROUP.id);
    for (const bot of [BOT, OTHER_BOT]) await connected.directory.get('bot', bot);
    const stranger: Chat = { kind: 'user', id: '7850438' };
    const mark = { service: connected.address, botId: OTHER_BOT };
    await host.store.remember('readMarks', { ...mark, ...NORA }, { msgId: 'm', sendTime: 1 });
    await host.store.remember('readMarks', { ...mark, ...stranger, botId: BOT }, { msgId: '', sendTime: 0 });
    service.requests.splice(0);
    const offeredFor = async (chats: Chat[], asks?: boolean) => {
      const { items } = onBots();
      return (
        (await choose(chats, asks)) ?? items[0]?.map(({ description }) => description?.replace(/ · [\d,]+ users$/, ''))
      );
    };
    assert.deepEqual(await offeredFor([]), [BOT, OTHER_BOT]);
    assert.equal(await offeredFor([GROUP]), BOT);
    assert.equal(await offeredFor([NORA]), OTHER_BOT);
    const inOne = 'known to be in 1 of 2 chats';
    assert.deepEqual(await offeredFor([GROUP, NORA]), [`${BOT} · ${inOne}`, `${OTHER_BOT} · ${inOne}`]);
    assert.deepEqual(await offeredFor([NORA, stranger]), [`${OTHER_BOT} · ${inOne}`, BOT]);
    // The user wants another one than usually.
    assert.deepEqual(await offeredFor([GROUP], true), [`${BOT} · in this group`, OTHER_BOT]);
    assert.deepEqual(await offeredFor([NORA], true), [`${OTHER_BOT} · has talked with this person`, BOT]);
    assert.deepEqual(service.requests, []);
  });

  it('is offered with what to choose, given the chats', async () => {
    for (const [chats, isAnyKnown, text] of [
      [0, false, ''],
      [1, false, "None is known to be in this chat. Choose one that is: others can't reach it."],
      [2, false, "None is known to be in these chats. Choose one that is: others can't reach them."],
      [1, true, "Choose one that's in this chat: others can't reach it."],
      [2, true, "Choose the one that's in most of these chats: it can't reach the others."],
    ] as const)
      assert.equal(whichBotText(chats, isAnyKnown), text);
    await saveTwo();
    const { hints } = onBots();
    await choose([GROUP]);
    assert.deepEqual(hints, [`${whichBotText(1, false)} Service: ${connected.address}`]);
  });
});

describe('Removing a token', () => {
  useService();
  beforeEach(() => host.tokens.set(connected, BOT, right()));

  it('is done once one was chosen, unless none is saved', async () => {
    const shown = onMessages();
    const { titles } = onBots();
    await removeToken(connected, host);
    assert.deepEqual([titles, shown, await tokenOf(BOT)], [['Remove Bot Token'], [], right()]);
    onBots(([only]) => only);
    await removeToken(connected, host);
    assert.equal(await tokenOf(BOT), undefined);
    await removeToken(connected, host);
    assert.deepEqual(shown, [
      'Removed the token for bot Order Desk.',
      `No bot token is saved for ${connected.address}.`,
    ]);
  });

  it('is done for a bot in the sidebar once that is confirmed', async () => {
    await connected.directory.get('bot', BOT);
    const shown = onMessages();
    const questions = onModals(() => undefined);
    await removeToken(connected, host, BOT);
    assert.equal(await tokenOf(BOT), right());
    assert.deepEqual(questions, [
      {
        message: 'Remove the token for bot Order Desk?',
        detail: "VS Code's secret storage forgets it. To set it again, you need the token.",
        buttons: ['Remove Token'],
      },
    ]);
    onModals(() => 'Remove Token');
    await removeToken(connected, host, BOT);
    assert.equal(await tokenOf(BOT), undefined);
    assert.deepEqual(shown, ['Removed the token for bot Order Desk.']);
  });

  it('is done although VS Code has lost it', async () => {
    await host.tokens.set(connected, OTHER_BOT, 'another');
    await host.tokens.remove(connected, BOT);
    await new Tokens(secretStorage(), remembered).set(connected, BOT, 'lost');
    onMessages();
    onBots((items) => items.at(-1));
    await removeToken(connected, host);
    assert.deepEqual([await host.tokens.lost(connected), await host.tokens.saved(connected)], [[], [OTHER_BOT]]);
  });
});

describe('The chats of a bot', () => {
  useService();
  const NOTHING = 'All known chats of this bot are in the sidebar. Add others by their IDs.';

  it('are offered if they were seen, except those in the sidebar', async () => {
    await connected.directory.get('group', GROUP.id);
    await connected.directory.get('bot', BOT);
    let offered: readonly QuickPickItem[] = [];
    answer('showQuickPick', (async (items: typeof offered) => {
      offered = items;
      return items;
    }) as unknown as typeof window.showQuickPick);
    const added = new Promise<void>((resolve) => {
      const { edit } = host.lists;
      host.lists.edit = async (kind, ...rest) => {
        const result = await edit.call(host.lists, kind, ...rest);
        if (kind === 'user') resolve();
        return result;
      };
    });
    onCheckedInputs(right());
    onMessages((_, [button]) => (button === 'Add Chats…' ? button : undefined));
    await setToken(connected, host, BOT);
    await added;
    assert.deepEqual(
      offered.map(({ label, description, detail, picked }) => [label, description, detail, picked]),
      [
        ['$(organization) Fern & Kettle: the shop team', GROUP.id, undefined, true],
        ['$(account) 7058314', '7058314', 'created this bot', undefined],
      ],
    );
    assert.deepEqual([written('groups').user, written('people').user], [[GROUP.id], ['7058314']]);
    const said = onMessages();
    await addBotChats(connected, host.lists, BOT);
    assert.deepEqual(said, [NOTHING]);
  });

  it('are no groups from which the bot was removed', async () => {
    service.instead = async (request) => {
      if (!request.url.endsWith('/group-info')) return undefined;
      const answered = await (await service.sandbox.fetch(request)).json();
      answered.data.group.groupBotRel.delFlag = 1;
      return Response.json(answered);
    };
    await connected.directory.get('group', GROUP.id);
    const said = onMessages();
    await addBotChats(connected, host.lists, BOT);
    assert.deepEqual(said, [NOTHING]);
  });

  it('are compared with lists that are read once, however many they are', async () => {
    const chats = ['1', '2', '3'].map((id) => ({ kind: 'group', id }));
    const cached = chats.map(({ id }) => {
      const raw = { groupId: id, groupBotRel: { bot: { botId: BOT } } };
      return { id, at: 0, found: { kind: 'group' as const, resource: v.parse(Group, raw), raw } };
    });
    const directory = new Directory({ group: assert.fail, bot: assert.fail, user: assert.fail }, { cached });
    let reads = 0;
    const lists = {
      chats: () => {
        reads++;
        return chats;
      },
    };
    onMessages();
    await addBotChats({ directory } as unknown as Service, lists as unknown as Host['lists'], BOT);
    assert.equal(reads, 1);
  });
});
