/** One history panel: a chat as one bot reads it. */
import * as v from 'valibot';
import { commands, env, l10n, type WebviewPanel, window } from 'vscode';
import type { Host } from '../platform/host.ts';
import type { Service } from '../platform/service.ts';
import type { Mark } from '../platform/store.ts';
import { loadPage, preparePanel } from '../platform/webviewPage.ts';
import { serviceName } from '../presentation/describe.ts';
import { showError, UserFacingError } from '../presentation/errorText.ts';
import { type BotChat, FromPage, type ToPage } from '../protocol/history.ts';
import type { Page } from '../service/client.ts';
import { isFailure } from '../service/errors.ts';
import type { Listed } from '../service/message.ts';
import type { Reference } from '../service/model.ts';
import { canReload, edgeView, itemView, NoTokenError } from './itemViews.ts';
import { loadAll, retryFailedLoads } from './loads.ts';
import { PageFeed } from './pageFeed.ts';
import { headingOf, profileOf } from './participants.ts';
import { poll } from './polling.ts';
import { PostQueue, portionsOf } from './postQueue.ts';
import { type Splice, Timeline } from './timeline.ts';

export type PanelHost = Pick<
  Host,
  'access' | 'chatEvents' | 'connection' | 'extensionUri' | 'log' | 'mentionedIds' | 'settings' | 'store' | 'tokens'
>;

export class HistoryPanel {
  readonly botChat: BotChat;
  readonly #panel: WebviewPanel;
  readonly #host: PanelHost;
  readonly #abort = new AbortController();
  readonly #timeline: Timeline;
  readonly #posts: PostQueue;
  /** Up to where the chat had been read when the panel was opened. */
  readonly #readBefore: Mark | undefined;
  #feed: PageFeed | undefined;
  /** What was read before, until it is loaded. */
  #restoring: string | undefined;
  /** What the page says, once it is there. */
  #isAtNewest = false;
  /** The newest page, asked for while VS Code makes the panel. */
  readonly #firstLoad: Promise<void>;

  constructor(panel: WebviewPanel, place: BotChat, host: PanelHost) {
    this.botChat = place;
    this.#panel = panel;
    this.#host = host;
    this.#readBefore = this.#readMark();
    this.#timeline = new Timeline(
      (page) => this.list(page, this.#abort.signal),
      ({ splice }) => {
        if (splice) {
          this.#feed?.change(splice);
          this.#addMentionedIds(splice);
        }
        this.#postEdges();
        this.#markRead();
      },
    );
    this.#posts = new PostQueue((message) => (this.#isClosed ? Promise.resolve() : panel.webview.postMessage(message)));
    preparePanel(panel, host.extensionUri);
    panel.onDidDispose(() => this.#abort.abort());
    panel.onDidChangeViewState(() => {
      if (!panel.visible) this.#forgetPage();
      this.#markRead();
    });
    panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message));
    this.load();
    this.#firstLoad = this.#timeline.loadNewer();
    const isWanted = () => panel.visible && window.state.focused && canReload(this.#timeline.newer);
    const ask = () => this.#timeline.loadNewer({ silent: true });
    const seconds = () => host.settings.refreshSeconds;
    void poll({ seconds, isWanted, ask }, this.#abort.signal);
  }

  /** The chat is in front, and its panel has the focus. */
  get isActive(): boolean {
    return this.#panel.active;
  }

  /** Nobody waits for anything here any more. */
  get #isClosed(): boolean {
    return this.#abort.signal.aborted;
  }

  /** The name of the chat, as far as it is known. */
  get title(): string {
    return this.#panel.title;
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Makes the page anew, as the settings are now. */
  load(): void {
    const pictures = this.#host.settings.imagesIn.includes(this.botChat.id);
    this.#forgetPage();
    loadPage(this.#panel, this.#host.extensionUri, { page: 'history', data: { place: this.botChat }, pictures });
  }

  /** Loads what is newer than what is shown. */
  loadNewer(): Promise<void> {
    return this.#timeline.loadNewer();
  }

  /** One page of the chat as its bot reads it (contract 4.4). */
  async list(page: Page, signal: AbortSignal): Promise<Listed[]> {
    const service = await this.#service();
    return service.client.messages(await this.#token(service), this.botChat, page, signal);
  }

  /** Opens the find bar. */
  find(): void {
    this.#post({ type: 'find' });
  }

  /** Brings a message into view, loaded together with those around it. Rejects with what kept it from that. */
  async goTo(msgId: string): Promise<void> {
    try {
      if (!(await this.#timeline.goTo(msgId))) {
        throw new UserFacingError(l10n.t('The service lists no message with the ID {0} in this chat.', msgId));
      }
    } catch (error) {
      if (this.#isClosed) return;
      throw error;
    }
    this.#post({ type: 'show', key: msgId });
  }

  /**
   * Loads the whole chat, until the signal is aborted or the panel closed; `progress` is told how many messages there
   * are. Rejects with what went wrong, which is shown where messages are missing, too.
   */
  loadAll(progress: (messages: number) => void, signal: AbortSignal): Promise<void> {
    return loadAll(this.#timeline, progress, AbortSignal.any([signal, this.#abort.signal]));
  }

  /** What is loaded under a key, as a command of a message's menu names it. */
  entry(key: string): Listed | undefined {
    const item = this.#timeline.items.find((one) => one.type === 'entry' && one.key === key);
    return item?.type === 'entry' ? item.entry : undefined;
  }

  async #receive(message: unknown): Promise<void> {
    const parsed = v.safeParse(FromPage, message);
    if (!parsed.success) {
      this.#host.log.warn(`history page: ${v.summarize(parsed.issues)}`);
      return;
    }
    try {
      await this.#handle(parsed.output);
    } catch (error) {
      this.#host.log.error(error instanceof Error ? error : String(error));
      await showError(error);
    }
  }

  async #handle(message: FromPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.#start(message.reading);
      case 'older':
        return this.#timeline.loadOlder();
      case 'newer':
        await Promise.all([this.#postHeading(), this.#timeline.loadNewer()]);
        return this.#restorePosition();
      case 'gap':
        return this.#timeline.loadGap(message.id, message.from);
      case 'goTo':
        return this.goTo(message.msgId);
      case 'setToken':
        if (!(await this.#host.access.setToken(await this.#service(), this.botChat.botId))) return;
        await retryFailedLoads(this.#timeline);
        return this.#restorePosition();
      case 'atNewest':
        this.#isAtNewest = message.is;
        return this.#markRead();
      case 'profile':
        this.#post({ type: 'profile', profile: await profileOf(() => this.#service(), message.kind, message.id) });
        return;
      case 'copy':
        return env.clipboard.writeText(message.text);
      case 'open':
        // As a string: a Uri would be written anew, with other escapes than the sender's.
        await commands.executeCommand('vscode.open', message.url);
    }
  }

  /** The page has nothing yet: it is new, was hidden, or was made anew. */
  async #start(reading: string | undefined): Promise<void> {
    const timeline = this.#timeline;
    this.#forgetPage();
    // Its own word for this may come after what is loaded now.
    this.#isAtNewest = reading === undefined;
    if (this.#readBefore) {
      const { msgId, sendTime } = this.#readBefore;
      this.#post({ type: 'seen', msgId, sendTime });
    }
    const feed: PageFeed = new PageFeed(timeline.items, (splice) =>
      this.#posts.post(portionsOf(splice, itemView), () => this.#feed === feed),
    );
    this.#feed = feed;
    const place = timeline.items.findIndex((item) => item.type === 'entry' && item.key === reading);
    const fed = feed.run(place < 0 ? timeline.items.length : place).then(() => {
      this.#postEdges();
      this.#markRead();
    });
    this.#restoring = reading;
    await Promise.all([this.#postHeading(), fed, this.#firstLoad]);
    await this.#restorePosition();
  }

  /** After a reload of the window what was read is not loaded any more: the page waits for it, or hears that it is gone. */
  async #restorePosition(): Promise<void> {
    const reading = this.#restoring;
    if (reading === undefined || this.#timeline.items.length === 0) return;
    try {
      if (!(await this.#timeline.goTo(reading))) this.#post({ type: 'lost' });
    } catch (error) {
      // Code -1 was seen for a message that is gone. Anything else may pass: it is tried again with what is newer.
      if (!isFailure(error, 'rejected') || error.failure.code !== -1) return;
      this.#post({ type: 'lost' });
    }
    this.#restoring = undefined;
  }

  /** The page is gone: the next one has nothing that a splice could change, until it is ready and gets all. */
  #forgetPage(): void {
    this.#feed?.stop();
    this.#feed = undefined;
  }

  async #postHeading(): Promise<void> {
    const heading = await headingOf(() => this.#service(), this.botChat);
    if (this.#isClosed) return;
    this.#panel.title = heading.name;
    this.#post({ type: 'heading', ...heading });
  }

  /** The service that this chat is of: another one must not be asked for it, or be shown under its name. */
  async #service(): Promise<Service> {
    const service = await this.#host.connection.open();
    if (service.address === this.botChat.service) return service;
    throw new UserFacingError(
      l10n.t('This history is of {0}, which is not connected now.', serviceName(this.botChat.service)),
    );
  }

  async #token(service: Service): Promise<string> {
    const token = await this.#host.tokens.get(service, this.botChat.botId);
    if (token) return token;
    throw new NoTokenError(l10n.t('No token is saved for the bot {0}.', this.botChat.botId));
  }

  #markRead(): void {
    if (this.#isClosed || !this.#panel.visible || !this.#isAtNewest) return;
    const newest = this.#timeline.newest();
    if (!newest) return;
    if (this.#readMark()?.msgId !== newest.msgId) void this.#host.store.remember('readMarks', this.botChat, newest);
    this.#host.chatEvents.read(this.botChat, newest);
  }

  #readMark(): Mark | undefined {
    return this.#host.store.find('readMarks', this.botChat);
  }

  #addMentionedIds({ inserted }: Splice): void {
    const { type, id, botId } = this.botChat;
    const senders = inserted.flatMap((item): Reference[] => {
      if (item.type !== 'entry' || !item.entry.readable) return [];
      const { senderId, senderType } = item.entry.message;
      return senderType === 'user' || senderType === 'bot' ? [{ kind: senderType, id: senderId }] : [];
    });
    const all: Reference[] = [{ kind: type, id }, { kind: 'bot', id: botId }, ...senders];
    // What comes late, when another service is connected, says nothing of that one.
    this.#service().then(
      () => this.#host.mentionedIds.add(all),
      () => {},
    );
  }

  #postEdges(): void {
    const { older, newer } = this.#timeline;
    // There is more to come that is loaded already.
    const shown = this.#feed?.hasOldest === false ? { at: 'loading' as const } : edgeView(older);
    this.#post({ type: 'edges', older: shown, newer: edgeView(newer) });
  }

  #post(message: ToPage): void {
    void this.#posts.post([message]);
  }
}
