/** The sidebar's controller: its tree, the watched chats and the commands on rows. Loaded on first use. */
import { type EventEmitter, l10n, type TreeView, window } from 'vscode';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import { showInfo, withoutLinks } from '../presentation/dialogs.ts';
import { showError } from '../presentation/errorText.ts';
import type { Chat } from '../service/model.ts';
import { SidebarTree } from './sidebarTree.ts';
import { type Dragging, draggingOf } from './dragAndDrop.ts';
import type { ChatNode } from './nodes.ts';
import { type MessageSender, RowCommands } from './rowCommands.ts';
import { titleOf } from './treeItems.ts';
import { Watcher } from './watch/watcher.ts';

/** How many chats a notification names. */
const NAMES = 3;

export class Sidebar {
  readonly tree: SidebarTree;
  readonly watcher: Watcher;
  readonly rowCommands: RowCommands;
  readonly dragging: Dragging;
  readonly #host: Host;
  readonly #view: TreeView<ChatNode>;
  #idle = () => {};

  /** `changed` makes VS Code paint nodes again, or all of them. */
  constructor(
    host: Host,
    sender: MessageSender,
    view: TreeView<ChatNode>,
    changed: EventEmitter<ChatNode[] | undefined>,
  ) {
    this.#host = host;
    this.#view = view;
    this.watcher = new Watcher(host, {
      changed: (chat) => this.#showNews(chat),
      news: (service, arrived) => showFailure(this.#announce(service, arrived)),
    });
    this.tree = new SidebarTree(host, (chat) => this.watcher.state(chat), {
      paint: (nodes) => changed.fire(nodes),
      name: (what) => {
        view.title = what ?? l10n.t('Chats');
      },
      say: (text) => {
        view.message = withoutLinks(text ?? '');
      },
      busy: (isBusy) => this.#showBusy(isBusy),
    });
    this.rowCommands = new RowCommands(host, sender, this, view);
    this.dragging = draggingOf({
      rows: (rows, target) => showFailure(this.rowCommands.drop(rows, target)),
      documents: (documents, target) => showFailure(this.rowCommands.dropDocuments(documents, target)),
    });
  }

  /** The lists in the settings have changed. */
  listsChanged(): void {
    this.tree.reload();
    this.watcher.wake();
    this.#showTotal();
  }

  /** Another service is used. */
  async restart(): Promise<void> {
    this.tree.reload({ forget: true });
    const restarting = this.watcher.restart();
    // Nothing is told any more of the chats of the service before.
    this.#showTotal();
    await restarting;
  }

  dispose(): void {
    this.tree.dispose();
    this.watcher.dispose();
    this.#idle();
  }

  #showBusy(isBusy: boolean): void {
    this.#idle();
    if (!isBusy) return;
    // biome-ignore lint/plugin: it shows no words.
    void window.withProgress(
      { location: { viewId: 'botChats.chats' } },
      () =>
        new Promise<void>((resolve) => {
          this.#idle = resolve;
        }),
    );
  }

  /** New messages show on their row and, all together, as the badge of the view. */
  #showNews({ type, id }: Chat): void {
    this.tree.repaint(this.tree.rowOf({ kind: type, id }));
    this.#showTotal();
  }

  #showTotal(): void {
    const { unread, more } = this.watcher.total();
    const many = more ? l10n.t('{0}+ new messages', unread) : l10n.t('{0} new messages', unread);
    const tooltip = unread === 1 && !more ? l10n.t('1 new message') : many;
    this.#view.badge = unread > 0 ? { value: unread, tooltip } : undefined;
  }

  /** Open histories show what is new; a notification tells of what is not on the screen then, if the person wants that. */
  async #announce(service: Service, arrived: readonly { chat: Chat }[]): Promise<void> {
    await this.#host.chatEvents.arrived(
      service,
      arrived.map(({ chat }) => chat),
    );
    if (!this.#host.settings.notifiesOfMessages) return;
    const unseen = arrived.map(({ chat }) => chat).filter((chat) => this.watcher.state(chat)?.unread);
    const [first] = unseen;
    if (!first) return;
    const names = unseen.map(({ type, id }) => {
      const row = this.tree.rowOf({ kind: type, id });
      return titleOf(row, service.directory.peek(type, id), this.tree.listing.labelOf(row));
    });
    const open = l10n.t('Open History');
    const chosen = await showInfo(l10n.t('New messages in {0}', shortList(names)), open);
    const state = this.watcher.state(first);
    if (chosen && state)
      await this.#host.commands.run('openHistory', { kind: first.type, id: first.id, botId: state.botId });
  }
}

function shortList(names: readonly string[]): string {
  const more = names.length - NAMES;
  return [...names.slice(0, NAMES), ...(more > 0 ? [l10n.t('… and {0} more', more)] : [])].join(', ');
}

/** Shows the failure of what no command waits for. */
function showFailure(action: Promise<void>): void {
  action.catch(showError);
}
