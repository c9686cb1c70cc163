/** What people read of an item of the activity: its row, its tooltip, and why it's there. */
import { ThemeColor, ThemeIcon } from 'vscode';
import { isTime } from '../../markup/days.ts';
import { escapeInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import { firstTexts, formatDateTime, formatShortTime, joinNames, spokenText } from '../../presentation/formats.ts';
import { l10n, Row, type ShownText, shownText, textCard } from '../../presentation/shown.ts';
import { systemClock } from '../../service/clock.ts';
import type { Chat } from '../../service/model.ts';
import { keyOf, matchesIn, type ShownItem } from './activity.ts';
import { isMatch, type Match } from './activityRules.ts';

/** How many words a text names. */
const MAX_WORDS = 3;

/** What the list shows: everything, or only messages with one reason. */
export const FILTERS = ['all', 'unread', 'replies', 'words'] as const;
export type ActivityFilter = (typeof FILTERS)[number];

export function filterText(filter: ActivityFilter): ShownText {
  const texts: Record<ActivityFilter, ShownText> = {
    all: l10n.t('All'),
    unread: l10n.t('Unread'),
    replies: l10n.t('Replies'),
    words: l10n.t('Words'),
  };
  return texts[filter];
}

export function isShown({ isUnread, isReply, words }: ShownItem, filter: ActivityFilter): boolean {
  const shown: Record<ActivityFilter, boolean> = {
    all: true,
    unread: isUnread,
    replies: isReply,
    words: words.length > 0,
  };
  return shown[filter];
}

/** `chatName` is the label or the name of its chat, or the ID; `now` is in Unix ms. */
export function activityTreeItem(item: ShownItem, chatName: string, now = systemClock.wall()): Row {
  const { service, kind, id, botId, msgId, isUnread, sendTime } = item;
  const name = excerpt(chatName);
  // VS Code offers no bold labels, and highlighted ones look like matches of a search.
  const row = new Row(isUnread ? shownText`● ${name}` : name);
  row.id = keyOf(item);
  row.contextValue = isUnread ? 'activity unread' : 'activity';
  const said = l10n.t('{0}: {1}', senderText(item), excerpt(item.text, undefined, escapeInvisible));
  row.describe(said);
  row.iconPath = iconOf(item);
  const sent = isTime(sendTime) ? formatDateTime(sendTime) : '';
  const heading = [
    name === id ? name : l10n.t('{0} ({1})', name, id),
    joinPhrases(senderText(item), sent),
    reasonText(item),
  ];
  row.tooltip = textCard([...heading, item.text].filter(Boolean).join('\n\n'));
  const time = isTime(sendTime) ? formatShortTime(sendTime, now) : '';
  row.accessibilityInformation = { label: spokenText(name, reasonText(item), said, time) };
  const arguments_ = [{ service, kind, id, botId, msgId }];
  row.command = { command: 'botChats.openMessage', title: l10n.t('Open Message History'), arguments: arguments_ };
  return row;
}

/** Why unread messages need the user: `reply to the bot, “word”`. */
export function matchText({ isReply, words }: Match): ShownText {
  const quoted = words.map((word) => l10n.t('“{0}”', word.replace(/["“”]/g, '')));
  return joinNames([...(isReply ? [l10n.t('reply to the bot')] : []), ...firstTexts(quoted, MAX_WORDS)]);
}

/** What arrived for the user in some chats, for one notification. Items are newest first. */
export function alertText(items: readonly ShownItem[], titleOf: (chat: Chat) => string, limit: number): ShownText {
  const texts = Array.from(matchesIn(items).values(), (match) =>
    l10n.t('{0} ({1})', titleOf(match.chat), matchText(match)),
  );
  return l10n.t('New for you in {0}', joinNames(firstTexts(texts, limit)));
}

function reasonText(item: ShownItem): ShownText {
  return joinPhrases(item.isUnread && l10n.t('unread'), isMatch(item) && matchText(item));
}

const senderText = ({ sender, senderId }: ShownItem) => excerpt(sender || senderId);

function iconOf({ isUnread, isReply, words }: ShownItem): ThemeIcon {
  const color = isUnread ? new ThemeColor('notificationsInfoIcon.foreground') : undefined;
  return new ThemeIcon(isReply ? 'reply' : words.length > 0 ? 'bell' : 'comment', color);
}
