/** The sidebar's controller: its tree, the watched chats and the commands on rows. Loaded on first use. */
import { type EventEmitter, l10n, type TreeView } from 'vscode';
import type { ArchivedChats } from '../chats/contract.ts';
import type { MessageSender } from '../deliveries/contract.ts';
import type { Host } from '../platform/host.ts';
import type { Notes } from '../platform/neverList.ts';
import type { Service } from '../platform/service.ts';
import { showInfo } from '../presentation/dialogs.ts';
import { showError } from '../presentation/errorText.ts';
import { firstTexts, joinNames } from '../presentation/formats.ts';
import { type Chat, chatKey } from '../service/model.ts';
import { ArchivedRows } from './archivedRows.ts';
import { createDragAndDrop, type DragAndDrop } from './dragAndDrop.ts';
import { titleOf } from './nodeItems.ts';
import type { ChatNode } from './nodes.ts';
import { RowCommands } from './rowCommands.ts';
import { SidebarTree } from './sidebarTree.ts';
import { SidebarView } from './sidebarView.ts';
import { watchContext } from './watch/watchContext.ts';
import { type NewMessages, Watcher } from './watch/watcher.ts';
import { WatchedChats } from './watchedChats.ts';

/** The number of chats that a notification names. */
const MAX_NAMES = 3;

export class Sidebar {
  readonly tree: SidebarTree;
  readonly watcher: Watcher;
  readonly watchedChats: WatchedChats;
  readonly rowCommands: RowCommands;
  readonly dragAndDrop: DragAndDrop;
  readonly #host: Host;
  readonly #view: SidebarView;
  readonly #archived: ArchivedRows;
  #notes: Notes | undefined;

  /** `changed` makes VS Code repaint nodes, or all of them. */
  constructor(
    host: Host & { readonly archived: ArchivedChats },
    sender: MessageSender,
    view: TreeView<ChatNode>,
    changed: EventEmitter<ChatNode[] | undefined>,
  ) {
    this.#host = host;
    this.#view = new SidebarView(view, changed);
    this.watcher = new Watcher(watchContext(host), {
      chatChanged: (chat) => this.#showUnread(chat),
      newMessages: (service, arrived) => showFailure(this.#notify(service, arrived)),
    });
    this.watchedChats = new WatchedChats(host, this.watcher);
    this.#archived = new ArchivedRows(host, (chat) => this.#repaint(chat));
    const chats = {
      watch: (chat: Chat) => this.watcher.state(chat),
      isArchived: (chat: Chat) => this.#archived.has(chat),
      never: (chat: Chat) => this.#never().get(chatKey(chat)),
    };
    this.tree = new SidebarTree(host, chats, this.#view);
    void this.#archived.update();
    this.rowCommands = new RowCommands(host, sender, this, view);
    this.dragAndDrop = createDragAndDrop({
      dropRows: (rows, target) => showFailure(this.rowCommands.drop(rows, target)),
      dropDocuments: (documents, target) => showFailure(this.rowCommands.dropDocuments(documents, target)),
    });
  }

  /** The lists in the settings have changed. */
  listsChanged(): void {
    this.tree.reload();
    this.watcher.wake();
    this.#updateBadge();
  }

  /** The *Do Not Send* list has changed. */
  neverChanged(): void {
    this.#notes = undefined;
    this.tree.reload();
  }

  /** The *Do Not Send* list, as far as it can be read. Many rows are painted at once. */
  #never(): Notes {
    this.#notes ??= this.#host.never.read().notes;
    return this.#notes;
  }

  /** The service has changed. */
  async restart(): Promise<void> {
    this.tree.reload({ forget: true });
    const restarting = Promise.all([this.watcher.restart(), this.#archived.update()]);
    // Its chats no longer count.
    this.#updateBadge();
    await restarting;
  }

  dispose(): void {
    this.#archived.dispose();
    this.tree.dispose();
    this.watcher.dispose();
    this.#view.dispose();
  }

  /** Shows new messages on their row and in the badge of the view. */
  #showUnread(chat: Chat): void {
    this.#repaint(chat);
    this.#updateBadge();
  }

  #repaint({ kind, id }: Chat): void {
    this.tree.repaint(this.tree.rowOf({ kind, id }));
  }

  #updateBadge(): void {
    this.#view.setUnread(this.watcher.total());
  }

  /** Loads new messages in open histories and, if the user wants that, shows a notification for the other chats. */
  async #notify(service: Service, arrived: readonly NewMessages[]): Promise<void> {
    await this.#host.chatEvents.arrived(
      service,
      arrived.map(({ chat }) => chat),
    );
    if (!this.#host.settings.notifiesOfMessages) return;
    const unseen = arrived.map(({ chat }) => chat).filter((chat) => this.watcher.state(chat)?.unread);
    const [first] = unseen;
    if (!first) return;
    const names = unseen.map(({ kind, id }) => {
      const row = this.tree.rowOf({ kind, id });
      return titleOf(row, service.directory.peek(kind, id), this.tree.sections.labelOf(row));
    });
    const open = l10n.t('Open History');
    const chosen = await showInfo(l10n.t('New messages in {0}', joinNames(firstTexts(names, MAX_NAMES))), open);
    const state = this.watcher.state(first);
    if (chosen && state)
      await this.#host.commands.run('openHistory', { kind: first.kind, id: first.id, botId: state.botId });
  }
}

/** Shows the failure of an action that no command waits for. */
function showFailure(action: Promise<void>): void {
  action.catch(showError);
}
