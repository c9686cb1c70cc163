/** The sidebar's tree: sections, the listed rows in them, and the details of each. */

import type { Disposable, TreeDataProvider } from 'vscode';
import { AvatarCache } from '../directory/avatarCache.ts';
import type { Host } from '../platform/host.ts';
import { knownLabel } from '../presentation/describe.ts';
import { factsOf } from '../presentation/facts.ts';
import type { Row, ShownText } from '../presentation/shown.ts';
import { systemClock } from '../service/clock.ts';
import { type Chat, type Found, isChat, type Kind } from '../service/model.ts';
import type { Match } from './activity/activityRules.ts';
import { chatItem, factItem, noteItem, sectionItem, titleOf, tooltipOf } from './nodeItems.ts';
import { type ChatNode, factNodes, isRow, type ReferenceNode, type ResourceNode } from './nodes.ts';
import { errorNote } from './notes.ts';
import { Reconnection } from './reconnection.ts';
import { RootNodes } from './rootNodes.ts';
import { type ChatRow, RowDirectory, Rows } from './rows.ts';
import { SavedTokens } from './savedTokens.ts';
import { type LastTimes, SECTIONS, Sections } from './sections.ts';
import { RepaintQueue, type TreeDisplay } from './sidebarView.ts';
import { onDidShowRows } from './visibleRows.ts';
import type { WatchState } from './watch/watchList.ts';

/** How long a changed node waits for others, in milliseconds; longer where everything is repainted. */
const REPAINT_DELAY = 50;
const REPAINT_ALL_DELAY = 500;

export type TreeHost = Pick<Host, 'connection' | 'lists' | 'tokens'>;

/** What other features know of the chats of rows. */
interface ChatStates {
  /** The state of a watched chat. */
  watch(chat: Chat): WatchState | undefined;
  isArchived(chat: Chat): boolean;
  /** The note on the *Do Not Send* list; undefined for a chat that isn't on it. */
  never(chat: Chat): string | undefined;
  /** Why new messages in a watched chat need the user. */
  match(chat: Chat): Match | undefined;
  readonly lastTimes: LastTimes;
}

/**
 * Data flows one way: the lists in the settings name the rows, the rows are looked up in the directory, and its changes
 * update and repaint the rows.
 */
export class SidebarTree implements TreeDataProvider<ChatNode> {
  readonly sections: Sections;
  readonly #host: TreeHost;
  readonly #chats: ChatStates;
  readonly #display: TreeDisplay;
  readonly #directory: RowDirectory;
  readonly #rows: Rows;
  readonly #tokens: SavedTokens;
  readonly #rootNodes: RootNodes;
  readonly #avatars = new AvatarCache();
  readonly #reconnection: Reconnection;
  readonly #repaintQueue = new RepaintQueue(
    (nodes) => this.#repaintNow(nodes),
    () => (this.sections.mayMoveRows ? REPAINT_ALL_DELAY : REPAINT_DELAY),
  );
  /** The nodes that VS Code knows. */
  readonly #nodes = new WeakSet<object>();
  readonly #disposables: Disposable[];

  constructor(host: TreeHost, chats: ChatStates, display: TreeDisplay, clock = systemClock) {
    this.#host = host;
    this.#chats = chats;
    this.#display = display;
    this.#directory = new RowDirectory(host.connection, (kind, id) => {
      this.#rows.update(kind, id);
      this.#reconnection.answered();
    });
    this.#rows = new Rows(this.#directory, {
      rowChanged: (row) => this.#rowChanged(row),
      busyChanged: (isBusy) => display.setBusy(isBusy),
    });
    this.#reconnection = new Reconnection(
      {
        unreachedRow: () => this.#rows.unreachedRow(),
        lookUp: ({ kind, id }, signal) => this.#directory.lookUp(kind, id, { refresh: true, signal }),
        whenVisible: () => display.whenVisible(),
        ended: () => {
          this.#rows.retryUnreached();
          display.repaint(undefined);
        },
      },
      clock,
    );
    this.sections = new Sections(this.#rows, host.lists, chats.lastTimes);
    this.#tokens = new SavedTokens(host.connection, host.tokens, () => this.#repaintTokens());
    this.#rootNodes = new RootNodes(host.connection, this.#directory, this.#rows, this.sections, this.#tokens, display);
    this.#disposables = [onDidShowRows((shown) => void this.#lookUpVisible(shown)), this.#tokens];
  }

  async getTreeItem(node: ChatNode): Promise<Row> {
    this.#nodes.add(node);
    switch (node.type) {
      case 'section':
        return sectionItem(node, await this.#rootNodes.counts(node.kind));
      case 'chat':
        return chatItem(node, this.#rows.state(node), {
          ...this.#known(node),
          isArchived: isChat(node) && this.#chats.isArchived(node),
          generation: this.#rows.generation,
          isOutageShown: this.#rootNodes.showsOutage,
        });
      case 'fact':
        return factItem(node);
      case 'reference':
        return factItem(node, this.foundOf(node) && this.titleOf(node), await this.#isListed(node));
      case 'note':
        return noteItem(node);
    }
  }

  async getChildren(node?: ChatNode): Promise<ChatNode[]> {
    switch (node?.type) {
      case undefined:
        return this.#rootNodes.load();
      case 'section':
        return this.sections.children(node.kind, await this.#directory.open());
      case 'chat':
        return this.#details(node, node);
      case 'reference':
        return this.#referenceChildren(node);
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

  /** Adds the tooltip of a row, which VS Code asks for when the pointer rests on it. */
  async resolveTreeItem(item: Row, node: ChatNode): Promise<Row> {
    if (node.type !== 'chat') return item;
    const { directory } = await this.#host.connection.open();
    item.tooltip = await tooltipOf(this.#rows.state(node), {
      ...this.#known(node),
      directory,
      avatars: this.#avatars,
      onLateAvatar: () => this.repaint(node),
    });
    return item;
  }

  /** Looks up these nodes again; without any, all rows when they become visible. */
  async refresh(nodes: readonly ChatNode[] = []): Promise<void> {
    if (nodes.length === 0) {
      this.#rows.refreshAll();
      this.#display.repaint(undefined);
      return;
    }
    await Promise.all(
      nodes.map(async (node) => {
        if (node.type === 'chat') return this.#rows.refresh(node);
        if (node.type !== 'reference') return;
        await this.#rows.refresh(this.rowOf(node));
        this.#display.repaint([node]);
      }),
    );
  }

  /** Shows the rows of changed settings; with `forget`, of another service. */
  reload({ forget = false } = {}): void {
    if (forget) {
      this.#reconnection.stop();
      this.#rows.reset();
      this.#repaintQueue.clear();
      this.#directory.clear();
      this.#tokens.clear();
    }
    this.#display.repaint(undefined);
  }

  /** Whether this is a node of the tree that VS Code knows. */
  isNode(value: object): value is ChatNode {
    return this.#nodes.has(value);
  }

  /** The row of an ID, listed or not. */
  rowOf({ kind, id }: { kind: Kind; id: string }): ChatRow {
    return this.#rows.row(kind, id);
  }

  /** The group, bot or user of a node, if it was found. */
  foundOf(node: ResourceNode): Found | undefined {
    return this.#rows.state(this.rowOf(node)).found;
  }

  /** Why the group, bot or user of a node couldn't be looked up, if that failed last. */
  failureOf(node: ResourceNode): unknown {
    const state = this.#rows.state(this.rowOf(node));
    return state.status === 'failed' ? state.error : undefined;
  }

  /** Looks up the group, bot or user of a node unless that was done before. */
  async lookUp(node: ResourceNode): Promise<void> {
    await this.#rows.lookUp(this.rowOf(node));
  }

  /** The name of a node without its label, or its ID. */
  nameOf(node: ResourceNode): ShownText {
    return titleOf(this.rowOf(node), this.foundOf(node), undefined);
  }

  /** The user's own name for a row. */
  labelOf({ kind, id }: ChatRow): ShownText | undefined {
    return knownLabel(this.#directory, kind, id);
  }

  /** The label of a node, its name, or its ID. */
  titleOf(node: ResourceNode): ShownText {
    const row = this.rowOf(node);
    return titleOf(row, this.foundOf(row), this.labelOf(row));
  }

  /** Repaints a row, together with others that change at the same time. */
  repaint(row: ChatRow): void {
    this.#repaintQueue.add(row);
  }

  dispose(): void {
    this.#reconnection.stop();
    this.#repaintQueue.clear();
    this.#directory.clear();
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #rowChanged(row: ChatRow): void {
    const state = this.#rows.state(row);
    if (state.status === 'failed') this.#reconnection.lookupFailed(state.error);
    this.repaint(row);
  }

  async #lookUpVisible(shown: readonly Pick<ChatRow, 'kind' | 'id'>[]): Promise<void> {
    const rows = () => shown.flatMap(({ kind, id }) => this.#rows.find(kind, id) ?? []);
    // After a change of the service, VS Code may paint rows before it asks for the new ones. It reports each row once.
    if (rows().length < shown.length) {
      const service = await this.#directory.open().catch(() => undefined);
      if (service) for (const { kind } of SECTIONS) this.sections.children(kind, service);
    }
    // VS Code paints the last row first.
    for (const row of this.sections.inOrder(rows())) this.#rows.lookUpVisible(row);
  }

  #repaintNow(nodes: ChatNode[]): void {
    // A name or a message may move a row.
    this.#display.repaint(this.#rootNodes.areOutdated() || this.sections.mayMoveRows ? undefined : nodes);
  }

  /** Repaints only the bots unless a note changes, because repainting everything takes longer. */
  async #repaintTokens(): Promise<void> {
    if (this.#rootNodes.areOutdated()) return this.#display.repaint(undefined);
    // The section isn't repainted: meanwhile, VS Code would know none of its rows.
    for (const node of this.sections.children('bot', await this.#host.connection.open())) this.#repaintQueue.add(node);
  }

  async #isListed({ kind, id }: ReferenceNode): Promise<boolean> {
    return this.#host.lists.read(kind, await this.#directory.open()).entries.some((entry) => entry.id === id);
  }

  /** What is known of a row without looking it up. */
  #known(row: ChatRow) {
    return {
      label: this.labelOf(row),
      hasToken: row.kind === 'bot' && this.#tokens.has(row.id),
      refusal: row.kind === 'bot' ? this.#tokens.refusal(row.id) : undefined,
      watch: isChat(row) ? this.#chats.watch(row) : undefined,
      match: isChat(row) ? this.#chats.match(row) : undefined,
      never: isChat(row) ? this.#chats.never(row) : undefined,
    };
  }

  /** Looks up the group, bot or user that a fact refers to. The fact then shows its name. */
  async #referenceChildren(node: ReferenceNode): Promise<ChatNode[]> {
    const row = this.rowOf(node);
    const before = this.foundOf(row);
    await this.#rows.lookUp(row);
    // The repaint is queued, because VS Code ignores that of a node whose children it's waiting for.
    if (before === undefined && this.foundOf(row)) this.#repaintQueue.add(node);
    return this.#details(node, row);
  }

  /** The errors and the facts of a row. */
  #details(parent: ChatRow | ReferenceNode, row: ChatRow): ChatNode[] {
    const state = this.#rows.state(row);
    const facts = state.found ? factsOf(state.found) : [];
    const errors = state.status === 'failed' ? [state.error] : [];
    if (isRow(parent)) errors.push(this.#known(row).watch?.error);
    return [...errors.filter(Boolean).map((error) => errorNote(parent, error)), ...factNodes(parent, facts)];
  }
}
