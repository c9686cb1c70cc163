/** The outbox as a tree: deliveries, the states of their recipients, and those in each. */
import type { MarkdownString, TreeItem } from 'vscode';
import type { Recipient } from './batches.ts';
import { OUTCOME_STATES, type OutcomeState } from './deliveryStatus.ts';
import type { Outbox, OutboxEntry } from './outbox.ts';
import { deliveryItem, deliveryTooltip, moreItem, recipientItem, stateItem, unreadableItem } from './treeItems.ts';

/** A row, with its delivery as it was when the row was made. */
export type OutboxNode =
  | ({ readonly id: string; readonly stored: OutboxEntry } & (
      | { readonly type: 'delivery' }
      | { readonly type: 'state'; readonly state: OutcomeState }
      | { readonly type: 'recipient'; readonly recipient: Recipient }
      | { readonly type: 'more'; readonly count: number }
    ))
  | { readonly type: 'unreadable'; readonly id: string; readonly error: unknown };

/** More recipients of one state are not listed: the report has them all. */
const LISTED = 500;

export class OutboxTree {
  readonly #outbox: Outbox;

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  async children(node?: OutboxNode): Promise<OutboxNode[]> {
    if (!node) {
      const entries = await this.#outbox.entries();
      return entries.map((entry) =>
        'error' in entry
          ? { type: 'unreadable', ...entry }
          : { type: 'delivery', id: entry.status.delivery.id, stored: entry },
      );
    }
    if (node.type === 'unreadable') return [];
    const { id, stored } = node;
    const { status } = stored;
    if (node.type === 'delivery') {
      return OUTCOME_STATES.filter((state) => status.counts[state] > 0).map((state) => ({
        type: 'state',
        id,
        stored,
        state,
      }));
    }
    if (node.type !== 'state') return [];
    const recipients = status.recipients(node.state);
    const listed: OutboxNode[] = recipients.slice(0, LISTED).map((recipient) => ({
      type: 'recipient',
      id,
      stored,
      recipient,
    }));
    const count = recipients.length - listed.length;
    return count > 0 ? [...listed, { type: 'more', id, stored, count }] : listed;
  }

  item(node: OutboxNode): TreeItem {
    switch (node.type) {
      case 'delivery':
        return deliveryItem(node.stored);
      case 'state':
        return stateItem(node.id, node.state, node.stored.status.counts[node.state]);
      case 'recipient':
        return recipientItem(node.id, node.recipient, node.stored.status.outcomeOf(node.recipient));
      case 'unreadable':
        return unreadableItem(node.id, node.error);
      case 'more':
        return moreItem(node.id, node.count);
    }
  }

  /** The tooltip of a row that the pointer rests on, where it was not worth making for each. */
  tooltip(node: OutboxNode): MarkdownString | undefined {
    return node.type === 'delivery' ? deliveryTooltip(node.stored) : undefined;
  }
}
