/**
 * What the page knows of the replies. Its list keeps its order while it's read: what comes is listed once the page is at
 * its top. Knows no DOM.
 */
import type { ListPosition } from '../../protocol/page.ts';
import type {
  FromRepliesPage,
  RepliesPageState,
  RepliesQuery,
  RepliesRow,
  RepliesSummary,
  ToRepliesPage,
} from '../../protocol/replies.ts';
import { mayBeLater } from '../common/listPosition.ts';

/** What is restored when the page is loaded again. */
type State = Omit<RepliesPageState, 'delivery'>;

export interface RepliesView {
  readonly query: RepliesQuery;
  /** The last one, if any. */
  readonly summary: RepliesSummary | undefined;
  /** Why the delivery couldn't be read, or empty. */
  readonly failure: string;
  /** The first rows of the list. */
  readonly rows: readonly RepliesRow[];
  /** How many there are; undefined before the first list. */
  readonly total: number | undefined;
  readonly isWaiting: boolean;
  /** Whether the list lacks what has come since. */
  readonly isOutdated: boolean;
  /** Where the page was before it was loaded again, once the rows there are loaded. */
  readonly returnsTo: ListPosition | undefined;
}

interface Page {
  post(message: FromRepliesPage): void;
  /** Saves a state, to restore it when the page is loaded again. */
  save(state: State): void;
  paint(view: RepliesView): void;
  /** Whether another list takes nothing away from where the user is. */
  isAtTop(): boolean;
}

export class RepliesSession {
  readonly #page: Page;
  #view: RepliesView;
  /** The number of the list that was asked for last. */
  #asked: number;
  /** What it was made of. */
  #listed = '';
  #position: ListPosition | undefined;
  /** Whether rows are loaded up to those where the page was before. */
  #isReturning: boolean;

  /** Lists have the numbers after `first`. */
  constructor({ query, position }: State, first: number, page: Page) {
    this.#page = page;
    this.#asked = first;
    this.#position = position;
    this.#isReturning = position !== undefined;
    const nothing = { summary: undefined, failure: '', rows: [], total: undefined, isWaiting: false };
    this.#view = { query, ...nothing, isOutdated: false, returnsTo: undefined };
  }

  start(): void {
    this.#save();
    this.#page.paint(this.#view);
  }

  receive(message: ToRepliesPage): void {
    if ('list' in message && message.list !== this.#asked) return;
    switch (message.type) {
      case 'summary':
        this.#change({ summary: message, failure: '' });
        this.refresh();
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
    }
  }

  /** Lists what has come since, unless the user is in the middle of the list. */
  refresh(isWanted = false): void {
    if (this.#contents() === this.#listed) return;
    if (isWanted || !this.#listed || this.#page.isAtTop()) this.#ask();
    else if (!this.#view.isOutdated) this.#change({ isOutdated: true });
  }

  filter(changes: Partial<RepliesQuery>): void {
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
    const keys = rows.map(({ key }) => key);
    if (rows.length < total && mayBeLater(this.#position, keys)) this.more();
    else {
      this.#isReturning = false;
      this.#change({ returnsTo: this.#position });
    }
  }

  #save(): void {
    this.#page.save({ query: this.#view.query, ...(this.#position && { position: this.#position }) });
  }

  #contents(): string {
    const { counts, total } = this.#view.summary ?? {};
    return JSON.stringify([counts, total]);
  }

  #change(changes: Partial<RepliesView>): void {
    this.#view = { ...this.#view, ...changes };
    this.#page.paint(this.#view);
  }
}
