/** Renders the replies on each change of their session. */
import { render } from 'preact';
import * as v from 'valibot';
import {
  RepliesPageState,
  type RepliesQuery,
  type RepliesRow,
  type RepliesSummary,
  ToRepliesPage,
} from '../../protocol/replies.ts';
import { systemClock } from '../../service/clock.ts';
import { connect, host, openLinksThroughHost, postToReplies, readEmbedded } from '../common/host.ts';
import { ListSession } from '../common/listSession.ts';
import { App } from './app.tsx';

export function showReplies(): void {
  const delivery = v.parse(v.string(), readEmbedded('delivery'));
  const saved = v.safeParse(RepliesPageState, host.getState());
  const state = saved.success ? saved.output : v.parse(RepliesPageState, { delivery });
  // The clock, so that no number of this page was one before it was reloaded.
  const session = new ListSession<RepliesQuery, RepliesSummary, RepliesRow>(state, systemClock.wall(), {
    post: postToReplies,
    save: (changed) => host.setState({ delivery, ...changed } satisfies RepliesPageState),
    paint: (view) => render(<App view={view} session={session} />, document.body),
    isAtTop: () => !document.querySelector('.row:focus-within') && !document.querySelector('main')?.scrollTop,
    keyOf: ({ key }) => key,
    contentsOf: ({ counts, total }) => [counts, total],
  });
  openLinksThroughHost();
  session.start();
  connect(ToRepliesPage, (message) => session.receive(message));
}
