/** Makes the tree items of the sidebar's nodes, and the tooltips of rows. */
import { ThemeColor, ThemeIcon, TreeItemCollapsibleState } from 'vscode';
import type { AvatarCache } from '../directory/avatarCache.ts';
import type { Directory } from '../directory/directory.ts';
import { escapeAllInvisible, escapeInvisible, excerpt, joinShown, visibleText } from '../markup/escapeInvisible.ts';
import type { Refusal } from '../platform/tokens.ts';
import { cardOf } from '../presentation/card.ts';
import { KIND_ICONS, kindText, nameOrId, ownName, summaryOf } from '../presentation/describe.ts';
import { errorText, shortErrorText } from '../presentation/errorText.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import { formatCount, spokenText } from '../presentation/formats.ts';
import { onListText } from '../presentation/neverSend.ts';
import { type Card, l10n, Row, type ShownText } from '../presentation/shown.ts';
import { refusalText } from '../presentation/tokenState.ts';
import { isOutage } from '../service/errors.ts';
import type { Found, Kind } from '../service/model.ts';
import type { Match } from './activity/activityRules.ts';
import { matchText } from './activity/activityTexts.ts';
import type { FactNode, NoteNode, ReferenceNode, SectionNode } from './nodes.ts';
import type { ChatRow, RowState } from './rows.ts';
import { rowUri } from './visibleRows.ts';
import type { WatchState } from './watch/watchList.ts';

/** The longest shown value in UTF-16 units: a `data:` URI can be a whole image. Copying takes all of a value. */
const MAX_DESCRIPTION = 200;
const MAX_TOOLTIP = 2000;

/** What a row shows besides its state. */
export interface RowExtras {
  /** The user's own name for the group, bot or user. */
  readonly label: ShownText | undefined;
  /** Set if the chat is watched. */
  readonly watch: WatchState | undefined;
  /** Why new messages of the chat need the user. */
  readonly match: Match | undefined;
  /** Set for a bot whose token is saved, so that it can read and send. */
  readonly hasToken: boolean;
  /** How the service refused the bot's token, if it did. */
  readonly refusal?: Refusal | undefined;
  /** Set for a chat whose messages are kept on this computer. */
  readonly isArchived: boolean;
  /** The note on the *Do Not Send* list, perhaps empty; undefined for a chat that isn't on it. */
  readonly never?: string | undefined;
  /** The generation of the row's {@link rowUri}. */
  readonly generation: number;
  /** Whether a note above the rows says that the service can't be reached. */
  readonly isOutageShown: boolean;
}

/** What the tooltip of a row shows besides its state. */
export interface TooltipExtras extends Pick<RowExtras, 'watch' | 'match' | 'hasToken' | 'refusal' | 'never'> {
  readonly directory: Directory;
  readonly avatars: AvatarCache;
  /** Called when the avatar arrives too late. VS Code requests the tooltip again after the row is repainted. */
  onLateAvatar(): void;
}

/** While the list is filtered, `shown` is less than `listed`. */
export function sectionItem({ kind }: SectionNode, { shown, listed }: { shown: number; listed: number }): Row {
  const titles: Record<Kind, ShownText> = { group: l10n.t('Groups'), bot: l10n.t('Bots'), user: l10n.t('People') };
  const item = new Row(titles[kind], TreeItemCollapsibleState.Expanded);
  // Under a new ID, VS Code expands a collapsed section, so that the rows found by a filter are visible.
  item.id = shown === listed ? kind : `${kind} filtered`;
  item.contextValue = `section ${kind}`;
  const count = formatCount(listed);
  if (listed > 0) item.description = shown === listed ? count : l10n.t('{0} of {1}', formatCount(shown), count);
  item.accessibilityInformation = { label: spokenText(titles[kind], item.description) };
  return item;
}

export function chatItem(row: ChatRow, state: RowState, extras: RowExtras): Row {
  const { found } = state;
  const title = titleOf(row, found, extras.label);
  const error = state.status === 'failed' ? state.error : extras.watch?.error;
  // The error is also shown below the row.
  const isExpandable = found || error;
  const item = new Row(title, isExpandable ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None);
  item.id = idOf(row);
  item.contextValue = contextOf(row, state, extras);
  item.iconPath = iconOf(row.kind, state, extras);
  // A row has a URI only where it needs one: VS Code would open the virtual file when the row is dragged into an editor.
  if (state.status === 'waiting' || extras.watch?.unread) {
    item.resourceUri = rowUri(row, extras.generation, extras.watch);
  }
  const name = found && ownName(found) !== title ? ownName(found) : '';
  const never = extras.never !== undefined && l10n.t('do not send');
  const facts = [never, extras.hasToken && tokenText(extras), ...(found ? [name, summaryOf(found)] : [])];
  const description = joinPhrases(shortError(state, extras) || loadingText(state), ...facts);
  item.describe(description);
  // The icon and the badge in words.
  const unread = unreadText(extras.watch) || (extras.watch && l10n.t('watching'));
  const match = extras.match && matchText(extras.match);
  const spoken = joinPhrases(unread, match, ...(error ? [errorText(error), ...facts] : [description]));
  item.accessibilityInformation = { label: spokenText(title, kindText(row.kind), spoken) };
  if (row.kind !== 'bot') {
    item.command = { command: 'botChats.openHistory', title: l10n.t('Open Message History'), arguments: [row] };
  }
  return item;
}

/** The card of a row, with its avatar if it loads in time, and its errors. */
export async function tooltipOf(state: RowState, extras: TooltipExtras): Promise<Card | ShownText> {
  const { found } = state;
  const notes = [...(state.status === 'failed' ? [errorText(state.error)] : []), ...watchNotes(extras)];
  if (extras.never !== undefined) notes.push(onListText(extras.never));
  if (extras.refusal) notes.push(l10n.t('The token was refused. {0}', refusalText(extras.refusal)));
  else if (extras.hasToken) notes.push(l10n.t('Token saved. This bot can read and send messages.'));
  if (!found) return joinShown(notes, '\n');
  const avatar = await extras.avatars.getSoon(found.resource.avatarUrl, { late: () => extras.onLateAvatar() });
  return cardOf(found, { notes, avatar, known: extras.directory });
}

function watchNotes({ watch, match, directory }: TooltipExtras): ShownText[] {
  if (!watch) return [];
  const watched = l10n.t('Watching as {0}', nameOrId(directory, 'bot', watch.botId));
  const unread = match ? l10n.t('{0} ({1})', unreadText(watch), matchText(match)) : unreadText(watch);
  return [joinPhrases(watched, unread), ...(watch.error ? [errorText(watch.error)] : [])];
}

/** The item of a fact. `name` is that of the group, bot or user that a reference refers to, if known. */
export function factItem(node: FactNode | ReferenceNode, name?: string, isListed = false): Row {
  const { fact } = node;
  const isReference = node.type === 'reference';
  const value = name && isReference && fact.value === node.id ? l10n.t('{0} ({1})', name, node.id) : fact.value;
  const isExpandable = isReference || fact.children !== undefined;
  const item = new Row(
    excerpt(fact.label),
    isExpandable ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None,
  );
  item.id = idOf(node);
  const lineEnd = value.search(/[\r\n]/);
  const firstLine = lineEnd < 0 ? value : `${value.slice(0, lineEnd).trimEnd()} …`;
  item.description = visibleText(firstLine, MAX_DESCRIPTION);
  item.tooltip = visibleText(value, MAX_TOOLTIP);
  item.contextValue = isReference ? `fact reference ${node.kind}${isListed ? ' listed' : ''}` : value && 'fact';
  const spoken = value ? l10n.t('{0}: {1}', fact.label, visibleText(value, MAX_TOOLTIP)) : escapeInvisible(fact.label);
  item.accessibilityInformation = { label: spoken };
  return item;
}

export function noteItem({ text, icon, command }: NoteNode): Row {
  const item = new Row(text);
  item.iconPath = new ThemeIcon(icon, icon === 'warning' ? new ThemeColor('list.warningForeground') : undefined);
  item.tooltip = text;
  item.command = command;
  return item;
}

/** The label of a row, or the name that was found last, or its ID. */
export const titleOf = (row: ChatRow, found: Found | undefined, label: ShownText | undefined) =>
  label ?? (found ? ownName(found) : escapeAllInvisible(row.id));

/** The ID of a node: unique in the tree and stable, so that VS Code keeps expanded nodes expanded. */
function idOf(node: ChatRow | FactNode | ReferenceNode): string {
  if (node.type === 'chat') return `${node.kind} ${node.id}`;
  return `${idOf(node.parent)} › ${node.index} ${node.fact.label}`;
}

function contextOf({ kind }: ChatRow, { status, found }: RowState, extras: RowExtras): string {
  const { label, watch, hasToken, refusal, isArchived, never } = extras;
  const words = [
    'chat',
    kind,
    (status === 'failed' || watch?.error) && 'failed',
    found && 'known',
    label && 'labelled',
  ];
  const states = [
    watch && 'watched',
    watch?.unread && 'unread',
    hasToken && 'token',
    refusal && 'refused',
    isArchived && 'archived',
    never !== undefined && 'never',
  ];
  return [...words, ...states].filter(Boolean).join(' ');
}

function iconOf(kind: Kind, { status, found }: RowState, { watch, match, refusal, never }: RowExtras): ThemeIcon {
  if (status === 'failed' || watch?.error || refusal)
    return new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  if (status === 'loading' && !found) return new ThemeIcon('loading~spin');
  const color = watch?.unread ? new ThemeColor('notificationsInfoIcon.foreground') : undefined;
  const watching = match ? 'bell-dot' : watch && 'eye';
  const icon = watching ?? (never !== undefined ? 'mute' : (stateIcon(found) ?? KIND_ICONS[kind]));
  return new ThemeIcon(icon, color);
}

const tokenText = ({ refusal }: RowExtras) => (refusal ? l10n.t('token refused') : l10n.t('token saved'));

/** The icon of a private bot or a VIP. */
function stateIcon(found: Found | undefined): string | undefined {
  if (found?.kind === 'bot' && found.resource.private === 1) return 'lock';
  return found?.kind === 'user' && found.resource.isVip === 1 ? 'verified' : undefined;
}

/** The number of new messages in a watched chat, or empty. */
export function unreadText(watch: WatchState | undefined): ShownText {
  if (!watch?.unread) return '';
  const unread = formatCount(watch.unread);
  return watch.more ? l10n.t('{0}+ new', unread) : l10n.t('{0} new', unread);
}

function shortError(state: RowState, { watch, isOutageShown }: RowExtras): ShownText {
  if (state.status === 'failed' && !(isOutageShown && isOutage(state.error))) return shortErrorText(state.error);
  return watch?.error ? l10n.t("can't watch: {0}", shortErrorText(watch.error)) : '';
}

const loadingText = ({ status, found }: RowState) => (!found && status === 'loading' ? l10n.t('Looking up…') : '');
