/** One history panel: a chat as one bot reads it. */
import { env, type WebviewPanel, window } from 'vscode';
import type { Directory } from '../../directory/directory.ts';
import { mediaOf } from '../../markup/messageContent.ts';
import type { Host } from '../../platform/host.ts';
import { type Handlers, openPage, type WebviewPage } from '../../platform/webviewPage.ts';
import { BotChatClient } from '../../presentation/botChatClient.ts';
import { Calendar } from '../../presentation/formats.ts';
import { showError } from '../../presentation/showError.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import { FromPage, type ToPage } from '../../protocol/history.ts';
import { systemClock } from '../../service/clock.ts';
import type { Listed } from '../../service/message.ts';
import { includesChat } from '../../service/model.ts';
import type { MessageArchive } from '../contract.ts';
import { HistoryPage } from './historyPage.ts';
import { HistorySource } from './historySource.ts';
import { canReload } from './itemViews.ts';
import { loadAll, type OnProgress, poll, retryFailedLoads } from './loads.ts';
import { Navigation } from './navigation.ts';
import { openImage } from './openImage.ts';
import { OutageNote } from './outageNote.ts';
import { PageSenders } from './pageSenders.ts';
import { creationTimeOf, headingOf, knownHeading, participantsOf } from './participants.ts';
import { ReadMark } from './readMark.ts';
import { Timeline } from './timeline.ts';
import { type Splice, timeOf } from './timelineItems.ts';
import type { TimeMatch } from './timeSearch.ts';

export type PanelHost = { readonly archive: MessageArchive } & Pick<
  Host,
  | 'access'
  | 'chatEvents'
  | 'commands'
  | 'connection'
  | 'extensionUri'
  | 'lists'
  | 'log'
  | 'mentionedIds'
  | 'settings'
  | 'storageUri'
  | 'store'
  | 'tokens'
  | 'workspaceMemento'
>;

export interface OpenedMessage {
  readonly msgId?: string | undefined;
  /** The query that found it, in a search that leads here. */
  readonly found?: string | undefined;
}

export class HistoryPanel {
  readonly botChat: BotChat;
  readonly #panel: WebviewPanel;
  readonly #host: PanelHost;
  readonly #client: BotChatClient;
  readonly #abort = new AbortController();
  readonly #outage: OutageNote;
  readonly #source: HistorySource;
  readonly #timeline: Timeline;
  readonly #webview: WebviewPage<ToPage>;
  readonly #page: HistoryPage;
  readonly #navigation: Navigation;
  readonly #senders: PageSenders;
  readonly #readMark: ReadMark;
  /** Whether the newest message is visible, as reported by the page. */
  #isAtNewest = false;
  /** The time zone of the page, once it's ready. */
  #timeZone: string | undefined;
  /** The load of that message. */
  readonly opened: Promise<void>;
  /** The load of the newest page, which starts while VS Code creates the panel. */
  readonly #firstLoad: Promise<void>;
  readonly #onNamed: () => void;
  /** Whether it was opened from the results of a search. */
  isResult: boolean;
  /** Whose changes of names are followed. */
  #followed: Directory | undefined;
  #name: string;
  #botName: string;

  /** `onNamed` is called when the names of the chat and its bot are looked up. `opensAt` is a message, and the query that found it. */
  constructor(
    panel: WebviewPanel,
    botChat: BotChat,
    host: PanelHost,
    onNamed: () => void,
    opensAt: OpenedMessage = {},
  ) {
    this.botChat = botChat;
    this.#panel = panel;
    this.#host = host;
    this.#onNamed = onNamed;
    this.#name = panel.title;
    this.#botName = botChat.botId;
    this.#client = new BotChatClient(botChat, host);
    this.#readMark = new ReadMark(botChat, host);
    this.#outage = new OutageNote(botChat, host.archive, (text) => this.#page.post({ type: 'note', text }));
    this.#source = new HistorySource(botChat, this.#client, host.archive, (error) => void this.#outage.update(error));
    this.#timeline = new Timeline(
      (page) => this.#source.list(page, this.#abort.signal),
      (splice) => {
        if (splice) {
          this.#page.change(splice);
          this.#addMentionedIds(splice);
        }
        this.#page.postEdges();
        this.#markRead();
      },
    );
    this.#webview = openPage(panel, host, {
      page: 'history',
      schema: FromPage,
      contents: () => ({
        data: { place: botChat, opensAt: opensAt.msgId ?? null },
        allowsImages: includesChat(host.settings.imagesIn ?? [], botChat),
      }),
      fill: ({ reading, timeZone }) => this.#fill(reading, timeZone),
      handlers: this.#handlers,
      fail: showError,
      emptied: () => this.#page.reset(),
      closed: () => this.#abort.abort(),
    });
    this.#page = new HistoryPage(this.#timeline, this.#webview, botChat.botId);
    const parts = { archive: host.archive, source: this.#source, timeline: this.#timeline, page: this.#page };
    this.#navigation = new Navigation({ botChat, ...parts, closed: this.#abort.signal });
    const reader = { client: this.#client, botChat, lists: host.lists };
    this.#senders = new PageSenders(reader, (message) => this.#page.post(message), this.#abort.signal);
    panel.onDidChangeViewState(() => this.#markRead());
    const { msgId, found } = opensAt;
    this.isResult = found !== undefined;
    this.opened = msgId === undefined ? Promise.resolve() : this.goTo(msgId, found);
    // The message may come from the archive, while the service takes long.
    this.#firstLoad = this.opened.catch(() => {}).then(() => this.#timeline.loadNewer());
    const isWanted = () => panel.visible && window.state.focused && canReload(this.#timeline.newer);
    const pollNewer = () => this.#timeline.loadNewer({ silent: true });
    void poll({ seconds: () => host.settings.refreshSeconds, isWanted, poll: pollNewer }, this.#abort.signal);
  }

  /** Whether the panel has the focus. */
  get isActive(): boolean {
    return this.#panel.active;
  }

  get #isClosed(): boolean {
    return this.#abort.signal.aborted;
  }

  /** The name of the chat, or its ID until it is looked up. */
  get name(): string {
    return this.#name;
  }

  /** The name of the bot that reads the chat, or its ID until it is looked up. */
  get botName(): string {
    return this.#botName;
  }

  /** Sets the title of the tab. */
  setTitle(title: string): void {
    this.#panel.title = title;
  }

  /** The days that its page shows. */
  get calendar(): Calendar {
    return new Calendar(env.language, this.#timeZone);
  }

  /** When the oldest loaded message was sent (Unix ms), if known. */
  get oldestTime(): number | undefined {
    return timeOf(this.#timeline.items.find((item) => timeOf(item) !== undefined));
  }

  /** When its first and its newest message were sent (Unix ms), as far as that's known. Makes no request. */
  async span(): Promise<Record<'first' | 'last', number | undefined>> {
    return { first: await this.#firstTime(), last: this.#timeline.newest()?.sendTime };
  }

  async #firstTime(): Promise<number | undefined> {
    if (this.#timeline.older.at === 'end') return this.oldestTime;
    const archived = await this.#host.archive.firstSince(this.botChat, 0).catch(() => undefined);
    return archived?.isFirst ? archived.sendTime : undefined;
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Reloads the page with the current settings. */
  reload(): void {
    this.#webview.reload();
  }

  /** Loads new messages. */
  loadNewer(): Promise<void> {
    return this.#timeline.loadNewer();
  }

  /** Opens the find bar. */
  find(): void {
    this.#page.ask({ type: 'find' });
  }

  /** Whether the chat is archived decides what its page offers. */
  setArchived(is: boolean): void {
    this.#page.setArchived(is);
  }

  /** See {@link Navigation.goTo}. */
  goTo(msgId: string, found?: string): Promise<void> {
    return this.#navigation.goTo(msgId, found);
  }

  /** See {@link Navigation.goToTime}. */
  goToTime(time: number, progress: OnProgress, signal: AbortSignal): Promise<TimeMatch | 'none' | 'aborted'> {
    return this.#navigation.goToTime(time, progress, signal);
  }

  /** When the chat was created (Unix ms), if it's a group and known. */
  createdAt(): Promise<number | undefined> {
    return creationTimeOf(() => this.#client.service(), this.botChat);
  }

  /**
   * Loads the whole chat. Resolves to the number of messages, or to undefined if the signal is aborted or the panel is
   * closed. Rejects with the first failure, which also shows on the page.
   */
  loadAll(progress: OnProgress, signal: AbortSignal): Promise<number | undefined> {
    const either = AbortSignal.any([signal, this.#abort.signal]);
    return this.#source.preferArchive(() => loadAll(this.#timeline, progress, either));
  }

  /** The loaded entry with this key. */
  entry(key: string): Listed | undefined {
    const item = this.#timeline.items.find((one) => one.type === 'entry' && one.key === key);
    return item?.type === 'entry' ? item.entry : undefined;
  }

  readonly #handlers: Handlers<FromPage> = {
    older: async () => {
      await this.#timeline.loadOlder();
      return this.#navigation.crossGap();
    },
    newer: async () => {
      await Promise.all([this.#postHeading(), this.#timeline.loadNewer()]);
      return this.#navigation.restore();
    },
    gap: ({ id, from }) => this.#timeline.loadGap(id, from),
    goTo: ({ msgId }) => this.goTo(msgId),
    setToken: async () => {
      if (!(await this.#host.access.setToken(await this.#client.service(), this.botChat.botId))) return;
      await retryFailedLoads(this.#timeline);
      await this.#navigation.restore();
    },
    changeAddress: () => this.#host.commands.run('connect'),
    goToDate: ({ from }) => this.#host.commands.run('goToDate', from),
    loadHistory: ({ type }) => this.#host.commands.run(type),
    archiveHere: ({ type }) => this.#host.commands.run(type),
    searchArchive: ({ text }) => this.#host.commands.run('searchArchivedChat', this.botChat, { text }),
    atNewest: ({ is }) => {
      this.#isAtNewest = is;
      this.#markRead();
    },
    profile: (sender) => this.#senders.showProfile(sender),
    act: ({ action, kind, id }) => this.#host.commands.run(action, { kind, id, botId: this.botChat.botId }),
    avatars: ({ senders }) => this.#senders.showAvatars(senders),
    openImage: async ({ key }) => {
      const entry = this.entry(key);
      const media = entry?.readable ? mediaOf(entry.message, systemClock.wall()) : undefined;
      if (media) await openImage(media, { storage: this.#host.storageUri, signal: this.#abort.signal });
    },
  };

  /** Posts all items, and goes on with what isn't loaded yet. */
  async #fill(reading: string | undefined, timeZone: string | undefined): Promise<void> {
    this.#timeZone = timeZone;
    // The page reports this only after the items are posted.
    this.#isAtNewest = reading === undefined;
    const seen = this.#readMark.whenOpened;
    if (seen) this.#page.post({ type: 'seen', msgId: seen.msgId, sendTime: seen.sendTime });
    this.#outage.repeat();
    this.#senders.repeat();
    const filled = this.#page.fill(reading).then(() => this.#markRead());
    this.#navigation.restoring = reading;
    Promise.all([this.#postHeading(), filled, this.#firstLoad])
      .then(() => this.#navigation.restore())
      .catch(showError);
    await filled;
  }

  async #postHeading(): Promise<void> {
    this.#showHeading(await headingOf(() => this.#client.service(), this.botChat, this.#host.archive));
    const service = await this.#client.service().catch(() => undefined);
    if (service) this.#followNames(service.directory);
  }

  #showHeading(heading: ReturnType<typeof knownHeading>): void {
    if (this.#isClosed) return;
    this.#name = heading.name;
    this.#botName = heading.readAs;
    this.#onNamed();
    this.#page.post({ type: 'heading', ...heading });
  }

  /** Shows what the chat and its bot are called from now on. */
  #followNames(directory: Directory): void {
    if (this.#isClosed || directory === this.#followed) return;
    this.#followed = directory;
    const stop = directory.onDidChange(() => {
      // What the directory doesn't know may have a name from the archive.
      const heading = knownHeading(this.botChat, directory, { name: this.#name, botName: this.#botName });
      if (heading.name !== this.#name || heading.readAs !== this.#botName) this.#showHeading(heading);
    });
    this.#abort.signal.addEventListener('abort', stop, { once: true });
  }

  #markRead(): void {
    if (this.#isClosed || !this.#panel.visible || !this.#isAtNewest) return;
    const newest = this.#timeline.newest();
    if (newest) this.#readMark.move(newest, this.#outage.isOutage);
  }

  #addMentionedIds({ inserted }: Splice): void {
    const participants = participantsOf(this.botChat, inserted);
    // Only while the chat's service is connected: another service has other IDs.
    this.#client.service().then(
      () => this.#host.mentionedIds.add(participants),
      () => {},
    );
  }
}
