/** Exports of a chat of the sandbox: what the user is asked and told, and what is written. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CancellationTokenSource, type QuickPickItem, Uri, type window } from 'vscode';
import { exportHistory } from '../../../../src/chats/history/commands/exportHistory.ts';
import { diskFiles } from '../../../../src/platform/diskFiles.ts';
import type { Connection, Service } from '../../../../src/platform/service.ts';
import type { Page } from '../../../../src/service/client.ts';
import { temporaryPath } from '../../../host/temporary.ts';
import { answer, onMessages, restore } from '../../answers.ts';
import { newConnection, useService } from '../../test-service.ts';
import { logged } from './test-page.ts';

const BOT = '30481126';
const GROUP = '518204736';
/** The number of its messages. */
const LENGTH = 480;

const CHAT = { kind: 'group', id: GROUP } as const;

/** What a test of exports needs. Everything but the service is new for each test. */
class Exports {
  readonly service = useService({ groups: [GROUP], 'service.callsPerSecond': 1000 });
  connection!: Connection;
  opened!: Service;
  folder = '';
  /** What was said to the user. */
  said: string[] = [];
  /** The labels of each quick pick, and those that the user chooses. */
  picks: string[][] = [];
  chosen: string[] = [];
  /** File names proposed by the save dialog, and the file that the user chooses. */
  proposed: (string | undefined)[] = [];
  target: Uri | undefined;
  /** What the progress notification said, and how it's canceled. */
  reported: string[] = [];
  cancellation = new CancellationTokenSource();
  /** Called with each text of the notification. */
  onReport: (message: string) => void = () => {};
  logged = logged();
  readonly #running = new Set<string>();

  async begin(): Promise<void> {
    this.connection = newConnection();
    this.opened = await this.connection.open();
    this.folder = temporaryPath('export');
    mkdirSync(this.folder);
    this.target = this.file('chat.ndjson');
    this.said = onMessages();
    this.picks = [];
    this.proposed = [];
    this.reported = [];
    this.chosen = ['Entire History', 'NDJSON'];
    this.onReport = () => {};
    this.cancellation = new CancellationTokenSource();
    this.logged = logged();
    this.service.requests.length = 0;
    answer('showQuickPick', (async (items: QuickPickItem[]) => {
      this.picks.push(items.map(({ label }) => label));
      return items.find(({ label }) => this.chosen.includes(label));
    }) as unknown as typeof window.showQuickPick);
    answer('showSaveDialog', async (options) => {
      this.proposed.push(options?.defaultUri?.path.split('/').at(-1));
      return this.target;
    });
    answer('withProgress', (async (_, task) => {
      const report = ({ message = '' }: { message?: string }) => {
        this.reported.push(message);
        this.onReport(message);
      };
      return task({ report }, this.cancellation.token);
    }) as typeof window.withProgress);
  }

  end(): void {
    restore();
    this.service.instead = () => undefined;
    this.connection.dispose();
  }

  get storage(): string {
    return join(this.folder, 'storage');
  }

  file = (name: string) => Uri.file(join(this.folder, name));
  token = () => this.service.sandbox.token(BOT) ?? '';

  start = (title = 'River Walkers') =>
    exportHistory({
      botChat: { service: this.opened.address, ...CHAT, botId: BOT },
      name: title,
      names: { chat: title, bot: 'Order Desk' },
      list: (page: Page, signal: AbortSignal) => this.opened.client.messages(this.token(), CHAT, page, signal),
      files: diskFiles(this.storage),
      extensionUri: Uri.file(this.folder),
      log: this.logged.log,
      running: this.#running,
    });

  /** Starts an export, and cancels it when it requests this page, counted from 1. */
  async startUntil(page: number): Promise<void> {
    this.service.requests.length = 0;
    this.service.instead = () => {
      if (this.lists() === page) this.cancellation.cancel();
      return undefined;
    };
    await this.start();
    this.service.instead = () => undefined;
    this.cancellation = new CancellationTokenSource();
    this.service.requests.length = 0;
  }

  /** How many pages were requested. */
  lists = () => this.service.requests.filter(({ pathname }) => pathname.endsWith('/messages')).length;

  read = (name = 'chat.ndjson') => readFileSync(join(this.folder, name), 'utf8');
  files = () => readdirSync(this.folder).filter((name) => name !== 'storage');

  /** The files of interrupted exports. */
  savedFiles = () => {
    const exports = join(this.storage, 'exports');
    return existsSync(exports) ? readdirSync(exports).flatMap((name) => readdirSync(join(exports, name)).sort()) : [];
  };

  /** The path of a file of the only interrupted export. */
  saved = (name: string) => {
    const exports = join(this.storage, 'exports');
    return join(exports, readdirSync(exports)[0] ?? '', name);
  };

  /** The whole chat as NDJSON, oldest first. */
  whole = async (): Promise<string> => {
    const list = await this.opened.client.messages(this.token(), CHAT, { latest: 1000 });
    assert.equal(list.length, LENGTH);
    const lines = list.toReversed().map(({ raw }) => `${JSON.stringify(raw)}\n`);
    return lines.join('');
  };
}

/** Serves a sandbox to the tests of a suite. */
export function useExports(): Exports {
  const exports = new Exports();
  beforeEach(() => exports.begin());
  afterEach(() => exports.end());
  return exports;
}
