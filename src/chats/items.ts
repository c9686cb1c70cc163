/** How the sidebar's nodes look: the one place where tree items are made. */
import { l10n, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { Found, Kind } from '../service/model.ts';
import { cardOf } from '../words/card.ts';
import { type Fact, KIND_ICONS, nameOf, summaryOf } from '../words/describe.ts';
import { brief, explain } from '../words/explain.ts';
import type { ChatRow, RowState } from './rows.ts';

/** A section of the sidebar. */
export interface SectionNode {
  readonly type: 'section';
  readonly kind: Kind;
}
/** One detail of a looked-up row. */
export interface FactNode {
  readonly type: 'fact';
  readonly row: ChatRow;
  readonly fact: Fact;
}
/** A sentence for the person in place of rows; `settings` names what opens when it is chosen. */
export interface NoteNode {
  readonly type: 'note';
  readonly text: string;
  readonly icon: 'add' | 'warning' | 'gear';
  readonly settings: string;
}
export type ChatNode = SectionNode | ChatRow | FactNode | NoteNode;

export function sectionItem({ kind }: SectionNode, count: number): TreeItem {
  const titles: Record<Kind, string> = { group: l10n.t('Groups'), bot: l10n.t('Bots'), user: l10n.t('People') };
  const item = new TreeItem(titles[kind], TreeItemCollapsibleState.Expanded);
  item.id = kind;
  item.contextValue = 'section';
  if (count > 0) item.description = String(count);
  return item;
}

export function chatItem(row: ChatRow, state: RowState): TreeItem {
  const { found } = state;
  const name = found ? nameOf(found) : row.id;
  const item = new TreeItem(name, found ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None);
  item.id = `${row.kind} ${row.id}`;
  item.contextValue = state.at === 'failed' ? `${row.kind} failed` : row.kind;
  item.iconPath = iconOf(row.kind, state);
  if (state.at === 'failed') {
    item.description = brief(state.error);
    item.tooltip = explain(state.error);
  } else if (found) {
    item.description = summaryOf(found);
    item.tooltip = cardOf(found);
  } else {
    item.description = l10n.t('Looking up…');
  }
  const aloud = state.at === 'failed' ? explain(state.error) : item.description;
  item.accessibilityInformation = { label: [name, aloud].filter(Boolean).join(', ') };
  if (row.kind !== 'bot') {
    item.command = { command: 'botChats.openHistory', title: l10n.t('Open Message History'), arguments: [row] };
  }
  return item;
}

export function factItem({ fact }: FactNode): TreeItem {
  const [firstLine = '', ...more] = fact.value.split(/\r?\n/);
  const item = new TreeItem(fact.label);
  item.description = more.length > 0 ? `${firstLine} …` : firstLine;
  item.tooltip = fact.value;
  item.contextValue = 'fact';
  item.accessibilityInformation = { label: `${fact.label}: ${fact.value}` };
  return item;
}

export function noteItem({ text, icon, settings }: NoteNode): TreeItem {
  const item = new TreeItem(text);
  item.iconPath = new ThemeIcon(icon);
  item.tooltip = text;
  item.command = { command: 'workbench.action.openSettings', title: l10n.t('Open Settings'), arguments: [settings] };
  return item;
}

function iconOf(kind: Kind, { at, found }: RowState): ThemeIcon {
  if (at === 'failed') return new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  if (at === 'loading') return new ThemeIcon('loading~spin');
  return new ThemeIcon(isPrivateBot(found) ? 'lock' : KIND_ICONS[kind]);
}

const isPrivateBot = (found: Found | undefined) => found?.kind === 'bot' && Boolean(found.resource.private);
