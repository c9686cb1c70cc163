/** The outbox as a tree: deliveries, the states of their recipients, and those in each. */
import type { TreeItem } from 'vscode';
import { STATES, type State } from '../outbox/account.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Kept } from '../outbox/store.ts';
import type { Recipient } from '../plan.ts';
import { deliveryItem, moreItem, recipientItem, stateItem } from './items.ts';

/** A row, with its delivery as it was when the row was made. */
export type OutboxNode = { readonly id: string; readonly kept: Kept } & (
  | { readonly type: 'delivery' }
  | { readonly type: 'state'; readonly state: State }
  | { readonly type: 'recipient'; readonly recipient: Recipient }
  | { readonly type: 'more'; readonly count: number }
);

/** More recipients of one state are not listed: the report has them all. */
const LISTED = 500;

export class OutboxTree {
  readonly #outbox: Outbox;

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  async children(node?: OutboxNode): Promise<OutboxNode[]> {
    if (!node) {
      const all = await this.#outbox.all();
      return all.map((kept) => ({ type: 'delivery', id: kept.account.delivery.id, kept }));
    }
    const { id, kept } = node;
    const { account } = kept;
    if (node.type === 'delivery') {
      return STATES.filter((state) => account.counts[state] > 0).map((state) => ({ type: 'state', id, kept, state }));
    }
    if (node.type !== 'state') return [];
    const recipients = account.recipients(node.state);
    const listed: OutboxNode[] = recipients.slice(0, LISTED).map((recipient) => ({
      type: 'recipient',
      id,
      kept,
      recipient,
    }));
    const count = recipients.length - listed.length;
    return count > 0 ? [...listed, { type: 'more', id, kept, count }] : listed;
  }

  item(node: OutboxNode): TreeItem {
    const { kept } = node;
    switch (node.type) {
      case 'delivery':
        return deliveryItem(kept);
      case 'state':
        return stateItem(node.id, node.state, kept.account.counts[node.state]);
      case 'recipient':
        return recipientItem(node.id, node.recipient, kept.account.outcomeOf(node.recipient));
      case 'more':
        return moreItem(node.id, node.count);
    }
  }
}
