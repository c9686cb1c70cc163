/** The report of a delivery: what it was, how it ended, and its recipients. */
import { render } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { escapeAllInvisible, escapeInvisible } from '../../markup/escapeInvisible.ts';
import {
  type ReportAction,
  ReportPageState,
  type ReportQuery,
  type ReportRow,
  type ReportSummary,
  ToReportPage,
} from '../../protocol/report.ts';
import { chatKey } from '../../service/model.ts';
import { FilterBar } from '../common/filterBar.tsx';
import { formatNumber } from '../common/formats.ts';
import { connect, firstNumber, l10n, postToReport, readEmbedded, savedState, saveState } from '../common/host.ts';
import { useListPosition } from '../common/listPosition.ts';
import { ListSession, type ListView } from '../common/listSession.ts';
import { Failure, Loading, useMore } from '../common/missing.tsx';
import { ResultIcon, Rows } from './rows.tsx';

/** The actions that bring a delivery to its end, or stop it. */
const ENDING: readonly ReportAction[] = ['check', 'resume', 'resend', 'cancel', 'sendEdited'];

type ReportView = ListView<ReportQuery, ReportSummary, ReportRow>;
type ReportSession = ListSession<ReportQuery, ReportSummary, ReportRow>;

interface Props {
  view: ReportView;
  session: ReportSession;
}

/** Renders the report on each change of its session. */
export function showReport(): void {
  const state = savedState(ReportPageState, () => ({
    delivery: readEmbedded('delivery'),
    query: readEmbedded('query'),
  }));
  const session: ReportSession = new ListSession(state, firstNumber(), {
    post: postToReport,
    save: (changed) => saveState({ delivery: state.delivery, ...changed } satisfies ReportPageState),
    paint: (view) => render(<App view={view} session={session} />, document.body),
    isAtTop: () => !document.querySelector('tbody :focus') && !document.querySelector('main')?.scrollTop,
    keyOf: (row) => chatKey(row),
    contentsOf: ({ counts }) => counts,
  });
  session.start();
  connect(ToReportPage, (message) => session.receive(message));
}

function App({ view, session }: Props) {
  const { summary, failure, rows, total } = view;
  const main = useRef<HTMLElement>(null);
  useListPosition({
    scroller: main,
    keys: useMemo(() => rows.map(chatKey), [rows]),
    rows: 'tbody > tr',
    focusable: 'button',
    returnsTo: view.returnsTo,
    keep: (position) => session.keep(main.current?.scrollTop || position?.focused !== undefined ? position : undefined),
  });
  const title = summary ? escapeAllInvisible(summary.title) : l10n.t('Delivery Report');
  return (
    <>
      <header class="heading">
        <h1 dir="auto" title={title}>
          {title}
        </h1>
        <span class="summary">{summary && escapeInvisible(summary.origin)}</span>
        {summary && <Actions actions={summary.actions} copies={view.copies} />}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard */}
      <main ref={main} class="report" tabIndex={0} aria-busy={!summary && !failure} onScroll={() => session.refresh()}>
        {!summary && !failure && <Loading />}
        {failure && <Failure text={failure} retry={() => session.retry()} />}
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
                  <button type="button" class="link" onClick={() => postToReport({ type: 'openDelivery', delivery })}>
                    <bdi>{escapeInvisible(text)}</bdi>
                  </button>
                </p>
              ))}
            </div>
            <Filters view={view} session={session} toTop={() => main.current?.scrollTo({ top: 0 })} />
            {rows.length > 0 && <Rows rows={rows} titles={summary.titles} isPersonal={summary.isPersonal} />}
            {total === 0 && <p class="edge">{l10n.t('No matching recipients')}</p>}
            <End view={view} session={session} />
          </>
        )}
      </main>
    </>
  );
}

function Actions({ actions, copies }: { actions: readonly ReportAction[]; copies: number }) {
  /** The copies before the last action. */
  const [before, setBefore] = useState(copies);
  const names = actionNames();
  return (
    <div class="actions">
      {actions.map((action, index) => (
        <button
          key={action}
          type="button"
          // The first action helps most, if anything is left to do.
          class={index === 0 && ENDING.includes(action) ? 'action' : 'link'}
          onClick={() => {
            postToReport({ type: 'act', action });
            setBefore(copies);
          }}
        >
          {names[action]}
        </button>
      ))}
      <span role="status">{copies > before && l10n.t('Copied')}</span>
    </div>
  );
}

const actionNames = (): Record<ReportAction, string> => ({
  check: l10n.t('Check Delivery'),
  resume: l10n.t('Resume…'),
  resend: l10n.t('Resend to Missing Only…'),
  lookUp: l10n.t('Check Again Who Exists…'),
  cancel: l10n.t('Cancel Sending'),
  unschedule: l10n.t('Cancel Sending'),
  sendNow: l10n.t('Send Now…'),
  reschedule: l10n.t('Change Time…'),
  sendEdited: l10n.t('Send…'),
  edit: l10n.t('Edit Message…'),
  findReplies: l10n.t('Find Replies'),
  openMessage: l10n.t('Open Message'),
  copyCsv: l10n.t('Copy as CSV'),
  copyMarkdown: l10n.t('Copy as Markdown'),
});

function Filters({ view, session, toTop }: Props & { toTop(): void }) {
  const { query, summary, total } = view;
  const { results } = query;
  const counts = summary?.counts ?? [];
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const filter = (changes: Partial<typeof query>) => {
    toTop();
    session.filter(changes);
  };
  return (
    <FilterBar
      label={l10n.t('Filter by name, ID, or details')}
      text={query.text}
      filterText={(text) => filter({ text })}
      choices={counts
        .filter(({ result, count }) => count > 0 || results.includes(result))
        .map(({ result, label, count }) => ({ value: result, label, count, icon: <ResultIcon result={result} /> }))}
      chosen={results}
      choose={(chosen) => filter({ results: chosen })}
    >
      <span class="summary" role="status">
        {total !== undefined && l10n.t('Shown: {0} of {1}', formatNumber(total), formatNumber(all))}
      </span>
    </FilterBar>
  );
}

function End({ view: { rows, total = 0 }, session }: Props) {
  const end = useRef<HTMLDivElement>(null);
  const hasMore = rows.length < total;
  useMore(end, hasMore ? () => session.more() : undefined, rows.length);
  return <div ref={end}>{hasMore && <p class="edge">{l10n.t('Loading…')}</p>}</div>;
}
