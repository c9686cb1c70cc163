/**
 * The commands on rows, each of which takes the nodes, of any type, that it was called on; and dragging: rows to another position
 * or into an editor, which gets their IDs, and documents onto rows, to send them.
 */
import * as v from 'valibot';
import { commands, type DataTransfer, DataTransferItem, type TreeDragAndDropController, Uri } from 'vscode';
import type { MessageSender } from '../deliveries/contract.ts';
import { ResourceArgument } from '../platform/commandArguments.ts';
import type { ShownView } from '../platform/defer.ts';
import type { Host } from '../platform/host.ts';
import { moveIds, nudgeIds, readLists, removeIds, restoreIds, setLabel } from '../platform/idLists.ts';
import { chooseBots } from '../presentation/chatReader.ts';
import { askInput, copyText, showInfo } from '../presentation/dialogs.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { formatCount } from '../presentation/formats.ts';
import { checkNever, neverSend } from '../presentation/neverSend.ts';
import { showError } from '../presentation/showError.ts';
import { l10n } from '../presentation/shown.ts';
import { attachedBot, chatsAmong, type Kind } from '../service/model.ts';
import type { Activity } from './activity/activity.ts';
import { addIds, addRows } from './addRows.ts';
import { type ChatNode, isResourceNode, isRow, nodeText, type ResourceNode } from './nodes.ts';
import { askFilter, askOrder, dropTarget } from './rowOrder.ts';
import type { ChatRow } from './rows.ts';
import type { SidebarTree } from './sidebarTree.ts';
import { focusedNodes } from './sidebarView.ts';
import type { Watcher } from './watch/watcher.ts';

type CommandsHost = Pick<Host, 'access' | 'commands' | 'lists' | 'never' | 'store' | 'tokens'>;

export class RowCommands {
  readonly #host: CommandsHost;
  readonly #sender: MessageSender;
  readonly #tree: SidebarTree;
  readonly #watcher: Watcher;
  readonly #activity: Activity;
  readonly #view: ShownView<ChatNode>;

  constructor(
    host: CommandsHost,
    sender: MessageSender,
    { tree, watcher, activity }: { tree: SidebarTree; watcher: Watcher; activity: Activity },
    view: ShownView<ChatNode>,
  ) {
    this.#host = host;
    this.#sender = sender;
    this.#tree = tree;
    this.#watcher = watcher;
    this.#activity = activity;
    this.#view = view;
    tree.sections.order = host.store.get('order');
  }

  /** The nodes that a command applies to: those of the menu, or of the keyboard focus if none was clicked. */
  async nodes(clicked?: object, selected?: readonly object[]): Promise<readonly ChatNode[]> {
    const targets = clicked && (selected?.length ? selected : [clicked]);
    const nodes = targets ? targets.flatMap((target) => this.#nodeOf(target) ?? []) : await focusedNodes(this.#view);
    // VS Code passes rows in the order in which they were selected.
    return nodes.every(isRow) ? this.#tree.sections.inOrder(nodes) : nodes;
  }

  /** A node of the tree, or the row of a group, bot or user that a link or another feature passes. */
  #nodeOf(target: object): ChatNode | undefined {
    if (this.#tree.isNode(target)) return target;
    const { success, output } = v.safeParse(ResourceArgument, target);
    return success ? this.#tree.rowOf(output) : undefined;
  }

  addGroup(): Promise<void> {
    return this.#add('group');
  }

  addBot(): Promise<void> {
    return this.#add('bot');
  }

  addPerson(): Promise<void> {
    return this.#add('user');
  }

  async #add(kind: Kind): Promise<void> {
    const service = await this.#host.access.openService();
    if (service) await this.#reveal(kind, await addRows(kind, service, this.#host.lists));
  }

  /** Adds the group, bot or user that a fact refers to. */
  async addToSidebar(nodes: readonly ChatNode[]): Promise<void> {
    const service = await this.#host.access.openService();
    if (!service) return;
    for (const { kind, id } of nodes.filter(isResourceNode)) {
      await addIds(kind, [id], service, this.#host.lists);
      await this.#reveal(kind, [id]);
    }
  }

  /** Removes rows, stops watching them, and offers to undo both. */
  async remove(nodes: readonly ChatNode[]): Promise<void> {
    const { lists } = this.#host;
    const rows = nodes.filter(isRow);
    const [first] = rows;
    const service = first && (await this.#host.access.openService());
    if (!service) return;
    // The next row is found before the removal: afterwards, the user may have moved the focus.
    const next = this.#tree.sections.nearestRemaining(rows, first.kind, service);
    if (next) await this.#view.reveal(next, { focus: true, select: false });
    const title = this.#tree.titleOf(first);
    const undos: (() => Promise<unknown>)[] = [];
    for (const [kind, ids] of idsByKind(rows)) {
      const { before } = await lists.edit(kind, service, (now) => removeIds(now, ids));
      undos.push(() => lists.edit(kind, service, (now) => restoreIds(now, before, ids)));
    }
    const watched = chatsOf(rows).flatMap((chat) => {
      const before = this.#watcher.get(chat)?.entry;
      return before ? [{ chat, botId: before.botId, before }] : [];
    });
    const activity = watched.flatMap(({ chat }) => this.#activity.keptOf(chat));
    await this.#watcher.unwatch(...watched.map(({ chat }) => chat));
    const text =
      rows.length === 1
        ? l10n.t('Removed {0} from the sidebar.', title)
        : l10n.t('Removed {0} items from the sidebar.', formatCount(rows.length));
    const undo = l10n.t('Undo');
    if ((await showInfo(text, undo)) !== undo) return;
    for (const restore of undos) await restore();
    await this.#watcher.watch(service, watched);
    await this.#activity.add([], activity);
  }

  /** Asks for the user's own name for a row. */
  async relabel(nodes: readonly ChatNode[]): Promise<void> {
    const [row] = nodes.filter(isRow);
    const service = row && (await this.#host.access.openService());
    if (!service) return;
    const name = this.#tree.nameOf(row);
    const label = await askInput({
      title: l10n.t('Rename'),
      prompt: l10n.t(
        'Enter your own name for {0}, which is never sent. Leave it empty to show the original name.',
        name,
      ),
      value: this.#tree.labelOf(row) ?? '',
      placeHolder: name,
    });
    if (label === undefined) return;
    await this.#host.lists.edit(row.kind, service, (lists) => setLabel(lists, row.id, label.trim() || undefined));
  }

  moveUp(nodes: readonly ChatNode[]): Promise<void> {
    return this.#nudge(nodes, -1);
  }

  moveDown(nodes: readonly ChatNode[]): Promise<void> {
    return this.#nudge(nodes, 1);
  }

  /** Moves the dragged rows of the target's kind to the target: a row or a section. */
  async drop(dragged: readonly ChatNode[], target: ChatNode): Promise<void> {
    const service = await this.#host.access.openService();
    if (!service || !(isRow(target) || target.type === 'section')) return;
    this.#assertSortedAsListed();
    const ids = idsByKind(dragged.filter(isRow)).get(target.kind);
    if (!ids) return;
    await this.#host.lists.edit(target.kind, service, (lists) => {
      const listed = readLists(lists).entries.map(({ id }) => id);
      return moveIds(lists, ids, isRow(target) ? dropTarget(listed, ids, target.id) : undefined);
    });
  }

  /**
   * Sends a dropped document to a row, or to all selected rows if it's one of them. On a section, offers to add those in
   * it to an audience.
   */
  async dropDocuments(documents: readonly string[], target: ChatNode): Promise<void> {
    const [document, ...others] = documents;
    if (!document || others.length > 0) throw new UserFacingError(l10n.t('Drop one file at a time.'));
    const file = Uri.parse(document);
    if (target.type === 'section') return this.#host.commands.run('addFileToAudience', file);
    const { selection } = this.#view;
    await this.send(selection.includes(target) ? selection : [target], file);
  }

  async send(nodes: readonly ChatNode[], document?: Uri): Promise<void> {
    const chats = chatsOf(nodes);
    if (chats.length === 0)
      throw new UserFacingError(l10n.t('Only groups and people can receive messages. Select at least one.'));
    await this.#sender.send(chats, document);
  }

  async copyId(nodes: readonly ChatNode[]): Promise<void> {
    await copy(nodes.filter(isResourceNode).map(({ id }) => id));
  }

  async copyValue(nodes: readonly ChatNode[]): Promise<void> {
    await copy(nodes.map((node) => (node.type === 'reference' ? node.fact.value : nodeText(node))).filter(Boolean));
  }

  /** Copies the raw JSON of the lookups. If none has found anything, @throws the error of the first one */
  async copyJson(nodes: readonly ChatNode[]): Promise<void> {
    const subjects = nodes.filter(isResourceNode);
    await Promise.all(subjects.map((node) => this.#tree.lookUp(node)));
    const found = subjects.flatMap((node) => this.#tree.foundOf(node) ?? []);
    const raw = found.map((one) => one.raw);
    const [failure] = raw.length === 0 ? subjects.flatMap((node) => this.#tree.failureOf(node) ?? []) : [];
    if (failure) throw failure;
    await copy(raw.length > 0 ? [JSON.stringify(raw.length === 1 ? raw[0] : raw, undefined, 2)] : []);
  }

  async retry(nodes: readonly ChatNode[]): Promise<void> {
    const chats = chatsOf(nodes.filter(isRow));
    await Promise.all([this.#tree.refresh(nodes), ...chats.map((chat) => this.#watcher.poll(chat))]);
  }

  async watch(nodes: readonly ChatNode[]): Promise<void> {
    const service = await this.#host.access.openService();
    if (!service) return;
    const chats = nodes
      .filter(isRow)
      .flatMap((row) => chatsOf([row]).map((chat) => ({ row, ...chat, preferred: this.#attachedBotOf(row) })))
      .filter((chat) => !this.#watcher.state(chat));
    const title = ([first, ...others]: readonly (typeof chats)[number][]) =>
      first && others.length === 0
        ? l10n.t('Watch {0} as which bot?', this.#tree.titleOf(first.row))
        : l10n.t('Watch {0} chats as which bot?', formatCount(others.length + 1));
    const chosen = await chooseBots(this.#host, service, chats, { title });
    if (!chosen) return;
    await this.#watcher.watch(
      service,
      chosen.map(({ chat: { kind, id }, botId }) => ({ chat: { kind, id }, botId })),
    );
  }

  async unwatch(nodes: readonly ChatNode[]): Promise<void> {
    await this.#watcher.unwatch(...chatsOf(nodes.filter(isRow)));
  }

  /** Puts chats on the *Do Not Send* list, with a note if the user types one. */
  async neverSend(nodes: readonly ChatNode[]): Promise<void> {
    const [first, ...others] = chatsOf(nodes.filter(isRow));
    if (first) await neverSend(this.#host.never, [first, ...others], this.#tree.titleOf(this.#tree.rowOf(first)));
  }

  async allowSending(nodes: readonly ChatNode[]): Promise<void> {
    checkNever(this.#host.never);
    await this.#host.never.remove(chatsOf(nodes.filter(isRow)));
  }

  async sortBy(): Promise<void> {
    const { sections } = this.#tree;
    const order = await askOrder(sections.order);
    if (!order) return;
    sections.order = order;
    await this.#host.store.set('order', order);
    this.#tree.reload();
  }

  async filter(): Promise<void> {
    await askFilter(this.#tree.sections.filter, (filter) => this.#filter(filter));
  }

  async clearFilter(): Promise<void> {
    this.#filter('');
  }

  #filter(filter: string): void {
    const { sections } = this.#tree;
    if (filter === sections.filter) return;
    sections.filter = filter;
    void commands.executeCommand('setContext', 'botChats.isFiltered', filter !== '');
    this.#tree.reload();
  }

  async #nudge(nodes: readonly ChatNode[], by: -1 | 1): Promise<void> {
    const service = await this.#host.access.openService();
    if (!service) return;
    this.#assertSortedAsListed();
    // Moving a row past a hidden one has no visible effect.
    if (this.#tree.sections.filter) throw new UserFacingError(l10n.t('Clear the filter before moving items.'));
    for (const [kind, ids] of idsByKind(nodes.filter(isRow)))
      await this.#host.lists.edit(kind, service, (lists) => nudgeIds(lists, ids, by));
  }

  /** @throws UserFacingError if moving a row has no visible effect */
  #assertSortedAsListed(): void {
    if (this.#tree.sections.order === 'listed') return;
    throw new UserFacingError(
      l10n.t("You can move items only when they're sorted as listed. Change this in “Sort By…”."),
    );
  }

  #attachedBotOf(row: ResourceNode): string | undefined {
    const found = this.#tree.foundOf(row);
    return found?.kind === 'group' ? attachedBot(found.resource)?.botId : undefined;
  }

  async #reveal(kind: Kind, ids: readonly string[]): Promise<void> {
    const id = ids.at(-1);
    if (id === undefined) return;
    // The filter may hide the row.
    this.#filter('');
    await this.#view.reveal(this.#tree.rowOf({ kind, id }), { focus: true });
  }
}

/** The nodes that have a history and can receive messages, without duplicates. */
const chatsOf = (nodes: readonly ChatNode[]) => chatsAmong(nodes.filter(isResourceNode));

function idsByKind(rows: readonly ChatRow[]): Map<Kind, Set<string>> {
  const kinds = new Map<Kind, Set<string>>();
  for (const { kind, id } of rows) kinds.set(kind, (kinds.get(kind) ?? new Set()).add(id));
  return kinds;
}

async function copy(texts: readonly string[]): Promise<void> {
  if (texts.length > 0) await copyText(texts.join('\n'));
}

const TREE_TYPE = 'application/vnd.code.tree.botchats.chats';
const TEXT_TYPE = 'text/plain';
const FILES_TYPE = 'text/uri-list';

export type DragAndDrop = Required<Pick<TreeDragAndDropController<ChatNode>, 'handleDrag' | 'handleDrop'>>;

/** What is dropped on a row or a section is passed to its command, for which VS Code needn't wait. */
export function createDragAndDrop(rowCommands: Pick<RowCommands, 'drop' | 'dropDocuments'>): DragAndDrop {
  return {
    handleDrag(nodes, transfer) {
      transfer.set(TREE_TYPE, new DataTransferItem(nodes.filter(isRow)));
      transfer.set(TEXT_TYPE, new DataTransferItem(nodes.map(nodeText).filter(Boolean).join('\n')));
    },
    async handleDrop(target, transfer) {
      if (!target) return;
      const rows = rowsIn(transfer);
      if (rows) return void rowCommands.drop(rows, target).catch(showError);
      const list = await transfer.get(FILES_TYPE)?.asString();
      const documents = (list ?? '').split(/\r?\n/).filter((line) => line && !line.startsWith('#'));
      if (documents.length > 0) void rowCommands.dropDocuments(documents, target).catch(showError);
    },
  };
}

/** The dragged rows of this tree, if any. VS Code passes them on unchanged. */
function rowsIn(transfer: DataTransfer): readonly ChatNode[] | undefined {
  const value: unknown = transfer.get(TREE_TYPE)?.value;
  return Array.isArray(value) ? value : undefined;
}
