/** How the rows of the outbox look: the one place where its tree items are made. */
import { env, l10n, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { textCard } from '../../words/card.ts';
import { KIND_ICONS } from '../../words/describe.ts';
import { type Account, type Outcome, STATES, type State } from '../outbox/account.ts';
import type { Kept } from '../outbox/store.ts';
import type { Recipient } from '../plan.ts';
import { detailOf, headline, stateText } from '../report.ts';

const STATE_ICONS = {
  reached: ['pass', 'testing.iconPassed'],
  missing: ['warning', 'list.warningForeground'],
  rejected: ['error', 'list.errorForeground'],
  unknown: ['question', 'list.warningForeground'],
  notSent: ['debug-pause', 'list.warningForeground'],
} as const satisfies Record<State, readonly [icon: string, color: string]>;

export function deliveryItem({ account, isRunning, unreadable, resentBy }: Kept): TreeItem {
  const { delivery, counts, total } = account;
  const item = new TreeItem(delivery.name, TreeItemCollapsibleState.Collapsed);
  item.id = delivery.id;
  const sum = l10n.t('{0} of {1} reached', number(counts.reached), number(total));
  const when = new Intl.DateTimeFormat(env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(delivery.at);
  item.description = [sum, when].join(' · ');
  item.iconPath = isRunning ? new ThemeIcon('sync~spin') : iconOf(worst(account));
  const lost = unreadable > 0 ? [l10n.t('{0} lines of its journal cannot be read.', unreadable)] : [];
  const said = [delivery.name, headline(account), l10n.t('{0}, sent by {1}', when, delivery.bot.name), ...lost];
  item.tooltip = textCard(said.join('\n\n'));
  const marks = [
    'delivery',
    isRunning ? 'running' : 'idle',
    ...(counts.notSent + counts.rejected > 0 && resentBy === undefined ? ['open'] : []),
    ...(counts.unknown > 0 ? ['unknown'] : []),
    ...(counts.reached < total ? ['unreached'] : []),
  ];
  item.contextValue = marks.join(' ');
  item.accessibilityInformation = {
    label: `${delivery.name}, ${isRunning ? l10n.t('being sent') : ''} ${item.description}`,
  };
  return item;
}

export function stateItem(id: string, state: State, count: number): TreeItem {
  const item = new TreeItem(stateTitle(state), TreeItemCollapsibleState.Collapsed);
  item.id = `${id} ${state}`;
  item.description = number(count);
  item.iconPath = iconOf(state);
  return item;
}

export function recipientItem(id: string, { type, id: chat, name }: Recipient, outcome: Outcome): TreeItem {
  const item = new TreeItem(name, TreeItemCollapsibleState.None);
  item.id = `${id} ${type} ${chat}`;
  item.description = name === chat ? '' : chat;
  item.iconPath = new ThemeIcon(KIND_ICONS[type]);
  item.tooltip = textCard([name, chat, stateText(outcome.state), detailOf(outcome)].join('\n'));
  item.contextValue = 'recipient';
  return item;
}

export function moreItem(id: string, more: number): TreeItem {
  const item = new TreeItem(l10n.t('… and {0} more, in the report', number(more)), TreeItemCollapsibleState.None);
  item.command = { command: 'botChats.openReport', title: l10n.t('Open Report'), arguments: [id] };
  return item;
}

/** The state that the person most needs to know of. */
function worst({ counts }: Account): State {
  return STATES.find((state) => counts[state] > 0) ?? 'reached';
}

function stateTitle(state: State): string {
  const text = stateText(state);
  return text.charAt(0).toLocaleUpperCase(env.language) + text.slice(1);
}

function iconOf(state: State): ThemeIcon {
  const [icon, color] = STATE_ICONS[state];
  return new ThemeIcon(icon, new ThemeColor(color));
}

const number = (value: number) => value.toLocaleString(env.language);
