/** The sidebar at work: its tree, what is watched, and what a person does with rows. Loaded when it is first needed. */
import { type EventEmitter, l10n, type TreeView, window } from 'vscode';
import type { Service } from '../platform/service.ts';
import { notifiesOfNews } from '../platform/settings.ts';
import { showInfo, withoutLinks } from '../presentation/dialogs.ts';
import { showError } from '../presentation/showError.ts';
import type { Chat } from '../service/model.ts';
import { SidebarTree } from './chatsTree.ts';
import { type Dragging, draggingOf } from './dragAndDrop.ts';
import type { ChatsNeeds } from './index.ts';
import type { ChatNode } from './nodes.ts';
import { RowCommands } from './rowCommands.ts';
import { titleOf } from './treeItems.ts';
import { Watcher } from './watch/watcher.ts';

/** How many chats a notification names. */
const NAMES = 3;

export interface SidebarNeeds extends ChatsNeeds {
  readonly view: TreeView<ChatNode>;
  /** Asks VS Code to paint nodes again, or all of them. */
  readonly changed: EventEmitter<ChatNode[] | undefined>;
  /** Where the watched chats of a service are remembered. */
  watchedKey(address: string): string;
}

export class Sidebar {
  readonly tree: SidebarTree;
  readonly watcher: Watcher;
  readonly actions: RowCommands;
  readonly dragging: Dragging;
  readonly #needs: SidebarNeeds;
  #idle = () => {};

  constructor(needs: SidebarNeeds) {
    const { view } = needs;
    this.#needs = needs;
    this.watcher = new Watcher({
      ...needs,
      changed: (chat) => this.#showNews(chat),
      news: (service, arrived) => tell(this.#tellNews(service, arrived)),
    });
    this.tree = new SidebarTree(
      { ...needs, watch: (chat) => this.watcher.state(chat) },
      {
        paint: (nodes) => needs.changed.fire(nodes),
        name: (what) => {
          view.title = what ?? l10n.t('Chats');
        },
        say: (text) => {
          view.message = withoutLinks(text ?? '');
        },
        busy: (isBusy) => this.#showBusy(isBusy),
      },
    );
    this.actions = new RowCommands({ ...needs, tree: this.tree, watcher: this.watcher });
    this.dragging = draggingOf({
      rows: (rows, target) => tell(this.actions.drop(rows, target)),
      documents: (documents, target) => tell(this.actions.dropDocuments(documents, target)),
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
    this.#needs.view.badge = unread > 0 ? { value: unread, tooltip } : undefined;
  }

  /** Open histories show what is new; a notification tells of what is not on the screen then, if the person wants that. */
  async #tellNews(service: Service, arrived: readonly { chat: Chat }[]): Promise<void> {
    await this.#needs.loadNewer(
      service,
      arrived.map(({ chat }) => chat),
    );
    if (!notifiesOfNews()) return;
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
    if (chosen && state) await this.#needs.openHistory(first, state.botId);
  }
}

function shortList(names: readonly string[]): string {
  const more = names.length - NAMES;
  return [...names.slice(0, NAMES), ...(more > 0 ? [l10n.t('… and {0} more', more)] : [])].join(', ');
}

/** What no command waits for fails where the person sees it, too. */
function tell(doing: Promise<void>): void {
  doing.catch(showError);
}
