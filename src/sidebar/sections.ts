/**
 * The sections of the tree and the rows in each: those that are listed, filtered and sorted. They're one tree, not three
 * views, so that a selection can hold groups and people.
 */
import { env } from 'vscode';
import type { ListSettings } from '../platform/listSettings.ts';
import type { Service } from '../platform/service.ts';
import type { Order } from '../platform/store.ts';
import { ownName, singleLineName } from '../presentation/describe.ts';
import { formatCount } from '../presentation/formats.ts';
import { l10n, type ShownText } from '../presentation/shown.ts';
import { type Chat, isChat, KINDS, type Kind } from '../service/model.ts';
import { type ChatNode, isRow, type SectionNode } from './nodes.ts';
import { emptyNote, invalidEntriesNote } from './notes.ts';
import { type FilterableRow, filterRows, sortRows } from './rowOrder.ts';
import type { ChatRow, Rows } from './rows.ts';

export const SECTIONS: readonly SectionNode[] = KINDS.map((kind) => ({ type: 'section', kind }));

/** When the last known message of a chat was sent (Unix ms), if any is known. Makes no request. */
export type LastTimes = (service: Pick<Service, 'address'>) => (chat: Chat) => number | undefined;

interface ListedRow extends FilterableRow {
  readonly row: ChatRow;
}

export class Sections {
  readonly #rows: Rows;
  readonly #settings: ListSettings;
  readonly #lastTimes: LastTimes;
  /** The index of each row in its section. */
  readonly #positions = new WeakMap<ChatRow, number>();
  /** Only rows with these words are shown. */
  filter = '';
  order: Order = 'listed';

  constructor(rows: Rows, settings: ListSettings, lastTimes: LastTimes) {
    this.#rows = rows;
    this.#settings = settings;
    this.#lastTimes = lastTimes;
  }

  /** Whether a new name or a new message may move, show or hide a row. */
  get mayMoveRows(): boolean {
    return this.filter !== '' || this.order === 'name' || this.order === 'recent';
  }

  /** The number of listed rows of a section, and how many of them are shown. Only a filter looks at the rows. */
  counts(kind: Kind, service: Pick<Service, 'sandbox'>): { shown: number; listed: number } {
    const { entries } = this.#settings.read(kind, service);
    const shown = this.filter ? filterRows(this.#listedRows(kind, service).rows, this.filter) : entries;
    return { shown: shown.length, listed: entries.length };
  }

  /** The rows and notes of a section. */
  children(kind: Kind, service: Service): ChatNode[] {
    const { rows, unusable } = this.#listedRows(kind, service);
    const lastTimeOf = this.order === 'recent' ? this.#lastTimes(service) : () => undefined;
    const found = filterRows(rows, this.filter).map((one) => {
      const chat = { kind, id: one.id };
      return { ...one, lastTime: isChat(chat) ? lastTimeOf(chat) : undefined };
    });
    const shown = sortRows(found, this.order, env.language).map(({ row }) => row);
    shown.forEach((row, position) => {
      this.#positions.set(row, position);
    });
    const notes = unusable.length > 0 ? [invalidEntriesNote(kind, unusable)] : [];
    return rows.length + notes.length > 0 ? [...shown, ...notes] : [emptyNote(kind)];
  }

  /** Sorts rows in the order in which they are shown. */
  inOrder(rows: Iterable<ChatRow>): ChatRow[] {
    const position = (row: ChatRow) => this.#positions.get(row) ?? 0;
    return [...rows].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || position(a) - position(b));
  }

  /** The row to focus when rows are removed: the next one, or else the previous one. */
  nearestRemaining(removed: readonly ChatRow[], kind: Kind, service: Service): ChatRow | undefined {
    const rows = this.children(kind, service).filter(isRow);
    const last = rows.findLastIndex((row) => removed.includes(row));
    const remains = (row: ChatRow) => !removed.includes(row);
    return rows.slice(last + 1).find(remains) ?? rows.slice(0, last).findLast(remains);
  }

  /** A message that names the filter and the number of rows that it finds by ID only; undefined without a filter. */
  filterNote(service: Service): ShownText | undefined {
    if (!this.filter) return undefined;
    const rows = KINDS.flatMap((kind) => this.#listedRows(kind, service).rows);
    const unknown = rows.filter(({ name }) => name === undefined).length;
    const none = rows.length > 0 && filterRows(rows, this.filter).length === 0;
    const filter = none ? l10n.t('Filter: “{0}” · no matches', this.filter) : l10n.t('Filter: “{0}”', this.filter);
    return unknown === 0
      ? filter
      : l10n.t('{0} · {1} not looked up yet (filtered by ID only)', filter, formatCount(unknown));
  }

  #listedRows(kind: Kind, service: Pick<Service, 'sandbox'>): { rows: ListedRow[]; unusable: readonly unknown[] } {
    const { entries, unusable } = this.#settings.read(kind, service);
    const rows = entries.map(({ id, label }) => {
      const row = this.#rows.row(kind, id);
      const { found } = this.#rows.state(row);
      const name = found && ownName(found);
      return { row, id, title: singleLineName(label ?? '') || name, name };
    });
    return { rows, unusable };
  }
}
