/** Everything a lookup returns, as labeled facts in the user's language (contract 2.1–2.5). */
import { systemClock } from '../service/clock.ts';
import type { Bot, Found, Group, User } from '../service/model.ts';
import { type KnownNames, knownName } from './describe.ts';
import {
  deletionFacts,
  type Fact,
  flagText,
  isEmpty,
  joinPhrases,
  linkedFact,
  nonEmptyFacts,
  numericIdText,
} from './factParts.ts';
import { formatCount, formatTimestamp, joinNames } from './formats.ts';
import { l10n, type ShownText } from './shown.ts';

/** The facts of one resource, including empty ones. */
interface Sheet {
  id: string;
  name: string;
  introduction: string;
  /** What people look for, most important first. */
  main: Fact[];
  /** Internal numbers and addresses. */
  technical: Fact[];
}

type Relation = Group['groupBotRel'];
type Review = Group['checkChatInfoRecord'];

/** How the service formats a registration time of 0 (contract 4.3). */
const NO_REGISTER_TIME = '1970-01-01 08:00:00';

/** All non-empty facts, most important first. `now` is Unix ms. */
export function factsOf(found: Found, now = systemClock.wall()): Fact[] {
  const { id, name, introduction, main, technical } = sheetOf(found, now);
  return nonEmptyFacts([
    { label: l10n.t('ID'), value: id },
    { label: l10n.t('Name'), value: name },
    { label: l10n.t('Introduction'), value: introduction.trim() },
    ...main,
    ...technicalDetails(nonEmptyFacts(technical)),
  ]);
}

/** The facts for a card: without name, introduction, technical details and what is only nested. */
export function cardFactsOf(found: Found): Fact[] {
  const { id, main } = sheetOf(found, systemClock.wall());
  return [{ label: l10n.t('ID'), value: id }, ...main].filter(({ value }) => value.trim() !== '');
}

/** Facts with the names that are known beside IDs of groups, bots and users. Makes no request. */
export function withNames(facts: readonly Fact[], known: KnownNames | undefined): Fact[] {
  return facts.map((fact) => {
    const { reference, children } = fact;
    const name =
      known && reference && fact.value === reference.id ? knownName(known, reference.kind, reference.id) : undefined;
    return {
      ...fact,
      ...(name && name !== fact.value && { value: l10n.t('{0} ({1})', name, fact.value) }),
      ...(children && { children: withNames(children, known) }),
    };
  });
}

function sheetOf(found: Found, now: number): Sheet {
  switch (found.kind) {
    case 'group':
      return groupSheet(found.resource, now);
    case 'bot':
      return botSheet(found.resource, now);
    case 'user':
      return userSheet(found.resource, now);
  }
}

function groupSheet(group: Group, now: number): Sheet {
  const { groupBotRel: relation } = group;
  return {
    id: group.groupId,
    name: group.name,
    introduction: group.introduction,
    main: [
      { label: l10n.t('Members'), value: formatCount(group.headcount) },
      { label: l10n.t('Category'), value: group.category },
      ...botOf(relation, now),
      {
        label: l10n.t('Earlier history'),
        value: flagText(group.readHistory, [l10n.t('hidden from new members'), l10n.t('visible to new members')]),
      },
      ...origin(group, now),
      ...reviewFacts(group.checkChatInfoRecord, now),
    ],
    technical: [
      { label: l10n.t('Internal ID'), value: numericIdText(group.id) },
      ...avatar(group),
      { label: l10n.t('Send URI'), value: group.uri },
      { label: l10n.t('Relation ID'), value: numericIdText(relation?.id) },
      {
        label: l10n.t('Related group'),
        value: relation && relation.groupId !== group.groupId ? relation.groupId : '',
      },
    ],
  };
}

function botSheet(bot: Bot, now: number): Sheet {
  return {
    id: bot.botId,
    name: bot.nickname,
    introduction: bot.introduction,
    main: [
      { label: l10n.t('Users'), value: formatCount(bot.headcount) },
      {
        label: l10n.t('Visibility'),
        value: flagText(bot.private, [l10n.t('public'), l10n.t('private')]),
      },
      { label: l10n.t('Link'), value: bot.link },
      ...origin(bot, now),
      ...reviewFacts(bot.checkChatInfoRecord, now),
    ],
    technical: [
      { label: l10n.t('Internal ID'), value: numericIdText(bot.id) },
      { label: l10n.t('Nickname ID'), value: numericIdText(bot.nicknameId) },
      ...avatar(bot),
      { label: l10n.t('Send URI'), value: bot.uri },
      { label: l10n.t('Token'), value: bot.token && l10n.t('set by the service (hidden)') },
    ],
  };
}

function userSheet(user: User, now: number): Sheet {
  return {
    id: user.userId,
    name: user.nickname,
    introduction: '',
    main: [
      registered(user, now),
      { label: l10n.t('Days online'), value: formatCount(user.onLineDay) },
      { label: l10n.t('Days online in a row'), value: formatCount(user.continuousOnLineDay) },
      { label: l10n.t('VIP'), value: flagText(user.isVip, [l10n.t('no'), l10n.t('yes')]) },
      ...medalFacts(user.medals),
    ],
    technical: avatar(user),
  };
}

/** The bot of a group, their relation, and the bot's facts in the group's lookup. */
function botOf(relation: Relation, now: number): Fact[] {
  if (!relation) return [];
  const { bot, botId, delFlag, createTime } = relation;
  const none = { label: l10n.t('Bot'), value: l10n.t('none') };
  // A group without a bot has an empty relation.
  if (isEmpty({ ...relation, groupId: '' })) return [none];
  const id = bot?.botId || botId;
  const named = bot?.nickname && id ? l10n.t('{0} ({1})', bot.nickname, id) : bot?.nickname || id;
  const value = delFlag ? joinPhrases(none.value, l10n.t('deleted: {0}', named)) : named;
  const nested = bot && !isEmpty(bot) ? factsOf({ kind: 'bot', resource: bot, raw: undefined }, now) : [];
  const nestedBot = {
    label: l10n.t('Bot details from the group'),
    value: named || l10n.t('unknown'),
    children: nested,
  };
  const children = nonEmptyFacts([
    { label: l10n.t('Relation updated'), value: formatTimestamp(relation.updateTsime, now, l10n.t('never')) },
    ...deletionFacts(delFlag),
    ...(botId === id ? [] : [linkedFact(l10n.t('Related bot'), 'bot', botId)]),
    ...(nested.length > 0 ? [nestedBot] : []),
  ]);
  const since = formatTimestamp(createTime ?? 0, now, l10n.t('unknown'));
  return [
    id ? { ...none, value, reference: { kind: 'bot', id } } : none,
    { label: l10n.t('Attached since'), value: joinPhrases(since, delFlag && l10n.t('deleted')), children },
  ];
}

/** The facts of a review. Status numbers have no documented meaning, so they are only among the details (contract 2.4). */
function reviewFacts(record: Review, now: number): Fact[] {
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

function chatKind(type: NonNullable<Review>['chatType']): ShownText {
  if (type === undefined || type === '') return '';
  if (type === 2) return l10n.t('group chat');
  return type === 3 ? l10n.t('bot') : l10n.t('unknown type ({0})', type);
}

/** The facts of medals. The contract doesn't describe them; the fields were observed. */
function medalFacts(list: User['medals']): Fact[] {
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

function origin({ createTime, createBy }: Group | Bot, now: number): Fact[] {
  return [
    { label: l10n.t('Created'), value: formatTimestamp(createTime, now, l10n.t('unknown')) },
    linkedFact(l10n.t('Created by'), 'user', createBy),
  ];
}

function registered({ registerTime, registerTimeText: text }: User, now: number): Fact {
  const label = l10n.t('Registered');
  const value = formatTimestamp(registerTime, now, l10n.t('unknown'));
  if (!text || (registerTime === 0 && text === NO_REGISTER_TIME)) return { label, value };
  const asWritten = { label: l10n.t('As reported by the service'), value: text };
  return { label, value: value || text, children: [asWritten] };
}

function avatar(resource: { avatarId?: number | undefined; avatarUrl: string }): Fact[] {
  return [
    { label: l10n.t('Avatar ID'), value: numericIdText(resource.avatarId) },
    { label: l10n.t('Avatar URL'), value: resource.avatarUrl },
  ];
}

function technicalDetails(children: Fact[]): Fact[] {
  return children.length > 0 ? [{ label: l10n.t('Technical details'), value: '', children }] : [];
}
