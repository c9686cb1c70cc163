/** The recipients with their results: a table, which becomes a stack of rows where it's narrow. */
import { escapeAllInvisible, escapeInvisible, excerpt } from '../../markup/escapeInvisible.ts';
import {
  type RecipientResult,
  type ReportColumn,
  type ReportRow,
  type ReportSummary,
  shownColumns,
} from '../../protocol/report.ts';
import { chatKey } from '../../service/model.ts';
import { l10n, postToReport } from '../common/host.ts';
import { memo } from '../common/virtualRows.tsx';

interface Props {
  rows: readonly ReportRow[];
  titles: ReportSummary['titles'];
  /** Whether each recipient has a text of their own. */
  isPersonal: boolean;
}

export function Rows({ rows, titles, isPersonal }: Props) {
  return (
    <table class={isPersonal ? 'recipients personal' : 'recipients'} aria-label={l10n.t('Recipients')}>
      <thead>
        <tr>
          {shownColumns(isPersonal).map((column) => (
            <th key={column} scope="col" class={column}>
              {titles[column]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={chatKey(row)} row={row} isPersonal={isPersonal} />
        ))}
      </tbody>
    </table>
  );
}

/** A row isn't rendered again with each result of another one. */
const Row = memo(({ row, isPersonal }: { row: ReportRow; isPersonal: boolean }) => (
  <tr>
    {shownColumns(isPersonal).map((column) => {
      const isName = column === 'name';
      const Cell = isName ? 'th' : 'td';
      return (
        <Cell
          key={column}
          scope={isName ? 'row' : undefined}
          class={column}
          dir="auto"
          // The ID of a message says nothing to most people.
          title={column === 'result' && row.state === 'reached' ? escapeInvisible(row.details) : undefined}
        >
          {contentOf(column, row)}
        </Cell>
      );
    })}
  </tr>
));

function contentOf(column: ReportColumn, row: ReportRow) {
  const { kind, id, name, state, result, details, isCut, ownText } = row;
  const chat = { kind, id };
  const shownName = excerpt(name);
  switch (column) {
    case 'name':
      return (
        <button
          type="button"
          class="link"
          title={l10n.t('Open History')}
          onClick={() => postToReport({ type: 'openChat', chat })}
        >
          <bdi>{state === 'leftOut' ? <s>{shownName}</s> : shownName}</bdi>
        </button>
      );
    case 'result':
      return (
        <>
          <ResultIcon result={state} />
          <span class="word">{result}</span>
        </>
      );
    case 'details':
      return (
        <>
          {state !== 'reached' && escapeInvisible(details)}
          {isCut && ' '}
          {isCut && (
            <button type="button" class="link" onClick={() => postToReport({ type: 'showWhole', chat })}>
              {l10n.t('Show Whole Text')}
            </button>
          )}
        </>
      );
    case 'ownText':
      return <OwnText text={ownText} />;
    default:
      return <bdi>{escapeAllInvisible(row[column])}</bdi>;
  }
}

/** How much of a text is shown at first (UTF-16 units). */
const MAX_TEXT = 120;

function OwnText({ text }: { text: string }) {
  const whole = escapeInvisible(text);
  const start = excerpt(text, MAX_TEXT, escapeInvisible);
  if (start === whole) return start;
  return (
    <details>
      <summary>{start}</summary>
      <p class="text">{whole}</p>
    </details>
  );
}

const CIRCLE = 'M8 1.5a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13Z';
const QUESTION = `${CIRCLE}M6.2 6.4a1.8 1.8 0 1 1 2.7 1.5c-.6.4-.9.7-.9 1.4M8 11v1.1`;

/** SVG paths, 16 units wide and high. */
const ICONS = {
  reached: `${CIRCLE}M5 8.2l2.1 2.1L11 6.2`,
  unconfirmed: QUESTION,
  absent: 'M8 2L14.5 13.5h-13ZM8 6.2v3.6M8 11v1.3',
  rejected: `${CIRCLE}M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6`,
  unknown: QUESTION,
  notSent: `${CIRCLE}M3.6 12.4L12.4 3.6`,
  leftOut: `${CIRCLE}M4.8 8h6.4`,
} as const satisfies Record<RecipientResult, string>;

export function ResultIcon({ result }: { result: RecipientResult }) {
  return (
    <svg class={result} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={ICONS[result]} fill="none" stroke="currentColor" stroke-width="1.4" />
    </svg>
  );
}
