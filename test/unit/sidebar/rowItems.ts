import type { Row } from '../../../src/presentation/shown.ts';
import type { Kind } from '../../../src/service/model.ts';
import { chatItem, type RowExtras } from '../../../src/sidebar/nodeItems.ts';
import type { RowState } from '../../../src/sidebar/rows.ts';
import { type TreeRow, treeRow } from '../treeRows.ts';

/** A row that shows nothing besides its state unless told. */
export function chatRow(kind: Kind, state: RowState, extras: Partial<RowExtras> = {}): TreeRow<unknown> {
  const row = { type: 'chat', kind, id: 'big' } as const;
  const item: Row = chatItem(row, state, {
    label: undefined,
    watch: undefined,
    match: undefined,
    hasToken: false,
    isArchived: false,
    generation: 0,
    isOutageShown: false,
    ...extras,
  });
  return treeRow(row, item);
}

/** The state of a watched chat. */
export const watched = (unread: number, more = false) => ({ botId: '1', unread, more });
