/** The sidebar's controller: its tree, the watched chats and the commands on rows. Loaded on first use. */

import type { Disposable, EventEmitter } from 'vscode';
import type { ArchivedChats } from '../chats/contract.ts';
import type { MessageSender } from '../deliveries/contract.ts';
import { onDidChangeSettings } from '../platform/configuration.ts';
import type { ShownView } from '../platform/defer.ts';
import type { Host } from '../platform/host.ts';
import type { Notes } from '../platform/neverList.ts';
import type { Service } from '../platform/service.ts';
import type { Mark } from '../platform/store.ts';
import { nameOrId } from '../presentation/describe.ts';
import { showInfo } from '../presentation/dialogs.ts';
import { firstTexts, joinNames } from '../presentation/formats.ts';
import { showError } from '../presentation/showError.ts';
import { l10n } from '../presentation/shown.ts';
import type { BotChat } from '../protocol/botChat.ts';
import { type Chat, chatKey } from '../service/model.ts';
import { Activity, type ShownItem } from './activity/activity.ts';
import { alertText } from './activity/activityTexts.ts';
import { ActivityView } from './activity/activityView.ts';
import { ArchivedRows } from './archivedRows.ts';
import type { ActivityReader } from './contract.ts';
import type { ChatNode } from './nodes.ts';
import { createDragAndDrop, type DragAndDrop, RowCommands } from './rowCommands.ts';
import { SidebarTree } from './sidebarTree.ts';
import { SidebarView } from './sidebarView.ts';
import type { ChatWatch } from './watch/chatWatch.ts';
import { type NewMessages, watchContext } from './watch/watchContext.ts';
import { Watcher } from './watch/watcher.ts';
import { WatchedChats } from './watchedChats.ts';

/** The number of chats that a notification names. */
const MAX_NAMES = 3;

export class Sidebar {
  readonly tree: SidebarTree;
  readonly watcher: Watcher;
  readonly watchedChats: WatchedChats;
  readonly rowCommands: RowCommands;
  readonly dragAndDrop: DragAndDrop;
  readonly activity: Activity;
  readonly activityView: ActivityView;
  readonly #host: Host;
  readonly #view: SidebarView;
  readonly #archived: ArchivedRows;
  readonly #listeners: readonly Disposable[];
  #notes: Notes | undefined;
  /** The newest known message of each watched chat, by which rows may be sorted. */
  readonly #newest = new Map<string, string>();
  /** The activity that is being found in what was polled last. */
  #adding = Promise.resolve();
  /** Chats whose state has changed, until the next microtask shows them. */
  #changed: Chat[] = [];
  #isDisposed = false;

  /** `changed` makes VS Code repaint nodes, or all of them; the event of `activity` repaints its list. */
  constructor(
    host: Host & { readonly archived: ArchivedChats },
    sender: MessageSender,
    view: ShownView<ChatNode>,
    changed: EventEmitter<ChatNode[] | undefined>,
    activity: { view: ShownView<ShownItem>; changed: EventEmitter<undefined> },
  ) {
    this.#host = host;
    this.#view = new SidebarView(view, changed);
    this.watcher = new Watcher(watchContext(host), {
      chatChanged: (chat) => this.#showUnread(chat),
      polled: (watches) => this.#polled(watches),
      newMessages: (service, arrived) => void this.#announce(service, arrived).catch(showError),
    });
    this.watchedChats = new WatchedChats(host, this.watcher);
    this.activity = new Activity({
      store: host.store,
      watcher: this.watcher,
      words: () => host.settings.watchedWords,
      changed: (chats) => this.#showActivity(chats),
    });
    this.activityView = new ActivityView(host, this.activity, this.watcher, activity.view, activity.changed);
    this.#archived = new ArchivedRows(host, (chat) => this.#repaint(chat));
    const chats = {
      watch: (chat: Chat) => this.watcher.state(chat),
      isArchived: (chat: Chat) => this.#archived.has(chat),
      never: (chat: Chat) => this.#never().get(chatKey(chat)),
      match: (chat: Chat) => this.activity.matchOf(chat),
      lastTimes: (service: Pick<Service, 'address'>) => this.#lastTimes(service),
    };
    this.tree = new SidebarTree(host, chats, this.#view);
    this.rowCommands = new RowCommands(host, sender, this, view);
    this.dragAndDrop = createDragAndDrop(this.rowCommands);
    this.#listeners = [
      host.connection.onDidChange(() => this.restart().catch(showError)),
      onDidChangeSettings(['groups', 'bots', 'people'], () => this.listsChanged()),
      onDidChangeSettings(['sending.never'], () => this.neverChanged()),
      onDidChangeSettings(['watching.words'], () => this.activity.refresh()),
      host.tokens.onDidChange(() => this.watcher.wake({ retry: true })),
    ];
  }

  /** The lists in the settings have changed. */
  listsChanged(): void {
    this.tree.reload();
    this.watcher.wake();
    this.#updateBadge();
    this.activity.refresh();
  }

  /** The *Do Not Send* list has changed. */
  neverChanged(): void {
    this.#notes = undefined;
    this.tree.reload();
  }

  /** The *Do Not Send* list, as far as it can be read. It's read once after a change, because many rows are painted at once. */
  #never(): Notes {
    this.#notes ??= this.#host.never.read().notes;
    return this.#notes;
  }

  /** The service has changed. */
  async restart(): Promise<void> {
    this.tree.reload({ forget: true });
    const restarting = Promise.all([this.watcher.restart(), this.#archived.update()]);
    // The chats of the former service no longer count.
    this.#updateBadge();
    await restarting;
    this.activity.refresh();
  }

  /** The user has read a chat in a history. */
  async markSeen(chat: BotChat, newest: Mark): Promise<void> {
    await this.watcher.markSeen([[chat, newest]]);
    if (this.tree.sections.order === 'recent') this.#repaint(chat);
  }

  /** Marks all messages of watched chats as read, and says so if there are none. */
  async markActivityRead(): Promise<void> {
    const service = await this.#host.access.openService();
    if (!service) return;
    // Nothing is known of the watched chats before the service is opened.
    await this.watcher.watched(service);
    if (!(await this.activity.markAllRead())) void showInfo(l10n.t('No new messages in the chats you watch.'));
  }

  /** The activity for other features. */
  async listActivity(): ReturnType<ActivityReader['list']> {
    const watched = await this.watcher.watched(await this.#host.connection.open());
    this.activity.refresh();
    return { items: this.activity.items, watched: watched.map(({ chat, state: { error } }) => ({ ...chat, error })) };
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const listener of this.#listeners) listener.dispose();
    this.activityView.dispose();
    this.#archived.dispose();
    this.tree.dispose();
    this.watcher.dispose();
    this.#view.dispose();
  }

  /** Shows new messages on their row, in the badge of the view and in the activity. */
  #showUnread(chat: Chat): void {
    this.#repaint(chat);
    // Very many chats may change at once, and each update reads the whole list of the sidebar.
    if (this.#changed.push(chat) === 1) queueMicrotask(() => this.#showChanged());
  }

  #showChanged(): void {
    const changed = this.#changed;
    this.#changed = [];
    if (this.#isDisposed) return;
    this.#updateBadge();
    void this.#logFailure(this.activity.chatsChanged(changed));
  }

  /** Shows the activity, and on the rows of these chats why they need the user. */
  #showActivity(chats: readonly Chat[]): void {
    for (const chat of chats) this.#repaint(chat);
    this.activityView.repaint();
  }

  /** Logs why saving failed: the next change saves it again. */
  #logFailure(saving: Promise<void>): Promise<void> {
    return saving.catch((error) => this.#host.log.warn(`the activity can't be saved: ${error}`));
  }

  #polled(watches: readonly ChatWatch[]): void {
    this.#adding = this.#logFailure(this.activity.add(watches));
    for (const { chat, newest } of watches) {
      const isNewer = this.#newest.get(chatKey(chat)) !== newest?.msgId;
      if (newest) this.#newest.set(chatKey(chat), newest.msgId);
      if (isNewer && this.tree.sections.order === 'recent') this.#repaint(chat);
    }
  }

  #repaint({ kind, id }: Chat): void {
    this.tree.repaint(this.tree.rowOf({ kind, id }));
  }

  #updateBadge(): void {
    this.#view.setUnread(this.watcher.total());
  }

  /** Loads new messages in open histories, and announces those that aren't visible there, if the user wants that. */
  async #announce(service: Service, arrived: readonly NewMessages[]): Promise<void> {
    const { chatEvents, settings } = this.#host;
    const adding = this.#adding;
    await chatEvents.arrived(
      service,
      arrived.map(({ chat }) => chat),
    );
    await adding;
    const matches = settings.notifiesOfMatches ? this.activity.unseenMatches(arrived) : [];
    const matched = new Set(matches.map(chatKey));
    const unseen = arrived.filter(({ chat }) => this.watcher.state(chat)?.unread && !matched.has(chatKey(chat)));
    await Promise.all([
      this.#announceMatches(service, matches),
      settings.notifiesOfMessages && this.#announceMessages(service, unseen),
    ]);
  }

  /** Names the chats with messages that need the user, and why they do. The newest can be opened. */
  async #announceMatches(service: Service, matches: readonly ShownItem[]): Promise<void> {
    const [newest] = matches;
    if (!newest) return;
    const open = l10n.t('Open');
    const text = alertText(matches, ({ kind, id }) => nameOrId(service.directory, kind, id), MAX_NAMES);
    if ((await showInfo(text, open)) === open) await this.activityView.open(newest);
  }

  async #announceMessages(service: Service, unseen: readonly NewMessages[]): Promise<void> {
    const [first] = unseen;
    if (!first) return;
    const names = unseen.map(({ chat }) => nameOrId(service.directory, chat.kind, chat.id));
    const open = l10n.t('Open History');
    const chosen = await showInfo(l10n.t('New messages in {0}', joinNames(firstTexts(names, MAX_NAMES))), open);
    const { kind, id } = first.chat;
    const state = this.watcher.state(first.chat);
    if (chosen && state) await this.#host.commands.run('openHistory', { kind, id, botId: state.botId });
  }

  /** When the last known message of each chat was sent: in watched chats, and in histories when they were read. */
  #lastTimes({ address }: Pick<Service, 'address'>): (chat: Chat) => number | undefined {
    const marks = this.#host.store.get('readMarks').filter(({ service }) => service === address);
    const watched = this.watcher.watches.flatMap(({ chat, newest }) => (newest ? { ...chat, ...newest } : []));
    const times = new Map<string, number>();
    for (const mark of [...marks, ...watched])
      times.set(chatKey(mark), Math.max(mark.sendTime, times.get(chatKey(mark)) ?? 0));
    return (chat) => times.get(chatKey(chat));
  }
}
