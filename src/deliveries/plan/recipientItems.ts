/** The items of the recipient picker, and its total. */
import { l10n } from 'vscode';
import type { ParsedAudiences } from '../../platform/audiences.ts';
import type { Service } from '../../platform/service.ts';
import { unreadableText } from '../../presentation/audienceNames.ts';
import { type ChatItem, section } from '../../presentation/chatItems.ts';
import { KIND_ICONS, summaryOf } from '../../presentation/describe.ts';
import { safeLabel } from '../../presentation/dialogs.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import { formatCount } from '../../presentation/formats.ts';
import { type Chat, chatKey } from '../../service/model.ts';
import type { Recipient } from '../outbox/batches.ts';

/** One chat or, for an audience, several. Selected if it has any chats and all of them are selected. */
export interface RecipientItem extends ChatItem {
  /** The name of an audience. */
  audience?: string;
}

export function audienceItems({ audiences, unreadable }: ParsedAudiences, selected: ReadonlySet<string>) {
  const readable = [...audiences].map(([name, chats]): RecipientItem => {
    const count = chats.filter((chat) => selected.has(chatKey(chat))).length;
    const description = l10n.t('{0} of {1} selected', formatCount(count), formatCount(chats.length));
    return { label: safeLabel(name, 'list-unordered'), description: safeLabel(description), audience: name, chats };
  });
  const others = unreadable.map((name): RecipientItem => {
    return { label: safeLabel(name, 'warning'), description: safeLabel(unreadableText()), audience: name };
  });
  return section(l10n.t('Audiences'), [...readable, ...others]);
}

/** A recipient with the name that is known of it. */
export function recipientItem({ kind, id, name }: Recipient, { directory }: Service): RecipientItem {
  const found = directory.peek(kind, id);
  const description = safeLabel(joinPhrases(name !== id && id, found && summaryOf(found)));
  return { label: safeLabel(name, KIND_ICONS[kind]), description, chats: [{ kind, id }] };
}

/** How many chats are selected, and how many members their groups have, if known. */
export function totalText(selected: readonly Chat[], { directory }: Service): string {
  if (selected.length === 0) return '';
  const groups = selected.filter(({ kind }) => kind === 'group');
  const known = groups.flatMap(({ id }) => {
    const found = directory.peek('group', id);
    return found?.kind === 'group' ? (found.resource.headcount ?? []) : [];
  });
  const members = known.reduce((sum, one) => sum + one, 0);
  const more = known.length < groups.length ? '+' : '';
  const sum = members === 1 && !more ? l10n.t('1 member') : l10n.t('{0} members', formatCount(members) + more);
  const recipients =
    selected.length === 1 ? l10n.t('1 recipient') : l10n.t('{0} recipients', formatCount(selected.length));
  return joinPhrases(recipients, known.length > 0 && sum);
}
