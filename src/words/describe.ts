/** Groups, bots and users in the person's language. */
import { env, l10n } from 'vscode';
import { attachedBot, type Bot, type Found, type Group, type Kind, type User } from '../service/model.ts';
import { SANDBOX_ADDRESS } from '../workbench/service.ts';

/** One thing that is known of a resource. */
export interface Fact {
  label: string;
  /** Plain text, never markup; may contain line breaks. */
  value: string;
}

/** The codicon that stands for a kind everywhere. */
export const KIND_ICONS = { group: 'organization', bot: 'hubot', user: 'account' } as const satisfies Record<
  Kind,
  string
>;

/** The name to show: the resource's own, or its ID where it has none. */
export function nameOf(found: Found): string {
  switch (found.kind) {
    case 'group':
      return found.resource.name || found.resource.groupId;
    case 'bot':
      return found.resource.nickname || found.resource.botId;
    case 'user':
      return found.resource.nickname || found.resource.userId;
  }
}

/** What to call a service by its address. */
export function serviceName(address: string): string {
  return address === SANDBOX_ADDRESS ? l10n.t('the sandbox') : address;
}

/** A few words beside the name: how many members or users, and what is special. */
export function summaryOf(found: Found): string {
  switch (found.kind) {
    case 'group': {
      const { headcount } = found.resource;
      if (headcount === undefined) return '';
      return headcount === 1 ? l10n.t('1 member') : l10n.t('{0} members', count(headcount));
    }
    case 'bot': {
      const { headcount, private: isPrivate } = found.resource;
      const users = headcount === 1 ? l10n.t('1 user') : l10n.t('{0} users', count(headcount));
      return phrases(headcount !== undefined && users, isPrivate && l10n.t('private'));
    }
    case 'user': {
      const { isVip, onLineDay } = found.resource;
      const days = onLineDay === 1 ? l10n.t('1 day online') : l10n.t('{0} days online', count(onLineDay));
      return phrases(isVip && l10n.t('VIP'), onLineDay !== undefined && days);
    }
  }
}

/** Everything that a lookup says, most telling first; empty fields are left out. */
export function factsOf(found: Found): Fact[] {
  return allFacts(found).filter(({ value }) => value !== '');
}

function allFacts(found: Found): Fact[] {
  switch (found.kind) {
    case 'group':
      return groupFacts(found.resource);
    case 'bot':
      return botFacts(found.resource);
    case 'user':
      return userFacts(found.resource);
  }
}

function groupFacts(group: Group): Fact[] {
  const bot = attachedBot(group);
  return [
    { label: l10n.t('ID'), value: group.groupId },
    { label: l10n.t('Introduction'), value: group.introduction.trim() },
    { label: l10n.t('Members'), value: count(group.headcount) },
    { label: l10n.t('Category'), value: group.category },
    { label: l10n.t('Bot'), value: bot ? `${bot.nickname} (${bot.botId})` : l10n.t('none attached') },
    { label: l10n.t('Earlier history'), value: readHistory(group.readHistory) },
    { label: l10n.t('Created'), value: moment(group.createTime) },
    { label: l10n.t('Created by'), value: group.createBy },
    { label: l10n.t('Review'), value: review(group.checkChatInfoRecord) },
  ];
}

function botFacts(bot: Bot): Fact[] {
  return [
    { label: l10n.t('ID'), value: bot.botId },
    { label: l10n.t('Introduction'), value: bot.introduction.trim() },
    { label: l10n.t('Users'), value: count(bot.headcount) },
    { label: l10n.t('Visibility'), value: visibility(bot.private) },
    { label: l10n.t('Link'), value: bot.link },
    { label: l10n.t('Created'), value: moment(bot.createTime) },
    { label: l10n.t('Created by'), value: bot.createBy },
    { label: l10n.t('Review'), value: review(bot.checkChatInfoRecord) },
  ];
}

function userFacts(user: User): Fact[] {
  return [
    { label: l10n.t('ID'), value: user.userId },
    { label: l10n.t('Registered'), value: moment(user.registerTime) },
    { label: l10n.t('Days online'), value: count(user.onLineDay) },
    { label: l10n.t('Days online in a row'), value: count(user.continuousOnLineDay) },
    { label: l10n.t('VIP'), value: user.isVip === undefined ? '' : user.isVip ? l10n.t('yes') : l10n.t('no') },
    { label: l10n.t('Medals'), value: user.medals.length > 0 ? count(user.medals.length) : '' },
  ];
}

function readHistory(flag: number | undefined): string {
  if (flag === undefined) return '';
  return flag === 1 ? l10n.t('open to new members') : l10n.t('closed to new members');
}

function visibility(flag: number | undefined): string {
  if (flag === undefined) return '';
  return flag === 0 ? l10n.t('public') : l10n.t('private');
}

/** Only the status 0 is documented, and its meaning is not: the number is shown as it is. */
function review(record: Group['checkChatInfoRecord']): string {
  if (record?.status === undefined) return '';
  return phrases(l10n.t('status {0} (meaning not documented)', record.status), record.checkWay, record.reason);
}

/** A Unix time in seconds as a local date and time; 0 stands for a time that nobody knows. */
function moment(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  if (seconds === 0) return l10n.t('unknown');
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(seconds);
  return new Intl.DateTimeFormat(env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
}

const phrases = (...words: unknown[]) => words.filter(Boolean).join(' · ');
const count = (n: number | undefined) => (n === undefined ? '' : new Intl.NumberFormat(env.language).format(n));
