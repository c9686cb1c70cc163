/** How the sidebar's nodes look: the one place where tree items are made. */
import { l10n, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { displayName, KIND_ICONS, singleLineName, summaryOf } from '../presentation/describe.ts';
import { errorText, isOutage, shortErrorText } from '../presentation/errorText.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import type { Found, Kind } from '../service/model.ts';
import type { FactNode, LeadNode, NoteNode, SectionNode } from './nodes.ts';
import type { ChatRow, RowState } from './rows.ts';
import { sightOf } from './visibleRows.ts';
import type { WatchState } from './watch/serviceWatcher.ts';

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** How much of a value is shown (UTF-16 units): an address may be a whole picture. All of it can be copied. */
const DESCRIPTION = 200;
const TOOLTIP = 2000;

/** What a row shows beside what was looked up. */
export interface RowExtras {
  /** The person's own name for it. */
  readonly label: string | undefined;
  /** Where it is watched. */
  readonly watch: WatchState | undefined;
  /** A bot that can read and send: a token is saved for it. */
  readonly hasToken: boolean;
  /** In which round of lookups it is to be seen. */
  readonly round: number;
  /** It is told above all rows that the service cannot be reached. */
  readonly isOutageTold: boolean;
}

/** `shown` of the `listed` rows are there; fewer while the list is filtered. */
export function sectionItem({ kind }: SectionNode, { shown, listed }: { shown: number; listed: number }): TreeItem {
  const titles: Record<Kind, string> = { group: l10n.t('Groups'), bot: l10n.t('Bots'), user: l10n.t('People') };
  const item = new TreeItem(titles[kind], TreeItemCollapsibleState.Expanded);
  // VS Code opens again, under another ID, what the person has closed: what is found is to be seen.
  item.id = shown === listed ? kind : `${kind} filtered`;
  item.contextValue = `section ${kind}`;
  if (listed > 0) item.description = shown === listed ? `${listed}` : l10n.t('{0} of {1}', shown, listed);
  item.accessibilityInformation = { label: [titles[kind], item.description].filter(Boolean).join(', ') };
  return item;
}

export function chatItem(row: ChatRow, state: RowState, extras: RowExtras): TreeItem {
  const { found } = state;
  const title = titleOf(row, found, extras.label);
  const trouble = state.at === 'failed' ? state.error : extras.watch?.error;
  // What failed is told under the row, too.
  const opens = found || trouble;
  const item = new TreeItem(title, opens ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None);
  item.id = idOf(row);
  item.contextValue = contextOf(row, state, extras);
  item.iconPath = iconOf(row.kind, state, extras);
  // Only while it waits: VS Code would open the file that does not exist when a row is dragged into an editor.
  if (state.at === 'waiting') item.resourceUri = sightOf(row, extras.round);
  const name = found && displayName(found) !== title ? displayName(found) : '';
  const known = [...(found ? [name, summaryOf(found)] : []), extras.hasToken && l10n.t('token saved')];
  const news = newsOf(extras.watch) || (extras.watch && l10n.t('watched'));
  const description = joinPhrases(news, troubleOf(state, extras) || waitingFor(state), ...known);
  // A number beside a name that runs from right to left would be taken into it.
  item.description = RIGHT_TO_LEFT.test(title) ? `\u200E${description}` : description;
  const aloud = trouble ? joinPhrases(news, errorText(trouble), ...known) : description;
  item.accessibilityInformation = { label: [title, kindName(row.kind), aloud].filter(Boolean).join(', ') };
  if (row.kind !== 'bot') {
    item.command = { command: 'botChats.openHistory', title: l10n.t('Open Message History'), arguments: [row] };
  }
  return item;
}

/** Facts with more under them, and those that lead on, can be opened. `led` is what is known of whom it leads to. */
export function factItem(node: FactNode | LeadNode, led?: Found): TreeItem {
  const { fact } = node;
  const value = led && node.type === 'lead' && fact.value === node.id ? `${displayName(led)} (${node.id})` : fact.value;
  const opens = node.type === 'lead' || fact.children !== undefined;
  const item = new TreeItem(fact.label, opens ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None);
  item.id = idOf(node);
  item.description = shortened(value.replace(/\s*[\r\n][\s\S]*/, ' …'), DESCRIPTION);
  item.tooltip = shortened(value, TOOLTIP);
  item.contextValue = node.type === 'lead' ? `fact lead ${node.kind}` : value && 'fact';
  item.accessibilityInformation = { label: [fact.label, item.tooltip].filter(Boolean).join(': ') };
  return item;
}

export function noteItem({ text, icon, command }: NoteNode): TreeItem {
  const item = new TreeItem(text);
  item.iconPath = new ThemeIcon(icon, icon === 'warning' ? new ThemeColor('list.warningForeground') : undefined);
  item.tooltip = text;
  item.command = command;
  return item;
}

/** What a row is called: by the person's own label, its name, or its ID. */
export function titleOf(row: ChatRow, found: Found | undefined, label: string | undefined): string {
  return (label && singleLineName(label)) || (found ? displayName(found) : row.id);
}

/** Unique in the tree and the same over repaints, so that VS Code keeps what is open. */
function idOf(node: ChatRow | FactNode | LeadNode): string {
  if (node.type === 'chat') return `${node.kind} ${node.id}`;
  return `${idOf(node.parent)} › ${node.index} ${node.fact.label}`;
}

function contextOf({ kind }: ChatRow, { at, found }: RowState, { label, watch, hasToken }: RowExtras): string {
  const words = ['chat', kind, (at === 'failed' || watch?.error) && 'failed', found && 'known', label && 'labelled'];
  return [...words, watch && 'watched', watch?.unread && 'unread', hasToken && 'token'].filter(Boolean).join(' ');
}

function iconOf(kind: Kind, { at, found }: RowState, { watch }: RowExtras): ThemeIcon {
  if (at === 'failed' || watch?.error) return new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  if (at === 'loading' && !found) return new ThemeIcon('loading~spin');
  const news = watch?.unread ? new ThemeColor('notificationsInfoIcon.foreground') : undefined;
  return new ThemeIcon(stateIcon(found) ?? KIND_ICONS[kind], news);
}

/** A private bot, or a VIP. */
function stateIcon(found: Found | undefined): string | undefined {
  if (found?.kind === 'bot' && found.resource.private === 1) return 'lock';
  return found?.kind === 'user' && found.resource.isVip === 1 ? 'verified' : undefined;
}

/** How many new messages a watched chat has. */
export function newsOf(watch: WatchState | undefined): string {
  if (!watch?.unread) return '';
  if (watch.more) return l10n.t('{0}+ new', watch.unread);
  return l10n.t('{0} new', watch.unread);
}

function troubleOf(state: RowState, { watch, isOutageTold }: RowExtras): string {
  if (state.at === 'failed' && !(isOutageTold && isOutage(state.error))) return shortErrorText(state.error);
  return watch?.error ? l10n.t('not watched: {0}', shortErrorText(watch.error)) : '';
}

const waitingFor = ({ at, found }: RowState) => (!found && at === 'loading' ? l10n.t('Looking up…') : '');

function kindName(kind: Kind): string {
  const names: Record<Kind, string> = { group: l10n.t('group'), bot: l10n.t('bot'), user: l10n.t('person') };
  return names[kind];
}

const shortened = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text);
