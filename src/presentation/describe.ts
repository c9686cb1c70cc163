/** Groups, bots and users in a few words of the person's language. */
import { l10n } from 'vscode';
import { SANDBOX_ADDRESS } from '../platform/service.ts';
import type { Found, Kind } from '../service/model.ts';
import { joinPhrases } from './factParts.ts';
import { formatCount } from './formats.ts';

/** The codicon that stands for a kind everywhere. */
export const KIND_ICONS = { group: 'organization', bot: 'hubot', user: 'account' } as const satisfies Record<
  Kind,
  string
>;

/** How much of a name is shown (UTF-16 units). */
const NAME = 200;

/** The name to show: the resource's own, or its ID where it has none. */
export function displayName(found: Found): string {
  switch (found.kind) {
    case 'group':
      return singleLineName(found.resource.name) || found.resource.groupId;
    case 'bot':
      return singleLineName(found.resource.nickname) || found.resource.botId;
    case 'user':
      return singleLineName(found.resource.nickname) || found.resource.userId;
  }
}

/** A name that cannot pass for more than one: see {@link toSingleLine}. */
export const singleLineName = (name: string) => toSingleLine(name.slice(0, 4 * NAME)).slice(0, NAME);

/** Text on one line, with nothing unseen that turns the text around it. */
export function toSingleLine(text: string): string {
  return text
    .replace(/[\u200B\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** What to call a service by its address. */
export function serviceName(address: string): string {
  return address === SANDBOX_ADDRESS ? l10n.t('the sandbox') : address;
}

/** A few words beside the name: how many members or users, and what is special. Flags of unknown meaning are not. */
export function summaryOf(found: Found): string {
  switch (found.kind) {
    case 'group': {
      const { headcount } = found.resource;
      if (headcount === undefined) return '';
      return headcount === 1 ? l10n.t('1 member') : l10n.t('{0} members', formatCount(headcount));
    }
    case 'bot': {
      const { headcount, private: isPrivate } = found.resource;
      const users = headcount === 1 ? l10n.t('1 user') : l10n.t('{0} users', formatCount(headcount));
      return joinPhrases(headcount !== undefined && users, isPrivate === 1 && l10n.t('private'));
    }
    case 'user': {
      const { isVip, onLineDay } = found.resource;
      const days = onLineDay === 1 ? l10n.t('1 day online') : l10n.t('{0} days online', formatCount(onLineDay));
      return joinPhrases(isVip === 1 && l10n.t('VIP'), onLineDay !== undefined && days);
    }
  }
}
