/** The sidebar's tree: sections, the listed IDs in them, and the details of each. */
import { type Disposable, l10n, type TreeDataProvider, type TreeItem } from 'vscode';
import type { Directory } from '../service/directory.ts';
import type { Chat, Found, Kind } from '../service/model.ts';
import { Pictures } from '../service/picture.ts';
import { explain, isOutage } from '../words/explain.ts';
import { factsOf } from '../words/facts.ts';
import type { Connection } from '../workbench/connection.ts';
import type { Service } from '../workbench/service.ts';
import type { Tokens } from '../workbench/tokens.ts';
import { chatItem, factItem, noteItem, sectionItem, titleOf } from './items.ts';
import { Listing } from './listing.ts';
import {
  type ChatNode,
  factNodes,
  isRow,
  type LeadNode,
  type NoteNode,
  type SectionNode,
  type Subject,
} from './nodes.ts';
import { noTokenNote, outageNote, setUpNote, troubleNote } from './notes.ts';
import { Repaints } from './repaints.ts';
import { type ChatRow, Rows } from './rows.ts';
import { SavedTokens } from './savedTokens.ts';
import { onDidSee } from './sight.ts';
import { tooltipOf } from './tooltip.ts';
import type { WatchState } from './watch/watching.ts';

const BOTS: SectionNode = { type: 'section', kind: 'bot' };
const SECTIONS: readonly SectionNode[] = [{ type: 'section', kind: 'group' }, BOTS, { type: 'section', kind: 'user' }];

/** Changed rows are repainted together, at most this often (milliseconds); all rows, which takes longer, more seldom. */
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

export interface TreeNeeds {
  connection: Connection;
  tokens: Tokens;
  /** How a chat is watched, if it is. */
  watch(chat: Chat): WatchState | undefined;
}

export class ChatsTree implements TreeDataProvider<ChatNode> {
  readonly #needs: TreeNeeds;
  readonly #view: TreeShown;
  readonly #repaints = new Repaints(
    (rows) => this.#paint(rows),
    () => (this.listing.dependsOnNames ? REPAINT_ALL : REPAINT),
  );
  readonly #pictures = new Pictures();
  readonly #tokens: SavedTokens;
  readonly #disposables: Disposable[];
  readonly listing: Listing;
  /** How often the roots were asked for. */
  #asked = 0;
  /** That of the service whose rows are shown. */
  #directory: Directory | undefined;
  #troubled = false;
  /** It is said above the rows that no bot has a token. */
  #noToken = false;
  #unlisten = () => {};
  readonly #rows: Rows;

  constructor(needs: TreeNeeds, view: TreeShown) {
    this.#needs = needs;
    this.#view = view;
    this.#rows = new Rows(
      {
        peek: (kind, id) => this.#directory?.peek(kind, id),
        lookUp: async (kind, id, { refresh }) => {
          const { directory } = await needs.connection.open();
          return directory.get(kind, id, { accept: refresh ? 'new' : 'fresh' });
        },
      },
      { changed: (row) => this.repaint(row), busy: (isBusy) => view.busy(isBusy) },
    );
    this.listing = new Listing(this.#rows);
    this.#tokens = new SavedTokens(needs.connection, needs.tokens, () => this.#paintTokens());
    this.#disposables = [
      // In their order: VS Code paints the last one first.
      onDidSee((seen) => {
        const rows = seen.flatMap(({ kind, id }) => this.#rows.find(kind, id) ?? []);
        for (const row of this.listing.inOrder(rows)) void this.#rows.seen(row);
      }),
      this.#tokens,
    ];
  }

  async getTreeItem(node: ChatNode): Promise<TreeItem> {
    switch (node.type) {
      case 'section':
        return sectionItem(node, this.listing.counts(node.kind, await this.#needs.connection.open()));
      case 'chat':
        return chatItem(node, this.#rows.state(node), {
          label: this.listing.labelOf(node),
          watch: this.#watchOf(node),
          hasToken: this.#hasToken(node),
          round: this.#rows.round,
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
        return this.#roots();
      case 'section':
        return this.listing.nodes(node.kind, await this.#needs.connection.open());
      case 'chat':
        return this.#details(node, node);
      case 'lead':
        return this.#follow(node);
      case 'fact':
        return factNodes(node, node.fact.more ?? []);
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
      const service = await this.#needs.connection.open();
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
    await this.#rows.seen(this.rowOf(subject));
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

  #paint(rows: ChatRow[]): void {
    const troubled = isOutage(this.#rows.trouble());
    const turned = troubled !== this.#troubled;
    this.#troubled = troubled;
    // Where rows stand, or whether they do, may depend on their names.
    this.#view.paint(turned || this.listing.dependsOnNames ? undefined : rows);
  }

  /** All rows take their time: mostly it is but the bots that look different with a token. */
  #paintTokens(): void {
    this.#view.paint(this.#noToken || this.#tokens.isNone() ? undefined : [BOTS]);
  }

  #hasToken({ kind, id }: ChatRow): boolean {
    return kind === 'bot' && this.#tokens.has(id);
  }

  #watchOf({ kind, id }: ChatRow): WatchState | undefined {
    return kind === 'bot' ? undefined : this.#needs.watch({ type: kind, id });
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

  async #roots(): Promise<ChatNode[]> {
    const asked = ++this.#asked;
    const state = await this.#needs.connection.state();
    // Settings may have changed meanwhile, and their rows be shown: what is said and listened to is theirs.
    if (asked === this.#asked) {
      this.#view.name(state === 'sandbox' ? l10n.t('Sandbox') : undefined);
      if (state === 'none') this.#view.say(undefined);
    }
    if (state === 'none') return [];
    try {
      const service = await this.#needs.connection.open();
      if (asked === this.#asked) {
        this.#listen(service.directory);
        this.#view.say(this.listing.filterNote(service));
      }
      this.#tokens.need();
      return [...this.#notes(service), ...SECTIONS];
    } catch (error) {
      if (asked === this.#asked) this.#view.say(explain(error));
      return [setUpNote()];
    }
  }

  #notes({ sandbox }: Service): NoteNode[] {
    // As it is now: rows may be put to be looked up again, or be those of another service, since they were painted.
    const trouble = this.#rows.trouble();
    this.#troubled = isOutage(trouble);
    const notes = this.#troubled ? [outageNote(trouble)] : [];
    this.#noToken = this.#tokens.isNone() && !sandbox;
    return this.#noToken ? [...notes, noTokenNote()] : notes;
  }

  /** Looks up whom a fact names; its own item has their name from then on. */
  async #follow(node: LeadNode): Promise<ChatNode[]> {
    const row = this.rowOf(node);
    const before = this.foundOf(row);
    await this.#rows.seen(row);
    if (before === undefined && this.foundOf(row)) this.#view.paint([node]);
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
