/** The sidebar's tree: sections, the listed IDs in them, and the details of each. */
import type { Disposable, TreeDataProvider, TreeItem } from 'vscode';
import { AvatarCache } from '../directory/avatarCache.ts';
import type { Directory } from '../directory/directory.ts';
import type { Host } from '../platform/host.ts';
import { factsOf } from '../presentation/facts.ts';
import type { Chat, Found, Kind } from '../service/model.ts';
import { Listing } from './sections.ts';
import { type ChatNode, factNodes, isRow, type LeadNode, type Subject } from './nodes.ts';
import { troubleNote } from './notes.ts';
import { Repaints } from './repaintQueue.ts';
import { Roots, SECTIONS } from './rootNodes.ts';
import { type ChatRow, Rows } from './rows.ts';
import { SavedTokens } from './savedTokens.ts';
import { tooltipOf } from './tooltip.ts';
import { chatItem, factItem, noteItem, sectionItem, titleOf } from './treeItems.ts';
import { onDidSee } from './visibleRows.ts';
import type { WatchState } from './watch/serviceWatcher.ts';

/** How long a changed node waits for others (milliseconds); where all are repainted, which takes longer, more. */
const REPAINT = 50;
const REPAINT_ALL = 500;

/** The view that a tree is shown in. */
export interface TreeShown {
  /** Paints these nodes again, or all of them. */
  paint(nodes: ChatNode[] | undefined): void;
  /** Says beside its title what is shown, or nothing. */
  name(what: string | undefined): void;
  /** Puts a sentence above the rows, or takes it away. */
  say(text: string | undefined): void;
  /** Lookups are under way, or have ended. */
  busy(isBusy: boolean): void;
}

export type TreeHost = Pick<Host, 'connection' | 'lists' | 'tokens'>;

export class SidebarTree implements TreeDataProvider<ChatNode> {
  readonly #host: TreeHost;
  readonly #watchState: (chat: Chat) => WatchState | undefined;
  readonly #view: TreeShown;
  readonly #repaints = new Repaints(
    (nodes) => this.#paint(nodes),
    () => (this.listing.dependsOnNames ? REPAINT_ALL : REPAINT),
  );
  readonly #pictures = new AvatarCache();
  readonly #tokens: SavedTokens;
  readonly #disposables: Disposable[];
  readonly listing: Listing;
  /** That of the service whose rows are shown. */
  #directory: Directory | undefined;
  #unlisten = () => {};
  readonly #rows: Rows;
  readonly #roots: Roots;
  readonly #nodes = new WeakSet<object>();

  /** `watchState` says how a chat is watched, if it is. */
  constructor(host: TreeHost, watchState: (chat: Chat) => WatchState | undefined, view: TreeShown) {
    this.#host = host;
    this.#watchState = watchState;
    this.#view = view;
    this.#rows = new Rows(
      {
        peek: (kind, id) => this.#directory?.peek(kind, id),
        lookUp: async (kind, id, { refresh, signal }) => {
          const { directory } = await host.connection.open();
          return directory.get(kind, id, { accept: refresh ? 'new' : 'fresh', signal });
        },
      },
      { changed: (row) => this.repaint(row), busy: (isBusy) => view.busy(isBusy) },
    );
    this.listing = new Listing(this.#rows, host.lists);
    this.#tokens = new SavedTokens(host.connection, host.tokens, () => this.#showTokens());
    this.#roots = new Roots({
      connection: host.connection,
      rows: this.#rows,
      listing: this.listing,
      tokens: this.#tokens,
      name: (what) => view.name(what),
      say: (text) => view.say(text),
      opened: ({ directory }) => this.#listen(directory),
    });
    this.#disposables = [onDidSee((seen) => void this.#see(seen)), this.#tokens];
  }

  async getTreeItem(node: ChatNode): Promise<TreeItem> {
    this.#nodes.add(node);
    switch (node.type) {
      case 'section':
        return sectionItem(node, this.listing.counts(node.kind, await this.#host.connection.open()));
      case 'chat':
        return chatItem(node, this.#rows.state(node), {
          label: this.listing.labelOf(node),
          watch: this.#watchOf(node),
          hasToken: this.#hasToken(node),
          round: this.#rows.round,
          isOutageTold: this.#roots.isOutage,
        });
      case 'fact':
        return factItem(node);
      case 'lead':
        return factItem(node, this.foundOf(node));
      case 'note':
        return noteItem(node);
    }
  }

  async getChildren(node?: ChatNode): Promise<ChatNode[]> {
    switch (node?.type) {
      case undefined:
        return this.#roots.nodes();
      case 'section':
        return this.listing.nodes(node.kind, await this.#host.connection.open());
      case 'chat':
        return this.#details(node, node);
      case 'lead':
        return this.#follow(node);
      case 'fact':
        return factNodes(node, node.fact.children ?? []);
      case 'note':
        return [];
    }
  }

  getParent(node: ChatNode): ChatNode | undefined {
    if (node.type === 'chat') return SECTIONS.find(({ kind }) => kind === node.kind);
    return node.type === 'section' ? undefined : node.parent;
  }

  /** The tooltip of a row is made when the pointer rests on it. */
  async resolveTreeItem(item: TreeItem, node: ChatNode): Promise<TreeItem> {
    if (node.type === 'chat') {
      const service = await this.#host.connection.open();
      const label = this.listing.labelOf(node);
      const hasToken = this.#hasToken(node);
      const needs = {
        label,
        hasToken,
        watch: this.#watchOf(node),
        directory: service.directory,
        pictures: this.#pictures,
        late: () => this.repaint(node),
      };
      item.tooltip = await tooltipOf(this.#rows.state(node), needs);
    }
    return item;
  }

  /** Looks these up again; without any, all rows as they are seen. */
  async refresh(nodes: readonly ChatNode[] = []): Promise<void> {
    if (nodes.length === 0) {
      this.#rows.refreshAll();
      this.#view.paint(undefined);
      return;
    }
    await Promise.all(
      nodes.map(async (node) => {
        if (node.type === 'chat') return this.#rows.refresh(node);
        if (node.type !== 'lead') return;
        await this.#rows.refresh(this.rowOf(node));
        this.#view.paint([node]);
      }),
    );
  }

  /** Shows other rows: the lists in the settings have changed, or (`forget`) the service has. */
  reload({ forget = false } = {}): void {
    if (forget) {
      this.#rows.reset();
      this.#repaints.drop();
      this.#unlisten();
      this.#directory = undefined;
      this.#tokens.forget();
    }
    this.#view.paint(undefined);
  }

  /** Whether this is a node that the tree has given to VS Code. */
  isNode(given: object): given is ChatNode {
    return this.#nodes.has(given);
  }

  /** The row of an ID, listed or not. */
  rowOf({ kind, id }: { kind: Kind; id: string }): ChatRow {
    return this.#rows.row(kind, id);
  }

  /** What is known of a group, bot or user. */
  foundOf(subject: Subject): Found | undefined {
    return this.#rows.state(this.rowOf(subject)).found;
  }

  /** Looks up whom a node is about, if that was not done yet. */
  async look(subject: Subject): Promise<void> {
    await this.#rows.need(this.rowOf(subject));
  }

  /** Its name by itself, or its ID. */
  nameOf(subject: Subject): string {
    return titleOf(this.rowOf(subject), this.foundOf(subject), undefined);
  }

  /** What a row is called. */
  titleOf(subject: Subject): string {
    const row = this.rowOf(subject);
    return titleOf(row, this.foundOf(row), this.listing.labelOf(row));
  }

  /** Paints a row again, together with others that change at the same time. */
  repaint(row: ChatRow): void {
    this.#repaints.add(row);
  }

  dispose(): void {
    this.#repaints.drop();
    this.#unlisten();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #see(seen: readonly Pick<ChatRow, 'kind' | 'id'>[]): Promise<void> {
    const found = () => seen.flatMap(({ kind, id }) => this.#rows.find(kind, id) ?? []);
    // VS Code may paint rows late, after a change of the service and before it asks for the new ones; it does not say
    // a second time that it paints them.
    if (found().length < seen.length) {
      const service = await this.#host.connection.open().catch(() => undefined);
      if (service) for (const { kind } of SECTIONS) this.listing.nodes(kind, service);
    }
    // In their order: VS Code paints the last one first.
    for (const row of this.listing.inOrder(found())) this.#rows.seen(row);
  }

  #paint(nodes: ChatNode[]): void {
    // Where rows stand, or whether they do, may depend on their names.
    this.#view.paint(this.#roots.haveTurned() || this.listing.dependsOnNames ? undefined : nodes);
  }

  /** All rows take their time: mostly it is but the bots that look different with a token. */
  async #showTokens(): Promise<void> {
    if (this.#roots.haveTurned()) return this.#view.paint(undefined);
    // One by one: under a section that is painted, VS Code knows of no rows for a moment.
    for (const node of this.listing.nodes('bot', await this.#host.connection.open())) this.#repaints.add(node);
  }

  #hasToken({ kind, id }: ChatRow): boolean {
    return kind === 'bot' && this.#tokens.has(id);
  }

  #watchOf({ kind, id }: ChatRow): WatchState | undefined {
    return kind === 'bot' ? undefined : this.#watchState({ type: kind, id });
  }

  /** What others look up, such as a hover, is news for the rows as well. */
  #listen(directory: Directory): void {
    if (directory === this.#directory) return;
    this.#unlisten();
    this.#directory = directory;
    this.#unlisten = directory.onDidChange((kind, id) => {
      const found = directory.peek(kind, id);
      if (found) this.#rows.learn(found.kind, id, found);
    });
  }

  /** Looks up whom a fact names; its own item has their name from then on. */
  async #follow(node: LeadNode): Promise<ChatNode[]> {
    const row = this.rowOf(node);
    const before = this.foundOf(row);
    await this.#rows.need(row);
    // Not at once: VS Code may take that for older than the answer to this question, which it has not got yet.
    if (before === undefined && this.foundOf(row)) this.#repaints.add(node);
    return this.#details(node, row);
  }

  /** What is known of a row, and what kept it from being looked up. */
  #details(parent: ChatRow | LeadNode, row: ChatRow): ChatNode[] {
    const state = this.#rows.state(row);
    const facts = state.found ? factsOf(state.found) : [];
    const nodes = factNodes(parent, facts);
    const troubles = state.at === 'failed' ? [state.error] : [];
    if (isRow(parent)) troubles.push(this.#watchOf(row)?.error);
    return [...troubles.filter(Boolean).map((error) => troubleNote(parent, error)), ...nodes];
  }
}
