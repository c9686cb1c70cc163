/** One history panel: passes messages between its page and the session that it shows. */
import { mediaOf } from '../../markup/messageContent.ts';
import type { ShownText } from '../../markup/safeText.ts';
import type { Host } from '../../platform/host.ts';
import { openPage, type ShownPanel, type WebviewPage } from '../../platform/webviewPage.ts';
import { showError } from '../../presentation/showError.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import { FromPage, type ToPage } from '../../protocol/history.ts';
import { systemClock } from '../../service/clock.ts';
import { includesChat } from '../../service/model.ts';
import { HistorySession, type OpenedMessage, type SessionHost } from './historySession.ts';
import { openImage } from './openImage.ts';

export type PanelHost = SessionHost & Pick<Host, 'commands' | 'extensionUri' | 'log' | 'storageUri'>;

export class HistoryPanel {
  readonly session: HistorySession;
  readonly #panel: ShownPanel;
  readonly #page: WebviewPage<ToPage>;

  /** `onNamed` is called when the names of the chat and its bot are looked up. */
  constructor(panel: ShownPanel, botChat: BotChat, host: PanelHost, onNamed: () => void, opensAt: OpenedMessage = {}) {
    const { commands, settings, storageUri } = host;
    const closing = new AbortController();
    this.#panel = panel;
    this.#page = openPage(panel, host, {
      page: 'history',
      schema: FromPage,
      contents: () => ({
        data: { place: botChat, opensAt: opensAt.msgId ?? null },
        allowsImages: includesChat(settings.imagesIn ?? [], botChat),
      }),
      fill: ({ reading, timeZone }) => session.fill(reading, timeZone),
      handlers: {
        older: () => session.loadOlder(),
        newer: () => session.loadNewer(),
        gap: ({ id, from }) => session.timeline.loadGap(id, from),
        goTo: ({ msgId }) => session.goTo(msgId),
        setToken: () => session.setToken(),
        changeAddress: () => commands.run('connect'),
        goToDate: ({ from }) => commands.run('goToDate', from),
        loadHistory: ({ type }) => commands.run(type),
        archiveHere: ({ type }) => commands.run(type),
        searchArchive: ({ text }) => commands.run('searchArchivedChat', botChat, { text }),
        atNewest: ({ is }) => session.setAtNewest(is),
        profile: (sender) => session.senders.showProfile(sender),
        act: ({ action, kind, id }) => commands.run(action, { kind, id, botId: botChat.botId }),
        avatars: ({ senders }) => session.senders.showAvatars(senders),
        openImage: async ({ key }) => {
          const entry = session.entry(key);
          const media = entry?.readable ? mediaOf(entry.message, systemClock.wall()) : undefined;
          if (media) await openImage(media, { storage: storageUri, signal: closing.signal });
        },
      },
      fail: showError,
      emptied: () => session.page.reset(),
      closed: () => closing.abort(),
    });
    const shown = { page: this.#page, title: panel.title, closed: closing.signal, onNamed };
    const session = new HistorySession(botChat, host, { ...shown, isVisible: () => panel.visible }, opensAt);
    this.session = session;
    panel.onDidChangeViewState(() => session.markRead());
  }

  /** Whether the panel has the focus. */
  get isActive(): boolean {
    return this.#panel.active;
  }

  setTitle(title: ShownText): void {
    this.#panel.title = title;
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Reloads the page with the current settings. */
  reload(): void {
    this.#page.reload();
  }
}
