/** A search in progress: its query, the results so far, and the messages that are posted for them. Knows no DOM. */
import type { ListPosition } from '../../protocol/page.ts';
import type {
  FoundView,
  FromSearchPage,
  SearchPageState,
  SearchQuery,
  SearchScope,
  ToSearchPage,
} from '../../protocol/search.ts';
import { mayBeLater } from '../common/listPosition.ts';
import { availableQuery } from './query.ts';

export interface SearchView {
  /** What can be searched; undefined until the host has sent it. */
  readonly scope: SearchScope | undefined;
  readonly query: SearchQuery;
  /** The results so far. While `waitsFor` is `first`, they are those of the query before. */
  readonly found: readonly FoundView[];
  /** The number of the search to which the results belong. */
  readonly shown: number;
  /** Whether there are no more results. */
  readonly isLast: boolean;
  /** What the host hasn't answered yet: the first results, or more of them. */
  readonly waitsFor: 'first' | 'more' | undefined;
  /** Why the latest results are missing. */
  readonly failure: string | undefined;
  /** How often the host moved the focus to the query. */
  readonly focuses: number;
  /** The position from before the page was loaded again, once the results there are loaded. */
  readonly returnsTo: ListPosition | undefined;
  /** Whether the filters are unfolded in a narrow window. */
  readonly hasFilters: boolean;
}

interface Page {
  post(message: FromSearchPage): void;
  /** Saves a state, to restore it when the page is loaded again. */
  save(state: SearchPageState): void;
  paint(view: SearchView): void;
}

export class SearchSession {
  readonly #page: Page;
  /** The number of the latest search. */
  #search: number;
  #view: SearchView;
  #state: SearchPageState;
  /** Whether results are loaded up to those where the page was before. */
  #isReturning: boolean;

  /** Searches have the numbers after `first`. */
  constructor(state: SearchPageState, first: number, page: Page) {
    this.#page = page;
    this.#state = state;
    this.#isReturning = state.position !== undefined;
    this.#search = first;
    const nothing = { found: [], shown: first, isLast: false, waitsFor: undefined, failure: undefined };
    const { query, hasFilters = false } = state;
    this.#view = { scope: undefined, query, ...nothing, focuses: 0, returnsTo: undefined, hasFilters };
  }

  start(): void {
    this.#save(this.#state);
    this.#find(this.#view.query);
  }

  /** Searches for another query, or for the same one again, from the top. */
  change(query: SearchQuery): void {
    this.#isReturning = false;
    const { hasFilters } = this.#state;
    this.#save({ query, ...(hasFilters && { hasFilters }) });
    this.#find(query);
  }

  /** Unfolds the filters, or folds them away. */
  showFilters(hasFilters: boolean): void {
    this.#save({ ...this.#state, hasFilters });
    this.#show({ hasFilters });
  }

  /** Saves where somebody is in the results. */
  keep(position: ListPosition): void {
    if (!this.#isReturning && this.#view.waitsFor !== 'first') this.#save({ ...this.#state, position });
  }

  /** Shows a text that is still being composed, such as pinyin, without searching for it. */
  compose(text: string): void {
    this.#isReturning = false;
    this.#show({ query: { ...this.#view.query, text } });
  }

  /** Asks for more results, unless there are none or they have been asked for. */
  more(): void {
    const { waitsFor, isLast, failure } = this.#view;
    if (!waitsFor && !isLast && failure === undefined) this.#askForMore();
  }

  /** Repeats the request that has failed. */
  retry(): void {
    if (this.#view.found.length > 0) this.#askForMore();
    else this.#find(this.#view.query);
  }

  receive(message: ToSearchPage): void {
    switch (message.type) {
      case 'scope':
        this.#setScope(message);
        break;
      case 'focus':
        this.#isReturning = false;
        this.#show({ focuses: this.#view.focuses + 1 });
        if (message.query) this.change(message.query);
        break;
      default:
        if (message.search === this.#search) this.#setResults(message);
    }
  }

  #setResults(answer: Exclude<ToSearchPage, { type: 'scope' | 'focus' }>): void {
    // The first answer to a search replaces the results of the one before.
    const found = this.#view.waitsFor === 'first' ? [] : this.#view.found;
    const answered = { shown: this.#search, waitsFor: undefined };
    if (answer.type === 'failed') this.#show({ ...answered, found, isLast: false, failure: answer.text });
    else {
      const { isLast } = answer;
      this.#show({ ...answered, found: [...found, ...answer.found], isLast, failure: undefined });
      if (this.#isReturning && this.#state.position) this.#returnTo(this.#state.position);
    }
  }

  #returnTo(position: ListPosition): void {
    const { found, isLast } = this.#view;
    const keys = found.map(({ key }) => key);
    if (!isLast && mayBeLater(position, keys)) this.#askForMore();
    else {
      this.#isReturning = false;
      this.#show({ returnsTo: position });
    }
  }

  #find(query: SearchQuery): void {
    this.#show({ query, waitsFor: 'first', failure: undefined, returnsTo: undefined });
    this.#page.post({ type: 'search', search: ++this.#search, query });
  }

  #save(state: SearchPageState): void {
    this.#state = state;
    this.#page.save(state);
  }

  #askForMore(): void {
    this.#show({ waitsFor: 'more', failure: undefined });
    this.#page.post({ type: 'more', search: this.#search });
  }

  #setScope(scope: SearchScope): void {
    const { scope: before, query, found, waitsFor } = this.#view;
    this.#show({ scope });
    const available = availableQuery(query, scope);
    // The archive has changed: messages may have been added that are found now, or deleted that were found before.
    const mayFindMore = before !== undefined && found.length === 0 && !waitsFor;
    const hasDeleted = found.some(({ chat }) => !scope.chats.some(({ number }) => number === chat));
    if (available !== query || mayFindMore || hasDeleted) this.change(available);
  }

  #show(changes: Partial<SearchView>): void {
    this.#view = { ...this.#view, ...changes };
    this.#page.paint(this.#view);
  }
}
