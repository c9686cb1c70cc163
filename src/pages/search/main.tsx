/** Renders the search on each change of its session. */
import { render } from 'preact';
import { ToSearchPage } from '../../protocol/search.ts';
import { systemClock } from '../../service/clock.ts';
import { connect, postToHost } from '../common/host.ts';
import { App } from './app.tsx';
import { remember, remembered } from './searchHost.ts';
import { SearchSession } from './searchSession.ts';

export function showSearch(): void {
  // The clock, so that no number of this page was one before it was reloaded.
  const session = new SearchSession(remembered(), systemClock.wall(), {
    post: postToHost,
    save: remember,
    paint: (view) => render(<App view={view} session={session} />, document.body),
  });
  connect(ToSearchPage, (message) => session.receive(message));
  session.start();
}
