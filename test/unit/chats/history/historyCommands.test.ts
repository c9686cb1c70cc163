import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CancellationTokenSource, env, type QuickPickItem, type TextDocument, Uri, type window } from 'vscode';
import manifest from '../../../../package.json' with { type: 'json' };
import type { MessageArchive } from '../../../../src/chats/contract.ts';
import { HistoryCommands, loadEstimate } from '../../../../src/chats/history/commands/historyCommands.ts';
import type { HistoryPanels } from '../../../../src/chats/history/historyPanels.ts';
import { serviceDigest } from '../../../../src/platform/durableFiles.ts';
import { OtherServiceError } from '../../../../src/presentation/botChatClient.ts';
import type { BotChat } from '../../../../src/protocol/botChat.ts';
import { atMessage, chatLink, parseChatLink } from '../../../../src/protocol/chatLink.ts';
import type { Page } from '../../../../src/service/client.ts';
import { temporaryFolder } from '../../../host/temporary.ts';
import { answer, onMessages, onStatusBar, type } from '../../answers.ts';
import { NO_ARCHIVE } from '../../test-host.ts';
import { configure, written } from '../../test-service.ts';
import { BOT, GROUP, usePanels } from './panels.ts';
import { holdLists } from './test-page.ts';

const order = {
  msgId: 'order',
  parentId: '',
  senderId: BOT,
  senderType: 'bot',
  senderNickname: 'Order Desk',
  contentType: 'markdown',
  sendTime: 1_760_000_002_000,
  commandName: '',
  commandId: 0,
  content: {
    text: '# Order\n\n**12** pots',
  },
};
const remark = {
  ...order,
  msgId: 'remark',
  senderId: '7058314',
  senderType: 'user',
  contentType: 'text',
  sendTime: 1_760_000_001_000,
  content: { text: 'All *12* of them?' },
};
const broken = { msgId: null, content: '坏' };

describe('The commands of a history', () => {
  const panels = usePanels();

  /** The commands of a panel that has loaded its newest messages, and its page. */
  async function open() {
    const { page, session } = await panels.read();
    return { page, commands: new HistoryCommands({ active: () => session } as HistoryPanels, panels.host) };
  }

  /** Those of a chat with two messages and an unreadable one, whose key is `unreadable`. */
  async function openShort() {
    panels.service.instead = async ({ url }) =>
      new URL(url).pathname.endsWith('/messages')
        ? Response.json({ code: 1, msg: 'success', data: { list: [order, broken, remark], total: 3 } })
        : undefined;
    const { page, commands } = await open();
    return { commands, unreadable: page.keys[1] ?? assert.fail() };
  }

  /** The argument that VS Code passes to a menu command: the page's context and VS Code's own. */
  const on = (message = '') => ({ message });
  const copied = () => env.clipboard.readText();

  it('copy a message as text, Markdown or JSON, or its ID, and say so', async () => {
    const { commands } = await openShort();
    const shown = onStatusBar();
    await commands.copyMessage(on('remark'));
    assert.equal(await copied(), 'All *12* of them?');
    await commands.copyMessageMarkdown(on('remark'));
    assert.equal(await copied(), 'All \\*12\\* of them?');
    await commands.copyMessageJson(on('order'));
    assert.deepEqual(JSON.parse(await copied()), order);
    await commands.copyMessageId(on('remark'));
    assert.equal(await copied(), 'remark');
    await commands.copyMessageLink(on('remark'));
    assert.deepEqual(shown, ['Copied', 'Copied', 'Copied', 'Copied', 'Copied']);
  });

  it('copy a link that opens the chat at the message, by any bot that reads the group', async () => {
    const { commands } = await openShort();
    await commands.copyMessageLink(on('remark'));
    const digest = await serviceDigest(panels.opened.address);
    const link = { digest, kind: 'group', id: GROUP, botId: undefined, msgId: 'remark' };
    assert.deepEqual(parseChatLink(Uri.parse(await copied())), link);
  });

  it('search the archive of the chat, also for the sender of a message, and show what is known of it', async () => {
    const { commands } = await openShort();
    await commands.searchHere();
    await commands.searchFromSender(on('remark'));
    await commands.showStatisticsHere();
    await commands.showDeliveriesHere();
    const botChat = { service: panels.opened.address, kind: 'group', id: GROUP, botId: BOT };
    assert.deepEqual(panels.commandsRun, [
      ['searchArchivedChat', botChat],
      ['searchArchivedChat', botChat, { sender: { type: 'user', id: '7058314' } }],
      ['showStatistics', botChat],
      ['showDeliveries', botChat],
    ]);
  });

  it('copy an unreadable message as JSON, and report that it has no ID', async () => {
    const { commands, unreadable } = await openShort();
    await commands.copyMessage(on(unreadable));
    assert.deepEqual(JSON.parse(await copied()), broken);
    await assert.rejects(commands.copyMessageId(on(unreadable)), {
      message: "This message can't be read, so its ID and its sender aren't known.",
    });
    assert.deepEqual(JSON.parse(await copied()), broken);
  });

  it('report a message that is no longer loaded, or a missing one', async () => {
    const { commands } = await openShort();
    for (const name of [
      'copyMessage',
      'copyMessageMarkdown',
      'copyMessageJson',
      'copyMessageId',
      'copyMessageLink',
      'useAsDraft',
      'searchFromSender',
    ] as const) {
      await assert.rejects(commands[name](on('gone')), { message: 'This message is no longer loaded.' }, name);
      await assert.rejects(commands[name](undefined), { message: "Use this command from a message's menu." }, name);
    }
  });

  describe('create a draft', () => {
    let drafts: TextDocument[];
    beforeEach(() => {
      drafts = [];
      const show = async (document: TextDocument) => void drafts.push(document);
      answer('showTextDocument', show as unknown as typeof window.showTextDocument);
    });

    it('from the menu of a message: first to its chat, then from the message', () => {
      const entries = manifest.contributes.menus['webview/context'].filter(({ group }) => group.startsWith('1_new'));
      const commands = entries.toSorted((a, b) => (a.group < b.group ? -1 : 1)).map(({ command }) => command);
      assert.deepEqual(commands, ['botChats.newMessageHere', 'botChats.useAsDraft']);
    });

    it('to the chat, without content', async () => {
      const { commands } = await open();
      await commands.newMessageHere();
      assert.deepEqual(panels.commandsRun, [['newMessage', { kind: 'group', id: GROUP, botId: BOT }]]);
    });

    it('from a message, to its chat by its bot', async () => {
      const { commands } = await openShort();
      await commands.useAsDraft(on('order'));
      const block = '---\nchat:\n  bot: "30481126"\n  groups:\n    - "546790213" # 后山徒步队\n---\n';
      assert.equal(drafts[0]?.getText(), `${block}\n# Order\n\n**12** pots`);
      assert.equal(drafts[0]?.languageId, 'markdown');
    });

    it('from an unreadable message, as JSON', async () => {
      const { commands, unreadable } = await openShort();
      await commands.useAsDraft(on(unreadable));
      assert.equal(
        drafts[0]?.getText().replace(/^---[\s\S]*---\n\n/, ''),
        '```json\n{\n  "msgId": null,\n  "content": "坏"\n}\n```',
      );
    });
  });

  it('go to the message whose ID is typed', async () => {
    const { page, commands } = await open();
    const id = (await panels.idsOf())[30];
    const boxes = type(undefined, ` ${id} `);
    await commands.goToMessage();
    assert.deepEqual(page.messagesOf('show'), []);
    await commands.goToMessage();
    await page.until(() => page.messagesOf('show').length > 0);
    assert.deepEqual(page.messagesOf('show'), [{ type: 'show', key: id }]);
    const { title, prompt, validateInput: check } = boxes[0] ?? {};
    assert.equal(title, 'Go to Message');
    assert.match(`${prompt}`, /^Enter the ID of a message in this chat, or a link to any message\./);
    assert.equal(check?.('  '), 'Enter a message ID.');
    assert.equal(check?.(' a '), undefined);
  });

  it('go to the message of a link, which may be in another chat', async () => {
    const { session } = await panels.read();
    const opened: unknown[] = [];
    const openLink = async (address: unknown) => void opened.push(address);
    const commands = new HistoryCommands({ active: () => session, openLink } as unknown as HistoryPanels, panels.host);
    const link = chatLink('vscode', { digest: '0123456789ab', kind: 'group', id: 'x'.repeat(200) }) + atMessage('m1');
    const boxes = type(` ${link} `);
    await commands.goToMessage();
    assert.deepEqual(opened, [link]);
    assert.equal(boxes[0]?.validateInput?.(` ${link} `), undefined);
  });

  it('open the find bar', async () => {
    const { page, commands } = await open();
    await commands.findInHistory();
    await page.receivedOne('find');
  });

  describe('load all messages', () => {
    let cancellation: CancellationTokenSource;
    let reported: (string | undefined)[];
    beforeEach(() => {
      cancellation = new CancellationTokenSource();
      reported = [];
      answer('withProgress', (async ({ cancellable }, task) => {
        assert.ok(cancellable);
        return task({ report: ({ message }) => void reported.push(message) }, cancellation.token);
      }) as typeof window.withProgress);
    });

    it('and say how many', async () => {
      const { page, commands } = await open();
      await commands.loadHistory();
      await page.until(() => page.items.length === 120 && page.older?.at === 'end');
      assert.deepEqual(
        reported.map((message) => message?.replace(/ · back to \w+ \d+, \d{4}$/, ' since')),
        ['50 messages since', '100 messages since', '120 messages since', '120 messages since'],
      );
      assert.deepEqual(panels.said, ['The entire history is loaded: 120 messages.']);
    });

    it('until the user cancels, and say nothing', async () => {
      const { page, commands } = await open();
      const { begun, answer: list } = holdLists(panels.service);
      const loading = commands.loadHistory();
      await begun;
      cancellation.cancel();
      list.resolve(undefined);
      await loading;
      await page.until(() => page.items.length === 100);
      assert.deepEqual(panels.said, []);
    });
  });

  describe('show images', () => {
    const allowed = () => written('history.remoteImagesIn').user;

    it('only after the user has confirmed the risk', async () => {
      const { commands } = await open();
      await commands.toggleRemoteImages();
      assert.deepEqual(panels.said, ['Load remote images in this chat?']);
      assert.equal(allowed(), undefined);
    });

    it('after the setting has been corrected, if it isn’t valid', async () => {
      await configure({ 'history.remoteImagesIn': [GROUP] });
      const { page, commands } = await open();
      assert.doesNotMatch(page.htmls.at(-1) ?? '', /img-src https:/);
      await assert.rejects(commands.toggleRemoteImages(), {
        name: 'InvalidSettingError',
        setting: 'botChats.history.remoteImagesIn',
      });
      assert.deepEqual(allowed(), [GROUP]);
    });

    it('in this chat and the others allowed, until they are toggled again', async () => {
      await configure({ 'history.remoteImagesIn': { groups: ['big'], people: [GROUP] } });
      const { commands } = await open();
      const said = onMessages((_, [allow]) => allow);
      await commands.toggleRemoteImages();
      assert.deepEqual(allowed(), { groups: ['big', GROUP], people: [GROUP] });
      await commands.toggleRemoteImages();
      assert.deepEqual(allowed(), { groups: ['big'], people: [GROUP] });
      assert.equal(said.length, 1);
    });

    it('in no chat where another window has stopped them while the user was asked', async () => {
      await configure({ 'history.remoteImagesIn': { groups: ['big'], people: [] } });
      const { commands } = await open();
      answer('showWarningMessage', (async () => {
        await configure({ 'history.remoteImagesIn': { groups: [], people: ['7058314'] } });
        return 'Load Remote Images';
      }) as unknown as typeof window.showWarningMessage);
      await commands.toggleRemoteImages();
      assert.deepEqual(allowed(), { groups: [GROUP], people: ['7058314'] });
    });
  });

  it("archive the chat, but not another service's chat of the same ID", async () => {
    const { commands } = await open();
    await commands.archiveHere();
    assert.deepEqual(panels.commandsRun, [['archiveChat', { kind: 'group', id: GROUP, botId: BOT }]]);
    const { session: other } = panels.open({ service: 'https://other.example' });
    const ofOther = new HistoryCommands({ active: () => other } as HistoryPanels, panels.host);
    await assert.rejects(() => ofOther.archiveHere(), OtherServiceError);
    assert.equal(panels.commandsRun.length, 1);
  });

  describe('export the chosen chat', () => {
    /** Exports a chat, and resolves to what was written. */
    async function exported(format: string, archive: Partial<MessageArchive> = {}): Promise<string> {
      const target = Uri.file(join(await temporaryFolder('export'), 'chat'));
      answer('showQuickPick', (async (items: QuickPickItem[]) =>
        items.find(({ label }) =>
          ['Entire History', format].includes(label),
        )) as unknown as typeof window.showQuickPick);
      answer('showSaveDialog', async () => target);
      const botChat: BotChat = { service: panels.opened.address, kind: 'group', id: GROUP, botId: BOT };
      const choose = async () => ({ botChat, name: 'My walkers' });
      const host = { ...panels.host, archive: { ...NO_ARCHIVE, ...archive } };
      await new HistoryCommands({ choose } as unknown as HistoryPanels, host).exportHistory();
      return readFileSync(target.fsPath, 'utf8');
    }

    it("under the service's names, as far as they're known, whatever the user calls it", async () => {
      await panels.opened.directory.get('group', GROUP);
      assert.match(await exported('Markdown'), /^# 后山徒步队\n\n- Chat: 546790213\n- Bot: 30481126\n/);
      await panels.opened.directory.get('bot', BOT);
      assert.match(await exported('Markdown'), /^- Bot: Order Desk \(30481126\)\n/m);
    });

    it('from the archive, except for the newest messages, which only the service knows', async () => {
      const pages: Page[] = [];
      const list = (chat: BotChat, page: Page) => {
        pages.push(page);
        return panels.opened.client.messages(panels.token(), chat, page, AbortSignal.timeout(60_000));
      };
      const whole = (await panels.whole()).map((one) => `${JSON.stringify(one)}\n`).join('');
      assert.equal(await exported('NDJSON', { list }), whole);
      assert.ok(pages.length > 0 && pages.every((page) => !('latest' in page)));
    });
  });
});

describe('The estimated time of a load', () => {
  /** What an estimate says after each step: the milliseconds that have passed, and the time reached. */
  function estimates(goal: number | undefined, ...steps: [number, number | undefined][]) {
    let now = 5000;
    const estimate = loadEstimate(goal, { now: () => now });
    return steps.map(([elapsed, reached]) => {
      now = 5000 + elapsed;
      return estimate(reached);
    });
  }

  it('follows from the share of the time that is loaded', () => {
    const steps: [number, number][] = [
      [0, 1000],
      [4000, 900],
      [8000, 500],
      [9000, 200],
    ];
    assert.deepEqual(estimates(100, ...steps), [undefined, 32_000, 6400, 1125]);
  });

  it("isn't known in the first seconds", () => {
    assert.deepEqual(estimates(100, [0, 1000], [2999, 500]), [undefined, undefined]);
  });

  it("isn't known without a goal, a known time or progress", () => {
    assert.deepEqual(estimates(undefined, [0, 1000], [9000, 500]), [undefined, undefined]);
    assert.deepEqual(estimates(100, [0, undefined], [9000, undefined]), [undefined, undefined]);
    assert.deepEqual(estimates(100, [0, 1000], [9000, 1000]), [undefined, undefined]);
  });

  it("isn't known beyond the goal", () => {
    assert.deepEqual(estimates(600, [0, 1000], [9000, 600], [9999, 500]), [undefined, undefined, undefined]);
  });
});
