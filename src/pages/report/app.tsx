/** The report of a delivery: what it was, how it ended, and its recipients. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { escapeAllInvisible, escapeInvisible } from '../../markup/escapeInvisible.ts';
import type { ReportAction, ReportQuery, ReportRow, ReportSummary } from '../../protocol/report.ts';
import { formatNumber } from '../common/formats.ts';
import { l10n, postToHost } from '../common/host.ts';
import { positionIn, returnTo, type ShownList } from '../common/listPosition.ts';
import type { ListSession, ListView } from '../common/listSession.ts';
import { keyOf, ResultIcon, Rows, resultName } from './rows.tsx';

/** How far from the end of the list more of it is loaded. */
const AHEAD = '800px';

/** What a delivery needs to come to its end, or to stop. */
const ENDING: readonly ReportAction[] = ['check', 'resume', 'resend', 'cancel', 'sendEdited'];

type ReportView = ListView<ReportQuery, ReportSummary, ReportRow>;
type ReportSession = ListSession<ReportQuery, ReportSummary, ReportRow>;

interface Props {
  view: ReportView;
  session: ReportSession;
}

export function App({ view, session }: Props) {
  const { summary, failure, rows, total } = view;
  const main = useRef<HTMLElement>(null);
  usePosition(main, view, session);
  return (
    <>
      <header class="heading">
        <h1 dir="auto">{summary ? escapeAllInvisible(summary.title) : l10n.t('Delivery Report')}</h1>
        <span class="summary">{summary && escapeInvisible(summary.origin)}</span>
        {summary && <Actions actions={summary.actions} />}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard */}
      <main ref={main} class="report" tabIndex={0} aria-busy={!summary && !failure} onScroll={() => session.refresh()}>
        {!summary && !failure && (
          <p class="edge" role="status">
            {l10n.t('Loading…')}
          </p>
        )}
        {failure && (
          <div class="edge failed" role="alert">
            <p dir="auto">{escapeInvisible(failure)}</p>
            <button type="button" class="action" onClick={() => session.retry()}>
              {l10n.t('Retry')}
            </button>
          </div>
        )}
        {summary && (
          <>
            <div class="outcome">
              <p role="status">{escapeInvisible(summary.headline)}</p>
              {summary.notes.map((note, index) => (
                <p key={index} class="summary">
                  {escapeInvisible(note)}
                </p>
              ))}
              {summary.related.map(({ delivery, text }) => (
                <p key={delivery}>
                  <button type="button" class="link" onClick={() => postToHost({ type: 'openDelivery', delivery })}>
                    <bdi>{escapeInvisible(text)}</bdi>
                  </button>
                </p>
              ))}
            </div>
            <Filters view={view} session={session} toTop={() => main.current?.scrollTo({ top: 0 })} />
            {rows.length > 0 && <Rows rows={rows} isPersonal={summary.isPersonal} />}
            {total === 0 && <p class="edge">{l10n.t('No matching recipients')}</p>}
            <End view={view} session={session} />
          </>
        )}
      </main>
    </>
  );
}

/** Keeps where somebody is in the list, and returns there when the page was loaded again. */
function usePosition(
  main: RefObject<HTMLElement | null>,
  { rows, returnsTo }: ReportView,
  session: ReportSession,
): void {
  useLayoutEffect(() => {
    if (main.current && returnsTo) returnTo(shownList(main.current, rows), returnsTo, 'button');
  }, [returnsTo]);
  useEffect(() => {
    const part = main.current;
    if (!part) return;
    const keep = () => {
      const position = positionIn(shownList(part, rows));
      session.keep(part.scrollTop > 0 || position?.focused !== undefined ? position : undefined);
    };
    part.addEventListener('scrollend', keep);
    document.addEventListener('focusin', keep);
    return () => {
      part.removeEventListener('scrollend', keep);
      document.removeEventListener('focusin', keep);
    };
  }, [rows]);
}

const shownList = (part: Element, rows: readonly ReportRow[]): ShownList => ({
  part,
  rows: [...part.querySelectorAll('tbody > tr')],
  keys: rows.map(keyOf),
});

function Actions({ actions }: { actions: readonly ReportAction[] }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <div class="actions">
      {actions.map((action, index) => (
        <button
          key={action}
          type="button"
          // The first one is what helps most, if anything is left to do.
          class={index === 0 && ENDING.includes(action) ? 'action' : 'link'}
          onClick={() => {
            postToHost({ type: 'act', action });
            setCopied(action === 'copyCsv' || action === 'copyMarkdown');
          }}
        >
          {actionName(action)}
        </button>
      ))}
      <span role="status">{isCopied && l10n.t('Copied')}</span>
    </div>
  );
}

function actionName(action: ReportAction): string {
  switch (action) {
    case 'check':
      return l10n.t('Check Delivery');
    case 'resume':
      return l10n.t('Resume…');
    case 'resend':
      return l10n.t('Resend to Missing Only…');
    case 'cancel':
    case 'unschedule':
      return l10n.t('Cancel Sending');
    case 'sendNow':
      return l10n.t('Send Now…');
    case 'reschedule':
      return l10n.t('Change Time…');
    case 'sendEdited':
      return l10n.t('Send…');
    case 'edit':
      return l10n.t('Edit Message…');
    case 'findReplies':
      return l10n.t('Find Replies');
    case 'openMessage':
      return l10n.t('Open Message');
    case 'copyCsv':
      return l10n.t('Copy as CSV');
    case 'copyMarkdown':
      return l10n.t('Copy as Markdown');
  }
}

function Filters({ view, session, toTop }: Props & { toTop(): void }) {
  const { query, summary, total } = view;
  const { results } = query;
  const counts = summary?.counts ?? [];
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const filter = (changes: Partial<typeof query>) => {
    toTop();
    session.filter(changes);
  };
  const filterText = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    currentTarget.value !== query.text && filter({ text: currentTarget.value });
  return (
    <search class="filters">
      <input
        type="search"
        placeholder={l10n.t('Filter by name, ID, or details')}
        aria-label={l10n.t('Filter by name, ID, or details')}
        defaultValue={query.text}
        // Not while pinyin is being composed.
        onInput={(event) => !event.isComposing && filterText(event)}
        onCompositionEnd={filterText}
      />
      {counts.map(({ result, count }) => {
        const isOn = results.includes(result);
        if (count === 0 && !isOn) return null;
        const toggled = isOn ? results.filter((one) => one !== result) : [...results, result];
        return (
          <button
            key={result}
            type="button"
            class="choice"
            aria-pressed={isOn}
            onClick={() => filter({ results: toggled })}
          >
            <ResultIcon result={result} />
            <span class="word">{resultName(result)}</span> {formatNumber(count)}
          </button>
        );
      })}
      <span class="summary" role="status">
        {total !== undefined && l10n.t('Shown: {0} of {1}', formatNumber(total), formatNumber(all))}
      </span>
    </search>
  );
}

/** Loads more of the list before its end is seen. */
function End({ view: { rows, total = 0 }, session }: Props) {
  const end = useRef<HTMLDivElement>(null);
  const hasMore = rows.length < total;
  useEffect(() => {
    if (!hasMore || !end.current) return;
    const onChange = (entries: IntersectionObserverEntry[]) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) session.more();
    };
    const observer = new IntersectionObserver(onChange, {
      root: end.current.parentElement,
      rootMargin: `0px 0px ${AHEAD}`,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [rows.length, hasMore]);
  return <div ref={end}>{hasMore && <p class="edge">{l10n.t('Loading…')}</p>}</div>;
}
