/** Renders the statistics on each message from the host. */
import { render } from 'preact';
import * as v from 'valibot';
import { StatisticsPageState, ToStatisticsPage } from '../../protocol/statistics.ts';
import { connect, host, readEmbedded } from '../common/host.ts';
import { App, type View } from './app.tsx';

export function showStatistics(): void {
  let view: View = { name: '', summary: '', isLoading: true, trouble: '', statistics: undefined };

  function change(changes: Partial<View>): void {
    view = { ...view, ...changes };
    render(<App view={view} />, document.body);
  }

  host.setState(v.parse(StatisticsPageState, { place: readEmbedded('place') }));
  change({});
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  connect(
    ToStatisticsPage,
    (message) => {
      switch (message.type) {
        case 'heading':
          return change({ name: message.name, summary: message.summary });
        case 'loading':
          return change({ isLoading: true, trouble: '' });
        case 'statistics':
          return change({ isLoading: false, trouble: '', statistics: message.statistics });
        case 'failed':
          return change({ isLoading: false, trouble: message.text });
      }
    },
    { timeZone },
  );
}
