/** What tests of panels have in common: a panel with its page, the panels that a test opens, and their tabs. */
import assert from 'node:assert/strict';
import * as v from 'valibot';
import {
  commands,
  type Disposable,
  EventEmitter,
  type Tab,
  TabInputText,
  TabInputWebview,
  type TextDocument,
  type Uri,
  type ViewColumn,
  type window,
} from 'vscode';
import type { ShownPanel } from '../../src/platform/webviewPage.ts';
import { answer, restore } from './answers.ts';
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
  /** Where it was created or revealed last, if that was said. */
  column: ViewColumn | undefined;
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
      get viewColumn() {
        page.#assertOpen();
        return page.column;
      },
      reveal: (column?: ViewColumn) => {
        this.reveals++;
        this.column = column ?? this.column;
        this.setVisible(true);
      },
      dispose: () => this.close(),
      onDidDispose: this.#disposed.event,
      onDidChangeViewState: this.#viewChanged.event,
    } as unknown as ShownPanel;
  }

  get title(): string {
    return this.panel.title;
  }

  get html(): string {
    return this.panel.webview.html;
  }

  /** The types of what the current page has received. */
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

type ListOf<To extends Typed> = MessageOf<To, 'list'> extends { readonly rows: infer Rows } ? Rows : never;

/** A page with a list of what matches a query, such as a report. */
export class ListedPage<To extends Typed, From extends Typed, Query extends object> extends PanelPage<To, From> {
  readonly #everything: Query;
  /** How many lists it has asked for. The last one has this number. */
  lists = 0;

  constructor(schema: v.GenericSchema<unknown, To>, everything: Query, title = '') {
    super(schema, title);
    this.#everything = everything;
  }

  /** The rows that match a query. */
  async list(query: Partial<Query> = {}): Promise<ListOf<To>> {
    await this.ask(this.listing(query), 'list');
    const { rows } = (this.last('list') ?? assert.fail()) as unknown as { rows: ListOf<To> };
    return rows;
  }

  /** The message that asks for a new list. */
  listing(query: Partial<Query> = {}): From {
    return { type: 'list', list: ++this.lists, query: { ...this.#everything, ...query } } as unknown as From;
  }
}

type AnyPage = Pick<PanelPage<never>, 'panel' | 'column' | 'close'>;

/** The panels of a test, which are closed after it. */
export class Pages<Page extends AnyPage> {
  readonly #create: (title: string) => Page;
  readonly #all: Page[] = [];
  /** Those that the product has opened, the newest last. */
  readonly opened: Page[] = [];
  /** The type of each opened panel. */
  readonly types: string[] = [];
  tabs!: Tabs;

  constructor(create: (title: string) => Page) {
    this.#create = create;
  }

  /** The one opened last. */
  get last(): Page {
    return this.opened.at(-1) ?? assert.fail('no panel');
  }

  /** A panel that VS Code has created, as it does after a reload. */
  restored(title = ''): Page {
    const page = this.#create(title);
    this.#all.push(page);
    return page;
  }

  begin(): void {
    this.tabs = new Tabs();
    type Shown = ViewColumn | { viewColumn: ViewColumn } | undefined;
    const create = (viewType: string, title: string, shown: Shown) => {
      const page = this.restored(title);
      page.column = typeof shown === 'object' ? shown.viewColumn : shown;
      this.opened.push(page);
      this.types.push(viewType);
      return page.panel;
    };
    answer('createWebviewPanel', create as typeof window.createWebviewPanel);
  }

  async end(): Promise<void> {
    for (const page of this.#all.splice(0)) page.close();
    this.opened.length = 0;
    this.types.length = 0;
    this.tabs.dispose();
    await settled();
    restore();
  }
}

/** What tests of a suite open and show. `create` makes the page of a panel with a title. */
export function usePages<Page extends AnyPage>(create: (title: string) => Page): Pages<Page> {
  const pages = new Pages(create);
  beforeEach(() => pages.begin());
  afterEach(() => pages.end());
  return pages;
}

interface ShownTab {
  readonly label: string;
  readonly input: object;
  readonly isActive?: boolean;
}

/** The tab of a panel of a type. */
export const panelTab = (viewType: string, label: string): ShownTab => ({
  label,
  input: new TabInputWebview(`mainThreadWebview-${viewType}`),
});

/** The active tab of a document. */
export const textTab = ({ uri }: Pick<TextDocument, 'uri'>): ShownTab => ({
  label: uri.path,
  input: new TabInputText(uri),
  isActive: true,
});

/** VS Code's tabs. It restores a panel from before a reload when its tab is shown. */
class Tabs {
  /** By editor group. */
  groups: ShownTab[][] = [];
  /** The labels of the tabs that the product has shown. */
  readonly shown: string[] = [];
  /** The labels of the tabs that the product has closed. */
  readonly closed: string[] = [];
  /** What VS Code does as soon as a tab is shown. */
  onShown: (label: string) => void = () => {};
  readonly #changed = new EventEmitter<void>();
  readonly #commands: readonly Disposable[];

  constructor() {
    const tabs = this;
    answer('tabGroups', {
      get all() {
        return tabs.groups.map((shown, at) => {
          const group = { viewColumn: at + 1, tabs: [] as object[] };
          group.tabs = shown.map((tab) => ({ ...tab, group }));
          return group;
        });
      },
      close: async ({ label }: Tab) => this.closed.push(label),
      onDidChangeTabs: this.#changed.event,
    } as unknown as typeof window.tabGroups);
    let focused = 0;
    const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'];
    const focuses = names.map((name, group) =>
      commands.registerCommand(`workbench.action.focus${name}EditorGroup`, () => {
        focused = group;
      }),
    );
    const show = (index: number) => {
      const { label } = this.groups[focused]?.[index] ?? assert.fail('no such tab');
      this.shown.push(label);
      this.onShown(label);
    };
    this.#commands = [...focuses, commands.registerCommand('workbench.action.openEditorAtIndex', show)];
  }

  /** Shows only these from now on. */
  show(...groups: ShownTab[][]): void {
    this.groups = groups;
    this.#changed.fire();
  }

  dispose(): void {
    for (const one of this.#commands) one.dispose();
  }
}
