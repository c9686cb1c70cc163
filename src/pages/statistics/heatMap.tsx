/** Messages by weekday and hour. */
import type { Statistics } from '../../protocol/statistics.ts';
import { formatHour, formatNumber } from '../common/formats.ts';
import { l10n } from '../common/host.ts';
import { valueText, weekdayName } from './formats.ts';
import { Marks, useWidth } from './marks.tsx';
import { Picture } from './picture.tsx';

// The measures of the picture, in pixels.
const START = 44;
const BOTTOM = 22;
const MIN_HEIGHT = 14;
const MAX_HEIGHT = 24;
const GAP = 1.5;
const LABEL_WIDTH = 70;

/** After how many hours there may be a label. */
const LABELS = [3, 6, 12];

/** How visible the color of a single message is. */
const LEAST = 0.15;

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

export function HeatMap({ hours }: Pick<Statistics, 'hours'>) {
  const { ref, width } = useWidth();
  const countAt = (weekday: number, hour: number) => hours[weekday]?.[hour] ?? 0;
  const cells = WEEKDAYS.flatMap((weekday) => HOURS.map((hour) => ({ weekday, hour, count: countAt(weekday, hour) })));
  const most = cells.reduce((one, other) => (other.count > one.count ? other : one));
  const nameOf = (weekday: number, hour: number) => `${weekdayName(weekday, 'long')} ${formatHour(hour)}`;
  const peak = l10n.t('Most: {0} ({1})', formatNumber(most.count), nameOf(most.weekday, most.hour));
  const step = (width - START) / 24;
  const every = LABELS.find((hours) => hours * step >= LABEL_WIDTH) ?? 24;
  const height = Math.min(Math.max(step, MIN_HEIGHT), MAX_HEIGHT);
  const marks = cells.map(({ weekday, hour, count }) => {
    const [x, y] = [START + hour * step, weekday * height];
    const size = { width: step - GAP, height: height - GAP };
    const shape =
      count === 0 ? (
        <rect class="nothing" x={x + 0.5} y={y + 0.5} width={step - GAP - 1} height={height - GAP - 1} />
      ) : (
        <rect class="value cell" x={x} y={y} {...size} fill-opacity={LEAST + (1 - LEAST) * (count / most.count)} />
      );
    return { label: valueText(nameOf(weekday, hour), count), x: x + step / 2, y, shape };
  });
  return (
    <Picture
      title={l10n.t('Messages by Weekday and Hour')}
      notes={[peak]}
      columns={[l10n.t('Hour'), ...WEEKDAYS.map((weekday) => weekdayName(weekday, 'short'))]}
      rows={() =>
        HOURS.map((hour) => [formatHour(hour), ...WEEKDAYS.map((weekday) => formatNumber(countAt(weekday, hour)))])
      }
      isWide
    >
      <div ref={ref} class="frame">
        {width > START && (
          <Marks
            label={`${l10n.t('Messages by Weekday and Hour')}. ${peak}`}
            width={width}
            height={7 * height + BOTTOM}
            marks={marks}
            columns={24}
          >
            {WEEKDAYS.map((weekday) => (
              <text key={weekday} x={START - 6} y={(weekday + 0.5) * height + 4} text-anchor="end">
                {weekdayName(weekday, 'short')}
              </text>
            ))}
            {HOURS.filter((hour) => hour % every === 0).map((hour) => (
              <text key={hour} x={START + hour * step} y={7 * height + 16}>
                {formatHour(hour)}
              </text>
            ))}
          </Marks>
        )}
      </div>
    </Picture>
  );
}
