import * as v from 'valibot';
import { EventEmitter, type Uri, type window } from 'vscode';
import type { ShownPanel } from '../../src/platform/webviewPage.ts';
import { answer } from './answers.ts';
import { settled, until } from './deferred.ts';

interface Typed {
  readonly type: string;
}
type MessageOf<To extends Typed, Type> = Extract<To, { readonly type: Type }>;

/** A panel and its page, as in VS Code: a hidden page is gone, what is posted meanwhile is lost, and a closed panel only throws. */
export class PanelPage<To extends Typed, From = unknown> {
  readonly panel: ShownPanel;
  /** All messages posted, even while there was no page. */
  readonly posted: To[] = [];
  /** What the current page has received. */
  received: To[] = [];
  /** The HTML of each page loaded so far. */
  readonly htmls: string[] = [];
  /** How often the panel was revealed. */
  reveals = 0;
  isOpen = true;
  active = true;
  #isVisible = true;
  #isReady = false;
  readonly #sent = new EventEmitter<unknown>();
  readonly #viewChanged = new EventEmitter<object>();
  readonly #disposed = new EventEmitter<void>();
  readonly #changed = new EventEmitter<void>();

  /** `schema` is that of the messages to the page, which checks them. */
  constructor(schema: v.GenericSchema<unknown, To>, title = '') {
    const page = this;
    this.panel = {
      title,
      webview: {
        options: {},
        get html() {
          return page.htmls.at(-1) ?? '';
        },
        set html(html: string) {
          page.#assertOpen();
          page.htmls.push(html);
          page.#lose();
        },
        asWebviewUri: (uri: Uri) => uri,
        onDidReceiveMessage: this.#sent.event,
        postMessage: async (message: unknown) => this.#take(v.parse(schema, JSON.parse(JSON.stringify(message)))),
      },
      get visible() {
        page.#assertOpen();
        return page.#isVisible;
      },
      get active() {
        page.#assertOpen();
        return page.active;
      },
      reveal: () => {
        this.reveals++;
        this.setVisible(true);
      },
      dispose: () => this.close(),
      onDidDispose: this.#disposed.event,
      onDidChangeViewState: this.#viewChanged.event,
    } as unknown as ShownPanel;
  }

  get types(): string[] {
    return this.received.map(({ type }) => type);
  }

  last<Type extends To['type']>(type: Type): MessageOf<To, Type> | undefined {
    return this.received.findLast((one): one is MessageOf<To, Type> => one.type === type);
  }

  /** All messages of one type posted to the page. */
  messagesOf<Type extends To['type']>(type: Type): MessageOf<To, Type>[] {
    return this.posted.filter((one): one is MessageOf<To, Type> => one.type === type);
  }

  /** Sends a message from the page to the host. */
  send(message: From | { readonly type: 'ready' }): void {
    if (v.is(v.object({ type: v.literal('ready') }), message)) [this.#isReady, this.received] = [true, []];
    this.#sent.fire(message);
  }

  /** Resolves when the page has received what it's sent at first. */
  async load(): Promise<void> {
    this.send({ type: 'ready' });
    await this.until(() => this.received.length > 0);
  }

  /** Sends a message that is answered by one of this type. */
  async ask(message: From, type: To['type']): Promise<void> {
    this.received = this.received.filter((one) => one.type !== type);
    this.send(message);
    await this.receivedOne(type);
  }

  async receivedOne(type: To['type']): Promise<void> {
    await this.until(() => this.types.includes(type));
  }

  /** Resolves when this holds, which may change when the page gets a message or is closed, and everything has settled. */
  async until(holds: () => boolean): Promise<void> {
    await until(this.#changed.event, holds);
    await settled();
  }

  /** Shows or hides the panel. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (!isVisible) this.#lose();
    this.#viewChanged.fire({ webviewPanel: this.panel });
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#disposed.fire();
    this.#changed.fire();
  }

  #lose(): void {
    [this.#isReady, this.received] = [false, []];
  }

  #take(message: To): boolean {
    this.#assertOpen();
    this.posted.push(message);
    if (this.#isReady) this.received.push(message);
    this.#changed.fire();
    return this.#isReady;
  }

  #assertOpen(): void {
    if (!this.isOpen) throw new Error('Webview is disposed');
  }
}

/** Makes the page of each panel that is opened from now on, until `restore`. Returns the pages, the newest last. */
export function onPanels<Page extends Pick<PanelPage<never>, 'panel'>>(
  create: (title: string, viewType: string) => Page,
): Page[] {
  const pages: Page[] = [];
  answer('createWebviewPanel', ((viewType: string, title: string) => {
    const page = create(title, viewType);
    pages.push(page);
    return page.panel;
  }) as typeof window.createWebviewPanel);
  return pages;
}
