/** Creates the tree items of the outbox. */
import { env, l10n, type MarkdownString, ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { excerpt, truncate } from '../markup/escapeInvisible.ts';
import { textTooltip } from '../presentation/card.ts';
import { KIND_ICONS, shortServiceName, singleLineName } from '../presentation/describe.ts';
import { joinPhrases } from '../presentation/factParts.ts';
import { formatCount, formatDateTime } from '../presentation/formats.ts';
import { systemClock } from '../service/clock.ts';
import type { Recipient } from './batches.ts';
import { actionsOn, stateOf } from './deliveryState.ts';
import { type DeliveryStatus, OUTCOME_STATES, type Outcome, type OutcomeState } from './deliveryStatus.ts';
import { creationTimeOf } from './deliveryStore.ts';
import type { OutboxEntry } from './outbox.ts';
import { DamagedError } from './recordFiles.ts';
import { detailOf, headline, originOf, stateText } from './report.ts';
import { dueText, scheduleOf } from './scheduledText.ts';
import { hasDocument } from './sentDocument.ts';

const STATE_ICONS = {
  reached: ['pass', 'testing.iconPassed'],
  unconfirmed: ['question', 'list.warningForeground'],
  absent: ['warning', 'list.warningForeground'],
  rejected: ['error', 'list.errorForeground'],
  unknown: ['question', 'list.warningForeground'],
  notSent: ['circle-slash', 'list.warningForeground'],
} as const satisfies Record<OutcomeState, readonly [icon: string, color: string]>;

/** How much of a message a tooltip shows (UTF-16 units). */
const MAX_TOOLTIP = 1_000;

/** How much of a long name is shown, and of its end (UTF-16 units). In a narrow row, more would hide the outcome. */
const MAX_NAME = 32;
const NAME_END = 10;

/** `connected` is the address of the connected service, if any. */
export function deliveryItem(entry: OutboxEntry, connected: string | undefined): TreeItem {
  const { status, isCanceling } = entry;
  const { delivery } = status;
  const isRunning = stateOf(entry) === 'sending';
  const due = isRunning ? undefined : entry.due;
  const item = new TreeItem(shortName(singleLineName(delivery.name)), TreeItemCollapsibleState.Collapsed);
  item.id = delivery.id;
  const activity = isRunning ? (isCanceling ? l10n.t('canceling…') : l10n.t('sending…')) : '';
  const reached = due === undefined ? reachedText(status) : dueText(due, systemClock.wall());
  const service = delivery.service === connected ? '' : shortServiceName(delivery.service);
  const time = due === undefined && formatDateTime(delivery.at);
  item.description = joinPhrases(isCanceling && activity, reached, service, time);
  const icon = due === undefined ? iconOf(worstState(status)) : new ThemeIcon('clock');
  item.iconPath = isRunning ? new ThemeIcon('sync~spin') : icon;
  item.contextValue = ['delivery', ...actionsOn(entry), ...(hasDocument(delivery) ? ['compare'] : [])].join(' ');
  const summary = [activity, reached].filter(Boolean).join(', ');
  item.accessibilityInformation = { label: `${singleLineName(delivery.name)}, ${joinPhrases(summary, service, time)}` };
  return item;
}

export function deliveryTooltip({ status, unreadableCount, due }: OutboxEntry): MarkdownString {
  const { delivery } = status;
  const lines =
    unreadableCount === 1
      ? l10n.t("1 line of the stored delivery can't be read.")
      : l10n.t("{0} lines of the stored delivery can't be read.", formatCount(unreadableCount));
  const notes = unreadableCount > 0 ? [lines] : [];
  const origin = due === undefined ? originOf(delivery) : scheduleOf(delivery, due);
  return textTooltip([delivery.name, headline(status), origin, ...notes].join('\n\n'));
}

export function unreadableItem(id: string, error: unknown): TreeItem {
  const item = new TreeItem(l10n.t('Unreadable delivery'), TreeItemCollapsibleState.None);
  item.id = id;
  item.description = formatDateTime(creationTimeOf(id));
  item.iconPath = new ThemeIcon('error', new ThemeColor('list.errorForeground'));
  item.tooltip = textTooltip([unreadableText(error), l10n.t('Try again, or delete it from the outbox.')].join('\n\n'));
  item.contextValue = 'unreadable remove';
  return item;
}

/** Why a delivery can't be read. */
export function unreadableText(error: unknown): string {
  if (error instanceof DamagedError) return l10n.t("This delivery can't be read: its file is damaged.");
  return l10n.t("This delivery can't be read ({0}).", excerpt(error instanceof Error ? error.message : String(error)));
}

export function stateItem(id: string, state: OutcomeState, count: number): TreeItem {
  const item = new TreeItem(stateTitle(state), TreeItemCollapsibleState.Collapsed);
  item.id = `${id} ${state}`;
  item.description = formatCount(count);
  item.iconPath = iconOf(state);
  return item;
}

/** `text` is what only this recipient reads, if so. */
export function recipientItem(
  id: string,
  { type, id: chatId, name }: Recipient,
  outcome: Outcome,
  text?: string,
): TreeItem {
  const item = new TreeItem(singleLineName(name), TreeItemCollapsibleState.None);
  item.id = `${id} ${type} ${chatId}`;
  item.description = name === chatId ? '' : singleLineName(chatId);
  item.iconPath = new ThemeIcon(KIND_ICONS[type]);
  const facts = [name, chatId, stateText(outcome.state), detailOf(outcome)].join('\n');
  item.tooltip = textTooltip(text === undefined ? facts : `${facts}\n\n${truncate(text, MAX_TOOLTIP)}`);
  item.contextValue = 'recipient';
  return item;
}

export function moreItem(id: string, count: number): TreeItem {
  const item = new TreeItem(l10n.t('… and {0} more in the report', formatCount(count)), TreeItemCollapsibleState.None);
  item.command = { command: 'botChats.openReport', title: l10n.t('Open Report'), arguments: [id] };
  return item;
}

/** A name without its middle if it's long: its end often tells documents apart. */
export function shortName(name: string): string {
  if (name.length <= MAX_NAME) return name;
  const end = name.slice(-NAME_END).replace(/^[\uDC00-\uDFFF]/, '');
  return `${truncate(name, MAX_NAME - NAME_END)}…${end}`;
}

function reachedText({ counts, total }: DeliveryStatus): string {
  return l10n.t('{0} of {1} reached', formatCount(counts.reached), formatCount(total));
}

/** The state that needs the most attention. */
function worstState({ counts }: DeliveryStatus): OutcomeState {
  return OUTCOME_STATES.find((state) => counts[state] > 0) ?? 'reached';
}

function stateTitle(state: OutcomeState): string {
  const text = stateText(state);
  return text.charAt(0).toLocaleUpperCase(env.language) + text.slice(1);
}

function iconOf(state: OutcomeState): ThemeIcon {
  const [icon, color] = STATE_ICONS[state];
  return new ThemeIcon(icon, new ThemeColor(color));
}
