/** Statistics as CSV. */
import { l10n } from 'vscode';
import { csvLine } from '../../../markup/csv.ts';
import { DAY, dayFromNumber } from '../../../markup/days.ts';
import type { Ranking, Statistics } from '../../../protocol/statistics.ts';

/** A line for each value: its section, its label, its count. `language` is a BCP 47 tag. */
export function statisticsCsv(statistics: Statistics, language: string): string {
  const weekdays = new Intl.DateTimeFormat(language, {
    weekday: language.startsWith('zh') ? 'short' : 'long',
    timeZone: 'UTC',
  });
  const { total, unreadable, withoutTime, withButtons, days, hours, senders, kinds, commands, buttons } = statistics;
  const lines: [string, string, number][] = [
    [l10n.t('Messages'), '', total],
    [l10n.t('Unreadable'), '', unreadable],
    [l10n.t('Without a time'), '', withoutTime],
    [l10n.t('With buttons'), '', withButtons],
    ...days.map(({ day, count }) => line(l10n.t('Messages by Day'), dayFromNumber(day), count)),
    ...hours.flatMap((counts, weekday) => {
      // 1970-01-05 was a Monday.
      const name = weekdays.format((weekday + 4) * DAY);
      return counts.map((count, hour) =>
        line(l10n.t('Messages by Weekday and Hour'), `${name} ${String(hour).padStart(2, '0')}:00`, count),
      );
    }),
    ...ranked(l10n.t('Messages by Sender'), senders, ({ type, id, name }) =>
      l10n.t('{0} ({1})', name, `${type} ${id}`),
    ),
    ...ranked(l10n.t('Messages by Type'), kinds, ({ kind }) => kind),
    ...ranked(l10n.t('Commands by Name'), commands, ({ name }) => name),
    ...ranked(l10n.t('Buttons by Text'), buttons, ({ text }) => text),
  ];
  const header = csvLine([l10n.t('Section'), l10n.t('Label'), l10n.t('Count')]);
  return header + lines.map(([section, label, count]) => csvLine([section, label, String(count)])).join('');
}

const line = (section: string, label: string, count: number): [string, string, number] => [section, label, count];

function ranked<T>(section: string, { top, others }: Ranking<T>, labelOf: (entry: T) => string) {
  const lines = top.map((entry) => line(section, labelOf(entry), entry.count));
  const name = others.names === 1 ? l10n.t('1 other') : l10n.t('{0} others', others.names);
  if (others.names > 0) lines.push(line(section, name, others.count));
  return lines;
}
