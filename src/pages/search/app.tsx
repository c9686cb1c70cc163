/** The search page: query, filters, what they cover, and results. */
import { type RefObject, render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { SearchPageState, ToSearchPage } from '../../protocol/search.ts';
import { formatNumber } from '../common/formats.ts';
import { connect, firstNumber, l10n, postToSearch, savedState, saveState } from '../common/host.ts';
import { Filters } from './filters.tsx';
import { activeFilters, changedQuery, EMPTY, type QueryChanges } from './query.ts';
import { ArchiveOffer, archiveChats, focusResult, ResultEnd, ResultList } from './results.tsx';
import { SearchSession, type SearchView } from './searchSession.ts';

/** Renders the search on each change of its session. */
export function showSearch(): void {
  const state = savedState(SearchPageState, () => ({ query: EMPTY }));
  const session = new SearchSession(state, firstNumber(), {
    post: postToSearch,
    save: saveState,
    paint: (view) => render(<App view={view} session={session} />, document.body),
  });
  connect(ToSearchPage, (message) => session.receive(message));
  session.start();
}

function App({ view, session }: { view: SearchView; session: SearchSession }) {
  const { scope, query, failure, focuses, hasFilters } = view;
  const line = useRef<HTMLInputElement>(null);
  const main = useRef<HTMLElement>(null);
  // The focus moves at once, so that it isn't taken from a result to which it returns meanwhile.
  useLayoutEffect(() => {
    line.current?.focus();
    line.current?.select();
  }, [focuses]);
  const change = (changes: QueryChanges) => session.change(changedQuery(query, changes));
  const isWaiting = scope === undefined && failure === undefined;
  const isEmpty = scope?.chats.length === 0 && failure === undefined;
  return (
    <>
      <search class="search">
        <div class="line">
          <QueryLine
            input={line}
            text={query.text}
            compose={(text) => session.compose(text)}
            search={(text) => change({ text })}
            goToResults={() => focusResult(main.current, 0)}
          />
          {!isEmpty && (
            <button
              type="button"
              class="choice"
              aria-expanded={hasFilters}
              onClick={() => session.showFilters(!hasFilters)}
            >
              {filtersText(activeFilters(query))}
            </button>
          )}
        </div>
        {!isEmpty && <Filters scope={scope} query={query} areShown={hasFilters} change={change} />}
        <div class="coverage">
          {scope?.unarchived ? (
            <button type="button" class="link" title={l10n.t('Archive Chats…')} onClick={archiveChats}>
              {scope.summary}
            </button>
          ) : (
            <span class="summary">{scope?.summary}</span>
          )}
          <span role="status">{isEmpty ? '' : countText(view)}</span>
        </div>
      </search>
      <main ref={main} tabIndex={-1}>
        {isEmpty && (
          <ArchiveOffer
            text={l10n.t('No messages are archived yet. Archive chats to search their messages, even offline.')}
          />
        )}
        {isWaiting && <p class="edge waiting">{l10n.t('Searching…')}</p>}
        {scope && !isEmpty && (
          <ResultList
            view={view}
            scope={scope}
            scroller={main}
            leave={() => line.current?.focus()}
            keep={(position) => session.keep(position)}
          />
        )}
        {!isEmpty && !isWaiting && <ResultEnd view={view} session={session} />}
      </main>
    </>
  );
}

interface QueryLineProps {
  input: RefObject<HTMLInputElement | null>;
  text: string;
  /** Called if the text has changed while an input method is still composing a part of it. */
  compose(text: string): void;
  search(text: string): void;
  goToResults(): void;
}

/** The line for the words to search for. */
function QueryLine({ input, text, compose, search, goToResults }: QueryLineProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    // The keys belong to an input method.
    if (event.isComposing) return;
    if (event.key === 'ArrowDown') goToResults();
    else if (event.key === 'Enter') search(text);
    else return;
    event.preventDefault();
  };
  return (
    <input
      ref={input}
      class="query"
      type="search"
      autocomplete="off"
      spellcheck={false}
      placeholder={l10n.t('Words, "exact phrase", begin*, -without')}
      aria-label={l10n.t('Search messages')}
      value={text}
      onInput={({ currentTarget: { value }, isComposing }) => (isComposing ? compose(value) : search(value))}
      onCompositionEnd={({ currentTarget }) => search(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}

const filtersText = (count: number) => (count > 0 ? l10n.t('Filters ({0})', count) : l10n.t('Filters'));

/** How many results there are, as far as known. Unchanged during a search, so that only the outcome is announced. */
function countText({ scope, found, isLast }: SearchView): string {
  if (!scope) return '';
  if (!isLast) return found.length === 0 ? '' : l10n.t('{0}+ results', formatNumber(found.length));
  return found.length === 1 ? l10n.t('1 result') : l10n.t('{0} results', formatNumber(found.length));
}
