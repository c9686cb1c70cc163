/** Makes the tree items of archived chats. */
import { env, ThemeColor, ThemeIcon } from 'vscode';
import { isTime } from '../../markup/days.ts';
import { formatFileSize } from '../../markup/media.ts';
import { storagePlace } from '../../platform/storagePlace.ts';
import { KIND_ICONS, serviceName, shortServiceName } from '../../presentation/describe.ts';
import { shortErrorText } from '../../presentation/errorText.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import { formatCount, formatDate, formatDateTime, formatShortTime, spokenText } from '../../presentation/formats.ts';
import { l10n, Row, type ShownText, textCard } from '../../presentation/shown.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import { systemClock } from '../../service/clock.ts';
import { ArchiveError } from '../archive/archiveError.ts';
import type { ArchivedChat, Import } from '../archive/chatTable.ts';
import { archiveErrorText } from './archiveErrorText.ts';
import type { RunState } from './archiveRuns.ts';

/** The names of a chat and its bot. */
export interface ShownNames {
  /** The name of the chat, or its ID. */
  readonly name: ShownText;
  /** The service's own name of the chat if the user calls it something else. */
  readonly otherName?: ShownText;
  /** The name of the bot that reads the chat, or its ID. */
  readonly botName: ShownText;
}

/** A row of the archive view. Its menu passes it to commands on chats. */
export interface ArchiveNode extends BotChat, ShownNames {
  /** The number of the chat in the archive. */
  readonly archived: number;
  readonly chat: ArchivedChat;
  readonly run: RunState | undefined;
}

/** The row of an archived chat. `connected` is the address of the connected service, if any; `now` is in Unix ms. */
export function archiveItem(node: ArchiveNode, connected: string | undefined, now: number = systemClock.wall()): Row {
  const { chat, name, run } = node;
  const { botChat } = chat;
  const item = new Row(name);
  item.id = `${chat.number}`;
  const service = botChat.service === connected ? '' : shortServiceName(botChat.service);
  const describe = (until: (ms: number) => ShownText) =>
    joinPhrases(stateText(chat, run, until), messagesText(chat.messages), service);
  // The most important comes first: a narrow sidebar cuts off the end.
  item.describe(describe((ms) => formatShortTime(ms, now)));
  item.iconPath = iconOf(chat, run);
  const actions = [run?.isRunning ? 'pause' : chat.openGaps > 0 ? 'resume' : 'update'];
  item.contextValue = ['archived', ...actions].join(' ');
  item.tooltip = textCard(tooltipLines(node).join('\n\n'));
  const spoken = describe((ms) => l10n.t('until {0}', formatDate(ms)));
  item.accessibilityInformation = { label: spokenText(name, spoken) };
  item.command = { command: 'botChats.openMessage', title: l10n.t('Open Message History'), arguments: [botChat] };
  return item;
}

/** A row that says why the archive can't be shown. */
export function problemItem(error: unknown): Row {
  const item = new Row(archiveErrorText(error));
  item.iconPath = new ThemeIcon('error', new ThemeColor('list.errorForeground'));
  item.tooltip = archiveErrorText(error);
  item.contextValue = 'archiveProblem';
  return item;
}

/** How much is archived, and where. */
export function archiveSummary(chats: readonly ArchivedChat[], bytes: number): ShownText {
  const size = formatFileSize(bytes, env.language);
  const count = formatCount(chats.length);
  const place = storagePlace();
  if (place === 'container') {
    return chats.length === 1
      ? l10n.t('1 chat, {0} in this container', size)
      : l10n.t('{0} chats, {1} in this container', count, size);
  }
  if (place === 'remote') {
    return chats.length === 1
      ? l10n.t('1 chat, {0} on the remote computer', size)
      : l10n.t('{0} chats, {1} on the remote computer', count, size);
  }
  return chats.length === 1
    ? l10n.t('1 chat, {0} on this computer', size)
    : l10n.t('{0} chats, {1} on this computer', count, size);
}

export const messagesText = (count: number) =>
  count === 1 ? l10n.t('1 message') : l10n.t('{0} messages', formatCount(count));

/** Says what the archive lacks of a chat, or `until` when (Unix ms) it's complete. */
function stateText(chat: ArchivedChat, run: RunState | undefined, until: (ms: number) => ShownText): ShownText {
  if (run?.isRunning) {
    return isTime(run.reached) ? l10n.t('archiving, back to {0}…', formatDate(run.reached)) : l10n.t('archiving…');
  }
  if (run?.error !== undefined)
    return run.error instanceof ArchiveError ? l10n.t('stopped') : l10n.t('stopped: {0}', shortErrorText(run.error));
  if (chat.openGaps > 0 || chat.checkedAt === undefined) return l10n.t('paused');
  if (chat.lostGaps > 0) return l10n.t('incomplete');
  return until(chat.checkedAt);
}

function tooltipLines({ chat, name, otherName, botName, run }: ArchiveNode): string[] {
  const { apart, botChat, checkedAt, imports, lostGaps, messages, openGaps, since } = chat;
  const gaps =
    lostGaps === 1
      ? l10n.t("1 gap couldn't be closed: the service no longer lists its messages. Update the archive to try again.")
      : l10n.t(
          "{0} gaps couldn't be closed: the service no longer lists their messages. Update the archive to try again.",
          formatCount(lostGaps),
        );
  return [
    joinPhrases(name === botChat.id ? name : l10n.t('{0} ({1})', name, botChat.id), otherName),
    joinPhrases(l10n.t('as {0}', botName), serviceName(botChat.service)),
    joinPhrases(messagesText(messages), since !== undefined && l10n.t('since {0}', formatDate(since))),
    checkedAt === undefined ? '' : l10n.t('Newest messages read {0}', formatDateTime(checkedAt)),
    run?.error === undefined ? '' : archiveErrorText(run.error),
    !run?.isRunning && openGaps > 0 ? l10n.t('Older messages are still missing. Update the archive to continue.') : '',
    lostGaps > 0 ? gaps : '',
    ...imports.map(importText),
    apart > 0 ? apartText(apart) : '',
  ].filter(Boolean);
}

const importText = ({ messages, name, at }: Import) =>
  messages === 1
    ? l10n.t('1 message imported from {0} on {1}', name, formatDateTime(at))
    : l10n.t('{0} messages imported from {1} on {2}', formatCount(messages), name, formatDateTime(at));

/** Says why histories lack messages that searches find. */
const apartText = (count: number) =>
  count === 1
    ? l10n.t("1 of them is only found by searching: its file doesn't prove which messages are next to it.")
    : l10n.t(
        "{0} of them are only found by searching: their file doesn't prove which messages are next to each other.",
        formatCount(count),
      );

function iconOf({ botChat, lostGaps }: ArchivedChat, run: RunState | undefined): ThemeIcon {
  if (run?.isRunning) return new ThemeIcon('sync~spin');
  if (run?.error !== undefined) return new ThemeIcon('error', new ThemeColor('list.errorForeground'));
  if (lostGaps > 0) return new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  return new ThemeIcon(KIND_ICONS[botChat.kind]);
}
