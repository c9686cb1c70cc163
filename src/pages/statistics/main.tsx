/** Renders the statistics on each message from the host. */
import { render } from 'preact';
import * as v from 'valibot';
import { StatisticsPageState, ToStatisticsPage } from '../../protocol/statistics.ts';
import { type Changes, connect, host, readEmbedded } from '../common/host.ts';
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
  const changes: Changes<ToStatisticsPage, View> = {
    heading: ({ name, summary }) => ({ name, summary }),
    loading: () => ({ isLoading: true, trouble: '' }),
    statistics: ({ statistics }) => ({ isLoading: false, trouble: '', statistics }),
    failed: ({ text }) => ({ isLoading: false, trouble: text }),
  };
  connect(ToStatisticsPage, (message) => change(changes[message.type](message as never)), { timeZone });
}
