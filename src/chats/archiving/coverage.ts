/** What is archived, in words. */
import { formatCount, formatDateTime } from '../../presentation/formats.ts';
import { l10n, type ShownText } from '../../presentation/shown.ts';
import type { BotChat } from '../../protocol/botChat.ts';
import type { ArchivedChat } from '../archive/chatTable.ts';

/** Until when a chat is archived, and whether messages are missing. */
export function chatCoverageText({ checkedAt, openGaps, lostGaps }: ArchivedChat): ShownText {
  if (checkedAt === undefined) return l10n.t('incomplete');
  const until = formatDateTime(checkedAt);
  return openGaps + lostGaps > 0
    ? l10n.t('Archived until {0}, incomplete', until)
    : l10n.t('Archived until {0}', until);
}

/** Identifies a chat in lists. */
export const listedKey = ({ service, kind, id }: Omit<BotChat, 'botId'>) => JSON.stringify([service, kind, id]);

/** What a search covers. `listed` are the chats of the sidebar, by {@link listedKey}. */
export function coverageText(archived: readonly ArchivedChat[], listed: ReadonlySet<string>): ShownText {
  const count = archived.length;
  // Archived chats that aren't listed may be of another service, or were removed from the sidebar.
  const areListed = archived.every(({ botChat }) => listed.has(listedKey(botChat)));
  const chats =
    areListed && listed.size > count
      ? l10n.t('{0} of {1} chats', formatCount(count), formatCount(listed.size))
      : count === 1
        ? l10n.t('1 chat')
        : l10n.t('{0} chats', formatCount(count));
  const times = archived.flatMap(({ checkedAt }) => checkedAt ?? []);
  const text = times.length > 0 ? l10n.t('{0}, until {1}', chats, formatDateTime(Math.min(...times))) : chats;
  const incomplete = archived.filter(
    ({ openGaps, lostGaps, checkedAt }) => openGaps + lostGaps > 0 || !checkedAt,
  ).length;
  if (incomplete === 0) return text;
  return incomplete === 1
    ? l10n.t('{0}, 1 of them incomplete', text)
    : l10n.t('{0}, {1} of them incomplete', text, formatCount(incomplete));
}

/** Says how few chats of the sidebar are archived; empty if all are. */
export function unarchivedText(archived: readonly ArchivedChat[], listed: ReadonlySet<string>): ShownText {
  const keys = new Set(archived.map(({ botChat }) => listedKey(botChat)));
  const count = [...listed].filter((key) => keys.has(key)).length;
  if (count === listed.size) return '';
  if (count === 0) return l10n.t('No chats in the sidebar are archived.');
  const counts = [count, listed.size].map(formatCount);
  return count === 1
    ? l10n.t('Only 1 of {1} chats in the sidebar is archived.', ...counts)
    : l10n.t('Only {0} of {1} chats in the sidebar are archived.', ...counts);
}
