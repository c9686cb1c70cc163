import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { connect, createConnecting, offerToRemoveLeftovers, useSandbox } from '../../../src/connecting/connect.ts';
import { registerConnecting } from '../../../src/connecting/index.ts';
import { shownText } from '../../../src/markup/safeText.ts';
import { Settings } from '../../../src/platform/settings.ts';
import { serve } from '../../host/serve.ts';
import { onCheckedInputs, onMessages, restore, type ShownInput } from '../answers.ts';
import { NOBODY } from '../service/answering.ts';
import { newHost } from '../test-host.ts';
import { configure, useService, written } from '../test-service.ts';

const BOT = '30481126';
const GROUP = '518204736';
const AGAIN = 'Press Enter to use it anyway.';

const messagesOf = (inputs: readonly ShownInput[]) => inputs.map(({ messages }) => messages);

describe('Connecting to a service', () => {
  const service = useService();
  let page: Awaited<ReturnType<typeof serve>>;

  const saved = () => [written('service.webUrl').user, written('service.openApiUrl').user];
  const connectTo = async (...texts: (string | undefined)[]) => {
    const inputs = onCheckedInputs(...texts);
    const isConnected = await connect(new Settings());
    return { isConnected, inputs };
  };

  before(async () => {
    page = await serve(() => new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } }));
  });

  after(async () => {
    await page.close();
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
    assert.deepEqual(
      inputs.map(({ title }) => title),
      ['Connect to Your Service (1 of 2)', 'Connect to Your Service (2 of 2)'],
    );
    assert.deepEqual(
      service.requests.map(({ pathname }) => pathname),
      ['/web/v1/user/homepage', '/open/open-apis/v1/bot/messages'],
    );
    assert.equal(service.requests[1]?.searchParams.get('token'), '');
  });

  it('says if a web page answers, and saves the address only after Enter was pressed again', async () => {
    const { inputs } = await connectTo(page.origin, undefined);
    assert.deepEqual(inputs[0]?.messages, [
      `This isn't the service: it returned HTTP status 200 (“<h1>Welcome</h1>”). ${AGAIN}`,
    ]);
    assert.deepEqual(saved(), ['', '']);
    const { isConnected } = await connectTo(page.origin, page.origin, page.origin, page.origin);
    assert.equal(isConnected, true);
    assert.deepEqual(saved(), [page.origin, page.origin]);
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
    const { inputs } = await connectTo(NOBODY, webUrl, undefined);
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
});

describe('What connecting offers', () => {
  const service = useService();
  const { executeCommand } = commands;
  let ran: unknown[][];
  const offered = (answer: string) => {
    const shown: string[][] = [];
    onMessages((message, buttons) => {
      shown.push([message, ...buttons]);
      return answer;
    });
    return shown;
  };
  const useNoService = () =>
    configure({ 'service.webUrl': undefined, 'service.openApiUrl': undefined, 'service.sandbox': undefined });

  beforeEach(() => {
    ran = [];
    const run = async (name: string, ...args: unknown[]) => {
      if (name !== 'setContext') ran.push([name, ...args]);
    };
    Object.assign(commands, { executeCommand: run });
  });

  afterEach(async () => {
    Object.assign(commands, { executeCommand });
    restore();
    await useNoService();
  });

  it('is to connect or to use the sandbox where there is no service, and nothing where there is one', async () => {
    await useNoService();
    const { access, disposables } = registerConnecting(newHost());
    const question = ["You're not connected to a service yet.", 'Connect to Your Service…', 'Try the Sandbox'];
    try {
      assert.deepEqual(offered(''), []);
      assert.equal(await access.openService(), undefined);
      const shown = offered('Connect to Your Service…');
      const inputs = onCheckedInputs(undefined);
      assert.equal(await access.openService(), undefined);
      assert.deepEqual([shown, inputs.length], [[question], 1]);
      offered('Try the Sandbox');
      assert.ok((await access.openService())?.sandbox);
      const later = offered('Try the Sandbox');
      assert.ok(await access.openService());
      assert.deepEqual(later, []);
    } finally {
      for (const disposable of disposables) disposable.dispose();
    }
  });

  it('shows the sandbox, and in the walkthrough the step after it', async () => {
    const host = newHost();
    const { commands } = createConnecting(host, () => assert.fail('It needs no service.'));
    await commands.trySandbox();
    assert.deepEqual(ran, [['botChats.chats.focus']]);
    await commands.trySandbox('walkthrough');
    assert.deepEqual(ran.slice(2), [
      ['workbench.action.openWalkthrough', { category: 'bot-chats.bot-chats#start', step: 'browse' }],
    ]);
    assert.equal(written('service.sandbox').user, true);
  });

  it('goes on from the sandbox to a service with its first token and without the items of the sandbox', async () => {
    const { webUrl, openApiUrl } = service.sandbox;
    await configure({
      'service.webUrl': '',
      'service.openApiUrl': '',
      'service.sandbox': true,
      groups: [GROUP],
      bots: [],
    });
    const host = newHost();
    const { access, commands } = createConnecting(host, () => host.connection.open());
    const inputs = onCheckedInputs(webUrl, openApiUrl, undefined);
    const shown = offered('Remove Sandbox Items');
    await commands.connect();
    assert.equal(inputs[2]?.title, 'Set Bot Token');
    assert.deepEqual(shown, [
      ["1 sandbox item is still in the sidebar. Your service doesn't have it.", 'Remove Sandbox Items'],
    ]);
    assert.equal(written('groups').user, undefined);
    // A token that is there isn't asked for again, and no list has anything of the sandbox.
    const connected = await host.connection.open();
    await host.tokens.set(connected, BOT, 'a-token');
    const again = onCheckedInputs(webUrl, openApiUrl);
    await commands.connect();
    assert.deepEqual([again.length, shown.length], [2, 1]);
    assert.equal(await access.chooseBot(connected, shownText`Send as which bot?`), BOT);
  });
});
