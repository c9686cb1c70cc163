/** Moves a history to messages that may not be loaded: from the archive if it has them, else from the service. */
import { l10n } from 'vscode';
import { UserFacingError } from '../../presentation/errorText.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import { isFailure } from '../../service/errors.ts';
import type { MessageArchive } from '../contract.ts';
import type { HistoryPage } from './historyPage.ts';
import { type HistorySource, isOffline } from './historySource.ts';
import type { OnProgress } from './loads.ts';
import type { Timeline } from './timeline.ts';
import { findTime, type TimeMatch } from './timeSearch.ts';

/** The parts of a history panel. `closed` is aborted when it is closed. */
interface History {
  readonly botChat: BotChat;
  readonly archive: MessageArchive;
  readonly source: HistorySource;
  readonly timeline: Timeline;
  readonly page: HistoryPage;
  readonly closed: AbortSignal;
}

export class Navigation {
  readonly #history: History;
  /** The message to restore the position of, until it is loaded. */
  #restoring: string | undefined;

  constructor(history: History) {
    this.#history = history;
  }

  /**
   * Scrolls to a message, which a query may have `found`, and loads the messages around it if needed.
   * @throws UserFacingError if it isn't listed
   */
  async goTo(msgId: string, found?: string): Promise<void> {
    const { source, timeline, page, closed } = this.#history;
    try {
      if (!(await source.preferArchive(() => timeline.goTo(msgId)))) {
        throw new UserFacingError(l10n.t("Message {0} wasn't found in this chat.", msgId));
      }
    } catch (error) {
      if (closed.aborted) return;
      throw error;
    }
    page.ask({ type: 'show', key: msgId, ...(found !== undefined && { found }) });
  }

  /**
   * Scrolls to the first message sent at a time (Unix ms) or later, and loads the messages until there, like `loadAll`.
   * Resolves to that message, if any.
   */
  async goToTime(time: number, progress: OnProgress, signal: AbortSignal): Promise<TimeMatch | 'none' | 'aborted'> {
    const { timeline, page, closed } = this.#history;
    const archived = await this.#goToArchived(time);
    if (archived) return archived;
    const match = await findTime(timeline, time, progress, AbortSignal.any([signal, closed]));
    if (typeof match === 'object') page.ask({ type: 'show', key: match.key, isAtTop: true });
    return match;
  }

  /** Goes to the first message since a time (Unix ms) if the archive knows which one that is. */
  async #goToArchived(time: number): Promise<TimeMatch | undefined> {
    const { botChat, archive, source, timeline, page } = this.#history;
    const match = await archive.firstSince(botChat, time).catch(() => undefined);
    if (!match || !(await source.preferArchive(() => timeline.goTo(match.msgId)))) return undefined;
    page.ask({ type: 'show', key: match.msgId, isAtTop: true });
    return { ...match, key: match.msgId };
  }

  /** The message that a page was scrolled to before it was hidden or reloaded. {@link restore} goes back to it. */
  set restoring(msgId: string | undefined) {
    this.#restoring = msgId;
  }

  /** Loads the message to restore after a reload of the window, or tells the page that it no longer exists. */
  async restore(): Promise<void> {
    const { timeline, page } = this.#history;
    const reading = this.#restoring;
    if (reading === undefined || timeline.items.length === 0) return;
    try {
      if (!(await timeline.goTo(reading))) page.post({ type: 'lost' });
    } catch (error) {
      // Code -1 was observed for a deleted message. After any other failure, the next load of new messages retries.
      if (!isFailure(error, 'rejected') || error.failure.code !== -1) return;
      page.post({ type: 'lost' });
    }
    this.#restoring = undefined;
  }

  /** Goes on before a gap of the archive, which can't be closed while the service can't be reached. */
  async crossGap(): Promise<void> {
    const { botChat, archive, source, timeline } = this.#history;
    const { older, items } = timeline;
    if (older.at !== 'failed' || !isOffline(older.error)) return;
    const [oldest] = items.flatMap((item) => (item.type === 'entry' && item.entry.readable ? item.key : []));
    if (oldest === undefined) return;
    const msgId = await archive.beforeGap(botChat, oldest).catch(() => undefined);
    if (msgId !== undefined) await source.preferArchive(() => timeline.goTo(msgId));
  }
}
