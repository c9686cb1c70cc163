/**
 * What a page knows of a delivery, and of the list that its host makes of it by a query. The list keeps its order while it's
 * read: another one is asked for only at the top of the page. Knows no DOM.
 */
import type { ListPosition } from '../../protocol/page.ts';
import { mayBeLater } from './listPosition.ts';

export interface ListView<Query, Summary, Row> {
  readonly query: Query;
  /** The last summary, if any. */
  readonly summary: Summary | undefined;
  /** Why the delivery couldn't be read, or empty. */
  readonly failure: string;
  /** The first rows of the list. */
  readonly rows: readonly Row[];
  /** How many rows the list has; undefined before the first list. */
  readonly total: number | undefined;
  readonly isWaiting: boolean;
  /** Whether the list lacks rows that have come since. */
  readonly isOutdated: boolean;
  /** How often something was copied. */
  readonly copies: number;
  /** The position from before the page was loaded again, once the rows there are loaded. */
  readonly returnsTo: ListPosition | undefined;
}

/** The state that is restored when the page is loaded again. */
interface State<Query> {
  query: Query;
  position?: ListPosition | undefined;
}

type ToHost<Query> = { type: 'list'; list: number; query: Query } | { type: 'more'; list: number } | { type: 'retry' };

type FromHost<Summary, Row> =
  | Summary
  | { type: 'list'; list: number; total: number; rows: Row[] }
  | { type: 'more'; list: number; rows: Row[] }
  | { type: 'changed'; list: number; rows: { at: number; row: Row }[] }
  | { type: 'failed'; text: string; list?: number | undefined }
  | { type: 'copied' };

interface Page<Query, Summary, Row> {
  post(message: ToHost<Query>): void;
  /** Saves a state, to restore it when the page is loaded again. */
  save(state: State<Query>): void;
  paint(view: ListView<Query, Summary, Row>): void;
  /** Whether another list takes nothing away from where the user is. */
  isAtTop(): boolean;
  /** The key by which a position knows a row. */
  keyOf(row: Row): string;
  /** A text of a summary that changes whenever there may be another list. */
  contentsOf(summary: Summary): unknown;
}

export class ListSession<Query, Summary extends { type: 'summary' }, Row> {
  readonly #page: Page<Query, Summary, Row>;
  #view: ListView<Query, Summary, Row>;
  /** The number of the list that was asked for last. */
  #asked: number;
  /** The text of which that list was made; empty before the first. */
  #listed = '';
  #position: ListPosition | undefined;
  /** Whether rows are loaded up to those where the page was before. */
  #isReturning: boolean;

  /** Lists have the numbers after `first`. */
  constructor({ query, position }: State<Query>, first: number, page: Page<Query, Summary, Row>) {
    this.#page = page;
    this.#asked = first;
    this.#position = position;
    this.#isReturning = position !== undefined;
    const nothing = { summary: undefined, failure: '', rows: [], total: undefined, isWaiting: false, copies: 0 };
    this.#view = { query, ...nothing, isOutdated: false, returnsTo: undefined };
  }

  start(): void {
    this.#save();
    this.#page.paint(this.#view);
  }

  receive(message: FromHost<Summary, Row>): void {
    if ('list' in message && message.list !== this.#asked) return;
    switch (message.type) {
      case 'summary':
        this.#change({ summary: message, failure: '' });
        this.refresh();
        break;
      case 'failed':
        // A list that couldn't be made is asked for again as soon as the delivery can be read.
        if ('list' in message) this.#listed = '';
        this.#change({ failure: message.text, ...('list' in message && { isWaiting: false }) });
        break;
      case 'copied':
        this.#change({ copies: this.#view.copies + 1 });
        break;
      case 'list':
        this.#change({ rows: message.rows, total: message.total, isWaiting: false });
        this.#return();
        break;
      case 'more':
        this.#change({ rows: [...this.#view.rows, ...message.rows], isWaiting: false });
        this.#return();
        break;
      case 'changed': {
        const rows = [...this.#view.rows];
        for (const { at, row } of message.rows) rows[at] = row;
        this.#change({ rows });
      }
    }
  }

  /** Lists newer rows, too, unless the user is in the middle of the list. */
  refresh(isWanted = false): void {
    if (this.#contents() === this.#listed) return;
    if (isWanted || !this.#listed || this.#page.isAtTop()) this.#ask();
    else if (!this.#view.isOutdated) this.#change({ isOutdated: true });
  }

  filter(changes: Partial<Query>): void {
    const query = { ...this.#view.query, ...changes };
    this.#isReturning = false;
    this.#position = undefined;
    this.#change({ query });
    this.#save();
    this.#ask();
  }

  /** Saves where somebody is in the list; undefined for the top of the page. */
  keep(position: ListPosition | undefined): void {
    if (this.#isReturning) return;
    this.#position = position;
    this.#save();
  }

  more(): void {
    const { rows, total = 0, isWaiting } = this.#view;
    if (isWaiting || rows.length >= total) return;
    this.#change({ isWaiting: true });
    this.#page.post({ type: 'more', list: this.#asked });
  }

  retry(): void {
    this.#page.post({ type: 'retry' });
  }

  #ask(): void {
    this.#listed = this.#contents();
    this.#change({ isWaiting: true, isOutdated: false, returnsTo: undefined });
    this.#page.post({ type: 'list', list: ++this.#asked, query: this.#view.query });
  }

  /** Goes on until the rows are loaded where the page was before. */
  #return(): void {
    if (!this.#isReturning || !this.#position) return;
    const { rows, total = 0 } = this.#view;
    if (rows.length < total && mayBeLater(this.#position, rows.map(this.#page.keyOf))) this.more();
    else {
      this.#isReturning = false;
      this.#change({ returnsTo: this.#position });
    }
  }

  #save(): void {
    this.#page.save({ query: this.#view.query, ...(this.#position && { position: this.#position }) });
  }

  #contents(): string {
    const { summary } = this.#view;
    return summary ? JSON.stringify(this.#page.contentsOf(summary)) : '';
  }

  #change(changes: Partial<ListView<Query, Summary, Row>>): void {
    this.#view = { ...this.#view, ...changes };
    this.#page.paint(this.#view);
  }
}
