/** Facts about nested records: reviews (contract 2.4) and medals (field notes). */
import { l10n } from 'vscode';
import type { Group, User } from '../service/model.ts';
import type { Fact } from './factParts.ts';
import { deletionFacts, isEmpty, joinPhrases, linkedFact, nonEmptyFacts, numericIdText } from './factParts.ts';
import { formatCount, formatTimestamp, joinNames } from './formats.ts';

type Review = Group['checkChatInfoRecord'];

/** The facts of a review. Status numbers have no documented meaning, so they are only among the details (contract 2.4). */
export function reviewFacts(record: Review, now: number): Fact[] {
  if (!record || isEmpty(record)) return [];
  const { status, chatType, chatId, checkWay, reason, delFlag } = record;
  const isNumber = /^-?\d+$/.test(String(status));
  const words = isNumber ? '' : String(status ?? '');
  const state = isNumber
    ? l10n.t("{0} (the service doesn't say what it means)", String(status))
    : words || l10n.t('none');
  const kind = chatType === 2 ? 'group' : chatType === 3 ? 'bot' : undefined;
  const children = nonEmptyFacts([
    { label: l10n.t('Status'), value: state },
    { label: l10n.t('Review method'), value: checkWay },
    { label: l10n.t('Reason'), value: reason },
    { label: l10n.t('Chat type'), value: chatKind(chatType) },
    kind ? linkedFact(l10n.t('Chat'), kind, chatId) : { label: l10n.t('Chat'), value: chatId },
    { label: l10n.t('Created'), value: formatTimestamp(record.createTime, now, l10n.t('unknown')) },
    { label: l10n.t('Updated'), value: formatTimestamp(record.updateTime, now, l10n.t('never')) },
    ...deletionFacts(delFlag),
    { label: l10n.t('Record ID'), value: numericIdText(record.id) },
  ]);
  const value = joinPhrases(words, checkWay, reason, delFlag && l10n.t('deleted'));
  return [{ label: l10n.t('Review'), value, children }];
}

function chatKind(type: NonNullable<Review>['chatType']): string {
  if (type === undefined || type === '') return '';
  if (type === 2) return l10n.t('group chat');
  return type === 3 ? l10n.t('bot') : l10n.t('unknown type ({0})', type);
}

/** The facts of medals. The contract doesn't describe them; the fields were observed (field notes). */
export function medalFacts(list: User['medals']): Fact[] {
  if (list.length === 0) return [];
  const names = joinNames(list.flatMap(({ name }) => name || []));
  const value = names ? `${formatCount(list.length)}: ${names}` : formatCount(list.length);
  const children = list.map(({ id, name, desc, imageUrl, sort }) => ({
    label: name || l10n.t('Medal'),
    value: desc || l10n.t('no description'),
    children: nonEmptyFacts([
      { label: l10n.t('Medal ID'), value: numericIdText(id) },
      { label: l10n.t('Image URL'), value: imageUrl },
      { label: l10n.t('Sort order'), value: sort === undefined ? '' : String(sort) },
    ]),
  }));
  return [{ label: l10n.t('Medals'), value, children }];
}
