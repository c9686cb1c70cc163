/** Statistics as CSV. Pure. */
import { csvLine } from '../../markup/csv.ts';
import { DAY, dayFromNumber } from '../../markup/days.ts';
import type { Ranking, Statistics, StatisticsLabels } from '../../protocol/statistics.ts';

/** A line for each value: its section, its label, its count. `language` is a BCP 47 tag. */
export function statisticsCsv(statistics: Statistics, labels: StatisticsLabels, language: string): string {
  const weekdays = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const { total, unreadable, withoutTime, withButtons, days, hours, senders, kinds, commands, buttons } = statistics;
  const lines: [string, string, number][] = [
    [labels.messages, '', total],
    [labels.unreadable, '', unreadable],
    [labels.withoutTime, '', withoutTime],
    [labels.withButtons, '', withButtons],
    ...days.map(({ day, count }) => line(labels.byDay, dayFromNumber(day), count)),
    ...hours.flatMap((counts, weekday) => {
      // 1970-01-05 was a Monday.
      const name = weekdays.format((weekday + 4) * DAY);
      return counts.map((count, hour) => line(labels.byHour, `${name} ${String(hour).padStart(2, '0')}:00`, count));
    }),
    ...ranked(labels.bySender, senders, ({ type, id, name }) => `${name} (${type} ${id})`, labels),
    ...ranked(labels.byKind, kinds, ({ kind }) => kind, labels),
    ...ranked(labels.byCommand, commands, ({ name }) => name, labels),
    ...ranked(labels.byButton, buttons, ({ text }) => text, labels),
  ];
  const header = csvLine([labels.section, labels.label, labels.count]);
  return header + lines.map(([section, label, count]) => csvLine([section, label, String(count)])).join('');
}

const line = (section: string, label: string, count: number): [string, string, number] => [section, label, count];

function ranked<T>(
  section: string,
  { top, others }: Ranking<T>,
  labelOf: (entry: T) => string,
  labels: StatisticsLabels,
) {
  const lines = top.map((entry) => line(section, labelOf(entry), entry.count));
  if (others.names > 0) lines.push(line(section, labels.others.replace('{0}', String(others.names)), others.count));
  return lines;
}
