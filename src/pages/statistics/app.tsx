/** The statistics of a chat, or why there are none. */
import { render } from 'preact';
import { useState } from 'preact/hooks';
import * as v from 'valibot';
import { dayFromNumber, localDays } from '../../markup/days.ts';
import { escapeAllInvisible, escapeInvisible } from '../../markup/escapeInvisible.ts';
import {
  type FromStatisticsPage,
  type Statistics,
  StatisticsPageState,
  ToStatisticsPage,
} from '../../protocol/statistics.ts';
import { formatDateTime, formatNumber, kindName } from '../common/formats.ts';
import { type Changes, connect, l10n, postToStatistics, readEmbedded, saveState } from '../common/host.ts';
import { Failure } from '../common/missing.tsx';
import { BarList } from './barList.tsx';
import type { Bucket } from './buckets.ts';
import { DayChart } from './dayChart.tsx';
import { HeatMap } from './heatMap.tsx';

interface View {
  readonly name: string;
  readonly summary: string;
  readonly isLoading: boolean;
  /** Why the messages couldn't be counted, or empty. */
  readonly failure: string;
  /** The last statistics, if any. */
  readonly statistics: Statistics | undefined;
}

/** Renders the statistics on each message from the host. */
export function showStatistics(): void {
  let view: View = { name: '', summary: '', isLoading: true, failure: '', statistics: undefined };

  function change(changes: Partial<View>): void {
    view = { ...view, ...changes };
    render(<App view={view} />, document.body);
  }

  saveState(v.parse(StatisticsPageState, { place: readEmbedded('place') }));
  change({});
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const changes: Changes<ToStatisticsPage, View> = {
    heading: ({ name, summary }) => ({ name, summary }),
    loading: () => ({ isLoading: true, failure: '' }),
    statistics: ({ statistics }) => ({ isLoading: false, failure: '', statistics }),
    failed: ({ text }) => ({ isLoading: false, failure: text }),
  };
  connect(ToStatisticsPage, (message) => change(changes[message.type](message as never)), { timeZone });
}

function App({ view: { name, summary, isLoading, failure, statistics } }: { view: View }) {
  return (
    <>
      <header class="heading">
        <h1 dir="auto" title={escapeAllInvisible(name)}>
          {escapeAllInvisible(name)}
        </h1>
        <span class="summary">{escapeInvisible(summary)}</span>
        {statistics && <Actions isLoading={isLoading} />}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable by keyboard */}
      <main class="statistics" tabIndex={0} aria-busy={isLoading}>
        <p class={statistics ? 'announcement' : 'edge'} role="status">
          {isLoading && l10n.t('Loading…')}
        </p>
        {failure && <Failure text={failure} retry={() => postToStatistics({ type: 'update' })} />}
        {statistics?.total === 0 && <p class="edge">{l10n.t('No messages in this chat are archived yet.')}</p>}
        {statistics && statistics.total > 0 && <Pictures statistics={statistics} />}
      </main>
    </>
  );
}

function Actions({ isLoading }: { isLoading: boolean }) {
  const [isCopied, setCopied] = useState(false);
  const ask = (type: 'update' | 'saveCsv' | 'copyCsv') => {
    postToStatistics({ type });
    setCopied(type === 'copyCsv');
  };
  return (
    <div class="actions">
      <span role="status">{isCopied && l10n.t('Copied')}</span>
      {/* Not `disabled`, which takes the focus away. */}
      <button type="button" class="link" aria-disabled={isLoading} onClick={() => isLoading || ask('update')}>
        {l10n.t('Update')}
      </button>
      <button type="button" class="link" onClick={() => ask('saveCsv')}>
        {l10n.t('Save as CSV…')}
      </button>
      <button type="button" class="link" onClick={() => ask('copyCsv')}>
        {l10n.t('Copy as CSV')}
      </button>
    </div>
  );
}

function Pictures({ statistics }: { statistics: Statistics }) {
  const { days, hours, senders, kinds, commands, buttons, buttonsIn, withButtons } = statistics;
  return (
    <>
      <Figures statistics={statistics} />
      <div class="pictures">
        {days.length > 0 && <DayChart days={days} onSelect={searchDays} />}
        {days.length > 0 && <HeatMap hours={hours} />}
        <BarList
          title={l10n.t('Messages by Sender')}
          column={l10n.t('Sender')}
          others={senders.others}
          entries={senders.top.map(({ sender, type, id, name, count }) => ({
            name: name || id || '—',
            detail: name ? id : '',
            badge: type === 'bot' ? l10n.t('Bot') : undefined,
            count,
            onSelect: () => search({ sender }),
          }))}
        />
        <BarList
          title={l10n.t('Messages by Type')}
          column={l10n.t('Type')}
          others={kinds.others}
          entries={kinds.top.map(({ kind, count }) => ({
            name: kindName(kind) || '—',
            count,
            onSelect: () => search({ kind }),
          }))}
        />
        <BarList
          title={l10n.t('Commands by Name')}
          column={l10n.t('Command')}
          others={commands.others}
          entries={commands.top.map(({ name, count }) => ({
            name,
            count,
            onSelect: () => search({ text: exactly(name), isCommand: true }),
          }))}
        />
        <BarList
          title={l10n.t('Buttons by Text')}
          column={l10n.t('Button')}
          others={buttons.others}
          notes={[
            buttonsIn < withButtons && l10n.t('In the newest {0} messages with buttons.', formatNumber(buttonsIn)),
          ]}
          entries={buttons.top.map(({ text, count }) => ({
            name: text,
            count,
            onSelect: () => search({ text: exactly(text), hasButtons: true }),
          }))}
        />
      </div>
    </>
  );
}

/** The most important numbers. Exceptions are shown only if there are any. */
function Figures({ statistics }: { statistics: Statistics }) {
  const { total, first, last, senders, withButtons, commands, unreadable, withoutTime } = statistics;
  const commandCount = commands.top.reduce((sum, { count }) => sum + count, commands.others.count);
  const figures: [string, string | false][] = [
    [l10n.t('Messages'), formatNumber(total)],
    [l10n.t('Senders'), formatNumber(senders.top.length + senders.others.names)],
    [l10n.t('First message'), first !== undefined && formatDateTime(first)],
    [l10n.t('Last message'), last !== undefined && formatDateTime(last)],
    [l10n.t('With buttons'), formatNumber(withButtons)],
    [l10n.t('Commands'), formatNumber(commandCount)],
    [l10n.t('Unreadable'), unreadable > 0 && formatNumber(unreadable)],
    [l10n.t('Without a time'), withoutTime > 0 && formatNumber(withoutTime)],
  ];
  return (
    <dl class="figures">
      {figures.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

type Query = Extract<FromStatisticsPage, { type: 'search' }>['query'];

const search = (query: Partial<Query>) => postToStatistics({ type: 'search', query: { text: '', ...query } });

/** Searches for the messages of some days. */
const searchDays = ({ start, end }: Bucket) => search({ since: startOf(start), until: startOf(end) });

const startOf = (day: number) => localDays.startOf(dayFromNumber(day));

/** A query for exactly this text; empty if it has nothing that a search can find. */
const exactly = (text: string) =>
  /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text) ? `"${text.replace(/["“”\s]+/g, ' ').trim()}"` : '';
