/** Renders the report on each change of its session. */
import { render } from 'preact';
import * as v from 'valibot';
import {
  ReportPageState,
  type ReportQuery,
  type ReportRow,
  type ReportSummary,
  ToReportPage,
} from '../../protocol/report.ts';
import { systemClock } from '../../service/clock.ts';
import { connect, host, postToReport, readEmbedded } from '../common/host.ts';
import { ListSession } from '../common/listSession.ts';
import { App } from './app.tsx';
import { keyOf } from './rows.tsx';

export function showReport(): void {
  const delivery = v.parse(v.string(), readEmbedded('delivery'));
  const saved = v.safeParse(ReportPageState, host.getState());
  const state = saved.success ? saved.output : v.parse(ReportPageState, { delivery, query: readEmbedded('query') });
  // The clock, so that no number of this page was one before it was reloaded.
  const session = new ListSession<ReportQuery, ReportSummary, ReportRow>(state, systemClock.wall(), {
    post: postToReport,
    save: (changed) => host.setState({ delivery, ...changed } satisfies ReportPageState),
    paint: (view) => render(<App view={view} session={session} />, document.body),
    isAtTop: () => !document.querySelector('tbody :focus') && !document.querySelector('main')?.scrollTop,
    keyOf,
    contentsOf: ({ counts }) => counts,
  });
  session.start();
  connect(ToReportPage, (message) => session.receive(message));
}
