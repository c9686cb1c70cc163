/** History panels of a sandbox, and what they do outside of their pages. */
import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import type { MessageArchive } from '../../../../src/chats/contract.ts';
import { HistoryPanel } from '../../../../src/chats/history/historyPanel.ts';
import { ChatEvents } from '../../../../src/platform/chatEvents.ts';
import type { Commands } from '../../../../src/platform/commands.ts';
import { MentionedIds } from '../../../../src/platform/mentionedIds.ts';
import type { Connection, Service } from '../../../../src/platform/service.ts';
import { type Mark, Store } from '../../../../src/platform/store.ts';
import { Tokens } from '../../../../src/platform/tokens.ts';
import type { BotChat } from '../../../../src/protocol/botChat.ts';
import { onMessages } from '../../answers.ts';
import { memento, secretStorage } from '../../memory.ts';
import { usePages } from '../../panelPage.ts';
import { NO_ARCHIVE, newHost } from '../../test-host.ts';
import { configure, newConnection, type TestService, useService } from '../../test-service.ts';
import { logged, TestPage, wholeChat } from './test-page.ts';

export const BOT = '30481126';
/** Has 120 messages in the sandbox: two pages of 50 and a shorter one. */
export const GROUP = '546790213';
/** Has 480 messages. */
export const SHOP = '518204736';

const SETTINGS = { 'service.callsPerSecond': 1000, 'history.refreshSeconds': 0 };

/** What a test of panels needs. Everything but the service is new for each test. */
class Panels {
  readonly service = useService(SETTINGS);
  readonly pages = usePages((title) => new TestPage(title));
  connection!: Connection;
  opened!: Service;
  tokens!: Tokens;
  memory!: Memento;
  host!: ReturnType<typeof newHost>;
  /** What was logged, and said to the user. */
  lines: string[] = [];
  said: string[] = [];
  /** The messages reported as read, by chat. */
  seen: [string, Mark][] = [];
  /** The participants that were reported, by kind and ID. */
  mentioned: string[] = [];
  /** The names and arguments of the commands that were run. */
  commandsRun: unknown[][] = [];
  /** Bots whose tokens were requested, and what the user types. */
  tokenRequests: string[] = [];
  typed: string | undefined;

  async begin(): Promise<void> {
    this.connection = newConnection();
    this.opened = await this.connection.open();
    this.tokens = new Tokens(secretStorage(), memento());
    await this.tokens.set(this.opened, BOT, this.token());
    this.memory = memento();
    this.said = onMessages();
    this.seen = [];
    this.mentioned = [];
    this.commandsRun = [];
    this.tokenRequests = [];
    this.typed = undefined;
    this.host = this.#newHost();
    this.service.requests.length = 0;
  }

  async end(): Promise<void> {
    this.service.instead = () => undefined;
    this.service.sandbox.setFaults(undefined);
    this.connection.dispose();
    await configure({ ...SETTINGS, 'history.remoteImagesIn': undefined });
  }

  #newHost() {
    const { log, lines } = logged();
    this.lines = lines;
    const setToken = async (of: Service, botId = '') => {
      this.tokenRequests.push(botId);
      if (this.typed) await this.tokens.set(of, botId, this.typed);
      return this.typed;
    };
    const chatEvents = new ChatEvents();
    chatEvents.onDidRead(({ chat, newest }) => this.seen.push([chat.id, newest]));
    const mentionedIds = new MentionedIds();
    mentionedIds.add = (references) => this.mentioned.push(...references.map(({ kind, id }) => `${kind} ${id}`));
    const run = async (...command: unknown[]) => void this.commandsRun.push(command);
    return newHost({
      connection: this.connection,
      tokens: this.tokens,
      store: new Store(this.memory),
      log,
      chatEvents,
      mentionedIds,
      access: { setToken },
      commands: { run } as unknown as Commands,
    });
  }

  token = () => this.service.sandbox.token(BOT) ?? '';

  /** Opens a panel, which is empty until its page is ready. */
  open = (
    chat: Partial<BotChat> = {},
    { archive, opensAt }: { archive?: Partial<MessageArchive>; opensAt?: string } = {},
  ) => {
    const page = this.pages.restored(GROUP);
    const panel = new HistoryPanel(
      page.panel,
      { service: this.opened.address, kind: 'group', id: GROUP, botId: BOT, ...chat },
      { ...this.host, archive: { ...NO_ARCHIVE, ...archive } },
      () => {},
      { msgId: opensAt },
    );
    return { page, panel, session: panel.session };
  };

  /** Opens a panel and waits for the newest page. */
  read = async (chat: Partial<BotChat> = {}) => {
    const opened = this.open(chat);
    const { page } = opened;
    page.send({ type: 'ready' });
    await page.until(() => isIdle(page) && page.items.length > 0 && page.messagesOf('heading').length > 0);
    return opened;
  };

  /** The whole chat, oldest first. */
  whole = (chatId = GROUP) => wholeChat(this.service.sandbox, chatId);

  idsOf = async (chatId = GROUP) => (await this.whole(chatId)).map(({ msgId }) => msgId);

  /** The requested pages: the anchor, and how many messages before and after it. */
  ranges = () =>
    this.service.requests
      .filter(({ pathname }) => pathname.endsWith('/messages'))
      .map(({ searchParams }) => ['message-id', 'before', 'after'].map((name) => searchParams.get(name)));

  /** Connects to the sandbox again after a test has connected to another service. */
  backFrom = async (other: TestService) => {
    await other.close();
    const { webUrl, openApiUrl } = this.service.sandbox;
    await configure({ 'service.webUrl': webUrl, 'service.openApiUrl': openApiUrl });
  };
}

export const isIdle = (page: TestPage) =>
  page.newer !== undefined && page.older?.at !== 'loading' && page.newer.at !== 'loading';

/** Serves a sandbox to the tests of a suite. */
export function usePanels(): Panels {
  const panels = new Panels();
  beforeEach(() => panels.begin());
  afterEach(() => panels.end());
  return panels;
}

export const gapIn = ({ items }: TestPage) => items.find((item) => item.type === 'gap') ?? assert.fail('no gap');
