/** Names and short summaries of groups, bots and users, and names of audiences, in the user's language. */
import { escapeAllInvisible, removeInvisible, shortenShown } from '../markup/escapeInvisible.ts';
import { AUDIENCES, MAX_MEMBERS } from '../platform/audiences.ts';
import { type Connection, SANDBOX_ADDRESS, type Service } from '../platform/service.ts';
import { type Found, idOf, type Kind, type Reference } from '../service/model.ts';
import { shortenMiddle, truncate } from '../service/truncate.ts';
import { joinPhrases } from './factParts.ts';
import { entriesText, formatCount } from './formats.ts';
import { l10n, type ShownText } from './shown.ts';

/** The codicon of each kind. */
export const KIND_ICONS = { group: 'organization', bot: 'hubot', user: 'account' } as const satisfies Record<
  Kind,
  string
>;

/** What a kind is called in a table or a sentence. */
export function kindText(kind: Kind): ShownText {
  const names: Record<Kind, ShownText> = { group: l10n.t('group'), bot: l10n.t('bot'), user: l10n.t('person') };
  return names[kind];
}

/** How much of a name is shown (UTF-16 units). */
const MAX_NAME_LENGTH = 200;

/**
 * The service's own name of a resource, or its ID if it has none. The user may call it something else: everywhere but beside
 * that name, and in what others get, {@link nameOrId} says what is shown.
 */
export function ownName(found: Found): ShownText {
  const name = found.kind === 'group' ? found.resource.name : found.resource.nickname;
  return singleLineName(name) || singleLineName(idOf(found));
}

/** What was looked up before, and the user's own names. */
export type KnownNames = Pick<Service['directory'], 'labelOf' | 'peek'>;

/** The user's own name for a group, bot or user, if there is one. */
export const knownLabel = (known: Pick<KnownNames, 'labelOf'>, kind: Kind, id: string) =>
  singleLineName(known.labelOf(kind, id) ?? '') || undefined;

/**
 * The service's own name of a group, bot or user; undefined if it wasn't looked up. Makes no request. Documents, files, records
 * and what is copied from them have it, because others may read them: the user's own names are seen only in this window.
 */
export function knownOwnName(known: Pick<KnownNames, 'peek'>, kind: Kind, id: string): ShownText | undefined {
  const found = known.peek(kind, id);
  return found && ownName(found);
}

/** What a group, bot or user is called: as the user calls it, or else by its own name, if that was looked up. Makes no request. */
export const knownName = (known: KnownNames, kind: Kind, id: string) =>
  knownLabel(known, kind, id) ?? knownOwnName(known, kind, id);

/** The service's own name of a resource that the user calls something else, to tell it apart by; empty for any other. */
export function otherName(known: KnownNames, kind: Kind, id: string): ShownText {
  const own = knownOwnName(known, kind, id) ?? '';
  return own === knownName(known, kind, id) ? '' : own;
}

/** A resource that has a recorded name, with what the user calls it now. */
export function withLabel<R extends Reference>(
  one: R,
  known: Pick<KnownNames, 'labelOf'> | undefined,
): R & { label?: ShownText } {
  const label = known && knownLabel(known, one.kind, one.id);
  return label === undefined ? one : { ...one, label };
}

/** The names at a service; undefined unless that service is connected. Makes no request. */
export const namesAt = (connection: Pick<Connection, 'open'>, address: string): Promise<KnownNames | undefined> =>
  connection.open().then(
    (service) => (service.address === address ? service.directory : undefined),
    () => undefined,
  );

/** Like {@link knownName}, or else the ID. */
export const nameOrId = (known: KnownNames, kind: Kind, id: string) =>
  knownName(known, kind, id) ?? escapeAllInvisible(id);

/** A name of limited length on one line, so that it can't pass for several names. */
export const singleLineName = (name: string) =>
  truncate(toSingleLine(truncate(name, 4 * MAX_NAME_LENGTH)), MAX_NAME_LENGTH) as ShownText;

/** How much of a name a tab shows (UTF-16 units). */
const MAX_IN_TAB = 60;

/** A name as a tab shows it. A tab is as wide as its title: a longer title would hide other tabs, and how to close it. */
export const nameInTab = (name: string) => shortenShown(singleLineName(name), MAX_IN_TAB);

/** How much of a name a notification shows (UTF-16 units). */
const MAX_IN_NOTICE = 40;

/** A name as a notification shows it: a longer name would hide what happened. The end of a file's name tells what it is. */
export const nameInNotice = (name: string) => shortenMiddle(singleLineName(name), MAX_IN_NOTICE) as ShownText;

/** Text on one line, without invisible and bidirectional control characters. A byte order mark is no space. */
export function toSingleLine(text: string): ShownText {
  return removeInvisible(text.replace(/[^\S\uFEFF]|\p{Cc}/gu, ' '))
    .replace(/ {2,}/g, ' ')
    .trim() as ShownText;
}

/** The name of the service at an address. */
export const serviceName = (address: string) => escapeAllInvisible(nameOfService(address));

const nameOfService = (address: string) => (address === SANDBOX_ADDRESS ? l10n.t('the sandbox') : address);

/** The name of the service at an address, without its scheme, where it only tells services apart. */
export const shortServiceName = (address: string) => singleLineName(nameOfService(address).replace(/^https?:\/\//, ''));

/** A short summary to show next to the name: counts and known flags. Undocumented flag values are ignored. */
export function summaryOf(found: Found): ShownText {
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
export const audienceName = (name: string) => singleLineName(name) || escapeAllInvisible(JSON.stringify(name));

/** Why a typed name can't be used, or undefined. `taken` holds the names of the other audiences. */
export function audienceNameProblem(text: string, taken: ReadonlySet<string> = new Set()): ShownText | undefined {
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
