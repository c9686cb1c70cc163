/** Names and short summaries of groups, bots and users, and names of audiences, in the user's language. */
import { l10n } from 'vscode';
import { removeInvisible } from '../markup/escapeInvisible.ts';
import { AUDIENCES, MAX_MEMBERS } from '../platform/audiences.ts';
import { SANDBOX_ADDRESS } from '../platform/service.ts';
import type { Found, Kind } from '../service/model.ts';
import { shorten, shortenMiddle, truncate } from '../service/truncate.ts';
import { joinPhrases } from './factParts.ts';
import { entriesText, formatCount } from './formats.ts';

/** The codicon of each kind. */
export const KIND_ICONS = { group: 'organization', bot: 'hubot', user: 'account' } as const satisfies Record<
  Kind,
  string
>;

/** What a kind is called in a table or a sentence. */
export function kindText(kind: Kind): string {
  const names: Record<Kind, string> = { group: l10n.t('group'), bot: l10n.t('bot'), user: l10n.t('person') };
  return names[kind];
}

/** In UTF-16 units. */
const MAX_NAME_LENGTH = 200;

/** The name of a resource, or its ID if it has none. */
export function displayName(found: Found): string {
  switch (found.kind) {
    case 'group':
      return singleLineName(found.resource.name) || singleLineName(found.resource.groupId);
    case 'bot':
      return singleLineName(found.resource.nickname) || singleLineName(found.resource.botId);
    case 'user':
      return singleLineName(found.resource.nickname) || singleLineName(found.resource.userId);
  }
}

/** What was looked up before. */
export interface KnownNames {
  peek(kind: Kind, id: string): Found | undefined;
}

/** The name of a group, bot or user; undefined if it wasn't looked up. Makes no request. */
export function knownName(known: KnownNames, kind: Kind, id: string): string | undefined {
  const found = known.peek(kind, id);
  return found && displayName(found);
}

/** Like {@link knownName}, or else the ID. */
export const nameOrId = (known: KnownNames, kind: Kind, id: string) => knownName(known, kind, id) ?? id;

/** A name of limited length on one line, so that it can't pass for several names. */
export const singleLineName = (name: string) =>
  truncate(toSingleLine(truncate(name, 4 * MAX_NAME_LENGTH)), MAX_NAME_LENGTH);

/** In UTF-16 units. */
const MAX_IN_TAB = 60;

/** A name as a tab shows it, which is as wide as its title: a longer one would hide other tabs, and how to close it. */
export const nameInTab = (name: string) => shorten(name, MAX_IN_TAB);

/** In UTF-16 units. */
const MAX_IN_NOTICE = 40;

/** A name as a notification shows it: a longer one would hide what happened. The end of a file's name tells what it is. */
export const nameInNotice = (name: string) => shortenMiddle(singleLineName(name), MAX_IN_NOTICE);

/** Text on one line, without invisible and bidirectional control characters. A byte order mark is no space. */
export function toSingleLine(text: string): string {
  return removeInvisible(text.replace(/[^\S\uFEFF]|\p{Cc}/gu, ' '))
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** The name of the service at an address. */
export function serviceName(address: string): string {
  return address === SANDBOX_ADDRESS ? l10n.t('the sandbox') : address;
}

/** The name of the service at an address, without its scheme, where it only tells services apart. */
export const shortServiceName = (address: string) => singleLineName(serviceName(address).replace(/^https?:\/\//, ''));

/** A short summary to show next to the name: counts and known flags. Undocumented flag values are ignored. */
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

/** The name of an audience, which may be any text, as it is shown. */
export const audienceName = (name: string) => singleLineName(name) || JSON.stringify(name);

/** Why a typed name can't be used, or undefined. `taken` holds the names of the other audiences. */
export function audienceNameProblem(text: string, taken: ReadonlySet<string> = new Set()): string | undefined {
  const name = text.trim();
  if (!name) return l10n.t("A name can't be empty.");
  if (/[\r\n\v\f\u0085\u2028\u2029]/.test(name)) return l10n.t('A name must be on one line.');
  // VS Code loses a key of this name when it reads the settings.
  if (name === '__proto__') return l10n.t("“{0}” can't be a name.", name);
  return taken.has(name) ? l10n.t('An audience named “{0}” already exists.', audienceName(name)) : undefined;
}

/** Says which entries of an audience can't be read, and what to do. */
export const unreadableText = (name: string, entries: readonly unknown[]) =>
  l10n.t(
    "Audience {0} has entries that can't be read: {1}. Correct them in the setting {2}.",
    audienceName(name),
    entriesText(entries),
    AUDIENCES,
  );

/** Says that recipients are too many for an audience. */
export const tooManyText = () => l10n.t('An audience can have up to {0} recipients.', formatCount(MAX_MEMBERS));
