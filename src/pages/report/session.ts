/** What the page knows of a delivery. Its list keeps its order while it's read, even if results change. Knows no DOM. */
import type { FromReportPage, ReportQuery, ReportRow, ReportSummary, ToReportPage } from '../../protocol/report.ts';

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
}

interface Page {
  post(message: FromReportPage): void;
  /** Saves the query, to restore it when the page is loaded again. */
  save(query: ReportQuery): void;
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

  /** Lists have the numbers after `first`. */
  constructor(query: ReportQuery, first: number, page: Page) {
    this.#page = page;
    this.#asked = first;
    this.#view = { query, summary: undefined, failure: '', rows: [], total: undefined, isWaiting: false };
  }

  start(): void {
    this.#page.save(this.#view.query);
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
        break;
      case 'more':
        this.#change({ rows: [...this.#view.rows, ...message.rows], isWaiting: false });
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
    this.#page.save(query);
    this.#change({ query });
    this.#ask();
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
    this.#change({ isWaiting: true });
    this.#page.post({ type: 'list', list: ++this.#asked, query: this.#view.query });
  }

  #currentCounts(): string {
    return JSON.stringify(this.#view.summary?.counts ?? '');
  }

  #change(changes: Partial<ReportView>): void {
    this.#view = { ...this.#view, ...changes };
    this.#page.paint(this.#view);
  }
}
