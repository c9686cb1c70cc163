/** The items of the list of recipients, and what is said of all that are ticked. */
import { l10n } from 'vscode';
import { AUDIENCES, type ParsedAudiences } from '../platform/audiences.ts';
import type { Service } from '../platform/service.ts';
import { displayName, KIND_ICONS, summaryOf } from '../presentation/describe.ts';
import { type ListItem, safeLabel, separator } from '../presentation/dialogs.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import { formatCount } from '../presentation/formats.ts';
import { type Chat, chatKey } from '../service/model.ts';

/** It stands for one chat or, as an audience, for many: it is ticked if there are any and all of them are. */
export interface RecipientItem extends ListItem {
  /** Its name, where it is one. */
  audience?: string;
  chats?: readonly Chat[];
}

export function audienceItems({ audiences, unreadable }: ParsedAudiences, ticked: ReadonlySet<string>) {
  const readable = [...audiences].map(([name, chats]): RecipientItem => {
    const on = chats.filter((chat) => ticked.has(chatKey(chat))).length;
    const description = l10n.t('{0} of {1} ticked', formatCount(on), formatCount(chats.length));
    return { label: safeLabel(name, 'list-unordered'), description: safeLabel(description), audience: name, chats };
  });
  const others = unreadable.map((name): RecipientItem => {
    const description = l10n.t('This audience cannot be read: see the setting {0}.', AUDIENCES);
    return { label: safeLabel(name, 'warning'), description: safeLabel(description), audience: name };
  });
  return section(l10n.t('Audiences'), [...readable, ...others]);
}

export function chatItems(chats: Iterable<Chat>, service: Service): RecipientItem[] {
  const items = { group: [] as RecipientItem[], user: [] as RecipientItem[] };
  for (const chat of chats) {
    const found = service.directory.peek(chat.type, chat.id);
    items[chat.type].push({
      label: safeLabel(found ? displayName(found) : chat.id, KIND_ICONS[chat.type]),
      description: safeLabel(joinPhrases(chat.id, found && summaryOf(found))),
      chats: [chat],
    });
  }
  return [...section(l10n.t('Groups'), items.group), ...section(l10n.t('People'), items.user)];
}

/** How many are chosen, and how many members their groups have as far as that is known. */
export function totalText(chosen: readonly Chat[], { directory }: Service): string {
  if (chosen.length === 0) return '';
  const groups = chosen.filter(({ type }) => type === 'group');
  const known = groups.flatMap(({ id }) => {
    const found = directory.peek('group', id);
    return found?.kind === 'group' ? (found.resource.headcount ?? []) : [];
  });
  const members = known.reduce((sum, one) => sum + one, 0);
  const more = known.length < groups.length ? '+' : '';
  const sum = members === 1 && !more ? l10n.t('1 member') : l10n.t('{0} members', formatCount(members) + more);
  return joinPhrases(l10n.t('{0} chosen', formatCount(chosen.length)), known.length > 0 && sum);
}

function section(label: string, items: RecipientItem[]): RecipientItem[] {
  return items.length > 0 ? [separator(label), ...items] : [];
}
