/**
 * What the page knows of a delivery. Its list keeps its order while it's read: results change in their rows, which are
 * sorted again only at the top of the page when none has the focus. Knows no DOM.
 */
import type { ListPosition } from '../../protocol/page.ts';
import type {
  FromReportPage,
  ReportPageState,
  ReportQuery,
  ReportRow,
  ReportSummary,
  ToReportPage,
} from '../../protocol/report.ts';
import { mayBeLater } from '../common/listPosition.ts';

/** What is restored when the page is loaded again. */
type State = Omit<ReportPageState, 'delivery'>;

export interface ReportView {
  readonly query: ReportQuery;
  /** The last one, if any. */
  readonly summary: ReportSummary | undefined;
  /** Why the delivery couldn't be read, or empty. */
  readonly failure: string;
  /** The first recipients of the list. */
  readonly rows: readonly ReportRow[];
  /** How many there are; undefined before the first list. */
  readonly total: number | undefined;
  readonly isWaiting: boolean;
  /** Where the page was before it was loaded again, once the recipients there are loaded. */
  readonly returnsTo: ListPosition | undefined;
}

/** The key of a row. */
export const keyOf = ({ kind, id }: Pick<ReportRow, 'kind' | 'id'>) => `${kind} ${id}`;

interface Page {
  post(message: FromReportPage): void;
  /** Saves a state, to restore it when the page is loaded again. */
  save(state: State): void;
  paint(view: ReportView): void;
  /** Whether another order takes nothing away from where the user is. */
  isAtTop(): boolean;
}

export class ReportSession {
  readonly #page: Page;
  #view: ReportView;
  /** The number of the list that was asked for last. */
  #asked: number;
  /** The counts when it was asked for; empty before the first. */
  #counts = '';
  #position: ListPosition | undefined;
  /** Whether recipients are loaded up to those where the page was before. */
  #isReturning: boolean;

  /** Lists have the numbers after `first`. */
  constructor({ query, position }: State, first: number, page: Page) {
    this.#page = page;
    this.#asked = first;
    this.#position = position;
    this.#isReturning = position !== undefined;
    const nothing = { summary: undefined, failure: '', rows: [], total: undefined, isWaiting: false };
    this.#view = { query, ...nothing, returnsTo: undefined };
  }

  start(): void {
    this.#save();
    this.#page.paint(this.#view);
  }

  receive(message: ToReportPage): void {
    if ('list' in message && message.list !== this.#asked) return;
    switch (message.type) {
      case 'summary':
        this.#change({ summary: message, failure: '' });
        this.sort();
        break;
      case 'failed':
        this.#change({ failure: message.text });
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

  /** Lists the recipients again if their results have changed, unless the user is in the middle of them. */
  sort(): void {
    if (this.#currentCounts() !== this.#counts && (!this.#counts || this.#page.isAtTop())) this.#ask();
  }

  filter(changes: Partial<ReportQuery>): void {
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
    this.#counts = this.#currentCounts();
    this.#change({ isWaiting: true, returnsTo: undefined });
    this.#page.post({ type: 'list', list: ++this.#asked, query: this.#view.query });
  }

  /** Goes on until the recipients are loaded where the page was before. */
  #return(): void {
    if (!this.#isReturning || !this.#position) return;
    const { rows, total = 0 } = this.#view;
    if (rows.length < total && mayBeLater(this.#position, rows.map(keyOf))) this.more();
    else {
      this.#isReturning = false;
      this.#change({ returnsTo: this.#position });
    }
  }

  #save(): void {
    this.#page.save({ query: this.#view.query, ...(this.#position && { position: this.#position }) });
  }

  #currentCounts(): string {
    return JSON.stringify(this.#view.summary?.counts ?? '');
  }

  #change(changes: Partial<ReportView>): void {
    this.#view = { ...this.#view, ...changes };
    this.#page.paint(this.#view);
  }
}
