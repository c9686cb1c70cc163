/** The outbox as a tree: deliveries, then outcome states and resends, then recipients. */
import { ThemeColor, ThemeIcon, TreeItemCollapsibleState } from 'vscode';
import { shownCount } from '../../markup/escapeInvisible.ts';
import type { ShownView } from '../../platform/defer.ts';
import type { Connection } from '../../platform/service.ts';
import { KIND_ICONS, namesAt, shortServiceName, singleLineName, withLabel } from '../../presentation/describe.ts';
import { joinPhrases } from '../../presentation/factParts.ts';
import { formatCount, formatDateTime, formatShortTime, spokenText } from '../../presentation/formats.ts';
import { type Card, l10n, Row, type ShownText, textCard } from '../../presentation/shown.ts';
import { systemClock } from '../../service/clock.ts';
import { chatKey } from '../../service/model.ts';
import { truncate } from '../../service/truncate.ts';
import { textsOf } from '../outbox/deliveryMessages.ts';
import { type DeliveryStatus, OUTCOME_STATES, type Outcome, type OutcomeState } from '../outbox/deliveryStatus.ts';
import {
  detailOf,
  dueText,
  headingOf,
  headlineOf,
  movedTexts,
  originOf,
  plannedTexts,
  scheduleOf,
  shortHeading,
  stateText,
  stateTitle,
  testTexts,
  unpickedTexts,
  unreadableText,
} from '../outbox/deliveryTexts.ts';
import { hasDocument } from '../outbox/editedDocuments.ts';
import type { Outbox } from '../outbox/outbox.ts';
import {
  actionsOn,
  actionsOnFamily,
  isScheduled,
  mayHaveReplies,
  type OutboxEntry,
  type StoredEntry,
  sentTimeOf,
  shownTimeOf,
  stateOf,
  type UnreadableEntry,
} from '../outbox/outboxEntry.ts';
import { creationTimeOf, type Delivery } from '../outbox/record.ts';
import { type DeliveryFamily, familiesOf, jointEntry } from '../outbox/resends.ts';
import { type Recipient, shownName } from '../plan/deliveryPlan.ts';

/** The delivery of a row, as it was when the row was created. In the row of a family, it has the joint outcome. */
interface OfDelivery {
  readonly id: string;
  readonly entry: OutboxEntry;
}

export type OutboxNode =
  | (OfDelivery & { readonly type: 'delivery'; readonly family: DeliveryFamily<OutboxEntry> })
  | (OfDelivery & { readonly type: 'resend' })
  | (OfDelivery & { readonly type: 'state'; readonly state: OutcomeState })
  | (OfDelivery & { readonly type: 'recipient'; readonly recipient: Recipient; readonly text: string | undefined })
  | (OfDelivery & { readonly type: 'more'; readonly count: number })
  | { readonly type: 'unreadable'; readonly id: string; readonly error: unknown };

/** How many recipients are listed for each state; the report has all of them. */
const MAX_RECIPIENTS = 500;

const STATE_ICONS = {
  reached: ['pass', 'testing.iconPassed'],
  unconfirmed: ['question', 'list.warningForeground'],
  absent: ['warning', 'list.warningForeground'],
  rejected: ['error', 'list.errorForeground'],
  unknown: ['question', 'list.warningForeground'],
  notSent: ['circle-slash', 'list.warningForeground'],
  leftOut: ['circle-slash', 'disabledForeground'],
} as const satisfies Record<OutcomeState, readonly [icon: string, color: string]>;

/** How much of a message a tooltip shows (UTF-16 units). */
const MAX_TOOLTIP = 1_000;

export class OutboxTree {
  readonly #outbox: Outbox;
  readonly #connection: Pick<Connection, 'open' | 'state'>;
  /** The address of the service that was connected when the deliveries were last listed. */
  #connected: string | undefined;

  constructor(outbox: Outbox, connection: Pick<Connection, 'open' | 'state'>) {
    this.#outbox = outbox;
    this.#connection = connection;
  }

  async getChildren(node?: OutboxNode): Promise<OutboxNode[]> {
    if (!node) {
      this.#connected = await this.#connectedAddress();
      return this.#deliveries(await this.#outbox.entries());
    }
    if (node.type === 'unreadable') return [];
    const { id, entry } = node;
    const { status } = entry;
    if (node.type === 'delivery' || node.type === 'resend') {
      const [, ...resends] = node.type === 'delivery' ? node.family : [];
      return [
        ...OUTCOME_STATES.filter((state) => status.listedCount(state) > 0).map(
          (state): OutboxNode => ({ type: 'state', id, entry, state }),
        ),
        ...resends.map((one): OutboxNode => ({ type: 'resend', id: one.status.delivery.id, entry: one })),
      ];
    }
    if (node.type !== 'state') return [];
    const total = status.listedCount(node.state);
    const known = await namesAt(this.#connection, status.delivery.service);
    const recipients = status
      .firstListed(node.state, shownCount(total, MAX_RECIPIENTS))
      .map((one): Recipient => withLabel(one, known));
    const texts = await textsOf(status.delivery, recipients);
    const listed = recipients.map(
      (recipient): OutboxNode => ({ type: 'recipient', id, entry, recipient, text: texts.get(chatKey(recipient)) }),
    );
    const count = total - listed.length;
    return count > 0 ? [...listed, { type: 'more', id, entry, count }] : listed;
  }

  /** The row of the delivery that is to be sent next, if any. */
  async nextScheduled(): Promise<OutboxNode | undefined> {
    const dueOf = (node: OutboxNode) =>
      node.type === 'delivery' && isScheduled(node.entry) ? node.entry.due : Number.POSITIVE_INFINITY;
    const [next] = (await this.getChildren()).toSorted((one, other) => dueOf(one) - dueOf(other));
    return next && Number.isFinite(dueOf(next)) ? next : undefined;
  }

  /** The title and badge, which count the deliveries that need somebody. A collapsed view shows only its title. */
  async heading(): Promise<Pick<ShownView<OutboxNode>, 'badge'> & { title: ShownText }> {
    const value = await this.#outbox.unseen();
    if (value === 0) return { title: l10n.t('Outbox'), badge: undefined };
    const tooltip =
      value === 1 ? l10n.t('1 delivery needs you') : l10n.t('{0} deliveries need you', formatCount(value));
    return { title: l10n.t('Outbox ({0})', value), badge: { value, tooltip } };
  }

  /** Only deliveries are revealed, which have no parent. */
  getParent(): undefined {}

  getTreeItem(node: OutboxNode): Row {
    switch (node.type) {
      case 'delivery':
        return deliveryItem(node.entry, this.#connected, node.family);
      case 'resend':
        return resendItem(node.entry, this.#connected);
      case 'state':
        return stateItem(node.id, node.state, node.entry.status.listedCount(node.state));
      case 'recipient':
        return recipientItem(node.id, node.recipient, node.entry.status.outcomeOf(node.recipient), node.text);
      case 'unreadable':
        return unreadableItem(node.id, node.error);
      case 'more':
        return moreItem(node.id, node.count);
    }
  }

  /** A row for each delivery, with its resends, and for each that can't be read. */
  async #deliveries(entries: readonly (OutboxEntry | UnreadableEntry)[]): Promise<OutboxNode[]> {
    const families = new Map(
      familiesOf(entries.filter((entry) => 'status' in entry)).map((family) => [family[0], family]),
    );
    const nodes: OutboxNode[] = [];
    for (const entry of entries) {
      if ('error' in entry) nodes.push({ type: 'unreadable', ...entry });
      const family = 'status' in entry && families.get(entry);
      if (!family) continue;
      const { id } = family[0].status.delivery;
      nodes.push({ type: 'delivery', id, family, entry: await jointEntry(family) });
    }
    return nodes;
  }

  async #connectedAddress(): Promise<string | undefined> {
    if ((await this.#connection.state()) === 'none') return undefined;
    // The sidebar shows why a service can't be opened.
    return this.#connection.open().then(
      ({ address }) => address,
      () => undefined,
    );
  }

  /** Adds the tooltip of a delivery, which is created only when the pointer rests on its row. */
  resolveTreeItem(item: Row, node: OutboxNode): Row {
    if (node.type === 'delivery' || node.type === 'resend') item.tooltip = deliveryTooltip(node.entry);
    return item;
  }
}

/**
 * The row of a delivery and its resends; `entry` has their joint outcome. `connected` is the address of the connected
 * service, if any.
 */
function deliveryItem(entry: OutboxEntry, connected: string | undefined, family: DeliveryFamily<OutboxEntry>): Row {
  const { delivery, isUnsent } = entry.status;
  const heading = headingOf(delivery);
  const now = systemClock.wall();
  const canCompare = hasDocument(delivery) && !isUnsent;
  const rest = [
    ...actionsOnFamily(family, entry.status),
    ...(canCompare ? ['compare'] : []),
    ...(mayHaveReplies(entry) ? ['replies'] : []),
  ];
  if (!isScheduled(entry)) return sentItem(entry, { label: shortHeading(delivery), heading, connected, rest });
  const { due } = entry;
  // The heading matters less than the time, so it may be cut off.
  const item = new Row(joinPhrases(formatShortTime(due, now), heading), TreeItemCollapsibleState.Collapsed);
  item.id = delivery.id;
  const service = serviceOf(delivery, connected);
  item.describe(joinPhrases(due <= now && stateText('notSent'), service));
  item.iconPath = new ThemeIcon('clock', lateColor(due <= now));
  item.contextValue = ['delivery', ...rest].join(' ');
  item.accessibilityInformation = { label: spokenText(heading, joinPhrases(dueText(due, now), service)) };
  return item;
}

/** The row of a resend, below that of its delivery. */
function resendItem(entry: OutboxEntry, connected: string | undefined): Row {
  const label = l10n.t('Resend');
  return sentItem(entry, { label, heading: label, connected, rest: actionsOn(entry) });
}

/** `rest` are further words of its context value. */
function sentItem(
  entry: OutboxEntry,
  {
    label,
    heading,
    connected,
    rest,
  }: { label: ShownText; heading: ShownText; connected: string | undefined; rest: string[] },
): Row {
  const { status, isRunning } = entry;
  const isCanceling = isRunning && entry.isCanceling;
  const { delivery, counts, intended, isComplete } = status;
  const item = new Row(label, TreeItemCollapsibleState.Collapsed);
  item.id = delivery.id;
  const activity = isRunning ? (isCanceling ? l10n.t('canceling…') : l10n.t('sending…')) : '';
  const now = systemClock.wall();
  const isBeingEdited = stateOf(entry) === 'edited';
  const isLate = isBeingEdited && shownTimeOf(entry) <= now;
  const edited = isBeingEdited && (isLate ? l10n.t('late, being edited') : l10n.t('being edited'));
  const test = delivery.isTest && l10n.t('test');
  const service = serviceOf(delivery, connected);
  const isUnsent = status.isUnsent && !isRunning;
  const isOut = counts.leftOut > 0 && intended === 0;
  const [reached, all] = [formatCount(counts.reached), formatCount(intended)];
  const description = joinPhrases(
    isCanceling && activity,
    edited,
    test,
    // If everyone was reached, the icon shows it without words.
    (!isComplete || isOut) && !edited && (isUnsent ? stateText('notSent') : l10n.t('{0} of {1}', reached, all)),
    formatShortTime(shownTimeOf(entry), now),
    service,
  );
  item.describe(description);
  const icon = edited ? new ThemeIcon('edit', lateColor(isLate)) : iconOf(worstState(status));
  item.iconPath = isRunning ? new ThemeIcon('sync~spin') : icon;
  item.contextValue = ['delivery', ...rest].join(' ');
  const ended = isUnsent ? stateText('notSent') : l10n.t('{0} of {1} reached', reached, all);
  const outcome = spokenText(edited, test, activity, ended);
  const spoken = joinPhrases(outcome, service, formatDateTime(isBeingEdited ? shownTimeOf(entry) : sentTimeOf(status)));
  item.accessibilityInformation = { label: spokenText(heading, spoken) };
  return item;
}

const lateColor = (isLate: boolean) => (isLate ? new ThemeColor('list.warningForeground') : undefined);

/** The service of a delivery if that isn't the connected one. */
const serviceOf = ({ service }: Delivery, connected: string | undefined) =>
  service === connected ? '' : shortServiceName(service);

function deliveryTooltip(entry: OutboxEntry): Card {
  const { status } = entry;
  const { delivery } = status;
  const { due, editedDue, unreadableCount = 0, ...times }: Partial<StoredEntry> = entry.isRunning ? {} : entry;
  const lines =
    unreadableCount === 1
      ? l10n.t("1 line of the stored delivery can't be read.")
      : l10n.t("{0} lines of the stored delivery can't be read.", formatCount(unreadableCount));
  const notes = unreadableCount > 0 ? [lines] : [];
  const origin = due === undefined ? originOf(status) : scheduleOf(delivery, due);
  const edited =
    editedDue === undefined
      ? []
      : [l10n.t('It was scheduled for {0}. To schedule it again, send the edited message.', formatDateTime(editedDue))];
  // The tooltip has the whole heading, which the row may cut off.
  const names = new Set([headingOf(delivery), delivery.name]);
  // Nothing has happened yet to a delivery that is sent later.
  const outcome = due === undefined ? [headlineOf(entry)] : [];
  const planned = [...plannedTexts(delivery, times), ...unpickedTexts(delivery)];
  return textCard(
    [...names, ...outcome, origin, ...planned, ...edited, ...testTexts(delivery), ...movedTexts(status), ...notes].join(
      '\n\n',
    ),
  );
}

function unreadableItem(id: string, error: unknown): Row {
  const item = new Row(l10n.t('Unreadable delivery'), TreeItemCollapsibleState.None);
  item.id = id;
  item.description = formatDateTime(creationTimeOf(id));
  item.iconPath = new ThemeIcon('error', new ThemeColor('list.errorForeground'));
  item.tooltip = textCard([unreadableText(error), l10n.t('Try again, or delete it from the outbox.')].join('\n\n'));
  item.contextValue = 'unreadable remove';
  return item;
}

function stateItem(id: string, state: OutcomeState, count: number): Row {
  const item = new Row(stateTitle(state), TreeItemCollapsibleState.Collapsed);
  item.id = `${id} ${state}`;
  item.description = formatCount(count);
  item.iconPath = iconOf(state);
  return item;
}

/** `text` is the message if only this recipient gets it. */
function recipientItem(id: string, recipient: Recipient, outcome: Outcome, text?: string): Row {
  const { kind, id: chatId, name } = recipient;
  const label = shownName(recipient);
  const item = new Row(label, TreeItemCollapsibleState.None);
  item.id = `${id} ${kind} ${chatId}`;
  const failure = 'failure' in outcome && outcome.failure ? singleLineName(detailOf(outcome)) : '';
  item.describe(joinPhrases(label !== singleLineName(chatId) && singleLineName(chatId), failure));
  item.iconPath = new ThemeIcon(KIND_ICONS[kind]);
  const facts = [...new Set([label, name, chatId]), stateText(outcome.state), detailOf(outcome)];
  item.tooltip = textCard(
    [facts.join('\n'), ...(text === undefined ? [] : [truncate(text, MAX_TOOLTIP)])].join('\n\n'),
  );
  item.contextValue = 'recipient';
  return item;
}

function moreItem(id: string, count: number): Row {
  const item = new Row(l10n.t('… and {0} more in the report', formatCount(count)), TreeItemCollapsibleState.None);
  item.command = { command: 'botChats.openReport', title: l10n.t('Open Report'), arguments: [id] };
  return item;
}

/** The state that needs the most attention. */
function worstState({ counts }: DeliveryStatus): OutcomeState {
  // Recipients who were left out need no attention, unless that's everyone.
  const [worst = 'reached', next] = OUTCOME_STATES.filter((state) => counts[state] > 0);
  return worst === 'leftOut' ? (next ?? worst) : worst;
}

function iconOf(state: OutcomeState): ThemeIcon {
  const [icon, color] = STATE_ICONS[state];
  return new ThemeIcon(icon, new ThemeColor(color));
}
