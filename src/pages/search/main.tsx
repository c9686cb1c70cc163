/** Renders the search on each change of its session. */
import { render } from 'preact';
import * as v from 'valibot';
import { SearchPageState, ToSearchPage } from '../../protocol/search.ts';
import { systemClock } from '../../service/clock.ts';
import { connect, host, postToSearch } from '../common/host.ts';
import { App } from './app.tsx';
import { EMPTY } from './query.ts';
import { SearchSession } from './searchSession.ts';

export function showSearch(): void {
  // The clock, so that no number of this page was one before it was reloaded.
  const session = new SearchSession(remembered(), systemClock.wall(), {
    post: postToSearch,
    save: (state) => host.setState(state),
    paint: (view) => render(<App view={view} session={session} />, document.body),
  });
  connect(ToSearchPage, (message) => session.receive(message));
  session.start();
}

/** The state when the page was hidden or reloaded. */
function remembered(): SearchPageState {
  const state = v.safeParse(SearchPageState, host.getState());
  return state.success ? state.output : { query: EMPTY };
}
