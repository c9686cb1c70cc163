/** What a person does with rows. Each takes the nodes that it was asked for, of any type. */
import { commands, env, l10n, type Memento, type TreeView, Uri } from 'vscode';
import type { Service } from '../platform/service.ts';
import { showInfo } from '../presentation/dialogs.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { attachedBot, type Chat, type Kind } from '../service/model.ts';
import { addIds, addRows } from './addRows.ts';
import type { SidebarTree } from './chatsTree.ts';
import { labelRow, moveRows, nudgeRows, removeRows } from './editRows.ts';
import { askFilter, askOrder } from './filterAndSort.ts';
import { focusedNodes } from './focusedNodes.ts';
import { type ChatNode, isRow, isSubject, nodeText, type Subject } from './nodes.ts';
import type { Order } from './rowOrder.ts';
import type { Watch, Watcher } from './watch/watcher.ts';

export interface ActionNeeds {
  readonly tree: SidebarTree;
  readonly view: TreeView<ChatNode>;
  readonly watcher: Watcher;
  readonly memory: Memento;
  openService(): Promise<Service | undefined>;
  /** The bot to act as; undefined when the person stepped back. */
  chooseBot(service: Service, title: string, preferred?: string): Promise<string | undefined>;
  /** Sends a document to chats, after the person has confirmed it; without one, the document that is open. */
  send(chats: readonly Chat[], document?: Uri): Promise<void>;
}

export class RowCommands {
  readonly #needs: ActionNeeds;

  constructor(needs: ActionNeeds) {
    this.#needs = needs;
    needs.tree.listing.order = orderIn(needs.memory);
  }

  /** What a command is for: what the menu was opened on together with what is selected, or where the keys are pressed. */
  async nodes(clicked?: ChatNode, selected?: readonly ChatNode[]): Promise<readonly ChatNode[]> {
    const { tree, view } = this.#needs;
    const nodes = clicked ? (selected?.length ? selected : [clicked]) : await focusedNodes(view);
    // Not in the order in which they were selected.
    return nodes.every(isRow) ? tree.listing.inOrder(nodes) : nodes;
  }

  async add(kind: Kind): Promise<void> {
    const service = await this.#needs.openService();
    if (service) await this.#reveal(kind, await addRows(kind, service));
  }

  /** Adds what a fact names. */
  async addToSidebar(nodes: readonly ChatNode[]): Promise<void> {
    const service = await this.#needs.openService();
    if (!service) return;
    for (const { kind, id } of nodes.filter(isSubject)) {
      await addIds(kind, [id], service);
      await this.#reveal(kind, [id]);
    }
  }

  /** Removes rows, which are watched no longer either, and offers to put all that back. */
  async remove(nodes: readonly ChatNode[]): Promise<void> {
    const { tree, view, watcher, openService } = this.#needs;
    const rows = nodes.filter(isRow);
    const [first] = rows;
    const service = first && (await openService());
    if (!service) return;
    // Before they go: later, the person may be somewhere else.
    const next = tree.listing.nextTo(rows, first.kind, service);
    if (next) await view.reveal(next, { focus: true, select: false });
    const putBack = await removeRows(rows, service);
    const watched = chatsOf(rows).flatMap((chat) => {
      const { botId } = watcher.state(chat) ?? {};
      return botId ? [{ chat, botId }] : [];
    });
    for (const { chat } of watched) await watcher.unwatch(chat);
    const text =
      rows.length === 1
        ? l10n.t('“{0}” is no longer in the sidebar.', tree.titleOf(first))
        : l10n.t('{0} rows are no longer in the sidebar.', rows.length);
    const undo = l10n.t('Undo');
    if ((await showInfo(text, undo)) !== undo) return;
    await putBack();
    await watcher.watch(service, watched);
  }

  async relabel(nodes: readonly ChatNode[]): Promise<void> {
    const { tree, openService } = this.#needs;
    const [row] = nodes.filter(isRow);
    const service = row && (await openService());
    if (service) await labelRow(row, service, tree.nameOf(row), tree.listing.labelOf(row));
  }

  moveUp(nodes: readonly ChatNode[]): Promise<void> {
    return this.#nudge(nodes, -1);
  }

  moveDown(nodes: readonly ChatNode[]): Promise<void> {
    return this.#nudge(nodes, 1);
  }

  /** Rows were dropped on another or on a section: those of its kind go there. */
  async drop(dragged: readonly ChatNode[], target: ChatNode): Promise<void> {
    const service = await this.#needs.openService();
    if (!service || !(isRow(target) || target.type === 'section')) return;
    this.#assertArrangeable();
    await moveRows(dragged.filter(isRow), target.kind, isRow(target) ? target : undefined, service);
  }

  /** Documents were dropped on a row: if that is selected, they are for all that is. */
  async dropDocuments(documents: readonly string[], target: ChatNode): Promise<void> {
    const [document, ...others] = documents;
    if (!document || others.length > 0) throw new UserFacingError(l10n.t('Drop one Markdown file at a time.'));
    const { selection } = this.#needs.view;
    await this.send(selection.includes(target) ? selection : [target], Uri.parse(document));
  }

  async send(nodes: readonly ChatNode[], document?: Uri): Promise<void> {
    const chats = chatsOf(nodes);
    if (chats.length === 0)
      throw new UserFacingError(l10n.t('Only groups and people can receive messages: choose some.'));
    await this.#needs.send(chats, document);
  }

  async copyId(nodes: readonly ChatNode[]): Promise<void> {
    await copy(nodes.filter(isSubject).map(({ id }) => id));
  }

  async copyValue(nodes: readonly ChatNode[]): Promise<void> {
    await copy(nodes.map((node) => (node.type === 'lead' ? node.fact.value : nodeText(node))).filter(Boolean));
  }

  /** The answers of the lookups as they came. */
  async copyJson(nodes: readonly ChatNode[]): Promise<void> {
    const subjects = nodes.filter(isSubject);
    await Promise.all(subjects.map((node) => this.#needs.tree.look(node)));
    const found = subjects.flatMap((node) => this.#needs.tree.foundOf(node) ?? []);
    const raw = found.map((one) => one.raw);
    await copy(raw.length > 0 ? [JSON.stringify(raw.length === 1 ? raw[0] : raw, undefined, 2)] : []);
  }

  async retry(nodes: readonly ChatNode[]): Promise<void> {
    const { tree, watcher } = this.#needs;
    await Promise.all([tree.refresh(nodes), ...chatsOf(nodes.filter(isRow)).map((chat) => watcher.look(chat))]);
  }

  async watch(nodes: readonly ChatNode[]): Promise<void> {
    const service = await this.#needs.openService();
    if (!service) return;
    let chosen: string | undefined;
    const watched: Watch[] = [];
    for (const row of nodes.filter(isRow)) {
      const [chat] = chatsOf([row]);
      if (!chat || this.#needs.watcher.state(chat)) continue;
      const title = l10n.t('Watch {0} as which bot?', this.#needs.tree.titleOf(row));
      chosen = await this.#needs.chooseBot(service, title, this.#attachedTo(row) ?? chosen);
      if (!chosen) break;
      watched.push({ chat, botId: chosen });
    }
    await this.#needs.watcher.watch(service, watched);
  }

  async unwatch(nodes: readonly ChatNode[]): Promise<void> {
    for (const chat of chatsOf(nodes.filter(isRow))) await this.#needs.watcher.unwatch(chat);
  }

  async sortBy(): Promise<void> {
    const { tree, memory } = this.#needs;
    const order = await askOrder(tree.listing.order);
    if (!order) return;
    tree.listing.order = order;
    await memory.update(ORDER, order);
    tree.reload();
  }

  async filter(): Promise<void> {
    await askFilter(this.#needs.tree.listing.filter, (filter) => this.#filter(filter));
  }

  async clearFilter(): Promise<void> {
    this.#filter('');
  }

  #filter(filter: string): void {
    const { listing } = this.#needs.tree;
    if (filter === listing.filter) return;
    listing.filter = filter;
    void commands.executeCommand('setContext', 'botChats.isFiltered', filter !== '');
    this.#needs.tree.reload();
  }

  async #nudge(nodes: readonly ChatNode[], by: -1 | 1): Promise<void> {
    const service = await this.#needs.openService();
    if (!service) return;
    this.#assertArrangeable();
    // A step over a row that is hidden would not show.
    if (this.#needs.tree.listing.filter) throw new UserFacingError(l10n.t('Clear the filter to move rows one by one.'));
    await nudgeRows(nodes.filter(isRow), service, by);
  }

  /** @throws UserFacingError where moving a row would not show */
  #assertArrangeable(): void {
    if (this.#needs.tree.listing.order === 'listed') return;
    throw new UserFacingError(l10n.t('Rows can be moved when they are sorted as listed: see “Sort By…”.'));
  }

  #attachedTo(row: Subject): string | undefined {
    const found = this.#needs.tree.foundOf(row);
    return found?.kind === 'group' ? attachedBot(found.resource)?.botId : undefined;
  }

  async #reveal(kind: Kind, ids: readonly string[]): Promise<void> {
    const id = ids.at(-1);
    if (id === undefined) return;
    // A filter may hide it.
    this.#filter('');
    await this.#needs.view.reveal(this.#needs.tree.rowOf({ kind, id }), { focus: true });
  }
}

const ORDER = 'order';

function orderIn(memory: Memento): Order {
  const order: unknown = memory.get(ORDER);
  return order === 'name' || order === 'id' ? order : 'listed';
}

/** Those that have a history and can receive messages, each once. */
function chatsOf(nodes: readonly ChatNode[]): Chat[] {
  const chats = new Map<string, Chat>();
  for (const { kind, id } of nodes.filter(isSubject))
    if (kind !== 'bot') chats.set(`${kind} ${id}`, { type: kind, id });
  return [...chats.values()];
}

async function copy(texts: readonly string[]): Promise<void> {
  if (texts.length > 0) await env.clipboard.writeText(texts.join('\n'));
}
