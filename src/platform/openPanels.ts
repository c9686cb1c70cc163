/**
 * The panels of one type by what they show, at most one for each. After a reload, VS Code restores a panel only when its tab
 * is shown; until then, only the title of the tab tells what it shows.
 */
import * as v from 'valibot';
import { commands, EventEmitter, type Memento, type Tab, TabInputWebview, window } from 'vscode';
import type { ShownText } from '../markup/safeText.ts';
import { createPanel, type ShownPanel } from './webviewPage.ts';

/** What panels show, and their titles. */
const Titles = v.fallback(v.array(v.tuple([v.string(), v.string()])), []);

/** The groups of editors that VS Code has a command to focus. */
const GROUPS = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth'];

export class OpenPanels<Panel> {
  readonly #viewType: string;
  readonly #memento: Pick<Memento, 'get' | 'update'>;
  /** The open panels; the last one was opened last. */
  readonly #open = new Map<ShownPanel, { readonly key: string; readonly panel: Panel }>();
  /** The titles of the panels that VS Code hasn't restored yet, by what they show. */
  readonly #unrestored: Map<string, string>;
  #saved = '';
  readonly #changed = new EventEmitter<void>();

  /** `memento` is that of the workspace. */
  constructor(viewType: string, memento: Pick<Memento, 'get' | 'update'>) {
    this.#viewType = viewType;
    this.#memento = memento;
    this.#unrestored = new Map(v.parse(Titles, memento.get(this.#storageKey)));
    this.#forgetClosed();
    // The title of a panel may have changed, or its tab been closed.
    window.tabGroups.onDidChangeTabs(() => this.#update());
  }

  get #storageKey(): string {
    return `panels.${this.#viewType}`;
  }

  /** What the panels show, whether they are restored or not. */
  get keys(): string[] {
    return [...[...this.#open.values()].map(({ key }) => key), ...this.#unrestored.keys()];
  }

  /** The panels that are open and restored. */
  get all(): Panel[] {
    return [...this.#open.values()].map(({ panel }) => panel);
  }

  get(key: string): Panel | undefined {
    return [...this.#open.values()].find((one) => one.key === key)?.panel;
  }

  /** The panel that shows this. If it isn't restored yet, shows its tab, and waits until VS Code has restored it. */
  async find(key: string): Promise<Panel | undefined> {
    const tab = this.#tabOf(key);
    if (tab) await showTab(tab);
    while (this.#tabOf(key)) await this.#nextChange();
    return this.get(key);
  }

  /** Closes the tab of a panel that isn't restored yet. */
  async closeUnrestored(key: string): Promise<void> {
    const tab = this.#tabOf(key);
    if (tab) await window.tabGroups.close(tab, true);
  }

  /** Opens a new panel. */
  open(key: string, title: ShownText, create: (webview: ShownPanel) => Panel): Panel {
    const webview = createPanel(this.#viewType, title);
    const panel = create(webview);
    this.add(key, webview, panel);
    return panel;
  }

  /** Fills a panel after VS Code has reloaded. Closes it if nobody knows what it shows, or another one shows the same. */
  restore(webview: ShownPanel, key: string | undefined, create: (webview: ShownPanel, key: string) => Panel): void {
    if (key === undefined || this.get(key)) webview.dispose();
    else this.add(key, webview, create(webview, key));
  }

  /** Adds a panel, or one that shows something else from now on. */
  add(key: string, webview: ShownPanel, panel: Panel): void {
    if (!this.#open.has(webview))
      webview.onDidDispose(() => {
        this.#open.delete(webview);
        this.#update();
      });
    this.#open.set(webview, { key, panel });
    this.#unrestored.delete(key);
    this.#update();
  }

  /** The tab of a panel that isn't restored yet, if its title doesn't also stand for another one. */
  #tabOf(key: string): Tab | undefined {
    const title = this.#unrestored.get(key);
    const [tab, ...others] = panelTabs(this.#viewType).filter(({ label }) => label === title);
    const isShown = [...this.#open.keys()].some((webview) => webview.title === title);
    return others.length > 0 || isShown ? undefined : tab;
  }

  #forgetClosed(): void {
    const labels = new Set(panelTabs(this.#viewType).map(({ label }) => label));
    for (const [key, title] of this.#unrestored) if (!labels.has(title)) this.#unrestored.delete(key);
  }

  #update(): void {
    this.#forgetClosed();
    const open = [...this.#open].map(([webview, { key }]) => [key, webview.title]);
    const titles = [...this.#unrestored, ...open];
    const text = JSON.stringify(titles);
    // If this fails, the worst is that a tab isn't known after a reload.
    if (text !== this.#saved) this.#memento.update(this.#storageKey, titles).then(undefined, () => {});
    this.#saved = text;
    this.#changed.fire();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const listening = this.#changed.event(() => {
        listening.dispose();
        resolve();
      });
    });
  }
}

/** The tabs with panels of a type, in groups that {@link OpenPanels} can focus. */
function panelTabs(viewType: string): Tab[] {
  const groups = window.tabGroups.all.filter(({ viewColumn }) => viewColumn <= GROUPS.length);
  // VS Code puts a prefix of its own before the type.
  return groups
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof TabInputWebview && input.viewType.endsWith(viewType));
}

async function showTab(tab: Tab): Promise<void> {
  const { viewColumn, tabs } = tab.group;
  await commands.executeCommand(`workbench.action.focus${GROUPS[viewColumn - 1]}EditorGroup`);
  await commands.executeCommand('workbench.action.openEditorAtIndex', tabs.indexOf(tab));
}
