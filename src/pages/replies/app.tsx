/** The replies to a delivery: how many have answered, how often each answer came, and the answers themselves. */
import { type ComponentChildren, render } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { escapeAllInvisible, escapeInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import {
  type RepliesAction,
  RepliesPageState,
  type RepliesSummary,
  type ReplyState,
  ToRepliesPage,
} from '../../protocol/replies.ts';
import { FilterBar } from '../common/filterBar.tsx';
import { useLostFocus } from '../common/focus.ts';
import { formatDateTime, formatNumber } from '../common/formats.ts';
import {
  connect,
  firstNumber,
  l10n,
  openLinksThroughHost,
  postToReplies,
  readEmbedded,
  savedState,
  saveState,
} from '../common/host.ts';
import { ListSession } from '../common/listSession.ts';
import { Failure, Loading } from '../common/missing.tsx';
import { List, type RepliesSession, type RepliesView, stateName } from './list.tsx';

interface Props {
  view: RepliesView;
  session: RepliesSession;
}

/** Renders the replies on each change of their session. */
export function showReplies(): void {
  const state = savedState(RepliesPageState, () => ({ delivery: readEmbedded('delivery') }));
  const session: RepliesSession = new ListSession(state, firstNumber(), {
    post: postToReplies,
    save: (changed) => saveState({ delivery: state.delivery, ...changed } satisfies RepliesPageState),
    paint: (view) => render(<App view={view} session={session} />, document.body),
    isAtTop: () => !document.querySelector('.row:focus-within') && !document.querySelector('main')?.scrollTop,
    keyOf: ({ key }) => key,
    contentsOf: ({ counts, total }) => [counts, total],
  });
  openLinksThroughHost();
  session.start();
  connect(ToRepliesPage, (message) => session.receive(message));
}

const act = (action: RepliesAction) => postToReplies({ type: 'act', action });

function App({ view, session }: Props) {
  const { summary, failure } = view;
  const scroller = useRef<HTMLElement>(null);
  const header = useRef<HTMLElement>(null);
  // The buttons to start, pause and cancel take each other's place.
  useLostFocus(header, () => header.current?.querySelector<HTMLElement>('.progress button, button.action')?.focus());
  const title = summary ? escapeAllInvisible(summary.title) : l10n.t('Replies');
  return (
    <>
      <header ref={header} class="heading">
        <h1 dir="auto" title={title}>
          {title}
        </h1>
        <span class="summary">{summary && escapeInvisible(summary.origin)}</span>
        {summary && <Actions summary={summary} copies={view.copies} />}
        {summary && <Progress summary={summary} />}
      </header>
      <List view={view} session={session} scroller={scroller}>
        {!summary && !failure && <Loading />}
        {failure && <Failure text={failure} retry={() => session.retry()} />}
        {summary && !failure && (
          <>
            {summary.error && <Failure text={summary.error} retry={() => act('find')} />}
            <Poll view={view} session={session} />
            <Filters view={view} session={session} toTop={() => scroller.current?.scrollTo({ top: 0 })} />
            {view.total === 0 && <p class="edge">{emptyText(summary)}</p>}
          </>
        )}
      </List>
    </>
  );
}

const emptyText = ({ counts }: RepliesSummary) =>
  counts.every(({ count }) => count === 0)
    ? l10n.t("This delivery hasn't reached anyone.")
    : l10n.t('Nothing matches.');

function Actions({ summary, copies }: { summary: RepliesSummary; copies: number }) {
  const { counts, run, total, isWatched } = summary;
  /** The copies before the last action. */
  const [before, setBefore] = useState(copies);
  const countOf = (state: ReplyState) => counts.find((one) => one.state === state)?.count ?? 0;
  const link = (action: RepliesAction, label: string) => (
    <button
      type="button"
      class="link"
      onClick={() => {
        act(action);
        setBefore(copies);
      }}
    >
      {label}
    </button>
  );
  return (
    <div class="actions">
      {run.is === 'idle' && (
        <button type="button" class="action" onClick={() => act('find')}>
          {countOf('unread') > 0 ? l10n.t('Find Replies') : l10n.t('Find New Replies')}
        </button>
      )}
      <label class="switch" title={l10n.t('Reads every minute, only while you see this page.')}>
        <input
          type="checkbox"
          checked={isWatched}
          onChange={({ currentTarget }) => act(currentTarget.checked ? 'watch' : 'unwatch')}
        />
        {l10n.t('Look Every Minute')}
      </label>
      {countOf('unanswered') > 0 &&
        link(
          'remindUnanswered',
          l10n.t('New Message to Those Without an Answer ({0})', formatNumber(countOf('unanswered'))),
        )}
      {countOf('answered') > 0 &&
        link('remindAnswered', l10n.t('New Message to Those Who Answered ({0})', formatNumber(countOf('answered'))))}
      {link('openReport', l10n.t('Open Report'))}
      {total + countOf('unanswered') + countOf('failed') > 0 && link('copyCsv', l10n.t('Copy as CSV'))}
      <span role="status">{copies > before && l10n.t('Copied')}</span>
    </div>
  );
}

/** Says how far reading has come, or when it ended. */
function Progress({ summary: { run, doneAt } }: { summary: RepliesSummary }) {
  if (run.is === 'idle') {
    if (doneAt === undefined) return null;
    return <p class="progress summary">{l10n.t('Last checked: {0}', formatDateTime(doneAt))}</p>;
  }
  const [done, total] = [formatNumber(run.done), formatNumber(run.total)];
  const isReading = run.is === 'reading';
  const text = isReading
    ? l10n.t('Reading: {0} of {1} chats', done, total)
    : l10n.t('Paused: {0} of {1} chats read', done, total);
  return (
    <div class="progress">
      <progress max={run.total} value={run.done} aria-label={text} />
      <span>{text}</span>
      <button type="button" class="link" onClick={() => act(isReading ? 'pause' : 'resume')}>
        {isReading ? l10n.t('Pause') : l10n.t('Resume')}
      </button>
      <button type="button" class="link" onClick={() => act('cancel')}>
        {l10n.t('Cancel')}
      </button>
    </div>
  );
}

/** How many kinds of answers are shown at first. */
const MAX_ANSWERS = 6;

/** How often each answer came. Choosing an answer lists the people who gave it. */
function Poll({ view: { summary, query }, session }: Props) {
  const [isWhole, setWhole] = useState(false);
  const label = useRef('');
  const { poll = [], uncounted } = summary ?? {};
  const { answer } = query;
  const chosen = poll.find(({ key }) => key === answer);
  if (chosen) label.current = chosen.label;
  // If every text is different, they are no poll.
  if (!poll.some(({ count, isButton }) => isButton || count > 1) && answer === undefined) return null;
  const most = Math.max(1, ...poll.map(({ count }) => count));
  const shown = isWhole ? poll : poll.filter((one, index) => index < MAX_ANSWERS || one === chosen);
  return (
    <section class="poll" aria-label={l10n.t('Answers by Text')}>
      {shown.map(({ key, label, count }) => (
        <Answer
          key={key}
          label={label}
          isOn={key === answer}
          choose={(isOn) => session.filter({ answer: isOn ? key : undefined })}
        >
          <span class="bar" aria-hidden="true">
            <span style={{ width: `${(100 * count) / most}%` }} />
          </span>
          <span class="count">{formatNumber(count)}</span>
        </Answer>
      ))}
      {/* Others have been given more often since. */}
      {answer !== undefined && !chosen && (
        <Answer
          key={answer}
          label={label.current || answer}
          isOn
          choose={() => session.filter({ answer: undefined })}
        />
      )}
      {shown.length < poll.length && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {l10n.t('Show All {0} Answers', formatNumber(poll.length))}
        </button>
      )}
      {uncounted && <p class="summary">{uncounted}</p>}
    </section>
  );
}

interface AnswerProps {
  label: string;
  /** Whether only people who gave this answer are listed. */
  isOn: boolean;
  choose(isOn: boolean): void;
  /** How often the answer was given, if that's known. */
  children?: ComponentChildren;
}

function Answer({ label, isOn, choose, children }: AnswerProps) {
  return (
    <button
      type="button"
      class="answer"
      aria-pressed={isOn}
      title={escapeInvisible(label)}
      onClick={() => choose(!isOn)}
    >
      <bdi class="answer-label">{excerpt(label)}</bdi>
      {children}
    </button>
  );
}

function Filters({ view, session, toTop }: Props & { toTop(): void }) {
  const { query, summary, isOutdated } = view;
  const { states } = query;
  const filter = (changes: Partial<typeof query>) => {
    toTop();
    session.filter(changes);
  };
  const isRare = (state: ReplyState) => state === 'failed' || state === 'unread';
  return (
    <FilterBar
      label={l10n.t('Filter by words, name, or ID')}
      text={query.text}
      filterText={(text) => filter({ text })}
      choices={(summary?.counts ?? [])
        .filter(({ state, count }) => count > 0 || states.includes(state) || !isRare(state))
        .map(({ state, count }) => ({ value: state, label: stateName(state), count }))}
      chosen={states}
      choose={(chosen) => filter({ states: chosen })}
    >
      {isOutdated && (
        <button
          type="button"
          class="link"
          onClick={() => {
            toTop();
            session.refresh(true);
          }}
        >
          {l10n.t('Show New Answers')}
        </button>
      )}
      <span class="summary" role="status">
        {summary && (summary.total === 1 ? l10n.t('1 answer') : l10n.t('{0} answers', formatNumber(summary.total)))}
      </span>
    </FilterBar>
  );
}
