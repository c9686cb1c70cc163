/** One history: a chat as one bot reads it, from its first load until its panel is closed. */
import { env, window } from 'vscode';
import type { Directory } from '../../directory/directory.ts';
import type { Host } from '../../platform/host.ts';
import type { Mark } from '../../platform/store.ts';
import type { WebviewPage } from '../../platform/webviewPage.ts';
import { BotChatClient } from '../../presentation/botChatClient.ts';
import { UserFacingError } from '../../presentation/errorText.ts';
import { Calendar } from '../../presentation/formats.ts';
import { showError } from '../../presentation/showError.ts';
import { l10n } from '../../presentation/shown.ts';
import { type BotChat, hasSameMessages } from '../../protocol/botChat.ts';
import type { ToPage } from '../../protocol/history.ts';
import { isFailure } from '../../service/errors.ts';
import type { Listed } from '../../service/message.ts';
import type { MessageArchive } from '../contract.ts';
import { HistoryPage } from './historyPage.ts';
import { HistorySource, isOffline, OutageNote } from './historySource.ts';
import { canReload } from './itemViews.ts';
import { findTime, loadAll, type OnProgress, poll, retryFailedLoads, type TimeMatch } from './loads.ts';
import { PageSenders } from './pageSenders.ts';
import { creationTimeOf, headingOf, knownHeading, participantsOf } from './participants.ts';
import { Timeline } from './timeline.ts';
import { type Splice, timeOf } from './timelineItems.ts';

export type SessionHost = { readonly archive: MessageArchive } & Pick<
  Host,
  'access' | 'chatEvents' | 'connection' | 'lists' | 'mentionedIds' | 'settings' | 'store' | 'tokens'
>;

/** What shows a history. */
export interface HistoryView {
  readonly page: WebviewPage<ToPage>;
  /** The title of the panel at first. */
  readonly title: string;
  readonly closed: AbortSignal;
  isVisible(): boolean;
  /** Called when the names of the chat and its bot are looked up, or have changed. */
  onNamed(): void;
}

export interface OpenedMessage {
  readonly msgId?: string | undefined;
  /** The query that found the message, if a search leads here. */
  readonly found?: string | undefined;
}

export class HistorySession {
  readonly botChat: BotChat;
  readonly timeline: Timeline;
  readonly page: HistoryPage;
  readonly senders: PageSenders;
  /** The load of the message at which the history was opened. */
  readonly opened: Promise<void>;
  /** Whether the history was opened from the results of a search. */
  isResult: boolean;
  readonly #host: SessionHost;
  readonly #view: HistoryView;
  readonly #client: BotChatClient;
  readonly #outage: OutageNote;
  readonly #source: HistorySource;
  readonly #readMark: ReadMark;
  /** The load of the newest page, which starts while VS Code creates the panel. */
  readonly #firstLoad: Promise<void>;
  /** Whether the newest message is visible, as reported by the page. */
  #isAtNewest = false;
  /** The time zone of the page, once it's ready. */
  #timeZone: string | undefined;
  /** The message that a page was scrolled to before it was hidden or reloaded, until it's loaded again. */
  #reading: string | undefined;
  /** The directory whose changes of names are followed. */
  #followed: Directory | undefined;
  #name: string;
  #botName: string;

  constructor(botChat: BotChat, host: SessionHost, view: HistoryView, { msgId, found }: OpenedMessage = {}) {
    this.botChat = botChat;
    this.#host = host;
    this.#view = view;
    this.#name = view.title;
    this.#botName = botChat.botId;
    this.isResult = found !== undefined;
    this.#client = new BotChatClient(botChat, host);
    this.#readMark = new ReadMark(botChat, host);
    this.#outage = new OutageNote(botChat, host.archive, (text) => this.page.post({ type: 'note', text }));
    this.#source = new HistorySource(botChat, this.#client, host.archive, (error) => void this.#outage.update(error));
    this.timeline = new Timeline(
      (page) => this.#source.list(page, view.closed),
      (splice) => {
        if (splice) {
          this.page.change(splice);
          this.#addMentionedIds(splice);
        }
        this.page.postEdges();
        this.markRead();
      },
    );
    this.page = new HistoryPage(this.timeline, view.page, botChat.botId);
    const reader = { open: () => this.#client.service(), botChat, lists: host.lists };
    this.senders = new PageSenders(reader, (message) => this.page.post(message), view.closed);
    this.opened = msgId === undefined ? Promise.resolve() : this.goTo(msgId, found);
    // The message may come from the archive, while the service takes long.
    this.#firstLoad = this.opened.catch(() => {}).then(() => this.timeline.loadNewer());
    const isWanted = () => view.isVisible() && window.state.focused && canReload(this.timeline.newer);
    const pollNewer = () => this.timeline.loadNewer({ silent: true });
    void poll({ seconds: () => host.settings.refreshSeconds, isWanted, poll: pollNewer }, view.closed);
  }

  /** The name of the chat, or its ID until it is looked up. */
  get name(): string {
    return this.#name;
  }

  /** The name of the bot that reads the chat, or its ID until it is looked up. */
  get botName(): string {
    return this.#botName;
  }

  /** The days in the time zone of the page. */
  get calendar(): Calendar {
    return new Calendar(env.language, this.#timeZone);
  }

  /** When the oldest loaded message was sent (Unix ms), if known. */
  get oldestTime(): number | undefined {
    return timeOf(this.timeline.items.find((item) => timeOf(item) !== undefined));
  }

  /** When the first and the newest message of the chat were sent (Unix ms), as far as that's known. Makes no request. */
  async span(): Promise<Record<'first' | 'last', number | undefined>> {
    return { first: await this.#firstTime(), last: this.timeline.newest()?.sendTime };
  }

  async #firstTime(): Promise<number | undefined> {
    if (this.timeline.older.at === 'end') return this.oldestTime;
    const archived = await this.#host.archive.firstSince(this.botChat, 0).catch(() => undefined);
    return archived?.isFirst ? archived.sendTime : undefined;
  }

  /** When the chat was created (Unix ms), if it's a group and known. */
  createdAt(): Promise<number | undefined> {
    return creationTimeOf(() => this.#client.service(), this.botChat);
  }

  /** The loaded entry with this key. */
  entry(key: string): Listed | undefined {
    const item = this.timeline.items.find((one) => one.type === 'entry' && one.key === key);
    return item?.type === 'entry' ? item.entry : undefined;
  }

  /** Posts all items to an empty page, and goes on with what isn't loaded yet. */
  async fill(reading: string | undefined, timeZone: string | undefined): Promise<void> {
    this.#timeZone = timeZone;
    // The page reports this only after the items are posted.
    this.#isAtNewest = reading === undefined;
    const seen = this.#readMark.whenOpened;
    if (seen) this.page.post({ type: 'seen', msgId: seen.msgId, sendTime: seen.sendTime });
    this.#outage.repeat();
    this.senders.repeat();
    const filled = this.page.fill(reading).then(() => this.markRead());
    this.#reading = reading;
    Promise.all([this.#postHeading(), filled, this.#firstLoad])
      .then(() => this.#restore())
      .catch(showError);
    await filled;
  }

  /** Loads older messages, and goes on before a gap of the archive, which can't be closed while the service can't be reached. */
  async loadOlder(): Promise<void> {
    await this.timeline.loadOlder();
    const { older, items } = this.timeline;
    if (older.at !== 'failed' || !isOffline(older.error)) return;
    const [oldest] = items.flatMap((item) => (item.type === 'entry' && item.entry.readable ? item.key : []));
    if (oldest === undefined) return;
    const msgId = await this.#host.archive.beforeGap(this.botChat, oldest).catch(() => undefined);
    if (msgId !== undefined) await this.#source.preferArchive(() => this.timeline.goTo(msgId));
  }

  /** Loads new messages, and looks up or restores what failed before. */
  async loadNewer(): Promise<void> {
    await Promise.all([this.#postHeading(), this.timeline.loadNewer()]);
    await this.#restore();
  }

  /**
   * Loads the whole chat. Resolves to the number of messages, or to undefined if the signal is aborted or the panel is
   * closed. Rejects with the first failure, which also shows on the page.
   */
  loadAll(progress: OnProgress, signal: AbortSignal): Promise<number | undefined> {
    const either = AbortSignal.any([signal, this.#view.closed]);
    return this.#source.preferArchive(() => loadAll(this.timeline, progress, either));
  }

  /** Asks for the bot's token, and retries with it. */
  async setToken(): Promise<void> {
    if (!(await this.#host.access.setToken(await this.#client.service(), this.botChat.botId))) return;
    await retryFailedLoads(this.timeline);
    await this.#restore();
  }

  /**
   * Scrolls to a message, which a query may have `found`, and loads the messages around it if needed.
   * @throws UserFacingError if it isn't listed
   */
  async goTo(msgId: string, found?: string): Promise<void> {
    try {
      if (!(await this.#source.preferArchive(() => this.timeline.goTo(msgId)))) {
        throw new UserFacingError(l10n.t("Message {0} wasn't found in this chat.", msgId));
      }
    } catch (error) {
      if (this.#view.closed.aborted) return;
      throw error;
    }
    this.page.ask({ type: 'show', key: msgId, ...(found !== undefined && { found }) });
  }

  /**
   * Scrolls to the first message sent at a time (Unix ms) or later, and loads the messages until there, like `loadAll`,
   * unless the archive knows which one that is. Resolves to that message, if any.
   */
  async goToTime(time: number, progress: OnProgress, signal: AbortSignal): Promise<TimeMatch | 'none' | 'aborted'> {
    const either = AbortSignal.any([signal, this.#view.closed]);
    const match = (await this.#goToArchived(time)) ?? (await findTime(this.timeline, time, progress, either));
    if (typeof match === 'object') this.page.ask({ type: 'show', key: match.key, isAtTop: true });
    return match;
  }

  /** Loads the messages around the first one since a time (Unix ms), if the archive knows it. */
  async #goToArchived(time: number): Promise<TimeMatch | undefined> {
    const match = await this.#host.archive.firstSince(this.botChat, time).catch(() => undefined);
    if (!match || !(await this.#source.preferArchive(() => this.timeline.goTo(match.msgId)))) return undefined;
    return { ...match, key: match.msgId };
  }

  /** Loads the message to restore after a reload of the window, or tells the page that it no longer exists. */
  async #restore(): Promise<void> {
    const reading = this.#reading;
    if (reading === undefined || this.timeline.items.length === 0) return;
    try {
      if (!(await this.timeline.goTo(reading))) this.page.post({ type: 'lost' });
    } catch (error) {
      // A deleted message has code -1 (observed). After any other failure, the next load of new messages retries.
      if (!isFailure(error, 'rejected') || error.failure.code !== -1) return;
      this.page.post({ type: 'lost' });
    }
    this.#reading = undefined;
  }

  async #postHeading(): Promise<void> {
    this.#showHeading(await headingOf(() => this.#client.service(), this.botChat, this.#host.archive));
    const service = await this.#client.service().catch(() => undefined);
    if (service) this.#followNames(service.directory);
  }

  #showHeading(heading: ReturnType<typeof knownHeading>): void {
    if (this.#view.closed.aborted) return;
    this.#name = heading.name;
    this.#botName = heading.readAs;
    this.#view.onNamed();
    this.page.post({ type: 'heading', ...heading });
  }

  /** Shows what the chat and its bot are called from now on. */
  #followNames(directory: Directory): void {
    if (this.#view.closed.aborted || directory === this.#followed) return;
    this.#followed = directory;
    const stop = directory.onDidChange(() => {
      // The archive may have names that the directory doesn't know.
      const heading = knownHeading(this.botChat, directory, { name: this.#name, botName: this.#botName });
      if (heading.name !== this.#name || heading.readAs !== this.#botName) this.#showHeading(heading);
    });
    this.#view.closed.addEventListener('abort', stop, { once: true });
  }

  /** The page reports whether its newest message is visible. */
  setAtNewest(is: boolean): void {
    this.#isAtNewest = is;
    this.markRead();
  }

  /** Marks the chat as read while its newest message is visible. */
  markRead(): void {
    if (this.#view.closed.aborted || !this.#view.isVisible() || !this.#isAtNewest) return;
    const newest = this.timeline.newest();
    if (newest) this.#readMark.move(newest, this.#outage.isOutage);
  }

  #addMentionedIds({ inserted }: Splice): void {
    const participants = participantsOf(this.botChat, inserted);
    // The mark moves only while the chat's service is connected: another service has other IDs.
    this.#client.service().then(
      () => this.#host.mentionedIds.add(participants),
      () => {},
    );
  }
}

/** How far the user has read a chat. */
export class ReadMark {
  /** The mark when the panel was opened: that of the watch, if the chat wasn't read in a history yet. */
  readonly whenOpened: Mark | undefined;
  readonly #botChat: BotChat;
  readonly #host: Pick<Host, 'chatEvents' | 'store'>;
  /** The ID of the last message that {@link move} got. */
  #newest: string | undefined;

  constructor(botChat: BotChat, host: Pick<Host, 'chatEvents' | 'store'>) {
    this.#botChat = botChat;
    this.#host = host;
    this.whenOpened = this.#saved() ?? host.store.get('watched').find((one) => hasSameMessages(one, botChat))?.seen;
  }

  /**
   * Moves the mark to a message that is on the screen: the newest one, or during an outage the newest in the archive, which
   * may be behind what was read before. While that is the same message, another window may have moved the mark further.
   */
  move(newest: Mark, isOutage: boolean): void {
    const saved = this.#saved();
    if (isOutage && saved && saved.sendTime > newest.sendTime) return;
    const isNews = newest.msgId !== this.#newest || !saved || saved.sendTime < newest.sendTime;
    this.#newest = newest.msgId;
    if (newest.msgId !== '' && saved?.msgId !== newest.msgId && isNews)
      void this.#host.store.remember('readMarks', this.#botChat, newest);
    this.#host.chatEvents.read(this.#botChat, newest);
  }

  #saved(): Mark | undefined {
    return this.#host.store.find('readMarks', this.#botChat);
  }
}
