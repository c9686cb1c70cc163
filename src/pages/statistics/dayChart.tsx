/** Messages over time. */
import type { Statistics } from '../../protocol/statistics.ts';
import { formatNumber } from '../common/formats.ts';
import { l10n } from '../common/host.ts';
import { type Bucket, bucketsOf, startOf, type Unit } from './buckets.ts';
import { bucketName, formatCompact, tickName, valueText } from './formats.ts';
import { type Mark, Marks, useWidth } from './marks.tsx';
import { Picture } from './picture.tsx';

// The measures of the chart, in pixels.
const HEIGHT = 200;
const TOP = 12;
const BOTTOM = 24;
const MIN_STEP = 4;
const MAX_BAR = 40;
const TICK_DISTANCE = 110;
const DIGIT = 7.5;

interface Props extends Pick<Statistics, 'days'> {
  /** Called when the bar of these days was selected. */
  onSelect(bucket: Bucket): void;
}

export function DayChart({ days, onSelect }: Props) {
  const { ref, width } = useWidth();
  const { unit, buckets, left } = bucketsOf(days, Math.max(1, width / MIN_STEP - 10));
  const title = titleOf(unit);
  const shown = buckets.filter(({ count }) => count > 0);
  const most = shown.reduce((one, other) => (other.count > one.count ? other : one));
  const peak = l10n.t('Most: {0} ({1})', formatNumber(most.count), bucketName(most, unit));
  return (
    <Picture
      title={title}
      notes={[peak, left > 0 && leftText(left), l10n.t('Select a bar to search for its messages.')]}
      columns={[l10n.t('Period'), l10n.t('Count')]}
      rows={() => shown.map((bucket) => [bucketName(bucket, unit), formatNumber(bucket.count)])}
      isWide
    >
      <div ref={ref} class="frame">
        {width > 0 && (
          <Bars
            label={`${title}. ${peak}`}
            unit={unit}
            buckets={buckets}
            width={width}
            max={most.count}
            onSelect={onSelect}
          />
        )}
      </div>
    </Picture>
  );
}

const leftText = (left: number) =>
  left === 1
    ? l10n.t('Not shown: 1 message dated years apart from the rest.')
    : l10n.t('Not shown: {0} messages dated years apart from the rest.', formatNumber(left));

function titleOf(unit: Unit): string {
  switch (unit) {
    case 'day':
      return l10n.t('Messages by Day');
    case 'week':
      return l10n.t('Messages by Week');
    case 'month':
      return l10n.t('Messages by Month');
    case 'quarter':
      return l10n.t('Messages by Quarter');
    case 'year':
      return l10n.t('Messages by Year');
  }
}

interface BarsProps extends Pick<Props, 'onSelect'> {
  label: string;
  unit: Unit;
  buckets: readonly Bucket[];
  width: number;
  max: number;
}

function Bars({ label, unit, buckets, width, max, onSelect }: BarsProps) {
  const lines = gridLines(max);
  const top = lines.at(-1) ?? max;
  const start = Math.max(...lines.map((line) => formatCompact(line).length)) * DIGIT + 10;
  const step = Math.min((width - start) / buckets.length, 2 * MAX_BAR);
  const barWidth = Math.min(Math.max(step - (step < 3 ? 0 : step < 8 ? 1 : 2), 0.5), MAX_BAR);
  const yOf = (count: number) => HEIGHT - BOTTOM - (count / top) * (HEIGHT - TOP - BOTTOM);
  const middleOf = (index: number) => start + (index + 0.5) * step;
  const marks = buckets.flatMap((bucket, index): Mark[] => {
    if (bucket.count === 0) return [];
    const y = Math.min(yOf(bucket.count), HEIGHT - BOTTOM - 2);
    const shape = (
      <>
        <rect class="target" x={start + index * step} y={0} width={step} height={HEIGHT - BOTTOM} />
        <rect class="value" x={middleOf(index) - barWidth / 2} y={y} width={barWidth} height={HEIGHT - BOTTOM - y} />
      </>
    );
    const name = valueText(bucketName(bucket, unit), bucket.count);
    return [{ label: name, x: middleOf(index), y, shape, onSelect: () => onSelect(bucket) }];
  });
  return (
    <Marks label={label} width={width} height={HEIGHT} marks={marks}>
      {lines.map((line) => (
        <g key={line}>
          <line class="grid" x1={start} x2={width} y1={yOf(line)} y2={yOf(line)} />
          <text x={start - 6} y={yOf(line) + 4} text-anchor="end">
            {formatCompact(line)}
          </text>
        </g>
      ))}
      <Ticks unit={unit} buckets={buckets} width={width} start={start} middleOf={middleOf} />
    </Marks>
  );
}

/** Names of some bars, so few that they don't overlap. */
function Ticks({ unit, buckets, width, start, middleOf }: Pick<BarsProps, 'unit' | 'buckets' | 'width'> & TickPlaces) {
  const span = (buckets.at(-1)?.start ?? 0) - (buckets[0]?.start ?? 0);
  const margin = TICK_DISTANCE / 3;
  return (
    <>
      {ticksOf(buckets, Math.ceil(TICK_DISTANCE / (middleOf(1) - middleOf(0)))).map(({ index, day }) => {
        const x = middleOf(index);
        if (index > 0 && x > width - margin) return null;
        const isFirst = x < start + margin;
        return (
          <text key={index} x={isFirst ? start : x} y={HEIGHT - 6} text-anchor={isFirst ? 'start' : 'middle'}>
            {tickName(day, unit, span > 300)}
          </text>
        );
      })}
    </>
  );
}

interface TickPlaces {
  start: number;
  middleOf(index: number): number;
}

/** The bars in which months, quarters or years begin, or else some bars, about `distance` bars apart. */
function ticksOf(buckets: readonly Bucket[], distance: number): { index: number; day: number }[] {
  const all = buckets.map(({ start }, index) => ({ index, day: start }));
  for (const unit of ['month', 'quarter', 'year'] as const) {
    const ticks = buckets.flatMap(({ start, end }, index) => {
      const day = startOf(unit, end - 1);
      return day >= start ? [{ index, day }] : [];
    });
    const apart = ((ticks.at(-1)?.index ?? 0) - (ticks[0]?.index ?? 0)) / (ticks.length - 1);
    if (apart > distance * 0.75) return ticks;
    if (unit === 'year' && ticks.length > 1) return everyNth(ticks, Math.ceil(distance / apart));
  }
  return everyNth(all, distance);
}

const everyNth = <T,>(list: readonly T[], n: number) => list.filter((_, index) => index % Math.max(1, n) === 0);

/** About four round numbers, from 0 to a number that isn't smaller than `max`. */
function gridLines(max: number): number[] {
  const rough = Math.max(1, max / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(max / step) + 1 }, (_, index) => index * step);
}
