/** The rows of each section: what is listed, filtered and in the order that the person wants. */
import { env, l10n } from 'vscode';
import type { ListSettings } from '../platform/listSettings.ts';
import type { Service } from '../platform/service.ts';
import type { Order } from '../platform/store.ts';
import { displayName } from '../presentation/describe.ts';
import type { Kind } from '../service/model.ts';
import { type ChatNode, isRow } from './nodes.ts';
import { emptyNote, unusableNote } from './notes.ts';
import { type Findable, filterRows, sortRows } from './rowOrder.ts';
import type { ChatRow, Rows } from './rows.ts';

const KINDS = ['group', 'bot', 'user'] as const;

interface ListedRow extends Findable {
  readonly row: ChatRow;
}

export class Listing {
  readonly #rows: Rows;
  readonly #settings: ListSettings;
  readonly #labels = new WeakMap<ChatRow, string>();
  /** Where each row stands in its section. */
  readonly #places = new WeakMap<ChatRow, number>();
  /** Only rows that have these words are shown. */
  filter = '';
  order: Order = 'listed';

  constructor(rows: Rows, settings: ListSettings) {
    this.#rows = rows;
    this.#settings = settings;
  }

  /** Whether a name that becomes known may move, show or hide a row. */
  get dependsOnNames(): boolean {
    return this.filter !== '' || this.order === 'name';
  }

  /** The person's own name for a row. */
  labelOf(row: ChatRow): string | undefined {
    return this.#labels.get(row);
  }

  /** How many rows of a section there are, and how many of them are shown. */
  counts(kind: Kind, service: Service): { shown: number; listed: number } {
    const listed = this.#listed(kind, service).rows;
    return { shown: filterRows(listed, this.filter).length, listed: listed.length };
  }

  /** What is under a section. */
  nodes(kind: Kind, service: Service): ChatNode[] {
    const { rows, unusable } = this.#listed(kind, service);
    const shown = sortRows(filterRows(rows, this.filter), this.order, env.language).map(({ row }) => row);
    shown.forEach((row, place) => {
      this.#places.set(row, place);
    });
    const notes = unusable.length > 0 ? [unusableNote(kind, unusable)] : [];
    return rows.length + notes.length > 0 ? [...shown, ...notes] : [emptyNote(kind)];
  }

  /** Rows in the order in which they are shown. */
  inOrder(rows: Iterable<ChatRow>): ChatRow[] {
    const place = (row: ChatRow) => this.#places.get(row) ?? 0;
    return [...rows].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || place(a) - place(b));
  }

  /** The row that is left where rows go: the one behind them, or else the one before. */
  nextTo(gone: readonly ChatRow[], kind: Kind, service: Service): ChatRow | undefined {
    const rows = this.nodes(kind, service).filter(isRow);
    const last = rows.findLastIndex((row) => gone.includes(row));
    const stays = (row: ChatRow) => !gone.includes(row);
    return rows.slice(last + 1).find(stays) ?? rows.slice(0, last).findLast(stays);
  }

  /** Says that a filter is on, and what it could not consider. */
  filterNote(service: Service): string | undefined {
    if (!this.filter) return undefined;
    const rows = KINDS.flatMap((kind) => this.#listed(kind, service).rows);
    const unknown = rows.filter(({ name }) => name === undefined).length;
    const none = rows.length > 0 && filterRows(rows, this.filter).length === 0;
    const filter = none ? l10n.t('Filter: “{0}” · nothing found', this.filter) : l10n.t('Filter: “{0}”', this.filter);
    return unknown === 0 ? filter : l10n.t('{0} · {1} not looked up yet, found by ID only', filter, unknown);
  }

  #listed(kind: Kind, service: Service): { rows: ListedRow[]; unusable: readonly unknown[] } {
    const { entries, unusable } = this.#settings.read(kind, service);
    const rows = entries.map(({ id, label }) => {
      const row = this.#rows.row(kind, id);
      if (label) this.#labels.set(row, label);
      else this.#labels.delete(row);
      const { found } = this.#rows.state(row);
      const name = found && displayName(found);
      return { row, id, title: label ?? name, name };
    });
    return { rows, unusable };
  }
}
