/** Groups and people as items of a list, and their number. */
import type { Service } from '../platform/service.ts';
import type { Chat } from '../service/model.ts';
import { KIND_ICONS, nameOrId, otherName, summaryOf } from './describe.ts';
import { type ListItem, listItem, separator } from './dialogs.ts';
import { joinPhrases } from './factParts.ts';
import { formatCount } from './formats.ts';
import { l10n, type ShownText } from './shown.ts';

/** The chats of an item; a heading has none. */
export interface ChatItem extends ListItem {
  chats?: readonly Chat[];
}

/**
 * The items of groups, then of people, with the names that are known. Chats that don't exist say so; `notLookedUp` is what
 * the others without a name say.
 */
export function chatItems(chats: Iterable<Chat>, { directory }: Service, notLookedUp = ''): ChatItem[] {
  const items = { group: [] as ChatItem[], user: [] as ChatItem[] };
  for (const chat of chats) {
    const { kind, id } = chat;
    const found = directory.peek(kind, id);
    const isMissing = !found && directory.has(kind, id);
    const unknown = isMissing ? l10n.t("doesn't exist") : notLookedUp;
    items[kind].push(
      listItem({
        icon: isMissing ? 'warning' : KIND_ICONS[kind],
        label: nameOrId(directory, kind, id),
        description: joinPhrases(otherName(directory, kind, id), id, found ? summaryOf(found) : unknown),
        chats: [chat],
      }),
    );
  }
  return [...section(l10n.t('Groups'), items.group), ...section(l10n.t('People'), items.user)];
}

/** Items with a heading, if there are any. */
export const section = <T extends ListItem>(
  label: ShownText,
  items: readonly T[],
): (T | ReturnType<typeof separator>)[] => (items.length > 0 ? [separator(label), ...items] : []);

/** How many groups and people there are. */
export function countText(groups: number, users: number): ShownText {
  if (users === 0) return groups === 1 ? l10n.t('1 group') : l10n.t('{0} groups', formatCount(groups));
  if (groups === 0) return users === 1 ? l10n.t('1 person') : l10n.t('{0} people', formatCount(users));
  return l10n.t(
    '{0} chats (groups: {1}, people: {2})',
    formatCount(groups + users),
    formatCount(groups),
    formatCount(users),
  );
}
