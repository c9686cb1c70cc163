/** The commands of the active history panel and of its messages. */
import { commands, env, window, workspace } from 'vscode';
import { toDraft } from '../../../markup/messageDraft.ts';
import { toJson, toMarkdown } from '../../../markup/messageFormats.ts';
import { toText } from '../../../markup/rendered/shownText.ts';
import { serviceDigest } from '../../../platform/durableFiles.ts';
import type { Host } from '../../../platform/host.ts';
import { InvalidSettingError } from '../../../platform/scopedSetting.ts';
import { askPastDay } from '../../../presentation/askTime.ts';
import { BotChatClient } from '../../../presentation/botChatClient.ts';
import { askInput, askModal, copyText, showInfo, showProgress, signalOf } from '../../../presentation/dialogs.ts';
import { UserFacingError } from '../../../presentation/errorText.ts';
import { joinPhrases } from '../../../presentation/factParts.ts';
import { type Calendar, formatCount, formatRoughDuration, joinSentences } from '../../../presentation/formats.ts';
import { l10n, type ShownText } from '../../../presentation/shown.ts';
import { atMessage, chatLink, isOurAddress } from '../../../protocol/chatLink.ts';
import type { Page } from '../../../service/client.ts';
import { type Clock, systemClock } from '../../../service/clock.ts';
import { isIdentifier } from '../../../service/fields.ts';
import type { Listed, Message } from '../../../service/message.ts';
import { includesChat } from '../../../service/model.ts';
import type { MessageArchive } from '../../contract.ts';
import type { HistoryPanels } from '../historyPanels.ts';
import { HistorySource } from '../historySource.ts';
import type { OnProgress, TimeMatch } from '../loads.ts';
import { namesForOthers } from '../participants.ts';
import { exportHistory } from './exportHistory.ts';

/** How long a load must take before its end is estimated (ms): earlier, it would be a guess. */
const MIN_ELAPSED = 3_000;

/** The argument of a message menu command: the key of the message. */
type MessageContext = { message: string } | undefined;

type CommandsHost = { readonly archive: MessageArchive } & Pick<
  Host,
  'chatEvents' | 'commands' | 'connection' | 'extensionUri' | 'files' | 'log' | 'settings' | 'tokens'
>;

export class HistoryCommands {
  readonly #panels: HistoryPanels;
  readonly #host: CommandsHost;
  /** Folders of the exports running in this window. */
  readonly #exports = new Set<string>();

  constructor(panels: HistoryPanels, host: CommandsHost) {
    this.#panels = panels;
    this.#host = host;
  }

  async findInHistory(): Promise<void> {
    this.#panels.active().page.ask({ type: 'find' });
  }

  /** Goes to a message of this chat by its ID, or to any message by a link. */
  async goToMessage(): Promise<void> {
    const session = this.#panels.active();
    const msgId = await askInput({
      title: l10n.t('Go to Message'),
      prompt: l10n.t(
        'Enter the ID of a message in this chat, or a link to any message. The messages around it are loaded, too.',
      ),
      ignoreFocusOut: true,
      validateInput: (text) =>
        isIdentifier(text.trim()) || isOurAddress(text) ? undefined : l10n.t('Enter a message ID.'),
    });
    if (!msgId) return;
    await (isOurAddress(msgId) ? this.#panels.openLink(msgId.trim()) : session.goTo(msgId.trim()));
  }

  /** Goes back to the results of the search that the active history was opened from, or else where VS Code goes back to. */
  async backToResults(): Promise<void> {
    if (this.#panels.active().isResult) await this.#host.commands.run('showResults');
    else await commands.executeCommand('workbench.action.navigateBack');
  }

  /**
   * Asks for a date, goes to its first message, and says so if that is one of a later day. Proposes the day of `from` (Unix
   * ms), or else of the oldest loaded message.
   */
  async goToDate(from?: number): Promise<void> {
    const session = this.#panels.active();
    // The days are those of the page's time zone: a remote extension host may be in another one.
    const { calendar } = session;
    const day = await askPastDay({
      title: l10n.t('Go to Date'),
      prompt: promptFor(calendar, { ...(await session.span()), createdAt: await session.createdAt() }),
      value: calendar.dayOf(from ?? session.oldestTime ?? systemClock.wall()),
      days: calendar,
    });
    if (day === undefined) return;
    const start = calendar.startOf(day);
    const createdAt = await session.createdAt();
    // The chat may have begun long after that day: without its creation, there's nothing to estimate.
    const goal = createdAt && Math.max(start, createdAt);
    const match = await showLoading(calendar, goal, (progress, signal) => session.goToTime(start, progress, signal));
    const text = otherDayText(calendar, day, match);
    if (text !== undefined) void showInfo(text);
  }

  /** Loads the whole chat, which makes it searchable. */
  async loadHistory(): Promise<void> {
    const session = this.#panels.active();
    const createdAt = await session.createdAt();
    const messages = await showLoading(session.calendar, createdAt, (progress, signal) =>
      session.loadAll(progress, signal),
    );
    if (messages === undefined) return;
    const count = l10n.t('The entire history is loaded: {0} messages.', formatCount(messages));
    void showInfo(messages === 1 ? l10n.t('The entire history is loaded: 1 message.') : count);
  }

  /** Archives this chat. @throws OtherServiceError if another service is connected, which may have a chat of this ID */
  async archiveHere(): Promise<void> {
    const { botChat } = this.#panels.active();
    const { kind, id, botId } = botChat;
    await new BotChatClient(botChat, this.#host).service();
    await this.#host.commands.run('archiveChat', { kind, id, botId });
  }

  /** Searches what is archived of this chat. */
  async searchHere(): Promise<void> {
    await this.#host.commands.run('searchArchivedChat', this.#panels.active().botChat);
  }

  async showStatisticsHere(): Promise<void> {
    await this.#host.commands.run('showStatistics', this.#panels.active().botChat);
  }

  async showDeliveriesHere(): Promise<void> {
    await this.#host.commands.run('showDeliveries', this.#panels.active().botChat);
  }

  /** Toggles remote images in this chat. */
  async toggleRemoteImages(): Promise<void> {
    const { kind, id } = this.#panels.active().botChat;
    const { settings } = this.#host;
    const imagesIn = () => {
      if (settings.imagesIn) return settings.imagesIn;
      throw new InvalidSettingError('botChats.history.remoteImagesIn');
    };
    const isAllowed = includesChat(imagesIn(), { kind, id });
    if (!isAllowed) {
      const allow = l10n.t('Load Remote Images');
      const detail = l10n.t('The image host can see your IP address and when you view the image.');
      const text = l10n.t('Load remote images in this chat?');
      if ((await askModal(text, detail, allow)) !== allow) return;
    }
    // Another window may have changed the chats with images while the user was asked.
    const others = imagesIn().filter((chat) => !includesChat([chat], { kind, id }));
    await settings.setImagesIn(isAllowed ? others : [...others, { kind, id }]);
  }

  /** Writes a whole chat to a file: the `clicked` one, or that of the active panel, or one that the user picks. */
  async exportHistory(clicked?: object): Promise<void> {
    const chosen = await this.#panels.choose(clicked, l10n.t('Export History'));
    if (!chosen) return;
    const { botChat, name } = chosen;
    const { extensionUri, files, log } = this.#host;
    const client = new BotChatClient(botChat, this.#host);
    const names = await namesForOthers(() => client.service(), botChat, this.#host.archive);
    const source = new HistorySource(botChat, client, this.#host.archive, () => {});
    // Only the service knows what is newest: without it, an export would end early and not say so.
    const list = (page: Page, signal: AbortSignal) =>
      'latest' in page ? client.list(page, signal) : source.preferArchive(() => source.list(page, signal));
    await exportHistory({ running: this.#exports, extensionUri, files, log, botChat, name, names, list });
  }

  async copyMessage(context: MessageContext): Promise<void> {
    await copyText(toText(this.#entry(context)));
  }

  async copyMessageMarkdown(context: MessageContext): Promise<void> {
    await copyText(toMarkdown(this.#entry(context)));
  }

  async copyMessageJson(context: MessageContext): Promise<void> {
    await copyText(toJson(this.#entry(context)));
  }

  /** Opens a new document to this chat. */
  async newMessageHere(): Promise<void> {
    const { kind, id, botId } = this.#panels.active().botChat;
    await this.#host.commands.run('newMessage', { kind, id, botId });
  }

  /** Opens a new document to this chat with the text and buttons of a message. */
  async useAsDraft(context: MessageContext): Promise<void> {
    const { botChat } = this.#panels.active();
    const entry = this.#entry(context);
    const { botId, kind, id } = botChat;
    const client = new BotChatClient(botChat, this.#host);
    const { chat: name } = await namesForOthers(() => client.service(), botChat, this.#host.archive);
    const content = toDraft(entry, { botId, chats: [{ kind, id, name }] });
    await window.showTextDocument(await workspace.openTextDocument({ language: 'markdown', content }));
  }

  async copyMessageId(context: MessageContext): Promise<void> {
    await copyText(this.#message(context).msgId);
  }

  /** Copies a link that opens this history at a message. The link to a group names no bot: any may read it. */
  async copyMessageLink(context: MessageContext): Promise<void> {
    const { service, kind, id, botId } = this.#panels.active().botChat;
    const { msgId } = this.#message(context);
    const chat = { digest: await serviceDigest(service), kind, id, ...(kind === 'user' && { botId }) };
    await copyText(chatLink(env.uriScheme, chat) + atMessage(msgId));
  }

  /** Searches what is archived of this chat from the sender of a message. */
  async searchFromSender(context: MessageContext): Promise<void> {
    const { botChat } = this.#panels.active();
    const { senderType, senderId } = this.#message(context);
    await this.#host.commands.run('searchArchivedChat', botChat, { sender: { type: senderType, id: senderId } });
  }

  /** The message that the command is for. @throws UserFacingError if it can't be read */
  #message(context: MessageContext): Message {
    const entry = this.#entry(context);
    if (entry.readable) return entry.message;
    throw new UserFacingError(l10n.t("This message can't be read, so its ID and its sender aren't known."));
  }

  #entry(context: MessageContext): Listed {
    const session = this.#panels.active();
    // A command that is run from a keybinding, for example, has no context.
    if (!context) throw new UserFacingError(l10n.t("Use this command from a message's menu."));
    const entry = session.entry(context.message);
    if (!entry) throw new UserFacingError(l10n.t('This message is no longer loaded.'));
    return entry;
  }
}

/** When a chat begins and ends, as far as that's known. Its first message may be much newer than the chat. */
function promptFor(calendar: Calendar, times: Record<'first' | 'last' | 'createdAt', number | undefined>): ShownText {
  const { first, last, createdAt } = times;
  if (first !== undefined && last !== undefined && first <= last)
    return l10n.t('This chat goes from {0} to {1}.', calendar.format(first), calendar.format(last));
  return joinSentences(
    createdAt !== undefined && l10n.t('This chat was created on {0}.', calendar.format(createdAt)),
    last !== undefined && l10n.t('The newest message is from {0}.', calendar.format(last)),
    l10n.t('Older messages are loaded if needed.'),
  );
}

/** Why another day than the one asked for is shown; undefined if it isn't. */
function otherDayText(calendar: Calendar, day: string, match: TimeMatch | 'none' | 'aborted'): ShownText | undefined {
  if (match === 'aborted') return undefined;
  const date = calendar.format(calendar.startOf(day));
  if (match === 'none') return l10n.t('There are no messages on or after {0}.', date);
  if (calendar.dayOf(match.sendTime) === day) return undefined;
  const found = calendar.format(match.sendTime);
  if (match.isFirst) return l10n.t('The message history begins later, on {0}.', found);
  return l10n.t('There are no messages on {0}. The next ones are from {1}.', date, found);
}

/**
 * Estimates how long a history still takes to load, back to `goal` (Unix ms, if known), from how far it has come: the
 * milliseconds left when all messages since `reached` (Unix ms) are loaded; undefined if they can't be estimated.
 */
export function loadEstimate(goal: number | undefined, { now }: Pick<Clock, 'now'> = systemClock) {
  let start: { readonly reached: number; readonly at: number } | undefined;
  return (reached: number | undefined): number | undefined => {
    if (goal === undefined || reached === undefined) return undefined;
    start ??= { reached, at: now() };
    const covered = start.reached - reached;
    const elapsed = now() - start.at;
    if (elapsed < MIN_ELAPSED || covered <= 0 || reached <= goal) return undefined;
    return (elapsed * (reached - goal)) / covered;
  };
}

/**
 * Shows a cancelable progress notification while `load` is pending: the number of messages, how far back they go, and how
 * long it may take until they go back to `goal` (Unix ms).
 */
function showLoading<T>(
  calendar: Calendar,
  goal: number | undefined,
  load: (progress: OnProgress, signal: AbortSignal) => Promise<T>,
): Thenable<T> {
  return showProgress(l10n.t('Loading message history'), (report, cancellation) => {
    const estimate = loadEstimate(goal);
    const progress: OnProgress = (items, reached) => {
      const left = estimate(reached);
      const count = l10n.t('{0} messages', formatCount(items));
      const day = reached !== undefined && l10n.t('back to {0}', calendar.format(reached));
      const time = left !== undefined && l10n.t('about {0} left', formatRoughDuration(left));
      report({ message: joinPhrases(count, day, time) });
    };
    return load(progress, signalOf(cancellation));
  });
}
