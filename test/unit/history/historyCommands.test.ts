import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CancellationTokenSource, env, type QuickPickItem, type TextDocument, Uri, type window } from 'vscode';
import { HistoryCommands } from '../../../src/history/historyCommands.ts';
import { HistoryPanels } from '../../../src/history/historyPanels.ts';
import type { Commands } from '../../../src/platform/commands.ts';
import type { Connection } from '../../../src/platform/connection.ts';
import { OtherServiceError } from '../../../src/presentation/botChatClient.ts';
import type { Page } from '../../../src/service/client.ts';
import type { Listed } from '../../../src/service/message.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { answer, onMessages, restore, type } from '../answers.ts';
import { newHost } from '../test-host.ts';
import { configure, newConnection, type TestService, useService, written } from '../test-service.ts';
import { holdLists, logged, TestPage, wholeChat } from './test-page.ts';

const BOT = '30481126';
/** Has 120 messages in the sandbox. */
const GROUP = '546790213';

const order = {
  ...{ msgId: 'order', parentId: '', senderId: BOT, senderType: 'bot', senderNickname: 'Order Desk' },
  ...{ contentType: 'markdown', sendTime: 1_760_000_002_000, commandName: '', commandId: 0 },
  content: {
    text: '# Order\n\n**12** pots',
    buttons: [
      [
        { text: 'Open', actionType: 1, url: 'https://shop.example/12' },
        { text: 'Copy', actionType: 2, value: 'no. "12"' },
      ],
      [{ text: 'Done', actionType: 3, value: 'done' }],
    ],
  },
};
const remark = {
  ...{ ...order, msgId: 'remark', senderId: '7058314', senderType: 'user', contentType: 'text' },
  ...{ sendTime: 1_760_000_001_000, content: { text: 'All *12* of them?' } },
};
const broken = { msgId: null, content: '坏' };

const NONE_IN_FRONT = "Open a chat's message history first.";

describe('History commands', () => {
  let service: TestService;
  let connection: Connection;
  let histories: HistoryPanels;
  let actions: HistoryCommands;
  let said: string[];
  let page: TestPage;
  /** The documents shown. */
  let drafts: TextDocument[];
  let folder: string;
  /** The arguments of the commands that were run. */
  let newMessages: unknown[];
  /** The pages requested from the archive, and what it answers. */
  let archived: Page[];
  let fromArchive: ((page: Page) => Promise<Listed[] | undefined>) | undefined;

  before(async () => {
    service = await useService({ 'service.callsPerSecond': 1000, 'history.refreshSeconds': 0 });
  });

  after(() => service.close());

  beforeEach(async () => {
    connection = newConnection();
    folder = temporaryPath('history');
    mkdirSync(folder);
    const host = newHost({
      connection,
      storageUri: Uri.file(join(folder, 'storage')),
      log: logged().log,
      access: { chooseBot: async () => BOT },
      archive: {
        list: async (_, page) => {
          archived.push(page);
          return fromArchive?.(page);
        },
        firstSince: async () => undefined,
        beforeGap: async () => undefined,
        checkedAt: async () => undefined,
      },
      commands: { run: async (_: string, about: unknown) => void newMessages.push(about) } as unknown as Commands,
    });
    await host.tokens.set(await connection.open(), BOT, service.sandbox.token(BOT) ?? '');
    [said, drafts, newMessages] = [onMessages(), [], []];
    [archived, fromArchive] = [[], undefined];
    answer(
      'showTextDocument',
      (async (document: TextDocument) => void drafts.push(document)) as unknown as typeof window.showTextDocument,
    );
    page = new TestPage(GROUP);
    answer('createWebviewPanel', (() => page.panel) as unknown as typeof window.createWebviewPanel);
    histories = new HistoryPanels('botChats.history', host);
    actions = new HistoryCommands(histories, host);
  });

  afterEach(async () => {
    page.close();
    restore();
    service.instead = () => undefined;
    service.sandbox.setFaults(undefined);
    connection.dispose();
    await configure({ 'history.picturesIn': undefined });
  });

  /** Opens the chat and waits for its newest messages. */
  async function open(): Promise<void> {
    await histories.open({ type: 'group', id: GROUP });
    page.send({ type: 'ready' });
    await page.until(() => page.items.length > 0 && page.newer?.at === 'open' && page.messagesOf('heading').length > 0);
  }

  /** Opens a chat with these two messages and an unreadable one. */
  async function openShort(): Promise<void> {
    service.instead = async ({ url }) =>
      new URL(url).pathname.endsWith('/messages')
        ? Response.json({ code: 1, msg: 'success', data: { list: [order, broken, remark], total: 3 } })
        : undefined;
    await open();
    assert.deepEqual([page.keys[0], page.keys[2]], ['remark', 'order']);
  }

  /** The argument that VS Code passes to a menu command: the page's context and VS Code's own. */
  const on = (message = '') => ({ message });
  const copied = () => env.clipboard.readText();

  describe('copy', () => {
    it('a message as text', async () => {
      await openShort();
      await actions.copyMessage(on('remark'));
      assert.equal(await copied(), 'All *12* of them?');
    });

    it('a message as equivalent Markdown', async () => {
      await openShort();
      await actions.copyMessageMarkdown(on('remark'));
      assert.equal(await copied(), 'All \\*12\\* of them?');
      await actions.copyMessageMarkdown(on('order'));
      assert.equal(await copied(), '# Order\n\n**12** pots');
    });

    it('a message as raw JSON', async () => {
      await openShort();
      await actions.copyMessageJson(on('order'));
      assert.deepEqual(JSON.parse(await copied()), order);
    });

    it('the ID of a message', async () => {
      await openShort();
      await actions.copyMessageId(on('remark'));
      assert.equal(await copied(), 'remark');
    });

    it('an unreadable message as raw JSON, and report that it has no ID', async () => {
      await openShort();
      await env.clipboard.writeText('mine');
      await assert.rejects(actions.copyMessageId(on(page.keys[1])), {
        message: "This message can't be read, so it has no ID to copy.",
      });
      assert.equal(await copied(), 'mine');
      await actions.copyMessageJson(on(page.keys[1]));
      assert.deepEqual(JSON.parse(await copied()), broken);
      await actions.copyMessage(on(page.keys[1]));
      assert.deepEqual(JSON.parse(await copied()), broken);
    });
  });

  describe('create a draft', () => {
    it('to the chat, without content', async () => {
      await openShort();
      await actions.newMessageHere();
      assert.deepEqual(newMessages, [{ kind: 'group', id: GROUP, botId: BOT }]);
    });

    it('from a message, with its bot, chat and buttons', async () => {
      await openShort();
      await actions.useAsDraft(on('order'));
      assert.equal(
        drafts[0]?.getText(),
        [
          '---',
          'chat:',
          '  bot: "30481126"',
          '  groups:',
          '    - "546790213" # 后山徒步队',
          '  buttons:',
          '    - - text: "Open"',
          '        opens: "https://shop.example/12"',
          '      - text: "Copy"',
          '        copies: "no. \\"12\\""',
          '    - - text: "Done"',
          '        reports: "done"',
          '---',
          '',
          '# Order',
          '',
          '**12** pots',
        ].join('\n'),
      );
      assert.equal(drafts[0]?.languageId, 'markdown');
    });

    it('from an unreadable message, as JSON', async () => {
      await openShort();
      await actions.useAsDraft(on(page.keys[1]));
      assert.equal(
        drafts[0]?.getText().replace(/^---[\s\S]*---\n\n/, ''),
        '```json\n{\n  "msgId": null,\n  "content": "坏"\n}\n```',
      );
    });
  });

  const ofMessages = ['copyMessage', 'copyMessageMarkdown', 'copyMessageJson', 'copyMessageId', 'useAsDraft'] as const;
  for (const name of ofMessages) {
    it(`${name} reports a message that is no longer loaded, or a missing one`, async () => {
      await openShort();
      await env.clipboard.writeText('mine');
      await assert.rejects(actions[name](on('gone')), { message: 'This message is no longer loaded.' });
      await assert.rejects(actions[name](undefined), { message: "Use this command from a message's menu." });
      assert.equal(await copied(), 'mine');
      assert.deepEqual(drafts, []);
    });
  }

  describe('go to a message', () => {
    it('whose ID is typed, and load the messages around it', async () => {
      await open();
      const ids = (await wholeChat(service.sandbox, GROUP)).map(({ msgId }) => msgId);
      const boxes = type(` ${ids[30]} `);
      await actions.goToMessage();
      await page.until(() => page.messagesOf('show').length > 0);
      assert.deepEqual(page.messagesOf('show'), [{ type: 'show', key: ids[30] }]);
      assert.deepEqual(page.keys, [...ids.slice(5, 56), '…', ...ids.slice(-50)]);
      assert.equal(boxes[0]?.title, 'Go to Message');
    });

    it('unless nothing is typed', async () => {
      await open();
      const boxes = type(undefined);
      service.requests.length = 0;
      await actions.goToMessage();
      const check = boxes[0]?.validateInput;
      assert.deepEqual(
        [check?.('  '), check?.(''), check?.(' a ')],
        ['Enter a message ID.', 'Enter a message ID.', undefined],
      );
      assert.deepEqual([service.requests, page.messagesOf('show')], [[], []]);
    });

    it("and reject with the service's error if it doesn't exist", async () => {
      await open();
      type('nosuch');
      await assert.rejects(actions.goToMessage(), /code -1: 消息不存在或无权限修改/);
    });
  });

  describe('go to a date', () => {
    /** Opens the chat on a page in a time zone. Resolves to its messages with their days in UTC. */
    async function openIn(timeZone: string) {
      await open();
      page.send({ type: 'ready', timeZone });
      await page.until(() => page.items.length > 0);
      return (await wholeChat(service.sandbox, GROUP)).map(({ msgId, sendTime }) => ({
        msgId,
        day: new Date(sendTime).toISOString().slice(0, 10),
      }));
    }

    it('whose first message is loaded with everything after it', async () => {
      const messages = await openIn('UTC');
      const boxes = type(` ${messages[60]?.day} `);
      await actions.goToDate();
      const first = messages.find(({ day }) => day === messages[60]?.day)?.msgId;
      await page.until(() => page.messagesOf('show').length > 0);
      assert.deepEqual(page.messagesOf('show'), [{ type: 'show', key: first, isAtTop: true }]);
      assert.deepEqual(said, []);
      assert.deepEqual([boxes[0]?.title, boxes[0]?.value], ['Go to Date', messages.at(-50)?.day]);
    });

    it('in the time zone of the page', async () => {
      const messages = await wholeChat(service.sandbox, GROUP);
      await openIn('Pacific/Kiritimati');
      const dayOf = (time: number) => new Date(time + 14 * 3_600_000).toISOString().slice(0, 10);
      const day = dayOf(messages[60]?.sendTime ?? 0);
      type(day);
      await actions.goToDate();
      const first = messages.find(({ sendTime }) => dayOf(sendTime) === day)?.msgId;
      await page.until(() => page.messagesOf('show').length > 0);
      assert.deepEqual(page.messagesOf('show'), [{ type: 'show', key: first, isAtTop: true }]);
    });

    it('that exists and is not in the future', async () => {
      await openIn('UTC');
      const boxes = type(undefined);
      await actions.goToDate();
      const check = boxes[0]?.validateInput;
      const today = new Date().toISOString().slice(0, 10);
      const wrong = `Enter a date as YYYY-MM-DD, such as ${today}.`;
      assert.deepEqual(
        ['', 'today', '2026-02-30', '9999-12-31', ' 2020-02-29 '].map((text) => check?.(text)),
        [wrong, wrong, wrong, 'This date is in the future.', undefined],
      );
      assert.deepEqual([page.messagesOf('show'), said], [[], []]);
    });

    it('or to the next day with messages, and say so', async () => {
      const times = [Date.UTC(2026, 2, 9, 8), Date.UTC(2026, 2, 12, 8)];
      const list = times.map((sendTime, index) => ({ ...remark, msgId: `m${index}`, sendTime })).toReversed();
      service.instead = async ({ url }) =>
        new URL(url).pathname.endsWith('/messages')
          ? Response.json({ code: 1, msg: 'success', data: { list, total: 2 } })
          : undefined;
      await openIn('UTC');
      type('2026-03-10');
      await actions.goToDate();
      type('2026-03-01');
      await actions.goToDate();
      type('2026-03-13');
      await actions.goToDate();
      assert.deepEqual(said, [
        'There are no messages on March 10, 2026. The next ones are from March 12, 2026.',
        'The message history begins later, on March 9, 2026.',
        'There are no messages on or after March 13, 2026.',
      ]);
      assert.deepEqual(
        page.messagesOf('show').map(({ key }) => key),
        ['m1', 'm0'],
      );
    });

    it("and reject with the service's error", async () => {
      await openIn('UTC');
      service.sandbox.setFaults({ faults: [{ on: 'messages', fault: 'code', code: 1005, msg: '频道已封禁' }] });
      type('2000-01-01');
      await assert.rejects(actions.goToDate(), /code 1005: 频道已封禁/);
      assert.deepEqual([page.messagesOf('show'), said], [[], []]);
    });

    it('unless the panel is closed', async () => {
      await openIn('UTC');
      const { begun, answer: list } = holdLists(service);
      type('2000-01-01');
      const going = actions.goToDate();
      await begun;
      page.close();
      list.resolve(undefined);
      await going;
      assert.deepEqual(said, []);
    });
  });

  it('apply to a panel restored after a reload, and close one that is invalid or already open', async () => {
    const { address } = await connection.open();
    const state = { place: { service: address, type: 'group', id: GROUP, botId: BOT }, offset: 12 };
    histories.restore(page.panel, state);
    page.send({ type: 'ready' });
    await page.until(() => page.items.length > 0);
    const others = [state, undefined, {}, { place: { ...state.place, type: 'bot' } }].map((saved) => {
      const other = new TestPage();
      histories.restore(other.panel, saved);
      return other;
    });
    assert.deepEqual(
      others.map(({ isOpen, htmls }) => [isOpen, htmls]),
      others.map(() => [false, []]),
    );
    await actions.findInHistory();
    assert.deepEqual([page.isOpen, page.posted.at(-1)], [true, { type: 'find' }]);
  });

  it('reveal a chat that is already open', async () => {
    await open();
    const opened = page.htmls.length;
    await histories.open({ type: 'group', id: GROUP });
    assert.deepEqual([page.reveals, page.htmls.length], [1, opened]);
  });

  it('open the find bar', async () => {
    await open();
    await actions.findInHistory();
    assert.deepEqual(page.posted.at(-1), { type: 'find' });
  });

  describe('load all', () => {
    let cancellation: CancellationTokenSource;
    let reported: (string | undefined)[];
    let isCancellable: boolean | undefined;

    beforeEach(() => {
      [cancellation, reported] = [new CancellationTokenSource(), []];
      answer('withProgress', (async (options, task) => {
        isCancellable = options.cancellable;
        return task({ report: ({ message }) => void reported.push(message) }, cancellation.token);
      }) as typeof window.withProgress);
    });

    it('messages, and report how many are loaded so far', async () => {
      await open();
      await actions.loadHistory();
      assert.deepEqual([page.items.length, page.older], [120, { at: 'end' }]);
      assert.deepEqual(
        reported.map((message) => message?.replace(/ · back to \w+ \d+, \d{4}$/, ' since')),
        ['50 messages since', '100 messages since', '120 messages since', '120 messages since'],
      );
      assert.deepEqual(said, ['The entire history is loaded: 120 messages.']);
      assert.equal(isCancellable, true);
    });

    it('messages until the user cancels', async () => {
      await open();
      const { begun, answer: list } = holdLists(service);
      const loading = actions.loadHistory();
      await begun;
      cancellation.cancel();
      list.resolve(undefined);
      await loading;
      assert.deepEqual([page.items.length, said], [100, []]);
    });

    it('messages until an error, and reject with it', async () => {
      await open();
      service.sandbox.setFaults({
        faults: [{ on: 'messages', skip: 1, fault: 'code', code: 1005, msg: '频道已封禁' }],
      });
      await assert.rejects(actions.loadHistory(), /code 1005: 频道已封禁/);
      assert.equal(page.items.length, 100);
    });
  });

  describe('show images', () => {
    const allowed = () => written('history.picturesIn').user;

    it('only after the user has confirmed the risk', async () => {
      await open();
      await actions.togglePictures();
      assert.deepEqual(said, ['Load remote images in this chat?']);
      assert.equal(allowed(), undefined);
    });

    it('after the setting has been corrected, if it isn’t valid', async () => {
      await configure({ 'history.picturesIn': [GROUP] });
      await open();
      assert.doesNotMatch(page.htmls.at(-1) ?? '', /img-src https:/);
      await assert.rejects(actions.togglePictures(), /The setting botChats\.history\.picturesIn isn't valid/);
      assert.deepEqual(allowed(), [GROUP]);
    });

    it('in this chat and the others allowed, until they are toggled again', async () => {
      await configure({ 'history.picturesIn': { groups: ['big'], people: [GROUP] } });
      await open();
      said = onMessages((_, [allow]) => allow);
      await actions.togglePictures();
      assert.deepEqual([allowed(), said.length], [{ groups: ['big', GROUP], people: [GROUP] }, 1]);
      histories.reload();
      assert.match(page.htmls.at(-1) ?? '', /img-src https: http: data:/);
      await actions.togglePictures();
      assert.deepEqual([allowed(), said.length], [{ groups: ['big'], people: [GROUP] }, 1]);
      histories.reload();
      assert.doesNotMatch(page.htmls.at(-1) ?? '', /img-src https:/);
    });
  });

  it('export the chat under its name', async () => {
    await open();
    const target = Uri.file(join(folder, 'chat.ndjson'));
    const names: (string | undefined)[] = [];
    answer('showQuickPick', (async (items: QuickPickItem[]) =>
      items.find(({ label }) =>
        ['Entire History', 'NDJSON'].includes(label),
      )) as unknown as typeof window.showQuickPick);
    answer('showSaveDialog', async (options) => {
      names.push(options?.defaultUri?.path.split('/').at(-1));
      return target;
    });
    await actions.exportHistory();
    const whole = await wholeChat(service.sandbox, GROUP);
    assert.equal(readFileSync(target.fsPath, 'utf8'), whole.map((one) => `${JSON.stringify(one)}\n`).join(''));
    assert.match(names[0] ?? '', /^后山徒步队 /);
    assert.deepEqual(said, ['Exported 120 messages from 后山徒步队 to chat.ndjson.']);
  });

  it('export what the archive has from there, except the newest messages, which only the service knows', async () => {
    const target = Uri.file(join(folder, 'chat.ndjson'));
    answer('showQuickPick', (async (items: QuickPickItem[]) =>
      items.find(({ label }) =>
        ['Entire History', 'NDJSON'].includes(label),
      )) as unknown as typeof window.showQuickPick);
    answer('showSaveDialog', async () => target);
    const { client } = await connection.open();
    const token = service.sandbox.token(BOT) ?? '';
    fromArchive = (page) => client.messages(token, { type: 'group', id: GROUP }, page, AbortSignal.timeout(60_000));
    await actions.exportHistory({ type: 'chat', kind: 'group', id: GROUP });
    assert.deepEqual(said.at(-1)?.slice(0, 21), 'Exported 120 messages');
    assert.ok(archived.length > 0 && archived.every((page) => !('latest' in page)));
  });

  it("archive the chat, but not another service's chat of the same ID", async () => {
    await open();
    await actions.archiveHere();
    assert.deepEqual(newMessages, [{ kind: 'group', id: GROUP, botId: BOT }]);
    page.close();
    page = new TestPage('other');
    const other = { service: 'https://other.example', type: 'group', id: GROUP, botId: BOT } as const;
    await histories.openMessage(other);
    await assert.rejects(() => actions.archiveHere(), OtherServiceError);
    assert.equal(newMessages.length, 1);
  });

  it('export a chat from the sidebar without opening it', async () => {
    const target = Uri.file(join(folder, 'chat.md'));
    answer('showQuickPick', (async (items: QuickPickItem[]) => items[0]) as unknown as typeof window.showQuickPick);
    answer('showSaveDialog', async () => target);
    await actions.exportHistory({ type: 'chat', kind: 'group', id: GROUP });
    assert.match(readFileSync(target.fsPath, 'utf8'), /^# 后山徒步队\n\n- Chat: 546790213\n- Bot: 30481126\n/);
    assert.deepEqual(page.htmls, []);
  });

  const ofHistories = ['findInHistory', 'goToMessage', 'goToDate', 'loadHistory', 'togglePictures'] as const;
  for (const name of [...ofHistories, ...ofMessages]) {
    it(`${name} asks the user to open a history if none has the focus`, async () => {
      await open();
      page.active = false;
      const boxes = type('x');
      service.requests.length = 0;
      await assert.rejects(actions[name](on(page.keys[0])), { name: 'UserFacingError', message: NONE_IN_FRONT });
      page.active = true;
      page.close();
      await assert.rejects(actions[name](on('x')), { message: NONE_IN_FRONT });
      assert.deepEqual([said, boxes, service.requests], [[], [], []]);
    });
  }
});
