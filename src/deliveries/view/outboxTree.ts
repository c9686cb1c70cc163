/** The outbox as a tree: deliveries, then outcome states and resends, then recipients. */
import { l10n, type TreeItem, type ViewBadge } from 'vscode';
import { shownCount } from '../../markup/escapeInvisible.ts';
import type { Connection } from '../../platform/service.ts';
import { namesAt, withLabel } from '../../presentation/describe.ts';
import { formatCount } from '../../presentation/formats.ts';
import { chatKey } from '../../service/model.ts';
import { textsOf } from '../outbox/deliveryMessages.ts';
import { OUTCOME_STATES, type OutcomeState } from '../outbox/deliveryStatus.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { isScheduled, type OutboxEntry, type UnreadableEntry } from '../outbox/outboxEntry.ts';
import { type DeliveryFamily, familiesOf, jointEntry } from '../outbox/resends.ts';
import type { Recipient } from '../plan/deliveryPlan.ts';
import {
  deliveryItem,
  deliveryTooltip,
  moreItem,
  recipientItem,
  resendItem,
  stateItem,
  unreadableItem,
} from './treeItems.ts';

/** The delivery of a row, as of when the row was created: that of a family has the joint outcome. */
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

/** Recipients listed for each state; the report has all of them. */
const MAX_RECIPIENTS = 500;

export class OutboxTree {
  readonly #outbox: Outbox;
  readonly #connection: Pick<Connection, 'open' | 'state'>;
  /** The address of the connected service, as of the last time that the deliveries were listed. */
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

  /** How many deliveries need somebody, who hasn't seen that yet; undefined if none does. */
  async badge(): Promise<ViewBadge | undefined> {
    const value = await this.#outbox.unseen();
    if (value === 0) return undefined;
    const tooltip =
      value === 1 ? l10n.t('1 delivery needs you') : l10n.t('{0} deliveries need you', formatCount(value));
    return { value, tooltip };
  }

  /** Only deliveries are revealed, which have none. */
  getParent(): undefined {}

  getTreeItem(node: OutboxNode): TreeItem {
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
  resolveTreeItem(item: TreeItem, node: OutboxNode): TreeItem {
    if (node.type === 'delivery' || node.type === 'resend') item.tooltip = deliveryTooltip(node.entry);
    return item;
  }
}
