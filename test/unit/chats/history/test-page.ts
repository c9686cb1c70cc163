import { inspect } from 'node:util';
import * as v from 'valibot';
import { EventEmitter, type LogOutputChannel, type Uri, type WebviewPanel } from 'vscode';
import { type EdgeView, type PageItem, ToPage } from '../../../../src/protocol/history.ts';
import type { Sandbox } from '../../../../src/sandbox/index.ts';
import { type Deferred, deferred, settled } from '../../deferred.ts';
import type { TestService } from '../../test-service.ts';

type MessageOf<T extends ToPage['type']> = Extract<ToPage, { type: T }>;

/** A fake panel and its page, which applies messages as the real one does. */
export class TestPage {
  readonly panel: WebviewPanel;
  /** All messages posted, even while there was no page. */
  readonly posted: ToPage[] = [];
  /** The HTML of each page loaded so far. */
  readonly htmls: string[] = [];
  /** The items of the current page. */
  items: PageItem[] = [];
  older: EdgeView | undefined;
  newer: EdgeView | undefined;
  active = true;
  /** How often the panel was revealed. */
  reveals = 0;
  #isVisible = true;
  #isOpen = true;
  readonly #received = new EventEmitter<unknown>();
  readonly #disposed = new EventEmitter<void>();
  readonly #viewChanged = new EventEmitter<unknown>();
  #posts: (() => void)[] = [];

  constructor(title = '') {
    const page = this;
    this.panel = {
      ...{ viewType: 'botChats.history', title, iconPath: undefined },
      webview: {
        options: {},
        get html() {
          return page.htmls.at(-1) ?? '';
        },
        set html(html: string) {
          page.#assertOpen();
          page.htmls.push(html);
          page.#clear();
        },
        asWebviewUri: (uri: Uri) => uri,
        onDidReceiveMessage: this.#received.event,
        postMessage: (message: unknown) => this.#post(message),
      },
      get visible() {
        return page.#isVisible;
      },
      get active() {
        return page.active;
      },
      reveal: () => void this.reveals++,
      dispose: () => this.close(),
      onDidDispose: this.#disposed.event,
      onDidChangeViewState: this.#viewChanged.event,
    } as unknown as WebviewPanel;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The keys of the items, oldest first; `…` for a gap. */
  get keys(): string[] {
    return this.items.map((item) => (item.type === 'gap' ? '…' : item.key));
  }

  /** All messages of one type posted to the page. */
  messagesOf<T extends ToPage['type']>(type: T): MessageOf<T>[] {
    return this.posted.filter((message): message is MessageOf<T> => message.type === type);
  }

  /** Sends a message from the page to the host. */
  send(message: unknown): void {
    this.#received.fire(message);
  }

  /** Resolves when the condition holds after a message to the page, and everything has settled. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#posts.push(resolve));
    await settled();
  }

  /** Shows or hides the panel. A hidden page is recreated when it is shown. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#clear();
    this.#viewChanged.fire({ webviewPanel: this.panel });
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#disposed.fire();
  }

  #clear(): void {
    this.items = [];
    [this.older, this.newer] = [undefined, undefined];
  }

  async #post(message: unknown): Promise<boolean> {
    this.#assertOpen();
    // Messages pass through JSON and are validated as strictly as in the page.
    const parsed = v.parse(ToPage, JSON.parse(JSON.stringify(message)));
    this.posted.push(parsed);
    if (this.#isVisible) this.#take(parsed);
    for (const resolve of this.#posts.splice(0)) resolve();
    return this.#isVisible;
  }

  #take(message: ToPage): void {
    if (message.type === 'edges') [this.older, this.newer] = [message.older, message.newer];
    if (message.type !== 'splice') return;
    const { at, removed, items } = message;
    this.items = this.items.toSpliced(at, removed, ...items);
  }

  #assertOpen(): void {
    if (!this.#isOpen) throw new Error('Webview is disposed');
  }
}

/** A log and its lines, with all details of errors. */
export function logged(): { log: LogOutputChannel; lines: string[] } {
  const lines: string[] = [];
  const write = (...said: unknown[]) => void lines.push(said.map((one) => inspect(one, { depth: 10 })).join(' '));
  const log = { trace: write, debug: write, info: write, warn: write, error: write };
  return { log: log as unknown as LogOutputChannel, lines };
}

/** A group's whole chat as the sandbox lists it (contract 4.4, rule 1), oldest first, without the client. */
export async function wholeChat(sandbox: Sandbox, chatId: string) {
  const query = new URLSearchParams({
    token: sandbox.token('30481126') ?? '',
    'chat-id': chatId,
    'chat-type': 'group',
  });
  const address = `${sandbox.openApiUrl}/open-apis/v1/bot/messages?${query}&before=10000`;
  const { data } = await (await sandbox.fetch(new Request(address))).json();
  return (
    data.list as { msgId: string; senderId: string; sendTime: number; content: { text?: string } }[]
  ).toReversed();
}

/** Sends a text to a group as a bot; resolves to the ID of the message. */
export async function sendTo(sandbox: Sandbox, chatId: string, text: string, botId = '30527740'): Promise<string> {
  const response = await sandbox.fetch(
    new Request(`${sandbox.openApiUrl}/open-apis/v1/bot/batch_send?token=${sandbox.token(botId)}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ recvIds: [chatId], recvType: 'group', contentType: 'text', content: { text } }),
    }),
  );
  const { data } = await response.json();
  return data.successList[0].msgId;
}

/** Holds message list requests: `begun` resolves with the first one, and `answer` releases all. */
export function holdLists(service: TestService): { begun: Promise<Request>; answer: Deferred<Response | undefined> } {
  const [begun, answer] = [deferred<Request>(), deferred<Response | undefined>()];
  service.instead = (request) => {
    if (!new URL(request.url).pathname.endsWith('/messages')) return undefined;
    begun.resolve(request);
    return answer.promise;
  };
  return { begun: begun.promise, answer };
}
