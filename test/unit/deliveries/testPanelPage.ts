import { EventEmitter, type Uri, type WebviewPanel } from 'vscode';
import { settled } from '../deferred.ts';

interface Typed {
  readonly type: string;
}

/** A panel whose page is gone while it's hidden. Messages that are posted meanwhile are dropped, as VS Code does. */
export class TestPanelPage<To extends Typed, From extends Typed> {
  readonly panel: WebviewPanel;
  isDisposed = false;
  /** What the current page has received. */
  received: To[] = [];
  #isLoaded = false;
  #isVisible = true;
  readonly #posted = new EventEmitter<unknown>();
  readonly #viewChanged = new EventEmitter<void>();
  readonly #disposed = new EventEmitter<void>();

  constructor(title: string) {
    // VS Code answers nothing about a panel that is closed.
    const isVisible = () => {
      if (this.isDisposed) throw new Error('Webview is disposed');
      return this.#isVisible;
    };
    this.panel = {
      title,
      webview: {
        asWebviewUri: (uri: Uri) => uri,
        onDidReceiveMessage: this.#posted.event,
        postMessage: async (message: To) => this.#isLoaded && this.received.push(structuredClone(message)),
      },
      get visible() {
        return isVisible();
      },
      reveal: () => this.#setVisible(true),
      dispose: () => {
        this.isDisposed = true;
        this.#disposed.fire();
      },
      onDidDispose: this.#disposed.event,
      onDidChangeViewState: this.#viewChanged.event,
    } as unknown as WebviewPanel;
  }

  get types(): string[] {
    return this.received.map(({ type }) => type);
  }

  /** Resolves when the page has received what it's sent at first. */
  async load(): Promise<void> {
    [this.#isLoaded, this.received] = [true, []];
    this.#posted.fire({ type: 'ready' });
    while (this.received.length === 0) await settled();
  }

  post(message: From): void {
    this.#posted.fire(message);
  }

  /** Posts a message that is answered by one of this type. */
  async ask(message: From, type: To['type']): Promise<void> {
    this.received = this.received.filter((one) => one.type !== type);
    this.post(message);
    await this.receivedOne(type);
  }

  async receivedOne(type: To['type']): Promise<void> {
    while (!this.types.includes(type)) await settled();
  }

  last<T extends To['type']>(type: T): Extract<To, { type: T }> | undefined {
    return this.received.findLast((one): one is Extract<To, { type: T }> => one.type === type);
  }

  hide(): void {
    this.#isLoaded = false;
    this.#setVisible(false);
  }

  #setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#viewChanged.fire();
  }
}
