import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import type { Memento, QuickPickItem, QuickPickOptions, window } from 'vscode';
import { chooseBot, removeToken, setToken } from '../../../src/connecting/bots.ts';
import { addBotChats } from '../../../src/connecting/chatsOfBots.ts';
import { connect, offerToRemoveLeftovers, useSandbox } from '../../../src/connecting/connect.ts';
import { Directory } from '../../../src/directory/directory.ts';
import { shownText } from '../../../src/markup/safeText.ts';
import type { Host } from '../../../src/platform/host.ts';
import type { Service } from '../../../src/platform/service.ts';
import { Settings } from '../../../src/platform/settings.ts';
import { Tokens } from '../../../src/platform/tokens.ts';
import { isCertificateError, ServiceError } from '../../../src/service/errors.ts';
import { type Chat, Group } from '../../../src/service/model.ts';
import { answer, onCheckedInputs, onMessages, restore, type ShownInput } from '../answers.ts';
import { heldClock } from '../clocks.ts';
import { deferred, settled } from '../deferred.ts';
import { memento, secretStorage } from '../memory.ts';
import { newHost } from '../test-host.ts';
import { configure, newConnection, startService, type TestService, useService, written } from '../test-service.ts';

const BOT = '30481126';
const OTHER_BOT = '30527740';
const GROUP = '518204736';
const AGAIN = 'Press Enter to use it anyway.';

/** The operations that were called. */
const operationsOf = ({ requests }: TestService) => requests.map(({ pathname }) => pathname.replace(/.*\/v1/, ''));

const messagesOf = (inputs: readonly ShownInput[]) => inputs.map(({ messages }) => messages);

/** Answers lists of bots with one of their items, or with Escape. Returns the items of the lists, and their hints. */
function onBots(choose: (items: readonly QuickPickItem[]) => QuickPickItem | undefined = () => undefined) {
  const shown = { items: [] as QuickPickItem[][], hints: [] as (string | undefined)[] };
  const show = async (listed: Promise<QuickPickItem[]>, { placeHolder }: QuickPickOptions) => {
    shown.hints.push(placeHolder);
    const items = await listed;
    shown.items.push(items);
    return choose(items);
  };
  answer('showQuickPick', show as unknown as typeof window.showQuickPick);
  return shown;
}

describe('Connecting to a service', () => {
  const service = useService();
  let webPage: Server;

  const webPageAddress = () => `http://127.0.0.1:${(webPage.address() as AddressInfo).port}`;
  const saved = () => [written('service.webUrl').user, written('service.openApiUrl').user];
  const connectTo = async (...texts: (string | undefined)[]) => {
    const inputs = onCheckedInputs(...texts);
    const isConnected = await connect(new Settings());
    return { isConnected, inputs };
  };

  before(async () => {
    webPage = createServer(
      (_, response) => void response.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>'),
    );
    await new Promise<void>((resolve) => webPage.listen(0, '127.0.0.1', resolve));
  });

  after(async () => {
    webPage.close();
    await configure({ 'service.sandbox': undefined });
  });

  beforeEach(async () => {
    await configure({ 'service.webUrl': '', 'service.openApiUrl': '', 'service.sandbox': true });
    service.requests.splice(0);
  });

  afterEach(restore);

  it('tries each address with one harmless read and saves both', async () => {
    const { webUrl, openApiUrl } = service.sandbox;
    const { isConnected, inputs } = await connectTo(webUrl, openApiUrl);
    assert.equal(isConnected, true);
    assert.deepEqual(saved(), [webUrl, openApiUrl]);
    assert.equal(written('service.sandbox').user, false);
    assert.deepEqual(messagesOf(inputs), [[], []]);
    assert.deepEqual(operationsOf(service), ['/user/homepage', '/bot/messages']);
    assert.equal(service.requests[1]?.searchParams.get('token'), '');
  });

  it('says if a web page answers, and saves the address only after Enter was pressed again', async () => {
    const { inputs } = await connectTo(webPageAddress(), undefined);
    assert.deepEqual(inputs[0]?.messages, [
      `This isn't the service: it returned HTTP status 200 (“<h1>Welcome</h1>”). ${AGAIN}`,
    ]);
    assert.deepEqual(saved(), ['', '']);
    const { isConnected } = await connectTo(webPageAddress(), webPageAddress(), webPageAddress(), webPageAddress());
    assert.equal(isConnected, true);
    assert.deepEqual(saved(), [webPageAddress(), webPageAddress()]);
  });

  it("says if the service doesn't have the operations at an address", async () => {
    const missing = `This isn't the service: it returned HTTP status 404, error -1 (“接口不存在”). ${AGAIN}`;
    const { inputs } = await connectTo(`${service.origin}/nothing`, service.sandbox.webUrl, service.origin, undefined);
    assert.deepEqual(messagesOf(inputs), [[missing], [missing]]);
  });

  it('says if an answer leaves it open whether this is the service', async () => {
    service.instead = async () => Response.json({ code: -1, msg: '请先登录' });
    const { inputs } = await connectTo(service.sandbox.webUrl, service.sandbox.webUrl, service.origin, undefined);
    service.instead = () => undefined;
    const answer = `The service returned error -1: “请先登录”. ${AGAIN}`;
    assert.deepEqual(messagesOf(inputs), [
      [`It isn't clear if this is the lookup API. ${answer}`],
      [`It isn't clear if this is the bot API. ${answer}`],
    ]);
  });

  it('offers to swap the addresses if they are the wrong way round', async () => {
    const { webUrl, openApiUrl } = service.sandbox;
    await configure({ 'service.webUrl': openApiUrl, 'service.openApiUrl': webUrl });
    const { isConnected, inputs } = await connectTo(openApiUrl, openApiUrl, webUrl);
    assert.equal(isConnected, true);
    assert.deepEqual(saved(), [webUrl, openApiUrl]);
    assert.deepEqual(
      inputs.map(({ value, messages }) => [value, messages]),
      [
        [openApiUrl, ["This is the bot API's address (open_api_url). Press Enter to use it as that."]],
        [webUrl, []],
      ],
    );
    const old = { webUrl: 'https://old.example/web', openApiUrl: 'https://old.example/open' };
    await configure({ 'service.webUrl': old.webUrl, 'service.openApiUrl': old.openApiUrl });
    const { inputs: swapped } = await connectTo(openApiUrl, openApiUrl, undefined);
    assert.equal(swapped[1]?.value, old.webUrl);
    const { inputs: others } = await connectTo(webUrl, webUrl, undefined);
    assert.deepEqual(others[1]?.messages, [`This is the lookup API's address (web_url), not the bot API's. ${AGAIN}`]);
  });

  it('brings all items of the sandbox back into lists that were edited elsewhere, but not into those edited in it', async () => {
    const host = newHost();
    const settings = new Settings();
    await configure({ bots: ['1', BOT], people: ['2'], groups: undefined });
    await useSandbox({ ...host, settings });
    assert.deepEqual([written('bots').user, written('people').user], [['1', BOT], ['2']]);
    // Nor into those of somebody who tries the sandbox first.
    await configure({ 'service.sandbox': false, 'service.webUrl': undefined, 'service.openApiUrl': undefined });
    await useSandbox({ ...host, settings });
    assert.deepEqual(written('bots').user, ['1', BOT]);
    await configure({ 'service.sandbox': false, 'service.webUrl': 'https://service.test/web' });
    await useSandbox({ ...host, settings });
    const { sandbox = assert.fail() } = await host.connection.open();
    assert.deepEqual(written('bots').user, ['1', BOT, ...sandbox.bot.filter((id) => id !== BOT)]);
    assert.deepEqual(written('people').user, ['2', ...sandbox.user]);
    assert.deepEqual([written('groups').user, written('service.sandbox').user], [undefined, true]);
    await configure({ bots: undefined, people: undefined });
  });

  it('offers to take the sandbox’s chats off the lists, and unsets those that are empty then', async () => {
    const sandbox = { group: [GROUP], bot: [BOT], user: [], token: () => undefined };
    const { lists } = newHost();
    let press: string | undefined;
    const shown = onMessages(() => press);
    await configure({ groups: ['1', GROUP], bots: [BOT], people: [] });
    await offerToRemoveLeftovers(sandbox, lists);
    assert.deepEqual([written('groups').user, written('bots').user], [['1', GROUP], [BOT]]);
    press = 'Remove Sandbox Items';
    await offerToRemoveLeftovers(sandbox, lists);
    assert.deepEqual([written('groups').user, written('bots').user, written('people').user], [['1'], undefined, []]);
    await offerToRemoveLeftovers(sandbox, lists);
    await configure({ groups: ['1', GROUP] });
    await offerToRemoveLeftovers(sandbox, lists);
    assert.deepEqual(shown, [
      "2 sandbox items are still in the sidebar. Your service doesn't have them.",
      "2 sandbox items are still in the sidebar. Your service doesn't have them.",
      "1 sandbox item is still in the sidebar. Your service doesn't have it.",
    ]);
    await configure({ groups: undefined, people: undefined });
  });

  it('says if nothing answers, and accepts another address', async () => {
    const { webUrl } = service.sandbox;
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const { inputs } = await connectTo(`http://127.0.0.1:${port}`, webUrl, undefined);
    assert.deepEqual(inputs[0]?.messages, [
      `Can't connect to the service (ECONNREFUSED). Check your network and the service address. ${AGAIN}`,
    ]);
    assert.equal(inputs[1]?.title, 'Connect to Your Service (2 of 2)');
  });

  it('sends nothing to an address that can not be used', async () => {
    const { isConnected, inputs } = await connectTo('service', undefined);
    assert.equal(isConnected, false);
    assert.match(inputs[0]?.messages[0] ?? '', /It isn't a complete address/);
    assert.deepEqual(service.requests, []);
  });

  it('recognizes certificates that are expired, self-signed or for another name', () => {
    const codes = ['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'];
    for (const reason of [...codes, 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])
      assert.equal(isCertificateError(new ServiceError({ kind: 'unreachable', reason })), true, reason);
    for (const reason of ['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET'])
      assert.equal(isCertificateError(new ServiceError({ kind: 'unreachable', reason })), false, reason);
  });
});

describe('Setting a token', () => {
  let service: TestService;
  let host: Host;
  let remembered: Memento;

  const right = () => service.sandbox.token(BOT) ?? '';
  const set = async (...texts: (string | undefined)[]) => {
    const inputs = onCheckedInputs(...texts);
    const shown = onMessages();
    const connected = await host.connection.open();
    const botId = await setToken(connected, host, BOT);
    return { botId, inputs, shown, saved: await host.tokens.get(connected, BOT) };
  };
  /** Saves the right token, and one of another bot. */
  const saveTwo = async () => {
    await set(right());
    const connected = await host.connection.open();
    await host.tokens.set(connected, OTHER_BOT, 'another');
    return connected;
  };

  beforeEach(async () => {
    service = await startService({ bots: [OTHER_BOT], groups: [], people: [] });
    remembered = memento();
    host = newHost({ connection: newConnection(), memento: remembered });
  });

  afterEach(async () => {
    restore();
    host.connection.dispose();
    await service.close();
  });

  it('tries it with one read, saves it and adds the bot to the sidebar', async () => {
    const { botId, inputs, shown, saved } = await set(` ${right()}\n`);
    assert.equal(botId, BOT);
    assert.equal(saved, right());
    assert.deepEqual(inputs[0]?.messages, []);
    assert.equal(inputs[0]?.password, true);
    assert.deepEqual(operationsOf(service), ['/bot/messages']);
    assert.deepEqual(written('bots').user, [OTHER_BOT, BOT]);
    assert.deepEqual(shown, [`Saved the token for bot ${BOT}.`]);
  });

  it('saves it even where the settings of the sidebar can’t be written, and says both', async () => {
    host.lists.edit = () => Promise.reject(new Error('settings.json is read-only'));
    const { botId, shown, saved } = await set(right());
    assert.deepEqual([botId, saved], [BOT, right()]);
    await settled();
    assert.deepEqual(shown.toSorted(), [
      'Saved the token for bot 30481126.',
      'Something went wrong: settings.json is read-only',
    ]);
  });

  it('takes it out of what was pasted with it', async () => {
    for (const pasted of [
      `"${right()}"`,
      `“${right()}”`,
      `Bearer ${right()}`,
      `Authorization: Bearer ${right()}`,
      `token=${right()}`,
      `BOT_TOKEN="${right()}";`,
      `"token": "${right()}",`,
      `\u200b${right()}\u200b`,
      `\u200e${right().slice(0, 9)}\u00ad${right().slice(9)}\ufeff`,
      `Authorization:\tBearer\t${right()}`,
      `token：${right()}`,
      `机器人Token：“${right()}”`,
      `令牌: ${right()}`,
      `Bot Token: ${right()}`,
      `机器人 Token：${right()}`,
      `{"token": "${right()}"}`,
      `export BOT_TOKEN=${right()}`,
      `$env:BOT_TOKEN = "${right()}"`,
      `const token = '${right()}';`,
      `https://chat.example/open-apis/v1/bot/batch_send?token=${right()}&a=1`,
      `curl 'https://chat.example/bot/messages?chat-id=1&token=${right()}'`,
      `token=${right()}&chat-id=1`,
      `{"token": "${right()}", "bot": "30481126"}`,
      `{"bot": "30481126", "token": "${right()}"}`,
      `BOT_TOKEN="${right()}" npm start`,
      `token = '${right()}' # for tests`,
      `token := "${right()}"`,
      `curl -H 'Authorization: Bearer ${right()}' https://chat.example`,
    ]) {
      const { saved, inputs } = await set(pasted);
      assert.deepEqual([saved, inputs[0]?.messages], [right(), []], pasted.replace(right(), '…'));
    }
    const [empty] = (await set('token=""', undefined)).inputs;
    assert.deepEqual(empty?.messages, ["A token can't be empty."]);
  });

  it("says if the service doesn't accept it, and saves it only after Enter was pressed again", async () => {
    const refused = `The service returned error 1003: “非法token”. The token is wrong. ${AGAIN}`;
    const cancelled = await set('wrong', undefined);
    assert.deepEqual(cancelled.inputs[0]?.messages, [refused]);
    assert.equal(cancelled.botId, undefined);
    assert.equal(cancelled.saved, undefined);
    const corrected = await set('wrong', right());
    assert.deepEqual(corrected.inputs[0]?.messages, [refused]);
    assert.equal(corrected.saved, right());
    assert.equal((await set('wrong', 'wrong')).saved, 'wrong');
  });

  it("asks for the bot's ID first, and takes no address, token or text for it", async () => {
    await configure({ bots: [] });
    const connected = await host.connection.open();
    await host.tokens.set(connected, OTHER_BOT, 'a-saved-token');
    const only = "Enter only the bot's ID: no spaces, address, or token.";
    const token = "This is a token. Enter the bot's ID here, and its token next.";
    for (const [typed, problem] of [
      ['', only],
      ['30481126 30527740', only],
      ['https://chat.example/bot/30481126', only],
      ['chat/30481126', only],
      ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', token],
      ['a-saved-token', token],
      ['"a-saved-token"', token],
      ['token=0123456789', token],
      ['Bearer 0123456789', token],
      ['token：0123456789', token],
      ['Bot Token: 0123456789', token],
      ['令牌：0123456789', token],
      ['\u200bset BOT_TOKEN=0123456789', token],
    ] as const) {
      onBots((items) => items.at(-1));
      const inputs = onCheckedInputs(typed, undefined);
      assert.equal(await setToken(connected, host), undefined);
      assert.deepEqual(messagesOf(inputs), [[problem]], typed);
      assert.equal(inputs[0]?.password, problem === token || typed.startsWith('https:'), typed);
    }
    // The bot with the saved token is listed with its name.
    assert.deepEqual([...new Set(operationsOf(service))], ['/bot/bot-info']);
    assert.deepEqual(await host.tokens.saved(connected), [OTHER_BOT]);
    assert.deepEqual(written('bots').user, []);
  });

  it("takes the bot's ID as people type and paste it", async () => {
    const connected = await host.connection.open();
    for (const [typed, id] of [
      ['３０４８１１２６', BOT],
      [' 30481126。', BOT],
      ['ID：30481126', BOT],
      ['机器人 ID: 30481126', BOT],
      ['“30481126”', BOT],
      ['u.7@x', 'u.7@x'],
      ['"a b"', undefined],
    ] as const) {
      await configure({ bots: [] });
      const inputs = onCheckedInputs(typed, id && right());
      onMessages();
      assert.equal(await setToken(connected, host), id, typed);
      assert.equal(inputs[0]?.password, false, typed);
      assert.deepEqual(written('bots').user, id ? [id] : [], typed);
      if (id) await host.tokens.remove(connected, id);
    }
  });

  it('says if no bot has the ID, and takes it after Enter was pressed again', async () => {
    await configure({ bots: [] });
    const connected = await host.connection.open();
    const missing = /^Bot 30481127 doesn't exist\. .* Press Enter to use it anyway\.$/;
    const corrected = onCheckedInputs('30481127', BOT, right());
    onMessages();
    assert.equal(await setToken(connected, host), BOT);
    assert.equal(corrected[0]?.messages.length, 1);
    assert.match(corrected[0]?.messages[0] ?? '', missing);
    await host.tokens.remove(connected, BOT);
    await configure({ bots: [] });
    onCheckedInputs('30481127', '30481127', right());
    assert.equal(await setToken(connected, host), '30481127');
    await host.tokens.remove(connected, '30481127');
    await configure({ bots: [] });
    // What may be a token isn't looked up, nor does a service that can't be reached keep anybody from going on.
    service.requests.splice(0);
    onCheckedInputs('s3cret-token', undefined);
    await setToken(connected, host);
    assert.deepEqual(service.requests, []);
    await service.close();
    const offline = onCheckedInputs('30481128', undefined);
    await setToken(connected, host);
    assert.deepEqual(offline[0]?.messages, []);
  });

  it('hides a long ID, which may be a token, and takes it after Enter was pressed again', async () => {
    await configure({ bots: [] });
    const long = '0123456789abcdef0123456789abcdef';
    const inputs = onCheckedInputs(long, long, long, undefined);
    await setToken(await host.connection.open(), host);
    assert.deepEqual(
      inputs.map(({ password, messages }) => [password, messages]),
      [
        [
          true,
          [
            "This is long for an ID. If it's a token, enter the bot's ID here, and the token next. Press Enter to use it anyway.",
          ],
        ],
        [true, ["This is the bot's ID. Paste its token."]],
      ],
    );
    assert.deepEqual(service.requests, []);
  });

  it('remembers that the service has refused it, until it accepts it or another one is saved', async () => {
    const connected = await host.connection.open();
    const refusal = () => host.tokens.refusal(connected, BOT);
    await set('wrong', 'wrong');
    assert.deepEqual(refusal(), { status: 200, code: 1003, text: '非法token' });
    await set(right());
    assert.equal(refusal(), undefined);
    await set('wrong', right());
    assert.equal(refusal(), undefined);
  });

  it('that was refused is pointed out where a bot is chosen', async () => {
    await set('wrong', 'wrong');
    const connected = await host.connection.open();
    await host.tokens.set(connected, OTHER_BOT, 'another');
    const { items } = onBots();
    await chooseBot(connected, host, shownText`Send as which bot?`);
    assert.deepEqual(
      items[0]?.map(({ label, detail }) => [label, detail]),
      [
        [
          '$(warning) Order Desk',
          'The token was refused. The service returned error 1003: “非法token”. The token is wrong.',
        ],
        ['$(hubot) 读书小助手', undefined],
      ],
    );
  });

  it('is chosen among those of a service, which is named, with what tells them apart', async () => {
    const connected = await saveTwo();
    const { hints, items } = onBots();
    await chooseBot(connected, host, shownText`Send as which bot?`);
    assert.deepEqual(hints, [`Service: ${connected.address}`]);
    assert.deepEqual(
      items[0]?.map(({ description }) => description),
      [`${BOT} · 356 users`, `${OTHER_BOT} · 1,290 users`],
    );
  });

  it('is removed once it was chosen, or none is saved', async () => {
    await set(right());
    const connected = await host.connection.open();
    const shown = onMessages();
    onBots();
    await removeToken(connected, host);
    assert.deepEqual([shown, await host.tokens.get(connected, BOT)], [[], right()]);
    onBots(([only]) => only);
    await removeToken(connected, host);
    assert.equal(await host.tokens.get(connected, BOT), undefined);
    await removeToken(connected, host);
    assert.deepEqual(shown, [
      'Removed the token for bot Order Desk.',
      `No bot token is saved for ${connected.address}.`,
    ]);
  });

  it('of a bot in the sidebar is removed once that is confirmed', async () => {
    await set(right());
    const connected = await host.connection.open();
    await connected.directory.get('bot', BOT);
    const shown = onMessages();
    const questions: string[] = [];
    let chosen: string | undefined;
    answer('showWarningMessage', (async (question: string) => {
      questions.push(question);
      return chosen;
    }) as unknown as typeof window.showWarningMessage);
    await removeToken(connected, host, BOT);
    assert.deepEqual([shown, await host.tokens.get(connected, BOT)], [[], right()]);
    chosen = 'Remove Token';
    await removeToken(connected, host, BOT);
    assert.equal(await host.tokens.get(connected, BOT), undefined);
    const question = 'Remove the token for bot Order Desk?';
    assert.deepEqual([questions, shown], [[question, question], ['Removed the token for bot Order Desk.']]);
  });

  it('is removed although VS Code has lost it', async () => {
    const connected = await host.connection.open();
    await host.tokens.set(connected, OTHER_BOT, 'another');
    await new Tokens(secretStorage(), remembered).set(connected, BOT, 'lost');
    const shown = onMessages();
    onBots((items) => items.at(-1));
    await removeToken(connected, host);
    assert.deepEqual(shown, ['Removed the token for bot Order Desk.']);
    assert.deepEqual([await host.tokens.lost(connected), await host.tokens.saved(connected)], [[], [OTHER_BOT]]);
  });

  it('is chosen by its ID if the service takes long to name it', async () => {
    const connected = await saveTwo();
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
    assert.equal(items.length, 0);
    await pass(2_000);
    await settled();
    assert.deepEqual(
      items[0]?.map(({ label }) => label),
      ['$(hubot) Order Desk', `$(hubot) ${OTHER_BOT}`],
    );
    await choosing;
  });

  it('is chosen for chats that only one is known to be in, else offered first, without asking the service', async () => {
    const connected = await saveTwo();
    await connected.directory.get('group', GROUP);
    for (const bot of [BOT, OTHER_BOT]) await connected.directory.get('bot', bot);
    const mark = { service: connected.address, botId: OTHER_BOT };
    const nora: Chat = { kind: 'user', id: '7850437' };
    await host.store.remember('readMarks', { ...mark, ...nora }, { msgId: 'm', sendTime: 1 });
    const empty = { ...mark, kind: 'user' as const, id: '7850438', botId: BOT };
    await host.store.remember('readMarks', empty, { msgId: '', sendTime: 0 });
    service.requests.splice(0);
    const offeredFor = async (...chats: Chat[]) => {
      const { items } = onBots();
      const chosen = await chooseBot(connected, host, shownText`Send as which bot?`, undefined, chats, asks);
      return chosen ?? items[0]?.map(({ description }) => description?.replace(/ · [\d,]+ users$/, ''));
    };
    let asks = false;
    const group: Chat = { kind: 'group', id: GROUP };
    assert.deepEqual(await offeredFor(), [BOT, OTHER_BOT]);
    assert.deepEqual([await offeredFor(group), await offeredFor(nora)], [BOT, OTHER_BOT]);
    assert.deepEqual(await offeredFor(group, nora), [
      `${BOT} · known to be in 1 of 2 chats`,
      `${OTHER_BOT} · known to be in 1 of 2 chats`,
    ]);
    const people: Chat[] = [nora, { kind: 'user', id: '7850438' }];
    assert.deepEqual(await offeredFor(...people), [`${OTHER_BOT} · known to be in 1 of 2 chats`, BOT]);
    // The user wants another one than usually.
    asks = true;
    assert.deepEqual(await offeredFor(group), [`${BOT} · in this group`, OTHER_BOT]);
    assert.deepEqual(await offeredFor(nora), [`${OTHER_BOT} · has talked with this person`, BOT]);
    assert.deepEqual(service.requests, []);
  });

  it('is offered with what to choose, given the chats', async () => {
    const connected = await saveTwo();
    const { hints } = onBots();
    const group: Chat = { kind: 'group', id: GROUP };
    const several = [group, { ...group, id: 'big' }];
    for (const chats of [[], [group], several]) await chooseBot(connected, host, shownText`Read?`, undefined, chats);
    await connected.directory.get('group', GROUP);
    for (const chats of [[group], several]) await chooseBot(connected, host, shownText`Read?`, undefined, chats, true);
    const name = `Service: ${connected.address}`;
    assert.deepEqual(hints, [
      name,
      `None is known to be in this chat. Choose one that is: others can't reach it. ${name}`,
      `None is known to be in these chats. Choose one that is: others can't reach them. ${name}`,
      `Choose one that's in this chat: others can't reach it. ${name}`,
      `Choose the one that's in most of these chats: it can't reach the others. ${name}`,
    ]);
  });

  for (const [said, response] of [
    ['HTTP status 400: “busy”', () => new Response('busy', { status: 400 })],
    ['error -1: “接口不存在”', () => Response.json({ code: -1, msg: '接口不存在' }, { status: 404 })],
  ] as const)
    it(`says that it couldn't be checked where the service returns ${said}`, async () => {
      service.instead = async () => response();
      const { inputs } = await set(right(), undefined);
      assert.deepEqual(messagesOf(inputs), [[`The token couldn't be checked. The service returned ${said}. ${AGAIN}`]]);
    });

  it('offers no group from which the bot was removed', async () => {
    service.instead = async (request) => {
      if (!request.url.endsWith('/group-info')) return undefined;
      const answered = await (await service.sandbox.fetch(request)).json();
      answered.data.group.groupBotRel.delFlag = 1;
      return Response.json(answered);
    };
    const { directory } = await host.connection.open();
    await directory.get('group', GROUP);
    const said = onMessages();
    await addBotChats(await host.connection.open(), host.lists, BOT);
    assert.deepEqual(said, ['All known chats of this bot are in the sidebar. Add others by their IDs.']);
  });

  it('reads the lists once, however many chats of the bot were seen', async () => {
    const ids = ['1', '2', '3'];
    const cached = ids.map((groupId) => {
      const raw = { groupId, groupBotRel: { bot: { botId: BOT } } };
      return { id: groupId, at: 0, found: { kind: 'group' as const, resource: v.parse(Group, raw), raw } };
    });
    const directory = new Directory({ group: assert.fail, bot: assert.fail, user: assert.fail }, { cached });
    let reads = 0;
    const chats = ids.map((id) => ({ kind: 'group', id }));
    const lists = {
      chats: () => {
        reads++;
        return chats;
      },
    };
    const said = onMessages();
    await addBotChats({ directory } as unknown as Service, lists as unknown as Host['lists'], BOT);
    assert.deepEqual([reads, said.length], [1, 1]);
  });

  it("offers the bot's chats that were seen, except those in the sidebar", async () => {
    const { directory } = await host.connection.open();
    await directory.get('group', GROUP);
    await directory.get('bot', BOT);
    let offered: readonly { label: string; description?: string }[] = [];
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
    onMessages((_, [button]) => button);
    await setToken(await host.connection.open(), host, BOT);
    await added;
    assert.deepEqual(
      offered.map(({ label, description }) => [label, description]),
      [
        ['$(organization) Fern & Kettle: the shop team', GROUP],
        ['$(account) 7058314', '7058314'],
      ],
    );
    assert.deepEqual(written('groups').user, [GROUP]);
    assert.deepEqual(written('people').user, ['7058314']);
    const said = onMessages();
    await addBotChats(await host.connection.open(), host.lists, BOT);
    assert.deepEqual(said, ['All known chats of this bot are in the sidebar. Add others by their IDs.']);
  });
});
