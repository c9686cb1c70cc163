/** The sidebar's tree: sections, the configured IDs in them, and the details of each. */
import { l10n, type TreeDataProvider, type TreeItem } from 'vscode';
import type { Directory } from '../service/directory.ts';
import type { Kind } from '../service/model.ts';
import { factsOf } from '../words/describe.ts';
import { explain } from '../words/explain.ts';
import type { Connection } from '../workbench/connection.ts';
import { idSetting, idsOf } from '../workbench/settings.ts';
import { type ChatNode, chatItem, factItem, type NoteNode, noteItem, type SectionNode, sectionItem } from './items.ts';
import { type ChatRow, Rows } from './rows.ts';

const SECTIONS: readonly SectionNode[] = [
  { type: 'section', kind: 'group' },
  { type: 'section', kind: 'bot' },
  { type: 'section', kind: 'user' },
];

/** Changed rows are repainted together, at most this often (milliseconds). */
const REPAINT = 50;

/** The view that a tree is shown in. */
export interface TreeShown {
  /** Paints these nodes again, or all of them. */
  paint(nodes: ChatNode[] | undefined): void;
  /** Says beside its title what is shown, or nothing. */
  name(what: string | undefined): void;
  /** Puts a sentence above the rows, or takes it away. */
  say(text: string | undefined): void;
}

export class ChatsTree implements TreeDataProvider<ChatNode> {
  readonly #connection: Connection;
  readonly #view: TreeShown;
  readonly #stale = new Set<ChatRow>();
  /** How often the roots were asked for. */
  #asked = 0;
  #repaint: ReturnType<typeof setTimeout> | undefined;
  /** That of the service whose rows are shown. */
  #directory: Directory | undefined;
  #unlisten = () => {};
  readonly #rows = new Rows(
    {
      peek: (kind, id) => this.#directory?.peek(kind, id),
      lookUp: async (kind, id, { refresh }) => {
        const { directory } = await this.#connection.open();
        return directory.get(kind, id, { accept: refresh ? 'new' : 'fresh' });
      },
    },
    (row) => this.#repaintSoon(row),
  );

  constructor(connection: Connection, view: TreeShown) {
    this.#connection = connection;
    this.#view = view;
  }

  getTreeItem(node: ChatNode): TreeItem | Promise<TreeItem> {
    switch (node.type) {
      case 'section':
        return this.#connection.open().then((service) => sectionItem(node, idsOf(node.kind, service).ids.length));
      case 'chat':
        return chatItem(node, this.#rows.state(node));
      case 'fact':
        return factItem(node);
      case 'note':
        return noteItem(node);
    }
  }

  async getChildren(node?: ChatNode): Promise<ChatNode[]> {
    switch (node?.type) {
      case undefined:
        return this.#roots();
      case 'section':
        return this.#section(node.kind);
      case 'chat': {
        const { found } = this.#rows.state(node);
        return found ? factsOf(found).map((fact) => ({ type: 'fact', row: node, fact })) : [];
      }
      default:
        return [];
    }
  }

  /** Looks up one row again, or all that were shown. */
  refresh(row?: ChatRow): Promise<void> {
    return row ? this.#rows.refresh(row) : this.#rows.refreshAll();
  }

  /** Shows other rows: the lists in the settings have changed, or (`forget`) the service has. */
  reload({ forget = false } = {}): void {
    if (forget) this.#rows.reset();
    this.#view.paint(undefined);
  }

  dispose(): void {
    clearTimeout(this.#repaint);
    this.#unlisten();
  }

  /** What others look up, such as a hover, is news for the rows as well. */
  #listen(directory: Directory): void {
    this.#unlisten();
    this.#directory = directory;
    this.#unlisten = directory.onDidChange((kind, id) => {
      const found = directory.peek(kind, id);
      if (found) this.#rows.learn(found.kind, id, found);
    });
  }

  async #roots(): Promise<ChatNode[]> {
    const asked = ++this.#asked;
    const state = await this.#connection.state();
    // Settings may have changed meanwhile, and their rows be shown: what is said and listened to is theirs.
    if (asked === this.#asked) {
      this.#view.name(state === 'sandbox' ? l10n.t('Sandbox') : undefined);
      this.#view.say(undefined);
    }
    if (state === 'none') return [];
    try {
      const { directory } = await this.#connection.open();
      if (asked === this.#asked) this.#listen(directory);
      return [...SECTIONS];
    } catch (error) {
      if (asked === this.#asked) this.#view.say(explain(error));
      return [{ type: 'note', text: l10n.t('Open Settings'), icon: 'gear', settings: 'botChats.service' }];
    }
  }

  async #section(kind: Kind): Promise<ChatNode[]> {
    const { ids, unusable } = idsOf(kind, await this.#connection.open());
    const rows: ChatNode[] = ids.map((id) => this.#rows.row(kind, id));
    if (unusable.length > 0) rows.push(unusableNote(kind, unusable));
    return rows.length > 0 ? rows : [emptyNote(kind)];
  }

  #repaintSoon(row: ChatRow): void {
    this.#stale.add(row);
    this.#repaint ??= setTimeout(() => {
      this.#repaint = undefined;
      const stale = [...this.#stale];
      this.#stale.clear();
      this.#view.paint(stale);
    }, REPAINT);
  }
}

function emptyNote(kind: Kind): NoteNode {
  const texts: Record<Kind, string> = {
    group: l10n.t('Add IDs of groups…'),
    bot: l10n.t('Add IDs of bots…'),
    user: l10n.t('Add IDs of people…'),
  };
  return { type: 'note', text: texts[kind], icon: 'add', settings: `botChats.${idSetting[kind]}` };
}

function unusableNote(kind: Kind, unusable: unknown[]): NoteNode {
  const setting = `botChats.${idSetting[kind]}`;
  const entries = unusable.map((entry) => JSON.stringify(entry)).join(', ');
  const text = l10n.t('Not an ID: {0}', entries);
  return { type: 'note', text, icon: 'warning', settings: setting };
}
